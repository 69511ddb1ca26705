"""Nets in which some permutation looks like a symmetry and is none: every route and engine has the counts and verdicts of
the net as it is, and the group is what is left."""

from __future__ import annotations

from pathlib import Path

import burnside
import pytest

TYPES = """
type T = unordered 3
type R = cyclic 0 .. 2
type U = unordered {u, v, w}
"""

NETS = {
    "a constant in a guard": (4, 2, """
place p: T = all
place q: T
var x: T
transition t(x)
 in p: x
 guard x != 2
 out q: x
"""),
    "a table and a claim about its values": (8, 1, """
function f: T -> U = {1 -> u, 2 -> v, else -> w}
place p: T = all
place q: U
var x: T
transition t(x)
 in p: x
 out q: f(x)
invariant not q has v or q has u or q has w or p has 1
"""),
    "a constant in a condition": (8, 2, """
place p: T = all
place q: nat
var x: T
transition t(x)
 in p: x
 out q: if x = 1 then 2 else 3
goal q has 2 and q has 3
"""),
    "bound names that hide a variable": (8, 2, """
place p: T = all
place q: T
var x: T
transition t(x)
 in p: x
 guard forall x: T . (exists x: T . x = 1) and x = x
 out q: x
invariant exists x: T . p has x and (forall x: T . not q has x or x != 3) or q has 3
"""),
    "a bound name beside an equation": (4, 2, """
place p: T = all
place q: T
var x,y: T
transition t(x,y)
 in p: x
 guard (exists y: T . y != x and y = 2) and y = x
 out q: y
"""),
    "the way around a ring": (26, 1, """
place p: R = all
place q: R
var x,y: R
transition t(x,y)
 in p: x
 guard between(x, y, succ(y)) or distance(x,y) = 2
 out q: y
invariant not q has 0 or not q has 1
"""),
    "distances": (2, 1, """
place p: R = 0 + 1
place q: R
var x,y: R
transition t(x,y)
 in p: x + y
 guard distance(x,y) = 1
 out q: x
"""),
    "an order that takes the smaller one": (4, 1, """
type O = enum 3
place p: O = all
place q: O
var x,y: O
transition t(x,y)
 in p: x + y
 guard x < y
 out q: x
"""),
    "an order that takes both": (4, 6, """
type O = enum 3
place p: O = all
place q: O
var x,y: O
transition t(x,y)
 in p: x + y
 guard x < y
 out q: 2'x, q: 2'y
"""),
    "keys of maps in a claim": (27, 2, """
place m: map(T, U) = {c: T -> u}
var f: map(T,U)
var x: T
var z: U
transition t(f,x,z)
 in m: f
 guard f[x] = u and z != u
 out m: f[x := z]
invariant forall f: map(T,U) . if m has f then f[1] != w or f[2] != w else true
"""),
    "lists in a goal": (40, 2, """
place l: list(T) = 1'[]
var s: list(T)
var x: T
transition t(s,x)
 in l: s
 guard size(s) < 3
 out l: add_last(s, x)
goal exists x: T . l has [x, x, 1]
"""),
    "the beginning of a list": (4, 1, """
place l: list(T) = 1'[1,2,3]
place q: T
var s: list(T)
transition t(s)
 in l: s
 out q: s[1], l: drop_first(s)
"""),
    "alternatives of a union": (8, 12, """
type N = union(one: T, two: U, none)
place p: N = all
place q: N
var n: N
transition t(n)
 in p: n
 guard if n is one then (n as one) != 2 else n is none
 out q: n
"""),
    "no value for one element": (4, 2, """
place p: T = all
place q: T
var x: T
function pick(x: T): T = if x = 1 then err else x
transition t(x)
 in p: x
 out q: pick(x)
"""),
    "a guard without a value": (2, 1, """
place p: T = all
place n: nat = 2
var x: T
var k: nat
transition t(x,k)
 in p: x, n: k
 guard k - position(x) >= 0 or x = x
 out n: k - position(x)
"""),
    "how many others there are": (8, 2, """
place p: T = all
place q: nat = 0
var x: T
var k: nat
transition t(x,k)
 in p: x, q: k
 out q: k + size({y: T | y != x and y != 2})
"""),
    "one pair left out": (256, 4, """
type P = struct(T,U)
place p: P = all
var x: T
var z: U
transition t(x,z)
 in p: <x,z>
 guard not (x = 1 and z = u)
"""),
    "two types that move together": (8, 2, """
function f: T -> U = {1 -> u, 2 -> v, 3 -> w}
type P = struct(T,U)
place p: P = multiset({a: P | f(a.1) = a.2})
place q: T
var x: T
var z: U
transition t(x,z)
 in p: <x,z>
 out q: x
invariant not (q has 1 and q has 2)
"""),
    "numbers of tokens at the start": (12, 2, """
place p: T = 2'1 + 1'2 + 1'3
place q: T
var x: T
transition t(x)
 in p: x
 out q: x
"""),
    "a table in a claim": (8, 1, """
function f: T -> T = {1 -> 2, 2 -> 3, 3 -> 1}
place p: T = all
place q: T
var x: T
transition t(x)
 in p: x
 out q: x
invariant forall x: T . not q has x or p has f(x) or q has 2
"""),
    "complements": (5, 2, """
place s: set(T) = 1'{}
var a: set(T)
var x: T
transition t(a,x)
 in s: a
 guard complement(a) has x and x != 3 or size(a) = 2 and not a has x
 out s: union(a, {x})
"""),
    "multisets inside of tokens": (8, 2, """
place b: multiset(T) = 1'(1'(1) + 1'(2))
var m: multiset(T)
var x: T
transition t(m,x)
 in b: m
 guard count(m, x) < 2 and size(m) < 4
 out b: 1'(m + 1'x)
"""),
    "two variables one of which is a constant": (5, 2, """
place p: T = all
place q: struct(T,T)
var x,y: T
transition t(x,y)
 in p: x + y
 guard x != y and (x = 1 or y = 1)
 out q: <x,y>
"""),
    "elements by their number": (3, 1, """
place p: T = all
place n: nat = 0
var x: T
var k: nat
transition t(x,k)
 in p: x, n: k
 guard x = element(T, k)
 out n: k + 1
"""),
}  # fmt: skip
"""States, the order of the group, the net."""

# Where a claim has no value in some unreachable marking, the unfolded net cannot be asked for it.
DIRECTLY = ("keys of maps in a claim",)

OPTIONS: tuple[dict[str, object], ...] = (
    {"reduce": "none", "unfold": False},
    {"reduce": "none", "unfold": True},
    {"reduce": "none", "engine": "reference"},
    {"reduce": "search", "unfold": False},
    {"reduce": "search", "unfold": True},
    {"reduce": "nauty", "unfold": False},
    {"reduce": "flood", "unfold": False},
    {"reduce": "search", "automorphisms": True},
    {"reduce": "minimise", "engine": "reference"},
)


@pytest.mark.parametrize("name", NETS)
def test_only_symmetries_are_used(name: str, tmp_path: Path) -> None:
    states, order, text = NETS[name]
    path = tmp_path / "net.hln"
    path.write_text(TYPES + text if "enum" not in text else text)
    assert burnside.symmetries(path).order == order
    verdicts = set()
    for options in OPTIONS:
        if name in DIRECTLY and (options.get("unfold") or options.get("automorphisms")):
            continue
        outcome = burnside.check(path, keep_going=True, **options)  # type: ignore[arg-type]
        found = outcome.states if options["reduce"] == "none" else outcome.full_states
        assert found == states, options
        verdicts.add(tuple(each.verdict for each in outcome.properties))
    assert len(verdicts) == 1
