"""A question put to a typed program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from burnside.checks import PARTIAL_ORBITS, SEARCH_ENDED, Facts
from burnside.checks.coverage import program_coverage
from burnside.checks.engine import default_memory, method_of, never_enabled, space_graph
from burnside.checks.self_checking import Naming, self_checked
from burnside.diagnostics import (
    Diagnostic,
    InputError,
    RefusedError,
    Span,
    UnsupportedError,
    UsageError,
)
from burnside.ir.encoding import encoded
from burnside.ir.program import Program, Property
from burnside.limits import Deadline, search_time
from burnside.model import Model
from burnside.outcome import Coverage, Dropped, PropertyResult, Reduction, Trace, Verdict, property_verdict
from burnside.plan import DEFAULT_ALPHA, Plan, choose, refuse_for_programs
from burnside.plan import Facts as PlanFacts
from burnside.records import record, replace
from burnside.report.progress import Progress
from burnside.request import Request
from burnside.symmetry import Symmetries
from burnside.symmetry.elements import by_sort, describe, element_group
from burnside.symmetry.points import point_names
from burnside.symmetry.programs import ProgramSymmetry, check_broken, program_symmetry

if TYPE_CHECKING:
    from burnside import _core
    from burnside.reference.programs import ProgramResult
    from burnside.report.spaces import Names, StateGraph

DEADLOCK, ERROR, FIRST_PROPERTY = 0, 1, 2
"""How the core numbers what can be violated: deadlock, errors of the model, then the program's properties."""


@record
class Found:
    """A claimed violation: states with the labels that led there, and the label that fails in the last one."""

    steps: Sequence[tuple[int, Sequence[int]]]
    failing: int | None


@record
class ProgramCheck:
    """The program with the asked-for properties among its own, its certified group, and the method chosen."""

    model: Model
    request: Request
    symmetry: ProgramSymmetry
    group: _core.ElementGroup
    plan: Plan
    deadlock: bool

    @classmethod
    def prepared(cls, model: Model, request: Request, deadline: Deadline) -> ProgramCheck:
        refuse_for_programs(request)
        program = with_properties(model, request)
        symmetry = _symmetry(program, request, deadline)
        if request.symmetry == "strict":
            _refuse_broken_promises(model, symmetry)
        group = element_group(symmetry)
        plan = choose(request, PlanFacts(acting_order=group.order, typed=True))
        deadlock = model.deadlock_is_error if request.deadlock is None else request.deadlock
        return cls(model, request, symmetry, group, plan, deadlock)

    @property
    def program(self) -> Program:
        return self.symmetry.program

    def reduction(self, exploration: object) -> Reduction:
        return Reduction(
            name=self.plan.method,
            strength=self.plan.strength,
            group_order=self.group.order,
            generators=len(self.symmetry.generators),
            complete=self.symmetry.complete,
            restricted_by=self.symmetry.restricted_by,
            reason=self.plan.reason,
            dropped=tuple(
                Dropped(each.what, each.reason, each.line, each.column) for each in self.symmetry.refused
            ),
        )

    def explore(self, progress: Progress, deadline: Deadline) -> _core.ProgramExploration | ProgramResult:
        if self.request.engine == "reference":
            return self._by_reference(deadline)
        return self.explore_compiled(deadline.run(self.compiled), progress, deadline)

    def compiled(self) -> _core.Program:
        from burnside.ir.analysis.quantifiers import stopping_early

        return core_program(stopping_early(self.program, self.symmetry.defined), self.model.name)

    def explore_compiled(
        self, handle: _core.Program, progress: Progress, deadline: Deadline
    ) -> _core.ProgramExploration:
        """Explore by the core alone; benchmarks measure this."""
        from burnside import _core

        request = self.request
        with self_checked(self.model.name, self._naming):
            return _core.explore_program(
                handle,
                self.group,
                method_of(self.plan),
                order=request.order,
                alpha=DEFAULT_ALPHA if request.alpha is None else request.alpha,
                seed=request.seed or 0,
                threads=request.threads or 1,
                deadlock=self.deadlock,
                keep_going=request.keep_going,
                max_states=request.limits.states,
                max_seconds=deadline.left,
                max_memory=request.limits.memory_bytes or default_memory(),
                stats=request.stats,
                self_check=request.self_check or "sample",
                progress=progress.update if progress.wanted else None,
            )

    def _naming(self) -> Naming:
        from burnside.reference.steps import label_at, show_label
        from burnside.reference.values import decode

        program = self.program
        return Naming(
            point_names(self.symmetry),
            lambda state: decode(program, tuple(state)),
            lambda label: show_label(program, label_at(program, label)),
            self._property_name,
        )

    def _property_name(self, number: int) -> str:
        names = {DEADLOCK: "deadlock", ERROR: "error"}
        return names.get(number) or self.program.properties[number - FIRST_PROPERTY].name

    def _by_reference(self, deadline: Deadline) -> ProgramResult:
        from burnside.reference import programs

        request = self.request
        return programs.explore(
            self.program,
            [] if self.plan.method == "none" else by_sort(self.symmetry),
            deadlock=self.deadlock,
            keep_going=request.keep_going,
            order=request.order,
            max_states=request.limits.states,
            max_seconds=deadline.left,
            self_check=request.self_check or "sample",
        )

    def judge(self, exploration: _core.ProgramExploration | ProgramResult) -> tuple[PropertyResult, ...]:
        """Replay what was found, and say of each property what is known."""
        found, covered = _claims(self.program, exploration)
        numbered = {FIRST_PROPERTY + at: each for at, each in enumerate(self.program.properties)}
        results = []
        if self.deadlock:
            results.append(self._result(DEADLOCK, "deadlock", "deadlock", found, exploration.stopped))
        results.append(self._result(ERROR, "error", "error", found, exploration.stopped))
        for number, each in numbered.items():
            if each.kind == "cover":
                results.append(self._coverage(each, number in covered, exploration.stopped))
            elif each.kind != "assumption":
                results.append(self._result(number, each.name, each.kind, found, exploration.stopped))
        return tuple(results)

    def _result(
        self, number: int, name: str, kind: str, found: Mapping[int, Found], stopped: str
    ) -> PropertyResult:
        trace: Trace | None = None
        message: str | None = None
        if number in found:
            from burnside.checks.replaying import replayed

            claim = found[number]
            trace = replayed(self.program, claim.steps, claim.failing, number)
            message = trace.steps[-1].failure if trace.steps else None
        verdict = property_verdict(violated=trace is not None, stopped=stopped, strength=self.plan.strength)
        return PropertyResult(name, kind, verdict, trace, message)

    def _coverage(self, each: Property, covered: bool, stopped: str) -> PropertyResult:
        """Never satisfied is known only at the end, and there is no trace of what did not happen."""
        verdict: Verdict = "holds" if covered else "violated" if stopped == "exhausted" else "unknown"
        message = "never satisfied" if verdict == "violated" else None
        return PropertyResult(each.name, each.kind, verdict, None, message)

    def facts(self, exploration: _core.ProgramExploration | ProgramResult) -> Facts:
        whole = self.plan.method == "none" or self._starts_are_whole()
        exhausted = exploration.stopped == "exhausted"
        notes = [] if self.symmetry.in_time else [SEARCH_ENDED]
        if not whole:
            notes.append(PARTIAL_ORBITS)
        return Facts(
            orbits_are_whole=whole,
            dead_actions=_dead(self.symmetry, exploration) if exhausted and whole else None,
            coverage=self._covered(exploration),
            notes=tuple(notes),
        )

    def _starts_are_whole(self) -> bool:
        if self.symmetry.whole_starts:
            return True
        from burnside.symmetry.programs.start_states import starts_are_whole

        return starts_are_whole(self.symmetry)

    def _covered(self, exploration: _core.ProgramExploration | ProgramResult) -> Coverage | None:
        if not self.request.coverage:
            return None
        numbers = {"deadlock": DEADLOCK, "error": ERROR}
        names = {DEADLOCK: "deadlock", ERROR: "error"}
        names |= {FIRST_PROPERTY + at: each.name for at, each in enumerate(self.program.properties)}
        counts: dict[Any, int] = dict(exploration.violating)
        if self.request.engine == "reference":
            counts = {
                numbers.get(kind, FIRST_PROPERTY + (number or 0)): count
                for (kind, number), count in counts.items()
            }
        violating = {names[number]: count for number, count in sorted(counts.items())}
        images = [] if self.plan.method == "none" else [each.actions for each in self.symmetry.generators]
        return program_coverage(self.program, exploration, images, violating)


def with_properties(model: Model, request: Request) -> Program:
    """The program, with the invariants and goals of the request among its properties."""
    program = model.subject
    assert isinstance(program, Program)
    _refuse_liveness(model, program)
    asked = [("invariant", "--invariant", text) for text in request.invariants]
    asked += [("goal", "--find", text) for text in request.goals]
    if asked and model.condition is None:
        raise UsageError(Diagnostic("a program that was built has no language to read conditions in"))
    more = tuple(
        Property(kind, text, model.condition(text, option))  # type: ignore[arg-type, misc]
        for kind, option, text in asked
    )
    return replace(program, properties=program.properties + more)


def _refuse_liveness(model: Model, program: Program) -> None:
    for each in program.properties:
        if each.kind == "liveness":
            raise UnsupportedError(
                model.diagnostic(f"liveness cannot be checked yet: {each.name}", each.span)
            )


def _symmetry(program: Program, request: Request, deadline: Deadline) -> ProgramSymmetry:
    if request.reduce == "none":
        check_broken(program, request.broken, {(r.low, r.high): r.name for r in program.range_names})
        return ProgramSymmetry(program=program, generators=())
    names = {(each.low, each.high): each.name for each in program.range_names}
    search = request.symmetry != "declared"
    return program_symmetry(
        program,
        broken=request.broken,
        search=search,
        range_names=names,
        deadline=search_time(deadline),
        limit=deadline,
    )


def _refuse_broken_promises(model: Model, symmetry: ProgramSymmetry) -> None:
    """The user declared what could not be shown: under a symmetry that does not hold, an answer would be about another
    model."""
    for refusal in symmetry.refused:
        name = refusal.what.split()[-1]
        hint = f"--break-symmetry {name} treats its elements as fixed"
        message = f"{refusal.what} could not be shown to be symmetric: {refusal.reason}"
        raise RefusedError(model.diagnostic(message, Span(refusal.line, refusal.column), hint))


def core_program(program: Program, source: str) -> _core.Program:
    """The program as the core holds it."""
    from burnside import _core

    table = encoded(program)
    try:
        return _core.Program(table.texts, table.rows)
    except _core.TooLargeError as error:
        raise InputError(Diagnostic(f"the program is too large: {error}", source)) from None


def _claims(
    program: Program, exploration: _core.ProgramExploration | ProgramResult
) -> tuple[dict[int, Found], set[int]]:
    """Both engines' violations and coverage, numbered as the core numbers them."""
    from burnside import _core

    if isinstance(exploration, _core.ProgramExploration):
        found = {number: Found(steps, failing) for number, steps, failing in reversed(exploration.violations)}
        return found, set(exploration.covered)
    from burnside.reference.steps import label_number, labels_of

    first_start = labels_of(program)
    claims: dict[int, Found] = {}
    for violation in exploration.violations:
        numbers = {
            "deadlock": DEADLOCK,
            "error": ERROR,
            "property": FIRST_PROPERTY + (violation.property or 0),
        }
        labels = [
            label_number(program, label) if at else first_start + label_number(program, label, starts=True)
            for at, (label, _) in enumerate(violation.trace)
        ]
        states = [state for _, state in violation.trace]
        failing = labels[-1] if states and states[-1] is None else None
        steps = [(label, state) for label, state in zip(labels, states, strict=True) if state is not None]
        claims[numbers[violation.kind]] = Found(steps, failing)
    return claims, {FIRST_PROPERTY + number for number in exploration.covered}


def _dead(
    symmetry: ProgramSymmetry, exploration: _core.ProgramExploration | ProgramResult
) -> tuple[str, ...]:
    """Actions no instance of which was ever enabled."""
    names = [action.name for action in symmetry.program.actions]
    images = [generator.actions for generator in symmetry.generators]
    return never_enabled(names, exploration.firings, images)


def described(model: Model, request: Request) -> Symmetries:
    refuse_for_programs(request)
    symmetry = _symmetry(with_properties(model, request), request, Deadline())
    return describe(symmetry, model=model.name, language=model.language)


def space_of(model: Model, request: Request, max_states: int) -> tuple[Names, StateGraph]:
    """The reachability graph, named; only its beginning where it is too large."""
    from burnside import _core
    from burnside.checks.naming import names_of

    check = ProgramCheck.prepared(model, request, Deadline())
    if check.plan.strength == "representative":
        raise RefusedError(Diagnostic("a drawing has one state for each orbit, or all", source="--reduce"))
    handle = core_program(check.program, model.name)
    graph = _core.state_graph(handle, check.group, method_of(check.plan), max_states)
    return names_of(check.program, graph.states), space_graph(graph, _judged(check.program))


def _judged(program: Program) -> Mapping[int, tuple[str, str]]:
    """Kind and name by the core's number."""
    numbered = enumerate(program.properties, start=FIRST_PROPERTY)
    return {number: (each.kind, each.name) for number, each in numbered if each.kind in ("invariant", "goal")}
