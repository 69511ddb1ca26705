"""Quantifiers of formulas, and fairness. In: tokens. Out: binders around everything; parts of formulas.

    forall p: PROCESS . G (waiting[p] -> F critical[p])      exists p, q: PROCESS . ...
    !p.(p : PROCESS => G ({p : w} => F {p : c}))             #p.(p : PROCESS & ...)

Universal quantifiers around a whole formula are kept as `Binder`s: a formula holds on all runs for all values if and only if
it does for each value, and values that a symmetry exchanges need not all be looked at. All others are written out, as a
conjunction or disjunction over the values: `exists p` speaks of each run by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from burnside.languages.shared.lexer import Token
from burnside.languages.shared.spans import Extent, Identifier
from burnside.records import record
from burnside.temporal import formulas as f
from burnside.temporal.atoms import Binder, Fairness
from burnside.temporal.syntax.cursor import Part
from burnside.temporal.syntax.operands import OperandParser

WORDS = ("forall", "exists")

MAX_VALUES = 100_000
"""Of one quantified name."""


@record(eq=False, repr=False)
class _Head:
    """A quantifier up to its body. `opened`: the bracket around the body, in B's form."""

    token: Token
    quantifier: str
    binders: tuple[Binder, ...]
    opened: Token | None


class BinderParser(OperandParser):
    def operand(self) -> Part:
        return self.quantified() if self.begins_quantifier() else super().operand()

    # Around everything

    def prefix_binders(self) -> tuple[tuple[Binder, ...], list[Token]]:
        """Universal quantifiers around all that is left, and brackets around it that are still open."""
        opened: list[Token] = []
        while True:
            if self.is_symbol("(") and self._ends_at(self.closing(self.at), len(opened)):
                opened.append(self.advance())
            elif self._is_universal() and self._ends_at(self._end_of_quantifier(len(opened)), len(opened)):
                head = self.head()
                self.bound += head.binders
                opened += [] if head.opened is None else [head.opened]
            else:
                return self.bound, opened
            self.enter()

    def _ends_at(self, index: int | None, open_brackets: int) -> bool:
        """Is this token the last one, but for brackets that are open?"""
        return index == len(self.tokens) - 2 - open_brackets

    def _is_universal(self) -> bool:
        return self.begins_quantifier() and not self.is_name("exists") and not self.is_symbol("#")

    def _end_of_quantifier(self, open_brackets: int) -> int | None:
        """The last token of its body."""
        if self.is_name(*WORDS):
            return len(self.tokens) - 2 - open_brackets
        return self.closing(self._opening_of_body())

    # The quantifier

    def begins_quantifier(self) -> bool:
        if self.is_name(*WORDS):
            return self.peek().kind in ("name", "prefix", "binary") and self.peek(2).text in (":", ",")
        if self.plain or self.written(self.token) not in ("!", "#"):
            return False
        body = self._opening_of_body()
        return body < len(self.tokens) and self.tokens[body].text == "("

    def _opening_of_body(self) -> int:
        """Of B's form: the bracket behind the names and the point; an index behind all tokens where there is none."""
        at = self.at + 1
        in_brackets = self.tokens[at].text == "("
        at += in_brackets
        while self.tokens[at].kind in ("name", "prefix", "binary") and self.tokens[at + 1].text == ",":
            at += 2
        at += self.tokens[at].kind in ("name", "prefix", "binary")
        at += in_brackets and self.tokens[at].text == ")"
        return at + 1 if self.tokens[at].text == "." else len(self.tokens)

    def quantified(self) -> Part:
        head = self.head()
        outer = self.bound
        self.bound = outer + head.binders
        with self.nested(2):
            part = self.formula()
        self.bound = outer
        if head.opened is not None:
            self.close(head.opened)
        for binder in reversed(head.binders):
            part = self.written_out(head, binder, part)
        return part

    def written_out(self, head: _Head, binder: Binder, part: Part) -> Part:
        """The conjunction or disjunction of the instances. Their size is looked at before they are made."""
        size = part.size * len(binder.values)
        self.built(head.token, part.formula, [Part(part.formula, part.height, size)])
        numbers = f.atoms_of(part.formula)
        instances = tuple(
            f.renumbered(part.formula, {at: self.atoms.instance(at, binder, value) for at in numbers})
            for value in binder.values
        )
        join = f.And if head.quantifier == "forall" else f.Or
        return self.built(head.token, join(instances), [Part(part.formula, part.height, size)])

    def head(self) -> _Head:
        token = self.token
        if self.is_name(*WORDS):
            self.advance()
            names = self.names()
            self.expect(":")
            domain = self.until((".",))
            if not self.accept("."):
                hint = (
                    "a quantifier of the model's own language stands in braces"
                    if self.is_name("do")
                    else None
                )
                raise self.expected("'.'", hint)
            return _Head(token, token.text, self.bindings([(each, domain) for each in names]), None)
        self.advance()
        in_brackets = self.accept("(")
        names = self.names()
        if in_brackets:
            self.expect(")")
        self.expect(".")
        opened = self.expect("(")
        quantifier = "exists" if token.text == "#" else "forall"
        pairs = list(self.memberships(names, quantifier))
        return _Head(token, quantifier, self.bindings(pairs), opened)

    def names(self) -> list[Identifier]:
        found = [self.bound_name()]
        while self.accept(","):
            found.append(self.bound_name())
        return found

    def bound_name(self) -> Identifier:
        token = self.token
        if token.kind not in ("name", "prefix", "binary"):
            raise self.expected("a name")
        self.advance()
        return Identifier(self.extent_of(token), token.text)

    def memberships(self, names: list[Identifier], quantifier: str) -> Iterator[tuple[Identifier, Extent]]:
        """`p : S & q : T =>`, each in braces or not."""
        for number, name in enumerate(names):
            if self.token.kind == "condition":
                yield name, self.membership_in_braces(name)
            else:
                self.expect_name(name)
                self.expect(":")
                yield name, self.until(("implies", "and"))
            last = number == len(names) - 1
            wanted = "implies" if last and quantifier == "forall" else "and"
            if not self.is_connective(wanted):
                raise self.expected("'=>'" if wanted == "implies" else "'&'")
            self.advance()

    def expect_name(self, name: Identifier) -> None:
        if self.token.text != name.text or self.token.kind not in ("name", "prefix", "binary"):
            raise self.expected(f"'{name.text} : ' and the set that it is of")
        self.advance()

    def membership_in_braces(self, name: Identifier) -> Extent:
        token = self.advance()
        written, colon, domain = token.text.partition(":")
        if written.strip() != name.text or not colon or not domain.strip():
            raise self.error(f"expected {{{name.text} : S}}, the set that '{name.text}' is of", token)
        start = token.offset + 1 + len(written) + 1 + len(domain) - len(domain.lstrip())
        return Extent(self.source, start, len(domain.strip()))

    def until(self, ends: tuple[str, ...]) -> Extent:
        """The text before one of these symbols or connectives."""
        start = self.at
        while self.token.kind != "end" and self.token.text not in (*ends, ")", "do"):
            if self.is_symbol("(") or self.is_symbol("["):
                self.skip_brackets()
            else:
                self.advance()
        if self.at == start:
            raise self.expected("a set")
        return self.part_of(start, self.at)

    def bindings(self, pairs: list[tuple[Identifier, Extent]]) -> tuple[Binder, ...]:
        found: list[Binder] = []
        for name, domain in pairs:
            bound = (*self.bound, *found)
            if any(each.written == name.text for each in bound):
                raise self.refused(f"'{name.text}' is already bound", name.at)
            binder = self.atoms.binder(name, domain, bound)
            if len(binder.values) > MAX_VALUES:
                message = f"'{name.text}' would have {len(binder.values):,} values: at most {MAX_VALUES:,} are possible"
                raise self.refused(message, domain)
            found.append(binder)
        return tuple(found)

    # Fairness

    def fairness_prefix(self) -> tuple[Fairness, ...]:
        """`WF(a) & SEF =>`, in brackets or not."""
        opened = self.token if self.is_symbol("(") and self.peek().kind == "fairness" else None
        if self.token.kind != "fairness" and opened is None:
            return ()
        if opened is not None:
            self.advance()
        found = [self.fairness()]
        while self.is_connective("and"):
            self.advance()
            found.append(self.fairness())
        if opened is not None:
            self.close(opened)
        if not self.is_connective("implies"):
            raise self.expected("'&' or '=>'", "fairness is assumed: WF(a) & SF(b) => p")
        self.advance()
        return tuple(found)

    def fairness(self) -> Fairness:
        token = self.token
        if token.kind != "fairness":
            raise self.expected(
                "WF, SF, WEF or SEF", "fairness is joined by '&' alone, and nothing else to it"
            )
        self.advance()
        strength: Literal["weak", "strong"] = "weak" if token.text.startswith("W") else "strong"
        if token.text in ("WEF", "SEF"):
            return Fairness(strength=strength, patterns=None, each=True, text=token.text)
        opened = self.expect("(")
        action = self.action()
        self.close(opened)
        return Fairness(
            strength=strength,
            patterns=self.atoms.patterns(action, self.bound),
            each=action.arguments is not None,
            text=self.source.text[token.offset : self.end],
        )
