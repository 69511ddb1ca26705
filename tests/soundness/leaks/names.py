"""Elements that are named, and numbers used as names."""

from __future__ import annotations

from tests.soundness.leaks.registry import boolean, leak, loop
from tests.soundness.murphi_expressions import Draw
from tests.soundness.murphi_programs import Part

# Names


@leak
def named_in_turn(draw: Draw) -> Part:
    names = draw.names or ("y", "y")
    step = draw.one(
        "x := a[{}];",
        "if a[{}] then y := {}; end;",
        "n := n + k[{}];",
        'assert "A" a[{}];',
        "b[{}] := x; x := a[{}];",
        "b[{}] := !b[{}];",
        "x := x | a[{}];",
        "cover a[{}];",
        "visit({});",
        "z := look({}) & z;",
    )
    functions = (
        f"procedure visit(s: S); begin {draw.one('x := a[s];', 'b[s] := a[s];', 'y := s;', 'n := k[s];')} end;",
        f"function look(s: S): boolean; begin {draw.one('x := b[s];', '', 'cover a[s];')} return a[s]; end;",
    )
    used = tuple(each for each in functions if each.split("(")[0].split()[1] in step)
    return Part(" ".join(step.replace("{}", name) for name in names), functions=used)


@leak
def named_in_expression(draw: Draw) -> Part:
    names = draw.names or ("y", "y")
    operator = draw.one("&", "|", "->", "=", "!=")
    test = draw.one("a[{}]", "look({})", "a[m[{}]]", "!b[{}]", "(k[{}] = 1 / k[{}])")
    body = draw.one("x := b[s];", "", 'assert "A" b[s];', "cover a[s];")
    function = boolean("look(s: S)", body, "a[s]")
    value = f" {operator} ".join(f"({test.replace('{}', name)})" for name in names)
    return Part(f"z := {value};", functions=(function,) if "look" in test else ())


@leak
def named_pairwise_rules(draw: Draw) -> Part:
    """One rule for each name, with one of them a little different."""
    names = draw.names or ("y", "y")
    body = draw.one(
        "b[{}] := a[{}];", "y := {};", "x := a[{}];", 'assert "A" a[{}]; b[{}] := true;', "a[{}] := b[{}];"
    )
    rules = []
    for at, name in enumerate(names):
        own = body.replace("{}", name)
        if at == len(names) - 1 and draw.maybe(0.4):
            own = own.replace(name, names[0], 1)
        if '"A"' in own and draw.maybe(0.3):
            own = own.replace('"A"', f'"A{at}"')
        rules.append(f'rule "{draw.one("go", f"go {at}")}" {own} end;')
    return Part(rules=tuple(rules))


@leak
def named_in_property(draw: Draw) -> Part:
    names = draw.names or ("y", "y")
    kind = draw.one("invariant", "cover", "assume")
    which = names if draw.maybe(0.6) else names[:1]
    test = f" {draw.one('&', '|')} ".join(draw.one("a[{}]", "b[{}]").replace("{}", name) for name in which)
    return Part(rules=(f'{kind} "named" {test}{" | true" if kind == "assume" and draw.maybe() else ""};',))


@leak
def named_choice(draw: Draw) -> Part:
    names = draw.names or ("y", "y")
    cases = " ".join(
        f"case {name}: {draw.one('x := a[y];', f'b[{name}] := true;', 'z := !z;', f'a[{name}] := x;')}"
        for name in names
    )
    block = f"switch y {cases} endswitch;" if draw.names else "x := a[y];"
    return Part(
        draw.one(
            block,
            f"y := (a[{names[0]}] ? {names[0]} : {names[-1]});",
            f"x := (y = {names[0]} ? a[{names[-1]}] : a[{names[0]}]);",
        )
    )


@leak
def arithmetic_on_names(draw: Draw) -> Part:
    if draw.kind != "range":
        return Part(loop("m[i] := y;"))
    last = draw.size - 1
    return Part(
        draw.one(
            f"y := (y + 1) % {last + 1};",
            f"y := (y + {last}) % {last + 1};",
            "if y > 0 then y := y - 1; end;",
            "x := y < 1;",
            "n := y;",
            f"y := {last} - y;",
            "for i: S do if i > 0 then b[i] := a[i - 1]; end; end;",
            f"for i: S do b[i] := a[(i + 1) % {last + 1}]; end;",
            "y := y * y % 2;",
            "b[y / 2] := true;",
            f"x := exists i: S do exists j: S do j = (i + 1) % {last + 1} & a[i] & a[j] end end;",
            f"for i: S do if a[i] & a[(i + 1) % {last + 1}] then y := i; end; end;",
            "n := 0; for i: S do n := (n + i) % 3; end;",
        )
    )


@leak
def loop_over_part_of_names(draw: Draw) -> Part:
    if draw.kind != "range":
        return Part(loop("b[i] := x;"))
    last = draw.size - 1
    domain = draw.one(
        f"i: 0..{last}",
        f"i := 0 to {last}",
        f"i := {last} to 0 by -1",
        "i: 0..0",
        f"i := 1 to {last}",
        "i := 0 to n",
    )
    return Part(
        f"for {domain} do {draw.one('b[i] := a[i];', 'x := a[i];', 'if a[i] then y := i; end;', 'n := k[i];')} end;"
    )


@leak
def numbers_outside_the_type(draw: Draw) -> Part:
    if draw.kind != "range":
        return Part(loop("a[i] := y = i;"))
    body = draw.one(
        "x := y = 7;",
        "if y != 5 then x := !x; end;",
        "x := a[y + 3];",
        "y := (x ? 3 : y);",
        "n := (y = 9 ? 0 : 1);",
        "lo := y; y := lo;",
        "lo := 5; y := (x ? y : lo);",
        "x := is(y);",
        "n := y; x := n = y;",
    )
    function = "function is(s: 0..9): boolean; begin return s = 4; end;"
    return Part(body, ("lo: 0..9;",), (function,) if "is(" in body else ())


@leak
def cleared(draw: Draw) -> Part:
    return Part(
        draw.one(
            "clear y;",
            "clear m;",
            "clear r;",
            "clear a;",
            "clear net;",
            loop("clear q[i];"),
            loop("if a[i] then clear m[i]; end;"),
            "clear k;",
        )
    )


@leak
def union_of_names(draw: Draw) -> Part:
    if draw.kind == "range":
        return Part(loop("if a[i] then m[i] := y; end;"))
    return Part(
        draw.one(
            loop("if a[i] then u := i; end;"),
            "if ismember(u, S) then y := u; end;",
            loop("u := i;", "i", "T"),
            "x := u = y;",
            loop("if u = i then b[i] := true; end;"),
            "y := u;",
            "if !ismember(u, T) then a[u] := true; end;",
            loop('assert "A" u != i;'),
            "for i: both do if u = i then x := !x; end; end;",
            "for i: both do u := i; end;",
        )
    )
