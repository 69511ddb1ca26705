"""The syntax of Z: trees with their places in the text, before names are resolved and types found.

A specification is a row of paragraphs. Below them stand three families of trees: expressions, predicates, and schema
expressions. A name that looks like an expression may be a schema; the parser decides as Spivey's type checker does: what has
been defined as a schema above is one, wherever it stands.

Operators are known by their marks in LaTeX (`\\cup`, `+`, `\\limg`), whatever mark-up they were written in.
"""

from __future__ import annotations

from typing import Literal

from burnside.languages.shared.spans import Extent
from burnside.records import record

UNARY_MINUS = "(-)"
IMAGE = "_(|_|)"
ITERATION = "iter"


@record(eq=False, repr=False)
class Identifier:
    """A name, spelled as in LaTeX (`max\\_size`), and its decoration, a row of `'`, `!`, `?` and `_1`. Operators
    are names too: `_ \\cup _` is `\\cup`, minus with one operand is `UNARY_MINUS`, the relational image is `IMAGE`."""

    at: Extent
    base: str
    decoration: str = ""

    @property
    def text(self) -> str:
        return self.base + self.decoration


# Expressions


@record(eq=False, repr=False)
class Reference:
    """A variable, constant or set. `parameters`: actual generic ones, where the text gives them."""

    at: Extent
    name: Identifier
    parameters: tuple[Expression, ...] = ()


@record(eq=False, repr=False)
class Number:
    at: Extent
    value: int


@record(eq=False, repr=False)
class PowerSet:
    at: Extent
    base: Expression


@record(eq=False, repr=False)
class Product:
    """`A \\cross B \\cross C`: triples, not pairs of pairs."""

    at: Extent
    factors: tuple[Expression, ...]


@record(eq=False, repr=False)
class Tuple:
    """At least two elements."""

    at: Extent
    elements: tuple[Expression, ...]


@record(eq=False, repr=False)
class Display:
    """`\\{a, b\\}`, `\\langle a, b \\rangle`, `\\lbag a, b \\rbag`."""

    at: Extent
    kind: Literal["set", "sequence", "bag"]
    elements: tuple[Expression, ...]


@record(eq=False, repr=False)
class Comprehension:
    """`\\{D | P @ E\\}`. Without `value` its elements are the characteristic tuples of the declaration."""

    at: Extent
    text: SchemaText
    value: Expression | None


@record(eq=False, repr=False)
class Lambda:
    at: Extent
    text: SchemaText
    body: Expression


@record(eq=False, repr=False)
class Mu:
    """The only value: `\\mu D | P @ E`."""

    at: Extent
    text: SchemaText
    value: Expression | None


@record(eq=False, repr=False)
class LetDefinition:
    at: Extent
    name: Identifier
    value: Expression


@record(eq=False, repr=False)
class Let:
    """`\\LET x == E; y == F @ G`; the definitions do not see each other."""

    at: Extent
    definitions: tuple[LetDefinition, ...]
    body: Expression


@record(eq=False, repr=False)
class Conditional:
    at: Extent
    test: Predicate
    then: Expression
    otherwise: Expression


@record(eq=False, repr=False)
class Application:
    """`f~x`; minus with one operand and `R^{n}` (as `iter~n~R`) are applications too."""

    at: Extent
    function: Expression
    argument: Expression


@record(eq=False, repr=False)
class Infix:
    """`x \\cup y`, and `R \\limg S \\rimg` with the operator `IMAGE`: an application to a pair."""

    at: Extent
    operator: Identifier
    left: Expression
    right: Expression


@record(eq=False, repr=False)
class Postfix:
    at: Extent
    operator: Identifier
    operand: Expression


@record(eq=False, repr=False)
class InfixGeneric:
    """`X \\pfun Y`: a generic constant with two actual parameters."""

    at: Extent
    operator: Identifier
    left: Expression
    right: Expression


@record(eq=False, repr=False)
class PrefixGeneric:
    """`\\seq X`, `\\finset X`, `\\id X`."""

    at: Extent
    operator: Identifier
    operand: Expression


@record(eq=False, repr=False)
class Rename:
    """`new/old`."""

    at: Extent
    new: Identifier
    old: Identifier


@record(eq=False, repr=False)
class Theta:
    """`\\theta S'`: the binding of the components of S, from variables that have the decoration."""

    at: Extent
    schema: str
    decoration: str
    renames: tuple[Rename, ...]


@record(eq=False, repr=False)
class BindingEntry:
    at: Extent
    name: Identifier
    value: Expression


@record(eq=False, repr=False)
class Binding:
    """`\\langle x \\bind 1, y \\bind 2 \\rangle`."""

    at: Extent
    entries: tuple[BindingEntry, ...]


@record(eq=False, repr=False)
class Selection:
    """`E.x`, or `E.\\theta S`: those components of a binding that S has."""

    at: Extent
    record: Expression
    field: Identifier | Theta


@record(eq=False, repr=False)
class SchemaSet:
    """A schema that stands where an expression is wanted: the set of its bindings."""

    at: Extent
    schema: SchemaReference


Expression = (
    Reference
    | Number
    | PowerSet
    | Product
    | Tuple
    | Display
    | Comprehension
    | Lambda
    | Mu
    | Let
    | Conditional
    | Application
    | Infix
    | Postfix
    | InfixGeneric
    | PrefixGeneric
    | Theta
    | Binding
    | Selection
    | SchemaSet
)


# Predicates

Connective = Literal["and", "or", "implies", "iff"]
Quantifier = Literal["forall", "exists", "exists_1"]


@record(eq=False, repr=False)
class Equality:
    at: Extent
    left: Expression
    right: Expression


@record(eq=False, repr=False)
class Membership:
    at: Extent
    element: Expression
    set: Expression


@record(eq=False, repr=False)
class InfixRelation:
    """`x \\leq y`, `x \\neq y`, `S \\subseteq T`. `a = b < c` is a conjunction, whose trees share b."""

    at: Extent
    relation: Identifier
    left: Expression
    right: Expression


@record(eq=False, repr=False)
class PrefixRelation:
    """`\\disjoint S`."""

    at: Extent
    relation: Identifier
    operand: Expression


@record(eq=False, repr=False)
class Truth:
    at: Extent
    value: bool


@record(eq=False, repr=False)
class Not:
    at: Extent
    operand: Predicate


@record(eq=False, repr=False)
class Connected:
    at: Extent
    connective: Connective
    left: Predicate
    right: Predicate


@record(eq=False, repr=False)
class Quantified:
    at: Extent
    quantifier: Quantifier
    text: SchemaText
    body: Predicate


@record(eq=False, repr=False)
class LetPredicate:
    at: Extent
    definitions: tuple[LetDefinition, ...]
    body: Predicate


@record(eq=False, repr=False)
class SchemaPredicate:
    """A schema that stands where a predicate is wanted, `pre S` included: its components are variables in scope."""

    at: Extent
    schema: SchemaReference | Precondition


Predicate = (
    Equality
    | Membership
    | InfixRelation
    | PrefixRelation
    | Truth
    | Not
    | Connected
    | Quantified
    | LetPredicate
    | SchemaPredicate
)


# Declarations and schema expressions


@record(eq=False, repr=False)
class Declaration:
    """`x, y : E`."""

    at: Extent
    names: tuple[Identifier, ...]
    set: Expression


@record(eq=False, repr=False)
class Inclusion:
    """A schema among declarations."""

    at: Extent
    schema: SchemaReference


@record(eq=False, repr=False)
class SchemaText:
    """`D | P`; also `[D | P]` as a schema expression, and the body of a box. `predicates`: one for each line."""

    at: Extent
    declarations: tuple[Declaration | Inclusion, ...]
    predicates: tuple[Predicate, ...]


@record(eq=False, repr=False)
class SchemaReference:
    """`S'[X][new/old]`. `name`: of a schema, without decoration; `\\Delta S` and `\\Xi S` are names as well. Its components
    are decorated first, and renamed then."""

    at: Extent
    name: str
    decoration: str = ""
    parameters: tuple[Expression, ...] = ()
    renames: tuple[Rename, ...] = ()


@record(eq=False, repr=False)
class SchemaNot:
    at: Extent
    schema: SchemaExpression


@record(eq=False, repr=False)
class SchemaBinary:
    """`compose` is `\\semi`, `pipe` is `\\pipe`, `project` is `\\project`."""

    at: Extent
    operator: Connective | Literal["project", "compose", "pipe"]
    left: SchemaExpression
    right: SchemaExpression


@record(eq=False, repr=False)
class SchemaHide:
    at: Extent
    schema: SchemaExpression
    names: tuple[Identifier, ...]


@record(eq=False, repr=False)
class SchemaQuantified:
    at: Extent
    quantifier: Quantifier
    text: SchemaText
    schema: SchemaExpression


@record(eq=False, repr=False)
class Precondition:
    at: Extent
    schema: SchemaExpression


SchemaExpression = (
    SchemaText | SchemaReference | SchemaNot | SchemaBinary | SchemaHide | SchemaQuantified | Precondition
)


# Paragraphs


@record(eq=False, repr=False)
class GivenSets:
    at: Extent
    names: tuple[Identifier, ...]


@record(eq=False, repr=False)
class Branch:
    """A constant of a free type, or a constructor with the set that it takes."""

    at: Extent
    name: Identifier
    domain: Expression | None


@record(eq=False, repr=False)
class FreeType:
    at: Extent
    name: Identifier
    branches: tuple[Branch, ...]


@record(eq=False, repr=False)
class Abbreviation:
    """`X == E`, with formal generic parameters."""

    at: Extent
    name: Identifier
    formals: tuple[Identifier, ...]
    value: Expression


@record(eq=False, repr=False)
class SchemaDefinition:
    """A box, or `S \\defs ...`."""

    at: Extent
    name: str
    formals: tuple[Identifier, ...]
    body: SchemaExpression


@record(eq=False, repr=False)
class AxiomaticDefinition:
    at: Extent
    text: SchemaText


@record(eq=False, repr=False)
class GenericDefinition:
    at: Extent
    formals: tuple[Identifier, ...]
    text: SchemaText


@record(eq=False, repr=False)
class Constraint:
    """A predicate by itself: a property of the constants."""

    at: Extent
    predicate: Predicate


@record(eq=False, repr=False)
class Conjecture:
    """`S \\vdash P`: claimed, not assumed."""

    at: Extent
    schema: SchemaExpression
    predicate: Predicate


@record(eq=False, repr=False)
class Attribute:
    """The directives `%%type` (show these names in types) and `%%tame`."""

    at: Extent
    kind: Literal["type", "tame"]
    names: tuple[Identifier, ...]


Paragraph = (
    GivenSets
    | FreeType
    | Abbreviation
    | SchemaDefinition
    | AxiomaticDefinition
    | GenericDefinition
    | Constraint
    | Conjecture
    | Attribute
)


@record(eq=False, repr=False)
class Specification:
    """In the order of the text."""

    paragraphs: tuple[Paragraph, ...]
