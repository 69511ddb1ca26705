"""Temporal logic straight from its definitions, on explicit graphs of the unreduced model: the oracle of the tests.

In: the semantics of a model, a `TemporalProperty`. Out: a `TemporalVerdict`. `runs` makes the graph; `tableau` finds
runs that satisfy a path formula, `matching` those that an automaton accepts, both by `search`; here are CTL by fixpoints
(Clarke, Emerson and Sistla 1986) and CTL* by replacing state subformulas by where they hold (Emerson and Lei 1987). Nothing
of this is shared with the automata and searches of the core.

Runs are maximal: infinite, or finite with a dead state at their end. Path quantifiers speak of the fair ones. Past
operators look back to where the run of the innermost path quantifier began.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic

from burnside.diagnostics import UsageError
from burnside.records import record
from burnside.reference.temporal.matching import Matching
from burnside.reference.temporal.runs import Runs, Undecided
from burnside.reference.temporal.search import FairnessSets, PositionPath, RunSearch
from burnside.reference.temporal.tableau import Tableau
from burnside.semantics import Failure, Label, Semantics, State
from burnside.temporal import formulas as f
from burnside.temporal.atoms import Fairness, Proposition
from burnside.temporal.reading import TemporalProperty
from burnside.temporal.shapes import TEMPORAL, is_path_formula, is_state_formula

__all__ = ["Lasso", "TemporalVerdict", "check_property", "holds_at"]


@record
class Lasso(Generic[State, Label]):
    """A run: steps from a start of the model, each with the state that it leads to. `begin`: the number of the first
    state of the run (steps before it set the model up). `loop`: the number of the state that equals the last one, from
    where the run repeats itself; None where it ends."""

    steps: tuple[tuple[Label, State], ...]
    begin: int
    loop: int | None


@record
class TemporalVerdict(Generic[State, Label]):
    """`lasso`: a run that violates the formula, or that shows why it does not hold, where one run can. `failure`: an
    atom has no value in the last state of the lasso, so nothing is said of the formula (`holds` is None)."""

    holds: bool | None
    lasso: Lasso[State, Label] | None = None
    failure: Failure | None = None


def check_property(
    semantics: Semantics[State, Label, Any], asked: TemporalProperty, *, max_states: int | None = None
) -> TemporalVerdict[State, Label]:
    """Of a property without quantified names: `ModelAtoms.instantiated` puts values in their place."""
    if asked.binders:
        raise UsageError("a quantified formula is checked for each value by itself")
    return check_runs(Runs(semantics, asked.ends, max_states), asked)


def check_runs(runs: Runs[State, Label], asked: TemporalProperty) -> TemporalVerdict[State, Label]:
    """The same over a graph that is there already, with the property's `ends`."""
    checker = Checker(runs, asked.propositions, asked.fairness)
    if checker.undecided is not None:
        begin = len(next(iter(runs.starts.values()))) - 1
        failure, steps = checker.undecided.failure, checker.undecided.steps
        return TemporalVerdict(None, Lasso(steps, begin, None), failure)
    is_of_states = is_state_formula(asked.formula, asked.propositions)
    if is_path_formula(asked.formula) or not is_of_states:
        lasso = checker.witness(f.Not(asked.formula), set(runs.starts))
        return TemporalVerdict(lasso is None, lasso)
    bad = set(runs.starts) - checker.states(asked.formula)
    return TemporalVerdict(False, checker.explain(asked.formula, bad)) if bad else TemporalVerdict(True)


def holds_at(
    runs: Runs[State, Label],
    formula: f.Formula,
    propositions: Sequence[Proposition],
    *,
    fairness: Sequence[Fairness] = (),
    fixpoints: bool = True,
) -> set[int]:
    """The numbers of the states in which a state formula holds. `fixpoints`: are those used where a formula is one of
    CTL?"""
    return Checker(runs, propositions, fairness, fixpoints=fixpoints).states(formula)


class Checker(Generic[State, Label]):
    def __init__(
        self,
        runs: Runs[State, Label],
        propositions: Sequence[Proposition],
        fairness: Sequence[Fairness] = (),
        *,
        fixpoints: bool = True,
    ) -> None:
        self.runs, self.propositions = runs, propositions
        self.undecided: Undecided[State, Label] | None = None
        self.atoms: list[list[bool]] = []
        for each in propositions:
            truth = runs.truth(each)
            if isinstance(truth, Undecided):
                self.undecided = truth
                return
            self.atoms.append(truth)
        self.fairness = fairness_sets(runs, fairness)
        self.fixpoints = fixpoints and not fairness
        self.known: dict[f.Formula, set[int]] = {}

    def states(self, formula: f.Formula) -> set[int]:
        """Where a state formula holds."""
        if formula not in self.known:
            self.known[formula] = self._states(formula)
        return self.known[formula]

    def _states(self, formula: f.Formula) -> set[int]:
        everywhere = set(range(len(self.runs.states)))
        match formula:
            case f.Constant(value):
                return everywhere if value else set()
            case f.Atom(number):
                truth = self.atoms[number]
                return {state for state in everywhere if truth[self.runs.at_state[state][0]]}
            case f.Not(operand):
                return everywhere - self.states(operand)
            case f.And(operands):
                return everywhere.intersection(*map(self.states, operands))
            case f.Or(operands):
                return set().union(*map(self.states, operands))
            case f.Exists(operand):
                return self.exists(operand)
            case f.Forall(operand):
                return everywhere - self.exists(f.Not(operand))
            case _:
                raise ValueError(f"no state formula: {formula}")

    def exists(self, path: f.Formula) -> set[int]:
        """From where some run satisfies a path formula."""
        simple = self._fixpoint(path) if self.fixpoints else None
        return self.tableau(path).states if simple is None else simple

    # CTL

    def _fixpoint(self, path: f.Formula) -> set[int] | None:
        """None for what is no operator over state formulas."""
        match path:
            case f.Not(f.Next(operand)):
                return self._negated_next(operand) if self._are_states(operand) else None
            case f.Not(f.Until(left, right)) if self._are_states(left, right):
                return self._fixpoint(f.Release(f.Not(left), f.Not(right)))
            case f.Not(f.Release(left, right)) if self._are_states(left, right):
                return self._fixpoint(f.Until(f.Not(left), f.Not(right)))
            case f.Next(operand) if self._are_states(operand):
                return self._before(self.states(operand))
            case f.Until(left, right) if self._are_states(left, right):
                stay, reach = self.states(left), self.states(right)
                return _limit(lambda found: reach | (stay & self._before(found)), set())
            case f.Release(left, right) if self._are_states(left, right):
                release, hold = self.states(left), self.states(right)
                # A finite run need not come to a release.
                over = release | set(self.runs.dead)
                everywhere = set(range(len(self.runs.states)))
                return _limit(lambda found: hold & (over | self._before(found)), everywhere)
            case _:
                return None

    def _negated_next(self, operand: f.Formula) -> set[int]:
        """Some run without a next state that satisfies the operand: at a dead state, by the strong next, every run."""
        found = self._before(self.states(f.Not(operand)))
        return found | set(self.runs.dead) if self.runs.ends == "strong" else found

    def _are_states(self, *formulas: f.Formula) -> bool:
        return all(is_state_formula(each, self.propositions) for each in formulas)

    def _before(self, states: set[int]) -> set[int]:
        """The states that have one of these as a next state."""
        found = {edge.source for edge in self.runs.edges if edge.target in states}
        return found | (states.intersection(self.runs.dead) if self.runs.ends == "stutter" else set())

    # CTL*

    def runs_where(self, path: f.Formula, begin: set[int]) -> RunSearch[Any]:
        """Runs from these states that satisfy a path formula."""
        automaton = f.refused_by(path.operand) if isinstance(path, f.Not) else None
        if automaton is None:
            return self.tableau(path, begin)
        guards = [self._truth(each.guard) for each in automaton.edges]
        return Matching(self.runs, automaton, guards, self.fairness, begin)

    def tableau(self, path: f.Formula, begin: set[int] | None = None) -> Tableau:
        """Of runs from these states, or from all. Leaves are the largest subformulas without temporal operators outside
        of path quantifiers."""
        leaves: dict[f.Formula, Sequence[bool]] = {}

        def visit(formula: f.Formula) -> None:
            if self._is_leaf(formula):
                leaves[formula] = self._truth(formula)
            else:
                for each in f.children(formula):
                    visit(each)

        visit(path)
        return Tableau(self.runs, path, leaves, self.fairness, begin)

    def _is_leaf(self, formula: f.Formula) -> bool:
        if isinstance(formula, f.Exists | f.Forall):
            return True
        return not isinstance(formula, TEMPORAL) and all(map(self._is_leaf, f.children(formula)))

    def _truth(self, formula: f.Formula) -> list[bool]:
        """Of a leaf at each position."""
        match formula:
            case f.Atom(number):
                return self.atoms[number]
            case f.Not(operand):
                return [not each for each in self._truth(operand)]
            case f.And(operands):
                return [all(each) for each in zip(*map(self._truth, operands), strict=True)]
            case f.Or(operands):
                return [any(each) for each in zip(*map(self._truth, operands), strict=True)]
            case f.Constant(value):
                return [value for _ in self.runs.positions]
            case _:
                states = self.states(formula)
                return [self.runs.state_of(position) in states for position in self.runs.positions]

    # Runs

    def explain(self, formula: f.Formula, bad: set[int]) -> Lasso[State, Label]:
        """A run from one of these states, in which a state formula does not hold, that shows why."""
        found: Lasso[State, Label] | None = None
        match formula:
            case f.Forall(path):
                found = self.witness(f.Not(path), bad)
            case f.Not(f.Exists(path)):
                found = self.witness(path, bad)
            case f.And(operands):
                worst = next(each for each in operands if bad - self.states(each))
                found = self.explain(worst, bad - self.states(worst))
        first = self.runs.starts[min(bad)]
        return found or Lasso(first, len(first) - 1, None)

    def witness(self, path: f.Formula, states: set[int]) -> Lasso[State, Label] | None:
        """A run from one of these states, where runs begin, that satisfies a path formula."""
        found = self.runs_where(path, states).run_from(states)
        return None if found is None else self._concrete(found)

    def _concrete(self, path: PositionPath) -> Lasso[State, Label]:
        prefix = self.runs.starts[self.runs.state_of(path.positions[0])]
        begin = len(prefix) - 1
        # The end of a run that is taken to repeat itself takes no step.
        edges = [self.runs.edges[each] for each in path.positions if not self.runs.is_end(each)]
        steps = tuple(step for edge in edges for step in edge.trace)
        if path.loop is None or len(edges) < len(path.positions):
            return Lasso((*prefix, *steps), begin, None)
        return Lasso((*prefix, *steps), begin, begin + sum(len(edge.trace) for edge in edges[: path.loop]))


def _limit(step: Callable[[set[int]], set[int]], found: set[int]) -> set[int]:
    """The fixpoint that iteration from here comes to."""
    while (following := step(found)) != found:
        found = following
    return found


def fairness_sets(runs: Runs[Any, Any], fairness: Sequence[Fairness]) -> FairnessSets:
    """Each constraint as sets of positions. The ends of runs are fair."""
    weak: list[Sequence[bool]] = []
    strong: list[tuple[Sequence[bool], Sequence[bool]]] = []
    for each in fairness:
        for taken, able in _taken(runs, each):
            enabled = [not runs.is_end(at) and runs.state_of(at) in able for at in runs.positions]
            if each.strength == "weak":
                weak.append([at in taken or not enabled[at] for at in runs.positions])
            else:
                strong.append((enabled, [at in taken for at in runs.positions]))
    return FairnessSets(tuple(weak), tuple(strong))


def _taken(runs: Runs[Any, Any], fairness: Fairness) -> list[tuple[set[int], set[int]]]:
    """The edges on which the action, or each individual, acts, and the states in which it can."""
    found: dict[object, tuple[set[int], set[int]]] = {}
    for edge in range(len(runs.edges)):
        for each in runs.acting(fairness, edge):
            taken, able = found.setdefault(each.who, (set(), set()))
            taken.add(edge)
            able |= {runs.edges[edge].source} if each.is_able else set()
    return list(found.values())
