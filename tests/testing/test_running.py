"""Suites against implementations: right ones, faulty ones, and adapters that hang, die, or answer nonsense."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest
from burnside.cli import main
from burnside.diagnostics import UsageError
from burnside.testing.formats import read_machine
from burnside.testing.running import run_suite
from burnside.testing.running.adapters import ConnectionAdapter, ObjectAdapter, ProcessAdapter
from burnside.testing.suite_files import Test
from burnside.testing.suites import Method, derive, specification

EXAMPLES = Path(__file__).parents[2] / "examples" / "testing"
TESTS = [Test(("a", "b"), ("x", "y")), Test(("b",), ("y",)), Test(("a",), ("x",))]
RIGHT = """
for line in sys.stdin:
    line = line.strip()
    if line != "reset":
        print({"a": "x", "b": "y"}[line], flush=True)
"""


def python(tmp_path: Path, text: str) -> str:
    path = tmp_path / "adapter.py"
    path.write_text("import os, sys, time\n" + text)
    return f"{sys.executable} {path}"


@pytest.fixture
def no_children() -> Iterator[None]:
    """Every process that a test starts is gone, and has been waited for."""
    yield
    children = Path(f"/proc/self/task/{threading.get_native_id()}/children")
    if children.exists():
        assert children.read_text().split() == []


def run(command: str, **options: Any) -> Any:
    return run_suite(TESTS, ProcessAdapter(command, timeout=0.5), **options)


def test_right(tmp_path: Path, no_children: None) -> None:
    report = run(python(tmp_path, RIGHT))
    assert (report.passed, report.failed, report.steps, report.stopped) == (3, 0, 4, "all run")
    assert report.first_failure is None


def test_wrong_output(tmp_path: Path, no_children: None) -> None:
    report = run(python(tmp_path, RIGHT.replace('"b": "y"', '"b": "z"')))
    assert (report.passed, report.failed) == (1, 2)
    failure = report.first_failure
    assert failure is not None
    assert (failure.test, failure.step, failure.kind, failure.got) == (1, 1, "wrong output", "z")
    assert failure.outputs == ("x", "z")
    assert run(python(tmp_path, RIGHT.replace('"y"', '"z"')), max_failures=1).stopped == "max-failures"


MISBEHAVING = {
    "hangs": ("time.sleep(60)", "timeout", "no answer within 0.5 seconds"),
    "dies at once": ("sys.exit(3)", "died", "exit code 3"),
    "last words": ("print('out of memory', file=sys.stderr); sys.exit(1)", "died", "out of memory"),
    "killed": ("os.kill(os.getpid(), 9)", "died", "SIGKILL"),
    "dies in the middle": ("sys.stdin.readline(); sys.stdin.readline(); sys.exit(0)", "died", "exit code 0"),
    "no text": (
        "for line in sys.stdin:\n    if line != 'reset\\n':\n        os.write(1, b'\\xff\\xfe\\n')",
        "garbage",
        "UTF-8",
    ),
    "no line": (
        "for line in sys.stdin:\n    if line != 'reset\\n':\n        os.write(1, b'x')",
        "timeout",
        "without a line break",
    ),
    "endless line": ("while True:\n    os.write(1, b'x' * 4096)", "garbage", "without"),
    "speaks first": ("print('hello', flush=True)" + RIGHT, None, None),
    "closes its output": ("os.close(1)\nfor line in sys.stdin: pass", "died", "closed"),
}


@pytest.mark.parametrize("name", MISBEHAVING)
def test_misbehaving(tmp_path: Path, name: str, no_children: None) -> None:
    """A verdict, soon, and no crash of ours."""
    text, kind, words = MISBEHAVING[name]
    begun = time.monotonic()
    report = run(python(tmp_path, text))
    assert time.monotonic() - begun < 20
    assert report.failed >= 1
    failure = report.first_failure
    assert failure is not None
    if kind is not None:
        assert failure.kind == kind and words is not None and words in failure.what
        assert report.passed == 0


def test_two_answers(tmp_path: Path, no_children: None) -> None:
    doubled = RIGHT.replace("print(", "print('x\\n' + ")
    report = run(python(tmp_path, doubled))
    assert report.failed >= 1 and report.passed <= 1


def test_an_adapter_is_started_again(tmp_path: Path, no_children: None) -> None:
    """It dies in the second test of each life; tests after that run in a new one."""
    text = """
resets = 0
for line in sys.stdin:
    line = line.strip()
    resets += line == "reset"
    if resets == 2:
        sys.exit(7)
    if line != "reset":
        print({"a": "x", "b": "y"}[line], flush=True)
"""
    report = run_suite(TESTS * 4, ProcessAdapter(python(tmp_path, text), timeout=2))
    assert (report.passed, report.failed, report.stopped) == (6, 6, "all run")
    given_up = run_suite(TESTS * 4, ProcessAdapter(python(tmp_path, "sys.exit(1)"), timeout=2))
    assert (given_up.failed, given_up.stopped) == (4, "restarts")


def test_it_never_reads(tmp_path: Path, no_children: None) -> None:
    long = "a" * 1_000_000
    tests = [Test((long,), ("x",))]
    report = run_suite(tests, ProcessAdapter(python(tmp_path, "time.sleep(60)"), timeout=0.5))
    assert report.first_failure is not None and report.first_failure.kind == "timeout"


def test_what_cannot_be_started() -> None:
    for command, message in (("", "empty"), ("no-such-program", "cannot start"), ("'x", "no command")):
        with pytest.raises(UsageError, match=message):
            run_suite(TESTS, ProcessAdapter(command))
    for address in ("nowhere", "host:", ":80", "host:x", "host:99999"):
        with pytest.raises(UsageError, match="HOST:PORT"):
            ConnectionAdapter(address)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(UsageError, match="cannot connect"):
        run_suite(TESTS, ConnectionAdapter(f"127.0.0.1:{port}"))


def toy(name: str) -> ModuleType:
    spec = spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Raising:
    def reset(self) -> None:
        pass

    def step(self, given: str) -> Any:
        if given == "b":
            raise ValueError("no b")
        return 5 if given == "c" else "x"


def test_objects() -> None:
    report = run_suite([*TESTS, Test(("c",), ("x",))], ObjectAdapter(Raising()))
    kinds = [each.kind for each in report.failures]
    assert (report.passed, kinds) == (1, ["exception", "exception", "garbage"])
    assert "ValueError: no b" in report.failures[0].what


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def chatbox(folder: Path) -> Path:
    assert main(["example", "chatbox", "2", "-o", "chatbox.dot", "--pattern", "chatbox.toml"]) == 0
    assert main(["tests", "chatbox.dot", "--pattern", "chatbox.toml", "-o", "suite.jsonl"]) == 0
    return folder


def test_faults_of_the_toy_chatbox_are_found(chatbox: Path) -> None:
    """The suite of the kernel finds every fault that is symmetric."""
    from burnside.testing.suite_files import read_suite

    chatboxes = toy("toy_chatbox")
    for fault in (None, *chatboxes.FAULTS):
        with read_suite(Path("suite.jsonl")) as suite:
            report = run_suite(suite.tests, ObjectAdapter(chatboxes.Chatbox(2, fault=fault)))
        assert bool(report.failed) == (fault is not None), fault


def command(*options: str) -> str:
    return " ".join([sys.executable, str(EXAMPLES / "toy_chatbox.py"), "2", *options])


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Any]:
    capsys.readouterr()
    code = main(["run-tests", *words, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_command(chatbox: Path, capsys: pytest.CaptureFixture[str], no_children: None) -> None:
    code, found = answer(capsys, "suite.jsonl", "--adapter", command())
    assert (code, found["failed"], found["first_failure"]) == (0, 0, None)
    words = ("--spec", "chatbox.dot", "--pattern", "chatbox.toml")
    code, found = answer(capsys, "suite.jsonl", "--adapter", command("--fault", "mirrored"), *words)
    first = found["first_failure"]
    assert code == 1 and found["failed"] > 0 and first["kind"] == "wrong output"
    assert first["expected"] != first["got"] and first["inputs"][first["step"]] == first["input"]
    assert found["variants"]["failing"] and not found["variants"]["passing"]
    code, found = answer(capsys, "suite.jsonl", "--adapter", command("--fault", "favourite"), *words)
    assert code == 1 and found["variants"]["passing"]


def test_over_tcp(chatbox: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with subprocess.Popen([*command("--port", "0").split()], stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            port = server.stdout.readline().strip()
            code, found = answer(capsys, "suite.jsonl", "--connect", f"127.0.0.1:{port}")
            assert (code, found["failed"]) == (0, 0)
        finally:
            server.kill()


def test_an_answer_to_reset(chatbox: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = RIGHT.replace(
        'if line != "reset":', 'if line == "reset":\n        print("ok", flush=True)\n    else:'
    )
    path = tmp_path / "answering.py"
    path.write_text("import sys\n" + text)
    (tmp_path / "s.txt").write_text(
        "# burnside test suite, version 1\n\na / x\nb / y\n\nb / y\n\n", encoding="utf-8"
    )
    capsys.readouterr()
    assert main(["run-tests", "s.txt", "--adapter", f"{sys.executable} {path}"]) == 1
    assert "--reset-reply" in capsys.readouterr().out
    assert main(["run-tests", "s.txt", "--adapter", f"{sys.executable} {path}", "--reset-reply"]) == 0


def test_another_language(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    spec = specification(read_machine(EXAMPLES / "turnstile.dot"))
    tests = list(derive(spec, Method(extra=1)).tests())
    for name, flags, is_right in (("right", [], True), ("wrong", ["-DFAULT"], False)):
        subprocess.run([compiler, *flags, "-o", name, str(EXAMPLES / "toy_turnstile.c")], check=True)
        report = run_suite(tests, ProcessAdapter(f"./{name}"))
        assert (report.failed == 0) == is_right


def test_junit(chatbox: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, found = answer(
        capsys, "suite.jsonl", "--adapter", command("--fault", "mirrored"), "--junit", "report.xml"
    )
    root = ElementTree.parse("report.xml").getroot()
    suite = root[0]
    cases = suite.findall("testcase")
    assert int(suite.attrib["tests"]) == len(cases) == found["passed"] + found["failed"]
    assert int(suite.attrib["failures"]) == found["failed"] == len(suite.findall("testcase/failure"))
    failure = suite.find("testcase/failure")
    assert failure is not None and "expected" in failure.attrib["message"]


def test_junit_of_odd_names(tmp_path: Path) -> None:
    from burnside.testing.running.junit import writing_junit

    odd = "a<&\"'\x00\x1b\n\ud800\uffff]]>"
    path = tmp_path / "odd.xml"
    with writing_junit(str(path), odd) as add:
        run_suite([Test((odd,), (odd,))], ObjectAdapter(Raising()), on_result=add)
    case = ElementTree.parse(path).getroot()[0][0]
    assert "<&\"'" in case.attrib["classname"] and len(case) == 1


def test_an_interrupt_keeps_what_is_known() -> None:
    class Interrupted:
        def reset(self) -> None:
            pass

        def step(self, given: str) -> str:
            if given == "b":
                raise KeyboardInterrupt
            return "x"

    report = run_suite([TESTS[2], TESTS[0]], ObjectAdapter(Interrupted()))
    assert (report.passed, report.failed, report.stopped) == (1, 0, "interrupted")
