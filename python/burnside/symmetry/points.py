"""Points of a program: the elements of its sorts, in the order of the sorts, concatenated.

In: a program and a permutation as the images of its points. Out: a `Renaming`, with the moved elements of each sort, the
images of constants, and the types that can hold something that moves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from burnside.ir.program import Program
from burnside.ir.types import (
    BOOLEAN,
    NUMBERS,
    Array,
    Element,
    Field,
    Optional,
    Record,
    Scalar,
    Sort,
    Type,
    Union,
    bounds,
)
from burnside.ir.walking import nodes
from burnside.records import field, record

Images = tuple[int, ...]


class Sorted(Protocol):
    """Whatever has sorts: a program, a machine."""

    @property
    def sorts(self) -> tuple[Sort, ...]: ...


def point_names(program: Sorted) -> tuple[str, ...]:
    """The names of elements. Where a number is an element of several sorts, those of its sort are named with what they are
    numbers of."""
    count = Counter(element for sort in program.sorts for element in sort.elements)
    names: list[str] = []
    for sort in program.sorts:
        is_unique = sort.origin != NUMBERS or all(count[element] == 1 for element in sort.elements)
        label = sort.name.partition(" (")[0]
        names += sort.elements if is_unique else [f"{label}={element}" for element in sort.elements]
    return tuple(names)


def identity(program: Sorted) -> Images:
    return tuple(range(sum(sort.size for sort in program.sorts)))


def offset(program: Sorted, sort: Sort) -> int:
    """The point of a sort's first element."""
    return sum(each.size for each in program.sorts[: program.sorts.index(sort)])


def on_sort(program: Sorted, sort: Sort, images: Sequence[int]) -> Images:
    """The permutation that moves the elements of one sort alone."""
    first = offset(program, sort)
    result = list(identity(program))
    result[first : first + sort.size] = [first + image for image in images]
    return tuple(result)


def transposition(size: int, a: int, b: int) -> Images:
    images = list(range(size))
    images[a], images[b] = b, a
    return tuple(images)


def rotation(size: int, by: int = 1) -> Images:
    return tuple((each + by) % size for each in range(size))


def mirrored(size: int) -> Images:
    """A ring read backwards."""
    return tuple(-each % size for each in range(size))


def cycle_on(size: int, members: Sequence[int]) -> Images:
    """Each of the members to the next, the last to the first."""
    images = list(range(size))
    for each, following in zip(members, [*members[1:], members[0]], strict=True):
        images[each] = following
    return tuple(images)


def full(size: int, members: Sequence[int]) -> Iterator[Images]:
    """Generators of all permutations of some elements: a transposition and a long cycle."""
    if len(members) > 1:
        yield transposition(size, members[0], members[1])
    if len(members) > 2:
        yield cycle_on(size, members)


def composed(first: Sequence[int], second: Sequence[int]) -> Images:
    """First the one, then the other."""
    return tuple(second[image] for image in first)


def mentions(type_: Type, names: frozenset[str]) -> bool:
    """Can a value of this type, or an index of it, be an element of one of these sorts?"""
    for each in nodes(type_):
        if isinstance(each, Element):
            if each.sort.name in names:
                return True
        elif isinstance(each, Union) and any(sort.name in names for sort in each.sorts):
            return True
    return False


@record
class Renaming:
    """`images`: of the sorts that move, by name, the positions of the images."""

    images: dict[str, Images]
    moved: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "moved", frozenset(self.images))

    def value(self, value: int, scalar: Scalar) -> int:
        """What becomes of a constant."""
        match scalar:
            case Element(sort):
                return self._image(sort, value)
            case Union(sorts):
                first = 0
                for sort in sorts:
                    if value < first + sort.size:
                        return first + self._image(sort, value - first)
                    first += sort.size
        return value

    def _image(self, sort: Sort, position: int) -> int:
        images = self.images.get(sort.name)
        return position if images is None else images[position]

    def moves(self, type_: Type) -> bool:
        return mentions(type_, self.moved)

    def keeps_smallest(self, type_: Type) -> bool:
        """Is the smallest value of every scalar in it kept? That is what `Clear` writes."""
        match type_:
            case Array(_, element):
                return self.keeps_smallest(element)
            case Record(fields):
                return all(self.keeps_smallest(each.type) for each in fields)
            case Optional(inner):
                return self.keeps_smallest(inner)
            case Element() | Union():
                low, _ = bounds(type_)
                return self.value(low, type_) == low
            case _:
                return True

    def keeps_blank(self, type_: Type) -> bool:
        """The same for what is there before anything is written: where nothing can be undefined, the smallest value."""
        return self.keeps_smallest(without_optional(type_))


def without_optional(type_: Type) -> Type:
    """What is left of a type if scalars that may be undefined are taken for truth values, which nothing moves."""
    match type_:
        case Array(index, element):
            return Array(index, without_optional(element))
        case Record(fields):
            return Record(tuple(Field(each.name, without_optional(each.type)) for each in fields))
        case Optional():
            return BOOLEAN
        case _:
            return type_


def renaming(program: Program, permutation: Sequence[int]) -> Renaming:
    """A permutation of points that maps every sort to itself; anything else is a mistake of the caller."""
    if sorted(permutation) != list(range(sum(sort.size for sort in program.sorts))):
        raise ValueError("not a permutation of the program's points")
    images: dict[str, Images] = {}
    first = 0
    for sort in program.sorts:
        own = tuple(image - first for image in permutation[first : first + sort.size])
        if not all(0 <= image < sort.size for image in own):
            raise ValueError(f"elements of {sort.name} leave their sort")
        if own != tuple(range(sort.size)):
            images[sort.name] = own
        first += sort.size
    return Renaming(images)


def sort_names(sorts: Iterable[Sort]) -> str:
    return ", ".join(sort.name for sort in sorts)
