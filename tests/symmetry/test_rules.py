"""The rules of certification one by one: a program that each accepts, and one that it would accept without a premise.

The second is no symmetry, which is found out by looking at its states. `docs/programs.md` has the argument for each rule
under the same name. Programs that no Murphi model has come from `process_adversaries`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.checking import check_program
from burnside.ir.program import Action, Program
from burnside.ir.walking import rebuilt
from burnside.records import record, replace
from burnside.symmetry.points import Images, on_sort, transposition
from burnside.symmetry.programs.certifier import Certifier

from tests.soundness.brute_force import is_symmetry, read
from tests.soundness.program_law import CoreLaw
from tests.symmetry import process_adversaries as built

DOCS = Path(__file__).parents[2] / "docs" / "programs.md"

SCALARSET = """
type S: scalarset(2); R: record who: S; hot: boolean; end;
var a: array[S] of boolean; b: array[S] of boolean; k: array[S] of 0..2; x: boolean; y: S; n: 0..1;
    net: multiset[2] of R;
ruleset s: S do startstate begin
  for i: S do a[i] := false; b[i] := true; k[i] := 1; end;
  a[s] := true; UNDEFINED x := false; y := s; n := 1; undefine net;
end; end;
"""
ENUMERATION = SCALARSET.replace("scalarset(2)", "enum {A, B}")


@record
class Adversary:
    """`rule`: its name in the documents. `good` is accepted, `bad` is refused; both are declarations and rules."""

    rule: str
    premise: str
    good: str
    bad: str
    header: str = SCALARSET
    undefined: str = ""
    ordered: bool = False
    """In the bad one `!=` becomes `<`, which no Murphi program may say of elements."""


def rule(body: str, variables: str = "") -> str:
    return f'rule "r" {variables} begin {body} end;'


LOOP = "for i: S do {} end;"
KEEP = "var t: boolean;"
ADD = "t.who := i; t.hot := false; multisetadd(t, net);"
FIRST = 'function first(): S; begin for i: S do if {} then return i; end; end; return y; end; rule "r" y := first(); end;'
SOME = (
    "function some(): boolean; begin for i: S do {} if a[i] then return true; end; end; return false; end; "
    'rule "r" x := some(); end;'
)
FILLED = (
    "procedure send(s: S; hot: boolean); var t: R; begin t.who := s; t.hot := hot; multisetadd(t, net); end;"
    + rule("undefine net; send(y, true);")
)
CHOSEN = 'choose m: net do rule "c" multisetcount(c: net, true) = 1 ==> begin {} end; end;'
TOLD = (
    "procedure add(b: boolean); begin multisetadd(b, bag); end;"
    "function told(b: boolean): boolean; begin x := b; return b; end;"
)
EMPTIED = (
    'choose m: bag do rule "r" var t: boolean; begin alias q: bag[m] do clear bag; multisetadd(t, bag); '
    "for i: S do if i = y then b[i] := !{}; else cover true; end; end; end; end; end;"
)
BOTH = "z[0] := 1; z[1] := 0; if n = 1 then {} end; if n = 1 then {} end;"
PASSED = "for p: 0..1 do k[{0}] := k[{0}] + z[p]; end; alias q: z[n] do end;"
NAMED = "alias q: z[n] do for p: 0..1 do k[{0}] := k[{0}] + q; end; end;"
TWICE = (
    "t := {0}; if n = 1 then k[A] := k[A] + 1; elsif n = t then k[B] := k[B] + 1; end; "
    "if n = t then k[A] := k[A] + 1; elsif n = 1 then k[B] := k[B] + 1; end;"
)
NUMBERED = "if n > 1 then a[A] := !b[A]; a[B] := !b[B]; end; "
"""Never happens; normal forms put the reads in it before other expressions."""
BREAK = 'ruleset i: S do rule "r" for j: S do if j = i then b[j] := false; else undefine b[j]; end; end; end; end;'
ADVERSARIES = [
    Adversary(
        "Values",
        "nothing orders elements",
        "ruleset i: S do rule y := i; end; end; " + rule("x := exists i: S do a[i] & i != y end;"),
        "ruleset i: S do rule y := i; end; end; " + rule("x := exists i: S do a[i] & i != y end;"),
        ordered=True,
    ),
    Adversary(
        "Own places",
        "a turn reads what no other writes",
        rule(LOOP.format("a[i] := !a[i];")),
        rule(LOOP.format("a[i] := !a[y];")),
    ),
    Adversary(
        "Same value",
        "the value does not change between turns",
        rule(LOOP.format("if a[i] then x := true; end;")),
        rule(LOOP.format("t := a[i]; x := t;"), KEEP),
    ),
    Adversary(
        "Sums",
        "all summands have one sign",
        rule(LOOP.format("if !a[i] then n := n + 1; end;")),
        rule(LOOP.format("if a[i] then n := n + 1; else n := n - 1; end;")),
    ),
    Adversary(
        "Junctions",
        "the operands cannot fail",
        rule(LOOP.format("x := x | a[i];")),
        rule(LOOP.format("x := x | b[i];")),
        undefined="undefine b[s];",
    ),
    Adversary(
        "Extremes",
        "nothing else is kept",
        rule(
            "k[y] := 2; m := 0; " + LOOP.format("if k[i] > m then m := k[i]; end;") + " n := m / 2;",
            "var m: 0..2;",
        ),
        rule("m := 0; " + LOOP.format("if k[i] > m then m := k[i]; y := i; end;"), "var m: 0..2;"),
    ),
    Adversary(
        "Extremes",
        "a value above the range ends the step",
        rule("t := 0; " + LOOP.format("cover a[i]; if k[i] > t then t := k[i]; end;"), "var t: 0..2;"),
        rule(LOOP.format("cover a[i]; if k[i] > n then n := k[i]; end;")),
        undefined="for i: S do if !a[i] then k[i] := 2; end; end;",
    ),
    Adversary(
        "Entries",
        "no turn looks at the bag",
        rule("undefine net; " + LOOP.format(ADD), "var t: R;"),
        rule(
            "undefine net; " + LOOP.format("if multisetcount(m: net, true) = 0 then y := i; end; " + ADD),
            "var t: R;",
        ),
    ),
    Adversary(
        "Private variables",
        "it is not read after the loop",
        rule(LOOP.format("t := a[i]; b[i] := t;"), KEEP),
        rule(LOOP.format("t := a[i];") + " x := t;", KEEP),
    ),
    Adversary(
        "Private variables",
        "no turn reads it before it writes it",
        rule("t := true; " + LOOP.format("t := a[i]; b[i] := t;"), KEEP),
        rule("t := true; " + LOOP.format("b[i] := t; t := a[i];"), KEEP),
    ),
    Adversary(
        "Ends",
        "an assertion and an error hide each other",
        rule(LOOP.format('assert "p" a[i];')),
        rule(LOOP.format('assert "p" a[i]; a[i] := b[i] & true;')),
        undefined="undefine b[s];",
    ),
    Adversary(
        "Ends",
        "two assertions hide each other",
        rule(LOOP.format('assert "p" a[i];')),
        rule(LOOP.format('assert "p" a[i]; assert "q" !a[i];')),
    ),
    Adversary(
        "Ends",
        "an assumption hides an assertion",
        rule(LOOP.format("assume a[i];")),
        rule(LOOP.format('assume a[i]; assert "p" a[i] & b[i];')),
        undefined="b[s] := false;",
    ),
    Adversary(
        "Ends",
        "an error hides a cover",
        rule(LOOP.format("cover a[i];")),
        rule(LOOP.format("cover a[i]; b[i] := b[i] & true;")),
        undefined="for i: S do if !a[i] then undefine b[i]; end; end;",
    ),
    Adversary(
        "Ends",
        "what is added to a bag that was emptied may be undefined",
        EMPTIED.format("a[i]"),
        EMPTIED.format("q"),
        SCALARSET.replace("net: multiset", "bag: multiset[1] of boolean; net: multiset"),
        "multisetadd(a[s], bag);",
    ),
    Adversary("Searches", "all ways out leave the same", SOME.format(""), FIRST.format("k[i] = 1")),
    Adversary("Searches", "nothing is written before", SOME.format(""), SOME.format("k[i] := 2;")),
    Adversary(
        "Quantifiers",
        "an instance that is left out cannot fail",
        rule("x := exists i: S do a[i] end;"),
        rule("x := exists i: S do b[i] end;"),
        ENUMERATION,
        "undefine b[s];",
    ),
    Adversary(
        "Positions",
        "a position is not used once a new entry may have it",
        'choose m: net do rule "r" net[m].who = y ==> begin net[m].hot := true; end; end;'
        + rule("undefine net; " + LOOP.format(ADD), "var t: R;"),
        'choose m: net do choose l: net do rule "r" m != l & net[m].who = y ==> var t: R; begin t := net[m]; '
        "multisetremove(m, net); multisetremove(l, net); multisetadd(t, net); net[m].hot := true; end; end; end;"
        + rule("undefine net; " + LOOP.format(ADD), "var t: R;"),
    ),
    Adversary(
        "Positions",
        "either of two new entries may have a free position",
        FILLED
        + CHOSEN.format("send(net[m].who, false); multisetremove(m, net); send(A, true); send(B, true);"),
        FILLED + CHOSEN.format("multisetremove(m, net); send(A, false); send(B, false); net[m].hot := true;"),
        ENUMERATION.replace("multiset[2]", "multiset[3]"),
    ),
    Adversary(
        "Positions",
        "entries that hold nothing that moves stand in the order in which they were added",
        TOLD + rule("undefine bag; " + LOOP.format("add(a[i]);") + " n := multisetcount(m: bag, bag[m]);"),
        TOLD
        + rule("undefine bag; " + LOOP.format("add(a[i]);") + " n := multisetcount(m: bag, told(bag[m]));"),
        SCALARSET.replace("net: multiset", "bag: multiset[2] of boolean; net: multiset"),
    ),
    Adversary(
        "Constants",
        "every name has its counterpart",
        rule("a[A] := x; a[B] := x;"),
        rule("a[A] := x;"),
        ENUMERATION,
    ),
    Adversary(
        "Constants",
        "a name that is bound inside is no other name",
        rule(BOTH.format(NAMED.format("A"), NAMED.format("B")), "var z: array[0..1] of 0..1;"),
        rule(BOTH.format(NAMED.format("A"), PASSED.format("B")), "var z: array[0..1] of 0..1;"),
        ENUMERATION,
        "for i: S do k[i] := 0; end;",
    ),
    Adversary("Constants", "`clear` names the first element", rule("undefine y;"), rule("clear y;")),
    Adversary(
        "Operands",
        "the operator is commutative",
        rule("n := k[A] * k[B];"),
        rule("x := k[A] - k[B] > 0;"),
        ENUMERATION,
        "k[s] := 0;",
    ),
    Adversary(
        "Lazy operands",
        "a read that cannot fail behind a test is not one that can",
        rule(NUMBERED + "a[A] := !isundefined(b[A]) & b[A]; a[B] := !isundefined(b[B]) & b[B];"),
        rule(NUMBERED + "a[A] := b[A] & !isundefined(b[A]); a[B] := !isundefined(b[B]) & b[B];"),
        ENUMERATION,
        "undefine b[s];",
    ),
    Adversary(
        "Lazy operands",
        "the parts fail in the same states",
        rule("x := a[A] & a[B];"),
        rule("x := b[A] & b[B];"),
        ENUMERATION,
        "undefine b[s]; for i: S do if i != s then b[i] := false; end; end;",
    ),
    Adversary(
        "Branches",
        "one value is compared with different constants",
        rule("if y = A then a[A] := false; elsif y = B then a[B] := false; end;"),
        rule("if a[A] | x then a[A] := false; elsif a[B] | x then a[B] := false; end;"),
        ENUMERATION,
        "a[A] := true; a[B] := true;",
    ),
    Adversary(
        "Branches",
        "one number is one constant, whatever its type",
        rule(TWICE.format("0"), "var t: 0..2;"),
        rule(TWICE.format("1"), "var t: 0..2;"),
        ENUMERATION,
        "for i: S do k[i] := 0; end;",
    ),
    Adversary(
        "Statements",
        "neither writes what the other reads or writes",
        rule("b[A] := a[A]; b[B] := a[B];"),
        rule("x := a[A]; x := a[B];"),
        ENUMERATION,
    ),
    Adversary(
        "Properties",
        "a verdict is about one property",
        'invariant "both" a[A] | a[B];' + rule("x := x;"),
        'invariant "a" !a[A]; invariant "b" !a[B];' + rule("x := x;"),
        ENUMERATION,
    ),
    Adversary(
        "Properties",
        "assumptions that change places cannot fail",
        "assume !isundefined(b[A]); assume !isundefined(b[B]);" + BREAK,
        "assume b[A]; assume b[B];" + BREAK,
        ENUMERATION,
    ),
]


@record
class BuiltAdversary:
    """The same, of programs that were built."""

    rule: str
    premise: str
    good: Program
    bad: Program


def proper(test: e.Expression) -> Program:
    return built.made(
        built.step(built.flip(built.THIS), guard=built.read(built.a, built.THIS)), proper_end=test
    )


def stated(statement: type[s.Assert | s.Note], one: int, other: int) -> Program:
    """A and B have an action each, which observes a property."""
    tests = [(built.read(built.a, each), number) for each, number in ((built.A, one), (built.B, other))]
    actions = [Action("state", (), (statement(test, number),)) for test, number in tests]
    return built.made(*actions, built.step(built.flip(built.THIS)))


IS_HELD = built.read(built.a, built.THIS)
OPEN_A, OPEN_B = e.IsDefined(built.at(built.b, built.A)), e.IsDefined(built.at(built.b, built.B))
FAILING = s.Assign(built.at(built.b, built.THIS), e.Not(built.read(built.b, built.THIS)))
BUILT = [
    BuiltAdversary(
        "Ends",
        "an error hides a note",
        built.noted(s.Note(IS_HELD, built.ASSERTED), built.flip(built.THIS)),
        built.noted(s.Note(IS_HELD, built.ASSERTED), FAILING),
    ),
    BuiltAdversary(
        "Positions",
        "a parameter that comes from a named bag may exchange statements",
        built.added(built.COUNTED, by_table=False),
        built.added(built.LAST, by_table=False),
    ),
    BuiltAdversary(
        "Positions",
        "a table that moves may exchange statements",
        built.added(built.COUNTED, by_table=True),
        built.added(built.LAST, by_table=True),
    ),
    BuiltAdversary(
        "Properties",
        "a note is about one property",
        stated(s.Note, built.ASSERTED, built.ASSERTED),
        stated(s.Note, built.ASSERTED, built.LIMIT),
    ),
    BuiltAdversary(
        "Tables",
        "a table is its own image",
        built.related(built.EQUAL),
        built.related(built.NOT_B),
    ),
    BuiltAdversary(
        "Tables",
        "what is found is renamed, not only what is looked up",
        built.pointing(built.ALWAYS_A, built.ALWAYS_B),
        built.pointing(built.ALWAYS_A, built.ALWAYS_A),
    ),
    BuiltAdversary(
        "Tables",
        "what is missing is missing in the image",
        built.partial(built.AT_A, built.AT_B),
        built.partial(built.AT_A, built.ANYWHERE),
    ),
    BuiltAdversary(
        "Tables",
        "a property that a missing entry violates is violated in the image",
        built.partial(built.AT_A, built.AT_B, built.LIMIT),
        built.partial(built.AT_A, built.ANYWHERE, built.LIMIT),
    ),
    BuiltAdversary(
        "Processes",
        "the actor has the same position",
        built.alike({"actor": 0}, {"actor": 0}, counting=0),
        built.alike({"actor": 0}, {}, counting=0),
    ),
    BuiltAdversary(
        "Processes",
        "control is kept by both or by none",
        built.alike({"actor": 0, "keeps_control": 0}, {"actor": 0, "keeps_control": 0}),
        built.alike({"actor": 0, "keeps_control": 0}, {"actor": 0}),
    ),
    BuiltAdversary(
        "Processes",
        "control is kept by the same parameter",
        built.passed(1, 1),
        built.passed(0, 1),
    ),
    BuiltAdversary(
        "Processes",
        "both are idle or none is",
        built.alike({"actor": 0, "idle": True}, {"actor": 0, "idle": True}),
        built.alike({"actor": 0, "idle": True}, {"actor": 0}),
    ),
    BuiltAdversary(
        "Proper ends",
        "an end is proper for all elements or for none",
        proper(e.Binary("=", OPEN_A, OPEN_B)),
        proper(OPEN_A),
    ),
    BuiltAdversary(
        "Limits",
        "each limit is kept by itself",
        stated(s.Assert, built.LIMIT, built.LIMIT),
        stated(s.Assert, built.LIMIT, built.OTHER_LIMIT),
    ),
]


def program(adversary: Adversary, text: str) -> Program:
    return read(adversary.header.replace("UNDEFINED", adversary.undefined) + text)


def exchange(made: Program) -> Images:
    sort = next(sort for sort in made.sorts if sort.name == "S")
    return on_sort(made, sort, transposition(2, 0, 1))


def is_true(made: Program) -> bool:
    law = CoreLaw(made)
    states, complete = law.reachable(5_000)
    assert complete
    return is_symmetry(law, exchange(made), states)


def is_inequality(node: object) -> bool:
    return isinstance(node, e.Binary) and node.operator == "!="


def name_of(adversary: Adversary | BuiltAdversary) -> str:
    return f"{adversary.rule}: {adversary.premise}"


@pytest.mark.parametrize("adversary", ADVERSARIES, ids=name_of)
def test_a_rule_accepts_what_fits(adversary: Adversary) -> None:
    made = program(adversary, adversary.good)
    assert Certifier(made).certify(exchange(made)) is None
    assert is_true(made)


@pytest.mark.parametrize("adversary", ADVERSARIES, ids=name_of)
def test_a_rule_refuses_where_a_premise_fails(adversary: Adversary) -> None:
    made = program(adversary, adversary.bad)
    if adversary.ordered:
        made = rebuilt(made, lambda node: replace(node, operator="<") if is_inequality(node) else node)
    assert Certifier(made).certify(exchange(made)) is not None
    assert not is_true(made)


@pytest.mark.parametrize("adversary", BUILT, ids=name_of)
def test_a_rule_accepts_what_fits_of_built_programs(adversary: BuiltAdversary) -> None:
    check_program(adversary.good)
    assert Certifier(adversary.good).certify(exchange(adversary.good)) is None
    assert built.is_true(adversary.good)


@pytest.mark.parametrize("adversary", BUILT, ids=name_of)
def test_a_rule_refuses_built_programs_where_a_premise_fails(adversary: BuiltAdversary) -> None:
    check_program(adversary.bad)
    assert Certifier(adversary.bad).certify(exchange(adversary.bad)) is not None
    assert not built.is_true(adversary.bad)


def test_every_rule_has_an_argument_and_an_adversary() -> None:
    section = DOCS.read_text().partition("### The rules")[2].partition("\n### ")[0]
    documented = re.findall(r"^\*\*(.+?)\.\*\*", section, re.MULTILINE)
    assert documented == list(dict.fromkeys(each.rule for each in (*ADVERSARIES, *BUILT)))
    for rule_ in section.split("\n\n**")[1:]:
        assert len(rule_.splitlines()) <= 11, rule_
