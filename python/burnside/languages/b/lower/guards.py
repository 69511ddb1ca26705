"""What an operation's body requires of its parameters, for those that no outer condition mentions.

In: a body. Out: conditions without which the body is not possible, as a guard to find parameters by. A guard repeats
conditions of the body, so it is made only where a parameter has nothing else; names bound in what is repeated are new.
"""

from __future__ import annotations

from collections.abc import Callable

from burnside.ir.sets import expressions as e
from burnside.ir.sets import substitutions as s
from burnside.ir.sets.copies import names_of, renewed
from burnside.ir.sets.types import BOOLEAN
from burnside.languages.b.lower.binders import joined


def guard_of(
    conditions: tuple[e.Expression, ...],
    body: s.Substitution,
    parameters: tuple[e.Name, ...],
    fresh: Callable[[str], str],
) -> e.Expression:
    """`conditions` are known to guard the body already."""
    spoken_of = {name for each in conditions for name in names_of(each)}
    silent = {each.name for each in parameters} - spoken_of
    if not silent:
        return joined(conditions)
    repeated = tuple(each for each in needed(body) if silent & set(names_of(each)))
    return joined(conditions + tuple(renewed(each, fresh) for each in repeated))


def needed(body: s.Substitution) -> tuple[e.Expression, ...]:
    """Conjuncts that hold wherever the body is possible."""
    match body:
        case s.Parallel(parts):
            return tuple(each for part in parts for each in needed(part))
        case s.Sequence(parts) if parts:
            return needed(parts[0])
        case s.Choose(names, condition, inner):
            chosen = {each.name for each in names}
            found = e.conjuncts(condition) + needed(inner)
            return tuple(each for each in found if chosen.isdisjoint(names_of(each)))
        case s.Alternatives(branches, None):
            sides = tuple(joined((each.condition, *needed(each.body))) for each in branches)
            if len(sides) == 1:
                return e.conjuncts(sides[0])
            return () if e.TRUE in sides else (e.Apply("or", sides, BOOLEAN),)
        case s.Local(names, inner):
            own = {each.name for each in names}
            return tuple(each for each in needed(inner) if own.isdisjoint(names_of(each)))
        case _:
            return ()
