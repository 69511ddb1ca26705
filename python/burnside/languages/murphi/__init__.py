"""Murphi, as CMurphi 5.4 and rumur read it. In: a path, or a source. Out: a `Program`.

`lexer`, `cursor`, `parse_expressions`, `parser` make the trees of `syntax` and `rule_syntax`; `lower_types`,
`lower_expressions`, `lower_binders`, `lower_calls`, `lower_statements`, `lower_rules` go through them once and give names
and types a meaning. Where the two checkers differ, their own expected results decide, and a comment says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from burnside.diagnostics import Diagnostic, Source, UnsupportedError, UsageError, option_source
from burnside.ir.expressions import Expression
from burnside.ir.program import Program
from burnside.languages.files import read_source
from burnside.languages.murphi import rule_syntax as r
from burnside.languages.murphi import syntax as s
from burnside.languages.murphi.constants import LARGEST, LEAST
from burnside.languages.murphi.lower_rules import RuleLowering
from burnside.languages.murphi.lower_types import size_names
from burnside.languages.murphi.parser import Parser, parse
from burnside.records import record


@record
class LoweredProgram:
    """A program, and what is needed to read conditions in its own words."""

    program: Program
    lowering: RuleLowering

    def condition(self, text: str, option: str) -> Expression:
        """A condition over the model's variables, constants, types and functions. `option` names where it comes from."""
        lowering, source = self.lowering, option_source(option, text)
        known = set(lowering.functions)
        of_model, lowering.source = lowering.source, source
        try:
            tree = Parser(source).whole_expression()
            with lowering.inner_frame():
                expression = lowering.test(tree, "a condition")
            if set(lowering.functions) != known:
                message = "a record that is no variable is not supported in a condition"
                raise UnsupportedError(source.diagnostic(message, tree.at.offset, tree.at.length))
            return expression
        finally:
            lowering.source = of_model
            for name in set(lowering.functions) - known:
                del lowering.functions[name]


def read(path: Path, sizes: Mapping[str, int] | None = None) -> Program:
    """`sizes` override numeric constants and sizes of named scalarsets."""
    return read_model(path, sizes).program


def read_text(source: Source, sizes: Mapping[str, int] | None = None, name: str | None = None) -> Program:
    return load(source, sizes, name).program


def read_model(path: Path, sizes: Mapping[str, int] | None = None) -> LoweredProgram:
    return load(read_source(path), sizes, path.stem)


def load(source: Source, sizes: Mapping[str, int] | None = None, name: str | None = None) -> LoweredProgram:
    tree = parse(source)
    chosen = _resolved(sizes or {}, size_names(tree), source)
    lowering = RuleLowering(source, chosen, _global_names(tree))
    return LoweredProgram(lowering.program(tree, name or Path(source.name).stem), lowering)


def parse_condition(text: str, model: LoweredProgram, option: str) -> Expression:
    return model.condition(text, option)


def _global_names(tree: r.Model) -> frozenset[str]:
    names: set[str] = set()
    for node in tree.nodes:
        match node:
            case s.VariableDeclaration(identifiers):
                names.update(each.text for each in identifiers)
            case r.Function(identifier):
                names.add(identifier.text)
    return frozenset(names)


def _resolved(sizes: Mapping[str, int], names: tuple[str, ...], source: Source) -> dict[str, int]:
    """By the model's own spelling. On a command line, capital letters need not be right if nothing else is meant."""
    found: dict[str, int] = {}
    for given, value in sizes.items():
        candidates = [name for name in names if name == given] or [
            name for name in names if name.lower() == given.lower()
        ]
        if len(candidates) != 1:
            problem = "more than one" if candidates else "no"
            hint = f"there are: {', '.join(names)}" if names else "this model has neither"
            message = f"{problem} constant or scalarset is called '{given}'"
            raise UsageError(Diagnostic(message, source.name, hint=hint))
        if not LEAST <= value <= LARGEST:
            raise UsageError(Diagnostic(f"the size of '{given}' is beyond 64 bits", source.name))
        found[candidates[0]] = value
    return found
