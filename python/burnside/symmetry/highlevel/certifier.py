"""What is a symmetry of a high-level net: decided by comparing the net's form with its renamed form.

In: a `NetForm` and a permutation of elements. Out: whether the permutation maps the net to itself, which transitions it maps
to which, and how their variables correspond; which conditions it does not keep.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property

from burnside.ir.highlevel.net import Claim, HighLevelNet
from burnside.limits import Deadline
from burnside.records import record
from burnside.symmetry.cycles import cycle_notation, cycles
from burnside.symmetry.elements import CertifiedGenerator, sort_images
from burnside.symmetry.highlevel.net_form import NetForm
from burnside.symmetry.highlevel.point_names import net_point_names
from burnside.symmetry.highlevel.variables import Numbering
from burnside.symmetry.points import Images

Positions = tuple[int, ...] | None
"""For each variable of the image of a transition, the position of the variable whose (permuted) value it has; None where it
is not known which instance is the image of one: only the effects are the same."""


@record
class NetGenerator(CertifiedGenerator):
    """`variables`: for each transition, how those of its image correspond to its own."""

    variables: tuple[Positions, ...] = ()

    def keeps_arguments(self, action: int) -> bool:
        positions = self.variables[action]
        return positions is not None and positions == tuple(range(len(positions)))


@record
class Mismatch:
    """A place whose initial marking, or a transition that is not kept, by number."""

    kind: str
    number: int


@record
class Matching:
    """The image of each transition."""

    actions: Images
    variables: tuple[Positions, ...]


class NetCertifier:
    """`restricting`: the names of conditions that did not allow a permutation that is a symmetry of the net."""

    def __init__(self, form: NetForm, conditions: Sequence[Claim] = ()) -> None:
        self.form, self.net = form, form.net
        self.conditions = conditions
        self.restricting: dict[str, None] = {}

    def is_symmetry(self, permutation: Images) -> bool:
        """Of the net, that keeps each condition: a verdict is about one, so two that change places are not enough."""
        if self.mismatch(permutation) is not None:
            return False
        broken = self.broken_conditions(permutation)
        self.restricting |= dict.fromkeys(broken)
        return not broken

    def mismatch(self, permutation: Images) -> Mismatch | None:
        """The first thing in the net that is not kept; None where the permutation is a symmetry of the net."""
        found = self.matching(permutation)
        return found if isinstance(found, Mismatch) else None

    def broken_conditions(self, permutation: Images) -> list[str]:
        images = self.form.element_images(permutation)
        if images is None:
            return [each.name for each in self.conditions]
        renamed = self.form.terms.renamed
        pairs = zip(self.conditions, self.form.conditions, strict=True)
        return [each.name for each, form in pairs if renamed(form, images) != form]

    def matching(self, permutation: Images) -> Matching | Mismatch:
        self.form.deadline.check()
        images = self.form.element_images(permutation)
        if images is None:
            raise ValueError("elements of sorts that are not to be permuted are moved")
        renamed = self.form.terms.renamed
        for number, form in enumerate(self.form.places):
            if renamed(form, images) != form:
                return Mismatch("place", number)
        transitions = self.form.transitions
        forms = [renamed(each.form, images) for each in transitions]
        actions = [number if form == transitions[number].form else -1 for number, form in enumerate(forms)]
        waiting = [number for number, image in enumerate(actions) if image < 0]
        places: dict[int, list[int]] = defaultdict(list)
        for number in reversed(waiting):
            places[self._own_numbers[number]].append(number)
        for number in waiting:
            numbered = self._numbered(number, forms[number])
            if not places[numbered]:
                return Mismatch("transition", number)
            if number in places[numbered]:
                places[numbered].remove(number)
                actions[number] = number
            else:
                actions[number] = places[numbered].pop()
        written = [renamed(each.written, images) for each in transitions]
        variables = [self._positions(number, written[number], image) for number, image in enumerate(actions)]
        return Matching(tuple(actions), tuple(variables))

    def admitted(self, permutation: Images, source: str) -> NetGenerator:
        found = self.matching(permutation)
        assert isinstance(found, Matching) and not self.broken_conditions(permutation)
        shown = cycle_notation(cycles(permutation), self._point_names)
        return NetGenerator(permutation, shown, source, found.actions, found.variables)

    @cached_property
    def _point_names(self) -> Sequence[str]:
        return net_point_names(self.net)

    @cached_property
    def _numbering(self) -> Numbering:
        form = self.form
        return Numbering(form.terms, [form.colour(point) for point in range(form.terms.points)])

    @cached_property
    def _own_numbers(self) -> list[int]:
        return [self._numbered(at, each.form) for at, each in enumerate(self.form.transitions)]

    def _numbered(self, number: int, form: int) -> int:
        """The form with its variables numbered."""
        transition = self.form.transitions[number]
        if transition.is_by_effects:
            return form
        return self._numbering.of(form, transition.variables).form

    def _positions(self, number: int, written: int, image: int) -> Positions:
        """How the variables of the image correspond."""
        one, other = self.form.transitions[number], self.form.transitions[image]
        if number == image and written == one.written:
            return tuple(range(len(one.variables)))
        here = self._numbering.of(written, one.variables)
        there = self._numbering.of(other.written, other.variables)
        if here.form != there.form:
            return None
        return tuple(here.numbers.index(each) for each in there.numbers)


def certify(net: HighLevelNet, permutation: Images, conditions: Sequence[Claim] = ()) -> bool:
    """Does the permutation of all elements of all sorts map the net to itself, and keep what the net claims and these
    conditions?"""
    claims = (*net.claims, *conditions)
    parts = sort_images(net.sorts, permutation).items()
    moved = {name for name, images in parts if images != tuple(range(len(images)))}
    form = NetForm(net, moved, claims, Deadline())
    return NetCertifier(form, claims).is_symmetry(permutation)
