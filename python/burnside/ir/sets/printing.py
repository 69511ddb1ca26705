"""Values, expressions and types of machines in B's ASCII notation.

In: a value as the engines hold it (numbers, truth values, texts, elements with a `position`, pairs and records as tuples,
frozen sets) and its type. Out: text, as ProB prints it; sets smallest element first. What is printed of an expression
can be read again, up to brackets and to names that were made unique.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from burnside.ir.sets.expressions import (
    Apply,
    ArgumentOf,
    Comprehension,
    Conditional,
    Construct,
    Exists,
    Expression,
    Fold,
    Forall,
    IsConstructed,
    Let,
    Literal,
    Name,
    Select,
)
from burnside.ir.sets.types import (
    INTEGER,
    Boolean,
    Element,
    FreeType,
    Integer,
    Multiset,
    Pair,
    Recursion,
    Set,
    Struct,
    Text,
    ValueType,
    show_type,
)


def as_written(text: str) -> str:
    """With names as the user wrote them: the numbers that make them unique are gone."""
    return re.sub(r"(?<=[\w?!'])#\d+", "", text)


def show_value(value: Any, type_: ValueType) -> str:
    match type_:
        case Boolean():
            return "TRUE" if value else "FALSE"
        case Integer():
            return str(value)
        case Text():
            return quoted(value)
        case Element(sort):
            return str(sort.elements[value.position])
        case Pair(left, right):
            return f"({_unbracketed(value[0], left)}|->{show_value(value[1], right)})"
        case Struct(fields):
            parts = zip(fields, value, strict=True)
            return f"rec({','.join(f'{each.name}:{show_value(part, each.type)}' for each, part in parts)})"
        case Set(element):
            return _show_set(value, element)
        case Multiset(element):
            return _show_set(value, Pair(element, INTEGER))
        case FreeType(_, constructors):
            name, argument = constructors[value.constructor].name, type_.arguments()[value.constructor]
            return name if argument is None else f"{name}({_unbracketed(value.argument, argument)})"
        case Recursion(name):
            raise AssertionError(f"the type {name} is not unfolded")


def _unbracketed(value: Any, type_: ValueType) -> str:
    """Pairs associate to the left, so a pair on the left needs no brackets."""
    shown = show_value(value, type_)
    return shown[1:-1] if isinstance(type_, Pair) else shown


def quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _show_set(value: Iterable[Any], element: ValueType) -> str:
    """A function from 1..n is shown as a sequence."""
    members = in_order(value, element)
    if is_sequence(members, element) and isinstance(element, Pair):
        return f"[{','.join(show_value(each, element.right) for _, each in members)}]"
    return "{" + ",".join(show_value(each, element) for each in members) + "}"


def in_order(members: Iterable[Any], element: ValueType) -> list[Any]:
    """The elements of a set, smallest first."""
    return sorted(members, key=lambda each: _order(each, element))


def is_sequence(members: Sequence[Any], element: ValueType) -> bool:
    """Is it a function from 1..n, and not the empty set? Elements are in order."""
    match element:
        case Pair(Integer()):
            return bool(members) and [index for index, _ in members] == [*range(1, len(members) + 1)]
        case _:
            return False


def _order(value: Any, type_: ValueType) -> Any:
    match type_:
        case Element():
            return value.position
        case Pair(left, right):
            return (_order(value[0], left), _order(value[1], right))
        case Struct(fields):
            return tuple(_order(part, each.type) for each, part in zip(fields, value, strict=True))
        case Set(element):
            return (len(value), sorted(_order(each, element) for each in value))
        case Multiset(element):
            return (len(value), sorted((_order(each, element), number) for each, number in value))
        case FreeType():
            argument = type_.arguments()[value.constructor]
            return (value.constructor, 0 if argument is None else _order(value.argument, argument))
        case _:
            return value


# Expressions

_INFIX = {
    "and": "&", "or": "or", "implies": "=>", "iff": "<=>", "equal": "=", "member": ":", "subset": "<:",
    "strict-subset": "<<:", "less": "<", "less-equal": "<=", "add": "+", "subtract": "-", "multiply": "*", "divide": "/",
    "modulo": "mod", "power": "**", "interval": "..", "union": "\\/", "intersection": "/\\", "difference": "-",
    "product": "*", "pair": "|->", "relations": "<->", "total-relations": "<<->", "surjective-relations": "<->>",
    "total-surjective-relations": "<<->>", "partial-functions": "+->", "total-functions": "-->",
    "partial-injections": ">+>", "total-injections": ">->", "partial-surjections": "+->>", "total-surjections": "-->>",
    "partial-bijections": ">+>>", "total-bijections": ">->>", "compose": ";", "parallel-product": "||",
    "direct-product": "><", "domain-restrict": "<|", "domain-subtract": "<<|", "range-restrict": "|>",
    "range-subtract": "|>>", "override": "<+", "concat": "^", "prepend": "->", "append": "<-", "take": "/|\\",
    "drop": "\\|/",
}  # fmt: skip
_NEGATED = {"equal": "/=", "member": "/:", "subset": "/<:", "strict-subset": "/<<:"}
_CALLED = {
    "not": "not", "min": "min", "max": "max", "power-set": "POW", "power-set-1": "POW1", "card": "card",
    "general-union": "union", "general-intersection": "inter", "left": "prj1", "right": "prj2", "domain": "dom",
    "range": "ran", "identity": "id", "closure1": "closure1", "closure": "closure", "iterate": "iterate",
    "first-projection": "prj1", "second-projection": "prj2", "as-function": "fnc", "as-relation": "rel",
    "sequences": "seq", "sequences-1": "seq1", "injective-sequences": "iseq", "injective-sequences-1": "iseq1",
    "permutations": "perm", "size": "size", "reverse": "rev", "first": "first", "last": "last", "tail": "tail",
    "front": "front", "general-concat": "conc", "bag-sum": "bag_sum", "bag-difference": "bag_difference",
    "bag-scaled": "bag_scaled", "bag-included": "bag_included", "bag-count": "bag_count", "bag-size": "bag_size",
    "support": "support", "bag-of-set": "bag_of_set", "bag-of-function": "bag_of_function", "bag": "bag",
    "bag-change": "bag_change", "position": "position", "element-at": "element_at", "shift": "shift",
}  # fmt: skip
_TIGHTNESS = {
    "implies": 30, "or": 40, "and": 40, "iff": 60, "equal": 60, "member": 60, "subset": 110, "strict-subset": 110,
    "less": 160, "less-equal": 160, "interval": 170, "add": 180, "subtract": 180, "difference": 180, "multiply": 190,
    "product": 190, "divide": 190, "modulo": 190, "power": 200, "compose": 20, "parallel-product": 20,
}  # fmt: skip
"""B's priorities; operators that are not named have 125 (relations) or 160 (sets and pairs)."""
_AS_SETS = ("union", "intersection", "pair", "concat", "prepend", "append", "take", "drop")
_TIGHTEST = 300


def show_expression(expression: Expression) -> str:
    return _shown(expression)[0]


def _shown(expression: Expression) -> tuple[str, int]:
    """The text, and how tightly its outermost operator binds."""
    match expression:
        case Literal(value, type_):
            return _show_literal(value, type_), _TIGHTEST
        case Name(name):
            return name, _TIGHTEST
        case Apply():
            return _show_application(expression)
        case Forall(names, condition, body):
            return f"!{_bound(names)}.({_inside(condition, 30)} => {_inside(body, 31)})", _TIGHTEST
        case Exists(names, condition):
            return f"#{_bound(names)}.({show_expression(condition)})", _TIGHTEST
        case Comprehension():
            return _show_comprehension(expression), _TIGHTEST
        case Fold(operator, names, condition, value):
            word = "SIGMA" if operator == "sum" else "PI"
            bound = ",".join(each.name for each in names)
            return f"{word}({bound}).({show_expression(condition)}|{show_expression(value)})", _TIGHTEST
        case Conditional(test, then, otherwise):
            parts = show_expression(test), show_expression(then), show_expression(otherwise)
            return "IF {} THEN {} ELSE {} END".format(*parts), _TIGHTEST
        case Let(name, value, body):
            shown = f"{name.name} = {_inside(value, 61)}"
            return f"LET {name.name} BE {shown} IN {show_expression(body)} END", _TIGHTEST
        case Select(inner, name):
            return f"{_inside(inner, _TIGHTEST)}'{name}", _TIGHTEST
        case Construct(constructor, argument):
            return constructor if argument is None else f"{constructor}({_argument(argument)})", _TIGHTEST
        case IsConstructed(value, constructor):
            return f"is_{constructor}({show_expression(value)})", _TIGHTEST
        case ArgumentOf(value, constructor):
            return f"{constructor}~({show_expression(value)})", _TIGHTEST


def _show_literal(value: int | str, type_: ValueType) -> str:
    if isinstance(type_, Element) and isinstance(value, int):
        return type_.sort.elements[value]
    return show_value(value, type_)


def _inside(expression: Expression, tightness: int) -> str:
    shown, own = _shown(expression)
    return shown if own >= tightness else f"({shown})"


def _bound(names: tuple[Name, ...]) -> str:
    shown = ",".join(each.name for each in names)
    return shown if len(names) == 1 else f"({shown})"


def _show_comprehension(expression: Comprehension) -> str:
    names, condition, value = expression.names, show_expression(expression.condition), expression.value
    shown = ",".join(each.name for each in names)
    if _tuple_names(value) == [each.name for each in names]:
        return f"{{{shown}|{condition}}}"
    match value:
        case Apply("pair", (left, right)) if _tuple_names(left) == [each.name for each in names]:
            return f"%{_bound(names)}.({condition}|{show_expression(right)})"
        case _:
            return f"ran(%{_bound(names)}.({condition}|{show_expression(value)}))"


def _tuple_names(value: Expression) -> list[str] | None:
    """The names of a tuple `x |-> y |-> z` of names."""
    match value:
        case Name(name):
            return [name]
        case Apply("pair", (left, Name(name))):
            found = _tuple_names(left)
            return None if found is None else [*found, name]
        case _:
            return None


def _show_application(expression: Apply) -> tuple[str, int]:
    operator, arguments = expression.operator, expression.arguments
    match operator, arguments:
        case "not", (Apply(inner, (left, right)),) if inner in _NEGATED:
            tight = _tightness(inner)
            return f"{_inside(left, tight + 1)} {_NEGATED[inner]} {_inside(right, tight + 1)}", tight
        case "and" | "or", ():
            return ("TRUE = TRUE" if operator == "and" else "TRUE = FALSE"), 60
        case _, (first, *others) if operator in _INFIX and others:
            tight = _tightness(operator)
            shown = [_inside(first, tight), *(_inside(each, tight + 1) for each in others)]
            gap = "" if operator in ("pair", "interval") else " "
            return f"{gap}{_INFIX[operator]}{gap}".join(shown), tight
        case _, (only,) if operator in _INFIX:
            return _shown(only)
        case "apply", (function, argument):
            return f"{_inside(function, _TIGHTEST)}({_argument(argument)})", _TIGHTEST
        case "image", (relation, of):
            return f"{_inside(relation, _TIGHTEST)}[{show_expression(of)}]", _TIGHTEST
        case "inverse", (relation,):
            return f"{_inside(relation, _TIGHTEST)}~", _TIGHTEST
        case "negate", (number,):
            return f"-{_inside(number, 210)}", 210
        case _:
            return _show_enclosed(expression), _TIGHTEST


def _tightness(operator: str) -> int:
    return _TIGHTNESS.get(operator, 160 if operator in _AS_SETS else 125)


def _argument(argument: Expression) -> str:
    """Functions of tuples are called with commas."""
    match argument:
        case Apply("pair", (left, right)):
            return f"{_argument(left)},{_inside(right, 161)}"
        case _:
            return show_expression(argument)


def _show_enclosed(expression: Apply) -> str:
    """What carries brackets of its own."""
    operator, type_ = expression.operator, expression.type
    parts = [show_expression(each) for each in expression.arguments]
    if operator == "all" and isinstance(type_, Set):
        return show_type(type_.element)
    if operator == "up-from":
        return {"0": "NATURAL", "1": "NATURAL1"}.get(parts[0], f"{{x|x >= {parts[0]}}}")
    if operator in ("set", "sequence"):
        opened, closed = "{}" if operator == "set" else "[]"
        return f"{opened}{','.join(parts)}{closed}"
    if operator in ("record", "records"):
        return _show_record(operator, type_, parts)
    return f"{_CALLED[operator]}({','.join(parts)})"


def _show_record(operator: str, type_: ValueType, parts: list[str]) -> str:
    struct = type_.element if isinstance(type_, Set) else type_
    assert isinstance(struct, Struct)
    fields = ",".join(f"{each.name}:{part}" for each, part in zip(struct.fields, parts, strict=True))
    return f"{'rec' if operator == 'record' else 'struct'}({fields})"
