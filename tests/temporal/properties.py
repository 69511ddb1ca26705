"""Random properties of a model: a few propositions, formulas of every logic over them, fairness, both ends of runs."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from burnside.temporal import formulas as f
from burnside.temporal.atoms import (
    ActionPattern,
    Dead,
    Enabled,
    Fairness,
    Initial,
    NextAction,
    Patterns,
    Proposition,
    Sink,
)
from burnside.temporal.reading import TemporalProperty
from hypothesis import strategies as st

from tests.temporal.laws import property_of
from tests.temporal.strategies import automata, ctl_formulas, formulas, usual_formulas

ATOMS = 4
"""Propositions of one model, of which each formula has some."""

WORDS: st.SearchStrategy[Proposition] = st.sampled_from((Dead(), Dead(), Sink(), Initial()))


def shown(patterns: Patterns) -> str:
    return " or ".join(f"{each.action}{each.arguments or ''}" for each in patterns)


def propositions(
    conditions: st.SearchStrategy[Proposition], patterns: st.SearchStrategy[Patterns]
) -> st.SearchStrategy[Proposition]:
    enabled = patterns.map(lambda some: Enabled(some, f"enabled {shown(some)}"))
    taken = patterns.map(lambda some: NextAction(some, f"next {shown(some)}"))
    return st.one_of(conditions, conditions, conditions, enabled, taken, taken, WORDS)


Positions = tuple[int | None, ...]
"""Of each action, which of its parameters says whose step it is."""

NOBODY: st.SearchStrategy[Positions] = st.just(())


def fairness(
    patterns: st.SearchStrategy[Patterns], positions: st.SearchStrategy[Positions] = NOBODY
) -> st.SearchStrategy[Fairness]:
    def made(
        strength: str, some: Patterns | None, whose: Positions, others: Positions, *, each: bool
    ) -> Fairness:
        """Parameters of other steps of the same individuals are those that take part in one, where two are known."""
        if not each:
            whose = ()
        partners = [
            (other,) if own is not None and other not in (own, None) else ()
            for own, other in zip(whose, others, strict=False)
        ]
        text = f"{strength} {'each ' if each else ''}{shown(some) if some else 'step'} {whose} {partners}"
        return Fairness(
            strength=strength,
            patterns=some,
            each=each,
            text=text,
            positions=whose,
            partners=tuple(partners) if len(partners) == len(whose) else (),
        )  # type: ignore[arg-type]

    strengths = st.sampled_from(("weak", "strong"))
    return st.builds(
        made, strengths, patterns | st.none(), NOBODY | positions, NOBODY | positions, each=st.booleans()
    )


def whose_steps(types: Sequence[Sequence[Hashable]]) -> st.SearchStrategy[Positions]:
    """Of actions whose parameters have these types: values of parameters of one type act, in some of the actions."""

    def positions(type_: Hashable) -> st.SearchStrategy[Positions]:
        found = [[None, *(at for at, each in enumerate(one) if each == type_)] for one in types]
        return st.tuples(*(st.sampled_from(each[-1:] + each) for each in found))

    known = [*dict.fromkeys(each for one in types for each in one if each is not None)]
    return st.sampled_from(known).flatmap(positions) if known else NOBODY


def random_formulas() -> st.SearchStrategy[f.Formula]:
    return st.one_of(
        usual_formulas(ATOMS),
        formulas(ATOMS, branching=False, size=4),
        ctl_formulas(ATOMS),
        formulas(ATOMS, size=4),
        automata(ATOMS).map(f.Not),
    )


@st.composite
def random_properties(
    draw: st.DrawFn,
    conditions: st.SearchStrategy[Proposition],
    patterns: st.SearchStrategy[Patterns],
    positions: st.SearchStrategy[Positions] = NOBODY,
    count: int = 4,
) -> list[TemporalProperty]:
    """Over common propositions, so that some of them share a group."""
    known = [draw(propositions(conditions, patterns)) for _ in range(ATOMS)]
    found = []
    for _ in range(count):
        formula = draw(random_formulas())
        used = f.atoms_of(formula)
        formula = f.renumbered(formula, {number: at for at, number in enumerate(used)})
        is_fair = draw(st.sampled_from((True, False, False)))
        fair = draw(st.lists(fairness(patterns, positions), min_size=1, max_size=2)) if is_fair else ()
        is_automaton = f.refused_by(formula) is not None
        ends = "stutter" if is_automaton else draw(st.sampled_from(("strong", "stutter")))
        found.append(property_of(formula, [known[number] for number in used], ends=ends, fairness=fair))  # type: ignore[arg-type]
    return found


def some_of(actions: int) -> st.SearchStrategy[Patterns]:
    """One or two actions, whatever their arguments."""
    numbers = st.sets(st.integers(0, actions - 1), min_size=1, max_size=2)
    return numbers.map(lambda some: tuple(map(ActionPattern, sorted(some))))
