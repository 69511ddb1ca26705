"""What random programs can mention, and how large their types are: used by `program_expressions` and above."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

from burnside.ir import expressions as e
from burnside.ir.types import (
    Array,
    Bag,
    Integer,
    Optional,
    Record,
    Scalar,
    Sort,
    Type,
    size,
    sorts_of,
)
from burnside.records import record, replace


@record
class Root:
    """A place that expressions may start from. `kind`: a variable of the state, an entry of a bag at a bound position,
    a local (by value), or an alias, which may overlap others."""

    place: e.Place
    type: Type
    kind: str
    writable: bool = True


@record
class Scope:
    """What may be mentioned. `total`: nothing that can fail. `result`: of the function around, False in an action."""

    roots: tuple[Root, ...]
    positions: tuple[tuple[e.Variable, e.Place], ...] = ()
    total: bool = False
    calls: bool = True
    result: Type | bool | None = False

    def plus(self, *roots: Root) -> Scope:
        return replace(self, roots=self.roots + roots)

    def at(self, position: e.Variable, bag: e.Place, *, as_number: bool) -> Scope:
        """With a bound position of a bag: its entry can be mentioned, and in asymmetric programs the number."""
        bag_type = e.type_of_place(bag)
        assert isinstance(bag_type, Bag)
        entry = Root(e.Entry(bag, e.Read(position)), bag_type.element, "entry")
        number = (Root(position, position.type, "local", writable=False),) if as_number else ()
        return replace(self.plus(entry, *number), positions=(*self.positions, (position, bag)))


@record
class Part:
    """A place inside a root: the steps to it (array and bag types, names of fields)."""

    root: Root
    steps: tuple[Array | Bag | str, ...]
    type: Type


def parts(root: Root) -> Iterator[Part]:
    def inside(steps: tuple[Array | Bag | str, ...], type_: Type) -> Iterator[Part]:
        yield Part(root, steps, type_)
        match type_:
            case Array(_, element) | Bag(element):
                yield from inside((*steps, type_), element)
            case Record(fields):
                for each in fields:
                    yield from inside((*steps, each.name), each.type)

    return inside((), root.type)


def scalar_of(type_: Type) -> Scalar | None:
    inner = type_.type if isinstance(type_, Optional) else type_
    return None if isinstance(inner, Array | Record | Bag) else inner


def kinds_match(wanted: Scalar, found: Scalar) -> bool:
    """Integers of any bounds go for each other."""
    return wanted == found or (isinstance(wanted, Integer) and isinstance(found, Integer))


def values(type_: Type) -> int:
    """How many values a type has: what bounds the number of states."""
    match type_:
        case Optional(inner):
            return size(inner) + 1
        case Array(index, element):
            return int(values(element) ** size(index))
        case Record(fields):
            product = 1
            for each in fields:
                product *= values(each.type)
            return product
        case Bag(element, capacity):
            return comb(values(element) + capacity, capacity)
        case _:
            return size(type_)


def element_of(value: int, scalar: Scalar) -> tuple[Sort | None, int]:
    """The sort that a value belongs to, if there is one, and the value's position there."""
    for sort in sorts_of(scalar):
        if value < sort.size:
            return sort, value
        value -= sort.size
    return None, value
