"""Whatever comes in, what comes out is a program or a diagnostic with its place, never anything else.

Files under tests/rejected/murphi carry what is expected in their first comment: `expect: line:column: message`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from burnside.diagnostics import BurnsideError, InputError, Source, UnsupportedError, option_source
from burnside.languages.murphi import load, read, read_text
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

REJECTED = sorted((Path(__file__).parents[1] / "rejected" / "murphi").glob("*.m"))
EXPECT = re.compile(r"expect: (\d+):(\d+): (.*)$", re.MULTILINE)
MODELS = Path(__file__).parents[3] / "shared" / "models" / "murphi"

OWN = """
const n: 2; limit: n * 2 + 1;
type
  id: scalarset(n); colour: enum { red, green }; any: union { id, colour };
  entry: record owner: any; count: 0..limit; end;
var
  table: array[id] of entry; net: multiset[3] of entry; last: any; ready: boolean;
function size(e: entry): 0..limit; begin
  if isundefined(e.count) then return 0; elsif e.count > 3 then return 3; else return e.count; end;
end;
procedure bump(var e: entry; step: 0..limit);
  var old: 0..limit;
begin
  old := e.count;
  e.count := (old + step) % (limit + 1);
end;
startstate "begin" begin
  for i: id do table[i].owner := i; table[i].count := 0; end;
  undefine net; clear ready; last := UNDEFINED;
end;
ruleset i: id; k: 0..1 do
  alias me: table[i] do
    rule "bump" !ready & size(me) <= k -> me.count != 7 ==>
      var e: entry;
    begin
      bump(me, k << 1);
      e := me;
      multisetadd(e, net);
      switch me.count case 0, 1: ready := true; else put "x"; end;
      assert "small" me.count <= limit;
      while me.count > 4 do me.count := me.count - 1; end;
    end;
  end;
end;
choose m: net do rule "take" ismember(net[m].owner, id) ==> last := net[m].owner; multisetremove(m, net); end; end;
rule "reset" multisetcount(m: net, net[m].count = 0) > 2 ==> multisetremovepred(m: net, true); error "full"; end;
invariant "all" forall i: id do exists j := 0 to limit by 1 do table[i].count = j end end;
cover last = red;
"""

bounded = settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))


def texts() -> list[str]:
    """Real models where they are, always our own."""
    names = ("cmurphi_multisetsym__newlist6.CellCount3.m", "cmurphi_secur__ns-old.m", "cmurphi_toy__sets.m")
    return [OWN, *((MODELS / name).read_text() for name in names if (MODELS / name).exists())]


TEXTS = texts()
PIECES = sorted({piece for text in TEXTS for piece in re.findall(r"\w+|[^\w\s]+", text)})
PIECES += [
    "0x7fffffffffffffff",
    "999999999999999999999",
    "/*",
    '"',
    "“",
    "é",
    "\0",
    "⇒",
    "..",
    "(((((",
    "real",
    "--",
]


def test_there_are_rejected_files() -> None:
    assert len(REJECTED) > 100


@pytest.mark.parametrize("path", REJECTED, ids=lambda path: path.stem)
def test_rejected_file(path: Path) -> None:
    expected = EXPECT.search(path.read_text("latin-1"))
    assert expected is not None, "the file does not say what is expected"
    with pytest.raises(BurnsideError) as caught:
        read(path)
    diagnostic = caught.value.diagnostic
    assert diagnostic.span is not None
    found = f"{diagnostic.span.line}:{diagnostic.span.column}: {diagnostic.message}"
    assert found == f"{expected[1]}:{expected[2]}: {expected[3]}"
    assert isinstance(caught.value, UnsupportedError if "support" in diagnostic.message else InputError)
    assert "^" in str(caught.value)


def test_our_own_model_is_valid() -> None:
    assert len(read_text(Source("own.m", OWN)).actions) == 3


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


def test_truncation_anywhere() -> None:
    for end in range(0, len(OWN), 3):
        outcome(OWN[:end])


OWN_MODEL = load(Source("own.m", OWN))


@bounded
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=20))
def test_condition_soup(pieces: list[str]) -> None:
    try:
        OWN_MODEL.condition(option_source("--invariant", " ".join(pieces)))
    except BurnsideError as error:
        assert str(error).startswith("--invariant:")


def outcome(text: str) -> None:
    try:
        program = read_text(Source("model.m", text))
    except BurnsideError as error:
        assert str(error).startswith("model.m:")
        return
    assert program.starts
