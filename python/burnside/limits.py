"""The clock of a run: one `Deadline` from the first second on, passed to whatever may take long.

In: seconds. Out: `OutOfTime` where they are over. Loops in Python call `check`. `run` does work that cannot look at a clock
(reading, building groups, compiling) in a thread of its own, so that the caller answers in time, and Ctrl-C is heard.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from math import inf
from typing import TypeVar

Result = TypeVar("Result")

INTERVAL = 0.05
"""Seconds between two looks at the clock."""
STACK = 256 << 20
"""Expressions of models may be deep."""


SEARCH_SECONDS = 5.0
"""For finding symmetries, and at most half of all time: then a run goes on with those that are certified."""


class OutOfTime(Exception):
    """The time is over, or nobody waits for the result any longer."""


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
        """What `work` returns or raises. Where the time is over, or somebody interrupts, its thread is left behind; it ends
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


def search_time(deadline: Deadline) -> Deadline:
    """How long symmetries may be searched for."""
    left = deadline.left
    return Deadline(SEARCH_SECONDS if left is None else min(SEARCH_SECONDS, left / 2))
