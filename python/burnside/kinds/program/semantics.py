"""The semantics of typed programs: valuations of variables, run by the reference interpreter."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property

from burnside.ir.expressions import Expression
from burnside.ir.program import Program
from burnside.ir.types import Element
from burnside.kinds.program.showing import UNDEFINED, Entry, Showing
from burnside.reference import steps as interpreted
from burnside.reference.steps import Label
from burnside.reference.values import Generator, State, permuted, renamed
from burnside.semantics import Failure, Individual, Judgement, Semantics, Step, properties_by_number
from burnside.symmetry.elements import show_permutation
from burnside.temporal.atoms import ActionPattern
from burnside.words import truncated_list


class ProgramSemantics(Semantics[State, Label, Generator]):
    """Steps that fail, or lead to a state that is assumed away, are still something that can happen."""

    def __init__(self, program: Program, *, deadlock: bool = False) -> None:
        self.program = program
        self.name, self.actions = program.name, [each.name for each in program.actions]
        self.properties = properties_by_number(program.properties, deadlock=deadlock)
        self.counts_starts = program.counts_starts

    def starts(self) -> Sequence[Step[State, Label]]:
        return interpreted.start_steps(self.program)

    def steps(self, state: State) -> Sequence[Step[State, Label]]:
        return interpreted.attempts(self.program, state)

    def step(self, state: State | None, label: Label) -> Sequence[Step[State, Label]]:
        step = interpreted.run_label(self.program, state, label)
        return [] if step is None else [step]

    def is_transient(self, state: State) -> bool:
        return interpreted.process_in_control(self.program, state) is not None

    def is_proper_end(self, state: State) -> bool:
        return interpreted.is_proper_end(self.program, state)

    def judge(self, state: State) -> Judgement:
        return interpreted.judge(self.program, state)

    def satisfies(self, expression: Expression, state: State) -> bool | Failure:
        return interpreted.satisfies(self.program, expression, state)

    def matches(self, pattern: ActionPattern, state: State, label: Label) -> bool:
        number, values = label
        if number != pattern.action or pattern.arguments is None:
            return number == pattern.action
        return all(
            wanted is None or wanted.value == value
            for wanted, value in zip(pattern.arguments, values, strict=True)
        )

    def arguments(self, instance: Label) -> Sequence[int]:
        return instance[1]

    def individual(self, instance: Label, position: int) -> Individual:
        """Elements of different sorts have the same numbers."""
        number, values = instance
        type_ = self.program.actions[number].parameters[position].type
        sort = type_.sort.name if isinstance(type_, Element) else None
        return Individual(values[position], sort)

    def permute_instance(self, generator: Generator, instance: Hashable) -> Hashable:
        """Of an action that symmetries map to itself."""
        assert isinstance(instance, tuple)
        number, values = instance
        parameters = self.program.actions[number].parameters
        images = [
            renamed(generator, value, each.type) for each, value in zip(parameters, values, strict=True)
        ]
        return number, tuple(images)

    def counts(self, step: Step[State, Label]) -> bool:
        return step.fired and (step.possible or self.program.counts_impossible)

    def leads_on(self, state: State, step: Step[State, Label]) -> bool:
        return step.possible and not (self.program.stuttering and step.result == state)

    def permute(self, generator: Generator, state: State) -> State:
        return permuted(self.program, generator, state)

    def action(self, label: Label) -> int | None:
        return label[0]

    def show_label(self, label: Label) -> str:
        return interpreted.show_label(self.program, label)

    def show_start(self, label: Label) -> str:
        return interpreted.show_start(self.program, label)

    def printed(self, state: State, label: Label) -> str:
        return interpreted.printed(self.program, state, label)

    def show_generator(self, generator: Generator) -> str:
        return show_permutation(self.program.sorts, generator)

    @cached_property
    def showing(self) -> Showing:
        return Showing(self.program)

    def show_state(self, state: State) -> Mapping[str, str]:
        return self.showing.described(state)

    def words(self, state: State) -> list[str]:
        return [entry.word for entry in self._defined(state)] or ["everything undefined"]

    def lines(self, state: State) -> list[str]:
        """One for each variable that has a value, and one for each member."""
        rows: dict[str, list[str]] = {}
        for entry in self._defined(state):
            if entry.member is None:
                variable = entry.name.partition("[")[0].partition(".")[0]
                rows.setdefault(variable, []).append(entry.word)
            else:
                own = entry.word if entry.is_place else f"{entry.own_name} = {entry.text}"
                rows.setdefault(entry.member, []).append(own)
        return [", ".join(row) for row in rows.values()] or ["everything undefined"]

    def summary(self, state: State, before: State | None) -> str:
        return truncated_list(self.words(state)) if before is None else super().summary(state, before)

    def _defined(self, state: State) -> list[Entry]:
        return [entry for entry in self.showing.entries(state) if entry.text != UNDEFINED]
