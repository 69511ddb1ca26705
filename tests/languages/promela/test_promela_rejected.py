"""Whatever comes in, what comes out is a model or a diagnostic with its place, never anything else, and in bounded time.

Files under tests/rejected/promela carry what is expected in a comment: `expect: line:column: message`, with the name of the
file before it where that is an included one.
"""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from burnside.diagnostics import BurnsideError, InputError, Source, UnsupportedError, option_source
from burnside.languages.promela import load, read_model
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

REJECTED = sorted((Path(__file__).parents[2] / "rejected" / "promela").glob("*.pml"))
EXPECT = re.compile(r"expect: (?:(\S+):)?(\d+):(\d+): (.*?)(?: \*/)?$", re.MULTILINE)
MODELS = Path(__file__).parents[4] / "shared" / "models" / "promela"

OWN = """
#define N 2
#define busy(i) (state[i] == work)
#if defined(N) && N > 1
mtype = { work, rest }; mtype:kind = { red, green }
#else
#error no
#endif
typedef Message { byte from; short value[2]; chan back }
chan q = [N] of { mtype, byte }; chan r = [0] of { Message };
mtype state[N]; bool done; unsigned bits : 3 = 5; local byte count; byte table[3] = { 1, 2, 3 };
inline send(what, to) { byte t; t = to + 1; atomic { nfull(q) -> q!what(t) } }
inline next(v) { v++; return v % N }
active [N] proctype P(byte k; chan c) priority 2 provided (count < 9)
{   byte i = 3, seen[2]; Message m; chan own = [1] of { byte }
    xr own
    do
    :: q?work, i -> state[_pid] = rest
       send(rest, i)
    :: q??rest, eval(i) -> break
    :: atomic { (bits > 2 && !done) -> bits--; i = (done -> 1 : i + 2) }
    :: timeout -> goto stop
    :: else -> skip
    od unless { done; assert(len(q) <= N) }
    for (i : 0 .. N - 1) { seen[i] = i; m.value[i] = -i }
    select (i : 0 .. 2)
    d_step { count = count + 1; if :: count > 2 -> count = 0 :: else fi }
    r!m; own!!1; own?<i>; i = next(count)
stop: end: printf("%d %e\\n", i, state[0]); printm(state[0])
}
init { pid p; Message m; p = run Q(1); r?m; if :: r?[m] -> skip :: empty(q) || full(q) fi; p = 0 }
proctype Q(byte b) { progress: b = enabled(0) + pc_value(0) + _nr_pr + get_priority(1); set_priority(1, 2) }
never { accept: do :: P[0]@stop && np_ :: !(Q:b == 1) && _last == 0 od }
ltl one { [] (busy(0) -> <> !busy(1)) && (always done implies eventually (count == 1 U done)) }
ltl { (P@stop W done) V X (q?[work, 1] <-> nempty(q)) }
"""

MAX_SECONDS = 100
"""What grows without bound takes longer; a busy machine does not."""

bounded = settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))


def texts() -> list[str]:
    """Real models where they are, always our own."""
    names = ("nimble-code__Examples__LTL__pftp.pml", "nimble-code__Examples__snoopy.pml")
    return [OWN, *((MODELS / name).read_text() for name in names if (MODELS / name).exists())]


TEXTS = texts()
PIECES = sorted({piece for text in TEXTS for piece in re.findall(r"\w+|[^\w\s]+", text)})
PIECES += [
    "999999999999999999999", "/*", '"', "'", "é", "\0", "\n", "\\\n", "((((((", "{{{{", "\n#define P P P\n", "\n#if\n",
    "\n#include \"own.pml\"\n", "c_code", "unless", "d_step", "goto", "::", "..", "@", "##", "\r",
]  # fmt: skip


def test_there_are_rejected_files() -> None:
    assert len(REJECTED) > 100


@pytest.mark.parametrize("path", REJECTED, ids=lambda path: path.stem)
def test_rejected_file(path: Path) -> None:
    expected = EXPECT.search(path.read_text("latin-1"))
    assert expected is not None, "the file does not say what is expected"
    started = time.monotonic()
    with pytest.raises(BurnsideError) as caught:
        read_model(path)
    assert time.monotonic() - started < MAX_SECONDS
    diagnostic = caught.value.diagnostic
    assert diagnostic.span is not None
    found = f"{diagnostic.span.line}:{diagnostic.span.column}: {diagnostic.message}"
    assert (diagnostic.span.source, found) == (expected[1], f"{expected[2]}:{expected[3]}: {expected[4]}")
    assert isinstance(caught.value, UnsupportedError if "not supported" in diagnostic.message else InputError)
    assert "^" in str(caught.value)


def test_our_own_model_is_valid() -> None:
    model = load(Source("own.pml", OWN)).model
    assert [each.name for each in model.processes] == ["P", ":init:", "Q", "never_0"]
    assert [each.name for each in model.claims] == ["one", "ltl_0"]


@bounded
@given(data=st.data())
def test_mutations(data: st.DataObject) -> None:
    """A few stretches of a model replaced by pieces of it, or by anything."""
    text = data.draw(st.sampled_from(TEXTS))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 20)))
        piece = data.draw(st.sampled_from(PIECES) | st.text(max_size=3))
        text = text[:start] + piece + text[end:]
    outcome(text)


@bounded
@given(data=st.data())
def test_swapped_words(data: st.DataObject) -> None:
    """The text stays well-formed more often: names and numbers exchanged for others."""
    words = re.split(r"(\w+)", data.draw(st.sampled_from(TEXTS)))
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(words) // 2 - 1)) * 2 + 1
        words[at] = data.draw(st.sampled_from(PIECES))
    outcome("".join(words))


@bounded
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=60))
def test_token_soup(pieces: list[str]) -> None:
    outcome(" ".join(pieces))


@pytest.mark.parametrize("text", ["", "#", "\n", "#if 0\n#endif", "#define A", "\\", "//", "'", '"'])
def test_nearly_nothing(text: str) -> None:
    with pytest.raises(InputError):
        load(Source("model.pml", text))


def test_truncation_anywhere() -> None:
    for end in range(0, len(OWN), 3):
        outcome(OWN[:end])


OWN_MODEL = load(Source("own.pml", OWN))


@bounded
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=20))
def test_condition_soup(pieces: list[str]) -> None:
    for read in (OWN_MODEL.condition, OWN_MODEL.formula):
        try:
            read(option_source("--invariant", " ".join(pieces)))
        except BurnsideError as error:
            assert str(error).startswith("--invariant:")


def outcome(text: str) -> None:
    try:
        model = load(Source("model.pml", text)).model
    except BurnsideError as error:
        assert str(error).startswith("model.pml:")
        return
    assert model.starting


@pytest.mark.parametrize(
    "text",
    [
        "init { x = " + "(" * 5000 + "1" + ")" * 5000 + " }",
        "byte x; init { x = " + "-" * 5000 + "1 }",
        "init { " + "{" * 5000 + "skip" + "}" * 5000 + " }",
        "init { " + "if :: " * 3000 + "skip" + " fi" * 3000 + " }",
        "byte a[2]; init { a[" * 500 + "0" + "] = 1 }",
        "init { " + "L: " * 5000 + "skip }",
        "init { skip " + "unless { skip " * 500 + "}" * 500 + " }",
        "ltl { " + "[] " * 5000 + "true } init { skip }",
        "ltl { " + "(" * 5000 + "true" + ")" * 5000 + " } init { skip }",
        "#if " + "(" * 5000 + "1" + ")" * 5000 + "\n#endif\ninit { skip }",
        "#define f(x) x\ninit { " + "f(" * 3000 + "skip" + ")" * 3000 + " }",
        "chan q = [1] of { byte }; byte x; init { q?" + "(" * 3000 + "x" + ")" * 3000 + " }",
    ],
)
def test_deep_nesting(text: str) -> None:
    with pytest.raises(InputError):
        load(Source("model.pml", text))


@pytest.mark.parametrize("operator", ["&&", "||", "+", "*", "|"])
def test_long_chains(operator: str) -> None:
    """As generated models have them: no nesting, so no limit."""
    text = "byte x; init { x = 1 " + f"{operator} x " * 3000 + "}"
    assert load(Source("model.pml", text)).model.starting


def test_many_statements() -> None:
    started = time.monotonic()
    text = "byte x; inline f() { x = 0; L: x = 1; if :: goto L :: else fi }\ninit { " + "f(); " * 5000 + "}"
    assert len(load(Source("model.pml", text)).model.processes[0].graph.transitions) == 20001
    assert time.monotonic() - started < MAX_SECONDS
