"""Functions that change nothing and cannot fail: calling them is like reading.

In: a program, and what is known to be defined. Out: a `Reading` that knows them.
"""

from __future__ import annotations

from burnside.ir.program import Function, Program
from burnside.symmetry.collecting import Collector
from burnside.symmetry.definedness import Slot
from burnside.symmetry.effects import Reading
from burnside.symmetry.endings import always_returns
from burnside.symmetry.failing import Failing


def read_with(program: Program, defined: frozenset[Slot], steady: frozenset[str]) -> Reading:
    """With what is known to be defined, and the functions that then turn out to be total."""
    failing = Failing(defined)
    while True:
        reading = Reading(program, failing, steady)
        total = {
            each.name: tuple(parameter.variable.type for parameter in each.parameters)
            for each in program.functions
            if each.result is not None and _is_total(reading, each)
        }
        if total.keys() == failing.total.keys():
            return reading
        failing = Failing(defined, total)


def _is_total(reading: Reading, function: Function) -> bool:
    if any(each.by_reference for each in function.parameters):
        return False
    collector = Collector(reading, {})
    collector.effects.inside |= {each.variable.name for each in function.parameters}
    collector.block(function.body)
    effects = collector.effects
    ends = effects.fails or effects.asserted or effects.assumes or effects.covers
    return not (ends or effects.writes) and always_returns(function.body)
