"""Random conditions and patterns of actions over a random program. Some name elements of its sorts, so that only part of its
symmetries keeps them."""

from __future__ import annotations

from burnside.ir import expressions as e
from burnside.ir.printing import show_expression
from burnside.ir.program import Program
from burnside.ir.types import BOOLEAN, Element, bounds
from burnside.ir.walking import nodes, replaced
from burnside.records import replace
from burnside.temporal.atoms import ActionPattern, Condition, Patterns, Proposition
from hypothesis import strategies as st

from tests.program_expressions import Maker
from tests.program_scopes import Root, Scope
from tests.temporal.properties import Positions, whose_steps


def _maker(draw: st.DrawFn, program: Program) -> tuple[Maker, list[Root]]:
    """Of expressions over the state that name no element of a full sort."""
    maker = Maker(lambda low, high: draw(st.integers(low, high)), symmetric=True)
    maker.sorts, maker.count = program.sorts, 1_000
    variables = [each for each in program.variables if each != program.control]
    return maker, [Root(each, each.type, "state", writable=False) for each in variables]


@st.composite
def ending(draw: st.DrawFn, program: Program) -> Program:
    """The program, whose runs end where a condition holds."""
    maker, roots = _maker(draw, program)
    over = maker.expression(BOOLEAN, Scope(tuple(roots), total=True), 3) or e.FALSE
    actions = (replace(each, guard=e.Junction("and", (e.Not(over), each.guard))) for each in program.actions)
    return replace(program, actions=tuple(actions))


@st.composite
def conditions(draw: st.DrawFn, program: Program) -> Proposition:
    """Mostly ones that have a value in every state; half of them may name an element of a sort."""
    maker, roots = _maker(draw, program)
    named = e.Variable("named", Element(maker.one(program.sorts)))
    if maker.flip():
        roots += [Root(named, named.type, "local", writable=False)] * 2
    scope = Scope(tuple(roots), total=maker.flip(85))
    expression = maker.expression(BOOLEAN, scope, 3) or e.TRUE
    value = maker.number(0, named.type.sort.size - 1)
    expression = with_value(expression, named, value)
    if named in nodes(expression):  # as a place, which a value is not
        expression = e.TRUE
    return Condition(expression, show_expression(expression))


def with_value(expression: e.Expression, name: e.Variable, value: int) -> e.Expression:
    """With an element in the place of a name, as for quantified formulas."""

    def change(node: object) -> e.Constant | None:
        return e.Constant(value, name.type) if node == e.Read(name) else None  # type: ignore[arg-type]

    return replaced(expression, change)


@st.composite
def patterns(draw: st.DrawFn, program: Program) -> Patterns:
    """One or two actions; some with arguments."""
    numbers = st.lists(st.integers(0, len(program.actions) - 1), min_size=1, max_size=2, unique=True)
    return tuple(draw(_pattern(program, number)) for number in sorted(draw(numbers)))


@st.composite
def _pattern(draw: st.DrawFn, program: Program, number: int) -> ActionPattern:
    parameters = program.actions[number].parameters
    if not parameters or draw(st.booleans()):
        return ActionPattern(number)
    arguments: list[e.Constant | None] = []
    for each in parameters:
        is_any = isinstance(each.domain, e.Positions) or draw(st.booleans())
        value = None if is_any else e.Constant(draw(st.integers(*bounds(each.type))), each.type)
        arguments.append(value)
    return ActionPattern(number, tuple(arguments))


def positions(program: Program) -> st.SearchStrategy[Positions]:
    """Entries of bags have no names."""
    types = [
        [None if isinstance(each.domain, e.Positions) else each.type for each in action.parameters]
        for action in program.actions
    ]
    return whose_steps(types)
