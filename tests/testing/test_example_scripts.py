"""The scripts of `examples/testing`: what they print stands in their headers, and what they write is read again."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from burnside.testing.formats import read_machine
from burnside.testing.kernel import kernel
from burnside.testing.pattern_files import read_pattern

EXAMPLES = Path(__file__).parents[2] / "examples" / "testing"
EXPECTED = re.compile(r"^expect(?P<arguments>[^:]*): (?P<sizes>.*)$", re.MULTILINE)


def run(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(EXAMPLES / name), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.parametrize("name", ["chatbox.py", "train.py", "ring.py"])
def test_headers(name: str) -> None:
    expected = list(EXPECTED.finditer((EXAMPLES / name).read_text()))
    assert expected
    for each in expected:
        done = run(name, *each["arguments"].split())
        assert (done.returncode, done.stderr) == (0, "")
        sizes = re.sub(r": (\d+) states, (\d+) edges", r" \1 \2", done.stdout)
        assert ", ".join(sizes.splitlines()) == each["sizes"]


@pytest.mark.parametrize(
    ("name", "arguments", "states", "edges"),
    [
        ("chatbox.py", ["3", "--fixed"], 10, 84),
        ("train.py", ["4"], 1548, 8752),
        ("train.py", ["3", "--plain"], 185, 1044),
    ],
)
def test_files(tmp_path: Path, name: str, arguments: list[str], states: int, edges: int) -> None:
    assert run(name, *arguments, "-o", str(tmp_path / "new")).returncode == 0
    split = None if "--plain" in arguments else "slash"
    machine, written = (
        read_machine(tmp_path / "new" / f"{each}.aut", split) for each in ("machine", "kernel")
    )
    assert (len(written.states), len(written.edges)) == (states, edges)
    loaded = read_pattern(tmp_path / "new" / "pattern.toml", machine)
    found = kernel(machine, loaded.pattern, loaded.order)
    assert (len(found.states), len(found.edges)) == (states, edges)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chatbox.py", "1"], "users of 'chatbox' must be at least 2, not 1"),
        (["train.py", "four"], "must be a whole number"),
        (["chatbox.py", "2", "-o", __file__], "File exists"),
    ],
)
def test_refusals(arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert message in done.stderr and "Traceback" not in done.stderr
