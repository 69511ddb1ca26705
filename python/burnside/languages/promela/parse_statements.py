"""Statements. In: tokens. Out: the trees of control in `tree`, with resolved basic statements."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from burnside.diagnostics import InputError
from burnside.languages.promela import expressions as e
from burnside.languages.promela import statements as s
from burnside.languages.promela import tree as c
from burnside.languages.promela import types as t
from burnside.languages.promela.parse_declarations import contains_run
from burnside.languages.promela.parse_expressions import EMBEDDED_C
from burnside.languages.promela.parse_inlines import InlineParser
from burnside.languages.shared.lexer import Token

BLOCK = 3
"""Levels of depth that a block counts for: later stages recurse over blocks, too."""
SEQUENCE_ENDS = ("fi", "od")


class StatementParser(InlineParser):
    def steps(self) -> None:
        self.separators()
        while not self.at_sequence_end():
            before = self.at
            is_else = self.is_keyword("else")
            self.step()
            ended_block = self.tokens[self.at - 1].text == "}" and self.at > before
            if not (self.separators() or ended_block or is_else or self.at_sequence_end()):
                raise self.expected("';' or the end of the sequence")

    def at_sequence_end(self) -> bool:
        if self.token.kind == "end":
            return True
        return self.is_one_of(("}", "::")) or self.is_keyword(*SEQUENCE_ENDS)

    def step(self) -> None:
        """A declaration, a claim on a channel, or a statement; it is added to the sequence."""
        if self.at_symbols():
            raise self.error("an mtype must be declared outside of processes", self.token)
        if self.at_declaration():
            self.declaration()
        elif self.is_keyword("xr", "xs"):
            self.exclusive_use()
        else:
            node = self.statement()
            if self.is_keyword("unless"):
                token = self.advance()
                node = c.Unless(self.extent_of(token), node, self.statement())
            self.nodes.append(node)
            self.nodes += self.following
            self.following.clear()

    def exclusive_use(self) -> None:
        token = self.advance()
        direction: Literal["xr", "xs"] = "xr" if token.text == "xr" else "xs"
        while True:
            place = self.place()
            self.check_channel(place)
            self.exclusive.append((self.from_token(token), direction, place.variable))
            if not self.accept(","):
                return

    # Statements

    def statement(self) -> c.Node:
        with self.nested(BLOCK):
            node = self.labelled_statement()
        self.initial_values = False
        return node

    def labelled_statement(self) -> c.Node:
        token = self.token
        is_name = token.kind == "name" and token.text not in self.names.processes
        if not is_name or self.peek().text != ":" or self.peek().kind != "symbol":
            return self.plain_statement(token)
        self.check_label(token)
        self.advance()
        self.advance()
        process = self.names.process
        assert process is not None
        scope = process.label_scope(token.text)
        process.labels.add(token.text)
        inline = self.inlining[-1][0].number if self.inlining else 0
        at = self.extent_of(token)
        if self.at_sequence_end() or self.is_one_of((";", "->")):
            inner: c.Node = c.Basic(at, s.Condition(at, e.Number(at, 1)))
        elif self.at_declaration() or self.is_keyword("xr", "xs"):
            raise self.error("a label cannot be before a declaration", token)
        else:
            inner = self.statement()
        return c.Labelled(at, token.text, scope, inline, inner)

    def check_label(self, token: Token) -> None:
        role = self.names.role(token.text)
        if role is None and self.names.find(token.text) is not None:
            role = "a variable"
        if role is not None:
            raise self.error(f"'{token.text}' is {role}, and cannot be a label", token)

    def plain_statement(self, token: Token) -> c.Node:
        if token.kind == "keyword":
            node = self.keyword_statement(token)
            if node is not None:
                return node
        elif self.is_symbol("{"):
            return c.Block(self.extent_of(token), "plain", self.block())
        elif token.kind == "name":
            if token.text in self.names.inlines and self.names.find(token.text) is None:
                self.advance()
                return self.call(token, None)
            if token.text == "_priority" and self.peek().text == "=":
                return self.own_priority(token)
            is_variable = self.names.find(token.text) is not None or token.text == "_"
            if self.peek().text in ("=", "++", "--") and not is_variable:
                raise self.unknown(token)
            if is_variable:
                node = self.variable_statement(token)
                if node is not None:
                    return node
        test = self.full_expression()
        self.check_runs(test)
        return self.basic(s.Condition(self.from_token(token), test))

    def keyword_statement(self, token: Token) -> c.Node | None:
        at = self.extent_of(token)
        match token.text:
            case "if" | "do":
                return self.choice(token)
            case "atomic":
                self.advance()
                return c.Block(at, "atomic", self.block())
            case "d_step":
                self.advance()
                outer, self.in_d_step = self.in_d_step, True
                body = self.block()
                self.in_d_step = outer
                return c.Block(at, "d_step", body)
            case "for":
                return self.for_loop(token)
            case "select":
                return self.select(token)
            case "break":
                self.advance()
                if not self.loops:
                    raise self.error("'break' is not inside a loop", token)
                return c.Break(at, self.loops[-1])
            case "goto":
                self.advance()
                label = self.token
                self.identifier("a label")
                self.check_label(label)
                assert self.names.process is not None
                return c.Goto(self.from_token(token), label.text, self.names.process.label_scope(label.text))
            case "else":
                self.advance()
                return self.basic(s.Else(at, False))
            case "assert":
                self.advance()
                return self.basic(s.Assertion(self.from_token(token), self.full_expression()))
            case "printf" | "printm":
                return self.printing(token)
            case "set_priority":
                self.advance()
                self.expect("(")
                pid = self.expression()
                self.expect(",")
                priority = self.expression()
                self.expect(")")
                return self.basic(s.SetPriority(self.from_token(token), pid, priority))
            case "return":
                return self.return_statement(token)
        if token.text in EMBEDDED_C:
            raise self.unsupported(f"embedded C ('{token.text}') is not supported", token)
        return None

    def printing(self, token: Token) -> c.Node:
        self.advance()
        self.expect("(")
        arguments: list[e.Expression] = []
        text = "%e"
        if token.text == "printm":
            arguments = [self.expression()]
        else:
            if self.token.kind != "string":
                raise self.expected("a string")
            text = self.advance().text
            if self.accept(","):
                arguments = self.arguments()
        self.expect(")")
        return self.basic(s.Print(self.from_token(token), text, tuple(arguments)))

    # What begins with a variable

    def variable_statement(self, token: Token) -> c.Node | None:
        """None: it is an expression after all."""
        before = self.at
        place = self.reference()
        operator = self.token.text if self.token.kind == "symbol" else ""
        if operator == "=":
            return self.assignment(token, place)
        if operator in ("++", "--"):
            self.advance()
            self.check_target(place)
            self.no_channel(place)
            at = self.from_token(token)
            one = e.Binary(at, "+" if operator == "++" else "-", self.number(place), e.Number(at, 1))
            return self.basic(s.Assignment(at, place, one))
        if operator in ("!", "!!"):
            return self.send(token, place)
        if operator in ("?", "??") and self.peek().text != "[":
            return self.receive(token, place)
        self.jump(before)
        return None

    def own_priority(self, token: Token) -> c.Node:
        """`_priority = 3` of a process for itself."""
        self.advance()
        self.advance()
        value = self.full_expression()
        at = self.from_token(token)
        return self.basic(s.SetPriority(at, e.Predefined(self.extent_of(token), "_pid"), value))

    def assignment(self, token: Token, place: e.Reference) -> c.Node:
        self.advance()
        self.check_target(place)
        if self.token.kind == "name" and self.token.text in self.names.inlines:
            return self.call(self.advance(), place)
        value = self.full_expression()
        self.check_runs(value)
        at = self.from_token(token)
        self.check_channel_value(place, value)
        return self.basic(s.Assignment(at, place, value))

    def check_channel_value(self, place: e.Reference, value: e.Expression) -> None:
        if place.type == t.CHAN and not place.path and isinstance(value, e.Number):
            raise InputError(value.at.diagnostic("a channel cannot be a number"))

    def send(self, token: Token, channel: e.Reference) -> c.Node:
        self.check_channel(channel)
        is_sorted = self.advance().text == "!!"
        # `q!m(a, b)` is `q!m, a, b`.
        values = self.argument()
        if self.accept("("):
            values += self.arguments()
            self.expect(")")
        else:
            while self.accept(","):
                values += self.argument()
        at = self.from_token(token)
        if any(contains_run(each) for each in values):
            raise InputError(at.diagnostic("'run' cannot be in a message"))
        self.sends.append((len(values), at))
        return self.basic(s.Send(at, channel, is_sorted, tuple(values)))

    def receive(self, token: Token, channel: e.Reference) -> c.Node:
        self.check_channel(channel)
        anywhere = self.advance().text == "??"
        keeps = self.accept("<")
        before, self.in_angles = self.in_angles, keeps
        patterns = self.patterns()
        self.in_angles = before
        if keeps:
            self.expect(">")
        at = self.from_token(token)
        return self.basic(s.Receive(at, channel, anywhere, keeps, patterns))

    def run(self, token: Token) -> e.Expression:
        if self.names.process is None:
            return super().run(token)
        self.advance()
        name = self.token
        if name.kind != "name":
            raise self.expected("the name of a proctype")
        self.advance()
        self.expect("(")
        with self.outside_angles():
            arguments = [] if self.is_symbol(")") else self.arguments()
        self.expect(")")
        run = e.Run(self.from_token(token), name.text, tuple(arguments), self.priority())
        self.runs.append((run, name))
        return run

    def priority(self) -> int | None:
        if not self.accept_keyword("priority"):
            return None
        token = self.token
        if token.kind != "number":
            raise self.expected("a number")
        value = self.value_of(self.advance())
        if not 1 <= value <= 255:
            raise self.error("a priority is from 1 to 255", token)
        return value

    # Control

    def choice(self, token: Token) -> c.Choice:
        self.advance()
        is_loop = token.text == "do"
        closing = "od" if is_loop else "fi"
        with self.new_loop() if is_loop else _nothing() as loop:
            options: list[c.Sequence] = []
            self.separators()
            while self.is_symbol("::"):
                options.append(self.sequence(self.advance()))
            if not options:
                raise self.expected("'::'")
            if not self.is_keyword(closing):
                raise self.expected(f"'::' or '{closing}'")
        self.advance()
        return c.Choice(self.extent_of(token), loop, tuple(options))


@contextmanager
def _nothing() -> Iterator[None]:
    yield None
