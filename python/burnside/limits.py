"""The time limit of a run: one `Deadline` from the first second on, passed to everything that may take long.

In: seconds. Out: `OutOfTime` where they are over. Loops in Python call `check`. `run` does work that cannot look at a clock
(reading, building groups, compiling) in a thread of its own, so that the caller can stop in time, and on Ctrl-C.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from threading import current_thread, main_thread
from typing import TypeVar

Result = TypeVar("Result")

INTERVAL = 0.05
"""Seconds between two looks at the clock."""
SHORTEST = 1e-3
"""A timer of no seconds would be none."""
STACK = 256 << 20
"""Expressions of models may be deep."""


SEARCH_SECONDS = 10.0
"""For finding symmetries, and at most half of all time: then a run goes on with those that are certified."""


class OutOfTime(Exception):
    """The time is over, or the result is no longer needed."""


def stopped_by(reason: OutOfTime | KeyboardInterrupt) -> str:
    """In the words of `Outcome.stopped`."""
    return "max-seconds" if isinstance(reason, OutOfTime) else "interrupted"


class Deadline:
    """A moment in time; none where `seconds` is None."""

    def __init__(self, seconds: float | None = None) -> None:
        self._end = inf if seconds is None else time.monotonic() + seconds

    @property
    def left(self) -> float | None:
        """Seconds; None where there is no limit."""
        return None if self._end == inf else max(0.0, self._end - time.monotonic())

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self._end

    def check(self) -> None:
        if self.is_over:
            raise OutOfTime

    def half(self) -> Deadline:
        """When half of what is left is over."""
        left = self.left
        return Deadline(None if left is None else left / 2)

    def run(self, work: Callable[[], Result]) -> Result:
        """What `work` returns or raises. Where the time is over, or on Ctrl-C, its thread is abandoned; it ends
        at its next `check`."""
        results: list[Result] = []
        errors: list[BaseException] = []

        def act() -> None:
            try:
                results.append(work())
            except BaseException as error:
                errors.append(error)

        before = threading.stack_size(STACK)
        try:
            thread = threading.Thread(target=act, daemon=True)
            thread.start()
        finally:
            threading.stack_size(before)
        try:
            while thread.is_alive():
                thread.join(INTERVAL)
                if thread.is_alive():
                    self.check()
        except BaseException:
            self._end = 0.0
            raise
        if errors:
            raise errors[0]
        return results[0]


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raises `OutOfTime` when they are over, whatever Python does then: within one step of the reference engine the clock is
    not checked. Signals are for the main thread; elsewhere, and where a timer is set already, nothing is raised."""
    if seconds == inf or current_thread() is not main_thread() or signal.getitimer(signal.ITIMER_REAL)[0]:
        yield
        return

    def over(*_: object) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, SHORTEST))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def search_time(deadline: Deadline) -> Deadline:
    """How long symmetries may be searched for."""
    left = deadline.left
    return Deadline(SEARCH_SECONDS if left is None else min(SEARCH_SECONDS, left / 2))
