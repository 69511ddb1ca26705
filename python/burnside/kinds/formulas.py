"""A model prepared for temporal formulas: what the core evaluates for each proposition.

In: propositions that kinds of models have read. Out: a `FormulaQuestion`: a `Question` whose group keeps every proposition,
and for each proposition where the core finds it. Conditions become goals, which the core reports in each state that
satisfies them; patterns of actions become *classes* of steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from burnside.diagnostics import Diagnostic, RefusedError
from burnside.records import field, record, replace
from burnside.temporal.atoms import (
    ActionPattern,
    Condition,
    Dead,
    Enabled,
    Initial,
    NextAction,
    Patterns,
    Proposition,
    Sink,
)

if TYPE_CHECKING:
    from burnside.kinds import Question
    from burnside.symmetry.elements import CertifiedGenerator

EACH_INSTANCE = "fairness to each action"
MAX_CLASSES = 64
"""Different patterns of actions in formulas that are checked together."""

Atom = TypeVar("Atom", bound=Proposition)
What = Literal["satisfied", "enabled", "taken", "ends", "sink", "initial"]


@record
class AtomPlace:
    """Where the core finds a proposition: `satisfied`: `number` is that of a property; `enabled` and `taken`: of a class of
    steps."""

    what: What
    number: int = 0


@record(kw_only=True)
class FormulaQuestion:
    """`places`: by proposition. `classes`: the patterns of each class of steps, in terms of the question's model.
    `conditions`: by the number of the property that a condition has become, where it is another expression in terms of the
    question's model. `constants`: what a pattern matches depends on so many slots of a state, the first ones."""

    question: Question
    places: tuple[AtomPlace, ...]
    classes: tuple[Patterns, ...] = ()
    conditions: Mapping[int, Any] = field(default_factory=dict)
    constants: int = 0

    def explored(self, atom: Atom, place: AtomPlace) -> Atom:
        """A proposition, found at this place, in terms of the question's model: numbers may have become names there. (Of
        a net, whether transitions are enabled is a condition.)"""
        if isinstance(atom, Enabled | NextAction) and place.what in ("enabled", "taken"):
            return replace(atom, patterns=self.classes[place.number])
        if isinstance(atom, Condition) and place.number in self.conditions:
            return replace(atom, expression=self.conditions[place.number])
        return atom

    def class_of(self, state: Any, label: Any) -> int:
        """The classes of a step, as bits."""
        matches = self.question.semantics.matches
        found = 0
        for number, patterns in enumerate(self.classes):
            if any(matches(each, state, label) for each in patterns):
                found |= 1 << number
        return found


def class_texts(propositions: Iterable[Proposition]) -> list[str]:
    """An atom for each of the classes, in their order."""
    texts: dict[Patterns, str] = {}
    for each in propositions:
        if isinstance(each, Enabled | NextAction):
            texts.setdefault(each.patterns, each.text)
    return list(texts.values())


def classes_of(propositions: Iterable[Proposition]) -> tuple[Patterns, ...]:
    """The different patterns of actions, each once."""
    found = dict.fromkeys(each.patterns for each in propositions if isinstance(each, Enabled | NextAction))
    if len(found) > MAX_CLASSES:
        message = f"formulas that are checked together name more than {MAX_CLASSES} different actions"
        raise RefusedError(Diagnostic(message, hint="check some of them in a run of their own"))
    return tuple(found)


@record
class Argument:
    """An argument in a pattern, the text of the atom that it stands in, and of which parameter: the action, the position."""

    value: Any
    text: str
    parameter: tuple[int, int]


def arguments_of(propositions: Iterable[Proposition]) -> list[Argument]:
    """What the classes of steps name, in their order."""
    found: list[Argument] = []
    seen: set[Patterns] = set()
    for proposition in propositions:
        if isinstance(proposition, Enabled | NextAction) and proposition.patterns not in seen:
            seen.add(proposition.patterns)
            found += [
                Argument(value, proposition.text, (each.action, position))
                for each in proposition.patterns
                for position, value in enumerate(each.arguments or ())
                if value is not None
            ]
    return found


def with_arguments(classes: Sequence[Patterns], values: Iterable[Any]) -> tuple[Patterns, ...]:
    """The same patterns with these arguments, in their order."""
    rest = iter(values)

    def filled(pattern: ActionPattern) -> ActionPattern:
        if pattern.arguments is None:
            return pattern
        arguments = tuple(None if one is None else next(rest) for one in pattern.arguments)
        return replace(pattern, arguments=arguments)

    return tuple(tuple(filled(each) for each in patterns) for patterns in classes)


def places_of(
    propositions: Sequence[Proposition], classes: Sequence[Patterns], first_goal: int
) -> tuple[AtomPlace, ...]:
    """Conditions are goals, numbered in their order from `first_goal` on."""
    goals = iter(range(first_goal, first_goal + len(propositions)))
    places: list[AtomPlace] = []
    for each in propositions:
        match each:
            case Condition():
                places.append(AtomPlace("satisfied", next(goals)))
            case Enabled(patterns):
                places.append(AtomPlace("enabled", classes.index(patterns)))
            case NextAction(patterns):
                places.append(AtomPlace("taken", classes.index(patterns)))
            case Dead():
                places.append(AtomPlace("ends"))
            case Sink():
                places.append(AtomPlace("sink"))
            case Initial():
                places.append(AtomPlace("initial"))
    return tuple(places)


def keeping_actions(symmetry: Any, propositions: Sequence[Proposition], *, each_instance: bool) -> Any:
    """The symmetries of a program or machine that map the named actions to themselves, or all of them where instances are
    followed: a step and its image then belong to the same classes, as far as actions without arguments go."""
    texts: dict[int, str] = {}
    for patterns, text in zip(classes_of(propositions), class_texts(propositions), strict=True):
        texts |= {each.action: text for each in patterns if each.action not in texts}
    kept: list[CertifiedGenerator] = []
    restricting = dict.fromkeys(symmetry.restricted_by)
    for generator in symmetry.generators:
        moved = [at for at, image in enumerate(generator.actions) if at != image]
        named = [texts[at] for at in moved if at in texts]
        if named or (moved and each_instance):
            restricting |= dict.fromkeys(named or [EACH_INSTANCE])
        else:
            kept.append(generator)
    if len(kept) == len(symmetry.generators):
        return symmetry
    return replace(
        symmetry, generators=tuple(kept), complete=False, order=None, restricted_by=tuple(restricting)
    )
