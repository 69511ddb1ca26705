"""What a check found: one frozen record from which text, JSON and exit code are all made.

In: numbers and names from the pipeline. Out: `Outcome` with its `PropertyResult`s, `Trace`s and
`Reduction`. Nothing is computed here but the verdict, which follows from the properties and from why the
run stopped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import log10
from typing import Any, Literal

from burnside.exit_codes import DONE, UNKNOWN, VIOLATED
from burnside.records import field, record

Verdict = Literal["holds", "violated", "unknown"]
Strength = Literal["none", "canonical", "representative", "approximate"]

READABLE_DIGITS = 30
EXIT_CODES: Mapping[Verdict, int] = {"holds": DONE, "violated": VIOLATED, "unknown": UNKNOWN}


@record
class TraceStep:
    """A state and the action that led to it; the first step of a trace has none, or the name of the start."""

    action: str | None
    state: Mapping[str, str] = field(repr=False)
    failure: str | None = None
    """What goes wrong in the action; the state is then the one in which it was tried."""


@record
class Trace:
    """A run of the unreduced model from an initial state; only `replay` makes one."""

    steps: tuple[TraceStep, ...]
    words: tuple[str, ...] = field(default=(), repr=False)
    """What is worth saying of the first state."""
    loop_start: int | None = None
    """Of an infinite run: the number of the step whose state is reached again by the last one."""
    pump_start: int | None = None
    """Of a run that shows that a net is unbounded: the number of the step whose marking the last one covers, so that the
    steps in between can be repeated for ever."""

    def __len__(self) -> int:
        """Actions taken: one less than the states passed."""
        return len(self.steps) - 1

    def __iter__(self) -> Iterator[TraceStep]:
        return iter(self.steps)

    @property
    def actions(self) -> tuple[str, ...]:
        """Those that were taken after the start, as many as the trace is long."""
        return tuple(step.action for step in self.steps[1:] if step.action is not None)

    @property
    def start(self) -> str:
        """What the start is called."""
        return self.steps[0].action or "initial"

    def __repr__(self) -> str:
        return f"Trace({' -> '.join([self.start, *self.actions])})"


@record
class Instance:
    """A quantified formula for one tuple of values, by the user's names. `follows_from`: the values of the instance that was
    checked in its place, which a symmetry maps to this one."""

    values: Mapping[str, str]
    verdict: Verdict
    follows_from: Mapping[str, str] | None = None


@record(kw_only=True)
class Boundedness:
    """How many tokens each place holds at most."""

    bounds: Mapping[str, int | None] | None
    """By place; None where a place is unbounded. None at all where they are not known."""
    exact: bool
    """Is each bound reached? Otherwise it is what invariants of the net say, or what was seen so far."""
    unbounded: tuple[str, ...] = ()
    """Where the search ended early: those that are known."""
    pumped: tuple[str, ...] = ()
    """Places that get more tokens with each repetition of the run that is shown."""


@record
class PropertyResult:
    """One checked property. `name` is the user's own text where there is one."""

    name: str
    kind: str
    verdict: Verdict
    trace: Trace | None = None
    message: str | None = field(default=None, repr=False)
    """What happened, where the name does not say it."""
    value: int | None = field(default=None, repr=False)
    """Where the answer is a number: a bound, or how many markings there are."""
    witness: Trace | None = field(default=None, repr=False)
    """A run that shows that something is possible, as the property says."""
    instances: tuple[Instance, ...] = field(default=(), repr=False)
    """Of a quantified formula."""
    boundedness: Boundedness | None = field(default=None, repr=False)
    """Of the question whether a net is bounded."""


@record
class SelfCheck:
    """Explored states on which step(g s, g a) = g step(s, a) was checked, of how many, and for how many of the
    generators g each."""

    states: int
    of: int
    generators: int
    all_generators: int


@record
class Dropped:
    """A declared symmetry that is not used: what could not be shown, why, and where."""

    what: str
    reason: str
    line: int
    column: int


@record
class Change:
    """A run that gave up reducing, since symmetry cost more than it saved. `restarted`: it began again; otherwise it went on
    with the states that it had stored."""

    after_states: int
    seconds: float
    to: str
    restarted: bool
    reason: str


@record
class Reduction:
    """How states were merged, and by which group."""

    name: str
    strength: Strength
    group_order: int
    generators: int
    complete: bool
    restricted_by: tuple[str, ...] = ()
    reason: str = ""
    """Why this method, in a sentence."""
    dropped: tuple[Dropped, ...] = ()
    """Declared symmetries that could not be shown, and were not used."""
    self_check: SelfCheck | None = None
    """None where it is off, or where there is nothing to check and it was not requested."""
    changes: tuple[Change, ...] = ()
    """In the course of the run."""


@record
class Hardness:
    """Markings by how hard it was to canonicalise them (Junttila 2003, 4.3), and what the searches cost."""

    trivial: int
    easy: int
    hard: int
    canonicalised: int
    search_nodes: int
    most_search_nodes: int

    @property
    def shares(self) -> Mapping[str, float]:
        """Percentages of trivial, easy and hard markings."""
        total = self.trivial + self.easy + self.hard
        counts = {"trivial": self.trivial, "easy": self.easy, "hard": self.hard}
        return {name: 100 * count / total if total else 0.0 for name, count in counts.items()}


@record
class ActionCoverage:
    """How often an action of the model was enabled in the explored states, with how many parameters and results. Where
    symmetries exchange actions, states that stand for others show them together: those are `shared_with`."""

    name: str
    transitions: int
    shared_with: tuple[str, ...] = ()


@record(kw_only=True)
class Coverage:
    """What a run has seen, on the states that it stored: one for each orbit where the reduction is canonical."""

    explored: int
    """Stored states whose successors are known; the others are open."""
    violating: Mapping[str, int]
    """By property: in how many stored states it is violated (a goal: satisfied)."""
    actions: tuple[ActionCoverage, ...]

    @property
    def covered(self) -> int:
        return sum(each.transitions > 0 for each in self.actions)


@record
class CutDomain:
    """A name that nothing bounds, so that not all of its values were tried; where it is declared."""

    name: str
    file: str
    line: int | None = None
    column: int | None = None

    @property
    def place(self) -> str:
        return self.file if self.line is None else f"{self.file}:{self.line}:{self.column}"


@record
class Cost:
    """What the run took."""

    seconds: float
    """Of the whole check: symmetries, exploration, replay."""
    explore_seconds: float
    peak_memory_bytes: int
    store_bytes: int | None = None
    """Bytes held by the visited set; None where the engine does not count them."""
    packed_bits: int | None = None
    """Bits of one stored state."""


@record(kw_only=True)
class FormulaRun:
    """One exploration for temporal formulas that are kept by the same group. `nodes`: by formula, how much of the product
    with its automaton was searched. `edge_bytes`: of what grows with the number of edges; they are not kept where the
    memory limit does not allow it, and fired again then."""

    formulas: tuple[str, ...]
    reduction: Reduction
    stopped: str
    states: int
    edges: int
    nodes: tuple[int, ...] = ()
    store_bytes: int | None = None
    edge_bytes: int | None = None
    edges_kept: bool = True
    seconds: float


@record(kw_only=True)
class BackwardRun:
    """A search from one goal back to the initial marking. `markings`: minimal markings that were kept, one of each orbit."""

    goal: str
    stopped: str
    markings: int
    steps: int
    seconds: float


@record(kw_only=True)
class CoverabilityRun:
    """The searches that answered questions about coverability and boundedness."""

    reduction: Reduction
    stopped: str
    markings: int
    """Maximal omega-markings that were kept, one of each orbit: complete, they are the minimal coverability set."""
    entered: int
    """With those that others covered later."""
    transitions: int
    depth: int
    set: tuple[Mapping[str, str], ...] | None = field(default=None, repr=False)
    """The minimal coverability set, one of each orbit, marked places only, unbounded ones as `ω`; None where it is not
    complete, was not asked for, or is large."""
    searches: int = 0
    """Searches for a symmetry under which a marking covers another, and how many of them were given up."""
    given_up: int = 0
    backward: tuple[BackwardRun, ...] = ()
    store_bytes: int | None = None
    seconds: float


@record(kw_only=True)
class Outcome:
    """The answer to one `check`."""

    version: str
    model: str
    language: str
    engine: str
    stopped: str
    """exhausted | bounded | violation | max-states | max-seconds | max-memory | interrupted | overflow; bounded: all
    states explored, but values of some `cut_domains` were not tried. Where only coverability was asked: why that search
    ended, and `states` are omega-markings"""
    states: int
    transitions: int
    initial_states: int
    deadlocks: int | None
    """None where they were not counted: only formulas, coverability or boundedness were asked."""
    full_states: int | None
    depth: int | None
    """Steps to the farthest state; None where the search was not breadth first."""
    reduction: Reduction
    properties: tuple[PropertyResult, ...]
    facts: Mapping[str, Any] = field(default={}, repr=False)
    """What only this kind of model has, by name."""
    dead_transitions: tuple[str, ...] | None = field(repr=False)
    """Never enabled; None where not known: space not exhausted, or the group moves the initial marking."""
    hardness: Hardness | None = None
    coverage: Coverage | None = field(default=None, repr=False)
    """Where it was asked for."""
    formula_runs: tuple[FormulaRun, ...] = field(default=(), repr=False)
    """How formulas were grouped."""
    coverability: CoverabilityRun | None = field(default=None, repr=False)
    """Where boundedness or coverability was asked."""
    cost: Cost
    notes: tuple[str, ...] = ()

    @property
    def explored(self) -> bool:
        """Were states explored? Not where nothing but formulas, coverability or boundedness was asked."""
        return self.deadlocks is not None

    @property
    def formulas_only(self) -> bool:
        """Were the states not all explored, because nothing but formulas was asked?"""
        return not self.explored and self.coverability is None

    @property
    def bounds(self) -> Mapping[str, int] | None:
        """Of a net: most tokens seen by place; None where the group moves the initial marking (Junttila 2003, Thm 2.13)."""
        return self.facts.get("bounds")

    @property
    def largest_total(self) -> int | None:
        """Of a net: most tokens seen in all places together."""
        return self.facts.get("largest_total")

    @property
    def route(self) -> Mapping[str, Any] | None:
        """Of a high-level net: was it explored directly or unfolded, and why."""
        return self.facts.get("route")

    @property
    def cut_domains(self) -> tuple[CutDomain, ...]:
        """Of a machine: names of which not all values were tried."""
        domains: tuple[CutDomain, ...] = self.facts.get("cut_domains", ())
        return domains

    @property
    def bounds_assumed(self) -> bool:
        """Of a machine: did the user say that there are no values beyond the cut domains?"""
        return bool(self.facts.get("bounds_assumed", False))

    @property
    def verdict(self) -> Verdict:
        verdicts = {result.verdict for result in self.properties}
        if "violated" in verdicts:
            return "violated"
        # Where nothing is asked, the question is what the states are.
        is_answered = "unknown" not in verdicts and (verdicts or self.exhausted)
        return "holds" if is_answered else "unknown"

    def __bool__(self) -> bool:
        """Does everything hold? So that `assert check(...)` fails on what is violated and on what is not known."""
        return self.verdict == "holds"

    @property
    def exhausted(self) -> bool:
        return self.stopped == "exhausted"

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.verdict]

    @property
    def violations(self) -> Sequence[PropertyResult]:
        return [result for result in self.properties if result.verdict == "violated"]

    @property
    def traced(self) -> Sequence[PropertyResult]:
        """The violations that a run shows; that something never happens, none does."""
        return [result for result in self.violations if result.trace is not None]

    def __repr__(self) -> str:
        full = "" if self.full_states is None else f", full_states={readable(self.full_states, '')}"
        return (
            f"Outcome({self.model!r}: {self.verdict}, {self.stopped}, states={self.states}{full}, "
            f"transitions={self.transitions}, reduction={self.reduction.name!r}, "
            f"group_order={readable(self.reduction.group_order, '')}, properties={list(self.properties)!r})"
        )


def property_title(kind: str, name: str) -> str:
    """A property in words; one without a name of its own is called by its kind already (`invariant 2`)."""
    return name if name.startswith(kind) or kind in ("cycles", "boundedness") else f"{kind} {name}"


def property_verdict(*, violated: bool, stopped: str, strength: Strength) -> Verdict:
    """`holds` only where every state was explored and none was merged by an approximation."""
    if violated:
        return "violated"
    return "holds" if stopped == "exhausted" and strength != "approximate" else "unknown"


def readable(number: int, separator: str = ",") -> str:
    """With thousands separators; of very long numbers the leading digits and the power of ten."""
    if number < 10**READABLE_DIGITS:
        return f"{number:,}".replace(",", separator)
    power = int(log10(number))
    return f"about {10 ** (log10(number) - power):.3f}e{power}"
