"""Names and markings in words: what every report shares."""

from __future__ import annotations

from collections.abc import Sequence

from burnside.net import Net


def marking_words(net: Net, marking: Sequence[int]) -> list[str]:
    """The marked places, `fork_1` or `2*fork_1`, in the net's order."""
    return [
        printable(name) if tokens == 1 else f"{tokens}*{printable(name)}"
        for name, tokens in zip(net.places, marking, strict=True)
        if tokens
    ]


def printable(name: str) -> str:
    """A name on one line, without characters that a terminal or a drawing would obey."""
    return "".join(c if c.isprintable() else " " for c in name)
