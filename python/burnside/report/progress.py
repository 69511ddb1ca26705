"""Progress of a run, on standard error: a bar on a terminal, plain lines where asked for in a pipe, else
nothing.

In: snapshots from an engine, a few a second. Out: something to look at. Engines see `burnside.progress.Progress` alone.
"""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from burnside.progress import Progress, Snapshot

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

SECONDS_BETWEEN_LINES = 1.0


class Bar(Progress):
    """A line that renews itself; filled only where the number of states is limited."""

    wanted = True

    def __init__(self, max_states: int | None = None) -> None:
        self._max_states = max_states
        self._bar: RichProgress | None = None
        self._task: TaskID | None = None

    def update(self, snapshot: Snapshot) -> None:
        if self._bar is None:
            self._bar = _rich_bar()
            self._task = self._bar.add_task("", total=self._max_states, what="")
            self._bar.start()
        assert self._task is not None
        self._bar.update(self._task, completed=snapshot.states, what=describe(snapshot))

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


class Lines(Progress):
    """A plain line a second, for logs."""

    wanted = True

    def __init__(self) -> None:
        self._due = 0.0

    def update(self, snapshot: Snapshot) -> None:
        now = time.monotonic()
        if now >= self._due:
            self._due = now + SECONDS_BETWEEN_LINES
            with suppress(OSError):  # a closed pipe is no reason to end a run
                print(describe(snapshot), file=sys.stderr, flush=True)


def progress_for(wanted: bool | None, max_states: int | None = None) -> Progress:
    """`wanted` is what the user said; unsaid, a terminal gets a bar and a pipe gets nothing."""
    terminal = sys.stderr.isatty()
    if wanted is False or (wanted is None and not terminal):
        return Progress()
    return Bar(max_states) if terminal else Lines()


def describe(snapshot: Snapshot) -> str:
    rate = snapshot.states / snapshot.seconds if snapshot.seconds > 0 else 0.0
    # Depth is counted breadth first only.
    depth = f"  depth {snapshot.depth:,}" if snapshot.depth else ""
    return (
        f"{snapshot.states:,} states  {rate:,.0f} states/s  frontier {snapshot.frontier:,}{depth}  "
        f"{snapshot.memory_bytes / 1e6:,.0f} MB  {snapshot.seconds:,.0f} s"
    )


def _rich_bar() -> RichProgress:
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TextColumn
    from rich.progress import Progress as RichProgress

    columns = (SpinnerColumn(), BarColumn(bar_width=20), TextColumn("{task.fields[what]}"))
    return RichProgress(*columns, console=Console(stderr=True), transient=True)
