"""Values, expressions and types of machines in the plain letters of Z.

In and out as in `printing`, which has B's notation. Marks that LaTeX writes with a backslash are words here (`x in dom f`),
which is how conditions on the command line may be written; values look as in the proofs of books: `{a |-> 1}`, `(a, b)`,
`<a, b>`, `<| x == 1 |>`, `own(a)`.
"""

from __future__ import annotations

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
from burnside.ir.sets.printing import in_order, is_sequence, quoted
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
)

# Types

_LOOSE, _PRODUCT, _POWER, _ATOM = range(4)


def show_type(type_: ValueType) -> str:
    return _type(type_, _LOOSE)


def _type(type_: ValueType, tightness: int) -> str:
    match type_:
        case Pair():
            shown, own = " x ".join(_type(each, _POWER) for each in _factors(type_)), _PRODUCT
        case Set(element):
            shown, own = f"P {_type(element, _ATOM)}", _POWER
        case Multiset(element):
            shown, own = f"bag {_type(element, _ATOM)}", _POWER
        case _:
            return _simple_type(type_)
    return shown if own >= tightness else f"({shown})"


def _simple_type(type_: ValueType) -> str:
    match type_:
        case Boolean():
            return "BOOL"
        case Integer():
            return "ZZ"
        case Text():
            return "STRING"
        case Element(sort):
            return sort.name
        case FreeType(name) | Recursion(name):
            return name
        case Struct(fields):
            return f"<| {'; '.join(f'{each.name}: {_type(each.type, _LOOSE)}' for each in fields)} |>"
        case _:
            raise AssertionError(type_)


def _factors(pair: Pair) -> list[ValueType]:
    """Of a tuple, which may be longer than two."""
    if isinstance(pair.right, Pair) and pair.right.is_tail:
        return [pair.left, *_factors(pair.right)]
    return [pair.left, pair.right]


def _components(value: Any, pair: Pair) -> list[str]:
    left = show_value(value[0], pair.left)
    if isinstance(pair.right, Pair) and pair.right.is_tail:
        return [left, *_components(value[1], pair.right)]
    return [left, show_value(value[1], pair.right)]


# Values


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
        case Pair():
            return f"({', '.join(_components(value, type_))})"
        case Struct(fields):
            parts = zip(fields, value, strict=True)
            return _binding([f"{each.name} == {show_value(part, each.type)}" for each, part in parts])
        case Set(element):
            return _show_set(value, element)
        case Multiset(element):
            return _show_set(value, Pair(element, INTEGER))
        case FreeType(_, constructors):
            name: str = constructors[value.constructor].name
            argument = type_.arguments()[value.constructor]
            if argument is None:
                return name
            shown = show_value(value.argument, argument)
            return f"{name}{shown}" if isinstance(argument, Pair) else f"{name}({shown})"
        case Recursion(name):
            raise AssertionError(f"the type {name} is not unfolded")


def _binding(parts: Sequence[str]) -> str:
    return f"<| {', '.join(parts)} |>"


def _show_set(value: Iterable[Any], element: ValueType) -> str:
    """A function from 1..n is shown as a sequence; the pairs of a relation are maplets."""
    members = in_order(value, element)
    if is_sequence(members, element) and isinstance(element, Pair):
        return f"<{', '.join(show_value(each, element.right) for _, each in members)}>"
    return "{" + ", ".join(_show_member(each, element) for each in members) + "}"


def _show_member(value: Any, type_: ValueType) -> str:
    match type_:
        case Pair(left, right) if len(_factors(type_)) == 2:
            return f"{show_value(value[0], left)} |-> {show_value(value[1], right)}"
        case _:
            return show_value(value, type_)


# Expressions

_INFIX = {
    "and": ("and", 30), "or": ("or", 25), "implies": ("=>", 20), "iff": ("<=>", 15), "equal": ("=", 40),
    "member": ("in", 40), "subset": ("subseteq", 40), "strict-subset": ("subset", 40), "less": ("<", 40),
    "less-equal": ("<=", 40), "relations": ("<->", 45), "total-relations": ("<<->", 45),
    "surjective-relations": ("<->>", 45), "total-surjective-relations": ("<<->>", 45), "partial-functions": ("+->", 45),
    "total-functions": ("-->", 45), "partial-injections": (">+>", 45), "total-injections": (">->", 45),
    "partial-surjections": ("+->>", 45), "total-surjections": ("-->>", 45), "partial-bijections": (">+>>", 45),
    "total-bijections": (">->>", 45), "product": ("cross", 50), "pair": ("|->", 55), "interval": ("..", 60),
    "add": ("+", 65), "subtract": ("-", 65), "union": ("union", 65), "difference": ("setminus", 65), "concat": ("cat", 65),
    "multiply": ("*", 70), "divide": ("div", 70), "modulo": ("mod", 70), "intersection": ("inter", 70),
    "compose": ("comp", 70), "override": ("oplus", 75), "power": ("**", 75), "domain-restrict": ("<|", 80),
    "range-restrict": ("|>", 80), "domain-subtract": ("<<|", 80), "range-subtract": ("|>>", 80),
    "parallel-product": ("||", 70), "direct-product": ("><", 70), "prepend": ("->", 65), "append": ("<-", 65),
    "take": ("/|\\", 65), "drop": ("\\|/", 65), "bag-sum": ("uplus", 65), "bag-difference": ("uminus", 65),
    "bag-included": ("subbageq", 40),
}  # fmt: skip
"""The word, and how tightly it binds."""
_NEGATED = {"equal": "/=", "member": "notin"}
_CALLED = {
    "min": "min", "max": "max", "power-set": "power", "power-set-1": "power_1", "card": "#", "size": "#",
    "general-union": "bigcup", "general-intersection": "bigcap", "left": "first", "right": "second", "domain": "dom",
    "range": "ran", "identity": "id", "sequences": "seq", "sequences-1": "seq_1", "injective-sequences": "iseq",
    "injective-sequences-1": "iseq_1", "permutations": "perm", "reverse": "rev", "first": "head", "last": "last",
    "tail": "tail", "front": "front", "general-concat": "dcat", "negate": "-", "as-function": "fnc", "as-relation": "rel",
    "iterate": "iter", "first-projection": "prj1", "second-projection": "prj2", "bag": "bag", "bag-change": "bag_change",
    "bag-scaled": "bag_scaled", "bag-count": "count", "bag-size": "bag_size", "support": "dom", "bag-of-set": "bag_of_set",
    "bag-of-function": "bag_of_function", "position": "position", "element-at": "element_at", "shift": "shift",
}  # fmt: skip
_AFTER = {"inverse": "~", "closure1": "^{+}", "closure": "^{*}"}
_TIGHTEST, _APPLIED = 100, 90


def show_expression(expression: Expression) -> str:
    return _shown(expression)[0]


def _shown(expression: Expression) -> tuple[str, int]:
    """The text, and how tightly its outermost operator binds."""
    match expression:
        case Literal(value, Element(sort)) if isinstance(value, int):
            return sort.elements[value], _TIGHTEST
        case Literal(value, type_):
            return show_value(value, type_), _TIGHTEST
        case Name(name):
            return name, _TIGHTEST
        case Apply():
            return _application(expression)
        case Forall(names, condition, body):
            return f"forall {_declared(names)} | {show_expression(condition)} @ {show_expression(body)}", 0
        case Exists(names, condition):
            return f"exists {_declared(names)} @ {show_expression(condition)}", 0
        case Comprehension(names, condition, value):
            shown = f"{_declared(names)} | {show_expression(condition)} @ {show_expression(value)}"
            return f"{{{shown}}}", _TIGHTEST
        case Fold(operator, names, condition, value):
            shown = f"{_declared(names)} | {show_expression(condition)} @ {show_expression(value)}"
            return f"{operator}({shown})", _TIGHTEST
        case Conditional(test, then, otherwise):
            parts = show_expression(test), show_expression(then), show_expression(otherwise)
            return "if {} then {} else {}".format(*parts), 0
        case Let(name, value, body):
            return f"let {name.name} == {show_expression(value)} @ {show_expression(body)}", 0
        case Select(inner, name):
            return f"{_inside(inner, _APPLIED)}.{name}", _APPLIED
        case Construct(constructor, argument):
            return constructor if argument is None else f"{constructor}{_argument(argument)}", _TIGHTEST
        case IsConstructed(value, constructor):
            return f"{_inside(value, 41)} in ran {constructor}", 40
        case ArgumentOf(value, constructor):
            return f"{constructor}~{_argument(value)}", _APPLIED


def _inside(expression: Expression, tightness: int) -> str:
    shown, own = _shown(expression)
    return shown if own >= tightness else f"({shown})"


def _declared(names: Sequence[Name]) -> str:
    return "; ".join(f"{each.name}: {show_type(each.type)}" for each in names)


def _application(expression: Apply) -> tuple[str, int]:
    operator, arguments = expression.operator, expression.arguments
    match operator, arguments:
        case "not", (Apply(inner, (left, right)),) if inner in _NEGATED:
            return f"{_inside(left, 41)} {_NEGATED[inner]} {_inside(right, 41)}", 40
        case "not", (inner,):
            return f"not {_inside(inner, 35)}", 35
        case "and" | "or", ():
            return ("true" if operator == "and" else "false"), _TIGHTEST
        case _, (only,) if operator in _INFIX:
            return _shown(only)
        case _, (first, *others) if operator in _INFIX:
            word, tight = _INFIX[operator]
            gap = "" if word == ".." else " "
            shown = [_inside(first, tight), *(_inside(each, tight + 1) for each in others)]
            return f"{gap}{word}{gap}".join(shown), tight
        case "apply", (function, argument):
            return f"{_inside(function, _APPLIED)}{_argument(argument)}", _APPLIED
        case "image", (relation, of):
            return f"{_inside(relation, _APPLIED)} (| {show_expression(of)} |)", _APPLIED
        case _, (relation,) if operator in _AFTER:
            return f"{_inside(relation, _APPLIED)}{_AFTER[operator]}", _APPLIED
        case "set" | "sequence" | "record" | "records" | "all" | "up-from", _:
            return _enclosed(expression), _TIGHTEST
        case _:
            word = _CALLED[operator]
            shown = [_inside(each, _APPLIED + 1) for each in arguments]
            gap = "" if word in ("#", "-") else " "
            return f"{word}{gap}{' '.join(shown)}", _APPLIED


def _argument(argument: Expression) -> str:
    """A function of a tuple is applied to all of it."""
    return f"({', '.join(_items(argument))})"


def _items(argument: Expression) -> list[str]:
    match argument:
        case Apply("pair", (left, right), Pair(_, tail)):
            is_longer = isinstance(tail, Pair) and tail.is_tail
            return [show_expression(left), *(_items(right) if is_longer else [show_expression(right)])]
        case _:
            return [show_expression(argument)]


def _enclosed(expression: Apply) -> str:
    """What carries brackets of its own, and names of sets."""
    operator, type_ = expression.operator, expression.type
    parts = [show_expression(each) for each in expression.arguments]
    if operator == "all" and isinstance(type_, Set):
        return _type(type_.element, _ATOM)
    if operator == "up-from":
        return {"0": "nat", "1": "nat_1"}.get(parts[0], f"{{n: ZZ | {parts[0]} <= n}}")
    if operator == "set":
        return f"{{{', '.join(parts)}}}"
    if operator == "sequence":
        return f"<{', '.join(parts)}>"
    struct = type_.element if isinstance(type_, Set) else type_
    assert isinstance(struct, Struct)
    mark = " == " if operator == "record" else ": "
    return _binding([f"{each.name}{mark}{part}" for each, part in zip(struct.fields, parts, strict=True)])
