"""Does a block always end with `Return`, unless it fails? In: a block. Out: a boolean; "not certainly" is no."""

from __future__ import annotations

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.types import INTEGER, size


def always_returns(block: s.Block) -> bool:
    """Certainly with a `Return`, if it does not fail."""
    match block[-1] if block else None:
        case s.Return():
            return True
        case s.If(branches, otherwise):
            last = always_returns(otherwise) or is_exhaustive(branches)
            return last and all(always_returns(branch.body) for branch in branches)
        case s.Declare(_, body) | s.Bind(_, _, body) | s.Let(_, _, body):
            return always_returns(body)
        case _:
            return False


def is_exhaustive(branches: tuple[s.Branch, ...]) -> bool:
    """One variable, compared with every value of its type."""
    values: set[int] = set()
    variables: set[e.Variable] = set()
    for branch in branches:
        match branch.test:
            case e.Binary("=", e.Read(e.Variable() as variable), e.Constant(value)):
                values.add(value)
                variables.add(variable)
            case _:
                return False
    if len(variables) != 1:
        return False
    type_ = e.type_of(e.Read(variables.pop()))
    return type_ != INTEGER and len(values) == size(type_)
