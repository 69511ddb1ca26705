"""Positions of entries that were removed: a new entry may take one of them, and which one shows in no other way.

In: an action of a program with bags whose entries can hold what moves. Out: nothing, or `Refused` where a position may be
used after an entry was added to a bag with two or more free positions among the others. (With one, the new entry takes it
under every permutation. Without, it comes behind all others, and no position means it.)
"""

from __future__ import annotations

from burnside.diagnostics import Span
from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Action, Function
from burnside.ir.types import Bag
from burnside.records import record
from burnside.symmetry.code import code
from burnside.symmetry.points import mentions
from burnside.symmetry.refusing import Refused

MANY = 2


@record
class _Bags:
    """All bags together: at most so many free positions among the others; may one of several have been taken?"""

    free: int = 0
    taken: bool = False

    def join(self, other: _Bags) -> _Bags:
        return _Bags(max(self.free, other.free), self.taken or other.taken)


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

    def _is_mixed(self, bag: e.Place) -> bool:
        type_ = e.type_of_place(bag)
        return isinstance(type_, Bag) and mentions(type_.element, self._moved)

    def _block(self, block: s.Block, bags: _Bags, span: Span | None) -> _Bags:
        for statement in block:
            bags = self._statement(statement, bags, getattr(statement, "span", None) or span)
        return bags

    def _uses(self, node: object, bags: _Bags, span: Span | None) -> _Bags:
        """Expressions: positions that are used, and functions that are called."""
        for each in code(node):
            match each:
                case e.Entry(bag, _, own) if bags.taken and self._is_mixed(bag):
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
                if self._is_mixed(bag):
                    return _Bags(max(0, bags.free - 1), bags.taken or bags.free >= MANY)
            case s.Remove(bag, position):
                bags = self._uses((e.Entry(bag, position, span),), bags, span)
                if self._is_mixed(bag):
                    return _Bags(min(MANY, bags.free + 1), bags.taken)
            case s.RemoveAll(bound, test):
                return _Bags(MANY, self._uses((bound, test), bags, span).taken)
            case _:
                return self._uses(statement, bags, span)
        return bags
