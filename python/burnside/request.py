"""What the user asked for, in the words of the command line; what it means is decided in `plan`.

In: options of `check` or keyword arguments of `burnside.check`. Out: one frozen `Request` that the
pipeline carries along. `None` means "not given", so that an option without effect can be distinguished
from a default.
"""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike, fspath
from typing import Any, Literal, TypedDict, Unpack

from burnside.records import record

Logic = Literal["ltl", "ctl"]
LOGICS: tuple[Logic, ...] = ("ltl", "ctl")


@record(kw_only=True)
class Limits:
    """Where a run ends with `unknown`. Memory counts bytes here and megabytes on the command line."""

    states: int | None = None
    seconds: float | None = None
    memory_bytes: int | None = None


@record
class AskedFormula:
    """A formula as it was written, and by which option."""

    logic: Logic
    text: str


@record(kw_only=True)
class Request:
    """One call of `check`. Names and meanings are those of the options."""

    reduce: str = "auto"
    symmetry: str = "auto"
    fixing: tuple[str, ...] | None = None
    broken: tuple[str, ...] = ()
    unfold: bool | None = None
    automorphisms: bool = False
    """Of the unfolded net, beside what the symmetries of the high-level net are on it."""
    engine: str = "core"
    order: str = "bfs"
    alpha: float | None = None
    seed: int | None = None
    threads: int | None = None
    guide: str | None = None
    selector: str | None = None
    budget: int | None = None
    rounds: int | None = None
    prune: bool = True
    deadlock: bool | None = None
    safe: bool = False
    invariants: tuple[str, ...] = ()
    goals: tuple[str, ...] = ()
    bounded: bool = False
    covers: tuple[str, ...] = ()
    cover_by: str | None = None
    """forward, backward or both; None: forward."""
    propositions: tuple[str, ...] = ()
    """Goals of which is only shown where they hold."""
    formulas: tuple[AskedFormula, ...] = ()
    property_files: tuple[str, ...] = ()
    cycles: tuple[str, ...] = ()
    examinations: tuple[str, ...] = ()
    fair: str | None = None
    fair_by: str | None = None
    keep_going: bool = False
    self_check: str | None = None
    """off, sample or full; None: a sample, where there is anything to check."""
    assume_bounds: bool = False
    stats: bool = False
    coverage: bool = False
    facts: bool = False
    """Bounds or dead transitions are to be shown: all states are explored also where only formulas are asked."""
    limits: Limits = Limits()

    @property
    def asks_coverability(self) -> bool:
        return self.bounded or bool(self.covers)

    @property
    def all_goals(self) -> list[tuple[str, str]]:
        """Each with its option."""
        options = [("--find", self.goals), ("--proposition", self.propositions)]
        return [(option, text) for option, texts in options for text in texts]


class CheckOptions(TypedDict, total=False):
    """The keyword arguments of `burnside.check`, beside `reduce`; as on the command line."""

    symmetry: str
    fixing: str | Iterable[str]
    broken: str | Iterable[str]
    unfold: bool
    automorphisms: bool
    engine: str
    order: str
    alpha: float
    seed: int
    threads: int
    guide: str
    selector: str
    budget: int
    rounds: int
    prune: bool
    deadlock: bool
    safe: bool
    invariants: str | Iterable[str]
    goals: str | Iterable[str]
    bounded: bool
    covers: str | Iterable[str]
    cover_by: str
    ltl: str | Iterable[str]
    ctl: str | Iterable[str]
    properties: str | PathLike[str] | Iterable[str | PathLike[str]]
    cycles: str | Iterable[str]
    examination: str | Iterable[str]
    fair: str
    fair_by: str
    keep_going: bool
    self_check: str
    assume_bounds: bool
    stats: bool
    coverage: bool
    limits: Limits


def request_of(*, reduce: str = "auto", **options: Unpack[CheckOptions]) -> Request:
    """A request from Python; a single expression, formula, file or marking may stand without its tuple."""
    several = {"fixing", "broken", "invariants", "goals", "covers", "cycles"}
    given: dict[str, Any] = {
        name: _several(value) if name in several else value for name, value in options.items()
    }
    formulas = [
        AskedFormula(logic, text) for logic in LOGICS for text in _several(given.pop(logic, None)) or ()
    ]
    return Request(
        reduce=reduce,
        formulas=tuple(formulas),
        property_files=_several(given.pop("properties", None)) or (),
        examinations=_several(given.pop("examination", None)) or (),
        **given,
    )


def _several(value: Any) -> tuple[str, ...] | None:
    if value is None:
        return None
    values = (value,) if isinstance(value, str | PathLike) else value
    return tuple(map(fspath, values))
