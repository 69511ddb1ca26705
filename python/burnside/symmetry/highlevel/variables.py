"""Transitions up to the names of their variables.

In: forms of transitions over the points of their variables. Out: forms in which variables are numbered, equal where some
renaming of variables makes one transition of the other, and the numbers. Variables are told apart by the forms in which one
of them is marked, again and again; where that leaves several alike, each is tried as the first, and the smallest form is
taken. A form with numbered variables always comes from a numbering, so equal ones prove that there is a renaming; where the
tries end early, one may only be missed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from burnside.records import record
from burnside.symmetry.programs.terms import Terms

MAX_NUMBERINGS = 720
"""That are tried for one transition."""

Numbers = tuple[int, ...]
"""Of variables, in the order of the transition."""


@record
class Numbered:
    form: int
    numbers: Numbers


class Numbering:
    """`types`: what variables must agree in, by point."""

    def __init__(self, terms: Terms, types: Sequence[Hashable]) -> None:
        self.terms, self.types = terms, types
        self._known: dict[tuple[int, tuple[int, ...]], Numbered] = {}

    def of(self, form: int, variables: tuple[int, ...]) -> Numbered:
        key = form, variables
        if key not in self._known:
            self._known[key] = self._best(form, variables)
        return self._known[key]

    def _best(self, form: int, variables: tuple[int, ...]) -> Numbered:
        if not variables:
            return Numbered(form, ())
        kinds = [self.terms.of(("type", self.types[each])) for each in variables]
        best: Numbered | None = None
        for tried, numbers in enumerate(self._numberings(form, variables, _ranks(kinds))):
            found = self._replaced(form, variables, [("variable", each) for each in numbers])
            if best is None or found < best.form:
                best = Numbered(found, numbers)
            if tried == MAX_NUMBERINGS:
                break
        assert best is not None
        return best

    def _numberings(self, form: int, variables: tuple[int, ...], colours: Numbers) -> Iterator[Numbers]:
        colours = self._refined(form, variables, colours)
        several = [each for each in sorted(set(colours)) if colours.count(each) > 1]
        if not several:
            yield colours
            return
        for chosen in [at for at, colour in enumerate(colours) if colour == several[0]]:
            # The chosen one before those that were like it.
            first = [2 * colour + (at != chosen) for at, colour in enumerate(colours)]
            yield from self._numberings(form, variables, _ranks(first))

    def _refined(self, form: int, variables: tuple[int, ...], colours: Numbers) -> Numbers:
        while len(set(colours)) < len(colours):
            marked = [
                self._replaced(
                    form, variables, [("this" if at == one else "other", c) for at, c in enumerate(colours)]
                )
                for one in range(len(variables))
            ]
            finer = _ranks(list(zip(colours, marked, strict=True)))
            if len(set(finer)) == len(set(colours)):
                break
            colours = finer
        return colours

    def _replaced(self, form: int, variables: tuple[int, ...], names: Sequence[Hashable]) -> int:
        """With names for the variables, which keep their types."""
        images = {
            point: self.terms.of((self.types[point], name))
            for point, name in zip(variables, names, strict=True)
        }
        return self.terms.renamed(form, images)


def _ranks(keys: Sequence[object]) -> Numbers:
    places = {key: rank for rank, key in enumerate(sorted(set(keys)))}  # type: ignore[type-var]
    return tuple(places[each] for each in keys)
