"""Small programs out of failing ones: what can be left out while the failure stays is left out.

In: a text and a test of it. Out: a shorter text that passes the test. Pieces between semicolons go first, long runs of them
before short ones, then parentheses become a constant. A text that is no program any more fails the test.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator


def shrunk(text: str, fails: Callable[[str], bool]) -> str:
    while (smaller := next(filter(fails, _smaller(text)), None)) is not None:
        text = smaller
    return text


def _smaller(text: str) -> Iterator[str]:
    ends = [0, *(found.end() for found in re.finditer(r";", text))]
    for length in range(len(ends) - 1, 0, -1):
        for first in range(len(ends) - length):
            yield text[: ends[first]] + text[ends[first + length] :]
    for first, last in _parentheses(text):
        for constant in ("true", "false", text[first + 1 : last]):
            yield text[:first] + constant + text[last + 1 :]
    for word in re.finditer(r"\b(if .*? then|==>|else|& [a-z\[\].]+|\| [a-z\[\].]+|!)", text):
        yield text[: word.start()] + text[word.end() :]


def _parentheses(text: str) -> Iterator[tuple[int, int]]:
    """From the outermost inwards."""
    for first, character in enumerate(text):
        if character == "(":
            depth = 0
            for last in range(first, len(text)):
                depth += {"(": 1, ")": -1}.get(text[last], 0)
                if depth == 0:
                    if last - first > 5:
                        yield first, last
                    break
