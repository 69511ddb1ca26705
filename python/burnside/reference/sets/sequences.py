"""Operators on sequences. A sequence is a function from 1..n; of anything else they are undefined."""

from __future__ import annotations

from collections.abc import Callable

from burnside.reference.sets.failures import undefined
from burnside.reference.sets.values import Value, sequence, sequence_elements

Sequence = frozenset[tuple[int, Value]]


def elements(value: Sequence) -> list[Value]:
    found = sequence_elements(value)
    if found is None:
        undefined("this is no sequence: it is no function from 1..n")
    return found


def _some(value: Sequence, operator: str) -> list[Value]:
    found = elements(value)
    if not found:
        undefined(f"the empty sequence has no {operator}")
    return found


def _index(value: Sequence, count: int, operator: str) -> list[Value]:
    found = elements(value)
    if not 0 <= count <= len(found):
        undefined(f"{operator} {count}: the sequence has {len(found)} elements")
    return found


def _general_concat(value: Sequence) -> Sequence:
    return sequence(each for inner in elements(value) for each in elements(inner))


SEQUENCE_OPERATORS: dict[str, Callable[..., Value]] = {
    "sequence": lambda *each: sequence(each),
    "size": lambda s: len(elements(s)),
    "concat": lambda s, t: sequence(elements(s) + elements(t)),
    "prepend": lambda e, s: sequence([e, *elements(s)]),
    "append": lambda s, e: sequence([*elements(s), e]),
    "reverse": lambda s: sequence(elements(s)[::-1]),
    "first": lambda s: _some(s, "first element")[0],
    "last": lambda s: _some(s, "last element")[-1],
    "tail": lambda s: sequence(_some(s, "tail")[1:]),
    "front": lambda s: sequence(_some(s, "front")[:-1]),
    "take": lambda s, n: sequence(_index(s, n, "/|\\")[:n]),
    "drop": lambda s, n: sequence(_index(s, n, "\\|/")[n:]),
    "general-concat": _general_concat,
}
