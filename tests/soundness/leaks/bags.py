"""Positions of bag entries, and places that move."""

from __future__ import annotations

from tests.soundness.leaks.registry import leak, loop
from tests.soundness.murphi_expressions import Draw
from tests.soundness.murphi_programs import Part

# Positions of bag entries


@leak
def position_behind_alias(draw: Draw) -> Part:
    rule = (
        'choose e: net do choose o: net do rule "bags" e != o ==> var lo: rec; begin lo := net[e]; '
        f"alias f: net[e] do multisetremove(e, net); {draw.one('multisetremove(o, net);', '')} "
        f"{draw.one('multisetadd(lo, net);', '')} {draw.one('f.v := true;', 'x := f.v;', 'y := f.w;')} end; end; end; end;"
    )
    return Part(rules=(rule,))


@leak
def position_after_removal(draw: Draw) -> Part:
    rule = (
        'choose e: net do choose o: net do rule "bags" e != o ==> var lo: rec; begin lo := net[e]; '
        f"multisetremove(e, net); {draw.one('multisetadd(lo, net);', 'lo.v := !lo.v; multisetadd(lo, net);', '')} "
        f"{draw.one('y := net[o].w;', 'net[o].v := true;', 'y := net[e].w;', 'x := net[e].v;', 'multisetremove(e, net);')}"
        " end; end; end;"
    )
    return Part(rules=(rule,))


@leak
def count_with_effects(draw: Draw) -> Part:
    body = draw.one(
        "x := o.v;",
        "y := o.w;",
        "b[o.w] := true;",
        "x := !x;",
        'assert "A" o.v;',
        "cover o.v;",
        "assume o.v;",
        "n := 1;",
    )
    function = (
        f"function asked(o: rec): boolean; begin {body} return {draw.one('o.v', 'a[o.w]', 'true')}; end;"
    )
    return Part("n := multisetcount(e: net, asked(net[e]));", functions=(function,))


@leak
def count_that_fails(draw: Draw) -> Part:
    test = draw.one("a[m[net[e].w]]", "1 / k[net[e].w] = 1", "net[e].v & a[m[net[e].w]]", "a[net[e].w]")
    return Part(
        draw.one(f"n := multisetcount(e: net, {test});", f'assert "A" multisetcount(e: net, {test}) < 2;')
    )


@leak
def removal_by_test(draw: Draw) -> Part:
    test = draw.one("asked(net[e])", "net[e].v", "a[net[e].w]", "a[m[net[e].w]]", "net[e].w = y")
    body = draw.one("x := o.v;", "b[o.w] := !b[o.w];", 'assert "A" o.v;', "cover o.v;", "")
    function = f"function asked(o: rec): boolean; begin {body} return a[o.w]; end;"
    return Part(
        f"multisetremovepred(e, net, {test});".replace(
            "multisetremovepred(e, net,", "multisetremovepred(e: net,"
        ),
        functions=(function,),
    )


@leak
def bag_filled_in_loop(draw: Draw) -> Part:
    value = draw.one("x", "a[i]", "false")
    beside = draw.one("", f'assert "A" {draw.around("i")};', f"cover {draw.around('i')};", "x := a[i];")
    return Part(
        loop(f"if {draw.around('i')} then lo.w := i; lo.v := {value}; multisetadd(lo, net); {beside} end;"),
        ("lo: rec;",),
    )


@leak
def bag_with_undefined(draw: Draw) -> Part:
    body = draw.one("lo.v := a[i];", "lo.w := i;", "undefine lo; lo.w := i;")
    return Part(
        loop(
            f"if {draw.around('i')} & multisetcount(e: net, true) < 2 then {body} multisetadd(lo, net); end;"
        ),
        ("lo: rec;",),
    )


@leak
def bags_in_array(draw: Draw) -> Part:
    rule = (
        'ruleset i: S do choose e: box[i] do rule "boxes" begin '
        f"alias f: box[i][e] do {draw.one('y := f.w;', 'y := i;', 'a[f.w] := !a[f.w];')} "
        f"{draw.one('multisetremove(e, box[i]);', 'y := i; multisetremove(e, box[i]);', 'f.v := x;')} end; end; end; end;"
    )
    return Part(rules=(rule,))


@leak
def bag_of_moving_index(draw: Draw) -> Part:
    """The position belongs to the bag of an index that changes."""
    rule = (
        'choose e: box[y] do rule "boxes" begin '
        f"{draw.one('y := box[y][e].w;', 'x := box[y][e].v;', '')} "
        f"{draw.one('multisetremove(e, box[y]);', 'box[y][e].v := true;')} end; end;"
    )
    return Part(rules=(rule,))


# Places


@leak
def alias_of_moving_index(draw: Draw) -> Part:
    move = draw.one("y := i;", "if a[i] then y := i; end;")
    return Part(loop(f"alias at: a[y] do {move} {draw.one('at := true;', 'x := at;', 'at := b[i];')} end;"))


@leak
def alias_of_loop_index(draw: Draw) -> Part:
    place = draw.one("a[i]", "b[i]", "q[i].v", "g[i][y]")
    return Part(
        loop(
            f"alias at: {place} do {draw.one('at := !at;', 'x := at;', 'at := x; x := a[i];', 'at := a[y];')} end;"
        )
    )


@leak
def write_through_pointer(draw: Draw) -> Part:
    return Part(
        loop(
            draw.one(
                "a[m[i]] := true;",
                "b[m[i]] := a[i];",
                "m[m[i]] := i;",
                "m[i] := m[m[i]];",
                "k[m[i]] := k[i];",
                "a[m[i]] := !a[m[i]];",
            )
        )
    )


@leak
def pointer_followed(draw: Draw) -> Part:
    body = draw.one(
        "y := m[y];", "y := m[y]; b[y] := true;", "if a[y] then y := m[y]; end;", "y := m[y]; x := a[i];"
    )
    return Part(loop(body))


@leak
def neighbours_in_loop(draw: Draw) -> Part:
    return Part(
        loop(
            draw.one(
                "b[i] := exists j: S do a[j] end;",
                "a[i] := exists j: S do j != i & a[j] end;",
                "a[i] := forall j: S do a[j] | j = i end;",
                "k[i] := (a[i] ? 0 : n); n := k[i];",
                "a[i] := a[y];",
                "a[y] := a[i];",
            )
        )
    )


@leak
def while_over_pointers(draw: Draw) -> Part:
    step = draw.one("lo := m[lo];", "b[lo] := true; lo := m[lo];")
    turns = f"while at < 3 & !{draw.one('a', 'b')}[lo] do at := at + 1; {step} end;"
    block = f"lo := {draw.one('y', 'r.w')}; at := 0; {turns} y := lo;"
    return Part(block, ("lo: S;", "at: 0..4;"))


@leak
def while_over_names(draw: Draw) -> Part:
    if draw.kind != "range":
        return Part("at := 0; while at < 2 do at := at + 1; " + loop("x := a[i];") + " end;", ("at: 0..3;",))
    body = draw.one("x := a[at];", "if a[at] then y := at; end;", "b[at] := true;")
    return Part(f"at := 0; while at < {draw.size} do {body} at := at + 1; end;", ("at: 0..4;",))


@leak
def index_out_of_bounds(draw: Draw) -> Part:
    return Part(
        loop(
            draw.one("lo[k[i]] := a[i];", 'assert "A" lo[k[i]];', "x := lo[k[i]]; cover b[i];")
            + draw.one("", "b[i] := true;")
        ),
        ("lo: array[0..1] of boolean;",),
    )


@leak
def undefined_as_mark(draw: Draw) -> Part:
    return Part(
        loop(
            draw.one(
                "if isundefined(m[i]) then m[i] := y; y := i; end;",
                "if !isundefined(y) then m[i] := y; end; undefine y;",
                "if a[i] then undefine m[i]; end;",
                "if isundefined(m[y]) then y := i; end;",
                "undefine b[i]; x := isundefined(b[y]);",
            )
        )
    )


@leak
def records_compared(draw: Draw) -> Part:
    return Part(
        loop(
            draw.one(
                "if q[i] = r then x := !x; end;",
                "if q[i] = r then b[i] := true; end;",
                "r := q[i];",
                "if q[i] = q[y] then y := i; end;",
                "q[i] := r;",
                "x := q[i] != r;",
                "if q[i] != r then r := q[i]; end;",
            )
        )
    )
