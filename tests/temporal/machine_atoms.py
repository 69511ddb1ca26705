"""Random predicates and patterns of operations over a random machine. Some name elements of its sets, as values in the place
of quantified names do, and some arguments are constants of the machine."""

from __future__ import annotations

from burnside.ir.sets import expressions as e
from burnside.ir.sets.machine import Machine
from burnside.ir.sets.printing import show_expression
from burnside.ir.sets.types import BOOLEAN, Boolean, Element, Integer
from burnside.ir.walking import replaced
from burnside.records import replace
from burnside.temporal.atoms import ActionPattern, Condition, Patterns, Proposition
from hypothesis import strategies as st

from tests.machine_bodies import Bodies
from tests.machine_expressions import Scope, stated
from tests.machine_types import NUMBERS
from tests.temporal.properties import Positions, whose_steps


def _maker(draw: st.DrawFn, machine: Machine) -> Bodies:
    maker = Bodies(lambda low, high: draw(st.integers(low, high)), literals=False)
    maker.sorts, maker.count = machine.sorts, 1_000
    return maker


def _sure(maker: Bodies, scope: Scope) -> e.Expression:
    """A predicate that has a value in every state."""
    return maker.sure(BOOLEAN, scope, 3) or maker.sure(BOOLEAN, scope, 2) or e.TRUE


@st.composite
def ending(draw: st.DrawFn, machine: Machine) -> Machine:
    """The machine, whose runs end where a condition holds."""
    over = stated("not", _sure(_maker(draw, machine), machine.state_names))
    operations = (replace(each, guard=stated("and", over, each.guard)) for each in machine.operations)
    return replace(machine, operations=tuple(operations))


@st.composite
def conditions(draw: st.DrawFn, machine: Machine) -> Proposition:
    """Mostly ones that have a value in every state; half of them may name an element of a set."""
    maker = _maker(draw, machine)
    scope = machine.state_names
    names: dict[e.Name, e.Literal] = {}
    if machine.sorts and maker.flip():
        type_ = Element(maker.one(machine.sorts))
        named = maker.fresh("named", type_)
        names[named] = e.Literal(maker.number(0, type_.sort.size - 1), type_)
        scope += (named, named)
    predicate = _sure(maker, scope) if maker.flip(90) else maker.predicate(scope, 2)
    predicate = replaced(predicate, lambda node: names.get(node) if isinstance(node, e.Name) else None)
    return Condition(predicate, show_expression(predicate))


@st.composite
def patterns(draw: st.DrawFn, machine: Machine) -> Patterns:
    """One or two operations; some with arguments."""
    numbers = st.lists(st.integers(0, len(machine.operations) - 1), min_size=1, max_size=2, unique=True)
    return tuple(draw(_pattern(machine, number)) for number in sorted(draw(numbers)))


@st.composite
def _pattern(draw: st.DrawFn, machine: Machine, number: int) -> ActionPattern:
    parameters = machine.operations[number].parameters
    if not parameters or draw(st.booleans()):
        return ActionPattern(number)
    return ActionPattern(number, tuple(draw(_argument(machine, each)) for each in parameters))


@st.composite
def _argument(draw: st.DrawFn, machine: Machine, parameter: e.Name) -> e.Expression | None:
    choices: list[e.Expression | None] = [None]
    choices += [each for each in machine.constants if each.type == parameter.type] * 3
    match parameter.type:
        case Boolean():
            values = range(2)
        case Integer():
            values = range(NUMBERS[0], NUMBERS[1] + 1)
        case Element(sort):
            values = range(sort.size)
        case _:
            values = range(0)
    choices += [e.Literal(value, parameter.type) for value in values]  # type: ignore[arg-type]
    return draw(st.sampled_from(choices))


def positions(machine: Machine) -> st.SearchStrategy[Positions]:
    return whose_steps([[each.type for each in one.parameters] for one in machine.operations])
