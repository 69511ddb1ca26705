"""The reference explorer: every orbit is written out in full, and its smallest state stands for it.

In: the semantics of a model of any kind, and generators of a group of its symmetries (none: no reduction). Out: an
`Exploration`, with the counts that the core gives, or a `StateGraph`. Properties are judged on whole orbits, where they must
say the same everywhere.
"""

from __future__ import annotations

import time
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar

from burnside.diagnostics import UsageError, contradiction
from burnside.exploration import ClaimedTrace, Exploration
from burnside.graph import StateGraph, edge_label, only_equivalent
from burnside.limits import OutOfTime, alarm
from burnside.records import record
from burnside.reference.orbits import Orbits
from burnside.reference.self_check import SelfChecker
from burnside.semantics import DEADLOCK, ENDLESS, Failure, Generator, Label, Move, Semantics, State

Found = TypeVar("Found")


@record
class _Kept(Generic[State]):
    """How a stored state was reached."""

    parent: State | None
    depth: int


class _Explorer(Generic[State, Label, Generator]):
    """Junttila 2003, Alg. 2.2: every state is replaced by the one that stands for its orbit."""

    def __init__(
        self,
        semantics: Semantics[State, Label, Generator],
        generators: Sequence[Generator],
        *,
        keep_going: bool = False,
        max_states: int | None = None,
        self_check: str = "off",
    ) -> None:
        self.semantics, self.orbits = semantics, Orbits(semantics, generators)
        self.keep_going, self.max_states = keep_going, max_states
        self.self_check = SelfChecker(self_check, semantics, generators)
        self.stored: dict[State, _Kept[State]] = {}
        self.frontier: deque[State] = deque()
        self.starts: set[State] = set()
        self.claims: dict[int, ClaimedTrace] = {}
        self.violating: dict[int, set[State]] = defaultdict(set)
        self.covered: set[int] = set()
        self.firings = [0] * len(semantics.actions)
        self.transitions = self.initial = self.deadlocks = 0

    def run(self, order: str = "bfs", deadline: float = float("inf")) -> str:
        """Explore until nothing is left or there is a reason to stop, which is returned."""
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
        found = [*self.semantics.starts(), *self.semantics.failing_starts()]
        self.starts = {step.after for step in found if step.after is not None}
        self.initial = sum(step.after is not None for step in found)
        if self.semantics.counts_starts:
            self.transitions += self.initial
        if not found and (missing := self.semantics.missing_start()) is not None:
            self._violated(missing, None)
        return self._follow([Move((), step) for step in found], None)

    def _expand(self, state: State) -> str | None:
        found = self.semantics.moves(state)
        for move in found:
            if self.semantics.counts(move.step):
                self.transitions += move.is_transition
                if (action := self.semantics.action(move.step.label)) is not None:
                    self.firings[action] += 1
        if self.semantics.is_dead(state, found):
            self.deadlocks += 1
            if DEADLOCK in self.semantics.properties and self.semantics.is_deadlock(state):
                self._violated(Failure("nothing can happen", number=DEADLOCK), state)
        stop = self._follow(found, state)
        if not stop:
            self.self_check(state)
        return stop

    def _follow(self, found: Iterable[Move[State, Label]], parent: State | None) -> str | None:
        """Keep what is new, and look at the properties; the reason where the run must stop."""
        for move in found:
            self.covered |= move.step.covered
            for failure in move.failures:
                self._violated(failure, parent, failing=move)
            if stop := self._stop() or (None if move.after is None else self._store(move.after, parent)):
                return stop
        return self._stop()

    def _store(self, found: State, parent: State | None) -> str | None:
        if stop := self.semantics.stops(found):
            return stop
        state = self.orbits.canonical(found)
        if state in self.stored:
            return None
        if self.max_states is not None and len(self.stored) >= self.max_states:
            return "max-states"
        self.stored[state] = _Kept(parent, 0 if parent is None else self.stored[parent].depth + 1)
        self.frontier.append(state)
        judgement = self.orbits.judgement(state)
        self.covered.update(judgement.covered)
        for failure in judgement.failures:
            self._violated(failure, state)
        for number in (*judgement.violated, *judgement.reached):
            self._violated(Failure(self.semantics.properties[number].name, number=number), state)
        return self._stop()

    def _stop(self) -> str | None:
        """A violated property, unless the run goes on past it; past a limit it never does."""
        limits = (number for number in self.claims if self.semantics.properties[number].kind == "limit")
        return "violation" if (self.claims and not self.keep_going) or any(True for _ in limits) else None

    def _violated(
        self, failure: Failure, state: State | None, failing: Move[State, Label] | None = None
    ) -> None:
        """`failing` is the move that fails in the state; without a state, the start that does."""
        if state is not None:
            self.violating[failure.number].add(state)
        if failure.number not in self.claims:
            steps = [] if state is None else self._lifted(state)
            self.claims[failure.number] = ClaimedTrace(steps, None, failure)
            if failing is not None:
                self.claims[failure.number] = self._failing(steps, failing, failure)

    def _failing(
        self, steps: Sequence[tuple[Label, State]], move: Move[State, Label], failure: Failure
    ) -> ClaimedTrace:
        """The trace goes on with a move that fails in its last state as the given one does in the stored state. A sequence
        that does not end is shown up to where it repeats itself."""
        if steps:
            alike = [
                (each, found)
                for each in self.semantics.moves(steps[-1][1])
                for found in each.failures
                if found.number == failure.number
            ]
            same = [each for each, found in alike if (found.kind, found.span) == (failure.kind, failure.span)]
            move = _first(iter(same or [each for each, _ in alike]))
        if failure == ENDLESS and move.is_endless:
            return ClaimedTrace([*steps, *move.trace], None, failure)
        return ClaimedTrace([*steps, *move.passed], move.step.label, failure)

    def _lifted(self, state: State) -> list[tuple[Label, State]]:
        """A run of the unreduced model (Junttila 2003, Cor. 2.9): from a state equivalent to a stored one some label leads
        into the orbit of the next; the first such one is taken."""
        path, parent = [state], self.stored[state].parent
        while parent is not None:
            path.append(parent)
            parent = self.stored[parent].parent
        trace: list[tuple[Label, State]] = []
        current: State | None = None
        for wanted in reversed(path):
            move = _first(
                move
                for move in self._moves_from(current)
                if move.after is not None and self.orbits.canonical(move.after) == wanted
            )
            trace += move.trace
            current = move.after
        return trace

    def _moves_from(self, state: State | None) -> Iterable[Move[State, Label]]:
        """The moves of a state; without a state, the starts."""
        if state is not None:
            return self.semantics.moves(state)
        return [Move((), step) for step in self.semantics.starts()]

    @property
    def sizes(self) -> list[int]:
        return [len(self.orbits.members[state]) for state in self.stored]

    def starts_are_whole(self) -> bool:
        """Are the start states whole orbits? Otherwise orbits may hold states that are not reachable (Junttila 2003, Thm
        2.13)."""
        return all(self.orbits.members[self.orbits.canonical(state)] <= self.starts for state in self.starts)


def _first(found: Iterator[Found]) -> Found:
    """What a trace goes on with: under symmetries of the model there is always something."""
    for each in found:
        return each
    raise contradiction("a generator is no symmetry of the model: a trace cannot be lifted")


def explore(
    semantics: Semantics[State, Label, Generator],
    generators: Sequence[Generator] = (),
    *,
    keep_going: bool = False,
    order: str = "bfs",
    max_states: int | None = None,
    max_seconds: float | None = None,
    self_check: str = "off",
) -> Exploration:
    """Every orbit once. Deadlocks are counted always. `full_states` is None where the start states are no whole orbits."""
    if order not in ("bfs", "dfs"):
        raise UsageError(f"the reference engine explores in order bfs or dfs, not '{order}'")
    begin = time.monotonic()
    run = _Explorer(
        semantics, generators, keep_going=keep_going, max_states=max_states, self_check=self_check
    )
    stopped = run.run(order, begin + max_seconds if max_seconds is not None else float("inf"))
    return Exploration(
        stopped=stopped,
        states=len(run.stored),
        transitions=run.transitions,
        initial_states=run.initial,
        deadlocks=run.deadlocks,
        full_states=sum(run.sizes) if stopped == "exhausted" and run.starts_are_whole() else None,
        depth=max((kept.depth for kept in run.stored.values()), default=0),
        expanded=len(run.stored) - len(run.frontier),
        seconds=time.monotonic() - begin,
        claims=run.claims,
        violating={number: len(states) for number, states in sorted(run.violating.items())},
        covered=frozenset(run.covered),
        firings=run.firings,
        cut_names=semantics.cut_names(),
        self_checked=run.self_check.checked,
        self_check_generators=run.self_check.generator_counts,
        stored=list(run.stored),
        orbit_sizes=run.sizes,
    )


def state_graph(
    semantics: Semantics[State, Label, Generator],
    generators: Sequence[Generator] = (),
    max_states: int | None = None,
) -> StateGraph:
    """The stored states in breadth-first order, and every edge between them."""
    run = _Explorer(semantics, generators, keep_going=True, max_states=max_states)
    run.run()
    numbers = {state: number for number, state in enumerate(run.stored)}
    edges, redirected, failures, dead = [], [], [], []
    explored = len(numbers)
    for state, number in numbers.items():
        moves = semantics.moves(state)
        if semantics.is_dead(state, moves):
            dead.append(number)
        failures += [(number, move.label) for move in moves for _ in move.failures]
        for label, after in ((edge_label(move.labels), move.after) for move in moves):
            if after is not None and (target := run.orbits.canonical(after)) in numbers:
                edges.append((number, label, numbers[target]))
                redirected.append(target != after)
            elif after is not None:
                explored = min(explored, number)
    begun = [(step.label, step.after) for step in semantics.starts() if step.after is not None]
    starts = [(label, numbers[run.orbits.canonical(state)]) for label, state in begun]
    elsewhere = [state not in numbers for _, state in begun]
    judged = {number: semantics.judge(state) for state, number in numbers.items()}
    names = semantics.properties
    return StateGraph(
        list(numbers),
        run.sizes,
        edges,
        initial=frozenset(state for _, state in starts),
        deadlocks=frozenset(dead),
        redirected=redirected,
        equivalent_initial=only_equivalent(starts, elsewhere),
        starts=starts if semantics.starts_are_steps else (),
        redirected_starts=elsewhere if semantics.starts_are_steps else (),
        failures=failures,
        violated={
            at: [names[each].name for each in found.violated]
            for at, found in judged.items()
            if found.violated
        },
        reached={
            at: [names[each].name for each in found.reached] for at, found in judged.items() if found.reached
        },
        explored=explored,
    )
