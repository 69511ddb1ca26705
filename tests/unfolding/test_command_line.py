"""`burnside unfold`: what is written is read back, what is said, what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from burnside.cli import main
from burnside.exit_codes import DONE, UNKNOWN, WRONG
from burnside.languages import read
from burnside.net import Net
from burnside.unfolding import unfold

ROOT = Path(__file__).parents[2]
RAILROAD = ROOT / "examples" / "hln" / "railroad.hln"


def unfolded(model: Path) -> Net:
    return unfold(read(model)).net  # type: ignore[arg-type]


@pytest.mark.parametrize("extension", ["pnml", "lola"])
def test_what_is_written_is_read_back(tmp_path: Path, extension: str) -> None:
    output = tmp_path / f"net.{extension}"
    assert main(["unfold", str(RAILROAD), "-o", str(output)]) == DONE
    again, net = read(output), unfolded(RAILROAD)
    assert isinstance(again, Net)
    assert again.places == net.places
    assert again.transitions == net.transitions
    assert (again.initial, again.consumes, again.produces) == (net.initial, net.consumes, net.produces)


def test_what_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output, net = tmp_path / "net.pnml", unfolded(RAILROAD)
    assert main(["unfold", str(RAILROAD), "-o", str(output), "--json"]) == DONE
    record = json.loads(capsys.readouterr().out)
    assert record.pop("seconds") >= 0
    assert record.pop("version")
    assert record == {
        "command": "unfold",
        "model": str(RAILROAD),
        "language": "hln",
        "places": len(net.places),
        "transitions": len(net.transitions),
        "arcs": net.arcs,
        "tokens": sum(net.initial),
        "output": str(output),
    }
    assert main(["unfold", str(RAILROAD), "-o", str(output)]) == DONE
    assert f"{len(net.places)} places, {len(net.transitions)} transitions" in capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], code: int, *arguments: str) -> str:
    assert main(["unfold", *arguments]) == code
    said = capsys.readouterr()
    assert not said.out
    return said.err


def test_what_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = str(tmp_path / "net.pnml")
    program = next((ROOT / "examples" / "murphi").glob("*.m"))
    said = refused(capsys, WRONG, str(program), "-o", output)
    assert "only high-level nets can be unfolded, and this is murphi" in said
    net = next((ROOT / "examples" / "nets").glob("*.lola"))
    assert "there is nothing to unfold" in refused(capsys, WRONG, str(net), "-o", output)
    assert "expected .pnml or .lola" in refused(capsys, WRONG, str(RAILROAD), "-o", str(tmp_path / "net.dot"))
    assert "no such directory" in refused(
        capsys, WRONG, str(RAILROAD), "-o", str(tmp_path / "none" / "n.pnml")
    )
    said = refused(capsys, UNKNOWN, str(RAILROAD), "-o", output, "--max-transitions", "3")
    assert "the unfolding has more than 3 transitions" in said
    assert str(RAILROAD) in said
    said = refused(capsys, UNKNOWN, str(RAILROAD), "-o", output, "--max-seconds", "0.000001")
    assert "the limit on time was reached" in said
    assert list(tmp_path.iterdir()) == []
