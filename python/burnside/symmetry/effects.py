"""What a block does, as data: accesses, ways to end early, whether it can fail; and what is needed to find that out.

`collecting` makes `Effects` from statements. `Reading` is what it knows of the program, and what it remembers.
"""

from __future__ import annotations

from collections.abc import Callable

from burnside.diagnostics import Span
from burnside.ir import expressions as e
from burnside.ir.program import Program
from burnside.records import field, record, replace
from burnside.symmetry.accesses import Access, Path, Value
from burnside.symmetry.failing import Failing
from burnside.symmetry.flow import Flow

Meaning = Path | Value
"""What a name stands for: a place (parameters by reference, aliases) or a value."""


@record(frozen=False)
class Effects:
    """`returns` are the keys of what `Return` statements return that leave the block (None: not known). `flow` is only about
    local variables."""

    accesses: dict[Access, None] = field(default_factory=dict)
    inside: set[str] = field(default_factory=set)
    returns: list[object] = field(default_factory=list)
    asserted: set[int] = field(default_factory=set)
    assumes: bool = False
    covers: bool = False
    fails: bool = False
    flow: Flow = field(default_factory=Flow)

    def include(self, other: Effects) -> None:
        """Without what happens to variables that exist only there, and without the ends of a function."""
        for access in other.accesses:
            if access.path.root not in other.inside:
                path = access.path.outside(other.inside)
                self.accesses.setdefault(access if path is access.path else replace(access, path=path))
        self.inside |= other.inside
        self.asserted |= other.asserted
        self.assumes |= other.assumes
        self.covers |= other.covers
        self.fails |= other.fails

    @property
    def writes(self) -> dict[Access, None]:
        return {
            access: None
            for access in self.accesses
            if access.kind != "read" and access.path.root not in self.inside
        }

    @property
    def may_end(self) -> bool:
        """Can it end the action other than by an error of the model?"""
        return bool(self.returns or self.asserted or self.assumes or self.covers)


Watch = Callable[[e.Bound, Effects, "str", Span | None], None]
"""Called with a loop's bound name, the effects of one turn, and whether it is a statement or an expression."""


@record(frozen=False)
class Reading:
    """What is needed to read a program: its functions, names with one value, what can fail, who looks at loops."""

    program: Program
    failing: Failing
    steady: frozenset[str]
    watch: Watch | None = None

    def __post_init__(self) -> None:
        self.functions = {each.name: each for each in self.program.functions}
        self.state = frozenset(each.name for each in self.program.variables)
        parameters = [each for function in self.program.functions for each in function.parameters]
        self.references = frozenset(each.variable.name for each in parameters if each.by_reference)
        self.calls: dict[tuple[object, ...], Effects] = {}
        self.blocked: dict[int, list[list[int]]] = {}
