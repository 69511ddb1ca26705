"""May two pieces of code change places? Decided from their effects alone.

`exchangeable`: two statements, one after the other, with the same names around them. `Turns`: the turns of a loop, in any
order. Both ask the same two questions.

*Accesses.* No write of the one touches what the other reads or writes, unless both write in one way whose order does not
show: the same value, sums of one sign, a common `and` or `or`, the same extreme, entries added to a bag. Then each piece
reads the same in both orders, so it does the same, and the results are the same.

*Ends.* A piece that fails hides what comes after it. So all ends that are possible must be one and the same, and where any
is possible nothing may be covered. Which pieces end does not depend on the order, for they read the same in every order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from burnside.ir.analysis import flat
from burnside.ir.analysis.effects import Access, Effects
from burnside.ir.analysis.paths import Known, Path, PathStep, steps_differ
from burnside.records import record


@record
class Conflict:
    """A write whose order with another access may show."""

    write: Access
    other: Access


@record
class Sides:
    """How names on the two sides are related. `turn`: the loop's own name, whose values differ between the sides; `inside`:
    names and variables that are made anew on each side. Everything else is the same on both."""

    turn: str = ""
    inside: frozenset[str] = frozenset()

    def apart(self, one: Access, other: Access) -> bool:
        """Certainly different cells."""
        if one.path.root != other.path.root:
            return True
        pairs = zip(one.path.steps, other.path.steps, strict=False)
        return any(self._differ(a, b, one, other) for a, b in pairs)

    def _differ(self, a: PathStep, b: PathStep, one: Access, other: Access) -> bool:
        match a.at, b.at:
            case Known(name=str(x)), Known(name=str(y)) if x and y:
                if x == y:
                    return x == self.turn
                return self._told(x, y, one) or self._told(y, x, other)
        return steps_differ(a, b)

    def _told(self, name: str, outer: str, access: Access) -> bool:
        """On its own side the name is known to differ from another, which means the same on both sides."""
        return (name, outer) in access.different and outer not in self.inside and outer != self.turn

    def same_value(self, key: object) -> bool:
        """Is what is written one value on both sides?"""
        names: set[str] = set()
        if isinstance(key, Known):
            names = {key.name}
        elif isinstance(key, Path):
            # That no other turn writes there is seen by this turn's read.
            names = {key.root, *key.names}
        return self.turn not in names and self.inside.isdisjoint(names)

    def agree(self, one: Access, other: Access) -> bool:
        if one.kind != other.kind:
            return False
        match one.kind:
            case "read":
                return True
            case "set":
                return one.key == other.key and self.same_value(one.key)
            case "accumulate":
                return one.key == other.key
            case "add":
                return True
            case _:
                return False

    def conflicts(self, one: Iterable[Access], other: Iterable[Access]) -> Iterator[Conflict]:
        by_root: dict[str, list[Access]] = {}
        for each in other:
            by_root.setdefault(each.path.root, []).append(each)
        for access in one:
            for each in by_root.get(access.path.root, ()):
                if access.kind == each.kind == "read":
                    continue
                if not (self.agree(access, each) or self.apart(access, each)):
                    yield Conflict(each, access) if access.kind == "read" else Conflict(access, each)


SAME_NAMES = Sides()


def exchangeable(one: Effects, other: Effects) -> bool:
    """Two statements that follow each other. A name that one makes and the other uses is a conflict too."""
    if one.leaves or other.leaves:
        return False
    ends = one.ends | other.ends
    if len(ends) > 1 or (ends and (one.covers or other.covers)):
        return False
    if not (_made(one).isdisjoint(_used(other)) and _made(other).isdisjoint(_used(one))):
        return False
    return next(SAME_NAMES.conflicts(list(one.outer), list(other.outer)), None) is None


def _made(effects: Effects) -> set[str]:
    """Names that begin here, or local variables that are written."""
    return effects.inside | {each.path.root for each in effects.writes if not each.path.is_state}


def _used(effects: Effects) -> set[str]:
    """Names that are used, and local variables that exist already. (Those that are only written are distinguished by
    their accesses.)"""
    roots = {each.path.root for each in effects.accesses if each.path.root in effects.inside}
    return effects.names | effects.inside | roots


def turn_conflicts(binder: flat.Binder, turn: Effects, private: Iterable[Path]) -> Iterator[Conflict]:
    """Accesses of two turns of a loop whose order may show. `private`: local variables, or fields of such, that every turn
    writes before it reads them, and that are not read after the loop; as if each turn had its own."""
    own = list(private)
    sides = Sides(binder.name, frozenset(turn.inside | {path.root for path in own}))
    accesses = [each for each in turn.outer if not any(is_within(each.path, path) for path in own)]
    yield from sides.conflicts(accesses, accesses)


def is_within(path: Path, whole: Path) -> bool:
    """Is it a part of this local variable, or field of one?"""
    return path.root == whole.root and path.steps[: len(whole.steps)] == whole.steps
