"""Solutions of a predicate: all values of some names for which it holds, found by narrowing.

In: names, a condition and an environment for everything else in it. Out: each valuation once, as an environment, together
with the trouble that keeps it from being certain (None: the condition holds). The condition is taken apart into conjuncts,
and at every point of the search: those whose names are all known are tests; an equation with one side known says what the
names on the other side are; else the conjunct that leaves the fewest candidates for some names (`sources`) is listed. What a
source lists is never too little, and every conjunct is tested in the end, so their order is a matter of speed alone. Where
there is no end to all sources, the condition is split into cases (`cases`). Where that does not help, not all values are
tried for the names of guards and choices (`cuts`), and quantifiers are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from burnside.ir.sets.expressions import Apply, Expression, Literal, Name, conjuncts, type_of
from burnside.ir.sets.notation import Notation
from burnside.ir.sets.types import BOOLEAN, Boolean, Pair
from burnside.reference.sets.cases import MAX_CASES, Branch, cases, equal, may_bound, negated, opened
from burnside.reference.sets.cuts import CUTS, Cuts
from burnside.reference.sets.evaluation import Environment, evaluate, free_names, holds, notation_in
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
from burnside.reference.sets.patterns import (
    always_defined,
    is_pattern,
    known_to_be_undefined,
    read_off,
    readable,
)
from burnside.reference.sets.sources import (
    CandidateSource,
    Known,
    Part,
    best_source,
    cut_source,
    prescribed_source,
)

OPENING = 1000
"""Where every source has more candidates than this, disjunctions and existential quantifiers are looked into."""

DOUBTED = 10_000
"""Where something is undefined and a name has more candidates than this, the whole is taken to be undefined."""

PARTS = "parts of the condition"


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
    most = SEARCH_LIMIT if most is None else most
    search = _Search({each.name: each for each in names}, undefined, most, notation_in(environment))
    return search.run(_Node(parts_of(condition, undefined), search.wanted, environment))


def bound(names: Sequence[Name], solution: Solution) -> bool:
    """Are the names known? They may not be where there is trouble with all their values."""
    return all(each.name in solution.environment for each in names)


def parts_of(condition: Expression, undefined: bool) -> list[Part]:
    """Kept with the condition, which never changes."""
    kept: dict[bool, list[Part]] = vars(condition).setdefault(PARTS, {})
    if undefined not in kept:
        plain = [Part(each) for each in conjuncts(_pushed(condition))]
        kept[undefined] = plain + [each for part in plain for each in _implied(part.predicate, undefined)]
    return kept[undefined]


def _pushed(predicate: Expression) -> Expression:
    """Negations moved inwards, so that more conjuncts come to light; what is undefined stays so."""
    match predicate:
        case Apply("and", parts):
            return _connected("and", [_pushed(each) for each in parts])
        case Apply("not", (Apply("not", (inner,)),)):
            return _pushed(inner)
        case Apply("not", (Apply("and", parts),)):
            return _connected("or", [negated(each) for each in parts])
        case Apply("not", (Apply("or", parts),)):
            return _connected("and", [_pushed(negated(each)) for each in parts])
        case Apply("not", (Apply("implies", (left, right)),)):
            return _connected("and", [_pushed(left), _pushed(negated(right))])
        case Apply("member", (left, Apply("set", (right,)))):
            return equal(left, right)
        case Apply("equal", (Literal(value, Boolean()), inner)) | Apply(
            "equal", (inner, Literal(value, Boolean()))
        ) if not isinstance(inner, Name):
            return _pushed(inner if value else negated(inner))
        case _:
            return predicate


def _connected(operator: str, parts: Sequence[Expression]) -> Expression:
    return Apply(operator, tuple(parts), BOOLEAN)


def _implied(predicate: Expression, undefined: bool) -> Iterator[Part]:
    """What follows from a conjunct and bounds more than it does by itself. Where it is false the conjunct must be, so parts
    that are left out must not be undefined, unless that counts as false."""

    def sure(*parts: Expression) -> bool:
        return not undefined or all(map(always_defined, parts))

    found: list[Expression] = []
    match predicate:
        case Apply("equal", (Apply("pair") as left, right)) | Apply("equal", (right, Apply("pair") as left)):
            if sure(left, right):
                found = [equal(part, _side(right, number)) for number, part in enumerate(left.arguments)]
        case Apply("equal", (Apply("union", sides), whole)) | Apply("equal", (whole, Apply("union", sides))):
            if sure(*sides):
                found = [Apply("subset", (side, whole), BOOLEAN) for side in sides]
        case Apply("subset", (Apply("union", sides), whole)):
            if sure(*sides):
                found = [Apply("subset", (side, whole), BOOLEAN) for side in sides]
        case Apply("member", (Apply("pair", sides), Apply("product", wholes))):
            if sure(*sides, *wholes):
                found = [
                    Apply("member", (side, whole), BOOLEAN) for side, whole in zip(sides, wholes, strict=True)
                ]
        case Apply("member" | "subset" as operator, (part, Apply("intersection", wholes))):
            if sure(*wholes):
                found = [Apply(operator, (part, whole), BOOLEAN) for whole in wholes]
        case Apply("member", (element, Apply("difference", (whole, less)))):
            if sure(whole, less):
                found = [
                    Apply("member", (element, whole), BOOLEAN),
                    negated(Apply("member", (element, less), BOOLEAN)),
                ]
        case (
            Apply("subset" | "strict-subset", (Apply("set", elements), whole))
            | Apply("equal", (Apply("set", elements), whole))
            | Apply("equal", (whole, Apply("set", elements)))
        ):
            if sure(*elements):
                found = [Apply("member", (element, whole), BOOLEAN) for element in elements]
    for each in found:
        yield Part(each, hint=True)
        yield from _implied(each, undefined)


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


class _Node(NamedTuple):
    """A point of the search: what is left to satisfy, what is sought and what is known."""

    parts: list[Part]
    sought: dict[str, Name]
    environment: Environment
    trouble: Trouble | None = None
    known: Known = {}  # noqa: RUF012 - never written to: each branch has a copy
    cases: int = MAX_CASES
    """Into so many cases it may still be split where nothing bounds a name."""


class _Search:
    def __init__(self, wanted: dict[str, Name], undefined: bool, most: int, notation: Notation) -> None:
        self.wanted, self.undefined, self.most = wanted, undefined, most
        self.notation = notation
        self.tried = 0

    def run(self, node: _Node) -> Iterator[Solution]:
        node = node._replace(known=dict(node.known))
        try:
            node = self._settled(node)
            if self._is_done(node.sought):
                yield Solution(node.environment, node.trouble)
                return
            source, node = self._source(node)
        except _Contradicted:
            return
        if source is None and node.trouble is None:
            if self._cuts(node) is not None and self._is_undefined(node):
                return
            source = self._prescribed(node)
        if source is None or source.candidates > OPENING:
            split = self._split(node, is_endless=source is None)
            if split is not None:
                yield from self._branched(*split)
                return
        if source is None and node.trouble is None:
            source = self._cut(node)
            if source is None:
                raise self._unbounded(node.sought, node.environment)
        if source is None or (node.trouble is not None and source.candidates > DOUBTED):
            # Whatever the names are, it is not certain: one valuation that says so is enough.
            known = {name: value for name, value in node.environment.items() if name not in node.sought}
            yield Solution(known, node.trouble)
            return
        yield from self._listed(source, node)

    def _is_done(self, sought: dict[str, Name]) -> bool:
        """Names from quantifiers need values, too, where the quantifiers are not evaluated again."""
        return sought.keys().isdisjoint(self.wanted) if self.undefined else not sought

    def _listed(self, source: CandidateSource, node: _Node) -> Iterator[Solution]:
        parts, sought, environment = node.parts, node.sought, node.environment
        rest = [part for part in parts if part is not source.part] if source.implies_part(sought) else parts
        for found in source.listed(parts, sought, environment, self.undefined):
            self._count()
            left = {name: each for name, each in sought.items() if name not in found}
            yield from self.run(node._replace(parts=rest, sought=left, environment={**environment, **found}))

    def _cuts(self, node: _Node) -> Cuts | None:
        """None where all values have to be tried."""
        return None if self.undefined else node.environment.get(CUTS)

    def _is_undefined(self, node: _Node) -> bool:
        """Is some conjunct undefined, whatever the names are that are still sought? Asked before a domain is cut."""
        return any(
            known_to_be_undefined(each.predicate, node.sought, node.environment) for each in node.parts
        )

    def _prescribed(self, node: _Node) -> CandidateSource | None:
        cuts = self._cuts(node)
        if cuts is None:
            return None
        return prescribed_source(node.parts, node.sought, node.environment, node.known, cuts)

    def _cut(self, node: _Node) -> CandidateSource | None:
        cuts = self._cuts(node)
        if cuts is None:
            return None
        return cut_source(node.parts, node.sought, node.environment, node.known, cuts)

    def _count(self) -> None:
        self.tried += 1
        if self.tried > self.most:
            names, span = ", ".join(self.wanted), next(iter(self.wanted.values())).span
            raise TooLarge(f"there are more than {self.most:,} candidates for {names}", span, self.hint)

    def _settled(self, node: _Node) -> _Node:
        """Test what can be tested and bind what equations bind, until there is no more."""
        parts, sought, environment, trouble = node[:4]
        again = True
        while again:
            again, rest = False, []
            for part in parts:
                try:
                    if part.free.isdisjoint(sought):
                        if not holds(part.predicate, environment):
                            raise _Contradicted
                        continue
                    found = (
                        _equation(part.predicate, sought, environment, partial=not self.undefined)
                        if part.equates
                        else None
                    )
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
        return node._replace(parts=parts, sought=sought, environment=environment, trouble=trouble)

    def _troubled(self, part: Part, trouble: Trouble | None, new: Trouble) -> Trouble | None:
        """What follows where a conjunct has no truth value."""
        if part.hint:
            return trouble
        if isinstance(new, Undefined) and not self.undefined:
            raise _Contradicted
        return worse(trouble, new)

    def _source(self, node: _Node) -> tuple[CandidateSource | None, _Node]:
        source, troubled = best_source(
            node.parts, node.sought, node.environment, node.known, partial=not self.undefined
        )
        if troubled:
            trouble = node.trouble
            for part, error in troubled:
                trouble = self._troubled(part, trouble, error)
            gone = {part for part, _ in troubled}
            parts = [part for part in node.parts if part not in gone]
            node = node._replace(parts=parts, trouble=trouble)
        if source is not None and source.candidates == 0:
            raise _Contradicted
        return source, node

    def _split(self, node: _Node, *, is_endless: bool) -> tuple[Part, list[Branch], _Node] | None:
        """A conjunct to look into, its branches, and the point of the search for each of them."""
        open_parts = [
            each for each in node.parts if not each.opened and not each.free.isdisjoint(node.sought)
        ]
        for part in open_parts:
            if (branch := opened(part.predicate, self.undefined)) is not None:
                return part, [branch], node
        for part in open_parts:
            branches = cases(part.predicate)
            if not branches or (
                is_endless
                and (len(branches) > node.cases or not may_bound(part.predicate, True, node.sought.keys()))
            ):
                continue
            left = node.cases // len(branches) if is_endless else node.cases
            return part, branches, node._replace(cases=left)
        return None

    def _branched(self, split: Part, branches: list[Branch], node: _Node) -> Iterator[Solution]:
        """The union of what the branches give. Where it matters what is undefined, the conjunct stays among the tests, and
        the branches only help to list."""
        seen = set()
        names = [name for name in node.sought if name in self.wanted]
        others = [part for part in node.parts if part is not split]
        if self.undefined:
            others.append(Part(split.predicate, hint=split.hint, opened=True))
        for branch in branches:
            sought = {**node.sought, **{each.name: each for each in branch.names}}
            more = [
                Part(part.predicate, hint=self.undefined or part.hint)
                for each in branch.conditions
                for part in parts_of(each, self.undefined)
            ]
            for found in self.run(node._replace(parts=others + more, sought=sought)):
                key = tuple(found.environment.get(name) for name in names)
                if key not in seen:
                    seen.add(key)
                    yield found

    @property
    def hint(self) -> str:
        return f"add a conjunct that bounds it, such as {self.notation.bounds}"

    def _unbounded(self, sought: dict[str, Name], environment: Environment) -> Exception:
        if any(isinstance(value, Partial) for value in environment.values()):
            return Unknown()
        names = list(sought.values())
        name = next((each for each in names if each.name in self.wanted), names[0])
        return Unbounded(f"nothing says between which values '{name.name}' lies", name.span, self.hint)


def _equation(
    predicate: Expression, sought: dict[str, Name], environment: Environment, *, partial: bool
) -> Environment | None:
    """What an equation with one side known says of the names on the other; None where it is none."""
    match predicate:
        case Apply("equal", (left, right)):
            for pattern, value in ((left, right), (right, left)):
                if free_names(value).isdisjoint(sought) and readable(pattern, sought.keys(), partial=partial):
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
        is_pattern(each, sought.keys(), partial=True) for each in equation.arguments
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
