"""Trees of the text of a high-level net. Every tree knows its place in the text; names are not resolved yet."""

from __future__ import annotations

from burnside.languages.shared.spans import Extent, Identifier
from burnside.records import record


@record(eq=False, repr=False)
class Tree:
    at: Extent


# Types


@record(eq=False, repr=False)
class TypeName(Tree):
    """A declared type, or `bool`, `nat`, `dot`."""

    at: Extent
    text: str
    is_keyword: bool


@record(eq=False, repr=False)
class TypeOf(Tree):
    """`list`, `set`, `multiset` or `map` of other types."""

    at: Extent
    constructor: str
    parts: tuple[TypeTree, ...]


@record(eq=False, repr=False)
class FieldTree(Tree):
    """`name: type`. A field without a name is called by its number, an alternative without a type is of type dot."""

    at: Extent
    name: Identifier | None
    type: TypeTree | None


@record(eq=False, repr=False)
class FieldsType(Tree):
    """`struct` or `union`."""

    at: Extent
    constructor: str
    fields: tuple[FieldTree, ...]


TypeTree = TypeName | TypeOf | FieldsType


# Terms


@record(eq=False, repr=False)
class Name(Tree):
    at: Extent
    text: str


@record(eq=False, repr=False)
class Number(Tree):
    at: Extent
    value: int


@record(eq=False, repr=False)
class Word(Tree):
    """`true`, `false`, `dot`, `err`."""

    at: Extent
    text: str


@record(eq=False, repr=False)
class All(Tree):
    """`all`, `all(T)`."""

    at: Extent
    type: TypeTree | None


@record(eq=False, repr=False)
class Member(Tree):
    """`s.f`: a field, or an element of a type."""

    at: Extent
    of: TermTree
    name: Identifier


@record(eq=False, repr=False)
class Index(Tree):
    """`x[i]`, and with `value` `x[i := v]`."""

    at: Extent
    of: TermTree
    index: TermTree
    value: TermTree | None


@record(eq=False, repr=False)
class WithField(Tree):
    """`s[.f := v]`."""

    at: Extent
    of: TermTree
    name: Identifier
    value: TermTree


@record(eq=False, repr=False)
class As(Tree):
    """`x as f`."""

    at: Extent
    of: TermTree
    alternative: Identifier


@record(eq=False, repr=False)
class Is(Tree):
    """`x is f`."""

    at: Extent
    of: TermTree
    alternative: Identifier


@record(eq=False, repr=False)
class Call(Tree):
    """`f(a, b)`; a name in quotes is no operator of the language. `type`: the first argument of `element`."""

    at: Extent
    name: Identifier
    arguments: tuple[TermTree, ...]
    is_quoted: bool = False
    type: TypeTree | None = None


@record(eq=False, repr=False)
class Tokens(Tree):
    """`n'v`."""

    at: Extent
    count: TermTree
    value: TermTree


@record(eq=False, repr=False)
class Chain(Tree):
    """Operands of one level of precedence, with operators between them: `a + b - c`, `p and q`."""

    at: Extent
    operands: tuple[TermTree, ...]
    operators: tuple[str, ...]


@record(eq=False, repr=False)
class Not(Tree):
    at: Extent
    operand: TermTree


@record(eq=False, repr=False)
class Compared(Tree):
    """`=`, `!=`, `<`, `<=`, `>`, `>=`, `has`."""

    at: Extent
    operator: str
    left: TermTree
    right: TermTree


@record(eq=False, repr=False)
class If(Tree):
    at: Extent
    test: TermTree
    then: TermTree
    otherwise: TermTree


@record(eq=False, repr=False)
class Quantified(Tree):
    """`forall x, y: T . p`, `exists ...`."""

    at: Extent
    kind: str
    names: tuple[Identifier, ...]
    type: TypeTree
    body: TermTree


@record(eq=False, repr=False)
class Comprehension(Tree):
    """`{x: T | p}` (set), `{n'x | x: T}` (bag), `{x: T -> v}` (map)."""

    at: Extent
    kind: str
    name: Identifier
    type: TypeTree
    body: TermTree


@record(eq=False, repr=False)
class ListDisplay(Tree):
    at: Extent
    parts: tuple[TermTree, ...]


@record(eq=False, repr=False)
class BraceDisplay(Tree):
    """`{a, b}`: a set. `{}` may be a set, a multiset or a map."""

    at: Extent
    parts: tuple[TermTree, ...]


@record(eq=False, repr=False)
class MapDisplay(Tree):
    """`{a -> x, b -> y}`."""

    at: Extent
    pairs: tuple[tuple[TermTree, TermTree], ...]


@record(eq=False, repr=False)
class StructDisplay(Tree):
    """`<a, b>`, `<f: a, g: b>`."""

    at: Extent
    names: tuple[Identifier | None, ...]
    parts: tuple[TermTree, ...]


@record(eq=False, repr=False)
class Typed(Tree):
    """`(term : type)`."""

    at: Extent
    term: TermTree
    type: TypeTree


TermTree = (
    Name
    | Number
    | Word
    | All
    | Member
    | Index
    | WithField
    | As
    | Is
    | Call
    | Tokens
    | Chain
    | Not
    | Compared
    | If
    | Quantified
    | Comprehension
    | ListDisplay
    | BraceDisplay
    | MapDisplay
    | StructDisplay
    | Typed
)


# Declarations


@record(eq=False, repr=False)
class ElementRange(Tree):
    """`3` (1 .. 3), `0 .. N`, `p1 .. p3`: names that begin with `prefix` and end with a number."""

    at: Extent
    prefix: str
    low: TermTree | None
    high: TermTree


@record(eq=False, repr=False)
class SortTree(Tree):
    """`unordered {a, b}`, `cyclic 6`."""

    at: Extent
    classification: str
    elements: tuple[Identifier, ...] | ElementRange


@record(eq=False, repr=False)
class ConstDeclaration(Tree):
    at: Extent
    name: Identifier
    value: TermTree


@record(eq=False, repr=False)
class TypeDeclaration(Tree):
    at: Extent
    name: Identifier
    type: TypeTree | SortTree


@record(eq=False, repr=False)
class VariableDeclaration(Tree):
    at: Extent
    names: tuple[Identifier, ...]
    type: TypeTree


@record(eq=False, repr=False)
class FunctionDeclaration(Tree):
    """An abbreviation."""

    at: Extent
    name: Identifier
    parameters: tuple[tuple[Identifier, TypeTree], ...]
    type: TypeTree
    body: TermTree


@record(eq=False, repr=False)
class TableEntry(Tree):
    """Elements and what they are mapped to; `else` has no elements. An entry is an element or two, for a range."""

    at: Extent
    elements: tuple[tuple[Identifier, Identifier | None], ...] | None
    image: Identifier


@record(eq=False, repr=False)
class TableDeclaration(Tree):
    """`function f: A -> B = {a -> x, else -> y}`."""

    at: Extent
    name: Identifier
    source: TypeTree
    target: TypeTree
    entries: tuple[TableEntry, ...]


@record(eq=False, repr=False)
class PlaceDeclaration(Tree):
    at: Extent
    names: tuple[Identifier, ...]
    type: TypeTree
    initial: TermTree | None


@record(eq=False, repr=False)
class ArcTree(Tree):
    """`direction`: `in`, `out` or `test`."""

    at: Extent
    direction: str
    place: Identifier
    term: TermTree | None


@record(eq=False, repr=False)
class TransitionDeclaration(Tree):
    """`parameters`: with a type where they are declared here. `clauses`: guards and arcs in the order of the text."""

    at: Extent
    name: Identifier
    parameters: tuple[tuple[Identifier, TypeTree | None], ...]
    clauses: tuple[ArcTree | TermTree, ...]


@record(eq=False, repr=False)
class ClaimDeclaration(Tree):
    at: Extent
    kind: str
    name: str | None
    condition: TermTree


Declaration = (
    ConstDeclaration
    | TypeDeclaration
    | VariableDeclaration
    | FunctionDeclaration
    | TableDeclaration
    | PlaceDeclaration
    | TransitionDeclaration
    | ClaimDeclaration
)


@record(eq=False, repr=False)
class NetTree:
    name: str | None
    declarations: tuple[Declaration, ...]
