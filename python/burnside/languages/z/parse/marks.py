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
    "\\mid": "|", "\\spot": "@", "\\zcmp": "\\semi", "\\zpipe": "\\pipe", "\\zhide": "\\hide",
    "\\zproject": "\\project",
}  # fmt: skip
"""Reserved marks that are written in another way."""

RESERVED = frozenset((
    "\\bind", "\\bsup", "\\cross", "\\defs", "\\ELSE", "\\esup", "\\exists", "\\exists_1", "\\forall", "\\hide",
    "\\iff", "\\IF", "\\implies", "\\in", "\\inrel", "\\lambda", "\\land", "\\langle", "\\lbag", "\\ldata", "\\LET",
    "\\limg", "\\lnot", "\\lor", "\\mu", "\\pipe", "\\power", "\\pre", "\\project", "\\rangle", "\\rbag", "\\rdata",
    "\\rimg", "\\semi", "\\THEN", "\\theta", "\\vdash", "\\where", "\\Delta", "\\Xi", "\\_", "\\{", "\\}",
    "\\lblot", "\\rblot",
    "true", "false", "==", "=", "::=", ".", "@", "|", "(", ")", "[", "]", "{", "}", ";", ":", ",", "/", "^",
    *SPELLINGS,
))  # fmt: skip

MINUS = "-"
NAMES = {"..": "\\upto", "\\arithmos": "\\num", "\\negate": "-"}
"""Operators and constants that are written in another way, unless the text declares them."""

PRIORITY_STEP = 10
"""Between the priorities of Spivey's directives, as those of Standard Z have it."""

UNICODE = {
    "∧": "\\land", "∨": "\\lor", "¬": "\\lnot", "⇒": "\\implies", "⇔": "\\iff", "∀": "\\forall", "∃": "\\exists",
    "λ": "\\lambda", "μ": "\\mu", "µ": "\\mu", "θ": "\\theta", "Δ": "\\Delta", "∆": "\\Delta", "Ξ": "\\Xi",
    "∈": "\\in", "∉": "\\notin", "⊆": "\\subseteq", "⊂": "\\subset", "≠": "\\neq", "≤": "\\leq", "≥": "\\geq",
    "∅": "\\emptyset", "∪": "\\cup", "∩": "\\cap", "∖": "\\setminus", "⋃": "\\bigcup", "⋂": "\\bigcap",
    "ℙ": "\\power", "𝔽": "\\finset", "ℕ": "\\nat", "ℤ": "\\num", "𝔸": "\\num", "×": "\\cross", "−": "-",
    "∗": "*", "↦": "\\mapsto", "↔": "\\rel", "⇸": "\\pfun", "→": "\\fun", "⤔": "\\pinj", "↣": "\\inj",
    "⤀": "\\psurj", "↠": "\\surj", "⤖": "\\bij", "⇻": "\\ffun", "⤕": "\\finj", "◁": "\\dres", "▷": "\\rres",
    "⩤": "\\ndres", "⩥": "\\nrres", "⊕": "\\oplus", "∘": "\\circ", "⨾": "\\comp", "∼": "\\inv", "⦇": "\\limg",
    "⦈": "\\rimg", "⟨": "\\langle", "⟩": "\\rangle", "⟦": "\\lbag", "⟧": "\\rbag", "⟪": "\\ldata", "⟫": "\\rdata",
    "⦉": "\\lblot", "⦊": "\\rblot", "⌢": "\\cat", "⁀": "\\cat", "↾": "\\filter", "↿": "\\extract", "⊎": "\\uplus",
    "⊗": "\\otimes", "⊑": "\\subbageq", "⨟": "\\semi", "≫": "\\pipe", "⨠": "\\pipe", "⨡": "\\project",
    "⧹": "\\hide", "•": "@", "⦁": "@", "∣": "|", "≙": "\\defs", "≜": "\\defs", "⩴": "::=", "⊢": "\\vdash",
    "‥": "\\upto",
}  # fmt: skip
"""Characters that stand for marks."""
SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
WITH_SUBSCRIPT = {"ℙ": "\\power_1", "∃": "\\exists_1"}
"""Characters that are another mark with a one below them."""


def _operators() -> dict[str, Operator]:
    infix = (
        "\\mapsto", "\\upto", "+ \\cup \\setminus \\cat \\uplus \\uminus",
        "* \\div \\mod \\cap \\circ \\comp \\filter \\extract \\otimes", "\\oplus \\bcount",
        "\\dres \\rres \\ndres \\nrres",
    )  # fmt: skip
    table = {
        mark: Operator("infix", level * PRIORITY_STEP)
        for level, row in enumerate(infix, 1)
        for mark in row.split()
    }
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
    table[MINUS] = Operator("minus", 3 * PRIORITY_STEP)
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
