"""A resolved Promela model: what the front end gives to the lowering. No names are left to be looked up."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Literal

from burnside.languages.promela.expressions import Expression, Formula
from burnside.languages.promela.flow import Graph
from burnside.languages.promela.types import StructType, Variable
from burnside.languages.shared.spans import Extent
from burnside.records import record

ProcessKind = Literal["proctype", "init", "never", "trace", "notrace"]


@record(eq=False, repr=False)
class Process:
    """A proctype, `init` (named `:init:`), or a never claim or trace (`never_0`, `:trace:`, ... if it has no name)."""

    at: Extent
    name: str
    kind: ProcessKind
    parameters: tuple[Variable, ...]
    locals: tuple[Variable, ...]
    """All of them without the parameters, in the order of their declarations, those of inner blocks too. In this order a new
    process gives them their initial values."""
    graph: Graph
    active: int
    """How many there are at the beginning; 1 for `init`."""
    priority: int | None
    provided: Expression | None
    is_deterministic: bool
    """`D_proctype`."""


@record(eq=False, repr=False)
class Claim:
    """`ltl name { formula }`; Spin names them `ltl_0`, `ltl_1`, ... where they have no name."""

    at: Extent
    name: str
    formula: Formula


@record(eq=False, repr=False)
class SymbolSet:
    """The constants of an mtype. Spin counts from the end of what is declared first: the last symbol is 1."""

    name: str | None
    values: Mapping[str, int]


@record(eq=False, repr=False)
class ExclusiveUse:
    """`xr q` or `xs q`: only this process receives from, or sends to, the channel."""

    at: Extent
    process: str
    channel: Variable
    direction: Literal["xr", "xs"]


@record(eq=False, repr=False)
class Model:
    name: str
    symbols: tuple[SymbolSet, ...]
    structs: tuple[StructType, ...]
    variables: tuple[Variable, ...]
    """Globals in the order of their declarations."""
    initialised: tuple[Variable, ...]
    """Globals in the order in which they get their initial values; channels are numbered in this order. Spin goes by types:
    unsigned, bit, byte, chan, mtype, short, int, struct. So an initialiser may read a global that is still 0."""
    processes: tuple[Process, ...]
    """In the order of their declarations, claims and traces among them."""
    starting: tuple[Process, ...]
    """What runs at the beginning, with pids 0, 1, ...: active proctypes, each as often as it says, and `init`."""
    claims: tuple[Claim, ...]
    exclusive: tuple[ExclusiveUse, ...]

    @cached_property
    def by_name(self) -> Mapping[str, Process]:
        return {each.name: each for each in self.processes}
