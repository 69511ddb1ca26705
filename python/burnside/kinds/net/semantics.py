"""The semantics of place/transition nets: markings, firing by the plain rule, conditions on markings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from burnside.net import MAX_TOKENS, Net
from burnside.records import record
from burnside.semantics import FIRST_PROPERTY, Judgement, Semantics, Step, properties_by_number
from burnside.words import printable

if TYPE_CHECKING:
    from burnside.languages.net_expressions import Expression

Marking = tuple[int, ...]
Transition = int | None
"""None is the start."""
Permutation = tuple[Sequence[int], Sequence[int]]
"""The images of the places and of the transitions."""


@record
class NetProperty:
    """A property of a net, as a test for markings that violate it; a goal is violated where it is reached."""

    kind: str
    name: str
    violated_by: Callable[[Marking], bool]


ONE_SAFE = NetProperty("safe", "1-safe", lambda marking: max(marking, default=0) > 1)


class NetSemantics(Semantics[Marking, Transition, Permutation]):
    """A net with properties, which are numbered in their order."""

    noun = "transition"

    def __init__(self, net: Net, own: Sequence[NetProperty] = (), *, deadlock: bool = False) -> None:
        self.net, self.own_properties = net, dict(enumerate(own, start=FIRST_PROPERTY))
        self.name, self.actions = net.name, net.transitions
        self.properties = properties_by_number(own, deadlock=deadlock, error=False)

    def starts(self) -> Sequence[Step[Marking, Transition]]:
        return [Step(None, self.net.initial)]

    def steps(self, state: Marking) -> Iterator[Step[Marking, Transition]]:
        return (Step(number, self.net.fire(state, number)) for number in self.net.enabled(state))

    def step(self, state: Marking | None, label: Transition) -> Sequence[Step[Marking, Transition]]:
        if state is None or label is None:
            return [each for each in self.starts() if state is None and label is None]
        known = 0 <= label < len(self.net.transitions)
        enabled = known and self.net.is_enabled(state, label)
        return [Step(label, self.net.fire(state, label))] if enabled else []

    def judge(self, state: Marking) -> Judgement:
        found = [at for at, each in self.own_properties.items() if each.violated_by(state)]
        goals = [at for at in found if self.own_properties[at].kind == "goal"]
        return Judgement(tuple(at for at in found if at not in goals), tuple(goals))

    def satisfies(self, expression: Expression, state: Marking) -> bool:
        return expression.evaluate(state)

    def stops(self, state: Marking) -> str | None:
        return "overflow" if max(state, default=0) > MAX_TOKENS else None

    def permute(self, generator: Permutation, state: Marking) -> Marking:
        from burnside.reference.permutations import move

        return move(generator[0], state)

    def certify(self, generator: Permutation) -> str | None:
        from burnside.reference.symmetries import certify

        return certify(self.net, generator)

    def tokens(self, state: Marking, places: Sequence[int]) -> int:
        """In all of these places together."""
        return sum(state[place] for place in places)

    def action(self, label: Transition) -> int | None:
        return label

    def show_label(self, label: Transition) -> str:
        known = label is not None and 0 <= label < len(self.net.transitions)
        return self.net.transitions[label or 0] if known else f"transition {label}"

    def show_start(self, label: Transition) -> str | None:
        return None

    def show_generator(self, generator: Permutation) -> str:
        from burnside.symmetry.cycles import cycle_notation, cycles

        return cycle_notation(cycles(generator[0]), self.net.places)

    def show_state(self, state: Marking) -> Mapping[str, str]:
        return {name: str(count) for name, count in zip(self.net.places, state, strict=True) if count}

    def full_state(self, state: Marking) -> Mapping[str, str]:
        return NamedMarking(self.net, state)

    def words(self, state: Marking) -> list[str]:
        shown = self.show_state(state).items()
        return [name if tokens == "1" else f"{name} = {tokens}" for name, tokens in shown] or ["no tokens"]

    def lines(self, state: Marking) -> list[str]:
        return [self.summary(state, None)]

    def summary(self, state: Marking, before: Marking | None) -> str:
        return " ".join(marking_words(self.net, state)) or "no tokens"


class NamedMarking(Mapping[str, str]):
    """A marking under the user's names; as dictionaries, long traces of large nets would fill the memory."""

    __slots__ = ("_marking", "_net")

    def __init__(self, net: Net, marking: Marking) -> None:
        self._net = net
        self._marking = marking

    def __getitem__(self, place: str) -> str:
        return str(self._marking[self._net.place_numbers[place]])

    def __iter__(self) -> Iterator[str]:
        return iter(self._net.places)

    def __len__(self) -> int:
        return len(self._marking)

    def __repr__(self) -> str:
        return repr({place: tokens for place, tokens in self.items() if tokens != "0"})


def marking_words(net: Net, marking: Sequence[int]) -> list[str]:
    """The marked places, `fork_1` or `2*fork_1`, in the net's order."""
    return [
        printable(name) if tokens == 1 else f"{tokens}*{printable(name)}"
        for name, tokens in zip(net.places, marking, strict=True)
        if tokens
    ]
