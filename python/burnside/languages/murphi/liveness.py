"""Liveness properties as temporal formulas. In: `liveness "name" p`, lowered. Out: the formula AG EF p, as rumur means it:
from every state that can be reached a state can be reached in which p holds. (Runs on which p never holds may exist.)
Parameters of rulesets around it are quantified names: each value is a property of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from burnside.diagnostics import UnsupportedError
from burnside.ir import expressions as e
from burnside.ir.types import bounds, show_value
from burnside.languages.murphi.lower_rules import Liveness
from burnside.temporal import formulas as f
from burnside.temporal.atoms import Binder, Condition
from burnside.temporal.reading import TemporalProperty


def liveness_property(liveness: Liveness) -> TemporalProperty:
    at = liveness.at
    return TemporalProperty(
        name=liveness.name,
        text=f"liveness {liveness.name}",
        logic="ctl",
        formula=f.Forall(f.globally(f.Exists(f.finally_(f.Atom(0))))),
        propositions=(Condition(liveness.condition, liveness.name, at.span),),
        binders=tuple(_binder(each, liveness) for each in liveness.parameters),
        source=at.source.part(at.offset, at.end),
    )


def _binder(parameter: e.Bound, liveness: Liveness) -> Binder:
    values: Sequence[int]
    match parameter.domain:
        case e.All(type_):
            low, high = bounds(type_)
            values = range(low, high + 1)
        case e.Range(e.Constant(first), e.Constant(last), e.Constant(step)):
            values = range(first, last + (1 if step > 0 else -1), step)
        case _:
            message = "liveness for each entry of a multiset is not supported"
            raise UnsupportedError(liveness.at.diagnostic(message))
    show = partial(show_value, scalar=parameter.type)
    return Binder(parameter.name, parameter.name, parameter.type, values, show, liveness.at.span)
