"""Facts about what is defined, and about what local variables hold.

In: paths. Out: `FlowFacts`, and questions about them. A fact about `EVERY` index is one about all elements of an array;
facts about each constant index together are such a fact too.
"""

from __future__ import annotations

from burnside.ir.analysis import flat, walking
from burnside.ir.analysis.flat import Block, Expr
from burnside.ir.analysis.paths import Known, Path, PathStep, covering
from burnside.ir.types import Array, Record, Scalar, Type, bounds, size
from burnside.records import field, record

MAX_CELLS = 4096
"""Arrays filled element by element are followed up to this size."""


@record(frozen=False)
class FlowFacts:
    """`defined`: paths of scalars that are defined. `values`: the atoms that scalar local variables hold."""

    defined: set[Path] = field(default_factory=set)
    values: dict[Path, Expr] = field(default_factory=dict)

    def copy(self) -> FlowFacts:
        return FlowFacts(set(self.defined), dict(self.values))


Ways = FlowFacts | None
"""None: this point is never reached."""


def is_defined(facts: FlowFacts, path: Path, types: dict[str, Type]) -> bool:
    if any(each in facts.defined for each in covering(path)):
        return True
    for at, step in enumerate(path.steps):
        if step.kind == "index" and not (isinstance(step.at, Known) and step.at.value is not None):
            index = index_type(path, at, types)
            if index is None or size(index) > MAX_CELLS:
                return False
            low, high = bounds(index)
            return all(
                is_defined(facts, _at(path, at, Known(value=value, type=index)), types)
                for value in range(low, high + 1)
            )
    return False


def _at(path: Path, at: int, index: Known) -> Path:
    steps = (*path.steps[:at], PathStep("index", at=index), *path.steps[at + 1 :])
    return Path(path.root, path.is_state, steps)


def index_type(path: Path, at: int, types: dict[str, Type]) -> Scalar | None:
    """Of the array that a step goes into."""
    type_: Type | None = types.get(path.root)
    for step in path.steps[:at]:
        match type_:
            case Array(_, element):
                type_ = element
            case Record():
                type_ = type_.field_type(step.field)
            case _:
                return None
    return type_.index if isinstance(type_, Array) else None


def joined(one: Ways, other: Ways, types: dict[str, Type]) -> Ways:
    """What holds on both ways."""
    if one is None or other is None:
        return other if one is None else one
    defined = {each for each in one.defined if is_defined(other, each, types)}
    defined |= {each for each in other.defined if is_defined(one, each, types)}
    values = {path: atom for path, atom in one.values.items() if other.values.get(path) == atom}
    return FlowFacts(defined, values)


def bound_names(block: Block) -> set[str]:
    found = set()
    for each in walking.statements(block):
        match each:
            case flat.Let(name) | flat.For(flat.Binder(name)):
                found.add(name)
    return found


def without(facts: Ways, names: set[str]) -> Ways:
    """What does not mention names that mean nothing any more."""
    if facts is None or not names:
        return facts
    defined = {each for each in facts.defined if names.isdisjoint(each.names)}
    return FlowFacts(defined, {path: atom for path, atom in facts.values.items() if atom.name not in names})
