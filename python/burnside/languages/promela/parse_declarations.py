"""Declarations: variables, typedefs, mtypes, channels. What is declared is entered into `names` at once.

A declaration among the statements of a process gives its variable no initial value: it is an assignment, as in Spin. The
parser of statements says where that is (`initial_values`) and takes the assignments (`add`).
"""

from __future__ import annotations

from typing import Any, cast

from burnside.diagnostics import InputError, UnsupportedError
from burnside.languages.promela import expressions as e
from burnside.languages.promela import types as t
from burnside.languages.promela.parse_expressions import ExpressionParser
from burnside.languages.promela.places import scalar_types
from burnside.languages.promela.statements import Assignment, Jump, Statement
from burnside.languages.shared.spans import Extent, Identifier

SCALARS = {
    "bit": t.BIT, "bool": t.BOOL, "byte": t.BYTE, "pid": t.PID, "short": t.SHORT, "int": t.INT, "mtype": t.MTYPE,
    "chan": t.CHAN, "unsigned": t.ScalarType("unsigned", 0, signed=False),
}  # fmt: skip
PREFIXES = ("hidden", "show", "local")
MAX_SYMBOLS = 255
MAX_STRUCT_DEPTH = 20
MAX_ARRAY = 1 << 20
MAX_WIDTH = 31
DEFAULT_BOUND = 8
"""What Spin takes for an array whose bound is a variable without a positive initial value."""


class DeclarationParser(ExpressionParser):
    initial_values = True
    """Initialisers hold from the beginning; else they are assignments."""

    def add_statement(self, statement: Statement) -> None:
        raise NotImplementedError

    def at_declaration(self) -> bool:
        if self.is_keyword(*PREFIXES, *SCALARS):
            return True
        return self.token.kind == "name" and self.token.text in self.names.structs

    def declaration(self, *, is_parameter: bool = False) -> list[t.Variable]:
        """`byte x = 1, a[3]`; no separator at its end."""
        prefix = self.advance().text if self.is_keyword(*PREFIXES) else None
        start = self.token
        type_ = self.type()
        if prefix == "hidden" and type_ in (t.BIT, t.BOOL):
            raise self.error("a bit or bool cannot be hidden", start)
        found = [self.declared(type_, prefix, is_parameter)]
        while self.accept(","):
            found.append(self.declared(type_, prefix, is_parameter))
        return found

    def type(self) -> t.Type:
        """With the name of an mtype's set."""
        token = self.token
        if token.kind == "name" and token.text in self.names.structs:
            self.advance()
            return self.names.structs[token.text]
        if not self.is_keyword(*SCALARS):
            raise self.expected("a type")
        self.advance()
        if token.text == "mtype" and self.accept(":"):
            name = self.identifier("the name of an mtype")
            return t.ScalarType("mtype", 8, False, name.text)
        return SCALARS[token.text]

    def declared(self, type_: t.Type, prefix: str | None, is_parameter: bool) -> t.Variable:
        name = self.identifier("a name")
        if name.text == "_" or name.text in ("_pid", "_nr_pr", "_last", "_priority"):
            raise InputError(name.at.diagnostic(f"'{name.text}' is predefined"))
        self.names.check_new(name)
        type_ = self.with_width(type_, name)
        size = self.array_size(name)
        process = self.names.process
        variable = t.Variable(
            name.at, name.text, name.text, type_, size, process.name if process else None,
            is_parameter=is_parameter, prefix=cast(Any, prefix),
        )  # fmt: skip
        if is_parameter and (size is not None or self.is_symbol("=")):
            what = "an array" if size is not None else "initialised"
            raise InputError(name.at.diagnostic(f"a parameter cannot be {what}"))
        # Spin knows the name before it reads the initialiser.
        self.names.add(variable)
        initial = self.initialiser(type_, size, name) if self.accept("=") else None
        if self.initial_values or is_parameter:
            variable.initial = initial
        elif isinstance(initial, t.ArrayValues):
            raise InputError(initial.at.diagnostic("a list of values must be at the start of a process"))
        elif isinstance(initial, t.NewChannel):
            message = f"the channel '{name.text}' must be declared at the start of the process"
            raise InputError(name.at.diagnostic(message))
        else:
            self.add_statement(self.assigned(variable, initial))
        return variable

    def assigned(self, variable: t.Variable, value: e.Expression | None) -> Statement:
        """What a declaration among statements does."""
        if isinstance(variable.type, t.StructType):
            return Jump(variable.at)
        first = e.Number(variable.at, 0) if variable.size is not None else None
        target = e.Reference(variable.at, variable, first)
        return Assignment(variable.at, target, value or e.Number(variable.at, 0))

    def with_width(self, type_: t.Type, name: Identifier) -> t.Type:
        """`unsigned x : 5`."""
        is_unsigned = isinstance(type_, t.ScalarType) and type_.name == "unsigned"
        if not self.is_symbol(":"):
            if is_unsigned:
                raise InputError(
                    name.at.diagnostic("an unsigned needs a width", f"write 'unsigned {name.text} : 8'")
                )
            return type_
        if not is_unsigned:
            raise self.error("only an unsigned has a width", self.token)
        self.advance()
        token = self.token
        if token.kind != "number":
            raise self.expected("the number of bits")
        width = self.value_of(self.advance())
        if not 1 <= width <= MAX_WIDTH:
            raise self.error(f"the width is from 1 to {MAX_WIDTH} bits", token)
        return t.ScalarType("unsigned", width, signed=False)

    def array_size(self, name: Identifier) -> int | None:
        if not self.accept("["):
            return None
        token = self.token
        known = self.names.find(token.text) if token.kind == "name" else None
        if known is not None and self.peek().text == "]":
            self.advance()
            initial = known.initial
            size = initial.value if isinstance(initial, e.Number) and initial.value > 0 else DEFAULT_BOUND
        else:
            size = self.constant()
        self.expect("]")
        if size <= 0:
            raise self.error(f"the array '{name.text}' has {size} elements", token)
        if size > MAX_ARRAY:
            message = f"arrays of more than {MAX_ARRAY:,} elements are not supported"
            raise UnsupportedError(self.extent_of(token).diagnostic(message))
        return size

    def constant(self) -> int:
        """A constant expression: numbers and mtype constants, `+ - * / %` and parentheses."""
        token = self.token
        tree = self.expression()
        value = folded(tree)
        if value is None:
            raise self.error("this is no constant", token)
        return value

    def initialiser(self, type_: t.Type, size: int | None, name: Identifier) -> t.Initial:
        if self.is_symbol("["):
            return self.new_channel(type_, name)
        token = self.token
        if self.accept("{"):
            if size is None:
                raise self.error(f"'{name.text}' is no array, and cannot have a list of values", token)
            values = [self.constant()]
            while self.accept(","):
                values.append(self.constant())
            self.expect("}")
            return t.ArrayValues(self.from_token(token), tuple(values))
        value = self.expression()
        if contains_run(value):
            raise InputError(value.at.diagnostic("'run' cannot be in an initialiser"))
        if type_ == t.CHAN and isinstance(value, e.Number):
            raise InputError(value.at.diagnostic("a channel cannot be a number"))
        return value

    def new_channel(self, type_: t.Type, name: Identifier) -> t.NewChannel:
        token = self.advance()
        if type_ != t.CHAN:
            raise self.error(f"'{name.text}' is no channel", token)
        capacity_token = self.token
        capacity = self.constant()
        if capacity < 0:
            raise self.error("the capacity of a channel cannot be negative", capacity_token)
        if capacity > MAX_SYMBOLS:
            raise self.unsupported(
                f"channels of more than {MAX_SYMBOLS} messages are not supported", capacity_token
            )
        self.expect("]")
        self.expect_keyword("of")
        self.expect("{")
        fields = self.field_types()
        while self.accept(","):
            fields += self.field_types()
        self.expect("}")
        self.channel_created(len(fields))
        return t.NewChannel(self.from_token(token), capacity, tuple(fields))

    def channel_created(self, fields: int) -> None:
        """The parser of statements counts them."""

    def field_types(self) -> list[t.ScalarType]:
        token = self.token
        if not self.at_declaration() or self.is_keyword(*PREFIXES):
            raise self.expected("a type")
        if self.is_keyword("unsigned"):
            raise self.error("an unsigned cannot be a field of a message", token, "use byte, short or int")
        return scalar_types(self.type(), self.extent_of(token))

    # Types with names

    def typedef(self) -> None:
        self.advance()
        name = self.identifier("the name of a type")
        self.names.check_new(name)
        self.expect("{")
        fields: list[t.Field] = []
        self.separators()
        while not self.is_symbol("}"):
            fields += self.struct_fields(fields)
            if not self.separators() and not self.is_symbol("}"):
                raise self.expected("';' or '}'")
        if not fields:
            raise self.expected("a field")
        self.advance()
        struct = t.StructType(name.text, tuple(fields))
        if struct_depth(struct) > MAX_STRUCT_DEPTH:
            raise InputError(name.at.diagnostic(f"structs are nested more than {MAX_STRUCT_DEPTH} deep"))
        self.names.structs[name.text] = struct

    def struct_fields(self, known: list[t.Field]) -> list[t.Field]:
        if not self.at_declaration():
            raise self.expected("a field")
        if self.is_keyword(*PREFIXES):
            self.advance()
        type_ = self.type()
        found: list[t.Field] = []
        while True:
            name = self.identifier("the name of a field")
            if any(each.name == name.text for each in (*known, *found)):
                raise InputError(name.at.diagnostic(f"there are two fields '{name.text}'"))
            width = self.with_width(type_, name)
            size = self.array_size(name)
            initial = self.initialiser(type_, size, name) if self.accept("=") else None
            found.append(t.Field(name.text, width, size, initial))
            if not self.accept(","):
                return found

    def separators(self) -> bool:
        found = False
        while self.accept(";") or self.accept("->"):
            found = True
        return found

    def symbols(self) -> None:
        """`mtype = { a, b }`, `mtype:set = { a, b }`, with or without the equals sign. Counted from the last to the first,
        behind those that the set has already."""
        self.advance()
        set_name = self.identifier("the name of an mtype").text if self.accept(":") else None
        self.accept("=")
        self.expect("{")
        names: list[Identifier] = []
        while not self.is_symbol("}"):
            names.append(self.identifier("the name of a constant"))
            while self.accept(","):
                pass
        closing = self.advance()
        if not names:
            raise self.error("expected the name of a constant", closing)
        values = dict(self.names.symbols.get(set_name, {}))
        for name in reversed(names):
            if name.text in values:
                raise InputError(name.at.diagnostic(f"'{name.text}' is already a constant of this mtype"))
            role = self.names.role(name.text)
            if self.names.find(name.text) is not None or role is not None:
                raise InputError(name.at.diagnostic(f"'{name.text}' is already {role or 'a variable'}"))
            values[name.text] = len(values) + 1
        if len(values) > MAX_SYMBOLS:
            raise InputError(names[0].at.diagnostic(f"an mtype has at most {MAX_SYMBOLS} constants"))
        self.names.symbols[set_name] = values

    def at_symbols(self) -> bool:
        """`mtype` begins constants, not variables."""
        if not self.is_keyword("mtype"):
            return False
        ahead = 3 if self.peek().text == ":" else 1
        return self.peek(ahead).text in ("{", "=")


def struct_depth(struct: t.StructType) -> int:
    inner = [struct_depth(each.type) for each in struct.fields if isinstance(each.type, t.StructType)]
    return 1 + max(inner, default=0)


def contains_run(tree: Any) -> bool:
    return isinstance(tree, e.Run) or any(contains_run(each) for each in e.children(tree))


def folded(tree: e.Expression) -> int | None:
    """The value of a constant expression of Spin's grammar."""
    match tree:
        case e.Number(_, value):
            return value
        case e.Unary(_, "-", operand):
            value_or_none = folded(operand)
            return None if value_or_none is None else -value_or_none
        case e.Binary(_, operator, left, right) if operator in ("+", "-", "*", "/", "%"):
            a, b = folded(left), folded(right)
            if a is None or b is None:
                return None
            return computed(operator, a, b, tree.at)
    return None


def computed(operator: str, a: int, b: int, at: Extent) -> int:
    match operator:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
    if b == 0:
        raise InputError(at.diagnostic("division by zero"))
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return quotient if operator == "/" else a - b * quotient
