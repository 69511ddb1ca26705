"""Sources of candidates: conjuncts and types that say which values some of the sought names can have.

In: the conjuncts that are left, the names that are sought, what is known. Out: the source with the fewest candidates, as a
pattern and a set of its values. Candidates are looked at one by one; functions are even built point by point, so that a
conjunct which the first points contradict saves the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from burnside.ir.sets.expressions import Apply, Construct, Expression, Name, type_of
from burnside.ir.sets.types import Integer
from burnside.records import replace
from burnside.reference.sets.bounds import (
    Bounds,
    NoSolution,
    Sum,
    bounded,
    constraints,
    is_comparison,
    within,
)
from burnside.reference.sets.cuts import Candidates, Cuts, cut_candidates, prescribed_functions
from burnside.reference.sets.evaluation import Environment, denote, evaluate, free_names
from burnside.reference.sets.failures import TROUBLES, NotListed, Trouble, Undefined, Unknown
from burnside.reference.sets.functions import Functions, Relations, Require
from burnside.reference.sets.narrowing import pruning, required
from burnside.reference.sets.patterns import is_pattern, read_off, readable
from burnside.reference.sets.spaces import (
    INFINITY,
    Denoted,
    Everything,
    Numbers,
    Product,
    Sequences,
    Subsets,
    in_order,
    listed,
    size_of,
)
from burnside.reference.sets.values import Value, ordered


class Part:
    """A conjunct. A `hint` follows from others: it helps to list candidates and is never asked for its own sake; an
    `opened` one has been replaced by hints."""

    __slots__ = ("compares", "equates", "free", "hint", "includes", "opened", "predicate")

    def __init__(self, predicate: Expression, *, hint: bool = False, opened: bool = False) -> None:
        self.predicate, self.free = predicate, free_names(predicate)
        self.hint, self.opened = hint, opened
        self.includes = isinstance(predicate, Apply) and predicate.operator in _INCLUSIONS
        self.compares = is_comparison(predicate)
        self.equates = isinstance(predicate, Name) or (
            isinstance(predicate, Apply) and predicate.operator in ("equal", "not")
        )


_INCLUSIONS = ("member", "subset", "strict-subset")
MANY = 1_000_000
"""Where every source has more candidates, arguments are taken from the domain of what is applied to them."""
FEW = 8
"""So few candidates are tried without looking for a source that has fewer."""


Known = dict[Part, Denoted]
"""The sets on the right of memberships, once they have been computed on this branch of the search."""
Sought = Mapping[str, Name]


class CandidateSource(NamedTuple):
    """The sought names in `pattern` are such that it is a member of `space`, as `part` says."""

    candidates: int | float
    part: Part | None
    pattern: Expression
    space: Denoted
    cuts: Cuts | None = None
    """Where the space is only a part of what it should be: records points of functions to which that matters."""

    def implies_part(self, sought: Sought) -> bool:
        """Is the conjunct true for what is listed, whatever else? All subsets are listed for a strict inclusion."""
        part = self.part
        if (
            part is not None
            and isinstance(part.predicate, Apply)
            and part.predicate.operator == "strict-subset"
        ):
            return False
        return is_pattern(self.pattern, sought.keys(), partial=True)

    def listed(
        self, parts: list[Part], sought: Sought, environment: Environment, undefined: bool
    ) -> Iterator[Environment]:
        """What the names in the pattern can be."""
        for value in self._values(parts, sought, environment, undefined):
            found: Environment = {}
            if read_off(self.pattern, value, sought.keys(), environment, found):
                yield found

    def _values(
        self, parts: list[Part], sought: Sought, environment: Environment, undefined: bool
    ) -> Iterator[Value]:
        if isinstance(self.space, Functions) and isinstance(self.pattern, Name):
            name = self.pattern.name
            predicates = [each.predicate for each in parts if each.free & sought.keys() == {name}]
            prune = pruning(name, predicates, environment, undefined)
            sure = self.space.total or not undefined
            require = required(name, predicates, environment) if sure else None
            return self.space.searched(prune, require, self._recording(self.pattern, require))
        return in_order(self.space)

    def _recording(self, name: Name, require: Require | None) -> Callable[[Value], None] | None:
        """What to call with each point: where no image is prescribed, not all are tried."""
        if (cuts := self.cuts) is None:
            return None

        def reached(point: Value) -> None:
            if require is None or require(point) is None:
                cuts.record(name)

        return reached

    def required(self, parts: list[Part], sought: Sought, environment: Environment) -> Require | None:
        """Which images the conjuncts prescribe for points of a function."""
        assert isinstance(self.pattern, Name)
        name = self.pattern.name
        predicates = [each.predicate for each in parts if each.free & sought.keys() == {name}]
        return required(name, predicates, environment)


def best_source(
    parts: list[Part], sought: Sought, environment: Environment, known: Known, *, partial: bool = False
) -> tuple[CandidateSource | None, list[tuple[Part, Trouble]]]:
    """The one with the fewest candidates (None: no end of them), and the conjuncts that turn out to have no truth value.
    `partial`: as in `is_pattern`."""
    found, troubled = _of_inclusions(parts, sought, environment, known, partial=partial)
    best = min(found, key=lambda source: source.candidates, default=None)
    if best is not None and best.candidates <= FEW:
        return best, troubled
    try:
        bounds = _bounds(parts, sought, environment, known, troubled)
    except NoSolution:
        return CandidateSource(0, None, next(iter(sought.values())), frozenset()), troubled
    found = [_shortened(source, bounds) for source in found]
    found += _of_names(sought, bounds)
    if not any(source.candidates <= MANY for source in found):
        found += _of_applications(parts, sought, environment)
        found += _of_constructors(parts, sought, environment)
    best = min(found, key=lambda source: source.candidates, default=None)
    return (best if best is not None and best.candidates < INFINITY else None), troubled


def cut_source(
    parts: list[Part], sought: Sought, environment: Environment, known: Known, cuts: Cuts
) -> CandidateSource | None:
    """Where nothing bounds a name: what is tried of one. The conjuncts are those that `best_source` found no end to."""
    found, troubled = _of_inclusions(parts, sought, environment, known)
    bounds = _bounds(parts, sought, environment, known, troubled)
    found = [_shortened(source, bounds) for source in found]
    candidates = cut_candidates(_spaces(found), sought, bounds, cuts)
    if candidates is None:
        return None
    name, space = candidates
    return CandidateSource(size_of(space), None, name, space)


def prescribed_source(
    parts: list[Part], sought: Sought, environment: Environment, known: Known, cuts: Cuts
) -> CandidateSource | None:
    """A function to a set without end of which conjuncts prescribe some images; only for the others it may be cut."""
    found, _ = _of_inclusions(parts, sought, environment, known)
    for name, space in prescribed_functions(_spaces(found), cuts.limits):
        source = CandidateSource(size_of(space), None, sought[name.name], space, cuts)
        if source.required(parts, sought, environment) is not None:
            return source
    return None


def _spaces(found: list[CandidateSource]) -> list[Candidates]:
    return [(source.pattern, source.space) for source in found if isinstance(source.pattern, Name)]


def _of_inclusions(
    parts: list[Part], sought: Sought, environment: Environment, known: Known, *, partial: bool = True
) -> tuple[list[CandidateSource], list[tuple[Part, Trouble]]]:
    """What memberships and inclusions say, and those of them that have no truth value."""
    found: list[CandidateSource] = []
    troubled: list[tuple[Part, Trouble]] = []
    for part in parts:
        if not part.includes:
            continue
        try:
            if (space := _space(part, sought, environment, known)) is None:
                continue
            assert isinstance(part.predicate, Apply)
            left = part.predicate.arguments[0]
            if isinstance(left, Name) or (
                part.predicate.operator == "member" and readable(left, sought.keys(), partial=partial)
            ):
                _evaluate_known(left, sought, environment)
                if isinstance(left, Name):
                    space = _narrowed(left, space, parts, sought, environment)
                found.append(CandidateSource(size_of(space), part, left, space))
        except (NotListed, Unknown):
            continue
        except Undefined as error:
            troubled.append((part, error))
    return found, troubled


def _narrowed(
    name: Name, space: Denoted, parts: list[Part], sought: Sought, environment: Environment
) -> Denoted:
    """Where the domain or range of a relation is without end: what other conjuncts say of it."""
    match space:
        case Functions(left, right) | Relations(left, right):
            left = _side(name, "domain", left, parts, sought, environment)
            return replace(space, left=left, right=_side(name, "range", right, parts, sought, environment))
        case Sequences(base):
            return replace(space, base=_side(name, "range", base, parts, sought, environment))
        case _:
            return space


def _side(
    name: Name, side: str, whole: Denoted, parts: list[Part], sought: Sought, environment: Environment
) -> Denoted:
    if size_of(whole) < INFINITY:
        return whole
    for part in parts:
        match part.predicate:
            case (
                Apply("equal", (Apply(operator, (Name(of),)), bound))
                | Apply("equal", (bound, Apply(operator, (Name(of),))))
                | Apply("subset", (Apply(operator, (Name(of),)), bound))
            ):
                if (operator, of) != (side, name.name) or not free_names(bound).isdisjoint(sought):
                    continue
                try:
                    return frozenset(each for each in evaluate(bound, environment) if each in whole)
                except TROUBLES:
                    continue
    return whole


def _bounds(
    parts: list[Part],
    sought: Sought,
    environment: Environment,
    known: Known,
    troubled: list[tuple[Part, Trouble]],
) -> Bounds:
    sums: list[Sum] = []
    for part in parts:
        if part.compares:
            try:
                sums += constraints(part.predicate, sought, environment)
            except Undefined as error:
                troubled.append((part, error))
        elif part in known and isinstance(part.predicate, Apply) and part.predicate.operator == "member":
            sums += _bounds_of(part.predicate.arguments[0], known[part], sought, environment)
    return bounded(sums) if sums else {}


def _space(part: Part, sought: Sought, environment: Environment, known: Known) -> Denoted | None:
    """What the left side of a membership or inclusion is a member of, where that can be said already."""
    match part.predicate:
        case Apply("member" | "subset" | "strict-subset" as operator, (left, right)):
            if not free_names(right).isdisjoint(sought) or free_names(left).isdisjoint(sought):
                return None
            if part not in known:
                space = denote(right, environment)
                known[part] = space if operator == "member" else Subsets(space)
            return known[part]
        case _:
            return None


def _bounds_of(left: Expression, space: Denoted, sought: Sought, environment: Environment) -> list[Sum]:
    if not isinstance(type_of(left), Integer):
        return []
    try:
        if not isinstance(space, Numbers):
            in_turn = ordered(listed(space))
            space = Numbers(in_turn[0], in_turn[-1]) if in_turn else Numbers(0, -1)
        return within(left, space, sought, environment)
    except (NotListed, Undefined):
        return []


def _evaluate_known(pattern: Expression, sought: Sought, environment: Environment) -> None:
    """The parts without sought names: where one is undefined, so is the membership."""
    if isinstance(pattern, Name):
        return
    if free_names(pattern).isdisjoint(sought):
        evaluate(pattern, environment)
    elif isinstance(pattern, Apply):
        for each in pattern.arguments:
            _evaluate_known(each, sought, environment)
    elif isinstance(pattern, Construct) and pattern.argument is not None:
        _evaluate_known(pattern.argument, sought, environment)


def _shortened(source: CandidateSource, bounds: Bounds) -> CandidateSource:
    """With what is known about how many elements there are."""
    if not isinstance(source.pattern, Name) or not isinstance(source.space, Sequences | Subsets | Relations):
        return source
    size = bounds.get(("size", source.pattern.name))
    if size is None or size.low is None:
        return source
    space = source.space
    if isinstance(space, Relations):
        if space.total or space.onto:
            return source
        space = Subsets(Product(space.left, space.right))
    highs = [each for each in (space.most, size.high) if each is not None]
    space = replace(space, least=max(space.least, size.low), most=min(highs, default=None))
    return source._replace(space=space, candidates=space.size())


def _of_names(sought: Sought, bounds: Bounds) -> Iterator[CandidateSource]:
    """What types and bounds say of each name."""
    for name in sought.values():
        if isinstance(name.type, Integer):
            numbers = bounds.get(("value", name.name))
            if numbers is not None:
                yield CandidateSource(numbers.size(), None, name, numbers)
        else:
            space = Everything(name.type)
            yield CandidateSource(space.size(), None, name, space)


def _of_applications(
    parts: list[Part], sought: Sought, environment: Environment
) -> Iterator[CandidateSource]:
    """Where nothing else bounds an argument, the function does: elsewhere it is not defined."""
    for part in parts:
        for function, argument in _applications(part.predicate):
            if not free_names(function).isdisjoint(sought) or free_names(argument).isdisjoint(sought):
                continue
            if is_pattern(argument, sought.keys()):
                try:
                    domain = frozenset(a for a, _ in evaluate(function, environment))
                    _evaluate_known(argument, sought, environment)
                except TROUBLES:
                    continue
                yield CandidateSource(len(domain), None, argument, domain)


def _of_constructors(
    parts: list[Part], sought: Sought, environment: Environment
) -> Iterator[CandidateSource]:
    """Where nothing else bounds an argument, the constructor does: of others it does not make this value."""
    for part in parts:
        match part.predicate:
            case Apply("equal", (Construct() as pattern, value)) | Apply(
                "equal", (value, Construct() as pattern)
            ):
                if free_names(value).isdisjoint(sought) and is_pattern(pattern, sought.keys(), partial=True):
                    try:
                        yield CandidateSource(1, None, pattern, frozenset([evaluate(value, environment)]))
                    except TROUBLES:
                        continue


def _applications(predicate: Expression) -> Iterator[tuple[Expression, Expression]]:
    """Function and argument of the applications that the whole needs."""
    if isinstance(predicate, Apply) and predicate.operator not in ("and", "or", "implies"):
        if predicate.operator == "apply":
            yield predicate.arguments[0], predicate.arguments[1]
        for each in predicate.arguments:
            yield from _applications(each)
