"""Transitions that the core does not know: instances by the reference evaluator, tokens joined as the core joins them.

In: tokens in the order in which they were found. Out: instances with what they take and give. Each atom has its rows, the
values that a token gives the atom's variables; rows are found by the values of variables that are known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from burnside.ir.highlevel.net import HighLevelNet, Tokens, Value
from burnside.ir.highlevel.terms import Apply, Inject, Literal, Term, Variable
from burnside.ir.highlevel.types import domain_size
from burnside.ir.highlevel.values import all_values
from burnside.records import field, record
from burnside.reference.highlevel.evaluation import Undefined, Values, evaluate
from burnside.reference.highlevel.firing import consumed, produced
from burnside.unfolding.limits import Exceeded, Limits
from burnside.unfolding.patterns import Atom, atoms_of, conjuncts, defined_by, rotated, variables_in

MAX_VALUES = 5_000_000
"""Of a variable that no arc gives a value."""

Flow = dict[int, Tokens]
Found = Callable[[int, tuple[Value, ...], Flow, Flow], None]
Known = Callable[[int, Value], bool]


@record
class Row:
    """A token, its number, and what it says of variables."""

    token: int
    value: Value
    values: Values


@record(eq=False)
class Rows:
    """The tokens that fit an atom; `tables`: by the names of known variables."""

    atom: Atom
    names: frozenset[str]
    is_exact: bool
    rows: list[Row] = field(default_factory=list)
    tables: dict[tuple[str, ...], dict[tuple[Value, ...], list[Row]]] = field(default_factory=dict)

    def add(self, row: Row) -> None:
        self.rows.append(row)
        for names, table in self.tables.items():
            table.setdefault(tuple(row.values[name] for name in names), []).append(row)

    def matching(self, values: Values) -> Sequence[Row]:
        names = tuple(sorted(name for name in self.names if name in values))
        if names not in self.tables:
            table: dict[tuple[Value, ...], list[Row]] = {}
            for row in self.rows:
                table.setdefault(tuple(row.values[name] for name in names), []).append(row)
            self.tables[names] = table
        return self.tables[names].get(tuple(values[name] for name in names), ())


class General:
    """`found` is called for each instance whose tokens are `known`."""

    def __init__(
        self, net: HighLevelNet, numbers: Sequence[int], limits: Limits, known: Known, found: Found
    ) -> None:
        self.net, self.limits, self.known, self.found = net, limits, known, found
        self.evaluations = self.endless = 0
        self.searches = [_Search(self, number) for number in numbers]
        self.waiting: dict[tuple[int, Value], list[tuple[_Search, Values]]] = {}
        self.at: list[list[tuple[_Search, int]]] = [[] for _ in net.places]
        for search in self.searches:
            for number, rows in enumerate(search.rows):
                self.at[rows.atom.place].append((search, number))
        self.is_endless = [domain_size(each.type) is None for each in net.places]

    def begin(self) -> None:
        """Transitions that take no token that is known beforehand."""
        for search in self.searches:
            if not search.rows:
                search.complete({}, search.guard)

    def process(self, token: int, place: int, value: Value) -> None:
        if self.is_endless[place]:
            self.endless += 1
            if self.endless > self.limits.endless:
                raise Exceeded("endless", place)
        for search, complete in self.waiting.pop((place, value), ()):
            search.finish(complete)
        new = []
        for search, number in self.at[place]:
            values: dict[str, Value] = {}
            if matches(search.rows[number].atom.term, value, values):
                row = Row(token, value, values)
                search.rows[number].add(row)
                new.append((search, number, row))
        for search, number, row in new:
            search.begin(number, row)

    def count(self) -> None:
        self.evaluations += 1
        if self.evaluations > self.limits.evaluations:
            raise Exceeded("evaluations")

    def wait(self, place: int, value: Value, search: _Search, values: Values) -> None:
        self.waiting.setdefault((place, value), []).append((search, values))


class _Search:
    """For the instances of one transition."""

    def __init__(self, general: General, number: int) -> None:
        self.general, self.number = general, number
        self.transition = general.net.transitions[number]
        self.guard = conjuncts(self.transition.guard)
        self.types = {each.name: each.type for each in self.transition.variables}
        self.rows = [
            Rows(atom, frozenset(given_names(atom.term)), is_exact(atom.term))
            for atom in atoms_of(self.transition)
        ]
        self.uses = {id(each): frozenset(variables_in(each)) for each in self.guard}

    def begin(self, number: int, row: Row) -> None:
        others = tuple(each for each in range(len(self.rows)) if each != number)
        self._join(row.values, self.guard, others, {number: row}, (number, row.token))

    def _join(
        self,
        values: Values,
        guard: Sequence[Term],
        others: tuple[int, ...],
        chosen: dict[int, Row],
        newest: tuple[int, int],
    ) -> None:
        checked = self._checked(values, guard)
        if checked is None:
            return
        if not others:
            self.complete(values, checked, chosen)
            return
        atom = max(others, key=lambda each: len(self.rows[each].names & values.keys()))
        rest = tuple(each for each in others if each != atom)
        for row in self.rows[atom].matching(values):
            # Each choice of tokens is made once: by the first of the atoms that have the newest token.
            if row.token < newest[1] or (row.token == newest[1] and atom > newest[0]):
                self.general.count()
                self._join({**values, **row.values}, checked, rest, {**chosen, atom: row}, newest)

    def _checked(self, values: Values, guard: Sequence[Term]) -> list[Term] | None:
        """The parts of the guard that are left; None where one is false."""
        left = []
        for each in guard:
            if self.uses[id(each)] <= values.keys():
                if not _holds(each, values):
                    return None
            else:
                left.append(each)
        return left

    def complete(self, values: Values, guard: Sequence[Term], chosen: dict[int, Row] | None = None) -> None:
        """Gives the variables values that no token has given one."""
        checked = self._checked(values, guard)
        if checked is None:
            return
        unbound = frozenset(self.types) - values.keys()
        if not unbound:
            self.finish(values, chosen or {})
            return
        for name, value in self._candidates(values, checked, unbound):
            self.general.count()
            self.complete({**values, name: value}, checked, chosen)

    def _candidates(
        self, values: Values, guard: Sequence[Term], unbound: frozenset[str]
    ) -> Iterator[tuple[str, Value]]:
        for each in guard:
            defined = defined_by(each, unbound)
            if defined is not None:
                name, term = defined
                with suppress(Undefined):
                    yield name, evaluate(term, values)
                return
        sizes = {name: domain_size(self.types[name]) for name in unbound}
        name, size = min(sizes.items(), key=lambda each: (each[1] is None, each[1] or 0, each[0]))
        if size is None or size > MAX_VALUES:
            raise Exceeded("domain", (self.number, name))
        for value in all_values(self.types[name]):
            yield name, value

    def finish(self, values: Values, chosen: dict[int, Row] | None = None) -> None:
        try:
            for number, row in (chosen or {}).items():
                rows = self.rows[number]
                if not rows.is_exact and evaluate(rows.atom.term, values) != row.value:
                    return
            takes, gives = consumed(self.transition, values), produced(self.transition, values)
        except Undefined:
            return
        for place, tokens in takes.items():
            for value, _ in tokens:
                if not self.general.known(place, value):
                    self.general.wait(place, value, self, values)
                    return
        listed = tuple(values[each.name] for each in self.transition.variables)
        self.general.found(self.number, listed, takes, gives)


def _holds(part: Term, values: Values) -> bool:
    try:
        return bool(evaluate(part, values))
    except Undefined:
        return False


def matches(term: Term, value: Value, values: dict[str, Value]) -> bool:
    """Can the term have this value? `values` gets what that says of variables; what is computed is looked at later."""
    match term:
        case Literal(wanted):
            return bool(wanted == value)
        case Apply("struct" | "list", arguments):
            pairs = zip(arguments, value, strict=False)
            return len(arguments) == len(value) and all(matches(each, part, values) for each, part in pairs)
        case Inject(alternative, inner, union):
            return union.position(alternative) == value[0] and matches(inner, value[1], values)
    rotation = rotated(term)
    if rotation is None:
        return True
    variable, steps = rotation
    if steps:
        value = (value - steps) % _sort_size(variable)
    return bool(values.setdefault(variable.name, value) == value)


def _sort_size(variable: Variable) -> int:
    size = domain_size(variable.type)
    assert size is not None
    return size


def given_names(term: Term) -> Iterator[str]:
    """The variables that a token gives values."""
    match term:
        case Apply("struct" | "list", arguments):
            for each in arguments:
                yield from given_names(each)
        case Inject(_, inner):
            yield from given_names(inner)
        case _:
            rotation = rotated(term)
            if rotation is not None:
                yield rotation[0].name


def is_exact(term: Term) -> bool:
    """Is a token that matches always the value of the term?"""
    match term:
        case Literal():
            return True
        case Apply("struct" | "list", arguments):
            return all(map(is_exact, arguments))
        case Inject(_, inner):
            return is_exact(inner)
        case _:
            return rotated(term) is not None
