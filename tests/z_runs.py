"""Specifications that tests write down, explored or refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from burnside.diagnostics import BurnsideError
from burnside.languages.options import ReadOptions
from burnside.outcome import Outcome
from burnside.pipeline import check, read
from burnside.request import Request

STATE = r"""
\begin{zed} [X] \end{zed}
\begin{schema}{S} a : \power X; n : 0 \upto 3 \end{schema}
\begin{schema}{Init} S' \where a' = \emptyset; n' = 0 \end{schema}
"""
"""A state and its start; what is written behind it begins in line 5."""


def explored(folder: Path, text: str, sizes: dict[str, int] | None = None, **options: Any) -> Outcome:
    path = folder / "spec.tex"
    path.write_text(text)
    request = Request(**({"keep_going": True, "deadlock": False} | options))
    return check(read(path, options=ReadOptions(sizes or {})), request)


def counts(folder: Path, text: str, sizes: dict[str, int] | None = None) -> tuple[int, int]:
    """States and transitions, unreduced; both engines agree, and nothing was left out."""
    found = explored(folder, text, sizes, reduce="none")
    slow = explored(folder, text, sizes, reduce="none", engine="reference")
    assert found.stopped == slow.stopped == "exhausted"
    assert (found.states, found.transitions) == (slow.states, slow.transitions)
    return found.states, found.transitions


def refused(folder: Path, text: str, sizes: dict[str, int] | None = None, **options: Any) -> str:
    """The complaint, as a user sees it, without the name of the file."""
    with pytest.raises(BurnsideError) as error:
        explored(folder, text, sizes, **options)
    return error.value.diagnostic.render().replace(str(folder / "spec.tex"), "").removeprefix(":")
