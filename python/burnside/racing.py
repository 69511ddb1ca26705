"""A run without reduction beside the search for symmetries, where that takes long: nobody knows beforehand which is sooner.

In: what `Check.prepared` takes. Out: a `Check` and what it found. Where the group is known soon, nothing runs beside;
otherwise the first that has an answer wins, and the other is given up (docs/auto.md).
"""

from __future__ import annotations

import os
from threading import Lock
from typing import TYPE_CHECKING

from burnside.checking import Check
from burnside.diagnostics import BurnsideError, Diagnostic, UsageError
from burnside.engine import default_memory
from burnside.exploration import Exploration
from burnside.limits import INTERVAL, Deadline, OutOfTime, Task
from burnside.progress import Progress, Snapshot
from burnside.records import replace
from burnside.request import Request

if TYPE_CHECKING:
    from burnside.model import Model
    from burnside.temporal.asking import Asked

PATIENCE = 0.4
"""Seconds of work on symmetries before a run without them begins."""
PATIENCE_VARIABLE = "BURNSIDE_PATIENCE"
"""Of the environment: another number of seconds, `inf` for never. Tests set it, so that no timing decides one."""
SHARE = 4
"""One of so many parts of the memory is for the run without reduction."""
ANSWERS = ("exhausted", "violation")
LOST = ("max-states", "max-memory", "overflow", "limit", "bounded")
"""What may be otherwise in the reduced run."""

Explored = tuple[Check, Exploration | None]


def may_race(model: Model, request: Request) -> bool:
    """Only where nothing was asked of the reduction itself, and no symmetry is promised: one that is not kept is refused."""
    return (
        request.reduce == "auto"
        and request.symmetry == "auto"
        and request.engine == "core"
        and not getattr(model.subject, "promises", ())
        and request.self_check != "full"
        and not (request.stats or request.broken or request.asks_coverability)
    )


def explored(
    model: Model, request: Request, formulas: tuple[Asked, ...], progress: Progress, deadline: Deadline
) -> Explored:
    """No exploration where only formulas are asked."""
    race = _Race(model, request, formulas, progress, deadline)
    try:
        return race.run()
    except (OutOfTime, KeyboardInterrupt):
        deadline.end()
        raise
    finally:
        race.own_deadline.end()
        race.reduced.cancel()
        progress.close()


def _patience() -> float:
    said = os.environ.get(PATIENCE_VARIABLE)
    try:
        return PATIENCE if said is None else float(said)
    except ValueError:
        raise UsageError(Diagnostic(f"expected a number of seconds: {said!r}", PATIENCE_VARIABLE)) from None


class _Race:
    def __init__(
        self,
        model: Model,
        request: Request,
        formulas: tuple[Asked, ...],
        progress: Progress,
        deadline: Deadline,
    ) -> None:
        self.model, self.request, self.formulas = model, request, formulas
        self.progress, self.deadline, self.own_deadline = progress, deadline, Deadline(deadline.left)
        self.lock, self.is_race, self.prepared = Lock(), False, False
        self.reduced = Task(self._reduced)

    def _reduced(self) -> Explored:
        """In a thread of its own. Without a race the calling thread explores."""
        check = Check.prepared(self.model, self.request, self.own_deadline, self.formulas)
        with self.lock:
            self.prepared = True
            if not self.is_race or not check.explores:
                return check, None
        own = replace(check, request=self._with_memory(check.request, SHARE - 1))
        return check, own.explore(Progress(), self.own_deadline)

    def run(self) -> Explored:
        patience = _patience()
        while not self.reduced.wait(INTERVAL):
            self.deadline.check()
            if self.reduced.seconds > patience:
                break
        with self.lock:
            self.is_race = not self.prepared
        if not self.is_race:
            check, _ = self.reduced.result()
            return check, check.explore(self.progress, self.deadline) if check.explores else None
        try:
            found = self._unreduced()
        except BurnsideError:
            found = None  # the reduced run will say the same, or knows better
        if found is None or found[1] is None:
            return self._reduced_result()
        if found[1].stopped in ANSWERS or found[1].stopped not in LOST:
            return found
        try:
            return self._reduced_result()
        except OutOfTime:
            return found

    def _reduced_result(self) -> Explored:
        while not self.reduced.wait(INTERVAL):
            self.deadline.check()
        check, found = self.reduced.result()
        if found is None and check.explores:
            found = check.explore(self.progress, self.deadline)
        return check, found

    def _unreduced(self) -> Explored | None:
        """None where the reduced run was sooner."""
        request = replace(self._with_memory(self.request, 1), reduce="none", symmetry="auto", fixing=None)
        check = Check.prepared(self.model, request, self.deadline, self.formulas)
        if not check.explores:
            return None
        watch = _Watch(self.progress, self.reduced)
        found = check.explore(watch, self.deadline)
        if watch.is_over:
            return None
        if found.stopped in ANSWERS:
            what = "all states were explored" if found.stopped == "exhausted" else "the answer was known"
            than = "sooner than with symmetries" if self.prepared else "before symmetries were found"
            check = replace(check, plan=replace(check.plan, reason=f"{what} {than}"))
        else:
            reason = "the run ended before symmetries were known"
            check = replace(check, plan=replace(check.plan, reason=reason))
        return replace(check, request=replace(self.request, reduce="none")), found

    def _with_memory(self, request: Request, parts: int) -> Request:
        most = request.limits.memory_bytes or default_memory()
        if most is None:
            return request
        return replace(request, limits=replace(request.limits, memory_bytes=parts * most // SHARE))


class _Watch(Progress):
    """Ends the run when the other has a result. Where the other ran out of time this run has, too, and knows more."""

    wanted = True

    def __init__(self, inner: Progress, other: Task[Explored]) -> None:
        self.inner, self.other, self.is_over = inner, other, False

    def update(self, snapshot: Snapshot) -> None:
        if self.other.is_done and not isinstance(self.other.error, OutOfTime):
            self.is_over = True
            raise KeyboardInterrupt
        if self.inner.wanted:
            self.inner.update(snapshot)
