"""Options that would be accepted and ignored with high-level nets are refused by name, or have their effect."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import burnside
import pytest
from burnside.cli import main
from burnside.diagnostics import BurnsideError

EXAMPLES = Path(__file__).parent.parent / "examples"
RAILROAD = EXAMPLES / "hln" / "railroad.hln"


@pytest.mark.parametrize(
    ("option", "value", "named"), [("bounded", True, "--bounded"), ("covers", "size(U) >= 2", "--cover")]
)
def test_coverability_needs_the_unfolding(option: str, value: Any, named: str) -> None:
    with pytest.raises(BurnsideError, match=f"--no-unfold.*does not go together with {named}"):
        burnside.check(RAILROAD, unfold=False, **{option: value})


TWINS = """
type T = unordered 2
place a, b: T = all
var x: T
transition take(x)
  in a: x
transition give(x)
  in b: x
"""


def test_symmetries_show_automorphisms_of_the_unfolded_net(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Colours can only be exchanged in both places at once; the four places of the unfolded net are all alike."""
    path = tmp_path / "twins.hln"
    path.write_text(TWINS)
    assert burnside.symmetries(path).order == 2
    assert main(["symmetries", str(path), "--automorphisms"]) == 0
    assert "group of order 24, S4" in capsys.readouterr().out
    assert main(["symmetries", str(path), "--no-unfold"]) == 2
    assert "--no-unfold: error: has no effect here" in capsys.readouterr().err


@pytest.mark.parametrize(("model", "name"), [("hln/digraphs.hln", "Vertex"), ("murphi/digraphs.m", "N")])
def test_a_size_is_given_once(model: str, name: str) -> None:
    with pytest.raises(BurnsideError, match=f"'{name}' has a size twice"):
        burnside.load(EXAMPLES / model, sizes={name.lower(): 2, name: 3})
