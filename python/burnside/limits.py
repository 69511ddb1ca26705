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
from typing import Generic, TypeVar

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

    def end(self) -> None:
        """It is over now."""
        self._end = 0.0

    def run(self, work: Callable[[], Result]) -> Result:
        """What `work` returns or raises. Where the time is over, or on Ctrl-C, its thread is abandoned; it ends
        at its next `check`, what the core does in it soon."""
        task = Task(work)
        try:
            while not task.wait(INTERVAL):
                self.check()
        except BaseException:
            self.end()
            task.cancel()
            raise
        return task.result()


class Task(Generic[Result]):
    """Work in a thread of its own."""

    def __init__(self, work: Callable[[], Result]) -> None:
        from burnside import _core

        self._results: list[Result] = []
        self._errors: list[BaseException] = []
        self._token = _core.Token()

        def act() -> None:
            self._token.enter()
            try:
                self._results.append(work())
            except BaseException as error:
                self._errors.append(error)

        before = threading.stack_size(STACK)
        try:
            self._thread = threading.Thread(target=act, daemon=True)
            self._thread.start()
        finally:
            threading.stack_size(before)

    @property
    def is_done(self) -> bool:
        return not self._thread.is_alive()

    @property
    def seconds(self) -> float:
        """That it has worked, as far as the system tells: a machine that is busy elsewhere does not count."""
        if self._thread.ident is None or not hasattr(time, "pthread_getcpuclockid"):
            return inf
        try:
            return time.clock_gettime(time.pthread_getcpuclockid(self._thread.ident))
        except OSError:  # it has just ended
            return 0.0

    def wait(self, seconds: float) -> bool:
        """Is it done by then?"""
        self._thread.join(seconds)
        return self.is_done

    def cancel(self) -> None:
        """What the core does in it ends soon."""
        self._token.cancel()

    @property
    def error(self) -> BaseException | None:
        """That the work raised."""
        return self._errors[0] if self._errors else None

    def result(self) -> Result:
        """What the work returned or raised."""
        self._thread.join()
        if self._errors:
            raise self._errors[0]
        return self._results[0]


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
