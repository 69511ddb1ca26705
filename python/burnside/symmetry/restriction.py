"""What a permutation group does to some of its points: restrictions, common subgroups, elements that act as prescribed.

In: generators as images. Out: generators. Groups are small enough for one Schreier-Sims chain for each question.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import product

from burnside import _core
from burnside.symmetry.points import Images, composed

MAX_LISTED = 20_000
"""Elements of a group that are gone through for those that another one has too."""


def order(points: int, generators: Sequence[Images]) -> int:
    return _group(points, generators).order if generators else 1


def restricted(generators: Sequence[Images], points: Sequence[int]) -> list[Images]:
    """What generators do to these points, by position, without those that leave them as they are. Generators that map one of
    the points elsewhere are left out."""
    place = {point: at for at, point in enumerate(points)}
    unit = tuple(range(len(points)))
    found = [
        tuple(place[each[point]] for point in points)
        for each in generators
        if all(each[point] in place for point in points)
    ]
    return list(dict.fromkeys(each for each in found if each != unit))


def missing(points: int, wanted: Sequence[Images], generators: Sequence[Images]) -> list[Images]:
    """Those that the generators do not generate."""
    unit = tuple(range(points))
    if not generators:
        return [each for each in wanted if each != unit]
    group = _group(points, generators)
    return [each for each in wanted if not group.contains(each)]


def common(points: int, one: Sequence[Images], other: Sequence[Images]) -> list[Images]:
    """Generators of the intersection of two groups; of a part of it where neither contains the other and both are large."""
    if not missing(points, other, one):
        return list(other)
    if not missing(points, one, other):
        return list(one)
    smaller, larger = sorted((one, other), key=lambda each: order(points, each))
    if order(points, smaller) > MAX_LISTED:
        both = [(one, other), (other, one)]
        return [g for mine, theirs in both for g in mine if not missing(points, [g], theirs)]
    chain, large = _group(points, smaller), _group(points, larger)
    found: list[Images] = []
    for members in product(*map(range, chain.transversal_sizes())):
        element = tuple(chain.element(members))
        if large.contains(element) and missing(points, [element], found):
            found.append(element)
    return found


class Lifting:
    """Elements of a group that permute some points as prescribed."""

    def __init__(self, generators: Sequence[Images], points: Sequence[int]) -> None:
        self.generators, self.points = list(generators), list(points)
        self.degree = len(generators[0]) if generators else 0

    @cached_property
    def _kernel(self) -> list[Images]:
        """Of what fixes all the points, generators."""
        return _stabiliser(self.generators, self.points, self.degree)

    def element(self, images: Sequence[int]) -> Images | None:
        """One that maps each of the points to its image, another of them; None where there is none. What else it moves is as
        little as can be: other points are fixed where that is possible, or else their cycles are closed soon."""
        found = self._acting(images)
        return None if found is None else self._tidied(found)

    def _acting(self, images: Sequence[int]) -> Images | None:
        for each in self.generators:
            if [each[point] for point in self.points] == list(images):
                return each
        element: Images = tuple(range(self.degree))
        left = self.generators
        for point, image in zip(self.points, images, strict=True):
            step = _mapping(left, element[point], image, self.degree)
            if step is None:
                return None
            element = composed(element, step)
            left = _stabiliser(left, [image], self.degree)
        return element

    def _tidied(self, element: Images) -> Images:
        left, seen = self._kernel, set(self.points)
        for start in range(self.degree):
            point = start
            while left and point not in seen:
                seen.add(point)
                # Back to where the cycle began, if possible.
                step = _mapping(left, element[point], start, self.degree)
                element = element if step is None else composed(element, step)
                left = _stabiliser(left, [element[point]], self.degree)
                point = element[point]
        return element


def _mapping(generators: Sequence[Images], source: int, target: int, degree: int) -> Images | None:
    """A product of generators that maps one point to another."""
    words: dict[int, Images] = {source: tuple(range(degree))}
    waiting = [source]
    while waiting and target not in words:
        point = waiting.pop(0)
        for each in generators:
            if each[point] not in words:
                words[each[point]] = composed(words[point], each)
                waiting.append(each[point])
    return words.get(target)


def _stabiliser(generators: Sequence[Images], points: Sequence[int], degree: int) -> list[Images]:
    if not generators:
        return []
    return [tuple(each) for each in _group(degree, generators).stabiliser(points)]


def _group(points: int, generators: Sequence[Images]) -> _core.ElementGroup:
    return _core.ElementGroup(points, generators)
