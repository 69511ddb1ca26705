"""Operators and calls: what they mean depends on the types of what they are applied to. In: trees. Out: typed terms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches

from burnside.diagnostics import InputError
from burnside.ir.highlevel.terms import Apply, Inject, Literal, Lookup, Term, tokens, type_of
from burnside.ir.highlevel.types import (
    BOOLEAN,
    NATURAL,
    Bag,
    Element,
    ListOf,
    MapOf,
    Natural,
    SetOf,
    TokenType,
    Union,
)
from burnside.languages.hln import syntax as s
from burnside.languages.hln.lower_terms import ONE, TermLowering, UninferableError
from burnside.languages.hln.scope import Function, Scope, Table
from burnside.languages.shared.chains import chained
from burnside.languages.shared.spans import Extent

CONNECTIVES = {"<->": "iff", "xor": "xor"}
ARITHMETIC = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "%": "modulo"}
ARITIES = {
    "size": (1, 1), "count": (2, 2), "set": (1, 1), "multiset": (1, 1), "sum": (0, 1_000_000),
    "union": (2, 2), "intersection": (2, 2), "difference": (2, 2), "complement": (1, 1),
    "succ": (1, 2), "pred": (1, 1), "distance": (2, 2), "between": (3, 3), "position": (1, 1), "element": (1, 1),
    "first": (1, 1), "last": (1, 1), "add_first": (2, 2), "add_last": (2, 2), "drop_first": (1, 2),
    "drop_last": (1, 2), "unset": (2, 2), "and": (0, 1_000_000), "or": (0, 1_000_000),
}  # fmt: skip
"""Operators that are written like functions: how many arguments, at least and at most. The type in `element(T, n)` does not
count."""


class OperatorLowering(TermLowering):
    # Rows of operators

    def chain(self, tree: s.Chain, wanted: TokenType | None) -> Term:
        operator = tree.operators[0]
        if operator in ("or", "and"):
            return Apply(operator, self._booleans(tree.operands), BOOLEAN, tree.at.span)
        if operator == "->":
            return Apply("implies", self._booleans(tree.operands), BOOLEAN, tree.at.span)
        if operator in CONNECTIVES:
            return self._folded(CONNECTIVES[operator], self._booleans(tree.operands), BOOLEAN, tree.at)
        if operator in "*/%":
            return self._product(tree, wanted)
        if "++" in tree.operators:
            return self._concatenated(tree, wanted)
        return self._sum(tree, wanted)

    def _booleans(self, trees: Sequence[s.TermTree]) -> tuple[Term, ...]:
        return tuple([self.check(each, BOOLEAN) for each in trees])

    def _folded(self, operator: str, terms: Sequence[Term], type_: TokenType, at: Extent) -> Term:
        """Of an associative operator."""

        def join(_: str, left: Term, right: Term) -> Term:
            return Apply(operator, (left, right), type_, at.span)

        return chained(terms, [operator] * (len(terms) - 1), join)

    def _concatenated(self, tree: s.Chain, wanted: TokenType | None) -> Term:
        if set(tree.operators) != {"++"}:
            raise self.error("'++' joins lists and does not mix with '+' and '-'", tree.at)
        if isinstance(wanted, Bag):
            wanted = wanted.element
        if isinstance(wanted, ListOf):
            terms = tuple([self.check(each, wanted) for each in tree.operands])
        else:
            terms = self.alike(tree.operands)
        type_ = type_of(terms[0])
        if not isinstance(type_, ListOf):
            raise self.error(f"'++' joins lists, this is {self.types.shown(type_)}", tree.operands[0].at)
        return self._folded("concatenate", terms, type_, tree.at)

    def _sum(self, tree: s.Chain, wanted: TokenType | None) -> Term:
        if isinstance(wanted, Bag | Natural):
            terms = tuple([self.check(each, wanted) for each in tree.operands])
        else:
            terms = self.alike(tree.operands)
        match type_of(terms[0]):
            case Natural():
                return self._computed(tree, terms)
            case Bag() as type_:
                return self._bags(tree, terms, type_)
            case other:
                hint = "a multiset of values is written 1'x + y"
                message = f"numbers and multisets are added and subtracted, this is {self.types.shown(other)}"
                raise self.error(message, tree.operands[0].at, hint)

    def _computed(self, tree: s.Chain, terms: Sequence[Term]) -> Term:
        if len(set(tree.operators)) == 1 and tree.operators[0] in "+*":
            return self._folded(ARITHMETIC[tree.operators[0]], terms, NATURAL, tree.at)
        found = terms[0]
        for operator, term in zip(tree.operators, terms[1:], strict=True):
            found = Apply(ARITHMETIC[operator], (found, term), NATURAL, tree.at.span)
        return found

    def _bags(self, tree: s.Chain, terms: Sequence[Term], type_: Bag) -> Term:
        """What is added in a row is one sum."""
        row = [terms[0]]
        for operator, term in zip(tree.operators, terms[1:], strict=True):
            if operator == "+":
                row.append(term)
                continue
            row = [Apply("bag-difference", (self._summed(row, type_, tree.at), term), type_, tree.at.span)]
        return self._summed(row, type_, tree.at)

    def _summed(self, row: Sequence[Term], type_: Bag, at: Extent) -> Term:
        return row[0] if len(row) == 1 else Apply("sum", tuple(row), type_, at.span)

    def _product(self, tree: s.Chain, wanted: TokenType | None) -> Term:
        """Of numbers, or of a number and a multiset."""
        *numbers, last = tree.operands
        if tree.operators[-1] == "*" and (wanted is None or isinstance(wanted, Bag)):
            bag = self._scaled_bag(last, wanted)
            if bag is not None:
                head = s.Chain(tree.at, tuple(numbers), tree.operators[:-1])
                number = self.check(numbers[0] if len(numbers) == 1 else head, NATURAL)
                return Apply("scaled", (number, bag), type_of(bag), tree.at.span)
        return self._computed(tree, tuple([self.check(each, NATURAL) for each in tree.operands]))

    def _scaled_bag(self, tree: s.TermTree, wanted: Bag | None) -> Term | None:
        """The operand, where it is a multiset."""
        if wanted is not None and wanted.element != NATURAL:
            return self.check(tree, wanted)
        try:
            found = self.infer(tree)
        except UninferableError:
            return None
        return found if isinstance(type_of(found), Bag) else None

    # Comparisons

    def compared(self, tree: s.Compared) -> Term:
        span, operator = tree.at.span, tree.operator
        if operator == "has":
            return self._has(tree)
        left, right = self.alike((tree.left, tree.right))
        if operator in ("=", "!="):
            equal = Apply("equal", (left, right), BOOLEAN, span)
            return equal if operator == "=" else Apply("not", (equal,), BOOLEAN, span)
        if operator in (">", ">="):
            left, right = right, left
        strict = operator in ("<", ">")
        match type_of(left):
            case Natural() | Element():
                return Apply("less" if strict else "less-equal", (left, right), BOOLEAN, span)
            case SetOf() if not strict:
                return Apply("subset", (left, right), BOOLEAN, span)
            case Bag() if not strict:
                return Apply("included", (left, right), BOOLEAN, span)
            case other:
                sized = isinstance(other, ListOf | SetOf | Bag)
                hint = "size(x) is how many there are" if sized else None
                what = "values of" if not sized else f"'{operator}' does not compare values of"
                message = f"{what} {self.types.shown(other)}" + ("" if sized else " are not ordered")
                raise self.error(message, tree.at, hint)

    def _has(self, tree: s.Compared) -> Term:
        of, span = self.infer(tree.left), tree.at.span
        match type_of(of):
            case SetOf(item):
                return Apply("member", (self.check(tree.right, item), of), BOOLEAN, span)
            case MapOf(key):
                return Apply("defined", (of, self.check(tree.right, key)), BOOLEAN, span)
            case Bag(item):
                count = Apply("count", (of, self.check(tree.right, item)), NATURAL, span)
                return Apply("less-equal", (ONE, count), BOOLEAN, span)
            case other:
                message = f"'has' asks a set, a multiset or a map, this is {self.types.shown(other)}"
                raise self.error(message, tree.left.at)

    # Calls

    def call(self, tree: s.Call, wanted: TokenType | None) -> Term:
        name = tree.name.text
        if name in ARITIES and not tree.is_quoted:
            low, high = ARITIES[name]
            if not low <= len(tree.arguments) <= high:
                raise self._wrong_number(tree, low, high)
            return _OPERATORS[name](self, tree, wanted)
        for each in (wanted, wanted.element if isinstance(wanted, Bag) else None):
            if isinstance(each, Union) and any(one.name == name for one in each.alternatives):
                value = self._injected(tree, each)
                return value if each == wanted else tokens(value, ONE)
        function = self.functions.get(name)
        if isinstance(function, Function):
            return self._written_out(tree, function)
        if isinstance(function, Table):
            return self._looked_up(tree, function)
        raise self._unknown(tree)

    def _wrong_number(self, tree: s.Call, low: int, high: int) -> InputError:
        wanted = f"{low} argument{'s' * (low != 1)}" if low == high else f"{low} or {high} arguments"
        return self.error(f"'{tree.name.text}' takes {wanted}, not {len(tree.arguments)}", tree.at)

    def _unknown(self, tree: s.Call) -> InputError:
        name = tree.name.text
        if any(one.name == name for each in self.unions for one in each.alternatives):
            return self.uninferable(tree.at, f"({name}(...) : T) says of which union")
        known = [*self.functions, *ARITIES]
        close = get_close_matches(name, known, n=3, cutoff=0.6)
        hint = f"did you mean {' or '.join(close)}?" if close else None
        return self.error(f"there is no function '{name}'", tree.name.at, hint)

    def _injected(self, tree: s.Call, union: Union) -> Term:
        name = tree.name.text
        if len(tree.arguments) != 1:
            raise self._wrong_number(tree, 1, 1)
        alternative = union.alternatives[union.position(name)]
        return Inject(name, self.check(tree.arguments[0], alternative.type), union, tree.at.span)

    def _written_out(self, tree: s.Call, function: Function) -> Term:
        if len(tree.arguments) != len(function.parameters):
            count = len(function.parameters)
            raise self._wrong_number(tree, count, count)
        values, free = {}, {}
        for (name, type_), argument in zip(function.parameters, tree.arguments, strict=True):
            values[name] = self.bounded(self.check(argument, type_), argument.at)
            free[name] = self.measures.of(values[name]).free
        before, self.outermost_call = self.outermost_call, self.outermost_call or tree.at
        try:
            with self.inside(Scope(values, free=free)):
                return self.bounded(self.check(function.body, function.result), tree.at)
        finally:
            self.outermost_call = before

    def _looked_up(self, tree: s.Call, table: Table) -> Term:
        if len(tree.arguments) != 1:
            raise self._wrong_number(tree, 1, 1)
        assert isinstance(table.target, Element)
        argument = self.check(tree.arguments[0], table.source)
        return Lookup(table.name, table.images, argument, table.target, tree.at.span)

    # Operators that are written like functions

    def of_type(self, tree: s.TermTree, wanted: TokenType | None, kind: type[TokenType], what: str) -> Term:
        """A value of one kind of types, of the very type that is wanted where that is of the kind."""
        if isinstance(wanted, kind):
            return self.check(tree, wanted)
        found = self.infer(tree)
        if not isinstance(type_of(found), kind):
            raise self.error(f"expected {what}, this is {self.types.shown(type_of(found))}", tree.at)
        return found

    def list_(self, tree: s.TermTree, wanted: TokenType | None) -> tuple[Term, ListOf]:
        found = self.of_type(tree, wanted, ListOf, "a list")
        type_ = type_of(found)
        assert isinstance(type_, ListOf)
        return found, type_

    def element(self, tree: s.TermTree, wanted: TokenType | None) -> tuple[Term, Element]:
        found = self.of_type(tree, wanted, Element, "an element of a type")
        type_ = type_of(found)
        assert isinstance(type_, Element)
        return found, type_


def _inner(wanted: TokenType | None) -> TokenType | None:
    """What is wanted of an operator whose result is no multiset."""
    return wanted.element if isinstance(wanted, Bag) else wanted


def _size(lowering: OperatorLowering, tree: s.Call, wanted: TokenType | None) -> Term:
    of = lowering.infer(tree.arguments[0])
    match type_of(of):
        case Bag():
            operator = "size"
        case SetOf():
            operator = "cardinality"
        case ListOf():
            operator = "length"
        case other:
            message = f"multisets, sets and lists have a size, this is {lowering.types.shown(other)}"
            raise lowering.error(message, tree.arguments[0].at)
    return Apply(operator, (of,), NATURAL, tree.at.span)


def _count(lowering: OperatorLowering, tree: s.Call, wanted: TokenType | None) -> Term:
    bag = lowering.of_type(tree.arguments[0], None, Bag, "a multiset")
    type_ = type_of(bag)
    assert isinstance(type_, Bag)
    return Apply("count", (bag, lowering.check(tree.arguments[1], type_.element)), NATURAL, tree.at.span)


def _set(lowering: OperatorLowering, tree: s.Call, wanted: TokenType | None) -> Term:
    inner = _inner(wanted)
    bag_type = Bag(inner.element) if isinstance(inner, SetOf) else None
    bag = lowering.of_type(tree.arguments[0], bag_type, Bag, "a multiset")
    type_ = type_of(bag)
    assert isinstance(type_, Bag)
    return Apply("support", (bag,), SetOf(type_.element), tree.at.span)


def _multiset(lowering: OperatorLowering, tree: s.Call, wanted: TokenType | None) -> Term:
    set_type = SetOf(wanted.element) if isinstance(wanted, Bag) else None
    found = lowering.of_type(tree.arguments[0], set_type, SetOf, "a set")
    type_ = type_of(found)
    assert isinstance(type_, SetOf)
    return Apply("bag-of", (found,), Bag(type_.element), tree.at.span)


def _sum(lowering: OperatorLowering, tree: s.Call, wanted: TokenType | None) -> Term:
    if isinstance(wanted, Bag):
        terms = tuple([lowering.check(each, wanted) for each in tree.arguments])
        return Apply("sum", terms, wanted, tree.at.span)
    if not tree.arguments:
        raise lowering.uninferable(tree.at)
    terms = lowering.alike(tree.arguments)
    type_ = type_of(terms[0])
    if not isinstance(type_, Bag):
        raise lowering.error(
            f"expected a multiset, this is {lowering.types.shown(type_)}", tree.arguments[0].at
        )
    return Apply("sum", terms, type_, tree.at.span)


def _of_sets(lowering: OperatorLowering, tree: s.Call, wanted: TokenType | None) -> Term:
    inner = _inner(wanted)
    if isinstance(inner, SetOf):
        terms = tuple([lowering.check(each, inner) for each in tree.arguments])
    else:
        terms = lowering.alike(tree.arguments)
    type_ = type_of(terms[0])
    if not isinstance(type_, SetOf):
        hint = "multisets are added by '+' and subtracted by '-'" if isinstance(type_, Bag) else None
        raise lowering.error(
            f"expected a set, this is {lowering.types.shown(type_)}", tree.arguments[0].at, hint
        )
    if tree.name.text == "complement":
        lowering.finite_type(type_.element, tree.at)
    return Apply(tree.name.text, terms, type_, tree.at.span)


def _successor(lowering: OperatorLowering, tree: s.Call, wanted: TokenType | None) -> Term:
    value, type_ = lowering.element(tree.arguments[0], _inner(wanted))
    if tree.name.text == "pred":
        places: Term = Literal(type_.sort.size - 1, NATURAL, tree.at.span)
    else:
        places = lowering.check(tree.arguments[1], NATURAL) if len(tree.arguments) > 1 else ONE
    return Apply("successor", (value, places), type_, tree.at.span)


def _distance(lowering: OperatorLowering, tree: s.Call, wanted: TokenType | None) -> Term:
    one, other = _elements(lowering, tree)
    return Apply("distance", (one, other), NATURAL, tree.at.span)


def _between(lowering: OperatorLowering, tree: s.Call, wanted: TokenType | None) -> Term:
    """between(t, a, b): t comes before b on the way from a to b (Junttila 2003, 6.2)."""
    value, low, high = _elements(lowering, tree)
    far, whole = (Apply("distance", (low, each), NATURAL, tree.at.span) for each in (value, high))
    return Apply("less", (far, whole), BOOLEAN, tree.at.span)


def _elements(lowering: OperatorLowering, tree: s.Call) -> tuple[Term, ...]:
    terms = lowering.alike(tree.arguments)
    type_ = type_of(terms[0])
    if not isinstance(type_, Element):
        message = f"expected an element of a type, this is {lowering.types.shown(type_)}"
        raise lowering.error(message, tree.arguments[0].at)
    return terms


def _position(lowering: OperatorLowering, tree: s.Call, wanted: TokenType | None) -> Term:
    value, _ = lowering.element(tree.arguments[0], None)
    return Apply("position", (value,), NATURAL, tree.at.span)


def _element(lowering: OperatorLowering, tree: s.Call, wanted: TokenType | None) -> Term:
    assert tree.type is not None
    type_ = lowering.types.type(tree.type)
    if not isinstance(type_, Element):
        message = f"{lowering.types.shown(type_)} has no numbered elements"
        raise lowering.error(message, tree.type.at)
    return Apply("element", (lowering.check(tree.arguments[0], NATURAL),), type_, tree.at.span)


def _ends(lowering: OperatorLowering, tree: s.Call, wanted: TokenType | None) -> Term:
    found, type_ = lowering.list_(tree.arguments[0], None)
    is_first = tree.name.text == "first"
    at: Term = ONE if is_first else Apply("length", (found,), NATURAL, tree.at.span)
    return Apply("get", (found, at), type_.element, tree.at.span)


def _add(lowering: OperatorLowering, tree: s.Call, wanted: TokenType | None) -> Term:
    found, type_ = lowering.list_(tree.arguments[0], _inner(wanted))
    value = lowering.check(tree.arguments[1], type_.element)
    return Apply(tree.name.text.replace("_", "-"), (found, value), type_, tree.at.span)


def _drop(lowering: OperatorLowering, tree: s.Call, wanted: TokenType | None) -> Term:
    found, type_ = lowering.list_(tree.arguments[0], _inner(wanted))
    number = lowering.check(tree.arguments[1], NATURAL) if len(tree.arguments) > 1 else ONE
    return Apply(tree.name.text.replace("_", "-"), (found, number), type_, tree.at.span)


def _unset(lowering: OperatorLowering, tree: s.Call, wanted: TokenType | None) -> Term:
    found = lowering.of_type(tree.arguments[0], _inner(wanted), MapOf, "a map")
    type_ = type_of(found)
    assert isinstance(type_, MapOf)
    return Apply("unset", (found, lowering.check(tree.arguments[1], type_.key)), type_, tree.at.span)


def _connective(lowering: OperatorLowering, tree: s.Call, wanted: TokenType | None) -> Term:
    terms = tuple([lowering.check(each, BOOLEAN) for each in tree.arguments])
    return Apply(tree.name.text, terms, BOOLEAN, tree.at.span)


_OPERATORS: dict[str, Callable[[OperatorLowering, s.Call, TokenType | None], Term]] = {
    "size": _size, "count": _count, "set": _set, "multiset": _multiset, "sum": _sum,
    **dict.fromkeys(("union", "intersection", "difference", "complement"), _of_sets),
    "succ": _successor, "pred": _successor, "distance": _distance, "between": _between, "position": _position,
    "element": _element, "first": _ends, "last": _ends, "add_first": _add, "add_last": _add, "drop_first": _drop,
    "drop_last": _drop, "unset": _unset, "and": _connective, "or": _connective,
}  # fmt: skip
