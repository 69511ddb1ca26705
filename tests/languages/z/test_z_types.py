"""Types of specifications by others, where they lie beside the project, as Spivey's type checker lists them; and which
specifications it refuses, with the line of the first error."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from burnside.diagnostics import BurnsideError
from burnside.languages.shared.files import read_source
from burnside.languages.z.parse import parse
from burnside.languages.z.typing import CheckedSpecification, check
from burnside.languages.z.typing.listing import listed

MODELS = Path(__file__).parents[4] / "shared" / "models" / "z"
LINE = re.compile(r"line (\d+): ")


def rows() -> list[tuple[str, int | None]]:
    """Files, and the line of the first error where there is one."""
    path = MODELS / "parse.csv"
    if not path.is_file():
        return []
    with path.open(encoding="utf-8") as stream:
        found = [(row["file"], LINE.match(row["first_error"])) for row in csv.DictReader(stream)]
    return [(name, int(line[1]) if line else None) for name, line in found]


ROWS = rows()
LISTED = sorted((MODELS / "types").glob("*.txt"))
EACH_ROW = pytest.mark.parametrize(("name", "line"), ROWS, ids=[name for name, _ in ROWS])
EACH_LISTING = pytest.mark.parametrize("path", LISTED, ids=[path.stem for path in LISTED])


def checked(path: Path) -> CheckedSpecification:
    source = read_source(path)
    return check(parse(source), source)


def line_of_error(path: Path) -> int | None:
    try:
        checked(path)
    except BurnsideError as error:
        span = error.diagnostic.span
        assert span is not None
        return span.line
    return None


@pytest.mark.skipif(not ROWS or not LISTED, reason="../shared/models/z is absent")
def test_there_are_specifications() -> None:
    assert len(ROWS) == 114 and len(LISTED) == 34


@EACH_ROW
def test_refused_in_the_same_line(name: str, line: int | None) -> None:
    assert line_of_error(MODELS / "parse" / name) == line


@EACH_LISTING
def test_listing(path: Path) -> None:
    """Long lines are broken there, and blank lines stand between definitions."""
    (model,) = (MODELS / "models").glob(f"{path.stem}.*")
    definitions = [each for each in checked(model).globals.values() if each.kind != "toolkit"]
    found = [line for each in definitions for line in listed(each)]
    assert " ".join(found).split() == path.read_text(encoding="utf-8").split()
