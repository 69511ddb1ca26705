"""Random expressions and predicates of Z, as text, over the variables of one small specification.

A kind is a type with a promise: a sequence is a relation that is one, a bag a function to positive numbers. Rows of tables
say what may be written for a kind; `Maker` draws numbers from whoever asks for a text, so that hypothesis can shrink what it
finds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from burnside.records import record

from tests.z_values import Atom, Built, Value, bag, binding, sequence

Pick = Callable[[int, int], int]


@record
class Kind:
    """`N` numbers, `X` a given set, `C` constants, `T` data, `R` records; `P` sets, `Q` sequences, `B` bags; `pair`."""

    name: str
    parts: tuple[Kind, ...] = ()

    @property
    def is_relation(self) -> bool:
        return self.name == "P" and self.parts[0].name == "pair"


@cache
def kind(text: str) -> Kind:
    """`P(X)`, `(X,N)`, and `L(X,N)` for `P((X,N))`. Small letters stand for any simple kind."""
    found, rest = _kind(text)
    assert not rest, text
    return found


def _kind(text: str) -> tuple[Kind, str]:
    if text[0] in "(L":
        left, rest = _kind(text[1:] if text[0] == "(" else text[2:])
        right, rest = _kind(rest[1:])
        pair = Kind("pair", (left, right))
        return (pair if text[0] == "(" else Kind("P", (pair,))), rest[1:]
    if text[0] in "PQB":
        inner, rest = _kind(text[2:])
        return Kind(text[0], (inner,)), rest[1:]
    return Kind(text[0]), text[1:]


SIMPLE = tuple(map(kind, "NXC"))
NAMED = """
a:X b:X c:C o:T m:N n:N s:P(X) t:P(X) d:P(N) r:L(X,C) e:L(X,X) f:L(X,N) g:L(C,X) k:L(N,X) q:Q(X) u:Q(X) w:Q(N) h:B(X)
z:R v:P(R) p:(X,C)
"""
VARIABLES = {name: kind(text) for name, text in (each.split(":") for each in NAMED.split())}
Scope = Mapping[str, Kind]

SPECIFICATION = r"""
\begin{zed}
  [X] \also
  C ::= red | green \also
  T ::= leaf | node \ldata X \rdata \also
  R \defs [ own : X; many : \num ] \also
  Narrow \defs [ own : X; many : 0 \upto 1 ] \also
  Near \defs [ a : X; s : \power X | a \in s ] \also
  S \defs [ DECLARATIONS ] \also
  Init \defs [ S' ]
\end{zed}
"""

TOTAL = r"""
N  (<N> {+|-|*} <N>)
N  (-(<N>))
N  (\# <P(x)>)
N  (\# <Q(x)>)
N  (<B(X)> \bcount <X>)
N  (count~(<B(X)>)~(<X>))
N  (<R>.many)
X  (<R>.own)
X  (first~(<(X,x)>))
C  (second~(<(x,C)>))
T  (node~(<X>))
T  leaf
C  {red|green}
R  \lblot own == <X>, many == <N> \rblot
(x,y)  (<x>, <y>)
(x,y)  (<x> \mapsto <y>)
x  (\IF <?> \THEN <x> \ELSE <x>)
P(x)  \{ <x>, <x> \}
P(x)  \{ <x>, <x>, <x> \}
P(x)  (<P(x)> {\cup|\cap|\setminus} <P(x)>)
P(x)  (\bigcup <P(P(x))>)
P(x)  (\ran <Q(x)>)
P(x)  (\dom <L(x,y)>)
P(x)  (\ran <L(y,x)>)
P(x)  (<L(y,x)> \limg <P(y)> \rimg)
P(N)  ({0|1|2} \upto <N>)
P(X)  (\bigcap <P(P(X))>)
P(C)  (\bigcap <P(P(C))>)
P(X)  X
P(C)  C
P(T)  T
P(R)  Narrow
P(P(X))  ({\power|\power_1|\finset|\finset_1} <P(X)>)
P(P(C))  ({\power|\power_1|\finset|\finset_1} <P(C)>)
L(x,y)  (<P(x)> \cross <P(y)>)
L(x,y)  (<P(x)> {\dres|\ndres} <L(x,y)>)
L(x,y)  (<L(x,y)> {\rres|\nrres} <P(y)>)
L(x,y)  (<L(x,y)> \oplus <L(x,y)>)
L(x,y)  (<L(x,z)> \comp <L(z,y)>)
L(x,y)  (<L(z,y)> \circ <L(x,z)>)
L(x,y)  ((<L(y,x)>) \inv)
L(x,y)  \{ <x> \mapsto <y> \}
L(x,y)  \{ <x> \mapsto <y>, <x> \mapsto <y> \}
L(x,x)  ((<L(x,x)>) \plus)
L(x,x)  (\id <P(x)>)
L(x,x)  ((<L(x,x)>) \bsup {1|2|3} \esup)
L(X,X)  ((<L(X,X)>) \star)
L(X,X)  ((<L(X,X)>) \bsup <N> \esup)
L(C,C)  ((<L(C,C)>) \star)
L(N,x)  <Q(x)>
L(x,N)  <B(x)>
Q(x)  \langle <x>, <x> \rangle
Q(x)  \langle <x> \rangle
Q(x)  \emptyset[\num \cross <:x>]
Q(x)  (<Q(x)> \cat <Q(x)>)
Q(x)  (rev~(<Q(x)>))
Q(x)  (<Q(x)> \filter <P(x)>)
Q(x)  (<P(N)> \extract <Q(x)>)
Q(x)  (\dcat \langle <Q(x)>, <Q(x)> \rangle)
Q(x)  (squash~((<P(N)> \cap (1 \upto 3)) \dres <Q(x)>))
B(x)  \lbag <x>, <x> \rbag
B(x)  (<B(x)> {\uplus|\uminus} <B(x)>)
B(x)  ({0|1|2} \otimes <B(x)>)
B(x)  (items~(<Q(x)>))
"""
PARTIAL = r"""
N  (<N> {\div|\mod} <N>)
N  ({min|max}~(<P(N)>))
N  (succ~(<N>))
X  ({head|last}~(<Q(X)>))
x  (<L(y,x)>~(<y>))
x  (<Q(x)>~(<N>))
Q(x)  ({tail|front}~(<Q(x)>))
Q(x)  (squash~(<L(N,x)>))
B(x)  (<N> \otimes <B(x)>)
R  (\mu Narrow | own = <X> \land many \in \{ <N> \})
R  (\mu Narrow | own = <X> \land many \in \{ <N> \} @ \theta Narrow)
"""
IMPROPER = r"""
N  (\# (<L(N,x)> \filter <P(x)>))
Q(x)  (<L(N,x)> \cat <Q(x)>)
Q(x)  (<L(N,x)> \filter <P(x)>)
Q(x)  (<P(N)> \extract <L(N,x)>)
Q(x)  (rev~(<L(N,x)>))
N  (<L(x,N)> \bcount <x>)
B(x)  (<L(x,N)> \uplus <B(x)>)
B(x)  (<B(x)> \uminus <L(x,N)>)
B(x)  (items~(<L(N,x)>))
B(x)  ({0|1|2} \otimes <L(x,N)>)
?  <L(N,x)> {\prefix|\suffix|\inseq} <Q(x)>
?  <Q(x)> {\prefix|\suffix|\inseq} <L(N,x)>
?  <x> \inbag <L(x,N)>
?  <L(x,N)> \subbageq <B(x)>
?  <B(x)> \subbageq <L(x,N)>
"""
"""What is given to operators on sequences and bags need not be one."""
ATOMS = r"""
?  <x> {=|\neq} <x>
?  <P(x)> {=|\neq} <P(x)>
?  <Q(x)> = <Q(x)>
?  <(x,y)> = <(x,y)>
?  <T> = <T>
?  <R> = <R>
?  <x> {\in|\notin} <P(x)>
?  <R> \in <P(R)>
?  <T> \in <P(T)>
?  <N> {<|\leq|>|\geq} <N>
?  <N> < <N> \leq <N>
?  <P(x)> {\subseteq|\subset} <P(x)>
?  <P(N)> \subseteq \nat
?  <N> \in {\nat|\nat_1|\num}
?  <Q(x)> {\prefix|\suffix|\inseq} <Q(x)>
?  <X> \inbag <B(X)>
?  <B(X)> \subbageq <B(X)>
?  <L(x,y)> \in (<P(x)> {\rel|\pfun|\fun|\pinj|\inj|\psurj|\surj|\bij|\ffun|\finj} <P(y)>)
?  <Q(x)> \in ({\seq|\seq_1|\iseq} <P(x)>)
?  <L(N,x)> \in ({\seq|\seq_1|\iseq} <P(x)>)
?  <L(x,N)> \in (\bag <P(x)>)
?  <P(x)> \in ({\power|\finset_1} <P(x)>)
?  <(x,y)> \in (<P(x)> \cross <P(y)>)
?  \disjoint \langle <P(x)> \rangle
?  \disjoint \langle <P(x)>, <P(x)>, <P(x)> \rangle
?  \disjoint <L(X,P(x))>
?  \langle <P(x)>, <P(x)> \rangle \partition <P(x)>
?  <L(X,P(x))> \partition <P(x)>
?  {true|false}
"""
COMPOUND = r"""
?  (<?> {\land|\lor|\implies|\iff} <?>)
?  \lnot (<?>)
"""
PLACE = re.compile(r"<(?!\|| )(:?)([^<> ]*)>")
CHOICE = re.compile(r"(?<![\\a-z])\{([^{} ]+)\}")
SETS = {"N": r"\num", "X": "X", "C": "C", "T": "T", "R": "R"}


@cache
def rows(table: str) -> tuple[tuple[Kind, str], ...]:
    split = (line.split("  ", 1) for line in table.splitlines() if line)
    return tuple((kind(left), text) for left, text in split)


def matched(pattern: Kind, wanted: Kind) -> dict[str, Kind] | None:
    """What small letters of the pattern stand for."""
    if pattern.name.islower() and pattern.name != "pair":
        return {pattern.name: wanted}
    if pattern.name != wanted.name:
        return None
    found: dict[str, Kind] = {}
    for part, other in zip(pattern.parts, wanted.parts, strict=True):
        inner = matched(part, other)
        if inner is None or any(found.get(name, own) != own for name, own in inner.items()):
            return None
        found |= inner
    return found


def filled(pattern: Kind, known: Mapping[str, Kind]) -> Kind:
    return known.get(pattern.name) or Kind(pattern.name, tuple(filled(each, known) for each in pattern.parts))


def type_text(of: Kind) -> str:
    """The set of all values of its type."""
    inner = [type_text(each) for each in of.parts]
    match of.name:
        case "P":
            return rf"(\power {inner[0]})"
        case "Q":
            return rf"(\power (\num \cross {inner[0]}))"
        case "B":
            return rf"(\power ({inner[0]} \cross \num))"
        case "pair":
            return rf"({inner[0]} \cross {inner[1]})"
        case name:
            return SETS[name]


class Impossible(Exception):
    """There is no total expression of this kind here."""


class Maker:
    """`is_total`: with only what is defined everywhere. `is_proper`: sequences and bags where they are wanted."""

    def __init__(self, pick: Pick, *, is_total: bool = False, is_proper: bool = True) -> None:
        self.pick = pick
        self.is_total = is_total
        self.expressions = TOTAL + ("" if is_total else PARTIAL) + ("" if is_proper else IMPROPER)
        self.atoms = ATOMS + ("" if is_proper else IMPROPER)
        self.names = 0

    def one(self, options: Sequence[Any]) -> Any:
        return options[self.pick(0, len(options) - 1)]

    def flip(self, percent: int) -> bool:
        return self.pick(0, 99) < percent

    def fresh(self, scope: Scope) -> str:
        """Now and then a name that hides another one."""
        if scope and self.flip(10):
            return str(self.one(tuple(scope)))
        self.names += 1
        return f"x{self.names}"

    # Values of variables

    def value(self, of: Kind) -> Value:
        match of.name:
            case "N":
                return self.pick(-1, 3)
            case "X":
                return Atom("X", self.pick(1, 2))
            case "C":
                return Built(self.one(("red", "green")))
            case "T":
                return Built("node", Atom("X", self.pick(1, 2))) if self.flip(60) else Built("leaf")
            case "R":
                return binding({"own": Atom("X", self.pick(1, 2)), "many": self.pick(0, 2)})
            case "pair":
                return tuple([self.value(each) for each in of.parts])
        values = [self.value(of.parts[0]) for _ in range(self.pick(0, 3))]
        match of.name:
            case "Q":
                return sequence(values)
            case "B":
                return bag({each: self.pick(1, 2) for each in values})
            case _:
                if of.is_relation and self.flip(60):
                    return frozenset(dict(values).items())
                return frozenset(values)

    # Texts

    def written(self, template: str, known: Mapping[str, Kind], scope: Scope, depth: int) -> str:
        chosen = CHOICE.sub(lambda found: str(self.one(found[1].split("|"))), template)
        letters = dict(known)

        def filler(found: re.Match[str]) -> str:
            if found[2] == "?":
                return self.predicate(scope, depth - 1)
            wanted = kind(found[2])
            for letter in re.findall("[a-z]", found[2]):
                letters.setdefault(letter, self.one(SIMPLE))
            if found[1]:
                return type_text(filled(wanted, letters))
            return self.expression(filled(wanted, letters), scope, depth - 1)

        return PLACE.sub(filler, chosen)

    def expression(self, wanted: Kind, scope: Scope, depth: int) -> str:
        names = [name for name, own in scope.items() if own == wanted]
        if names and (depth <= 0 or self.flip(25)):
            return str(self.one(names))
        if depth <= 0:
            return self.leaf(wanted, scope)
        if self.flip(15):
            found = self.binder(wanted, scope, depth)
            if found is not None:
                return found
        options = [
            (template, known)
            for pattern, template in rows(self.expressions)
            if (known := matched(pattern, wanted)) is not None
            and (pattern.name != "x" or wanted in SIMPLE)
            and "?" not in pattern.name
        ]
        return self.written(*self.one(options), scope, depth) if options else self.leaf(wanted, scope)

    def leaf(self, wanted: Kind, scope: Scope) -> str:
        def below(which: int = 0) -> str:
            return self.expression(wanted.parts[which], scope, 0)

        match wanted.name:
            case "N":
                return str(self.pick(0, 3))
            case "X":
                if self.is_total:
                    raise Impossible
                return r"(\mu x0 : X | X = \{ x0 \})"
            case "C":
                return str(self.one(("red", "green")))
            case "T":
                return "leaf"
            case "R":
                return (
                    rf"\lblot own == {self.expression(kind('X'), scope, 0)}, many == {self.pick(0, 2)} \rblot"
                )
            case "P":
                empty = rf"\emptyset[{type_text(wanted.parts[0])}]"
                return empty if self.flip(40) else rf"\{{ {below()} \}}"
            case "Q":
                return rf"\langle {below()} \rangle"
            case "B":
                return rf"\lbag {below()} \rbag"
            case _:
                return f"({below(0)}, {below(1)})"

    def binder(self, wanted: Kind, scope: Scope, depth: int) -> str | None:
        """Something that declares names; None where nothing of the kind does."""
        if self.flip(30):
            name, other = self.fresh(scope), self.one((*SIMPLE, kind("P(X)"), wanted))
            value = self.expression(other, scope, depth - 1)
            return rf"(\LET {name} == {value} @ {self.expression(wanted, {**scope, name: other}, depth - 1)})"
        text, inner = self.declared(scope, depth - 1, wanted.parts[0] if wanted.name == "P" else None)
        condition = f" | {self.predicate(inner, depth - 1)}" if self.flip(60) else ""
        match wanted.name:
            case "P" if wanted.is_relation and ";" not in text and text != "Narrow" and self.flip(50):
                left, right = wanted.parts[0].parts
                name = self.fresh(scope)
                inner = {**scope, name: left}
                set_ = self.expression(Kind("P", (left,)), scope, depth - 1)
                return rf"(\lambda {name} : {set_} @ {self.expression(right, inner, depth - 1)})"
            case "P":
                value = f" @ {self.expression(wanted.parts[0], inner, depth - 1)}"
                name, _, _ = text.partition(" ")
                if ";" not in text and inner.get(name) == wanted.parts[0] and self.flip(50):
                    value = ""
                return rf"\{{ {text}{condition}{value} \}}"
            case "N" | "X" | "C" if not self.is_total:
                return rf"(\mu {text}{condition} @ {self.expression(wanted, inner, depth - 1)})"
        return None

    def declared(self, scope: Scope, depth: int, first: Kind | None = None) -> tuple[str, Scope]:
        """Declarations of one or two names, or of those of a schema; and the scope inside of them."""
        if self.flip(10):
            return "Narrow", {**scope, "own": kind("X"), "many": kind("N")}
        texts: dict[str, str] = {}
        inner = dict(scope)
        for number in range(self.one((1, 1, 2))):
            own = first if first is not None and number == 0 and self.flip(60) else None
            own = own or self.one((*SIMPLE, kind("T"), kind("(X,C)")))
            name = self.fresh(scope)
            if name not in texts:
                texts[name] = self.expression(Kind("P", (own,)), scope, depth)
                inner[name] = own
        return "; ".join(f"{name} : {set_}" for name, set_ in texts.items()), inner

    def predicate(self, scope: Scope, depth: int) -> str:
        if depth <= 0:
            known = {"x": self.one((*SIMPLE, kind("P(X)")))}
            return self.written(r"<x> {=|\neq} <x>", known, scope, 0)
        if scope.get("a") == kind("X") and scope.get("s") == kind("P(X)") and self.flip(5):
            return "Near"
        if self.flip(40):
            if self.flip(50):
                return self.quantified(scope, depth)
            return self.written(self.one(rows(COMPOUND))[1], {}, scope, depth)
        atoms = [template for pattern, template in rows(self.atoms) if pattern.name == "?"]
        return self.written(self.one(atoms), {}, scope, depth)

    def quantified(self, scope: Scope, depth: int) -> str:
        quantifier = self.one((r"\forall", r"\exists", r"\exists_1"))
        text, inner = self.declared(scope, depth - 1)
        condition = f" | {self.predicate(inner, depth - 2)}" if self.flip(40) else ""
        return f"({quantifier} {text}{condition} @ {self.predicate(inner, depth - 1)})"
