"""What names stand for, and where they can be seen.

In: declarations. Out: for a name in a text, what is known of it. Types are terms that inference fills (`terms`).
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from burnside.languages.b.resolve.terms import Term
from burnside.languages.b.syntax.expressions import Expression
from burnside.languages.b.syntax.machines import Operation
from burnside.languages.shared.spans import Extent
from burnside.records import record


@record(eq=False)
class KnownSort:
    """A deferred or enumerated set, or a set parameter, by the name of its sort."""

    name: str
    at: Extent


@record(eq=False)
class KnownElement:
    sort: str
    position: int
    at: Extent


@record(eq=False)
class KnownState:
    """A constant or a variable. `owner` is the machine whose operations may assign it; None: it may not be assigned."""

    name: str
    term: Term
    owner: object | None
    at: Extent

    @property
    def is_variable(self) -> bool:
        return self.owner is not None


@record(eq=False)
class KnownAbstract:
    """A variable of the machine that is refined, and not one of the refinement: only its type matters."""

    name: str
    term: Term
    at: Extent


@record(eq=False)
class KnownLocal:
    """A parameter, a result, a bound name; by a name that nothing else in the machine has."""

    name: str
    term: Term
    writable: bool
    at: Extent


@record(eq=False)
class KnownValue:
    """What stands for an expression wherever it is used: an argument of an included machine, a simple argument of a call,
    a constant that is equal to an infinite set. `scope` is where the expression is to be read."""

    tree: Expression
    scope: Scope
    term: Term
    at: Extent


@record(eq=False)
class KnownOperation:
    """`instance` is the machine it belongs to."""

    tree: Operation
    instance: object
    at: Extent


Known = KnownSort | KnownElement | KnownState | KnownAbstract | KnownLocal | KnownValue | KnownOperation

KIND = {
    KnownSort: "a set",
    KnownElement: "an element of an enumerated set",
    KnownState: "a constant",
    KnownAbstract: "a variable of the refined machine",
    KnownLocal: "a parameter or bound name",
    KnownValue: "a constant or parameter",
    KnownOperation: "an operation",
}


class Scope:
    """Names, and those of what is around them."""

    def __init__(self, outer: Scope | None = None) -> None:
        self.outer = outer
        self.names: dict[str, Known] = {}

    def chain(self) -> Iterator[Scope]:
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer

    def find(self, name: str) -> Known | None:
        return next((scope.names[name] for scope in self.chain() if name in scope.names), None)

    def like(self, name: str) -> str | None:
        """The name that may have been meant."""
        known = [each for scope in self.chain() for each in scope.names if not each.endswith("$0")]
        same = next((each for each in known if each.lower() == name.lower()), None)
        close = get_close_matches(name, known, n=1, cutoff=0.75)
        return same or (close[0] if close else None)
