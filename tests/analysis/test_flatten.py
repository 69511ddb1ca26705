"""What the normal form looks like: one case for each thing that it writes out."""

from __future__ import annotations

from typing import Any

from burnside.diagnostics import Source
from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.analysis import flat, walking
from burnside.ir.analysis.definedness import refined
from burnside.ir.analysis.effects import EffectAnalysis, frozen_locals
from burnside.ir.analysis.flatten import flatten
from burnside.ir.analysis.liveness import Liveness
from burnside.ir.analysis.quantifiers import stopping_early
from burnside.ir.program import Action, Function, Program, Property
from burnside.ir.types import BOOLEAN, INTEGER, Array, Element, Integer, Optional, Sort
from burnside.ir.walking import nodes
from burnside.languages.murphi import read_text

HEAD = """
type S: scalarset(2); R: record v: boolean; w: S; end;
var a: array[S] of boolean; b: array[S] of boolean; x: boolean; y: S; r: R; n: 0..3;
startstate for i: S do a[i] := false; end; x := false; n := 0; undefine y; undefine r; undefine b; end;
"""


def made(text: str) -> flat.Program:
    return refined(flatten(read_text(Source("text", HEAD + text)))).program


def body(text: str) -> flat.Block:
    return made(text).actions[0].body


def kinds(block: flat.Block) -> list[str]:
    return [type(each).__name__ for each in walking.statements(block)]


def test_names_are_unique_in_the_whole_program() -> None:
    program = made(
        'rule "one" for i: S do a[i] := true; end; end; ruleset j: S do rule "two" var i: S; begin i := j; y := i; end; end;'
    )
    bound = []
    for action in (*program.starts, *program.actions):
        bound += [each.name for each in action.parameters]
        for block in walking.action_blocks(action):
            for each in walking.statements(block):
                match each:
                    case flat.For(binder):
                        bound.append(binder.name)
                    case flat.Declare(name) | flat.Let(name) if name:
                        bound.append(name)
    assert len(bound) == len(set(bound)) == 4


def test_a_call_is_its_body_and_twice_is_two() -> None:
    block = body('procedure p(s: S); begin a[s] := x; end; rule "r" begin p(y); p(y); end;')
    assert kinds(block).count("Scope") == 2
    written = [each.place for each in walking.statements(block) if isinstance(each, flat.Assign)]
    assert [place.root for place in written if place.is_state] == ["a", "a"]


def test_a_function_that_only_computes_is_an_expression() -> None:
    (assign,) = body(
        'function f(s: S): boolean; begin return a[s]; end; ruleset s: S do rule "r" x := !f(s); end; end;'
    )
    assert isinstance(assign, flat.Assign) and assign.value.args[0].op == "load"


def test_what_is_evaluated_before_a_call_gets_a_name() -> None:
    block = body(
        'function f(): 0..3; begin n := 0; return 1; end; rule "r" begin if n + f() > 2 then x := true; end; end;'
    )
    names = [each for each in block if isinstance(each, flat.Let)]
    assert names and names[0].value.op == "load" and names[0].value.places[0].root == "n"
    assert block.index(names[0]) < next(i for i, each in enumerate(block) if isinstance(each, flat.Scope))


def test_an_alias_is_the_place_with_its_index_evaluated_once() -> None:
    block = body('rule "r" alias z: a[y] do y := y; z := true; end; end;')
    index = next(each for each in block if isinstance(each, flat.Let))
    assign = block[-1]
    assert isinstance(assign, flat.Assign) and assign.place.root == "a"
    assert assign.place.steps[0].index == flat.Expr("name", index.value.type, name=index.name)


def test_a_missing_result_is_a_failure_and_an_exhaustive_choice_has_none() -> None:
    some = body('function f(): boolean; begin if x then return true; end; end; rule "r" x := f(); end;')
    assert "Fail" in kinds(some)
    every = "function f(): boolean; begin if x then n := 0; return true; else return false; end; end;"
    assert "Fail" not in kinds(body(every + ' rule "r" x := f(); end;'))


def test_lazy_operands_that_call_are_branches() -> None:
    block = body('function f(): boolean; begin n := 0; return true; end; rule "r" x := x & f(); end;')
    branch = next(each for each in block if isinstance(each, flat.If))
    assert "Scope" in kinds(branch.branches[0].body)


def test_reads_that_cannot_be_undefined_do_not_fail() -> None:
    def fails(text: str) -> bool:
        return any(
            walking.can_fail(expr)
            for each in walking.statements(body(text))
            for expr in walking.statement_exprs(each)
        )

    assert not fails('ruleset i: S do rule "r" x := !a[i]; end; end;')
    assert fails('ruleset i: S do rule "r" x := !b[i]; end; end;')
    assert not fails('ruleset i: S do rule "r" b[i] := x; x := !b[i]; end; end;')
    assert fails('ruleset i: S do rule "r" b[i] := x; undefine b; x := !b[i]; end; end;')
    assert not fails('ruleset i: S do rule "r" if !isundefined(b[i]) then x := !b[i]; end; end; end;')
    assert not fails('rule "r" var t: boolean; begin if x then t := true; else t := x; end; x := !t; end;')
    assert fails('rule "r" var t: boolean; begin if x then t := true; end; x := !t; end;')
    assert fails(
        'ruleset i: S do rule "no a" undefine a[i]; end; end; ruleset i: S do rule "r" x := !a[i]; end; end;'
    ) or fails(
        'ruleset i: S do rule "r" x := !a[i]; end; end; ruleset i: S do rule "no a" undefine a[i]; end; end;'
    )


def test_effects_say_what_is_read_written_and_how_it_ends() -> None:
    program = made('ruleset i: S do rule "r" assert "p" b[i]; a[i] := x; y := i; end; end;')
    effects = EffectAnalysis(frozen_locals(program)).of_block(program.actions[0].body)
    assert {(each.path.root, each.kind) for each in effects.accesses} == {
        ("b", "read"),
        ("x", "read"),
        ("a", "set"),
        ("y", "set"),
    }
    assert effects.ends == {"error", 0}


def test_liveness_of_local_variables_around_a_loop() -> None:
    def live(text: str) -> tuple[bool, bool]:
        block = body(f'rule "r" var t: boolean; begin t := x; {text} end;')
        (loop,) = [each for each in walking.statements(block) if isinstance(each, flat.For)]
        found = Liveness(block).loops[id(loop)]
        return bool(found.exposed), bool(found.after)

    assert live("for i: S do t := a[i]; b[i] := t; end;") == (False, False)
    assert live("for i: S do b[i] := t; t := a[i]; end;") == (True, False)
    assert live("for i: S do t := a[i]; b[i] := t; end; x := t;") == (False, True)
    assert live("for i: S do t := a[i]; b[i] := t; end; t := x; x := t;") == (False, False)
    assert live("while n < 2 do x := t; n := n + 1; for i: S do t := a[i]; b[i] := t; end; end;") == (
        False,
        True,
    )


def test_quantifiers_stop_early_only_where_no_instance_can_fail() -> None:
    text = (
        HEAD
        + 'rule "r" exists i: S do a[i] end & exists i: S do b[i] end ==> begin x := exists i: S do a[i] end; end;'
    )
    program = read_text(Source("text", text))
    made = stopping_early(program, None)
    assert [each.every for each in nodes(made.actions[0].guard) if isinstance(each, e.Quantified)] == [
        False,
        True,
    ]
    # Within a body the state may be one in which something is undefined.
    assert [each.every for each in nodes(*made.actions[0].body) if isinstance(each, e.Quantified)] == [True]


# Tables, wraps and notes

P = Sort("P", tuple(f"p{at}" for at in range(100)), "fixed", "proctype")
SMALL = Integer(0, 3)
k = e.Variable("k", SMALL, is_state=True)
cells = e.Variable("cells", Array(Element(P), Optional(SMALL)), is_state=True)
TOTAL = e.Table("total", (SMALL,), SMALL, (3, 2, 1, 0))
PARTIAL = e.Table("partial", (SMALL,), SMALL, (None, 2, 1, 0))
K = e.Read(k)


def flattened(*body: s.Statement, **more: Any) -> flat.Action:
    fields: dict[str, Any] = {
        "properties": (Property("limit", "l"),),
        "starts": (Action("start", (), (s.Assign(k, e.Constant(0, SMALL)),)),),
        "actions": (Action("act", (), body),),
    }
    program = Program("tables", (P,), (k, cells), **{**fields, **more})
    return refined(flatten(program)).program.actions[0]


def assigned(value: e.Expression) -> flat.Block:
    return flattened(s.Assign(k, value)).body


def test_a_lookup_fails_only_where_an_entry_may_be_missing() -> None:
    def fails(value: e.Expression) -> bool:
        (assign,) = assigned(value)
        assert isinstance(assign, flat.Assign)
        return walking.can_fail(assign.value)

    assert not fails(e.Lookup(TOTAL, (K,)))
    assert fails(e.Lookup(PARTIAL, (K,)))
    assert not fails(e.Lookup(TOTAL, (e.Binary("%", K, e.Constant(2, SMALL)),)))
    assert fails(e.Lookup(TOTAL, (e.Binary("+", K, K),)))
    assert not fails(e.Lookup(TOTAL, (e.Wrap(e.Binary("+", K, K), SMALL),)))


def test_a_missing_entry_that_violates_a_property_is_a_statement() -> None:
    asserted, assign = assigned(e.Lookup(PARTIAL, (e.Lookup(TOTAL, (K,)),), 0))[-2:]
    assert isinstance(asserted, flat.Require) and asserted.property == 0
    assert asserted.test.op == "lookup" and asserted.test.table is not None
    assert asserted.test.table.entries == (0, 1, 1, 1)
    assert isinstance(assign, flat.Assign) and not walking.can_fail(assign.value)
    assert len(assigned(e.Lookup(TOTAL, (K,), 0))) == 1


def test_a_number_outside_of_the_table_has_no_entry() -> None:
    asserted, assign = assigned(e.Lookup(TOTAL, (e.Binary("+", K, K),), 0))[-2:]
    assert isinstance(asserted, flat.Require) and [each.op for each in asserted.test.args] == [">=", "<="]
    assert isinstance(assign, flat.Assign) and not walking.can_fail(assign.value)


def test_what_is_constant_is_looked_up_at_once() -> None:
    (assign,) = assigned(e.Lookup(PARTIAL, (e.Lookup(TOTAL, (e.Constant(1, SMALL),)),), 0))
    assert isinstance(assign, flat.Assign) and (assign.value.op, assign.value.value) == ("const", 1)
    (assign,) = assigned(e.Wrap(e.Constant(-2, INTEGER), SMALL))
    assert isinstance(assign, flat.Assign) and (assign.value.op, assign.value.value) == ("const", 2)


def test_a_note_observes_and_is_an_assertion_in_a_guard() -> None:
    noted = Function("noted", (), BOOLEAN, (s.Note(e.TRUE, 0), s.Return(e.TRUE)))
    test = e.Call("noted", (), BOOLEAN)
    action = flattened(
        actions=(Action("act", (), (s.Note(e.Binary("<", K, K), 0),), test),), functions=(noted,)
    )
    (note,) = action.body
    assert isinstance(note, flat.Note)
    effects = EffectAnalysis().of(note)
    assert effects.covers and effects.observes and not effects.ends
    assert "Note" not in kinds(action.guard.before)


def test_hundreds_of_constants_fill_an_array() -> None:
    def fails(count: int) -> bool:
        constants = tuple(
            s.Assign(e.Index(cells, e.Constant(at, Element(P))), e.Constant(1, SMALL)) for at in range(count)
        )
        i = e.Bound("i", e.All(Element(P)))
        read = s.Assign(k, e.Read(e.Index(cells, e.Read(i.variable))))
        start = (s.Assign(k, e.Constant(0, SMALL)), *constants)
        action = flattened(
            starts=(Action("start", (), start),), actions=(Action("act", (i,), (read,)),)
        ).body[0]
        assert isinstance(action, flat.Assign)
        return walking.can_fail(action.value)

    assert fails(99) and not fails(100)
