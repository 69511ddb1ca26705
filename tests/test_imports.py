"""Who may import whom: reports are for the command line alone, and no kind of model is known outside of `kinds`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "python" / "burnside"
MODULES = sorted(PACKAGE.rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield from (f"{node.module}.{each.name}" for each in node.names)


def importing(package: str, *allowed: str) -> set[str]:
    """Modules outside of the allowed ones that import from a package, by their paths."""
    found = set()
    for path in MODULES:
        name = path.relative_to(PACKAGE).as_posix()
        if any(each.startswith(f"{package}.") for each in imported(path)) and not name.startswith(allowed):
            found.add(name)
    return found


def test_reports_are_imported_by_the_command_line_alone() -> None:
    assert importing("burnside.report", "report/", "cli.py", "testing_commands/") == set()


def test_the_kinds_of_models_are_known_to_themselves() -> None:
    """Pictures of nets are of nets, coverability is that of nets; benchmarks measure one kind."""
    allowed = ("kinds/", "report/pictures.py", "coverability/", "benchmarks/")
    for kind in ("net", "highlevel", "program", "machine"):
        assert importing(f"burnside.kinds.{kind}", *allowed) == set()


def test_one_numbering_of_properties() -> None:
    numbering = re.compile(r"^DEADLOCK\b.* = ", re.MULTILINE)
    assert [path.name for path in MODULES if numbering.search(path.read_text())] == ["semantics.py"]
