"""Statements. In: tokens. Out: the trees of control in `tree`, with resolved basic statements.

Inlines are expanded here as Spin does: their tokens, with parameters replaced by the tokens of the arguments, are put in
place of the call and read in the scope of the call.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from burnside.diagnostics import InputError
from burnside.languages.promela import expressions as e
from burnside.languages.promela import statements as s
from burnside.languages.promela import tree as c
from burnside.languages.promela import types as t
from burnside.languages.promela.names import Inline
from burnside.languages.promela.parse_declarations import DeclarationParser, contains_run
from burnside.languages.promela.parse_expressions import EMBEDDED_C
from burnside.languages.shared.lexer import Token
from burnside.languages.shared.spans import Extent

MAX_INLINE_DEPTH = 16
MAX_INLINED = 400_000
"""Tokens that inlines expand to, in the whole model."""
MAX_EXPANDED_SELECT = 32
"""A `select` between constants of at most this distance is an `if` of assignments; else it is a loop, as in Spin."""
BLOCK = 3
"""Levels of depth that a block counts for: later stages recurse over blocks, too."""
SEQUENCE_ENDS = ("fi", "od")


class StatementParser(DeclarationParser):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.nodes: list[c.Node] = []
        self.following: list[c.Node] = []
        """What the statement that is being read adds behind itself."""
        self.loops: list[int] = []
        self.loop_count = 0
        self.inlining: list[tuple[Inline, e.Reference | None]] = []
        self.inlined = 0
        self.in_d_step = False
        self.temporary_count = 0
        self.runs: list[tuple[e.Run, Token]] = []
        self.messages: list[tuple[int, Extent]] = []
        """How many fields are sent or received, and where."""
        self.most_fields = 0
        self.exclusive: list[tuple[Extent, Literal["xr", "xs"], t.Variable]] = []

    def channel_created(self, fields: int) -> None:
        self.most_fields = max(self.most_fields, fields)

    # Sequences

    def add_statement(self, statement: s.Statement) -> None:
        self.nodes.append(c.Basic(statement.at, statement))

    @contextmanager
    def new_sequence(self) -> Iterator[list[c.Node]]:
        """Whatever is added inside goes into the list."""
        before, self.nodes = self.nodes, []
        try:
            yield self.nodes
        finally:
            self.nodes = before

    def sequence(self, at: Token) -> c.Sequence:
        """Up to what ends it, which is not taken."""
        self.initial_values = False
        with self.new_sequence() as nodes:
            self.steps()
        if not nodes:
            raise self.error("at least one statement is needed here", at, "use 'skip' to do nothing")
        return c.Sequence(self.extent_of(at), tuple(nodes))

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
        process.labels.append(token.text)
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
            if self.names.find(token.text) is not None or token.text == "_":
                node = self.variable_statement(token)
                if node is not None:
                    return node
        test = self.full_expression()
        self.check_runs(test)
        return self.basic(s.Condition(self.from_token(token), test))

    def basic(self, statement: s.Statement) -> c.Basic:
        return c.Basic(statement.at, statement)

    def check_runs(self, tree: e.Expression) -> None:
        """At most one `run`, in Spin only to be computed with in ways that keep its 0 harmless; none in a d_step."""
        found = [each for each in _walk(tree) if isinstance(each, e.Run)]
        if len(found) > 1:
            raise InputError(found[1].at.diagnostic("more than one 'run' in an expression"))
        if found and self.in_d_step:
            raise InputError(found[0].at.diagnostic("'run' cannot be in a d_step", "use atomic"))

    def block(self) -> c.Sequence:
        """`{ ... }`, a scope of its own."""
        opening = self.expect("{")
        self.names.open_block()
        try:
            body = self.sequence(opening)
        finally:
            self.names.close_block()
        self.expect("}")
        return body

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

    def check_target(self, place: e.Reference) -> None:
        if isinstance(place.type, t.StructType):
            message = f"this is a whole struct '{place.type.name}', not one of its fields"
            raise InputError(place.at.diagnostic(message))

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
        self.messages.append((len(values), at))
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
        self.messages.append((len(patterns), at))
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
    def new_loop(self) -> Iterator[int]:
        self.loop_count += 1
        self.loops.append(self.loop_count)
        try:
            yield self.loop_count
        finally:
            self.loops.pop()

    def for_loop(self, token: Token) -> c.Node:
        self.advance()
        self.expect("(")
        start = self.token
        counter = self.reference()
        with self.new_loop() as loop:
            if self.token.kind == "name" and self.token.text == "in":
                self.advance()
                return self.for_in(token, start, counter, loop)
            self.check_counter(counter)
            self.expect(":")
            low = self.expression()
            self.expect("..")
            high = self.expression()
            self.expect(")")
            return self.counted(token, counter, low, high, [], loop)

    def check_counter(self, counter: e.Reference) -> None:
        self.check_target(counter)
        if (
            counter.index is not None
            or counter.path
            or counter.type == t.CHAN
            or counter.variable.name == "_"
        ):
            raise InputError(
                counter.at.diagnostic("this counts, so it must be a variable of numbers, and no array")
            )

    def for_in(self, token: Token, start: Token, item: e.Reference, loop: int) -> c.Node:
        """Over the indices of an array, or over the messages of a channel, which is rotated once."""
        container = self.place()
        self.expect(")")
        at = self.extent_of(token)
        if not isinstance(item.type, t.StructType):
            self.check_counter(item)
            size = container.path[-1].field.size if container.path else container.variable.size
            if size is None:
                raise InputError(
                    container.at.diagnostic("this is neither an array, nor a channel of the struct's type")
                )
            return self.counted(token, item, e.Number(at, 0), e.Number(at, size - 1), [], loop)
        self.check_channel(container)
        made = container.variable.initial
        expected = [each.type for each in self.parts(item)]
        if not isinstance(made, t.NewChannel) or made.capacity == 0 or list(made.fields) != expected:
            message = f"this is no channel with room for messages of type '{item.type.name}' alone"
            raise InputError(container.at.diagnostic(message))
        self.temporary_count += 1
        name = f"for_{self.temporary_count}"
        variable = t.Variable(at, name, name, t.BYTE, None, item.variable.process)
        self.names.add(variable)
        counter = e.Reference(at, variable)
        places = self.parts(item)
        patterns = tuple(e.Stored(each.at, each) for each in places)
        taken = s.Receive(at, container, False, False, patterns)
        back = s.Send(at, container, False, tuple(places))
        length = e.ChannelQuery(at, "len", container)
        rotation: list[c.Node] = [self.basic(taken), self.basic(back)]
        return self.counted(token, counter, e.Number(at, 0), length, rotation, loop)

    def parts(self, item: e.Reference) -> list[e.Reference]:
        from burnside.languages.promela.places import scalars

        return scalars(item)

    def counted(
        self,
        token: Token,
        counter: e.Reference,
        low: e.Expression,
        high: e.Expression,
        first: list[c.Node],
        loop: int,
    ) -> c.Choice:
        """`counter = low; do :: counter <= high -> first; body; counter++ :: else -> break od`; the assignment is added to
        the sequence around. With messages to rotate (`first`), `high` is a length, and the test is `<`."""
        at = self.extent_of(token)
        self.add_statement(s.Assignment(at, counter, low))
        test = e.Binary(at, "<" if first else "<=", counter, high)
        with self.new_sequence() as nodes:
            nodes.append(self.basic(s.Condition(at, test)))
            nodes += first
            self.separators()
            opening = self.token
            nodes += self.block().nodes
            nodes.append(self.basic(_increment(at, counter)))
        leaving = (self.basic(s.Else(at, False)), c.Break(at, loop))
        options = (c.Sequence(self.extent_of(opening), tuple(nodes)), c.Sequence(at, leaving))
        return c.Choice(at, loop, options, drops_skips=False)

    def select(self, token: Token) -> c.Node:
        self.advance()
        self.expect("(")
        start = self.token
        counter = self.reference()
        self.check_counter(counter)
        self.expect(":")
        low = self.expression()
        self.expect("..")
        high = self.expression()
        self.expect(")")
        at = self.extent_of(token)
        if isinstance(low, e.Number) and isinstance(high, e.Number) and low.value > high.value:
            raise InputError(low.at.diagnostic("this range is empty"))
        # Spin writes a selection between two plain numbers as another text, but not inside an inline, nor for a name with
        # an underscore. The order of the options differs with it, and a label is at the assignment then.
        values = _plain_range(low, high)
        is_plain = values is not None and not self.inlining and "_" not in start.text
        if values is not None and is_plain and len(values) <= MAX_EXPANDED_SELECT + 1:
            assignments = [s.Assignment(at, counter, e.Number(at, value)) for value in values]
            return c.Choice(at, None, tuple(c.Sequence(at, (self.basic(each),)) for each in assignments))
        start_value = s.Assignment(at, counter, low)
        with self.new_loop() as loop:
            test = s.Condition(at, e.Binary(at, "<", counter, high))
            going_on = c.Sequence(at, (self.basic(test), self.basic(_increment(at, counter))))
            leaving = c.Sequence(at, (c.Break(at, loop),))
        choice = c.Choice(at, loop, (going_on, leaving), is_reversed=not is_plain)
        if is_plain:
            self.following.append(choice)
            return self.basic(start_value)
        self.add_statement(start_value)
        return choice

    # Inlines

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
            wanted, found = len(inline.parameters), len(arguments)
            raise self.error(
                f"the inline '{name.text}' has {wanted} parameters, here are {found} arguments", name
            )
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
        self.splice(expansion)
        self.inlining.append((inline, result))
        self.initial_values = False
        body = self.block()
        self.inlining.pop()
        return c.Block(self.extent_of(name), "plain", body)

    def splice(self, tokens: list[Token]) -> None:
        """Read these next."""
        rest = list(self.tokens)
        rest[self.at : self.at] = tokens
        self.tokens = rest
        self.token = rest[self.at]

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


def _increment(at: Extent, counter: e.Reference) -> s.Assignment:
    return s.Assignment(at, counter, e.Binary(at, "+", counter, e.Number(at, 1)))


def _plain_range(low: e.Expression, high: e.Expression) -> range | None:
    """Where both ends are written as digits."""
    for each in (low, high):
        if not isinstance(each, e.Number) or each.symbol is not None:
            return None
    assert isinstance(low, e.Number) and isinstance(high, e.Number)
    return range(low.value, high.value + 1)


def _walk(tree: Any) -> Iterator[Any]:
    yield tree
    for each in e.children(tree):
        yield from _walk(each)


@contextmanager
def _nothing() -> Iterator[None]:
    yield None
