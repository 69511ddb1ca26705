"""Programs, explored slowly: every orbit is written out in full, and its smallest state stands for it.

In: a `Program` and generators of a group of its symmetries, each a permutation of the elements of some sorts (none: no
reduction). Out: a `ProgramResult`. Properties are judged on whole orbits, where they must say the same everywhere.
`values` has the layout of states, `interpreter` the meaning of programs, `steps` what can happen in a state.
"""

from __future__ import annotations

import time
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from typing import Literal, TypeVar

from burnside.diagnostics import RefusedError, Span, UsageError, contradiction
from burnside.ir.program import Program
from burnside.limits import OutOfTime, alarm
from burnside.records import field, record, replace
from burnside.reference.failures import Failure
from burnside.reference.orbits import ORBIT_LIMIT
from burnside.reference.self_check import SelfCheck
from burnside.reference.self_check_kinds import program_meaning
from burnside.reference.steps import (
    DISCARDED,
    Judgement,
    Label,
    Result,
    Step,
    attempts,
    initial_states,
    judge,
    label_at,
    label_number,
    permuted_label,
    show_label,
    show_start,
    start_steps,
    steps,
    successors,
)
from burnside.reference.values import Generator, State, decode, permuted

__all__ = [
    "DISCARDED", "Failure", "Generator", "Judgement", "Label", "ProgramResult", "Result", "State", "Step", "Violation",
    "attempts", "decode", "explore", "initial_states", "judge", "label_at", "label_number", "orbit", "permuted",
    "permuted_label", "show_label", "show_start", "start_steps", "steps", "successors",
]  # fmt: skip

Trace = list[tuple[Label, State | None]]
"""The first label is a start's; there is no state after a step that fails."""

Found = TypeVar("Found")

ViolationKind = Literal["property", "error", "deadlock"]


@record
class Violation:
    """A property by number, an error of the model or a deadlock; of each, the first that was met."""

    kind: ViolationKind
    property: int | None
    message: str
    span: Span | None
    trace: Trace = field(repr=False)


@record
class ProgramResult:
    """What was found; `covered` are numbers of properties."""

    stopped: str
    states: int
    transitions: int
    initial_states: int
    deadlocks: int
    full_states: int | None
    depth: int
    violations: list[Violation]
    covered: frozenset[int]
    firings: list[int]
    """By action: in how many explored states, with how many parameters, it was enabled."""
    violating: dict[tuple[ViolationKind, int | None], int]
    """How many stored states violate something."""
    expanded: int
    seconds: float
    stored: list[State] = field(repr=False)
    orbit_sizes: list[int] = field(repr=False)
    self_checked: int
    """States on which the self-check was made."""
    self_check_generators: tuple[int, int]
    """Under how many generators each, of how many."""


@record
class _Kept:
    """Of a stored state: how it was reached, and, once it was explored, what happens there."""

    parent: State | None
    depth: int
    transitions: int = 0
    dead: bool = False


def orbit(program: Program, generators: Sequence[Generator], state: State) -> set[State]:
    """All images of a state. Generators are enough: in a finite group inverses are powers."""
    found, waiting = {state}, [state]
    while waiting:
        current = waiting.pop()
        new = {permuted(program, generator, current) for generator in generators} - found
        found |= new
        waiting += new
        if len(found) > ORBIT_LIMIT:
            raise RefusedError(
                f"an orbit has more than {ORBIT_LIMIT:,} states: too many for the reference engine"
            )
    return found


class Orbits:
    """Remembers every orbit met: which state stands for it (the smallest), and its members."""

    def __init__(self, program: Program, generators: Sequence[Generator]) -> None:
        self.program, self.generators = program, generators
        self.smallest: dict[State, State] = {}
        self.members: dict[State, set[State]] = {}

    def canonical(self, state: State) -> State:
        if state not in self.smallest:
            members = orbit(self.program, self.generators, state)
            smallest = min(members)
            self.members[smallest] = members
            self.smallest.update(dict.fromkeys(members, smallest))
        return self.smallest[state]

    def judgement(self, canonical: State) -> Judgement:
        """Of an orbit; where its members differ the reduction would lie: refused."""
        found = judge(self.program, canonical)
        if any(_verdict(judge(self.program, each)) != _verdict(found) for each in self.members[canonical]):
            raise contradiction("a property tells equivalent states apart")
        return found


def _verdict(judgement: Judgement) -> tuple[object, ...]:
    """Without the words of a failure, in which equivalent states name different elements."""
    said = judgement.allowed, judgement.violated, judgement.covered, judgement.reached
    return *said, tuple(each.property for each in judgement.failures)


def _fault(failure: Failure) -> tuple[ViolationKind, int | None]:
    return "error" if failure.property is None else "property", failure.property


class _Explorer:
    """Junttila 2003, Alg. 2.2: every state met is replaced by the one that stands for its orbit."""

    def __init__(
        self,
        program: Program,
        generators: Sequence[Generator],
        *,
        deadlock: bool,
        keep_going: bool,
        max_states: int | None,
        self_check: str,
    ) -> None:
        self.program, self.orbits = program, Orbits(program, generators)
        self.deadlock, self.keep_going, self.max_states = deadlock, keep_going, max_states
        self.self_check = SelfCheck(self_check, generators, program_meaning(program), program.name)
        self.starts: list[State] = []
        self.stored: dict[State, _Kept] = {}
        self.frontier: deque[State] = deque()
        self.violations: dict[tuple[ViolationKind, int | None], Violation] = {}
        self.covered: set[int] = set()
        self.firings = [0] * len(program.actions)
        self.violating: dict[tuple[ViolationKind, int | None], set[State]] = defaultdict(set)

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
        found = list(start_steps(self.program))
        self.starts = [step.result for step in found if isinstance(step.result, tuple)]
        for step in found:
            if stop := self._follow(step, None):
                return stop
        return None

    def _expand(self, state: State) -> str | None:
        found = attempts(self.program, state)
        for step in found:
            self.firings[step.label[0]] += step.fired
        fired = sum(step.fired for step in found)
        dead = not any(step.possible and self._leads_on(state, step.result) for step in found)
        self.stored[state] = replace(self.stored[state], transitions=fired, dead=dead)
        if dead and self.deadlock:
            self._violated("deadlock", None, Failure(None, "nothing can happen"), state)
        for step in found:
            if stop := self._follow(step, state):
                return stop
        self.self_check(state)
        return self._stop()

    def _leads_on(self, state: State, result: Result) -> bool:
        """A step that fails, or leads to a state that is assumed away, is still something that can happen."""
        return not (self.program.stuttering and result == state)

    def _follow(self, step: Step, parent: State | None) -> str | None:
        """Keep what a step leads to if it is new, and look at the properties; the reason where the run must stop."""
        self.covered |= step.covered
        if isinstance(step.result, Failure):
            self._violated(*_fault(step.result), step.result, parent, failing=step.label)
            return self._stop()
        return None if step.result == DISCARDED else self._store(step.result, parent)

    def _store(self, found: State, parent: State | None) -> str | None:
        state = self.orbits.canonical(found)
        if state in self.stored:
            return None
        if self.max_states is not None and len(self.stored) >= self.max_states:
            return "max-states"
        self.stored[state] = _Kept(parent, 0 if parent is None else self.stored[parent].depth + 1)
        self.frontier.append(state)
        judgement = self.orbits.judgement(state)
        self.covered |= set(judgement.covered)
        for failure in judgement.failures:
            self._violated(*_fault(failure), failure, state)
        for number in (*judgement.violated, *judgement.reached):
            each = self.program.properties[number]
            self._violated("property", number, Failure(number, each.name, each.span), state)
        return self._stop()

    def _stop(self) -> str | None:
        return "violation" if self.violations and not self.keep_going else None

    def _violated(
        self,
        kind: ViolationKind,
        number: int | None,
        failure: Failure,
        state: State | None,
        failing: Label | None = None,
    ) -> None:
        """`failing` is the label that fails in the state; without a state, the start that does."""
        if state is not None:
            self.violating[kind, number].add(state)
        if (kind, number) in self.violations:
            return
        trace = [] if state is None else self._trace(state)
        if failing is not None:
            trace.append((self._failing(trace, failing, (kind, number)), None))
        self.violations[kind, number] = Violation(kind, number, failure.message, failure.span, trace)

    def _failing(self, trace: Trace, label: Label, fault: tuple[ViolationKind, int | None]) -> Label:
        """The label that fails in the last state of a lifted trace as the given one does in the stored state."""
        if not trace:
            return label
        _, last = trace[-1]
        assert last is not None
        results = successors(self.program, last)
        same = (found for found, each in results if isinstance(each, Failure) and _fault(each) == fault)
        return _first(same)

    def _trace(self, state: State) -> Trace:
        """Lifted to the unreduced program (Junttila 2003, Cor. 2.9): from a state equivalent to a stored one some label
        leads into the orbit of the next; the first such one is taken."""
        path, parent = [state], self.stored[state].parent
        while parent is not None:
            path.append(parent)
            parent = self.stored[parent].parent
        trace: Trace = []
        results = initial_states(self.program)
        for wanted in reversed(path):
            label, current = _first(
                (label, found)
                for label, found in results
                if isinstance(found, tuple) and self.orbits.canonical(found) == wanted
            )
            trace.append((label, current))
            results = successors(self.program, current)
        return trace


def _first(found: Iterator[Found]) -> Found:
    """What a trace goes on with: under symmetries of the program there is always something."""
    for each in found:
        return each
    raise contradiction("a generator is no symmetry of the program: a trace cannot be lifted")


def explore(
    program: Program,
    generators: Sequence[Generator] = (),
    *,
    deadlock: bool = False,
    keep_going: bool = False,
    order: str = "bfs",
    max_states: int | None = None,
    max_seconds: float | None = None,
    self_check: str = "off",
) -> ProgramResult:
    """Every orbit once. A transition is a label whose guard holds in a stored state, whatever its body does.

    A state is dead where nothing leads to a state (with `stuttering`: to another one); deadlocks are counted always, and
    violations only where `deadlock` says so. `full_states` is None where the start states are not whole orbits: the
    orbits may hold states that are not reachable then (Junttila 2003, Thm 2.13).
    """
    if order not in ("bfs", "dfs"):
        raise UsageError(f"the reference engine explores in order bfs or dfs, not '{order}'")
    begin = time.monotonic()
    explorer = _Explorer(
        program,
        generators,
        deadlock=deadlock,
        keep_going=keep_going,
        max_states=max_states,
        self_check=self_check,
    )
    stopped = explorer.run(order, begin + max_seconds if max_seconds is not None else float("inf"))
    return _result(explorer, stopped, begin)


def _result(explorer: _Explorer, stopped: str, begin: float) -> ProgramResult:
    stored, members = explorer.stored, explorer.orbits.members
    sizes = [len(members[state]) for state in stored]
    first = set(explorer.starts)
    whole = all(members[explorer.orbits.canonical(state)] <= first for state in first)
    return ProgramResult(
        stopped=stopped,
        states=len(stored),
        transitions=sum(kept.transitions for kept in stored.values()),
        initial_states=len(explorer.starts),
        deadlocks=sum(kept.dead for kept in stored.values()),
        full_states=sum(sizes) if stopped == "exhausted" and whole else None,
        depth=max((kept.depth for kept in stored.values()), default=0),
        violations=list(explorer.violations.values()),
        covered=frozenset(explorer.covered),
        firings=explorer.firings,
        violating={found: len(states) for found, states in explorer.violating.items()},
        expanded=len(stored) - len(explorer.frontier),
        seconds=time.monotonic() - begin,
        stored=list(stored),
        orbit_sizes=sizes,
        self_checked=explorer.self_check.checked,
        self_check_generators=explorer.self_check.generator_counts,
    )
