"""What is known of values and places without evaluating anything.

In: expressions and places, with the meanings of names so far. Out: `Value`s, `Path`s, and what is sure about failures.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.types import Array, Bag, Optional, Record
from burnside.symmetry.accesses import ANY, Named, Path, Step, Value, fixed
from burnside.symmetry.code import code
from burnside.symmetry.effects import Effects, Meaning, Reading
from burnside.symmetry.failing import Failing, fits, interval


class Valuing(ABC):
    """`but` says of names which other names they differ from, here."""

    def __init__(
        self,
        reading: Reading,
        meanings: dict[str, Meaning],
        but: Mapping[str, frozenset[str]] | None = None,
    ) -> None:
        self.reading = reading
        self.meanings = meanings
        self.but = but or {}
        self.effects = Effects()

    @abstractmethod
    def expression(self, expression: e.Expression) -> None:
        """Collects the effects of evaluating it."""

    def value(self, expression: e.Expression) -> Value:
        """As much as is known of a value without evaluating anything."""
        match expression:
            case e.Constant(value, type_):
                return fixed(value, type_)
            case e.Read(e.Variable(name)):
                meaning = self.meanings.get(name)
                if isinstance(meaning, Named):
                    return Named(meaning.name, meaning.but | self._others(meaning.name))
                if meaning is not None and not isinstance(meaning, Path):
                    return meaning
                if meaning is None and name in self.reading.steady:
                    return Named(name, self._others(name))
                return self.effects.flow.values.get(meaning or Path(name), ANY)
            case e.Read(place) if self.effects.flow.values:
                return self.effects.flow.values.get(self.path(place), ANY)
            case e.Convert(operand):
                inner = self.value(operand)
                return inner if isinstance(inner, Named) else ANY
            case _:
                return ANY

    def _others(self, name: str) -> frozenset[str]:
        return self.but.get(name, frozenset())

    def told_apart(self, test: e.Expression, *, holds: bool) -> Mapping[str, frozenset[str]]:
        """Which names differ, if the test holds (or not), beside those that did before."""
        match test:
            case e.Not(operand):
                return self.told_apart(operand, holds=not holds)
            case e.Junction(operator, parts) if (operator == "and") == holds:
                but = self.but
                for part in parts:
                    but = _joined(but, self.told_apart(part, holds=holds))
                return but
            case e.Binary("=" | "!=" as operator, left, right) if (operator == "!=") == holds:
                match self.value(left), self.value(right):
                    case Named(one), Named(other):
                        return _joined(self.but, {one: frozenset([other]), other: frozenset([one])})
        return self.but

    def key(self, expression: e.Expression) -> tuple[object, frozenset[str]] | None:
        """A value that is the same wherever its names mean the same; None if that is not easily seen."""
        known = self.value(expression)
        if known != ANY:
            return known, frozenset([known.name] if isinstance(known, Named) else [])
        match expression:
            case e.Convert(operand, type_):
                inner = self.key(operand)
                return None if inner is None else ((type_, inner[0]), inner[1])
            case e.Read(place):
                path = self.path(place)
                return (path, path.names) if path.is_exact else None
            case _:
                return None

    def path(self, place: e.Place, *, collect: bool = False) -> Path:
        """Where a place lies; on request, what its indices read is collected."""
        match place:
            case e.Variable(name):
                meaning = self.meanings.get(name)
                return meaning if isinstance(meaning, Path) else Path(name)
            case e.Component(record, name):
                return self.path(record, collect=collect) / Step("field", name)
            case e.Index(array, index):
                inner, at, kind = array, index, "index"
            case e.Entry(bag, position):
                inner, at, kind = bag, position, "entry"
        path = self.path(inner, collect=collect)
        if collect:
            self.expression(at)
        return path / Step("index" if kind == "index" else "entry", self.value(at))


def _joined(
    one: Mapping[str, frozenset[str]], other: Mapping[str, frozenset[str]]
) -> Mapping[str, frozenset[str]]:
    return {name: one.get(name, frozenset()) | other.get(name, frozenset()) for name in (*one, *other)}


def extreme_of(branch: s.Branch) -> tuple[str, e.Place, e.Expression] | None:
    """`if e > x then x := e`: which extreme, of which place, with what."""
    match branch.body:
        case (s.Assign(place, value),):
            pass
        case (s.Copy(place, source),):
            value = e.Read(source)
        case _:
            return None
    if any(isinstance(node, e.Call) for node in code((place, value))):
        return None
    match branch.test:
        case e.Binary(">" | ">=", left, right) | e.Binary("<" | "<=", right, left):
            if (left, right) == (value, e.Read(place)):
                return "max", place, value
            if (left, right) == (e.Read(place), value):
                return "min", place, value
    return None


def sign_of(expression: e.Expression) -> int | None:
    """1: never negative; -1: never positive."""
    values = interval(expression)
    if values is None:
        return None
    return 1 if values[0] >= 0 else -1 if values[1] <= 0 else None


def stores(type_: object, value: e.Expression) -> bool:
    """Certainly without a failure."""
    content = type_.type if isinstance(type_, Optional) else type_
    return not isinstance(content, Array | Record | Bag) and fits(value, content)  # type: ignore[arg-type]


def fails_itself(failing: Failing, expression: e.Expression) -> bool:
    """Calls are followed instead, and what is inside is met on its own."""
    match expression:
        case e.Call() | e.Not() | e.Junction() | e.Conditional() | e.Quantified() | e.Count() | e.IsMember():
            return False
        case e.Binary(_, left, right):
            plain = e.Binary(expression.operator, _stand_in(left), _stand_in(right))
            return failing.expression(plain)
        case e.Convert(operand, type_):
            return not fits(operand, type_)
        case _:
            return failing.expression(expression)


def _stand_in(operand: e.Expression) -> e.Expression:
    """A value of the same range that cannot fail."""
    return operand if isinstance(operand, e.Constant) else e.Read(e.Variable("", e.type_of(operand)))
