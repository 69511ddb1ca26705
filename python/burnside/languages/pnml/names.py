"""What is shown of things that have an id and may have a name."""

from __future__ import annotations

from collections.abc import Sequence


def shown(ids: Sequence[str], names: Sequence[str | None]) -> tuple[str, ...]:
    """The names, where everything has one and no two are the same; else the ids."""
    present = [name for name in names if name is not None]
    return tuple(present) if len(set(present)) == len(ids) else tuple(ids)


def one_line(text: str) -> str:
    """A name as reports can show it: no blanks around it, no line breaks or tabs in it."""
    parts = "".join(each if each.isprintable() or each == " " else "\n" for each in text.strip()).split("\n")
    return " ".join(part for each in parts if (part := each.strip()))
