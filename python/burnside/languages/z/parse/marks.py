"""The marks of Z: which are reserved, and which are operators before any directive.

A token's text is always the first spelling here: `\\spot` is `@`, `⊆` is `\\subseteq`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from burnside.records import record

Kind = Literal[
    "infix", "minus", "postfix", "relation", "prefix relation", "generic", "prefix generic", "ignored", "word"
]


@record
class Operator:
    """How a name is written. `priority`: of infix operators among each other, the higher binds the tighter."""

    kind: Kind
    priority: int = 0


BOXES = ("axdef", "gendef", "schema", "zed", "syntax")

SPELLINGS = {
    "\\mid": "|", "\\spot": "@", "\\lblot": "\\lblot", "\\rblot": "\\rblot",
    "\\zcmp": "\\semi", "\\zpipe": "\\pipe", "\\zhide": "\\hide", "\\zproject": "\\project",
}  # fmt: skip
"""Reserved marks that are written in another way."""

RESERVED = frozenset((
    "\\bind", "\\bsup", "\\cross", "\\defs", "\\ELSE", "\\esup", "\\exists", "\\exists_1", "\\forall", "\\hide",
    "\\iff", "\\IF", "\\implies", "\\in", "\\inrel", "\\lambda", "\\land", "\\langle", "\\lbag", "\\ldata", "\\LET",
    "\\limg", "\\lnot", "\\lor", "\\mu", "\\pipe", "\\power", "\\pre", "\\project", "\\rangle", "\\rbag", "\\rdata",
    "\\rimg", "\\semi", "\\THEN", "\\theta", "\\vdash", "\\where", "\\Delta", "\\Xi", "\\_", "\\{", "\\}",
    "true", "false", "==", "=", "::=", ".", "@", "|", "(", ")", "[", "]", "{", "}", ";", ":", ",", "/", "^",
    *SPELLINGS,
))  # fmt: skip

MINUS = "-"
NAMES = {"..": "\\upto", "\\arithmos": "\\num", "\\negate": "-"}
"""Operators and constants that are written in another way, unless the text declares them."""


def _operators() -> dict[str, Operator]:
    infix = (
        "\\mapsto", "\\upto", "+ \\cup \\setminus \\cat \\uplus \\uminus",
        "* \\div \\mod \\cap \\circ \\comp \\filter \\extract \\otimes", "\\oplus \\bcount",
        "\\dres \\rres \\ndres \\nrres",
    )  # fmt: skip
    table = {mark: Operator("infix", level) for level, row in enumerate(infix, 1) for mark in row.split()}
    others: dict[Kind, str] = {
        "postfix": "\\plus \\star \\inv",
        "relation": (
            "\\neq \\notin \\subseteq \\subset < \\leq \\geq > \\inbag \\partition \\prefix \\subbageq \\suffix \\inseq"
        ),
        "prefix relation": "\\disjoint",
        "generic": "\\pfun \\rel \\fun \\pinj \\inj \\psurj \\surj \\bij \\ffun \\finj",
        "prefix generic": "\\power_1 \\id \\finset \\seq \\iseq \\bag",
        "ignored": "\\quad \\qquad",
    }
    table[MINUS] = Operator("minus", 3)
    for kind, row in others.items():
        table.update((mark, Operator(kind)) for mark in row.split())
    return table


TOOLKIT: Mapping[str, Operator] = _operators()
BINARY_KINDS = frozenset(("infix", "minus", "relation", "generic"))
BINARY_SYMBOLS = frozenset((
    ";", ":", ",", "|", "@", "==", "\\defs", "::=", "=", "\\in", "\\land", "\\lor", "\\implies", "\\iff", "\\cross",
    "\\hide", "\\project", "\\semi", "\\pipe", "\\THEN", "\\ELSE",
))  # fmt: skip
"""The ends of lines beside these, or beside tokens of `BINARY_KINDS`, mean nothing."""
