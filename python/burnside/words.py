"""Names, lists and changes of states in words: what reports, walks and drawings share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol, runtime_checkable

SHOWN_NAMES = 12
"""Names on one line before the rest is only counted."""
LABEL_WIDTH = 28
MAX_COLUMN = 72

PROCESS = re.compile(r"(\w+\(\d+\))(?::(.+))?")
"""The name of a process, and of a variable of its own: `client(5)`, `client(5):who`."""


def printable(name: str) -> str:
    """A name on one line, without characters that a terminal or a drawing would obey."""
    return "".join(c if c.isprintable() else " " for c in name)


def truncated_list(words: Sequence[str], shown: int | None = SHOWN_NAMES) -> str:
    """Names, and how many more there are."""
    if shown is None or len(words) <= shown:
        return ", ".join(words)
    return f"{', '.join(words[:shown])} and {len(words) - shown:,} more"


def wrapped(words: Iterable[str], width: int = LABEL_WIDTH) -> Iterator[str]:
    """Words joined by blanks into lines of about that many characters."""
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > width:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line


@runtime_checkable
class DescribesChanges(Protocol):
    """A state that says itself what is new in it."""

    def changes_from(self, before: Mapping[str, str]) -> list[str]: ...


def column_width(names: Sequence[str]) -> int:
    """Of names with text beside them; names that are much longer have it below."""
    return max((len(each) for each in names if len(each) <= MAX_COLUMN), default=0)


def changes(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Names come and go where entries of a bag do, and processes with their variables."""
    if isinstance(after, DescribesChanges):
        return after.changes_from(before)
    found: list[str] = []
    new: dict[str, list[str]] = {}
    for name, value in after.items():
        process = PROCESS.fullmatch(name)
        if process is not None and process[1] not in before:
            new.setdefault(process[1], []).append(f"{process[2]} = {value}" if process[2] else value)
        elif before.get(name) != value:
            found.append(f"{name}: {before.get(name, 'absent')} -> {value}")
    for name, (place, *own) in new.items():
        found.append(f"new {name} at {place}" + (f" ({', '.join(own)})" if own else ""))
    for name, value in before.items():
        process = PROCESS.fullmatch(name)
        if process is None or process[1] in after:
            found += [f"{name}: {value} -> absent"] if name not in after else []
        elif process[2] is None:
            found.append(f"{name} is gone")
    return found
