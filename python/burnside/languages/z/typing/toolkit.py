"""The mathematical tool-kit: its names and their generic types.

A row is: formal parameters, a type, the names that have it. The types are in the notation of `show_type`, and are read when
a name is first used.
"""

from __future__ import annotations

import re
from functools import cache

from burnside.languages.z.typing.definitions import Global
from burnside.languages.z.typing.types import (
    NUMBER,
    AbbreviatedType,
    Fixity,
    FormalType,
    PowerType,
    ProductType,
    Shorthand,
    Type,
)

TABLE = """
X   P (P X)                         \\finset \\power_1
XY  P (P (X x Y))                   \\rel \\pfun \\ffun
XY  P (X -+> Y)                     \\fun \\pinj \\inj \\psurj \\surj \\bij \\finj
X   P (P (NN x X))                  \\seq
X   P (P (X x NN))                  \\bag
-   P ZZ                            \\num \\nat
-   P NN                            \\nat_1
-   NN -+> NN                       succ
-   ZZ -+> ZZ                       (-)
-   ZZ x ZZ -+> ZZ                  + - * \\div \\mod
-   ZZ <-> ZZ                       < \\leq \\geq >
-   ZZ x ZZ -+> P ZZ                \\upto
-   P ZZ -+> ZZ                     min max
X   X <-> X                         \\neq \\id
X   X <-> P X                       \\notin
X   P X                             \\empty \\emptyset
X   P X <-> P X                     \\subseteq \\subset
X   P X x P X -+> P X               \\cup \\cap \\setminus
X   P (P X) -+> P X                 \\bigcup \\bigcap
X   (X <-> X) -+> (X <-> X)         \\plus \\star
X   ZZ -+> ((X <-> X) -+> (X <-> X))  iter
X   P (F X)                         \\finset_1
X   F X -+> NN                      \\#
X   P (seq X)                       \\seq_1 \\iseq
X   seq X x seq X -+> seq X         \\cat
X   seq X -+> X                     head last
X   seq X -+> seq X                 tail front rev
X   seq X x P X -+> seq X           \\filter
X   P NN x seq X -+> seq X          \\extract
X   (NN -++> X) -+> seq X           squash
X   seq X <-> seq X                 \\prefix \\suffix \\inseq
X   seq (seq X) -+> seq X           \\dcat
X   bag X -+> (X -+> NN)            count
X   bag X x X -+> NN                \\bcount
X   X <-> bag X                     \\inbag
X   bag X <-> bag X                 \\subbageq
X   bag X x bag X -+> bag X         \\uplus \\uminus
X   NN x bag X -+> bag X            \\otimes
X   seq X -+> bag X                 items
XY  X x Y -+> X                     first
XY  X x Y -+> Y                     second
XY  X x Y -+> X x Y                 \\mapsto
XY  (X <-> Y) -+> P X               \\dom
XY  (X <-> Y) -+> P Y               \\ran
XY  P X x (X <-> Y) -+> (X <-> Y)   \\dres \\ndres
XY  (X <-> Y) x P Y -+> (X <-> Y)   \\rres \\nrres
XY  (X <-> Y) -+> (Y <-> X)         \\inv
XY  (X <-> Y) x P X -+> P Y         _(|_|)
XY  (X <-> Y) x (X <-> Y) -+> (X <-> Y)  \\oplus
XY  P (X -+> P Y)                   \\disjoint
XY  (X -+> P Y) <-> P Y             \\partition
XYZ (X <-> Y) x (Y <-> Z) -+> (X <-> Z)  \\comp
XYZ (Y <-> Z) x (X <-> Y) -+> (X <-> Z)  \\circ
"""

SHORTHANDS = frozenset(("\\rel", "\\pfun", "\\ffun", "\\seq", "\\bag", "\\finset", "\\nat"))
"""Names that stay in types."""


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


TAME = frozenset(
    _names("""
    \\cup \\cap \\setminus \\bigcup \\bigcap \\dom \\ran \\dres \\rres \\ndres \\nrres \\inv _(|_|) \\oplus \\comp \\circ
    \\plus \\mapsto first second \\cat head last tail front rev \\filter \\dcat count items \\uplus
    """)
)
"""Generic functions whose results keep the shorthands of their arguments."""

WORDS = _names("X Y succ min max iter head last tail front rev squash count items first second Z")
"""The words of the tool-kit in the order in which Spivey's checker meets them: before all words of a specification."""

SYMBOLS = {"-+>": "\\pfun", "<->": "\\rel", "-++>": "\\ffun"}
PREFIXES = {"seq": "\\seq", "bag": "\\bag", "F": "\\finset"}
BASES = {
    "\\rel": "P (X x Y)",
    "\\pfun": "P (X x Y)",
    "\\ffun": "P (X x Y)",
    "\\seq": "P (NN x X)",
    "\\bag": "P (X x NN)",
    "\\finset": "P X",
    "\\nat": "ZZ",
}
TOKEN = re.compile(r"[A-Z]+|[a-z]+|-\+\+?>|<->|[()]")


@cache
def rows() -> dict[str, tuple[str, str]]:
    """Formal parameters and the text of the type, by name."""
    found = {}
    for line in TABLE.strip().splitlines():
        type_, names = re.split(r"\s{2,}", line[4:])
        for name in names.split():
            found[name] = line[:4].strip(" -"), type_
    return found


def toolkit_global(name: str) -> Global | None:
    """A new one: directives may change what is known of it."""
    row = rows().get(name)
    if row is None:
        return None
    formals, text = row
    return Global(
        name,
        "toolkit",
        _Reader(text).type(),
        tuple(formals),
        shorthand=shorthand(name) if name in SHORTHANDS else None,
        is_tame=name in TAME,
    )


@cache
def shorthand(name: str) -> Shorthand:
    formals, _ = rows()[name]
    fixity: Fixity = "infix" if len(formals) == 2 else "prefix" if formals else "word"
    return Shorthand(name, tuple(formals), _Reader(BASES[name]).type(), fixity)


def abbreviated(name: str, *parameters: Type) -> Type:
    return AbbreviatedType(name, parameters, shorthand(name))


class _Reader:
    """Types as `show_type` writes them."""

    def __init__(self, text: str) -> None:
        self.tokens = TOKEN.findall(text)
        self.at = 0

    def next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        self.at += 1
        token: str = self.tokens[self.at - 1]
        return token

    def type(self) -> Type:
        left = self.product()
        if self.next() in SYMBOLS:
            return abbreviated(SYMBOLS[self.take()], left, self.product())
        return left

    def product(self) -> Type:
        factors = [self.factor()]
        while self.next() == "x":
            self.take()
            factors.append(self.factor())
        return ProductType(tuple(factors)) if len(factors) > 1 else factors[0]

    def factor(self) -> Type:
        token = self.take()
        if token == "(":
            inside = self.type()
            self.take()
            return inside
        if token == "P":
            return PowerType(self.factor())
        if token in PREFIXES:
            return abbreviated(PREFIXES[token], self.factor())
        if token == "ZZ":
            return NUMBER
        return abbreviated("\\nat") if token == "NN" else FormalType(token)
