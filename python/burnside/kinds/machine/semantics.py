"""The semantics of machines of sets: valuations of constants and variables, solved for by the reference engine."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property

from burnside.ir.sets.expressions import Expression
from burnside.ir.sets.machine import INITIALISATION, SETUP, Machine
from burnside.reference.sets import machines as solved
from burnside.reference.sets.machines import Label
from burnside.reference.sets.values import Generator, State, permuted, permuted_state, state_order
from burnside.semantics import CutName, Failure, Judgement, Semantics, Step, properties_by_number
from burnside.symmetry.elements import show_permutation
from burnside.temporal.atoms import ActionPattern


class MachineSemantics(Semantics[State, Label, Generator]):
    """Setting up the constants and the initialisation are the first steps. A step that fails leads nowhere, and is no
    transition. `cuts` collects the names of which not all values were tried; with `assume_bounds` there are no others."""

    noun = "operation"

    def __init__(self, machine: Machine, *, deadlock: bool = False, assume_bounds: bool = False) -> None:
        self.machine, self.assume_bounds = machine, assume_bounds
        self.cuts = solved.new_cuts(machine)
        self.counts_starts = self.starts_are_steps = machine.counts_starts
        self.name, self.actions = machine.name, [each.name for each in machine.operations]
        self.properties = properties_by_number(machine.claims, deadlock=deadlock)

    def starts(self) -> Sequence[Step[State, Label]]:
        return solved.starts(self.machine, self.cuts)

    def steps(self, state: State) -> Sequence[Step[State, Label]]:
        return solved.steps(self.machine, state, self.cuts)

    def judge(self, state: State) -> Judgement:
        return solved.judge(self.machine, state)

    def run_starts(self) -> Iterator[Sequence[tuple[Label, State]]]:
        """States before the initialisation are no part of runs (as in ProB)."""
        for start in self.starts():
            if start.after is None:
                continue
            first = (start.label, start.after)
            if not self.machine.has_setup:
                yield (first,)
                continue
            for step in self.steps(start.after):
                if step.after is not None:
                    yield first, (step.label, step.after)

    def start_failures(self) -> Iterator[tuple[Sequence[tuple[Label, State]], Label, Failure]]:
        yield from super().start_failures()
        for start in self.starts() if self.machine.has_setup else ():
            if start.after is not None:
                for step in self.steps(start.after):
                    if isinstance(step.result, Failure):
                        yield ((start.label, start.after),), step.label, step.result

    def satisfies(self, expression: Expression, state: State) -> bool | Failure:
        return solved.satisfies(self.machine, expression, state)

    def matches(self, pattern: ActionPattern, state: State, label: Label) -> bool:
        if self.action(label) != pattern.action or pattern.arguments is None:
            return self.action(label) == pattern.action
        return solved.has_arguments(self.machine, pattern.arguments, state, label)

    def instance(self, label: Label) -> Label:
        """Whatever it returns."""
        return Label(label.name, label.arguments)

    def arguments(self, instance: Label) -> Sequence[Hashable]:
        return instance.arguments

    def failures(self, state: State | None, label: Label) -> Sequence[Failure]:
        """Engines may stop at different errors of one operation; that it fails with these arguments is what counts."""
        steps = [*self.steps_from(state), *(self.failing_starts() if label.name == SETUP else ())]
        named = [each for each in steps if isinstance(each.result, Failure) and each.label.name == label.name]
        same = [each for each in named if each.label.arguments == label.arguments] or named
        return [each.result for each in same if isinstance(each.result, Failure)]

    def failing_starts(self) -> Sequence[Step[State, Label]]:
        undefined = solved.undefined_setup(self.machine) if self.machine.has_setup else None
        return [] if undefined is None else [Step(Label(SETUP), undefined)]

    def missing_start(self) -> Failure | None:
        """Where values were left out, one of them may be a start."""
        return Failure(solved.missing_start(self.machine)) if self._is_certain(self.cuts.names) else None

    def is_deadlock(self, state: State) -> bool:
        """Where values were left out, one of them may lead on."""
        cuts = solved.new_cuts(self.machine)
        solved.steps(self.machine, state, cuts)
        return self._is_certain(cuts.names)

    def _is_certain(self, cut: Mapping[str, object]) -> bool:
        return self.assume_bounds or not cut

    def cut_names(self) -> Sequence[CutName]:
        return [(each.name, each.span) for each in self.cuts.names.values()]

    def permute(self, generator: Generator, state: State) -> State:
        return permuted_state(state, generator)

    def permute_instance(self, generator: Generator, instance: Hashable) -> Hashable:
        """Of an operation that symmetries map to itself."""
        assert isinstance(instance, Label)
        return Label(instance.name, tuple(permuted(each, generator) for each in instance.arguments))

    def order(self, state: State) -> object:
        return state_order(state)

    def counts(self, step: Step[State, Label]) -> bool:
        return step.after is not None

    def action(self, label: Label) -> int | None:
        return self._operations.get(label.name)

    @cached_property
    def _operations(self) -> Mapping[str, int]:
        return {each.name: number for number, each in enumerate(self.machine.operations)}

    def show_label(self, label: Label) -> str:
        return solved.show_label(self.machine, label)

    def show_step(self, state: State | None, step: Step[State, Label]) -> str:
        """With the values that a set-up or an initialisation chooses: `(limit=2)`."""
        shown, after = self.show_label(step.label), step.after
        if after is None or step.label.name not in (SETUP, INITIALISATION):
            return shown
        known = {} if state is None else self.show_state(state)
        new = [f"{name}={value}" for name, value in self.show_state(after).items() if name not in known]
        return shown + (f"({', '.join(new)})" if new else "")

    def show_generator(self, generator: Generator) -> str:
        return show_permutation(self.machine.sorts, generator)

    def show_state(self, state: State) -> Mapping[str, str]:
        return dict(solved.show_state(self.machine, state))

    def words(self, state: State) -> list[str]:
        shown = self.show_state(state).items()
        return [f"{name} = {value}" for name, value in shown] or ["everything undefined"]

    def lines(self, state: State) -> list[str]:
        shown = self.show_state(state).items()
        return [f"{name} = {value}" for name, value in shown] or ["no values yet"]
