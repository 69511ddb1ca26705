"""Machines, explored slowly: every orbit is written out in full, and its smallest state stands for it.

In: a machine and generators of a group of its symmetries (none: no reduction). Out: a `MachineResult`, whose counts are
those of ProB: states after a set-up or an initialisation, without an artificial root; transitions with the edges of set-ups
and initialisations, an operation once for each valuation of its parameters and results and each next state.
"""

from __future__ import annotations

import time
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from typing import Literal, TypeVar

from burnside.diagnostics import Span, UsageError, contradiction
from burnside.ir.sets.expressions import Name
from burnside.ir.sets.machine import SETUP, Machine
from burnside.limits import OutOfTime, alarm
from burnside.records import field, record
from burnside.reference.self_check import SelfCheck
from burnside.reference.self_check_kinds import machine_meaning
from burnside.reference.sets.failures import Failure
from burnside.reference.sets.machines import (
    Judgement,
    Label,
    Step,
    judge,
    new_cuts,
    setup_doubt,
    setup_failure,
    starts,
    steps,
)
from burnside.reference.sets.orbits import Orbits
from burnside.reference.sets.values import Generator, State

Trace = list[tuple[Label, State | None]]
"""There is no state after a step that fails."""

Found = TypeVar("Found")

ViolationKind = Literal["claim", "error", "deadlock", "setup"]


@record
class Violation:
    """A claim by number, an error of the model (with the number of the claim that has no truth value), a deadlock, or no
    set-up; of each claim and each kind of error, the first that was met."""

    kind: ViolationKind
    claim: int | None
    message: str
    span: Span | None
    trace: Trace = field(repr=False)


@record
class MachineResult:
    stopped: str
    states: int
    transitions: int
    initial_states: int
    """Ways to begin: set-ups of constants, or initialisations where there are none."""
    deadlocks: int
    full_states: int | None
    depth: int
    violations: list[Violation]
    firings: list[int]
    """By operation: how often it happened."""
    violating: dict[tuple[ViolationKind, int | None], int]
    """How many stored states violate a claim (by number), are dead or lead to an error."""
    expanded: int
    seconds: float
    cuts: tuple[Name, ...]
    """Names of which not all values were tried."""
    stored: list[State] = field(repr=False)
    orbit_sizes: list[int] = field(repr=False)
    self_checked: int
    """States on which the self-check was made."""
    self_check_generators: tuple[int, int]
    """Under how many generators each, of how many."""

    def violated(self, machine: Machine, kind: str) -> bool:
        """Is a claim of this kind violated (or has a goal been reached)?"""
        numbers = [each.claim for each in self.violations if each.kind == "claim"]
        return any(number is not None and machine.claims[number].kind == kind for number in numbers)


@record
class _Kept:
    parent: State | None
    depth: int


class _Explorer:
    """Junttila 2003, Alg. 2.2: every state met is replaced by the one that stands for its orbit."""

    def __init__(
        self,
        machine: Machine,
        generators: Sequence[Generator],
        *,
        deadlock: bool,
        keep_going: bool,
        assume_bounds: bool,
        max_states: int | None,
        self_check: str,
    ) -> None:
        self.machine, self.orbits = machine, Orbits(generators)
        self.cuts, self.assume_bounds = new_cuts(machine), assume_bounds
        self.deadlock, self.keep_going, self.max_states = deadlock, keep_going, max_states
        self.self_check = SelfCheck(self_check, generators, machine_meaning(machine), machine.name)
        self.stored: dict[State, _Kept] = {}
        self.frontier: deque[State] = deque()
        self.violations: dict[tuple[object, ...], Violation] = {}
        self.violating: dict[tuple[ViolationKind, int | None], set[State]] = defaultdict(set)
        self.fired: dict[str, int] = {each.name: 0 for each in machine.operations}
        self.transitions = self.starts = self.deadlocks = 0

    def run(self, order: str, deadline: float) -> str:
        """Explore until nothing is left or something says stop; why it ended."""
        take = self.frontier.popleft if order == "bfs" else self.frontier.pop
        try:
            with alarm(deadline - time.monotonic()):
                stop = self._start()
                while not stop and self.frontier:
                    stop = self._expand(take()) if time.monotonic() < deadline else "max-seconds"
        except OutOfTime:
            return "max-seconds"
        except KeyboardInterrupt:
            return "interrupted"
        return stop or "exhausted"

    def _start(self) -> str | None:
        machine = self.machine
        found = starts(machine, self.cuts)
        doubt = setup_doubt(machine) if machine.has_setup else None
        if doubt is not None:
            found.append(Step(Label(SETUP), doubt))
        self.starts = sum(not isinstance(each.result, Failure) for each in found)
        is_certain = self.assume_bounds or not self.cuts.names
        if machine.has_setup and not found and is_certain:
            failure = setup_failure(machine)
            if failure is not None:
                self._violated("setup", None, failure, None)
                return self._stop()
        if not found and is_certain:
            self._violated("setup", None, Failure("assertion", "the initialisation is not possible"), None)
        return self._follow(found, None)

    def _expand(self, state: State) -> str | None:
        cuts = new_cuts(self.machine)
        found = steps(self.machine, state, cuts)
        self.cuts.names |= cuts.names
        for step in found:
            if isinstance(step.result, tuple) and step.label.name in self.fired:
                self.fired[step.label.name] += 1
        if not any(isinstance(step.result, tuple) for step in found):
            self.deadlocks += 1
            # A value that was not tried may lead on.
            if self.deadlock and (self.assume_bounds or not cuts.names):
                self._violated("deadlock", None, Failure("assertion", "nothing can happen"), state)
        stop = self._follow(found, state)
        self.self_check(state)
        return stop

    def _follow(self, found: list[Step], parent: State | None) -> str | None:
        """Keep what is new, and look at the claims; the reason where the run must stop."""
        for step in found:
            if isinstance(step.result, Failure):
                self._violated("error", None, step.result, parent, failing=step.label)
                stop = self._stop()
            else:
                self.transitions += 1
                stop = self._store(step.result, parent)
            if stop:
                return stop
        return self._stop()

    def _store(self, found: State, parent: State | None) -> str | None:
        state = self.orbits.canonical(found)
        if state in self.stored:
            return None
        if self.max_states is not None and len(self.stored) >= self.max_states:
            return "max-states"
        self.stored[state] = _Kept(parent, 0 if parent is None else self.stored[parent].depth + 1)
        self.frontier.append(state)
        judgement = self._judgement(state)
        for number, failure in judgement.failures:
            self._violated("error", number, failure, state)
        for number in (*judgement.violated, *judgement.reached):
            claim = self.machine.claims[number]
            self._violated("claim", number, Failure("assertion", claim.name, claim.span), state)
        return self._stop()

    def _judgement(self, state: State) -> Judgement:
        """Of an orbit; where its members differ the reduction would lie: refused."""
        found = judge(self.machine, state)
        members = self.orbits.members.get(state, ())
        if any(_verdict(judge(self.machine, each)) != _verdict(found) for each in members):
            raise contradiction("a claim tells equivalent states apart")
        return found

    def _stop(self) -> str | None:
        return "violation" if self.violations and not self.keep_going else None

    def _violated(
        self,
        kind: ViolationKind,
        claim: int | None,
        failure: Failure,
        state: State | None,
        failing: Label | None = None,
    ) -> None:
        """`failing` is the label that fails in the state; without a state, the start that does."""
        if state is not None:
            self.violating[kind, claim if kind == "claim" else None].add(state)
        key = (kind, claim, failure.kind, failure.span) if kind == "error" else (kind, claim)
        if key in self.violations:
            return
        trace = [] if state is None else self._trace(state)
        if failing is not None:
            trace.append((self._failing(trace, failing, failure), None))
        self.violations[key] = Violation(kind, claim, failure.message, failure.span, trace)

    def _failing(self, trace: Trace, label: Label, failure: Failure) -> Label:
        """The label that fails in the last state of a lifted trace as the given one does in the stored state."""
        if not trace:
            return label
        last = trace[-1][1]
        assert last is not None
        alike = [
            step.label
            for step in steps(self.machine, last)
            if isinstance(step.result, Failure)
            and (step.label.name, step.result.kind, step.result.span)
            == (label.name, failure.kind, failure.span)
        ]
        return _first(iter(alike))

    def _trace(self, state: State) -> Trace:
        """Lifted to the unreduced machine (Junttila 2003, Cor. 2.9): from a state equivalent to a stored one some label
        leads into the orbit of the next; the first such one is taken."""
        path, parent = [state], self.stored[state].parent
        while parent is not None:
            path.append(parent)
            parent = self.stored[parent].parent
        trace: Trace = []
        found = starts(self.machine)
        for wanted in reversed(path):
            step = _first(
                each
                for each in found
                if isinstance(each.result, tuple) and self.orbits.canonical(each.result) == wanted
            )
            assert isinstance(step.result, tuple)
            trace.append((step.label, step.result))
            found = steps(self.machine, step.result)
        return trace


def _verdict(judgement: Judgement) -> tuple[object, ...]:
    """Without the words of a failure, in which equivalent states name different elements."""
    return judgement.violated, judgement.reached, tuple(number for number, _ in judgement.failures)


def _first(found: Iterator[Found]) -> Found:
    """What a trace goes on with: under symmetries of the machine there is always something."""
    for each in found:
        return each
    raise contradiction("a generator is no symmetry of the machine: a trace cannot be lifted")


def explore(
    machine: Machine,
    generators: Sequence[Generator] = (),
    *,
    deadlock: bool = False,
    keep_going: bool = True,
    assume_bounds: bool = False,
    order: str = "bfs",
    max_states: int | None = None,
    max_seconds: float | None = None,
    self_check: str = "off",
) -> MachineResult:
    """Every orbit once. A state is dead where no step leads to a state; deadlocks are counted always, and violations only
    where `deadlock` says so and no value was left out (`assume_bounds`: or there are no others)."""
    if order not in ("bfs", "dfs"):
        raise UsageError(f"the reference engine explores in order bfs or dfs, not '{order}'")
    begin = time.monotonic()
    explorer = _Explorer(
        machine,
        generators,
        deadlock=deadlock,
        keep_going=keep_going,
        assume_bounds=assume_bounds,
        max_states=max_states,
        self_check=self_check,
    )
    stopped = explorer.run(order, begin + max_seconds if max_seconds is not None else float("inf"))
    return _result(explorer, stopped, begin)


def _result(explorer: _Explorer, stopped: str, begin: float) -> MachineResult:
    stored = explorer.stored
    sizes = [explorer.orbits.size(state) for state in stored]
    return MachineResult(
        stopped=stopped,
        states=len(stored),
        transitions=explorer.transitions,
        initial_states=explorer.starts,
        deadlocks=explorer.deadlocks,
        full_states=sum(sizes) if stopped == "exhausted" else None,
        depth=max((kept.depth for kept in stored.values()), default=0),
        violations=list(explorer.violations.values()),
        firings=[explorer.fired[each.name] for each in explorer.machine.operations],
        violating={found: len(states) for found, states in explorer.violating.items()},
        expanded=len(stored) - len(explorer.frontier),
        seconds=time.monotonic() - begin,
        cuts=tuple(explorer.cuts.names.values()),
        stored=list(stored),
        orbit_sizes=sizes,
        self_checked=explorer.self_check.checked,
        self_check_generators=explorer.self_check.generator_counts,
    )
