"""The reference explorer on nets, programs and machines, with few words: what tests ask of a model, as keywords."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from burnside import _core
from burnside.exploration import ClaimedTrace, Exploration
from burnside.ir.program import Program
from burnside.ir.sets.machine import Machine
from burnside.kinds.machine.semantics import MachineSemantics
from burnside.kinds.net import most_tokens
from burnside.kinds.net.semantics import ONE_SAFE, Marking, NetProperty, NetSemantics, Permutation
from burnside.kinds.program.semantics import ProgramSemantics
from burnside.net import Net
from burnside.outcome import Trace
from burnside.records import replace
from burnside.reference.explorer import explore
from burnside.reference.permutations import point_orbits
from burnside.reference.steps import Label, label_at, labels_of, start_at
from burnside.replay import replay
from burnside.semantics import FIRST_PROPERTY

Predicate = Callable[[Marking], bool]


def net_semantics(
    net: Net,
    *,
    deadlock: bool = False,
    safe: bool = False,
    invariants: Sequence[Predicate] = (),
    goals: Sequence[Predicate] = (),
) -> NetSemantics:
    """1-safety first, then the invariants, then the goals."""
    conditions = [ONE_SAFE] if safe else []
    for number, each in enumerate(invariants):
        conditions.append(
            NetProperty("invariant", f"invariant {number}", lambda marking, each=each: not each(marking))
        )
    conditions += [NetProperty("goal", f"goal {number}", each) for number, each in enumerate(goals)]
    return NetSemantics(net, conditions, deadlock=deadlock)


def explore_net(
    net: Net,
    generators: Sequence[Permutation] = (),
    *,
    deadlock: bool = False,
    safe: bool = False,
    invariants: Sequence[Predicate] = (),
    goals: Sequence[Predicate] = (),
    **options: Any,
) -> Exploration:
    asked = {"deadlock": deadlock, "safe": safe, "invariants": invariants, "goals": goals}
    return explore(net_semantics(net, **asked), generators, **options)


def tokens(net: Net, found: Exploration, generators: Sequence[Permutation] = ()) -> tuple[list[int], int]:
    """The most tokens by place, and in all places together."""
    return most_tokens(net, found.stored, point_orbits([places for places, _ in generators], len(net.places)))


def fired(found: Exploration | _core.Exploration, generators: Sequence[Permutation] = ()) -> list[bool]:
    """By transition: was it enabled anywhere, up to symmetry?"""
    known = [False] * len(found.firings)
    for orbit in point_orbits([images for _, images in generators], len(known)):
        for transition in orbit:
            known[transition] = any(found.firings[each] for each in orbit)
    return known


def explore_program(
    program: Program, generators: Sequence[Any] = (), *, deadlock: bool = False, **options: Any
) -> Exploration:
    return explore(ProgramSemantics(program, deadlock=deadlock), generators, **options)


def replay_program(
    program: Program, steps: Sequence[tuple[int, Sequence[int]]], failing: int | None, number: int
) -> Trace:
    """Run again what the core claims, in its numbers: starts come after all other labels."""
    first = labels_of(program)

    def label(number: int) -> Label:
        return label_at(program, number) if number < first else start_at(program, number - first)

    shown = [(label(each), tuple(state)) for each, state in steps]
    claim = ClaimedTrace(shown, None if failing is None else label(failing))
    return replay(ProgramSemantics(program), claim, number)


def explore_machine(
    machine: Machine,
    generators: Sequence[Any] = (),
    *,
    deadlock: bool = False,
    assume_bounds: bool = False,
    keep_going: bool = True,
    **options: Any,
) -> Exploration:
    """Counted as ProB counts."""
    counted = replace(machine, counts_starts=True)
    semantics = MachineSemantics(counted, deadlock=deadlock, assume_bounds=assume_bounds)
    return explore(semantics, generators, keep_going=keep_going, **options)


def trace_of(claim: ClaimedTrace) -> list[tuple[Any, Any]]:
    """Labels and states; no state after a label that fails."""
    return [*claim.steps, *([] if claim.failing is None else [(claim.failing, None)])]


def trace_lengths(found: Exploration | _core.Exploration) -> dict[int, int]:
    """What is violated, and after how many steps, one that fails included: a step that fails and one to a state where a
    property fails are equally far, and engines may show either. A missing start is left out, since no trace shows it."""
    if isinstance(found, Exploration):
        claims = {number: each for number, each in found.claims.items() if not each.is_missing_start}
        return {number: len(trace_of(claim)) for number, claim in claims.items()}
    return {number: len(steps) + (failing is not None) for number, steps, failing in found.violations}


def violated_kinds(machine: Machine, found: Exploration) -> set[str]:
    """Of which kinds are the claims that are violated, or the goals that were reached?"""
    properties = MachineSemantics(machine).properties
    return {properties[number].kind for number in found.claims if number >= FIRST_PROPERTY}
