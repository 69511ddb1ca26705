"""Tables of results: what every benchmark yields, and the four forms in which they are seen.

In: a `TableSpec` and rows that arrive one by one, each as soon as it is measured. Out: text for a pipe, a
rich table for a terminal, CSV for programs, Markdown for the page. CSV holds bare numbers; people get
thousands separators.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from io import StringIO
from typing import TextIO

from burnside.outcome import readable
from burnside.records import field, record

Cell = str | int | float | None
NOTHING = "–"
"""How an empty cell is shown."""


@record
class TableSpec:
    """A table before anything is measured; `name` is the name of its CSV file."""

    name: str
    title: str
    columns: tuple[str, ...]
    note: str
    """What is measured, and how to read it."""
    draw: Callable[[Sequence[Sequence[str]]], str] | None = field(default=None, compare=False, repr=False)
    """Draws the rows of its CSV file as SVG, beside it."""


@record
class Row:
    """`wrong`: a count that must be exact is not. A missed speed is no reason to fail; it is shown."""

    cells: tuple[Cell, ...]
    wrong: bool = False


@record
class Table:
    """`rows` measures while it is read."""

    spec: TableSpec
    rows: Iterator[Row]


def without_figures(spec: TableSpec, name: str, why: str) -> Row:
    """A row that could not be measured."""
    return Row((name, *(None,) * (len(spec.columns) - 2), why))


def named(text: str) -> tuple[str, ...]:
    """Names of columns, as they stand above a table."""
    return tuple(name.strip() for name in text.split("|"))


def bare(cell: Cell) -> str:
    """As it stands in CSV: floats with three digits that mean something, nothing for None."""
    if cell is None:
        return ""
    return _decimal(cell) if isinstance(cell, float) else str(cell)


def _decimal(value: float) -> str:
    size = abs(value)
    if size >= 100:
        return f"{value:.0f}"
    decimals = next((d for d, least in ((1, 10.0), (2, 1.0), (3, 0.1)) if size >= least), 4)
    return f"{value:.{decimals}f}"


def shown(text: str) -> str:
    """The CSV form of a cell as people read it."""
    return readable(int(text)) if re.fullmatch(r"[0-9]{1,4000}", text) else text or NOTHING


def is_number(text: str) -> bool:
    return bool(re.fullmatch(r"[0-9][0-9,]*(\.[0-9]+)?|about [0-9.]+e[0-9]+", text))


def csv_text(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([bare(cell) for cell in row] for row in rows)
    return out.getvalue()


def markdown_lines(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """From the strings of a CSV file."""
    texts = [[shown(cell).replace("|", "\\|") for cell in row] for row in rows]
    sides = ["---:" if right else "---" for right in _right_aligned(len(columns), texts)]
    for line in (columns, sides, *texts):
        yield f"| {' | '.join(line)} |"


def plain_lines(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> Iterator[str]:
    texts = [[shown(bare(cell)) for cell in row] for row in rows]
    right = _right_aligned(len(columns), texts)
    widths = [max(map(len, column)) for column in zip(columns, *texts, strict=True)]
    for line in (columns, ["-" * width for width in widths], *texts):
        cells = zip(line, widths, right, strict=True)
        yield "  ".join(text.rjust(width) if at else text.ljust(width) for text, width, at in cells).rstrip()


def _right_aligned(columns: int, rows: Sequence[Sequence[str]]) -> list[bool]:
    """Columns that hold numbers and gaps only."""
    found = ([row[at] for row in rows if row[at] != NOTHING] for at in range(columns))
    return [bool(cells) and all(map(is_number, cells)) for cells in found]


def show(spec: TableSpec, rows: Sequence[Row], stream: TextIO) -> None:
    """A whole table: with lines and colour on a terminal that is wide enough; rich is loaded for terminals only."""
    lines = list(plain_lines(spec.columns, [row.cells for row in rows]))
    if stream.isatty() and _show_rich(spec, rows, stream, max(map(len, lines))):
        return
    stream.writelines(f"{line}\n" for line in ("", spec.title, "", *lines))
    stream.flush()


def _show_rich(spec: TableSpec, rows: Sequence[Row], stream: TextIO, width: int) -> bool:
    """False where cells would have to be cut."""
    from rich.console import Console
    from rich.table import Table as RichTable

    console = Console(file=stream, highlight=False, markup=False)
    if width + len(spec.columns) + 3 > console.width:
        return False
    texts = [[shown(bare(cell)) for cell in row.cells] for row in rows]
    table = RichTable(title=spec.title, title_justify="left")
    for column, right in zip(spec.columns, _right_aligned(len(spec.columns), texts), strict=True):
        table.add_column(column, justify="right" if right else "left")
    for row, line in zip(rows, texts, strict=True):
        table.add_row(*line, style="bold red" if row.wrong else None)
    console.print(table)
    return True
