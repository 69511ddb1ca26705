"""What a substitution can do: each way through it, as the values that it writes, or as the failure that ends it.

In: a substitution and an environment. Out: outcomes, none where it is not possible; two may be the same. What is written is
not in the environment yet: the caller puts it there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

from burnside.diagnostics import Span
from burnside.ir.sets import substitutions as s
from burnside.ir.sets.expressions import Expression, Name
from burnside.ir.sets.printing import as_written
from burnside.reference.failures import Fails
from burnside.reference.sets.evaluation import Environment, evaluate, holds
from burnside.reference.sets.failures import Undefined, model_error
from burnside.reference.sets.solving import solutions
from burnside.reference.sets.values import UNSET, Value
from burnside.semantics import Failure

Writes = dict[str, Value]
BodyResult = Writes | Failure


def outcomes(substitution: s.Substitution, environment: Environment) -> Iterator[BodyResult]:
    """An expression without a value where one is needed is a failure."""
    try:
        yield from _OUTCOMES[type(substitution)](substitution, environment)
    except Undefined as error:
        yield error.failure()
    except Fails as error:
        yield error.failure


def satisfied(condition: Expression, environment: Environment) -> bool:
    """Of guards: undefined counts as false."""
    try:
        return holds(condition, environment)
    except Undefined:
        return False


def valuations(
    names: Sequence[Name], condition: Expression, environment: Environment
) -> Iterator[Environment]:
    """Of guards and choices: all that satisfy the condition."""
    for found in solutions(names, condition, environment, undefined=False):
        if found.trouble is not None:
            raise found.trouble
        yield found.environment


def _assign(substitution: s.Assign, environment: Environment) -> Iterator[BodyResult]:
    values = [evaluate(each, environment) for each in substitution.values]
    writes: Writes = {}
    for name, value in zip(substitution.names, values, strict=True):
        if name.name in writes:
            raise Fails(_twice(name.name, substitution.span))
        writes[name.name] = value
    yield writes


def _twice(name: str, span: Span | None) -> Failure:
    return model_error("written-twice", f"'{as_written(name)}' is written twice in parallel", span)


def _parallel(substitution: s.Parallel, environment: Environment) -> Iterator[BodyResult]:
    """All parts have to be possible before any of them can fail."""
    parts = [list(outcomes(each, environment)) for each in substitution.parts]
    for chosen in product(*parts):
        yield _together(chosen, substitution.span)


def _together(chosen: Sequence[BodyResult], span: Span | None) -> BodyResult:
    writes: Writes = {}
    for each in chosen:
        if isinstance(each, Failure):
            return each
        if not writes.keys().isdisjoint(each):
            return _twice(min(writes.keys() & each.keys()), span)
        writes |= each
    return writes


def _sequence(substitution: s.Sequence, environment: Environment) -> Iterator[BodyResult]:
    return _one_by_one(substitution.parts, environment)


def _one_by_one(parts: Sequence[s.Substitution], environment: Environment) -> Iterator[BodyResult]:
    if not parts:
        yield {}
        return
    for first in outcomes(parts[0], environment):
        if isinstance(first, Failure):
            yield first
            continue
        for rest in _one_by_one(parts[1:], {**environment, **first}):
            yield rest if isinstance(rest, Failure) else {**first, **rest}


def _choose(substitution: s.Choose, environment: Environment) -> Iterator[BodyResult]:
    for found in valuations(substitution.names, substitution.condition, environment):
        yield from _without(substitution.names, outcomes(substitution.body, found))


def _alternatives(substitution: s.Alternatives, environment: Environment) -> Iterator[BodyResult]:
    possible = [each.body for each in substitution.branches if satisfied(each.condition, environment)]
    if not possible and substitution.otherwise is not None:
        possible = [substitution.otherwise]
    for body in possible:
        yield from outcomes(body, environment)


def _if(substitution: s.If, environment: Environment) -> Iterator[BodyResult]:
    for branch in substitution.branches:
        if holds(branch.condition, environment):
            return outcomes(branch.body, environment)
    return outcomes(substitution.otherwise, environment)


def _demand(substitution: s.Demand, environment: Environment) -> Iterator[BodyResult]:
    if not holds(substitution.condition, environment):
        kind = "assertion" if substitution.kind == "assertion" else "precondition"
        what = "an assertion" if kind == "assertion" else "the precondition of an operation that is called"
        raise Fails(model_error(kind, f"{what} does not hold", substitution.span))  # type: ignore[arg-type]
    return outcomes(substitution.body, environment)


def _local(substitution: s.Local, environment: Environment) -> Iterator[BodyResult]:
    inner = {**environment, **{each.name: UNSET for each in substitution.names}}
    return _without(substitution.names, outcomes(substitution.body, inner))


def _without(names: Sequence[Name], found: Iterator[BodyResult]) -> Iterator[BodyResult]:
    """Local names are gone afterwards."""
    local = {each.name for each in names}
    for each in found:
        if isinstance(each, Failure) or local.isdisjoint(each):
            yield each
        else:
            yield {name: value for name, value in each.items() if name not in local}


def _while(substitution: s.While, environment: Environment) -> Iterator[BodyResult]:
    """Depth first over the ways through the turns; every turn makes the variant smaller, so there is an end."""
    waiting: list[tuple[Environment, Writes, int | None]] = [(environment, {}, None)]
    while waiting:
        current, writes, last = waiting.pop()
        try:
            going_on = _turn(substitution, current, last)
        except Undefined as error:
            yield error.failure()
            continue
        except Fails as error:
            yield error.failure
            continue
        if going_on is None:
            yield writes
            continue
        for each in outcomes(substitution.body, current):
            if isinstance(each, Failure):
                yield each
            else:
                waiting.append(({**current, **each}, {**writes, **each}, going_on))


def _turn(loop: s.While, environment: Environment, last: int | None) -> int | None:
    """The variant before one more turn; None where the loop is done."""
    if not holds(loop.invariant, environment):
        raise Fails(model_error("loop", "the invariant of a loop does not hold", loop.span))
    if not holds(loop.test, environment):
        return None
    variant: int = evaluate(loop.variant, environment)
    if variant < 0:
        raise Fails(model_error("loop", f"the variant of a loop is negative: {variant}", loop.span))
    if last is not None and variant >= last:
        message = f"the variant of a loop does not decrease: {last}, then {variant}"
        raise Fails(model_error("loop", message, loop.span))
    return variant


_OUTCOMES: dict[type, Callable[[Any, Environment], Iterator[BodyResult]]] = {
    s.Assign: _assign,
    s.Parallel: _parallel,
    s.Sequence: _sequence,
    s.Choose: _choose,
    s.Alternatives: _alternatives,
    s.If: _if,
    s.Demand: _demand,
    s.Local: _local,
    s.While: _while,
}
