"""Small specifications for tests: what was read, and what a run over them counts."""

from __future__ import annotations

import re
from collections.abc import Mapping

from burnside.diagnostics import BurnsideError, Source
from burnside.exploration import Exploration
from burnside.languages.z.lower.roles import AskedRoles
from burnside.languages.z.reading import NO_ROLES, ZModel, load

from tests.exploring import explore_machine
from tests.machine_engines import both

STATE = r"\begin{zed} S \defs [ n : 0 \upto 2 ] \also Init \defs [ S' | n' = 0 ] \end{zed}"


def zed(*paragraphs: str) -> str:
    return "\\begin{zed}\n  " + " \\also\n  ".join(paragraphs) + "\n\\end{zed}\n"


def axdef(declarations: str, *predicates: str) -> str:
    where = "\n\\where\n  " + " \\\\\n  ".join(predicates) if predicates else ""
    return f"\\begin{{axdef}}\n  {declarations}{where}\n\\end{{axdef}}\n"


def gendef(formals: str, declarations: str, *predicates: str) -> str:
    where = "\n\\where\n  " + " \\\\\n  ".join(predicates) if predicates else ""
    return f"\\begin{{gendef}}[{formals}]\n  {declarations}{where}\n\\end{{gendef}}\n"


def read(text: str, sizes: Mapping[str, int] | None = None, roles: AskedRoles = NO_ROLES) -> ZModel:
    return load(Source("text.tex", text), sizes, roles)


def explored(text: str, sizes: Mapping[str, int] | None = None, roles: AskedRoles = NO_ROLES) -> Exploration:
    """Both engines find the same number of states."""
    machine = read(text, sizes, roles).machine
    found = explore_machine(machine, assume_bounds=True)
    assert found.stopped == "exhausted"
    assert sum(1 for _ in both(machine).states(10_000)) == found.states
    return found


def states(text: str, sizes: Mapping[str, int] | None = None, roles: AskedRoles = NO_ROLES) -> int:
    return explored(text, sizes, roles).states


def refused(text: str, sizes: Mapping[str, int] | None = None, roles: AskedRoles = NO_ROLES) -> BurnsideError:
    """What is said where something cannot be read."""
    try:
        read(text, sizes, roles)
    except BurnsideError as error:
        return error
    raise AssertionError("it was read")


def message(error: BurnsideError) -> tuple[str, str | None]:
    """And the hint."""
    found = error.diagnostic
    return found.message, found.hint


def operations(model: ZModel) -> list[str]:
    return [each.name for each in model.machine.operations]


def plain_names(names: list[str]) -> list[str]:
    return [re.sub("#.*", "", each) for each in names]
