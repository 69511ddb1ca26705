"""Atoms of formulas, and what stands in brackets. In: tokens. Out: parts of formulas, atoms by the reader's numbers.

An atom is a condition in braces, in the model's own language; `e(op)`, `[op]`, `deadlock` and the like; or, where `plain` is
set, a condition without braces: the longest row of names, numbers and brackets with operators of arithmetic and at most
comparisons between them. What else conditions may hold (connectives, the quantifiers of their language) needs braces.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from burnside.diagnostics import Source
from burnside.languages.shared.lexer import Token
from burnside.languages.shared.spans import Extent, Identifier
from burnside.temporal import formulas as f
from burnside.temporal.atoms import Binder
from burnside.temporal.syntax.cursor import FormulaCursor, Part
from burnside.temporal.syntax.reader import ActionText, AtomReader, StateWord

ARITHMETIC = frozenset("+-*/%")
COMPARISONS = frozenset(("=", "==", "!=", "/=", "<>", "<", "<=", ">", ">="))
WITH_ACTIONS = frozenset(("e", "enabled", "fireable", "is-fireable", "controller", "deterministic"))
STATE_WORDS = frozenset(("deadlock", "sink", "initial"))
REFUSED_WORDS = {
    "current": "'current' is the state of an animator: burnside has none",
    "available": "'available' is not supported",
}


class OperandParser(FormulaCursor):
    def __init__(self, source: Source, atoms: AtomReader, *, plain: bool) -> None:
        super().__init__(source, single_quotes=plain)
        self.atoms, self.plain = atoms, plain
        self.bound: tuple[Binder, ...] = ()

    def formula(self) -> Part:
        raise NotImplementedError

    def operand(self) -> Part:
        token = self.token
        if token.kind == "condition":
            self.advance()
            return self.condition(Extent(self.source, token.offset + 1, token.length - 2), token)
        if token.kind == "fairness":
            hint = "it is written as in: WF(a) & SF(b) => p"
            raise self.error("fairness stands to the left of the outermost '=>' alone", token, hint)
        if self.is_symbol("("):
            return self.plain_condition() if self.plain and self.is_number_in_brackets() else self.brackets()
        if self.is_symbol("["):
            return self.action_atom()
        if token.kind == "name" and not self.is_compared():
            found = self.word(token)
            if found is not None:
                return found
        if self.begins_value():
            return self.plain_condition()
        raise self.expected("a formula", self.advice() or self._hint())

    def begins_operand(self) -> bool:
        token = self.token
        known = token.kind in ("condition", "name", "quoted", "number", "prefix", "fairness")
        symbols = token.kind == "symbol" and token.text in ("(", "[", "[]", "<>", "-", "+", "#")
        return known or symbols or self.is_connective("not")

    def brackets(self) -> Part:
        opened = self.advance()
        with self.nested():
            part = self.formula()
        self.close(opened)
        return part

    # Conditions

    def condition(self, text: Extent, token: Token) -> Part:
        if not text.source.text[text.offset : text.end].strip():
            raise self.error("there is no condition in these braces", token)
        return Part(f.Atom(self.atoms.condition(text, self.bound)))

    def plain_condition(self) -> Part:
        if not self.plain:
            hint = "conditions in the language of the model stand in braces: {x = 1}"
            raise self.error(f"{self.token} is no atom of a formula", self.token, hint)
        start = self.at
        self.value()
        while self.is_one_of(ARITHMETIC) or self.is_one_of(COMPARISONS):
            self.advance()
            self.value()
        return self.condition(self.part_of(start, self.at), self.tokens[start])

    def begins_value(self) -> bool:
        sign = self.plain and (self.is_symbol("-") or self.is_symbol("+"))
        return self.token.kind in ("name", "quoted", "number") or sign

    def value(self) -> None:
        """Go past a name with what belongs to it, a number, or something in brackets."""
        while self.is_symbol("-") or self.is_symbol("+"):
            self.advance()
        if self.is_symbol("("):
            self.skip_brackets()
            return
        if self.token.kind not in ("name", "quoted", "number", "prefix", "binary", "fairness"):
            raise self.expected("a name or a number")
        self.advance()
        while True:
            if self.is_symbol("(") or self.is_symbol("["):
                self.skip_brackets()
            elif self.is_symbol(".") and self.peek().kind in ("name", "number", "prefix", "binary"):
                self.advance()
                self.advance()
            else:
                return

    def skip_brackets(self) -> None:
        end = self.closing(self.at)
        if end is None:
            raise self.error("this bracket is not closed", self.token)
        self.jump(end + 1)

    def is_number_in_brackets(self) -> bool:
        """Do brackets open here that hold a value, not a formula? Then it is computed with, or compared."""
        end = self.closing(self.at)
        return end is not None and self._computes(self.tokens[end + 1])

    def is_compared(self) -> bool:
        """Is this word the name of a value, whatever else it may mean?"""
        follows = self.peek()
        return self.plain and (
            self._computes(follows) or (follows.kind == "symbol" and follows.text in (".", "["))
        )

    def _computes(self, token: Token) -> bool:
        return token.kind == "symbol" and (token.text in ARITHMETIC or token.text in COMPARISONS)

    def _hint(self) -> str | None:
        if self.token.kind == "symbol" and self.token.text not in ")]" and self.plain:
            return "conditions with other operators stand in braces"
        return None

    # Words

    def word(self, token: Token) -> Part | None:
        """An atom that is a word; None where the word is none, but a name of the model."""
        text, has_list = token.text, self.peek().text == "(" and self.peek().kind == "symbol"
        if text in REFUSED_WORDS and (has_list or not self.plain):
            raise self.unsupported(REFUSED_WORDS[text], token)
        if text in ("true", "false"):
            self.advance()
            return Part(f.Constant(text == "true"))
        if has_list and (text in WITH_ACTIONS or text == "deadlock"):
            return self.counted(self.advance())
        if text in STATE_WORDS and not has_list:
            self.advance()
            return Part(f.Atom(self.atoms.state_word(cast(StateWord, text), self.extent_of(token))))
        return None

    def counted(self, token: Token) -> Part:
        """How many of some actions can happen: one, none, at most one, exactly one."""
        opened = self.advance()
        actions = [self.action()]
        while self.accept(","):
            actions.append(self.action())
        self.close(opened)
        at = self.extent(token.offset)
        if token.text not in ("controller", "deterministic"):
            part = Part(f.Atom(self.atoms.enabled(actions, self.bound, at)))
            return self.built(token, f.Not(part.formula), [part]) if token.text == "deadlock" else part
        single = [Part(f.Atom(self.atoms.enabled([each], self.bound, each.at))) for each in actions]
        most = [self.not_both(token, one, other) for at, one in enumerate(single) for other in single[:at]]
        least = [] if token.text == "deterministic" else [self.row_of(token, f.Or, single)]
        return self.row_of(token, f.And, [*least, *most])

    def not_both(self, token: Token, one: Part, other: Part) -> Part:
        both = self.built(token, f.And((other.formula, one.formula)), [one, other])
        return self.built(token, f.Not(both.formula), [both])

    def row_of(self, token: Token, join: type[f.And] | type[f.Or], parts: list[Part]) -> Part:
        """Of one part, that part; a conjunction of none is true."""
        if len(parts) <= 1:
            return parts[0] if parts else Part(f.TRUE)
        return self.built(token, join(tuple(each.formula for each in parts)), parts)

    # Actions

    def action_atom(self) -> Part:
        """`[op]`, `[op(a, _)]`."""
        opened = self.advance()
        action = self.action()
        self.close(opened)
        at = self.extent(opened.offset)
        return Part(f.Atom(self.atoms.next_action(action, self.bound, at)))

    def is_action(self) -> bool:
        """Is this `[op]`, and not `[p U q]` behind a path quantifier?"""
        if not self.is_symbol("[") or self.peek().kind not in (
            "name",
            "quoted",
            "prefix",
            "binary",
            "fairness",
        ):
            return False
        behind = self.at + 2
        if self.tokens[behind].text == "(" and self.tokens[behind].kind == "symbol":
            end = self.closing(behind)
            behind = len(self.tokens) - 1 if end is None else end + 1
        return self.tokens[behind].kind == "symbol" and self.tokens[behind].text == "]"

    def action(self) -> ActionText:
        token = self.token
        if token.kind not in ("name", "quoted", "prefix", "binary", "fairness"):
            raise self.expected("the name of an action")
        self.advance()
        name = Identifier(self.extent_of(token), token.text)
        arguments = tuple(self.arguments()) if self.is_symbol("(") else None
        return ActionText(self.extent(token.offset), name, arguments)

    def arguments(self) -> Iterator[Extent | None]:
        """Texts between commas; None for `_`."""
        opened, end = self.token, self.closing(self.at)
        if end is None:
            raise self.error("this bracket is not closed", opened)
        self.advance()
        start = self.at
        while self.at <= end:
            if self.at == end or self.is_symbol(","):
                if self.at == start:
                    raise self.expected("an argument or '_'")
                is_any = self.at == start + 1 and self.written(self.tokens[start]) == "_"
                yield None if is_any else self.part_of(start, self.at)
                start = self.at + 1
            elif self.is_symbol("(") or self.is_symbol("["):
                self.skip_brackets()
                continue
            self.advance()
