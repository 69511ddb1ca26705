"""The reference engine of temporal logic on random graphs: against single runs, and CTL by fixpoints against the tableau."""

from __future__ import annotations

from collections.abc import Sequence

from burnside.diagnostics import option_source
from burnside.reference.temporal import check_property, holds_at
from burnside.reference.temporal.runs import Runs
from burnside.reference.words import Word, holds
from burnside.temporal import formulas as f
from burnside.temporal.atoms import ActionPattern, Condition, Fairness, NextAction, Proposition
from burnside.temporal.formulas import Ends
from burnside.temporal.reading import TemporalProperty
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.temporal.graphs import LABELS, Graph, GraphSemantics, conditions, graphs, next_actions
from tests.temporal.strategies import formulas

ENDS: st.SearchStrategy[Ends] = st.sampled_from(["strong", "stutter"])
Steps = Sequence[tuple[int, int]]
"""Labels and the states they lead to; the first label is a start's."""


def asked(
    formula: f.Formula, propositions: Sequence[Proposition], fairness: Sequence[Fairness], ends: Ends
) -> TemporalProperty:
    return TemporalProperty(
        name="p",
        text="p",
        logic="ltl",
        formula=formula,
        propositions=tuple(propositions),
        fairness=tuple(fairness),
        ends=ends,
        source=option_source("--ltl", "p"),
    )


def word_of(steps: Steps, loop: int | None, propositions: Sequence[Proposition], ends: Ends) -> Word:
    """Of a run whose last state is that at `loop`, where it repeats itself, or its end."""
    taken: list[int | None] = [label for label, _ in steps[1:]]
    states = [state for _, state in steps]
    if loop is None:
        taken.append(None)
    else:
        states.pop()
    letters = tuple(
        frozenset(number for number, each in enumerate(propositions) if _holds(each, state, label))
        for state, label in zip(states, taken, strict=True)
    )
    if loop is not None:
        return Word(letters[:loop], letters[loop:])
    return Word(letters).stuttering() if ends == "stutter" else Word(letters)


def _holds(proposition: Proposition, state: int, label: int | None) -> bool:
    match proposition:
        case Condition(expression):
            return state in expression
        case NextAction(patterns):
            return label in [each.action for each in patterns]
        case _:
            raise ValueError(proposition)


def is_fair(graph: Graph, steps: Steps, loop: int | None, fairness: Sequence[Fairness]) -> bool:
    if loop is None:
        return True
    states = {state for _, state in steps[loop:]}
    taken = {label for label, _ in steps[loop + 1 :]}
    for each in fairness:
        assert each.patterns is not None
        actions = {one.action for one in each.patterns}
        for some in [{action} for action in actions] if each.each else [actions]:
            able = {source for source, label, _ in graph.edges if label in some}
            is_asked = states <= able if each.strength == "weak" else bool(states & able)
            if is_asked and not taken & some:
                return False
    return True


constraints = st.lists(
    st.builds(
        Fairness,
        strength=st.sampled_from(["weak", "strong"]),
        patterns=st.sets(st.integers(0, LABELS - 1), min_size=1).map(
            lambda some: tuple(map(ActionPattern, sorted(some)))
        ),
        each=st.booleans(),
        text=st.just("fair"),
    ),
    max_size=2,
)


@st.composite
def walks(draw: st.DrawFn, graph: Graph) -> tuple[list[tuple[int, int]], int | None]:
    """A run of the graph: to a dead state, or to one that was visited before."""
    steps = [(-1, draw(st.integers(0, min(2, graph.size) - 1)))]
    while True:
        following = [(label, target) for source, label, target in graph.edges if source == steps[-1][1]]
        if not following:
            return steps, None
        steps.append(draw(st.sampled_from(following)))
        seen = [at for at, (_, state) in enumerate(steps[:-1]) if state == steps[-1][1]]
        if seen and (len(steps) > 8 or draw(st.booleans())):
            return steps, draw(st.sampled_from(seen))


@settings(max_examples=150)
@given(st.data())
def test_a_formula_holds_if_every_fair_run_satisfies_it(data: st.DataObject) -> None:
    graph, ends = data.draw(graphs()), data.draw(ENDS)
    propositions = [*data.draw(conditions(graph.size, 2)), data.draw(next_actions())]
    formula = data.draw(formulas(3, branching=False, size=5))
    fairness = data.draw(constraints)
    found = check_property(GraphSemantics(graph), asked(formula, propositions, fairness, ends))
    if found.holds:
        for _ in range(5):
            steps, loop = data.draw(walks(graph))
            if is_fair(graph, steps, loop, fairness):
                assert holds(formula, word_of(steps, loop, propositions, ends))
    else:
        lasso = found.lasso
        assert lasso is not None
        edges = {(source, label, target) for source, label, target in graph.edges}
        for (_, before), (label, after) in zip(lasso.steps, lasso.steps[1:], strict=False):
            assert (before, label, after) in edges
        assert lasso.loop is not None or all(source != lasso.steps[-1][1] for source, _, _ in edges)
        assert is_fair(graph, lasso.steps, lasso.loop, fairness)
        assert not holds(formula, word_of(lasso.steps, lasso.loop, propositions, ends))


def ctl(inner: st.SearchStrategy[f.Formula]) -> st.SearchStrategy[f.Formula]:
    quantifier = st.sampled_from([f.Exists, f.Forall])
    paths = st.builds(f.Next, inner) | st.builds(f.Until, inner, inner) | st.builds(f.Release, inner, inner)
    return (
        st.builds(lambda quantified, path: quantified(path), quantifier, paths)
        | st.builds(f.Not, inner)
        | st.builds(lambda *parts: f.And(parts), inner, inner)
    )


@settings(max_examples=100)
@given(st.data())
def test_fixpoints_are_what_the_tableau_finds(data: st.DataObject) -> None:
    graph, ends = data.draw(graphs()), data.draw(ENDS)
    propositions = data.draw(conditions(graph.size, 2))
    formula = data.draw(st.recursive(st.builds(f.Atom, st.integers(0, 1)), ctl, max_leaves=5))
    runs = Runs(GraphSemantics(graph), ends)
    assert holds_at(runs, formula, propositions) == holds_at(runs, formula, propositions, fixpoints=False)


@settings(max_examples=100)
@given(st.data())
def test_dual_quantifiers(data: st.DataObject) -> None:
    """CTL* with past and fairness: `A p` is `not E not p`; what holds on all fair runs holds on each."""
    graph, ends = data.draw(graphs()), data.draw(ENDS)
    propositions = [*data.draw(conditions(graph.size, 2)), data.draw(next_actions())]
    formula = data.draw(formulas(3, size=4))
    fairness = data.draw(constraints)
    runs = Runs(GraphSemantics(graph), ends)

    def where(quantified: f.Formula) -> set[int]:
        return holds_at(runs, quantified, propositions, fairness=fairness)

    everywhere = set(range(len(runs.states)))
    assert where(f.Forall(formula)) == everywhere - where(f.Exists(f.Not(formula)))
    # Every state has a fair run (weak and strong fairness are machine closed: Abadi and Lamport 1988).
    assert where(f.Exists(f.TRUE)) == everywhere
    assert where(f.Forall(formula)) <= where(f.Exists(formula))
