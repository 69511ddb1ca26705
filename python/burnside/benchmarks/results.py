"""The folder of results: one CSV file for each table, `machines.csv`, and the page made from them.

In: a finished table. Out: its CSV file, and `RESULTS.md` rewritten from all the CSV files that are there:
tables measured on another day stay, with their own machine and date. Files appear whole or not at all.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from burnside.benchmarks.host import Host
from burnside.benchmarks.tables import Row, TableSpec, csv_text, markdown_lines
from burnside.diagnostics import Diagnostic, UsageError
from burnside.output_files import write_atomically
from burnside.records import record

PAGE = "RESULTS.md"
MACHINES = "machines.csv"


@record
class Folder:
    """Where results go; `specs` are the tables it may hold, in the order of the page."""

    path: Path
    specs: Sequence[TableSpec]

    def prepare(self) -> None:
        """Refused before anything is measured for it."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise UsageError(
                Diagnostic(f"cannot make this folder: {reason}", source=str(self.path))
            ) from None
        self._write_page()

    def write(self, spec: TableSpec, rows: Sequence[Row], host: Host) -> None:
        write_atomically(self.path / f"{spec.name}.csv", csv_text(spec.columns, [row.cells for row in rows]))
        if spec.draw is not None:
            _, stored = self._stored(spec.name)
            write_atomically(self.path / f"{spec.name}.svg", spec.draw(stored))
        hosts = {**self._hosts(), spec.name: host}
        lines = [(name, *hosts[name].cells) for name in sorted(hosts)]
        write_atomically(self.path / MACHINES, csv_text(("table", *Host.columns()), lines))
        self._write_page()

    def _write_page(self) -> None:
        write_atomically(self.path / PAGE, "\n".join(self._page()) + "\n")

    def _page(self) -> Iterator[str]:
        hosts = self._hosts()
        present = [spec for spec in self.specs if (self.path / f"{spec.name}.csv").is_file()]
        yield "# Results"
        yield ""
        yield "Written by `burnside bench` from the CSV files beside it; do not edit. How to read it: README.md."
        numbers = _numbered([hosts[spec.name] for spec in present if spec.name in hosts])
        if numbers:
            yield from ("", *(f"* Machine {number}: {text}" for text, number in numbers.items()))
        if not present:
            yield from ("", "Nothing is measured yet.")
        for spec in present:
            yield from ("", f"## {spec.title}", "", spec.note)
            yield from _measured(hosts.get(spec.name), numbers)
            yield ""
            yield from markdown_lines(*self._stored(spec.name))
            if (self.path / f"{spec.name}.svg").is_file():
                yield from ("", f"![{spec.title}]({spec.name}.svg)")

    def _hosts(self) -> Mapping[str, Host]:
        if not (self.path / MACHINES).is_file():
            return {}
        columns, rows = self._stored("machines")
        known = (dict(zip(columns, row, strict=False)) for row in rows)
        wanted = Host.columns()
        return {each["table"]: Host(*(each.get(name, "") for name in wanted)) for each in known}

    def _stored(self, name: str) -> tuple[list[str], list[list[str]]]:
        with (self.path / f"{name}.csv").open(newline="", encoding="utf-8") as file:
            columns, *rows = csv.reader(file)
        return columns, [row for row in rows if len(row) == len(columns)]


def _numbered(hosts: Sequence[Host]) -> Mapping[str, int]:
    """Different hosts, in order of appearance."""
    return {text: number for number, text in enumerate(dict.fromkeys(map(str, hosts)), 1)}


def _measured(host: Host | None, numbers: Mapping[str, int]) -> Iterator[str]:
    if host is not None:
        load = f", load {host.load} before" if host.load else ""
        yield from ("", f"*{host.date}, machine {numbers[str(host)]}{load}.*")
