"""The syntax of statements, functions and rules: the other half of `syntax`."""

from __future__ import annotations

from typing import Literal

from burnside.languages.murphi import syntax as s
from burnside.languages.shared.spans import Extent, Identifier
from burnside.records import record


@record(eq=False, repr=False)
class Parameters:
    names: tuple[Identifier, ...]
    type: s.TypeExpression
    by_reference: bool


@record(eq=False, repr=False)
class Function:
    name: Identifier
    parameters: tuple[Parameters, ...]
    result: s.TypeExpression | None
    declarations: tuple[s.Declaration, ...]
    body: Block


@record(eq=False, repr=False)
class AliasDeclaration:
    names: tuple[Identifier, ...]
    value: s.Expression


# Statements


@record(eq=False, repr=False)
class Assignment:
    at: Extent
    target: s.Expression
    value: s.Expression


@record(eq=False, repr=False)
class Clause:
    test: s.Expression
    body: Block


@record(eq=False, repr=False)
class If:
    at: Extent
    clauses: tuple[Clause, ...]
    otherwise: Block


@record(eq=False, repr=False)
class Case:
    values: tuple[s.Expression, ...]
    body: Block


@record(eq=False, repr=False)
class Switch:
    at: Extent
    value: s.Expression
    cases: tuple[Case, ...]
    otherwise: Block


@record(eq=False, repr=False)
class For:
    at: Extent
    binders: tuple[s.Binder, ...]
    body: Block


@record(eq=False, repr=False)
class While:
    at: Extent
    test: s.Expression
    body: Block


@record(eq=False, repr=False)
class Alias:
    at: Extent
    aliases: tuple[AliasDeclaration, ...]
    body: Block


@record(eq=False, repr=False)
class CallStatement:
    at: Extent
    call: s.Call


@record(eq=False, repr=False)
class Clear:
    at: Extent
    target: s.Expression


@record(eq=False, repr=False)
class Undefine:
    at: Extent
    target: s.Expression


@record(eq=False, repr=False)
class Error:
    at: Extent
    message: str


Category = Literal["assert", "assume", "cover", "invariant", "liveness"]


@record(eq=False, repr=False)
class Check:
    """An assertion, assumption, cover, ... as a statement, or among the rules."""

    at: Extent
    category: Category
    message: str | None
    test: s.Expression


@record(eq=False, repr=False)
class Put:
    at: Extent
    value: s.Expression | None


@record(eq=False, repr=False)
class Return:
    at: Extent
    value: s.Expression | None


@record(eq=False, repr=False)
class MultisetAdd:
    at: Extent
    value: s.Expression
    bag: s.Expression


@record(eq=False, repr=False)
class MultisetRemove:
    at: Extent
    position: s.Expression
    bag: s.Expression


@record(eq=False, repr=False)
class MultisetRemoveWhere:
    at: Extent
    name: Identifier
    bag: s.Expression
    test: s.Expression


Statement = (
    Assignment | If | Switch | For | While | Alias | CallStatement | Clear | Undefine | Error | Check | Put | Return
    | MultisetAdd | MultisetRemove | MultisetRemoveWhere
)  # fmt: skip
Block = tuple[Statement, ...]


# Rules


@record(eq=False, repr=False)
class SimpleRule:
    at: Extent
    name: str | None
    guard: s.Expression | None
    declarations: tuple[s.Declaration, ...]
    body: Block


@record(eq=False, repr=False)
class StartState:
    at: Extent
    name: str | None
    declarations: tuple[s.Declaration, ...]
    body: Block


@record(eq=False, repr=False)
class Ruleset:
    """`ruleset`, or `choose`."""

    at: Extent
    binders: tuple[s.Binder, ...]
    rules: tuple[Rule, ...]


@record(eq=False, repr=False)
class AliasRule:
    at: Extent
    aliases: tuple[AliasDeclaration, ...]
    rules: tuple[Rule, ...]


Rule = SimpleRule | StartState | Ruleset | AliasRule | Check


@record(eq=False, repr=False)
class ModelTree:
    """In the order of the text: what is used must have been declared before."""

    nodes: tuple[s.Declaration | Function | Rule, ...]
