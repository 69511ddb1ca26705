"""What statements, functions and rules say: the other half of `syntax`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from burnside.languages.murphi import syntax as s
from burnside.languages.murphi.syntax import Extent, Identifier


@dataclass(frozen=True, slots=True)
class Parameters:
    names: tuple[Identifier, ...]
    type: s.TypeExpression
    by_reference: bool


@dataclass(frozen=True, slots=True)
class Function:
    name: Identifier
    parameters: tuple[Parameters, ...]
    result: s.TypeExpression | None
    declarations: tuple[s.Declaration, ...]
    body: Block


@dataclass(frozen=True, slots=True)
class AliasDeclaration:
    names: tuple[Identifier, ...]
    value: s.Expression


# Statements


@dataclass(frozen=True, slots=True)
class Assignment:
    at: Extent
    target: s.Expression
    value: s.Expression


@dataclass(frozen=True, slots=True)
class Clause:
    test: s.Expression
    body: Block


@dataclass(frozen=True, slots=True)
class If:
    at: Extent
    clauses: tuple[Clause, ...]
    otherwise: Block


@dataclass(frozen=True, slots=True)
class Case:
    values: tuple[s.Expression, ...]
    body: Block


@dataclass(frozen=True, slots=True)
class Switch:
    at: Extent
    value: s.Expression
    cases: tuple[Case, ...]
    otherwise: Block


@dataclass(frozen=True, slots=True)
class For:
    at: Extent
    binders: tuple[s.Binder, ...]
    body: Block


@dataclass(frozen=True, slots=True)
class While:
    at: Extent
    test: s.Expression
    body: Block


@dataclass(frozen=True, slots=True)
class Alias:
    at: Extent
    aliases: tuple[AliasDeclaration, ...]
    body: Block


@dataclass(frozen=True, slots=True)
class CallStatement:
    at: Extent
    call: s.Call


@dataclass(frozen=True, slots=True)
class Clear:
    at: Extent
    target: s.Expression


@dataclass(frozen=True, slots=True)
class Undefine:
    at: Extent
    target: s.Expression


@dataclass(frozen=True, slots=True)
class Error:
    at: Extent
    message: str


Category = Literal["assert", "assume", "cover", "invariant", "liveness"]


@dataclass(frozen=True, slots=True)
class Check:
    """An assertion, assumption, cover, ... as a statement, or among the rules."""

    at: Extent
    category: Category
    message: str | None
    test: s.Expression


@dataclass(frozen=True, slots=True)
class Put:
    at: Extent
    value: s.Expression | None


@dataclass(frozen=True, slots=True)
class Return:
    at: Extent
    value: s.Expression | None


@dataclass(frozen=True, slots=True)
class MultisetAdd:
    at: Extent
    value: s.Expression
    bag: s.Expression


@dataclass(frozen=True, slots=True)
class MultisetRemove:
    at: Extent
    position: s.Expression
    bag: s.Expression


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class SimpleRule:
    at: Extent
    name: str | None
    guard: s.Expression | None
    declarations: tuple[s.Declaration, ...]
    body: Block


@dataclass(frozen=True, slots=True)
class StartState:
    at: Extent
    name: str | None
    declarations: tuple[s.Declaration, ...]
    body: Block


@dataclass(frozen=True, slots=True)
class Ruleset:
    """`ruleset`, or `choose`."""

    at: Extent
    binders: tuple[s.Binder, ...]
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class AliasRule:
    at: Extent
    aliases: tuple[AliasDeclaration, ...]
    rules: tuple[Rule, ...]


Rule = SimpleRule | StartState | Ruleset | AliasRule | Check


@dataclass(frozen=True, slots=True)
class Model:
    """In the order of the text: what is used must have been declared before."""

    nodes: tuple[s.Declaration | Function | Rule, ...]
