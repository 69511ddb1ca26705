"""Which variables a term may have, and what they stand for."""

from __future__ import annotations

from burnside.ir.highlevel.terms import Term
from burnside.records import record


@record(eq=False)
class Argument:
    """Of a user's operator: how many terms it is made of, and how deep they are nested."""

    term: Term
    size: int
    height: int


def measured(term: Term) -> Argument:
    parts = [measured(each) for each in term.children()]
    height = 1 + max((each.height for each in parts), default=0)
    return Argument(term, 1 + sum(each.size for each in parts), height)


class Scope:
    """`arguments`: inside of a definition, what its parameters stand for; None: the variables are those of the net, whose
    ids are collected in `used`. `closed`: what it is that has no variables."""

    def __init__(self, arguments: dict[str, Argument] | None = None, closed: str | None = None) -> None:
        self.arguments, self.closed = arguments, closed
        self.used: set[str] = set()
