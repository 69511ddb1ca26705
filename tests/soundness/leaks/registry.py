"""All leaks by name, and texts that many of them are made of."""

from __future__ import annotations

from tests.soundness.murphi_programs import Leak

LEAKS: dict[str, Leak] = {}


def leak(function: Leak) -> Leak:
    LEAKS[function.__name__.replace("_", " ")] = function
    return function


def loop(body: str, name: str = "i", sort: str = "S") -> str:
    return f"for {name}: {sort} do {body} end;"


def boolean(head: str, body: str, result: str) -> str:
    return f"function {head}: boolean; begin {body} return {result}; end;"
