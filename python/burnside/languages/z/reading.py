"""Reading a Z specification. In: a path, or a source. Out: a `Machine`, and a reader of conditions.

`parse` makes the trees of `syntax`, `typing` finds the types of all expressions as the type checker does, `lower` finds
which schemas are the state, its start and the operations, and gives the trees their meaning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from burnside.diagnostics import Diagnostic, InputError, Source
from burnside.ir.sets.expressions import Expression
from burnside.ir.sets.machine import Machine
from burnside.ir.sets.types import ValueType
from burnside.languages.shared.files import read_source
from burnside.languages.shared.recursion import deep_recursion
from burnside.languages.z.lower.conditions import ConditionLowering
from burnside.languages.z.lower.machine import MachineLowering
from burnside.languages.z.lower.roles import AskedRoles as AskedRoles
from burnside.languages.z.parse import read as read_specification
from burnside.languages.z.syntax import Attribute
from burnside.languages.z.typing import check
from burnside.records import record
from burnside.temporal.atoms import Binder

NO_ROLES = AskedRoles()


@record(eq=False, repr=False)
class ZModel:
    """A machine, and what is needed to read expressions in its own words (an `ExpressionReader`). `notes`: what a user
    should know of how it was read."""

    machine: Machine
    conditions: ConditionLowering
    source: Source
    notes: tuple[str, ...] = ()

    def condition(self, source: Source, bound: Sequence[Binder] = ()) -> Expression:
        """A predicate over the components of the state and the constants; elements of given sets may be named."""
        with deep_recursion(source):
            return self.conditions.condition(source, bound)

    def value(self, source: Source, type: ValueType, bound: Sequence[Binder] = ()) -> Expression:
        with deep_recursion(source):
            return self.conditions.value(source, type, bound)

    def domain(self, source: Source, bound: Sequence[Binder] = ()) -> Expression:
        with deep_recursion(source):
            return self.conditions.domain(source, bound)

    def unique_name(self, name: str, bound: Sequence[Binder] = ()) -> str:
        return self.conditions.lowering.fresh(name)


def read(path: Path, sizes: Mapping[str, int] | None = None, roles: AskedRoles = NO_ROLES) -> Machine:
    return read_model(path, sizes, roles).machine


def read_model(path: Path, sizes: Mapping[str, int] | None = None, roles: AskedRoles = NO_ROLES) -> ZModel:
    """`sizes`: of given sets, of numeric constants, depths of recursive free types, MININT and MAXINT."""
    return load(read_source(path), sizes, roles)


def load(source: Source, sizes: Mapping[str, int] | None = None, roles: AskedRoles = NO_ROLES) -> ZModel:
    with deep_recursion(source):
        parsed = read_specification(source)
        if all(isinstance(each, Attribute) for each in parsed.specification.paragraphs):
            hint = "Z stands in LaTeX's environments zed, schema, axdef, gendef and syntax"
            raise InputError(Diagnostic("there is no Z in this file", source.name, hint=hint))
        checked = check(parsed.specification, source)
        lowering = MachineLowering(checked, sizes or {}, roles, source.name)
        machine = lowering.machine(Path(source.name).stem)
    return ZModel(machine, ConditionLowering(lowering, parsed.vocabulary), source, tuple(lowering.notes))
