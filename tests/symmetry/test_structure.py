"""Names of groups: right where given, absent where not proved. Groups are those of small nets made for the
purpose."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations

import pytest
from burnside.net import Net
from burnside.symmetry.nets import SymmetryScope, net_symmetries
from burnside.symmetry.structure import block_systems, group_order, order_of, structure_name
from hypothesis import given, settings
from hypothesis import strategies as st


def net_of(places: int, pairs: list[tuple[int, int]], colours: list[int] | None = None) -> Net:
    """A net whose automorphisms are those of a directed graph: one transition for each edge."""
    return Net(
        "graph",
        tuple(f"p{i}" for i in range(places)),
        tuple(colours or [0] * places),
        tuple(f"t{a}_{b}" for a, b in pairs),
        tuple(((a, 1),) for a, _ in pairs),
        tuple(((b, 1),) for _, b in pairs),
    )


def name_of(net: Net) -> str | None:
    return net_symmetries(net, SymmetryScope((net.initial,))).structure


def ring(size: int, *, start: int = 0) -> list[tuple[int, int]]:
    return [(start + i, start + (i + 1) % size) for i in range(size)]


def both_ways(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    return pairs + [(b, a) for a, b in pairs]


@pytest.mark.parametrize("size", [3, 4, 5, 6, 7])
def test_a_directed_ring_is_cyclic(size: int) -> None:
    assert name_of(net_of(size, ring(size))) == f"C{size}"


@pytest.mark.parametrize("size", [4, 5, 6, 7])
def test_a_ring_that_runs_both_ways_is_dihedral(size: int) -> None:
    assert name_of(net_of(size, both_ways(ring(size)))) == f"D{size}"


@pytest.mark.parametrize("size", [3, 4, 5, 6])
def test_a_complete_graph_is_symmetric(size: int) -> None:
    assert name_of(net_of(size, list(permutations(range(size), 2)))) == f"S{size}"


def test_trivial() -> None:
    assert name_of(net_of(3, [(0, 1), (1, 2)])) == "1"


def test_two_places_that_swap() -> None:
    assert name_of(net_of(2, [(0, 1), (1, 0)])) == "C2"


def test_disjoint_supports_give_a_direct_product() -> None:
    net = net_of(7, [*permutations(range(3), 2), *ring(4, start=3)])
    assert name_of(net) == "S3 x C4"


def test_two_equal_complete_graphs_give_a_wreath_product() -> None:
    net = net_of(6, [*permutations(range(3), 2), *((a + 3, b + 3) for a, b in permutations(range(3), 2))])
    assert name_of(net) == "S3 wr S2"


def test_a_wreath_product_stands_in_parentheses_in_a_product() -> None:
    two = [*permutations(range(3), 2), *((a + 3, b + 3) for a, b in permutations(range(3), 2))]
    assert name_of(net_of(8, [*two, (6, 7), (7, 6)], [0] * 6 + [1, 1])) == "(S3 wr S2) x C2"


def test_symmetric_group_on_blocks() -> None:
    """The edges of a complete digraph as places: S4 acts on 12 points, and on 4 blocks of 3."""
    edges = list(permutations(range(4), 2))
    number = {edge: i for i, edge in enumerate(edges)}
    linked = [(number[a, b], number[b, a]) for a, b in edges]
    linked += [(number[a, b], number[a, c]) for a, b in edges for c in range(4) if c not in (a, b)]
    assert name_of(net_of(len(edges), linked)) == "S4"


def test_a_group_that_is_not_recognised_has_no_name() -> None:
    """The Petersen graph has S5, but neither its 10 points nor blocks of them show it."""
    points = list(combinations(range(5), 2))
    edges = [(i, j) for i, a in enumerate(points) for j, b in enumerate(points) if not set(a) & set(b)]
    assert name_of(net_of(10, edges)) in (None, "S5")


def test_no_name_for_a_group_of_the_same_order_as_a_symmetric_one() -> None:
    """C6 has 3! elements and an orbit of 3 blocks, on which it is not faithful."""
    assert name_of(net_of(6, ring(6))) == "C6"


def test_structure_of_a_group_given_by_hand() -> None:
    assert structure_name([[1, 0, 3, 2, 4]]) == "C2"
    assert structure_name([[1, 0, 2, 3], [0, 1, 3, 2]]) == "C2 x C2"
    assert structure_name([[1, 2, 0, 3], [0, 2, 3, 1]]) == "A4"
    assert structure_name([[1, 0, 3, 2], [2, 3, 0, 1]]) == "C2 x C2"
    assert structure_name([[1, 0, 2, 3, 4, 5], [0, 1, 3, 2, 4, 5], [0, 1, 2, 3, 5, 4]]) == "C2^3"
    assert structure_name([[0, 1]]) == structure_name([]) == "1"


def test_the_quaternions_have_no_name_here() -> None:
    i = [1, 4, 3, 6, 5, 0, 7, 2]
    j = [2, 7, 4, 1, 6, 3, 0, 5]
    assert group_order([i, j]) == 8
    assert structure_name([i, j]) is None


def test_block_systems_of_a_square() -> None:
    rotation = {0: 1, 1: 2, 2: 3, 3: 0}
    assert list(block_systems([rotation], [0, 1, 2, 3])) == [[[0, 2], [1, 3]]]
    assert order_of(rotation) == 4
    assert order_of({}) == 1


Images = tuple[int, ...]


def elements(generators: list[Images]) -> set[Images]:
    found = {tuple(range(len(generators[0])))}
    waiting = list(found)
    while waiting:
        current = waiting.pop()
        new = {tuple(g[i] for i in current) for g in generators} - found
        found |= new
        waiting += new
    return found


def profile(generators: list[Images]) -> Counter[int]:
    """How many elements have which order: equal for isomorphic groups, mostly different for others."""
    return Counter(order_of(dict(enumerate(element))) for element in elements(generators))


def side_by_side(one: list[Images], other: list[Images]) -> list[Images]:
    degree, more = len(one[0]), len(other[0])
    left = [(*g, *range(degree, degree + more)) for g in one]
    return left + [(*range(degree), *(degree + image for image in g)) for g in other]


def symmetric(k: int) -> list[Images]:
    return [(*range(1, k), 0), (1, 0, *range(2, k))]


def even(k: int) -> list[Images]:
    return [tuple({0: 1, 1: i, i: 0}.get(x, x) for x in range(k)) for i in range(2, k)]


def wreath(inner: list[Images], outer: list[Images]) -> list[Images]:
    """Imprimitive: the outer group permutes copies of what the inner one acts on."""
    m, b = len(inner[0]), len(outer[0])
    first = [(*g, *range(m, m * b)) for g in inner]
    return first + [tuple(g[x // m] * m + x % m for x in range(m * b)) for g in outer]


def named_group(name: str) -> list[Images]:
    """Generators of the group that a name stands for."""
    made: list[Images] = [(0,)]
    for atom in split(name, " x "):
        base, _, power = atom.rpartition("^") if "^" in atom.rpartition(")")[2] else (atom, "", "1")
        for _ in range(int(power)):
            made = side_by_side(made, atom_group(base))
    return made


def split(name: str, by: str) -> list[str]:
    """At the outermost level."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(name):
        depth += (letter == "(") - (letter == ")")
        if not depth and name.startswith(by, at):
            parts.append(name[start:at])
            start = at + len(by)
    return [*parts, name[start:]]


def atom_group(name: str) -> list[Images]:
    if name.startswith("(") and len(split(name, " wr ")) == 1:
        return named_group(name[1:-1])
    if len(split(name, " wr ")) > 1:
        *inner, outer = split(name, " wr ")
        return wreath(atom_group(" wr ".join(inner)), atom_group(outer))
    n = int(name[1:])
    rotation = (*range(1, n), 0)
    kinds = {
        "S": symmetric,
        "A": even,
        "C": lambda _: [rotation],
        "D": lambda _: [rotation, tuple(range(n))[::-1]],
    }
    return kinds[name[0]](n)


def cube(dimension: int) -> list[Images]:
    """The automorphisms of a hypercube, on its corners."""
    size = 1 << dimension
    swaps = [
        tuple(x ^ ((1 << i) | (2 << i)) if (x >> i & 1) != (x >> (i + 1) & 1) else x for x in range(size))
        for i in range(dimension - 1)
    ]
    return [tuple(x ^ 1 for x in range(size)), *swaps]


@pytest.mark.parametrize("dimension", [3, 4, 5, 6])
def test_the_hypercube_is_a_wreath_product(dimension: int) -> None:
    assert structure_name(cube(dimension)) == f"S2 wr S{dimension}"


def test_some_symmetries_of_a_hypercube_have_no_such_name() -> None:
    complement, *swaps = cube(3)
    both = [tuple(complement[x] for x in swap) for swap in swaps]
    assert structure_name(both) != "S2 wr S3"


@pytest.mark.parametrize(
    "name", ["S3 wr S2", "S3 wr S4", "C3 wr S2", "(S2 wr S3) wr S2", "A4 wr S3", "S2 wr C5", "S10 wr S5"]
)
def test_wreath_products(name: str) -> None:
    assert structure_name(atom_group(name)) == name


def test_factors_that_every_generator_mixes() -> None:
    """Generators that move points of both factors, and a second action of the same group beside the first."""
    tiers = named_group("(S3 wr S2) x C2")
    last = tiers[-1]
    mixed = [tuple(last[x] for x in each) for each in tiers[:-1]] + [last]
    twice = [(*each, *(len(each) + image for image in each)) for each in mixed]
    assert structure_name(mixed) == structure_name(twice) == "(S3 wr S2) x C2"


def test_a_factor_without_a_name_is_given_by_its_order() -> None:
    quaternions = [(1, 4, 3, 6, 5, 0, 7, 2), (2, 7, 4, 1, 6, 3, 0, 5)]
    assert structure_name(side_by_side(quaternions, symmetric(4))) == "S4 x (order 8)"


@settings(max_examples=150, deadline=None)
@given(st.integers(2, 7).flatmap(lambda n: st.lists(st.permutations(range(n)), min_size=1, max_size=3)))
def test_a_name_is_never_wrong(generators: list[list[int]]) -> None:
    name = structure_name(generators)
    given_group = [tuple(g) for g in generators]
    assert group_order(generators) == len(elements(given_group))
    if name not in (None, "1") and "order" not in name:
        assert profile(given_group) == profile(named_group(name))
