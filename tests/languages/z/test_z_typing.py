"""Types of names and expressions, rule by rule, as Spivey's type checker lists them."""

from __future__ import annotations

import pytest
from burnside.diagnostics import Source
from burnside.languages.z.parse import parse
from burnside.languages.z.typing import CheckedSpecification, check
from burnside.languages.z.typing.listing import listed
from burnside.languages.z.typing.types import show_type

AROUND = r"""
\begin{zed} [A, B, C] \\ PLACE == \num \\ COLOUR ::= red | mixed \ldata COLOUR \cross COLOUR \rdata \end{zed}
\begin{schema}{Point} x, y : \num \end{schema}
\begin{schema}{Box}[X] inside : X; many : \power X \end{schema}
\begin{axdef} a : A; b : B; c : C; n : \nat; f : A \fun B; r : A \rel B; s : \seq A; p : Point \end{axdef}
\begin{gendef}[X, Y] swap : X \cross Y \fun Y \cross X \end{gendef}
"""


def checked(text: str) -> CheckedSpecification:
    source = Source("f.tex", text)
    return check(parse(source), source)


def box(text: str) -> str:
    return f"\\begin{{zed}} {text} \\end{{zed}}"


def listing(text: str) -> list[str]:
    definitions = [each for each in checked(text).globals.values() if each.kind != "toolkit"]
    return [" ".join(" ".join(listed(each)).split()) for each in definitions]


def type_of(expression: str) -> str:
    return show_type(checked(AROUND + box(f"result == {expression}")).globals["result"].type)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("3", "NN"),
        ("\\nat", "P NN"),
        ("\\num", "P ZZ"),
        ("\\nat_1", "P NN"),
        ("A", "P A"),
        ("PLACE", "P PLACE"),
        ("\\power A", "P (P A)"),
        ("A \\cross B", "P (A x B)"),
        ("A \\cross B \\cross C", "P (A x B x C)"),
        ("(A \\cross B) \\cross C", "P ((A x B) x C)"),
        ("(a, b, 1)", "A x B x NN"),
        ("((a, b), 1)", "(A x B) x NN"),
        ("A \\rel B", "P (A <-> B)"),
        ("A \\pfun B", "P (A -+> B)"),
        ("A \\ffun B", "P (A -++> B)"),
        ("A \\fun B", "P (A -+> B)"),
        ("A \\inj B", "P (A -+> B)"),
        ("A \\pfun B \\pfun C", "P (A -+> (B -+> C))"),
        ("\\seq A", "P (seq A)"),
        ("\\seq (A \\cross B)", "P (seq (A x B))"),
        ("\\seq_1 A", "P (seq A)"),
        ("\\bag A", "P (bag A)"),
        ("\\finset A", "P (F A)"),
        ("\\finset_1 (\\finset A)", "P (F (F A))"),
        ("\\id A", "A <-> A"),
        ("1 \\upto n", "P ZZ"),
        ("\\{a\\}", "P A"),
        ("\\{1, n\\}", "P NN"),
        ("\\{n, n + 1\\}", "P ZZ"),
        ("\\langle a, a \\rangle", "seq A"),
        ("\\lbag b \\rbag", "bag B"),
        ("\\langle x \\bind 1, y \\bind a \\rangle", "<| x: NN; y: A |>"),
        ("\\langle y \\bind 1, x \\bind a \\rangle", "<| x: A; y: NN |>"),
        ("- n", "ZZ"),
        ("n + 1", "ZZ"),
        ("n \\div 2 * 3", "ZZ"),
        ("succ~n", "NN"),
        ("\\# s", "NN"),
        ("min (1 \\upto 2)", "ZZ"),
        ("f~a", "B"),
        ("f", "A -+> B"),
        ("(\\_ + \\_)", "ZZ x ZZ -+> ZZ"),
        ("(\\_ \\cup \\_)[A]", "P A x P A -+> P A"),
        ("first(a, b)", "A"),
        ("second(a, b)", "B"),
        ("swap(a, b)", "B x A"),
        ("swap[A, B]", "A x B -+> B x A"),
        ("a \\mapsto b", "A x B"),
        ("\\{a \\mapsto b\\}", "P (A x B)"),
        ("\\dom r", "P A"),
        ("\\ran r", "P B"),
        ("r \\inv", "B <-> A"),
        ("r \\limg \\{a\\} \\rimg", "P B"),
        ("r \\oplus r", "A <-> B"),
        ("\\{a\\} \\dres r", "A <-> B"),
        ("r \\nrres \\{b\\}", "A <-> B"),
        ("r \\comp r \\inv", "A <-> A"),
        ("(r \\comp r \\inv) \\star", "A <-> A"),
        ("(\\id A) \\plus", "A <-> A"),
        ("(\\id A) \\bsup 3 \\esup", "A <-> A"),
        ("iter~3~(\\id A)", "A <-> A"),
        ("s \\cat \\langle a \\rangle", "seq A"),
        ("head~s", "A"),
        ("tail~s", "seq A"),
        ("s~1", "A"),
        ("\\dcat \\langle s, s \\rangle", "seq A"),
        ("squash (\\{1\\} \\dres \\{2 \\mapsto a\\})", "seq A"),
        ("\\{1\\} \\extract s", "seq A"),
        ("s \\filter \\{a\\}", "seq A"),
        ("items~s", "bag A"),
        ("count~(items~s)~a", "NN"),
        ("items~s \\bcount a", "NN"),
        ("2 \\otimes items~s", "bag A"),
        ("\\bigcup \\{\\{a\\}\\}", "P A"),
        ("\\emptyset[A]", "P A"),
        ("\\{a\\} \\cup \\emptyset", "P A"),
        ("s \\cat \\langle \\rangle", "seq A"),
        ("\\{ i : \\nat | i > 3 \\}", "P NN"),
        ("\\{ i : \\nat; j : A | i > 3 \\}", "P (NN x A)"),
        ("\\{ i, j : \\nat @ i + j \\}", "P ZZ"),
        ("\\{ Point \\}", "P Point"),
        ("\\{ Point; i : A \\}", "P (Point x A)"),
        ("\\{ Point' \\}", "P Point"),
        ("\\{ Point[z/x] \\}", "P Point"),
        ("\\{ Point @ x + y \\}", "P ZZ"),
        ("\\{ Box[A] \\}", "P <| inside: A; many: P A |>"),
        ("(\\lambda i : A @ \\{i\\})", "A -+> P A"),
        ("(\\lambda i : A; j : B @ i)", "A x B -+> A"),
        ("(\\mu i : A)", "A"),
        ("(\\mu i : A | i = a @ f~i)", "B"),
        ("(\\LET i == 1; j == a @ (j, i))", "A x NN"),
        ("(\\LET i == 1 @ (\\LET i == a @ i))", "A"),
        ("(\\IF n = 1 \\THEN a \\ELSE a)", "A"),
        ("(\\IF n = 1 \\THEN 1 \\ELSE n + 1)", "ZZ"),
        ("(\\IF n = 1 \\THEN \\emptyset \\ELSE \\{a\\})", "P A"),
        ("Point", "P Point"),
        ("Box[A]", "P <| inside: A; many: P A |>"),
        ("\\power Point", "P (P Point)"),
        ("p", "Point"),
        ("p.x", "ZZ"),
        ("p.\\theta Point", "Point"),
        ("(\\mu Point @ \\theta Point)", "Point"),
        ("(\\mu Point' @ \\theta Point')", "Point"),
        ("(\\mu Point[i/x, j/y] @ \\theta Point[i/x, j/y])", "Point"),
        ("(\\mu x, y : A @ \\theta Point)", "<| x: A; y: A |>"),
        ("red", "COLOUR"),
        ("mixed", "COLOUR x COLOUR -+> COLOUR"),
        ("mixed(red, red)", "COLOUR"),
        ("\\{p\\}", "P Point"),
        ("(\\mu b : Box[A] @ b.many)", "P A"),
    ],
)
def test_type_of_expression(expression: str, expected: str) -> None:
    assert type_of(expression) == expected


@pytest.mark.parametrize(
    "predicate",
    [
        "a = a \\land a \\in A \\lor \\lnot a \\notin \\{a\\}",
        "1 \\leq n < 3 \\implies true",
        "s = \\langle \\rangle \\iff false",
        "\\disjoint \\langle \\{a\\}, \\{a\\} \\rangle",
        "\\langle \\{a\\}, \\emptyset \\rangle \\partition A",
        "\\forall i : \\nat | i > 3 @ \\exists_1 j : A @ j = s~i",
        "\\forall Point @ Point",
        "\\forall Point @ \\pre Point",
        "\\forall x : \\nat; y : \\num; i : A @ Point",
        "\\forall x', y' : \\num @ Point'",
        "\\forall i, y : \\num @ Point[i/x]",
        "\\forall Box[A] @ Box[A] \\land many = \\{inside\\}",
        "(\\LET i == a @ i \\in A)",
        "\\{ i : A @ (i, f~i) \\} \\subseteq r",
        "\\emptyset \\subset \\{a\\}",
        "p \\in Point \\land Point = \\{p\\}",
        "s \\prefix s \\land s \\inseq s",
        "a \\inbag items~s \\land items~s \\subbageq items~s",
        "\\forall a : B @ a = b",
        "\\forall S : \\power \\nat @ S = \\emptyset = S",
        "\\forall Q : \\finset (\\nat \\pfun A) @ Q \\subseteq \\{\\emptyset, s\\}",
        "(A \\cross B) \\rel C = \\power ((A \\cross B) \\cross C)",
        "\\seq A \\subseteq \\nat \\pfun A \\land PLACE = \\num = \\nat",
    ],
)
def test_predicates(predicate: str) -> None:
    checked(AROUND + box(predicate))


SCHEMAS = r"""
\begin{zed}
  [A] \\
  S \defs [x, y : \nat | x > 3] \\
  T \defs [y, z : \num] \\
  U \defs [x, x' : \nat; i?, o! : A] \\
  V \defs [x, x' : \nat; o? : A] \\
  G[X] \defs [x : X; f : \seq X] \\
  R == %s
\end{zed}
"""


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("S", "x: NN y: NN"),
        ("S'", "x': NN y': NN"),
        ("S_1?", "x_1?: NN y_1?: NN"),
        ("S[a/x]", "y: NN a: NN"),
        ("S[y/x, x/y]", "x: NN y: NN"),
        ("S[y/x]", "y: NN"),
        ("S'[a/x']", "a: NN y': NN"),
        ("G[A]", "x: A f: seq A"),
        ("G[\\power A]", "x: P A f: seq (P A)"),
        ("[S; z : A]", "x: NN y: NN z: A"),
        ("[S; T | x = z]", "x: NN y: NN z: ZZ"),
        ("[z : A; S; y' : A]", "x: NN y: NN z: A y': A"),
        ("S \\land T", "x: NN y: NN z: ZZ"),
        ("T \\land S", "x: NN y: ZZ z: ZZ"),
        ("S \\lor T", "x: ZZ y: ZZ z: ZZ"),
        ("S \\lor S", "x: NN y: NN"),
        ("S \\implies T", "x: ZZ y: ZZ z: ZZ"),
        ("S \\iff S", "x: ZZ y: ZZ"),
        ("\\lnot S", "x: ZZ y: ZZ"),
        ("S \\project T", "y: ZZ z: ZZ"),
        ("S \\hide (x)", "y: NN"),
        ("S \\hide (x, y)", ""),
        ("\\exists x : \\num @ S", "y: NN"),
        ("\\forall S @ S \\land T", "z: ZZ"),
        ("\\exists_1 y : \\nat | y > 3 @ S", "x: NN"),
        ("\\pre U", "x: NN i?: A"),
        ("U \\semi U", "x: NN x': NN i?: A o!: A"),
        ("U \\semi V", "x: NN x': NN i?: A o?: A o!: A"),
        ("U \\pipe V", "x: NN x': NN i?: A"),
        ("U \\semi S", "x: NN y: NN i?: A o!: A"),
        ("\\Delta S", "x: NN y: NN x': NN y': NN"),
        ("\\Xi S", "x: NN y: NN x': NN y': NN"),
        ("\\Delta G[A]", "x: A f: seq A x': A f': seq A"),
        ("\\Delta S \\land \\lnot \\Xi S", "x: NN y: NN x': NN y': NN"),
        ("\\Delta S'", "x': NN y': NN x'': NN y'': NN"),
    ],
)
def test_schema_calculus(expression: str, expected: str) -> None:
    found = listing(SCHEMAS.replace("R ==", "R \\defs") % expression)
    assert found[-1] == " ".join(f"Schema R {expected} End".split())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[A, MAX\\_SIZE]", ["Given A", "Given MAX_SIZE"]),
        ("C ::= red | blue", ["Given C", "Var red: C", "Var blue: C"]),
        ("T ::= tip | fork \\ldata T \\cross T \\rdata", ["Given T", "Var tip: T", "Var fork: T x T -+> T"]),
        ("T ::= node \\ldata \\seq T \\rdata", ["Given T", "Var node: seq T -+> T"]),
        ("[T] \\\\ T ::= a", ["Given T", "Var a: T"]),
        ("Size == \\nat", ["Abbrev Size: P NN"]),
        ("Size == 3", ["Abbrev Size: NN"]),
        ("P == \\num \\\\ Q == P \\cross \\power P", ["Abbrev P: P ZZ", "Abbrev Q: P (P x P P)"]),
        ("Pair[X, Y] == X \\cross \\power Y", ["Genconst Pair[2]: P (@1 x P @2)"]),
        ("Twice[X] == Pair[X, X] \\\\ Pair[X, Y] == X \\rel Y", None),
        ("S \\defs [x : \\nat] \\\\ a == \\power S", ["Schema S x: NN End", "Abbrev a: P (P S)"]),
        ("S \\defs [x : \\nat] \\\\ T \\defs [s : S]", ["Schema S x: NN End", "Schema T s: S End"]),
    ],
)
def test_definitions(text: str, expected: list[str] | None) -> None:
    found = listing(box(text))
    if expected is None:
        expected = ["Genconst Pair[2]: P (@1 <-> @2)", "Genconst Twice[1]: P (@1 <-> @1)"]
    assert found == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "\\begin{axdef} x, y : \\nat; f : \\nat \\fun \\nat \\where f(0) = x \\end{axdef}",
            ["Var x: NN", "Var y: NN", "Var f: NN -+> NN"],
        ),
        (
            "\\begin{zed} S \\defs [x, y : \\nat] \\end{zed}\\begin{axdef} S; z : \\num \\end{axdef}",
            ["Schema S x: NN y: NN End", "Var x: NN", "Var y: NN", "Var z: ZZ"],
        ),
        (
            "\\begin{gendef}[X, Y] g : X \\fun \\power Y; e : \\power X \\where e = \\emptyset \\end{gendef}",
            ["Genconst g[2]: @1 -+> P @2", "Genconst e[2]: P @1"],
        ),
        (
            "\\begin{schema}{S}[X] x : X; y : \\seq X \\where y = \\langle x \\rangle \\end{schema}",
            ["Schema S[1] x: @1 y: seq @1 End"],
        ),
        (
            "%%inop \\glue 3\n\\begin{gendef}[X] \\_ \\glue \\_ : X \\cross X \\fun X \\end{gendef}",
            ["Genconst _ \\glue _[1]: @1 x @1 -+> @1"],
        ),
        (
            "%%inrel \\near\n\\begin{axdef} \\_ \\near \\_ : \\num \\rel \\num \\where 1 \\near 2 \\end{axdef}",
            ["Var _ \\near _: ZZ <-> ZZ"],
        ),
        (
            "%%prerel \\good\n%%postop \\up\n\\begin{axdef} \\good \\_ : \\power \\num; "
            "\\_ \\up : \\num \\fun \\num \\where \\good 2 \\up \\end{axdef}",
            ["Var \\good _: P ZZ", "Var _ \\up: ZZ -+> ZZ"],
        ),
        (
            "%%ingen \\maps\n\\begin{zed} X \\maps Y == X \\rel Y \\\\ m == \\nat \\maps \\num \\end{zed}",
            ["Genconst _ \\maps _[2]: P (@1 <-> @2)", "Abbrev m: P (NN <-> ZZ)"],
        ),
        (
            "%%pregen \\all\n\\begin{zed} \\all X == \\power X \\\\ m == \\all \\nat \\end{zed}",
            ["Genconst \\all _[1]: P (P @1)", "Abbrev m: P (P NN)"],
        ),
        (
            "%%ingen \\maps\n\\begin{zed} X \\maps Y == X \\rel Y \\end{zed}\n%%type \\maps\n"
            "\\begin{zed} m == \\nat \\maps \\num \\cross (\\nat \\maps \\num) \\end{zed}",
            ["Genconst _ \\maps _[2]: P (@1 <-> @2)", "Abbrev m: P (NN \\maps ZZ x (NN \\maps ZZ))"],
        ),
        (
            "\\begin{schema}{S}[X] x : X \\end{schema}\n%%type S\n\\begin{axdef} a : S[\\nat] \\end{axdef}",
            ["Schema S[1] x: @1 End", "Var a: S[NN]"],
        ),
        (
            "%%type P\n\\begin{axdef} P : \\power \\num \\end{axdef}\n\\begin{axdef} p : P \\end{axdef}",
            ["Var P: P ZZ", "Var p: P"],
        ),
        (
            "\\begin{gendef}[X] id : X \\fun X \\end{gendef}\\begin{zed} a == id~3 \\end{zed}",
            ["Genconst id[1]: @1 -+> @1", "Abbrev a: ZZ"],
        ),
        (
            "\\begin{gendef}[X] id : X \\fun X \\end{gendef}\n%%tame id\n\\begin{zed} a == id~3 \\end{zed}",
            ["Genconst id[1]: @1 -+> @1", "Abbrev a: NN"],
        ),
        (
            "\\begin{axdef} x' : \\nat; x\\_1 : \\num; x_1 : \\nat \\end{axdef}",
            ["Var x': NN", "Var x_1: ZZ", "Var x_1: NN"],
        ),
    ],
)
def test_boxes(text: str, expected: list[str]) -> None:
    assert listing(text) == expected


@pytest.mark.parametrize(
    ("declarations", "expected"),
    [
        ("z, a' : \\nat; y : \\nat; a : \\nat", "z a y a'"),
        ("o! : \\nat; i? : \\nat; s' : \\nat; s : \\nat", "s s' i? o!"),
        ("a'! : \\nat; b_1 : \\nat; c!' : \\nat; d : \\nat", "d a'! b_1 c!'"),
        ("second, zz, first, min : \\nat", "min first second zz"),
        ("aa : \\power bb; cc : \\nat; bb : \\nat", "aa bb cc"),
    ],
)
def test_order_of_components(declarations: str, expected: str) -> None:
    """By decoration, then by the first mention of the name, wherever it is; names of the tool-kit come first."""
    schema = box(f"S \\defs [{declarations}]")
    found = checked(f"{schema} \\begin{{axdef}} bb : \\power \\nat \\end{{axdef}}").globals["S"]
    assert " ".join(each.name for each in found.components) == expected


def test_instances_are_independent() -> None:
    """Each use of an empty set has a type of its own."""
    found = listing(AROUND + box("e == (\\emptyset \\cup \\{a\\}, \\emptyset \\cup \\{b\\})"))
    assert found[-1] == "Abbrev e: P A x P B"


def test_use_before_definition() -> None:
    schema = "\\begin{schema}{S} T \\\\ x : C \\end{schema}"
    text = box("a == b") + schema + box("T \\defs [y : \\power C] \\\\ b == c1 \\\\ C ::= c1")
    assert listing(text) == [
        "Given C",
        "Var c1: C",
        "Abbrev b: C",
        "Abbrev a: C",
        "Schema T y: P C End",
        "Schema S x: C y: P C End",
    ]


def test_long_chain_of_uses_before_definitions() -> None:
    names = " \\\\ ".join(f"a{number} == \\{{a{number + 1}\\}}" for number in range(20))
    deep = " \\\\ ".join(f"b{number} == b{number + 1}" for number in range(1000))
    assert len(listing(box(f"{names} \\\\ a20 == 1 \\\\ {deep} \\\\ b1000 == 1"))) == 1022
