"""Laws of unification, on random types; and the table of the tool-kit, which is written in the notation of types."""

from __future__ import annotations

import pytest
from burnside.languages.z.typing.toolkit import (
    SHORTHANDS,
    TAME,
    WORDS,
    abbreviated,
    rows,
    toolkit_global,
)
from burnside.languages.z.typing.types import (
    NUMBER,
    Component,
    FormalType,
    GivenType,
    PowerType,
    ProductType,
    SchemaType,
    Type,
    Variable,
    expanded,
    resolved,
    show_type,
    substituted,
)
from burnside.languages.z.typing.unification import Unifier, identical
from hypothesis import given, settings
from hypothesis import strategies as st

A = GivenType("A")


def types(variables: list[Variable]) -> st.SearchStrategy[Type]:
    leaves = st.sampled_from([A, GivenType("B"), FormalType("X"), NUMBER, abbreviated("\\nat"), *variables])

    def larger(inner: st.SearchStrategy[Type]) -> st.SearchStrategy[Type]:
        pairs = st.tuples(inner, inner)
        return st.one_of(
            inner.map(PowerType),
            st.lists(inner, min_size=2, max_size=3).map(lambda parts: ProductType(tuple(parts))),
            pairs.map(lambda both: SchemaType((Component("x", both[0]), Component("y'", both[1])))),
            inner.map(lambda base: abbreviated("\\seq", base)),
            inner.map(lambda base: abbreviated("\\finset", base)),
            pairs.map(lambda both: abbreviated("\\pfun", *both)),
            pairs.map(lambda both: abbreviated("\\rel", *both)),
        )

    return st.recursive(leaves, larger, max_leaves=8)


def fresh(count: int = 3) -> list[Variable]:
    return list(Unifier().instance(None, count).variables)


@settings(max_examples=50)
@given(types([]), types([]))
def test_closed_types_are_unified_where_they_are_equal(left: Type, right: Type) -> None:
    assert Unifier().unify(left, right) == (expanded(left) == expanded(right))


@settings(max_examples=50)
@given(st.data())
def test_unified_types_are_equal(data: st.DataObject) -> None:
    variables = fresh()
    left, right = data.draw(types(variables)), data.draw(types(variables))
    if Unifier().unify(left, right):
        assert expanded(left) == expanded(right)
        assert Unifier().unify(right, left)


@settings(max_examples=50)
@given(st.data())
def test_a_pattern_fits_its_instances(data: st.DataObject) -> None:
    """Unification finds values that make the pattern equal to what was made of it."""
    variables = fresh()
    pattern = data.draw(types(variables))
    for each in variables:
        each.value = data.draw(types([]))
    instance = resolved(pattern)
    for each in variables:
        each.value = None
    assert Unifier().unify(pattern, instance)
    assert expanded(pattern) == expanded(instance)


@settings(max_examples=50)
@given(st.data())
def test_variables_of_tame_functions_keep_shorthands(data: st.DataObject) -> None:
    unifier = Unifier()
    tame = unifier.instance(None, 1)
    type_ = data.draw(types([]))
    assert unifier.unify(type_, tame.variables[0], tame)
    assert identical(tame.variables[0], type_)


@settings(max_examples=50)
@given(st.data())
def test_a_union_has_the_shorthands_of_both(data: st.DataObject) -> None:
    type_ = data.draw(types([]))
    unifier = Unifier()
    assert identical(unifier.union(type_, type_), type_)
    plain = expanded(type_)
    assert identical(unifier.union(type_, plain), plain)
    assert identical(unifier.union(plain, type_), plain)


def test_no_type_has_itself_as_a_part() -> None:
    (variable,) = fresh(1)
    assert not Unifier().unify(variable, PowerType(variable))
    assert not Unifier().unify(abbreviated("\\seq", variable), variable)
    assert variable.value is None
    assert Unifier().unify(variable, variable)


@pytest.mark.parametrize("name", sorted(rows()))
def test_tool_kit_is_written_as_types_are_shown(name: str) -> None:
    formals, text = rows()[name]
    found = toolkit_global(name)
    assert found is not None
    assert show_type(found.type) == text
    assert found.formals == tuple(formals)
    numbered = show_type(found.type, found.formals)
    assert all(formal not in numbered.split() for formal in formals)


def test_tool_kit_is_complete() -> None:
    names = rows().keys()
    assert len(names) == 87
    assert SHORTHANDS.union(TAME).issubset(names)
    assert set(WORDS) - names == {"X", "Y", "Z"}


@pytest.mark.parametrize("name", sorted(SHORTHANDS))
def test_shorthands_are_what_their_names_stand_for(name: str) -> None:
    found = toolkit_global(name)
    assert found is not None
    parameters: tuple[Type, ...] = tuple([PowerType(A), NUMBER][: len(found.formals)])
    abbreviation = PowerType(found.abbreviated(parameters))
    template = substituted(found.type, dict(zip(found.formals, parameters, strict=True)))
    assert expanded(abbreviation) == expanded(template)
