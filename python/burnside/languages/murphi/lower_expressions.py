"""Expressions. In: their syntax. Out: what they come to (`Operand`), typed as strictly as rumur does, constants folded.

A place is read only where a scalar is needed, so that plain copies keep undefinedness (CMurphi's habit; rumur refuses to
read an undefined value even for a copy).
"""

from __future__ import annotations

from typing import Literal, NoReturn

from burnside.ir import expressions as e
from burnside.ir.arithmetic import compared
from burnside.ir.types import (
    BOOLEAN,
    INTEGER,
    Array,
    Bag,
    Boolean,
    Element,
    Integer,
    Record,
    Scalar,
    Union,
    has_bags,
    sorts_of,
)
from burnside.languages.murphi import syntax as s
from burnside.languages.murphi.constants import NotConstant, arithmetic, junction, negated, widened
from burnside.languages.murphi.kinds import (
    Position,
    bare,
    common,
    converted,
    describe,
    is_scalar,
    within,
)
from burnside.languages.murphi.lower_types import TypeLowering
from burnside.languages.murphi.lowering import (
    KnownConstant,
    KnownFunction,
    KnownPlace,
    KnownType,
    KnownValue,
    Operand,
    Stored,
    StructuredConditional,
    Value,
)
from burnside.languages.shared.spans import Extent

ARITHMETIC: dict[str, e.BinaryOperator] = {
    "+": "+", "-": "-", "*": "*", "/": "/", "%": "%", "^": "bit-xor", "<<": "shift-left", ">>": "shift-right",
}  # fmt: skip
ORDER: dict[str, e.BinaryOperator] = {"<": "<", "<=": "<=", ">": ">", ">=": ">="}


class ExpressionLowering(TypeLowering):
    def call_operand(self, node: s.Call) -> Operand:
        raise NotImplementedError

    def same(self, left: Operand, right: Operand, at: Extent) -> e.Expression:
        raise NotImplementedError

    def quantified(self, node: s.Quantified) -> e.Expression:
        raise NotImplementedError

    def bind(self, binder: s.Binder) -> e.Bound:
        raise NotImplementedError

    def operand(self, node: s.Expression) -> Operand:
        match node:
            case s.Number(at, value):
                return Value(at, INTEGER, e.Constant(value, INTEGER, self.span(at)))
            case s.Truth(at, value):
                return Value(at, BOOLEAN, e.Constant(int(value), BOOLEAN, self.span(at)))
            case s.Name():
                return self.named(node)
            case s.Field():
                return self.field(node)
            case s.Element():
                return self.element(node)
            case s.Call():
                return self.call_operand(node)
            case s.Conditional():
                return self.conditional(node)
            case s.Unary():
                return self.unary(node)
            case s.Binary():
                return self.binary(node)
            case s.Chain():
                return self.chain(node)
            case s.Quantified(at):
                return Value(at, BOOLEAN, self.quantified(node))
            case s.IsUndefined(at):
                return Value(at, BOOLEAN, self.is_undefined(node))
            case s.IsMember(at):
                return Value(at, BOOLEAN, self.is_member(node))
            case s.Count(at, name, bag, condition):
                with self.inner_scope():
                    bound = self.bind(s.PositionBinder(name, bag))
                    return Value(at, INTEGER, e.Count(bound, self.test(condition, "this test")))

    # What others ask for

    def read(self, operand: Operand) -> e.Expression:
        """The scalar."""
        if not is_scalar(operand.type) and not isinstance(operand.type, Position):
            raise self.error(f"this is {describe(operand.type)}, not a simple value", operand.at)
        if isinstance(operand, Stored):
            return e.Read(operand.place, self.span(operand.at))
        assert isinstance(operand, Value)
        return operand.expression

    def test(self, node: s.Expression, what: str) -> e.Expression:
        operand = self.operand(node)
        if not isinstance(operand.type, Boolean):
            raise self.error(f"{what} must be a boolean, this is {describe(operand.type)}", node.at)
        return self.read(operand)

    def integer(self, node: s.Expression, what: str) -> e.Expression:
        operand = self.operand(node)
        if not isinstance(operand.type, Integer):
            raise self.error(f"{what} must be a number, this is {describe(operand.type)}", node.at)
        return self.read(operand)

    def fit(self, operand: Operand, target: Scalar, what: str, *, checked: bool) -> e.Expression:
        """As a value of this type. `checked`: no other check is made whether a number is within the type's range."""
        if common(operand.type, target) is None or isinstance(operand.type, Position):
            message = f"{what} must be {describe(target)}, this is {describe(operand.type)}"
            raise self.error(message, operand.at)
        expression = self.read(operand)
        if isinstance(target, Integer) and not checked:
            return expression
        return self.convert(expression, target, operand.at)

    def convert(self, expression: e.Expression, target: Scalar, at: Extent) -> e.Expression:
        source = e.type_of(expression)
        if within(source, target):
            return expression
        if isinstance(expression, e.Constant):
            value = converted(expression.value, source, target)
            if value is not None:
                return e.Constant(value, target, expression.span)
        return e.Convert(expression, target, self.span(at))

    # Names and their parts

    def named(self, node: s.Name) -> Operand:
        match self.find(node.text, node.at):
            case KnownConstant(value):
                return Value(node.at, value.type, e.Constant(value.value, value.type, self.span(node.at)))
            case KnownPlace(place, writable):
                return Stored(node.at, bare(e.type_of_place(place)), place, writable)
            case KnownValue(expression, type_, is_bound):
                return Value(node.at, type_, expression, is_bound)
            case KnownType():
                raise self.error(f"'{node.text}' is a type, not a value", node.at)
            case KnownFunction():
                raise self.error(f"'{node.text}' is a function: call it with ()", node.at)

    def field(self, node: s.Field) -> Operand:
        base = self.operand(node.base)
        if not isinstance(base, Stored) or not isinstance(base.type, Record):
            message = f"'.{node.name.text}' belongs behind a record, this is {describe(base.type)}"
            raise self.error(message, node.base.at)
        if all(each.name != node.name.text for each in base.type.fields):
            names = ", ".join(each.name for each in base.type.fields)
            message = f"this record has no field '{node.name.text}'"
            raise self.error(message, node.name.at, f"there are: {names}")
        place = e.Component(base.place, node.name.text)
        return Stored(node.at, bare(e.type_of_place(place)), place, base.writable)

    def element(self, node: s.Element) -> Operand:
        base = self.operand(node.base)
        place: e.Place
        match base:
            case Stored(_, Array(index_type)):
                index = self.fit(
                    self.operand(node.index), index_type, "the index of this array", checked=False
                )
                place = e.Index(base.place, index, self.span(node.at))
            case Stored(_, Bag() as bag):
                place = e.Entry(base.place, self.position(node.index, bag), self.span(node.at))
            case _:
                message = f"'[' belongs behind an array, this is {describe(base.type)}"
                raise self.error(message, node.base.at)
        return Stored(node.at, bare(e.type_of_place(place)), place, base.writable)

    def position(self, node: s.Expression, bag: Bag) -> e.Expression:
        operand = self.operand(node)
        if operand.type != Position(bag):
            message = f"a position in this multiset is needed, this is {describe(operand.type)}"
            raise self.error(message, node.at, "choose or MultiSetCount give positions")
        return self.read(operand)

    def bag(self, node: s.Expression) -> tuple[Stored, Bag]:
        operand = self.operand(node)
        if not isinstance(operand, Stored) or not isinstance(operand.type, Bag):
            raise self.error(f"a multiset is needed, this is {describe(operand.type)}", node.at)
        return operand, operand.type

    # Operators

    def unary(self, node: s.Unary) -> Operand:
        if node.operator == "!":
            return Value(node.at, BOOLEAN, negated(self.test(node.operand, "the operand of '!'")))
        operand = self.integer(node.operand, f"the operand of '{node.operator}'")
        if node.operator == "+":
            return Value(node.at, INTEGER, operand)
        operator: Literal["-", "~"] = "-" if node.operator == "-" else "~"
        expression: e.Expression = e.Negate(operator, operand, self.span(node.at))
        if isinstance(operand, e.Constant):
            left = e.Constant(0 if operator == "-" else -1, INTEGER)
            folded = self.arithmetic("-", left, operand, node.at)
            expression = folded if isinstance(folded, e.Constant) else expression
        return Value(node.at, INTEGER, expression)

    def binary(self, node: s.Binary) -> Operand:
        operator = node.operator
        if operator == "->":
            left = self.test(node.left, "the left side of '->'")
            right = self.test(node.right, "the right side of '->'")
            return Value(node.at, BOOLEAN, junction("or", [negated(left), right]))
        if operator in ("=", "!="):
            return Value(node.at, BOOLEAN, self.equality(node))
        left = self.integer(node.left, f"the left side of '{operator}'")
        right = self.integer(node.right, f"the right side of '{operator}'")
        if operator in ORDER:
            return Value(node.at, BOOLEAN, self.comparison(ORDER[operator], left, right, node.at))
        return Value(node.at, INTEGER, self.arithmetic(ARITHMETIC[operator], left, right, node.at))

    def arithmetic(
        self, operator: e.BinaryOperator, left: e.Expression, right: e.Expression, at: Extent
    ) -> e.Expression:
        """What cannot be computed now may never be reached: it stays as it is."""
        span = self.span(at)
        if isinstance(left, e.Constant) and isinstance(right, e.Constant):
            try:
                return e.Constant(arithmetic(operator, left.value, right.value), INTEGER, span)
            except NotConstant:
                pass
        return e.Binary(operator, left, right, span)

    def comparison(
        self, operator: e.BinaryOperator, left: e.Expression, right: e.Expression, at: Extent
    ) -> e.Expression:
        if isinstance(left, e.Constant) and isinstance(right, e.Constant):
            value = int(compared(operator, left.value, right.value))
            return e.Constant(value, BOOLEAN, self.span(at))
        return e.Binary(operator, left, right, self.span(at))

    def equality(self, node: s.Binary) -> e.Expression:
        equal = self.equal(self.operand(node.left), self.operand(node.right), node.at)
        if node.operator == "=":
            return equal
        if isinstance(equal, e.Binary):
            return e.Binary("!=", equal.left, equal.right, equal.span)
        return negated(equal)

    def equal(self, left: Operand, right: Operand, at: Extent) -> e.Expression:
        type_ = common(left.type, right.type)
        if type_ is not None:
            first, second = self.read(left), self.read(right)
            if isinstance(type_, Element | Union):
                first, second = self.convert(first, type_, left.at), self.convert(second, type_, right.at)
            return self.comparison("=", first, second, at)
        if left.type != right.type or is_scalar(left.type):
            self.incomparable(left, right, at)
        if not isinstance(left.type, Position) and has_bags(left.type):
            raise self.error("multisets cannot be compared", at)
        return self.same(left, right, at)

    def incomparable(self, left: Operand, right: Operand, at: Extent) -> NoReturn:
        first, second = describe(left.type), describe(right.type)
        if first == second:
            raise self.error(f"these are of different types, though both are {first}", at)
        raise self.error(f"these are never equal: one is {first}, the other is {second}", at)

    def chain(self, node: s.Chain) -> Operand:
        operands = [self.operand(each) for each in node.operands]
        if isinstance(operands[0].type, Integer) and node.operator in ("&", "|"):
            return self.bits(node, operands)
        for operand in operands:
            if not isinstance(operand.type, Boolean):
                message = (
                    f"an operand of '{node.operator}' must be a boolean, this is {describe(operand.type)}"
                )
                raise self.error(message, operand.at)
        operator: Literal["and", "or"] = "and" if node.operator.startswith("&") else "or"
        return Value(node.at, BOOLEAN, junction(operator, [self.read(each) for each in operands]))

    def bits(self, node: s.Chain, operands: list[Operand]) -> Operand:
        operator: e.BinaryOperator = "bit-and" if node.operator == "&" else "bit-or"
        result = self.read(operands[0])
        for operand in operands[1:]:
            if not isinstance(operand.type, Integer):
                message = (
                    f"both operands of '{node.operator}' must be numbers, this is {describe(operand.type)}"
                )
                raise self.error(message, operand.at)
            result = self.arithmetic(operator, result, self.read(operand), node.at)
        return Value(node.at, INTEGER, result)

    def conditional(self, node: s.Conditional) -> Operand:
        test = self.test(node.test, "the condition of '?'")
        then, otherwise = self.operand(node.then), self.operand(node.otherwise)
        type_ = common(then.type, otherwise.type)
        if type_ is None:
            if then.type != otherwise.type:
                first, second = describe(then.type), describe(otherwise.type)
                message = f"both values of '?:' must have one type: one is {first}, the other is {second}"
                raise self.error(message, node.at)
            return StructuredConditional(node.at, then.type, test, then, otherwise)
        left = self.convert(self.read(then), type_, then.at)
        right = self.convert(self.read(otherwise), type_, otherwise.at)
        if isinstance(test, e.Constant):
            return Value(node.at, type_, left if test.value else right)
        if isinstance(type_, Integer) and e.type_of(left) != e.type_of(right):
            left, right = widened(left), widened(right)
        return Value(node.at, type_, e.Conditional(test, left, right))

    # Tests on places

    def is_undefined(self, node: s.IsUndefined) -> e.Expression:
        operand = self.operand(node.target)
        if isinstance(operand, Value) and operand.is_bound:
            return e.FALSE
        if not isinstance(operand, Stored) or not is_scalar(operand.type):
            message = f"isundefined asks about a simple variable, this is {describe(operand.type)}"
            raise self.error(message, node.target.at)
        return e.Not(e.IsDefined(operand.place))

    def is_member(self, node: s.IsMember) -> e.Expression:
        operand = self.operand(node.operand)
        type_ = self.type(node.type, "member")
        wanted, possible = sorts_of(type_), sorts_of(operand.type)
        if not wanted:
            raise self.error(
                f"ismember asks for a scalarset or an enum, this is {describe(type_)}", node.type.at
            )
        if not possible:
            message = f"ismember asks about a value of a union, this is {describe(operand.type)}"
            raise self.error(message, node.operand.at)
        if len(possible) == 1:
            return e.Constant(int(possible[0] in wanted), BOOLEAN, self.span(node.at))
        value = self.read(operand)
        return junction("or", [e.IsMember(value, sort) for sort in possible if sort in wanted])
