"""Terms as expressions of machines.

In: a term, what variables are called. Out: an expression with the same value, undefined where the term is. Machines
decide connectives as soon as one part decides; terms are strict, so parts that may be undefined are asked for first
(`Terms.defined`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from burnside.ir.highlevel import terms as h
from burnside.ir.highlevel import types as t
from burnside.ir.highlevel.net import Place
from burnside.ir.highlevel.values import order_key, ordered
from burnside.ir.sets import expressions as e
from burnside.ir.sets import types as m
from burnside.kinds.highlevel.lowering.types import Representation
from burnside.records import replace

Names = Mapping[str, e.Name]
"""By variable of the net."""


def applied(operator: str, type_: m.ValueType, *arguments: e.Expression) -> e.Apply:
    return e.Apply(operator, arguments, type_)


def says(operator: str, *arguments: e.Expression) -> e.Apply:
    return e.Apply(operator, arguments, m.BOOLEAN)


def number(value: int) -> e.Literal:
    return e.Literal(value, m.INTEGER)


def conjunction(parts: Sequence[e.Expression]) -> e.Expression:
    return parts[0] if len(parts) == 1 else says("and", *parts)


def _and(one: e.Expression, other: e.Expression) -> e.Expression:
    return other if one == e.TRUE else says("and", one, other)


class Terms:
    """`places`: the variable of each place."""

    def __init__(self, representation: Representation, places: Sequence[Place]) -> None:
        self.representation, self.type = representation, representation.type
        self._names = 0
        self.places = tuple(
            replace(self.new_name(each.name, t.Bag(each.type)), is_state=True, span=each.span)
            for each in places
        )
        self._listed: dict[object, e.Expression] = {}

    # Values

    def value(self, term: h.Term, names: Names) -> e.Expression:
        """With its place in the text, for what the core cannot do."""
        found = self._value(term, names)
        span = getattr(term, "span", None)
        has_none = isinstance(found, e.Apply | e.Forall | e.Exists | e.Comprehension) and found.span is None
        return replace(found, span=span) if has_none and span is not None else found

    def _value(self, term: h.Term, names: Names) -> e.Expression:
        match term:
            case h.Literal(value, type_):
                return self.constant(value, type_)
            case h.Variable(name):
                return names[name]
            case h.Marked(place):
                return self.places[place]
            case h.Conditional(test, then, otherwise):
                return e.Conditional(*(self.value(each, names) for each in (test, then, otherwise)))
            case h.Select(struct, name):
                of = _struct(struct)
                return self._field(self.value(struct, names), of.position(name), of)
            case h.Update(struct, name, value):
                return self._update(struct, name, value, names)
            case h.Inject(alternative, value, union):
                return e.Construct(alternative, self.value(value, names), self._free(union))
            case h.IsOf(value, alternative):
                return e.IsConstructed(self.value(value, names), alternative)
            case h.Cast(value, alternative):
                return e.ArgumentOf(self.value(value, names), alternative)
            case h.Lookup(name, images, argument, type_):
                source = h.type_of(argument)
                assert isinstance(source, t.Element)
                table = [(e.Literal(at, source), e.Literal(image, type_)) for at, image in enumerate(images)]
                function = self._function(("table", name, images), table)
                return applied("apply", type_, function, self.value(argument, names))
            case h.Binding():
                return self._binding(term, names)
            case h.Apply():
                return self._application(term, names)

    def _free(self, union: t.Union) -> m.FreeType:
        free = self.type(union)
        assert isinstance(free, m.FreeType)
        return free

    def constant(self, value: object, type_: t.TokenType) -> e.Expression:
        """A value as an expression that is made of literals."""
        its = self.type(type_)
        match type_, value:
            case (t.Dot(), _):
                return e.Literal(0, m.Element(self.representation.dots))
            case (t.Boolean() | t.Natural() | t.Element(), int()):
                assert isinstance(its, m.Boolean | m.Integer | m.Element)
                return e.Literal(int(value), its)
            case (t.ListOf(element), tuple()):
                return applied("sequence", its, *(self.constant(each, element) for each in value))
            case (t.Struct(fields), tuple()):
                pairs = zip(fields, value, strict=True)
                return self._tuple([self.constant(each, field.type) for field, each in pairs])
            case (t.Union(alternatives), (int(at), inner)):
                chosen = alternatives[at]
                return e.Construct(chosen.name, self.constant(inner, chosen.type), self._free(type_))
            case (t.SetOf(element), frozenset()):
                members = _in_order(type_, value)
                return applied("set", its, *(self.constant(each, element) for each in members))
            case (t.Bag(element), frozenset()):
                changes: list[e.Expression] = []
                for each, count in _in_order(type_, value):
                    changes += [number(count), self.constant(each, element)]
                return applied("bag", its, *changes)
            case (t.MapOf(key, image), frozenset()):
                entries = _in_order(type_, value)
                return applied(
                    "set", its, *(e.pair(self.constant(a, key), self.constant(b, image)) for a, b in entries)
                )
        raise AssertionError(value)

    def _tuple(self, parts: Sequence[e.Expression]) -> e.Expression:
        if not parts:
            return e.Literal(0, m.Element(self.representation.dots))
        return parts[0] if len(parts) == 1 else e.pair(parts[0], self._tuple(parts[1:]))

    def _field(self, value: e.Expression, position: int, struct: t.Struct) -> e.Expression:
        if len(struct.fields) == 1:
            return value
        for _ in range(position):
            its = e.type_of(value)
            assert isinstance(its, m.Pair)
            value = applied("right", its.right, value)
        if position == len(struct.fields) - 1:
            return value
        its = e.type_of(value)
        assert isinstance(its, m.Pair)
        return applied("left", its.left, value)

    def _update(self, struct: h.Term, name: str, value: h.Term, names: Names) -> e.Expression:
        of, whole = _struct(struct), self.value(struct, names)
        new, changed = self.value(value, names), of.position(name)
        parts = [new if at == changed else self._field(whole, at, of) for at in range(len(of.fields))]
        made = self._tuple(parts)
        if len(parts) == 1 and not h.is_total(struct):
            # Nothing of the struct is left in the result, which is undefined where the struct is.
            return e.Conditional(self.defined(struct, names), made, self._undefined(e.type_of(made)))
        return made

    def _undefined(self, type_: m.ValueType) -> e.Expression:
        """An expression without a value."""
        nowhere = applied("set", m.Set(m.Pair(m.INTEGER, type_)))
        return applied("apply", type_, nowhere, number(0))

    def domain(self, type_: t.TokenType) -> e.Expression:
        """All values of a finite type. Of maps these are less than the machine's type has: sets of pairs."""
        whole = m.Set(self.type(type_))
        found: e.Expression
        match type_:
            case t.MapOf(key, value):
                return applied("partial-functions", whole, self.domain(key), self.domain(value))
            case _ if not has_maps(type_):
                return applied("all", whole)
            case t.SetOf(element):
                return applied("power-set", whole, self.domain(element))
            case t.Struct(fields):
                *others, found = [self.domain(field.type) for field in fields]
                for other in reversed(others):
                    pairs = m.Set(m.Pair(_element(other), _element(found)))
                    found = applied("product", pairs, other, found)
                return found
            case t.Union(alternatives):
                found = applied("set", whole)
                for each in alternatives:
                    name = self.new_name("value", each.type)
                    made = e.Construct(each.name, name, self._free(type_))
                    known = says("member", name, self.domain(each.type))
                    found = applied("union", whole, found, e.Comprehension((name,), known, made))
                return found
        raise AssertionError(type_)

    def is_value(self, name: e.Name, type_: t.TokenType) -> e.Expression:
        """Is what the name stands for a value of the type? It is one of the machine's type."""
        return says("member", name, self.domain(type_)) if has_maps(type_) else e.TRUE

    def new_name(self, name: str, type_: t.TokenType) -> e.Name:
        """Names are unique in a machine."""
        self._names += 1
        return e.Name(f"{name}#{self._names}", self.type(type_))

    def _binding(self, term: h.Binding, names: Names) -> e.Expression:
        name = replace(self.new_name(term.variable.name, term.variable.type), span=term.span)
        body = self.value(term.body, {**names, term.variable.name: name})
        bag_or_set, of = self.type(term.type), self.is_value(name, term.variable.type)
        match term.kind:
            case "forall":
                return self._strictly([term], names, e.Forall((name,), of, body))
            case "exists":
                return self._strictly([term], names, e.Exists((name,), _and(of, body)))
            case "set":
                return e.Comprehension((name,), _and(of, body), name)
            case "map":
                return e.Comprehension((name,), of, e.pair(name, body))
            case "bag":
                function = e.Comprehension((name,), of, e.pair(name, body))
                return applied("bag-of-function", bag_or_set, function)

    def _strictly(self, parts: Sequence[h.Term], names: Names, whole: e.Expression) -> e.Expression:
        """A truth value that machines may know where one of its parts is undefined."""
        if all(map(h.is_total, parts)):
            return whole
        is_defined = conjunction([self.defined(each, names) for each in parts])
        return e.Conditional(is_defined, whole, self._undefined(m.BOOLEAN))

    def _application(self, term: h.Apply, names: Names) -> e.Expression:
        arguments = [self.value(each, names) for each in term.arguments]
        type_ = self.type(term.type)
        match term.operator:
            case "and" | "or":
                return self._strictly(term.arguments, names, says(term.operator, *arguments))
            case "implies" | "iff":
                return self._strictly(term.arguments, names, says(term.operator, *arguments))
            case "xor":
                return says("not", says("iff", *arguments))
            case "less" | "less-equal" if isinstance(h.type_of(term.arguments[0]), t.Element):
                return says(term.operator, *(self._position(each) for each in arguments))
            case "distance":
                return self._distance(*arguments)
            case "position":
                return self._position(arguments[0])
            case "tokens":
                return applied("bag", type_, *arguments)
            case "sum":
                return self._sum(arguments, type_)
            case "map":
                return self._map(arguments, type_)
            case "struct":
                return self._tuple(arguments)
            case "full" | "complement":
                assert isinstance(term.type, t.SetOf)
                everything = self.domain(term.type.element)
                return everything if not arguments else applied("difference", type_, everything, *arguments)
            case "all":
                assert isinstance(term.type, t.Bag)
                return applied("bag-of-set", type_, self.domain(term.type.element))
            case operator if operator in _DIRECT:
                return applied(_DIRECT[operator], type_, *arguments)
            case operator:
                return _MADE[operator](type_, *arguments)

    def _sum(self, parts: Sequence[e.Expression], type_: m.ValueType) -> e.Expression:
        """Tokens of which the values are given by themselves need no multisets of their own."""
        changes: list[e.Expression] = []
        others: list[e.Expression] = []
        for part in parts:
            match part:
                case e.Apply("bag", given):
                    changes += given
                case _:
                    others.append(part)
        whole: e.Expression | None = applied("bag", type_, *changes) if changes or not others else None
        for other in others:
            whole = other if whole is None else applied("bag-sum", type_, whole, other)
        assert whole is not None
        return whole

    def _map(self, arguments: Sequence[e.Expression], type_: m.ValueType) -> e.Expression:
        """Later entries of a key win."""
        whole: e.Expression = applied("set", type_)
        for at in range(0, len(arguments), 2):
            entry = applied("set", type_, e.pair(arguments[at], arguments[at + 1]))
            whole = entry if at == 0 else applied("override", type_, whole, entry)
        return whole

    # Functions on elements

    def _function(self, key: object, entries: Sequence[tuple[e.Expression, e.Expression]]) -> e.Expression:
        """A function that is listed, the same one each time, so that the core keeps one value."""
        if key not in self._listed:
            source, target = map(e.type_of, entries[0])
            pairs = [e.pair(a, b) for a, b in entries]
            self._listed[key] = applied("set", m.Set(m.Pair(source, target)), *pairs)
        return self._listed[key]

    def _position(self, element: e.Expression) -> e.Expression:
        return applied("position", m.INTEGER, element)

    def _distance(self, one: e.Expression, other: e.Expression) -> e.Expression:
        type_ = e.type_of(one)
        assert isinstance(type_, m.Element)
        size = number(type_.sort.size)
        ahead = applied("add", m.INTEGER, self._position(other), size)
        difference = applied("subtract", m.INTEGER, ahead, self._position(one))
        return applied("modulo", m.INTEGER, difference, size)

    # What is undefined

    def defined(self, term: h.Term, names: Names) -> e.Expression:
        """Has the term a value? This always has one."""
        if h.is_total(term):
            return e.TRUE
        match term:
            case h.Conditional(test, then, otherwise):
                branches = self.defined(then, names), self.defined(otherwise, names)
                chosen = e.Conditional(self.value(test, names), *branches)
                return self._both(self.defined(test, names), chosen)
            case h.Binding(_, variable, body):
                name = self.new_name(variable.name, variable.type)
                inner = {**names, variable.name: name}
                return e.Forall((name,), self.is_value(name, variable.type), self.defined(body, inner))
        parts = [self.defined(each, names) for each in term.children() if not h.is_total(each)]
        own = self._own_condition(term, names)
        if own is not None:
            parts.append(own)
        # One after the other: where a part is undefined, what is asked about its value is undefined, too.
        whole = parts[-1]
        for part in reversed(parts[:-1]):
            whole = self._both(part, whole)
        return whole

    def _both(self, first: e.Expression, second: e.Expression) -> e.Expression:
        """The second is evaluated only where the first holds."""
        return second if first == e.TRUE else e.Conditional(first, second, e.FALSE)

    def _own_condition(self, term: h.Term, names: Names) -> e.Expression | None:
        """When the outermost operator has a value, where its arguments have one."""
        if isinstance(term, h.Cast):
            return e.IsConstructed(self.value(term.value, names), term.alternative)
        if not isinstance(term, h.Apply) or term.operator not in h.PARTIAL:
            return None
        arguments = [self.value(each, names) for each in term.arguments]
        match term.operator, arguments:
            case "subtract", [a, b]:
                return says("less-equal", b, a)
            case "divide" | "modulo", [_, b]:
                return says("less", number(0), b)
            case "element", [position]:
                assert isinstance(term.type, t.Element)
                return says("less", position, number(term.type.sort.size))
            case ("get", [items, at]) | ("put", [items, at, _]):
                return _is_position(items, at)
            case "bag-difference", [a, b]:
                return says("bag-included", b, a)
            case "at", [map_, key]:
                return says("member", key, applied("domain", m.Set(e.type_of(key)), map_))
        raise AssertionError(term.operator)


def _struct(term: h.Term) -> t.Struct:
    of = h.type_of(term)
    assert isinstance(of, t.Struct)
    return of


def has_maps(type_: t.TokenType) -> bool:
    match type_:
        case t.MapOf():
            return True
        case t.ListOf(inner) | t.SetOf(inner) | t.Bag(inner):
            return has_maps(inner)
        case t.Struct(fields) | t.Union(fields):
            return any(has_maps(each.type) for each in fields)
        case _:
            return False


def _element(values: e.Expression) -> m.ValueType:
    its = e.type_of(values)
    assert isinstance(its, m.Set)
    return its.element


def _in_order(type_: t.TokenType, value: Iterable[Any]) -> list[Any]:
    """What a set, a multiset or a map is made of, in an order that does not depend on hashes."""
    match type_:
        case t.SetOf(element):
            return ordered(element, value)
        case t.Bag(element):
            return sorted(value, key=lambda entry: order_key(element, entry[0]))
        case t.MapOf(key):
            return sorted(value, key=lambda entry: order_key(key, entry[0]))
    raise AssertionError(type_)


def _is_position(items: e.Expression, at: e.Expression) -> e.Expression:
    size = applied("size", m.INTEGER, items)
    return says("and", says("less", number(0), at), says("less-equal", at, size))


def _natural(type_: m.ValueType, a: e.Expression, b: e.Expression) -> e.Expression:
    """a - b, undefined below zero: there, 1 is divided by 0."""
    nothing = applied("divide", m.INTEGER, number(1), number(0))
    return e.Conditional(says("less-equal", b, a), applied("subtract", type_, a, b), nothing)


def _put(type_: m.ValueType, items: e.Expression, at: e.Expression, value: e.Expression) -> e.Expression:
    assert isinstance(type_, m.Set) and isinstance(type_.element, m.Pair)
    changed = applied("override", type_, items, applied("set", type_, e.pair(at, value)))
    nowhere = applied("apply", type_, applied("set", m.Set(m.Pair(m.INTEGER, type_))), at)
    return e.Conditional(_is_position(items, at), changed, nowhere)


def _dropped(keep: str) -> Callable[..., e.Expression]:
    def drop(type_: m.ValueType, items: e.Expression, by: e.Expression) -> e.Expression:
        size = applied("size", m.INTEGER, items)
        at = by if keep == "drop" else applied("subtract", m.INTEGER, size, by)
        return e.Conditional(
            says("less", by, size), applied(keep, type_, items, at), applied("sequence", type_)
        )

    return drop


_DIRECT = {
    "equal": "equal", "not": "not", "less": "less", "less-equal": "less-equal", "add": "add", "multiply": "multiply",
    "divide": "divide", "modulo": "modulo", "list": "sequence", "length": "size", "get": "apply", "add-last": "append",
    "concatenate": "concat", "set": "set", "member": "member", "subset": "subset", "cardinality": "card", "union": "union",
    "intersection": "intersection", "difference": "difference", "scaled": "bag-scaled", "bag-difference": "bag-difference",
    "included": "bag-included", "count": "bag-count", "size": "bag-size", "support": "support", "bag-of": "bag-of-set",
    "at": "apply", "position": "position", "element": "element-at", "successor": "shift",
}  # fmt: skip
"""Operators that machines have too, with the same arguments. (Numbers are natural, so division and remainder agree.)"""

_MADE: dict[str, Callable[..., e.Expression]] = {
    "subtract": _natural,
    "put": _put,
    "add-first": lambda type_, items, value: applied("prepend", type_, value, items),
    "drop-first": _dropped("drop"),
    "drop-last": _dropped("take"),
    "defined": lambda _, map_, key: says("member", key, applied("domain", m.Set(e.type_of(key)), map_)),
    "assign": lambda type_, map_, key, value: applied(
        "override", type_, map_, applied("set", type_, e.pair(key, value))
    ),
    "unset": lambda type_, map_, key: applied(
        "domain-subtract", type_, applied("set", m.Set(e.type_of(key)), key), map_
    ),
}
