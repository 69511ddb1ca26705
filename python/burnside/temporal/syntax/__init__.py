"""The syntax of formulas. In: a text, a reader of atoms, a dialect. Out: a `Formula` over the atoms that were read.

`lexer` makes tokens, `operands` reads atoms, `binders` quantifiers and fairness, `parser` the operators; what an atom means
is asked of an `AtomReader` (`reader`). Errors are `InputError`s with a place in the formula.
"""

from __future__ import annotations

from burnside.diagnostics import Source
from burnside.temporal.formulas import Formula
from burnside.temporal.syntax.parser import Dialect, FormulaParser, ParsedFormula
from burnside.temporal.syntax.reader import AtomReader, OpaqueAtoms

__all__ = ["AtomReader", "Dialect", "OpaqueAtoms", "ParsedFormula", "parse_formula", "parse_property"]


def parse_formula(text: str, atoms: AtomReader, *, source: str, dialect: Dialect) -> Formula:
    """A formula alone: quantifiers are written out, fairness is refused. `source` names the option in diagnostics."""
    return FormulaParser(Source(source, text, f"{source} {text}"), atoms, dialect).only_formula()


def parse_property(source: Source, atoms: AtomReader, dialect: Dialect) -> ParsedFormula:
    """A formula with the quantifiers around it and what is assumed of runs."""
    return FormulaParser(source, atoms, dialect).whole()
