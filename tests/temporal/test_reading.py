"""Atoms of formulas over nets, programs and machines: what they are read as, what they say of states, what is refused."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from burnside.diagnostics import InputError, UnsupportedError
from burnside.ir import printing as program_printing
from burnside.ir.sets import printing as machine_printing
from burnside.kinds import kind_of
from burnside.model import Model
from burnside.records import replace
from burnside.semantics import Failure, Semantics
from burnside.temporal.atoms import ActionPattern, Condition, Dead, Enabled, Initial, NextAction, Sink
from burnside.temporal.formulas import And, Atom, Or
from burnside.temporal.printing import show_formula
from burnside.temporal.reading import TemporalProperty

from tests.temporal.models import (
    DEFERRED,
    ENUMERATED,
    TWO_PLACES,
    WITH_CONSTANT,
    atoms_of,
    b_model,
    murphi_model,
    net_model,
    read,
    sem,
)

T4 = """MACHINE T4 OPERATIONS req(p) = PRE p : 1..2 THEN skip END; two(p, q) = PRE p : 1..2 & q : 1..2 THEN skip END;
  r <-- get = r := 1; pick(s) = PRE s : POW({1, 2}) THEN skip END END"""

RULES = """type T: 0..2; E: enum {red, blue}; S: scalarset(2); R: record f: boolean; end;
var x: T; e: E; s: S; b: boolean; m: multiset[2] of T;
startstate "first" x := 0; e := red; b := true; end;
ruleset i: T; c: E do rule "paint it" x = i ==> e := c; end; end;
ruleset a: S do rule "pick" !isundefined(x) ==> s := a; end; end;
ruleset i := 0 to 2 by 2 do rule "even" b ==> x := i; end; end;
choose n: m do rule "take" b ==> x := m[n]; end; end;
rule "loop" b ==> x := x; end;
rule b ==> b := false; end;
"""


def semantics(model: Model) -> Semantics[Any, Any, Any]:
    return kind_of(model.subject).semantics_of(model.subject)


def conditions(found: TemporalProperty, show: Any) -> list[str]:
    return [show(each.expression) for each in found.propositions if isinstance(each, Condition)]


# Nets


def test_net_conditions_need_no_braces() -> None:
    found = read(net_model(), "G (p + q >= 2 & !(p = 0)) -> {p > 0 and q > 0} U 'a-b' = 1")
    texts = [each.text for each in found.propositions]
    assert texts == ["p + q >= 2", "p = 0", "p > 0 and q > 0", "'a-b' = 1"]


def test_equal_atoms_have_one_number() -> None:
    found = read(net_model(), "F p >= 1 & F {0 < p} & F 2 * p >= 2 & fireable(go) & e(go)")
    assert [each.text for each in found.propositions] == ["p >= 1", "fireable(go)"]


def test_net_transitions() -> None:
    found = read(net_model(), "G (fireable(go, back) & [go] & deadlock(back))")
    assert found.propositions == (
        Enabled((ActionPattern(0), ActionPattern(1)), ""),
        NextAction((ActionPattern(0),), ""),
        Enabled((ActionPattern(1),), ""),
    )
    assert [each.text for each in found.propositions][:2] == ["fireable(go, back)", "[go]"]


def test_transitions_by_their_ids() -> None:
    net = replace(TWO_PLACES, transition_ids=("t1", "go"))
    found = read(net_model(net), "e(t1) & e(go) & e(back)")
    assert [each.patterns for each in found.propositions if isinstance(each, Enabled)] == [
        (ActionPattern(0),),
        (ActionPattern(1),),
    ]


def test_what_markings_satisfy() -> None:
    model = net_model()
    meaning = semantics(model)
    words = read(model, "p > 0 & q > 0 & e(go) & e(back) & deadlock & sink & initial").propositions
    holding = {
        marking: [each.text for each in words if meaning.holds(each, marking)]
        for marking in ((2, 0, 0), (0, 2, 0), (0, 0, 1))
    }
    assert holding == {
        (2, 0, 0): ["p > 0", "e(go)", "initial"],
        (0, 2, 0): ["q > 0", "e(back)"],
        (0, 0, 1): ["deadlock", "sink"],
    }
    assert meaning.matches(ActionPattern(1), (2, 0, 0), 1)
    assert not meaning.matches(ActionPattern(1), (2, 0, 0), 0)


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("G pp > 0", "there is no place 'pp'", 3),
        ("G {p >} -> q = 1", "expected a place, a number or '(', found the end of the expression", 7),
        ("G p", "expected a condition, found a number of tokens", 3),
        ("G (p > 0) & e(goo)", "there is no transition 'goo'", 15),
        ("e(go(1))", "the transition 'go' has no parameters", 3),
        ("forall x: p . x > 0", "a place/transition net has no sets that names could range over", 11),
    ],
)
def test_refused_of_nets(text: str, message: str, column: int) -> None:
    with pytest.raises((InputError, UnsupportedError)) as refused:
        read(net_model(), text)
    found = refused.value.diagnostic
    assert (found.message, found.source, found.text) == (message, "--ltl", text)
    assert found.span is not None and found.span.column == column


# Programs


def test_program_conditions() -> None:
    found = read(murphi_model(RULES), "G (x = 1 | e = blue -> {x > 0 & (b | !b)} U !b) & isundefined(s)")
    assert conditions(found, program_printing.show_expression) == [
        "(x = 1)",
        "(e = blue)",
        "((x > 0) and (b or not b))",
        "b",
        "not defined(s)",
    ]


def test_program_actions() -> None:
    """Rules with a step in their ruleset are several actions of one name."""
    text = '[pick(S_1)] & ["paint it"(2, _)] & e(even) & e("rule 7") & e("paint it"(1, blue))'
    found = read(murphi_model(RULES), text)
    patterns = [each.patterns for each in found.propositions if isinstance(each, Enabled | NextAction)]
    names = [each.name for each in murphi_model(RULES).subject.actions]  # type: ignore[attr-defined]
    assert [[names[one.action] for one in each] for each in patterns] == [
        ["pick"],
        ["paint it"],
        ["even", "even"],
        ["rule 7"],
        ["paint it"],
    ]
    values = [one.arguments for each in patterns for one in each]
    assert [None if each is None else [one and one.value for one in each] for each in values] == [
        [1],
        [2, None],
        None,
        None,
        None,
        [1, 1],
    ]


def test_what_states_of_programs_satisfy() -> None:
    model = murphi_model(RULES)
    meaning = semantics(model)
    (start,) = (prefix[-1][1] for prefix in meaning.run_starts())
    text = 'x = 0 & e("paint it"(0, blue)) & e("paint it"(1, _)) & sink & initial & deadlock'
    found = read(model, text).propositions
    assert [meaning.holds(each, start) for each in found] == [True, True, False, False, True, False]
    (failure,) = (meaning.holds(each, start) for each in read(model, "s = s").propositions)
    assert isinstance(failure, Failure)
    assert "undefined" in failure.message
    assert failure.span is not None and failure.span.source == "--ltl s = s"
    labels = [step.label for step in meaning.steps(start)]
    (pattern,) = read(model, '["paint it"(_, blue)]').propositions
    assert isinstance(pattern, NextAction)
    matching = [
        label for label in labels if any(meaning.matches(each, start, label) for each in pattern.patterns)
    ]
    assert list(map(meaning.show_label, matching)) == ["paint it(0, blue)"]


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("G y = 1", "there is no 'y' here", 3),
        ("G {x = 1 & red}", "an operand of '&' must be a boolean, this is of type E", 12),
        ("G x", "a condition must be a boolean, this is a number", 3),
        ("G (x = 1 -> e(picc))", "there is no action 'picc'", 15),
        ("e(pick)  & [pick(1, 2)]", "the action 'pick' has 1 parameter, not 2", 13),
        ("[pick(red)]", "this argument must be of type S, this is of type E", 7),
        ('["paint it"(x, red)]', "this argument is not constant", 13),
        ('["paint it"(7, red)]', "this argument is not constant", 13),
        ("[take(1)]", "an entry of a multiset has no name", 7),
        ("forall i: R . x = 1", "a quantified name must have a simple type, this is a record", 11),
        ("forall i: Q . x = 1", "there is no 'Q' here", 11),
        ("forall i: x . x = 1", "'x' is no type", 11),
        (
            "forall i: scalarset(3) . x = 1",
            "a quantified name needs a type that the model declares, or a range",
            11,
        ),
        ("forall i: T . forall i: E . b", "'i' is already bound", 22),
        ("forall i: 0..1000000 . b", "'i' would have 1,000,001 values: at most 100,000 are possible", 11),
    ],
)
def test_refused_of_programs(text: str, message: str, column: int) -> None:
    with pytest.raises(InputError) as refused:
        read(murphi_model(RULES), text)
    found = refused.value.diagnostic
    assert (found.message, found.source, found.text) == (message, "--ltl", text)
    assert found.span is not None and found.span.column == column


# Machines


def test_machine_conditions() -> None:
    found = read(b_model(ENUMERATED), "G ({p1 : w & card(c) = 0} => F {p1 : c} or deadlock)")
    assert conditions(found, machine_printing.show_expression) == ["p1 : w & card(c) = 0", "p1 : c"]
    assert found.propositions[2] == Dead()


def test_machine_operations() -> None:
    found = read(b_model(T4), "[req(1+1)] & [two(_,2)] & e(get) & e(pick({1})) & [two(1,_)]")
    patterns = [each.patterns for each in found.propositions if isinstance(each, Enabled | NextAction)]
    shown = [
        None if one.arguments is None
        else [None if value is None else machine_printing.show_expression(value) for value in one.arguments]
        for (one,) in patterns
    ]  # fmt: skip
    assert shown == [["2"], [None, "2"], None, ["{1}"], ["1", None]]


def test_what_states_of_machines_satisfy() -> None:
    """Runs begin after the set-up of constants and the initialisation."""
    model = b_model(WITH_CONSTANT)
    meaning = semantics(model)
    starts = list(meaning.run_starts())
    assert [[meaning.show_label(label) for label, _ in each] for each in starts] == [
        ["SETUP_CONSTANTS", "INITIALISATION"]
    ] * 3
    first = starts[0][-1][1]
    found = read(
        model, "e(want(me)) & e(enter) & {me : w} & initial & sink & deadlock & {me : PID}"
    ).propositions
    assert [meaning.holds(each, first) for each in found] == [True, False, False, True, False, False, True]
    labels = [step.label for step in meaning.steps(first)]
    (me,) = read(model, "[want(me)]").propositions
    assert isinstance(me, NextAction)
    assert [any(meaning.matches(each, first, label) for each in me.patterns) for label in labels] == [
        True,
        False,
        False,
    ]
    second = starts[1][-1][1]
    assert [any(meaning.matches(each, second, label) for each in me.patterns) for label in labels] == [
        False,
        True,
        False,
    ]


def test_a_condition_without_a_value() -> None:
    model = b_model(
        "MACHINE m VARIABLES x INVARIANT x : NAT INITIALISATION x := 0 OPERATIONS inc = x := 1 END"
    )
    meaning = semantics(model)
    (first,) = (each[-1][1] for each in meaning.run_starts())
    (found,) = (meaning.holds(each, first) for each in read(model, "G {1 / x = 1}").propositions)
    assert isinstance(found, Failure)
    assert found.span is not None and (found.span.column, found.span.source) == (4, "--ltl G {1 / x = 1}")


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("G {z : w}", "there is no 'z' here", 4),
        ("G {w : w}", "the right side of ':' must be POW(POW(PID)), this is POW(PID)", 8),
        ("G {w + 1 = 2}", "the left side of '+' must be INTEGER, this is POW(PID)", 4),
        ("[wantt(p1)]", "there is no operation 'wantt'", 2),
        ("[want(p1,p2)]", "the operation 'want' has 1 parameter, not 2", 2),
        ("[want(1)]", "this argument must be PID, this is INTEGER", 7),
        ("e(want(p1)) => e(leave(c))", "this argument must be PID, this is POW(PID)", 24),
        ("[INITIALISATION]", "there is no operation 'INITIALISATION'", 2),
        ("!p.(p : NATURAL => {p > 0})", "this set is not bounded: ", 9),
        ("!p.(p : w => {p : w})", "the set that a name ranges over depends on 'w'", 9),
        ("!p.(p : PID => {q : w})", "there is no 'q' here", 17),
        ("!p.(q : PID => {p : w})", "expected 'p : ' and the set that it is of, found 'q'", 5),
        ("#p.(p : PID => {p : w})", "expected '&', found '=>'", 13),
        ("!p.(p : p1 => {p : w})", "what a name ranges over must be a set, this is PID", 9),
        (
            "!p.(p : POW(PID) => {p <: w})",
            "quantified names stand for elements of sets, numbers or truth values",
            9,
        ),
        ("!p.(p : {} => {p : w})", "this set is empty", 9),
    ],
)
def test_refused_of_machines(text: str, message: str, column: int) -> None:
    with pytest.raises((InputError, UnsupportedError)) as refused:
        read(b_model(ENUMERATED), text)
    found = refused.value.diagnostic
    assert found.message.startswith(message)
    assert (found.source, found.text) == ("--ltl", text)
    assert found.span is not None and found.span.column == column


# Quantified names


def test_universal_quantifiers_around_everything_are_binders() -> None:
    model = sem(3)
    atoms = atoms_of(model)
    text = "forall p, q: PROCESS . G (phase[p] = Waiting -> F phase[q] = Critical) & [enter(p)]"
    found = read(model, text, atoms=atoms)
    assert [(each.written, list(each.values), each.show(1)) for each in found.binders] == [
        ("p", [0, 1, 2], "PROCESS_1"),
        ("q", [0, 1, 2], "PROCESS_1"),
    ]
    one = atoms.instantiated(found, (2, 0))
    assert (one.formula, one.binders) == (found.formula, ())
    assert conditions(one, program_printing.show_expression) == [
        "(phase[PROCESS_2] = Waiting)",
        "(phase[PROCESS_0] = Critical)",
    ]
    (taken,) = (each for each in one.propositions if isinstance(each, NextAction))
    assert taken.patterns[0].arguments is not None
    assert taken.patterns[0].arguments[0].value == 2


def test_instances_say_what_the_formula_says_of_the_value() -> None:
    """Putting a value in is the same as naming the element in the text."""
    model = b_model(ENUMERATED)
    atoms = atoms_of(model)
    found = read(model, "!p,q.(p : PID & q : PID => G ({p : w} => F ({q : c} & [enter(p)])))", atoms=atoms)
    for values in product(range(3), repeat=2):
        p, q = (f"p{value + 1}" for value in values)
        named = read(model, f"G ({{{p} : w}} => F ({{{q} : c}} & [enter({p})]))")
        instance = atoms.instantiated(found, values)
        assert (instance.formula, instance.propositions) == (named.formula, named.propositions)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("!p.(p : PID => {p : w})", "forall p: PID . {p : w}"),
        ("!(p).({p : PID} => {p : w})", "(!p.(p : PID => ({p : w})))"),
        ("!p.(p : PID => !q.(q : PID => {p /= q}))", "!p,q.(p : PID & q : PID => {p /= q})"),
        ("#p.(p : PID & {p : w})", "exists p: PID . {p : w}"),
        ("G !p.(p : PID => {p : w})", "G (forall p : PID . {p : w})"),
    ],
)
def test_spellings_of_quantifiers(text: str, same: str) -> None:
    one, other = (read(b_model(DEFERRED), each) for each in (text, same))
    assert (one.formula, len(one.propositions)) == (other.formula, len(other.propositions))
    assert [each.written for each in one.binders] == [each.written for each in other.binders]


def test_other_quantifiers_are_written_out() -> None:
    found = read(b_model(ENUMERATED), "G #p.(p : PID & {p : w} & !q.(q : {p1, p2} => {p /= q} or {q : c}))")
    assert not found.binders
    shown = show_formula(found.formula, lambda number: found.propositions[number].text)
    assert shown.count("p : w") == 3
    assert len({each for each in found.propositions if "q : c" in each.text}) == 2
    exists = read(b_model(ENUMERATED), "exists p: PID . F {p : c}")
    assert not exists.binders
    assert isinstance(exists.formula, Or) and len(exists.formula.operands) == 3


def test_quantifiers_over_numbers_and_truth_values() -> None:
    found = read(b_model(T4), "G !n.(n : 1..2 => [req(n)]) & !b.(b : BOOL => {b = TRUE})")
    assert isinstance(found.formula, And)
    arguments = [each.patterns[0].arguments for each in found.propositions if isinstance(each, NextAction)]
    assert [[one.value for one in each or ()] for each in arguments] == [[1], [2]]


def test_a_name_may_be_that_of_a_variable() -> None:
    """The quantified name is meant."""
    model = b_model(ENUMERATED)
    atoms = atoms_of(model)
    found = read(model, "!c.(c : PID => {c : w})", atoms=atoms)
    shown = conditions(atoms.instantiated(found, (1,)), machine_printing.show_expression)
    assert shown == ["p2 : w"]
    program = sem(2)
    reader = atoms_of(program)
    quantified = read(program, "forall free: PROCESS . phase[free] = Idle", atoms=reader)
    assert conditions(reader.instantiated(quantified, (1,)), program_printing.show_expression) == [
        "(phase[PROCESS_1] = Idle)"
    ]


# Fairness


def test_fairness() -> None:
    found = read(b_model(T4), "WF(req) & SF(two(1,_)) & WEF => GF [req(1)]")
    assert [(each.strength, each.each, each.text) for each in found.fairness] == [
        ("weak", False, "WF(req)"),
        ("strong", True, "SF(two(1,_))"),
        ("weak", True, "WEF"),
    ]
    assert [each.patterns is None for each in found.fairness] == [False, False, True]
    assert found.formula == read(b_model(T4), "GF [req(1)]").formula
    assert read(b_model(T4), "(SEF & WF(req)) => ({1=1} => {2=2})").fairness[0].strength == "strong"
    assert read(b_model(T4), "((SEF => {1=1}))").fairness


def test_fairness_for_each_value() -> None:
    model = b_model(ENUMERATED)
    atoms = atoms_of(model)
    found = read(model, "!p.(p : PID => (SF(enter(p)) & WF(leave) => G ({p : w} => F {p : c})))", atoms=atoms)
    (first, _) = atoms.instantiated(found, (1,)).fairness
    (named, _) = read(model, "SF(enter(p2)) & WF(leave) => true").fairness
    assert first == named


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("WF(req) & F {1=1}", "expected WF, SF, WEF or SEF, found 'F'", 11),
        ("not WEF", "fairness stands to the left of the outermost '=>' alone", 5),
        ("WEF => WEF", "fairness stands to the left of the outermost '=>' alone", 8),
        ("WF(req) or WF(get) => {1=1}", "expected '&' or '=>', found 'or'", 9),
        ("G(WF(req) => {1=1})", "fairness stands to the left of the outermost '=>' alone", 3),
        ("WEF => {1=1} => {1=2}", "fairness stands to the left of the outermost '=>' alone", 14),
        ("WF(nothing) => {1=1}", "there is no operation 'nothing'", 4),
        ("WEF", "expected '&' or '=>', found the end of the formula", 4),
    ],
)
def test_refused_fairness(text: str, message: str, column: int) -> None:
    with pytest.raises(InputError) as refused:
        read(b_model(T4), text)
    found = refused.value.diagnostic
    assert found.message == message
    assert found.span is not None and found.span.column == column


def test_atoms_are_numbered_without_gaps() -> None:
    found = read(b_model(DEFERRED), "G #p.(p : PID & {p : w}) & sink & initial")
    assert sorted({each.number for each in _atoms(found)}) == list(range(len(found.propositions)))
    assert {Sink(), Initial()} <= set(found.propositions)


def _atoms(found: TemporalProperty) -> list[Atom]:
    from burnside.temporal.formulas import subformulas

    return [each for each in subformulas(found.formula) if isinstance(each, Atom)]
