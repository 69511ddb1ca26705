"""Traces of a machine under a pattern: whether two are symmetric, the representative, all variants.

In: a deterministic machine with one initial state, a pattern, traces as tuples of actions. Only traces of the machine are
related here; two are symmetric if the colours of their actions agree position by position (Definition 6.4).

All searches go through the traces of the machine with the wanted colours, depth first. Which continuations there are depends
on the position, the state and the vector only, so that each dead end is entered once. Where the pattern is persistent there
is none (Lemma 6.9); where it is none, answers are right all the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from burnside.diagnostics import Diagnostic, InputError, UsageError
from burnside.records import record
from burnside.testing.determinism import initial_state, targets_from
from burnside.testing.machine import Action, StateMachine
from burnside.testing.patterns import Colours, Pattern, Vector
from burnside.testing.trace_texts import Trace, check_trace


@record
class TraceComparison:
    """`reason`: None where the traces are symmetric. `position`: the first step, from 0, where they are told apart; None
    where their lengths are what differs. `colours`: of that step in both traces."""

    symmetric: bool
    reason: str | None = None
    position: int | None = None
    colours: tuple[Colours, Colours] | None = None


def action_ranks(machine: StateMachine, order: Sequence[str]) -> tuple[int, ...]:
    """By action: its place in the total order that an order of inputs, least first, means. Actions with one input are
    ordered as the machine has them."""
    place = {given: at for at, given in enumerate(order)}
    for action in machine.actions:
        if action.input not in place:
            raise UsageError(Diagnostic(f"the order misses the input {action.input!r}", machine.name))
    ascending = sorted(range(len(machine.actions)), key=lambda at: (place[machine.actions[at].input], at))
    ranks = [0] * len(ascending)
    for rank, action_number in enumerate(ascending):
        ranks[action_number] = rank
    return tuple(ranks)


def representative(
    machine: StateMachine, pattern: Pattern, order_ranks: Sequence[int], trace: Sequence[Action]
) -> Trace:
    """The least trace of the machine that is symmetric to this one, letter by letter (Definition 6.8). `order_ranks`: by
    action of the machine, as `action_ranks` gives them."""
    return next(_Variants(machine, pattern, trace, order_ranks).traces())


def variants(
    machine: StateMachine, pattern: Pattern, trace: Sequence[Action], order_ranks: Sequence[int] | None = None
) -> Iterator[Trace]:
    """All traces of the machine that are symmetric to this one, itself included, ascending by `order_ranks` or else by the
    numbers of the actions. There may be many: they are computed as they are asked for."""
    ranks = range(len(machine.actions)) if order_ranks is None else order_ranks
    return _Variants(machine, pattern, trace, ranks).traces()


def are_symmetric(
    machine: StateMachine, pattern: Pattern, one: Sequence[Action], other: Sequence[Action]
) -> TraceComparison:
    """Both must be traces of the machine. Those that the pattern does not cover are related to none."""
    for trace in (one, other):
        check_trace(machine, trace)
    if len(one) != len(other):
        return TraceComparison(False, f"one trace has {_steps(one)}, the other {_steps(other)}")
    vectors = pattern.initial, pattern.initial
    for position, actions in enumerate(zip(one, other, strict=True)):
        (colours, after), (other_colours, other_after) = map(pattern.step, vectors, actions)
        if not colours or colours != other_colours:
            reason = _difference(pattern, position, vectors, actions)
            return TraceComparison(False, reason, position, (colours, other_colours))
        vectors = after, other_after
    return TraceComparison(True)


def _steps(trace: Sequence[Action]) -> str:
    return "1 step" if len(trace) == 1 else f"{len(trace)} steps"


def _difference(
    pattern: Pattern, position: int, vectors: tuple[Vector, Vector], actions: tuple[Action, Action]
) -> str:
    taken = [_taken_edges(pattern, *each) for each in zip(vectors, actions, strict=True)]
    for action, edges in zip(actions, taken, strict=True):
        if not edges:
            return f"step {position + 1}: no copy of the template takes {str(action)!r}"
    texts = [
        f"{str(action)!r} takes {', '.join(edges)}" for action, edges in zip(actions, taken, strict=True)
    ]
    return f"step {position + 1}: {texts[0]}; {texts[1]}"


def _taken_edges(pattern: Pattern, vector: Vector, action: Action) -> list[str]:
    """Edges of the template that the copies take, in words, with their colours and how often each is taken."""
    template = pattern.template
    counts: dict[int, int] = {}
    for transformation, state in zip(pattern.transformations, vector, strict=True):
        for number, (source, own, _) in enumerate(template.edges):
            label = template.actions[own]
            if source == state and transformation.images.get(label, label) == action:
                counts[number] = counts.get(number, 0) + 1
    found = []
    for number, count in sorted(counts.items()):
        source, own, target = template.edges[number]
        text = f"{template.states[source]} -{template.actions[own]}-> {template.states[target]}"
        if pattern.edge_colours is not None:
            text += f" (colour {pattern.edge_colours[number]})"
        found.append(f"{count} x {text}" if count > 1 else text)
    return found


class _Variants:
    """Traces with the colours of a given one, in ascending order."""

    def __init__(
        self, machine: StateMachine, pattern: Pattern, trace: Sequence[Action], ranks: Sequence[int]
    ) -> None:
        check_trace(machine, trace)
        self._machine, self._pattern = machine, pattern
        self._initial = initial_state(machine)
        self._targets: dict[int, Mapping[int, int]] = {}
        self._ranks = ranks
        self._wanted: list[Colours] = []
        vector = pattern.initial
        for position, action in enumerate(trace):
            colours, vector = pattern.step(vector, action)
            if not colours:
                message = f"step {position + 1}: no copy of the template takes {str(action)!r}"
                hint = "the pattern says nothing of this trace; add the action to the template"
                raise InputError(Diagnostic(message, "trace", hint=hint))
            self._wanted.append(colours)

    def traces(self) -> Iterator[Trace]:
        length = len(self._wanted)
        actions = self._machine.actions
        if not length:
            yield ()
            return
        dead: set[tuple[int, int, Vector]] = set()
        start = (self._initial, self._pattern.initial)
        # For each position: the state and vector before it, the steps that are left, and whether one led to the end.
        path = [(start, self._continuations(0, *start))]
        chosen: list[int] = []
        reached_end = [False]
        while path:
            before, left = path[-1]
            step = next(left, None)
            if step is None:
                if not reached_end[-1]:
                    dead.add((len(path) - 1, *before))
                path.pop()
                is_alive = reached_end.pop()
                if path:
                    chosen.pop()
                    reached_end[-1] = reached_end[-1] or is_alive
                continue
            action, state, vector = step
            if len(path) == length:
                reached_end[-1] = True
                yield (*(actions[each] for each in chosen), actions[action])
            elif (len(path), state, vector) not in dead:
                chosen.append(action)
                path.append(((state, vector), self._continuations(len(path), state, vector)))
                reached_end.append(False)

    def _continuations(self, position: int, state: int, vector: Vector) -> Iterator[tuple[int, int, Vector]]:
        """Actions with the wanted colours, with the states and vectors after them."""
        if state not in self._targets:
            self._targets[state] = targets_from(self._machine, state)
        targets = self._targets[state]
        for action in sorted(targets, key=self._ranks.__getitem__):
            colours, after = self._pattern.step(vector, self._machine.actions[action])
            if colours == self._wanted[position]:
                yield action, targets[action], after
