"""What groups do to some of their points, compared with all their elements."""

from __future__ import annotations

from itertools import permutations

from burnside.symmetry.restriction import Lifting, common, missing, order, restricted
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.symmetry.test_symmetry_groups import closure

DEGREE = 6
UNIT = tuple(range(DEGREE))
groups = st.lists(st.permutations(range(DEGREE)).map(tuple), max_size=3)
Groups = list[tuple[int, ...]]


@settings(max_examples=100, deadline=None)
@given(groups, groups)
def test_the_common_subgroup_is_the_intersection(one: Groups, other: Groups) -> None:
    both = closure(one, DEGREE) & closure(other, DEGREE)
    found = common(DEGREE, one, other)
    assert closure(found, DEGREE) == both
    assert order(DEGREE, found) == len(both)


@settings(max_examples=100, deadline=None)
@given(groups, groups)
def test_missing_is_what_is_not_generated(wanted: Groups, generators: Groups) -> None:
    elements = closure(generators, DEGREE)
    assert missing(DEGREE, wanted, generators) == [each for each in wanted if each not in elements]


@settings(max_examples=100, deadline=None)
@given(groups, st.lists(st.sampled_from(range(DEGREE)), unique=True, min_size=1, max_size=3))
def test_an_element_is_lifted_where_there_is_one(generators: Groups, points: list[int]) -> None:
    elements = closure(generators, DEGREE)
    for images in permutations(points):
        acting = [each for each in elements if [each[point] for point in points] == list(images)]
        found = Lifting(generators, points).element(images) if generators else None
        assert (found is not None) == bool(acting and generators)
        assert found is None or found in acting


def test_a_lifted_element_moves_nothing_else_without_need() -> None:
    """(0 1)(2 3) and (4 5) apart; then blocks {0, 1} and {2, 3}, whose points may be exchanged too."""
    assert Lifting([(1, 0, 3, 2, 5, 4), (0, 1, 2, 3, 5, 4)], [0, 1]).element([1, 0]) == (1, 0, 3, 2, 4, 5)
    blocks = [(1, 0, 2, 3, 4, 5), (0, 1, 3, 2, 4, 5), (2, 3, 0, 1, 5, 4)]
    found = Lifting(blocks, [4, 5]).element([5, 4])
    assert found is not None
    assert tuple(found[each] for each in found) == UNIT


def test_restrictions_are_to_points_that_stay_among_themselves() -> None:
    assert restricted([(1, 0, 2, 3), (0, 1, 3, 2), (2, 3, 0, 1)], [2, 3]) == [(1, 0)]
