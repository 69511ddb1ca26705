"""`for` and `select`: loops that Spin writes out with `do`, assignments and conditions."""

from __future__ import annotations

from burnside.diagnostics import InputError
from burnside.languages.promela import expressions as e
from burnside.languages.promela import statements as s
from burnside.languages.promela import tree as c
from burnside.languages.promela import types as t
from burnside.languages.promela.parse_sequences import SequenceParser
from burnside.languages.promela.places import scalars
from burnside.languages.shared.lexer import Token
from burnside.languages.shared.spans import Extent

MAX_EXPANDED_SELECT = 32
"""A `select` between constants of at most this distance is an `if` of assignments; else it is a loop, as in Spin."""


class LoopParser(SequenceParser):
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
        made = container.path[-1].field.initial if container.path else container.variable.initial
        expected = [each.type for each in scalars(item)]
        if not isinstance(made, t.NewChannel) or made.capacity == 0 or list(made.fields) != expected:
            message = f"this is no channel with room for messages of type '{item.type.name}' alone"
            raise InputError(container.at.diagnostic(message))
        self.temporary_count += 1
        name = f"for_{self.temporary_count}"
        variable = t.Variable(at, name, name, t.BYTE, None, item.variable.process)
        self.names.add(variable)
        counter = e.Reference(at, variable)
        places = scalars(item)
        patterns = tuple(e.Stored(each.at, each) for each in places)
        taken = s.Receive(at, container, False, False, patterns)
        back = s.Send(at, container, False, tuple(places))
        length = e.ChannelQuery(at, "len", container)
        rotation: list[c.Node] = [self.basic(taken), self.basic(back)]
        return self.counted(token, counter, e.Number(at, 0), length, rotation, loop)

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


def _increment(at: Extent, counter: e.Reference) -> s.Assignment:
    return s.Assignment(at, counter, e.Binary(at, "+", counter, e.Number(at, 1)))


def _plain_range(low: e.Expression, high: e.Expression) -> range | None:
    """Where both ends are written as digits."""
    for each in (low, high):
        if not isinstance(each, e.Number) or each.symbol is not None:
            return None
    assert isinstance(low, e.Number) and isinstance(high, e.Number)
    return range(low.value, high.value + 1)
