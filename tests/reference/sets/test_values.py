"""What is remembered of values: Python takes 0 and False for the same, machines do not."""

from __future__ import annotations

from burnside.reference.sets.values import image_table, ordered


def types(values: tuple[object, ...]) -> list[str]:
    return [repr(value) for value in values]


def test_numbers_and_truth_values_are_not_mixed_up() -> None:
    empty: frozenset[object] = frozenset()
    for number, truth in ((0, False), (1, True)):
        for make in (
            lambda value: value,
            lambda value: (value, 7),
            lambda value: frozenset({value}),
            lambda value: (empty, frozenset({value})),
        ):
            for value in (number, truth, number):
                assert types(ordered(frozenset({make(value)}))) == [repr(make(value))]
    assert types(ordered(frozenset({empty, frozenset({0})}))) == ["frozenset()", "frozenset({0})"]
    assert types(ordered(frozenset({empty, frozenset({False})}))) == ["frozenset()", "frozenset({False})"]
    assert image_table(frozenset({(1, 0)})) == {1: (0,)}
    assert types(image_table(frozenset({(1, False)}))[1]) == ["False"]
