"""Conditions on markings of a high-level net as conditions on its unfolding. In: terms. Out: expressions over places.

What compares numbers of tokens linearly can be translated: `size`, `count` and sums of these, multisets by their values, and
Boolean combinations. `NotLinear` says what cannot be, and where it stands; such a net has to be explored directly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from burnside.diagnostics import Span
from burnside.ir.highlevel.net import Value
from burnside.ir.highlevel.terms import Apply, Binding, Conditional, Marked, Term, type_of
from burnside.ir.highlevel.types import Bag, Boolean, Natural, domain_size
from burnside.ir.highlevel.values import all_values
from burnside.languages.net_expressions import MAX_DEPTH, Expression, conditions, enabledness
from burnside.languages.net_expressions.conditions import Condition, Linear
from burnside.reference.highlevel.evaluation import Undefined, evaluate
from burnside.temporal.atoms import ActionPattern
from burnside.unfolding.unfolded import Unfolded

Values = Mapping[str, Value]
Amounts = dict[Value, Linear]
"""A multiset: how many there are of each value that may occur."""


class NotLinear(Exception):
    """Why a condition cannot be translated, and the place of the term."""

    def __init__(self, reason: str, span: Span | None = None) -> None:
        super().__init__(reason)
        self.reason, self.span = reason, span


class Conditions:
    """Over one unfolded net."""

    def __init__(self, unfolded: Unfolded) -> None:
        self.unfolded = unfolded

    def expression(self, term: Term, text: str) -> Expression:
        """NotLinear where there is none."""
        try:
            found = self._condition(term, {})
        except RecursionError:
            raise NotLinear("it is nested too deeply") from None
        if found.size > conditions.MAX_SIZE or found.depth > MAX_DEPTH:
            raise NotLinear(f"it makes more than {conditions.MAX_SIZE:,} comparisons of places")
        core = found.holds.core
        return Expression(text, core, conditions.places(core))

    def enabled(self, patterns: Sequence[ActionPattern], text: str) -> Expression:
        """Is an instance enabled?"""
        transitions = sorted({number for each in patterns for number in self.transitions(each)})
        return enabledness(self.unfolded.net, transitions, text)

    def transitions(self, pattern: ActionPattern) -> list[int]:
        """The transitions of the unfolded net that a pattern means."""
        numbers = self.unfolded.instances_of(pattern.action)
        if pattern.arguments is None:
            return list(numbers)
        variables = self.unfolded.source.transitions[pattern.action].variables
        columns = self.unfolded.columns(pattern.action)
        left = list(numbers)
        for variable, column, argument in zip(variables, columns, pattern.arguments, strict=True):
            if argument is not None:
                code = self.unfolded.codes.code(variable.type, evaluate(argument, {}))
                left = [number for number in left if column[number - numbers.start] == code]
        return left

    def _condition(self, term: Term, values: Values) -> Condition:
        if not _asks_for_tokens(term):
            return conditions.truth(bool(_value(term, values)))
        match term:
            case Apply("and" | "or" as operator, parts):
                return conditions.connect_all(operator, [self._condition(each, values) for each in parts])
            case Apply("not", (part,)):
                return conditions.negation(self._condition(part, values))
            case Apply("implies" | "iff" | "xor" as operator, (one, other)):
                left, right = self._condition(one, values), self._condition(other, values)
                found = conditions.connect("->" if operator == "implies" else "<->", left, right)
                return conditions.negation(found) if operator == "xor" else found
            case Apply("equal", (one, other)):
                return self._equal(term, one, other, values)
            case Apply("less" | "less-equal" as operator, (one, other)) if isinstance(type_of(one), Natural):
                difference = self._number(one, values).plus(self._number(other, values), -1)
                return conditions.comparison("<" if operator == "less" else "<=", _checked(difference, term))
            case Apply("included", (one, other)):
                return self._compared("<=", self._bag(one, values), self._bag(other, values))
            case Apply("member", (value, Apply("support", (bag,)))) if not _asks_for_tokens(value):
                amount = self._bag(bag, values).get(_value(value, values), Linear.constant(0))
                return conditions.comparison(">=", amount.times(1).plus(Linear.constant(1), -1))
            case Conditional(test, then, otherwise):
                chosen = self._condition(test, values)
                yes = conditions.connect("->", chosen, self._condition(then, values))
                no = conditions.connect("or", chosen, self._condition(otherwise, values))
                return conditions.connect("and", yes, no)
            case Binding("forall" | "exists" as kind, variable, body):
                if (domain_size(variable.type) or 0) > conditions.MAX_SIZE:
                    raise NotLinear(f"'{variable.name}' has too many values", term.span)
                bodies = [
                    self._condition(body, {**values, variable.name: each})
                    for each in all_values(variable.type)
                ]
                return conditions.connect_all("and" if kind == "forall" else "or", bodies)
        raise NotLinear(
            f"{_named(term)} is no linear comparison of numbers of tokens", getattr(term, "span", None)
        )

    def _equal(self, term: Term, one: Term, other: Term, values: Values) -> Condition:
        match type_of(one):
            case Boolean():
                return conditions.connect("<->", self._condition(one, values), self._condition(other, values))
            case Natural():
                difference = self._number(one, values).plus(self._number(other, values), -1)
                return conditions.comparison("=", _checked(difference, term))
            case Bag():
                return self._compared("=", self._bag(one, values), self._bag(other, values))
        raise NotLinear("what is compared is no number and no multiset", getattr(term, "span", None))

    def _compared(self, operator: str, left: Amounts, right: Amounts) -> Condition:
        """For every value."""
        nothing = Linear.constant(0)
        parts = []
        for value in left.keys() | right.keys():
            difference = left.get(value, nothing).times(1).plus(right.get(value, nothing), -1)
            parts.append(conditions.comparison(operator, difference))
        return conditions.connect_all("and", parts)

    def _number(self, term: Term, values: Values) -> Linear:
        """A sum that nothing else has; `plus` may change it."""
        if not _asks_for_tokens(term):
            return Linear.constant(_value(term, values))
        match term:
            case Apply("add", parts):
                total = Linear.constant(0)
                for each in parts:
                    total.plus(self._number(each, values), 1)
                return _checked(total, term)
            case Apply("multiply", (one, other)):
                if _asks_for_tokens(one):
                    one, other = other, one
                if not _asks_for_tokens(one):
                    return _checked(self._number(other, values).times(_value(one, values)), term)
            case Apply("size", (Marked(place),)):
                return Linear(dict.fromkeys(self.unfolded.places_of(place), 1), 0)
            case Apply("size", (bag,)):
                total = Linear.constant(0)
                for amount in self._bag(bag, values).values():
                    total.plus(amount, 1)
                return total
            case Apply("count", (Marked(place), value)) if not _asks_for_tokens(value):
                number = self.unfolded.place_number(place, _value(value, values))
                return Linear.constant(0) if number is None else Linear.place(number)
            case Apply("count", (bag, value)) if not _asks_for_tokens(value):
                amount = self._bag(bag, values).get(_value(value, values), Linear.constant(0))
                return amount.times(1)
        raise NotLinear(f"{_named(term)} is no linear sum of numbers of tokens", getattr(term, "span", None))

    def _bag(self, term: Term, values: Values) -> Amounts:
        if not _asks_for_tokens(term):
            return {value: Linear.constant(number) for value, number in _value(term, values)}
        match term:
            case Marked(place):
                support = self.unfolded.values_of(place)
                return {value: Linear.place(number) for value, number in support.items()}
            case Apply("sum", parts):
                total: Amounts = {}
                for each in parts:
                    for value, amount in self._bag(each, values).items():
                        total.setdefault(value, Linear.constant(0)).plus(amount, 1)
                return total
            case Apply("scaled", (number, bag)) if not _asks_for_tokens(number):
                factor = _value(number, values)
                return {value: amount.times(factor) for value, amount in self._bag(bag, values).items()}
        raise NotLinear(f"{_named(term)} is no linear sum of multisets", getattr(term, "span", None))


def _checked(sum_: Linear, term: Term) -> Linear:
    largest = max(map(abs, sum_.coefficients.values()), default=0)
    if largest > conditions.MAX_COEFFICIENT or abs(sum_.offset) > conditions.MAX_CONSTANT:
        raise NotLinear("a number in it is too large", getattr(term, "span", None))
    return sum_


def _value(term: Term, values: Values) -> Value:
    """Of a term that does not ask for tokens."""
    try:
        return evaluate(term, values)
    except Undefined:
        raise NotLinear(f"{_named(term)} has no value", getattr(term, "span", None)) from None


def _asks_for_tokens(term: Term) -> bool:
    return isinstance(term, Marked) or any(map(_asks_for_tokens, term.children()))


def _named(term: Term) -> str:
    return f"'{term.operator}'" if isinstance(term, Apply) else "a part of it"
