"""Small models where it matters what Spin means, with its counts. Spin confirms them where it is installed.

Counts are those of all states, with errors passed over. Behind an error of the model (`error`), Spin goes on with whatever
is in the memory, or ends: then nothing is counted.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.promela_differences import difference, explored
from tests.promela_spin import HAS_SPIN

CASES = {
    # Control
    "else comes before other guards of an escape": (
        "byte x; active proctype P() { { x = 1; x = 2 } unless { if :: else -> x = 3 :: x < 9 -> x = 4 fi } }",
        "states 7 transitions 7",
    ),
    "else beside a rendezvous": (
        "chan q = [0] of { byte }; byte x;"
        "active proctype P() { if :: q!1 :: else -> x = 1 fi } active proctype Q() { q?_ }",
        "states 4 transitions 4",
    ),
    "once something is sent in a rendezvous, an escape can only receive": (
        "chan q = [0] of { byte }; byte x, y; active proctype P() { { q?x; x++ } unless { y = 1 } }"
        "active proctype Q() { q!3 }",
        "states 7 transitions 8 deadlock",
    ),
    "escapes that receive go before": (
        "chan q = [0] of { byte }; byte x, y; chan r = [0] of { byte };"
        "active proctype P() { { if :: q?x :: r?x fi; x++ }"
        "unless { if :: q?3 -> x = 7 :: r?eval(y) -> x = 9 :: y == 2 fi } }"
        "active proctype Q() { if :: y = 1 :: y = 2 :: skip fi; if :: q!y :: q!3 :: r!1 fi }",
        "states 50 transitions 59 deadlock",
    ),
    "escapes that send": (
        "chan q = [0] of { byte }; byte x, y; chan r = [0] of { byte };"
        "active proctype P() { { if :: q!x :: r!x fi; x++ }"
        "unless { if :: q!3 -> x = 7 :: r!y -> x = 9 :: y == 2 fi } }"
        "active proctype Q() { if :: y = 1 :: y = 2 :: skip fi; if :: q?y :: q?3 :: r?1 :: r?0 fi }",
        "states 35 transitions 43 deadlock",
    ),
    "enabled, also of a process that can only end": (
        "byte x; active proctype P() { x == 1 -> x = 2 }"
        "active proctype Q() { do :: enabled(0) -> x = 0 :: x < 1 -> x++ od }",
        "states 16 transitions 22 deadlock",
    ),
    "names of the model do not meet those of its lowering": (
        "chan channel[2] = [1] of { byte }; byte sent; active [2] proctype P() { byte at, none; chan point;"
        "do :: at < 3 -> at++; point = channel[at % 2]; point!at; sent++ :: channel[at % 2]?none :: at == 3 -> break od }",
        "states 2840 transitions 5468 deadlock",
    ),
    # d_step
    "a d_step goes on behind a selection": (
        "byte x; active proctype P() { d_step { if :: x = 1 :: x = 2 fi; x = x + 5;"
        "do :: x < 9 -> x++ :: else -> break od; x++ }; assert(x == 10) }",
        "states 4 transitions 4",
    ),
    "a d_step goes on with blocks": (
        "byte x; active proctype P() { d_step { if :: x = 1 :: x = 2; skip; fi; { x = 3; x = 4 }; x = 5;"
        "{ x == 5; x = 6 }; if :: x == 6 -> { x == 6; x = 7 } :: x == 7 fi }; assert(x == 7) }",
        "states 4 transitions 4",
    ),
    "what a choice in a d_step stores is not known behind it": (
        "byte x, y, z; active proctype P() { if :: x = 1 :: skip fi; atomic { y = 0;"
        "d_step { if :: x == 1 -> y = 1 :: else -> y = 2 fi }; z = y; assert(z == y && z > 0) } }",
        "states 7 transitions 7",
    ),
    "a d_step that begins with a rendezvous": (
        "chan q = [0] of { byte }; byte x; active proctype P() { d_step { q?x } } active proctype Q() { q!x }",
        "states 4 transitions 4",
    ),
    "choices of a d_step that begin with a rendezvous": (
        "chan q = [0] of { byte }; byte x, y;"
        "active proctype P() { if :: d_step { if :: y == 1 -> x = 2 :: q?x -> x = x + 3 :: y == 2 :: q?1 fi;"
        "x = x + 7 } :: d_step { q?x; do :: x < 20 -> x++ :: else -> break od; y = 3 }"
        ":: atomic { d_step { q?x; x++ }; y = x } fi }"
        "active proctype Q() { if :: y = 1 :: skip fi; if :: q!y :: q!2; fi }",
        "states 22 transitions 26 deadlock",
    ),
    "a d_step sends in a rendezvous": (
        "chan q = [0] of { byte }; byte x; active proctype P() { d_step { q!1; x = 2 } }",
        "error",
    ),
    # Messages
    "what is sent in a rendezvous is evaluated before anything is stored": (
        "chan q = [0] of { byte, byte }; byte x = 1, y = 2; active proctype P() { q!x, y }"
        "active proctype Q() { q?y, x; assert(y == 1 && x == 2) }",
        "states 5 transitions 5",
    ),
    "channels too": (
        "chan q = [0] of { chan, byte, byte }; byte x = 1, y = 2; chan c = [1] of { byte };"
        "active proctype P() { chan d; d = c; q!d, y, x }"
        "active proctype Q() { chan e; q?e, x, y; assert(x == 2 && y == 1 && e == c) }",
        "states 6 transitions 6",
    ),
    "a receive with too few fields": (
        "chan q = [1] of { byte, byte }; byte x; active proctype P() { q!1, 2; q?x; x = 3 }",
        "error",
    ),
    "a rendezvous with too few fields": (
        "chan q = [0] of { byte, byte }; active proctype P() { q!1, 2 } active proctype Q() { q?1 }",
        "error",
    ),
    "a send with too few values": (
        "chan q = [2] of { byte, byte }; active proctype P() { q!1; q?_, _ }",
        "error",
    ),
    "a send with too many values": (
        "chan q = [1] of { byte, byte }; chan r = [1] of { byte };"
        "active proctype P() { chan c; c = r; c!1, 2 }",
        "error",
    ),
    "a receive with too many fields": (
        "chan q = [1] of { byte, byte }; chan r = [1] of { byte };"
        "active proctype P() { chan c; c = r; byte x; r!1; c?_, x }",
        "error",
    ),
    "a receive with more fields than any channel has": (
        "chan q = [1] of { byte }; active proctype P() { byte x; q!1; q?x, _ }",
        "error",
    ),
    "a receive where there are no channels": (
        "chan q; active proctype P() { byte x; q?x }",
        "error",
    ),
    "sorted by values that do not fit the field": (
        "chan q = [3] of { byte, byte }; int x = 1;"
        "active proctype P() { q!!255, 0; q!!(x + 256), 1; assert(q?[255, 0]); q!!1, x - 2; assert(q?[1, 255]) }",
        "states 7 transitions 7",
    ),
    "messages of one bit are kept in bytes": (
        "chan q = [2] of { bit }; chan r = [0] of { bool }; chan s = [1] of { bit, bit }; int x = 2;"
        "active proctype P() { q!x; q!!1; assert(q?[1]); r!x; s!x, 1; s?x, _; assert(x == 0) }"
        "active proctype Q() { byte y; r?y; assert(y == 2) }",
        "states 17 transitions 23",
    ),
    # Processes
    "an active proctype with a parameter": (
        "byte x; active proctype P(byte p) { x = p + 1 } init { run P(3) }",
        "states 15 transitions 18",
    ),
    "_nr_pr in initial values": (
        "int x; active [2] proctype P() { int v[2] = (-_nr_pr); x = v[0] }"
        "active [2] proctype Q() { byte v = _nr_pr; x = v }",
        "states 76 transitions 133",
    ),
    "_nr_pr in initial values and arguments of new processes": (
        "byte x; proctype P(byte p) { byte v = _nr_pr; x = v + 10 * p; if :: p < 2 -> run P(_nr_pr) :: else fi; }"
        "init { atomic { run P(_nr_pr); run P(7) } }",
        "states 52 transitions 72",
    ),
    "a new process with the pid of one that was there at the beginning": (
        "byte x; active proctype P() { if :: x < 3 -> x++; run P() :: else fi } active proctype Q() { x = 2 }",
        "states 57 transitions 73",
    ),
    "a proctype with processes below and, perhaps, above": (
        "byte x; active proctype Q() { end: do :: x == 9 -> x = 0 od } active proctype P() { x = 2 }"
        "active proctype R() { if :: x == 2 -> run Q() :: skip fi }",
        "states 9 transitions 11",
    ),
    "a process that is there at the beginning, and created": (
        "byte x; active proctype P() { if :: x < 3 -> x++; run P() :: else fi; x = 3 }",
        "states 72 transitions 147",
    ),
    "initial values and channels, globals by types and locals as they come": (
        "int i = 5; byte b = i; short s = b + 1; chan q[2] = [1] of { byte }; chan r = [3] of { chan }; int j = i;"
        "proctype P(byte k) { int a = 3; short c = a; byte d[2] = c; chan u[2] = [1] of { byte };"
        "chan v = [1] of { byte }; assert(a == 3 && c == 3 && d[1] == 3); r!!v; r!!u[1]; r!!u[0]; assert(r?[4]) }"
        "init { assert(b == 0 && s == 1 && j == 5); r!!r; r!!q[1]; assert(r?[2]); r?_; r?_; run P(1) }",
        "states 15 transitions 15",
    ),
    "channels in structs, numbered as they come": (
        "typedef T { byte n; chan c[2] = [1] of { byte }; chan d = [0] of { chan } } T t[2]; chan z = [4] of { chan };"
        "active proctype P() { z!!t[1].c[0]; z!!t[0].d; z!!t[1].d; z!!t[0].c[1];"
        "assert(z?[3]); z?_; assert(z?[4]); z?_; assert(z?[5]) }"
        "active proctype Q() { chan x; t[1].d?x; x!1 } active proctype R() { t[1].d!t[0].c[0] }",
        "states 61 transitions 116",
    ),
    "channels in structs of processes that are created": (
        "typedef T { byte n; chan c = [1] of { byte } }"
        "proctype W(byte k) { T mine[2]; byte r; mine[1].c!k; if :: k > 0 -> run W(k - 1) :: else fi;"
        "mine[k % 2].c?r; mine[0].n = r } init { run W(2); run W(1) }",
        "states 304 transitions 755 deadlock",
    ),
    # Numbers
    "arrays of bits are arrays of bytes": (
        "typedef T { bit f; bool g[2] } T t; bit a[2]; bool b[2] = { 2, 0 }; bool c[2]; chan q = [1] of { T };"
        "proctype P() { bit l[2] = 7; assert(l[1] == 7); c[0] = (a[0] > 2); c[1] = !c[0] }"
        "init { t.f = 3; t.g[1] = 4; assert(t.f == 1 && t.g[1] == 4 && b[0] == 2); a[0] = 255; a[0]++;"
        "assert(a[0] == 0); run P(); q!t; q?t; assert(t.g[1] == 0) }",
        "states 28 transitions 40",
    ),
}
"""By what they are about: the text, then counts and what is violated."""


@pytest.mark.parametrize("name", CASES)
def test_counts(name: str, tmp_path: Path) -> None:
    text, expected = CASES[name]
    path = tmp_path / "model.pml"
    path.write_text(text)
    found = explored(path)
    violated = sorted({each.kind for each in found.properties if each.verdict == "violated"})
    said = " ".join([f"states {found.states} transitions {found.transitions}", *violated])
    assert (" ".join(violated) if "error" in violated else said) == expected


@pytest.mark.skipif(not HAS_SPIN, reason="spin or gcc is not installed")
@pytest.mark.parametrize("name", CASES)
def test_spin_says_the_same(name: str) -> None:
    assert difference(CASES[name][0]) is None


GUARDED = """
byte a[3], i;
active proctype P() { do :: i < 3 -> a[i] = 1; i++ :: else -> break od }
ltl implied { [] (i < 3 -> a[i] < 2) }
ltl denied { [] !(i < 3 -> a[i] < 2) }
"""


def test_claims_look_no_further_than_they_must(tmp_path: Path) -> None:
    """As Spin's automata do: the index is outside of the array only where nothing depends on it."""
    path = tmp_path / "model.pml"
    path.write_text(GUARDED)
    found = {each.name: each.verdict for each in explored(path).properties if each.kind == "ltl"}
    assert found == {"implied": "holds", "denied": "violated"}
