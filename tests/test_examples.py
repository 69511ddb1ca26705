"""One model file, one test: what the header comment of an example expects, every method must deliver.

A header holds `expect: KEY VALUE, ...` and, where a run needs options, `with: OPTIONS`. Of the unreduced net
are `states`, `transitions` and `deadlocks`; of every canonical method `orbits`, `edges` and `dead orbits`;
`group` is the order of the group; `verdict` and `stopped` are `holds` and `exhausted` unless said otherwise.
"""

from __future__ import annotations

import json
import re
import shlex
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from burnside.cli import main

EXAMPLES = sorted((Path(__file__).parent.parent / "examples" / "nets").iterdir())
KEYS = {
    "states", "transitions", "deadlocks", "orbits", "edges", "dead orbits", "group", "verdict", "stopped"
}  # fmt: skip
CANONICAL = {
    "flood": "--reduce flood",
    "nauty": "--reduce nauty",
    "search by partition": "--reduce search",
    "search by marking": "--reduce search --guide marking",
    "minimise": "--reduce minimise",
    "compare": "--reduce compare",
    "auto": "--reduce auto",
    "reference": "--engine reference",
    "search, unpruned": "--reduce search --no-prune",
    "search, two threads": "--reduce search --threads 2",
    "search, dfs": "--reduce search --order dfs",
    "search, mixed": "--reduce search --order mixed --seed 1",
    "search, random": "--reduce search --order random --seed 1",
}


@cache
def header(path: Path) -> tuple[dict[str, str], list[str]]:
    """What is expected, and the options of the run."""
    text = path.read_text()
    expected: dict[str, str] = {}
    for line in re.findall(r"^\W*expect: (.*)$", text, re.MULTILINE):
        for entry in line.split(","):
            key, value = entry.strip().rsplit(" ", 1)
            assert key in KEYS, f"{path.name}: nothing is called {key!r}"
            assert key not in expected, f"{path.name}: {key!r} is said twice"
            expected[key] = value
    options = re.findall(r"^\W*with: (.*)$", text, re.MULTILINE)
    return expected, shlex.split(" ".join(options))


def run(path: Path, options: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    code = main(["check", str(path), "--json", *header(path)[1], *options.split()])
    said = capsys.readouterr()
    assert said.err == ""
    outcome: dict[str, Any] = json.loads(said.out)
    assert code == {"holds": 0, "violated": 1, "unknown": 3}[outcome["verdict"]]
    expected = header(path)[0]
    assert outcome["verdict"] == expected.get("verdict", "holds")
    assert outcome["stopped"] == expected.get("stopped", "exhausted")
    return outcome


def compare(path: Path, found: dict[str, Any]) -> None:
    expected = header(path)[0]
    assert {key: str(value) for key, value in found.items() if key in expected} == {
        key: value for key, value in expected.items() if key in found
    }


def test_every_example_says_what_it_expects() -> None:
    assert EXAMPLES
    for path in EXAMPLES:
        assert {"states", "orbits", "group"} <= header(path)[0].keys(), path.name


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_unreduced(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outcome = run(path, "--reduce none", capsys)
    compare(path, {key: outcome[key] for key in ("states", "transitions", "deadlocks")})


@pytest.mark.parametrize("method", CANONICAL)
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_canonical(path: Path, method: str, capsys: pytest.CaptureFixture[str]) -> None:
    outcome = run(path, CANONICAL[method], capsys)
    found = {
        "orbits": outcome["states"],
        "edges": outcome["transitions"],
        "dead orbits": outcome["deadlocks"],
        "group": outcome["reduction"]["group_order"],
    }
    if outcome["stopped"] == "exhausted":
        found["states"] = outcome["full_states"]
    compare(path, found)


@pytest.mark.parametrize("options", ["", "--budget 10", "--guide marking"])
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_representatives(path: Path, options: str, capsys: pytest.CaptureFixture[str]) -> None:
    outcome = run(path, f"--reduce representative {options}", capsys)
    expected = header(path)[0]
    assert int(expected["orbits"]) <= outcome["states"] <= int(expected["states"])
    assert outcome["full_states"] is None
