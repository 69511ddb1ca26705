"""Operations that are compatible with permuting elements (Junttila 2003, Lemma 5.24: a linear, syntactic check).

In: a program and the names of the sorts that move. Out: nothing, or `Refused` at the first operation that depends on an
order or on numbers of their elements. Allowed are: equality, indexing, storing, passing on, conversion between a sort and
unions with it, membership, quantification. Constants are the business of `normal`, loops that of `loops`.

Positions of bags are elements of a sort of their own as soon as entries can hold what moves, for then a permutation of
elements permutes the (sorted) entries too: they can be compared for equality, and name an entry of their bag; nothing
else.
"""

from __future__ import annotations

from burnside.diagnostics import Span
from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Action, Function, Program, Property
from burnside.ir.types import BOOLEAN, Bag, Optional, Scalar, Type, show_type
from burnside.symmetry.accesses import PLACES, is_plain, is_state
from burnside.symmetry.code import code
from burnside.symmetry.points import mentions
from burnside.symmetry.refusing import Refused

EQUALITIES = ("=", "!=")


class Discipline:
    """Functions are checked once, when they are first called."""

    def __init__(self, program: Program, moved: frozenset[str], steady: frozenset[str]) -> None:
        self._functions = {each.name: each for each in program.functions}
        self._moved = moved
        self._steady = steady
        self._checked: set[str] = set()
        self._pending: list[Function] = []
        self._positions: dict[str, e.Place] = {}
        """Variables that hold positions, with their bags."""
        self._aliases: dict[str, e.Place] = {}
        self._result: Type | None = None
        self._unchanged = False
        """Nothing can have been written to since the parameters of the action were chosen."""
        self._span: Span | None = None

    def check_action(self, action: Action) -> None:
        self._span = action.span
        self._result = None
        for bound in action.parameters:
            self._bound(bound)
        self._unchanged = not any(isinstance(node, e.Call) for node in code(action.guard))
        self._test(action.guard)
        self._unchanged = False
        self._block(action.body)
        self._check_pending()

    def check_property(self, each: Property) -> None:
        if each.expression is not None:
            self._span = each.span
            self._test(each.expression)
            self._check_pending()

    def _check_pending(self) -> None:
        while self._pending:
            function = self._pending.pop()
            self._span = function.span
            self._result = function.result
            self._block(function.body)

    def _refuse(self, reason: str, span: Span | None = None) -> Refused:
        return Refused(reason, span or self._span)

    # Types

    def _moves(self, type_: Type) -> bool:
        return mentions(type_, self._moved)

    def _fit(self, target: Type, source: Type, span: Span | None) -> None:
        """A value of one type stored as another: nothing that moves may become a number, or come from one."""
        target, source = _content(target), _content(source)
        if not (_has_elements(target) and _has_elements(source)):
            self._equal(target, source, span)

    def _equal(self, target: Type, source: Type, span: Span | None) -> None:
        """Values of two types side by side: those that move must be of one type."""
        target, source = _content(target), _content(source)
        if target != source and (self._moves(target) or self._moves(source)):
            raise self._refuse(f"{_called(source)} is used as {_called(target)}", span)

    def _plain(self, operand: e.Expression, use: str, span: Span | None) -> None:
        """Nothing that moves."""
        self._expression(operand)
        type_ = e.type_of(operand)
        if self._moves(type_):
            raise self._refuse(f"{use} an element of {show_type(type_)}, which has no number", span)

    def _test(self, test: e.Expression) -> None:
        self._expression(test)
        self._fit(BOOLEAN, e.type_of(test), None)

    # Positions

    def _is_mixed(self, bag: e.Place) -> bool:
        bag_type = e.type_of_place(bag)
        return isinstance(bag_type, Bag) and self._moves(bag_type.element)

    def _position_bag(self, expression: e.Expression) -> e.Place | None:
        """The bag of which this is a position, if it is one."""
        match expression:
            case e.Read(e.Variable(name)):
                return self._positions.get(name)
        return None

    def _entry(self, bag: e.Place, position: e.Expression, span: Span | None) -> None:
        self._place(bag)
        known = self._position_bag(position)
        if known is None:
            if self._is_mixed(bag):
                raise self._refuse("an entry is named by a number, but entries have no fixed order", span)
            self._plain(position, "an entry is named by", span)
        elif not self._same_bag(known, bag):
            raise self._refuse(
                "a position of one bag is used in another, or in one that may have changed", span
            )

    def _resolved(self, place: e.Place) -> e.Place:
        """Without second names."""
        match place:
            case e.Variable(name):
                return self._aliases.get(name, place)
            case e.Index(array, index):
                return e.Index(self._resolved(array), index)
            case e.Component(record, name):
                return e.Component(self._resolved(record), name)
            case e.Entry(bag, position):
                return e.Entry(self._resolved(bag), position)

    def _same_bag(self, known: e.Place, used: e.Place) -> bool:
        """Certainly one bag: the same place, whose indices cannot have changed in between."""
        pairs = (known, used), (self._resolved(known), self._resolved(used))
        return any(a == b and (self._unchanged or is_plain(a, self._steady)) for a, b in pairs)

    # Places and expressions

    def _place(self, place: e.Place) -> None:
        match place:
            case e.Index(array, index, span):
                self._place(array)
                self._expression(index)
                array_type = e.type_of_place(array)
                self._fit(array_type.index, e.type_of(index), span)  # type: ignore[union-attr]
            case e.Component(record):
                self._place(record)
            case e.Entry(bag, position, span):
                self._entry(bag, position, span)
            case e.Variable(name):
                if name in self._positions:
                    raise self._refuse("the position of an entry is used as a number")

    def _expression(self, expression: e.Expression) -> None:
        match expression:
            case e.Constant():
                pass
            case e.Read(place) | e.IsDefined(place):
                self._place(place)
            case e.Binary():
                self._binary(expression)
            case e.Negate(operator, operand, span):
                self._plain(operand, f"{operator!r} is applied to", span)
            case e.Not(operand):
                self._test(operand)
            case e.Junction(_, parts):
                for part in parts:
                    self._test(part)
            case e.Conditional(test, then, otherwise):
                self._test(test)
                self._expression(then)
                self._expression(otherwise)
                self._equal(e.type_of(then), e.type_of(otherwise), None)
            case e.Convert(operand, type_, span):
                self._expression(operand)
                self._convert(e.type_of(operand), type_, span)
            case e.Quantified(_, bound, body):
                self._bound(bound)
                self._test(body)
            case e.IsMember(operand):
                self._expression(operand)
            case e.Same(left, right):
                self._place(left)
                self._place(right)
                self._equal(e.type_of_place(left), e.type_of_place(right), None)
            case e.Count(bound, test):
                self._bound(bound)
                self._test(test)
            case e.Call():
                self._call(expression)

    def _binary(self, binary: e.Binary) -> None:
        operator, left, right, span = binary.operator, binary.left, binary.right, binary.span
        if operator in EQUALITIES:
            bags = self._position_bag(left), self._position_bag(right)
            if bags[0] is not None and bags[1] is not None:
                if not self._same_bag(bags[0], bags[1]):
                    raise self._refuse("positions of different bags are compared", span)
                return
            self._expression(left)
            self._expression(right)
            self._equal(e.type_of(left), e.type_of(right), span)
            return
        use = f"{operator!r} orders" if operator in e.COMPARISONS else f"{operator!r} computes with"
        self._plain(left, use, span)
        self._plain(right, use, span)

    def _convert(self, source: Scalar, target: Scalar, span: Span | None) -> None:
        either = self._moves(source) or self._moves(target)
        if either and not (_has_elements(source) and _has_elements(target)):
            raise self._refuse(f"{_called(source)} is converted to {_called(target)}", span)

    def _bound(self, bound: e.Bound) -> None:
        match bound.domain:
            case e.Range(low, high, step, span):
                for part in (low, high, step):
                    self._plain(part, "a range is bounded by", span)
            case e.Positions(bag):
                self._place(bag)
                if self._is_mixed(bag):
                    self._positions[bound.name] = bag

    def _call(self, call: e.Call) -> None:
        function = self._functions[call.function]
        for parameter, argument in zip(function.parameters, call.arguments, strict=True):
            variable = parameter.variable
            if isinstance(argument, PLACES):
                self._place(argument)
                self._fit(variable.type, e.type_of_place(argument), call.span)
                continue
            bag = self._position_bag(argument)
            if bag is not None:
                self._pass_position(variable.name, bag, call)
                continue
            self._expression(argument)
            self._fit(variable.type, e.type_of(argument), call.span)
            if variable.name in self._positions:
                raise self._refuse("a number is passed where positions of entries are passed too", call.span)
        if call.function not in self._checked:
            self._checked.add(call.function)
            self._pending.append(function)

    def _pass_position(self, name: str, bag: e.Place, call: e.Call) -> None:
        """A parameter holds positions of one bag of the state, in every call, from the first on."""
        bag = self._resolved(bag)
        late = call.function in self._checked and name not in self._positions
        known = self._positions.setdefault(name, bag)
        if late or known != bag or not is_state(bag) or not is_plain(bag, frozenset()):
            raise self._refuse("positions of entries are passed in different ways", call.span)

    # Statements

    def _block(self, block: s.Block) -> None:
        for statement in block:
            self._statement(statement)

    def _statement(self, statement: s.Statement) -> None:
        outer = self._span
        self._span = getattr(statement, "span", None) or outer
        self._in_statement(statement)
        self._span = outer

    def _in_statement(self, statement: s.Statement) -> None:
        match statement:
            case s.Assign(place, value):
                self._place(place)
                self._expression(value)
                self._fit(e.type_of_place(place), e.type_of(value), None)
            case s.Copy(target, source):
                self._place(target)
                self._place(source)
                self._fit(e.type_of_place(target), e.type_of_place(source), None)
            case s.CopyCall(target, call):
                self._place(target)
                self._call(call)
                self._fit(e.type_of_place(target), call.type, call.span)
            case s.Clear(place) | s.Undefine(place):
                self._place(place)
            case s.If(branches, otherwise):
                for branch in branches:
                    self._test(branch.test)
                    self._block(branch.body)
                self._block(otherwise)
            case s.For(bound, body):
                self._bound(bound)
                self._block(body)
            case s.While(test, body):
                self._test(test)
                self._block(body)
            case s.Declare(_, body):
                self._block(body)
            case s.Bind(variable, place, body):
                self._place(place)
                self._aliases[variable.name] = self._resolved(place)
                self._block(body)
            case s.Let(variable, value, body):
                self._let(variable, value)
                self._block(body)
            case s.CallStatement(call):
                self._call(call)
            case s.Return(value):
                self._return(value)
            case s.Assert(test) | s.Assume(test) | s.Cover(test):
                self._test(test)
            case s.Add(bag, source):
                self._place(bag)
                self._place(source)
                bag_type = e.type_of_place(bag)
                assert isinstance(bag_type, Bag)
                self._fit(bag_type.element, e.type_of_place(source), None)
            case s.Remove(bag, position, span):
                self._entry(bag, position, span)
            case s.RemoveAll(bound, test):
                self._bound(bound)
                self._test(test)

    def _let(self, variable: e.Variable, value: e.Expression) -> None:
        bag = self._position_bag(value)
        if bag is not None:
            self._positions[variable.name] = bag
            return
        self._expression(value)
        self._fit(variable.type, e.type_of(value), None)

    def _return(self, value: e.Expression | e.Place | None) -> None:
        if value is None:
            return
        if isinstance(value, PLACES):
            self._place(value)
            type_ = e.type_of_place(value)
        else:
            self._expression(value)
            type_ = e.type_of(value)
        if self._result is not None:
            self._fit(self._result, type_, None)


def _content(type_: Type) -> Type:
    return type_.type if isinstance(type_, Optional) else type_


def _has_elements(type_: Type) -> bool:
    return hasattr(type_, "sort") or hasattr(type_, "sorts")


def _called(type_: Type) -> str:
    return f"an element of {show_type(type_)}" if _has_elements(type_) else f"a value of {show_type(type_)}"
