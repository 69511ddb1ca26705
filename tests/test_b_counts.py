"""Small machines whose states and transitions were counted by ProB 1.8.2: what is set up, which operations move, which
values are found. Both engines count the same, and orbits add up to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from burnside.pipeline import check, read
from burnside.request import Request

PROPERTIES_ONLY = """MACHINE Main SETS ID PROPERTIES card(ID) = 3 VARIABLES x INVARIANT x : ID INITIALISATION x :: ID
OPERATIONS next = x :: ID END"""

NUMBERS_ONLY = """MACHINE Main PROPERTIES 1 < 2 OPERATIONS r <-- pick = r :: {1, 2} END"""

INFINITE_ONLY = """MACHINE Main ABSTRACT_CONSTANTS square, next, both
PROPERTIES square = %x.(x : INTEGER | x * x) & next = %x.(x : NATURAL | x + 1) & both = (next ; square)
VARIABLES v INVARIANT v : NATURAL INITIALISATION v := 0
OPERATIONS
  grow = PRE v < 20 THEN v := both(v) END;
  fold = PRE v > 3 THEN v := next(v) mod 7 END;
  r <-- squares = r := square[-1..2]
END"""

SOME = """MACHINE Some(SS) VARIABLES s INVARIANT s <: SS INITIALISATION s := {}
OPERATIONS add(x) = PRE x : SS & x /: s THEN s := s \\/ {x} END END"""
INCLUDES_WITH_ARGUMENT = "MACHINE Main SETS T = {t1, t2} INCLUDES Some(T) PROMOTES add END"

LAMP = """MACHINE Lamp VARIABLES on INVARIANT on : BOOL INITIALISATION on := TRUE
OPERATIONS switch = on := bool(on = FALSE) END"""
COPY = """MACHINE Copy SEES Lamp VARIABLES c INVARIANT c : BOOL INITIALISATION c := FALSE OPERATIONS copy = c := on END"""
SEES_IN_TURN = """MACHINE Main SEES Copy VARIABLES m INVARIANT m : BOOL INITIALISATION m := FALSE
OPERATIONS again = m := c END"""
INCLUDES_WHO_SEES = "MACHINE Main INCLUDES Copy PROMOTES copy END"
INCLUDES_BOTH = "MACHINE Main INCLUDES Copy, Lamp PROMOTES copy END"

SIZED = """MACHINE Sized DEFINITIONS scope_P == 3 SETS P VARIABLES q INVARIANT q <: P INITIALISATION q := {}
OPERATIONS put(x) = PRE x : P - q THEN q := q \\/ {x} END END"""
INCLUDES_SIZED = "MACHINE Main INCLUDES Sized PROMOTES put END"

FIRST = """MACHINE First(T) VARIABLES r INVARIANT r : T <-> T INITIALISATION r := {}
OPERATIONS link(a, b) = PRE a : T & b : T THEN r := r \\/ {a |-> b} END END"""
SECOND = """REFINEMENT Second(T) REFINES First VARIABLES class
INVARIANT class : T --> POW(T) & !x.(x : T => closure(r \\/ r~)[{x}] = class(x))
INITIALISATION class := %x.(x : T | {x})
OPERATIONS link(a, b) = class := class <+ (class(a) \\/ class(b)) * {class(a) \\/ class(b)} END"""
THIRD = """REFINEMENT Main(T) REFINES Second VARIABLES chief
INVARIANT chief : T --> T & !(x, y).(x : T & y : T => (class(x) = class(y) <=> chief(x) = chief(y)))
INITIALISATION chief := id(T)
OPERATIONS link(a, b) = IF chief(a) /= chief(b) THEN chief := chief <+ chief~[{chief(a)}] * {chief(b)} END END"""

PRESCRIBED = """MACHINE Main SETS C = {c1, c2, c3}
CONSTANTS f, g PROPERTIES f : C --> NATURAL & f(c1) = 10 & f(c2) = 20 & f(c3) = 30 & g : C +-> NATURAL & g = {c1 |-> 7}
VARIABLES x INVARIANT x : NATURAL INITIALISATION x := f(c1)
OPERATIONS next(c) = PRE c : C THEN x := f(c) END END"""

PRESCRIBED_FOR_ALL = """MACHINE Main SETS C = {c1, c2}
CONSTANTS d, l PROPERTIES d : C * C --> NATURAL & d(c1, c2) = 10 & d(c2, c1) = 20 & !c.(c : C => d(c, c) = 0) &
  l : C --> seq(C) & l(c1) = [c1, c2] & l(c2) = []
VARIABLES x INVARIANT x : C INITIALISATION x := c1
OPERATIONS r <-- next(c) = PRE c : C THEN x := c || r := d(x, c) END END"""

PRESCRIBED_LATER = """MACHINE Main SETS C = {c1, c2}
CONSTANTS f, n PROPERTIES f : C --> NATURAL & n : NATURAL & n = f(c1) & f(c2) = n + 10
VARIABLES x INVARIANT x : C INITIALISATION x :: C
OPERATIONS r <-- next(c) = PRE c : C THEN x := c || r := f(c) END END"""

PARTITION = """MACHINE Main SETS ID = {aa, bb, cc}
CONSTANTS a, b, c, S
PROPERTIES S = ID * ID & a \\/ b \\/ c = S & a /\\ b = {} & a /\\ c = {} & b /\\ c = {} & b = ID * {aa} & c = {bb} * {cc}
OPERATIONS r <-- a_has = r := card(a); r <-- b_has = r := card(b); r <-- c_has = r := card(c) END"""

TYPED_RESULTS = """MACHINE Main SETS D = {d1, d2} VARIABLES x INVARIANT x : 0..2 INITIALISATION x := 0
OPERATIONS
  code, data <-- get = PRE x < 2 & data : D & code : NAT THEN
    IF x = 0 THEN code := 9 || data := d1 ELSE code := 8 || ANY f WHERE f : D THEN data := f END END
  END;
  more = PRE x < 2 THEN x := x + 1 END
END"""

SIFTED = """MACHINE Main SETS S; T = {t1, t2} DEFINITIONS scope_S == 1..3
VARIABLES r, f
INVARIANT r : S <-> S & f : S +-> T &
  !x.(x : S & x /: dom(r) => #y.(y : S & (y = x or y |-> x /: r))) & #(x,y).(x : S & y : S & x |-> y /: r & x /: dom(f))
INITIALISATION r := {} || f := {}
OPERATIONS
  link(x, y) = PRE x : S & y : S & x |-> y /: r & x /= y THEN r := r \\/ {x |-> y} END;
  turn(x, y) = SELECT x : S & y : S & x |-> y : r & y |-> x /: r & y /: dom(f) THEN r := (r - {x |-> y}) \\/ {y |-> x} END;
  name(x, t) = PRE x : S & t : T & x : ran(r) & t /: ran(f) & x |-> t /: f THEN f(x) := t END;
  n <-- loose = n := card({x | x : S & x /: dom(r) & x /: ran(r)})
END"""

WIDE = """MACHINE Main CONSTANTS bound, word, signed, row
PROPERTIES bound = 2 ** 32 & word = 0..bound - 1 & signed = -2147483648..2147483647 & row = {1, 2} --> word &
  word <: NATURAL & card(word) = bound
VARIABLES v, r INVARIANT v : word /\\ signed & r : row & r : {1, 2} --> 0..bound
INITIALISATION v := 4 || r := {1 |-> 0, 2 |-> bound - 1}
OPERATIONS
  up = SELECT v + 1 <= 6 THEN v := v + 1 END;
  down = PRE v - 1 : word THEN v := v - 1 || r(1) := v END;
  b <-- fits(n) = PRE n : word & n > bound - 3 THEN b := bool(n : signed) END
END"""

COUNTS = {
    "properties only": (4, 13, [PROPERTIES_ONLY]),
    "numbers only": (1, 3, [NUMBERS_ONLY]),
    "infinite constants only": (15, 35, [INFINITE_ONLY]),
    "an argument is set up": (5, 6, [INCLUDES_WITH_ARGUMENT, SOME]),
    "seen machines move": (8, 25, [SEES_IN_TURN, COPY, LAMP]),
    "seen by an included machine": (4, 9, [INCLUDES_WHO_SEES, COPY, LAMP]),
    "seen and included": (2, 3, [INCLUDES_BOTH, COPY, LAMP]),
    "sizes of other machines": (4, 5, [INCLUDES_SIZED, SIZED]),
    "refined twice": (3, 13, [THIRD, SECOND, FIRST]),
    "all points prescribed": (4, 11, [PRESCRIBED]),
    "points prescribed for all": (3, 6, [PRESCRIBED_FOR_ALL]),
    "points prescribed by unknown numbers": (12, 28, [PRESCRIBED_LATER]),
    "results are given their types": (3, 6, [TYPED_RESULTS]),
    "a part of a partition": (2, 5, [PARTITION]),
    "elements in and outside of sets": (568, 3449, [SIFTED]),
    "intervals that are not listed": (31, 114, [WIDE]),
}


def written(folder: Path, texts: list[str]) -> str:
    """The first one is the model."""
    for text in texts:
        kind, name = text.split("(")[0].split()[:2]
        (folder / f"{name}.{'ref' if kind == 'REFINEMENT' else 'mch'}").write_text(text)
    return next(str(each) for each in folder.iterdir() if each.stem == "Main")


@pytest.mark.parametrize("case", COUNTS)
def test_counts(case: str, tmp_path: Path) -> None:
    states, transitions, texts = COUNTS[case]
    model = read(written(tmp_path, texts))
    for engine in ("core", "reference"):
        request = Request(reduce="none", engine=engine, keep_going=True, assume_bounds=True)
        outcome = check(model, request)
        assert (outcome.states, outcome.transitions) == (states, transitions), engine
        assert not any(each.kind == "error" and each.verdict != "holds" for each in outcome.properties)
    for reduce in ("auto", "nauty", "search"):
        assert check(model, Request(reduce=reduce, keep_going=True, assume_bounds=True)).full_states == states


RELATION = "{0 |-> 2, 1 |-> 22, 3 |-> 4}"


@pytest.mark.parametrize(
    "law",
    [
        f"{RELATION}[NATURAL1] = {{4, 22}}",
        f"{RELATION}[{{x | x < 2}}] = {{2, 22}}",
        "{x | x <: 1..60 & x \\/ {1} = {1, 2}} = {{2}, {1, 2}}",
        "{x | x <: 1..90 & (1..45) \\/ x = 1..90 & x /\\ (1..45) = {}} = {46..90}",
        "{x | x <: 1..60 & x /\\ (2..60) = {}} = {{}, {1}}",
        "card(0..2 ** 40) = 2 ** 40 + 1 & min(-(2 ** 40)..7) = -(2 ** 40) & max(k..2 ** 40) = 2 ** 40",
        "0..2 ** 40 <: NATURAL & k..2 ** 40 <: NATURAL1 & k - 1..2 ** 40 /<: NATURAL1 & 0..2 ** 40 /<: INT",
        "2..2 ** 40 <<: k..2 ** 40 & not(k..2 ** 40 <<: k..2 ** 40) & 0..3 <<: 0..2 ** 40",
        "0..2 ** 40 = k - 1..2 ** 40 & 0..2 ** 40 /= k..2 ** 40 & 0..2 ** 40 /= {}",
        "{x | x <: 1..60 & {3} \\/ x \\/ {1} = {1, 2, 3} & {3} /\\ x = {}} = {{2}, {1, 2}}",
    ],
)
def test_laws(law: str, tmp_path: Path) -> None:
    model = read(written(tmp_path, [f"MACHINE Main CONSTANTS k PROPERTIES k = 1 ASSERTIONS {law} END"]))
    outcome = check(model, Request(reduce="none", keep_going=True))
    assert {each.verdict for each in outcome.properties if each.kind == "assertion"} == {"holds"}


def test_nothing_satisfies_unbounded_properties(tmp_path: Path) -> None:
    text = "MACHINE Main SETS C CONSTANTS f PROPERTIES f : C --> NATURAL & !c.(c : C => f(c) > 5) END"
    for assumed, verdict in ((True, "violated"), (False, "unknown")):
        outcome = check(read(written(tmp_path, [text])), Request(keep_going=True, assume_bounds=assumed))
        failed = next(each for each in outcome.properties if each.kind == "error")
        assert failed.verdict == verdict
