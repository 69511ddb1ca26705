"""Families of machines: what `burnside example` may be asked for, and refusals."""

from __future__ import annotations

import pytest
from burnside.diagnostics import UsageError
from burnside.families import FAMILIES, build
from burnside.families.machines import MACHINE_FAMILIES, MAX_EDGES, member
from burnside.testing.machine import Action
from burnside.testing.patterns import Transformation, ranks, substituted

MEMBERS = [
    ("chatbox", 2),
    ("chatbox", 3),
    ("chatbox-fixed", 2),
    ("chatbox-fixed", 3),
    ("train", 3),
    ("train", 4),
    ("train", 5),
    ("train-plain", 3),
    ("train-plain", 4),
    ("train-plain", 5),
]


@pytest.mark.parametrize(("name", "size"), MEMBERS)
def test_members(name: str, size: int) -> None:
    found = member(name, [str(size)])
    machine, pattern = found.machine(), found.pattern()
    assert len(machine.edges) == found.family.edges(size)
    assert len(pattern.initial) == len(pattern.transformations)
    assert len({each.name for each in pattern.transformations}) == len(pattern.transformations)
    for order in found.family.orders:
        assert sorted(found.order(order)) == sorted(machine.inputs)
    assert found.order() == found.order(found.family.default_order)
    # Every action of the machine belongs to some copy.
    images = {image for each in pattern.transformations for image in each.images.values()}
    assert set(machine.actions) <= images


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("chatbox 4", 2_621_440),
        ("chatbox-fixed 4", 131_072),
        ("train-plain 7", 4_300_874),
        ("train-plain 8", 22_282_324),
        ("train 6", 912_276),
        ("train 7", 4_927_734),
        ("train 8", 26_060_592),
        ("ring", 779_040),
    ],
)
def test_published_sizes_are_known_before_building(text: str, edges: int) -> None:
    name, *params = text.split()
    found = member(name, params)
    assert found.family.edges(*found.values) == edges <= MAX_EDGES


@pytest.mark.parametrize(
    ("name", "params", "message", "hint"),
    [
        ("chatbok", ["3"], "no example is called 'chatbok'", "did you mean chatbox"),
        ("zzz", [], "no example is called 'zzz'", "there are chatbox, chatbox-fixed, train"),
        ("chatbox", [], "'chatbox' takes 1 parameter, 0 given", "burnside example chatbox users"),
        ("ring", ["3"], "'ring' takes 0 parameters, 1 given", "burnside example ring"),
        ("chatbox", ["1"], "users of 'chatbox' must be at least 2, not 1", ""),
        ("train", ["2"], "stations of 'train' must be at least 3, not 2", ""),
        ("train", ["four"], "must be a whole number, not 'four'", ""),
        ("train", ["9"], "'train 9' would have 131,342,850", "smaller"),
        ("train-plain", ["9"], "'train-plain 9' would have 112,066,", "smaller"),
        ("chatbox", ["5"], "would have 2,013,265,920 edges; the limit is 100,000,000", "smaller"),
        ("chatbox", ["999999999999"], "would have more than 10^18 edges", "smaller"),
        ("train", ["9" * 19], "more than 18 digits; the limit is 100,000,000 edges", ""),
    ],
)
def test_refusals(name: str, params: list[str], message: str, hint: str) -> None:
    with pytest.raises(UsageError) as refused:
        member(name, params)
    assert message in refused.value.diagnostic.message
    assert hint in (refused.value.diagnostic.hint or "")


def test_an_unknown_order_is_refused() -> None:
    with pytest.raises(UsageError, match="no order of 'train' is called 'random'; there are published, "):
        member("train", [4]).order("random")


def test_a_name_means_a_net_or_a_machine() -> None:
    assert not FAMILIES.keys() & MACHINE_FAMILIES.keys()
    with pytest.raises(UsageError) as refused:
        build("trains", ["4"])
    assert refused.value.diagnostic.hint is not None and "train" in refused.value.diagnostic.hint


def test_words_are_replaced_at_once() -> None:
    action = Action("REQUEST CALL 1", "MOVELEFT 10")
    assert substituted(action, {"1": "10", "10": "1"}) == Action("REQUEST CALL 10", "MOVELEFT 1")
    assert substituted(Action("DREQ(0,1)"), {"0": "1", "1": "0"}) == Action("DREQ(1,0)")
    machine = member("chatbox-fixed", [2]).pattern().template
    assert Transformation.of_words("none", machine, {}).images == {each: each for each in machine.actions}


def test_ranks() -> None:
    rank = ranks(["b", "a"])
    assert rank(Action("b", "x")) == rank(Action("b")) < rank(Action("a"))
    with pytest.raises(UsageError, match="misses 'c'"):
        rank(Action("c"))
    with pytest.raises(UsageError, match="'a' twice"):
        ranks(["a", "b", "a"])
