"""Positions of bags whose entries can hold what moves, or were added in an order that a permutation changes (`orders`).

A permutation changes the order in which entries are sorted, so the entry at position p is at another position in the image
of the state: positions move like elements. They may name an entry of their own bag and be compared with each other.

While an action runs entries stay where they are, and a new one takes the first free position. With no free position among
the others that is behind them all, with one it is that one, in the state and in its image alike. With two or more it is the
first, and a permutation changes which one that is: then no position that was known before may be used any more. The same
holds once a bag was overwritten as a whole, and, in code with constants that are renamed, once a second entry was added
after one had taken a free position: which of the two came first is not kept.
"""

from __future__ import annotations

from collections.abc import Mapping

from burnside.diagnostics import Span
from burnside.ir.analysis import flat, walking
from burnside.ir.analysis.flat import Block, Expr, Place
from burnside.ir.analysis.paths import Path, path_of
from burnside.ir.types import Bag, Type, has_bags
from burnside.ir.walking import nodes
from burnside.records import field, record
from burnside.symmetry.points import mentions
from burnside.symmetry.programs.refused import Refused
from burnside.symmetry.programs.rules.orders import Orders

MANY = 2


@record(frozen=False)
class _Bags:
    """By variable: how many entries among the others may be free (`MANY`: two or more). `filled`: variables where a new
    entry may have taken the free position. `stale`: positions that may mean another entry by now."""

    free: dict[str, int] = field(default_factory=dict)
    filled: set[str] = field(default_factory=set)
    stale: set[str] = field(default_factory=set)

    def copy(self) -> _Bags:
        return _Bags(dict(self.free), set(self.filled), set(self.stale))

    def join(self, other: _Bags) -> None:
        for root, count in other.free.items():
            self.free[root] = max(self.free.get(root, 0), count)
        self.filled |= other.filled
        self.stale |= other.stale

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Bags):
            return False
        return (self.free, self.filled, self.stale) == (other.free, other.filled, other.stale)


class BagPositions:
    """`types`: of all variables, local ones too. `orders`: of the action or property that is looked at."""

    def __init__(
        self, moved: frozenset[str], frozen: frozenset[str], types: Mapping[str, Type], orders: Orders
    ) -> None:
        self._moved = moved
        self._frozen = frozen
        self._orders = orders
        self._mixed = orders.shuffled | {name for name, type_ in types.items() if self._has_mixed(type_)}
        self._bag_of: dict[str, Path] = {}
        """The bags of the positions that are known."""
        self._left: dict[str, _Bags] = {}
        self._loops = 0

    def check_action(self, action: flat.Action) -> None:
        bags = _Bags()
        for binder in action.parameters:
            self._binder(binder, bags, action.span)
        guard = bags.copy()
        self._block(action.guard.before, guard, action.span)
        self._expr(action.guard.value, guard, action.span)
        self._block(action.body, bags, action.span)

    def check_code(self, code: flat.Code, span: Span | None) -> None:
        bags = _Bags()
        self._block(code.before, bags, span)
        self._expr(code.value, bags, span)

    # Uses

    def _binder(self, binder: flat.Binder, bags: _Bags, span: Span | None) -> None:
        if isinstance(binder.domain, flat.Range):
            for expr in walking.domain_exprs(binder.domain):
                self._expr(expr, bags, span)
        if isinstance(binder.domain, flat.Positions):
            bag = binder.domain.bag
            self._place(bag, bags, span)
            if self._orders.changes(bag):
                self._bag_of[binder.name] = path_of(bag, self._frozen)
                bags.stale.discard(binder.name)

    def _position(self, expr: Expr) -> Path | None:
        return self._bag_of.get(expr.name) if expr.op == "name" else None

    def _expr(self, expr: Expr, bags: _Bags, span: Span | None) -> None:
        span = expr.span or span
        if self._position(expr) is not None:
            raise Refused("the position of an entry is used as a number", span)
        if expr.op in ("=", "!="):
            one, other = map(self._position, expr.args)
            if one is not None and other is not None:
                if one != other or not one.is_exact:
                    raise Refused("positions of different bags are compared", span)
                for each in expr.args:
                    self._not_stale(each, bags, span)
                return
        if expr.binder is not None:
            self._binder(expr.binder, bags, span)
        for place in expr.places:
            self._place(place, bags, span)
        for each in expr.args:
            self._expr(each, bags, span)

    def _place(self, place: Place, bags: _Bags, span: Span | None) -> None:
        for at, step in enumerate(place.steps):
            if step.index is None:
                continue
            if step.kind == "entry":
                bag = Place(place.root, place.type, place.is_state, place.steps[:at])
                self._entry(bag, step.index, bags, span)
            else:
                self._expr(step.index, bags, span)

    def _entry(self, bag: Place, position: Expr, bags: _Bags, span: Span | None) -> None:
        known = self._position(position)
        if known is None:
            self._expr(position, bags, span)
            if bag.root in self._mixed:
                raise Refused("an entry is named by a number, but entries have no fixed order", span)
        elif known != path_of(bag, self._frozen) or not known.is_exact:
            raise Refused("a position of one bag is used in another, or in one that may have changed", span)
        else:
            self._not_stale(position, bags, span)

    def _not_stale(self, position: Expr, bags: _Bags, span: Span | None) -> None:
        if position.name in bags.stale:
            raise Refused("a position is used after entries were removed and another was added", span)

    def _has_mixed(self, type_: Type) -> bool:
        return any(isinstance(each, Bag) and mentions(each.element, self._moved) for each in nodes(type_))

    # Statements

    def _block(self, block: Block, bags: _Bags, span: Span | None) -> None:
        for statement in block:
            self._statement(statement, bags, getattr(statement, "span", None) or span)

    def _make_stale(self, root: str, bags: _Bags) -> None:
        bags.stale |= {name for name, path in self._bag_of.items() if path.root == root}

    def _statement(self, statement: flat.Statement, bags: _Bags, span: Span | None) -> None:
        match statement:
            case flat.If(branches, otherwise):
                ends = []
                for branch in branches:
                    self._expr(branch.test, bags, span)
                    ends.append(bags.copy())
                    self._block(branch.body, ends[-1], span)
                self._block(otherwise, bags, span)
                for end in ends:
                    bags.join(end)
            case flat.For(binder, body):
                self._binder(binder, bags, span)
                self._repeat((), body, bags, span)
            case flat.While(before, test, body):
                self._repeat(before, body, bags, span, test)
            case flat.Scope(label, body):
                self._block(body, bags, span)
                if label in self._left:
                    bags.join(self._left.pop(label))
            case flat.Leave(label):
                self._left.setdefault(label, _Bags()).join(bags)
            case flat.Remove(bag, position):
                self._place(bag, bags, span)
                self._entry(bag, position, bags, span)
                self._removed(bag.root, 1, bags)
            case flat.RemoveAll(binder, test):
                self._binder(binder, bags, span)
                self._expr(test, bags, span)
                assert isinstance(binder.domain, flat.Positions)
                self._removed(binder.domain.bag.root, MANY, bags)
            case flat.Add(bag, source):
                self._place(source, bags, span)
                self._place(bag, bags, span)
                self._added(bag, bags)
            case _:
                self._plain(statement, bags, span)

    def _plain(self, statement: flat.Statement, bags: _Bags, span: Span | None) -> None:
        match statement:
            case flat.Assign(place, value):
                self._expr(value, bags, span)
                self._place(place, bags, span)
            case flat.Copy(target, source):
                self._place(source, bags, span)
                self._place(target, bags, span)
                self._overwritten(target, bags)
            case flat.Fill(place):
                self._place(place, bags, span)
                self._overwritten(place, bags)
            case flat.Touch(place):
                self._place(place, bags, span)
            case flat.Let(_, value) | flat.Require(value) | flat.Cover(value) | flat.Note(value):
                self._expr(value, bags, span)

    def _overwritten(self, place: Place, bags: _Bags) -> None:
        if self._has_mixed(place.type) or (place.root in self._orders.shuffled and has_bags(place.type)):
            self._make_stale(place.root, bags)
            bags.free[place.root] = MANY

    def _removed(self, root: str, entries: int, bags: _Bags) -> None:
        bags.free[root] = min(MANY, bags.free.get(root, 0) + entries)

    def _added(self, bag: Place, bags: _Bags) -> None:
        root = bag.root
        free = bags.free.get(root, 0)
        late = root in bags.filled and self._orders.renamed
        if free >= MANY or late or (free and self._loops):
            # In a loop it may depend on the order of turns whose entry takes the free position. Where constants are
            # renamed, two entries that are added one after the other may change places.
            self._make_stale(root, bags)
        elif free:
            bags.filled.add(root)
            if not bag.steps:  # of several bags in one variable another may have the free position
                bags.free[root] = 0

    def _repeat(
        self, before: Block, body: Block, bags: _Bags, span: Span | None, test: Expr | None = None
    ) -> None:
        """Until nothing new is learnt: the counts are small and stale positions only become more."""
        self._loops += 1
        while True:
            turn = bags.copy()
            self._block(before, turn, span)
            if test is not None:
                self._expr(test, turn, span)
            self._block(body, turn, span)
            known = bags.copy()
            bags.join(turn)
            if bags == known:
                break
        self._loops -= 1
