"""What an expression means where its names have values: `evaluate` gives the value, `denote` a set that need not be listed.

In: an expression and an environment, names to values. Out: a value, or `Undefined`, `Unbounded`, `TooLarge`; `Unknown` where
a name stands for a function that is only partly chosen. Here are connectives, comparisons and everything that has a value
where its operands have one; `denoting` adds the operators that take or make spaces, `quantifiers` what binds names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from burnside.ir.nodes import Node
from burnside.ir.sets.binders import bound_names
from burnside.ir.sets.expressions import (
    Apply,
    ArgumentOf,
    Conditional,
    Construct,
    Expression,
    IsConstructed,
    Let,
    Literal,
    Name,
    Select,
    type_of,
)
from burnside.ir.sets.notation import B, Notation
from burnside.ir.sets.printing import as_written
from burnside.ir.sets.types import FreeType, Set, Struct
from burnside.reference.failures import Fails
from burnside.reference.sets.failures import (
    TROUBLES,
    NotListed,
    Trouble,
    Undefined,
    model_error,
    worse,
)
from burnside.reference.sets.operators import STRICT
from burnside.reference.sets.spaces import Denoted, Space, are_equal, listed
from burnside.reference.sets.values import FreeValue, Unset, Value, literal_value

Environment = dict[str, Any]
"""Values by name; also spaces, `Lazy` ones, and `UNSET`."""

NOTATION = "the notation"
"""The name, which no language has, under which an environment keeps the notation of messages."""


def notation_in(environment: Environment) -> Notation:
    found: Notation = environment.get(NOTATION, B)
    return found


class Lazy:
    """What a `Let` binds: computed where it is first wanted."""

    def __init__(self, expression: Expression, environment: Environment) -> None:
        self.expression, self.environment = expression, environment
        self.found: Any = None

    def denoted(self) -> Any:
        if self.found is None:
            kind = denote if isinstance(type_of(self.expression), Set) else evaluate
            self.found = kind(self.expression, self.environment)
        return self.found


def evaluate(expression: Expression, environment: Environment) -> Value:
    return NODES[type(expression)](expression, environment)


def holds(predicate: Expression, environment: Environment) -> bool:
    return bool(NODES[type(predicate)](predicate, environment))


def denote(expression: Expression, environment: Environment) -> Denoted:
    """The set that an expression of a set type stands for."""
    if isinstance(expression, Apply):
        return _denoted_apply(expression, environment)
    handler = DENOTED_NODES.get(type(expression), evaluate)
    return handler(expression, environment)


def _denoted_apply(expression: Apply, environment: Environment) -> Denoted:
    handler = DENOTED.get(expression.operator)
    if handler is None or CLOSED in vars(expression):
        found: Denoted = _apply(expression, environment)
        return found
    try:
        return handler(expression, environment)
    except Undefined as error:
        raise _placed(error, expression) from None
    except NotListed as error:
        raise error.at(expression.span) from None


# What the rest is looked up in. `LOOKING` are operators that look at their operands' expressions, not at values.
Evaluator = Callable[[Any, Environment], Value]
LOOKING: dict[str, Evaluator] = {}
"""Operators that look at more than the values of their operands."""
DENOTED: dict[str, Callable[[Apply, Environment], Denoted]] = {}
DENOTED_NODES: dict[type, Callable[[Any, Environment], Denoted]] = {}
NODES: dict[type, Evaluator] = {}

CLOSED = "closed value"
FREE = "free names"


def free_names(expression: Node) -> frozenset[str]:
    """The names that the value depends on. Kept with the expression, which never changes."""
    known: frozenset[str] | None = vars(expression).get(FREE)
    if known is None:
        known = vars(expression)[FREE] = _free_names(expression)
    return known


def _free_names(node: Node) -> frozenset[str]:
    if isinstance(node, Name):
        return frozenset((node.name,))
    found: frozenset[str] = frozenset().union(*map(free_names, node.children()))
    return found - {each.name for each in bound_names(node)}


# Nodes


def _literal(expression: Literal, environment: Environment) -> Value:
    known = vars(expression)
    if CLOSED not in known:
        known[CLOSED] = literal_value(expression)
    return known[CLOSED]


def _name(expression: Name, environment: Environment) -> Value:
    value = environment[expression.name]
    return _resolved(value, expression) if isinstance(value, _SPECIAL) else value


def _resolved(value: Any, expression: Name) -> Value:
    if isinstance(value, Unset):
        message = f"'{as_written(expression.name)}' is read before it has a value"
        raise Fails(model_error("unset", message, expression.span))
    found = value.denoted() if isinstance(value, Lazy) else value
    return listed(found) if isinstance(found, Space) else found


def _denoted_name(expression: Name, environment: Environment) -> Denoted:
    value = environment[expression.name]
    if isinstance(value, Space):
        return value
    return value.denoted() if isinstance(value, Lazy) else _name(expression, environment)  # type: ignore[no-any-return]


def _apply(expression: Apply, environment: Environment) -> Value:
    known = vars(expression)
    if CLOSED in known:
        return known[CLOSED]
    operator = expression.operator
    try:
        if operator in STRICT:
            found = STRICT[operator](*[NODES[type(each)](each, environment) for each in expression.arguments])
        elif operator in LOOKING:
            found = LOOKING[operator](expression, environment)
        else:
            found = listed(DENOTED[operator](expression, environment))
    except Undefined as error:
        raise _placed(error, expression) from None
    except NotListed as error:
        raise error.at(expression.span) from None
    if not (known.get(FREE) or free_names(expression)):
        known[CLOSED] = found
    return found


def _placed(error: Undefined, expression: Expression) -> Undefined:
    """The innermost expression that has a place."""
    if error.span is None:
        error.span = getattr(expression, "span", None)
    return error


def _conditional(expression: Conditional, environment: Environment) -> Value:
    chosen = expression.then if holds(expression.test, environment) else expression.otherwise
    return evaluate(chosen, environment)


def _denoted_conditional(expression: Conditional, environment: Environment) -> Denoted:
    chosen = expression.then if holds(expression.test, environment) else expression.otherwise
    return denote(chosen, environment)


def _with_let(expression: Let, environment: Environment) -> Environment:
    return {**environment, expression.name.name: Lazy(expression.value, environment)}


def _let(expression: Let, environment: Environment) -> Value:
    return evaluate(expression.body, _with_let(expression, environment))


def _denoted_let(expression: Let, environment: Environment) -> Denoted:
    return denote(expression.body, _with_let(expression, environment))


def _select(expression: Select, environment: Environment) -> Value:
    struct = type_of(expression.record)
    assert isinstance(struct, Struct)
    return evaluate(expression.record, environment)[struct.position(expression.name)]


def _construct(expression: Construct, environment: Environment) -> Value:
    free, name = expression.type, expression.constructor
    argument = None if expression.argument is None else evaluate(expression.argument, environment)
    number = free.position(name)
    if free.constructors[number].within is not None:
        from burnside.reference.sets.free_types import accepts

        if not accepts(free, free.constructors[number], argument):
            raise Undefined(f"{name} is applied to what is not in its domain", expression.span)
    return FreeValue(free.name, number, argument)


def constructor_number(expression: IsConstructed | ArgumentOf) -> int:
    free = type_of(expression.value)
    assert isinstance(free, FreeType)
    return free.position(expression.constructor)


def _is_constructed(expression: IsConstructed, environment: Environment) -> bool:
    found: FreeValue = evaluate(expression.value, environment)
    return found.constructor == constructor_number(expression)


def _argument_of(expression: ArgumentOf, environment: Environment) -> Value:
    found: FreeValue = evaluate(expression.value, environment)
    if found.constructor != constructor_number(expression):
        raise Undefined(f"{expression.constructor} is not what made a value", expression.span)
    return found.argument


_SPECIAL = (Unset, Lazy, Space)
NODES |= {
    Literal: _literal,
    Name: _name,
    Apply: _apply,
    Conditional: _conditional,
    Let: _let,
    Select: _select,
    Construct: _construct,
    IsConstructed: _is_constructed,
    ArgumentOf: _argument_of,
}
DENOTED_NODES |= {Name: _denoted_name, Conditional: _denoted_conditional, Let: _denoted_let}


# Connectives: the first part that decides, whatever trouble there is with others; else the trouble.


def decided(parts: tuple[Expression, ...], environment: Environment, by: bool) -> bool:
    trouble: Trouble | None = None
    for part in parts:
        try:
            if holds(part, environment) == by:
                return by
        except TROUBLES as error:
            trouble = worse(trouble, error)
    if trouble is not None:
        raise trouble
    return not by


def _implies(expression: Apply, environment: Environment) -> bool:
    left, right = expression.arguments
    trouble: Trouble
    try:
        if not holds(left, environment):
            return True
    except TROUBLES as error:
        trouble = error
    else:
        return holds(right, environment)
    try:
        if holds(right, environment):
            return True
    except TROUBLES as error:
        raise worse(trouble, error) from None
    raise trouble


def _equal(expression: Apply, environment: Environment) -> bool:
    left, right = expression.arguments
    if isinstance(type_of(left), Set):
        return are_equal(denote(left, environment), denote(right, environment))
    return bool(evaluate(left, environment) == evaluate(right, environment))


def _both(expression: Apply, environment: Environment) -> tuple[Value, Value]:
    left, right = expression.arguments
    return evaluate(left, environment), evaluate(right, environment)


def _iff(expression: Apply, environment: Environment) -> bool:
    left, right = _both(expression, environment)
    return bool(left == right)


LOOKING |= {
    "and": lambda expression, environment: decided(expression.arguments, environment, False),
    "or": lambda expression, environment: decided(expression.arguments, environment, True),
    "not": lambda expression, environment: not holds(expression.arguments[0], environment),
    "implies": _implies,
    "iff": _iff,
    "equal": _equal,
}
