"""The interface of a kind of model: where it starts, what can happen, what a state violates, how it is shown.

In: a model of any kind. Out: a `Semantics`, on which the reference explorer, the replay of traces, walks and drawings are
built; none of them depends on what a model is made of. States and labels are values of the kind's own choice that can be
hashed and compared. Properties have one numbering for all kinds and both engines.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, Generic, Protocol, TypeVar

from burnside.diagnostics import Span, UnsupportedError
from burnside.records import record, replace
from burnside.temporal.atoms import (
    ActionPattern,
    Condition,
    Dead,
    Enabled,
    Fairness,
    Initial,
    NextAction,
    Proposition,
    Sink,
)

State = TypeVar("State", bound=Hashable)
Label = TypeVar("Label", bound=Hashable)
Generator = TypeVar("Generator", contravariant=True)

CutName = tuple[str, Span | None]


@record
class Individual:
    """Whoever has this value as an argument, whatever it does. `sort`: values of parameters of different sorts are different
    individuals."""

    value: Hashable
    sort: Hashable = None


@record
class Participant:
    """Someone who acts in a step: an instance of an action, or the value of its parameter at `position`. `is_able`: does the
    step show that he can act? Not where he takes part in a step of another one."""

    who: Hashable
    position: int | None = None
    is_able: bool = True


DEADLOCK, ERROR, FIRST_PROPERTY = 0, 1, 2
"""Numbers of what can be violated: deadlock, errors of the model, then its properties in order."""


@record
class CheckedProperty:
    """Something that is asked of a model. `kind` is a word such as invariant or goal, `name` the user's own text where there
    is one."""

    kind: str
    name: str


DEADLOCK_PROPERTY = CheckedProperty("deadlock", "deadlock")
ERROR_PROPERTY = CheckedProperty("error", "error")


class Named(Protocol):
    """A property as a kind of model has it."""

    @property
    def kind(self) -> str: ...
    @property
    def name(self) -> str: ...


def properties_by_number(
    own: Iterable[Named], *, deadlock: bool, error: bool = True
) -> dict[int, CheckedProperty]:
    """What can be violated: a deadlock and errors of the model where these count, then the model's own properties."""
    found = {DEADLOCK: DEADLOCK_PROPERTY} if deadlock else {}
    found |= {ERROR: ERROR_PROPERTY} if error else {}
    return found | {
        at: CheckedProperty(each.kind, each.name) for at, each in enumerate(own, start=FIRST_PROPERTY)
    }


@record
class Failure:
    """A step, or the evaluation of a property, that goes wrong. `number` is the property it violates, or `ERROR`."""

    message: str
    span: Span | None = None
    number: int = ERROR
    kind: str = "error"
    """What goes wrong, where a kind of model distinguishes that."""
    evaluated: int | None = None
    """The property that has no truth value, where that is what goes wrong."""

    def describe(self) -> str:
        """In words, with its place in the user's text where it has one."""
        if self.span is None:
            return self.message
        return f"{self.message.removesuffix(f' (line {self.span.line})')} ({self.span})"


class Discarded(Enum):
    """The result of a step that an assumption of the model rules out."""

    DISCARDED = "discarded"


DISCARDED = Discarded.DISCARDED


@record
class Step(Generic[State, Label]):
    """What one label does in a state: it leads to another one, is discarded, or fails."""

    label: Label
    result: State | Failure | Discarded
    fired: bool = True
    """Does the guard hold, whatever becomes of the body?"""
    covered: frozenset[int] = frozenset()
    """Properties of kind `cover` that are satisfied on the way."""
    possible: bool = True
    """Not where an assumption ends it before its end: then it is as if nothing could happen."""
    noted: tuple[Failure, ...] = ()
    """What the step violates on its way, and goes on."""

    @property
    def after(self) -> State | None:
        """The next state, where there is one."""
        return None if isinstance(self.result, Failure | Discarded) else self.result

    @property
    def failures(self) -> tuple[Failure, ...]:
        """What it violates on its way, and last how it fails."""
        return (*self.noted, self.result) if isinstance(self.result, Failure) else self.noted

    @property
    def effect(self) -> str:
        """One of `contradiction.EFFECTS`."""
        if isinstance(self.result, Failure):
            return "failed" if self.fired else "guard-failed"
        if isinstance(self.result, Discarded):
            return "discarded" if self.possible else "impossible"
        return "taken"


MAX_SEQUENCE = 100_000
"""Steps that a sequence through transient states has at most; the core counts to the same number."""
ENDLESS = Failure("an atomic sequence that does not end")


@record
class Move(Generic[State, Label]):
    """A step that is taken in a stored state, or in a transient one after the steps that lead there."""

    passed: tuple[tuple[Label, State], ...]
    """The steps from the stored state, each with the transient state that it leads to."""
    step: Step[State, Label]
    passes: bool = False
    """Does it lead to a transient state, too? Then other moves go on from there."""
    is_endless: bool = False
    """Does it lead to a transient state that came before, or that is too far away?"""
    is_transition: bool = True
    """Is it the end of a sequence, which is one transition where the step is fired?"""

    @property
    def label(self) -> Label:
        """The first one of the sequence."""
        return self.passed[0][0] if self.passed else self.step.label

    @property
    def labels(self) -> tuple[Label, ...]:
        return (*(label for label, _ in self.passed), self.step.label)

    @property
    def after(self) -> State | None:
        """The next stored state, where there is one."""
        return None if self.passes else self.step.after

    @property
    def trace(self) -> tuple[tuple[Label, State], ...]:
        """Labels and states up to the next one, of a move that leads to one."""
        assert self.step.after is not None
        return (*self.passed, (self.step.label, self.step.after))

    @property
    def failures(self) -> tuple[Failure, ...]:
        return (*self.step.failures, ENDLESS) if self.is_endless else self.step.failures


@record
class Judgement:
    """What a state says about the properties, by number. `reached`: goals, which are reported where they hold.
    `failures`: what goes wrong while properties are evaluated. `allowed`: does every assumption hold? Where one does not, or
    fails, no step leads to the state."""

    violated: tuple[int, ...] = ()
    reached: tuple[int, ...] = ()
    covered: tuple[int, ...] = ()
    failures: tuple[Failure, ...] = ()
    allowed: bool = True

    @property
    def verdict(self) -> tuple[object, ...]:
        """The same for equivalent states: without the words of failures, which name different elements."""
        failures = tuple((each.number, each.evaluated) for each in self.failures)
        return self.allowed, self.violated, self.reached, self.covered, failures

    @property
    def numbers(self) -> frozenset[int]:
        """All that is violated or reached."""
        return frozenset((*self.violated, *self.reached, *(each.number for each in self.failures)))


class Semantics(Protocol[State, Label, Generator]):
    """One model of one kind, with the properties that are asked of it. What has a body here is right for most kinds."""

    name: str
    actions: Sequence[str]
    """What labels are instances of."""
    properties: Mapping[int, CheckedProperty]
    """By number, in order. A deadlock is a violation where `DEADLOCK` is among them."""

    # What can happen

    def starts(self) -> Iterable[Step[State, Label]]: ...
    def steps(self, state: State) -> Iterable[Step[State, Label]]: ...
    def judge(self, state: State) -> Judgement: ...

    def step(self, state: State | None, label: Label) -> Iterable[Step[State, Label]]:
        """What one label does in a state; without a state, at the start."""
        return [each for each in self.steps_from(state) if each.label == label]

    def steps_from(self, state: State | None) -> Iterable[Step[State, Label]]:
        """The steps of a state; without a state, the starts."""
        return self.starts() if state is None else self.steps(state)

    def is_transient(self, state: State) -> bool:
        """Is it a state that steps only pass? Such states are neither stored nor counted, and nothing is asked of them."""
        return False

    def moves(self, state: State) -> list[Move[State, Label]]:
        """The steps of a stored state, and those that follow them as far as the next stored states, depth first. Sequences
        that meet are not merged. Where one does not end, what comes after it and begins with the same label is left out, and
        all that begins with it counts as one transition."""
        found: list[Move[State, Label]] = []
        for step in self.steps(state):
            begin = len(found)
            if self._follow(step, found):
                continue
            found[begin:] = [replace(each, is_transition=each.is_endless) for each in found[begin:]]
        return found

    def _follow(self, step: Step[State, Label], found: list[Move[State, Label]]) -> bool:
        """Adds all moves that begin with a step; False where one of them does not end."""
        path: list[tuple[Label, State]] = []
        passed: set[State] = set()
        waiting: list[Iterator[Step[State, Label]]] = [iter((step,))]
        while waiting:
            each = next(waiting[-1], None)
            if each is None:
                waiting.pop()
                if path:
                    passed.remove(path.pop()[1])
                continue
            after = each.after
            if after is None or not self.is_transient(after):
                found.append(Move(tuple(path), each))
                continue
            if after in passed or len(path) == MAX_SEQUENCE:
                found.append(Move(tuple(path), each, passes=True, is_endless=True))
                return False
            steps = list(self.steps(after))
            is_last = not any(following.fired for following in steps)
            found.append(Move(tuple(path), each, passes=True, is_transition=is_last))
            path.append((each.label, after))
            passed.add(after)
            waiting.append(iter(steps))
        return True

    def moves_on(self, state: State, move: Move[State, Label]) -> bool:
        """Is a state with this move no deadlock?"""
        return move.is_endless or (not move.passes and self.leads_on(state, move.step))

    def is_dead(self, state: State, moves: Iterable[Move[State, Label]]) -> bool:
        """Does none of its moves lead on, where the model should not end?"""
        return not any(self.moves_on(state, move) for move in moves) and not self.is_proper_end(state)

    def is_proper_end(self, state: State) -> bool:
        """Of a state none of whose steps leads on: may the model end there?"""
        return False

    def failures(self, state: State | None, label: Label) -> Sequence[Failure]:
        """How a label fails, and what it violates on its way."""
        return [failure for step in self.step(state, label) for failure in step.failures]

    def mistakes(self, step: Step[State, Label]) -> Sequence[Failure]:
        """Failures after which no formula has an answer: the step fails, or a limit does not hold. A step that violates
        another property on its way goes on as any other."""
        limits = [each for each in step.noted if self.properties[each.number].kind == "limit"]
        return [*limits, step.result] if isinstance(step.result, Failure) else limits

    def failing_starts(self) -> Iterable[Step[State, Label]]:
        """Starts that fail and take long to find: walks do not show them."""
        return ()

    def missing_start(self) -> Failure | None:
        """What is wrong with a model that has no starts, if anything is."""
        return None

    def leads_on(self, state: State, step: Step[State, Label]) -> bool:
        """Is a state with this step no deadlock?"""
        return step.after is not None

    def is_deadlock(self, state: State) -> bool:
        """Is it certain of a state none of whose steps leads on that it is a deadlock?"""
        return True

    def cut_names(self) -> Sequence[CutName]:
        """Names of which not all values were tried so far, because nothing bounds them."""
        return ()

    def stops(self, state: State) -> str | None:
        """Why no engine can go on with this state, in the words of `Outcome.stopped`."""
        return None

    # Runs and formulas

    def run_starts(self) -> Iterable[Sequence[tuple[Label, State]]]:
        """Where runs begin: labels and states, from a start to the first state of the run, which is the last here."""
        return [((step.label, step.after),) for step in self.starts() if step.after is not None]

    def start_failures(self) -> Iterable[tuple[Sequence[tuple[Label, State]], Label, Failure]]:
        """What fails before runs begin: the steps up to there, the label that fails, and how."""
        for step in (*self.starts(), *self.failing_starts()):
            for failure in self.mistakes(step):
                yield (), step.label, failure

    def holds(self, proposition: Proposition, state: State) -> bool | Failure:
        """Does a state satisfy an atom of a formula? (None is asked of the next action.) A condition without a value is a
        failure of the model."""
        match proposition:
            case Condition(expression):
                return self.satisfies(expression, state)
            case Enabled(patterns):
                labels = [move.label for move in self.moves(state) if move.after is not None]
                return any(self.matches(each, state, label) for each in patterns for label in labels)
            case Dead():
                return all(move.after is None for move in self.moves(state))
            case Sink():
                return all(move.after in (None, state) for move in self.moves(state))
            case Initial():
                return any(prefix[-1][1] == state for prefix in self.run_starts())
            case NextAction():
                raise ValueError("a state does not say which step is taken next")

    def satisfies(self, expression: Any, state: State) -> bool | Failure:
        """The value of a condition."""
        raise UnsupportedError("conditions on states are not available for this kind of model")

    def matches(self, pattern: ActionPattern, state: State, label: Label) -> bool:
        """Is a label of a step from this state an instance that the pattern means?"""
        return self.action(label) == pattern.action and pattern.arguments is None

    def instance(self, label: Label) -> Hashable:
        """What fairness takes for one and the same instance of an action."""
        return label

    def arguments(self, instance: Any) -> Sequence[Hashable]:
        """The arguments of an instance, as `instance` returns it."""
        raise UnsupportedError("actions have no parameters in this kind of model")

    def individual(self, instance: Any, position: int) -> Individual:
        """The value of the parameter at this position, of an instance as `instance` returns it."""
        return Individual(self.arguments(instance)[position])

    def participants(self, fairness: Fairness, label: Label) -> Sequence[Participant]:
        """Who acts in a step, for a constraint that speaks of several: an instance of an action, or values of its
        parameters."""
        instance, action = self.instance(label), self.action(label)
        position = fairness.positions[action] if fairness.positions and action is not None else None
        if position is None or action is None:
            return [Participant(instance)]
        partners = fairness.partners[action] if fairness.partners else ()
        return [
            Participant(self.individual(instance, position), position),
            *(Participant(self.individual(instance, at), at, is_able=False) for at in partners),
        ]

    def acting(self, fairness: Fairness, state: State, labels: Sequence[Label]) -> list[Participant]:
        """Who acts, for a constraint, in a sequence of steps from one stored state to the next: by its first step those who
        can act in the state, by others those who take part."""
        found: list[Participant] = []
        for at, label in enumerate(labels):
            patterns = fairness.patterns
            if patterns is not None and not any(self.matches(each, state, label) for each in patterns):
                continue
            several = self.participants(fairness, label) if fairness.each else [Participant(None)]
            found += several if at == 0 else [replace(each, is_able=False) for each in several]
        return found

    # Symmetry

    def permute(self, generator: Generator, state: State) -> State: ...

    def permute_instance(self, generator: Generator, instance: Hashable) -> Hashable:
        """What a symmetry makes of an instance of an action, as `instance` returns it."""
        raise UnsupportedError("fairness to each instance is not available for this kind of model")

    def order(self, state: State) -> Any:
        """A key for sorting states: the smallest one stands for its orbit."""
        return state

    def certify(self, generator: Generator) -> str | None:
        """Why a generator is no symmetry, where that can be said without looking at states."""
        return None

    # Counting

    counts_starts: bool = False
    """Are starts among the transitions?"""

    starts_are_steps: bool = False
    """Are starts drawn as steps from a root?"""

    def counts(self, step: Step[State, Label]) -> bool:
        """Is this one of the transitions?"""
        return step.fired

    def action(self, label: Label) -> int | None:
        """The number of the action that the label is an instance of; None for what is no action."""
        ...

    # Words

    noun: str = "action"
    """What the language calls an action."""

    def show_label(self, label: Label) -> str: ...
    def show_generator(self, generator: Generator) -> str: ...
    def show_state(self, state: State) -> Mapping[str, str]:
        """Names and values; what goes without saying may be left out."""
        ...

    def show_start(self, label: Label) -> str | None:
        """None where the only start has no name."""
        return self.show_label(label)

    def show_step(self, state: State | None, step: Step[State, Label]) -> str | None:
        """A step as a choice in a walk."""
        return self.show_start(step.label) if state is None else self.show_label(step.label)

    def printed(self, state: State, label: Label) -> str:
        """The text that a step prints; a walk shows it."""
        return ""

    def full_state(self, state: State) -> Mapping[str, str]:
        """All names and values, as in traces."""
        return self.show_state(state)

    def words(self, state: State) -> list[str]:
        """What is worth saying of a state, as a trace begins; never empty."""
        return [f"{name} = {value}" for name, value in self.show_state(state).items()] or ["no values"]

    def lines(self, state: State) -> list[str]:
        """All of a state, as a walk shows it."""
        return self.words(state)

    def summary(self, state: State, before: State | None) -> str:
        """One line; given the state before, only what changed."""
        from burnside.words import changes

        if before is None:
            return ", ".join(self.lines(state))
        return ", ".join(changes(self.show_state(before), self.show_state(state))) or "no change"
