"""Substitutions of machines as short texts, for tests to compare."""

from __future__ import annotations

from burnside.ir.sets import substitutions as s
from burnside.ir.sets.printing import show_expression


def shown(node: s.Substitution) -> str:
    match node:
        case s.Assign(names, values):
            return f"{', '.join(each.name for each in names)} := {', '.join(map(show_expression, values))}"
        case s.Parallel(parts):
            return f"({' || '.join(map(shown, parts))})" if parts else "skip"
        case s.Sequence(parts):
            return f"({' ; '.join(map(shown, parts))})"
        case s.Choose(names, condition, body):
            return (
                f"any {', '.join(each.name for each in names)}: {show_expression(condition)}: {shown(body)}"
            )
        case s.Alternatives(branches, otherwise) | s.If(branches, otherwise):
            word = "if" if isinstance(node, s.If) else "select"
            parts = [f"{show_expression(each.condition)} -> {shown(each.body)}" for each in branches]
            return f"{word}[{'; '.join(parts)}; else {shown(otherwise) if otherwise else 'nothing'}]"
        case s.Demand(kind, condition, body):
            return f"{kind} {show_expression(condition)}: {shown(body)}"
        case s.Local(names, body):
            return f"var {', '.join(each.name for each in names)}: {shown(body)}"
        case s.While(test, body, invariant, variant):
            three = ", ".join(map(show_expression, (test, invariant, variant)))
            return f"while {three}: {shown(body)}"
