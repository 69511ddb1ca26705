"""High-level nets: what is asked of them, their symmetries, and how they cross into the core (`lowering`)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from burnside.diagnostics import Diagnostic, UsageError
from burnside.engine import Compiled, method_of
from burnside.exploration import Exploration
from burnside.ir.highlevel.net import Claim, HighLevelNet, Instance, Marking
from burnside.ir.highlevel.types import Element, Sort
from burnside.ir.highlevel.values import SortImages
from burnside.kinds import BoundNames, Moves, Question, RunFacts, deadlock_is_asked
from burnside.kinds.formulas import (
    EACH_INSTANCE,
    FormulaQuestion,
    arguments_of,
    classes_of,
    keeping_actions,
    places_of,
)
from burnside.kinds.highlevel.claims import asked_claims, unchanged_place
from burnside.kinds.highlevel.route import Route, is_wanted, route_of, unfolding_of
from burnside.kinds.highlevel.semantics import HighLevelSemantics
from burnside.kinds.highlevel.unfolded import (
    UnfoldedQuestion,
    unfolded_formula_question,
    unfolded_question,
)
from burnside.kinds.machine.complaints import explained
from burnside.kinds.typed import SEARCH_ENDED, action_orbits, broken_promise, expressions_of, group_facts
from burnside.limits import Deadline, search_time
from burnside.model import Model
from burnside.plan import Plan, refuse_for_highlevel_nets, without_effect
from burnside.records import replace
from burnside.request import Request
from burnside.semantics import FIRST_PROPERTY
from burnside.symmetry import Symmetries
from burnside.symmetry.elements import by_sort, describe, element_group, sort_images
from burnside.symmetry.highlevel import HighLevelSymmetry, check_broken, highlevel_symmetry
from burnside.symmetry.points import point_names
from burnside.temporal.atoms import Binder, Condition, Proposition
from burnside.unfolding.conditions import NotLinear

if TYPE_CHECKING:
    from burnside import _core
    from burnside.coverability.question import CoverabilityQuestion
    from burnside.graph import StateNames
    from burnside.kinds.highlevel.atoms import HighLevelAtoms
    from burnside.kinds.highlevel.lowering import Lowered
    from burnside.languages.hln.conditions import ConditionReader
    from burnside.temporal.reading import TemporalProperty


def question(model: Model, request: Request, deadline: Deadline) -> HighLevelQuestion | UnfoldedQuestion:
    refuse_for_highlevel_nets(request)
    asked = asked_claims(model, request)
    return _question(model, request, asked, (), deadline)


def _question(
    model: Model,
    request: Request,
    asked: Sequence[Claim],
    sums: Sequence[Sequence[int]],
    deadline: Deadline,
) -> HighLevelQuestion | UnfoldedQuestion:
    """`asked`: claims besides those of the net."""
    symmetry = _symmetry(model, asked, request, deadline)
    claims = (*_net(model).claims, *asked)
    route = route_of(model, symmetry, request, deadline)
    if route.unfolded is not None:
        try:
            return unfolded_question(model, request, route, claims, symmetry, sums)
        except NotLinear as reason:
            route = route.without_unfolding(reason, model, request)
    return HighLevelQuestion(model, request, claims, symmetry, route, sums)


def check_built(subject: HighLevelNet) -> None:
    from burnside.ir.highlevel.checking import check_net

    check_net(subject)


def built_reader(subject: HighLevelNet) -> ConditionReader:
    """Terms of the text format, over any high-level net."""
    from burnside.languages.hln.conditions import ConditionReader

    return ConditionReader(subject)


def semantics_of(subject: HighLevelNet) -> HighLevelSemantics:
    return HighLevelSemantics(subject)


def atom_reader(model: Model) -> HighLevelAtoms:
    from burnside.kinds.highlevel.atoms import HighLevelAtoms

    return HighLevelAtoms(_net(model), expressions_of(model))


def combined(model: Model, asked: TemporalProperty) -> TemporalProperty:
    from burnside.kinds.highlevel.combining import HighLevelCombining

    return HighLevelCombining(asked.propositions).combined(asked)


def formula_question(
    model: Model,
    request: Request,
    propositions: Sequence[Proposition],
    deadline: Deadline,
    *,
    each_instance: bool = False,
    individuals: tuple[tuple[int, int], ...] = (),
) -> FormulaQuestion:
    """Arguments of patterns are kept while symmetries are certified, as are the instances that they are about."""
    classes = classes_of(propositions)
    goals = tuple(
        Claim("goal", each.text, each.expression) for each in propositions if isinstance(each, Condition)
    )
    arguments = arguments_of(propositions)
    mentioned = tuple(Claim("goal", each.text, each.value) for each in arguments)
    symmetry = _symmetry(model, (*goals, *mentioned), request, deadline)
    symmetry = keeping_actions(symmetry, propositions, each_instance=each_instance)
    for each in arguments:
        symmetry = symmetry.keeping_instances([each.parameter[0]], each.text)
    if each_instance:
        symmetry = symmetry.keeping_instances(range(len(_net(model).transitions)), EACH_INSTANCE)
    route = route_of(model, symmetry, request, deadline)
    if route.unfolded is not None:
        try:
            return unfolded_formula_question(
                model, request, route, propositions, symmetry, each_instance=each_instance
            )
        except NotLinear as reason:
            route = route.without_unfolding(reason, model, request)
    claims = (*_net(model).claims, *goals)
    return FormulaQuestion(
        question=HighLevelQuestion(model, replace(request, deadlock=False), claims, symmetry, route),
        places=places_of(propositions, classes, FIRST_PROPERTY + len(_net(model).claims)),
        classes=classes,
    )


def value_moves(found: FormulaQuestion, binders: Sequence[Binder], names: BoundNames) -> Moves:
    def images(generator: SortImages, binder: Binder) -> Mapping[int, int]:
        type_ = binder.type
        return dict(enumerate(generator.get(type_.sort.name, ()))) if isinstance(type_, Element) else {}

    of = found.question
    generators = of.colours if isinstance(of, UnfoldedQuestion) else of.generators()
    return [[images(generator, each) for each in binders] for generator in generators]


def sums_question(
    model: Model, request: Request, sums: Sequence[Sequence[int]], deadline: Deadline
) -> HighLevelQuestion | UnfoldedQuestion:
    """Symmetries of values move no places."""
    return _question(model, request, (), sums, deadline)


def coverability_question(model: Model, request: Request) -> CoverabilityQuestion:
    from burnside.kinds.highlevel.coverability import cover_claims, question_of_unfolding

    refuse_for_highlevel_nets(request)
    if request.unfold is False:
        option = "--bounded" if request.bounded else "--cover"
        message = f"does not go together with {option}, which is decided on the unfolded net"
        raise UsageError(Diagnostic(message, source="--no-unfold"))
    claims = cover_claims(model, request)
    symmetry = _symmetry(model, claims, request, Deadline())
    unfolded = unfolding_of(model, None, Deadline())
    return question_of_unfolding(request, unfolded, claims, symmetry)


def symmetries(model: Model, request: Request) -> Symmetries:
    refuse_for_highlevel_nets(request)
    if request.unfold is False:
        raise without_effect("--no-unfold", "states to explore")
    asked = asked_claims(model, request)
    if is_wanted(request):
        return _question(model, request, asked, (), Deadline()).described()
    symmetry = _symmetry(model, asked, request, Deadline())
    return describe(symmetry, element_group(symmetry), model=model.name, language=model.language)


class HighLevelQuestion(Question):
    """The net with all that is claimed of it, and its certified group."""

    def __init__(
        self,
        model: Model,
        request: Request,
        claims: tuple[Claim, ...],
        symmetry: HighLevelSymmetry,
        route: Route,
        sums: Sequence[Sequence[int]] = (),
    ) -> None:
        """`sums`: sets of places of which the largest number of tokens is asked for."""
        self.model, self.net, self.claims, self.symmetry = model, _net(model), claims, symmetry
        self.route = route
        self.sums = (*sums, *([place] for place in range(len(self.net.places))), range(len(self.net.places)))
        self.asked_sums = len(sums)
        self._semantics = HighLevelSemantics(self.net, claims, deadlock=deadlock_is_asked(model, request))
        self.properties, self.actions = self._semantics.properties, self._semantics.actions
        self.element_group = element_group(symmetry)
        self.group = group_facts(symmetry, self.element_group)

    @property
    def semantics(self) -> HighLevelSemantics:
        return self._semantics

    def generators(self) -> Sequence[SortImages]:
        return by_sort(self.symmetry)

    def action_orbits(self) -> Sequence[Sequence[int]]:
        return action_orbits(self.symmetry, len(self.net.transitions))

    def names(self, states: Sequence[Marking]) -> StateNames:
        from burnside.kinds.highlevel.drawing import HighLevelNames

        return HighLevelNames(self.semantics, states)

    def compiled(self) -> CompiledHighLevel:
        return CompiledHighLevel(self)

    def explained(self) -> AbstractContextManager[None]:
        return explained(self.model)

    def described(self) -> Symmetries:
        return describe(
            self.symmetry, self.element_group, model=self.model.name, language=self.model.language
        )

    def found_sums(self, found: Exploration) -> Sequence[int]:
        return self._largest(found)[: self.asked_sums]

    def _largest(self, found: Exploration) -> list[int]:
        """By sum: what was asked for, each place, all places together."""
        numbers: list[int] = [] if found.core is None else found.core.facts["sums"]
        return [*numbers, *[0] * (len(self.sums) - len(numbers))]

    def stable_place(self, found: Exploration, dead: Collection[str]) -> str | None:
        return unchanged_place(self.net, self.properties, found)

    def facts(self, found: Exploration, plan: Plan) -> RunFacts:
        core = found.core
        named: dict[str, object] = {"route": self.route.described}
        if core is not None:
            *bounds, largest = self._largest(found)[self.asked_sums :]
            named |= {
                "bounds": dict(zip((each.name for each in self.net.places), bounds, strict=True)),
                "largest_total": largest,
            }
        # Markers are exact where they determine every state (Leuschel and Massart, Prop. 2).
        exact = plan.strength == "approximate" and core is not None and core.is_exact
        return RunFacts(
            strength="canonical" if exact else None,
            reason="markers determine every marking that was found, so they are exact here" if exact else "",
            named=named,
            notes=() if self.symmetry.in_time else (SEARCH_ENDED,),
        )


class CompiledHighLevel(Compiled):
    """The net inside the core, as a machine whose variables are its places."""

    handle: _core.Machine

    def __init__(self, question: HighLevelQuestion) -> None:
        from burnside.kinds.highlevel.lowering import lowered
        from burnside.kinds.machine import core_machine

        self.question, self.properties = question, question.properties
        self.lowered: Lowered = lowered(question.net, question.claims)
        machine = self.lowered.machine
        handle = core_machine(machine, question.model, assume_numbers=False)
        self.handle = handle.with_sums([list(each) for each in question.sums])
        self.group = element_group(_LoweredSymmetry(question.symmetry, machine.sorts))

    def method(self, plan: Plan) -> _core.Method:
        """As for machines, of which these are some."""
        return method_of(replace(plan, method="hybrid") if plan.method == "compare" else plan)

    def start_label(self, number: int) -> None:
        """The start of a net has no label."""

    def label(self, number: int) -> Instance:
        operation, arguments, _, _ = self.handle.event(number)
        return self.lowered.instance(operation, arguments)

    def state(self, values: Sequence[int]) -> Marking:
        return self.lowered.marking(self.handle.values(list(values)))

    def generator(self, images: Sequence[int]) -> SortImages:
        return sort_images(self.question.net.sorts, images)


class _LoweredSymmetry:
    """The same symmetries where there is one more sort, of Dot, which stays."""

    def __init__(self, symmetry: HighLevelSymmetry, sorts: tuple[Sort, ...]) -> None:
        self.sorts, self.refused = sorts, symmetry.refused
        self.complete, self.order, self.telling = symmetry.complete, symmetry.order, symmetry.telling
        more = sum(each.size for each in sorts[len(symmetry.sorts) :])
        points = sum(each.size for each in symmetry.sorts)
        stay = tuple(range(points, points + more))
        self.generators = [
            replace(each, permutation=(*each.permutation, *stay)) for each in symmetry.generators
        ]

    @property
    def point_names(self) -> tuple[str, ...]:
        return point_names(self)


def _symmetry(
    model: Model, claims: Sequence[Claim], request: Request, deadline: Deadline
) -> HighLevelSymmetry:
    """`claims`: besides those of the net's own text."""
    net = _net(model)
    if request.reduce == "none":
        check_broken(net, request.broken)
        return HighLevelSymmetry(net=net, generators=())
    found = highlevel_symmetry(
        net,
        conditions=claims,
        broken=request.broken,
        search=request.symmetry != "declared",
        deadline=search_time(deadline),
    )
    for refusal in found.refused if request.symmetry == "strict" else ():
        raise broken_promise(model, refusal, refusal.what.partition(" ")[2])
    return found


def _net(model: Model) -> HighLevelNet:
    assert isinstance(model.subject, HighLevelNet)
    return model.subject
