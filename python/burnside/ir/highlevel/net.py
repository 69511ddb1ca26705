"""High-level nets: places that hold multisets of typed tokens, transitions with variables, a guard and inscribed arcs.

Junttila 2003, Def 5.3 with the types of chapter 6. A transition and a value for each of its variables are an *instance*.
It is enabled in a marking where the guard is true, no arc's term is undefined, and each place holds what the arcs from it
say; firing takes that and adds what the arcs to places say. Places and transitions are numbers behind the readers.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from burnside.diagnostics import Span
from burnside.ir.highlevel.terms import TRUE, Term, Variable
from burnside.ir.highlevel.types import Sort, TokenType
from burnside.ir.nodes import Node
from burnside.records import field, record


@record
class Place(Node):
    """`initial`: a closed term, a multiset of tokens of `type`. `id`: what other files call it (PNML)."""

    name: str
    type: TokenType
    initial: Term
    id: str = ""
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Arc(Node):
    """To or from a place, by its number; several arcs between the same two add up."""

    place: int
    term: Term
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Transition(Node):
    name: str
    variables: tuple[Variable, ...]
    consumes: tuple[Arc, ...]
    produces: tuple[Arc, ...]
    guard: Term = TRUE
    id: str = ""
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Claim(Node):
    """A condition. `invariant`: holds in every marking; `safe`: the same, and says that no place holds two tokens; `goal`:
    reported where it holds; `stable`: as a goal, and says that a place holds another number than at the start."""

    kind: str
    name: str
    condition: Term
    span: Span | None = field(default=None, compare=False, repr=False)


@record(repr=False)
class HighLevelNet(Node):
    """`searched`: sorts of whose elements symmetries are looked for beyond those that the sort promises. `type_names`: what
    the user calls types, for reports."""

    name: str
    sorts: tuple[Sort, ...]
    places: tuple[Place, ...]
    transitions: tuple[Transition, ...]
    searched: frozenset[str] = frozenset()
    claims: tuple[Claim, ...] = ()
    type_names: Mapping[TokenType, str] = field(default_factory=dict, compare=False, repr=False)

    def __repr__(self) -> str:
        return f"HighLevelNet({self.name!r}: {len(self.places)} places, {len(self.transitions)} transitions)"

    @cached_property
    def place_numbers(self) -> Mapping[str, int]:
        return {each.name: number for number, each in enumerate(self.places)}

    @cached_property
    def transition_numbers(self) -> Mapping[str, int]:
        return {each.name: number for number, each in enumerate(self.transitions)}


Value = Any
"""As `values` represents it."""
Tokens = frozenset[tuple[Value, int]]
"""A multiset: each value that occurs, with how often."""
Marking = tuple[Tokens, ...]
"""By place."""
Instance = tuple[int, tuple[Value, ...]]
"""A transition, and a value for each of its variables."""
