"""What the points of a program are called: processes and channels by their names, numbers by what holds them.

In: a program, in which numbers that are used like names have become elements of sorts, called after the first variable that
holds them. Out: a name for each point, all different. A number that occurs in one such sort alone is called by itself; else
`pos=2`, or `server:who=2` where another proctype has a `who` of that kind too. A point of control is a place in the text:
`server at line 14`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from burnside.ir.program import Program
from burnside.ir.types import NUMBERS, Sort
from burnside.ir.views import Members, Queue
from burnside.symmetry.points import point_names


def program_point_names(program: Program) -> tuple[str, ...]:
    names = [list(sort.elements) for sort in program.sorts]
    numbers = [(at, sort) for at, sort in enumerate(program.sorts) if sort.origin == NUMBERS]
    titles = _titles(program)
    labels = {at: _label(sort) for at, sort in numbers}
    for at, sort in numbers:
        places = _places(program, labels[at])
        if places is not None:
            names[at] = [places.get(each, each) for each in sort.elements]
    count = Counter(name for each in names for name in each)
    used = Counter(titles.get(label, label) for label in dict.fromkeys(labels.values()))
    for at, sort in numbers:
        if _places(program, labels[at]) is None and any(count[each] > 1 for each in sort.elements):
            title = titles.get(labels[at], labels[at])
            title = title if used[title] == 1 else labels[at]
            names[at] = [f"{title}={each}" for each in sort.elements]
    found = tuple(name for each in names for name in each)
    return found if len(set(found)) == len(found) else point_names(program)


def _label(sort: Sort) -> str:
    """The variable; several sorts of one are numbered."""
    return sort.name.partition(" (")[0]


def _titles(program: Program) -> Mapping[str, str]:
    """What the user calls variables that have other names in the program."""
    found: dict[str, str] = {}
    for view in program.views:
        if isinstance(view, Members):
            found |= dict(view.variables)
        elif isinstance(view, Queue):
            channels = _channels(program, view.length)
            found[view.length] = f"length of {channels}"
            for number, field in enumerate(view.fields, 1):
                found[field] = f"field {number} of {channels}" if len(view.fields) > 1 else f"in {channels}"
    return found


def _channels(program: Program, variable: str) -> str:
    """The channels of a sort: `link[...]`, `first, ...`."""
    sort = next((each for each in program.sorts if variable.startswith(f"{each.name}:")), None)
    if sort is None:
        return variable
    if sort.size == 1:
        return sort.elements[0]
    bases = {each.partition("[")[0] for each in sort.elements}
    return f"{min(bases)}[...]" if len(bases) == 1 else f"{sort.elements[0]}, ..."


def _places(program: Program, label: str) -> Mapping[str, str] | None:
    """Of numbers that are points of control: what they are called."""
    for view in program.views:
        if isinstance(view, Members) and view.position == label:
            owner = label.partition(":")[0]
            return {
                str(at): f"no {owner}" if place is None else f"{owner} at {place}"
                for at, place in enumerate(view.places)
            }
    return None
