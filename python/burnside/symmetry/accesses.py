"""Which parts of the state (and of local variables) a statement reads and writes, and which two accesses do not meet.

A `Path` is a place as far as it is known from the text: a variable, fields, indices that are constants or names with one
value, and "any" for all other indices. Two turns of a loop, or two statements, can be exchanged where no access of one
meets a write of the other, or where both write in a way whose order does not show.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Any, Literal

from burnside.diagnostics import Span
from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Program
from burnside.ir.types import Integer, Scalar, show_value
from burnside.records import field, record
from burnside.symmetry.apart import plain_name
from burnside.symmetry.code import code

PLACES = (e.Variable, e.Index, e.Component, e.Entry)


@record
class Named:
    """The value of a name that has one value as long as it exists; other than the values of some other such names."""

    name: str
    but: frozenset[str] = frozenset()


@record
class Fixed:
    """A constant. Numbers of all integer types are alike."""

    value: int
    type: Scalar


@record
class AnyValue:
    """Not known."""


ANY = AnyValue()
Value = Named | Fixed | AnyValue


@record
class Step:
    """One step into a place: a field by name, an element of an array or an entry of a bag by a value."""

    kind: Literal["field", "index", "entry"]
    at: str | Value


@record
class Path:
    root: str
    steps: tuple[Step, ...] = ()

    def __truediv__(self, step: Step) -> Path:
        return Path(self.root, (*self.steps, step))

    @property
    def is_exact(self) -> bool:
        return all(step.at != ANY for step in self.steps)

    def outside(self, inside: Set[str]) -> Path:
        """The same, without saying how values differ from those of names that exist only inside."""
        if not any(isinstance(step.at, Named) and step.at.but & inside for step in self.steps):
            return self
        steps = [
            Step(step.kind, Named(step.at.name, step.at.but - inside)) if isinstance(step.at, Named) else step
            for step in self.steps
        ]
        return Path(self.root, tuple(steps))

    @property
    def names(self) -> frozenset[str]:
        """All names that it depends on, its variable included."""
        return frozenset([self.root, *(step.at.name for step in self.steps if isinstance(step.at, Named))])


Kind = Literal["read", "write", "set", "accumulate", "add", "remove"]


@record
class Access:
    """`key` says for `set` what is written, for `accumulate` what is done; `names` are those that the key depends on."""

    path: Path
    kind: Kind
    key: Any = None
    names: frozenset[str] = frozenset()
    span: Span | None = field(default=None, compare=False)


def fixed(value: int, type_: Scalar) -> Fixed:
    return Fixed(value, Integer() if isinstance(type_, Integer) else type_)


def show_path(path: Path) -> str:
    return plain_name(path.root) + "".join(_show_step(step) for step in path.steps)


def _show_step(step: Step) -> str:
    match step.at:
        case str():
            return f".{step.at}"
        case Named(name):
            return f"[{plain_name(name)}]"
        case Fixed(value, type_):
            return f"[{show_value(value, type_)}]"
        case _:
            return "[...]"


@record
class Meeting:
    """Decides whether accesses meet. `turn` is the name of a loop's variable if they belong to different turns of it;
    `state` and `references` are names of variables that one parameter by reference may stand for."""

    turn: str | None = None
    inside: frozenset[str] = frozenset()
    """Names that exist once in each turn."""
    state: frozenset[str] = frozenset()
    references: frozenset[str] = frozenset()

    def apart(self, one: Path, other: Path) -> bool:
        """Never the same place, nor one inside the other."""
        if one.root != other.root:
            return not self._may_alias(one.root, other.root)
        return any(self._differ(a, b) for a, b in zip(one.steps, other.steps, strict=False))

    def _may_alias(self, one: str, other: str) -> bool:
        shared = self.state | self.references
        return (one in self.references and other in shared) or (other in self.references and one in shared)

    def _differ(self, one: Step, other: Step) -> bool:
        match one.at, other.at:
            case str(), str():
                return one.at != other.at
            case Named(a, but_a), Named(b, but_b):
                return a == b == self.turn or self._is_other(a, but_b) or self._is_other(b, but_a)
            case Fixed(a, a_type), Fixed(b, b_type):
                return a_type == b_type and a != b
            case _:
                return False

    def _is_other(self, name: str, but: frozenset[str]) -> bool:
        """Is the value of this name another than one that belongs to perhaps another turn?"""
        return name in but and name != self.turn and name not in self.inside

    def conflict(self, write: Access, access: Access) -> bool:
        """Can the order of the two show?"""
        return not (self.apart(write.path, access.path) or self._agree(write, access))

    def _agree(self, one: Access, other: Access) -> bool:
        if one.kind == other.kind == "set":
            return bool(one.key == other.key) and not (one.names | other.names) & self.inside
        if one.kind == other.kind == "accumulate":
            return bool(one.key == other.key)
        if "add" in (one.kind, other.kind):
            # An added entry is one more; it disturbs no entry that is named by its position. But whether there is room
            # for it depends on what was removed before.
            return one.kind == other.kind or self._inside_entry(one, other) or self._inside_entry(other, one)
        return False

    @staticmethod
    def _inside_entry(add: Access, access: Access) -> bool:
        depth = len(add.path.steps)
        return (
            add.kind == "add"
            and access.kind not in ("add", "remove")
            and len(access.path.steps) > depth
            and access.path.steps[depth].kind == "entry"
        )

    def conflicts(
        self, writes: dict[Access, None], accesses: dict[Access, None]
    ) -> Iterator[tuple[Access, Access]]:
        by_root: dict[str, list[Access]] = {}
        for access in accesses:
            by_root.setdefault(access.path.root, []).append(access)
        for write in writes:
            if write.kind == "read":
                continue
            for access in self._candidates(write, by_root):
                if self.conflict(write, access):
                    yield write, access

    def _candidates(self, write: Access, by_root: dict[str, list[Access]]) -> Iterator[Access]:
        for root, group in by_root.items():
            if root == write.path.root or self._may_alias(root, write.path.root):
                yield from group


def root_of(place: e.Place) -> str:
    match place:
        case e.Variable(name):
            return name
        case e.Index(inner) | e.Component(inner) | e.Entry(inner):
            return root_of(inner)


def is_plain(place: e.Place, steady: frozenset[str]) -> bool:
    """A variable, with indices that are constants or among these names."""
    match place:
        case e.Variable():
            return True
        case e.Component(record):
            return is_plain(record, steady)
        case e.Index(array, index):
            return is_plain(array, steady) and is_steady(index, steady)
        case e.Entry():
            return False


def is_state(place: e.Place) -> bool:
    match place:
        case e.Variable():
            return place.is_state
        case e.Index(inner) | e.Component(inner) | e.Entry(inner):
            return is_state(inner)


def is_steady(index: e.Expression, steady: frozenset[str]) -> bool:
    match index:
        case e.Constant():
            return True
        case e.Read(e.Variable(name)):
            return name in steady
        case e.Convert(operand):
            return is_steady(operand, steady)
        case _:
            return False


def steady_names(program: Program) -> frozenset[str]:
    """Names that have one value as long as they exist: bound ones, and parameters by value that nothing is assigned to."""
    parameters = [each for function in program.functions for each in function.parameters]
    names = {node.name for node in code(program) if isinstance(node, e.Bound)}
    names |= {node.variable.name for node in code(program) if isinstance(node, s.Let)}
    by_value = {each.variable.name for each in parameters if not each.by_reference}
    return frozenset((names | by_value) - _changed(program))


def _changed(program: Program) -> set[str]:
    """Roots of all places that something may be written to."""
    references = {
        function.name: [each.by_reference for each in function.parameters] for function in program.functions
    }
    changed: set[str] = set()
    for node in code(program):
        match node:
            case s.Assign(place) | s.Copy(place) | s.CopyCall(place) | s.Clear(place) | s.Undefine(place):
                changed.add(root_of(place))
            case s.Add(place) | s.Remove(place) | s.Bind(_, place):
                changed.add(root_of(place))
            case e.Call(function, arguments):
                changed |= {
                    root_of(argument)
                    for argument, by_reference in zip(arguments, references[function], strict=True)
                    if by_reference and isinstance(argument, PLACES)
                }
    return changed
