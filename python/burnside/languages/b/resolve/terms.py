"""Types while they are being found: terms with holes, and their unification.

In: pairs of terms that have to be equal, each with the place that says so. Out: terms without holes, or a `Clash` that has
both places. A hole keeps the place where it was filled, so that an error can name the other use.
"""

from __future__ import annotations

from collections.abc import Iterator

from burnside.languages.shared.spans import Extent
from burnside.records import record

Places = tuple[Extent, ...]
"""Where a type was decided: the nearest reason first, then the reasons behind it."""

MAX_REASONS = 4


class Hole:
    """An unknown type; later a link to what it was found to be, and the places that it follows from."""

    __slots__ = ("filled", "places")

    def __init__(self) -> None:
        self.filled: Term | None = None
        self.places: Places = ()


@record
class Basic:
    """INTEGER, BOOL, STRING."""

    name: str


@record
class Given:
    """A set of the SETS clause, or a set parameter."""

    name: str


@record(eq=False)
class SetOf:
    element: Term


@record(eq=False)
class PairOf:
    left: Term
    right: Term


@record(eq=False)
class RecordOf:
    """`names` are sorted, `types` stand in their order."""

    names: tuple[str, ...]
    types: tuple[Term, ...]


Term = Hole | Basic | Given | SetOf | PairOf | RecordOf

NUMBER = Basic("INTEGER")
TRUTH = Basic("BOOL")
STRING = Basic("STRING")


def relation(left: Term, right: Term) -> SetOf:
    return SetOf(PairOf(left, right))


def sequence(element: Term) -> SetOf:
    return relation(NUMBER, element)


def resolved(term: Term) -> Term:
    """The term itself, behind all filled holes."""
    while isinstance(term, Hole) and term.filled is not None:
        term = term.filled
    return term


def parts(term: Term) -> tuple[Term, ...]:
    match term:
        case SetOf(element):
            return (element,)
        case PairOf(left, right):
            return (left, right)
        case RecordOf(_, types):
            return types
        case _:
            return ()


def holes(term: Term) -> Iterator[Hole]:
    """Those still open in it."""
    stack = [term]
    while stack:
        found = resolved(stack.pop())
        if isinstance(found, Hole):
            yield found
        stack += parts(found)


def show(term: Term) -> str:
    """As `ir.sets.types.show_type`, with `?` for what is not known."""
    term = resolved(term)
    match term:
        case Basic(name) | Given(name):
            return name
        case SetOf(element):
            return f"POW({show(element)})"
        case PairOf(left, right):
            second = show(right)
            return f"{show(left)} * {f'({second})' if isinstance(resolved(right), PairOf) else second}"
        case RecordOf(names, types):
            fields = (f"{name}: {show(each)}" for name, each in zip(names, types, strict=True))
            return f"struct({', '.join(fields)})"
        case _:
            return "?"


class Clash(Exception):
    """Two terms cannot be equal. `left` and `right` are the parts that differ, with the places where each was decided."""

    def __init__(self, left: Term, right: Term, left_places: Places, right_places: Places) -> None:
        super().__init__()
        self.left = left
        self.right = right
        self.left_places = left_places
        self.right_places = right_places

    @property
    def is_endless(self) -> bool:
        """Would a type have to be a part of itself?"""
        return isinstance(self.left, Hole)


def unify(left: Term, right: Term, place: Extent) -> None:
    """Make both equal by filling holes; where that fails, holes filled on the way stay filled."""
    pending: list[tuple[Term, Term, Places, Places]] = [(left, right, (), ())]
    while pending:
        left, right, left_places, right_places = pending.pop()
        left, left_places = _followed(left, left_places)
        right, right_places = _followed(right, right_places)
        if left is right:
            continue
        if isinstance(left, Hole):
            _fill(left, right, place, right_places)
        elif isinstance(right, Hole):
            _fill(right, left, place, left_places)
        elif not _are_alike(left, right):
            raise Clash(left, right, left_places, right_places)
        else:
            pairs = zip(parts(left), parts(right), strict=True)
            pending += [(one, other, left_places, right_places) for one, other in pairs]


def _are_alike(left: Term, right: Term) -> bool:
    """On the outside."""
    if isinstance(left, Basic | Given) or isinstance(right, Basic | Given):
        return left == right
    if isinstance(left, RecordOf) and isinstance(right, RecordOf):
        return left.names == right.names
    return type(left) is type(right)


def _followed(term: Term, places: Places) -> tuple[Term, Places]:
    """Behind all filled holes, and why the last of them was filled."""
    while isinstance(term, Hole):
        if term.filled is None:
            break
        places, term = term.places, term.filled
    return term, places


def _fill(hole: Hole, term: Term, place: Extent, behind: Places) -> None:
    if any(each is hole for each in holes(term)):
        raise Clash(hole, term, (), behind)
    hole.filled = term
    hole.places = (place, *behind)[:MAX_REASONS]
