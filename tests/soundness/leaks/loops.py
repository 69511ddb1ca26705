"""Loops whose result may depend on the order of their turns."""

from __future__ import annotations

from tests.soundness.leaks.registry import boolean, leak, loop
from tests.soundness.murphi_expressions import Draw
from tests.soundness.murphi_programs import Part

# Which element or turn was last, or first


@leak
def last_element_kept(draw: Draw) -> Part:
    return Part(loop(f"if {draw.around('i')} then {draw.one('y', 'r.w', 'm[i]')} := i; end;"))


@leak
def last_value_kept(draw: Draw) -> Part:
    return Part(loop(f"{draw.one('x', 'z', 'r.v')} := {draw.around('i')};"))


@leak
def first_element_kept(draw: Draw) -> Part:
    return Part(loop(f"if !x & {draw.around('i')} then x := true; y := i; end;"))


@leak
def first_found_returned(draw: Draw) -> Part:
    body = loop(f"if {draw.around('i')} then return i; end;")
    last = draw.one("return y;", 'error "none";', "")
    return Part(
        f"{draw.one('y', 'r.w')} := first();", functions=(f"function first(): S; begin {body} {last} end;",)
    )


@leak
def found_flag_returned(draw: Draw) -> Part:
    """Symmetric where all results are equal."""
    results = draw.one("true", "a[i]", "b[i]", "x")
    search = loop(f"if {draw.around('i')} then return {results}; end;")
    function = boolean("found()", search, "false")
    return Part(draw.one("x := found();", "if found() then z := !z; end;"), functions=(function,))


@leak
def last_of_two_loops(draw: Draw) -> Part:
    effect = draw.one("y := i;", "y := j;", "g[i][j] := x;", "x := g[j][i];")
    body = f"if i != j & {draw.around('i', 'j')} then {effect} end;"
    return Part(loop(loop(body, "j")))


@leak
def local_after_loop(draw: Draw) -> Part:
    return Part(
        loop(f"if {draw.around('i')} then lo := i; end;") + " if !isundefined(lo) then y := lo; end;",
        ("lo: S;",),
    )


@leak
def value_after_loop(draw: Draw) -> Part:
    return Part("lo := false; " + loop(f"lo := {draw.around('i')};") + " x := lo;", ("lo: boolean;",))


@leak
def smallest_by_number(draw: Draw) -> Part:
    """Ties decide; without the element it is a plain maximum."""
    kept = draw.one("y := i;", "", "x := a[i];")
    test = draw.one("best < k[i]", "best <= k[i]", "!(k[i] < best)")
    return Part(f"best := 0; {loop(f'if {test} then best := k[i]; {kept} end;')} n := best;", ("best: num;",))


# Scratch variables


@leak
def scratch_local(draw: Draw) -> Part:
    out = draw.one("x", "z", "b[i]", "r.v")
    return Part(
        loop(f"lo := {draw.around('i')}; {out} := {draw.one('lo', '!lo', 'lo & x')};"), ("lo: boolean;",)
    )


@leak
def scratch_element(draw: Draw) -> Part:
    use = draw.one("y := lo;", "a[lo] := x;", "x := a[lo];", "if a[lo] then r.w := lo; end;")
    return Part(loop(f"lo := i; {use}"), ("lo: S;",))


@leak
def scratch_read_before(draw: Draw) -> Part:
    """The turn before left it."""
    first = draw.one("lo := false;", "lo := x;", "")
    return Part(first + loop(f"b[i] := {draw.one('lo', 'lo | a[i]')}; lo := a[i];"), ("lo: boolean;",))


@leak
def scratch_record(draw: Draw) -> Part:
    whole = draw.one("r := lo;", "r.v := lo.v;", "r.w := lo.w;", "q[i] := lo;", "x := lo.v;")
    first = draw.one("lo.v := a[i]; lo.w := i;", "lo.v := a[i];", "lo.w := i;", "lo := q[i];")
    return Part(loop(f"{first} {whole}"), ("lo: rec;",))


@leak
def scratch_by_reference(draw: Draw) -> Part:
    function = "procedure get(s: S; var o: rec); begin o.v := a[s]; o.w := s; end;"
    return Part(
        loop(f"get(i, {draw.one('lo', 'r')}); {draw.one('r := lo;', 'x := r.v;', 'y := lo.w;')}"),
        ("lo: rec;",),
        (function,),
    )


@leak
def scratch_array(draw: Draw) -> Part:
    use = draw.one("x := lo[i];", "b[i] := lo[i];", "x := lo[y];", "if lo[i] then y := i; end;")
    return Part(loop(f"lo[i] := {draw.around('i')}; {use}"), ("lo: array[S] of boolean;",))


@leak
def scratch_array_read_elsewhere(draw: Draw) -> Part:
    inner = loop(
        f"{draw.one('x := lo[j];', 'b[i] := lo[j];', 'if !isundefined(lo[j]) then n := 1; end;')}", "j"
    )
    return Part(loop(f"lo[i] := {draw.around('i')}; {inner}"), ("lo: array[S] of boolean;",))


@leak
def scratch_by_number(draw: Draw) -> Part:
    """Turns are numbered."""
    body = loop("if a[i] & at < 2 then lo[at] := i; at := at + 1; end;")
    use = draw.one("y := lo[0];", "y := lo[at - 1];", "x := a[lo[1]];", "n := at;")
    return Part(f"at := 0; {body} if at > 0 then {use} end;", ("at: 0..3;", "lo: array[0..2] of S;"))


@leak
def value_passed_along(draw: Draw) -> Part:
    return Part(
        loop(draw.one("b[i] := x; x := a[i];", "lo := x; x := a[i]; a[i] := lo;", "m[i] := y; y := i;")),
        ("lo: boolean;",),
    )


@leak
def scratch_of_the_state(draw: Draw) -> Part:
    return Part(
        loop(f"z := {draw.around('i')}; {draw.one('b[i] := z;', 'x := z;', 'if z then y := i; end;')}")
        + draw.one("", " z := false;")
    )


@leak
def local_array_of_numbers(draw: Draw) -> Part:
    body = loop(f"lo[{draw.one('0', '1', 'n')}] := {draw.around('i')};")
    return Part(
        f"lo[0] := false; lo[1] := x; lo[2] := z; {body} x := lo[{draw.one('0', '1', 'n')}];",
        ("lo: array[num] of boolean;",),
    )


# Folds that do and do not commute


@leak
def fold(draw: Draw) -> Part:
    step = draw.one(
        "x := x != a[i];",
        "x := x -> a[i];",
        "x := (x ? a[i] : b[i]);",
        "x := x | a[i];",
        "x := x & a[i];",
        "x := !x & a[i];",
        "x := a[i] & !x;",
        "x := a[i] = x;",
        "x := a[i] -> x;",
    )
    return Part(loop(step))


@leak
def number_fold(draw: Draw) -> Part:
    step = draw.one(
        "lo := lo + k[i];",
        "lo := lo * 2 + k[i];",
        "lo := k[i] - lo;",
        "lo := lo - k[i];",
        "lo := lo * (1 + k[i]);",
        "lo := (lo + k[i]) % 3;",
        "lo := (lo * 2 + k[i]) % 3;",
        "lo := lo | k[i];",
        "lo := lo ^ k[i];",
        "lo := lo << k[i];",
    )
    return Part(f"lo := n; {loop(step)} n := (lo % 3 + 3) % 3;", ("lo: -99..99;",))


@leak
def number_saturates(draw: Draw) -> Part:
    step = draw.one(
        "if n < 2 then n := n + 1; b[i] := true; end;",
        "if n < 2 then n := n + k[i]; end;",
        "n := (n < 2 ? n + 1 : n);",
    )
    return Part(loop(f"if {draw.around('i')} then {step} end;"))


@leak
def number_overflows(draw: Draw) -> Part:
    """Beside a failure that hides it, or is hidden."""
    beside = draw.one(
        "", 'assert "some" b[i];', "cover b[i];", 'if b[i] then error "b"; end;', "assume b[i];"
    )
    return Part(loop(f"n := n + k[i]; {beside}"))


@leak
def number_out_and_back(draw: Draw) -> Part:
    """A sum that leaves its range on the way in one order only."""
    step = "n := n + (a[i] ? 1 : 0) - (b[i] ? 1 : 0);"
    return Part(loop(draw.one(step, "lo := n + (a[i] ? 2 : -2); n := lo;")), ("lo: -9..9;",))
