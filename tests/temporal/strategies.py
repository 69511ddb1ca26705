"""Random formulas and words."""

from __future__ import annotations

from burnside.reference.words import Word
from burnside.temporal import formulas as f
from hypothesis import strategies as st


def formulas(
    atoms: int, *, past: bool = True, branching: bool = True, size: int = 8
) -> st.SearchStrategy[f.Formula]:
    """Over this many atoms. `past`, `branching`: may there be past operators, path quantifiers?"""
    leaves = st.builds(f.Atom, st.integers(0, atoms - 1)) | st.sampled_from([f.TRUE, f.FALSE])

    def extend(inner: st.SearchStrategy[f.Formula]) -> st.SearchStrategy[f.Formula]:
        several = st.lists(inner, min_size=2, max_size=3).map(tuple)
        unary = [f.Not, f.Next, f.finally_, f.globally]
        binary = [f.Until, f.Release, f.weak_until]
        if past:
            unary += [f.Yesterday, f.once, f.historically]
            binary += [f.Since, f.Trigger]
        if branching:
            unary += [f.Exists, f.Forall]
        choices = [st.builds(f.And, several), st.builds(f.Or, several)]
        choices += [st.builds(each, inner) for each in unary]
        choices += [st.builds(each, inner, inner) for each in binary]
        return st.one_of(choices)

    return st.recursive(leaves, extend, max_leaves=size)


def ctl_formulas(atoms: int, *, size: int = 5) -> st.SearchStrategy[f.Formula]:
    """Every operator over runs has its own path quantifier."""
    quantifiers = st.sampled_from([f.Exists, f.Forall])

    def extend(inner: st.SearchStrategy[f.Formula]) -> st.SearchStrategy[f.Formula]:
        unary = [st.builds(each, inner) for each in (f.Next, f.finally_, f.globally)]
        paths = [*unary, *(st.builds(each, inner, inner) for each in (f.Until, f.Release, f.weak_until))]
        quantified = st.builds(lambda quantifier, path: quantifier(path), quantifiers, st.one_of(paths))
        several = st.lists(inner, min_size=2, max_size=3).map(tuple)
        return quantified | quantified | st.builds(f.Not, inner) | st.builds(f.And, several)

    return st.recursive(st.builds(f.Atom, st.integers(0, atoms - 1)), extend, max_leaves=size)


def usual_formulas(atoms: int) -> st.SearchStrategy[f.Formula]:
    """What people ask: responses, recurrence, stability, precedence, that something comes back."""
    atom = st.builds(f.Atom, st.integers(0, atoms - 1))
    literals = atom | st.builds(f.Not, atom)
    one = [
        lambda p: f.globally(f.finally_(p)),
        lambda p: f.finally_(f.globally(p)),
        lambda p: f.globally(f.implies(p, f.once(p))),
        lambda p: f.globally(f.implies(p, f.Next(p))),
        lambda p: f.Forall(f.globally(f.Exists(f.finally_(p)))),
        lambda p: f.Exists(f.globally(f.finally_(p))),
    ]
    two = [
        lambda p, q: f.globally(f.implies(p, f.finally_(q))),
        lambda p, q: f.globally(f.implies(p, f.once(q))),
        lambda p, q: f.weak_until(f.Not(p), q),
        lambda p, q: f.implies(f.globally(f.finally_(p)), f.globally(f.finally_(q))),
        lambda p, q: f.Forall(f.globally(f.implies(p, f.Forall(f.finally_(q))))),
        lambda p, q: f.Exists(f.finally_(f.And((p, f.Exists(f.globally(q)))))),
    ]
    singles = st.builds(lambda make, p: make(p), st.sampled_from(one), literals)
    return singles | st.builds(lambda make, p, q: make(p, q), st.sampled_from(two), literals, literals)


@st.composite
def automata(draw: st.DrawFn, atoms: int) -> f.Matches:
    """With few states, most of which can be reached; half of the guards are literals."""
    states, marks = draw(st.integers(1, 4)), draw(st.integers(0, 2))
    atom = st.builds(f.Atom, st.integers(0, atoms - 1))
    leaves = atom | atom.map(f.Not) | st.just(f.TRUE)
    several = st.lists(leaves, min_size=2, max_size=3).map(tuple)
    guards = leaves | leaves | st.builds(f.And, several) | st.builds(f.Or, several).map(f.Not)
    numbers = st.integers(0, states - 1)
    marked = st.frozensets(st.integers(0, marks - 1)) if marks else st.just(frozenset())
    edges = draw(st.lists(st.builds(f.AutomatonEdge, numbers, guards, numbers, marked), max_size=8))
    path = [f.AutomatonEdge(each, draw(guards), each + 1, draw(marked)) for each in range(states - 1)]
    return f.Matches(states, marks, (*path, *edges))


def infinite_words(atoms: int) -> st.SearchStrategy[Word]:
    return st.builds(Word, _letters(atoms, 0), _letters(atoms, 1))


def finite_words(atoms: int) -> st.SearchStrategy[Word]:
    return st.builds(Word, _letters(atoms, 1))


def words(atoms: int) -> st.SearchStrategy[Word]:
    return infinite_words(atoms) | finite_words(atoms)


def _letters(atoms: int, least: int) -> st.SearchStrategy[tuple[frozenset[int], ...]]:
    letter = st.frozensets(st.integers(0, atoms - 1))
    return st.lists(letter, min_size=least, max_size=4).map(tuple)
