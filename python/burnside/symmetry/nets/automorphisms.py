"""Symmetries of place/transition nets: automorphisms that fix markings and keep expressions (Junttila
2003, 3.2).

In: a net, the markings its symmetries must fix, the expressions they must keep. Out: a certified group of
the core, and on request its description. nauty proposes, the core certifies every generator arc by arc.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol
from weakref import finalize

from burnside.limits import Deadline
from burnside.net import Net
from burnside.records import field, record
from burnside.symmetry import Generator, Orbits, Symmetries
from burnside.symmetry.cycles import cycle_notation, cycles
from burnside.symmetry.group import SymmetryGroup
from burnside.symmetry.structure import structure_name

if TYPE_CHECKING:
    from burnside import _core

Marking = tuple[int, ...]

NO_DEADLINE = Deadline()

MAX_ATTRIBUTION_SECONDS = 1.0
"""After that, expressions count as restricting without being looked at one by one."""


class KeptExpression(Protocol):
    """What is needed of an expression that symmetries must keep."""

    @property
    def text(self) -> str: ...
    @property
    def core(self) -> _core.Expression: ...


@record
class GivenSymmetry:
    """What a symmetry of another model is on this net: the images of the places, and where it comes from."""

    places: tuple[int, ...] = field(repr=False)
    source: str

    def extended(self, places: int) -> GivenSymmetry:
        """To a net with more places, which stay where they are."""
        return GivenSymmetry((*self.places, *range(len(self.places), places)), self.source)


@record
class SymmetryScope:
    """Which symmetries are asked for. With `declared_only` none are looked for: a net declares no symmetries. `given`: known
    ones, which are certified like all others; those that do not keep what must be kept are left out. `deadline`: after it,
    those that were found."""

    fixing: tuple[Marking, ...]
    declared_only: bool = False
    given: tuple[GivenSymmetry, ...] = ()
    deadline: Deadline = NO_DEADLINE


@record
class RestrictedGroup:
    """The group that keeps every expression, and the texts of those that made it smaller. `in_time`: was all that was looked
    for found before the deadline?"""

    group: _core.Group
    restricted_by: tuple[str, ...] = ()
    in_time: bool = True


_HANDLES: dict[int, _core.Net] = {}
"""By identity, as long as a net exists: to compare nets takes longer than to convert one."""


def core_net(net: Net) -> _core.Net:
    """The net inside the core: crossed once, used by symmetry and explorer alike."""
    from burnside import _core

    handle = _HANDLES.get(id(net))
    if handle is None:
        handle = _HANDLES[id(net)] = _core.Net(net.initial, net.consumes, net.produces)
        finalize(net, _HANDLES.pop, id(net), None).atexit = False
    return handle


def restricted_group(
    handle: _core.Net, scope: SymmetryScope, keeping: Sequence[KeptExpression]
) -> RestrictedGroup:
    """The symmetries in scope that keep all expressions; orders show which expressions cost some, as far as that is found
    out in time: of large groups it takes longer than to explore."""
    begun = time.monotonic()
    searched = not scope.declared_only
    if not keeping:
        whole = _automorphisms(handle, scope, ())
        return RestrictedGroup(whole, in_time=whole.complete or not searched)
    # What is needed comes first where time is short.
    kept = None if scope.deadline is NO_DEADLINE else _automorphisms(handle, scope, keeping)
    if kept is not None and searched and not kept.complete:
        return RestrictedGroup(kept, in_time=False)
    whole = _automorphisms(handle, scope, ())
    if whole.order == 1 and (whole.complete or not searched):
        return RestrictedGroup(whole)
    if kept is None:
        kept = _automorphisms(handle, scope, keeping)
    if searched and not whole.complete:
        return RestrictedGroup(kept)
    if kept.order == whole.order:
        return RestrictedGroup(whole)
    if len(keeping) == 1:
        return RestrictedGroup(kept, (keeping[0].text,))
    # The group that keeps all is the intersection of those that keep one, so at least one of them is smaller.
    guilty: dict[str, None] = {}
    for each in keeping:
        if time.monotonic() - begun > MAX_ATTRIBUTION_SECONDS:
            guilty.setdefault(each.text)
        elif each.text not in guilty and _automorphisms(handle, scope, [each]).order < whole.order:
            guilty[each.text] = None
    return RestrictedGroup(kept, tuple(guilty))


def net_symmetries(
    net: Net,
    scope: SymmetryScope,
    keeping: Sequence[KeptExpression] = (),
    *,
    model: str = "",
    language: str = "",
) -> Symmetries:
    """The certified group of a net in the user's words."""
    group = restricted_group(core_net(net), scope, keeping).group
    return describe(net, group, model=model or net.name, language=language)


def describe(net: Net, group: _core.Group, *, model: str, language: str) -> Symmetries:
    generators = group.generators()
    return Symmetries(
        model=model,
        language=language,
        order=group.order,
        structure=structure_name([_joined(places, transitions) for places, transitions, _ in generators]),
        complete=group.complete,
        generators=tuple(_describe(net, *generator) for generator in generators),
        orbits=_named(group.place_orbits(), net.places),
        transition_orbits=_named(group.transition_orbits(), net.transitions),
        base=tuple(net.places[place] for place in group.base()),
        transversal_sizes=tuple(group.transversal_sizes()),
        group=SymmetryGroup(
            (*net.places, *net.transitions),
            tuple(tuple(_joined(places, transitions)) for places, transitions, _ in generators),
            group.order,
        ),
    )


def _joined(places: Sequence[int], transitions: Sequence[int]) -> list[int]:
    """Places and transitions as points of one permutation."""
    return [*places, *(len(places) + image for image in transitions)]


def _automorphisms(handle: _core.Net, scope: SymmetryScope, keeping: Sequence[KeptExpression]) -> _core.Group:
    from burnside import _core

    cores, seconds = [expression.core for expression in keeping], scope.deadline.left
    if scope.given:
        given = [(each.places, each.source) for each in scope.given]
        return _core.group_of_given(handle, scope.fixing, cores, given, not scope.declared_only, seconds)[0]
    if scope.declared_only:
        return _core.trivial_group(handle)
    return _core.automorphisms(handle, scope.fixing, cores, seconds)


def _describe(net: Net, places: Sequence[int], transitions: Sequence[int], source: str) -> Generator:
    of_places = cycle_notation(cycles(places), net.places)
    return Generator(of_places + cycle_notation(cycles(transitions), net.transitions), source)


def _named(orbits: Iterable[Sequence[int]], names: Sequence[str]) -> Orbits:
    """Orbits by name, ascending, with a singleton for every point no orbit mentions."""
    sets = [sorted(orbit) for orbit in orbits]
    moved = {point for orbit in sets for point in orbit}
    sets += [[point] for point in range(len(names)) if point not in moved]
    return tuple(tuple(names[point] for point in orbit) for orbit in sorted(sets))
