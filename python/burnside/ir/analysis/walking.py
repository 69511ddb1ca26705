"""Going through flat programs: what is inside a node, in the order of evaluation, and whether it can fail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from burnside.ir.analysis.flat import (
    Action,
    Block,
    Domain,
    Expr,
    For,
    If,
    Let,
    Positions,
    Range,
    Scope,
    Statement,
    While,
)
from burnside.ir.nodes import Node

_STATEMENTS: tuple[type, ...] = get_args(Statement)


def operands(expr: Expr) -> Iterator[Expr]:
    """The expressions directly inside this one, in the order of evaluation; those in places and domains too."""
    if expr.binder is not None:
        yield from domain_exprs(expr.binder.domain)
    for place in expr.places:
        yield from place.exprs
    yield from expr.args


def domain_exprs(domain: Domain) -> Iterator[Expr]:
    return _nearest(domain)


def inner_exprs(expr: Expr) -> Iterator[Expr]:
    """This expression and all inside it, outer ones first."""
    waiting = [expr]
    while waiting:
        each = waiting.pop()
        yield each
        waiting.extend(operands(each))


def evaluated_always(expr: Expr) -> Iterator[Expr]:
    """What is evaluated whenever this expression is, and does not fail on the way."""
    waiting = [expr]
    while waiting:
        each = waiting.pop()
        yield each
        if each.op in ("and", "or", "choice"):
            waiting.append(each.args[0])
        elif each.op not in ("exists", "forall", "count"):
            waiting.extend(operands(each))


def can_fail(expr: Expr) -> bool:
    """May evaluating it end the step?"""
    return any(
        each.fails
        or any(place.fails for place in each.places)
        or (each.binder is not None and domain_can_fail(each.binder.domain))
        for each in inner_exprs(expr)
    )


def domain_can_fail(domain: Domain) -> bool:
    match domain:
        case Range(fails=fails):
            own = fails
        case Positions(bag):
            own = bag.fails
        case _:
            own = False
    return own or any(map(can_fail, domain_exprs(domain)))


def statement_exprs(statement: Statement) -> Iterator[Expr]:
    """The expressions of a statement itself, not those of statements inside it; indices of its places too."""
    return _nearest(statement)


def _nearest(node: Node) -> Iterator[Expr]:
    for child in node.children():
        if isinstance(child, Expr):
            yield child
        elif not isinstance(child, _STATEMENTS):
            yield from _nearest(child)


def blocks(statement: Statement) -> Iterator[Block]:
    """The blocks directly inside a statement."""
    match statement:
        case If(branches, otherwise):
            yield from (branch.body for branch in branches)
            yield otherwise
        case For(_, body) | Scope(_, body):
            yield body
        case While(before, _, body):
            yield before
            yield body


def statements(block: Block) -> Iterator[Statement]:
    """All statements, outer ones first, in the order of the text."""
    waiting = list(reversed(block))
    while waiting:
        each = waiting.pop()
        yield each
        for inner in reversed(list(blocks(each))):
            waiting.extend(reversed(inner))


def action_blocks(action: Action) -> tuple[Block, Block]:
    """What its guard and its body do, each a block of its own."""
    test = Let("", action.guard.value, action.span)
    return (*action.guard.before, test), action.body
