"""Failures that may hide others, returns, and functions under quantifiers."""

from __future__ import annotations

from tests.soundness.leaks.registry import boolean, leak, loop
from tests.soundness.murphi_expressions import Draw
from tests.soundness.murphi_programs import Part

# Returns


@leak
def early_return(draw: Draw) -> Part:
    return Part(
        loop(
            f"if {draw.around('i')} then return; end; {draw.one('b[i] := true;', 'n := 1;', 'y := i;', 'b[i] := !b[i];')}"
        )
    )


@leak
def return_after_effect(draw: Draw) -> Part:
    return Part(
        loop(
            f"if {draw.around('i')} then {draw.one('b[i] := true;', 'x := true;', 'b[i] := x;')} return; end;"
        )
    )


@leak
def return_in_procedure(draw: Draw) -> Part:
    sweep = loop(f"o := a[i]; if {draw.around('i')} then return; end;")
    procedure = f"procedure sweep(var o: boolean); begin {sweep} end;"
    return Part(f"sweep({draw.one('x', 'z', 'r.v', 'a[y]')});", functions=(procedure,))


@leak
def return_between_loops(draw: Draw) -> Part:
    last = loop(f"b[i] := {draw.around('i')};")
    return Part(f"{loop('if a[i] then x := true; end;')} if x then return; end; {last}")


# Failures that hide others


@leak
def assertion_beside_error(draw: Draw) -> Part:
    undefined = draw.one(
        "b[i] := a[m[i]];", "x := a[y];", "b[i] := b[i] & a[i];", "n := 1 / k[i];", "n := k[i] + k[i];"
    )
    return Part(
        loop(
            draw.one(
                f'assert "A" {draw.around("i")}; {undefined}', f'{undefined} assert "A" {draw.around("i")};'
            )
        )
    )


@leak
def two_assertions(draw: Draw) -> Part:
    return Part(loop(f'assert "one" {draw.around("i")}; assert "two" {draw.around("i")};'))


@leak
def two_errors(draw: Draw) -> Part:
    return Part(
        loop(f'if {draw.around("i")} then error "one"; end; if {draw.around("i")} then error "two"; end;')
    )


@leak
def cover_beside_failure(draw: Draw) -> Part:
    failing = draw.one('assert "A" a[i];', "b[i] := a[m[i]];", "assume a[i];", "if a[i] then return; end;")
    return Part(
        loop(draw.one(f"cover {draw.around('i')}; {failing}", f"{failing} cover {draw.around('i')};"))
    )


@leak
def assumption_beside_assertion(draw: Draw) -> Part:
    return Part(
        loop(
            draw.one(
                f'assume {draw.around("i")}; assert "A" a[i];', f'assert "A" a[i]; assume {draw.around("i")};'
            )
        )
    )


@leak
def assertions_of_two_loops(draw: Draw) -> Part:
    return Part(loop(f'assert "A" {draw.around("i")};') + loop("n := 2 / k[i];"))


@leak
def failure_beside_value(draw: Draw) -> Part:
    return Part(
        loop(
            draw.one(
                "x := a[i]; n := 1 / k[i];",
                'x := true; assert "A" x & a[i];',
                'assert "A" !x; x := x | a[i];',
            )
        )
    )


# Functions under quantifiers


def _asked(draw: Draw, body: str, result: str = "a[s]") -> Part:
    function = f"function asked(s: S): boolean; begin {body} return {result}; end;"
    test = (
        f"{draw.one('exists', 'forall')} i: S do {draw.one('asked(i)', '!asked(i)', 'asked(i) & b[i]')} end"
    )
    if draw.maybe():
        return Part(functions=(function,), rules=(f'rule "asks" {test} ==> begin z := !z; end;',))
    return Part(
        draw.one(f"x := {test};", f"if {test} then z := !z; end;", f'assert "said" {test};'),
        functions=(function,),
    )


@leak
def assertion_in_question(draw: Draw) -> Part:
    return _asked(draw, f'assert "A" {draw.around("s")};')


@leak
def cover_in_question(draw: Draw) -> Part:
    return _asked(draw, f"cover {draw.around('s')};")


@leak
def assumption_in_question(draw: Draw) -> Part:
    return _asked(draw, f"assume {draw.around('s')};")


@leak
def error_in_question(draw: Draw) -> Part:
    return _asked(draw, f'if {draw.around("s")} then error "E"; end;', draw.one("a[s]", "b[s]", "a[m[s]]"))


@leak
def effect_in_question(draw: Draw) -> Part:
    return _asked(
        draw, draw.one("x := a[s];", "b[s] := true;", "y := s;", "n := 1;", "b[s] := x;", "x := !x;")
    )


@leak
def undefined_in_question(draw: Draw) -> Part:
    test = draw.one("a[m[i]]", "a[m[i]] | b[i]", "m[i] = y", "k[m[i]] = 1", "(b[i] ? a[m[i]] : a[i])")
    question = f"{draw.one('exists', 'forall')} i: S do {test} end"
    return Part(
        draw.one(f"x := {question};", f'assert "Q" {question};', f"cover {question};", f"assume {question};")
    )


@leak
def question_in_question(draw: Draw) -> Part:
    body = draw.one('assert "A" a[o];', "cover b[o];", "")
    function = boolean("asked(s: S; o: S)", body, draw.one("a[s] & b[o]", "s = o", "m[s] = o"))
    test = (
        f"{draw.one('exists', 'forall')} i: S do {draw.one('exists', 'forall')} j: S do asked(i, j) end end"
    )
    return Part(f"x := {test};", functions=(function,))
