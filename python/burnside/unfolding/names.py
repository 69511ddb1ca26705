"""Names of the places and transitions of an unfolded net: `fork<2>`, `take(p=3)`.

Where two would have the same name (an element is called `a, b`, or a place `fork<2>`), those behind the first get a number:
`fork<2>#2`.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

from burnside.ir.highlevel.net import HighLevelNet
from burnside.ir.highlevel.types import TokenType
from burnside.ir.highlevel.values import place_name
from burnside.unfolding.codes import Codes


def place_names(net: HighLevelNet, codes: Codes, starts: Sequence[int], coded: array[int]) -> tuple[str, ...]:
    def names() -> Iterator[str]:
        for number, place in enumerate(net.places):
            shower = codes.shower(place.type)
            for code in coded[starts[number] : starts[number + 1]]:
                yield place_name(place.name, place.type, shower(code))

    return unique(list(names()))


def transition_names(
    net: HighLevelNet, codes: Codes, starts: Sequence[int], coded: array[int]
) -> tuple[str, ...]:
    names: list[str] = []
    shown: dict[TokenType, dict[int, str]] = {}
    first = 0
    for number, transition in enumerate(net.transitions):
        count, width = starts[number + 1] - starts[number], len(transition.variables)
        if not width:
            names += [transition.name] * count
            continue
        end = first + count * width
        columns = []
        for at, variable in enumerate(transition.variables):
            column, known = coded[first + at : end : width], shown.setdefault(variable.type, {})
            shower = codes.shower(variable.type)
            known.update((code, shower(code)) for code in set(column) - known.keys())
            columns.append([f"{variable.name}={known[code]}" for code in column])
        names += [f"{transition.name}({', '.join(row)})" for row in zip(*columns, strict=True)]
        first = end
    return unique(names)


def unique(names: list[str]) -> tuple[str, ...]:
    taken = set(names)
    if len(taken) == len(names):
        return tuple(names)
    seen: set[str] = set()
    numbers: dict[str, int] = {}
    found = []
    for name in names:
        chosen = name
        if name in seen:
            while chosen in taken:
                numbers[name] = numbers.get(name, 1) + 1
                chosen = f"{name}#{numbers[name]}"
            taken.add(chosen)
        seen.add(name)
        found.append(chosen)
    return tuple(found)
