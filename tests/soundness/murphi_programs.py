"""Random Murphi programs: symmetric rules around one part that may distinguish elements.

A `Part` is what one leak or one control contributes: statements, or whole rules. `wrapped` puts statements somewhere: into a
rule, a procedure, a function under a quantifier, behind an alias. `program` adds what moves the variables about.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from burnside.records import field, record

from tests.soundness.murphi_expressions import LETTERS, VARIABLES, Draw


@record
class Part:
    """`locals`: declarations of the block. `functions` stand before all rules, `rules` beside the one made of the block."""

    block: str = ""
    locals: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


Leak = Callable[[Draw], Part]
LOCALS = re.compile(r"\b(lo|hi|at|best)\b")


def both(first: Part, second: Part) -> Part:
    """One after the other, in one block; locals and functions of the second get other names."""
    heads = [re.match(r"(?:function|procedure) (\w+)", each) for each in second.functions]
    names = [head.group(1) for head in heads if head is not None]

    def renamed(text: str) -> str:
        text = LOCALS.sub(r"\1_2", text)
        return re.sub(rf"\b({'|'.join(names)})\(", r"\1_2(", text) if names else text

    return Part(
        f"{first.block} {renamed(second.block)}",
        (*first.locals, *map(renamed, second.locals)),
        (*first.functions, *map(renamed, second.functions)),
        (*first.rules, *map(renamed, second.rules)),
    )


@record
class Made:
    """A program's text, and what was put into it."""

    kind: str
    text: str
    size: int = field(default=0)


def declared(locals_: tuple[str, ...]) -> str:
    return f"var {' '.join(locals_)}\n" if locals_ else ""


# Where the block stands


def wrapped(draw: Draw, part: Part) -> str:
    """Functions and rules."""
    if not part.block:
        return "\n".join((*part.functions, *part.rules))
    makers = (_rule, _rule, _rule, _guarded, _procedure, _aliased, _function, _quantified, _turns, _switched)
    functions, rule = draw.random.choice(makers)(draw, part)
    return "\n".join((*part.functions, *functions, rule, *part.rules))


def _plain_rule(draw: Draw, locals_: tuple[str, ...], block: str, guard: str = "") -> str:
    rule = f'rule "leak" {guard + " ==> " if guard else ""}{declared(locals_)}begin\n{block}\nend;'
    if draw.maybe(0.15):
        return f"ruleset p: {draw.one('S', 'T')} do {rule} end;"
    return rule


def _rule(draw: Draw, part: Part) -> tuple[tuple[str, ...], str]:
    return (), _plain_rule(draw, part.locals, part.block)


def _guarded(draw: Draw, part: Part) -> tuple[tuple[str, ...], str]:
    return (), _plain_rule(draw, part.locals, part.block, draw.boolean())


def _procedure(draw: Draw, part: Part) -> tuple[tuple[str, ...], str]:
    procedure = f"procedure work();\n{declared(part.locals)}begin\n{part.block}\nend;"
    calls = "work();" if draw.maybe(0.7) else f"work(); if {draw.boolean()} then work(); end;"
    return (procedure,), _plain_rule(draw, (), calls)


def _aliased(draw: Draw, part: Part) -> tuple[tuple[str, ...], str]:
    name, place = draw.random.choice((("ax", "x"), ("ay", "y"), ("aa", "a"), ("an", "n"), ("ar", "r")))
    inner = re.sub(rf"\b{place}\b(?!:)", name, part.block) if draw.maybe(0.7) else part.block
    return (), _plain_rule(draw, part.locals, f"alias {name}: {place} do\n{inner}\nend;")


def _function(draw: Draw, part: Part) -> tuple[tuple[str, ...], str]:
    """A function with effects, called by a rule."""
    block = re.sub(r"\breturn;", "return x;", part.block)
    body = f"{declared(part.locals)}begin\n{block}\nreturn {draw.one('x', 'z', 'true')};\nend;"
    function = f"function told(): boolean;\n{body}"
    use = draw.one(
        "z := told();", "if told() then x := false; end;", "x := told() & z;", "z := !told() | told();"
    )
    return (function,), _plain_rule(draw, (), use)


def _quantified(draw: Draw, part: Part) -> tuple[tuple[str, ...], str]:
    """A function called under a quantifier, in a guard or in a body."""
    block = re.sub(r"\breturn;", "return true;", part.block)
    result = draw.around("s")
    function = f"function told(s: S): boolean;\n{declared(part.locals)}begin\n{block}\nreturn {result};\nend;"
    test = f"{draw.one('exists', 'forall')} s: S do told(s) end"
    if draw.maybe():
        return (function,), _plain_rule(draw, (), "x := !x;", test)
    return (function,), _plain_rule(draw, (), f"z := ({test});")


def _turns(draw: Draw, part: Part) -> tuple[tuple[str, ...], str]:
    turns = draw.one("for turn: 0..1 do", "for turn := 1 to 2 do", "for turn: T do", "for turn: S do")
    return (), _plain_rule(draw, part.locals, f"{turns}\n{part.block}\nend;")


def _switched(draw: Draw, part: Part) -> tuple[tuple[str, ...], str]:
    test = draw.one(
        "switch t case P:", "switch n case 0, 1:", "switch x case true:", "if x then", "if a[y] then"
    )
    other = "else z := !z;" if draw.maybe() else ""
    end = "end;" if test.startswith("if") else "endswitch;"
    return (), _plain_rule(draw, part.locals, f"{test}\n{part.block}\n{other} {end}")


# Everything else

MOVING = {
    "a": ('ruleset i: S do rule "a" a[i] := !a[i]; end; end;',),
    "b": (
        'ruleset i: S do rule "b" b[i] := a[i]; end; end;',
        'ruleset i: S do rule "b" a[i] ==> b[i] := !b[i]; end; end;',
    ),
    "k": (
        'ruleset i: S do rule "k" k[i] < 2 ==> k[i] := k[i] + 1; end; end;',
        'ruleset i: S do rule "k" a[i] ==> k[i] := n; end; end;',
    ),
    "m": ('ruleset i: S; j: S do rule "m" i != j ==> m[i] := j; end; end;',),
    "q": (
        'ruleset i: S do rule "q" q[i].v := !q[i].v; end; end;',
        'ruleset i: S do rule "q" q[i].w := y; end; end;',
    ),
    "g": ('ruleset i: S; j: S do rule "g" a[i] & i != j ==> g[i][j] := !g[i][j]; end; end;',),
    "c": ('ruleset i: S do rule "c" c[i] := (c[i] = P ? Q : P); end; end;',),
    "d": ('ruleset j: T do rule "d" d[j] := !d[j]; end; end;',),
    "x": ('rule "x" x := !x; end;', 'rule "x" x := forall i: S do a[i] end; end;'),
    "z": ('rule "z" z := false; end;', 'rule "z" x ==> z := !z; end;'),
    "n": ('rule "n" n := (n = 2 ? 0 : n + 1); end;', 'rule "n" n := 0; end;'),
    "y": (
        'ruleset i: S do rule "y" y := i; end; end;',
        'ruleset i: S do rule "y" a[i] ==> y := i; end; end;',
    ),
    "r": ('ruleset i: S do rule "r" r.w := i; r.v := a[i]; end; end;',),
    "t": ('rule "t" t := (t = P ? Q : P); end;',),
    "u": ('ruleset i: S do rule "u" u := i; end; end;', 'ruleset i: T do rule "u" u := i; end; end;'),
    "net": (
        'ruleset i: S do rule "net" multisetcount(e: net, true) < 2 ==> var o: rec; begin '
        "o.w := i; o.v := false; multisetadd(o, net); end; end;",
        'ruleset i: S do rule "net" multisetcount(e: net, true) < 2 ==> var o: rec; begin '
        "o.w := i; o.v := a[i]; multisetadd(o, net); end; end;\n"
        'choose e: net do rule "drop" x ==> multisetremove(e, net); end; end;',
    ),
    "box": (
        'ruleset i: S; j: S do rule "box" multisetcount(e: box[i], true) < 2 & !a[i] ==> var o: rec; begin '
        "o.w := j; o.v := false; multisetadd(o, box[i]); end; end;",
    ),
}
"""Rules by which the variables get their values."""

STARTING = {
    "a": "for i: S do a[i] := false; end;",
    "b": "for i: S do b[i] := false; end;",
    "k": "for i: S do k[i] := 0; end;",
    "m": "for i: S do m[i] := i; end;",
    "q": "for i: S do q[i].v := false; q[i].w := i; end;",
    "g": "for i: S do for j: S do g[i][j] := i = j; end; end;",
    "c": "for i: S do c[i] := P; end;",
    "d": "for i: T do d[i] := false; end;",
    "x": "x := false;",
    "z": "z := false;",
    "n": "n := 0;",
    "y": "y := s;",
    "r": "r.v := false; r.w := s;",
    "t": "t := P;",
    "u": "u := s;",
    "net": "undefine net;",
    "box": "undefine box;",
}


def program(kind: str, leak: Leak, random: Random, other: Leak | None = None) -> Made:
    """One program around one leak, or around two."""
    draw = Draw(random)
    part = leak(draw)
    if other is not None:
        part = both(part, other(draw))
    rules = [wrapped(draw, part)]
    for _ in range(random.randint(0, 2)):
        rules.append(_noise(draw))
    text = "\n".join(rules)
    used = [name for name in VARIABLES if re.search(rf"\b{name}\b", text)]
    moving = [random.choice(MOVING[name]) for name in used if draw.maybe(0.85)]
    rules += [each for each in moving if draw.maybe(0.97)]
    if draw.undefined:
        rules += _undefining(draw, used)
    return Made(kind, _assembled(draw, rules), draw.size)


def _noise(draw: Draw) -> str:
    choices = (
        f'invariant "i{draw.random.randrange(9)}" {draw.boolean()};',
        f"cover {draw.boolean()};",
        f'ruleset i: S do rule "set" {draw.boolean("i")} ==> b[i] := {draw.boolean("i")}; end; end;',
        f'ruleset i: S do rule "own" {draw.boolean("i")} ==> y := i; end; end;',
        f'rule "all" for i: S do b[i] := {draw.one("a[i]", "!a[i]", "x", "a[i] & x", "i = y")}; end; end;',
        f"assume {draw.boolean()} | true;",
        f'rule "check" assert "kept" {draw.boolean()}; z := x; end;',
    )
    return draw.random.choice(choices)


def _undefining(draw: Draw, used: list[str]) -> list[str]:
    rules = {
        "y": 'rule "no y" undefine y; end;',
        "m": 'ruleset i: S do rule "no m" undefine m[i]; end; end;',
        "a": 'ruleset i: S do rule "no a" b[i] ==> undefine a[i]; end; end;',
        "b": 'ruleset i: S do rule "no b" a[i] ==> undefine b[i]; end; end;',
        "x": 'rule "no x" undefine x; end;',
        "q": 'ruleset i: S do rule "no q" undefine q[i]; end; end;',
        "r": 'rule "no r" undefine r.w; end;',
        "u": 'rule "no u" undefine u; end;',
    }
    return [rules[name] for name in used if name in rules and draw.maybe(0.6)]


def _assembled(draw: Draw, parts: list[str]) -> str:
    text = "\n".join(parts)
    used = set()
    for _ in range(3):  # rules and start values use further variables
        used = {name for name in VARIABLES if re.search(rf"\b{name}\b(?!:)", text)}
        text = "\n".join([*parts, *(STARTING[name] for name in used)])
    order = [name for name in VARIABLES if name in used]
    start = "\n  ".join(STARTING[name] for name in order)
    if draw.maybe(0.3) and "a" in used:
        start += "\n  a[s] := true;"
    if draw.undefined and draw.maybe(0.4):
        start += "\n  " + draw.one(*[f"undefine {name};" for name in order] or ["x := false;"])
    needs_element = re.search(r"\bs\b", start)
    starting = f"startstate begin\n  {start}\nend;"
    if needs_element or draw.maybe(0.3):
        starting = f"ruleset s: S do {starting} end;"
    variables = "\n".join(f"  {name}: {VARIABLES[name]};" for name in order)
    return f"{_types(draw, text)}var\n{variables}\n{text_of(parts, functions=True)}\n{starting}\n{text_of(parts)}\n"


def text_of(parts: list[str], *, functions: bool = False) -> str:
    """Functions stand before what calls them; a part begins with its functions, which go along with it."""
    chosen = [each for each in parts if each.lstrip().startswith(("function", "procedure")) == functions]
    return "\n".join(chosen)


def _types(draw: Draw, text: str) -> str:
    names = ", ".join(LETTERS[: draw.size])
    sort = {
        "scalarset": f"scalarset({draw.size})",
        "enum": f"enum {{{names}}}",
        "range": f"0..{draw.size - 1}",
    }[draw.kind]
    both = "" if draw.kind == "range" else "  both: union {S, T};\n"
    record_ = "  rec: record v: boolean; w: S; end;\n"
    return f"type\n  S: {sort};\n  T: enum {{P, Q}};\n  num: 0..2;\n{record_}{both}"
