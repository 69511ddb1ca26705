"""Places as far as they are known without running anything.

A `Path` is a root, fields, and indices that are constants or names that have one value. Other indices are not known. Two
paths are *apart* where they certainly name different cells; one *covers* another where it certainly contains it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from burnside.ir.analysis.flat import Expr, Place, plain_name
from burnside.ir.types import Array, Bag, Record, Scalar, Type, show_value
from burnside.records import record


@record
class Known:
    """An index: a constant by its value, or the value of a name. Conversion keeps a name: number or element stay."""

    value: int | None = None
    name: str = ""
    type: Scalar | None = None


UNKNOWN: Literal["?"] = "?"
EVERY: Literal["*"] = "*"
"""All indices, where a path stands for many cells."""
Index = Known | Literal["?", "*"]


@record
class PathStep:
    """`field` has a name, `index` and `entry` have an index."""

    kind: Literal["field", "index", "entry"]
    field: str = ""
    at: Index = UNKNOWN


@record
class Path:
    root: str
    is_state: bool
    steps: tuple[PathStep, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        return frozenset(step.at.name for step in self.steps if isinstance(step.at, Known) and step.at.name)

    @property
    def is_exact(self) -> bool:
        """One place, whatever the state is."""
        return all(step.kind == "field" or isinstance(step.at, Known) for step in self.steps)

    def then(self, *steps: PathStep) -> Path:
        return Path(self.root, self.is_state, (*self.steps, *steps))


def known_index(expr: Expr, frozen: frozenset[str] = frozenset()) -> Index:
    """`frozen` are local variables that are written once, where they are declared: as good as names."""
    match expr.op:
        case "const":
            return Known(value=expr.value, type=expr.type)
        case "name":
            return Known(name=expr.name)
        case "load" if not expr.places[0].steps and expr.places[0].root in frozen:
            return Known(name=expr.places[0].root)
        case "convert":
            inner = known_index(expr.args[0], frozen)
            return inner if isinstance(inner, Known) and inner.name else UNKNOWN
        case _:
            return UNKNOWN


def path_of(place: Place, frozen: frozenset[str] = frozenset()) -> Path:
    steps = []
    for step in place.steps:
        if step.index is None:
            steps.append(PathStep("field", step.name))
        else:
            steps.append(PathStep(step.kind, at=known_index(step.index, frozen)))
    return Path(place.root, place.is_state, tuple(steps))


def covers(whole: Path, part: Path) -> bool:
    """Does the one certainly contain the other? `EVERY` contains all indices."""
    if whole.root != part.root or len(whole.steps) > len(part.steps):
        return False
    return all(_contains(a, b) for a, b in zip(whole.steps, part.steps, strict=False))


def covering(path: Path) -> Iterator[Path]:
    """The paths that cover this one: it, what it is in, and these with `EVERY` in the place of indices."""
    heads: list[tuple[PathStep, ...]] = [()]
    yield Path(path.root, path.is_state)
    for step in path.steps:
        ways = [step] if step.kind == "field" or step.at != UNKNOWN else []
        if step.kind != "field" and step.at != EVERY:
            ways.append(PathStep(step.kind, at=EVERY))
        heads = [(*head, way) for head in heads for way in ways]
        for head in heads:
            yield Path(path.root, path.is_state, head)


def _contains(one: PathStep, other: PathStep) -> bool:
    if one.kind == "field":
        return one == other
    return one.at == EVERY or (one.at != UNKNOWN and one.at == other.at)


def may_overlap(one: Path, other: Path) -> bool:
    """Are they perhaps the same cells, or one inside the other? Decided from variables, fields and constants alone."""
    pairs = zip(one.steps, other.steps, strict=False)
    return one.root == other.root and not any(steps_differ(a, b) for a, b in pairs)


def steps_differ(one: PathStep, other: PathStep) -> bool:
    """Certainly into different cells of one place."""
    if one.kind == "field" or other.kind == "field":
        return one != other
    match one.at, other.at:
        case Known(value=int(a)), Known(value=int(b)):
            return a != b
    return False


def leaf_paths(path: Path, type_: Type) -> list[Path]:
    """The scalars at a place, all elements of an array as one; bags have none."""
    match type_:
        case Record(fields):
            return [
                leaf
                for each in fields
                for leaf in leaf_paths(path.then(PathStep("field", each.name)), each.type)
            ]
        case Array(_, element):
            return leaf_paths(path.then(PathStep("index", at=EVERY)), element)
        case Bag():
            return []
        case _:
            return [path]


def show_path(path: Path) -> str:
    return plain_name(path.root) + "".join(map(_show_step, path.steps))


def _show_step(step: PathStep) -> str:
    if step.kind == "field":
        return f".{step.field}"
    match step.at:
        case Known(value=int(value), type=type_) if type_ is not None:
            return f"[{show_value(value, type_)}]"
        case Known(name=name):
            return f"[{plain_name(name)}]"
        case _:
            return "[...]"
