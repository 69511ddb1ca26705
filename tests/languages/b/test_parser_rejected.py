"""Whatever comes in, what comes out is a tree or a diagnostic with its place, never anything else.

Files `syntax-*` under tests/rejected/b carry what is expected in their first comment: `expect: line:column: message`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from burnside.diagnostics import BurnsideError, InputError, Source, UnsupportedError
from burnside.languages.b.parse.project import load_project, project_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

REJECTED = sorted((Path(__file__).parents[2] / "rejected" / "b").glob("syntax-*.mch"))
EXPECT = re.compile(r"expect: (\d+):(\d+): (.*)$", re.MULTILINE)

OWN = """
MACHINE own(S, n)
CONSTRAINTS n : 1..3
SETS T; COLOUR = {red, green}
DEFINITIONS
  scope_T == 1..3;
  near(a, b) == #k.(k : T & {a |-> k, k |-> b} <: links);
  reset == BEGIN links := {}; count := 0 END
CONSTANTS limit, weight
PROPERTIES limit : NATURAL1 & weight : COLOUR --> 0..limit & limit = 3
VARIABLES links, count, mode, log
INVARIANT
  links : T <-> T & count : 0..limit & /*@label modes*/ mode : COLOUR &
  log : seq(struct(who: T, what: BOOL)) & !(x, y).(x |-> y : links => not(near(y, x)) or x = y)
ASSERTIONS card(links) >= 0; SIGMA(c).(c : COLOUR | weight(c)) <= 2 * limit
INITIALISATION reset || mode :: COLOUR || log := <>
OPERATIONS
  r <-- link(x, y) = PRE x : T & y : T - {x} THEN
    links := links \\/ {x |-> y} || r := bool(x |-> y : links~) || log := log <- rec(who: x, what: TRUE)
  END;
  step = SELECT count < limit THEN count := count + 1 WHEN mode = red THEN reset ELSE skip END;
  pick = ANY f, c WHERE f : T >+> COLOUR & c = IF count mod 2 = 0 THEN red ELSE green END THEN
    links := (f ; f~) /\\ links || mode := c END;
  loop = VAR i IN i := 0; WHILE i < 3 DO i := i + 1 INVARIANT i <= 3 VARIANT 3 - i END; count : (count = count$0) END;
  turn = CASE mode OF EITHER red THEN mode := green OR green THEN mode := red END END
END
"""

bounded = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
PIECES = sorted(set(re.findall(r"\w+|[^\w\s]+", OWN)))
PIECES += [
    "9" * 30,
    "1.5",
    "/*",
    '"',
    "'''",
    "é",
    "\0",
    "⇒",
    "λ",
    "$0",
    "(((((",
    "==",
    ";",
    "FREETYPES",
    '"x.def"',
    "`",
]


def test_there_are_rejected_files() -> None:
    assert len(REJECTED) > 70


@pytest.mark.parametrize("path", REJECTED, ids=lambda path: path.stem)
def test_rejected_file(path: Path) -> None:
    expected = EXPECT.search(path.read_text())
    assert expected is not None, "the file does not say what is expected"
    with pytest.raises(BurnsideError) as caught:
        load_project(path)
    diagnostic = caught.value.diagnostic
    assert diagnostic.span is not None
    found = f"{diagnostic.span.line}:{diagnostic.span.column}: {diagnostic.message}"
    assert found == f"{expected[1]}:{expected[2]}: {expected[3]}"
    assert isinstance(caught.value, UnsupportedError if "support" in diagnostic.message else InputError)
    assert "^" in str(caught.value)


def test_our_own_machine_is_valid() -> None:
    assert len(project_of(Source("own.mch", OWN)).main.operations) == 5


@bounded
@given(data=st.data())
def test_mutations(data: st.DataObject) -> None:
    """A few stretches of a machine replaced by pieces of it, or by anything."""
    text = OWN
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 20)))
        piece = data.draw(st.sampled_from(PIECES) | st.text(max_size=3))
        text = text[:start] + piece + text[end:]
    outcome(text)


@bounded
@given(data=st.data())
def test_swapped_words(data: st.DataObject) -> None:
    words = re.split(r"(\w+)", OWN)
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(words) // 2 - 1)) * 2 + 1
        words[at] = data.draw(st.sampled_from(PIECES))
    outcome("".join(words))


@bounded
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=60))
def test_token_soup(pieces: list[str]) -> None:
    outcome("MACHINE m " + " ".join(pieces))


def test_truncation_anywhere() -> None:
    for end in range(0, len(OWN), 3):
        outcome(OWN[:end])


def outcome(text: str) -> None:
    try:
        project_of(Source("own.mch", text))
    except BurnsideError as error:
        assert str(error).startswith("own.mch:")
        assert error.diagnostic.span is not None
