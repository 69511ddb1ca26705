"""Patterns: expressions that names can be read off from, once the value of the whole is known.

`x`, `x |-> y`, `rec(a: x)`, `[x, y]`, `{x}`, `own(x)` are patterns in x and y; parts in which no name is sought are
compared. From `x |-> x + y` at least x can be read off: what is left is an equation that has to be tested.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

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
from burnside.reference.sets.evaluation import Environment, evaluate, free_names
from burnside.reference.sets.failures import NotListed, Undefined, Unknown
from burnside.reference.sets.spaces import every
from burnside.reference.sets.values import Value, sequence_elements

_TAKEN_APART = ("pair", "record", "sequence", "set")


def is_pattern(expression: Expression, sought: AbstractSet[str], *, partial: bool = False) -> bool:
    """Does a value of the expression say what all the sought names in it are? `partial`: also where, for other values of
    the names, a constructor in it is undefined."""
    if free_names(expression).isdisjoint(sought):
        return True
    match expression:
        case Name():
            return True
        case Apply("set", arguments):
            return len(arguments) == 1 and is_pattern(arguments[0], sought, partial=partial)
        case Apply(operator, arguments) if operator in _TAKEN_APART:
            return all(is_pattern(each, sought, partial=partial) for each in arguments)
        case Construct(_, argument) if argument is not None and (partial or not is_partial(expression)):
            return is_pattern(argument, sought, partial=partial)
        case _:
            return False


def is_partial(expression: Construct) -> bool:
    """Are there arguments for which it is undefined?"""
    free = expression.type
    return free.constructors[free.position(expression.constructor)].within is not None


_PARTIAL = frozenset(
    [
        "divide",
        "modulo",
        "power",
        "min",
        "max",
        "general-intersection",
        "apply",
        "iterate",
        "size",
        "concat",
        "prepend",
        "append",
        "reverse",
        "first",
        "last",
        "tail",
        "front",
        "take",
        "drop",
        "general-concat",
    ]
)


def always_defined(expression: Expression) -> bool:
    """Has it a value, whatever those of its names are? False where that is not obvious."""
    match expression:
        case Literal() | Name():
            return True
        case Apply(operator, arguments):
            return operator not in _PARTIAL and all(map(always_defined, arguments))
        case Exists(_, condition):
            return always_defined(condition)
        case Forall(_, condition, other) | Comprehension(_, condition, other) | Fold(_, _, condition, other):
            return always_defined(condition) and always_defined(other)
        case Conditional(test, then, otherwise):
            return all(map(always_defined, (test, then, otherwise)))
        case Let(_, value, body):
            return always_defined(value) and always_defined(body)
        case Select(inner) | IsConstructed(inner):
            return always_defined(inner)
        case Construct(_, argument):
            return argument is None or (always_defined(argument) and not is_partial(expression))
        case ArgumentOf():
            return False


def known_to_be_undefined(
    expression: Expression, sought: Mapping[str, Name], environment: Environment
) -> bool:
    """Has it no value, because a part without sought names has none?"""
    match expression:
        case Select(inner) | IsConstructed(inner):
            return known_to_be_undefined(inner, sought, environment)
        case Apply("and" | "or" | "implies"):
            return False
        case Apply(operator, arguments):
            if operator in _PARTIAL and free_names(expression).isdisjoint(sought):
                return _is_undefined(expression, environment)
            return any(known_to_be_undefined(each, sought, environment) for each in arguments)
        case ArgumentOf(inner):
            if free_names(expression).isdisjoint(sought):
                return _is_undefined(expression, environment)
            return known_to_be_undefined(inner, sought, environment)
        case Construct(_, argument) if argument is not None:
            if is_partial(expression) and free_names(expression).isdisjoint(sought):
                return _is_undefined(expression, environment)
            return known_to_be_undefined(argument, sought, environment)
        case _:
            return False


def _is_undefined(expression: Expression, environment: Environment) -> bool:
    try:
        evaluate(expression, environment)
    except Undefined:
        return True
    except (NotListed, Unknown):
        return False
    return False


def readable(expression: Expression, sought: AbstractSet[str], *, partial: bool = False) -> set[str]:
    """The sought names that a value of the expression determines: none where another part might be undefined, so that two
    values which differ need not be distinguished. `partial`: as in `is_pattern`."""
    found = _readable(expression, sought)
    if not found:
        return found
    is_sure = is_pattern(expression, sought, partial=partial) or always_defined(expression)
    return found if is_sure else set()


def _readable(expression: Expression, sought: AbstractSet[str]) -> set[str]:
    match expression:
        case Name(name):
            return {name} & sought
        case Apply("set", arguments):
            return _readable(arguments[0], sought) if len(arguments) == 1 else set()
        case Apply(operator, arguments) if operator in _TAKEN_APART:
            return {name for each in arguments for name in _readable(each, sought)}
        case Construct(_, argument) if argument is not None:
            return _readable(argument, sought)
        case _:
            return set()


def read_off(
    pattern: Expression, value: Value, sought: AbstractSet[str], environment: Environment, found: Environment
) -> bool:
    """Add to `found` what the sought names are; False where no values of them give this value. Parts that are no
    patterns are left out."""
    match pattern:
        case Name(name) if name in sought:
            if name in found:
                return bool(found[name] == value)
            found[name] = value
            return True
        case Apply(operator, arguments) if operator in _TAKEN_APART and _readable(pattern, sought):
            values = _taken_apart(operator, value)
            if values is None or len(values) != len(arguments):
                _evaluate_parts(arguments, sought, environment)
                return False
            return every(
                read_off(each, part, sought, environment, found)
                for each, part in zip(arguments, values, strict=True)
            )
        case Construct(name, argument, free) if argument is not None and _readable(pattern, sought):
            if value.constructor != free.position(name):
                _evaluate_parts((argument,), sought, environment)
                return False
            return read_off(argument, value.argument, sought, environment, found)
        case _ if not free_names(pattern).isdisjoint(sought):
            return True
        case _:
            return bool(evaluate(pattern, environment) == value)


def _evaluate_parts(
    parts: tuple[Expression, ...], sought: AbstractSet[str], environment: Environment
) -> None:
    """Only to find out whether they are undefined."""
    for each in parts:
        if free_names(each).isdisjoint(sought):
            evaluate(each, environment)
        elif isinstance(each, Apply) and each.operator in _TAKEN_APART:
            _evaluate_parts(each.arguments, sought, environment)
        elif isinstance(each, Construct) and each.argument is not None:
            _evaluate_parts((each.argument,), sought, environment)


def _taken_apart(operator: str, value: Value) -> list[Value] | None:
    if operator == "sequence":
        return sequence_elements(value)
    return list(value)
