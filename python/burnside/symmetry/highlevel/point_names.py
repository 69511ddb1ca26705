"""Names of the elements of a net's sorts. Ranges of numbers share their elements' names: these are named with their sort."""

from __future__ import annotations

from collections import Counter

from burnside.ir.highlevel.net import HighLevelNet


def net_point_names(net: HighLevelNet) -> tuple[str, ...]:
    count = Counter(element for sort in net.sorts for element in sort.elements)
    names: list[str] = []
    for sort in net.sorts:
        is_unique = all(count[element] == 1 for element in sort.elements)
        names += sort.elements if is_unique else [f"{sort.name}={element}" for element in sort.elements]
    return tuple(names)
