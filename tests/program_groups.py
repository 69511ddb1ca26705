"""Groups on the elements of sorts, and states for them to act on.

`actions` draws, sort by sort, all permutations, those that keep an element, rotations, even permutations; or elements of
two sorts moved together. A program that is symmetric in its full sorts is symmetric under each of these. `typed_states`
needs no program that does anything: canonical forms are about states, so any type and any value will do.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, zip_longest

from burnside import _core
from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.encoding import encoded
from burnside.ir.program import Action, Program
from burnside.ir.types import (
    BOOLEAN,
    Array,
    Bag,
    Element,
    Field,
    Integer,
    Optional,
    Record,
    Scalar,
    Sort,
    Type,
    Union,
    bounds,
    size,
)
from burnside.records import record, replace
from burnside.reference.values import (
    Generator,
    State,
    bag_entries,
    bag_of,
    code,
    limits,
    permuted,
    value_of,
    width,
)
from hypothesis import strategies as st

WIDEST = 40
"""Cells of a variable: more would take the time of all other laws together."""


@record
class Acting:
    """Generators of a group. `kept`: pairs of points that it maps to such pairs. `whole`: it is everything that its orbits
    and these pairs allow, which is where nauty may be asked."""

    sorts: tuple[Sort, ...]
    generators: tuple[Generator, ...]
    kept: tuple[tuple[int, int], ...] = ()
    whole: bool = False

    @property
    def group(self) -> _core.ElementGroup:
        points = sum(sort.size for sort in self.sorts)
        images = [points_of(self.sorts, each) for each in self.generators]
        return _core.ElementGroup(points, images, list(self.kept), self.whole)


def points_of(sorts: Sequence[Sort], generator: Generator) -> list[int]:
    """Images of points, which number the elements of all sorts in one row."""
    images: list[int] = []
    for sort in sorts:
        first = len(images)
        images += [first + image for image in generator.get(sort.name, range(sort.size))]
    return images


def compiled(program: Program) -> _core.Program:
    table = encoded(program)
    return _core.Program(table.texts, table.rows)


# Groups

WHOLE = ("all", "all but one", "ring")
KINDS = (*WHOLE, "rotations", "even")


def on_sort(kind: str, sort: Sort) -> list[Generator]:
    first = 1 if kind == "all but one" else 0
    moving = range(first, sort.size)
    match kind:
        case "all" | "all but one":
            cycles = [list(pair) for pair in pairwise(moving)]
        case "even":
            cycles = [[at, at + 1, at + 2] for at in range(sort.size - 2)]
        case _:
            cycles = [list(moving)]
    return [{sort.name: cycle(sort.size, members)} for members in cycles if len(members) > 1]


def cycle(count: int, members: Sequence[int]) -> tuple[int, ...]:
    images = list(range(count))
    for each, following in zip(members, [*members[1:], members[0]], strict=True):
        images[each] = following
    return tuple(images)


@st.composite
def actions(draw: st.DrawFn, sorts: tuple[Sort, ...]) -> Acting:
    """On the full ones among the sorts."""
    full = [sort for sort in sorts if sort.symmetry == "full"]
    kinds = {sort.name: draw(st.sampled_from(KINDS)) for sort in full}
    by_sort = [on_sort(kinds[sort.name], sort) for sort in full]
    if len(full) > 1 and draw(st.integers(0, 2)) == 0:
        return Acting(
            sorts, tuple({**one, **other} for one, other in zip_longest(*by_sort[:2], fillvalue={}))
        )
    kept, first = [], 0
    for sort in sorts:
        if kinds.get(sort.name) == "ring":
            kept += [(first + at, first + (at + 1) % sort.size) for at in range(sort.size)]
        first += sort.size
    whole = all(kind in WHOLE for kind in kinds.values())
    return Acting(sorts, tuple(each for made in by_sort for each in made), tuple(kept), whole)


WORDS = st.lists(st.integers(0, 11), min_size=1, max_size=6)


def image(program: Program, acting: Acting, word: Sequence[int], state: State) -> State:
    """The state under a product of generators, each given by a number of any size."""
    for number in word if acting.generators else ():
        state = permuted(program, acting.generators[number % len(acting.generators)], state)
    return state


# States


@record
class TypedStates:
    """Some states of some variables, each with its image under an element of the group. The program starts in every one
    of them, and does nothing."""

    program: Program
    acting: Acting
    pairs: tuple[tuple[State, State], ...]


@st.composite
def typed_states(draw: st.DrawFn, count: int = 1) -> TypedStates:
    sorts = (
        Sort("A", tuple(f"a{i}" for i in range(draw(st.sampled_from((3, 4, 2))))), "full", "sort"),
        Sort("B", tuple(f"b{i}" for i in range(draw(st.sampled_from((2, 3))))), "full", "sort"),
        Sort("C", ("c0", "c1"), "fixed", "sort"),
    )
    types = [draw(_types(sorts, 3).filter(lambda each: width(each) <= WIDEST)) for _ in range(2)]
    variables = tuple(e.Variable(f"v{number}", type_, is_state=True) for number, type_ in enumerate(types))
    program, acting = Program("states", sorts, variables, (), ()), draw(actions(sorts))
    pairs = []
    for _ in range(count):
        state = tuple(cell for type_ in types for cell in draw(_values(type_)))
        pairs.append((state, image(program, acting, draw(WORDS), state)))
    starts = tuple(Action("start", (), storing_state(variables, each)) for pair in pairs for each in pair)
    return TypedStates(replace(program, starts=starts), acting, tuple(pairs))


def _scalars(sorts: Sequence[Sort]) -> st.SearchStrategy[Scalar]:
    a, b, c = sorts
    choices = (Element(a), Element(b), BOOLEAN, Integer(-1, 1), Element(c), Union((a, b)), Union((c, a)))
    return st.sampled_from(choices)


def _types(sorts: Sequence[Sort], depth: int) -> st.SearchStrategy[Type]:
    """Plain elements as well as ones that may be undefined: an absent entry of a bag is zeros, which name no element."""
    scalars = _scalars(sorts)
    cells: st.SearchStrategy[Type] = st.one_of(scalars, scalars.map(Optional))
    if depth == 0:
        return cells
    inner = _types(sorts, depth - 1)
    bags = st.builds(Bag, inner, st.integers(1, 3))
    arrays = st.builds(Array, scalars, inner)
    records = st.tuples(inner, inner).map(lambda pair: Record((Field("f", pair[0]), Field("g", pair[1]))))
    return st.one_of(bags, arrays, records, cells)


@st.composite
def _values(draw: st.DrawFn, type_: Type) -> State:
    match type_:
        case Array(index, inner):
            return tuple(cell for _ in range(size(index)) for cell in draw(_values(inner)))
        case Record(fields):
            return tuple(cell for each in fields for cell in draw(_values(each.type)))
        case Bag(inner, capacity):
            return bag_of(type_, [draw(_values(inner)) for _ in range(draw(st.integers(0, capacity)))])
        case Optional(scalar):
            low, high = bounds(scalar)
            value = draw(st.integers(low - 1, high))
            return (code(None if value < low else value, type_),)
        case _:
            return (code(draw(st.integers(*bounds(type_))), type_),)


def storing_state(variables: Sequence[e.Variable], state: State) -> s.Block:
    block: list[s.Statement] = []
    first = 0
    for variable in variables:
        block += storing(variable, variable.type, state[first : first + width(variable.type)])
        first += width(variable.type)
    return tuple(block)


def storing(place: e.Place, type_: Type, cells: State) -> list[s.Statement]:
    """Statements that make an undefined place hold these cells."""
    block: list[s.Statement] = []
    match type_:
        case Array(index, inner):
            low, step = limits(index)[0], width(inner)
            for at in range(size(index)):
                part = cells[at * step : (at + 1) * step]
                block += storing(e.Index(place, e.Constant(low + at, index)), inner, part)
        case Record(fields):
            first = 0
            for each in fields:
                part = cells[first : first + width(each.type)]
                block += storing(e.Component(place, each.name), each.type, part)
                first += width(each.type)
        case Bag(inner):
            for number, entry in enumerate(bag_entries(type_, cells)):
                new = e.Variable(f"entry of {place} {number}", inner)
                block.append(s.Declare((new,), (*storing(new, inner, entry), s.Add(place, new))))
        case _:
            value = value_of(cells[0], type_)
            scalar = type_.type if isinstance(type_, Optional) else type_
            if value is not None:
                block.append(s.Assign(place, e.Constant(value, scalar)))
    return block
