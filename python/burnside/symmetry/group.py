"""A permutation group over names, to be asked: how large it is, what it moves where, what it contains.

In: names of points, generators as images. Out: a `SymmetryGroup`; its elements are permutations in cycle notation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

from burnside.diagnostics import UsageError
from burnside.records import field, record
from burnside.symmetry.cycles import cycle_notation, cycles, quoted, read_cycles
from burnside.symmetry.structure import UnionFind, structure_name

if TYPE_CHECKING:
    from burnside import _core

MAX_LISTED = 1_000_000
"""Elements of a group that are gone through."""


@record(eq=False)
class SymmetryGroup:
    """`names`: of the points that are permuted. `images`: of generators, by number of the point."""

    names: tuple[str, ...]
    images: tuple[tuple[int, ...], ...] = field(repr=False)
    known_order: int | None = field(default=None, repr=False)

    @cached_property
    def _core(self) -> _core.ElementGroup:
        from burnside import _core

        return _core.ElementGroup(len(self.names), self.images, order=self.known_order)

    @property
    def order(self) -> int:
        return self._core.order

    @property
    def structure(self) -> str | None:
        """Such as `S3 x C2`; None where it is not proved."""
        return structure_name(self.images, self.order)

    @property
    def generators(self) -> tuple[str, ...]:
        return tuple(map(self._shown, self.images))

    @property
    def orbits(self) -> tuple[tuple[str, ...], ...]:
        found = UnionFind(len(self.names))
        for images in self.images:
            for point, image in enumerate(images):
                found.join(point, image)
        return tuple(tuple(self.names[point] for point in orbit) for orbit in found.members())

    def orbit(self, name: str) -> tuple[str, ...]:
        """The points that this one can be mapped to."""
        return next(each for each in self.orbits if self._named(name) in each)

    def stabiliser(self, *names: str) -> SymmetryGroup:
        """The elements that fix these points, one by one."""
        points = [self._point(name) for name in names]
        return SymmetryGroup(self.names, tuple(map(tuple, self._core.stabiliser(points))))

    def __contains__(self, permutation: str | Mapping[str, str]) -> bool:
        """In cycle notation, or as images of names; what is not mentioned stays."""
        return self._core.contains(self._images(permutation))

    def __len__(self) -> int:
        return self.order

    def __iter__(self) -> Iterator[str]:
        return self.elements()

    def elements(self) -> Iterator[str]:
        """All of them, each once; refused where there are too many."""
        if self.order > MAX_LISTED:
            raise UsageError(f"the group has {self.order:,} elements: at most {MAX_LISTED:,} are listed")
        sizes = self._core.transversal_sizes()
        return (self._shown(self._core.element(members)) for members in product(*map(range, sizes)))

    def image(self, permutation: str | Mapping[str, str], name: str) -> str:
        """Where a permutation takes a point."""
        return self.names[self._images(permutation)[self._point(name)]]

    def _shown(self, images: Sequence[int]) -> str:
        return cycle_notation(cycles(images), self.names) or "()"

    @cached_property
    def _points(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for point, name in enumerate(self.names):
            found.setdefault(name, []).append(point)
        return found

    def _named(self, name: str) -> str:
        self._point(name)
        return name

    def _point(self, name: str) -> int:
        points = self._points.get(name, [])
        if len(points) != 1:
            problem = "several points have" if points else "no point has"
            raise UsageError(f"{problem} the name {quoted(name)}")
        return points[0]

    def _images(self, permutation: str | Mapping[str, str]) -> list[int]:
        images = list(range(len(self.names)))
        pairs = (
            _pairs(permutation) if isinstance(permutation, str) else [(a, b) for a, b in permutation.items()]
        )
        for name, image in pairs:
            images[self._point(name)] = self._point(image)
        if len(set(images)) != len(images):
            raise UsageError("not a permutation: two points have one image")
        return images


def _pairs(notation: str) -> Iterator[tuple[str, str]]:
    """What cycles map to what: `(a b)("c d" e)`."""
    cycles = read_cycles(notation)
    if cycles is None:
        raise UsageError(f"not in cycle notation: {notation}")
    for names in cycles:
        yield from zip(names, [*names[1:], *names[:1]], strict=True)
