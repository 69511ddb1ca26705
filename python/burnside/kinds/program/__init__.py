"""Typed programs: what is asked of them, their symmetries, and how they cross into the core."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from burnside.diagnostics import BurnsideError, Diagnostic, InputError
from burnside.engine import Compiled, claims_of, exploration_of
from burnside.exploration import Exploration
from burnside.ir.encoding import encoded
from burnside.ir.expressions import All, Binary, Bound, Constant, Positions, Quantified, Read
from burnside.ir.program import Program, Property
from burnside.ir.types import Element, Integer, Scalar, Union
from burnside.ir.walking import nodes
from burnside.kinds import BoundNames, Moves, Question, RunFacts, deadlock_is_asked
from burnside.kinds.formulas import (
    EACH_INSTANCE,
    Argument,
    FormulaQuestion,
    arguments_of,
    classes_of,
    keeping_actions,
    places_of,
    with_arguments,
)
from burnside.kinds.typed import (
    SEARCH_ENDED,
    action_orbits,
    asked_conditions,
    broken_promise,
    expressions_of,
    group_facts,
)
from burnside.limits import Deadline, search_time
from burnside.model import Model
from burnside.plan import Plan, PlanInputs, choose, refuse_for_programs
from burnside.progress import Progress
from burnside.records import replace
from burnside.reference.values import renamed
from burnside.request import Limits, Request
from burnside.semantics import FIRST_PROPERTY, properties_by_number
from burnside.symmetry import Symmetries
from burnside.symmetry.elements import by_sort, describe, element_group, sort_images
from burnside.symmetry.programs import ProgramSymmetry, check_broken, program_symmetry
from burnside.symmetry.programs.names import length_of_trial, with_trap
from burnside.symmetry.programs.range_classes import Arguments
from burnside.temporal.atoms import Binder, Condition, Initial, Proposition

if TYPE_CHECKING:
    from burnside import _core
    from burnside.graph import StateNames
    from burnside.kinds.program.atoms import ProgramAtoms
    from burnside.kinds.program.semantics import ProgramSemantics
    from burnside.reference.steps import Label
    from burnside.reference.values import Generator, State
    from burnside.temporal.reading import TemporalProperty

TRIED_STATES, TRIED_SECONDS = 100_000, 0.5
"""What is explored before symmetries are described that are built on a guess."""

PARTIAL_ORBITS = (
    "the start states are no whole orbits, so some states of the explored orbits may not be reachable: "
    "the number of full states and the actions that never happen are not known"
)


def question(model: Model, request: Request, deadline: Deadline) -> ProgramQuestion:
    refuse_for_programs(request)
    symmetry = _symmetry(model, with_properties(model, request), request, deadline)
    if request.symmetry == "strict":
        _refuse_broken_promises(model, symmetry)
    return ProgramQuestion(model, symmetry, deadlock=deadlock_is_asked(model, request))


def check_built(subject: Program) -> None:
    from burnside.ir.checking import check_program

    check_program(subject)


def semantics_of(subject: Program) -> ProgramSemantics:
    from burnside.kinds.program.semantics import ProgramSemantics

    return ProgramSemantics(subject)


def atom_reader(model: Model) -> ProgramAtoms:
    from burnside.kinds.program.atoms import ProgramAtoms

    assert isinstance(model.subject, Program)
    return ProgramAtoms(model.subject, expressions_of(model))


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
    """Arguments of patterns stand in goals of their own while symmetries are certified: so symmetries keep them, and they
    are rewritten where numbers turn out to be names."""
    program = model.subject
    assert isinstance(program, Program)
    classes = classes_of(propositions)
    conditions = [each for each in propositions if isinstance(each, Condition)]
    goals = [Property("goal", each.text, each.expression) for each in conditions]
    given = arguments_of(propositions)
    mentioned = [_about(program, each) for each in given]
    tied = _by_type(program, individuals)
    alike = [_alike(program, each[0]) for each in tied]
    first = len(program.properties)
    last = first + len(goals)
    arguments = dict(enumerate([*((each.parameter,) for each in given), *tied], start=last))
    asked = replace(program, properties=(*program.properties, *goals, *mentioned, *alike))
    symmetry = _symmetry(model, asked, request, deadline, arguments)
    symmetry = keeping_actions(symmetry, propositions, each_instance=each_instance)
    if each_instance and _has_positions(program):
        # Entries of bags have no names that could be followed.
        symmetry = replace(symmetry, generators=(), complete=False, order=None)
    if Initial() in propositions and not _starts_are_whole(symmetry):
        by_start = tuple(dict.fromkeys((*symmetry.restricted_by, Initial.text)))
        symmetry = replace(symmetry, generators=(), complete=False, order=None, restricted_by=by_start)
    found = symmetry.program
    rewritten = [_mentioned(each) for each in found.properties[last : last + len(mentioned)]]
    symmetry = _with_properties(symmetry, found.properties[:last])
    return FormulaQuestion(
        question=ProgramQuestion(model, symmetry, deadlock=False),
        places=places_of(propositions, classes, FIRST_PROPERTY + len(program.properties)),
        classes=with_arguments(classes, rewritten),
        conditions={
            FIRST_PROPERTY + number: found.properties[number].expression for number in range(first, last)
        },
    )


def _with_properties(symmetry: ProgramSymmetry, kept: tuple[Property, ...]) -> ProgramSymmetry:
    """With these properties, and that of the traps, alone."""
    program = replace(symmetry.program, properties=kept)
    if symmetry.trap is None:
        return replace(symmetry, program=program)
    trap = symmetry.program.properties[symmetry.trap]
    program = with_trap(replace(program, properties=(*kept, trap)), symmetry.trap, len(kept))
    return replace(symmetry, program=program, trap=len(kept))


def value_moves(found: FormulaQuestion, binders: Sequence[Binder], names: BoundNames) -> Moves:
    """Numbers may have turned out to be names: of which type a quantified name is then, say the conditions and actions in
    which it stands. Where they do not agree, nothing is exchanged."""
    question = found.question
    assert isinstance(question, ProgramQuestion)
    goals = [each.number - FIRST_PROPERTY for each in found.places if each.what == "satisfied"]
    types: dict[str, set[Scalar]] = {each.name: set() for each in binders}
    for each, action, position in names.arguments:
        types[each.name].add(question.program.actions[action].parameters[position].type)
    for goal, bound in zip(goals, names.conditions, strict=True):
        condition = question.program.properties[goal].expression
        for each in bound:
            assert isinstance(condition, Quantified)
            types[each.name].add(condition.bound.type)
            condition = condition.body
    if any(len(each) > 1 for each in types.values()):
        return ()
    own = [next(iter(types[each.name]), each.type) for each in binders]

    def images(generator: Generator, binder: Binder, type_: Scalar) -> Mapping[int, int]:
        if isinstance(type_, Element | Union) and isinstance(binder.type, Integer):
            sorts = (type_.sort,) if isinstance(type_, Element) else type_.sorts
            numbers = [int(element) for sort in sorts for element in sort.elements]
            return {
                number: numbers[renamed(generator, at, type_)]
                for at, number in enumerate(numbers)
                if number in binder.values
            }
        return {value: renamed(generator, value, type_) for value in binder.values}

    return [
        [images(generator, each, type_) for each, type_ in zip(binders, own, strict=True)]
        for generator in question.generators()
    ]


def _has_positions(program: Program) -> bool:
    """Is an entry of a bag a parameter of some action?"""
    return any(isinstance(each.domain, Positions) for action in program.actions for each in action.parameters)


def _about(program: Program, argument: Argument) -> Property:
    """A condition that only a symmetry that keeps the argument keeps. If the numbers of the parameter turn out to be names,
    so do those of the argument."""
    action, position = argument.parameter
    type_ = program.actions[action].parameters[position].type
    bound = Bound("value", All(type_))
    condition = Binary("=", Read(bound.variable), Constant(argument.value.value, type_))
    return Property("goal", argument.text, Quantified("exists", bound, condition))


def _by_type(program: Program, parameters: Sequence[tuple[int, int]]) -> list[tuple[tuple[int, int], ...]]:
    """Values of parameters of different types are different individuals."""
    found: dict[Scalar, list[tuple[int, int]]] = {}
    for action, position in parameters:
        found.setdefault(program.actions[action].parameters[position].type, []).append((action, position))
    return [tuple(each) for each in found.values()]


def _alike(program: Program, parameter: tuple[int, int]) -> Property:
    """A condition about a value of a parameter that every symmetry keeps. Values of several parameters that name the same
    individuals are tied to it: if numbers turn out to be names, they do so in all of them."""
    action, position = parameter
    bound = Bound("value", All(program.actions[action].parameters[position].type))
    condition = Binary("=", Read(bound.variable), Read(bound.variable))
    return Property("goal", EACH_INSTANCE, Quantified("exists", bound, condition))


def _mentioned(goal: Property) -> Constant:
    """The value in such a condition, after it was rewritten."""
    [value] = [each for each in nodes(goal) if isinstance(each, Constant)]
    return value


def symmetries(model: Model, request: Request) -> Symmetries:
    refuse_for_programs(request)
    symmetry = _symmetry(model, with_properties(model, request), request, Deadline())
    if request.symmetry == "strict":
        _refuse_broken_promises(model, symmetry)
    question = ProgramQuestion(model, symmetry, deadlock=False)
    _try_names(question)
    return question.described()


def _try_names(question: ProgramQuestion) -> None:
    """Whether numbers that were taken for names are those that were expected is known after an exploration; as far as that
    does not take long, it is known before."""
    from burnside.checking import Check

    if question.symmetry.trap is None:
        return
    request = Request(
        self_check="off", keep_going=True, limits=Limits(states=TRIED_STATES, seconds=TRIED_SECONDS)
    )
    group = question.group
    plan = choose(request, PlanInputs(acting_order=group.acting_order, typed=group.typed))
    with suppress(BurnsideError):
        Check(question.model, request, question, plan).explore(Progress(), Deadline(TRIED_SECONDS))


class ProgramQuestion(Question):
    """The program with the asked-for properties among its own, and its certified group."""

    def __init__(self, model: Model, symmetry: ProgramSymmetry, *, deadlock: bool) -> None:
        self.model, self.symmetry, self.deadlock = model, symmetry, deadlock
        self.program = symmetry.program
        self.properties = properties_by_number(self.program.properties, deadlock=deadlock)
        self.actions = [each.name for each in self.program.actions]
        self.core_group = element_group(symmetry)
        self.group = group_facts(symmetry, self.core_group)

    @cached_property
    def semantics(self) -> ProgramSemantics:
        from burnside.kinds.program.semantics import ProgramSemantics

        return ProgramSemantics(self.program, deadlock=self.deadlock)

    def generators(self) -> Sequence[Generator]:
        return by_sort(self.symmetry)

    def action_orbits(self) -> Sequence[Sequence[int]]:
        return action_orbits(self.symmetry, len(self.program.actions))

    def compiled(self) -> CompiledProgram:
        return CompiledProgram(self)

    def with_more_room(self, violated: Collection[int]) -> Model | None:
        numbers = [number - FIRST_PROPERTY for number in violated if number >= FIRST_PROPERTY]
        if self.symmetry.trap in numbers:
            return replace(self.model, enlarged=self.model.enlarged + 1)
        if self.model.larger is not None and any(
            self.program.properties[each].kind == "limit" for each in numbers
        ):
            return self.model.larger()
        return None

    def names(self, states: Sequence[State]) -> StateNames:
        from burnside.kinds.program.drawing import ProgramNames

        return ProgramNames(self.semantics, states)

    def described(self) -> Symmetries:
        return describe(self.symmetry, self.core_group, model=self.model.name, language=self.model.language)

    def orbits_are_whole(self, plan: Plan) -> bool:
        return plan.method == "none" or _starts_are_whole(self.symmetry)

    def facts(self, found: Exploration, plan: Plan) -> RunFacts:
        whole = self.orbits_are_whole(plan)
        notes = [] if self.symmetry.in_time else [SEARCH_ENDED]
        if not whole:
            notes.append(PARTIAL_ORBITS)
        return RunFacts(orbits_are_whole=whole, notes=tuple(notes))


def _starts_are_whole(symmetry: ProgramSymmetry) -> bool:
    """Do symmetries map start states to start states?"""
    if symmetry.whole_starts:
        return True
    from burnside.symmetry.programs.start_states import starts_are_whole

    return starts_are_whole(symmetry)


class CompiledProgram(Compiled):
    """The program inside the core, which numbers labels in one row, starts after actions."""

    def __init__(self, question: ProgramQuestion) -> None:
        from burnside.ir.analysis.quantifiers import stopping_early

        self.program = question.program
        self.handle = core_program(
            stopping_early(self.program, question.symmetry.defined), question.model.name
        )
        self.group, self.properties = question.core_group, question.properties

    def answer(self, found: _core.Exploration) -> Exploration:
        started = found.initial_states if self.program.counts_starts else 0
        return exploration_of(
            found, claims_of(self, found.violations), transitions=found.transitions + started
        )

    @cached_property
    def _first_start(self) -> int:
        from burnside.reference.steps import labels_of

        return labels_of(self.program)

    def label(self, number: int) -> Label:
        from burnside.reference.steps import label_at, start_at

        program, first = self.program, self._first_start
        return label_at(program, number) if number < first else start_at(program, number - first)

    def state(self, values: Sequence[int]) -> State:
        return tuple(values)

    def generator(self, images: Sequence[int]) -> Generator:
        return sort_images(self.program.sorts, images)


def with_properties(model: Model, request: Request) -> Program:
    """The program, with the invariants and goals of the request among its properties."""
    program = model.subject
    assert isinstance(program, Program)
    asked = asked_conditions(model, request)
    more = tuple(Property(kind, text, condition) for kind, text, condition in asked)  # type: ignore[arg-type]
    return replace(program, properties=program.properties + more)


def _symmetry(
    model: Model, program: Program, request: Request, deadline: Deadline, arguments: Arguments | None = None
) -> ProgramSymmetry:
    names = {(each.low, each.high): each.name for each in program.range_names}
    if request.reduce == "none":
        check_broken(program, request.broken, names)
        return ProgramSymmetry(program=program, generators=())

    def found(of: Program) -> ProgramSymmetry:
        return program_symmetry(
            of,
            broken=request.broken,
            search=request.symmetry != "declared" or bool(program.promises),
            range_names=names,
            arguments=arguments if of is program else None,
            trial=length_of_trial(model.enlarged),
            deadline=search_time(deadline),
            limit=deadline,
        )

    symmetry = found(program)
    return _keeping_promises(model, symmetry, request, found, deadline) if program.promises else symmetry


def _keeping_promises(
    model: Model,
    symmetry: ProgramSymmetry,
    request: Request,
    found: Callable[[Program], ProgramSymmetry],
    deadline: Deadline,
) -> ProgramSymmetry:
    """Promises are about the model, not about what is asked of it."""
    from burnside.symmetry.programs.promises import are_kept, only_promised, promised, with_promises

    promises = promised(symmetry.program, deadline, request.broken)
    before = symmetry
    if symmetry.restricted_by and not are_kept(symmetry, promises):
        assert isinstance(model.subject, Program)
        before = found(model.subject)
    checked = with_promises(symmetry, before, promises)
    return only_promised(checked, promises, deadline) if request.symmetry == "declared" else checked


def _refuse_broken_promises(model: Model, symmetry: ProgramSymmetry) -> None:
    for refusal in symmetry.refused:
        raise broken_promise(model, refusal, refusal.what.split()[1].rstrip(","))


def core_program(program: Program, source: str) -> _core.Program:
    """The program as the core holds it."""
    from burnside import _core

    table = encoded(program)
    try:
        return _core.Program(table.texts, table.rows)
    except _core.TooLargeError as error:
        raise InputError(Diagnostic(f"the program is too large: {error}", source)) from None
