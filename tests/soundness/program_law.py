"""The law of symmetries of programs: step(g s, g a) = g step(s, a), and what is said of g s is what is said of s.

For a permutation g of elements, every state s and every instance a of an action: the image of a is enabled in g s if a is in
s, and leads to the image of what a leads to, or fails with the same property, or is discarded, and notes the same; every
property, and what makes an end a proper one, says the same of s and g s, and the same properties are covered. `CoreLaw` asks
the core, `reference_breach` the reference interpreter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from burnside import _core
from burnside.ir import expressions as e
from burnside.ir.program import Program
from burnside.kinds.program import core_program
from burnside.kinds.program.showing import Showing
from burnside.records import record
from burnside.reference.failures import Fails
from burnside.reference.steps import (
    Label,
    Result,
    attempts,
    judge,
    label_at,
    label_number,
    labels_of,
    permuted_label,
    satisfies,
    show_label,
    start_steps,
)
from burnside.reference.values import Generator, State, permuted, renamed
from burnside.semantics import Failure, Step
from burnside.symmetry.points import Images, identity, renaming

from tests.soundness.program_states import Image, image_of


@record
class Breach:
    """A state in which the law fails for a permutation, and what is different."""

    permutation: Images
    what: str
    state: State | None
    here: object
    there: object

    def shown(self, program: Program) -> str:
        state = "the start" if self.state is None else Showing(program).described(self.state)
        return f"{self.permutation}: {self.what} in {state}:\n  {self.here}\n  {self.there}"


Outcome = tuple[Any, ...]


@record
class Moves:
    """A permutation prepared for many states: the images of states and of labels."""

    permutation: Images
    image: Image
    labels: dict[int, object]


class CoreLaw:
    """What the core does in states of one program, remembered."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.core = core_program(program, "law")
        self.trivial_group = _core.ElementGroup(len(identity(program)), [])
        self._keys = {number: self._key(label_at(program, number)) for number in range(labels_of(program))}
        self._said: dict[State, tuple[list[Any], list[int], list[int]]] = {}

    def reachable(self, most: int) -> tuple[list[State], bool]:
        """The first states, and whether they are all."""
        graph = _core.state_graph(self.core, self.trivial_group, _core.Method("none"), most)
        return [tuple(state) for state in graph.states], graph.complete

    def _key(self, label: Label) -> object:
        """Positions in bags are left out: which entry stands where is no matter of symmetry."""
        number, values = label
        parameters = self.program.actions[number].parameters
        kept = [
            value
            for each, value in zip(parameters, values, strict=True)
            if not isinstance(each.domain, e.Positions)
        ]
        return (number, *kept)

    def moves(self, permutation: Images, actions: Sequence[int]) -> Moves:
        generator = renaming(self.program, permutation).images
        labels: dict[int, object] = {}
        for at in self._keys:
            number, values = label_at(self.program, at)
            parameters = self.program.actions[number].parameters
            images = [
                renamed(generator, value, each.type) if not isinstance(each.domain, e.Positions) else value
                for each, value in zip(parameters, values, strict=True)
            ]
            labels[at] = self._key((actions[number], tuple(images)))
        return Moves(permutation, image_of(self.program, generator), labels)

    def ask(self, states: Iterable[State]) -> None:
        new = [state for state in dict.fromkeys(states) if state not in self._said]
        for state, (steps, violated, covered) in zip(new, self.core.outcomes(new), strict=True):
            self._said[state] = steps, sorted(set(violated)), covered

    def breach(self, moves: Moves, states: Sequence[State]) -> Breach | None:
        """The first state in which the law fails."""
        images = [moves.image(state) for state in states]
        self.ask(states)
        self.ask(images)
        for state, image in zip(states, images, strict=True):
            steps, violated, covered = self._said[state]
            other_steps, other_violated, other_covered = self._said[image]
            if violated != other_violated:
                return Breach(moves.permutation, "properties violated", state, violated, other_violated)
            if covered != other_covered:
                return Breach(moves.permutation, "properties covered", state, covered, other_covered)
            here = sorted(self._moved(moves, *step) for step in steps)
            there = sorted(self._plain(*step) for step in other_steps)
            if here != there:
                return Breach(moves.permutation, "steps", state, _without(here, there), _without(there, here))
        return None

    def start_breach(self, moves: Moves) -> Breach | None:
        starts = [result for _, result in self.core.starts()]
        here = Counter((kind, moves.image(after) if after else (), number) for kind, after, number in starts)
        there = Counter((kind, tuple(after or ()), number) for kind, after, number in starts)
        return (
            None if here == there else Breach(moves.permutation, "starts", None, here - there, there - here)
        )

    def _moved(self, moves: Moves, label: int, result: tuple[str, list[int] | None, int | None]) -> Outcome:
        kind, after, number = result
        return moves.labels[label], kind, moves.image(after) if after else (), number or 0

    def _plain(self, label: int, result: tuple[str, list[int] | None, int | None]) -> Outcome:
        kind, after, number = result
        return self._keys[label], kind, tuple(after or ()), number or 0


def _without(these: list[Outcome], those: list[Outcome]) -> list[Outcome]:
    return list((Counter(these) - Counter(those)).elements())


# The reference engine


def reference_breach(
    program: Program, permutation: Images, actions: Sequence[int], states: Iterable[State]
) -> Breach | None:
    generator = renaming(program, permutation).images
    for state in states:
        image = permuted(program, generator, state)
        here, there = _said(program, state), _said(program, image)
        if here != there:
            return Breach(permutation, "judgements", state, here, there)
        moved = {}
        for step in attempts(program, state):
            number, values = _label(program, generator, state, step.label)
            moved[actions[number], values] = _reference_outcome(program, generator, step)
        plain = {step.label: _reference_outcome(program, {}, step) for step in attempts(program, image)}
        if moved != plain:
            label = next(each for each in {**moved, **plain} if moved.get(each) != plain.get(each))
            what = f"steps of {show_label(program, label)}"
            return Breach(permutation, what, state, moved.get(label), plain.get(label))
    return None


def _reference_outcome(program: Program, generator: Generator, step: Step) -> Outcome:
    noted = sorted(each.number for each in step.noted)
    return _result(program, generator, step.result), step.fired, step.possible, step.covered, noted


def _label(program: Program, generator: Generator, state: State, label: Label) -> Label:
    try:
        return permuted_label(program, generator, state, label)
    except Fails:  # there is no bag to choose from: all positions fail alike
        number, values = label
        parameters = program.actions[number].parameters
        return number, tuple(renamed(generator, v, p.type) for p, v in zip(parameters, values, strict=True))


def reference_start_breach(program: Program, permutation: Images) -> Breach | None:
    generator = renaming(program, permutation).images
    found = start_steps(program)
    here, there = (
        Counter(
            (_result(program, moves, each.result), each.covered, tuple(sorted(x.number for x in each.noted)))
            for each in found
        )
        for moves in (generator, {})
    )
    return None if here == there else Breach(permutation, "starts", None, here - there, there - here)


def _result(program: Program, generator: Generator, result: Result) -> object:
    """Words of failures name elements and are left out."""
    if isinstance(result, Failure):
        return "fails", result.number
    return permuted(program, generator, result) if isinstance(result, tuple) else result


def _said(program: Program, state: State) -> object:
    found = judge(program, state)
    failures = Counter(each.number for each in found.failures)
    end = None if program.proper_end is None else satisfies(program, program.proper_end, state)
    is_proper = "fails" if isinstance(end, Failure) else end
    return found.allowed, found.violated, found.covered, found.reached, failures, is_proper


def reference_outcomes(program: Program, state: State) -> tuple[dict[int, Outcome], set[int], set[int]]:
    """As the core gives them: steps by label, properties violated (goals: satisfied), properties covered."""
    labels: dict[int, Outcome] = {}
    said = judge(program, state)
    covered = set(said.covered)
    for step in attempts(program, state):
        covered |= step.covered
        if step.fired or step.possible:
            labels[label_number(program, step.label)] = _core_outcome(step)
    return labels, set(said.numbers), covered


def _core_outcome(step: Step) -> Outcome:
    if isinstance(step.result, Failure):
        return "failed" if step.fired else "guard failed", (), step.result.number
    if isinstance(step.result, tuple):
        return "taken", step.result, None
    return "discarded" if step.possible else "impossible", (), None
