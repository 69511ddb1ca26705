"""Definitions put in the place of their uses, on trees. In: a definition's body and arguments. Out: a tree of its own.

The body is copied for each use, so that no two places of a tree share a node. Free names of a body mean what they mean
where it is used (B's definitions are text to their users), but a name that a body binds never captures one of an argument:
it is renamed, to something that no text can contain. A parameter may itself stand where a body binds a name; then the
argument has to be a name, and that is meant.
"""

from __future__ import annotations

from typing import Any, TypeVar

from burnside.diagnostics import InputError, UnsupportedError
from burnside.languages.b.syntax import expressions as s
from burnside.languages.b.syntax import substitutions as u
from burnside.languages.b.syntax.expressions import Binding
from burnside.languages.shared.spans import Extent, Identifier
from burnside.records import field_names, is_record, record, replace

MAX_NODES = 300_000
"""Of all expansions in one machine: definitions that use each other twice grow like powers of two."""

BINDERS = (s.Quantified, s.Comprehension, s.Collected, u.Any, u.Var)
LETS = (s.Let, u.LetBlock)

Node = TypeVar("Node")


@record(frozen=False, eq=False, repr=False)
class Macro:
    """A definition. `expression` or `substitution` is there once it has been parsed, both where the body could be either (a
    call); `refusal` where its body has something unsupported, `is_external` where only ProB has one: this matters only
    where it is used."""

    name: Identifier
    parameters: tuple[Identifier, ...]
    expression: s.Expression | None = None
    substitution: u.Substitution | None = None
    height: int = 0
    refusal: UnsupportedError | None = None
    is_external: bool = False


class Macros:
    """The definitions of one machine by their names, and how much has been expanded."""

    def __init__(self) -> None:
        self.table: dict[str, Macro] = {}
        self.nodes = 0


def expanded(macro: Macro, at: Extent, arguments: tuple[s.Expression, ...], macros: Macros) -> s.Expression:
    """An expression or a predicate, standing where the definition is used."""
    check_usable(macro, at)
    if macro.expression is None:
        message = (
            f"the definition '{macro.name.text}' is a substitution, expected an expression or a predicate"
        )
        raise InputError(at.diagnostic(message))
    return replace(_Copy(macro, at, arguments, macros).tree(macro.expression), at=at)


def expanded_substitution(
    macro: Macro, at: Extent, arguments: tuple[s.Expression, ...], macros: Macros
) -> u.Substitution:
    check_usable(macro, at)
    assert macro.substitution is not None
    return replace(_Copy(macro, at, arguments, macros).tree(macro.substitution), at=at)


def check_usable(macro: Macro, at: Extent) -> None:
    if macro.refusal is not None:
        raise macro.refusal
    if macro.is_external:
        raise UnsupportedError(at.diagnostic(f"the external function '{macro.name.text}' is not supported"))
    if macro.expression is None and macro.substitution is None:
        raise InputError(at.diagnostic(f"the definition '{macro.name.text}' is defined by itself"))


class _Copy:
    def __init__(self, macro: Macro, at: Extent, arguments: tuple[s.Expression, ...], macros: Macros) -> None:
        self.macro, self.at, self.macros = macro, at, macros
        self.scope: dict[str, s.Expression] = {
            parameter.text: argument for parameter, argument in zip(macro.parameters, arguments, strict=True)
        }
        self.taken: set[str] = set()
        self.of_body: set[str] = set()
        for argument in arguments:
            _names_in(argument, self.taken)

    def tree(self, node: Node) -> Node:
        self.count()
        result: Any
        if isinstance(node, s.Name):
            result = self.name(node)
        elif isinstance(node, BINDERS):
            result = self.binder(node)
        elif isinstance(node, LETS):
            result = self.let(node)
        else:
            result = _predicate_of(self.inside(node))
        return result  # type: ignore[no-any-return]

    def count(self) -> None:
        self.macros.nodes += 1
        if self.macros.nodes > MAX_NODES:
            message = f"with this definition expanded the machine has more than {MAX_NODES} parts"
            raise InputError(
                self.at.diagnostic(message, "definitions that use each other repeat their bodies")
            )

    def inside(self, node: Any) -> Any:
        kind = type(node)
        return kind(*(self.part(getattr(node, name)) for name in field_names(kind)))

    def part(self, value: Any) -> Any:
        kind = type(value)
        if kind is tuple:
            return tuple(self.part(each) for each in value)
        if kind is Identifier or not is_record(value):
            return value
        return self.tree(value)

    def name(self, node: s.Name) -> s.Expression:
        found = self.scope.get(node.text)
        if found is None:
            return replace(node)
        if isinstance(found, s.Name):
            return s.Name(found.at, found.text, node.before or found.before)
        if node.before:
            raise InputError(found.at.diagnostic(f"'{node.text}$0' in the definition needs a name here"))
        outer, self.scope = self.scope, {}
        copy = self.tree(found)
        self.scope = outer
        return copy

    def binder(self, node: Any) -> Any:
        outer = self.scope
        names = self.bound(node.names)
        inner = self.inside(node)
        self.scope = outer
        return replace(inner, names=names)

    def let(self, node: Any) -> Any:
        outer = self.scope
        names = self.bound(tuple(each.name for each in node.bindings))
        inner = self.inside(node)
        self.scope = outer
        bindings = zip(names, inner.bindings, strict=True)
        return replace(inner, bindings=tuple(Binding(name, each.value) for name, each in bindings))

    def bound(self, names: tuple[Identifier, ...]) -> tuple[Identifier, ...]:
        """The names as they are to be bound, with a new scope in which they mean that."""
        scope, result = dict(self.scope), []
        for name in names:
            argument = scope.get(name.text)
            if isinstance(argument, s.Name) and self.is_parameter(name.text):
                result.append(Identifier(argument.at, argument.text))
            elif name.text in self.taken:
                renamed = Identifier(name.at, self.fresh(name.text))
                scope[name.text] = s.Name(name.at, renamed.text, False)
                result.append(renamed)
            else:
                scope.pop(name.text, None)
                result.append(name)
        self.scope = scope
        return tuple(result)

    def is_parameter(self, name: str) -> bool:
        return any(each.text == name for each in self.macro.parameters)

    def fresh(self, name: str) -> str:
        """Neither in the arguments nor in the body."""
        number = 2
        if not self.of_body:
            _names_in((self.macro.expression, self.macro.substitution), self.of_body)
        while f"{name}#{number}" in self.taken | self.of_body:
            number += 1
        return f"{name}#{number}"


def _predicate_of(node: Any) -> Any:
    """`bool(P) = TRUE`, as it comes from an argument that is a predicate, says `P`."""
    match node:
        case s.Binary(_, "=", s.Truth(_, predicate), s.Constant(_, "TRUE")):
            return predicate
    return node


def _names_in(node: Any, found: set[str]) -> None:
    """Every name that is used or bound: more than the free ones, which does no harm."""
    if type(node) is tuple:
        for each in node:
            _names_in(each, found)
    elif isinstance(node, s.Name | Identifier):
        found.add(node.text)
    elif is_record(node):
        for name in field_names(node):
            if name != "at":
                _names_in(getattr(node, name), found)
