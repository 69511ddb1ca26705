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


def infinite_words(atoms: int) -> st.SearchStrategy[Word]:
    return st.builds(Word, _letters(atoms, 0), _letters(atoms, 1))


def finite_words(atoms: int) -> st.SearchStrategy[Word]:
    return st.builds(Word, _letters(atoms, 1))


def words(atoms: int) -> st.SearchStrategy[Word]:
    return infinite_words(atoms) | finite_words(atoms)


def _letters(atoms: int, least: int) -> st.SearchStrategy[tuple[frozenset[int], ...]]:
    letter = st.frozensets(st.integers(0, atoms - 1))
    return st.lists(letter, min_size=least, max_size=4).map(tuple)
