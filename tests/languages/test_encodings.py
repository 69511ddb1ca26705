"""Old models are ISO-8859-1: what is not UTF-8 is read as that, and columns stay right."""

from __future__ import annotations

from pathlib import Path

import pytest
from burnside import pipeline
from burnside.cli import main
from burnside.languages.shared.files import decoded

PNML = """<?xml version="1.0"?><!-- caf\u00e9 -->
<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">
<place id="p"><name><text>caf\u00e9</text></name></place>
</net></pnml>"""
MODELS = {
    "m.m": '-- caf\u00e9\nvar x: boolean;\nstartstate x := true; end;\nrule "caf\u00e9" x := !x; end;',
    "m.mch": "MACHINE m /* caf\u00e9 */\nVARIABLES x INVARIANT x : 0..1 INITIALISATION x := 0 END",
    "m.lola": "{ caf\u00e9 } PLACE p; MARKING p : 1; TRANSITION t CONSUME p; PRODUCE p;",
    "m.pnml": PNML,
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_both_encodings_say_the_same(name: str, mark: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    found = []
    for encoding in ("utf-8", "iso-8859-1"):
        path.write_bytes((mark if encoding == "utf-8" else b"") + MODELS[name].encode(encoding))
        found.append(pipeline.read(path).subject)
    assert found[0] == found[1]


WRONG = {
    "m.m": "/* \u00e9\u00e9 */ var x: boolean; startstate x := y; end; rule end;",
    "m.mch": "MACHINE m /* \u00e9\u00e9 */ VARIABLES x INVARIANT x : y INITIALISATION x := 0 END",
    "m.lola": "{ \u00e9\u00e9 } PLACE p; MARKING y : 1; TRANSITION t CONSUME p; PRODUCE p;",
    "m.pnml": "<pnml><a>\u00e9\u00e9</a></b>",
}


@pytest.mark.parametrize("name", WRONG)
def test_columns_count_characters(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / name
    said = []
    for encoding in ("utf-8", "iso-8859-1"):
        path.write_bytes(WRONG[name].encode(encoding))
        assert main(["check", str(path)]) == 2
        said.append(capsys.readouterr().err)
    assert said[0] == said[1]
    place, line, caret = said[0].splitlines()[:3]
    column = int(place.removeprefix(f"{path}:").split(":")[1])
    assert caret.index("^") - line.index("|") == column + 1 and "\u00e9\u00e9" in line


def test_a_byte_order_mark_before_what_is_not_utf_8() -> None:
    assert decoded(b"\xef\xbb\xbfa\xe9") == "a\u00e9"
