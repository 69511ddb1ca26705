"""Never claims as automata. In: the flow graph of a claim. Out: an automaton with the same runs.

The claim makes a step before every step of the system, in the state where the system is. A statement of the claim is a
condition on that state; a sequence that keeps control (`atomic`, `d_step`) reads one state with all its conditions. A claim
that cannot make a step matches no more. It is violated by a run on which it is at accept labels again and again, reaches
its end, or comes to an assertion that fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from burnside.diagnostics import UnsupportedError
from burnside.languages.promela import statements as st
from burnside.languages.promela.expressions import Expression, Number
from burnside.languages.promela.flow import StepGraph, Transition
from burnside.languages.promela.model import Process
from burnside.temporal import formulas as f

VIOLATED = -1
"""In the place of the number of a state: whatever follows, the claim is violated."""
MAX_PATHS = 1_000
"""Through one sequence that keeps control."""
SIDE_EFFECT = "a never claim with side effects is not supported: it may only look at the system"

Read = tuple[f.Formula, int]
"""What a claim reads in one state, and where it goes."""


class NeverClaim:
    def __init__(self, claim: Process, holds: Callable[[Expression], f.Formula]) -> None:
        """`holds`: a condition as a formula."""
        self.claim, self.graph, self.holds = claim, claim.graph, holds

    def automaton(self) -> f.Matches:
        numbers = {self.graph.entry: 0}
        edges: list[f.AutomatonEdge] = []
        waiting = [self.graph.entry]
        while waiting:
            state = waiting.pop()
            is_over = state == VIOLATED or self._is_end(state)
            marks = frozenset([0]) if is_over or self.graph.states[state].is_accepting else frozenset[int]()
            for guard, target in [(f.TRUE, VIOLATED)] if is_over else self._reads(state, frozenset()):
                if target not in numbers:
                    numbers[target] = len(numbers)
                    waiting.append(target)
                edges.append(f.AutomatonEdge(numbers[state], guard, numbers[target], marks))
            if len(edges) > MAX_PATHS * len(numbers):
                message = "too many paths lead through an atomic sequence of this never claim"
                raise UnsupportedError(self.claim.at.diagnostic(message))
        return f.Matches(len(numbers), 1, tuple(dict.fromkeys(edges)))

    def _is_end(self, state: int) -> bool:
        return any(isinstance(each.statement, st.End) for each in self.graph.leaving(state))

    def _reads(self, state: int, passed: frozenset[int]) -> Iterator[Read]:
        """By each way out of a state that does not come back to a state that it has passed: what holds in one state of the
        system does so the second time too."""
        leaving = self.graph.leaving(state)
        for transition in leaving:
            enabled = _both(self._not_escaped(transition, leaving), self._executable(transition, leaving))
            for guard, is_right in self._results(transition.statement):
                read, target = _both(enabled, guard), transition.target
                if read == f.FALSE:
                    continue
                if not is_right:
                    yield read, VIOLATED
                elif not transition.keeps_control or self._is_end(target):
                    yield read, target
                elif target not in passed:
                    for rest, last in self._reads(target, passed | {state}):
                        yield _both(read, rest), last

    def _not_escaped(self, transition: Transition, leaving: Sequence[Transition]) -> f.Formula:
        """No escape of an `unless` that goes before can be taken."""
        groups = list(dict.fromkeys(each.escape for each in leaving))
        before = groups[: groups.index(transition.escape)]
        return _neither(self._executable(each, leaving) for each in leaving if each.escape in before)

    def _executable(self, transition: Transition, leaving: Sequence[Transition]) -> f.Formula:
        if isinstance(transition.statement, st.Else):
            before = leaving[: leaving.index(transition)]
            same = (each for each in before if each.escape == transition.escape)
            return _neither(self._executable(each, leaving) for each in same)
        return self._test(transition.statement)

    def _test(self, statement: st.Statement) -> f.Formula:
        match statement:
            case st.Condition(_, Number(_, value)):
                return f.Constant(value != 0)
            case st.Condition(_, test):
                return self.holds(test)
            case st.Assertion() | st.Jump() | st.Print() | st.End():
                return f.TRUE
            case st.DeterministicStep(_, graph):
                first = graph.leaving(graph.entry)
                if any(isinstance(each.statement, st.Else) for each in first):
                    return f.TRUE
                return _either(self._test(each.statement) for each in first)
            case _:
                raise UnsupportedError(statement.at.diagnostic(SIDE_EFFECT))

    def _results(self, statement: st.Statement) -> Iterator[tuple[f.Formula, bool]]:
        """What may come of a statement that can be executed: does an assertion fail?"""
        match statement:
            case st.Assertion(_, test):
                right = self.holds(test)
                yield right, True
                yield _not(right), False
            case st.DeterministicStep(_, graph):
                yield from self._steps(graph, graph.entry, frozenset())
            case _:
                yield f.TRUE, True

    def _steps(
        self, graph: StepGraph, state: int, passed: frozenset[int]
    ) -> Iterator[tuple[f.Formula, bool]]:
        """Through a d_step, by the first statement that can be executed at each state; where none can, that is an error."""
        before: list[f.Formula] = []
        for each in graph.leaving(state):
            own = f.TRUE if isinstance(each.statement, st.Else) else self._test(each.statement)
            chosen = _both(_neither(before), own)
            before.append(own)
            for guard, is_right in self._results(each.statement):
                read = _both(chosen, guard)
                if read == f.FALSE:
                    continue
                if not is_right or each.target is None:
                    yield read, is_right
                elif each.target not in passed:
                    for rest, is_right_then in self._steps(graph, each.target, passed | {state}):
                        yield _both(read, rest), is_right_then
        blocked = _neither(before)
        if passed and blocked != f.FALSE:
            yield blocked, False


def _not(formula: f.Formula) -> f.Formula:
    match formula:
        case f.Constant(value):
            return f.Constant(not value)
        case f.Not(operand):
            return operand
        case _:
            return f.Not(formula)


def _both(left: f.Formula, right: f.Formula) -> f.Formula:
    if f.FALSE in (left, right):
        return f.FALSE
    if f.TRUE in (left, right) or left == right:
        return left if right == f.TRUE else right
    return f.And((left, right))


def _neither(formulas: Iterator[f.Formula] | Sequence[f.Formula]) -> f.Formula:
    found: f.Formula = f.TRUE
    for each in formulas:
        found = _both(found, _not(each))
    return found


def _either(formulas: Iterator[f.Formula]) -> f.Formula:
    return _not(_neither(formulas))
