"""Calls, guards, start states and properties."""

from __future__ import annotations

from tests.soundness.leaks.registry import boolean, leak, loop
from tests.soundness.murphi_expressions import Draw
from tests.soundness.murphi_programs import Part

# Calls


@leak
def procedure_twice(draw: Draw) -> Part:
    body = draw.one("x := o;", "x := x & o;", "x := o; z := x;", "if o then n := 1; end;", 'assert "A" o;')
    names = draw.names or ("y", "y")
    calls = " ".join(f"does(a[{name}]);" for name in names)
    return Part(
        draw.one(calls, loop("does(a[i]);")), functions=(f"procedure does(o: boolean); begin {body} end;",)
    )


@leak
def parameter_ignored(draw: Draw) -> Part:
    result = draw.one("y", "s", "m[s]")
    function = f"function own(s: S): S; begin {draw.one('', 'x := true;', 'cover x;')} return {result}; end;"
    return Part(
        draw.one("y := own(m[y]);", loop("m[i] := own(m[i]);"), loop("b[i] := own(m[i]) = y;")),
        functions=(function,),
    )


@leak
def constant_result(draw: Draw) -> Part:
    if not draw.names:
        return Part(loop("m[i] := y;"))
    function = f"function own(s: S): S; begin return {draw.one(*draw.names)}; end;"
    return Part(draw.one("y := own(y);", loop("m[i] := own(i);"), "x := own(y) = y;"), functions=(function,))


@leak
def result_of_procedure(draw: Draw) -> Part:
    body = draw.one("o := a[s];", "if a[s] then o := true; end;", "o := o | a[s];")
    procedure = f"procedure get(s: S; var o: boolean); begin {body} end;"
    use = draw.one("x := lo;", "b[i] := lo;", "z := z | lo;")
    first = draw.one("lo := false;", "")
    return Part(first + loop(f"get(i, lo); {use}"), ("lo: boolean;",), (procedure,))


@leak
def same_place_twice(draw: Draw) -> Part:
    body = draw.one("o := !o; f := o;", "o := true; f := !o;", "f := o;", "o := f & a[y];")
    procedure = f"procedure two(var o: boolean; var f: boolean); begin {body} end;"
    return Part(
        draw.one(
            "two(x, x);",
            loop("two(a[i], x);"),
            loop("two(x, a[i]);"),
            loop("two(a[i], a[y]);"),
            loop("two(b[i], b[i]);"),
        ),
        functions=(procedure,),
    )


@leak
def argument_evaluated_before(draw: Draw) -> Part:
    body = draw.one("b[s] := a[s];", "x := a[s];", "y := s;")
    function = boolean("touch(s: S)", body, draw.one("x", "b[s]", "a[s]"))
    use = draw.one(
        "a[i] := touch(i);",
        "g[y][i] := touch(i);",
        "a[y] := touch(i) & x;",
        "x := x & touch(i);",
        "x := touch(i) & x;",
        "q[y].v := touch(i);",
    )
    return Part(loop(use), functions=(function,))


@leak
def returned_record(draw: Draw) -> Part:
    body = draw.one("lo.v := a[s]; lo.w := s;", "lo.w := s;", "lo := q[s];", "lo.v := x;")
    function = f"function made(s: S): rec; var lo: rec; begin {body} return lo; end;"
    return Part(
        loop(
            draw.one(
                "r := made(i);",
                "q[i] := made(i);",
                "q[i] := made(y);",
                "hi := made(i); if hi.v then x := !x; end;",
            )
        ),
        ("hi: rec;",),
        functions=(function,),
    )


@leak
def returned_undefined(draw: Draw) -> Part:
    function = "function got(s: S): S; begin return m[s]; end;"
    use = draw.one(
        "b[i] := got(i) = y;",
        "m[i] := got(i);",
        'if got(i) = i then error "own"; end;',
        "cover got(i) = i;",
        'assert "A" got(i) != y; n := k[i];',
    )
    return Part(loop(use), functions=(function,))


@leak
def undefined_argument(draw: Draw) -> Part:
    body = draw.one("", "cover x;", "x := true;")
    function = boolean("take(s: S)", body, draw.one("isundefined(s)", "true", "a[s]"))
    use = draw.one(
        "b[i] := take(m[i]);",
        'assert "A" take(m[i]);',
        "x := x | take(m[i]);",
        "if a[i] then x := take(m[i]); end;",
    )
    return Part(loop(use), functions=(function,))


@leak
def nested_calls(draw: Draw) -> Part:
    body = draw.one("x := a[s];", "b[s] := true;", "if a[s] then y := s; end;", "n := k[s];")
    inner = f"procedure inner(s: S); begin {body} end;"
    outer = f"procedure outer(); begin {loop('inner(i);')} end;"
    return Part("outer();", functions=(inner, outer))


@leak
def copy_changed_in_function(draw: Draw) -> Part:
    body = draw.one(
        "lo := o; lo[s] := true; return lo[y];",
        "for j: S do lo[j] := o[j]; x := lo[j]; end; return x;",
        "for j: S do if o[j] then return j = y; end; end; return false;",
    )
    function = f"function copy(o: array[S] of boolean; s: S): boolean; var lo: array[S] of boolean; begin {body} end;"
    return Part(draw.one("x := copy(a, y);", loop("b[i] := copy(a, i);")), functions=(function,))


# Guards, starts, properties


@leak
def guard_with_effects(draw: Draw) -> Part:
    effects = loop(draw.one("b[i] := true;", "x := a[i];", "y := i;"))
    function = boolean("tried()", effects, draw.one("x", "a[y]", "exists i: S do b[i] end"))
    return Part(functions=(function,), rules=('rule "tries" tried() ==> z := !z; end;',))


@leak
def property_with_loop(draw: Draw) -> Part:
    step = draw.one(
        "lo := a[i];",
        "lo := lo & a[i];",
        "if a[i] then return b[i]; end;",
        "lo := lo | a[i] & b[i];",
        "lo := !lo & a[i];",
    )
    body = f"lo := {draw.one('true', 'false')}; {loop(step)} return lo;"
    function = f"function said(): boolean; var lo: boolean; begin {body} end;"
    return Part(
        functions=(function,),
        rules=(
            f'{draw.one("invariant", "cover", "invariant")} "said" {draw.one("said()", "!said()", "said() | x")};',
        ),
    )


@leak
def property_with_failure(draw: Draw) -> Part:
    test = draw.one(
        "forall i: S do a[m[i]] end", "exists i: S do a[m[i]] | b[i] end", "exists i: S do look(i) end"
    )
    function = boolean("look(s: S)", draw.one('assert "A" b[s];', "cover b[s];", "b[s] := true;"), "a[s]")
    return Part(functions=(function,) if "look" in test else (), rules=(f'invariant "fails" {test};',))


@leak
def start_with_order(draw: Draw) -> Part:
    body = draw.one(
        "y := i;", "x := a[i];", "m[i] := y; y := i;", "if a[i] then x := !x; end;", "b[i] := x; x := true;"
    )
    first = "x := false; n := 0; " + loop("a[i] := false; b[i] := false; m[i] := i;")
    which = draw.one("y := s;", "a[s] := true; y := s;")
    return Part(rules=(f"ruleset s: S do startstate begin {first} {which} {loop(body)} end; end;",))


@leak
def same_names_elsewhere(draw: Draw) -> Part:
    """Symmetric: locals with the name of a loop's variable in other rules."""
    one = 'ruleset j: S do rule "one" var i: S; begin i := j; y := i; end; end;'
    return Part(loop(draw.one("b[i] := !b[i];", "b[i] := a[i];", "b[i] := i = y;")), rules=(one,))


@leak
def same_name_in_function(draw: Draw) -> Part:
    function = "function other(i: S): boolean; var lo: boolean; begin lo := a[i]; return lo; end;"
    return Part(
        loop(
            f"lo := {draw.around('i')}; x := other({draw.one('i', 'y')}); {draw.one('b[i] := lo;', 'x := lo;')}"
        ),
        ("lo: boolean;",),
        (function,),
    )


@leak
def two_sorts(draw: Draw) -> Part:
    body = draw.one(
        "d[c[i]] := a[i];",
        "d[c[i]] := true;",
        "t := c[i];",
        "if d[c[i]] then b[i] := true; end;",
        "c[i] := t; t := P;",
        "if c[i] = P then d[P] := !d[P]; end;",
    )
    return Part(loop(body))


@leak
def loop_over_other_sort(draw: Draw) -> Part:
    return Part(
        loop(
            draw.one(
                "d[j] := a[y];",
                "t := j;",
                "x := d[j];",
                loop("if c[i] = j then d[j] := a[i]; end;"),
                loop("if c[i] = j then t := j; end;"),
            ),
            "j",
            "T",
        )
    )


@leak
def matrix(draw: Draw) -> Part:
    body = draw.one(
        "g[i][j] := g[j][i];",
        "g[i][j] := a[i] & a[j];",
        "g[i][j] := i = j;",
        "g[i][j] := g[i][j] | (g[i][y] & g[y][j]);",
        "x := g[i][j];",
        "a[i] := g[i][j];",
        "if g[i][j] then a[j] := a[i]; end;",
    )
    return Part(loop(loop(body, "j")))


@leak
def conditional_constants(draw: Draw) -> Part:
    return Part(
        loop(
            draw.one(
                "if a[i] then x := true; end;",
                "if a[i] then x := true; else x := false; end;",
                "if a[i] then n := 1; elsif b[i] then n := 2; end;",
                "if a[i] then x := true; z := true; else z := false; end;",
                "if a[i] & !x then x := true; elsif a[i] then z := true; end;",
            )
        )
    )


@leak
def unique_element(draw: Draw) -> Part:
    """Symmetric where at most one element passes the test."""
    return Part(
        loop(
            draw.one(
                "if i = y then x := a[i]; end;",
                "if m[i] = y then r.w := i; end;",
                "if i = y then b[i] := true; r.w := i; end;",
                "if i != y then r.w := i; end;",
                "if i = y & a[i] then return; end;",
                "if forall j: S do a[j] = (j = i) end then y := i; end;",
            )
        )
    )
