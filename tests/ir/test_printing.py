"""How programs are shown that no language yields in full: tables, notes, processes."""

from __future__ import annotations

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.printing import show_program
from burnside.ir.program import Action, Program, Property
from burnside.ir.types import Array, Element, Integer, Optional, Sort
from burnside.records import replace

P = Sort("P", ("p", "q"), "fixed", "proctype")
BYTE = Integer(0, 255)
x = e.Variable("x", Array(Element(P), BYTE), is_state=True)
control = e.Variable("control", Optional(Element(P)), is_state=True)
i, j = e.Bound("i", e.All(Element(P))), e.Bound("j", e.All(Element(P)))
PEER = e.Table("peer", (Element(P), Integer(0, 1)), Element(P), (1, None, 0, None))
HERE = e.Index(x, e.Read(i.variable))
FOUND = e.Lookup(PEER, (e.Read(i.variable), e.Constant(0, Integer(0, 1))), 1)
MORE = e.Wrap(e.Binary("+", e.Read(HERE), e.Constant(1, BYTE)), BYTE)
ZERO = e.Binary("=", e.Read(HERE), e.Constant(0, BYTE))
PROGRAM = Program(
    "shown",
    (P,),
    (x, control),
    (Action("start", (), (s.Clear(x),)),),
    (
        Action("send", (i, j), (s.Assign(HERE, MORE), s.Note(ZERO, 0)), actor=0, keeps_control=1),
        Action("wait", (i,), (), e.Binary("=", FOUND, e.Read(i.variable)), actor=0, idle=True),
    ),
    (Property("assertion", "zero"), Property("limit", "peers")),
    control=control,
    proper_end=e.Quantified("forall", i, ZERO),
)
SHOWN = """program shown
sort P (fixed): p, q
var x: [P] 0..255
var control: P? (control)
table peer: P x 0..1 -> P = q, -, p, -
start 'start'()
  clear x
action 'send'(i: P, j: P) by i, j keeps control
  x[i] := ((x[i] + 1) wrapped to 0..255)
  note (x[i] = 0) (property 0)
action 'wait'(i: P) by i, idle
  when (peer[i, 0 or property 1] = i)
assertion 'zero'
limit 'peers'
proper end: (forall every i: P. (x[i] = 0))
"""


def test_tables_notes_and_processes_are_shown() -> None:
    assert show_program(PROGRAM) == SHOWN


def test_of_a_large_table_the_first_entries_are_shown() -> None:
    large = e.Lookup(e.Table("large", (BYTE,), BYTE, tuple(range(256))), (e.Read(HERE),))
    action = Action("read", (i,), (s.Assign(HERE, large),))
    (shown,) = [
        line for line in show_program(replace(PROGRAM, actions=(action,))).splitlines() if "table" in line
    ]
    assert shown.startswith("table large: 0..255 -> 0..255 = 0, 1, 2,")
    assert shown.endswith("62, 63, ... (256 entries)")
