"""Inlines, expanded as Spin does: their tokens, with parameters replaced by the tokens of the arguments, are read in place
of the call and in its scope."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from burnside.diagnostics import InputError
from burnside.languages.promela import expressions as e
from burnside.languages.promela import statements as s
from burnside.languages.promela import tree as c
from burnside.languages.promela.names import Inline
from burnside.languages.promela.parse_loops import LoopParser
from burnside.languages.shared.lexer import Token
from burnside.records import replace

MAX_INLINE_DEPTH = 16
MAX_INLINED = 100_000
"""Tokens that inlines expand to, in the whole model."""


class InlineParser(LoopParser):
    def inline_definition(self) -> None:
        """`inline name(a, b) { ... }`: its tokens are kept, and read at every call."""
        self.advance()
        name = self.identifier("the name of an inline")
        self.names.check_new(name)
        self.expect("(")
        parameters: list[str] = []
        while not self.is_symbol(")"):
            if parameters:
                self.expect(",")
            parameter = self.identifier("a parameter")
            if parameter.text in parameters:
                raise InputError(parameter.at.diagnostic(f"there are two parameters '{parameter.text}'"))
            parameters.append(parameter.text)
        self.advance()
        self.separators()
        body = tuple(self.braces())
        number = len(self.names.inlines) + 1
        self.names.inlines[name.text] = Inline(name, number, tuple(parameters), body)

    def braces(self) -> list[Token]:
        """The tokens of `{ ... }`, unread."""
        opening = self.expect("{")
        tokens, depth = [opening], 1
        while depth:
            if self.token.kind == "end":
                raise self.error("this brace is not closed", opening)
            if self.token.kind == "symbol" and self.token.text in "{}":
                depth += 1 if self.token.text == "{" else -1
            tokens.append(self.advance())
        return tokens

    def call(self, name: Token, result: e.Reference | None) -> c.Node:
        """Behind the name of the inline. Its expansion is read as a block."""
        inline = self.names.inlines[name.text]
        arguments = self.call_arguments(name)
        if len(arguments) != len(inline.parameters):
            wanted = len(inline.parameters)
            plural = "" if wanted == 1 else "s"
            message = f"the inline '{name.text}' takes {wanted} argument{plural}, not {len(arguments)}"
            raise self.error(message, name)
        if any(inline is each for each, _ in self.inlining):
            raise self.error(
                f"the inline '{name.text}' calls itself", name, "inlines are text, and cannot recurse"
            )
        if len(self.inlining) >= MAX_INLINE_DEPTH:
            raise self.error(f"inlines are nested more than {MAX_INLINE_DEPTH} deep", name)
        given = dict(zip(inline.parameters, arguments, strict=True))
        expansion: list[Token] = []
        for token in inline.body:
            if token.kind == "name" and token.text in given:
                expansion += given[token.text]
            else:
                expansion.append(token)
        self.inlined += len(expansion)
        if self.inlined > MAX_INLINED:
            raise self.error(f"inlines expand to more than {MAX_INLINED:,} tokens", name)
        expansion.append(name._replace(kind="end", text=f"the end of the inline '{name.text}'"))
        self.inlining.append((inline, result))
        with self.reading(expansion):
            try:
                body = self.block()
            except InputError as error:
                raise self.called_from(name, error) from None
        self.inlining.pop()
        return c.Block(self.extent_of(name), "plain", body)

    def called_from(self, name: Token, error: InputError) -> InputError:
        """An error in the expansion of an inline says where the call is."""
        found = error.diagnostic
        if found.hint is not None or found.span is None:
            return error
        hint = f"in the inline '{name.text}', called at {self.extent_of(name).span}"
        return InputError(replace(found, hint=hint))

    @contextmanager
    def reading(self, tokens: list[Token]) -> Iterator[None]:
        """These tokens, before what comes next is read."""
        before, at = self.tokens, self.at
        self.tokens = tokens
        self.jump(0)
        yield
        self.tokens = before
        self.jump(at)

    def call_arguments(self, name: Token) -> list[list[Token]]:
        self.expect("(")
        if self.accept(")"):
            return []
        arguments: list[list[Token]] = [[]]
        depth = 0
        while depth or not self.is_symbol(")"):
            token = self.token
            if token.kind == "end":
                raise self.error(f"the arguments of '{name.text}' are not closed", name)
            if token.kind == "symbol":
                depth += (token.text in "([{") - (token.text in ")]}")
            if depth == 0 and self.is_symbol(","):
                arguments.append([])
            else:
                arguments[-1].append(token)
            self.advance()
        self.advance()
        return arguments

    def return_statement(self, token: Token) -> c.Node:
        self.advance()
        if not self.inlining:
            raise self.error("'return' is not in an inline", token)
        result = self.inlining[-1][1]
        if result is None:
            raise self.error("this call of the inline has no variable for its result", token)
        value = self.full_expression()
        self.check_runs(value)
        return self.basic(s.Assignment(self.from_token(token), result, value))
