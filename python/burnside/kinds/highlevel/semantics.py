"""The semantics of high-level nets: markings of typed tokens, instances of transitions, conditions on markings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from burnside.ir.highlevel.net import Claim, HighLevelNet, Instance, Marking
from burnside.ir.highlevel.terms import Term
from burnside.ir.highlevel.types import Bag
from burnside.ir.highlevel.values import SortImages, order_key, permuted, show_instance, show_tokens
from burnside.kinds.highlevel.enabling import Enabling
from burnside.kinds.highlevel.shown import ShownMarking
from burnside.reference.highlevel.evaluation import Undefined, evaluate
from burnside.reference.highlevel.firing import fire, initial_marking, is_enabled
from burnside.semantics import FIRST_PROPERTY, Failure, Judgement, Semantics, Step, properties_by_number
from burnside.symmetry.elements import show_permutation
from burnside.temporal.atoms import ActionPattern
from burnside.words import printable

Label = Instance | None
"""None is the start."""


class HighLevelSemantics(Semantics[Marking, Label, SortImages]):
    """A high-level net with the conditions of its text and of the user, which are numbered in their order. A condition
    without a value is an error of the model."""

    noun = "transition"

    def __init__(
        self, net: HighLevelNet, claims: Sequence[Claim] | None = None, *, deadlock: bool = False
    ) -> None:
        """`claims`: instead of those of the net."""
        self.net, self.name = net, net.name
        self.actions = [each.name for each in net.transitions]
        claims = net.claims if claims is None else claims
        self.claims = dict(enumerate(claims, start=FIRST_PROPERTY))
        self.properties = properties_by_number(
            self.claims.values(), deadlock=deadlock, error=bool(self.claims)
        )

    @cached_property
    def _enabling(self) -> Enabling:
        return Enabling(self.net)

    @cached_property
    def _initial(self) -> Marking:
        return initial_marking(self.net)

    def starts(self) -> Sequence[Step[Marking, Label]]:
        return [Step(None, self._initial)]

    def steps(self, state: Marking) -> Iterator[Step[Marking, Label]]:
        return (Step(each, fire(self.net, state, each)) for each in self._enabling.instances(state))

    def step(self, state: Marking | None, label: Label) -> Sequence[Step[Marking, Label]]:
        if state is None or label is None:
            return [each for each in self.starts() if state is None and label is None]
        return [Step(label, fire(self.net, state, label))] if is_enabled(self.net, state, label) else []

    def judge(self, state: Marking) -> Judgement:
        violated, reached, failures = [], [], []
        for number, claim in self.claims.items():
            holds = self._value(claim, state, number)
            if isinstance(holds, Failure):
                failures.append(holds)
            elif claim.kind in ("goal", "stable") and holds:
                reached.append(number)
            elif claim.kind in ("invariant", "safe") and not holds:
                violated.append(number)
        return Judgement(tuple(violated), tuple(reached), failures=tuple(failures))

    def _value(self, claim: Claim, state: Marking, number: int) -> bool | Failure:
        try:
            return bool(evaluate(claim.condition, {}, state))
        except Undefined:
            message = f"'{claim.name}' has no value"
            return Failure(message, claim.span, evaluated=number)

    def tokens(self, state: Marking, places: Sequence[int]) -> int:
        """In all of these places together."""
        return sum(number for place in places for _, number in state[place])

    def satisfies(self, expression: Term, state: Marking) -> bool | Failure:
        try:
            return bool(evaluate(expression, {}, state))
        except Undefined:
            return Failure("a condition has no value", getattr(expression, "span", None))

    def matches(self, pattern: ActionPattern, state: Marking, label: Label) -> bool:
        if label is None or label[0] != pattern.action:
            return False
        wanted = pattern.arguments or ()
        return all(
            term is None or evaluate(term, {}, state) == value
            for term, value in zip(wanted, label[1], strict=bool(wanted))
        )

    def arguments(self, instance: Instance) -> Sequence[object]:
        return instance[1]

    # Symmetry

    def permute(self, generator: SortImages, state: Marking) -> Marking:
        pairs = zip(self.net.places, state, strict=True)
        return tuple(permuted(Bag(place.type), tokens, generator) for place, tokens in pairs)

    def permute_instance(self, generator: SortImages, instance: object) -> Instance:
        """Of a transition that symmetries map to itself."""
        assert isinstance(instance, tuple)
        transition, values = instance
        variables = self.net.transitions[transition].variables
        pairs = zip(variables, values, strict=True)
        return transition, tuple(permuted(each.type, value, generator) for each, value in pairs)

    def order(self, state: Marking) -> object:
        pairs = zip(self.net.places, state, strict=True)
        return tuple(order_key(Bag(place.type), tokens) for place, tokens in pairs)

    def action(self, label: Label) -> int | None:
        return None if label is None else label[0]

    # Words

    def show_label(self, label: Label) -> str:
        if label is None:
            return "initial marking"
        transition = self.net.transitions[label[0]]
        return show_instance(
            transition.name, [(each.name, each.type) for each in transition.variables], label[1]
        )

    def show_start(self, label: Label) -> str | None:
        return None

    def show_generator(self, generator: SortImages) -> str:
        return show_permutation(self.net.sorts, generator)

    def show_state(self, state: Marking) -> Mapping[str, str]:
        pairs = zip(self.net.places, state, strict=True)
        return {place.name: show_tokens(place.type, tokens) for place, tokens in pairs if tokens}

    def full_state(self, state: Marking) -> ShownMarking:
        return ShownMarking(self.net, state)

    def summary(self, state: Marking, before: Marking | None) -> str:
        if before is None:
            return ", ".join(self.words(state))
        return ", ".join(self.full_state(state).changes_from(self.full_state(before))) or "no change"

    def words(self, state: Marking) -> list[str]:
        shown = self.show_state(state).items()
        return [f"{printable(name)}: {tokens}" for name, tokens in shown] or ["no tokens"]
