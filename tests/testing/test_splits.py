"""How labels are split into inputs and outputs."""

from __future__ import annotations

from pathlib import Path

import pytest
from burnside.diagnostics import InputError, UsageError
from burnside.testing.formats import read_machine
from burnside.testing.machine import Action
from burnside.testing.splits import PRESETS, read_split


@pytest.mark.parametrize(
    ("split", "label", "expected"),
    [
        ("slash", "a/1", Action("a", "1")),
        ("slash", "a / 1", Action("a", "1")),
        ("slash", "a/b / c", Action("a/b", "c")),
        ("slash", "a/b/c", Action("a", "b/c")),
        ("slash", "/", Action("", "")),
        ("slash", "a", None),
        ("offers", "DREQ !0 !1 !MES !DIND", Action("DREQ !0 !1 !MES", "DIND")),
        ("offers", "JOIN!0!OK", Action("JOIN!0", "OK")),
        ("offers", 'SEND !"a!b"', Action("SEND", '"a!b"')),
        ("offers", "GET !true !CONS (A, NIL)", Action("GET !true", "CONS (A, NIL)")),
        ("offers", "i", None),
        ("none", "c(1/2)", Action("c(1/2)")),
        ("results", "Login(Ann) --> Session1, 3", Action("Login(Ann)", "Session1, 3")),
        ("results", "Logout(Session1)", Action("Logout(Session1)", "-")),
        (r"(?P<input>\w+)\((?P<output>.*)\)", "put(3)", Action("put", "3")),
        (r"(?P<input>\w+)\((?P<output>.*)\)", "put(3) ", None),
        (r"(?P<input>\w+)(=(?P<output>.*))?", "put", Action("put", None)),
        (r"((?P<input>\w+)=)?(?P<output>.*)", "put", None),
        (r"(?P<input>.*)=(?P<output>.*)", "two\nlines=1", Action("two\nlines", "1")),
    ],
)
def test_labels(split: str, label: str, expected: Action | None) -> None:
    assert read_split(split).action_of(label) == expected


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("(?P<input>a", "this is no regular expression: missing ), unterminated subpattern", 1),
        ("a(?P<input>.*)(?P<out put>b)", "this is no regular expression: bad character in group name", 19),
        ("slsh", "this is no preset, and a regular expression without a group named 'input'", 1),
        ("(?P<input>.*)", "this is no preset, and a regular expression without a group named 'output'", 1),
    ],
)
def test_wrong_splits(text: str, message: str, column: int) -> None:
    with pytest.raises(UsageError) as caught:
        read_split(text)
    diagnostic = caught.value.diagnostic
    assert diagnostic.message.startswith(message)
    assert diagnostic.span is not None and diagnostic.span.column == column
    assert diagnostic.source == "--split" and diagnostic.text == text
    assert diagnostic.hint is not None and all(preset in diagnostic.hint for preset in PRESETS)


LABELS = ["DREQ !0 !OK", "JOIN !1 !OK", "DREQ !0 !NO"]


def test_files_are_read_with_a_split(tmp_path: Path) -> None:
    edges = [f'(0, "{label}", 0)' for label in LABELS]
    (tmp_path / "a.aut").write_text("\n".join(["des (0, 3, 1)", *edges]) + "\n")
    (tmp_path / "a.fsm").write_text("---\n---\n" + "\n".join(f'1 1 "{label}"' for label in LABELS) + "\n")
    arcs = " ".join(f'0 -> 0 [label="{label}"]' for label in LABELS)
    (tmp_path / "a.dot").write_text(f"digraph {{ {arcs} }}")
    expected = (Action("DREQ !0", "OK"), Action("JOIN !1", "OK"), Action("DREQ !0", "NO"))
    for extension in ("aut", "fsm", "dot"):
        assert read_machine(tmp_path / f"a.{extension}", "offers").actions == expected


def test_labels_that_become_equal_are_one_action(tmp_path: Path) -> None:
    path = tmp_path / "a.aut"
    path.write_text('des (0, 2, 1)\n(0, "a/1", 0)\n(0, "a / 1", 0)\n')
    machine = read_machine(path, "slash")
    assert (machine.actions, len(machine.edges)) == ((Action("a", "1"),), 1)


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("a.aut", 'des (0, 2, 1)\n(0, "a/1", 0)\n(0, "tau", 0)\n', (3, 6)),
        ("a.aut", "des (0, 2, 1)\n(0, tau, 0)\n", (2, 5)),
        ("a.fsm", '---\n---\n1 1 "tau"\n', (3, 6)),
        ("a.dot", 'digraph {\n 0 -> 0 [label="tau"] }', (2, 16)),
    ],
)
def test_labels_that_do_not_match_are_named(
    tmp_path: Path, name: str, text: str, place: tuple[int, int]
) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(
        InputError, match="the label 'tau' is not an input with an output, as --split slash says"
    ) as caught:
        read_machine(path, "slash")
    span = caught.value.diagnostic.span
    assert span is not None and (span.line, span.column) == place
