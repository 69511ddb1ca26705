"""The syntax of B's predicates and expressions: trees with their places in the text, before names are resolved.

Predicates and expressions are one family of trees, since B's definitions may stand for either; the parser has checked that a
predicate stands wherever one is needed (`is_predicate` decides), and an expression everywhere else. Definitions have been
expanded: no tree has a call of one. `substitutions` has substitutions, `machines` has machines.
"""

from __future__ import annotations

from typing import Literal

from burnside.languages.shared.spans import Extent, Identifier
from burnside.records import record


@record(eq=False, repr=False)
class Name:
    """A name that is used. `m.x`: the `x` of an included machine renamed to `m`. `before`: `x$0`, the value that `x` had
    before, in a `WHILE`'s invariant or in `:(P)`."""

    at: Extent
    text: str
    before: bool


@record(eq=False, repr=False)
class Number:
    at: Extent
    value: int


@record(eq=False, repr=False)
class Text:
    """A string, its escapes resolved."""

    at: Extent
    value: str


@record(eq=False, repr=False)
class Constant:
    """A word with a meaning of its own: one of `CONSTANTS`, or the predicate `btrue` or `bfalse`. `succ` and `pred` are
    functions; `prj1`, `prj2` and `id` are never constants (they have arguments)."""

    at: Extent
    word: str


CONSTANTS = frozenset(
    (
        "TRUE", "FALSE", "BOOL", "NAT", "NAT1", "INT", "NATURAL", "NATURAL1", "INTEGER", "STRING", "MAXINT",
        "MININT", "succ", "pred",
    )
)  # fmt: skip
TRUTHS = frozenset(("btrue", "bfalse"))


@record(eq=False, repr=False)
class Unary:
    """One of `UNARY_OPERATORS`, or the predicate `not`. `-` is minus; `~` is the inverse of a relation."""

    at: Extent
    operator: str
    operand: Expression


UNARY_OPERATORS = frozenset(
    (
        "-", "~", "card", "min", "max", "POW", "POW1", "FIN", "FIN1", "union", "inter", "dom", "ran", "id",
        "closure", "closure1", "fnc", "rel", "seq", "seq1", "iseq", "iseq1", "perm", "size", "first", "last",
        "front", "tail", "rev", "conc",
    )
)  # fmt: skip


@record(eq=False, repr=False)
class Binary:
    """One of `BINARY_OPERATORS`, `COMPARISONS` or `CONNECTIVES`, always in ASCII. `-` and `*` may be of numbers or of sets
    (`\\` is of sets only). A pair is `|->`, also where the text has a comma: `(a, b, c)` is `(a |-> b) |-> c`."""

    at: Extent
    operator: str
    left: Expression
    right: Expression


BINARY_OPERATORS = frozenset(
    (
        "+", "-", "*", "/", "mod", "**", "..", "\\", "\\/", "/\\", "|->",
        "<->", "<<->", "<->>", "<<->>", "+->", "-->", "+->>", "-->>", ">+>", ">->", ">+>>", ">->>",
        ";", "||", "><", "<|", "<<|", "|>", "|>>", "<+", "+>",
        "^", "->", "<-", "/|\\", "\\|/", "prj1", "prj2", "iterate",
    )
)  # fmt: skip
"""`r +> s` is `s <+ r`. `prj1(S, T)`, `prj2(S, T)` and `iterate(r, n)` are written as calls."""

SUBTRACTED = "-+"
"""Not in the text: joins what is subtracted, b and c in a - b - c; the sum of numbers or the union of sets."""

COMPARISONS = frozenset(("=", "/=", ":", "/:", "<:", "/<:", "<<:", "/<<:", "<", ">", "<=", ">="))
CONNECTIVES = frozenset(("=>", "<=>"))


@record(eq=False, repr=False)
class Chain:
    """`&` or `or` between two or more predicates. They bind alike: `a & b or c` is `(a & b) or c`. A chain in brackets is an
    operand of its own."""

    at: Extent
    operator: Literal["&", "or"]
    operands: tuple[Expression, ...]


@record(eq=False, repr=False)
class Labelled:
    """A predicate with a name: `/*@label name*/ P`."""

    at: Extent
    label: str
    predicate: Expression


@record(eq=False, repr=False)
class Application:
    """`f(x)`; `f(x, y)` has the pair `x |-> y` as its argument."""

    at: Extent
    function: Expression
    argument: Expression


@record(eq=False, repr=False)
class Image:
    """`r[S]`."""

    at: Extent
    relation: Expression
    set: Expression


@record(eq=False, repr=False)
class Quantified:
    """`!` or `#`. Usually `!names.(P => Q)`, but nothing says that the body is an implication."""

    at: Extent
    quantifier: Literal["!", "#"]
    names: tuple[Identifier, ...]
    body: Expression


@record(eq=False, repr=False)
class Comprehension:
    """`{names | condition}`; `{names . condition | value}` where there is a `value`."""

    at: Extent
    names: tuple[Identifier, ...]
    condition: Expression
    value: Expression | None


@record(eq=False, repr=False)
class Collected:
    """`%`, `SIGMA`, `PI`, `UNION` or `INTER` of `names.(condition | value)`."""

    at: Extent
    operator: Literal["%", "SIGMA", "PI", "UNION", "INTER"]
    names: tuple[Identifier, ...]
    condition: Expression
    value: Expression


@record(eq=False, repr=False)
class SetDisplay:
    """`{a, b}`, or `{}`."""

    at: Extent
    elements: tuple[Expression, ...]


@record(eq=False, repr=False)
class SequenceDisplay:
    """`[a, b]`, or `[]`, or `<>`."""

    at: Extent
    elements: tuple[Expression, ...]


@record(eq=False, repr=False)
class Truth:
    """`bool(predicate)`."""

    at: Extent
    predicate: Expression


@record(eq=False, repr=False)
class Conditional:
    """`IF test THEN then ELSE otherwise END`; `ELSIF` is another one in `otherwise`. Both branches are predicates, or none
    is."""

    at: Extent
    test: Expression
    then: Expression
    otherwise: Expression


@record(eq=False, repr=False)
class Binding:
    name: Identifier
    value: Expression


@record(eq=False, repr=False)
class Let:
    """`LET x, y BE x = E & y = F IN body END`, its equations in the order of the text. `body` may be a predicate."""

    at: Extent
    bindings: tuple[Binding, ...]
    body: Expression


@record(eq=False, repr=False)
class RecordDisplay:
    """`rec(a: E, b: F)`."""

    at: Extent
    fields: tuple[Binding, ...]


@record(eq=False, repr=False)
class RecordSet:
    """`struct(a: S, b: T)`."""

    at: Extent
    fields: tuple[Binding, ...]


@record(eq=False, repr=False)
class Field:
    """`r'name`."""

    at: Extent
    base: Expression
    name: Identifier


Expression = (
    Name | Number | Text | Constant | Unary | Binary | Chain | Labelled | Application | Image | Quantified
    | Comprehension | Collected | SetDisplay | SequenceDisplay | Truth | Conditional | Let | RecordDisplay
    | RecordSet | Field
)  # fmt: skip


def is_predicate(tree: Expression) -> bool:
    match tree:
        case Binary(_, operator):
            return operator in COMPARISONS or operator in CONNECTIVES
        case Unary(_, operator):
            return operator == "not"
        case Chain() | Quantified() | Labelled():
            return True
        case Constant(_, word):
            return word in TRUTHS
        case Conditional(_, _, inner) | Let(_, _, inner):
            return is_predicate(inner)
        case _:
            return False
