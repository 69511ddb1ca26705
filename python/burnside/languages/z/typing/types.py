"""Types of Z.

Given sets, power sets, products and schema types, as in the reference manual. Shorthands (`NAME \\pfun DATE`, `\\seq X`,
the name of a schema or of an abbreviation) are kept for showing; `expanded` replaces them by what they stand for. Variables
stand for what inference has not found yet; the types of a specification that has been checked have none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from burnside.records import field, record

Fixity = Literal["word", "infix", "prefix", "postfix"]
"""How a name is written."""


@record
class GivenType:
    """A given set, a free type, or the numbers (`\\num`)."""

    name: str


@record
class FormalType:
    """A formal generic parameter, inside of the generic definition."""

    name: str


@record
class PowerType:
    base: Type


@record
class ProductType:
    factors: tuple[Type, ...]


@record
class Component:
    """`name` with its decoration."""

    name: str
    type: Type


@record
class SchemaType:
    """Components that have the same decoration stand together; these are in the order of their first mention."""

    components: tuple[Component, ...]


@record(eq=False, repr=False)
class Shorthand:
    """What a name in types stands for: `base`, with its formal parameters replaced."""

    name: str
    formals: tuple[str, ...]
    base: Type
    fixity: Fixity = "word"


@record
class AbbreviatedType:
    name: str
    parameters: tuple[Type, ...]
    shorthand: Shorthand = field(compare=False, repr=False)

    @property
    def expansion(self) -> Type:
        """One step: what it stands for may have shorthands again."""
        if not self.parameters:
            return self.shorthand.base
        return substituted(
            self.shorthand.base, dict(zip(self.shorthand.formals, self.parameters, strict=True))
        )


class Variable:
    """A type to be found. `owner` tells variables of one use of a generic name from all others."""

    __slots__ = ("owner", "value")

    def __init__(self, owner: object) -> None:
        self.owner = owner
        self.value: Type | None = None


Type = GivenType | FormalType | PowerType | ProductType | SchemaType | AbbreviatedType | Variable

NUMBER = GivenType("\\num")

TypeMap = dict[int, tuple["Type", "Type"]]
"""From the identity of a type; the type itself is kept, so that its identity is not given to another one."""


def pruned(type_: Type) -> Type:
    """The type itself, behind variables that have been found."""
    while type_.__class__ is Variable:
        value = type_.value
        if value is None:
            break
        type_ = value
    return type_


def opened(type_: Type) -> Type:
    """Without shorthands at its top."""
    while True:
        type_ = pruned(type_)
        if not isinstance(type_, AbbreviatedType):
            return type_
        type_ = type_.expansion


def substituted(type_: Type, values: Mapping[str, Type]) -> Type:
    """With types for formal generic parameters."""
    match type_:
        case FormalType(name):
            return values.get(name, type_)
        case PowerType(base):
            return PowerType(substituted(base, values))
        case ProductType(factors):
            return ProductType(tuple([substituted(each, values) for each in factors]))
        case SchemaType(components):
            return SchemaType(
                tuple([Component(each.name, substituted(each.type, values)) for each in components])
            )
        case AbbreviatedType(name, parameters, shorthand):
            return AbbreviatedType(name, tuple([substituted(each, values) for each in parameters]), shorthand)
    return type_


def resolved(type_: Type, known: TypeMap | None = None) -> Type:
    """With the values of variables in their place. What is shared stays shared."""
    return _rebuilt(type_, known if known is not None else {}, expand=False)


def expanded(type_: Type, known: TypeMap | None = None) -> Type:
    """Without shorthands, and with the values of variables in their place."""
    return _rebuilt(type_, known if known is not None else {}, expand=True)


def _rebuilt(type_: Type, known: TypeMap, *, expand: bool) -> Type:
    type_ = pruned(type_)
    if isinstance(type_, GivenType | FormalType | Variable):
        return type_
    found = known.get(id(type_))
    if found is None:
        found = known[id(type_)] = type_, _made(opened(type_) if expand else type_, known, expand=expand)
    return found[1]


def _made(type_: Type, known: TypeMap, *, expand: bool) -> Type:
    match type_:
        case PowerType(base):
            new = _rebuilt(base, known, expand=expand)
            return type_ if new is base else PowerType(new)
        case ProductType(factors):
            parts = tuple([_rebuilt(each, known, expand=expand) for each in factors])
            return type_ if _same(parts, factors) else ProductType(parts)
        case SchemaType(components):
            types = tuple([each.type for each in components])
            parts = tuple([_rebuilt(each, known, expand=expand) for each in types])
            if _same(parts, types):
                return type_
            named = zip(components, parts, strict=True)
            return SchemaType(tuple([Component(old.name, new) for old, new in named]))
        case AbbreviatedType(name, parameters, shorthand):
            parts = tuple([_rebuilt(each, known, expand=expand) for each in parameters])
            return type_ if _same(parts, parameters) else AbbreviatedType(name, parts, shorthand)
    return type_


def _same(new: tuple[Type, ...], old: tuple[Type, ...]) -> bool:
    return all(a is b for a, b in zip(new, old, strict=True))


def children(type_: Type) -> tuple[Type, ...]:
    match type_:
        case PowerType(base):
            return (base,)
        case ProductType(factors):
            return factors
        case SchemaType(components):
            return tuple([each.type for each in components])
        case AbbreviatedType(_, parameters, _):
            return parameters
    return ()


MAX_SIZE = 100_000
MAX_HEIGHT = 100
Measures = dict[int, tuple["Type", int, int]]
"""Sizes and heights, from the identity of a type, which is kept with them."""


def is_bounded(type_: Type, known: Measures) -> bool:
    """Whether a type without shorthands has at most `MAX_SIZE` nodes, shared parts counted wherever they stand, on at most
    `MAX_HEIGHT` levels. Types of a few lines can be as large as one likes."""
    size, height = _measured(type_, known)
    return size <= MAX_SIZE and height <= MAX_HEIGHT


def _measured(type_: Type, known: Measures) -> tuple[int, int]:
    type_ = pruned(type_)
    found = known.get(id(type_))
    if found is None:
        size = height = 0
        for each in children(opened(type_)):
            below = _measured(each, known)
            size += below[0]
            height = max(height, below[1])
        found = known[id(type_)] = type_, size + 1, height + 1
    return found[1:]


# Showing

PLAIN_NAMES = {
    "\\pfun": "-+>",
    "\\ffun": "-++>",
    "\\rel": "<->",
    "\\seq": "seq",
    "\\bag": "bag",
    "\\finset": "F",
    "\\nat": "NN",
    "\\num": "ZZ",
    "\\upto": "..",
    "\\#": "#",
    "\\power_1": "P_1",
    "\\id": "id",
    "\\mapsto": "|->",
    "\\dom": "dom",
    "\\ran": "ran",
    "\\fun": "-->",
    "\\pinj": ">+>",
    "\\inj": ">->",
    "\\psurj": "-+>>",
    "\\surj": "-->>",
    "\\bij": ">->>",
    "\\finj": ">++>",
    "\\disjoint": "disjoint",
    "\\partition": "partition",
    "(-)": "-",
}
"""Names as Spivey's type checker shows them."""

MAX_SHOWN_SIZE = 300
"""Nodes of a type that a message shows."""


def plain_name(name: str) -> str:
    """A name as Spivey's type checker shows it."""
    if name in PLAIN_NAMES:
        return PLAIN_NAMES[name]
    base = name.rstrip("'!?")
    return PLAIN_NAMES.get(base, base.replace("\\_", "_")) + name[len(base) :]


def show_type(type_: Type, formals: tuple[str, ...] = ()) -> str:
    """As Spivey's type checker shows it: `P NAME`, `seq ZZ`. `formals` are shown as `@1`, `@2`."""
    return _Plain(formals).text(type_, 3)


def written_type(type_: Type) -> str:
    """In mark-up, as in the specification: `\\power NAME`, `\\seq \\num`."""
    if _is_larger(type_, MAX_SHOWN_SIZE):
        return f"a type of more than {MAX_SHOWN_SIZE} parts"
    return _MarkedUp().text(type_, 3)


def _is_larger(type_: Type, limit: int) -> bool:
    """Of the type as it is shown; stops where the limit is reached."""
    count, waiting = 0, [type_]
    while waiting:
        count += 1
        if count > limit:
            return True
        waiting.extend(children(pruned(waiting.pop())))
    return False


class _Shown:
    """Levels: 0 names and what is in brackets, 1 power sets and prefix symbols, 2 products, 3 infix symbols."""

    power: str
    times: str
    binding: tuple[str, str, str]

    def name(self, name: str) -> str:
        raise NotImplementedError

    def formal(self, name: str) -> str:
        return self.name(name)

    def text(self, type_: Type, level: int) -> str:
        type_ = pruned(type_)
        own, text = self._text(type_)
        return f"({text})" if own > level else text

    def _text(self, type_: Type) -> tuple[int, str]:
        match type_:
            case GivenType(name):
                return 0, self.name(name)
            case FormalType(name):
                return 0, self.formal(name)
            case PowerType(base):
                return 1, f"{self.power} {self.text(base, 0)}"
            case ProductType(factors):
                return 2, f" {self.times} ".join([self.text(each, 1) for each in factors])
            case SchemaType(components):
                start, colon, end = self.binding
                inside = "; ".join(
                    [f"{self.name(each.name)}{colon} {self.text(each.type, 3)}" for each in components]
                )
                return 0, f"{start}{inside}{end}"
            case AbbreviatedType():
                return self._abbreviated(type_)
        return 0, "?"

    def _abbreviated(self, type_: AbbreviatedType) -> tuple[int, str]:
        name, parameters, fixity = self.name(type_.name), type_.parameters, type_.shorthand.fixity
        if fixity == "infix" and len(parameters) == 2:
            return 3, f"{self.text(parameters[0], 2)} {name} {self.text(parameters[1], 2)}"
        if fixity == "prefix" and len(parameters) == 1:
            return 1, f"{name} {self.text(parameters[0], 0)}"
        if not parameters:
            return 0, name
        return 0, f"{name}[{', '.join([self.text(each, 3) for each in parameters])}]"


class _Plain(_Shown):
    power, times, binding = "P", "x", ("<| ", ":", " |>")

    def __init__(self, formals: tuple[str, ...]) -> None:
        self.formals = formals

    def name(self, name: str) -> str:
        return plain_name(name)

    def formal(self, name: str) -> str:
        return f"@{self.formals.index(name) + 1}" if name in self.formals else self.name(name)


class _MarkedUp(_Shown):
    power, times, binding = "\\power", "\\cross", ("[", " :", "]")

    def name(self, name: str) -> str:
        return name
