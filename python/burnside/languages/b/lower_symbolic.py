"""Constants that are infinite sets. In: the conjuncts of PROPERTIES. Out: for such constants, the expression that each is.

`inc = %x.(x : NATURAL | x + 1)` has no value that a state could hold. A constant with an equation whose other side is
infinite by its form, and does not speak of the constant itself, is no constant of the machine: it stands for that side
wherever it is used, which is well where it is applied or tested for membership. Its equation goes, and so do conjuncts that
say in which space it lies (`inc : NATURAL --> NATURAL`): nobody could look at all its pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from burnside.ir.sets import expressions as e
from burnside.languages.b import syntax as t
from burnside.languages.b.structure import conjunct_trees, names_in
from burnside.languages.b.syntax import Expression

_WORDS = ("NATURAL", "NATURAL1", "INTEGER", "STRING", "succ", "pred")
_SPACES = ("<->", "<<->", "<->>", "<<->>", "+->", "-->", "+->>", "-->>", ">+>", ">->", ">+>>", ">->>")


def symbolic_constants(conjuncts: Iterable[Expression], constants: set[str]) -> dict[str, Expression]:
    """By name, the tree each stands for. One may speak of others that were found before it."""
    equations = [
        (left.text, right)
        for each in conjuncts
        if isinstance(each, t.Binary) and each.operator == "="
        for left, right in ((each.left, each.right), (each.right, each.left))
        if isinstance(left, t.Name) and left.text in constants
    ]
    found: dict[str, Expression] = {}
    progress = True
    while progress:
        progress = False
        for name, tree in equations:
            if name not in found and is_infinite(tree, found) and not _comes_back(name, tree, found):
                found[name] = tree
                progress = True
    return found


def _comes_back(name: str, tree: Expression, found: Mapping[str, Expression]) -> bool:
    waiting, seen = [tree], set()
    while waiting:
        for each in names_in(waiting.pop()):
            if each.text == name:
                return True
            if each.text in found and each.text not in seen:
                seen.add(each.text)
                waiting.append(found[each.text])
    return False


def is_left_out(conjunct: Expression, symbolic: Mapping[str, Expression]) -> bool:
    """Is it the equation of such a constant, or does it only say where one lies?"""
    match conjunct:
        case t.Binary(_, "=", left, right):
            return any(
                isinstance(one, t.Name) and symbolic.get(one.text) is other
                for one, other in ((left, right), (right, left))
            )
        case t.Binary(_, ":" | "<:", t.Name(_, name), _):
            return name in symbolic
        case _:
            return False


def says_nothing(predicate: e.Expression) -> bool:
    """Is it a comparison of numbers that are written down, and true?"""
    match predicate:
        case e.Apply("less", (e.Literal(int(left)), e.Literal(int(right)))):
            return left < right
        case e.Apply("less-equal", (e.Literal(int(left)), e.Literal(int(right)))):
            return left <= right
        case e.Apply("equal", (e.Literal(left), e.Literal(right))):
            return left == right
        case _:
            return predicate == e.TRUE


def is_infinite(tree: Expression, known: Mapping[str, Expression]) -> bool:
    """By its form. What is not seen here is left to enumeration, which refuses what it cannot bound."""

    def inner(each: Expression) -> bool:
        return is_infinite(each, known)

    match tree:
        case t.Constant(_, word):
            return word in _WORDS
        case t.Name(_, name):
            return name in known
        case t.Unary(_, "seq" | "seq1", _):
            return True
        case t.Unary(_, "POW" | "POW1" | "FIN" | "FIN1" | "iseq" | "iseq1" | "id" | "~", operand):
            return inner(operand)
        case t.Binary(_, "*" | "\\/" | "<+" | "prj1" | "prj2", left, right):
            return inner(left) or inner(right)
        case t.Binary(_, operator, left, right) if operator in _SPACES:
            return inner(left) or inner(right)
        case t.Binary(_, "-" | "\\" | "<<|" | "|>>" as operator, left, right):
            return inner(right if operator == "<<|" else left)
        case t.Binary(_, "/\\" | ";", left, right):
            return inner(left) and inner(right)
        case t.RecordSet(_, fields):
            return any(inner(each.value) for each in fields)
        case t.Comprehension(_, names, condition, _) | t.Collected(_, "%", names, condition, _):
            return any(_is_unbounded(each.text, condition, known) for each in names)
        case _:
            return False


def _is_unbounded(name: str, condition: Expression, known: Mapping[str, Expression]) -> bool:
    """Does some conjunct put the name into an infinite set, and none bound it?"""
    infinite = False
    for each in conjunct_trees(condition):
        match each:
            case t.Binary(_, ":" | "<:", t.Name(_, own), set_) if own == name:
                if not is_infinite(set_, known):
                    return False
                infinite = True
            case t.Binary(_, "=" | "<" | "<=", left, right) if _is(left, name) or (
                each.operator == "=" and _is(right, name)
            ):
                return False
            case t.Binary(_, ">" | ">=", _, right) if _is(right, name):
                return False
            case t.Binary(_, ":", left, _) if any(one.text == name for one in names_in(left)):
                # `x |-> y : r`: whatever r is, it may be finite.
                return False
    return infinite


def _is(tree: Expression, name: str) -> bool:
    return isinstance(tree, t.Name) and tree.text == name
