"""Machines of sets: what is asked of them, their symmetries, and how they cross into the core."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from typing import TYPE_CHECKING, Any

from burnside.diagnostics import Span
from burnside.engine import Compiled, claims_of, exploration_of, method_of
from burnside.exploration import ClaimedTrace, Exploration
from burnside.ir.encoding import NumberTooLarge, encoded
from burnside.ir.sets.expressions import Apply, Expression
from burnside.ir.sets.machine import SETUP, Claim, Machine
from burnside.ir.sets.printing import as_written
from burnside.ir.sets.types import BOOLEAN, Element
from burnside.kinds import BoundNames, Moves, Question, RunFacts, deadlock_is_asked
from burnside.kinds.formulas import FormulaQuestion, arguments_of, classes_of, keeping_actions, places_of
from burnside.kinds.machine.complaints import complaint, explained
from burnside.kinds.typed import SEARCH_ENDED, action_orbits, asked_conditions, expressions_of, group_facts
from burnside.limits import Deadline, search_time
from burnside.model import Model
from burnside.outcome import CutDomain
from burnside.plan import Plan, refuse_for_machines
from burnside.records import replace
from burnside.reference.sets.evaluation import free_names
from burnside.request import Request
from burnside.semantics import ERROR, FIRST_PROPERTY, CutName, Failure, properties_by_number
from burnside.symmetry import Symmetries
from burnside.symmetry.elements import by_sort, describe, element_group, sort_images
from burnside.symmetry.machines import MachineSymmetry, check_broken, machine_symmetry
from burnside.temporal.atoms import Binder, Condition, Proposition

if TYPE_CHECKING:
    from burnside import _core
    from burnside.graph import StateNames
    from burnside.kinds.machine.atoms import MachineAtoms
    from burnside.kinds.machine.semantics import MachineSemantics
    from burnside.kinds.machine.values import Reading
    from burnside.reference.sets.machines import Label
    from burnside.reference.sets.values import Generator, State
    from burnside.temporal.reading import TemporalProperty


def question(model: Model, request: Request, deadline: Deadline) -> MachineQuestion:
    refuse_for_machines(request)
    return MachineQuestion(model, request, _symmetry(with_claims(model, request), request, deadline))


def check_built(subject: Machine) -> None:
    from burnside.ir.sets.checking import check_machine

    check_machine(subject)


def semantics_of(subject: Machine) -> MachineSemantics:
    from burnside.kinds.machine.semantics import MachineSemantics

    return MachineSemantics(subject)


def atom_reader(model: Model) -> MachineAtoms:
    from burnside.kinds.machine.atoms import MachineAtoms

    assert isinstance(model.subject, Machine)
    return MachineAtoms(model.subject, expressions_of(model))


def combined(model: Model, asked: TemporalProperty) -> TemporalProperty:
    """As it is: a condition that is not evaluated in a state cannot fail there."""
    return asked


def formula_question(
    model: Model,
    request: Request,
    propositions: Sequence[Proposition],
    deadline: Deadline,
    *,
    each_instance: bool = False,
    individuals: tuple[tuple[int, int], ...] = (),
) -> FormulaQuestion:
    """Arguments of patterns stand in claims of their own while symmetries are certified, so that symmetries keep them."""
    machine = model.subject
    assert isinstance(machine, Machine)
    classes = classes_of(propositions)
    conditions = [each for each in propositions if isinstance(each, Condition)]
    goals = tuple(Claim("goal", each.text, each.expression) for each in conditions)
    arguments = arguments_of(propositions)
    mentioned = tuple(Claim("goal", each.text, _mention(each.value)) for each in arguments)
    asked = replace(machine, claims=machine.claims + goals + mentioned)
    symmetry = keeping_actions(_symmetry(asked, request, deadline), propositions, each_instance=each_instance)
    symmetry = replace(symmetry, machine=replace(machine, claims=machine.claims + goals))
    return FormulaQuestion(
        question=MachineQuestion(model, replace(request, deadlock=False), symmetry),
        places=places_of(propositions, classes, FIRST_PROPERTY + len(machine.claims)),
        classes=classes,
        constants=len(machine.constants) if any(free_names(each.value) for each in arguments) else 0,
    )


def value_moves(found: FormulaQuestion, binders: Sequence[Binder], names: BoundNames) -> Moves:
    def images(generator: Generator, binder: Binder) -> Mapping[int, int]:
        type_ = binder.type
        return dict(enumerate(generator.get(type_.sort.name, ()))) if isinstance(type_, Element) else {}

    return [[images(generator, each) for each in binders] for generator in found.question.generators()]


def _mention(value: Expression) -> Expression:
    """A predicate that only a symmetry that keeps the value keeps: forms are compared as they are written."""
    return Apply("equal", (value, value), BOOLEAN)


def symmetries(model: Model, request: Request) -> Symmetries:
    refuse_for_machines(request)
    symmetry = _symmetry(with_claims(model, request), request, Deadline())
    return describe(symmetry, element_group(symmetry), model=model.name, language=model.language)


class MachineQuestion(Question):
    """The machine with the asked-for claims among its own, and its certified group."""

    def __init__(self, model: Model, request: Request, symmetry: MachineSymmetry) -> None:
        self.model, self.symmetry, self.machine = model, symmetry, symmetry.machine
        self.deadlock, self.assume_bounds = deadlock_is_asked(model, request), request.assume_bounds
        self.properties = properties_by_number(self.machine.claims, deadlock=self.deadlock)
        self.actions = [each.name for each in self.machine.operations]
        self.core_group = element_group(symmetry)
        self.group = group_facts(symmetry, self.core_group)

    @cached_property
    def semantics(self) -> MachineSemantics:
        from burnside.kinds.machine.semantics import MachineSemantics

        return MachineSemantics(self.machine, deadlock=self.deadlock, assume_bounds=self.assume_bounds)

    def generators(self) -> Sequence[Generator]:
        return by_sort(self.symmetry)

    def action_orbits(self) -> Sequence[Sequence[int]]:
        return action_orbits(self.symmetry, len(self.machine.operations))

    def compiled(self) -> CompiledMachine:
        return CompiledMachine(self)

    def names(self, states: Sequence[State]) -> StateNames:
        from burnside.kinds.machine.drawing import MachineNames

        return MachineNames(self.semantics, states)

    def explained(self) -> AbstractContextManager[None]:
        return explained(self.model)

    def described(self) -> Symmetries:
        return describe(self.symmetry, self.core_group, model=self.model.name, language=self.model.language)

    def facts(self, found: Exploration, plan: Plan) -> RunFacts:
        core: Any = found.core
        # Markers are exact where they determine every state (Leuschel and Massart, Prop. 2).
        exact = plan.strength == "approximate" and core is not None and core.is_exact
        cut = sorted((_cut_domain(self.model, *each) for each in found.cut_names), key=_by_place)
        notes = list(_bound_notes(self.machine, cut, self.assume_bounds))
        names = [each.name for each in self.machine.state_names]
        imprecise = [
            names[slot] for slot in ([] if core is None else core.facts["imprecise"]) if slot < len(names)
        ]
        if imprecise:
            notes.append(
                f"markers do not determine {', '.join(imprecise)}: different states may have been merged"
            )
        if not self.symmetry.in_time:
            notes.append(SEARCH_ENDED)
        return RunFacts(
            strength="canonical" if exact else None,
            reason="markers determine every state that was found, so they are exact here" if exact else "",
            named={"cut_domains": tuple(cut), "bounds_assumed": self.assume_bounds},
            notes=tuple(notes),
            first_actions=self._first_actions(found),
        )

    def _first_actions(self, found: Exploration) -> Sequence[tuple[str, int]]:
        """Set-ups and initialisations: the numbers add up to the transitions, as in ProB."""
        if not self.machine.has_setup:
            return [(self.machine.start_title, found.initial_states)]
        counted = found.initial_states if self.machine.counts_starts else 0
        return [
            (SETUP, found.initial_states),
            (self.machine.start_title, found.transitions - counted - sum(found.firings)),
        ]


class CompiledMachine(Compiled):
    """The machine inside the core, which keeps values once and numbers them."""

    starts_are_steps = True
    handle: _core.Machine

    def __init__(self, question: MachineQuestion) -> None:
        handle = core_machine(question.machine, question.model)
        self.question, self.machine = question, question.machine
        self.handle = handle.assuming_bounds() if question.assume_bounds else handle
        self.group, self.properties = question.core_group, question.properties

    @cached_property
    def _reading(self) -> Reading:
        from burnside.kinds.machine.values import Reading

        return Reading(self.machine, self.handle)

    def method(self, plan: Plan) -> _core.Method:
        """States of machines are compared where their markers are equal (Leuschel and Massart, section 6)."""
        return method_of(replace(plan, method="hybrid") if plan.method == "compare" else plan)

    def answer(self, found: _core.Exploration) -> Exploration:
        cut = self.cut_names()
        started = found.initial_states if self.machine.counts_starts else 0
        claims = claims_of(self, found.violations)
        is_certain = self.question.assume_bounds or not cut
        if is_certain and not found.initial_states and found.stopped == "exhausted":
            from burnside.reference.sets.machines import missing_start

            claims.setdefault(ERROR, ClaimedTrace((), None, Failure(missing_start(self.machine))))
        return exploration_of(found, claims, transitions=found.transitions + started, cut_names=cut)

    def cut_names(self) -> Sequence[CutName]:
        return [(name, None if span is None else Span(*span)) for name, span in self.handle.cut_domains()]

    def label(self, number: int) -> Label:
        return self._reading.label(number)

    def state(self, values: Sequence[int]) -> State:
        return self._reading.state(values)

    def generator(self, images: Sequence[int]) -> Generator:
        return sort_images(self.machine.sorts, images)


def with_claims(model: Model, request: Request) -> Machine:
    """The machine, with the invariants and goals of the request among its claims."""
    machine = model.subject
    assert isinstance(machine, Machine)
    asked = asked_conditions(model, request)
    more = tuple(Claim(kind, text, predicate) for kind, text, predicate in asked)  # type: ignore[arg-type]
    return replace(machine, claims=machine.claims + more)


def _symmetry(machine: Machine, request: Request, deadline: Deadline) -> MachineSymmetry:
    if request.reduce == "none":
        check_broken(machine, request.broken)
        return MachineSymmetry(machine=machine, generators=())
    return machine_symmetry(
        machine, broken=request.broken, search=request.symmetry != "declared", deadline=search_time(deadline)
    )


def core_machine(machine: Machine, model: Model, *, assume_numbers: bool = True) -> _core.Machine:
    """The machine as the core holds it. `assume_numbers`: as in ProB, constants, parameters and choices that are numbers
    without bounds range over the implementable ones."""
    from burnside import _core

    try:
        table = encoded(machine)
    except NumberTooLarge as error:
        span = error.span
        place = None if span is None else (span.line, span.column, span.length, span.source)
        raise complaint(model, "number-too-wide", str(error.value), place) from None
    try:
        return _core.Machine(table.texts, table.rows, assume_numbers=assume_numbers)
    except _core.MachineError as error:
        raise complaint(model, *error.args) from None


def _cut_domain(model: Model, name: str, span: Span | None) -> CutDomain:
    if span is None:
        return CutDomain(as_written(name), model.name)
    return CutDomain(as_written(name), span.source or model.name, span.line, span.column)


def _by_place(domain: CutDomain) -> tuple[str, int, int, str]:
    return domain.file, domain.line or 0, domain.column or 0, domain.name


def _tried(machine: Machine) -> Iterator[str]:
    """What is tried of sets without end."""
    low, high = machine.numbers
    if machine.cut_rule == "implementable":
        yield f"numbers from {low} to {high} (MININT, MAXINT)"
    else:
        yield f"numbers from {low} (MININT) or a lower bound up to {high} (MAXINT)"
    for free in machine.free_types:
        if free.is_recursive:
            yield f"values of {free.name} with at most {free.depth} constructors inside each other"


def _bound_notes(machine: Machine, cut: Iterable[CutDomain], assume_bounds: bool) -> Iterator[str]:
    """Which values were not tried, and what to do about it."""
    tried = " and ".join(_tried(machine))
    if assume_bounds:
        yield from (f"assumed of '{each.name}' ({each.place}): only {tried}" for each in cut)
        return
    notes = [f"nothing bounds '{each.name}' ({each.place}): only {tried} were tried" for each in cut]
    yield from notes
    if notes:
        yield "--assume-bounds takes these bounds for part of the model"
