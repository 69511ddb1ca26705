"""Place/transition nets: what is asked of them, their automorphisms, and how they cross into the core."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any

from burnside.diagnostics import Diagnostic, RefusedError
from burnside.engine import Compiled
from burnside.exploration import Exploration
from burnside.kinds import GroupFacts, Question, RunFacts, deadlock_is_asked
from burnside.kinds.formulas import FormulaQuestion, class_texts, classes_of, places_of
from burnside.kinds.net.semantics import ONE_SAFE, Marking, NetProperty, NetSemantics, Permutation, Transition
from burnside.limits import Deadline, search_time
from burnside.model import Model
from burnside.net import Arcs, Net
from burnside.plan import Plan, refuse_for_nets
from burnside.records import replace
from burnside.request import Request
from burnside.semantics import FIRST_PROPERTY
from burnside.symmetry import Symmetries
from burnside.symmetry.nets import (
    GivenSymmetry,
    SymmetryScope,
    core_net,
    describe,
    fixed_markings,
    net_symmetries,
    restricted_group,
)
from burnside.temporal.atoms import ActionPattern, Condition, Enabled, Initial, Patterns, Proposition

if TYPE_CHECKING:
    from burnside import _core
    from burnside.coverability.question import CoverabilityQuestion
    from burnside.graph import StateGraph, StateNames
    from burnside.kinds import BoundNames, Moves
    from burnside.kinds.net.atoms import NetAtoms
    from burnside.languages.net_expressions import Expression
    from burnside.temporal.atoms import Binder
    from burnside.temporal.reading import TemporalProperty


NetArcs = tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]
"""What a transition consumes and what it produces: places and weights."""


def question(model: Model, request: Request, deadline: Deadline) -> NetQuestion:
    refuse_for_nets(request)
    return NetQuestion(model, request)


def check_built(subject: Net) -> None:
    """The core checks arcs when the net crosses over."""


def semantics_of(subject: Net) -> NetSemantics:
    return NetSemantics(subject)


def atom_reader(model: Model) -> NetAtoms:
    from burnside.kinds.net.atoms import NetAtoms

    return NetAtoms(_net(model))


def symmetries(model: Model, request: Request) -> Symmetries:
    refuse_for_nets(request)
    net = _net(model)
    invariants, goals = _expressions(net, request)
    named = {"model": model.name, "language": model.language}
    return net_symmetries(net, _scope(net, request), (*invariants, *goals), **named)


def sums_question(
    model: Model, request: Request, sums: Sequence[Sequence[int]], deadline: Deadline
) -> NetQuestion:
    return NetQuestion(model, request, sums=tuple(sum_of_places(each) for each in sums))


def sum_of_places(places: Sequence[int]) -> Expression:
    """As a comparison, by which symmetries are certified to keep the sum."""
    from burnside.languages.net_expressions import Expression, conditions

    core = ("<=", sorted(Counter(places).items()), 0)
    return Expression(f"a sum of {len(places)} places", core, conditions.places(core))


def group_of(net: Net, request: Request) -> _core.Group:
    """The group alone, for its orbits by number."""
    return restricted_group(core_net(net), _scope(net, request), ()).group


def coverability_question(model: Model, request: Request) -> CoverabilityQuestion:
    from burnside.coverability.question import question_of

    refuse_for_nets(request)
    return question_of(_net(model), request)


def combined(model: Model, asked: TemporalProperty) -> TemporalProperty:
    from burnside.kinds.net.combining import NetCombining

    return NetCombining(_net(model), asked.propositions).combined(asked)


def formula_question(
    model: Model,
    request: Request,
    propositions: Sequence[Proposition],
    deadline: Deadline,
    *,
    each_instance: bool = False,
    individuals: tuple[tuple[int, int], ...] = (),
) -> FormulaQuestion:
    return net_formula_question(model, request, propositions, each_instance=each_instance)


def net_formula_question(
    model: Model,
    request: Request,
    propositions: Sequence[Proposition],
    *,
    each_instance: bool,
    given: tuple[GivenSymmetry, ...] = (),
) -> FormulaQuestion:
    """Whether a transition is enabled is a condition on the marking. `given`: symmetries that are known already."""
    net = _net(model)
    conditions = [_as_condition(net, each) for each in propositions]
    classes = classes_of(conditions)
    asked = replace(request, invariants=(), goals=(), safe=False, deadlock=False)
    goals = tuple(each.expression for each in conditions if isinstance(each, Condition))
    marked_classes = (*classes, *_identical(net)) if each_instance else classes
    question = NetQuestion(
        model, asked, goals, marked_classes, keeps_start=Initial() in propositions, given=given
    )
    moved = _moved_classes(question, asked, zip(classes, class_texts(conditions), strict=True))
    restricted_by = (*question.group.restricted_by, *moved)
    question.group = replace(question.group, restricted_by=tuple(dict.fromkeys(restricted_by)))
    return FormulaQuestion(
        question=question, places=places_of(conditions, classes, FIRST_PROPERTY), classes=classes
    )


def value_moves(found: FormulaQuestion, binders: Sequence[Binder], names: BoundNames) -> Moves:
    """Nothing in a net has quantified names."""
    return ()


def _as_condition(net: Net, proposition: Proposition) -> Proposition:
    if not isinstance(proposition, Enabled):
        return proposition
    from burnside.languages.net_expressions import enabledness

    transitions = [each.action for each in proposition.patterns]
    return Condition(enabledness(net, transitions, proposition.text), proposition.text)


def _moved_classes(
    question: NetQuestion, request: Request, classes: Iterable[tuple[Patterns, str]]
) -> Iterator[str]:
    """Atoms about steps that cost symmetries: those whose classes are moved if nothing but conditions is kept."""
    if question.inside is question.net:
        return
    scope = _scope(question.net, request)
    generators = restricted_group(core_net(question.net), scope, question.goals).group.generators()
    for patterns, text in classes:
        transitions = {each.action for each in patterns}
        if any({images[each] for each in transitions} != transitions for _, images, _ in generators):
            yield text


def _identical(net: Net) -> Iterator[Patterns]:
    """A class for each transition that differs from one before in nothing but places that never change: symmetries do not
    say which of these is which, and the core takes transitions with the same arcs for one."""
    seen: set[object] = set()
    changing = _changing(net)
    for transition in range(len(net.transitions)):
        arcs = _arcs(net, transition, changing)
        if arcs in seen:
            yield (ActionPattern(transition),)
        seen.add(arcs)


def _changing(net: Net) -> frozenset[int]:
    """Places whose number of tokens some transition changes."""
    sides = zip(net.consumes, net.produces, strict=True)
    return frozenset(place for consumed, produced in sides for place, _ in set(consumed) ^ set(produced))


def _arcs(net: Net, transition: int, places: Container[int], images: Sequence[int] | None = None) -> NetArcs:
    """The arcs of a transition at some places, with images in their place."""

    def side(arcs: Arcs) -> frozenset[tuple[int, int]]:
        return frozenset(
            (place if images is None else images[place], weight) for place, weight in arcs if place in places
        )

    return side(net.consumes[transition]), side(net.produces[transition])


def marked(net: Net, classes: Sequence[Patterns]) -> Net:
    """The net with one more place for each class of steps, which its transitions need and give back. It always holds the
    same number of tokens, so nothing changes; but symmetries keep the class, as no other place has arcs of that weight, and
    no transition of it is identical with one outside."""
    places, initial = list(net.places), list(net.initial)
    consumes, produces = list(net.consumes), list(net.produces)
    used = {weight for arcs in (*consumes, *produces) for _, weight in arcs}
    unused = (weight for weight in count(1) if weight not in used)
    for weight, patterns in zip(unused, classes, strict=False):
        for transition in {each.action for each in patterns}:
            consumes[transition] = (*consumes[transition], (len(places), weight))
            produces[transition] = (*produces[transition], (len(places), weight))
        places.append(f"class {weight}")
        initial.append(weight)
    return replace(
        net,
        places=tuple(places),
        initial=tuple(initial),
        consumes=tuple(consumes),
        produces=tuple(produces),
    )


class NetQuestion(Question):
    """The net as the core holds it, and its group restricted to what keeps the properties. `more_goals`: conditions that
    were read already. `classes`: sets of transitions that symmetries must keep. `sums`: comparisons of sums of places whose
    largest values are asked for. `given`: symmetries that are known already. `keeps_start`: is a group asked for that fixes
    the initial marking, whatever the request says?"""

    def __init__(
        self,
        model: Model,
        request: Request,
        more_goals: tuple[Expression, ...] = (),
        classes: Sequence[Patterns] = (),
        sums: tuple[Expression, ...] = (),
        *,
        keeps_start: bool = False,
        given: tuple[GivenSymmetry, ...] = (),
    ) -> None:
        self.model, self.net, self.safe = model, _net(model), request.safe
        self.invariants, self.goals = _expressions(self.net, request)
        self.goals += more_goals
        self.sums = sums
        conditions = [ONE_SAFE] if self.safe else []
        conditions += [_invariant(each) for each in self.invariants] + [_goal(each) for each in self.goals]
        self._semantics = NetSemantics(self.net, conditions, deadlock=deadlock_is_asked(model, request))
        self.properties, self.actions = self._semantics.properties, self._semantics.actions
        self.inside = inside = marked(self.net, classes) if classes else self.net
        self.handle = core_net(inside)
        kept = (*self.invariants, *self.goals, *self.sums)
        scope = _scope(inside, request, given)
        if keeps_start:
            scope = replace(scope, fixing=(*scope.fixing, inside.initial))
        restricted = restricted_group(self.handle, scope, kept)
        self.core_group = restricted.group
        self.group = GroupFacts(
            order=self.core_group.order,
            acting_order=self.core_group.acting_order,
            generators=self.core_group.generator_count,
            complete=self.core_group.complete,
            typed=False,
            restricted_by=restricted.restricted_by,
        )
        self.in_time = restricted.in_time

    @property
    def semantics(self) -> NetSemantics:
        return self._semantics

    def generators(self) -> Sequence[Permutation]:
        return [(places, transitions) for places, transitions, _ in self.core_group.generators()]

    def action_orbits(self) -> Sequence[Sequence[int]]:
        return self.core_group.transition_orbits()

    def compiled(self) -> CompiledNet:
        return CompiledNet(self)

    def names(self, states: Sequence[Marking]) -> StateNames:
        from burnside.kinds.net.drawing import NetNames

        return NetNames(self.semantics)

    def described(self) -> Symmetries:
        return describe(self.net, self.core_group, model=self.model.name, language=self.model.language)

    def orbits_are_whole(self, plan: Plan) -> bool:
        """Only where the group fixes the initial marking (Junttila 2003, 2.13)."""
        return self.core_group.fixes(self.net.initial)

    def found_sums(self, found: Exploration) -> Sequence[int]:
        numbers: list[int] = [] if found.core is None else found.core.facts["sums"]
        # A sum that was always 0 may not have been recorded.
        return [*numbers, *[0] * (len(self.sums) - len(numbers))]

    def stable_place(self, found: Exploration, dead: Collection[str]) -> str | None:
        """A place keeps its number if and only if no transition that changes it is enabled anywhere."""
        net = self.net
        changed = {
            place
            for number, name in enumerate(net.transitions)
            if name not in dead
            for place, _ in set(net.consumes[number]) ^ set(net.produces[number])
        }
        stable = (at for at in range(len(net.places)) if at not in changed)
        return next((f"{net.places[at]} always holds {net.initial[at]}" for at in stable), None)

    def facts(self, found: Exploration, plan: Plan) -> RunFacts:
        whole = self.orbits_are_whole(plan)
        core: Any = found.core
        if core is None:
            bounds, largest = most_tokens(self.net, found.stored, self.core_group.place_orbits())
        else:
            bounds, largest = core.facts["bounds"], core.facts["largest_total"]
        named = {
            "bounds": dict(zip(self.net.places, bounds, strict=True)) if whole else None,
            "largest_total": largest,
        }
        notes = _notes(found, whole=whole, in_time=self.in_time)
        return RunFacts(orbits_are_whole=whole, named=named, notes=tuple(notes))


def most_tokens(
    net: Net, markings: Sequence[Marking], place_orbits: Sequence[Sequence[int]]
) -> tuple[list[int], int]:
    """By place, over the orbits of the markings, and in all places together."""
    most = [max((marking[place] for marking in markings), default=0) for place in range(len(net.places))]
    for orbit in place_orbits:
        largest = max(most[place] for place in orbit)
        for place in orbit:
            most[place] = largest
    return most, max(map(sum, markings), default=0)


class CompiledNet(Compiled):
    """The net inside the core, with the properties that are asked."""

    def __init__(self, question: NetQuestion) -> None:
        asked: list[tuple[str, Any]] = [("safe", None)] if question.safe else []
        asked += [("invariant", each.core) for each in question.invariants]
        asked += [("goal", each.core) for each in question.goals]
        asked += [("sum", each.core) for each in question.sums]
        self.handle = question.handle.with_properties(asked)
        self.group, self.properties = question.core_group, question.properties
        self.source, self.places = question.model.name, len(question.net.places)
        self.inside = question.inside

    def start_label(self, number: int) -> None:
        """The start of a net has no label."""

    def graph(self, plan: Plan, max_states: int) -> StateGraph:
        from burnside import _core

        try:
            return super().graph(plan, max_states)
        except _core.TooLargeError:
            message = "a place holds more tokens than 64 bits can count"
            raise RefusedError(Diagnostic(message, source=self.source)) from None

    def label(self, number: Transition) -> Transition:
        return number

    def state(self, values: Sequence[int]) -> Marking:
        return tuple(values[: self.places])

    def generator(self, images: Sequence[int]) -> Permutation:
        return images[: self.places], ()

    def instance_image(self, semantics: Any, element: Sequence[int], instance: int) -> int:
        """By its arcs at places that change, and at those that were added: these stay where they are."""
        return self._by_arcs[self._key(instance, element)]

    def _key(self, transition: int, images: Sequence[int] | None) -> tuple[NetArcs, NetArcs]:
        moved = _arcs(self.inside, transition, self._changing, images)
        added = range(self.places, len(self.inside.places))
        return moved, _arcs(self.inside, transition, added)

    @cached_property
    def _changing(self) -> frozenset[int]:
        return _changing(self.inside)

    @cached_property
    def _by_arcs(self) -> dict[tuple[NetArcs, NetArcs], int]:
        return {self._key(each, None): each for each in range(len(self.inside.transitions))}


def _net(model: Model) -> Net:
    assert isinstance(model.subject, Net)
    return model.subject


def _expressions(net: Net, request: Request) -> tuple[tuple[Expression, ...], tuple[Expression, ...]]:
    """The invariants and the goals of a request, parsed against the net's names."""
    if not request.invariants and not request.all_goals:
        return (), ()
    from burnside.languages.net_expressions import parse_expression

    return (
        tuple(parse_expression(text, net, "--invariant") for text in request.invariants),
        tuple(parse_expression(text, net, option) for option, text in request.all_goals),
    )


def _invariant(expression: Expression) -> NetProperty:
    return NetProperty("invariant", expression.text, lambda marking: not expression.evaluate(marking))


def _goal(expression: Expression) -> NetProperty:
    return NetProperty("goal", expression.text, lambda marking: bool(expression.evaluate(marking)))


def _scope(net: Net, request: Request, given: tuple[GivenSymmetry, ...] = ()) -> SymmetryScope:
    """Nothing is searched for where nothing would be used."""
    unused = request.reduce == "none" or request.symmetry == "declared"
    extended = () if request.reduce == "none" else tuple(each.extended(len(net.places)) for each in given)
    fixing = fixed_markings(request.fixing, net)
    return SymmetryScope(fixing, declared_only=unused, given=extended, deadline=_search_time(request))


def _search_time(request: Request) -> Deadline:
    """A method that was asked for waits for the group as long as it takes."""
    deadline = Deadline(request.limits.seconds)
    return search_time(deadline) if request.reduce == "auto" else deadline


def _notes(found: Exploration, *, whole: bool, in_time: bool) -> Iterator[str]:
    if not in_time:
        from burnside.kinds.typed import SEARCH_ENDED

        yield SEARCH_ENDED
    if found.stopped == "overflow":
        yield "a place would hold more than 2^64 - 1 tokens: the net is most likely unbounded"
    if not whole:
        yield (
            "the group moves the initial marking: the number of full states, the bounds of single places "
            "and the dead transitions are not known"
        )
