"""Solutions of a predicate: all values of some names for which it holds, found by narrowing.

In: names, a condition and an environment for everything else in it. Out: each valuation once, as an environment, together
with the trouble that keeps it from being certain (None: the condition holds). The condition is taken apart into conjuncts,
and at every point of the search: those whose names are all known are tests; an equation with one side known says what the
names on the other side are; else the conjunct that leaves the fewest candidates for some names (`sources`) is listed. What a
source lists is never too little, and every conjunct is tested in the end, so their order is a matter of speed alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from burnside.ir.sets.expressions import Apply, Conditional, Exists, Expression, Let, Name, conjuncts, type_of
from burnside.ir.sets.types import BOOLEAN, Pair
from burnside.reference.sets.evaluation import Environment, evaluate, free_names, holds
from burnside.reference.sets.failures import (
    SEARCH_LIMIT,
    TROUBLES,
    NotListed,
    TooLarge,
    Trouble,
    Unbounded,
    Undefined,
    Unknown,
    worse,
)
from burnside.reference.sets.functions import Partial
from burnside.reference.sets.patterns import always_defined, is_pattern, read_off, readable
from burnside.reference.sets.sources import Known, Part, Source, best_source

OPENING = 1000
"""Where every source has more candidates than this, disjunctions and existential quantifiers are looked into."""

DOUBTED = 10_000
"""Where something is undefined and a name has more candidates than this, the whole is taken to be undefined."""

PARTS = "parts of the condition"
USUAL = "usual numbers"
"""The name, which no language has, under which an environment may say what numbers to try for constants, parameters and
choices that nothing else bounds."""
_HINT = "add a conjunct that bounds it, such as 'x : 1..10' or 'x : S'"


class Solution(NamedTuple):
    environment: Environment
    trouble: Trouble | None


def solutions(
    names: Sequence[Name],
    condition: Expression,
    environment: Environment,
    *,
    undefined: bool = True,
    most: int | None = None,
) -> Iterator[Solution]:
    """`undefined=False`: valuations for which the condition is undefined are left out, and not looked for. `most`:
    candidates to try before it is given up."""
    search = _Search({each.name: each for each in names}, undefined, SEARCH_LIMIT if most is None else most)
    return search.run(parts_of(condition), search.wanted, environment, None, {})


def bound(names: Sequence[Name], solution: Solution) -> bool:
    """Are the names known? They may not be where there is trouble with all their values."""
    return all(each.name in solution.environment for each in names)


def parts_of(condition: Expression) -> list[Part]:
    """Kept with the condition, which never changes."""
    known: list[Part] | None = vars(condition).get(PARTS)
    if known is None:
        plain = [Part(each) for each in conjuncts(_pushed(condition))]
        known = vars(condition)[PARTS] = plain + [each for part in plain for each in _implied(part.predicate)]
    return known


def _pushed(predicate: Expression) -> Expression:
    """Negations moved inwards, so that more conjuncts come to light; what is undefined stays so."""
    match predicate:
        case Apply("and", parts):
            return _connected("and", [_pushed(each) for each in parts])
        case Apply("not", (Apply("not", (inner,)),)):
            return _pushed(inner)
        case Apply("not", (Apply("or", parts),)):
            return _connected("and", [_pushed(_negated(each)) for each in parts])
        case Apply("not", (Apply("implies", (left, right)),)):
            return _connected("and", [_pushed(left), _pushed(_negated(right))])
        case _:
            return predicate


def _connected(operator: str, parts: Sequence[Expression]) -> Expression:
    return Apply(operator, tuple(parts), BOOLEAN)


def _negated(predicate: Expression) -> Expression:
    return Apply("not", (predicate,), BOOLEAN)


def _implied(predicate: Expression) -> Iterator[Part]:
    """What follows from a conjunct and bounds more than it does by itself. Where it is false the conjunct must be, so parts
    that are left out must not be undefined."""
    found: list[Expression] = []
    match predicate:
        case Apply("equal", (Apply("pair") as left, right)) | Apply("equal", (right, Apply("pair") as left)):
            if always_defined(left) and always_defined(right):
                found = [_equal(part, _side(right, number)) for number, part in enumerate(left.arguments)]
        case Apply("equal", (Apply("union", sides), whole)) | Apply("equal", (whole, Apply("union", sides))):
            if all(map(always_defined, sides)):
                found = [Apply("subset", (side, whole), BOOLEAN) for side in sides]
        case Apply("subset", (Apply("union", sides), whole)):
            if all(map(always_defined, sides)):
                found = [Apply("subset", (side, whole), BOOLEAN) for side in sides]
        case Apply("subset" | "strict-subset", (Apply("set", elements), whole)):
            if all(map(always_defined, elements)):
                found = [Apply("member", (element, whole), BOOLEAN) for element in elements]
    for each in found:
        yield Part(each, hint=True)
        yield from _implied(each)


def _equal(left: Expression, right: Expression) -> Expression:
    return Apply("equal", (left, right), BOOLEAN)


def _side(expression: Expression, side: int) -> Expression:
    """One side of a pair."""
    if isinstance(expression, Apply) and expression.operator == "pair":
        return expression.arguments[side]
    pair = type_of(expression)
    assert isinstance(pair, Pair)
    if side == 0:
        return Apply("left", (expression,), pair.left)
    return Apply("right", (expression,), pair.right)


class _Contradicted(Exception):
    """A conjunct is false, whatever becomes of the names that are still sought."""


class _Search:
    def __init__(self, wanted: dict[str, Name], undefined: bool, most: int) -> None:
        self.wanted, self.undefined, self.most = wanted, undefined, most
        self.tried = 0

    def run(
        self,
        parts: list[Part],
        sought: dict[str, Name],
        environment: Environment,
        trouble: Trouble | None,
        known: Known,
    ) -> Iterator[Solution]:
        try:
            parts, sought, environment, trouble = self._settled(parts, sought, environment, trouble)
            if sought.keys().isdisjoint(self.wanted):
                yield Solution(environment, trouble)
                return
            source, parts, trouble = self._source(parts, sought, environment, trouble, known)
        except _Contradicted:
            return
        if source is None or source.candidates > OPENING:
            opening = next((part for part in parts if _can_open(part, sought)), None)
            if opening is not None:
                yield from self._opened(opening, parts, sought, environment, trouble, known)
                return
        if source is None or (trouble is not None and source.candidates > DOUBTED):
            if trouble is None:
                raise self._unbounded(sought, environment)
            # Whatever the names are, it is not certain: one valuation that says so is enough.
            yield Solution({name: environment[name] for name in environment if name not in sought}, trouble)
            return
        rest = [part for part in parts if part is not source.part] if source.says_all(sought) else parts
        for found in source.listed(parts, sought, environment, self.undefined):
            self._count()
            left = {name: each for name, each in sought.items() if name not in found}
            yield from self.run(rest, left, {**environment, **found}, trouble, dict(known))

    def _count(self) -> None:
        self.tried += 1
        if self.tried > self.most:
            names, span = ", ".join(self.wanted), next(iter(self.wanted.values())).span
            raise TooLarge(f"there are more than {self.most:,} candidates for {names}", span, _HINT)

    def _settled(
        self, parts: list[Part], sought: dict[str, Name], environment: Environment, trouble: Trouble | None
    ) -> tuple[list[Part], dict[str, Name], Environment, Trouble | None]:
        """Test what can be tested and bind what equations bind, until there is no more."""
        again = True
        while again:
            again, rest = False, []
            for part in parts:
                try:
                    if part.free.isdisjoint(sought):
                        if not holds(part.predicate, environment):
                            raise _Contradicted
                        continue
                    found = _equation(part.predicate, sought, environment) if part.equates else None
                except TROUBLES as error:
                    trouble = self._troubled(part, trouble, error)
                    continue
                if found is None:
                    rest.append(part)
                    continue
                if not _says_all(part.predicate, sought):
                    rest.append(part)
                sought = {name: each for name, each in sought.items() if name not in found}
                environment = {**environment, **found}
                again = True
            parts = rest
        return parts, sought, environment, trouble

    def _troubled(self, part: Part, trouble: Trouble | None, new: Trouble) -> Trouble | None:
        """What follows where a conjunct has no truth value."""
        if part.hint:
            return trouble
        if isinstance(new, Undefined) and not self.undefined:
            raise _Contradicted
        return worse(trouble, new)

    def _source(
        self,
        parts: list[Part],
        sought: dict[str, Name],
        environment: Environment,
        trouble: Trouble | None,
        known: Known,
    ) -> tuple[Source | None, list[Part], Trouble | None]:
        usual = None if self.undefined else environment.get(USUAL)
        source, troubled = best_source(parts, sought, environment, known, usual)
        for part, error in troubled:
            trouble = self._troubled(part, trouble, error)
        if troubled:
            gone = {part for part, _ in troubled}
            parts = [part for part in parts if part not in gone]
        if source is not None and source.candidates == 0:
            raise _Contradicted
        return source, parts, trouble

    def _opened(
        self,
        opening: Part,
        parts: list[Part],
        sought: dict[str, Name],
        environment: Environment,
        trouble: Trouble | None,
        known: Known,
    ) -> Iterator[Solution]:
        """The union of what the branches of one conjunct give; it stays among the tests, the branches only help to list."""
        seen = set()
        names = [name for name in sought if name in self.wanted]
        closed = Part(opening.predicate, hint=opening.hint, opened=True)
        others = [closed if part is opening else part for part in parts]
        for hints, new in _branches(opening.predicate):
            inner = {**sought, **{each.name: each for each in new}}
            for found in self.run(others + hints, inner, environment, trouble, dict(known)):
                key = tuple(found.environment.get(name) for name in names)
                if key not in seen:
                    seen.add(key)
                    yield found

    def _unbounded(self, sought: dict[str, Name], environment: Environment) -> Exception:
        if any(isinstance(value, Partial) for value in environment.values()):
            return Unknown()
        name = next(each for each in sought.values() if each.name in self.wanted)
        return Unbounded(f"nothing says between which values '{name.name}' lies", name.span, _HINT)


def _equation(predicate: Expression, sought: dict[str, Name], environment: Environment) -> Environment | None:
    """What an equation with one side known says of the names on the other; None where it is none."""
    match predicate:
        case Apply("equal", (left, right)):
            for pattern, value in ((left, right), (right, left)):
                if free_names(value).isdisjoint(sought) and readable(pattern, sought.keys()):
                    return _read(pattern, value, sought, environment)
            return None
        case Name(name):
            return {name: True}
        case Apply("not", (Name(name),)):
            return {name: False}
        case _:
            return None


def _says_all(equation: Expression, sought: dict[str, Name]) -> bool:
    """Is an equation that has been read off true then?"""
    return not isinstance(equation, Apply) or all(
        is_pattern(each, sought.keys()) for each in equation.arguments
    )


def _read(
    pattern: Expression, value: Expression, sought: dict[str, Name], environment: Environment
) -> Environment | None:
    found: Environment = {}
    try:
        known = evaluate(value, environment)
    except NotListed:
        return None
    if not read_off(pattern, known, sought.keys(), environment, found):
        raise _Contradicted
    return found


# Looking into conjuncts that are no conjunctions


def _can_open(part: Part, sought: dict[str, Name]) -> bool:
    if part.opened or part.free.isdisjoint(sought):
        return False
    match part.predicate:
        case Exists() | Conditional() | Let() | Apply("or" | "implies"):
            return True
        case _:
            return False


def _branches(predicate: Expression) -> list[tuple[list[Part], tuple[Name, ...]]]:
    """Of a solution, one of these holds for some values of the new names."""
    match predicate:
        case Exists(names, condition):
            return [(_hints(condition), names)]
        case Apply("or", parts):
            return [(_hints(each), ()) for each in parts]
        case Apply("implies", (left, right)):
            return [(_hints(_negated(left)), ()), (_hints(right), ())]
        case Conditional(test, then, otherwise):
            return [(_hints(test, then), ()), (_hints(_negated(test), otherwise), ())]
        case Let(name, value, body):
            return [(_hints(_equal(name, value), body), (name,))]
        case _:
            raise AssertionError(predicate)


def _hints(*conditions: Expression) -> list[Part]:
    return [Part(part.predicate, hint=True) for each in conditions for part in parts_of(each)]
