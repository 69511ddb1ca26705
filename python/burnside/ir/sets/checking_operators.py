"""Typing rules of operators on types that are known, for `checking`. In: an application. Out: what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from burnside.ir.sets import expressions as e
from burnside.ir.sets.types import (
    BOOLEAN,
    INTEGER,
    Element,
    Multiset,
    Pair,
    Set,
    Struct,
    ValueType,
    show_type,
)


def applied(operator: str, arguments: tuple[e.Expression, ...], result: ValueType) -> Iterator[str]:
    """What is wrong with an application: its number of arguments, their types, the type it says it has."""
    if not isinstance(operator, str) or operator not in e.OPERATORS:
        yield f"no operator {operator}"
    elif e.OPERATORS[operator] not in (e.ANY_NUMBER, len(arguments)):
        yield f"{operator} of {len(arguments)} arguments"
    elif not _is_typed(operator, tuple(map(e.type_of, arguments)), result):
        types = ", ".join(show_type(e.type_of(each)) for each in arguments)
        yield f"{operator} from ({types}) to {show_type(result)}"


def _is_typed(operator: str, given: tuple[ValueType, ...], result: ValueType) -> bool:
    if operator in ("and", "or", "not", "implies", "iff"):
        return all(each == BOOLEAN for each in given) and result == BOOLEAN
    if operator in _NUMERIC:
        return all(each == INTEGER for each in given) and result == _NUMERIC[operator]
    if operator in ("set", "sequence"):
        element = result.element if isinstance(result, Set) else None
        if operator == "sequence":
            element = element.right if isinstance(element, Pair) and element.left == INTEGER else None
        return element is not None and all(each == element for each in given)
    if operator == "all":
        return isinstance(result, Set)
    if operator in ("record", "records"):
        return _is_record(operator, given, result)
    if operator == "element-at":
        return isinstance(result, Element) and given == (INTEGER,)
    if operator in ("bag", "bag-change"):
        changes = given[1:] if operator == "bag-change" else given
        return _is_bag(changes, result) and (operator == "bag" or given[:1] == (result,))
    try:
        return _RESULTS[operator](*given) == result
    except _Mismatch:
        return False


def _is_record(operator: str, given: tuple[ValueType, ...], result: ValueType) -> bool:
    if operator == "records":
        if not isinstance(result, Set) or not all(isinstance(each, Set) for each in given):
            return False
        given = tuple(each.element for each in given if isinstance(each, Set))
        result = result.element
    return isinstance(result, Struct) and tuple(each.type for each in result.fields) == given


def _is_bag(changes: tuple[ValueType, ...], result: ValueType) -> bool:
    if not isinstance(result, Multiset) or len(changes) % 2:
        return False
    return set(changes[::2]) <= {INTEGER} and set(changes[1::2]) <= {result.element}


class _Mismatch(Exception):
    pass


def _element(type_: ValueType) -> ValueType:
    if not isinstance(type_, Set):
        raise _Mismatch
    return type_.element


def _occurring(type_: ValueType) -> ValueType:
    if not isinstance(type_, Multiset):
        raise _Mismatch
    return type_.element


def _counted(function: ValueType) -> ValueType:
    value, number = _related(function)
    return _if(number == INTEGER, Multiset(value))


def _sides(type_: ValueType) -> tuple[ValueType, ValueType]:
    if not isinstance(type_, Pair):
        raise _Mismatch
    return type_.left, type_.right


def _related(type_: ValueType) -> tuple[ValueType, ValueType]:
    return _sides(_element(type_))


def _items(type_: ValueType) -> ValueType:
    index, item = _related(type_)
    _want(index == INTEGER)
    return item


def _want(holds: bool) -> None:
    if not holds:
        raise _Mismatch


def _if(holds: bool, result: ValueType) -> ValueType:
    _want(holds)
    return result


def _relation(left: ValueType, right: ValueType) -> ValueType:
    return Set(Pair(left, right))


def _member(x: ValueType, s: ValueType) -> ValueType:
    return _if(_element(s) == x, BOOLEAN)


def _contained(s: ValueType, t: ValueType) -> ValueType:
    return _if(_element(s) == _element(t), BOOLEAN)


def _both(s: ValueType, t: ValueType) -> ValueType:
    return _if(_element(s) == _element(t), s)


def _power(s: ValueType) -> ValueType:
    return Set(Set(_element(s)))


def _space(s: ValueType, t: ValueType) -> ValueType:
    return Set(_relation(_element(s), _element(t)))


def _flat(s: ValueType) -> ValueType:
    return Set(_element(_element(s)))


def _apply(r: ValueType, x: ValueType) -> ValueType:
    left, right = _related(r)
    return _if(left == x, right)


def _image(r: ValueType, s: ValueType) -> ValueType:
    return Set(_apply(r, _element(s)))


def _compose(r: ValueType, s: ValueType) -> ValueType:
    (a, b), (c, d) = _related(r), _related(s)
    return _if(b == c, _relation(a, d))


def _parallel(r: ValueType, s: ValueType) -> ValueType:
    (a, b), (c, d) = _related(r), _related(s)
    return _relation(Pair(a, c), Pair(b, d))


def _direct(r: ValueType, s: ValueType) -> ValueType:
    (a, b), (c, d) = _related(r), _related(s)
    return _if(a == c, _relation(a, Pair(b, d)))


def _endo(r: ValueType) -> ValueType:
    left, right = _related(r)
    return _if(left == right, r)


def _same_sequence(s: ValueType) -> ValueType:
    return _relation(INTEGER, _items(s))


def _of_sequences(s: ValueType) -> ValueType:
    return Set(_relation(INTEGER, _element(s)))


_NUMERIC: dict[str, ValueType] = {
    **dict.fromkeys(("less", "less-equal"), BOOLEAN),
    **dict.fromkeys(("add", "subtract", "multiply", "divide", "modulo", "power", "negate"), INTEGER),
    **dict.fromkeys(("up-from", "interval"), Set(INTEGER)),
}
_SPACES = (name for name in e.OPERATORS if name.endswith(("relations", "functions", "jections")))
_RESULTS: dict[str, Callable[..., ValueType]] = {
    "equal": lambda a, b: _if(a == b, BOOLEAN),
    "member": _member,
    "subset": _contained,
    "strict-subset": _contained,
    "min": lambda s: _if(_element(s) == INTEGER, INTEGER),
    "max": lambda s: _if(_element(s) == INTEGER, INTEGER),
    **dict.fromkeys(("union", "intersection", "difference"), _both),
    "product": lambda s, t: _relation(_element(s), _element(t)),
    "power-set": _power,
    "power-set-1": _power,
    "card": lambda s: _if(isinstance(s, Set), INTEGER),
    "general-union": _flat,
    "general-intersection": _flat,
    "pair": Pair,
    "left": lambda p: _sides(p)[0],
    "right": lambda p: _sides(p)[1],
    **dict.fromkeys(_SPACES, _space),
    "apply": _apply,
    "domain": lambda r: Set(_related(r)[0]),
    "range": lambda r: Set(_related(r)[1]),
    "identity": lambda s: _relation(_element(s), _element(s)),
    "inverse": lambda r: _relation(_related(r)[1], _related(r)[0]),
    "image": _image,
    "compose": _compose,
    "parallel-product": _parallel,
    "direct-product": _direct,
    **dict.fromkeys(
        ("domain-restrict", "domain-subtract"), lambda s, r: _if(_related(r)[0] == _element(s), r)
    ),
    **dict.fromkeys(("range-restrict", "range-subtract"), lambda r, s: _if(_related(r)[1] == _element(s), r)),
    "override": lambda r, s: _if(_related(r) == _related(s), r),
    "closure1": _endo,
    "closure": _endo,
    "iterate": lambda r, n: _if(n == INTEGER, _endo(r)),
    "first-projection": lambda s, t: _relation(Pair(_element(s), _element(t)), _element(s)),
    "second-projection": lambda s, t: _relation(Pair(_element(s), _element(t)), _element(t)),
    "as-function": lambda r: _relation(_related(r)[0], Set(_related(r)[1])),
    "as-relation": lambda f: _relation(_related(f)[0], _element(_related(f)[1])),
    **dict.fromkeys((name for name in e.OPERATORS if "sequences" in name), _of_sequences),
    "permutations": _of_sequences,
    "size": lambda s: _if(_items(s) is not None, INTEGER),
    "concat": lambda s, t: _if(_items(s) == _items(t), s),
    "prepend": lambda x, s: _if(_items(s) == x, s),
    "append": lambda s, x: _if(_items(s) == x, s),
    **dict.fromkeys(("reverse", "tail", "front"), _same_sequence),
    **dict.fromkeys(("first", "last"), _items),
    **dict.fromkeys(("take", "drop"), lambda s, n: _if(n == INTEGER, _same_sequence(s))),
    **dict.fromkeys(("bag-sum", "bag-difference"), lambda a, b: _if(_occurring(a) == _occurring(b), a)),
    "bag-scaled": lambda n, a: _if(n == INTEGER, Multiset(_occurring(a))),
    "bag-included": lambda a, b: _if(_occurring(a) == _occurring(b), BOOLEAN),
    "bag-count": lambda a, x: _if(_occurring(a) == x, INTEGER),
    "bag-size": lambda a: _if(_occurring(a) is not None, INTEGER),
    "support": lambda a: Set(_occurring(a)),
    "bag-of-set": lambda s: Multiset(_element(s)),
    "bag-of-function": _counted,
    "position": lambda a: _if(isinstance(a, Element), INTEGER),
    "shift": lambda a, n: _if(isinstance(a, Element) and n == INTEGER, a),
    "general-concat": lambda s: _same_sequence(_items(s)),
}
