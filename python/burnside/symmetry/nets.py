"""Symmetries of place/transition nets: automorphisms that fix markings and keep expressions (Junttila
2003, 3.2).

In: a net, the markings its symmetries must fix, the expressions they must keep. Out: a certified group of
the core, and on request its description. nauty proposes, the core certifies every generator arc by arc.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from burnside.diagnostics import InputError, Source, UsageError
from burnside.net import MAX_TOKENS, Net
from burnside.records import record
from burnside.symmetry import Generator, Orbits, Symmetries
from burnside.symmetry.structure import structure_name

if TYPE_CHECKING:
    from burnside import _core

Marking = tuple[int, ...]


class Kept(Protocol):
    """What is needed of an expression that symmetries must keep."""

    @property
    def text(self) -> str: ...
    @property
    def core(self) -> _core.Expression: ...


@record
class Scope:
    """Which symmetries are asked for. With `declared_only` none at all: a net declares no symmetries."""

    fixing: tuple[Marking, ...]
    declared_only: bool = False


@record
class RestrictedGroup:
    """The group that keeps every expression, and the texts of those that made it smaller."""

    group: _core.Group
    restricted_by: tuple[str, ...]


def core_net(net: Net) -> _core.Net:
    """The net inside the core: crossed once, used by symmetry and explorer alike."""
    from burnside import _core

    return _core.Net(net.initial, net.consumes, net.produces)


def restricted_group(handle: _core.Net, scope: Scope, keeping: Sequence[Kept]) -> RestrictedGroup:
    """The symmetries in scope that keep all expressions; orders tell which expressions cost some."""
    whole = _automorphisms(handle, scope, ())
    if whole.order == 1 or not keeping:
        return RestrictedGroup(whole, ())
    kept = _automorphisms(handle, scope, keeping)
    if kept.order == whole.order:
        return RestrictedGroup(whole, ())
    if len(keeping) == 1:
        return RestrictedGroup(kept, (keeping[0].text,))
    # The group that keeps all is the intersection of those that keep one, so at least one of them is smaller.
    guilty = [each for each in keeping if _automorphisms(handle, scope, [each]).order < whole.order]
    return RestrictedGroup(kept, tuple(dict.fromkeys(each.text for each in guilty)))


def net_symmetries(
    net: Net, scope: Scope, keeping: Sequence[Kept] = (), *, model: str = "", language: str = ""
) -> Symmetries:
    """The certified group of a net in the user's words."""
    handle = core_net(net)
    group = restricted_group(handle, scope, keeping).group
    generators = group.generators()
    return Symmetries(
        model=model or net.name,
        language=language,
        order=group.order,
        structure=structure_name([_joined(places, transitions) for places, transitions, _ in generators]),
        complete=group.complete,
        generators=tuple(_describe(net, *generator) for generator in generators),
        orbits=_named(group.place_orbits(), net.places),
        transition_orbits=_named(group.transition_orbits(), net.transitions),
        base=tuple(net.places[place] for place in group.base()),
        transversal_sizes=tuple(group.transversal_sizes()),
        group=group,
    )


def _joined(places: Sequence[int], transitions: Sequence[int]) -> list[int]:
    """Places and transitions as points of one permutation."""
    return [*places, *(len(places) + image for image in transitions)]


def _automorphisms(handle: _core.Net, scope: Scope, keeping: Sequence[Kept]) -> _core.Group:
    from burnside import _core

    if scope.declared_only:
        return _core.trivial_group(handle)
    return _core.automorphisms(handle, scope.fixing, [expression.core for expression in keeping])


def _describe(net: Net, places: Sequence[int], transitions: Sequence[int], source: str) -> Generator:
    of_places = cycle_notation(cycles(places), net.places)
    return Generator(of_places + cycle_notation(cycles(transitions), net.transitions), source)


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


def _named(orbits: Iterable[Sequence[int]], names: Sequence[str]) -> Orbits:
    """Orbits by name, ascending, with a singleton for every point no orbit mentions."""
    sets = [sorted(orbit) for orbit in orbits]
    moved = {point for orbit in sets for point in orbit}
    sets += [[point] for point in range(len(names)) if point not in moved]
    return tuple(tuple(names[point] for point in orbit) for orbit in sorted(sets))


def fixed_markings(texts: Sequence[str] | None, net: Net) -> tuple[Marking, ...]:
    """The meaning of `--fixing`: `initial` (the default), `nothing`, or markings such as `p=1,q=2`."""
    if texts is None:
        return (net.initial,)
    if "nothing" in texts:
        if len(texts) > 1:
            raise UsageError("--fixing nothing cannot be combined with a marking")
        return ()
    return tuple(net.initial if text == "initial" else _marking(text, net) for text in texts)


def _marking(text: str, net: Net) -> Marking:
    """Places that are not named hold no token."""
    source = Source("--fixing", text)
    marking = [0] * len(net.places)
    named: set[int] = set()
    offset = 0
    while offset < len(text):
        entry = _entry(source, offset)
        place = net.place_numbers.get(entry.name)
        if place is None:
            raise InputError(
                source.diagnostic(f"no place is called {entry.name!r}", offset, len(entry.name) or 1)
            )
        if place in named:
            raise InputError(source.diagnostic(f"{entry.name!r} is given twice", offset, len(entry.name)))
        named.add(place)
        marking[place] = entry.tokens
        offset = entry.end
    if not named:
        raise InputError(source.diagnostic("expected initial, nothing or a marking such as p=1,q=2", 0))
    return tuple(marking)


@record
class _Entry:
    name: str
    tokens: int
    end: int


def _entry(source: Source, start: int) -> _Entry:
    """One `name=tokens`; the name may stand in double quotes, where it may hold commas and equals signs."""
    import re

    found = re.compile(r'\s*(?:"([^"]*)"|([^=,"]*?))\s*=\s*([^,]*?)\s*(?:,|$)').match(source.text, start)
    if found is None:
        raise InputError(
            source.diagnostic(
                "expected initial, nothing or a marking such as p=1,q=2", start, len(source.text) - start
            )
        )
    digits = found[3]
    if not re.fullmatch("0*[0-9]{1,20}", digits) or int(digits) > MAX_TOKENS:
        raise InputError(
            source.diagnostic("expected a number of tokens below 2^64", found.start(3), max(1, len(digits)))
        )
    return _Entry(found[1] if found[1] is not None else found[2], int(digits), found.end())
