"""Parts of random B machines in which elements of an enumerated set may be distinguished.

Most are alternatives of one operation's body (`BODIES`): `@0` and `@1` are two elements, `@!` is all of them, `@` in a
repeated part each of them in turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from burnside.records import record


class Draw:
    """Draws texts over the enumerated set S = {a, b, ...}."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.size = random.choice((2, 2, 3))
        self.others = random.choice((2, 3))
        self.elements = ("a", "b", "c")[: self.size]

    def one(self, *choices: str) -> str:
        return self.random.choice(choices)

    def maybe(self, chance: float = 0.5) -> bool:
        return self.random.random() < chance

    def named(self, text: str) -> str:
        first, second = self.random.sample(self.elements, 2)
        return text.replace("@!", ", ".join(self.elements)).replace("@0", first).replace("@1", second)

    def each(self, template: str, joint: str, *, odd: float = 0.15) -> str:
        """The text for each element, joined; now and then one of them is another's."""
        parts = [template.replace("@", element) for element in self.elements]
        if self.maybe(odd):
            parts[-1] = re.sub("@", self.elements[0], template, count=1).replace("@", self.elements[-1])
        return joint.join(parts)


@record
class Part:
    """Operations, and further text of the machine by clause."""

    operations: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    definitions: tuple[str, ...] = ()
    constants: tuple[tuple[str, str], ...] = ()


Leak = Callable[[Draw], Part]
LEAKS: dict[str, Leak] = {}


def leak(function: Leak) -> Leak:
    LEAKS[function.__name__.replace("_", " ")] = function
    return function


def operation(body: str, head: str = "go") -> str:
    block = body.split()[0] in ("SELECT", "IF", "ANY", "CASE", "CHOICE", "ASSERT", "VAR")
    return f"{head} = {body}" if block else f"{head} = BEGIN {body} END"


BODIES: dict[str, tuple[str, ...]] = {
    "sequences of elements": (
        "l := [@!] /|\\ 2", "x := first([@!])", "SELECT l /= [] THEN x := last(l) END", "l := rev(l)", "n := card({@!})",
        "n := size([@!])", "v := ran([@!] /|\\ 1)", "SELECT l /= [] THEN s := s - {first(l)} END", "v := ran([@0, @1])",
    ),
    "folds": (
        "n := min({9, SIGMA(i).(i : s | k(i))})", "n := PI(i).(i : {@!} | k(i)) mod 9", "n := card({i | i : s & i /= @0})",
        "n := min(k[{@!}])", "n := max(k[{@0, x}])", "n := min({9, SIGMA(i).(i : {@0} | k(i)) + k(@1)})",
        "n := min({9, 2 * k(@0) + k(@1)})", "n := min({9, k(@0) + k(@1)})", "n := max({0, k(@0) - k(@1)})",
    ),
    "relations of names": (
        "f := {@0 |-> @1, @1 |-> @0}", "f := {@0 |-> @1}", "f := {@0 |-> @0, @1 |-> @1}", "s := f[{@0}] \\/ f~[{@1}]",
        "f := f <+ {@0 |-> @1}", "v := ({@0 |-> @1, @1 |-> @0} ; f)[s]", "f := {@0, @1} <| f", "f := {@0} <<| f |>> {@1}",
        "SELECT x : {@0, @1} THEN x := {@0 |-> @1, @1 |-> @0}(x) END", "f := closure1({@0 |-> @1})", "v := f[{@0, @1}]",
    ),
    "records of names": (
        "y := rec(e: @0, m: 1)", "y'e := @0", "IF y'e = @0 THEN y'm := 2 END", "y :: struct(e: {@0, @1}, m: {1})",
        "IF y = rec(e: @0, m: 1) or y = rec(e: @1, m: 1) THEN h := TRUE END", "y :: struct(e: {@0, @1}, m: {0, 1})",
    ),
    "deferred and enumerated": (
        "to := D * {@0}", "to := dd * {@0} \\/ (D - dd) * {@1}", "s := to[dd]", "x :: {@0, @1}", "dd := to~[{@0}]",
        "n := card(to~[{@0}]) + card(to~[{@1}])", "to := dd * {x}", "dd := D - dd",
    ),
    "starting over": (
        "s := {@0} || x := @1", "x :: {@0, @1}", "s, v := {@0}, {@1}", "s :: {{@0}, {@1}}", "s := {@0} || v := {@1}",
        "ANY i WHERE i : {@0, @1} THEN x := i END", "ss := {{@0}, {@1}}", "ss := {{@0}, {@0, @1}}",
    ),
    "chosen elements": (
        "ANY i WHERE i : {@!} THEN x := i END", "ANY i WHERE i : S & i /= @0 THEN x := i END",
        "ANY i WHERE i : s & @0 /: s THEN x := i END", "ANY i WHERE i : S & (i = @0 => h = TRUE) THEN s := s \\/ {i} END",
        "ANY i, j WHERE i : S & j : S & {i, j} = {@0, @1} THEN f(i) := j END", "x :: S - {@0, @1} \\/ {x}",
    ),
    "loops over elements": (
        "VAR rest IN rest := s; WHILE rest /= {} DO ANY i WHERE i : rest THEN x := i || rest := rest - {i} END "
        "INVARIANT rest <: S VARIANT card(rest) END END",
        "VAR rest IN rest := s; WHILE rest /= {} DO IF @0 : rest THEN x := @0; rest := rest - {@0} ELSE rest := {} END "
        "INVARIANT rest <: S VARIANT card(rest) END END",
        "VAR rest IN rest := s; WHILE rest /= {} DO ANY i WHERE i : rest & (@0 : rest => i = @0) THEN x := i || "
        "rest := rest - {i} END INVARIANT rest <: S VARIANT card(rest) END END",
    ),
    "numbers of elements": (
        "n := card(s \\/ {@0})", "n := card({s, {@0}, {@1}})", "h := bool(card(s) = card(v))", "n := card(f)",
        "h := bool(s <: {@0, @1})", "IF card({x, @0, @1}) = 2 THEN h := TRUE END", "n := card({@0 |-> 1, @1 |-> 2})",
    ),
}  # fmt: skip

RESULTS = (
    "out <-- ask = out := x", "out <-- ask = out := bool(x = @0)", "out <-- ask = out := {@0, @1} /\\ s",
    "out <-- ask = out :: S", "out <-- ask(i) = PRE i : S & i /= @0 THEN out := f[{i}] END", "out <-- ask = out := card(s)",
)  # fmt: skip


def _of_bodies(bodies: tuple[str, ...]) -> Leak:
    return lambda draw: Part((operation(draw.named(draw.one(*bodies))),))


LEAKS.update({name: _of_bodies(bodies) for name, bodies in BODIES.items()})
LEAKS["results"] = lambda draw: Part((draw.named(draw.one(*RESULTS)),))


# One operation for each element


def _numbered(draw: Draw, body: str, alternatives: tuple[str, ...]) -> Part:
    """`@` is the element, `?` one of two alternatives, in turn."""
    both = draw.random.choices(alternatives, k=2)
    operations = [
        operation(body.replace("@", element).replace("?", both[at % 2]), f"op_{at}")
        for at, element in enumerate(draw.elements)
    ]
    return Part(tuple(operations))


@leak
def sets_of_types(draw: Draw) -> Part:
    """Sets that only their types distinguish."""
    return _numbered(
        draw,
        "s := {@} || n := min({9, ?})",
        ("card(S)", "card(T)", "card(POW(S))", "card(S * T)", "card(T * S)"),
    )


@leak
def comprehensions_of_types(draw: Draw) -> Part:
    sets = ("{i | i : S & i = i}", "{i | i : T & i = i}", "{i | i : S & i : s}", "{i, j | i : S & j : T}")
    return _numbered(draw, "s := {@} || n := card(?)", sets)


@leak
def quantified_types(draw: Draw) -> Part:
    tests = (
        "!i.(i : S => i : s)",
        "!i.(i : T => i = w)",
        "#i.(i : S & i /: s)",
        "#i.(i : T & i /= w)",
        "#i.(i : T & #j.(j : T & i /= j))",
    )
    return _numbered(draw, "SELECT ? THEN x := @ END", tests)


@leak
def two_sets_together(draw: Draw) -> Part:
    return _numbered(draw, f"SELECT {draw.one('w', 'w', 'g(x)')} = ? THEN x := @ END", ("p", "q"))


@leak
def named_in_operations(draw: Draw) -> Part:
    body = draw.one(
        "s := s \\/ {@}", "x := @", "f(@) := x", "k(@) := 1", "v := {@}", "y'e := @", "l := [@]", "g(@) := w"
    )
    guard = draw.one("TRUE = TRUE", "@ : s", "x = @", "h = TRUE")
    texts = draw.each(f"SELECT {guard} THEN {body} END", "\n", odd=0.4).split("\n")
    return Part(tuple(operation(text, f"op_{at}") for at, text in enumerate(texts)))


# One operation that names each element


@leak
def conditions_in_turn(draw: Draw) -> Part:
    """IF has an order, SELECT has none."""
    body = draw.one("x := @", "s := {@}", "n := 1", "f(@) := @")
    if draw.maybe():
        return Part((f"go = IF {draw.each(f'@ : s THEN {body}', ' ELSIF ')} ELSE h := TRUE END",))
    return Part((f"go = SELECT {draw.each(f'@ : s THEN {body}', ' WHEN ')} END",))


@leak
def steps_in_turn(draw: Draw) -> Part:
    """A sequence of substitutions has an order, parallel ones have none."""
    bodies = (
        "IF @ : s THEN x := @ END", "k(@) := n; n := 1", "v := v \\/ {@}", "n := (n + k(@)) mod 9",
        "IF n = 0 THEN x := @ END; n := 1", "s := s - {@}",
    )  # fmt: skip
    return Part((f"go = BEGIN {draw.each(draw.one(*bodies), '; ')} END",))


@leak
def cases(draw: Draw) -> Part:
    bodies = ("s := {@}", "k(@) := 1", "n := 1", "h := TRUE")
    parts = [f"{element} THEN {draw.one(*bodies).replace('@', element)}" for element in draw.elements]
    return Part((f"go = CASE x OF EITHER {' OR '.join(parts)} END END",))


@leak
def choices(draw: Draw) -> Part:
    body = draw.one("s := {@}", "x := @", "IF @ : s THEN v := {@} END", "k(@) := 2")
    return Part((f"go = CHOICE {draw.each(body, ' OR ', odd=0.3)} END",))


@leak
def failing_steps(draw: Draw) -> Part:
    test = draw.each(draw.one("@ : s", "x = @", "k(@) < 2", "@ : dom(f)"), draw.one(" & ", " or "))
    bodies = (
        "ASSERT ? THEN n := 1 END",
        "ASSERT ? THEN x := first(l) END",
        "IF ? THEN x := f(x) ELSE n := 1 / n END",
    )
    return Part((operation(draw.one(*bodies).replace("?", test)),))


@leak
def undefined_parts(draw: Draw) -> Part:
    """Undefined operands, in either order."""
    test = draw.one("f(@) = @", "first(l) = @", "k(f(@)) = 1", "10 / k(@) > 3")
    joined = draw.each(test, draw.one(" & ", " or "), odd=0.2)
    bodies = ("h := bool(?)", "SELECT ? THEN h := TRUE END", "ANY i WHERE i : S & (?) THEN x := i END")
    return Part((operation(draw.one(*bodies).replace("?", joined)),))


# Claims, definitions, constants


@leak
def claims_about_elements(draw: Draw) -> Part:
    template = draw.one("@ : s", "@ /: v", "x /= @", "f[{@}] <: s", "k(@) <= 1", "@ /: ran(l)")
    chosen = draw.elements[: 1 + draw.random.randrange(draw.size)]
    claims = tuple(template.replace("@", element) for element in chosen)
    return Part(
        (), claims if draw.maybe() else (draw.one(" & ", " or ").join(f"({each})" for each in claims),)
    )


@leak
def goals_about_elements(draw: Draw) -> Part:
    template = draw.one("@ : s", "x = @", "f[{@}] = {@}")
    return Part(definitions=(f"GOAL == ({draw.each(template, draw.one(' & ', ' or '), odd=0.3)})",))


@leak
def behind_a_definition(draw: Draw) -> Part:
    body = draw.one(
        "s := {CHOSEN}",
        "x := CHOSEN",
        "IF CHOSEN : s THEN h := TRUE END",
        "SELECT x = CHOSEN THEN v := {} END",
    )
    return Part((operation(body),), definitions=(f"CHOSEN == {draw.one(*draw.elements, 'x', 'x')}",))


@leak
def order_through_numbers(draw: Draw) -> Part:
    ranks = list(range(draw.size))
    if draw.maybe(0.3):
        ranks[-1] = ranks[0]
    table = ", ".join(f"{element} |-> {rank}" for element, rank in zip(draw.elements, ranks, strict=True))
    bodies = (
        "n := RANK(x)", "x := RANK~(0)", "SELECT s /= {} THEN n := min(RANK[s]) END", "n := card(RANK[s])",
        "v := RANK~[{0}]", "n := SIGMA(i).(i : s | RANK(i))", "v := dom(RANK |> {0, 1})", "h := bool(RANK(x) < 1)",
    )  # fmt: skip
    return Part((operation(draw.one(*bodies)),), definitions=(f"RANK == {{{table}}}",))


@leak
def strings_for_names(draw: Draw) -> Part:
    table = ", ".join(f'{element} |-> "{draw.one("none", "some", element)}"' for element in draw.elements)
    body = draw.one("word := CALLED(x)", 'v := CALLED~[{"some"}]', "n := card(ran(CALLED))")
    return Part((operation(body),), definitions=(f"CALLED == {{{table}}}",))


@leak
def functions_for_names(draw: Draw) -> Part:
    value = draw.one("card({i} /\\ {@0})", "card({i})", "k(i)", "card({i, @0, @1})")
    body = draw.one("n := RANK(x)", "n := card(ran(RANK))", "v := RANK~[{1}]")
    return Part((operation(body),), definitions=(draw.named(f"RANK == %i.(i : S | {value})"),))


CONSTANTS = {
    "order : S --> 0..1": ("n := order(x)", "v := order~[{0}]", "n := max(ran(order))"),
    "order : S >-> 0..3": ("n := order(x)", "v := order~[{0}]", "n := max(ran(order))"),
    "order : S --> 0..1 & @0 : order~[{0}]": ("n := order(x)", "v := order~[{0}]"),
    "order : perm(S)": ("x := first(order)", "x := last(order)", "v := ran(order)"),
    "order : iseq(S) & order /= []": ("x := first(order)", "v := ran(order)"),
    "order : perm(S) & first(order) = @0": ("x := first(order)", "x := last(order)"),
    "order <: S": ("v := order", "n := card(order)", "SELECT x : order THEN h := TRUE END"),
    "order <: S & @0 : order": ("v := order", "n := card(order)", "SELECT x : order THEN h := TRUE END"),
    "order : S & order /= @0": ("x := order", "s := s \\/ {order}", "SELECT x = order THEN h := TRUE END"),
    "order : {@0, @1}": ("x := order", "s := s \\/ {order}", "SELECT x = order THEN h := TRUE END"),
    "order = @0": ("x := order", "SELECT x = order THEN h := TRUE END"),
}


@leak
def constants(draw: Draw) -> Part:
    typing = draw.one(*CONSTANTS)
    return Part((operation(draw.one(*CONSTANTS[typing])),), constants=(("order", draw.named(typing)),))
