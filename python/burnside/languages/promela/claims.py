"""What a Promela model claims of its runs. In: a resolved model and its lowering. Out: properties, as they are asked for.

`ltl` claims are formulas; never claims are automata, whose guards are their conditions; accept and progress labels are
formulas over the control of processes. Finite runs are taken to repeat their last state for ever, as in Spin: so a claim
goes on where the system has stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Literal

from burnside.ir import expressions as e
from burnside.languages.promela import expressions as x
from burnside.languages.promela.flow import State
from burnside.languages.promela.model import Claim, Model, Process
from burnside.languages.promela.never_claims import NeverClaim
from burnside.languages.shared.spans import Extent
from burnside.model import DeferredFormula
from burnside.temporal import formulas as f
from burnside.temporal.atoms import Condition, Dead, Proposition
from burnside.temporal.reading import PropertyKind, TemporalProperty

if TYPE_CHECKING:
    from burnside.languages.promela.lower.program import ProgramLowering

Cycles = Literal["accept", "progress"]
CYCLES: dict[Cycles, str] = {"accept": "no acceptance cycle", "progress": "no non-progress cycle"}

UNARY: dict[str, Callable[[f.Formula], f.Formula]] = {
    "[]": f.globally,
    "<>": f.finally_,
    "X": f.Next,
    "!": f.Not,
}
BINARY: dict[str, Callable[[f.Formula, f.Formula], f.Formula]] = {
    "U": f.Until,
    "V": f.Release,
    "W": f.weak_until,
    "&&": lambda one, other: f.And((one, other)),
    "||": lambda one, other: f.Or((one, other)),
    "->": f.implies,
    "<->": f.equivalent,
}


class Conditions:
    """Conditions of the model as atoms by number; equal ones have one number."""

    def __init__(self, lowering: ProgramLowering, number: Callable[[Proposition], int] | None = None) -> None:
        self.lowering = lowering
        self.known: dict[Proposition, int] = {}
        self._number = number or self._own_number

    def _own_number(self, proposition: Proposition) -> int:
        return self.known.setdefault(proposition, len(self.known))

    def holds(self, expression: x.Expression) -> f.Formula:
        lowered = self.lowering.condition(expression)
        if lowered in (e.TRUE, e.FALSE):
            return f.Constant(lowered == e.TRUE)
        return self.atom(Condition(lowered, _text(expression.at), expression.at.span))

    def atom(self, proposition: Proposition) -> f.Formula:
        return f.Atom(self._number(proposition))

    def formula(self, formula: x.Formula) -> f.Formula:
        condition = _without_time(formula)
        if condition is not None:
            return self.holds(condition)
        match formula:
            case x.Temporal(_, operator, (operand,)):
                return UNARY[operator](self.formula(operand))
            case x.Temporal(_, operator, (left, right)):
                return BINARY[operator](self.formula(left), self.formula(right))
            case _:
                raise ValueError(f"no formula: {formula}")


def _without_time(formula: x.Formula) -> x.Expression | None:
    """A formula without temporal operators as one condition, so that `i < N -> a[i]` looks at `a[i]` only where `i < N`."""
    match formula:
        case x.Atom(_, condition):
            return condition
        case x.Temporal(at, "!", (operand,)):
            inner = _without_time(operand)
            return None if inner is None else x.Unary(at, "!", inner)
        case x.Temporal(at, "&&" | "||" | "->" as operator, (left, right)):
            one, other = _without_time(left), _without_time(right)
            if one is None or other is None:
                return None
            if operator == "->":
                return x.Binary(at, "||", x.Unary(one.at, "!", one), other)
            return x.Binary(at, operator, one, other)
    return None


def carried(model: Model, lowering: ProgramLowering) -> tuple[DeferredFormula, ...]:
    """In the order of the text: never claims, then `ltl` claims."""
    nevers = [each for each in model.processes if each.kind == "never"]
    return (
        *(DeferredFormula(each.name, "never", partial(_never, lowering, each)) for each in nevers),
        *(DeferredFormula(each.name, "ltl", partial(_ltl, lowering, each)) for each in model.claims),
    )


def _ltl(lowering: ProgramLowering, claim: Claim) -> TemporalProperty:
    conditions = Conditions(lowering)
    formula = conditions.formula(claim.formula)
    return _property(claim.name, "ltl", formula, conditions, claim.formula.at)


def _never(lowering: ProgramLowering, claim: Process) -> TemporalProperty:
    conditions = Conditions(lowering)
    automaton = NeverClaim(claim, conditions.holds).automaton()
    return _property(claim.name, "never", f.Not(automaton), conditions, claim.at)


def _property(
    name: str, logic: PropertyKind, formula: f.Formula, conditions: Conditions, at: Extent
) -> TemporalProperty:
    return TemporalProperty(
        name=name,
        text=_text(at),
        logic=logic,
        formula=formula,
        propositions=tuple(conditions.known),
        ends="stutter",
        source=at.source.part(at.offset, at.end),
    )


def _text(at: Extent) -> str:
    return " ".join(at.source.text[at.offset : at.end].split())


# Labels


def cycles(model: Model, lowering: ProgramLowering) -> tuple[DeferredFormula, ...]:
    """What labels say of cycles, where there are such labels; `name` is what they are asked for by."""
    found: list[tuple[Cycles, Callable[[State], bool], Callable[[f.Formula], f.Formula]]] = [
        ("accept", lambda state: state.is_accepting, _stays_away),
        # A run that ends makes no progress, and is none without it.
        ("progress", lambda state: state.is_progress, f.globally),
    ]
    return tuple(
        DeferredFormula(kind, "cycles", partial(_cycles, lowering, kind, mark, formula))
        for kind, mark, formula in found
        if any(map(mark, _states(model)))
    )


def _stays_away(visits: f.Formula) -> f.Formula:
    return f.Not(f.globally(visits))


def _cycles(
    lowering: ProgramLowering,
    kind: Cycles,
    mark: Callable[[State], bool],
    formula: Callable[[f.Formula], f.Formula],
) -> TemporalProperty:
    """A run is accepted where some process is at an accept label again and again: also where it stays there because the
    run has ended. A run without progress is infinite."""
    conditions = Conditions(lowering)
    visited = conditions.atom(Condition(lowering.some_at(mark), f"some process is at a label {kind}..."))
    if kind == "progress":
        visited = f.Or((visited, conditions.atom(Dead())))
    name = CYCLES[kind]
    first = lowering.model.processes[0].at
    return _property(name, "cycles", formula(f.finally_(visited)), conditions, first)


def _states(model: Model) -> Iterator[State]:
    for process in model.processes:
        if process.kind in ("proctype", "init"):
            yield from process.graph.states.values()
