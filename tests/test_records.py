"""Frozen records behave as dataclasses do, where burnside relies on it."""

from __future__ import annotations

import pytest
from burnside.records import astuple, field, field_names, is_record, record, replace


@record
class Point:
    x: int
    y: int = 0
    note: str | None = field(default=None, compare=False, repr=False)


@record(kw_only=True)
class Basket:
    things: list[int] = field(default_factory=list)


@record(eq=False)
class Unique:
    x: int


@record(frozen=False)
class Open:
    x: int
    twice: int = field(init=False)

    def __post_init__(self) -> None:
        self.twice = 2 * self.x


def test_values_defaults_and_names() -> None:
    assert astuple(Point(1)) == (1, 0, None)
    assert astuple(Point(y=2, x=1)) == (1, 2, None)
    assert field_names(Point) == ("x", "y", "note")
    assert repr(Point(1, 2, "n")) == "Point(x=1, y=2)"
    assert is_record(Point(1)) and not is_record(3)


def test_equality_and_hash_leave_out_what_is_not_compared() -> None:
    assert Point(1, 2, "a") == Point(1, 2, "b") != Point(2, 1)
    assert len({Point(1, 2, "a"), Point(1, 2, "b")}) == 1
    assert Point(1) != (1, 0)
    assert Unique(1) != Unique(1)


def test_replace_and_patterns() -> None:
    assert replace(Point(1, 2), y=3) == Point(1, 3)
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)


def test_nothing_is_changed_or_forgotten() -> None:
    point = Point(1)
    with pytest.raises(AttributeError, match="never changed"):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(TypeError, match="needs a value for x"):
        Point()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="takes x"):
        Point(1, 2, None, 4)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Point(1, x=2)  # type: ignore[misc]
    with pytest.raises(TypeError):
        Basket([1])  # type: ignore[misc]


def test_factories_and_settling() -> None:
    assert Basket().things is not Basket().things
    opened = Open(2)
    assert opened.twice == 4
    opened.x = 5
    assert astuple(opened) == (5, 4)
    with pytest.raises(TypeError):
        hash(opened)
