"""States of a program that its types allow, reachable or not, and images of states under permutations of elements.

`StateSource` draws states. `image_of` is the same as `reference.values.permuted`, prepared once for many states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random

from burnside.ir.program import Program
from burnside.ir.types import Array, Bag, Optional, Record, Type, bounds, size
from burnside.reference.values import Generator, State, bag_of, code, renamed, width
from burnside.symmetry.points import mentions

Path = tuple[str, ...]
"""A variable and the fields that lead to a scalar, whatever the indices on the way."""


# Random states


class StateSource:
    """Draws states of a program. A scalar is undefined only where the same path is undefined in one of the `known` states:
    a certifier may use that a variable is never undefined, which is true of every reachable state."""

    def __init__(self, program: Program, known: Iterable[State], random: Random) -> None:
        self.program = program
        self.random = random
        self.known = list(known)
        self.undefined: set[Path] = set()
        for state in self.known:
            first = 0
            for variable in program.variables:
                last = first + width(variable.type)
                self.undefined.update(_undefined((variable.name,), variable.type, state[first:last]))
                first = last

    def uniform(self) -> State:
        """Every scalar evenly among its values; bags empty, full or in between."""
        cells: list[int] = []
        for variable in self.program.variables:
            cells += self._value((variable.name,), variable.type)
        return tuple(cells)

    def perturbed(self, changes: int) -> State:
        """A known state in which a few variables have new values."""
        state = list(self.random.choice(self.known))
        variables = self.program.variables
        for _ in range(changes):
            chosen = self.random.randrange(len(variables))
            first = sum(width(each.type) for each in variables[:chosen])
            type_ = variables[chosen].type
            new = self._changed((variables[chosen].name,), type_, state[first : first + width(type_)])
            state[first : first + width(type_)] = new
        return tuple(state)

    def some(self, count: int) -> list[State]:
        """Half of each kind."""
        if not self.known:
            return [self.uniform() for _ in range(count)]
        perturbed = (self.perturbed(1 + at % 3) for at in range(count - count // 2))
        return list(dict.fromkeys([*perturbed, *(self.uniform() for _ in range(count // 2))]))

    def _value(self, path: Path, type_: Type) -> list[int]:
        match type_:
            case Array(index, element):
                return [cell for _ in range(size(index)) for cell in self._value(path, element)]
            case Record(fields):
                return [cell for each in fields for cell in self._value((*path, each.name), each.type)]
            case Bag(element, capacity):
                number = self.random.choice((0, capacity, self.random.randint(0, capacity)))
                return list(bag_of(type_, [tuple(self._value(path, element)) for _ in range(number)]))
            case Optional(scalar):
                low, high = bounds(scalar)
                if path in self.undefined and self.random.randrange(high - low + 2) == 0:
                    return [0]
                return [code(self.random.randint(low, high), type_)]
            case _:
                return [code(self.random.randint(*bounds(type_)), type_)]

    def _changed(self, path: Path, type_: Type, cells: Sequence[int]) -> list[int]:
        """One part of the value is drawn again."""
        match type_:
            case Array(index, element):
                step, at = width(element), self.random.randrange(size(index))
                part = self._changed(path, element, cells[at * step : (at + 1) * step])
                return [*cells[: at * step], *part, *cells[(at + 1) * step :]]
            case Record(fields):
                chosen = self.random.randrange(len(fields))
                first = sum(width(each.type) for each in fields[:chosen])
                last = first + width(fields[chosen].type)
                name = fields[chosen].name
                part = self._changed((*path, name), fields[chosen].type, cells[first:last])
                return [*cells[:first], *part, *cells[last:]]
            case _:
                return self._value(path, type_)


def _undefined(path: Path, type_: Type, cells: Sequence[int]) -> Iterator[Path]:
    match type_:
        case Array(index, element):
            step = width(element)
            for at in range(size(index)):
                yield from _undefined(path, element, cells[at * step : (at + 1) * step])
        case Record(fields):
            first = 0
            for each in fields:
                last = first + width(each.type)
                yield from _undefined((*path, each.name), each.type, cells[first:last])
                first = last
        case Bag(element, capacity):
            step = 1 + width(element)
            for at in range(capacity):
                if cells[at * step]:
                    yield from _undefined(path, element, cells[at * step + 1 : (at + 1) * step])
        case Optional():
            if cells[0] == 0:
                yield path


# Images

Image = Callable[[Sequence[int]], State]


def image_of(program: Program, generator: Generator) -> Image:
    """The image of a state as a function."""
    sources: list[int] = []
    tables: list[tuple[int, list[int]]] = []
    bags: list[tuple[int, int, int, int, Image]] = []
    names = frozenset(name for name, images in generator.items() if list(images) != list(range(len(images))))

    def place(type_: Type, source: int) -> None:
        """Appends the cells of the image of the value whose cells begin at `source`."""
        match type_:
            case Array(index, element):
                low, step = bounds(index)[0], width(element)
                origin = {renamed(generator, low + at, index) - low: at for at in range(size(index))}
                for at in range(size(index)):
                    place(element, source + origin[at] * step)
            case Record(fields):
                for each in fields:
                    place(each.type, source)
                    source += width(each.type)
            case Bag(element):
                whole, step = width(type_), 1 + width(element)
                bags.append((len(sources), source, whole, step, _value_image(generator, element)))
                sources.extend(range(source, source + width(type_)))
            case _:
                if mentions(type_, names):
                    tables.append((len(sources), _table(generator, type_)))
                sources.append(source)

    first = 0
    for variable in program.variables:
        place(variable.type, first)
        first += width(variable.type)

    def image(state: Sequence[int]) -> State:
        cells = [state[source] for source in sources]
        for at, table in tables:
            cells[at] = table[cells[at]]
        for at, source, whole, step, inner in bags:
            entries = [
                (1, *inner(state[entry + 1 : entry + step]))
                for entry in range(source, source + whole, step)
                if state[entry]
            ]
            present = [cell for entry in sorted(entries) for cell in entry]
            cells[at : at + whole] = present + [0] * (whole - len(present))
        return tuple(cells)

    return image


def _value_image(generator: Generator, type_: Type) -> Image:
    """Of an entry of a bag: as a program with one variable."""
    from burnside.ir.expressions import Variable

    return image_of(Program("entry", (), (Variable("entry", type_, is_state=True),), (), ()), generator)


def _table(generator: Generator, type_: Type) -> list[int]:
    """From cell to cell."""
    scalar = type_.type if isinstance(type_, Optional) else type_
    assert not isinstance(scalar, Array | Record | Bag)
    low, high = bounds(scalar)
    moved = [code(renamed(generator, value, scalar), type_) for value in range(low, high + 1)]  # type: ignore[arg-type]
    return [0, *moved] if isinstance(type_, Optional) else moved
