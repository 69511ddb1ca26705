"""Classical B, as ProB reads it. In: a path, or a source. Out: a `Machine`.

`parse` makes the trees of `syntax` from the texts of a model, `resolve` finds what their names stand for, which types they
have and how large sets are, `lower` goes through the trees and gives them their meaning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from burnside.diagnostics import InputError, Source
from burnside.ir.sets.expressions import Expression
from burnside.ir.sets.machine import Machine
from burnside.ir.sets.types import ValueType
from burnside.languages.b.lower.machine import MachineLowering
from burnside.languages.b.parse.definitions import DefinitionReader
from burnside.languages.b.parse.expansion import Macros
from burnside.languages.b.parse.files import Reach
from burnside.languages.b.parse.lexer import tokenize
from burnside.languages.b.parse.machines import parse_expression, parse_predicate
from burnside.languages.b.parse.project import load_project, project_of
from burnside.languages.b.resolve.structure import Structure
from burnside.languages.b.syntax.expressions import Text
from burnside.languages.b.syntax.machines import Definition, Project
from burnside.languages.shared.recursion import deep_recursion
from burnside.model import FormulaText
from burnside.records import record
from burnside.temporal.atoms import Binder

FORMULAS = ("ASSERT_LTL", "ASSERT_CTL")


@record(eq=False, repr=False)
class BModel:
    """A machine, and what is needed to read expressions in its own words (an `ExpressionReader`). `notes`: what a user
    should know of how it was read."""

    machine: Machine
    lowering: MachineLowering
    source: Source
    notes: tuple[str, ...] = ()

    @property
    def formulas(self) -> tuple[FormulaText, ...]:
        """The definitions ASSERT_LTL..., ASSERT_CTL... of the main machine. As in ProB, those whose names end in _FAIL are
        claimed not to hold."""
        settings = self.lowering.structure.main.tree.settings
        return tuple(_formula(each) for name, each in settings.items() if name.startswith(FORMULAS))

    def condition(self, source: Source, bound: Sequence[Binder] = ()) -> Expression:
        """A predicate over the machine's names and definitions; elements of deferred sets may be named."""
        with deep_recursion(source):
            return self.lowering.condition(parse_predicate(source, self._macros()), bound)

    def value(self, source: Source, type: ValueType, bound: Sequence[Binder] = ()) -> Expression:
        with deep_recursion(source):
            return self.lowering.value(parse_expression(source, self._macros()), type, bound)

    def domain(self, source: Source, bound: Sequence[Binder] = ()) -> Expression:
        with deep_recursion(source):
            return self.lowering.domain(parse_expression(source, self._macros()), bound)

    def unique_name(self, name: str, bound: Sequence[Binder] = ()) -> str:
        return self.lowering.fresh(name)

    def _macros(self) -> Macros:
        """The machine's definitions, which what is read later may use."""
        definitions = DefinitionReader(Reach(Path(self.source.name)))
        definitions.read(self.source, tokenize(self.source))
        return definitions.macros


def read(path: Path, sizes: Mapping[str, int] | None = None, *, allow_path: Sequence[Path] = ()) -> Machine:
    return read_model(path, sizes, allow_path=allow_path).machine


def read_text(source: Source, sizes: Mapping[str, int] | None = None) -> Machine:
    return load(source, sizes).machine


def read_model(
    path: Path, sizes: Mapping[str, int] | None = None, *, allow_path: Sequence[Path] = ()
) -> BModel:
    """`sizes`: of deferred sets and set parameters, of scalar parameters and constants, MININT and MAXINT. `allow_path`:
    folders that the model may read machines and definitions from, besides its own."""
    return _lowered(load_project(path, allow_path), sizes or {})


def load(
    source: Source, sizes: Mapping[str, int] | None = None, *, allow_path: Sequence[Path] = ()
) -> BModel:
    return _lowered(project_of(source, allow_path), sizes or {})


def _formula(definition: Definition) -> FormulaText:
    name, tree = definition.name.text, definition.expression
    if not isinstance(tree, Text):
        hint = f'write {name} == "G {{x = 1}}"'
        raise InputError(definition.at.diagnostic(f"{name} has to be a formula in quotes", hint))
    at = tree.at
    quotes = 3 if at.source.text.startswith("'''", at.offset) else 1
    place = at.source.span(at.offset + quotes)
    text = at.source.placed(tree.value, place.line, place.column)
    return FormulaText(
        name, "ctl" if name.startswith("ASSERT_CTL") else "ltl", text, not name.endswith("_FAIL")
    )


def _lowered(project: Project, sizes: Mapping[str, int]) -> BModel:
    source = project.main.source
    with deep_recursion(source):
        lowering = MachineLowering(Structure(project), sizes)
        machine = lowering.machine()
    return BModel(machine, lowering, source, tuple(lowering.notes))
