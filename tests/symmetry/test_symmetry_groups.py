"""What a group over names answers, compared with all its elements."""

from __future__ import annotations

from itertools import permutations

import burnside
import pytest
from burnside.diagnostics import UsageError
from burnside.symmetry.cycles import cycle_notation, cycles, read_cycles
from burnside.symmetry.group import MAX_LISTED, SymmetryGroup
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.process_programs import star

NAMES = ("a", "b", "c d", 'e"', "f(1)", "g")


def closure(generators: list[tuple[int, ...]], degree: int) -> set[tuple[int, ...]]:
    found = {tuple(range(degree))}
    waiting = list(found)
    while waiting:
        current = waiting.pop()
        new = {tuple(g[x] for x in current) for g in generators} - found
        found |= new
        waiting += new
    return found


@settings(max_examples=60, deadline=None)
@given(st.lists(st.permutations(range(6)), max_size=3), st.sets(st.sampled_from(range(6)), max_size=3))
def test_a_group_is_its_elements(generators: list[list[int]], fixed: set[int]) -> None:
    made = [tuple(each) for each in generators]
    group = SymmetryGroup(NAMES, tuple(made))
    everything = closure(made, 6)
    assert group.order == len(everything)
    listed = list(group.elements())
    assert len(set(listed)) == len(listed) == len(everything)
    for images in permutations(range(6)):
        assert ({NAMES[x]: NAMES[images[x]] for x in range(6)} in group) == (images in everything)
    assert all(element in group for element in listed)
    kept = group.stabiliser(*(NAMES[x] for x in fixed))
    assert kept.order == sum(all(images[x] == x for x in fixed) for images in everything)
    for x in range(6):
        assert set(group.orbit(NAMES[x])) == {NAMES[images[x]] for images in everything}


def test_the_group_of_a_model_is_asked() -> None:
    group = burnside.symmetries(star(4)).group
    assert group.order == 24
    assert group.structure == "S4"
    swap = "(client(0) client(1))(answer(0) answer(1))(0 1)"
    assert swap in group
    assert '("client(0)" "client(1)")("answer(0)", answer(1)) (0 1)' in group
    assert "(client(0) client(1))" not in group
    assert swap in set(group.elements())
    assert group.image(swap, "client(0)") == "client(1)"
    assert group.stabiliser("client(0)", "client(1)").order == 2
    assert group.orbit("answer(2)") == tuple(f"answer({number})" for number in range(4))
    assert "()" in set(group.elements())


def test_what_is_refused() -> None:
    group = SymmetryGroup(("a", "b", "b"), ((1, 0, 2),))
    for text in ("a b", "(a c)", "(a b)"):
        with pytest.raises(UsageError):
            _ = text in group
    with pytest.raises(UsageError, match="two points have one image"):
        _ = {"a": "c", "d": "c"} in SymmetryGroup(("a", "c", "d"), ())
    rotation = (*range(1, 12), 0)
    large = SymmetryGroup(tuple("abcdefghijkl"), ((1, 0, *range(2, 12)), rotation))
    assert large.order > MAX_LISTED
    with pytest.raises(UsageError, match="at most"):
        large.elements()


def test_a_description_counts_in_words() -> None:
    net = burnside.Net("n", ("p",), (1,), ("t", "u"), (((0, 1),), ((0, 1),)), (((0, 1),), ((0, 1),)))
    assert repr(burnside.symmetries(net)) == "Symmetries('n': order 2 (C2), 1 generator, 1 orbit)"


@pytest.mark.parametrize(
    "name", ["a", "client(5)", "f(1)(2)", "g(h(1))", "a b", 'e"', "(a)", "a)", "(", "", "a,b", "it's"]
)
def test_names_in_cycles_are_read_again(name: str) -> None:
    for images in ((1, 0, 2), (1, 2, 0)):
        names = (name, "x", "y(2)")
        text = cycle_notation(cycles(images), names)
        assert read_cycles(text) == [[names[point] for point in cycle] for cycle in cycles(images)]


@pytest.mark.parametrize("text", ["(a b", "a b)", "(a b) c", "(a (b)", '("a b)', "a"])
def test_what_is_not_cycle_notation(text: str) -> None:
    assert read_cycles(text) is None
    with pytest.raises(UsageError, match="not in cycle notation"):
        assert text in SymmetryGroup(("a", "b"), ((1, 0),))
