"""A readable name for a permutation group, such as `(S3 wr S2) x C2`: only where it is proved, else None.

In: generators as lists of images. Out: the structure name up to isomorphism. The group is split into factors of a direct
product, by what generators move and by orbits on which it acts independently. Each factor is recognised by its order and
by where it acts faithfully: a group without kernel on k points (or k blocks) is a subgroup of Sk, so equal order means
equal groups; wreath products and hypercubes are in `wreath_products`. A factor without a name, beside others, is
given by its order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from math import lcm

from burnside.symmetry.factors import (
    MAX_WORK,
    Factor,
    UnionFind,
    block_systems,
    by_support,
    direct_factors,
    group_order,
    moved,
    order_of,
    product,
)
from burnside.symmetry.wreath_products import cube_dimension, wreath_parts

__all__ = ["UnionFind", "block_systems", "group_order", "order_of", "structure_name"]

MAX_GENERATORS = 256
MAX_ORDERS = 200
"""Actions of one factor whose order is asked for."""
MAX_DIHEDRAL_GENERATORS = 16
MAX_DEPTH = 4
"""Of wreath products of wreath products."""


def structure_name(generators: Sequence[Sequence[int]], order: int | None = None) -> str | None:
    """The name of the group that permutations of 0, 1, ... generate, or None where it is not proved. `order`: of the group,
    where it is known."""
    moving = [each for each in map(moved, generators) if each]
    if not moving:
        return "1"
    if len(moving) > MAX_GENERATORS or len(generators[0]) * len(moving) ** 2 > MAX_WORK:
        return None
    supports = [Factor(tuple(moving[number] for number in part), order) for part in by_support(moving)]
    factors = [each for one in supports for each in direct_factors(one)]
    named = sorted((-factor.order, factor_name(factor)) for factor in factors)
    if len(named) == 1 and not named[0][1]:
        return None
    return _direct_product([name for order, names in named for name in names or [f"(order {-order})"]])


def _direct_product(names: Sequence[str]) -> str:
    """Largest factors first; equal ones are written as a power from three on."""
    parts: list[str] = []
    for name, times in Counter(names).items():
        atom = f"({name})" if " wr " in name and len(names) > 1 else name
        parts += [f"{atom}^{times}"] if times > 2 else [atom] * times
    return " x ".join(parts)


def factor_name(factor: Factor, depth: int = 0) -> list[str]:
    """The names whose direct product the factor is; none where it is not recognised."""
    abelian = _abelian(factor)
    if abelian:
        return abelian
    name = _symmetric(factor) or _dihedral(factor) or _wreath(factor, depth)
    return [name] if name is not None else []


def _abelian(factor: Factor) -> list[str]:
    """Cyclic (the exponent is the order) or elementary abelian (the exponent is prime)."""
    generators = factor.generators
    if any(product(g, h) != product(h, g) for i, g in enumerate(generators) for h in generators[:i]):
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
    products = (product(g, h) for i, g in enumerate(generators) for h in generators[:i])
    for rotation in chain(generators, products):
        if order_of(rotation) != half:
            continue
        inverse = {image: point for point, image in rotation.items()}
        # A power of the rotation commutes with it, so whatever inverts it (half > 2) lies outside its powers.
        if any(order_of(g) == 2 and product(product(g, rotation), g) == inverse for g in generators):
            return f"D{half}"
    return None


def _wreath(factor: Factor, depth: int) -> str | None:
    """The smallest blocks first. What acts on the blocks must do so in the way that its name says, S4 on four of them."""
    dimension = cube_dimension(factor)
    if dimension is not None:
        return f"S2 wr S{dimension}"
    if depth >= MAX_DEPTH:
        return None
    for inner, outer in sorted(wreath_parts(factor), key=lambda each: len(each[0].points)):
        names, above = factor_name(inner, depth + 1), factor_name(outer, depth + 1)
        if names and len(above) == 1 and above[0][1:] == str(len(outer.points)):
            name = _as_symmetric(_direct_product(names))
            return f"{f'({name})' if ' ' in name else name} wr {_as_symmetric(above[0])}"
    return None


def _as_symmetric(name: str) -> str:
    """Beside others that are, the group of order 2 is called symmetric too."""
    return "S2" if name == "C2" else name


def _is_prime(number: int) -> bool:
    return 1 < number < 10**6 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))
