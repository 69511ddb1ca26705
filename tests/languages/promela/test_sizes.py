"""`--size` overrides macros that are numbers; conditions may use the macros of the model."""

from __future__ import annotations

import pytest
from burnside.diagnostics import InputError, Source, UsageError
from burnside.languages import promela
from burnside.languages.promela.lower.program import lowered

TEXT = """
#ifndef N
#define N 2
#endif
#define LOW -1
#define TWICE (N * 2)
#define half(x) (x / 2)
#define full_up (count == N)
#if N > 3
#define MANY 1
#endif
byte count;
int low = LOW;
byte cells[TWICE];
active [N] proctype p() { count++ }
#ifdef MANY
active proctype q() { skip }
#endif
"""


def load(**sizes: int) -> promela.PromelaModel:
    return promela.load(Source("m.pml", TEXT), None, "m", sizes)


def test_a_size_takes_the_place_of_a_number() -> None:
    assert [each.name for each in load().model.starting] == ["p", "p"]
    assert [each.name for each in load(N=3).model.starting] == ["p"] * 3
    assert [each.name for each in load(N=4).model.starting] == ["p"] * 4 + ["q"]
    assert load(N=3).model.variables[2].size == 6


def test_capital_letters_need_not_be_right() -> None:
    assert len(load(n=3).model.starting) == 3


def test_a_size_may_be_negative() -> None:
    states = lowered(load(LOW=-7).model).program
    assert "-7" in str(states.starts[0].body)


@pytest.mark.parametrize("name", ["TWICE", "half", "M", "count"])
def test_a_size_must_be_a_macro_that_is_a_number(name: str) -> None:
    with pytest.raises(UsageError) as refused:
        load(**{name: 3})
    assert f"no macro whose body is a number is called '{name}'" in str(refused.value)
    assert "there are: N, LOW" in str(refused.value)


def test_a_size_has_32_bits() -> None:
    with pytest.raises(UsageError, match="beyond 32 bits"):
        load(N=2**40)


@pytest.mark.parametrize("text", ["count <= N", "full_up", "!full_up || half(N) == 1", "count < TWICE"])
def test_conditions_know_the_macros_of_the_model(text: str) -> None:
    found = load()
    lowered(found.model).lowering.condition(found.condition(Source("--invariant", text)))


def test_what_is_wrong_with_a_macro_in_a_condition_has_its_place_there() -> None:
    with pytest.raises(InputError) as refused:
        load().condition(Source("--invariant", "count == half(N"))
    assert "--invariant:1:10: error: the arguments of the macro 'half' are not closed" in str(refused.value)
