"""The syntax of B's substitutions: trees with their places in the text. Expressions in them are those of `expressions`."""

from __future__ import annotations

from burnside.languages.b.syntax.expressions import Binding, Expression
from burnside.languages.shared.spans import Extent, Identifier
from burnside.records import record


@record(eq=False, repr=False)
class Skip:
    at: Extent


@record(eq=False, repr=False)
class Assign:
    """`a, b := E, F`, as many values as targets. A target is a `Name`, or an `Application` or `Field` whose innermost base
    is one: `f(x)(y) := E`, `r'a := E`, `f(x)'a := E`."""

    at: Extent
    targets: tuple[Expression, ...]
    values: tuple[Expression, ...]


@record(eq=False, repr=False)
class BecomesElement:
    """`a, b :: S`: with several targets, `S` is a set of pairs as for `{a, b | P}`. Targets as for `Assign`."""

    at: Extent
    targets: tuple[Expression, ...]
    set: Expression


@record(eq=False, repr=False)
class BecomesSuch:
    """`a, b : (P)`: `P` is about the new values, `a$0` is the old one. Targets as for `Assign`."""

    at: Extent
    targets: tuple[Expression, ...]
    condition: Expression


@record(eq=False, repr=False)
class Parallel:
    """Two or more."""

    at: Extent
    parts: tuple[Substitution, ...]


@record(eq=False, repr=False)
class Sequence:
    """Two or more."""

    at: Extent
    parts: tuple[Substitution, ...]


@record(eq=False, repr=False)
class Precondition:
    at: Extent
    condition: Expression
    body: Substitution


@record(eq=False, repr=False)
class Assertion:
    at: Extent
    condition: Expression
    body: Substitution


@record(eq=False, repr=False)
class Branch:
    at: Extent
    condition: Expression
    body: Substitution


@record(eq=False, repr=False)
class If:
    """`otherwise` is None where the text has no `ELSE`."""

    at: Extent
    branches: tuple[Branch, ...]
    otherwise: Substitution | None


@record(eq=False, repr=False)
class Select:
    at: Extent
    branches: tuple[Branch, ...]
    otherwise: Substitution | None


@record(eq=False, repr=False)
class CaseBranch:
    """`EITHER values THEN body`, and the `OR`s after it."""

    at: Extent
    values: tuple[Expression, ...]
    body: Substitution


@record(eq=False, repr=False)
class Case:
    at: Extent
    subject: Expression
    branches: tuple[CaseBranch, ...]
    otherwise: Substitution | None


@record(eq=False, repr=False)
class Choice:
    at: Extent
    parts: tuple[Substitution, ...]


@record(eq=False, repr=False)
class Any:
    at: Extent
    names: tuple[Identifier, ...]
    condition: Expression
    body: Substitution


@record(eq=False, repr=False)
class LetBlock:
    """`LET x, y BE x = E & y = F IN body END`, its equations in the order of the text."""

    at: Extent
    bindings: tuple[Binding, ...]
    body: Substitution


@record(eq=False, repr=False)
class Var:
    at: Extent
    names: tuple[Identifier, ...]
    body: Substitution


@record(eq=False, repr=False)
class While:
    at: Extent
    test: Expression
    body: Substitution
    invariant: Expression
    variant: Expression


@record(eq=False, repr=False)
class OperationCall:
    """`results <-- name(arguments)`. Results as the targets of `Assign`. `m.name`: of an included machine renamed to `m`."""

    at: Extent
    results: tuple[Expression, ...]
    name: Identifier
    arguments: tuple[Expression, ...]


Substitution = (
    Skip | Assign | BecomesElement | BecomesSuch | Parallel | Sequence | Precondition | Assertion | If | Select | Case
    | Choice | Any | LetBlock | Var | While | OperationCall
)  # fmt: skip
"""`BEGIN S END` is `S`."""
