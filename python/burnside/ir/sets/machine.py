"""A machine: sorts, constants, variables, how it starts, what it can do, what is claimed of it.

Its states are valuations of the constants and the variables, in this order. A machine with constants or properties has first
one state for each valuation of the constants that satisfies `properties`, in which variables have no value yet;
`initialisation` leads on from there. Other machines start with their initialisation.
"""

from __future__ import annotations

from typing import Literal as OneOf

from burnside.diagnostics import Span
from burnside.ir.nodes import Node
from burnside.ir.sets.expressions import TRUE, Expression, Name
from burnside.ir.sets.substitutions import Substitution
from burnside.ir.sets.types import FreeType
from burnside.ir.types import Sort
from burnside.records import field, record

SETUP = "SETUP_CONSTANTS"
INITIALISATION = "INITIALISATION"


@record
class Operation(Node):
    """May happen once for each valuation of the parameters that satisfies `guard` (undefined counts as false) and for which
    `body` is possible, and then once for each valuation of the results and each next state."""

    name: str
    parameters: tuple[Name, ...]
    results: tuple[Name, ...]
    body: Substitution
    guard: Expression = TRUE
    span: Span | None = field(default=None, compare=False, repr=False)


ClaimKind = OneOf["invariant", "assertion", "goal"]
NotationName = OneOf["b", "z"]
CutRule = OneOf["implementable", "from-lower-bound"]


@record
class Claim(Node):
    """`invariant`, `assertion`: holds in every state after initialisation (an assertion about constants alone, also
    before). `goal`: reported where it holds. Each conjunct of the user's text is a claim of its own."""

    kind: ClaimKind
    name: str
    predicate: Expression
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Machine(Node):
    """`properties`: what the constants satisfy, conjunct by conjunct. `numbers`: the smallest and the largest number that
    the user calls implementable (MININT, MAXINT); the text has been lowered with them, nothing else obeys them.
    `counts_starts`: are set-ups, or initialisations where there are none, transitions too, as ProB counts them?
    `free_types`: every free type that occurs. `notation`: how values, labels and expressions are shown. `cut_rule`: which
    numbers are tried of a name that nothing bounds, "implementable" ones (between its bounds and MININT and MAXINT), or,
    "from-lower-bound", as ProZ does, those from its lower bound (MININT where there is none) to the larger of this bound
    and MAXINT. `start_title`: what users call the initialisation."""

    name: str
    sorts: tuple[Sort, ...]
    constants: tuple[Name, ...]
    properties: tuple[Expression, ...]
    variables: tuple[Name, ...]
    initialisation: Substitution
    operations: tuple[Operation, ...]
    claims: tuple[Claim, ...] = ()
    numbers: tuple[int, int] = (-1, 3)
    counts_starts: bool = False
    free_types: tuple[FreeType, ...] = ()
    notation: NotationName = "b"
    cut_rule: CutRule = "implementable"
    start_title: str = INITIALISATION

    @property
    def has_setup(self) -> bool:
        """Does it start with a state before its initialisation? Where there are no constants, properties are about sizes."""
        return bool(self.constants or self.properties)

    @property
    def state_names(self) -> tuple[Name, ...]:
        return self.constants + self.variables
