"""Unification of types.

In: pairs of types that have to be equal. Out: values of variables, or False. Shorthands are equal to what they stand for. A
variable is given a type without shorthands, so that types do not depend on the order in which they are found; except that
variables of a *tame* function keep the shorthands of its arguments, and where two values of them differ only by shorthands
(`union`), those that both have.
"""

from __future__ import annotations

from collections.abc import Sequence

from burnside.languages.z.typing.types import (
    AbbreviatedType,
    Component,
    FormalType,
    GivenType,
    PowerType,
    ProductType,
    SchemaType,
    Type,
    TypeMap,
    Variable,
    children,
    opened,
    pruned,
)

MAX_STEPS = 1_000_000
"""Of unification in one paragraph. Types that are written in a few lines can be as large as one likes."""


class TooLarge(Exception):
    """More than `MAX_STEPS`."""


class Instance:
    """One use of a generic name, or of an empty display: `node` is what needs its `variables`."""

    __slots__ = ("node", "variables")

    def __init__(self, node: object, count: int) -> None:
        self.node = node
        self.variables: tuple[Variable, ...] = tuple([Variable(self) for _ in range(count)])

    @property
    def is_settled(self) -> bool:
        return all(each.value is not None for each in self.variables)


class Unifier:
    """`instances`: all that were made for a paragraph, in order."""

    def __init__(self) -> None:
        self.instances: list[Instance] = []
        self.steps = 0
        self._tame: Instance | None = None

    # Variables

    def instance(self, node: object, count: int) -> Instance:
        made = Instance(node, count)
        self.instances.append(made)
        return made

    def variable(self, node: object) -> Variable:
        return self.instance(node, 1).variables[0]

    # Types of a certain shape

    def base(self, type_: Type, node: object) -> Type | None:
        """Of a set: the type of its elements; None where the type is no set's."""
        type_ = opened(type_)
        if isinstance(type_, PowerType):
            return type_.base
        if isinstance(type_, Variable):
            element = self.variable(node)
            type_.value = PowerType(element)
            return element
        return None

    def relation(self, type_: Type, node: object) -> tuple[Type, Type] | None:
        """Of a set of pairs: the types of their halves."""
        type_ = opened(type_)
        if isinstance(type_, Variable):
            left, right = self.instance(node, 2).variables
            type_.value = PowerType(ProductType((left, right)))
            return left, right
        if not isinstance(type_, PowerType):
            return None
        base = opened(type_.base)
        if isinstance(base, Variable):
            left, right = self.instance(node, 2).variables
            base.value = ProductType((left, right))
            return left, right
        if isinstance(base, ProductType) and len(base.factors) == 2:
            return base.factors[0], base.factors[1]
        return None

    # Unification

    def unify(self, left: Type, right: Type, tame: Instance | None = None) -> bool:
        self._tame = tame
        return self._match(left, right)

    def _match(self, left: Type, right: Type) -> bool:
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise TooLarge
        while left is not right:
            if isinstance(left, Variable):
                return self._match_variable(left, right)
            if isinstance(right, Variable):
                return self._match_variable(right, left)
            if isinstance(left, AbbreviatedType):
                if isinstance(right, AbbreviatedType) and left.name == right.name:
                    return self._match_all(left.parameters, right.parameters)
                left = left.expansion
            elif isinstance(right, AbbreviatedType):
                right = right.expansion
            else:
                return self._match_parts(left, right)
        return True

    def _match_parts(self, left: Type, right: Type) -> bool:
        match left, right:
            case (GivenType(), GivenType()) | (FormalType(), FormalType()):
                return left == right
            case PowerType(base), PowerType(other):
                return self._match(base, other)
            case ProductType(factors), ProductType(others):
                return len(factors) == len(others) and self._match_all(factors, others)
            case SchemaType(components), SchemaType(others):
                return [each.name for each in components] == [each.name for each in others] and (
                    self._match_all(children(left), children(right))
                )
        return False

    def _match_all(self, left: Sequence[Type], right: Sequence[Type]) -> bool:
        return all(self._match(a, b) for a, b in zip(left, right, strict=True))

    def _match_variable(self, variable: Variable, type_: Type) -> bool:
        if variable.value is not None:
            if not self._match(variable.value, type_):
                return False
            if variable.owner is self._tame:
                variable.value = self.union(variable.value, type_)
        elif isinstance(type_, Variable) and type_.value is not None:
            return self._match_variable(type_, variable)
        elif type_ is variable:
            return True
        elif self._occurs(variable, type_, set()):
            return False
        elif variable.owner is self._tame:
            variable.value = type_
        elif isinstance(type_, Variable) and type_.owner is self._tame:
            type_.value = variable
        else:
            variable.value = self._plain(type_, {})
        return True

    def _occurs(self, variable: Variable, type_: Type, seen: set[int]) -> bool:
        type_ = pruned(type_)
        if type_ is variable:
            return True
        if id(type_) in seen:
            return False
        seen.add(id(type_))
        return any(self._occurs(variable, each, seen) for each in children(type_))

    def plain(self, type_: Type) -> Type:
        """Without shorthands."""
        self._tame = None
        return self._plain(type_, {})

    def _plain(self, type_: Type, known: TypeMap) -> Type:
        """Without shorthands, and without variables that may be given some."""
        type_ = pruned(type_)
        found = known.get(id(type_))
        if found is None:
            found = known[id(type_)] = type_, self._made_plain(opened(type_), known)
        return found[1]

    def _made_plain(self, type_: Type, known: TypeMap) -> Type:
        match type_:
            case Variable():
                if type_.owner is self._tame and isinstance(type_.owner, Instance):
                    type_.value = type_ = self.variable(type_.owner.node)
                return type_
            case PowerType(base):
                return PowerType(self._plain(base, known))
            case ProductType(factors):
                return ProductType(tuple([self._plain(each, known) for each in factors]))
            case SchemaType(components):
                return SchemaType(
                    tuple([Component(each.name, self._plain(each.type, known)) for each in components])
                )
        return type_

    def union(self, left: Type, right: Type) -> Type:
        """Of two types that were unified: with the shorthands that both have."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise TooLarge
        left, right = pruned(left), pruned(right)
        if left is right:
            return left
        match left, right:
            case AbbreviatedType(name, parameters, shorthand), AbbreviatedType(other, others, _):
                if name == other:
                    return AbbreviatedType(name, self._unions(parameters, others), shorthand)
        left, right = opened(left), opened(right)
        match left, right:
            case PowerType(base), PowerType(other_base):
                return PowerType(self.union(base, other_base))
            case ProductType(factors), ProductType(others):
                return ProductType(self._unions(factors, others))
            case SchemaType(components), SchemaType(_):
                types = self._unions(children(left), children(right))
                named = zip(components, types, strict=True)
                return SchemaType(tuple([Component(each.name, type_) for each, type_ in named]))
        return left

    def _unions(self, left: Sequence[Type], right: Sequence[Type]) -> tuple[Type, ...]:
        return tuple([self.union(a, b) for a, b in zip(left, right, strict=True)])


def identical(left: Type, right: Type) -> bool:
    """Equal without replacing any shorthand."""
    left, right = pruned(left), pruned(right)
    if left is right:
        return True
    if type(left) is not type(right):
        return False
    if isinstance(left, Variable | GivenType | FormalType):
        return left == right
    if isinstance(left, AbbreviatedType) and isinstance(right, AbbreviatedType) and left.name != right.name:
        return False
    if isinstance(left, SchemaType) and isinstance(right, SchemaType):
        names = [each.name for each in right.components]
        if [each.name for each in left.components] != names:
            return False
    below, others = children(left), children(right)
    return len(below) == len(others) and all(identical(a, b) for a, b in zip(below, others, strict=True))
