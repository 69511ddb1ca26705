"""Flow graphs are those of Spin: for every model, the tables that `pan -d` prints, state by state."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest
from burnside.diagnostics import InputError, Source
from burnside.languages.promela import load, read_model
from burnside.languages.promela.flow import Graph, Transition
from burnside.languages.promela.model import Model
from burnside.languages.promela.printing import show_statement
from burnside.languages.promela.statements import DeterministicStep, Jump

from tests.promela_bodies import GLOBALS, Bodies
from tests.promela_spin import HAS_SPIN, Row, complaints, tables

MODELS = Path(__file__).parents[4] / "shared" / "models" / "promela"
INCOMPLETE = {
    "nimble-code__Examples__Book_1991__p329.pml": "includes App.F.flow_cl.h, which is not there",
    "nimble-code__Examples__Book_1991__p337.pftp.ses.pml": "includes p337.defines2.h, which is not there",
    "nimble-code__Examples__Book_1991__p347.pftp.ses5.pml": "includes p337.defines2.h, which is not there",
}

REFUSED_BY_BOTH = [
    "init { goto L }",
    "init { L: skip; L: skip }",
    "init { break }",
    "init { d_step { goto L; x = 1 }; L: skip }",
    "init { d_step { do :: break od; run P() } } proctype P() { skip }",
    "init { if :: else -> skip :: else -> skip fi }",
    "init { atomic { L: x = 1; goto L } }",
    "init { { L: x = 1; goto L } }",
    "init { d_step { L: x = 1; goto L } }",
    "init { L: x = 1 unless y == 1 }",
    "init { x = 1 unless { L: y == 1 } }",
    "init { L: goto L }",
    "init { x = 1; chan c = [1] of { byte }; c!1 }",
    "init { x = 1; byte b[2] = { 1, 2 }; b[0] = 3 }",
]

READ_BY_BOTH = [
    "init { L: { x = 1; y = 2 } unless { y == 1; goto L } }",
    "init { L: atomic { x = 1; y = 2 } unless { y == 1; goto L } }",
    "init { { { x = 1; y = 2 } unless { x == 3; y = 3 } ; x = 4 } unless { y == 1; x = 9 } }",
    "init { do :: x == 1 -> atomic { goto A } :: atomic { x = 2; goto B } od; A: x = 3; B: atomic { x = 4; x = 5 } }",
    "init { atomic { x = 1; goto A }; y = 2; A: atomic { x = 3; goto B }; y = 3; B: y = 4 }",
    "init { end: do :: q?x :: progress: y = 1 :: accept1: accept2: goto end od }",
    'init { if :: skip; skip; skip; x = 1 :: printf("a"); skip; skip :: x = 2 fi }',
    "init { if :: false -> x = 1 :: x = 2 fi; if :: false -> x = 3 fi }",
    "init { if :: if :: if :: x = 1 :: x = 2 fi :: { { x = 3 } } fi :: atomic { d_step { x = 4; x = 5 }; x = 6 } fi }",
    "init { x = 1; byte w; byte v[2]; byte u = x; { byte w2 = 3; x = w2 }; { byte w2; w2 = 1 } }",
    "init { byte w = 1; byte v = w; x = v }",
    "typedef T { byte f; byte g[2] } chan s = [2] of { T, byte };"
    "init { T t; s!t, 1; s?t, _; s??t, 2; s?<t, 3>; (s?[t, 1]); T u; u.f = 1 }",
    "inline f(a, b) { byte t; t = a; L: b = t; if :: goto L :: else fi } init { f(x, y); f(y, x) }",
    "inline f(a) { a = a + 1; return a } init { y = f(x) }",
    "mtype = { one, two } mtype = { three } mtype:set = { red, blue }"
    "init { mtype m = one; mtype:set s = blue; m = three; x = red }",
    "proctype P() { A: goto B; x = 1; B: x = 2; goto A } never { do :: P@A -> skip :: P[1]@B od } init { run P() }",
    "init { select (x : 1 .. 3); select (x : 0 .. 40); select (x : y .. 3); L: select (x : 2 .. 90) }",
    "init { for (x : 1 .. 3) { skip; skip; y = 1 } ; for (x in a) { a[x] = 2; break } ; x = 3 }",
    "init { atomic { for (x : 1 .. 3) { y = x } ; do :: break od }; x = 1 }",
    "init { atomic { x = 1; atomic { y = 1; y = 2 } } ; d_step { atomic { x = 3 }; { y = 2 }; d_step { x = 3 } } ; x = 1 }",
    "active [2] D_proctype P(byte k) provided (x == 1) { k = _pid; x = _nr_pr }",
    "init { q!1; q!!x; q?eval(x); q??1; if :: full(q) && x == 1 :: nempty(q) || nfull(q) fi; assert(len(q) < 2) }",
    "init { x = (y > 1 -> 3 : 4); y = -x; y = ~x & 3 | 4 ^ 5; x = y << 1 >> 2; timeout; x = !y }",
    "init { do\n:: x == 1\n -> y = 1\n x = 2\n:: else\n y = 3\n od\n { x = 1 }\n y = 2\n}",
    "#define p(a) (x == a)\n#define TWICE(s) s; s\ninit { p(3); TWICE(x = 1); L: if :: p(1) fi }",
]

needs_spin = pytest.mark.skipif(not HAS_SPIN, reason="spin or gcc is not installed")


def files() -> list[object]:
    found = sorted(each for each in MODELS.iterdir() if each.suffix != ".csv") if MODELS.exists() else []
    if not found:
        return [pytest.param(Path(), marks=pytest.mark.skip(reason="../shared/models/promela is absent"))]
    return [
        pytest.param(
            path,
            id=path.name,
            marks=[pytest.mark.skip(reason=INCOMPLETE[path.name])] if path.name in INCOMPLETE else [],
        )
        for path in found
    ]


@needs_spin
@pytest.mark.parametrize("path", files())
def test_model(path: Path, tmp_path: Path) -> None:
    compare(read_model(path).model, path, tmp_path)


@needs_spin
@pytest.mark.parametrize("seed", range(4))
def test_random_processes(seed: int, tmp_path: Path) -> None:
    """Many processes in one model, since compiling takes the time. Those that we refuse, Spin refuses as well: they are
    left out here."""
    random = Random(seed)
    processes: list[str] = []
    while len(processes) < 20:
        text = Bodies(random).process(f"P{len(processes)}")
        try:
            load(Source("process.pml", GLOBALS + text))
        except InputError:
            continue
        processes.append(text)
    path = tmp_path / "model.pml"
    path.write_text(GLOBALS + "".join(processes))
    compare(read_model(path).model, path, tmp_path)


@needs_spin
@pytest.mark.parametrize("text", REFUSED_BY_BOTH)
def test_refused_by_both(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        load(Source("model.pml", GLOBALS + text))
    path = tmp_path / "model.pml"
    path.write_text(GLOBALS + text)
    assert "error" in complaints(path, tmp_path).lower()


@needs_spin
@pytest.mark.parametrize("text", READ_BY_BOTH)
def test_read_by_both(text: str, tmp_path: Path) -> None:
    path = tmp_path / "model.pml"
    path.write_text(GLOBALS + text)
    compare(read_model(path).model, path, tmp_path)


def compare(model: Model, path: Path, folder: Path) -> None:
    spin = tables(path, folder)
    assert isinstance(spin, dict), spin
    claims = {each.name for each in model.claims}
    assert {each.name for each in model.processes} == spin.keys() - claims
    for process in model.processes:
        numbers = {name: value for each in model.symbols for name, value in each.values.items()}
        ours, theirs = rows_of(process.graph, numbers), by_source(spin[process.name])
        assert process.graph.entry == spin[process.name][0].source, process.name
        assert ours.keys() == theirs.keys(), process.name
        for state, rows in theirs.items():
            assert ours[state] == [comparable(row, numbers) for row in rows], (process.name, state)
            check_line(process.graph, state, rows)


def check_line(graph: Graph, state: int, rows: list[Row]) -> None:
    """Spin prints one line for a state, that of its first option; of an expression over several lines, any of them."""
    first = next(each for each in graph.leaving(state) if not each.escape)
    if not isinstance(first.statement, Jump):
        at = first.statement.at
        lines = at.source.text.count("\n", at.offset, at.end)
        assert at.span.line <= rows[0].line <= at.span.line + lines + 2


Comparable = tuple[int, str, str, int, str]
"""Target, atomicity, marks, escape, and the statement without blanks and parentheses."""


def by_source(rows: list[Row]) -> dict[int, list[Row]]:
    """Only of states that can be reached: pan prints guards of escapes as states, too."""
    found: dict[int, list[Row]] = {}
    for row in rows:
        found.setdefault(row.source, []).append(row)
    reached, pending = set[int](), [rows[0].source]
    while pending:
        state = pending.pop()
        if state in found and state not in reached:
            reached.add(state)
            pending += [row.target for row in found[state]]
    return {state: found[state] for state in found if state in reached}


def comparable(row: Row, numbers: Mapping[str, int]) -> Comparable:
    text = "goto" if row.text.startswith((".(goto)", "goto ", "break")) or not row.text else row.text
    # Spin prints a d_step that ends an atomic as atomic.
    flag = "-" if row.text.startswith("D_STEP") else row.flag
    return row.target, flag, row.marks, row.escape, plain(text, numbers)


def rows_of(graph: Graph, numbers: Mapping[str, int]) -> dict[int, list[Comparable]]:
    found: dict[int, list[Comparable]] = {}
    for number, state in graph.states.items():
        if not graph.leaving(number):
            # All options are constantly false; pan prints a row that is never taken.
            continue
        marks = (
            ("a" if state.is_accepting else "-")
            + ("e" if state.is_end else "-")
            + ("p" if state.is_progress else "-")
        )
        found[number] = [
            (each.target, flag(each), marks, each.escape, plain(show_statement(each.statement), numbers))
            for each in graph.leaving(number)
        ]
    return found


def flag(transition: Transition) -> str:
    if isinstance(transition.statement, DeterministicStep):
        return "-"
    return "A" if transition.keeps_control else "-"


def plain(text: str, numbers: Mapping[str, int]) -> str:
    """Neither blanks nor parentheses, strings without their escapes, mtype constants as numbers (Spin prints either), and
    names that the two give to the counters of loops over channels made equal."""
    text = re.sub(r"_?f0r_t3mp[_0-9]*|\bfor_\d+\b", "COUNTER", text.replace("._p==", "@"))
    text = re.sub(r"\w+", lambda word: str(numbers.get(word[0], word[0])), text)
    text = re.sub(r"[\s()\\\"']", "", text)
    return re.sub(r"^printm(.*),\w+$", r"printf%e,\1", text)
