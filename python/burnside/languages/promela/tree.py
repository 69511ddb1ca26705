"""Bodies of processes as trees of control: between the parser and `elements`. Names in statements are resolved, labels are
not: they may be declared behind their uses."""

from __future__ import annotations

from typing import Literal

from burnside.languages.promela.statements import Statement
from burnside.languages.shared.spans import Extent
from burnside.records import record

Scope = tuple[int, ...]
"""The blocks around a place, from outside to inside, by unique numbers."""


@record(eq=False, repr=False)
class Basic:
    at: Extent
    statement: Statement


@record(eq=False, repr=False)
class Goto:
    """`scope` is that of the label's name where it first occurred, as Spin finds it."""

    at: Extent
    label: str
    scope: Scope


@record(eq=False, repr=False)
class Break:
    at: Extent
    loop: int
    """The number of the loop that it leaves."""


@record(eq=False, repr=False)
class Labelled:
    at: Extent
    label: str
    scope: Scope
    inline: int
    """Labels of different inlines do not clash; 0 outside."""
    node: Node


@record(eq=False, repr=False)
class Choice:
    """`if` and `do`, and the loops that `for` and `select` stand for."""

    at: Extent
    loop: int | None
    """The number of a loop, None for `if`."""
    options: tuple[Sequence, ...]
    """In the order in which Spin numbers them."""
    is_reversed: bool = False
    """They are tried in the other order."""
    drops_skips: bool = True
    """Repeated `skip`s of an option are dropped; not in a `for`."""


@record(eq=False, repr=False)
class Block:
    at: Extent
    kind: Literal["plain", "atomic", "d_step"]
    body: Sequence


@record(eq=False, repr=False)
class Unless:
    at: Extent
    main: Node
    escape: Node


Node = Basic | Goto | Break | Labelled | Choice | Block | Unless


@record(eq=False, repr=False)
class Sequence:
    at: Extent
    nodes: tuple[Node, ...]
