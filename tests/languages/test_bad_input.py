"""Whatever comes in, what comes out is a net or a diagnostic with its place, never anything else.

Files under tests/rejected carry what is expected in their first comment: `expect: line:column: message`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from burnside.diagnostics import BurnsideError, InputError, UnsupportedError, UsageError
from burnside.ir.highlevel.checking import check_net
from burnside.ir.highlevel.net import HighLevelNet
from burnside.ir.program import Program
from burnside.ir.sets.checking import problems
from burnside.ir.sets.machine import Machine
from burnside.languages import LANGUAGES, language_of, read
from burnside.languages.net_expressions import parse_expression
from burnside.model import Subject
from burnside.net import Net
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

TESTS = Path(__file__).parents[1]
REJECTED = sorted(path for path in (TESTS / "rejected").glob("*/*") if path.parent.name in ("pnml", "lola"))
EXPECT = re.compile(r"expect: (\d+):(\d+): (.*?)(?: -->)?$", re.MULTILINE)
PT = "http://www.pnml.org/version-2009/grammar/ptnet"

VALID_PNML = f"""<?xml version="1.0" encoding="UTF-8"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="{PT}"><page id="g">
<place id="p"><name><text>a &amp; b</text></name><initialMarking><text>3</text></initialMarking></place>
<referencePlace id="r" ref="p"/><transition id="t"/><arc id="a" source="r" target="t">
<inscription><text>2</text></inscription><toolspecific tool="x"><![CDATA[<]]></toolspecific></arc>
</page></net></pnml>""".encode()
VALID_LOLA = b"""PLACE a, "b c"; SAFE 2: d;
MARKING a : 2, d; { note { } }
TRANSITION t CONSUME a, d : 2; PRODUCE "b c";"""
VALID_MURPHI = b"""const N: 2; -- how many
type t: scalarset(N); e: enum {A, B};
var x: array[t] of 0..3; y: e; m: multiset[2] of t;
function f(a: 0..3): boolean; begin return a < 3; end;
startstate begin for i: t do x[i] := 0; end; y := A; undefine m; end;
ruleset i: t do rule "up" f(x[i]) ==> begin x[i] := x[i] + 1; if y = A then y := B; else y := A; end; end; end;
choose k: m do rule "out" true ==> multisetremove(k, m); end; end;
invariant "low" forall i: t do x[i] <= 3 end;"""
VALID_B = rb"""MACHINE m(P, n) CONSTRAINTS n : 1..3 SETS S; E = {a, b}
DEFINITIONS scope_S == 1..3; near(x) == f[{x}]
VARIABLES f, e INVARIANT f : S <-> P & e : E /* one of two */
INITIALISATION f := {} || e :: E
OPERATIONS
  r <-- add(s, p) = PRE s : S & p : P & card(near(s)) < n THEN f := f \/ {s |-> p} || r := bool(p : ran(f)) END;
  turn = SELECT e = a THEN e := b WHEN e = b THEN e : (e /= e$0) END
END"""
VALID_PROMELA = b"""#define N 2 /* how many */
#define free(i) (held[i] == 0)
mtype = {ask, give}; typedef pair { byte who; chan back };
chan q = [N] of {mtype, byte}; chan r[N] = [0] of {chan}; bool held[N]; unsigned turn : 3;
inline take(i) { atomic { free(i) -> held[i] = 1; turn++ } }
active [N] proctype P() provided (turn < 7) { byte i; pair p; p.who = _pid;
end: do :: q?ask, i -> take(_pid) unless { timeout; break } :: q!!give(p.who) od;
  for (i : 0 .. 1) { if :: nfull(q) && !held[i] -> d_step { assert(i < N); printf("%d;", i) } :: else fi } }
init { run Q(r[0], 1) } proctype Q(chan c; short n) { c!q; goto done; done: r[1]?eval(c) }
ltl safe { [] (turn <= 7) -> <> (P[0]@end) }"""
VALID_Z = rb"""Prose \textbf{and} % a comment
\begin{zed} [X] \also OWNER ::= none | own \ldata X \rdata \also Few == 0 \upto 2 \end{zed}
%%inop \join 3
\begin{gendef}[T] \_ \join \_ : \power T \cross \power T \fun \power T
  \where \forall A, B : \power T @ A \join B = A \cup B \end{gendef}
\begin{axdef} limit : Few \where limit \geq 1 \end{axdef}
\begin{schema}{S} s : \power X \\ f : X \pfun OWNER; n : Few \where \dom f \subseteq s \land n \leq limit \end{schema}
\begin{schema}{Init} S' \where s' = \emptyset \\ n' = 0 \end{schema}
\begin{schema}{Add} \Delta S \\ x? : X; r! : Few \where
  s' = s \join \{ x? \} \\ f' = f \oplus \{ x? \mapsto own~x? \} \\
  n' = \IF n < limit \THEN n + 1 \ELSE n \\ r! = \# s' \end{schema}
\begin{zed} Skip \defs [ \Xi S; x? : X | (\exists y : s @ f(y) \neq none) \lor x? \notin s ] \also
  Twice \defs (Add \semi Add[z?/x?]) \hide (r!) \end{zed}
"""
VALID_HLN = rb"""net both -- a comment
const N = 2 type P = unordered N type S = cyclic s0 .. s3 type O = ordered {lo, "h i"} type E = enum 0 .. N
type M = struct(from: P, to: P) type U = union(none, own: P)
function low(o: O): bool = o < "h i" function f: S -> O = {s0, s1 .. s2 -> lo, else -> "h i"}
place p, q: P = all place m: M = <1, 2> + 2'<2, 1> place l: list(U) = [none, own(1)]
place d: dot = {(if true then 2 else 0)'x | x: dot} place t: map(P, set(multiset(nat))) = {x: P -> {2'1 + 3, {}}}
var x, y: P var s: S var k: map(P, set(multiset(nat)))
transition go(x, k, z: list(U)) in p: x, m: <x, y>, l: z test t: k
  guard not (x = y or k[x] = {}) -> low(f(succ(s, 2)))
  out p: y, q: multiset({z: P | z != x and exists e: E . distance(e, e) = 0}), l: [own(x)] ++ z[1 := none]
transition "o ne"(z: list(U)) in d, d, l: z out l: 1'add_first(drop_last(z), own(z[1] as own)), m: <1, 2>[.from := 2]
invariant "few": size(p) <= N and (p has 1 <-> count(q, 2) % 2 * 3 - 1 >= 0 xor all(O) = {}) goal "gone": d = {}"""
VALID = {
    "hln": VALID_HLN,
    "pnml": VALID_PNML,
    "lola": VALID_LOLA,
    "murphi": VALID_MURPHI,
    "b": VALID_B,
    "promela": VALID_PROMELA,
    "z": VALID_Z,
}
PIECES = {
    "pnml": [piece + b">" for piece in VALID_PNML.split(b">")]
    + [b"&lt;", b"&x;", b"<!DOCTYPE", b"-1", b"\xff"],
    "murphi": [
        *VALID_MURPHI.split(),
        *b"/* */ -- ( ) [ 99999999999999999999 record end \xff alias union".split(),
    ],
    "b": [
        *VALID_B.split(),
        *b'/* */ // ( ) " 99999999999999999999 \xff INCLUDES END union POW <> $0'.split(),
    ],
    "promela": [
        *VALID_PROMELA.split(),
        *b"/* */ // ( ) { } 99999999999999999999 \xff #include #if #endif od fi never c_code :: -> ;".split(),
    ],
    "z": [
        *VALID_Z.split(),
        *rb"\begin{zed} \end{schema} \where \\ \also ~ \{ ( ] \theta \mu \power 99999999999999999999 \xff %% '".split(),
    ],
    "hln": [
        *VALID_HLN.split(),
        *rb"-- ( ) { } < > [ ] ' .. := -> <-> | \" 99999999999999999999 \xff err all(nat) set( forall x: nat .".split(),
    ],
    "lola": [*VALID_LOLA.split(), *b'{ } // /* */ " ( : ; , 99999999999999999999 \xff'.split()],
}

bounded = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def test_there_are_rejected_files() -> None:
    assert len(REJECTED) > 50


@pytest.mark.parametrize("path", REJECTED, ids=lambda path: path.name)
def test_rejected_file(path: Path) -> None:
    expected = EXPECT.search(path.read_text("latin-1"))
    assert expected is not None, "the file does not say what is expected"
    with pytest.raises(BurnsideError) as caught:
        read(path)
    diagnostic = caught.value.diagnostic
    assert diagnostic.span is not None
    found = f"{diagnostic.span.line}:{diagnostic.span.column}: {diagnostic.message}"
    assert found == f"{expected[1]}:{expected[2]}: {expected[3]}"
    unsupported = "support" in diagnostic.message or "is not known" in diagnostic.message
    assert isinstance(caught.value, UnsupportedError if unsupported else InputError)
    assert caught.value.exit_code == 2
    assert "^" in str(caught.value)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_valid_ones_are_valid(language: str, tmp_path: Path) -> None:
    assert _outcome(VALID[language], language, tmp_path) is not None


@pytest.mark.parametrize("language", LANGUAGES)
@bounded
@given(data=st.binary(max_size=200))
def test_random_bytes(language: str, tmp_path: Path, data: bytes) -> None:
    _outcome(data, language, tmp_path)


@pytest.mark.parametrize("language", LANGUAGES)
@bounded
@given(data=st.data())
def test_mutations(language: str, tmp_path: Path, data: st.DataObject) -> None:
    """A few stretches of a valid file replaced by few bytes, of its own or at random."""
    text = VALID[language]
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 12)))
        piece = data.draw(st.binary(max_size=4) | st.sampled_from(PIECES[language]))
        text = text[:start] + piece + text[end:]
    _outcome(text, language, tmp_path)


@pytest.mark.parametrize("language", LANGUAGES)
@bounded
@given(data=st.data())
def test_token_soup(language: str, tmp_path: Path, data: st.DataObject) -> None:
    pieces = data.draw(st.lists(st.sampled_from(PIECES[language]), max_size=40))
    _outcome(b" ".join(pieces), language, tmp_path)


@pytest.mark.parametrize("language", LANGUAGES)
def test_truncation_anywhere(language: str, tmp_path: Path) -> None:
    for end in range(len(VALID[language])):
        _outcome(VALID[language][:end], language, tmp_path)


def _outcome(data: bytes, language: str, folder: Path) -> Subject | None:
    path = folder / f"model{LANGUAGES[language].extensions[0]}"
    path.write_bytes(data)
    try:
        model = read(path)
    except BurnsideError as error:
        assert str(error).startswith(str(path))
        return None
    if isinstance(model, Net):
        assert len(model.initial) == len(model.places)
        assert len(model.consumes) == len(model.produces) == len(model.transitions)
    elif isinstance(model, Machine):
        assert problems(model) == ()
    elif isinstance(model, HighLevelNet):
        check_net(model)
    else:
        assert isinstance(model, Program) and model.starts
    return model


WORDS = [
    "p1",
    "p2",
    '"a-b"',
    "p9",
    "'",
    "0",
    "3",
    "(",
    ")",
    "+",
    "-",
    "*",
    "=",
    "<=",
    "<->",
    "->",
    "and",
    "not",
    "true",
]


@bounded
@given(text=st.text(max_size=60) | st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join))
def test_expression_soup(text: str) -> None:
    net = Net("n", ("p1", "p2", "a-b"), (1, 0, 2), (), (), ())
    try:
        expression = parse_expression(text, net)
    except BurnsideError as error:
        assert str(error).startswith("--invariant:")
        return
    assert isinstance(expression.evaluate(net.initial), bool)


class TestFiles:
    """What is wrong with the file, not in it."""

    def test_absent(self, tmp_path: Path) -> None:
        self.check(tmp_path / "x.pnml", InputError, "there is no such file")

    def test_directory(self, tmp_path: Path) -> None:
        self.check(tmp_path, InputError, "this is a directory, not a model")

    def test_directory_with_a_model_in_it(self, tmp_path: Path) -> None:
        (tmp_path / "model.pnml").write_bytes(VALID_PNML)
        with pytest.raises(InputError) as caught:
            read(tmp_path)
        assert caught.value.diagnostic.hint == f"did you mean {tmp_path / 'model.pnml'}?"

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_empty(self, tmp_path: Path, language: str) -> None:
        path = tmp_path / f"x.{language}"
        path.touch()
        self.check(path, InputError, "the file is empty")

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_blank(self, tmp_path: Path, language: str) -> None:
        assert _outcome(b" \n\t\n", language, tmp_path) is None

    @pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
    def test_not_readable(self, tmp_path: Path) -> None:
        path = tmp_path / "x.pnml"
        path.write_bytes(VALID_PNML)
        path.chmod(0)
        self.check(path, InputError, "the file may not be read (permission denied)")

    def test_no_file_name(self) -> None:
        self.check(Path("a\0b.pnml"), InputError, "this is no file name")

    @pytest.mark.parametrize("name", ["model.xyz", "model"])
    def test_unknown_extension(self, tmp_path: Path, name: str) -> None:
        (tmp_path / name).write_bytes(VALID_PNML)
        with pytest.raises(UsageError) as caught:
            read(tmp_path / name)
        assert ".pnml, .lola" in str(caught.value)

    def test_language_by_name(self, tmp_path: Path) -> None:
        path = tmp_path / "model.txt"
        path.write_bytes(VALID_LOLA)
        assert read(path, language="lola").places == ("a", "b c", "d")
        with pytest.raises(UsageError, match="no language is called 'cobol'"):
            read(path, language="cobol")

    def test_extensions_in_capitals(self) -> None:
        assert language_of(Path("X.PNML")).name == "pnml"
        assert not language_of(Path("X.PNML")).deadlock_is_error

    def check(self, path: Path, kind: type[BurnsideError], message: str) -> None:
        with pytest.raises(kind) as caught:
            read(path)
        assert caught.value.diagnostic.message == message


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a file without end")
@pytest.mark.parametrize("language", ["b", "murphi"])
def test_a_file_without_end(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("burnside.languages.shared.files.MAX_FILE_BYTES", 1000)
    with pytest.raises(InputError, match="more than 1,000 bytes"):
        read(Path("/dev/zero"), language)
