"""Random programs with processes whose sequences of steps end: every step after which a process keeps control takes some of
what is there, and other steps put it back."""

from __future__ import annotations

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Action, Program
from burnside.ir.types import INTEGER, Integer
from burnside.records import replace
from hypothesis import strategies as st

from tests.program_strategies import SymmetricProgram, process_programs, symmetric_process_programs

FUEL = Integer(0, 3)


def bounded_process_programs() -> st.SearchStrategy[Program]:
    def made(program: Program, counts_impossible: bool) -> Program:
        return replace(bounded(program), counts_impossible=counts_impossible)

    return st.builds(made, process_programs(), st.booleans())


def symmetric_bounded_process_programs() -> st.SearchStrategy[SymmetricProgram]:
    return symmetric_process_programs().map(lambda made: replace(made, program=bounded(made.program)))


def bounded(program: Program) -> Program:
    fuel = e.Variable("fuel", FUEL, is_state=True)
    full = s.Assign(fuel, e.Constant(3, FUEL))

    def limited(action: Action) -> Action:
        if action.keeps_control is None:
            return replace(action, body=(full, *action.body))
        some = e.Binary(">", e.Read(fuel), e.Constant(0, FUEL))
        less = s.Assign(fuel, e.Binary("-", e.Read(fuel), e.Constant(1, INTEGER)))
        return replace(action, guard=e.Junction("and", (some, action.guard)), body=(less, *action.body))

    return replace(
        program,
        variables=(fuel, *program.variables),
        starts=tuple(replace(each, body=(full, *each.body)) for each in program.starts),
        actions=tuple(map(limited, program.actions)),
    )
