"""The syntax of formulas: precedence in both dialects, spellings, atoms, what is refused and where."""

from __future__ import annotations

import pytest
from burnside.diagnostics import InputError, UnsupportedError
from burnside.temporal.formulas import And, Formula, Next, Or, Until
from burnside.temporal.printing import show_formula
from burnside.temporal.syntax import Dialect, OpaqueAtoms, parse_formula
from hypothesis import given
from hypothesis import strategies as st

from tests.temporal.strategies import formulas


def read(text: str, dialect: Dialect = "standard") -> tuple[Formula, list[str]]:
    atoms = OpaqueAtoms()
    return parse_formula(text, atoms, source="--ltl", dialect=dialect), atoms.texts


def shown(text: str, dialect: Dialect = "standard") -> str:
    """With all brackets."""
    formula, atoms = read(text, dialect)
    return show_formula(formula, lambda number: atoms[number])


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("p U q U r", "p U (q U r)"),
        ("p W q R r", "p W (q R r)"),
        ("! p U q", "not p U q"),
        ("p & q U r", "p & (q U r)"),
        ("p | q & r", "p or (q & r)"),
        ("p & q | r & s", "(p & q) or (r & s)"),
        ("p -> q -> r", "not p or (not q or r)"),
        ("p | q -> r", "not (p or q) or r"),
        ("G p -> q", "not G p or q"),
        ("p <-> q", "(p & q) or (not p & not q)"),
        ("p -> q <-> r", "((not p or q) & r) or (not (not p or q) & not r)"),
        ("p S q T r", "p S (q T r)"),
        ("A p U q & r", "A[p U q] & r"),
        ("E[p U q] U r", "E[p U q] U r"),
        ("AX p U q", "AX p U q"),
    ],
)
def test_precedence_of_the_standard_dialect(text: str, meaning: str) -> None:
    assert shown(text) == meaning
    assert read(meaning) == read(text)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        # Measured with ProB: `&` and `or` bind alike, everything is read from the left.
        ("true or true & false", "(true or true) & false"),
        ("false & false or true", "(false & false) or true"),
        ("false => false => false", "not (not false or false) or false"),
        ("{x=0} U {x=5} U {x=1}", "({x=0} U {x=5}) U {x=1}"),
        ("{x=5} & {x=0} U {x=0}", "{x=5} & ({x=0} U {x=0})"),
        ("G {x=0} => false", "not G {x=0} or false"),
        ("not {x=5} U {x=5}", "not {x=5} U {x=5}"),
        ("E {p} U {q} & {r}", "E[{p} U {q}] & {r}"),
        # Spellings of older versions.
        ("!{a} -> {b}", "not not {a} or {b}"),
        ("{a} && {b} || {c}", "({a} & {b}) or {c}"),
    ],
)
def test_precedence_of_prob(text: str, meaning: str) -> None:
    formula, atoms = read(text, "prob")
    assert show_formula(formula, lambda number: f"{{{atoms[number]}}}") == meaning


@pytest.mark.parametrize(
    "texts",
    [
        ("G F p", "GF p", "[]<>p", "[] <> p", "G<>p"),
        ("X X X p", "XXX p", "X XX p"),
        ("not p & q", "! p && q", "~p /\\ q", "not p and q"),
        ("p or q", "p | q", "p || q", "p \\/ q"),
        ("p -> q", "p => q", "p implies q"),
        ("p <-> q", "p <=> q"),
        ("A G p", "AG p", "A[G p]", "A(G p)", "A [] p"),
        ("AX p", "not EX not p", "not E X !p"),
        ("E[p U q]", "E(p U q)", "E p U q"),
        ("AG EF p", "AGEF p", "A G E F p"),
        ("fireable(t, u)", "e(t, u)", "enabled(t, u)", "is-fireable(t, u)"),
        ("{p}", "p", "(p)", "{ p }"),
        ("{p = 1}", "p = 1", "(p = 1)"),
    ],
)
def test_spellings_mean_the_same(texts: tuple[str, ...]) -> None:
    assert len({repr(read(text)) for text in texts}) == 1


@pytest.mark.parametrize(
    ("text", "atoms"),
    [
        ("p1 >= 2 & p2 = 0", ["p1 >= 2", "p2 = 0"]),
        ("(p1 + p2) * 2 >= 2 & (p = 1 | q)", ["(p1 + p2) * 2 >= 2", "p = 1", "q"]),
        ("-p + 3 > 0 U x <> y", ["-p + 3 > 0", "x <> y"]),
        ("a[i].b(3)[G] = X & q", ["a[i].b(3)[G] = X", "q"]),
        ("\"a-b\" > 0 -> 'c d' = 1", ['"a-b" > 0', "'c d' = 1"]),
        ("p U p U q", ["p", "q"]),
        ('{a & {b} | "}"} U {a   &\n{b}}', ['a & {b} | "}"', "a & {b}"]),
        ("[op] & [op(1, _)] & [op( 1 ,_ )]", ["[op]", "[op(1, _)]"]),
        ("e(op(f(1, 2), [3, 4]))", ["e(op(f(1, 2), [3, 4]))"]),
        ("deadlock & sink & initial", ["deadlock", "sink", "initial"]),
        ("deadlock = 1 & e.f & initial[2]", ["deadlock = 1", "e.f", "initial[2]"]),
        ("true = x & e", ["true = x", "e"]),
    ],
)
def test_atoms(text: str, atoms: list[str]) -> None:
    assert read(text)[1] == atoms


def test_chains_of_one_connective_are_flat() -> None:
    formula, _ = read("p & q & (r & s)")
    assert isinstance(formula, And)
    assert len(formula.operands) == 3
    other, _ = read("{p} & {q} & {r} or {p}", "prob")
    assert isinstance(other, Or)
    assert isinstance(other.operands[0], And)
    assert len(other.operands[0].operands) == 3


def test_actions_that_exclude_each_other() -> None:
    assert shown("deterministic(a, b, c)") == "not (e(a) & e(b)) & not (e(a) & e(c)) & not (e(b) & e(c))"
    assert shown("controller(a, b)") == "(e(a) or e(b)) & not (e(a) & e(b))"
    assert shown("controller(a)") == "e(a)"
    assert shown("deterministic(a)") == "true"
    assert shown("deadlock(a, b)") == "not e(a, b)"


def test_a_step_by_an_action() -> None:
    """ProB's `EX[op] p`; without p it is the next action of the state after the next step."""
    assert shown("EX[op] p & q") == "E[[op] & X p] & q"
    assert shown("EX [op] & q") == "EX [op] & q"


@pytest.mark.parametrize(
    ("text", "dialect", "message", "column"),
    [
        ("", "standard", "expected a formula, found the end of the formula", 1),
        ("p &", "standard", "expected a formula, found the end of the formula", 4),
        ("p U & q", "standard", "expected a formula, found '&'", 5),
        ("p q", "standard", "expected an operator or the end of the formula, found 'q'", 3),
        ("(p & q", "standard", "this bracket is not closed", 1),
        ("p & (q | r) )", "standard", "expected an operator or the end of the formula, found ')'", 13),
        ("G {p = 1", "standard", "this brace is not closed", 3),
        ("{ }", "standard", "there is no condition in these braces", 1),
        ("p & x = ", "standard", "expected a name or a number, found the end of the formula", 8),
        ("p & a[1", "standard", "this bracket is not closed", 6),
        ("e()", "standard", "expected the name of an action, found ')'", 3),
        ("e(op(1,))", "standard", "expected an argument or '_', found ')'", 8),
        ("[op", "standard", "this bracket is not closed", 1),
        ("p ? q : r", "standard", "expected an operator or the end of the formula, found '?'", 3),
        ("GO & p", "standard", "expected a formula, found '&'", 4),
        ("p & WF(a)", "standard", "fairness stands to the left of the outermost '=>' alone", 5),
        ("WF(a) => p", "standard", "fairness cannot be assumed here", 1),
        ("x = 0", "prob", "'x' is no atom of a formula", 1),
        ("G x", "prob", "'x' is no atom of a formula", 3),
        ("forall p: S . p", "standard", "a quantifier needs a model: nothing is known of this set here", 11),
        ("!p.(p : S => {p})", "prob", "a quantifier needs a model: nothing is known of this set here", 9),
        ("forall i: T do x end", "standard", "expected '.', found 'do'", 13),
        ("A[p U q", "standard", "this bracket is not closed", 2),
    ],
)
def test_what_is_refused(text: str, dialect: Dialect, message: str, column: int) -> None:
    with pytest.raises(InputError) as refused:
        read(text, dialect)
    found = refused.value.diagnostic
    assert found.message == message
    assert found.span is not None
    assert (found.source, found.span.line, found.span.column) == ("--ltl", 1, column)


@pytest.mark.parametrize("text", ["current", "available(op)"])
def test_unsupported_words(text: str) -> None:
    with pytest.raises(UnsupportedError, match=text.partition("(")[0]):
        read(text, "prob")


def test_the_caret_is_in_the_right_line() -> None:
    with pytest.raises(InputError) as refused:
        read("G (p\n  -> F )")
    assert str(refused.value).splitlines()[1:3] == ["  2 |   -> F )", "    |        ^"]


def test_operator_words_that_may_be_names() -> None:
    with pytest.raises(InputError) as refused:
        read("FOO")
    assert refused.value.diagnostic.hint == "'FOO' is read as operators; in braces, {FOO}, it is a name"


@pytest.mark.parametrize(
    "text",
    [
        "(" * 200 + "p" + ")" * 200,
        "X" * 200 + " p",
        "! " * 200 + "p",
        "p U " * 200 + "q",
        "A[" * 200 + "p" + "]" * 200,
    ],
)
def test_depth_is_bounded(text: str) -> None:
    with pytest.raises(InputError, match="more than 100 levels deep"):
        read(text)


@pytest.mark.parametrize(("operator", "dialect"), [("U", "prob"), ("=>", "prob"), ("->", "standard")])
def test_depth_of_chains_is_bounded(operator: str, dialect: Dialect) -> None:
    with pytest.raises(InputError, match="more than 100 levels deep"):
        read(f" {operator} ".join(["{p}"] * 300), dialect)


def test_size_is_bounded() -> None:
    """Each equivalence doubles what it joins."""
    with pytest.raises(InputError, match="more than 20,000 operators"):
        read(" <-> ".join(["p"] * 20))
    assert len(read(" | ".join(f"p{number}" for number in range(5000)))[1]) == 5000


@given(formulas(atoms=3))
def test_what_is_shown_reads_back(formula: Formula) -> None:
    for dialect, atom in (("standard", "{{a{}}}"), ("prob", "{{a{}}}"), ("standard", "a{}")):
        atoms = OpaqueAtoms()
        for number in range(3):
            parse_formula(f"{{a{number}}}", atoms, source="--ltl", dialect="standard")
        text = show_formula(formula, atom.format)
        assert parse_formula(text, atoms, source="--ltl", dialect=dialect) == formula  # type: ignore[arg-type]


@given(
    st.text(alphabet="pqGFXUAE()[]{}<>=-!&|,. _\n\"'#:", max_size=30), st.sampled_from(["standard", "prob"])
)
def test_any_text_is_read_or_refused(text: str, dialect: Dialect) -> None:
    try:
        formula, atoms = read(text, dialect)
    except (InputError, UnsupportedError) as refused:
        found = refused.diagnostic
        assert found.span is not None
        assert found.span.line <= text.count("\n") + 1
    else:
        assert show_formula(formula, atoms.__getitem__)


def test_formulas_are_what_they_say() -> None:
    formula, _ = read("X p U q")
    assert isinstance(formula, Until)
    assert isinstance(formula.left, Next)
