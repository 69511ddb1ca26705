"""The normal form of terms, transitions and markings: terms over points that mean the same whenever they are equal.

In: terms of a net (rewritten by `simplified`). Out: numbers of `Terms` over the elements of sorts that may be permuted and
the variables of transitions.

The claim on which everything rests: *let F be the form of a term, and g a permutation of elements. The form g F, in which
points are renamed, is the form of a term that has for the values g a of its variables the value g v exactly where the first
has the value v for the values a, and is undefined where it is.* By induction over the term: literals are renamed
(`ValueForms.value`); operators that treat all elements alike (Junttila 2003, 6.2: they are compatible with every domain
permutation) have no points of their own, and commute with g; the others carry what they depend on as a part, which is
renamed: `successor`, `distance` and `Lookup` a function, `less`, `position` and `element` an order. Conjugating that by g
conjugates the operator. So where the renamed form of a net is that net's form, g maps it to itself (5.11).

What is *not* part of a form may differ between terms with one form, so each omission needs an argument:

* the order of operands of `and`, `or`, `equal`, `add`, `multiply`, `union`, `intersection`, `set` and `sum`: these are
  commutative and strict. Equal operands of `and`, `or`, `union`, `intersection`, `set` count once (idempotent), of `add`,
  `multiply` and `sum` as often as they stand there;
* numbers of equal tokens in a sum are added: n'v + m'v is (n+m)'v. One of zero tokens is left out only where its value is
  always defined;
* names of bound variables: a bound variable is known by the number of quantifiers around its own, and its type;
* how a predicate with one variable is written, and one with several that sees an order: `tables`;
* names of functions (`Lookup`): two with the same table are the same.

The domains that quantifiers, `all`, `full` and `complement` go through are those of types, which every g maps onto
themselves; their types are parts of the form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence

from burnside.ir.highlevel.terms import (
    Apply,
    Binding,
    Cast,
    Conditional,
    Inject,
    IsOf,
    Literal,
    Lookup,
    Marked,
    Select,
    Term,
    Update,
    Variable,
    is_total,
    type_of,
)
from burnside.ir.highlevel.types import BOOLEAN, Bag, Element, Sort, TokenType
from burnside.ir.walking import nodes
from burnside.limits import Deadline
from burnside.records import record
from burnside.symmetry.highlevel.simplified import free_variables, junction, unshifted
from burnside.symmetry.highlevel.tables import Table, sees_order, table_of
from burnside.symmetry.highlevel.values_form import ValueForms
from burnside.symmetry.programs.terms import Terms

IDEMPOTENT = frozenset({"and", "or", "union", "intersection"})
COMMUTATIVE = frozenset({"add", "multiply", *IDEMPOTENT})
"""And associative."""
LINEAR = frozenset({"sum", "tokens", "scaled", "all"})


@record
class Scope:
    """The forms of the variables that a term may use, and how many quantifiers are around it."""

    names: Mapping[str, int]
    depth: int = 0


CLOSED = Scope({})


class TermForms(ValueForms):
    """`ordered`: was a term met, since this was last set to False, that depends on the order of elements, and not only in
    how it is written?"""

    def __init__(self, terms: Terms, first: Mapping[str, int], deadline: Deadline) -> None:
        super().__init__(terms, first)
        self.deadline, self.ordered = deadline, False
        self._tables: dict[Term, Table | None] = {}

    def form(self, term: Term, scope: Scope = CLOSED) -> int:
        """Of a simplified term."""
        self.deadline.check()
        table = self._table(term)
        if table is not None:
            return self._tabulated(table, term, scope)
        if isinstance(term, Apply) and term.operator in ("and", "or"):
            return self._junction(term, scope)
        return self._form(term, scope)

    def _form(self, term: Term, scope: Scope) -> int:
        of = self.terms.of
        match term:
            case Literal(value, type_):
                return self.value(type_, value)
            case Variable(name):
                return scope.names[name]
            case Marked(place):
                return of(("marked", place))
            case Apply(operator, _, Bag() as type_) if operator in LINEAR:
                return self.sum_of([term], type_, scope)
            case Apply():
                return self._applied(term, scope)
            case Binding(kind, variable, body):
                bound = of(("bound", scope.depth, variable.type))
                inner = Scope({**scope.names, variable.name: bound}, scope.depth + 1)
                return of((kind, variable.type, term.type), [(0, self.form(body, inner))])
            case Inject(alternative, value, union):
                return self.injected(union, alternative, self.form(value, scope))
            case Lookup(_, images, argument, type_):
                return self._image(_sort(argument), type_.sort, images, self.form(argument, scope))
        return of((type(term).__name__, *_words(term)), self._children(term, scope))

    def _children(self, term: Term, scope: Scope) -> Iterator[tuple[int, int]]:
        return enumerate(self.form(each, scope) for each in term.children())

    # Operators

    def _applied(self, term: Apply, scope: Scope) -> int:
        operator, arguments, type_ = term.operator, term.arguments, term.type
        self.ordered |= sees_order(term, self.movable)
        if operator in ("struct", "list"):
            return self.in_order(operator, type_, [self.form(each, scope) for each in arguments])
        if operator == "set":
            return self.unordered("set", type_, {self.form(each, scope) for each in arguments})
        if operator in COMMUTATIVE:
            parts = [self.form(each, scope) for each in _flat(term)]
            return self._joined(operator, type_, parts)
        if operator == "equal":
            return self._equal(arguments[0], arguments[1], scope)
        if operator == "successor" and isinstance(arguments[1], Literal):
            sort, number = _sort(term), arguments[1].value
            images = [(at + number) % sort.size for at in range(sort.size)] if self._moves(sort) else ()
            argument = self.form(arguments[0], scope)
            return (
                self._image(sort, sort, images, argument)
                if images
                else self._apply(self.shift(sort, number), argument)
            )
        return self._relation(term, scope)

    def _relation(self, term: Apply, scope: Scope) -> int:
        """Operators on elements that depend on the order or the ring of a sort, and all others."""
        of, operator, arguments = self.terms.of, term.operator, term.arguments
        match operator:
            case "less" if isinstance(type_of(arguments[0]), Element):
                one, other = (self.form(each, scope) for each in arguments)
                low, high = (self.order(_sort(arguments[0]), ascending=each) for each in (True, False))
                return self.sides("less", (low, one), (high, other))
            case "distance":
                one, other = (self.form(each, scope) for each in arguments)
                on, back = (self.shift(_sort(arguments[0]), each) for each in (1, -1))
                return self.sides("distance", (on, one), (back, other))
            case "position":
                by = self.order(_sort(arguments[0]), ascending=True)
            case "element":
                by = self.order(_sort(term), ascending=True)
            case "successor":
                by = self.shift(_sort(term), 1)
            case _:
                return of((operator, term.type), self._children(term, scope))
        return of((operator, term.type), [("by", by), *self._children(term, scope)])

    def _equal(self, one: Term, other: Term, scope: Scope) -> int:
        """Elements that are a number of places apart: each is known from the other by a function."""
        (one, ahead), (other, more) = unshifted(one), unshifted(other)
        forms = self.form(one, scope), self.form(other, scope)
        if ahead != more:
            sort, number = _sort(one), ahead - more
            return self.sides(
                "apart", (self.shift(sort, number), forms[0]), (self.shift(sort, -number), forms[1])
            )
        return self.unordered("equal", type_of(one), forms)

    def _image(self, domain: Sort, range_: Sort, images: Sequence[int], argument: int) -> int:
        if domain == range_ and tuple(images) == tuple(range(domain.size)):
            return argument
        return self._apply(self.function(domain, range_, images), argument)

    def _apply(self, function: int, argument: int) -> int:
        return self.terms.of("image", [("by", function), ("value", argument)])

    def _moves(self, sort: Sort) -> bool:
        return sort.name in self.movable

    # Truth values

    def _joined(self, operator: str, type_: TokenType, parts: Collection[int]) -> int:
        if operator in IDEMPOTENT:
            parts = set(parts)
        if type_ == BOOLEAN:
            parts = set(parts) - {self.value(BOOLEAN, operator == "and")}
        if type_ == BOOLEAN and not parts:
            return self.value(BOOLEAN, operator == "and")
        return next(iter(parts)) if len(parts) == 1 else self.unordered(operator, type_, parts)

    def _junction(self, term: Apply, scope: Scope) -> int:
        """Parts with a table and the same single variable are one predicate."""
        about: dict[Variable, list[Term]] = {}
        parts: list[int] = []
        for each in term.arguments:
            variables = free_variables(each)
            if len(variables) == 1 and self._table(each) is not None:
                about.setdefault(next(iter(variables)), []).append(each)
            else:
                parts.append(self.form(each, scope))
        for alike in about.values():
            together = junction(term.operator, alike)
            table = self._table(together)
            if table is None:
                parts += [self.form(each, scope) for each in alike]
            else:
                parts.append(self._tabulated(table, together, scope))
        return self._joined(term.operator, BOOLEAN, parts)

    def _table(self, term: Term) -> Table | None:
        if term not in self._tables:
            self._tables[term] = table_of(term, self.movable)
        return self._tables[term]

    def _tabulated(self, table: Table, term: Term, scope: Scope) -> int:
        """A set of rows; of a predicate those where it holds, or those where it does not, whichever are fewer. A row says of
        each variable which value it has."""
        of, rows = self.terms.of, table.rows
        is_set = table.type == BOOLEAN and len(table.variables) == 1
        if not is_set and any(sees_order(each, self.movable) for each in nodes(term)):
            self.ordered |= not table.is_invariant(self.movable)
        if len(table.results) == 1 and table.is_total:
            return self.value(table.type, next(iter(rows)).result[0])
        kind: Hashable = ("table", table.type)
        if table.type == BOOLEAN and table.is_total:
            true = frozenset(row for row in rows if row.result[0])
            holds = 2 * len(true) <= len(rows)
            kind, rows = ("where", holds), true if holds else rows - true
        found = []
        for row in rows:
            cells = [
                of("cell", [("variable", scope.names[each.name]), ("value", self.value(each.type, value))])
                for each, value in zip(table.variables, row.values, strict=True)
            ]
            result = [("result", self.value(table.type, value)) for value in row.result]
            found.append(of("row", [*((0, cell) for cell in cells), *result]))
        return of(kind, [(0, each) for each in found])

    # Multisets

    def sum_of(self, terms: Iterable[Term], type_: Bag, scope: Scope = CLOSED) -> int:
        """Multiplicities of equal tokens are added."""
        sum_ = _Sum(self, scope)
        for each in terms:
            sum_.add(each, 1)
        if not sum_.constants and not sum_.every and list(sum_.others.values()) == [1]:
            [(kind, only)] = sum_.others
            if kind == "multiset":
                return only
        others = {self.terms.of(kind, [(0, each)]): times for (kind, each), times in sum_.others.items()}
        return self.bag(type_, sum_.constants, others, sum_.every)


class _Sum:
    """A sum of multisets, part by part."""

    def __init__(self, forms: TermForms, scope: Scope) -> None:
        self.forms, self.scope = forms, scope
        self.constants: Counter[int] = Counter()
        self.others: Counter[tuple[str, int]] = Counter()
        self.every = 0

    def add(self, term: Term, times: int) -> None:
        form = self.forms.form
        match term:
            case Apply("sum", parts):
                for each in parts:
                    self.add(each, times)
            case Apply("scaled", (Literal(number), inner)) if number or is_total(inner):
                self.add(inner, times * number)
            case Apply("tokens", (Literal(number), value)) if number or is_total(value):
                self._add_token(value, times * number)
            case Apply("tokens", (number, value)):
                token = self.forms.terms.of(
                    "tokens", [("number", form(number, self.scope)), ("value", form(value, self.scope))]
                )
                self._add_other("multiset", token, times)
            case Apply("scaled", (number, inner)):
                token = self.forms.terms.of(
                    "scaled", [("number", form(number, self.scope)), ("value", form(inner, self.scope))]
                )
                self._add_other("multiset", token, times)
            case Apply("all"):
                self.every += times
            case Literal(value, Bag(element)):
                for token, number in value:
                    self.constants[self.forms.value(element, token)] += times * number
            case _:
                self._add_other("multiset", form(term, self.scope), times)

    def _add_token(self, value: Term, times: int) -> None:
        if isinstance(value, Literal):
            self.constants[self.forms.value(value.type, value.value)] += times
        else:
            self._add_other("token", self.forms.form(value, self.scope), times)

    def _add_other(self, kind: str, form: int, times: int) -> None:
        if times:
            self.others[kind, form] += times


def _flat(term: Term) -> Iterator[Term]:
    """The operands of operands."""
    assert isinstance(term, Apply)
    for each in term.arguments:
        if isinstance(each, Apply) and each.operator == term.operator:
            yield from _flat(each)
        else:
            yield each


def _sort(term: Term) -> Sort:
    type_ = type_of(term)
    assert isinstance(type_, Element)
    return type_.sort


def _words(term: Term) -> Iterator[str]:
    """What a node says beside its parts."""
    match term:
        case Select(_, name) | Update(_, name) | IsOf(_, name) | Cast(_, name):
            yield name
        case Conditional():
            return
