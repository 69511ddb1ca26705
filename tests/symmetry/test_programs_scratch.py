"""Local variables as scratch paper in loops over scalarsets, and positions of bags, on small Murphi models."""

from __future__ import annotations

import pytest
from burnside.diagnostics import Source
from burnside.languages.murphi import read_text
from burnside.symmetry.points import renaming
from burnside.symmetry.programs import program_symmetry

from tests.exploring import explore_program as explore

SENDING = """
type node: scalarset(3); message: record from: node; dest: node; end;
var inbox: array[node] of message; queue: array[node] of array[0..0] of message; length: array[node] of 0..1;
  last: node;

procedure send(m: message);
begin inbox[m.dest] := m; end;

procedure enqueue(m: message);
begin
  if length[m.dest] < 1 then queue[m.dest][length[m.dest]] := m; length[m.dest] := length[m.dest] + 1; end;
end;

procedure others(var m: message);
begin for n: node do if n != m.from then m.dest := n; send(m); end; end; end;

procedure all(var m: message);
begin for n: node do m.dest := n; enqueue(m); end; end;

procedure late(var m: message);
begin for n: node do if n != m.from then send(m); m.dest := n; end; end; end;

procedure some(var m: message);
begin for n: node do if isundefined(last) then m.dest := n; end; send(m); end; end;

startstate
  undefine inbox; undefine queue; undefine last;
  for n: node do length[n] := 0; end;
end;
ruleset p: node do
  rule "forget" undefine inbox[p]; undefine queue[p]; length[p] := 0; end;
  rule "send" var m: message; begin m.from := p; m.dest := p; BODY end;
end;
"""

SCRATCH = {
    "overwritten in each turn": "others(m);",
    "the index of a write": "all(m);",
    "written before it is read again": "others(m); m.dest := p; last := m.dest;",
    "another part is read later": "others(m); last := m.from;",
    "overwritten after two ways": "if length[p] = 0 then others(m); else all(m); end; m.dest := p; last := m.dest;",
    "again and again": "for k: 0..1 do others(m); m.dest := p; send(m); end;",
}
KEPT = {
    "read later": "others(m); last := m.dest;",
    "read later on one way": "if length[p] = 0 then others(m); end; last := m.dest;",
    "overwritten on one way only": "others(m); if length[p] = 0 then m.dest := p; end; last := m.dest;",
    "read before it is written": "late(m);",
    "not always written": "some(m);",
    "read in the next turn of a loop around": "for k: 0..1 do send(m); others(m); end;",
    "copied": "others(m); inbox[p] := m;",
}


@pytest.mark.parametrize("name", SCRATCH)
def test_scratch_is_no_order(name: str) -> None:
    program = read_text(Source("scratch.m", SENDING.replace("BODY", SCRATCH[name])))
    symmetry = program_symmetry(program, search=False)
    assert symmetry.refused == ()
    generators = [renaming(symmetry.program, each.permutation).images for each in symmetry.generators]
    reduced = explore(symmetry.program, generators, keep_going=True)
    plain = explore(program, keep_going=True)
    assert reduced.full_states == plain.states
    assert reduced.states < plain.states


@pytest.mark.parametrize("name", KEPT)
def test_what_is_kept_shows_the_order(name: str) -> None:
    program = read_text(Source("scratch.m", SENDING.replace("BODY", KEPT[name])))
    (refusal, *_) = program_symmetry(program, search=False).refused
    assert "order of its turns" in refusal.reason


COPYING = """
type node: scalarset(3);
var data: array[node] of 0..1; valid: array[node] of boolean; recent: node; most: 0..2;
procedure take(n: node; p: node); begin if n != p then data[n] := data[p]; valid[n] := valid[p]; end; end;
procedure last(n: node); begin recent := n; end;
procedure number(n: 0..2); begin most := n; end;
startstate undefine recent; most := 0; for n: node do data[n] := 0; valid[n] := false; end; end;
ruleset p: node; q: node do
  rule "set" valid[p] := !valid[p]; data[p] := 1 - data[p]; end;
  rule "share" valid[p] ==> for n: node do BODY end; end;
end;
"""


@pytest.mark.parametrize(
    "body",
    [
        "if n != p then data[n] := data[p]; end;",
        "if !(n = p) & !valid[n] then data[n] := data[p]; end;",
        "if n = p then data[n] := 1; else valid[n] := valid[p]; end;",
        "if p = n | q = n then valid[n] := false; else data[n] := data[p]; data[n] := data[q]; end;",
        "take(n, p);",
        "if data[n] > most then most := data[n]; end;",
        "if most < data[n] + 1 then most := data[n] + 1; end;",
        "if most >= data[n] then most := data[n]; end;",
        "last(p); alias k: p do recent := k; end; number(2); most := 2;",
    ],
)
def test_turns_that_leave_one_element_out_may_read_it(body: str) -> None:
    program = read_text(Source("copying.m", COPYING.replace("BODY", body)))
    symmetry = program_symmetry(program, search=False)
    assert symmetry.refused == ()
    generators = [renaming(symmetry.program, each.permutation).images for each in symmetry.generators]
    reduced = explore(symmetry.program, generators, keep_going=True)
    assert reduced.full_states == explore(program, keep_going=True).states


@pytest.mark.parametrize(
    "body",
    [
        "if n != q then data[n] := data[p]; end;",
        "if n = p then data[n] := 0; else data[n] := data[p]; end;",
        "if n != p | valid[q] then data[n] := data[p]; end;",
        "for m: node do if m != n then data[n] := data[m]; end; end;",
        "if n != p then valid[n] := false; end; data[n] := data[p];",
        "last(n);",
        "if data[n] > most then most := data[n] + 1; end;",
        "if data[n] > most then most := data[n]; recent := n; end;",
        "if data[n] > most then most := data[n]; end; if most > data[n] then most := data[n]; end;",
        "number(data[n] + 1);",
        "alias k: data[n] + 1 do most := k; end;",
        "alias k: n do last(k); end;",
    ],
)
def test_turns_that_may_read_what_others_write_are_refused(body: str) -> None:
    program = read_text(Source("copying.m", COPYING.replace("BODY", body)))
    assert "order of its turns" in program_symmetry(program, search=False).refused[0].reason


BAGS = """
type node: scalarset(2); message: record from: node; end;
var near: multiset[2] of node; far: multiset[2] of message; more: multiset[2] of message;
startstate undefine near; undefine far; undefine more; end;
ruleset p: node do
  rule "near" multisetcount(i: near, near[i] = p) = 0 ==> multisetadd(p, near); end;
  rule "far" multisetcount(i: far, true) < 2 ==> var m: message; begin m.from := p; multisetadd(m, far); end;
end;
choose c: far do rule "take" multisetcount(i: near, true) = 2 ==> BODY end; end;
"""


def test_positions_of_other_bags_and_those_just_taken_are_right() -> None:
    program = read_text(
        Source(
            "bags.m",
            BAGS.replace(
                "BODY",
                """
                multisetremovepred(i: near, true); multisetadd(far[c].from, near);
                if multisetcount(i: near, near[i] = far[c].from) = 1 then multisetremove(c, far); end;
                """,
            ),
        )
    )
    assert program_symmetry(program, search=False).refused == ()


def test_a_position_in_the_same_bag_may_have_been_taken() -> None:
    body = "var m: message; begin m := far[c]; multisetremovepred(i: far, true); multisetadd(m, far); undefine far[c];"
    (refusal, *_) = program_symmetry(
        read_text(Source("bags.m", BAGS.replace("BODY", body))), search=False
    ).refused
    assert "position" in refusal.reason
