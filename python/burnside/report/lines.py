"""Lines of styled pieces: what reports for people are made of.

In: texts and styles. Out: lines, printed with colour on a terminal and plain elsewhere (NO_COLOR is respected).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TextIO

from burnside.records import record
from burnside.words import printable

LABEL_WIDTH = 14


@record
class Piece:
    text: str
    style: str = ""


Line = Sequence[Piece]


def show(lines: Iterable[Line], stream: TextIO) -> None:
    """Print; rich is loaded for terminals only."""
    if not stream.isatty() or os.environ.get("NO_COLOR"):
        stream.writelines(plain(line) + "\n" for line in lines)
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, highlight=False)
    for line in lines:
        pieces = ((printable(piece.text), piece.style) for piece in line)
        console.print(Text.assemble(*pieces), soft_wrap=True)


def plain(line: Line) -> str:
    return "".join(printable(piece.text) for piece in line).rstrip()


def figure(label: str, value: str) -> Line:
    return Piece(f"  {label:<{LABEL_WIDTH}}", "dim"), Piece(value)


def count(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
