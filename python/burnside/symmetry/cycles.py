"""Permutations in cycle notation, over the names of what they move: written, and read again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence


def cycles(images: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The cycles of length two and more, each from its smallest point, in ascending order."""
    seen = bytearray(len(images))
    for start, image in enumerate(images):
        if seen[start] or image == start:
            continue
        cycle = []
        point = start
        while not seen[point]:
            seen[point] = 1
            cycle.append(point)
            point = images[point]
        yield tuple(cycle)


def cycle_notation(of: Iterable[Sequence[int]], names: Sequence[str]) -> str:
    return "".join(f"({' '.join(quoted(names[point]) for point in cycle)})" for cycle in of)


def quoted(name: str) -> str:
    """A name as it stands in cycle notation: quoted where blanks or parentheses would blur it. `client(5)` is not."""
    if name and name[0] != "(" and not any(c.isspace() or c in "'\"," for c in name) and _is_balanced(name):
        return name
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _is_balanced(name: str) -> bool:
    depth = 0
    for c in name:
        depth += (c == "(") - (c == ")")
        if depth < 0:
            return False
    return depth == 0


def read_cycles(notation: str) -> list[list[str]] | None:
    """The names in each cycle, `(a b)("c d" e(1))`; None where it is not cycle notation."""
    found: list[list[str]] = []
    at, end = 0, len(notation)
    while True:
        at = _after_blanks(notation, at)
        if at == end:
            return found
        if notation[at] != "(":
            return None
        cycle: list[str] = []
        at = _after_blanks(notation, at + 1, ",")
        while at < end and notation[at] != ")":
            name = _QUOTED.match(notation, at)
            if name is not None:
                cycle.append(re.sub(r"\\(.)", r"\1", name[1]))
                at = name.end()
            else:
                start = at
                at = _after_name(notation, at)
                if at == start:
                    return None
                cycle.append(notation[start:at])
            at = _after_blanks(notation, at, ",")
        if at == end:
            return None
        found.append(cycle)
        at += 1


_QUOTED = re.compile(r"\"((?:[^\"\\]|\\.)*)\"")


def _after_blanks(text: str, at: int, more: str = "") -> int:
    while at < len(text) and (text[at].isspace() or text[at] in more):
        at += 1
    return at


def _after_name(text: str, at: int) -> int:
    """Parentheses of a name are closed in it."""
    depth = 0
    while at < len(text) and not (text[at].isspace() or text[at] in ',"'):
        depth += (text[at] == "(") - (text[at] == ")")
        if depth < 0:
            break
        at += 1
    return at
