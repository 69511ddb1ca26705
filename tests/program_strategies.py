"""Random small programs, for the laws that every engine must obey.

`programs` is anything well-typed, errors of the model included: to compare engines. `symmetric_programs` are symmetric in
their `full` sorts by construction, with generators of all permutations of these: to test reductions. State spaces are
small because types are: most have fewer than 500 states, none more than `MOST_VALUES` for each start.
"""

from __future__ import annotations

from random import Random

from burnside.ir import expressions as e
from burnside.ir.program import Action, Program, Property
from burnside.ir.types import BOOLEAN, Element, Optional, Sort, Union
from burnside.records import record, replace
from burnside.reference.values import Generator
from hypothesis import strategies as st

from tests.program_actions import ActionMaker
from tests.program_scopes import Root, Scope, values

MOST_VALUES = 500


@record
class SymmetricProgram:
    """A program and generators of the permutations of its full sorts, all of them symmetries."""

    program: Program
    generators: tuple[Generator, ...]


def programs() -> st.SearchStrategy[Program]:
    """Anything well-typed, without processes."""
    return _programs(symmetric=False)


def symmetric_programs() -> st.SearchStrategy[SymmetricProgram]:
    return _programs(symmetric=True).map(lambda made: SymmetricProgram(made, generators(made)))


def process_programs() -> st.SearchStrategy[Program]:
    """Anything well-typed, with processes that act and keep control, idle actions and proper ends."""
    return _programs(symmetric=False, processes=True)


def symmetric_process_programs() -> st.SearchStrategy[SymmetricProgram]:
    made = _programs(symmetric=True, processes=True)
    return made.map(lambda each: SymmetricProgram(each, generators(each)))


def generators(program: Program) -> tuple[Generator, ...]:
    """A swap and a cycle for each full sort that has two elements or more."""
    found: list[Generator] = []
    for sort in program.sorts:
        if sort.symmetry == "full" and sort.size > 1:
            found.append({sort.name: (1, 0, *range(2, sort.size))})
            if sort.size > 2:
                found.append({sort.name: (*range(1, sort.size), 0)})
    return tuple(found)


def _sort(maker: ActionMaker, number: int, symmetry: str) -> Sort:
    sizes = {"full": (2, 2, 2, 3, 3, 4), "cyclic": (2, 3, 3, 4), "fixed": (1, 2, 2, 3)}[symmetry]
    elements = tuple(f"{'xyz'[number]}{i + 1}" for i in range(maker.one(sizes)))
    return Sort(f"S{number}", elements, symmetry, "sort")  # type: ignore[arg-type]


@st.composite
def _programs(draw: st.DrawFn, *, symmetric: bool, processes: bool = False) -> Program:
    maker = ActionMaker(lambda low, high: draw(st.integers(low, high)), symmetric=symmetric)
    made = _program(maker)
    return _with_processes(maker, made) if processes else made


def seeded_program(seed: int, *, symmetric: bool, processes: bool = False) -> Program:
    """The same kind of program without hypothesis, faster: for runs in bulk."""
    maker = ActionMaker(Random(seed).randint, symmetric=symmetric)
    made = _program(maker)
    return _with_processes(maker, made) if processes else made


def _program(maker: ActionMaker) -> Program:
    kinds = [maker.one(("full", "full", "fixed", "cyclic")) for _ in range(maker.number(1, 3))]
    kinds[0] = "full" if maker.symmetric else kinds[0]
    maker.sorts = [_sort(maker, number, kind) for number, kind in enumerate(kinds)]
    state = _variables(maker)
    roots = [Root(variable, variable.type, "state") for variable in state]
    for _ in range(maker.number(0, 2)):
        maker.function(roots)
    starts = tuple(maker.start(roots) for _ in range(maker.one((1, 1, 2))))
    movers = tuple(maker.mover(roots) for _ in range(maker.number(1, 3)))
    actions = tuple(maker.action(roots) for _ in range(maker.number(1, 3)))
    return Program(
        "random",
        tuple(maker.sorts),
        tuple(state),
        starts,
        movers + actions,
        (
            Property("assertion", "asserted"),
            Property("cover", "met"),
            Property("limit", "enough"),
            *_properties(maker, roots),
        ),
        (*maker.valued, *maker.procedures),
        stuttering=maker.flip(30),
    )


def _with_processes(maker: ActionMaker, program: Program) -> Program:
    """The elements of one sort, or of two, are processes: some actions are theirs, some of these keep control."""
    sorts = tuple(maker.sorts[: maker.one((1, 1, 2))])
    type_ = Element(sorts[0]) if len(sorts) == 1 and maker.flip() else Union(sorts)
    control = e.Variable("control", Optional(type_), is_state=True)
    roots = [Root(variable, variable.type, "state") for variable in program.variables]
    total = replace(Scope(tuple(roots)), total=maker.flip(80))
    return replace(
        program,
        variables=(*program.variables, control),
        actions=tuple(_with_roles(maker, each, sorts) for each in program.actions),
        control=control,
        proper_end=maker.expression(BOOLEAN, total, 2) if maker.flip(60) else None,
    )


def _with_roles(maker: ActionMaker, action: Action, sorts: tuple[Sort, ...]) -> Action:
    idle = maker.flip(15)
    if maker.flip() and not any(each.type in map(Element, sorts) for each in action.parameters):
        process = e.Bound(maker.name("i"), e.All(Element(maker.one(sorts))))
        action = replace(action, parameters=(*action.parameters, process))
    processes = [at for at, each in enumerate(action.parameters) if each.type in map(Element, sorts)]
    if not processes or maker.flip(10):
        return replace(action, idle=idle)
    keeper = maker.one(processes) if maker.flip(40) else None
    return replace(action, actor=maker.one(processes), keeps_control=keeper, idle=idle)


def _variables(maker: ActionMaker) -> list[e.Variable]:
    found: list[e.Variable] = []
    left = MOST_VALUES
    for _ in range(maker.number(2, 4)):
        type_ = maker.type()
        if values(type_) > left:
            type_ = maker.cell()
        if values(type_) <= left:
            left //= values(type_)
            found.append(e.Variable(maker.name("g"), type_, is_state=True))
    return found or [e.Variable(maker.name("g"), BOOLEAN, is_state=True)]


def _properties(maker: ActionMaker, roots: list[Root]) -> list[Property]:
    found = []
    for kind in ("invariant", "invariant", "cover", "assumption"):
        if not maker.flip(20 if kind == "assumption" else 50):
            continue
        scope = replace(Scope(tuple(roots)), total=maker.tame or maker.flip(40))
        expression = maker.expression(BOOLEAN, scope, 3)
        if kind == "assumption" and expression is not None:  # mostly true, or nothing would be left
            other = maker.expression(BOOLEAN, scope, 2) or e.TRUE
            expression = e.Junction("or", (expression, e.Not(expression) if maker.flip() else other))
        if expression is not None:
            found.append(Property(kind, f"{kind} {len(found)}", expression))  # type: ignore[arg-type]
    return found
