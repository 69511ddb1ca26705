"""B's operators by the names they have in the waist, and `tree(S)`, which is a definition more than an operator."""

from __future__ import annotations

from burnside.languages.b.syntax import expressions as t
from burnside.languages.shared.spans import Extent, Identifier

UNARY = {
    "-": "negate", "~": "inverse", "card": "card", "min": "min", "max": "max", "POW": "power-set", "POW1": "power-set-1",
    "FIN": "power-set", "FIN1": "power-set-1", "union": "general-union", "inter": "general-intersection",
    "dom": "domain", "ran": "range", "id": "identity", "closure": "closure", "closure1": "closure1",
    "fnc": "as-function", "rel": "as-relation", "seq": "sequences", "seq1": "sequences-1",
    "iseq": "injective-sequences", "iseq1": "injective-sequences-1", "perm": "permutations", "size": "size",
    "first": "first", "last": "last", "front": "front", "tail": "tail", "rev": "reverse",
    "conc": "general-concat", "not": "not",
}  # fmt: skip

OVERLOADED = {
    "-": ("subtract", "difference"),
    "*": ("multiply", "product"),
    t.SUBTRACTED: ("add", "union"),
}
"""Of numbers, of sets."""

BINARY = {
    "+": "add", "/": "divide", "mod": "modulo", "**": "power", "..": "interval", "\\": "difference", "\\/": "union",
    "/\\": "intersection", "|->": "pair", "<->": "relations", "<<->": "total-relations",
    "<->>": "surjective-relations", "<<->>": "total-surjective-relations", "+->": "partial-functions",
    "-->": "total-functions", "+->>": "partial-surjections", "-->>": "total-surjections",
    ">+>": "partial-injections", ">->": "total-injections", ">+>>": "partial-bijections",
    ">->>": "total-bijections", ";": "compose", "||": "parallel-product", "><": "direct-product",
    "<|": "domain-restrict", "<<|": "domain-subtract", "|>": "range-restrict", "|>>": "range-subtract",
    "<+": "override", "^": "concat", "->": "prepend", "<-": "append", "/|\\": "take", "\\|/": "drop",
    "prj1": "first-projection", "prj2": "second-projection", "iterate": "iterate",
    "=": "equal", ":": "member", "<:": "subset", "<<:": "strict-subset", "<": "less", "<=": "less-equal",
    "=>": "implies", "<=>": "iff",
}  # fmt: skip

NEGATED = {"/=": "=", "/:": ":", "/<:": "<:", "/<<:": "<<:"}
TURNED = {">": "<", ">=": "<=", "+>": "<+"}


def whose(operator: str, position: int, count: int) -> str:
    """What a complaint calls an operand."""
    if operator[0].isalpha() or count == 1:
        which = "" if count == 1 else ("first ", "second ")[position]
        return f"the {which}argument of '{operator}'"
    return f"the {('left', 'right')[position]} side of '{operator}'"


def trees(at: Extent, labels: t.Expression) -> t.Expression:
    """`tree(S)`: functions from paths to S, where a path is the sequence of turns from the root. With a path there are all
    those it goes through, and those to the children before it."""
    tree, path = t.Name(at, "t#tree", False), t.Name(at, "p#tree", False)
    domain, root = t.Unary(at, "dom", tree), t.SequenceDisplay(at, ())
    paths = t.Unary(at, "seq", t.Constant(at, "NATURAL1"))
    front, last = t.Unary(at, "front", path), t.Unary(at, "last", path)
    before = t.Binary(at, "<-", front, t.Binary(at, "-", last, t.Number(at, 1)))
    inner = t.Chain(at, "&", (t.Binary(at, ":", path, domain), t.Binary(at, "/=", path, root)))
    second = t.Chain(at, "or", (t.Binary(at, "=", last, t.Number(at, 1)), t.Binary(at, ":", before, domain)))
    closed = t.Binary(at, "=>", inner, t.Chain(at, "&", (t.Binary(at, ":", front, domain), second)))
    conditions = (
        t.Binary(at, ":", tree, t.Binary(at, "+->", paths, labels)),
        t.Binary(at, ":", root, domain),
        t.Quantified(at, "!", (Identifier(at, path.text),), closed),
    )
    return t.Comprehension(at, (Identifier(at, tree.text),), t.Chain(at, "&", conditions), None)
