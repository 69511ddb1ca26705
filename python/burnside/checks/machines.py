"""A question put to a machine of sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from burnside.checks import SEARCH_ENDED, Facts
from burnside.checks.complaints import complaint, explained
from burnside.checks.coverage import machine_coverage
from burnside.checks.engine import default_memory, method_of, never_enabled, space_graph
from burnside.checks.machine_values import Reading, shown_state
from burnside.checks.self_checking import Naming, self_checked
from burnside.diagnostics import Diagnostic, RefusedError, Span, UsageError
from burnside.ir.encoding import NumberTooLarge, encoded
from burnside.ir.sets.machine import Claim, Machine
from burnside.ir.sets.printing import as_written
from burnside.limits import Deadline, search_time
from burnside.model import Model
from burnside.outcome import Coverage, CutDomain, PropertyResult, Reduction, Strength, Trace, property_verdict
from burnside.plan import DEFAULT_ALPHA, Plan, choose, refuse_for_machines
from burnside.plan import Facts as PlanFacts
from burnside.records import record, replace
from burnside.reference.sets.machines import show_label
from burnside.report.progress import Progress
from burnside.request import Request
from burnside.symmetry import Symmetries
from burnside.symmetry.elements import by_sort, describe, element_group
from burnside.symmetry.machines import MachineSymmetry, check_broken, machine_symmetry
from burnside.symmetry.points import point_names

if TYPE_CHECKING:
    from burnside import _core
    from burnside.reference.sets.exploring import MachineResult
    from burnside.reference.sets.machines import Label
    from burnside.reference.sets.values import State
    from burnside.report.spaces import Names, StateGraph

DEADLOCK, ERROR, FIRST_CLAIM = 0, 1, 2
"""How the core numbers what can be violated: deadlock, errors of the model, then the machine's claims."""


@record
class Found:
    """A claimed violation: labels and states, and the label that fails in the last one."""

    steps: Sequence[tuple[Label, State]]
    failing: Label | None = None
    message: str | None = None


@record
class MachineCheck:
    """The machine with the asked-for claims among its own, its certified group, and the method chosen."""

    model: Model
    request: Request
    symmetry: MachineSymmetry
    group: _core.ElementGroup
    plan: Plan
    deadlock: bool

    @classmethod
    def prepared(cls, model: Model, request: Request, deadline: Deadline) -> MachineCheck:
        refuse_for_machines(request)
        machine = with_claims(model, request)
        symmetry = _symmetry(machine, request, deadline)
        group = element_group(symmetry)
        plan = choose(request, PlanFacts(acting_order=group.order, typed=True))
        deadlock = model.deadlock_is_error if request.deadlock is None else request.deadlock
        return cls(model, request, symmetry, group, plan, deadlock)

    @property
    def machine(self) -> Machine:
        return self.symmetry.machine

    def reduction(self, exploration: Any) -> Reduction:
        reason = self.plan.reason
        if self.plan.method == "marker" and self._strength(exploration) == "canonical":
            reason = "markers say all of every state that was met, so they are exact here"
        return Reduction(
            name=self.plan.method,
            strength=self._strength(exploration),
            group_order=self.group.order,
            generators=len(self.symmetry.generators),
            complete=self.symmetry.complete,
            restricted_by=self.symmetry.restricted_by,
            reason=reason,
        )

    def _strength(self, exploration: Any) -> Strength:
        """Markers are exact where nothing was met of which they do not say all (Leuschel and Massart, Prop. 2)."""
        if self.plan.strength == "approximate" and getattr(exploration, "is_exact", False):
            return "canonical"
        return self.plan.strength

    def _imprecise(self, exploration: Any) -> list[str]:
        slots = getattr(exploration, "imprecise", ())
        return [self.machine.state_names[slot].name for slot in slots if slot < len(self.machine.state_names)]

    def explore(self, progress: Progress, deadline: Deadline) -> Any:
        if self.request.engine == "reference":
            return self._by_reference(deadline)
        return self.explore_compiled(deadline.run(self.compiled), progress, deadline)

    def compiled(self) -> _core.Machine:
        return core_machine(self.machine, self.model)

    def explore_compiled(self, handle: _core.Machine, progress: Progress, deadline: Deadline) -> Explored:
        """Explore by the core alone; benchmarks measure this."""
        request = self.request
        with explained(self.model), self_checked(self.model.name, lambda: self._naming(handle)):
            from burnside import _core

            explored = Explored(
                handle,
                _core.explore_machine(
                    handle,
                    self.group,
                    method_of(_by_markers(self.plan)),
                    order=request.order,
                    alpha=DEFAULT_ALPHA if request.alpha is None else request.alpha,
                    seed=request.seed or 0,
                    threads=request.threads or 1,
                    deadlock=self.deadlock,
                    keep_going=request.keep_going,
                    assume_bounds=request.assume_bounds,
                    max_states=request.limits.states,
                    max_seconds=deadline.left,
                    max_memory=request.limits.memory_bytes or default_memory(),
                    stats=request.stats,
                    self_check=request.self_check or "sample",
                    progress=progress.update if progress.wanted else None,
                ),
                request.assume_bounds,
            )
        if explored.limit is not None:
            raise complaint(self.model, *explored.limit)
        return explored

    def _naming(self, handle: _core.Machine) -> Naming:
        machine, reading = self.machine, Reading(self.machine, handle)
        return Naming(
            point_names(self.symmetry),
            lambda state: shown_state(machine, reading.state(state)),
            lambda label: show_label(machine, reading.label(label)),
            self._claim_name,
        )

    def _claim_name(self, number: int) -> str:
        names = {DEADLOCK: "deadlock", ERROR: "error"}
        return names.get(number) or self.machine.claims[number - FIRST_CLAIM].name

    def _by_reference(self, deadline: Deadline) -> MachineResult:
        from burnside.reference.sets import exploring

        request = self.request
        with explained(self.model):
            found = exploring.explore(
                self.machine,
                [] if self.plan.method == "none" else by_sort(self.symmetry),
                deadlock=self.deadlock,
                keep_going=request.keep_going,
                assume_bounds=request.assume_bounds,
                order=request.order,
                max_states=request.limits.states,
                max_seconds=deadline.left,
                self_check=request.self_check or "sample",
            )
        return replace(found, stopped=_stopped(found.stopped, found.cuts, request.assume_bounds))

    def judge(self, exploration: Any) -> tuple[PropertyResult, ...]:
        """Replay what was found, and say of each claim what is known."""
        found = self._claims(exploration)
        strength, stopped = self._strength(exploration), exploration.stopped

        def result(number: int, name: str, kind: str) -> PropertyResult:
            trace, message = self._trace(found, number)
            violated = trace is not None or message is not None
            verdict = property_verdict(violated=violated, stopped=stopped, strength=strength)
            return PropertyResult(name, kind, verdict, trace, message)

        results = [result(DEADLOCK, "deadlock", "deadlock")] if self.deadlock else []
        results.append(result(ERROR, "error", "error"))
        for number, claim in enumerate(self.machine.claims):
            results.append(result(FIRST_CLAIM + number, claim.name, claim.kind))
        return tuple(results)

    def _trace(self, found: Mapping[int, Found], number: int) -> tuple[Trace | None, str | None]:
        if number not in found:
            return None, None
        from burnside.checks.machine_replaying import replayed

        claim = found[number]
        if not claim.steps and claim.failing is None:
            return None, claim.message
        with explained(self.model):
            trace = replayed(self.machine, claim.steps, claim.failing, number)
        return trace, trace.steps[-1].failure if trace.steps else None

    def _claims(self, exploration: Any) -> dict[int, Found]:
        """Both engines' violations, numbered as the core numbers them."""
        if isinstance(exploration, Explored):
            return self._core_claims(exploration)
        numbers = {"deadlock": DEADLOCK, "error": ERROR, "setup": ERROR}
        claims: dict[int, Found] = {}
        for violation in reversed(exploration.violations):
            number = numbers.get(violation.kind, FIRST_CLAIM + (violation.claim or 0))
            steps = [(label, state) for label, state in violation.trace if state is not None]
            failing = next((label for label, state in violation.trace if state is None), None)
            claims[number] = Found(steps, failing, violation.message)
        return claims

    def _core_claims(self, explored: Explored) -> dict[int, Found]:
        from burnside.reference.sets.machines import missing_start

        reading = Reading(self.machine, explored.handle)
        claims: dict[int, Found] = {}
        if not explored.initial_states and explored.stopped == "exhausted":
            claims[ERROR] = Found((), None, missing_start(self.machine))
        for number, steps, failing in reversed(explored.violations):
            shown = [(reading.label(label), reading.state(state)) for label, state in steps]
            claims[number] = Found(shown, None if failing is None else reading.label(failing))
        return claims

    def facts(self, exploration: Any) -> Facts:
        dead = self._dead(exploration) if exploration.stopped == "exhausted" else None
        cut = self._cut_domains(exploration)
        notes = bound_notes(self.machine, cut, self.request.assume_bounds)
        if imprecise := self._imprecise(exploration):
            notes += (
                f"markers do not say all of {', '.join(imprecise)}: different states may have been merged",
            )
        if not self.symmetry.in_time:
            notes += (SEARCH_ENDED,)
        return Facts(dead_actions=dead, coverage=self._coverage(exploration), cut_domains=cut, notes=notes)

    def _cut_domains(self, exploration: Any) -> tuple[CutDomain, ...]:
        if isinstance(exploration, Explored):
            cut = [(name, None if span is None else Span(*span)) for name, span in exploration.cuts]
        else:
            cut = [(name.name, name.span) for name in exploration.cuts]
        return tuple(sorted((_cut_domain(self.model, *each) for each in cut), key=_by_place))

    def _coverage(self, exploration: Any) -> Coverage | None:
        if not self.request.coverage:
            return None
        numbers = {"deadlock": DEADLOCK, "error": ERROR, "setup": ERROR}
        names = {DEADLOCK: "deadlock", ERROR: "error"}
        names |= {FIRST_CLAIM + at: claim.name for at, claim in enumerate(self.machine.claims)}
        counts = dict(exploration.violating)
        if not isinstance(exploration, Explored):
            counts = {
                numbers.get(kind, FIRST_CLAIM + (claim or 0)): count
                for (kind, claim), count in counts.items()
            }
        violating = {names[number]: count for number, count in sorted(counts.items())}
        images = [] if self.plan.method == "none" else [each.actions for each in self.symmetry.generators]
        return machine_coverage(self.machine, exploration, images, violating)

    def _dead(self, exploration: Any) -> tuple[str, ...]:
        """Operations that were never enabled."""
        names = [each.name for each in self.machine.operations]
        images = [generator.actions for generator in self.symmetry.generators]
        return never_enabled(names, exploration.firings, images)


class Explored:
    """What the core tells of a run, with the machine that knows what its numbers mean."""

    def __init__(
        self, handle: _core.Machine, exploration: _core.MachineExploration, assume_bounds: bool
    ) -> None:
        self.handle = handle
        self._exploration = exploration
        self.cuts = handle.cut_domains()
        self.stopped = _stopped(exploration.stopped, self.cuts, assume_bounds)
        # As ProB counts: setting up constants, or the initialisation where there are none, are transitions too.
        self.transitions = exploration.transitions + exploration.initial_states

    def __getattr__(self, name: str) -> Any:
        return getattr(self._exploration, name)


def with_claims(model: Model, request: Request) -> Machine:
    """The machine, with the invariants and goals of the request among its claims."""
    machine = model.subject
    assert isinstance(machine, Machine)
    asked = [("invariant", "--invariant", text) for text in request.invariants]
    asked += [("goal", "--find", text) for text in request.goals]
    if asked and model.condition is None:
        raise UsageError(Diagnostic("a machine that was built has no language to read conditions in"))
    more: list[Claim] = []
    for kind, option, text in asked:
        condition: Any = model.condition
        more.append(Claim(kind, text, condition(text, option)))  # type: ignore[arg-type]
    return replace(machine, claims=machine.claims + tuple(more))


def _symmetry(machine: Machine, request: Request, deadline: Deadline) -> MachineSymmetry:
    if request.reduce == "none":
        check_broken(machine, request.broken)
        return MachineSymmetry(machine=machine, generators=())
    return machine_symmetry(
        machine, broken=request.broken, search=request.symmetry != "declared", deadline=search_time(deadline)
    )


def _by_markers(plan: Plan) -> Plan:
    """States of machines are compared where their markers are equal (Leuschel and Massart, section 6)."""
    return replace(plan, method="hybrid") if plan.method == "compare" else plan


def core_machine(machine: Machine, model: Model) -> _core.Machine:
    """The machine as the core holds it. As in ProB, constants, parameters and choices that are numbers without bounds range
    over the implementable ones."""
    from burnside import _core

    try:
        table = encoded(machine)
    except NumberTooLarge as error:
        span = error.span
        place = None if span is None else (span.line, span.column, span.length, span.source)
        raise complaint(model, "number-too-wide", str(error.value), place) from None
    try:
        return _core.Machine(table.texts, table.rows, assume_numbers=True)
    except _core.MachineError as error:
        raise complaint(model, *error.args) from None


def _stopped(stopped: str, cuts: Sequence[object], assume_bounds: bool) -> str:
    """All states were explored only where all values were tried, or the user wants no others."""
    return "bounded" if stopped == "exhausted" and cuts and not assume_bounds else stopped


def _cut_domain(model: Model, name: str, span: Span | None) -> CutDomain:
    if span is None:
        return CutDomain(as_written(name), model.name)
    return CutDomain(as_written(name), span.source or model.name, span.line, span.column)


def _by_place(domain: CutDomain) -> tuple[str, int, int, str]:
    return domain.file, domain.line or 0, domain.column or 0, domain.name


def bound_notes(machine: Machine, cut: Sequence[CutDomain], assume_bounds: bool) -> tuple[str, ...]:
    """Which values were not tried, and what to do about it."""
    low, high = machine.numbers
    tried = f"numbers from {low} to {high} (MININT, MAXINT)"
    if assume_bounds:
        return tuple(f"assumed of '{each.name}' ({each.place}): only {tried}" for each in cut)
    told = [f"nothing bounds '{each.name}' ({each.place}): only {tried} were tried" for each in cut]
    return (*told, "--assume-bounds takes these bounds for part of the model") if told else ()


def described(model: Model, request: Request) -> Symmetries:
    refuse_for_machines(request)
    symmetry = _symmetry(with_claims(model, request), request, Deadline())
    return describe(symmetry, model=model.name, language=model.language)


def space_of(model: Model, request: Request, max_states: int) -> tuple[Names, StateGraph]:
    """The reachability graph, named; only its beginning where it is too large."""
    from burnside import _core
    from burnside.checks.machine_values import names_of

    check = MachineCheck.prepared(model, request, Deadline())
    if check.plan.strength != "canonical" and check.plan.method != "none":
        raise RefusedError(Diagnostic("a drawing has one state for each orbit, or all", source="--reduce"))
    handle = core_machine(check.machine, model)
    with explained(model):
        graph = _core.machine_graph(handle, check.group, method_of(_by_markers(check.plan)), max_states)
    names = names_of(Reading(check.machine, handle), graph.states)
    claims = enumerate(check.machine.claims, start=FIRST_CLAIM)
    judged = {number: (claim.kind, claim.name) for number, claim in claims}
    drawn = space_graph(graph, judged)
    return names, replace(drawn, starts=graph.starts, redirected_starts=graph.redirected_starts)
