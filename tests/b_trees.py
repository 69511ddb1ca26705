"""Trees of B shown with all brackets, so that tests can say how a text was read."""

from __future__ import annotations

from typing import Any

from burnside.diagnostics import Source
from burnside.languages.b.parse.machines import parse
from burnside.languages.b.syntax import expressions as s
from burnside.languages.b.syntax.expressions import Binding
from burnside.languages.b.syntax.machines import AbstractMachine
from burnside.languages.shared.spans import Extent, Identifier
from burnside.records import field_names, is_record


def machine(clauses: str, header: str = "MACHINE m", name: str = "m.mch") -> AbstractMachine:
    return parse(Source(name, f"{header} {clauses} END"))


def predicate(text: str, definitions: str = "") -> str:
    found = machine(f"{definitions} INVARIANT {text}").invariant
    assert found is not None
    return show(found)


def expression(text: str, definitions: str = "") -> str:
    """Of an expression, which stands on the right of an equation."""
    found = machine(f"{definitions} INVARIANT left = {text}").invariant
    assert isinstance(found, s.Binary)
    assert found.operator == "="
    return show(found.right)


def substitution(text: str, definitions: str = "") -> str:
    found = machine(f"{definitions} INITIALISATION {text}").initialisation
    assert found is not None
    return show(found)


def show(node: Any) -> str:
    """Operators between their operands, everything else by its kind and parts."""
    match node:
        case None:
            return "-"
        case str() | int():
            return str(node)
        case tuple():
            return "[" + " ".join(show(each) for each in node) + "]"
        case Identifier(_, text):
            return text
        case Binding(name, value):
            return f"{name.text}:{show(value)}"
        case s.Name(_, text, before):
            return f"{text}$0" if before else text
        case s.Number(_, number):
            return str(number)
        case s.Text(_, text):
            return repr(text)
        case s.Constant(_, word):
            return word
        case s.Unary(_, operator, operand):
            return f"{operator}({show(operand)})"
        case s.Binary(_, operator, left, right):
            return f"({show(left)} {operator} {show(right)})"
        case s.Chain(_, operator, operands):
            return "(" + f" {operator} ".join(show(each) for each in operands) + ")"
        case s.Application(_, function, argument):
            return f"{show(function)}@{show(argument)}"
    assert is_record(node)
    parts = [show(getattr(node, name)) for name in field_names(node) if name != "at"]
    return f"{type(node).__name__}<{' '.join(parts)}>"


def extents(node: Any) -> list[Extent]:
    """Of a tree and everything in it."""
    if isinstance(node, Extent):
        return [node]
    if type(node) is tuple:
        return [at for each in node for at in extents(each)]
    if not is_record(node) or isinstance(node, Source):
        return []
    return [at for name in field_names(node) for at in extents(getattr(node, name))]
