"""Permutations in cycle notation, over the names of what they move."""

from __future__ import annotations

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
    """A name as it stands in cycle notation: quoted where blanks or parentheses would blur it."""
    if name and not any(c.isspace() or c in "()'\"," for c in name):
        return name
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
