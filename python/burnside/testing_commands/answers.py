"""What a command shows: its answer as text or JSON, and how far it is."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from burnside.report.json import dump
from burnside.report.lines import Line, show
from burnside.streams import write_output


@contextmanager
def progress_line(what: str) -> Iterator[Callable[[int], object] | None]:
    """A line on a terminal that renews itself, and goes at the end; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return

    def show_count(count: int) -> None:
        print(f"\r{what}: {count:,} steps", end="", file=sys.stderr, flush=True)

    try:
        yield show_count
    finally:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def answer(arguments: Namespace, record_: dict[str, Any], lines: Iterable[Line]) -> None:
    if arguments.json:
        document = dump(record_)
        write_output(lambda: sys.stdout.write(document))
    else:
        shown = list(lines)
        write_output(lambda: show(shown, sys.stdout))
