"""What names stand for while a model is read.

Promela is declared before it is used, so the parser resolves as it goes. Spin 6 has blocks as scopes, but no shadowing: a
name that is visible cannot be declared again. Locals of blocks side by side may have the same name; `Variable.unique` tells
them apart.
"""

from __future__ import annotations

from burnside.diagnostics import InputError
from burnside.languages.promela.tree import Scope
from burnside.languages.promela.types import StructType, Variable
from burnside.languages.shared.lexer import Token
from burnside.languages.shared.spans import Extent, Identifier
from burnside.records import field, record


@record(eq=False, repr=False)
class Inline:
    name: Identifier
    number: int
    parameters: tuple[str, ...]
    body: tuple[Token, ...]
    """With its braces."""


@record(eq=False, repr=False, frozen=False)
class ProcessNames:
    """The names of a process: open while its body is read, then kept for remote references."""

    at: Extent
    name: str
    parameters: list[Variable] = field(default_factory=list)
    locals: list[Variable] = field(default_factory=list)
    blocks: list[dict[str, Variable]] = field(default_factory=lambda: [{}])
    scope: Scope = ()
    label_names: set[tuple[str, Scope]] = field(default_factory=set)
    labels: set[str] = field(default_factory=set)
    """Those that are declared."""
    unique: set[str] = field(default_factory=set)
    """Names that variables have been given."""

    def label_scope(self, label: str) -> Scope:
        """The scope of a label's name: an outer one, where the name occurred there before."""
        for length in range(len(self.scope), -1, -1):
            if (label, self.scope[:length]) in self.label_names:
                return self.scope[:length]
        self.label_names.add((label, self.scope))
        return self.scope


class Names:
    def __init__(self) -> None:
        self.symbols: dict[str | None, dict[str, int]] = {}
        self.structs: dict[str, StructType] = {}
        self.inlines: dict[str, Inline] = {}
        self.variables: dict[str, Variable] = {}
        self.processes: dict[str, ProcessNames] = {}
        self.process: ProcessNames | None = None
        """The one whose body is being read."""
        self.scopes = 0

    def find(self, name: str) -> Variable | None:
        if self.process is not None:
            for block in reversed(self.process.blocks):
                if name in block:
                    return block[name]
        return self.variables.get(name)

    def symbol(self, name: str) -> int | None:
        """The number of an mtype constant; of two sets with this name, Spin finds the one that was declared last."""
        for values in reversed(self.symbols.values()):
            if name in values:
                return values[name]
        return None

    def role(self, name: str) -> str | None:
        """What a name is that is no variable, for messages and for the parser's decisions."""
        if self.symbol(name) is not None:
            return "a constant of an mtype"
        if name in self.structs:
            return "a typedef"
        if name in self.inlines:
            return "an inline"
        return "a proctype" if name in self.processes else None

    def check_new(self, name: Identifier) -> None:
        role = self.role(name.text)
        if role is not None:
            raise InputError(name.at.diagnostic(f"'{name.text}' is already {role}"))
        known = self.find(name.text)
        if known is not None:
            hint = f"declared at {known.at.seen_from(name.at)}; Promela has no shadowing"
            raise InputError(name.at.diagnostic(f"'{name.text}' is already declared", hint))

    def add(self, variable: Variable) -> None:
        """Checked to be new. Makes its name unique."""
        if self.process is None:
            self.variables[variable.name] = variable
            return
        self.process.blocks[-1][variable.name] = variable
        count = 1
        while variable.unique in self.process.unique or variable.unique in self.variables:
            count += 1
            variable.unique = f"{variable.name}_{count}"
        self.process.unique.add(variable.unique)
        (self.process.parameters if variable.is_parameter else self.process.locals).append(variable)

    def open_block(self) -> None:
        assert self.process is not None
        self.scopes += 1
        self.process.scope = (*self.process.scope, self.scopes)
        self.process.blocks.append({})

    def close_block(self) -> None:
        assert self.process is not None
        self.process.scope = self.process.scope[:-1]
        self.process.blocks.pop()
