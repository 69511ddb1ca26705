"""The unfolded route: a high-level net is explored as the place/transition net that it unfolds to.

In: the net, its unfolding, claims, certified symmetries. Out: an `UnfoldedQuestion`, whose states, labels and properties are
those of the high-level net. Its group is that of the unfolded net: what the symmetries of the high-level net are there,
certified again, and on request the net's own automorphisms besides.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from burnside.engine import Compiled, claims_of, exploration_of
from burnside.exploration import Exploration
from burnside.ir.highlevel.net import Claim, Instance, Marking
from burnside.ir.highlevel.terms import Apply
from burnside.ir.highlevel.types import BOOLEAN
from burnside.kinds import Question, RunFacts, deadlock_is_asked
from burnside.kinds.formulas import FormulaQuestion
from burnside.kinds.highlevel.claims import unchanged_place
from burnside.kinds.highlevel.route import Route
from burnside.kinds.highlevel.semantics import HighLevelSemantics
from burnside.kinds.net import CompiledNet, NetQuestion, net_formula_question, sum_of_places
from burnside.kinds.net.semantics import NetSemantics, Permutation
from burnside.kinds.typed import dropped
from burnside.languages.net_expressions import Expression
from burnside.model import Model
from burnside.plan import Plan
from burnside.records import replace
from burnside.request import Request
from burnside.symmetry.elements import by_sort
from burnside.symmetry.highlevel import HighLevelSymmetry
from burnside.temporal.atoms import ActionPattern, Condition, Enabled, NextAction, Patterns, Proposition
from burnside.unfolding import Unfolded
from burnside.unfolding.conditions import Conditions
from burnside.unfolding.symmetry import given_symmetries

if TYPE_CHECKING:
    from burnside import _core
    from burnside.graph import StateNames
    from burnside.symmetry import Symmetries


class UnfoldedSemantics(HighLevelSemantics):
    """The high-level net, with symmetries that are permutations of the places of its unfolding."""

    def __init__(self, unfolded: Unfolded, claims: Sequence[Claim], *, deadlock: bool) -> None:
        super().__init__(unfolded.source, claims, deadlock=deadlock)
        self.unfolded = unfolded
        self.below = NetSemantics(unfolded.net)

    def permute(self, generator: Any, state: Marking) -> Marking:
        below = self.unfolded.state(state)
        assert below is not None
        return self.unfolded.marking(self.below.permute(generator, below))

    def show_generator(self, generator: Any) -> str:
        return self.below.show_generator(generator)


class UnfoldedQuestion(Question):
    """The high-level net with all that is claimed of it. `inner`: the same of its unfolding."""

    def __init__(
        self,
        model: Model,
        request: Request,
        route: Route,
        claims: Sequence[Claim],
        symmetry: HighLevelSymmetry,
        inner: NetQuestion,
        sums: Sequence[Sequence[int]] = (),
        asked_sums: int = 0,
    ) -> None:
        """`inner`: with a goal for each claim, in their order. `sums`: sets of its places, first those that are asked
        for."""
        assert route.unfolded is not None
        self.model, self.route, self.unfolded, self.inner = model, route, route.unfolded, inner
        self.net, self.colours = self.unfolded.source, by_sort(symmetry)
        self.sums, self.asked_sums = sums, asked_sums
        unfolded = self.unfolded
        self._semantics = UnfoldedSemantics(unfolded, claims, deadlock=deadlock_is_asked(model, request))
        self.properties, self.actions = self._semantics.properties, self._semantics.actions
        self.group = inner.group

    @property
    def semantics(self) -> UnfoldedSemantics:
        return self._semantics

    def generators(self) -> Sequence[Permutation]:
        return self.inner.generators()

    def names(self, states: Sequence[Marking]) -> StateNames:
        from burnside.kinds.highlevel.drawing import HighLevelNames

        return HighLevelNames(self.semantics, states)

    def compiled(self) -> CompiledUnfolded:
        return CompiledUnfolded(self)

    def described(self) -> Symmetries:
        return self.inner.described()

    def orbits_are_whole(self, plan: Plan) -> bool:
        return self.inner.orbits_are_whole(plan)

    def found_sums(self, found: Exploration) -> Sequence[int]:
        return self._largest(found)[: self.asked_sums]

    def _largest(self, found: Exploration) -> list[int]:
        """By sum that is asked for, then by place: 0 where nothing is ever there."""
        numbers = iter(self.inner.found_sums(found))
        return [next(numbers) if places else 0 for places in self.sums]

    def stable_place(self, found: Exploration, dead: Collection[str]) -> str | None:
        return unchanged_place(self.net, self.properties, found)

    def facts(self, found: Exploration, plan: Plan) -> RunFacts:
        below = self.inner.facts(found, plan)
        bounds = self._largest(found)[self.asked_sums :]
        names = (each.name for each in self.net.places)
        known = dict(zip(names, bounds, strict=True)) if bounds else None
        return replace(below, named={**below.named, "bounds": known, "route": self.route.described})


class CompiledUnfolded(Compiled):
    """The unfolded net inside the core, in markings and instances of the high-level net."""

    def __init__(self, question: UnfoldedQuestion) -> None:
        self.below, self.unfolded = CompiledNet(question.inner), question.unfolded
        self.handle, self.group, self.properties = self.below.handle, self.below.group, question.properties

    def answer(self, found: _core.Exploration) -> Exploration:
        return exploration_of(found, claims_of(self, found.violations), firings=self._firings(found.firings))

    def _firings(self, below: Sequence[int]) -> list[int]:
        """By transition of the high-level net. What fires stands for all that symmetries exchange it with, so each orbit
        that an instance belongs to is counted."""
        found = [0] * len(self.unfolded.source.transitions)
        for orbit in self.below.group.transition_orbits():
            times = sum(below[number] for number in orbit if number < len(below))
            for transition in {self.unfolded.instance(number)[0] for number in orbit} if times else ():
                found[transition] += times
        return found

    def start_label(self, number: int) -> None:
        """The start of a net has no label."""

    def label(self, number: int) -> Instance:
        return self.unfolded.instance(number)

    def state(self, values: Sequence[int]) -> Marking:
        return self.unfolded.marking(self.below.state(values))

    def generator(self, images: Sequence[int]) -> Permutation:
        return self.below.generator(images)

    def instance_image(self, semantics: Any, element: Sequence[int], instance: Any) -> Any:
        number = self.unfolded.transition_number(instance)
        assert number is not None
        return self.unfolded.instance(self.below.instance_image(None, element, number))


def unfolded_question(
    model: Model,
    request: Request,
    route: Route,
    claims: Sequence[Claim],
    symmetry: HighLevelSymmetry,
    sums: Sequence[Sequence[int]] = (),
) -> UnfoldedQuestion:
    """NotLinear where a claim cannot be translated. `sums`: sets of places of the high-level net."""
    unfolded = route.unfolded
    assert unfolded is not None
    conditions = Conditions(unfolded)
    goals = tuple(_goal(each, conditions) for each in claims)
    each_place = () if request.automorphisms else ([at] for at in range(len(unfolded.source.places)))
    below = [[at for place in places for at in unfolded.places_of(place)] for places in (*sums, *each_place)]
    inner = NetQuestion(
        replace(model, subject=unfolded.net),
        _request_below(request),
        goals,
        sums=tuple(sum_of_places(places) for places in below if places),
        given=given_symmetries(unfolded, symmetry.generators),
    )
    _tell_restrictions(inner, symmetry)
    return UnfoldedQuestion(model, request, route, claims, symmetry, inner, below, len(sums))


def unfolded_formula_question(
    model: Model,
    request: Request,
    route: Route,
    propositions: Sequence[Proposition],
    symmetry: HighLevelSymmetry,
    *,
    each_instance: bool,
) -> FormulaQuestion:
    """Propositions are evaluated on the unfolded net; none is a claim."""
    unfolded = route.unfolded
    assert unfolded is not None
    conditions = Conditions(unfolded)
    below = [_proposition(each, conditions) for each in propositions]
    found = net_formula_question(
        replace(model, subject=unfolded.net),
        _request_below(request),
        below,
        each_instance=each_instance,
        given=given_symmetries(unfolded, symmetry.generators),
    )
    assert isinstance(found.question, NetQuestion)
    _tell_restrictions(found.question, symmetry)
    asked = replace(request, deadlock=False)
    question = UnfoldedQuestion(model, asked, route, (), symmetry, found.question)
    return replace(found, question=question, classes=_classes(found.classes, propositions, below))


def _classes(
    found: Sequence[Patterns], propositions: Sequence[Proposition], below: Sequence[Proposition]
) -> tuple[Patterns, ...]:
    """Classes of steps of the unfolded net, in terms of the high-level net. They are others than those of its own
    propositions: there, what is enabled is a condition, and different patterns may mean the same transitions."""
    meant: dict[Patterns, Patterns] = {}
    for each, translated in zip(propositions, below, strict=True):
        if isinstance(each, NextAction) and isinstance(translated, NextAction):
            meant.setdefault(translated.patterns, each.patterns)
    return tuple(meant[each] for each in found)


def _request_below(request: Request) -> Request:
    """What is asked of the unfolded net besides what is translated."""
    return replace(
        request,
        invariants=(),
        goals=(),
        propositions=(),
        safe=False,
        symmetry="auto" if request.automorphisms else "declared",
        broken=(),
    )


def _tell_restrictions(inner: NetQuestion, symmetry: HighLevelSymmetry) -> None:
    by = dict.fromkeys((*symmetry.restricted_by, *inner.group.restricted_by))
    inner.group = replace(
        inner.group, restricted_by=tuple(by), complete=symmetry.complete, dropped=dropped(symmetry)
    )


def _goal(claim: Claim, conditions: Conditions) -> Expression:
    """What is reached where the claim is violated; a goal itself."""
    reached = claim.condition
    if claim.kind in ("invariant", "safe"):
        reached = Apply("not", (reached,), BOOLEAN, getattr(reached, "span", None))
    return conditions.expression(reached, claim.name)


def _proposition(proposition: Proposition, conditions: Conditions) -> Proposition:
    match proposition:
        case Condition(expression, text):
            return replace(proposition, expression=conditions.expression(expression, text))
        case Enabled(patterns, text):
            return Condition(conditions.enabled(patterns, text), text)
        case NextAction(patterns):
            below = {number for each in patterns for number in conditions.transitions(each)}
            return replace(proposition, patterns=tuple(map(ActionPattern, sorted(below))))
        case _:
            return proposition
