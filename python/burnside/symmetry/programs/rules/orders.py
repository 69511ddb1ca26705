"""Whose order a permutation changes: turns of loops, and entries of bags.

In: the blocks of an action or a property, and the names of the sorts that move. Out: `Orders`. Turns change places in loops
over a moved sort, or over entries whose order changes. Entries that can hold what moves are sorted in another order. Entries
of a *shuffled* bag cannot, but those of one action may be added in another order: by turns that change places, or, where
constants or tables are renamed, by statements that do. That shows until the action ends and the bag is sorted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from burnside.ir.analysis import flat, walking
from burnside.ir.analysis.flat import Block, Expr, Place
from burnside.ir.types import Bag, has_bags
from burnside.symmetry.points import mentions


def _may_be_renamed(expr: Expr, moved: frozenset[str]) -> bool:
    """A constant, or a table: a function written out in constants."""
    if expr.op == "lookup":
        assert expr.table is not None
        return any(mentions(each, moved) for each in (*expr.table.arguments, expr.table.result))
    return expr.op == "const" and mentions(expr.type, moved)


class Orders:
    """`renamed`: a constant in it may move, so that neighbouring statements may change places. `shuffled`: variables with
    such bags."""

    def __init__(
        self, moved: frozenset[str], blocks: tuple[Block, ...], domains: Iterable[flat.Domain] = ()
    ) -> None:
        """`domains`: of the action's parameters."""
        self._moved = moved
        exprs = (
            expr
            for block in blocks
            for statement in walking.statements(block)
            for expr in walking.statement_exprs(statement)
        )
        named = (expr for domain in domains for expr in walking.domain_exprs(domain))
        self.renamed = any(
            _may_be_renamed(each, moved) for expr in (*named, *exprs) for each in walking.inner_exprs(expr)
        )
        self.shuffled: frozenset[str] = frozenset()
        while True:
            found = frozenset(self._shuffled(blocks))
            if found == self.shuffled:
                break
            self.shuffled = found

    def is_over_moved(self, binder: flat.Binder) -> bool:
        match binder.domain:
            case flat.All(type_):
                return mentions(type_, self._moved)
            case flat.Positions(bag):
                return self.changes(bag)
            case _:
                return False

    def changes(self, bag: Place) -> bool:
        """May its entries stand in another order?"""
        assert isinstance(bag.type, Bag)
        return bag.root in self.shuffled or mentions(bag.type.element, self._moved)

    def _shuffled(self, blocks: tuple[Block, ...]) -> Iterator[str]:
        """With what is known so far."""
        times: Counter[str] = Counter()
        for statement in (each for block in blocks for each in walking.statements(block)):
            match statement:
                case flat.For(binder, body) if self.is_over_moved(binder):
                    for each in walking.statements(body):
                        if isinstance(each, flat.Add):
                            yield each.bag.root
                case flat.Add(target, source):
                    times[target.root] += 1
                    if source.root in self.shuffled and has_bags(source.type):
                        yield target.root
                case flat.Copy(target, source):
                    if source.root in self.shuffled and has_bags(source.type):
                        yield target.root
        if self.renamed:
            yield from (root for root, count in times.items() if count > 1)
