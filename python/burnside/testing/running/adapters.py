"""Adapters: how an implementation is reset, given an input, and asked for its output.

In: an implementation. Out: an `Adapter`: `python_adapters` for what lives in this process, `line_adapters` for commands and
TCP peers. What an implementation does wrong is a `Misbehaviour`, a verdict of the test: no answer in time, an end, an answer
that is no line of text, one that nobody asked for, an exception.
"""

from __future__ import annotations

from typing import Literal, Protocol

Kind = Literal["wrong output", "timeout", "died", "garbage", "exception"]


class Misbehaviour(Exception):
    """What an implementation did instead of answering."""

    def __init__(self, kind: Kind, what: str) -> None:
        super().__init__(what)
        self.kind, self.what = kind, what


class Adapter(Protocol):
    """`reset` and `step` raise `Misbehaviour`, and a `UsageError` where an implementation cannot even be started."""

    def reset(self) -> None: ...
    def step(self, given: str, /) -> str: ...
    def close(self) -> None: ...
