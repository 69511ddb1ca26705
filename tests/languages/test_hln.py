"""The text format of high-level nets: what each construct means, that nets are written as text that is read back, what is
refused, and conditions over any high-level net.

Files under tests/rejected/hln carry what is expected in their first comment: `expect: line:column: message`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from burnside.diagnostics import BurnsideError, InputError, Source, UsageError, option_source
from burnside.ir.highlevel.checking import check_net
from burnside.ir.highlevel.net import HighLevelNet, Place, Transition
from burnside.ir.highlevel.terms import (
    OPERATORS,
    Apply,
    Binding,
    Cast,
    Conditional,
    Inject,
    IsOf,
    Literal,
    Lookup,
    Marked,
    Select,
    Update,
    Variable,
)
from burnside.ir.highlevel.types import DOT, NATURAL, Bag, Element, ListOf, SetOf, Sort
from burnside.ir.highlevel.values import show_tokens
from burnside.ir.walking import nodes
from burnside.kinds.highlevel.atoms import HighLevelAtoms
from burnside.languages import load as load_model
from burnside.languages.hln import load, read_text
from burnside.languages.hln.conditions import ConditionReader
from burnside.languages.hln.printing import readable, written
from burnside.pipeline import check
from burnside.reference.highlevel.evaluation import Undefined, evaluate
from burnside.reference.highlevel.firing import enabled, fire, initial_marking
from burnside.request import Request
from burnside.temporal.atoms import ActionPattern, NextAction
from burnside.temporal.reading import read_property
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.highlevel_strategies import nets

TESTS = Path(__file__).parents[1]
EXAMPLES = sorted((TESTS.parent / "examples" / "hln").glob("*.hln"))
REJECTED = sorted((TESTS / "rejected" / "hln").glob("*.hln"))
EXPECT = re.compile(r"expect: (\d+):(\d+): (.*)$", re.MULTILINE)

DECLARATIONS = """
type P = unordered {a, b, c}
type S = cyclic 0 .. 5
type O = ordered {low, mid, high}
type M = struct(from: P, to: P)
type U = union(none, own: P, many: list(P))
const N = 2
function f: S -> O = {0 .. 2 -> low, 4 -> high, else -> mid}
function pairs(x: P): set(M) = {m: M | m.from = x and m.to != x}
function twice(x: nat): nat = x + x
function capture(x: P): set(P) = {z: P | z != x}
place p: P = a + 2'b
"""

VALUES = {
    # The initial marking of a place of a type, and how it is shown.
    ("nat", "1'N + 3 + 3"): "2 + 2'3",
    ("nat", "2 * (1'1 + 1'4)"): "2'1 + 2'4",
    ("nat", "1'(2 + 3 * 4 - 1)"): "13",
    ("nat", "1'(7 / 2 + 7 % 2)"): "4",
    ("nat", "1'twice(twice(3))"): "12",
    ("bool", "1'(1 < 2 and 2 <= 2 and 3 > 2 and 3 >= 3 and 1 != 2)"): "true",
    ("bool", "(true or false) + (true xor true) + (false -> false) + (true <-> false) + (not true)"): "3'false + 2'true",
    ("bool", "true and false or true and not false"): "true",
    ("bool", "true || false && false"): "true",
    ("bool", "1'and() + or() + and(true)"): "false + 2'true",
    ("dot", "3'dot"): "3'dot",
    ("dot", "{}"): "{}",
    ("P", "all"): "a + b + c",
    ("P", "a + b - a"): "b",
    ("P", "a + b - a + c - b"): "c",
    ("P", "multiset({a, b, a})"): "a + b",
    ("P", "{(if x = a then 2 else 1)'x | x: P}"): "2'a + b + c",
    ("P", "if N = 2 then a else b + c"): "a",
    ("P", "multiset(capture(a))"): "b + c",
    ("set(P)", "1'complement({a}) + 1'all + 1'{}"): "{} + {a, b, c} + {b, c}",
    ("set(P)", "union({a}, {b}) + intersection({a, b}, {b}) + difference({a, b}, {b})"): "{a} + {a, b} + {b}",
    ("set(P)", "1'set(2'a + b)"): "{a, b}",
    ("bool", "({a} <= {a, b}) + ({a} has b) + ({a} has a) + ((1'a : multiset(P)) <= 2'a)"): "false + 3'true",
    ("nat", "size({a, b}) + size(2'P.a) + size([P.a, a]) + count(2'P.a + c, a)"): "4'2",
    ("S", "succ(5) + succ(5, 8) + pred(0) + succ(3, 0)"): "0 + 1 + 3 + 5",
    ("nat", "distance(S.4, 1) + position(S.3)"): "2'3",
    ("bool", "between(S.5, 4, 1) + between(S.2, 4, 1) + between(S.4, 4, 1)"): "false + 2'true",
    ("S", "element(S, 3)"): "3",
    ("O", "f(2) + f(3) + f(4) + f(5)"): "low + 2'mid + high",
    ("bool", "(O.low < high) + (S.3 <= 2)"): "false + true",
    ("list(P)", "[] + add_first([b], a) + add_last([b], a) + ([a] ++ [b, c])"): "[] + [a, b] + [a, b, c] + [b, a]",
    ("list(P)", "drop_first([a, b]) + drop_first([a, b], 5) + drop_last([a, b]) + drop_last([a, b], 2)"):
        "2'[] + [a] + [b]",
    ("list(P)", "[a, b][2 := c] + 1'[a]"): "[a] + [a, c]",
    ("P", "[a, b][2] + first([a, b]) + last([a, b, c])"): "a + b + c",
    ("M", "<a, b> + <to: a, from: c> + <a, b>[.to := c]"): "<a, b> + <a, c> + <c, a>",
    ("P", "(<a, b> : M).to + (<a, b> : M)[.from := c].from"): "b + c",
    ("struct(nat, P)", "<1 + 1, if 1 > 2 then a else b>"): "<2, b>",
    ("nat", "(<3, a> : struct(nat, P)).1"): "3",
    ("M", "multiset(pairs(a))"): "<a, b> + <a, c>",
    ("map(P, nat)", "{a -> 1, b -> 2, a -> 3} + {x: P -> 0}[a := 5] + unset({a -> 1, b -> 2}, b) + 1'{}"):
        "{} + {a -> 1} + {a -> 3, b -> 2} + {a -> 5, b -> 0, c -> 0}",
    ("bool", "({P.a -> 1} has a) + ({P.a -> 1} has b)"): "false + true",
    ("nat", "{P.a -> 1, b -> 7}[b]"): "7",
    ("U", "none + own(a) + many([a, b])"): "none + own(a) + many([a, b])",
    ("bool", "((own(a) : U) is own) + ((none : U) is own) + ((none : U) = none)"): "false + 2'true",
    ("P", "(own(b) : U) as own + ((many([c]) : U) as many)[1]"): "b + c",
    ("bool", "1'(forall x, y: P . exists z: P . z != x and z != y)"): "true",
    ("bool", "1'(exists x: P . forall y: P . x = y)"): "false",
    ("multiset(P)", "1'(a + b) + 2'{} + 1'all"): "2'({}) + 1'(a + b) + 1'(a + b + c)",
    ("nat", "1'(if true then 1 else err) + (if false then 1 / 0 else 2)"): "1 + 2",
    ("nat", "sum(2'3) + sum(1, 2)"): "1 + 2 + 2'3",
}  # fmt: skip

UNDEFINED = (
    "err", "1'(2 - 3)", "1'(1 / 0)", "1'(1 % 0)", "1'[1, 2][3]", "1'[1][0]", "1'([1][2 := 5])[1]",
    "1'({true -> 1} : map(bool, nat))[false]", "1'((none : U) as own as own)", "1 - 1'2",
    "1'position(element(S, 6))", "1'size([S.1, err])", "if false or err then 1 else 2", "1'size({x: P | 1 / 0 = 1})",
    "0'err", "1'first(([] : list(nat)))", "{(1 - position(x))'x | x: S}",
)  # fmt: skip
"""Terms without a value, as markings of numbers where nothing else is said."""


def marking(text: str) -> str:
    """Of the place `r`, in the text of a net."""
    net = read_text(Source("net.hln", DECLARATIONS + text))
    check_net(net)
    place = net.places[-1]
    assert read_text(Source("written.hln", written(net)), name="net") == readable(net)
    return show_tokens(place.type, evaluate(place.initial, {}))


@pytest.mark.parametrize(("type_", "term", "shown"), [(*key, value) for key, value in VALUES.items()])
def test_values(type_: str, term: str, shown: str) -> None:
    assert marking(f"place r: {type_} = {term}") == shown


@pytest.mark.parametrize("term", UNDEFINED)
def test_undefined_initial_markings(term: str) -> None:
    type_ = "S" if "x: S" in term else "nat"
    term = term.replace(" as own as own", " as own")
    type_ = "P" if " as own" in term else type_
    with pytest.raises(InputError, match="the initial marking has no value"):
        marking(f"place r: {type_} = {term}")


@pytest.mark.parametrize("term", UNDEFINED[1:5])
def test_undefined_terms_make_an_instance_impossible(term: str) -> None:
    net = read_text(Source("net.hln", f"{DECLARATIONS} place r: nat transition t in p: b out r: {term}"))
    arc = net.transitions[0].produces[0]
    with pytest.raises(Undefined):
        evaluate(arc.term, {})
    assert list(enabled(net, initial_marking(net))) == []


# Declarations


def test_sorts() -> None:
    text = """type A = unordered 3 type B = cyclic 0 .. 3 type C = ordered {x, "y z"} type D = enum p7 .. p11
    const N = 2 * 3 - 1 type E = ordered N type F = unordered {1, 5} place p: A"""
    net = read_text(Source("net.hln", text))
    assert [(each.name, each.elements, each.symmetry, each.origin) for each in net.sorts] == [
        ("A", ("1", "2", "3"), "full", "unordered"),
        ("B", ("0", "1", "2", "3"), "cyclic", "cyclic"),
        ("C", ("x", "y z"), "fixed", "ordered"),
        ("D", ("p7", "p8", "p9", "p10", "p11"), "fixed", "enum"),
        ("E", ("1", "2", "3", "4", "5"), "fixed", "ordered"),
        ("F", ("1", "5"), "full", "unordered"),
    ]
    assert net.searched == {"D"}


def test_sizes() -> None:
    text = (
        "const N = 2 type A = unordered N type B = cyclic 0 .. 3 type D = ordered p7 .. p8 place p: nat = 1'N"
    )
    net = read_text(Source("net.hln", text), {"N": 4, "b": 2, "D": 3})
    assert [each.elements for each in net.sorts] == [("1", "2", "3", "4"), ("0", "1"), ("p7", "p8", "p9")]
    assert initial_marking(net) == (frozenset({(4, 1)}),)


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"M": 2}, "no constant or type with elements is called 'M'"),
        ({"L": 2}, "the elements of 'L' are listed, so it has no size"),
        ({"a": 3, "A": 2}, "'A' has a size twice: as 'a' and as 'A'"),
        ({"N": -1}, "the size of 'N' is no natural number up to 2\\^62"),
        ({"n": 1}, None),
    ],
)
def test_wrong_sizes(sizes: dict[str, int], message: str | None) -> None:
    source = Source("net.hln", "const N = 2 type A = unordered N type L = enum {x} place p: A")
    if message is None:
        read_text(source, sizes)
        return
    with pytest.raises(UsageError, match=message):
        read_text(source, sizes)


def test_a_large_type() -> None:
    net = read_text(
        Source("net.hln", "type P = unordered 1000000 place p: P = 17 transition t(x: P) in p: x")
    )
    assert net.sorts[0].size == 1_000_000


def test_variables_come_in_the_order_of_the_text() -> None:
    text = "type P = unordered 3 var x, y, z: P place p: P transition t in p: z guard x = y transition u(y) in p: x + y"
    first, second = read_text(Source("net.hln", text)).transitions
    assert [each.name for each in first.variables] == ["z", "x", "y"]
    assert [each.name for each in second.variables] == ["y", "x"]


def test_test_arcs_take_and_give_back() -> None:
    text = "place p, q: nat = 1 transition t(x: nat) test p: x in q: x out q: 1'(x + 1)"
    net = read_text(Source("net.hln", text))
    instance = next(enabled(net, initial_marking(net)))
    assert [show_tokens(NATURAL, each) for each in fire(net, initial_marking(net), instance)] == ["1", "2"]


def test_arguments_of_functions_are_not_captured() -> None:
    """The body binds a name that the argument has."""
    text = f"{DECLARATIONS} place r: P transition t(z: P) in p: z out r: multiset(capture(z))"
    net = read_text(Source("net.hln", text))
    start = initial_marking(net)
    after = {show_tokens(Element(net.sorts[0]), fire(net, start, each)[1]) for each in enabled(net, start)}
    assert after == {"b + c", "a + c"}


def test_names_in_quotes() -> None:
    text = """type "a type" = ordered {"all", "x\\"y", "n\\nl"} place "in": "a type" = "all" + "x\\"y"
    transition "t 1"("if": "a type") in "in": "if" guard "if" = "n\\nl" invariant "in" <= all"""
    net = read_text(Source("net.hln", text))
    assert net.sorts[0].elements == ("all", 'x"y', "n\nl")
    assert [net.places[0].name, net.transitions[0].name, net.transitions[0].variables[0].name] == [
        "in",
        "t 1",
        "if",
    ]
    assert read_text(Source("net.hln", written(net))) == net


def test_claims() -> None:
    net = read_text(Source("net.hln", 'place p: dot invariant "few": size(p) < 2 goal size(p)\n = 1'))
    assert [(each.kind, each.name) for each in net.claims] == [("invariant", "few"), ("goal", "size(p) = 1")]


def test_deadlock_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "net.hln"
    path.write_text("place p: dot = dot transition t in p")
    outcome = check(load_model(path), Request(engine="reference", reduce="none"))
    assert (outcome.verdict, outcome.states, outcome.deadlocks) == ("holds", 2, 1)


# Written and read again


def test_every_operator_can_be_written() -> None:
    """Among the values above and in the examples stands every node of the ir."""
    text = " ".join(f"place r{at}: {type_} = {term}" for at, (type_, term) in enumerate(VALUES))
    net = read_text(Source("net.hln", DECLARATIONS + text))
    found = [each for one in (net, *(load_model(path).subject for path in EXAMPLES)) for each in nodes(one)]
    assert {each.operator for each in found if isinstance(each, Apply)} == OPERATORS.keys()
    assert {each.kind for each in found if isinstance(each, Binding)} == {
        "forall",
        "exists",
        "set",
        "bag",
        "map",
    }
    kinds = (Literal, Variable, Marked, Conditional, Select, Update, Inject, IsOf, Cast, Lookup)
    assert set(kinds) <= {type(each) for each in found}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_read_back(path: Path) -> None:
    net = load_model(path).subject
    assert isinstance(net, HighLevelNet)
    assert readable(net) == net
    assert read_text(Source("written.hln", written(net))) == net


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(nets(depth=3))
def test_random_nets_are_read_back(net: HighLevelNet) -> None:
    check_net(net)
    assert read_text(Source("written.hln", written(net))) == readable(net)


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(nets())
def test_random_nets_have_few_markings(net: HighLevelNet) -> None:
    waiting = [initial_marking(net)]
    seen = set(waiting)
    while waiting:
        marking = waiting.pop()
        for instance in enabled(net, marking):
            after = fire(net, marking, instance)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
        assert len(seen) < 20_000


def test_literals_of_built_types_are_written_out() -> None:
    sort = Sort("c 1", ("x-1", "all"), "fixed", "cyclicenumeration")
    type_ = ListOf(SetOf(Element(sort)))
    value = (frozenset(), frozenset({0, 1}))
    place = Place("a place", type_, Literal(frozenset({(value, 2)}), Bag(type_)), id="p1")
    other = Place("x-1", Element(sort), Apply("all", (), Bag(Element(sort))), id="p2")
    net = HighLevelNet("n", (sort,), (place, other), (Transition("t", (), (), (), id="t1"),))
    back = read_text(Source("written.hln", written(net)))
    assert back == readable(net)
    assert evaluate(back.places[0].initial, {}) == frozenset({(value, 2)})
    assert (back.sorts[0].origin, back.places[0].id) == ("ordered", "")


# What is refused


def test_there_are_rejected_files() -> None:
    assert len(REJECTED) > 150


@pytest.mark.parametrize("path", REJECTED, ids=lambda path: path.stem)
def test_rejected_file(path: Path) -> None:
    expected = EXPECT.search(path.read_text())
    assert expected is not None, "the file does not say what is expected"
    with pytest.raises(InputError) as caught:
        load_model(path)
    diagnostic = caught.value.diagnostic
    assert diagnostic.span is not None
    found = f"{diagnostic.span.line}:{diagnostic.span.column}: {diagnostic.message}"
    assert found == f"{expected[1]}:{expected[2]}: {expected[3]}"
    assert "^" in str(caught.value)


TEXTS = [path.read_text() for path in EXAMPLES]
PIECES = sorted({piece for text in TEXTS for piece in re.findall(r"\w+|[^\w\s]+", text)})
bounded = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@bounded
@given(data=st.data())
def test_swapped_words(data: st.DataObject) -> None:
    """The text stays well-formed more often: names and numbers exchanged for others."""
    words = re.split(r"(\w+)", data.draw(st.sampled_from(TEXTS)))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(words) // 2 - 1)) * 2 + 1
        words[at] = data.draw(st.sampled_from(PIECES))
    try:
        net = read_text(Source("model.hln", "".join(words)))
    except BurnsideError as error:
        assert str(error).startswith("model.hln:")
        return
    check_net(net)


# Conditions

RAILROAD = load(Source("railroad.hln", (TESTS.parent / "examples" / "hln" / "railroad.hln").read_text()))


def holds(reader: ConditionReader, text: str) -> bool:
    condition = reader.condition(option_source("--invariant", text))
    found: bool = evaluate(condition, {}, initial_marking(reader.net))
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("size(U) = 2", True),
        ("count(U, <a, 0>) >= 1 and U has <b, 3>", True),
        ("V = 1'1 + 4", True),
        ("V <= 1'1 + 2 + 3", False),
        ("exists t: Train . U has <t, 4>", False),
        ("forall x: struct(train: Train, at: Sec) . U has x -> V has succ(x.at)", True),
    ],
)
def test_conditions(text: str, expected: bool) -> None:
    assert holds(RAILROAD.expressions, text) is expected


def test_conditions_know_what_the_text_declares() -> None:
    reader = load(Source("net.hln", DECLARATIONS)).expressions
    assert holds(
        reader, "size(p) = N + 1 and pairs(a) = {(<a, b> : M), <a, c>} and f(4) = high and twice(2) = 4"
    )


def strange_net() -> HighLevelNet:
    """As a PNML file may have it."""
    sort, other = Sort("A sort", ("a-1", "b.2"), "fixed", "enum"), Sort("T", ("a-1", "3"), "fixed", "range")
    places = (
        Place("p-1", Element(sort), Apply("all", (), Bag(Element(sort)))),
        Place("in", Element(other), Literal(frozenset({(0, 1)}), Bag(Element(other)))),
        Place("d", DOT, Literal(frozenset(), Bag(DOT))),
    )
    x, y = Variable("x", Element(sort)), Variable("y y", Element(other))
    transitions = (Transition("t-1", (x, y), (), ()), Transition("u", (), (), ()))
    return HighLevelNet(
        "strange", (sort, other), places, transitions, type_names={Bag(Element(sort)): "Bags"}
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('size("p-1") = 2 and size(d) = 0', True),
        ('"p-1" has "a-1" and "in" has "a-1" and not "in" has 3', True),
        ('forall x: "A sort" . "p-1" has x', True),
        ('size({"A sort"."b.2", "a-1"}) = 2', True),
        ("size(({} : Bags)) = 1", False),
    ],
)
def test_conditions_over_any_net(text: str, expected: bool) -> None:
    assert holds(ConditionReader(strange_net()), text) is expected


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("size(q) = 1", 6, "nothing is called 'q' here"),
        ('size({"a-1"}) = 1', 7, "'a-1' is an element of several types: A sort, T"),
        ("x = x", 1, "nothing is called 'x' here"),
        ("d = 1", 5, "expected a multiset, this is a number"),
        ("size(d) = 1 )", 13, "expected the end of the term, found ')'"),
        ("size(d)", 1, "expected bool, this is nat"),
        ("", 1, "expected a term, found the end of the text"),
    ],
)
def test_wrong_conditions(text: str, column: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        ConditionReader(strange_net()).condition(option_source("--invariant", text))
    span = caught.value.diagnostic.span
    assert span is not None and (span.column, caught.value.diagnostic.message) == (column, message)


@bounded
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=15))
def test_condition_soup(pieces: list[str]) -> None:
    try:
        RAILROAD.expressions.condition(option_source("--invariant", " ".join(pieces)))
    except BurnsideError as error:
        assert str(error).startswith("--invariant:")


def test_conditions_of_a_command_line() -> None:
    model = load_model(TESTS.parent / "examples" / "hln" / "railroad.hln")
    request = Request(
        engine="reference",
        reduce="none",
        keep_going=True,
        invariants=("not V has 0",),
        goals=("U has <b, 0>",),
    )
    outcome = check(model, request)
    assert [(each.name, each.verdict) for each in outcome.properties][-2:] == [
        ("not V has 0", "violated"),
        ("U has <b, 0>", "violated"),
    ]


# Formulas


def patterns(text: str, net: HighLevelNet | None = None) -> tuple[ActionPattern, ...]:
    """Of the action in brackets."""
    atoms = HighLevelAtoms(net or RAILROAD.net, ConditionReader(net) if net else RAILROAD.expressions)
    found = read_property(option_source("--ltl", text), atoms, dialect="standard", logic="ltl")
    (proposition,) = found.propositions
    assert isinstance(proposition, NextAction)
    return proposition.patterns


def test_actions() -> None:
    train, section = (Element(each) for each in RAILROAD.net.sorts)
    assert patterns("F [go]") == (ActionPattern(0),)
    assert patterns("F [go(b, _)]") == (ActionPattern(0, (Literal(1, train), None)),)
    assert patterns("F [go(s = succ(2))]") == (ActionPattern(0, (None, Literal(3, section))),)
    assert patterns('F ["t-1"("y y" = 3)]', strange_net()) == (
        ActionPattern(0, (None, Literal(1, Element(strange_net().sorts[1])))),
    )
    assert patterns("F [u]", strange_net()) == (ActionPattern(1),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("F [went]", "there is no transition 'went'"),
        ("F [go(a)]", "the transition 'go' has 2 parameters, not 1"),
        ("F [go(a, t = a)]", "either all arguments are named or none"),
        ("F [go(u = a)]", "the transition 'go' has no variable 'u'"),
        ("F [go(t = a, t = b)]", "'t' is given twice"),
        ("F [go(t = 3)]", "3 is no element of Train"),
        ("F [go(t = err)]", "this has no value"),
        ("forall x: nat . F [go]", "this goes through all values of nat, and there is no end of them"),
        (
            "forall x: set(Train) . F [go]",
            "quantified names stand for elements of declared types, or truth values",
        ),
    ],
)
def test_wrong_actions(text: str, message: str) -> None:
    with pytest.raises(BurnsideError) as caught:
        patterns(text)
    assert caught.value.diagnostic.message == message


def test_quantified_names() -> None:
    atoms = HighLevelAtoms(RAILROAD.net, RAILROAD.expressions)
    text = "forall t: Train . G ({U has <t, 0> and exists t: Train . U has <t, 3>} -> F [go(t, 0)])"
    found = read_property(option_source("--ltl", text), atoms, dialect="standard", logic="ltl")
    (binder,) = found.binders
    assert [binder.show(each) for each in binder.values] == ["a", "b"]
    start = initial_marking(RAILROAD.net)
    values = []
    for value in binder.values:
        condition, action = (atoms.with_values(each, [(binder, value)]) for each in found.propositions)
        values.append(evaluate(condition.expression, {}, start))  # type: ignore[union-attr]
        assert isinstance(action, NextAction) and action.patterns[0].arguments is not None
        assert evaluate(action.patterns[0].arguments[0], {}) == value
    assert values == [True, False]
    condition = found.propositions[0].expression  # type: ignore[union-attr]
    assert atoms.mentioned(condition, found.binders) == found.binders
    assert atoms.mentioned(atoms.closed(condition, found.binders), found.binders) == ()
    assert evaluate(atoms.closed(condition, found.binders), {}, start) is True


def test_parameters_by_name() -> None:
    assert HighLevelAtoms(RAILROAD.net, RAILROAD.expressions).parameters("s") == (1,)
    with pytest.raises(UsageError):
        HighLevelAtoms(RAILROAD.net, RAILROAD.expressions).parameters("x")
