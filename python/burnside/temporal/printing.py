"""Formulas as text. In: a formula and texts of its atoms. Out: what `syntax` reads as the same formula, in either dialect.

F, G, W, O, H come back where their spellings are found; implication and equivalence stay written out. There are brackets
around everything that is not a prefix operator or an atom, so that precedence does not matter.
"""

from __future__ import annotations

from collections.abc import Callable

from burnside.temporal import formulas as f

JOINED = {"A": "GFYOH", "E": "GFXYOH"}
"""What may follow a path quantifier in one word; `AX` means something else."""
BINARY: dict[type, str] = {f.Until: "U", f.Release: "R", f.Since: "S", f.Trigger: "T"}


def show_formula(formula: f.Formula, atom: Callable[[int], str]) -> str:
    text = _text(formula, atom)
    return text[1:-1] if _is_infix(formula) else text


def _is_infix(formula: f.Formula) -> bool:
    """Is it shown in brackets?"""
    is_leaf = isinstance(formula, f.Atom | f.Constant | f.Exists | f.Forall | f.Matches)
    return not is_leaf and _prefixed(formula) is None


def _text(formula: f.Formula, atom: Callable[[int], str]) -> str:
    prefixed = _prefixed(formula)
    if prefixed is not None:
        operator, operand = prefixed
        return f"{operator} {_text(operand, atom)}"
    match formula:
        case f.Constant(value):
            return "true" if value else "false"
        case f.Atom(number):
            return atom(number)
        case f.And(operands):
            return f"({' & '.join(_text(each, atom) for each in operands)})"
        case f.Or(operands):
            return f"({' or '.join(_text(each, atom) for each in operands)})"
        case f.Exists(operand) | f.Forall(operand):
            return _quantified("E" if isinstance(formula, f.Exists) else "A", operand, atom)
        case f.Matches():
            raise ValueError("an automaton is no text of a formula")
        case f.Release(right, f.Or((left, other))) if other == right:
            return f"({_text(left, atom)} W {_text(right, atom)})"
        case _:
            left, right = f.children(formula)
            return f"({_text(left, atom)} {BINARY[type(formula)]} {_text(right, atom)})"


def _quantified(letter: str, operand: f.Formula, atom: Callable[[int], str]) -> str:
    """`AG p`, `E[p U q]`; a lone letter would take the operators behind it too."""
    if _is_infix(operand):
        return f"{letter}[{_text(operand, atom)[1:-1]}]"
    prefixed = _prefixed(operand)
    if prefixed is not None and prefixed[0] in JOINED[letter]:
        return f"{letter}{_text(operand, atom)}"
    return f"({letter} {_text(operand, atom)})"


def _prefixed(formula: f.Formula) -> tuple[str, f.Formula] | None:
    match formula:
        case f.Not(f.Exists(f.Next(f.Not(operand)))):
            return "AX", operand
        case f.Not(operand):
            return "not", operand
        case f.Until(f.TRUE, operand):
            return "F", operand
        case f.Release(f.FALSE, operand):
            return "G", operand
        case f.Next(operand):
            return "X", operand
        case f.Since(f.TRUE, operand):
            return "O", operand
        case f.Trigger(f.FALSE, operand):
            return "H", operand
        case f.Yesterday(operand):
            return "Y", operand
        case _:
            return None
