"""Constants that are defined by an equation, and stand for its other side.

`double == (\\lambda n: \\nat @ 2*n)` is an abbreviation. An axiomatic definition may say the same, `double = (\\lambda ...)`
or `\\forall n: \\nat @ double~n = 2*n`. Where the set is infinite a state could not hold the constant, so it stands for
the expression wherever it is applied. On finite sets the second form is read as the first, which finds the value at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from burnside.ir.sets.types import Set, is_finite
from burnside.languages.z import syntax as t
from burnside.languages.z.lower.meanings import NOWHERE
from burnside.languages.z.lower.walking import mentioned, nodes

if TYPE_CHECKING:
    from burnside.languages.z.lower.definitions import DefinitionLowering

TOTAL = frozenset(("\\fun", "\\inj", "\\surj", "\\bij"))


class Equations:
    def __init__(
        self,
        lowering: DefinitionLowering,
        axioms: Sequence[t.AxiomaticDefinition],
        constraints: Sequence[t.Constraint],
    ) -> None:
        self._lowering = lowering
        self._sets = dict(declared(axioms))
        predicates = [each for axiom in axioms for each in axiom.text.predicates]
        predicates += [each.predicate for each in constraints]
        self._meanings: dict[str, t.Expression] = {}
        used: dict[str, int] = {}
        for predicate in predicates:
            for name, value, whole in definitions(predicate, self._sets):
                if name in self._meanings or name in set(mentioned(value)):
                    continue
                if whole is not None and not same_set(whole, self._sets[name]):
                    continue
                if self._is_infinite(self._sets[name]):
                    self._meanings[name] = value
                    used[name] = id(predicate)
        for name in self._circular():
            del self._meanings[name]
        self._used = {each for name, each in used.items() if name in self._meanings}

    def _circular(self) -> list[str]:
        """Names that stand for something that mentions them in turn."""
        direct = {
            name: {each for each in mentioned(value) if each in self._meanings}
            for name, value in self._meanings.items()
        }

        def reached(name: str) -> set[str]:
            seen: set[str] = set()
            waiting = list(direct[name])
            while waiting:
                if (each := waiting.pop()) not in seen:
                    seen.add(each)
                    waiting += direct[each]
            return seen

        return [name for name in direct if name in reached(name)]

    def _is_infinite(self, set_: t.Expression) -> bool:
        type_ = self._lowering.value_type(self._lowering.element_type_at(set_, NOWHERE), {})
        if not isinstance(type_, Set) or is_finite(type_):
            return False
        return infinite_domain(set_)

    def meaning(self, name: str) -> t.Expression | None:
        return self._meanings.get(name)

    def is_used(self, predicate: t.Predicate) -> bool:
        """Is it the equation of a constant that stands for its other side?"""
        return id(predicate) in self._used

    def rewritten(self, predicate: t.Predicate) -> t.Predicate:
        """A function that is defined point by point, as an equation."""
        if isinstance(predicate, t.Quantified):
            for name, value, whole in definitions(predicate, self._sets):
                if (
                    whole is not None
                    and same_set(whole, self._sets[name])
                    and name not in set(mentioned(value))
                ):
                    return t.Equality(
                        predicate.at, t.Reference(predicate.at, t.Identifier(predicate.at, name)), value
                    )
        return predicate

    def generic(self, definition: t.GenericDefinition, name: str) -> t.Expression | None:
        """What a generic constant is equal to."""
        sets = dict(declared((definition,)))
        for predicate in definition.text.predicates:
            for found, value, whole in definitions(predicate, sets):
                is_whole = whole is None or same_set(whole, sets[name])
                if found == name and is_whole and name not in set(mentioned(value)):
                    return value
        return None


def declared(
    paragraphs: Sequence[t.AxiomaticDefinition | t.GenericDefinition],
) -> Iterator[tuple[str, t.Expression]]:
    for paragraph in paragraphs:
        for each in paragraph.text.declarations:
            if isinstance(each, t.Declaration):
                yield from ((name.text, each.set) for name in each.names)


def definitions(
    predicate: t.Predicate, sets: Mapping[str, t.Expression]
) -> Iterator[tuple[str, t.Expression, t.Expression | None]]:
    """Names that a predicate defines, with their values; and where it does so point by point, the set of the points."""
    match predicate:
        case t.Equality(_, left, right):
            for one, other in ((left, right), (right, left)):
                if isinstance(one, t.Reference) and one.name.text in sets and not one.parameters:
                    yield one.name.text, other, None
        case t.Quantified(
            at, "forall", t.SchemaText(_, declarations, ()) as text, t.Equality(_, left, right)
        ):
            names = [
                name.text for each in declarations if isinstance(each, t.Declaration) for name in each.names
            ]
            factors = [
                each.set for each in declarations if isinstance(each, t.Declaration) for _ in each.names
            ]
            if len(factors) < len(declarations):
                return
            points = factors[0] if len(factors) == 1 else t.Product(at, tuple(factors))
            # `f(n + 1) = g~n` is a case of f, not what g is.
            sides = ((left, right),) if _applies(left, sets) else ((left, right), (right, left))
            for one, other in sides:
                applied = _application(one)
                if applied is not None and applied[0] in sets and applied[1] == names:
                    yield applied[0], t.Lambda(at, text, other), points


def _applies(tree: t.Expression, names: Mapping[str, t.Expression]) -> bool:
    match tree:
        case t.Application(_, t.Reference(_, name, ())):
            return name.text in names
        case _:
            return False


def _application(tree: t.Expression) -> tuple[str, list[str]] | None:
    """`f(x, y)`, or `x \\op y`: the name that is applied, and to which names."""
    match tree:
        case t.Application(_, t.Reference(_, name, ()), argument):
            arguments = argument.elements if isinstance(argument, t.Tuple) else (argument,)
        case t.Infix(_, name, left, right):
            arguments = (left, right)
        case t.Postfix(_, name, operand):
            arguments = (operand,)
        case _:
            return None
    if all(isinstance(each, t.Reference) and not each.parameters for each in arguments):
        return name.text, [each.name.text for each in arguments if isinstance(each, t.Reference)]
    return None


def same_set(points: t.Expression, declared: t.Expression) -> bool:
    """Is a function, declared to be in this set, total on these points and on no others?"""
    return (
        isinstance(declared, t.InfixGeneric)
        and declared.operator.text in TOTAL
        and _alike(points, declared.left)
    )


def _alike(one: t.Expression, other: t.Expression) -> bool:
    """As they are written."""
    return [_shape(each) for each in nodes(one)] == [_shape(each) for each in nodes(other)]


def _shape(node: object) -> object:
    match node:
        case t.Identifier():
            return node.text
        case t.Number(_, value):
            return value
        case _:
            return type(node)


def infinite_domain(set_: t.Expression) -> bool:
    """Do its elements hold something for each number, by their form?"""
    match set_:
        case t.InfixGeneric(_, _, left, _):
            return any(
                (isinstance(each, t.Reference) and each.name.text in ("\\nat", "\\num", "\\nat_1"))
                or (isinstance(each, t.PrefixGeneric) and each.operator.text in ("\\seq", "\\seq_1", "\\bag"))
                for each in nodes(left)
            )
        case t.PowerSet(_, base):
            return infinite_domain(base) or isinstance(base, t.Product)
        case _:
            return False
