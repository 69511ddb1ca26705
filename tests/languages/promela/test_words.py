"""What a user sees of a Promela model: states, steps, properties."""

from __future__ import annotations

from typing import Any

import pytest
from burnside.diagnostics import Source
from burnside.ir.encoding import encoded
from burnside.ir.program import Program
from burnside.kinds.program import check_built
from burnside.kinds.program.drawing import ProgramNames
from burnside.kinds.program.semantics import ProgramSemantics
from burnside.languages import promela
from burnside.languages.promela.lower.program import lowered
from burnside.languages.promela.lower.titles import path_titles
from burnside.records import replace
from burnside.walk import Walk
from burnside.words import changes

CLIENTS = """
mtype = { ask, answer };
mtype:colour = { red, green };
chan q = [2] of { mtype, byte };
chan pairs = [1] of { byte, bool };
chan plain[2] = [1] of { mtype };
bool open;
bit b;
mtype:colour c = green;
typedef Slot { mtype what; bool used[2] };
Slot slot;

proctype client(byte id; chan to) {
	chan own = [1] of { byte };
	byte got;
	to!ask(id);
waiting:
	own?got
}

init {
	atomic { open = true; slot.what = ask; slot.used[1] = 1; run client(7, q) };
	pairs!3(1); plain[1]!answer; q?ask(_)
}
"""


def program_of(text: str) -> Program:
    return lowered(promela.load(Source("model.pml", text), None, "model").model).program


def walked(text: str, *choices: str) -> Walk:
    """A walk that takes the first step whose title contains each text."""
    walk = Walk(ProgramSemantics(program_of(text)))
    for wanted in choices:
        names = [each.name or "" for each in walk.choices()]
        walk.step(next(at for at, name in enumerate(names) if wanted in name))
    return walk


def test_a_state_is_shown_in_the_words_of_the_model() -> None:
    walk = walked(CLIENTS, "open = true", "to!ask(id)", "pairs!", "plain[1]!")
    assert walk.semantics.show_state(walk.state) == {
        "open": "true",
        "b": "0",
        "c": "green",
        "slot.what": "ask",
        "slot.used[0]": "false",
        "slot.used[1]": "true",
        "q": "[ask(7)]",
        "pairs": "[(3, true)]",
        "plain[0]": "[]",
        "plain[1]": "[answer]",
        "client(1):own": "[]",
        "init(0)": "line 23:31",
        "client(1)": "waiting (line 18)",
        "client(1):id": "7",
        "client(1):to": "q",
        "client(1):got": "0",
    }
    assert (
        walk.semantics.lines(walk.state)[-1]
        == "client(1) at waiting (line 18), id = 7, to = q, got = 0, own = []"
    )
    assert "client(1): waiting (line 18), id=7, to=q, got=0, own=[]" in ProgramNames(walk.semantics).lines(
        walk.state
    )


def test_processes_that_do_not_exist_are_not_shown_and_come_and_go_as_a_whole() -> None:
    walk = walked(CLIENTS, "open = true")
    before, after = (walk.semantics.show_state(each.state) for each in walk.history)
    assert not any("client" in name for name in before)
    assert "new client(1) at line 16 (id = 7, to = q, got = 0, own = [])" in changes(before, after)
    assert "client(1) is gone" in changes(after, before)


def test_views_are_no_part_of_the_program() -> None:
    program = program_of(CLIENTS)
    bare = replace(program, views=())
    assert program.views
    assert program == bare
    assert encoded(program).rows == encoded(bare).rows
    check_built(program)


def test_numbers_that_became_names_are_shown_by_their_numbers() -> None:
    """A symmetry makes elements of numbers; states read the same."""
    from burnside.symmetry.programs import find

    text = """
    byte who = 1; mtype = { a, b }; mtype m;
    active proctype p() { do :: who = 1; m = a :: who = 2 :: who = 3; m = b od }
    """
    program = program_of(text)
    found = find(program).program
    shown = [ProgramSemantics(each) for each in (program, found)]
    states = [next(iter(each.starts())).after for each in shown]
    assert shown[0].show_state(states[0]) == shown[1].show_state(states[1])


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("x = LIMIT", "2: x = LIMIT"),
        ("x   =  1 + \n 2", "2: x = 1 + 2"),
        ("BOTH", "2: x = 1"),
        ("(x == 0) && (y == 0)", "2: (x == 0) && (y == 0)"),
        ("(x == 0)", "2: x == 0"),
        ("assert(x == 0 || y != 3 && x + y * 2 < (x + 1) * 3)", "2: assert(x == 0 || y != 3 && x + y * 2 < (x + 1) * 3)"),
        ("set(y, 3)", "2: y = 3"),
        ("b = true", "2: b = true"),
        ("TRUE", "2: b = true"),
        ("skip", "2: skip"),
        ("d_step { x = 1; y = 2 }", "2: d_step { x = 1; y = 2 }"),
        ("atomic { x = 1; y = 2; b = 1 }", "2: x = 1; y = 2; b = 1"),
        ("q!m(1)", "2: q!m(1)"),
        ("SEND", "2: q!m(3)"),
        ("q!m,1", "2: q!m,1"),
        ('printf("x; y\\n")', '2: printf("x; y\\n")'),
    ],
)  # fmt: skip
def test_steps_are_called_what_stands_in_the_text(body: str, title: str) -> None:
    first = (
        "#define LIMIT 5\n#define BOTH x = 1; y = 2\n#define TRUE b = 1\n#define SEND q!m(1 + 2)\n"
        "byte x, y; bool b; mtype = { m }; chan q = [1] of { mtype, byte }; inline set(a, c) { a = c }"
    )
    source = Source("m.pml", f"{first}\nactive proctype p() {{ {body} }}")
    program = lowered(promela.load(source, None, "m").model).program
    line, _, rest = title.partition(": ")
    shown = f"p(0) {int(line) + 4}: {rest}"
    semantics = ProgramSemantics(program)
    names = [semantics.show_label(step.label) for step in walked_steps(semantics)]
    assert names[0].replace("q!m(1 + 2)", "q!m(3)") == shown


def walked_steps(semantics: ProgramSemantics) -> list[Any]:
    start = next(iter(semantics.starts())).after
    return [step for step in semantics.steps(start) if step.after is not None]


def test_a_rendezvous_has_both_lines() -> None:
    walk = walked(
        "mtype = { m }; chan q = [0] of { mtype, byte };\nactive proctype a() { q!m(1) }\n"
        "active proctype b() { byte x;\nq?m(x) }"
    )
    assert [each.name for each in walk.choices()] == ["a(0) 2: q!m(1) -> b(1) 4: q?m(x)"]


def test_long_paths_are_told_apart_by_where_they_part() -> None:
    """Paths of one atomic sequence."""
    common = tuple(f"a[{number}] = {number}" for number in range(20))
    titles = path_titles([(*common, "x = 1", "end = 1"), (*common, "goto", "x = 2", "end = 1")])
    assert titles[0].endswith("...; x = 1; ...") and titles[1].endswith("...; x = 2; ...")
    assert all(len(title) < 110 for title in titles)


def test_assertions_are_named_by_their_text() -> None:
    program = program_of("byte x;\nactive proctype p() { assert(x\n == 1) }")
    assert [each.name for each in program.properties if each.kind == "assertion"] == [
        "assert(x == 1) (line 2)"
    ]


def test_a_process_that_does_not_exist_has_zeros() -> None:
    """As in Spin, where a condition refers to it."""
    found = promela.load(Source("m.pml", "proctype q(byte x) { x > 5 }\ninit { skip; run q(3) }"), None, "m")
    there = lowered(found.model)
    walk = Walk(ProgramSemantics(there.program))
    values = []
    for _ in range(3):
        tests = [found.condition(Source("--find", f"q[1]:x == {number}")) for number in (0, 3)]
        lowered_tests = [there.lowering.condition(each) for each in tests]
        values.append([walk.semantics.satisfies(each, walk.state) for each in lowered_tests])
        if len(values) < 3:
            walk.step(0)
    assert values == [[True, False], [True, False], [False, True]]
