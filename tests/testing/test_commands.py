"""The commands for machines and tests, as users call them: answers, JSON, exit codes, diagnostics, files that are
written."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from burnside import pipeline
from burnside.cli import main
from burnside.diagnostics import UsageError
from burnside.families.machines import member
from burnside.testing.formats import read_machine
from burnside.testing.from_models import machine_of
from burnside.testing.suite_files import read_suite

from tests.testing.test_machine_files import HTML, MODELS, needs_models, rows

TURNSTILE = """digraph turnstile {
locked -> locked [label="push/nothing"];
locked -> open [label="coin/unlock"];
open -> locked [label="push/lock"];
open -> open [label="coin/nothing"];
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "turnstile.dot").write_text(TURNSTILE)
    return tmp_path


@pytest.fixture
def chatbox(folder: Path) -> Path:
    assert main(["example", "chatbox-fixed", "3", "-o", "chatbox.dot", "--pattern", "chatbox.toml"]) == 0
    return folder


def answer(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> Any:
    capsys.readouterr()
    assert main([*words, "--json"]) == code
    shown = capsys.readouterr()
    assert all(": note: " in line for line in shown.err.splitlines())
    return json.loads(shown.out)


def complaint(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Nothing on standard output, a diagnostic on standard error, exit code 2, no new file."""
    before = set(Path().iterdir())
    capsys.readouterr()
    assert main(list(words)) == 2
    shown = capsys.readouterr()
    assert shown.out == "" and "Traceback" not in shown.err and "internal error" not in shown.err
    assert set(Path().iterdir()) == before
    return shown.err


def test_machine(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(capsys, "machine", "turnstile.dot") == {
        "states": 2,
        "reachable": 2,
        "inputs": 2,
        "outputs": 3,
        "state_outputs": None,
        "transitions": 4,
        "reachable_transitions": 4,
        "deterministic": True,
        "complete": True,
        "minimal_states": 2,
        "depth": 1,
    }
    assert main(["machine", "turnstile.dot"]) == 0
    assert "deterministic yes" in capsys.readouterr().out


MOORE = 'digraph { a [label="a|0"]; b [label="b|1"]; a -> b [label=x]; b -> a [label=x] }'


def test_outputs_of_states_are_counted_by_themselves(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("moore.dot").write_text(MOORE)
    found = answer(capsys, "machine", "moore.dot")
    assert (found["outputs"], found["state_outputs"]) == (1, 2)
    assert main(["machine", "moore.dot"]) == 0
    assert "outputs       2 of states\n" in capsys.readouterr().out
    Path("twice.aut").write_text("des (0, 2, 2)\n(0, x, 1)\n(1, x, 0)\n")
    assert main(["machine", "twice.aut"]) == 0
    assert "no: 1 class of bisimilar states" in capsys.readouterr().out


@needs_models
@pytest.mark.parametrize("row", [row for row in rows() if row["model"] != HTML], ids=lambda row: row["model"])
def test_machines_are_as_expected(row: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "machine", str(MODELS / row["model"]))
    named = {name: str(found[name]) for name in row.keys() & found.keys()}
    assert named == {name: row[name] for name in named} and len(named) == 8
    assert found["deterministic"] == (row["nondet"] == "0")


def test_conversions(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("twice.aut").write_text(
        'des (0, 4, 4)\n(0, "a/x", 1)\n(0, "a/x", 2)\n(1, "b/y", 3)\n(2, "b/y", 3)\n'
    )
    found = answer(capsys, "machine", "twice.aut", "--split", "slash")
    assert (found["deterministic"], found["complete"], found["minimal_states"]) == (False, False, 3)
    words = ("--determinise", "--complete", "sink", "--missing-output", "no", "--minimise", "-o", "once.dot")
    found = answer(capsys, "machine", "twice.aut", "--split", "slash", *words)
    assert (found["deterministic"], found["complete"], found["outputs"]) == (True, True, 3)
    assert answer(capsys, "machine", "once.dot") == found


def test_a_model_becomes_a_machine(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["example", "mutex", "2", "-o", "mutex.pnml"])
    checked = answer(capsys, "check", "mutex.pnml", "--reduce", "none")
    found = answer(capsys, "machine", "mutex.pnml", "-o", "mutex.aut")
    assert (found["states"], found["transitions"]) == (checked["states"], checked["transitions"])
    assert "has more than 2 states" in complaint(capsys, "machine", "mutex.pnml", "--max-states", "2")
    with pytest.raises(UsageError, match="expected a positive number"):
        machine_of(pipeline.read("mutex.pnml"), max_states=0)
    assert "expected a positive number" in complaint(capsys, "machine", "mutex.pnml", "--max-states", "0")


def test_kernel(chatbox: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "kernel", "chatbox.dot", "--pattern", "chatbox.toml", "-o", "kernel.aut")
    assert [found[name] for name in ("states", "transitions", "kernel_states", "kernel_transitions")] == [
        *(64, 1152),
        *(10, 84),
    ]
    assert found["deterministic"] and found["symmetry"] == "proved on traces"
    counterexample = found["counterexample"]
    assert counterexample["flaw"] == "not closed" and len(counterexample["traces"]) == 2
    assert len(read_machine(Path("kernel.aut")).edges) == 84
    unchecked = answer(capsys, "kernel", "chatbox.dot", "--pattern", "chatbox.toml", "--no-check")
    assert (unchecked["symmetry"], unchecked["counterexample"]) == ("unchecked", None)


def test_found_pattern(chatbox: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "kernel", "chatbox.dot", "--automorphisms", "--write-pattern", "found.toml")
    assert found["symmetry"] == "proved"
    again = answer(capsys, "kernel", "chatbox.dot", "--pattern", "found.toml")
    assert again == found


def test_order(chatbox: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = ("kernel", "chatbox.dot", "--pattern", "chatbox.toml")
    natural = answer(capsys, *own, "--order", "natural")
    searched = answer(capsys, *own, "--order", "search", "--tries", "30", "--seed", "3")
    assert searched["orders_tried"] == 30
    assert searched["kernel_states"] <= 10 < natural["kernel_states"]
    Path("order.txt").write_text("\n".join(searched["order"]) + "\n")
    given = answer(capsys, *own, "--order", "order.txt")
    assert given["kernel_states"] == searched["kernel_states"]


def test_tests(chatbox: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The figures of the W-method; both formats hold the same tests, and a kernel from a file gives the same suite."""
    words = ("tests", "chatbox.dot", "--pattern", "chatbox.toml")
    found = answer(capsys, *words, "-o", "suite.jsonl")
    assert [found[name] for name in ("method", "tests", "inputs", "classes")] == ["w", 474, 2382, 10]
    assert found["complete"] and any("closed" in each for each in found["assumptions"])
    answer(capsys, *words, "-o", "suite.txt")
    tests = list(read_suite(Path("suite.jsonl")).tests)
    assert tests == list(read_suite(Path("suite.txt")).tests)
    assert (len(tests), sum(len(each.inputs) for each in tests)) == (474, 2382)
    answer(capsys, "kernel", "chatbox.dot", "--pattern", "chatbox.toml", "-o", "kernel.dot")
    again = answer(capsys, "tests", "chatbox.dot", "--kernel", "kernel.dot")
    assert (again["tests"], again["inputs"]) == (474, 2382)
    assert not again["complete"] and again["worth"] == "symmetry-selected"
    whole = answer(capsys, "tests", "chatbox.dot")
    assert (whole["tests"], whole["inputs"], whole["complete"]) == (6534, 33030, True)


@pytest.mark.parametrize("method", ["w", "wp", "hsi", "h"])
def test_methods(folder: Path, method: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "tests", "turnstile.dot", "--method", method, "--extra", "1", "-o", "s.jsonl")
    assert found["complete"] and found["tests"] == len(list(read_suite(Path("s.jsonl")).tests))
    covered = answer(capsys, "fault-coverage", "turnstile.dot", "s.jsonl", "--exhaustive", "--states", "2")
    assert covered["survived"] == 0 and covered["equivalent"] == 1
    shallow = answer(
        capsys, "tests", "turnstile.dot", "--method", "random", "--walks", "1", "--length", "1", "-o", "r.txt"
    )
    assert (shallow["complete"], shallow["worth"], shallow["tests"]) == (False, "random", 1)
    left = answer(capsys, "fault-coverage", "turnstile.dot", "r.txt", "--exhaustive", "--states", "2", code=1)
    assert left["survived"] > 0 and left["survivors"]


def test_fault_coverage_of_a_kernel(chatbox: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Single faults break the symmetry, so those that the kernel's suite misses are outside of its fault domain."""
    answer(capsys, "tests", "chatbox.dot", "--pattern", "chatbox.toml", "-o", "suite.jsonl")
    words = ("fault-coverage", "chatbox.dot", "suite.jsonl", "--mutants", "60", "--seed", "1")
    found = answer(capsys, *words, "--pattern", "chatbox.toml")
    assert found["mutants"] == 60 and found["survived"] == 0 and found["outside"] > 0
    alone = answer(capsys, *words, code=1)
    assert alone["survived"] == found["outside"]


def test_bounds_of_a_fault_domain_that_has_no_machines(
    chatbox: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer(capsys, "tests", "chatbox.dot", "--pattern", "chatbox.toml", "-o", "suite.jsonl")
    words = ("fault-coverage", "chatbox.dot", "suite.jsonl", "--pattern", "chatbox.toml", "--m1", "9")
    assert "m1 is 9, but 10 classes" in complaint(capsys, *words)


@pytest.mark.parametrize("extension", ["aut", "dot", "fsm"])
def test_kernels_in_all_formats(chatbox: Path, extension: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Labels of a kernel are read as they were written, however those of the machine are split."""
    assert main(["machine", "chatbox.dot", "-o", "chatbox.aut"]) == 0
    text = re.sub(r'"(.*)/(.*)"', r'"\1 -> \2"', Path("chatbox.aut").read_text())
    Path("arrows.aut").write_text(text)
    for machine, split in (("chatbox.aut", "slash"), ("arrows.aut", "(?P<input>.*) -> (?P<output>.*)")):
        kernel = f"kernel.{extension}"
        answer(capsys, "kernel", machine, "--split", split, "--pattern", "chatbox.toml", "-o", kernel)
        found = answer(capsys, "tests", machine, "--split", split, "--kernel", kernel)
        assert (found["tests"], found["inputs"], found["complete"]) == (474, 2382, False)
    answer(capsys, "kernel", "chatbox.dot", "--pattern", "chatbox.toml", "-o", "kernel.aut")
    Path("kernel.aut").write_text(re.sub(r'"(.*)/(.*)"', r'"\1 -> \2"', Path("kernel.aut").read_text()))
    found = answer(capsys, "tests", "arrows.aut", "--split", split, "--kernel", "kernel.aut")
    assert (found["tests"], found["inputs"]) == (474, 2382)
    words = ("tests", "chatbox.aut", "--split", "slash", "--kernel", "turnstile.dot")
    assert "this is no part of chatbox.aut" in complaint(capsys, *words)


def test_kernels_in_bits(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("or.kiss").write_text(".i 1\n.o 1\n0 a a 0\n1 a b 1\n0 b b 1\n1 b a 0\n.e\n")
    answer(capsys, "kernel", "or.kiss", "--automorphisms", "-o", "kernel.kiss")
    found = answer(capsys, "tests", "or.kiss", "--kernel", "kernel.kiss")
    assert found["tests"] > 0 and not found["complete"]


def test_traces(chatbox: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = ("traces", "chatbox.dot", "--pattern", "chatbox.toml")
    found = answer(capsys, *own, "DREQ 2 1 MES; DREQ 1 2 ACK", "DREQ 0 1 MES/DIND;DREQ 1 0 ACK")
    assert found["symmetric"] is True
    assert (
        found["representatives"][0]
        == found["representatives"][1]
        == ["DREQ 0 1 MES/DIND", "DREQ 1 0 ACK/DIND"]
    )
    apart = answer(capsys, *own, "DREQ 0 0 MES", "DREQ 0 1 MES", code=1)
    assert apart["symmetric"] is False and apart["reason"]
    assert "DREQ 0 1 MES/OK" in complaint(capsys, *own, "DREQ 0 1 MES/OK")


PARTIAL = 'digraph m { a -> b [label="x/1"]; b -> a [label="x/2"]; b -> a [label="y/2"]; }'
AMBIGUOUS = 'digraph m { a -> b [label="x/1"]; a -> a [label="x/2"]; b -> a [label="x/2"]; }'
UNREACHABLE = TURNSTILE.replace("}", 'broken -> locked [label="push/alarm"];\n}')
NO_EDGES = "digraph m { a; }"


def test_machines_that_cannot_be_tested(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = {
        "partial": (PARTIAL, "not input enabled: state 'a' has no edge for 'y'"),
        "ambiguous": (AMBIGUOUS, "not deterministic: state 'a' has several edges for 'x'"),
        "empty": (NO_EDGES, "there is nothing to test"),
        "silent": ('digraph m { a -> a [label="x"]; }', "no outputs"),
    }
    for name, (text, message) in expected.items():
        Path(f"{name}.dot").write_text(text)
        assert message in complaint(capsys, "tests", f"{name}.dot", "-o", "suite.jsonl")
    Path("unreachable.dot").write_text(UNREACHABLE)
    whole, part = (answer(capsys, "tests", f"{name}.dot") for name in ("turnstile", "unreachable"))
    assert whole == part
    assert "several edges" in complaint(
        capsys, "kernel", "ambiguous.dot", "--automorphisms", "-o", "kernel.dot"
    )


PATTERN = """[template]
initial = "0"
edges = [["0", "coin/unlock", "1"], ["1", "push/lock", "0"], ["0", "push/nothing", "0"], ["1", "coin/nothing", "1"]]
[[transformation]]
name = "same"
rename = {}
"""


def test_patterns_that_are_none(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("good.toml").write_text(PATTERN)
    assert answer(capsys, "kernel", "turnstile.dot", "--pattern", "good.toml")["symmetry"] == "proved"
    expected = {
        "covers-nothing": (PATTERN.replace("coin", "key").replace("push", "pull"), "wrong.toml:"),
        "uncovered": (
            PATTERN.replace('["1", "coin/nothing", "1"]', '["1", "coin/other", "1"]'),
            "does not cover",
        ),
        "no-permutation": (
            PATTERN.replace("rename = {}", 'rename = { "coin/unlock" = "push/lock" }'),
            "no permutation",
        ),
        "order": (f'order = ["coin"]\n{PATTERN}', "'push'"),
    }
    for text, message in expected.values():
        Path("wrong.toml").write_text(text)
        assert message in complaint(
            capsys, "kernel", "turnstile.dot", "--pattern", "wrong.toml", "-o", "k.dot"
        )
    words = ("kernel", "turnstile.dot", "--pattern", "good.toml", "--order", "order.txt")
    orders = {
        "coin\n": "order.txt:2:1: error: the order misses an input: 'push'",
        "coin\n\n  push\n coin": "order.txt:4:2: error: the order names an input twice: 'coin'",
        "coin\npsh\npush\n": "order.txt:2:1: error: the order names no input of the machine: 'psh'",
    }
    for text, message in orders.items():
        Path("order.txt").write_text(text)
        assert message in complaint(capsys, *words)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("tests", "turnstile.dot", "--m1", "1"), "m1 is 1, but 2 classes of states are tested"),
        (("tests", "turnstile.dot", "--m1", "3", "--extra", "1"), "give one of them"),
        (("tests", "turnstile.dot", "--m2", "1"), "it needs a kernel"),
        (("tests", "turnstile.dot", "--walks", "3"), "it needs --method random"),
        (("tests", "turnstile.dot", "--method", "random", "--extra", "1"), "it needs another method"),
        (("tests", "turnstile.dot", "--order", "natural"), "it needs --pattern or --automorphisms"),
        (("tests", "turnstile.dot", "--automorphisms", "--method", "h"), "h is for whole machines"),
        (("tests", "turnstile.dot", "--automorphisms", "--tries", "3"), "it needs --order search"),
        (("tests", "turnstile.dot", "--extra", "100000"), "extra states cannot be tested"),
        (("tests", "turnstile.dot", "--extra", "1000"), "more tests than can be counted"),
        (
            ("tests", "turnstile.dot", "--extra", "1000", "-o", "suite.jsonl"),
            "more tests than can be counted",
        ),
        (("tests", "turnstile.dot", "--method", "random", "--walks", "0"), "expected a positive number"),
        (("tests", "turnstile.dot", "-o", "suite.xml"), "expected .jsonl or .txt"),
        (("kernel", "turnstile.dot"), "--pattern"),
        (("machine", "turnstile.dot", "--missing-output", "x"), "it needs --complete"),
        (("machine", "turnstile.dot", "--max-states", "3"), "it is for models that are explored"),
        (("machine", "turnstile.dot", "--internal", "x"), "it needs --inputs"),
        (("run-tests", "suite.jsonl"), "--adapter"),
        (("run-tests", "absent.jsonl", "--adapter", "cat"), "absent.jsonl"),
        (("run-tests", "turnstile.dot", "--adapter", "cat"), "no file of a test suite"),
        (("machine", "absent.dot"), "absent.dot"),
        (("traces", "turnstile.dot", "--automorphisms", "coin", "coin", "coin"), "one trace or two"),
        (("fault-coverage", "turnstile.dot", "absent.jsonl"), "absent.jsonl"),
        (("fault-coverage", "turnstile.dot", "s.txt", "--faults", "0"), "expected a positive number"),
        (("fault-coverage", "turnstile.dot", "s.txt", "--mutants", "0"), "expected a positive number"),
        (("example", "mutex", "2", "--pattern", "x.toml"), "it is for state machines"),
        (("example", "chatbox", "2", "--order", "lifo"), "it needs --pattern"),
    ],
)
def test_calls_that_are_wrong(
    folder: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], message: str
) -> None:
    assert message in complaint(capsys, *words)


def test_a_suite_of_another_machine(chatbox: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer(capsys, "tests", "turnstile.dot", "-o", "suite.jsonl")
    assert "not one of this machine" in complaint(capsys, "fault-coverage", "chatbox.dot", "suite.jsonl")


def test_published_patterns_are_never_called_complete_unless_proved(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The chatbox of four users and the train; the train is made input enabled first."""
    assert main(["example", "chatbox-fixed", "4", "-o", "chatbox.dot", "--pattern", "chatbox.toml"]) == 0
    assert main(["example", "train", "4", "-o", "train.dot", "--pattern", "train.toml"]) == 0
    assert (
        main(
            ["machine", "train.dot", "--complete", "loops", "--missing-output", "NO_OUTPUT", "-o", "full.dot"]
        )
        == 0
    )
    for machine, pattern in (("chatbox.dot", "chatbox.toml"), ("train.dot", "train.toml")):
        found = answer(capsys, "kernel", machine, "--pattern", pattern)
        assert found["symmetry"] == "refuted" and found["counterexample"]["flaw"] == "not persistent"
    suite = answer(capsys, "tests", "chatbox.dot", "--pattern", "chatbox.toml")
    assert (suite["complete"], suite["worth"]) == (False, "symmetry-selected")
    suite = answer(capsys, "tests", "full.dot", "--automorphisms")
    assert (suite["complete"], suite["symmetry"]) == (True, "proved")


def test_families_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["example", "--list"]) == 0
    assert "chatbox users" in capsys.readouterr().out
    assert len(member("chatbox", ["2"]).machine().states) == 16
