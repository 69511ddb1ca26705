"""A readable name for a permutation group, such as `(S3 wr S2) x C2`: only where it is proved, else None.

In: generators as lists of images. Out: the structure name up to isomorphism. Generators are split by support
into factors of a direct product, and each factor is recognised by its order and by where it acts faithfully:
a group without kernel on k points (or k blocks) is a subgroup of Sk (of Sm wr Sb), so equal order means equal
groups. Orders come from the core. One factor without a name leaves the whole without.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from math import factorial, lcm, prod

from burnside.records import record

MAX_GENERATORS = 256
MAX_WORK = 5_000_000
"""Points times generators squared, or points of an orbit squared; more is not worth a name."""
MAX_ORDERS = 200
"""Actions of one factor whose order is asked for."""
MAX_DIHEDRAL_GENERATORS = 16

Permutation = Mapping[int, int]
"""Moved points only."""


def structure_name(generators: Sequence[Sequence[int]]) -> str | None:
    """The name of the group that permutations of 0, 1, ... generate, or None where it is not proved."""
    moving = [moved for moved in map(_moved, generators) if moved]
    if not moving:
        return "1"
    if len(moving) > MAX_GENERATORS or len(generators[0]) * len(moving) ** 2 > MAX_WORK:
        return None
    factors = [Factor(tuple(moving[number] for number in part)) for part in _by_support(moving)]
    named = [(-factor.order, factor_name(factor)) for factor in factors]
    if any(not names for _, names in named):
        return None
    return _direct_product([name for _, names in sorted(named) for name in names])


def _direct_product(names: Sequence[str]) -> str:
    """Largest factors first; equal ones are written as a power from three on."""
    parts: list[str] = []
    for name, times in Counter(names).items():
        atom = f"({name})" if " wr " in name and len(names) > 1 else name
        parts += [f"{atom}^{times}"] if times > 2 else [atom] * times
    return " x ".join(parts)


def group_order(generators: Sequence[Sequence[int]]) -> int:
    """The order of a permutation group: the core counts it as symmetries of a net without transitions."""
    from burnside import _core

    net = _core.Net([0] * len(generators[0]), [], [])
    return _core.certified_group(net, [(images, []) for images in generators]).order


def _moved(images: Sequence[int]) -> Permutation:
    return {point: image for point, image in enumerate(images) if point != image}


def _by_support(generators: Sequence[Permutation]) -> list[list[int]]:
    """Generators (by number) in the same class where their supports are connected."""
    classes = UnionFind(len(generators))
    first_to_move: dict[int, int] = {}
    for number, generator in enumerate(generators):
        for point in generator:
            classes.join(number, first_to_move.setdefault(point, number))
    return classes.members()


class UnionFind:
    """Union-find over 0, 1, ..., size - 1."""

    def __init__(self, size: int) -> None:
        self._parent = list(range(size))

    def find(self, point: int) -> int:
        while self._parent[point] != point:
            self._parent[point] = self._parent[self._parent[point]]
            point = self._parent[point]
        return point

    def join(self, one: int, other: int) -> bool:
        """True where they were apart."""
        one, other = self.find(one), self.find(other)
        self._parent[max(one, other)] = min(one, other)
        return one != other

    def members(self) -> list[list[int]]:
        found: dict[int, list[int]] = {}
        for point in range(len(self._parent)):
            found.setdefault(self.find(point), []).append(point)
        return list(found.values())


@record
class Factor:
    """One direct factor: its generators are not linked to any others by what they move."""

    generators: tuple[Permutation, ...]

    @cached_property
    def points(self) -> list[int]:
        return sorted(set().union(*self.generators))

    @cached_property
    def order(self) -> int:
        return group_order(self.action_on([[point] for point in self.points]))

    @cached_property
    def orbits(self) -> list[list[int]]:
        """Small ones first."""
        index = {point: number for number, point in enumerate(self.points)}
        classes = UnionFind(len(self.points))
        for generator in self.generators:
            for point, image in generator.items():
                classes.join(index[point], index[image])
        return sorted(([self.points[i] for i in orbit] for orbit in classes.members()), key=len)

    def action_on(self, parts: Sequence[Sequence[int]]) -> list[list[int]]:
        """The generators as permutations of points or blocks, which they must permute."""
        part_of = {point: number for number, part in enumerate(parts) for point in part}
        return [[part_of[g.get(part[0], part[0])] for part in parts] for g in self.generators]

    def is_faithful_on(self, parts: Sequence[Sequence[int]]) -> bool:
        """Does no element but the identity keep every part?"""
        return group_order(self.action_on(parts)) == self.order


def factor_name(factor: Factor) -> list[str]:
    """The names whose direct product the factor is; none where it is not recognised."""
    abelian = _abelian(factor)
    if abelian:
        return abelian
    name = _symmetric(factor) or _dihedral(factor) or _wreath(factor)
    return [name] if name is not None else []


def _abelian(factor: Factor) -> list[str]:
    """Cyclic (the exponent is the order) or elementary abelian (the exponent is prime)."""
    generators = factor.generators
    if any(_product(g, h) != _product(h, g) for i, g in enumerate(generators) for h in generators[:i]):
        return []
    exponent = lcm(*map(order_of, generators))
    if exponent == factor.order:
        return [f"C{exponent}"]
    if not _is_prime(exponent):
        return []
    rank = 1
    while exponent**rank < factor.order:
        rank += 1
    return [f"C{exponent}"] * rank


def _symmetric(factor: Factor) -> str | None:
    """Sk or Ak (its only subgroup of index 2) on the k points of an orbit or the k blocks of one."""
    degrees = {k: f"{letter}{k}" for letter, k in _factorial_degrees(factor.order)}
    possible = [orbit for orbit in factor.orbits if any(len(orbit) % k == 0 for k in degrees)]
    for orbit in possible[:MAX_ORDERS]:
        points = [[point] for point in orbit]
        for blocks in chain([points], block_systems(factor.generators, orbit)):
            if len(blocks) in degrees and factor.is_faithful_on(blocks):
                return degrees[len(blocks)]
    return None


def _factorial_degrees(order: int) -> Iterator[tuple[str, int]]:
    """("S", k) where k! is the order and ("A", k) where it is k!/2."""
    value, k = 1, 1
    while value < 2 * order:
        k += 1
        value *= k
        if value == order:
            yield "S", k
        if value == 2 * order:
            yield "A", k


def _dihedral(factor: Factor) -> str | None:
    """A rotation of half the group's order, and an involution that inverts it."""
    half, odd = divmod(factor.order, 2)
    generators = factor.generators
    if odd or half < 3 or len(generators) > MAX_DIHEDRAL_GENERATORS:
        return None
    products = (_product(g, h) for i, g in enumerate(generators) for h in generators[:i])
    for rotation in chain(generators, products):
        if order_of(rotation) != half:
            continue
        inverse = {image: point for point, image in rotation.items()}
        # A power of the rotation commutes with it, so whatever inverts it (half > 2) lies outside its powers.
        if any(order_of(g) == 2 and _product(_product(g, rotation), g) == inverse for g in generators):
            return f"D{half}"
    return None


def _wreath(factor: Factor) -> str | None:
    """Sm wr Sb: faithful on an orbit with b blocks of m points, and as large as such a group can be."""
    for orbit in factor.orbits[:MAX_ORDERS]:
        sizes = {m for m in _inner_sizes(len(orbit)) if _wreath_order(m, len(orbit) // m) == factor.order}
        if not sizes or not factor.is_faithful_on([[point] for point in orbit]):
            continue
        for blocks in block_systems(factor.generators, orbit):
            if len(blocks[0]) in sizes:
                return f"S{len(blocks[0])} wr S{len(blocks)}"
    return None


def _inner_sizes(points: int) -> list[int]:
    return [m for m in range(2, points // 2 + 1) if points % m == 0] if points <= 1000 else []


def _wreath_order(inner: int, outer: int) -> int:
    return prod([factorial(inner)] * outer) * factorial(outer)


def block_systems(generators: Sequence[Permutation], orbit: Sequence[int]) -> Iterator[list[list[int]]]:
    """The systems of imprimitivity generated by two points of an orbit: neither points nor the whole."""
    index = {point: number for number, point in enumerate(orbit)}
    local = [[index[g.get(point, point)] for point in orbit] for g in generators]
    if len(orbit) ** 2 * len(local) > MAX_WORK:
        return
    seen: set[tuple[int, ...]] = set()
    for other in range(1, len(orbit)):
        blocks = _blocks_joining(local, other)
        key = tuple(blocks[0])
        if len(blocks) > 1 and key not in seen:
            seen.add(key)
            yield [[orbit[point] for point in block] for block in blocks]


def _blocks_joining(local: Sequence[Sequence[int]], other: int) -> list[list[int]]:
    """The finest block system in which point 0 and another share a block (Atkinson 1975)."""
    classes = UnionFind(len(local[0]))
    classes.join(0, other)
    waiting = [(0, other)]
    while waiting:
        one, two = waiting.pop()
        for images in local:
            if classes.join(images[one], images[two]):
                waiting.append((images[one], images[two]))
    return classes.members()


def _product(second: Permutation, first: Permutation) -> dict[int, int]:
    """Right to left, as everywhere: first `first`, then `second`."""
    images = {point: second.get(image, image) for point, image in first.items()}
    for point, image in second.items():
        images.setdefault(point, image)
    return {point: image for point, image in images.items() if point != image}


def order_of(permutation: Permutation) -> int:
    """The least common multiple of the cycle lengths."""
    lengths = {1}
    seen: set[int] = set()
    for start in permutation:
        length, point = 0, start
        while point not in seen:
            seen.add(point)
            length += 1
            point = permutation[point]
        lengths.add(max(length, 1))
    return lcm(*lengths)


def _is_prime(number: int) -> bool:
    return 1 < number < 10**6 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))
