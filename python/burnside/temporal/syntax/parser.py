"""Operators of formulas. In: a source, a reader of atoms. Out: a `ParsedFormula`.

From tight to loose, dialect `standard`: prefix operators; `U W R S T`, to the right; and; or; implication, to the right;
equivalence. Dialect `prob` (ProB's): prefix operators; `U W R S T`; and, or, which bind alike; implication; equivalence;
all to the left. A lone `A` or `E` takes a whole chain of `U W R S T` (ProB writes `E p U q`); in `AG`, `EX` the letters are
prefix operators one after the other, except that `AX p` is `not EX not p`, as CTL has it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal

from burnside.diagnostics import Source
from burnside.languages.shared.lexer import Token
from burnside.records import record
from burnside.temporal import formulas as f
from burnside.temporal.atoms import Binder, Fairness
from burnside.temporal.syntax.binders import BinderParser
from burnside.temporal.syntax.cursor import Part
from burnside.temporal.syntax.reader import AtomReader

Dialect = Literal["standard", "prob"]

PREFIX: dict[str, Callable[[f.Formula], f.Formula]] = {
    "not": f.Not, "A": f.Forall, "E": f.Exists, "G": f.globally, "F": f.finally_, "X": f.Next, "[]": f.globally,
    "<>": f.finally_, "Y": f.Yesterday, "O": f.once, "H": f.historically, "AX": f.all_next,
}  # fmt: skip
BINARY: dict[str, Callable[[f.Formula, f.Formula], f.Formula]] = {
    "U": f.Until, "W": f.weak_until, "R": f.Release, "S": f.Since, "T": f.Trigger,
    "implies": f.implies, "iff": f.equivalent,
}  # fmt: skip
LETTERS = re.compile("AX|.")
LOOSEST, CHAIN = 1, 5
STANDARD = {"iff": LOOSEST, "implies": 2, "or": 3, "and": 4, **dict.fromkeys("UWRST", CHAIN)}
LEVELS: dict[Dialect, dict[str, int]] = {"standard": STANDARD, "prob": {**STANDARD, "and": 3}}
"""How strongly operators bind."""


@record
class ParsedFormula:
    """`binders`: names that are universally quantified around everything, outermost first; atoms mention them. `fairness`:
    what is assumed of runs."""

    formula: f.Formula
    binders: tuple[Binder, ...] = ()
    fairness: tuple[Fairness, ...] = ()


class FormulaParser(BinderParser):
    def __init__(self, source: Source, atoms: AtomReader, dialect: Dialect) -> None:
        super().__init__(source, atoms, plain=dialect == "standard")
        self.dialect, self.levels = dialect, LEVELS[dialect]

    def whole(self) -> ParsedFormula:
        binders, opened = self.prefix_binders()
        fairness = self.fairness_prefix()
        part = self.behind_fairness() if fairness else self.formula()
        for token in reversed(opened):
            self.close(token)
        self.expect_end()
        return ParsedFormula(part.formula, binders, fairness)

    def only_formula(self) -> f.Formula:
        """Without assumptions; quantifiers are written out."""
        if self.token.kind == "fairness":
            raise self.error("fairness cannot be assumed here", self.token)
        part = self.formula()
        self.expect_end()
        return part.formula

    def expect_end(self) -> None:
        if self.token.kind != "end":
            raise self.expected("an operator or the end of the formula", self.advice())

    def behind_fairness(self) -> Part:
        """In ProB implication is read from the left: `WF(a) => p => q` does not assume WF(a) for the whole."""
        part = self.expression(self.levels["implies"] + (self.dialect == "prob"))
        if self.is_connective("implies", "iff"):
            hint = "put what is to hold in brackets: WF(a) => (p => q)"
            raise self.error("fairness stands to the left of the outermost '=>' alone", self.token, hint)
        return part

    # Operators between operands

    def formula(self) -> Part:
        return self.expression(LOOSEST)

    def expression(self, least: int) -> Part:
        """What binds at least as strongly as `least`."""
        left = self.prefixed()
        while (level := self.level()) >= least:
            token = self.token
            if token.text in ("and", "or"):
                left = self.row(left, level + 1)
                continue
            self.advance()
            is_right = self.dialect == "standard" and token.text != "iff"
            self.enter()
            right = self.expression(level if is_right else level + 1)
            self.leave()
            copies = 2 if token.text == "iff" else 1
            formula = BINARY[token.text](left.formula, right.formula)
            left = self.built(token, formula, [left, right] * copies)
        return left

    def level(self) -> int:
        """How strongly the operator here binds; 0 where there is none."""
        return self.levels.get(self.token.text, 0) if self.token.kind in ("connective", "binary") else 0

    def row(self, first: Part, least: int) -> Part:
        """`p & q & r` has three operands."""
        parts, token = [first], self.token
        while self.is_connective(token.text):
            self.advance()
            parts.append(self.expression(least))
        return self.row_of(token, f.And if token.text == "and" else f.Or, parts)

    def prefixed(self) -> Part:
        operators: list[tuple[Token, str]] = []
        while (found := self.prefix_operators()) is not None:
            token, letters = found
            operators += [(token, each) for each in letters]
            self.check_depth(len(operators), token)
            if letters[-1] in ("A", "E"):
                part = self.quantified_path()
                break
        else:
            part = self.step_exists(operators) or self.operand()
        for token, operator in reversed(operators):
            part = self.built(token, PREFIX[operator](part.formula), [part])
        return part

    def prefix_operators(self) -> tuple[Token, Sequence[str]] | None:
        token = self.token
        if token.kind == "prefix":
            return self.advance(), LETTERS.findall(token.text)
        is_operator = self.is_symbol("[]") or self.is_symbol("<>") or self.is_connective("not")
        return (self.advance(), (token.text,)) if is_operator and not self.begins_quantifier() else None

    def quantified_path(self) -> Part:
        """What a lone `A` or `E` speaks of: `[p U q]`, or a chain of operators."""
        if self.is_symbol("[") and not self.is_action():
            opened = self.advance()
            self.enter()
            part = self.expression(LOOSEST)
            self.leave()
            self.close(opened)
            return part
        self.enter()
        part = self.expression(CHAIN)
        self.leave()
        return part

    def step_exists(self, operators: list[tuple[Token, str]]) -> Part | None:
        """ProB's `EX[op] p`: some step by `op` leads to a state where p holds."""
        if [each for _, each in operators[-2:]] != ["E", "X"] or not self.is_action():
            return None
        action = self.operand()
        if not self.begins_operand():
            return action
        token, _ = operators.pop()
        self.enter()
        part = self.prefixed()
        self.leave()
        after = self.built(token, f.Next(part.formula), [part])
        return self.built(token, f.And((action.formula, after.formula)), [action, after])
