"""Edges as numbers: those that occur twice.

In: numbers of edges (source, action, target, one after the other) and how many states there are. Out: which edges stand
there already. Edges are a set, and files may repeat them. A dictionary of all edges would need a hundred bytes for
each; here the edges of one state at a time are compared, which are next to each other in nearly all files.
"""

from __future__ import annotations

from array import array
from itertools import accumulate, groupby


def duplicates(numbers: array[int], states: int) -> list[int]:
    """Positions of edges that equal an earlier one, ascending."""
    if _is_grouped(numbers, states):
        return _repeated(numbers)
    order = _by_source(numbers, states)
    grouped = array("I")
    for at in order:
        grouped.extend(numbers[3 * at : 3 * at + 3])
    return sorted(order[at] for at in _repeated(grouped))


def without_duplicates(numbers: array[int], states: int) -> array[int]:
    """The first of equal edges stays where it is."""
    found = duplicates(numbers, states)
    if not found:
        return numbers
    kept, begin = array("I"), 0
    for at in found:
        kept.extend(numbers[3 * begin : 3 * at])
        begin = at + 1
    kept.extend(numbers[3 * begin :])
    return kept


def _is_grouped(numbers: array[int], states: int) -> bool:
    """Do the edges of each state stand next to each other?"""
    entered = bytearray(states)
    for source, _ in groupby(numbers[::3]):
        if entered[source]:
            return False
        entered[source] = 1
    return True


def _repeated(numbers: array[int]) -> list[int]:
    """Where the edges of each state stand next to each other."""
    found: list[int] = []
    begin = 0
    for _, group in groupby(numbers[::3]):
        end = begin + sum(1 for _ in group)
        own = list(
            zip(numbers[3 * begin + 1 : 3 * end : 3], numbers[3 * begin + 2 : 3 * end : 3], strict=True)
        )
        if len(set(own)) < len(own):
            first = {edge: at for at, edge in reversed(list(enumerate(own)))}
            found += [begin + at for at, edge in enumerate(own) if first[edge] < at]
        begin = end
    return found


def _by_source(numbers: array[int], states: int) -> array[int]:
    """Positions of edges, by source and otherwise in their order (a counting sort)."""
    sizes = [0] * (states + 1)
    for source in numbers[::3]:
        sizes[source + 1] += 1
    places = list(accumulate(sizes))
    found = array("I", bytes(4 * (len(numbers) // 3)))
    for at, source in enumerate(numbers[::3]):
        found[places[source]] = at
        places[source] += 1
    return found
