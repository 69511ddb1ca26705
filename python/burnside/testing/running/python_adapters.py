"""Implementations of this process: objects, and callables that make them.

In: what a user of Python has. Out: an `Adapter`. There is no limit on time here: nothing can stop a function of this
process. What an implementation raises is a verdict, `SystemExit` too; only an interrupt ends the run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from burnside.diagnostics import BurnsideError, Diagnostic, UsageError
from burnside.testing.running.adapters import Adapter, Misbehaviour

Step = Callable[[str], str]


class Stepping(Protocol):
    def step(self, given: str, /) -> str: ...


class Implementation(Stepping, Protocol):
    def reset(self) -> object: ...


Start = Callable[[], Step | Stepping]
"""Called at each reset: it starts the implementation anew, and returns it, or the function that answers inputs."""


def adapter_of(implementation: Adapter | Implementation | Start) -> Adapter:
    """An object with `reset` and `step`, or a callable, such as a class."""
    is_object = not isinstance(implementation, type)
    if is_object and hasattr(implementation, "reset") and hasattr(implementation, "step"):
        return ObjectAdapter(implementation)
    if callable(implementation):
        return CallableAdapter(implementation)
    message = f"{implementation!r} is no implementation"
    hint = (
        "an object with reset() and step(input), a callable that returns one with step(input), or an adapter"
    )
    raise UsageError(Diagnostic(message, "run_suite", hint=hint))


class ObjectAdapter:
    """An object with `reset` and `step`. An adapter is one, too: what it raises on purpose passes, and it is closed."""

    def __init__(self, implementation: Implementation) -> None:
        self._implementation = implementation

    def reset(self) -> None:
        _guarded("reset", self._implementation.reset)

    def step(self, given: str, /) -> str:
        return _answered(self._implementation.step, given)

    def close(self) -> None:
        close = getattr(self._implementation, "close", None)
        if close is not None:
            close()


class CallableAdapter:
    """A callable that starts an implementation."""

    def __init__(self, start: Start) -> None:
        self._start = start
        self._step: Step | None = None

    def reset(self) -> None:
        self._step = None
        started = _guarded("reset", self._start)
        step = getattr(started, "step", started)
        if not callable(step):
            raise Misbehaviour("garbage", f"reset returned {started!r}, which answers no inputs")
        self._step = step

    def step(self, given: str, /) -> str:
        assert self._step is not None, "there was a reset"
        return _answered(self._step, given)

    def close(self) -> None:
        self._step = None


def _guarded(what: str, function: Callable[..., Any], *given: str) -> Any:
    try:
        return function(*given)
    except (Misbehaviour, BurnsideError):
        raise
    except (Exception, SystemExit) as error:
        raise Misbehaviour("exception", f"{what} raised {type(error).__name__}: {error}") from None


def _answered(step: Step, given: str) -> str:
    output = _guarded("it", step, given)
    if not isinstance(output, str):
        raise Misbehaviour("garbage", f"it answered {output!r}, which is no text")
    return output
