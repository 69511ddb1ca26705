"""Names of functions kept apart from all others, so that a body can be read in the middle of its caller's.

In: a program whose names are unique within each function and action. Out: the same program, in which no parameter or local
name of a function is also a name elsewhere. A new name ends with the old one, behind a slash.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Function, Parameter, Program
from burnside.ir.walking import rebuilt
from burnside.records import replace
from burnside.symmetry.code import code


def apart(program: Program) -> Program:
    own = [_local_names(function) for function in program.functions]
    rest = set(_bound_names((program.starts, program.actions, program.properties)))
    count = Counter(name for names in own for name in names)
    shared = rest | {name for name, times in count.items() if times > 1}
    functions = [
        _renamed(function, names & shared) for function, names in zip(program.functions, own, strict=True)
    ]
    return replace(program, functions=tuple(functions))


def plain_name(name: str) -> str:
    """As the user knows it."""
    return name.rpartition("/")[2]


def _bound_names(node: Any) -> Iterable[str]:
    for each in code(node):
        match each:
            case e.Bound(name):
                yield name
            case s.Declare(variables):
                yield from (variable.name for variable in variables)
            case s.Bind(variable) | s.Let(variable) | Parameter(variable):
                yield variable.name


def _local_names(function: Function) -> set[str]:
    return set(_bound_names(function))


def _renamed(function: Function, names: set[str]) -> Function:
    if not names:
        return function

    def change(node: Any) -> Any:
        match node:
            case e.Variable(name, _, False) if name in names:
                return replace(node, name=f"{function.name}/{name}")
            case e.Bound(name) if name in names:
                return replace(node, name=f"{function.name}/{name}")
        return node

    return rebuilt(function, change)
