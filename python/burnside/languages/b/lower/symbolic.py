"""Constants that are infinite sets. In: the conjuncts of PROPERTIES. Out: for such constants, the expression that each is.

`inc = %x.(x : NATURAL | x + 1)` has no value that a state could hold. A constant with an equation whose other side is
infinite by its form, and does not mention the constant itself, is no constant of the machine: it stands for that side
wherever it is used, which works where it is applied or tested for membership. Its equation is removed, and so are conjuncts
that say in which space it is (`inc : NATURAL --> NATURAL`): not all its pairs can be tried.

Intervals with too many elements to list (`word = 0..2**32 - 1`) are treated alike, and what is built of them. They
can be compared with other intervals, so what is said of such an interval itself stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from burnside.ir.sets import expressions as e
from burnside.languages.b.resolve.sizes import number_of
from burnside.languages.b.resolve.structure import conjunct_trees, names_in
from burnside.languages.b.syntax import expressions as t
from burnside.languages.b.syntax.expressions import Expression
from burnside.records import record

_WORDS = ("NATURAL", "NATURAL1", "INTEGER", "STRING", "succ", "pred")
LISTED = 2**21
"""So many elements a set may have that is listed."""
_SPACES = ("<->", "<<->", "<->>", "<<->>", "+->", "-->", "+->>", "-->>", ">+>", ">->", ">+>>", ">->>")


@record
class _Known:
    """What is known of constants: the trees some stand for, the numbers that others are."""

    trees: dict[str, Expression]
    numbers: dict[str, int]


def symbolic_constants(
    conjuncts: Iterable[Expression], constants: set[str], numbers: Mapping[str, int]
) -> dict[str, Expression]:
    """By name, the tree each stands for. One may mention others that were found before it, and `numbers`."""
    equations = [
        (left.text, right)
        for each in conjuncts
        if isinstance(each, t.Binary) and each.operator == "="
        for left, right in ((each.left, each.right), (each.right, each.left))
        if isinstance(left, t.Name) and left.text in constants
    ]
    known = _Known({}, dict(numbers))
    progress = True
    while progress:
        progress = any(_learn(name, tree, known) for name, tree in equations)
    return known.trees


def _learn(name: str, tree: Expression, known: _Known) -> bool:
    if name in known.trees or name in known.numbers:
        return False
    value = number_of(tree, known.numbers)
    if value is not None:
        known.numbers[name] = value
    elif is_infinite(tree, known) and not _comes_back(name, tree, known.trees):
        known.trees[name] = _with_numbers(tree, known)
    else:
        return False
    return True


def _with_numbers(tree: Expression, known: _Known) -> Expression:
    """An interval between numbers that are written down shows how large it is."""
    if not isinstance(tree, t.Binary) or tree.operator != "..":
        return tree
    low, high = (number_of(each, known.numbers) for each in (tree.left, tree.right))
    assert low is not None and high is not None
    return t.Binary(tree.at, "..", t.Number(tree.left.at, low), t.Number(tree.right.at, high))


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
    """Is it the equation of such a constant, or does it only say in which space one is?"""
    match conjunct:
        case t.Binary(_, "=", left, right):
            return any(
                isinstance(one, t.Name) and one.text in symbolic and symbolic[one.text].at is other.at
                for one, other in ((left, right), (right, left))
            )
        case t.Binary(_, ":" | "<:", t.Name(_, name), _):
            return name in symbolic and not _is_interval(name, symbolic)
        case _:
            return False


def _is_interval(name: str, symbolic: Mapping[str, Expression]) -> bool:
    tree = symbolic[name]
    while isinstance(tree, t.Name) and tree.text in symbolic:
        tree = symbolic[tree.text]
    return isinstance(tree, t.Binary) and tree.operator == ".."


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


def is_infinite(tree: Expression, known: _Known) -> bool:
    """Or too large, by its form. What is not seen here is left to enumeration, which refuses what it cannot bound."""

    def inner(each: Expression) -> bool:
        return is_infinite(each, known)

    match tree:
        case t.Constant(_, word):
            return word in _WORDS
        case t.Name(_, name):
            return name in known.trees
        case t.Binary(_, "..", left, right):
            low, high = number_of(left, known.numbers), number_of(right, known.numbers)
            return low is not None and high is not None and high - low >= LISTED
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


def _is_unbounded(name: str, condition: Expression, known: _Known) -> bool:
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
