"""Specifications of others, where they lie beside the project: is every one read, or refused where fuzz refuses it?"""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from burnside.diagnostics import BurnsideError
from burnside.languages.shared.files import read_source
from burnside.languages.z.parse import parse

from tests.languages.z.test_z_printing import check_round_trip

MODELS = Path(__file__).parents[3] / "shared" / "models" / "z"
ABSENT = pytest.mark.skip(reason="../shared/models/z is absent")
SYNTAX = ("Syntax error", "Adjacent names", "Tab command", "parenthesis expected", "does not match")
"""What fuzz says of an error that is not one of types."""
WITHOUT_Z = ("infrule_modus_ponens", "shows_operator")
"""Files that have no box, of which fuzz says nothing."""


def files() -> list[object]:
    if not MODELS.exists():
        return [pytest.param(Path(), None, marks=ABSENT)]
    with (MODELS / "parse.csv").open() as table:
        errors = {row["file"]: row["first_error"] for row in csv.DictReader(table)}
    paths = sorted((*MODELS.glob("models/*.tex"), *MODELS.glob("parse/*")))
    return [pytest.param(path, line_of(errors.get(path.name, "")), id=path.name) for path in paths]


def line_of(error: str) -> int | None:
    """The line of an error, if it is one of syntax."""
    found = re.match(r"line (\d+): ", error)
    return int(found[1]) if found is not None and any(each in error for each in SYNTAX) else None


@pytest.mark.parametrize(("path", "line"), files())
def test_file(path: Path, line: int | None) -> None:
    source = read_source(path)
    if path.stem.rsplit("__", 1)[-1] in WITHOUT_Z:
        assert not parse(source).paragraphs
        return
    if line is None:
        assert parse(source).paragraphs
        check_round_trip(source.text)
        return
    with pytest.raises(BurnsideError) as caught:
        parse(source)
    span = caught.value.diagnostic.span
    assert (None if span is None else span.line) == line
