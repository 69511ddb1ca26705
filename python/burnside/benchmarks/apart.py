"""Work in a process of its own, ended when its time is over.

In: a function that can be imported, its arguments, and a limit. Out: what it returns, or `TimeoutError`.
Needed where something may take for ever between two looks at the clock: a single canonical form under a
method that does not suit the net, or a call of another tool.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, TypeVar

Result = TypeVar("Result")


def apart(work: Callable[..., Result], *arguments: object, limit: float) -> Result:
    """TimeoutError beyond `limit` seconds; whatever the work raises comes back as RuntimeError with its words."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(there, work, arguments), daemon=True)
    process.start()
    there.close()
    try:
        answer: Result = _received(here, limit)
        return answer
    finally:
        process.kill()
        process.join()
        here.close()


def _work(there: Connection, work: Callable[..., object], arguments: tuple[object, ...]) -> None:
    try:
        answer = (True, work(*arguments))
    except Exception as error:
        answer = (False, str(error) or type(error).__name__)
    except KeyboardInterrupt:  # meant for the process that waits
        return
    there.send(answer)


def _received(here: Connection, limit: float) -> Any:
    if not here.poll(limit):
        raise TimeoutError(f"more than {limit:.0f} s")
    try:
        done, answer = here.recv()
    except EOFError:
        raise RuntimeError("the process ended without an answer") from None
    if not done:
        raise RuntimeError(answer)
    return answer
