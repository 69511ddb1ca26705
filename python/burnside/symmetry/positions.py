"""Positions of entries that were removed: a new entry may take one of them, and which one shows in no other way.

In: an action of a program with bags whose entries can hold what moves. Out: nothing, or `Refused` where a position may be
used after an entry was added to a bag with two or more free positions among the others. (With one, the new entry takes it
under every permutation. Without, it comes behind all others, and no position means it.) A position that a count or a
quantifier takes from the entries there are is always right. Bags of different types are different bags.
"""

from __future__ import annotations

from collections.abc import Mapping

from burnside.diagnostics import Span
from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Action, Function
from burnside.ir.types import Bag
from burnside.records import field, record
from burnside.symmetry.code import code
from burnside.symmetry.points import mentions
from burnside.symmetry.refusing import Refused

MANY = 2


@record
class _Bags:
    """All bags of a type together: at most so many free positions among the others; in which may one of several have been
    taken?"""

    free: Mapping[Bag, int] = field(default_factory=dict)
    taken: frozenset[Bag] = frozenset()

    def join(self, other: _Bags) -> _Bags:
        free = {bag: max(self.count(bag), other.count(bag)) for bag in (*self.free, *other.free)}
        return _Bags(free, self.taken | other.taken)

    def count(self, bag: Bag) -> int:
        return self.free.get(bag, 0)

    def added(self, bag: Bag) -> _Bags:
        left = {**self.free, bag: max(0, self.count(bag) - 1)}
        return _Bags(left, self.taken | {bag} if self.count(bag) >= MANY else self.taken)

    def removed(self, bag: Bag, entries: int) -> _Bags:
        return _Bags({**self.free, bag: min(MANY, self.count(bag) + entries)}, self.taken)


class Positions:
    def __init__(self, functions: dict[str, Function], moved: frozenset[str]) -> None:
        self._functions = functions
        self._moved = moved

    def check_action(self, action: Action) -> None:
        if any(isinstance(node, s.Remove | s.RemoveAll) for node in self._reached(action.body)):
            self._block(action.body, _Bags(), action.span)

    def _reached(self, block: s.Block) -> list[object]:
        """All code of a block and of the functions that it calls."""
        seen: set[str] = set()
        waiting: list[s.Block] = [block]
        found: list[object] = []
        while waiting:
            for node in code(waiting.pop()):
                found.append(node)
                if isinstance(node, e.Call) and node.function not in seen:
                    seen.add(node.function)
                    waiting.append(self._functions[node.function].body)
        return found

    def _mixed(self, bag: e.Place) -> Bag | None:
        """Its type, if its entries can hold what moves."""
        type_ = e.type_of_place(bag)
        return type_ if isinstance(type_, Bag) and mentions(type_.element, self._moved) else None

    def _block(self, block: s.Block, bags: _Bags, span: Span | None) -> _Bags:
        for statement in block:
            bags = self._statement(statement, bags, getattr(statement, "span", None) or span)
        return bags

    def _uses(self, node: object, bags: _Bags, span: Span | None) -> _Bags:
        """Expressions: positions that are used, and functions that are called."""
        fresh: set[str] = set()
        for each in code(node):
            match each:
                case e.Bound(name):
                    fresh.add(name)
                case e.Entry(_, e.Read(e.Variable(name))) if name in fresh:
                    pass
                case e.Entry(bag, _, own) if self._mixed(bag) in bags.taken:
                    reason = "a position is used after other entries were removed and one was added"
                    raise Refused(reason, own or span)
                case e.Call(function):
                    bags = bags.join(self._block(self._functions[function].body, bags, span))
        return bags

    def _statement(self, statement: s.Statement, bags: _Bags, span: Span | None) -> _Bags:
        match statement:
            case s.If(branches, otherwise):
                ends = []
                for branch in branches:
                    bags = self._uses(branch.test, bags, span)
                    ends.append(self._block(branch.body, bags, span))
                last = self._block(otherwise, bags, span)
                for end in ends:
                    last = last.join(end)
                return last
            case s.For(_, body) | s.While(_, body):
                bags = self._uses(
                    statement.bound if isinstance(statement, s.For) else statement.test, bags, span
                )
                for _ in range(MANY + 2):  # until nothing new is learnt
                    bags = bags.join(self._block(body, bags, span))
                return bags
            case s.Declare(_, body):
                return self._block(body, bags, span)
            case s.Bind(_, inner, body) | s.Let(_, inner, body):
                return self._block(body, self._uses(inner, bags, span), span)
            case s.CallStatement(call):
                bags = self._uses(call.arguments, bags, span)
                return self._block(self._functions[call.function].body, bags, span)
            case s.Add(bag):
                bags = self._uses(statement, bags, span)
                if mixed := self._mixed(bag):
                    return bags.added(mixed)
            case s.Remove(bag, position):
                bags = self._uses((e.Entry(bag, position, span),), bags, span)
                if mixed := self._mixed(bag):
                    return bags.removed(mixed, 1)
            case s.RemoveAll(e.Bound(_, e.Positions(bag)) as bound, test):
                bags = self._uses((bound, test), bags, span)
                if mixed := self._mixed(bag):
                    return bags.removed(mixed, MANY)
            case _:
                return self._uses(statement, bags, span)
        return bags
