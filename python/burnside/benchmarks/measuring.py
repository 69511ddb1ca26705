"""Running and timing the core: what all benchmarks share.

In: a net and the settings of a run. Out: `Timed`, the exploration with the median of its seconds. The
first run warms up; three more are measured, or as many as fit into a moment where runs are short, unless
the first took so long that it has to count itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import TYPE_CHECKING, Protocol, TypeVar

from burnside import families
from burnside.net import Net
from burnside.records import record
from burnside.symmetry.nets import core_net

if TYPE_CHECKING:
    from burnside import _core

REPETITIONS = 3
MOMENT = 0.5
"""Seconds to fill with more repetitions: three runs of a few milliseconds are too few."""
MAX_REPEATED_SECONDS = 30.0
"""A run of more seconds than this is not repeated."""


def family(spec: str) -> Net:
    """`grid 2 5`, as it stands in tables."""
    name, *parameters = spec.split()
    return families.build(name, parameters)


@record
class MethodSettings:
    """A canonicaliser and how it is run."""

    method: str = "search"
    guide: str = "partition"
    selector: str | None = None
    threads: int = 1
    stats: bool = False
    max_seconds: float | None = None


@record
class Prepared:
    """A net inside the core, with the group that fixes its initial marking."""

    net: Net
    handle: _core.Net
    group: _core.Group

    @property
    def size(self) -> int:
        """|P| + |T| + |F|."""
        return len(self.net.places) + len(self.net.transitions) + self.net.arcs


def prepare(net: Net) -> Prepared:
    from burnside import _core

    handle = core_net(net)
    return Prepared(net, handle, _core.automorphisms(handle, [net.initial], []))


@record
class Timed:
    exploration: _core.Exploration
    """Of the last run."""
    seconds: float
    """The median over the measured runs."""


def explore(prepared: Prepared, settings: MethodSettings) -> _core.Exploration:
    """One run; an interrupt is passed on, where the core would end with what it has."""
    from burnside import _core

    unreduced = settings.method == "none"
    found = _core.explore(
        prepared.handle,
        _core.trivial_group(prepared.handle) if unreduced else prepared.group,
        _core.Method(settings.method, settings.guide, settings.selector),
        _core.Settings(threads=settings.threads, stats=settings.stats, max_seconds=settings.max_seconds),
    )
    if found.stopped == "interrupted":
        raise KeyboardInterrupt
    return found


def timed(prepared: Prepared, settings: MethodSettings, max_seconds: float = MAX_REPEATED_SECONDS) -> Timed:
    return Timed(*repeated(lambda: explore(prepared, settings), max_seconds))


class MeasuredRun(Protocol):
    """What is measured of every exploration."""

    @property
    def seconds(self) -> float: ...
    @property
    def stopped(self) -> str: ...


AnyRun = TypeVar("AnyRun", bound=MeasuredRun)


def repeated(run: Callable[[], AnyRun], max_seconds: float = MAX_REPEATED_SECONDS) -> tuple[AnyRun, float]:
    """The last run, and the median of their seconds."""
    first = run()
    if first.seconds > max_seconds or first.stopped != "exhausted":
        return first, first.seconds
    repetitions = max(REPETITIONS, min(100, round(MOMENT / max(first.seconds, 1e-6))))
    runs = [run() for _ in range(repetitions)]
    return runs[-1], median(each.seconds for each in runs)


def median_seconds(work: Callable[[], object]) -> float:
    """Of anything that is called; the first call warms up."""
    work()
    return median(_seconds(work) for _ in range(REPETITIONS))


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def method_of_auto(net: Net) -> str:
    """What `--reduce auto` takes for this net."""
    from burnside import pipeline
    from burnside.request import Limits, Request

    outcome = pipeline.check(pipeline.model_of(net), Request(limits=Limits(states=1)))
    return outcome.reduction.name
