"""Local variables that turns of a loop use as scratch paper: written before they are read in every turn, not read later.

In: reads and writes of local variables, in the order of the text; ways that part and meet again. Out: a `Flow`, which knows
what was certainly written on the way and with which value, what was read without that, and what must not be read any more
because the order of some loop's turns shows in it. Reads of records count for each of their fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from burnside.ir.types import Record, Type
from burnside.records import field, record
from burnside.symmetry.accesses import ANY, Meeting, Named, Path, Step, Value
from burnside.symmetry.refusing import Refused

_ANYWHERE = Meeting()


@record(frozen=False)
class Flow:
    written: set[Path] = field(default_factory=set)
    """Certainly, on every way here."""
    values: dict[Path, Value] = field(default_factory=dict)
    """What was written there last, where that is known."""
    exposed: dict[Path, None] = field(default_factory=dict)
    """Read, and not certainly written before."""
    owed: dict[Path, Refused] = field(default_factory=dict)
    """Must not be read before it is written: why."""
    left: list[Flow] = field(default_factory=list)
    """Where `Return` left the block."""
    is_over: bool = False

    def read(self, path: Path, type_: Type | None = None) -> None:
        for part in _parts(path, type_):
            if any(_covers(each, part) for each in self.written):
                continue
            self.exposed.setdefault(part)
            for place, refused in self.owed.items():
                if not _ANYWHERE.apart(place, part):
                    raise refused

    def write(self, path: Path, value: Value = ANY) -> None:
        self.forget([path])
        if path.is_exact:
            if value != ANY:
                self.values[path] = value
            self.written.add(path)
            self.owed = {place: why for place, why in self.owed.items() if not _covers(path, place)}

    def forget(self, paths: Iterable[Path]) -> None:
        """Their values."""
        for path in paths:
            if self.values:
                self.values = {
                    place: value for place, value in self.values.items() if _ANYWHERE.apart(place, path)
                }

    def owe(self, path: Path, refused: Refused) -> None:
        self.owed[path] = refused
        self.written = {each for each in self.written if _ANYWHERE.apart(each, path)}

    def leave(self) -> None:
        self.left.append(self.part())
        self.is_over = True

    def values_at(self, path: Path, name: Path) -> Iterator[tuple[Path, Value]]:
        """What is known of a place and its parts, for another place that has the same content."""
        for place, value in self.values.items():
            if _covers(path, place):
                yield Path(name.root, name.steps + place.steps[len(path.steps) :]), value

    # Ways

    def part(self) -> Flow:
        """The same, to go on in one of several ways. What was exposed stays with this one."""
        return Flow(set(self.written), dict(self.values), owed=dict(self.owed))

    def meet(self, ways: Iterable[Flow]) -> None:
        """This way and the others come together again."""
        for way in ways:
            self.exposed.update(way.exposed)
            self.left += way.left
            if way.is_over:
                continue
            if self.is_over:
                self.written, self.values, self.owed = way.written, way.values, way.owed
                self.is_over = False
                continue
            self.written = self.written & way.written
            self.values = {
                path: value for path, value in self.values.items() if way.values.get(path) == value
            }
            self.owed = {**self.owed, **way.owed}

    def ended(self) -> Flow:
        """The end of a function's body, with all its returns."""
        whole = Flow(self.written, {}, self.exposed, self.owed, is_over=self.is_over)
        whole.meet(self.left)
        return whole

    def follow(self, other: Flow, inside: Set[str], *, certain: bool) -> None:
        """Then comes a block with names of its own; perhaps not, or several times, if that is not certain."""
        for path in other.exposed:
            if path.root not in inside:
                self.read(_widened(path, inside))
        if certain:
            for path in other.written:
                if not path.names & inside:
                    self.write(path)
        for way in (other, *other.left):
            for path, refused in way.owed.items():
                if path.root not in inside:
                    self.owe(_widened(path, inside), refused)
        if other.left:
            self.left.append(self.part())

    def is_scratch(self, path: Path) -> bool:
        """Written before all reads, in a block that ends here."""
        return path.is_exact and all(_ANYWHERE.apart(each, path) for each in self.exposed)

    def repeat(self) -> None:
        """The block comes again: does it read what it must not?"""
        for path in self.exposed:
            for place, refused in self.owed.items():
                if not _ANYWHERE.apart(place, path):
                    raise refused


def _parts(path: Path, type_: Type | None) -> Iterator[Path]:
    if isinstance(type_, Record):
        for each in type_.fields:
            yield from _parts(path / Step("field", each.name), each.type)
    else:
        yield path


def _covers(whole: Path, part: Path) -> bool:
    return whole.root == part.root and whole.steps == part.steps[: len(whole.steps)]


def _widened(path: Path, inside: Set[str]) -> Path:
    """Without names that mean something only inside."""
    steps = [
        Step(step.kind, ANY) if isinstance(step.at, Named) and step.at.name in inside else step
        for step in path.steps
    ]
    return Path(path.root, tuple(steps)).outside(inside)
