"""Work in a process of its own, ended when its time is over.

In: a function of a module, its arguments, and a limit. Out: what it returns, or `TimeoutError`. Needed where
something may take for ever without checking the clock: a single canonical form under a method that does
not suit the net, or a call of another tool. Function and answer travel as pickles through pipes; unlike
`multiprocessing`, the new process never imports the script that started this one.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


def apart(work: Callable[..., Result], *arguments: object, limit: float) -> Result:
    """TimeoutError beyond `limit` seconds; what the work raises comes back as RuntimeError in its words."""
    command = [sys.executable, "-c", f"from {__name__} import serve; serve()"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    try:
        done = subprocess.run(
            command,
            input=pickle.dumps((work, arguments)),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise TimeoutError(f"more than {limit:.0f} s") from None
    if done.returncode:
        raise RuntimeError(f"the process ended with code {done.returncode}")
    answer: Result | _Failure = pickle.loads(done.stdout)
    if isinstance(answer, _Failure):
        raise RuntimeError(answer.words)
    return answer


class _Failure:
    def __init__(self, words: str) -> None:
        self.words = words


def serve() -> None:
    """The other side: one piece of work from standard input, its answer to standard output."""
    work, arguments = pickle.load(sys.stdin.buffer)
    try:
        answer = work(*arguments)
    except Exception as error:
        answer = _Failure(str(error) or type(error).__name__)
    sys.stdout.buffer.write(pickle.dumps(answer))
