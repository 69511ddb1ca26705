"""Whatever comes in, what comes out is a well-formed machine or a diagnostic with its place."""

from __future__ import annotations

import re

from burnside.diagnostics import BurnsideError, Source, option_source
from burnside.ir.sets.checking import problems
from burnside.languages.b import load, read_text
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

OWN = """
MACHINE own(S, n)
CONSTRAINTS n : 1..3
SETS T; COLOUR = {red, green}
DEFINITIONS scope_T == 1..3; near(a, b) == #k.(k : T & {a |-> k, k |-> b} <: links); GOAL == count = 2
CONSTANTS limit, weight, next
PROPERTIES limit : NATURAL1 & weight : COLOUR --> 0..limit & limit = 3 & card(T) = n & next = %x.(x : NATURAL | x + 1)
VARIABLES links, count, mode, log
INVARIANT
  links : T <-> T & count : 0..limit & mode : COLOUR & log : seq(struct(who : T, what : BOOL)) &
  !(x, y).(x |-> y : links => not(near(y, x)) or x = y)
ASSERTIONS card(links) >= 0; SIGMA(c).(c : COLOUR | weight(c)) <= 2 * limit
INITIALISATION links := {} || count := 0 || mode :: COLOUR || log := <>
OPERATIONS
  r <-- link(x, y) = PRE x : T & y : T - {x} THEN
    links := links \\/ {x |-> y} || r := bool(x |-> y : links~) || log := log <- rec(who : x, what : TRUE) END;
  step(k) = SELECT count < limit & k : 1..n THEN count := next(count) WHEN mode = red & k = 1 THEN skip END;
  pick = ANY f, c WHERE f : T >+> COLOUR & c = IF count mod 2 = 0 THEN red ELSE green END THEN
    links := (f ; f~) /\\ links || mode := c END;
  loop = VAR i, b IN i := 0; b <-- link(last(log)'who, first(log)'who);
    WHILE i < 3 DO i := i + 1 INVARIANT i <= 3 & count = count$0 VARIANT 3 - i END; count : (count = count$0) END;
  turn = CASE mode OF EITHER red THEN mode := green OR green THEN mode := red END END
END
"""

PIECES = sorted(set(re.findall(r"\w+|[^\w\s]+", OWN)))
OWN_MODEL = load(Source("own.mch", OWN))
bounded = settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))


def test_our_own_machine_is_well_formed() -> None:
    assert problems(OWN_MODEL.machine) == ()
    assert [each.name for each in OWN_MODEL.machine.constants] == ["n", "limit", "weight"]


@bounded
@given(data=st.data())
def test_exchanged_words(data: st.DataObject) -> None:
    words = re.split(r"(\w+|[^\w\s]+)", OWN)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(words) // 2 - 1)) * 2 + 1
        words[at] = data.draw(st.sampled_from(PIECES))
    try:
        machine = read_text(Source("model.mch", "".join(words)))
    except BurnsideError as error:
        assert str(error).startswith("model.mch:")
        return
    assert problems(machine) == ()


@bounded
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=12))
def test_conditions_of_anything(pieces: list[str]) -> None:
    try:
        OWN_MODEL.condition(option_source("--invariant", " ".join(pieces)))
    except BurnsideError as error:
        assert str(error).startswith("--invariant:")
