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
from burnside.diagnostics import UnsupportedError, UsageError
from burnside.testing.formats import read_machine
from burnside.testing.running import run_suite
from burnside.testing.running.line_adapters import ConnectionAdapter, ProcessAdapter
from burnside.testing.running.python_adapters import ObjectAdapter
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
    "dies, its child lives": (
        "if os.fork() == 0: time.sleep(60)\nsys.stdin.readline(); sys.exit(4)",
        "died",
        "exit code 4",
    ),
    "floods": ("while True:\n    os.write(2, b'x' * 65536)", "timeout", "no answer within 0.5 seconds"),
    "much on standard error": (
        "os.write(2, b'log\\n' * 100000 + b'out of paper'); sys.exit(1)",
        "died",
        "log | log | log | log | out of paper",
    ),
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


def test_standard_error_is_read_and_not_kept(tmp_path: Path, no_children: None) -> None:
    """Neither the memory nor a disk is filled, and nobody waits for a reader."""
    noisy = RIGHT.replace(
        "    line = line.strip()", "    line = line.strip()\n    os.write(2, b'.' * 2_000_000)"
    )
    adapter = ProcessAdapter(python(tmp_path, noisy), timeout=5)
    adapter.reset()
    children = Path(f"/proc/self/task/{threading.get_native_id()}/children")
    if children.exists():
        kept = Path(f"/proc/{children.read_text().split()[0]}/fd/2")
        assert kept.resolve().name.startswith("pipe:")
    adapter.close()
    assert run_suite(TESTS, ProcessAdapter(python(tmp_path, noisy), timeout=5)).passed == 3


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


@pytest.mark.parametrize("host", ["a..b", "x" * 300])
def test_a_host_that_is_no_name(host: str) -> None:
    with pytest.raises(UsageError, match="cannot connect"):
        run_suite(TESTS, ConnectionAdapter(f"{host}:80"))


def test_a_peer_that_goes_away_for_good() -> None:
    """What was found before is not lost."""
    listening = socket.create_server(("127.0.0.1", 0))

    def answer_once() -> None:
        with listening:
            peer, _ = listening.accept()
        with peer, peer.makefile("rw") as lines:
            for line in lines:
                if line == "b\n":
                    return
                if line != "reset\n":
                    lines.write("x\n")
                    lines.flush()

    thread = threading.Thread(target=answer_once)
    thread.start()
    address = f"127.0.0.1:{listening.getsockname()[1]}"
    report = run_suite([TESTS[2], *TESTS * 3], ConnectionAdapter(address, timeout=2))
    thread.join()
    assert (report.passed, report.failed, report.stopped) == (1, 4, "restarts")
    assert [each.kind for each in report.failures] == ["died"] * 4
    assert "started again" in report.failures[1].what and "refused" in report.failures[1].what


@pytest.mark.parametrize("given", ["reset", "a\nb", "a\r"])
def test_inputs_that_are_no_lines(tmp_path: Path, given: str, no_children: None) -> None:
    with pytest.raises(UnsupportedError, match=r"input 'reset'|line break"):
        run_suite([Test((given,), ("x",))], ProcessAdapter(python(tmp_path, RIGHT)))
    assert run_suite([Test((given,), ("x",))], Raising()).passed == 1


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


class Turnstile:
    def __init__(self) -> None:
        self.is_open = False

    def step(self, given: str) -> str:
        self.is_open, was_open = given == "coin", self.is_open
        return "open" if was_open and given == "push" else "-"


def turnstile() -> Any:
    return Turnstile().step


def test_callables() -> None:
    """Called at each reset; what they return is the implementation, or its step."""
    tests = [Test(("coin", "push"), ("-", "open")), Test(("push",), ("-",))]
    for start in (Turnstile, turnstile, lambda: Turnstile()):
        assert run_suite([*tests, *tests], start).passed == 4
    assert run_suite([Test(("coin", "coin", "push"), ("-", "-", "-"))], turnstile).failed == 1


def test_callables_that_misbehave() -> None:
    def raising() -> Any:
        raise SystemExit(3)

    def ending() -> Any:
        return lambda given: sys.exit(given)

    for start, kind, words in (
        (raising, "exception", "reset raised SystemExit: 3"),
        (ending, "exception", "it raised SystemExit: a"),
        (lambda: 5, "garbage", "5"),
        (lambda given: given, "exception", "reset raised TypeError"),
        (lambda: lambda given: 5, "garbage", "it answered 5, which is no text"),
    ):
        failure = run_suite(TESTS, start).first_failure
        assert failure is not None and failure.kind == kind and words in failure.what
    for wrong in (5, "python3 toy.py", None):
        with pytest.raises(UsageError, match="implementation"):
            run_suite(TESTS, wrong)  # type: ignore[arg-type]


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


def test_junit_of_an_interrupt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it comes, the numbers are those of the cases."""
    from burnside.testing.running import junit

    def interrupted(*_: object) -> Any:
        raise KeyboardInterrupt

    path = tmp_path / "report.xml"
    wrong = [Test(("a",), ("y",))]
    with junit.writing_junit(str(path), "suite") as add:
        run_suite(wrong, ObjectAdapter(Raising()), on_result=add)
        monkeypatch.setattr(junit, "_steps", interrupted)
        assert run_suite(wrong, ObjectAdapter(Raising()), on_result=add).stopped == "interrupted"
    suite = ElementTree.parse(path).getroot()[0]
    assert suite.attrib["tests"] == suite.attrib["failures"] == "1"
    assert len(suite.findall("testcase")) == 1


def test_an_interrupt_of_variants(
    chatbox: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The failure is shown, with the variants that were run."""
    from burnside.testing.running import variants

    run_one, count = variants.run_test, 0

    def twice(*given: Any) -> Any:
        nonlocal count
        count += 1
        if count > 2:
            raise KeyboardInterrupt
        return run_one(*given)

    monkeypatch.setattr(variants, "run_test", twice)
    words = ("--spec", "chatbox.dot", "--pattern", "chatbox.toml")
    code, found = answer(capsys, "suite.jsonl", "--adapter", command("--fault", "mirrored"), *words)
    assert code == 1 and len(found["variants"]["failing"]) == 2


def test_a_suite_of_another_machine(chatbox: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Found before the implementation is asked, where the machine is given."""
    Path("other.txt").write_text("# burnside test suite, version 1\n\nDREQ 0 1 MES / DIND\n\n")
    words = ("--spec", "chatbox.dot", "--pattern", "chatbox.toml", "--adapter", command())
    assert main(["run-tests", "other.txt", *words, "--junit", "report.xml"]) == 2
    assert "not one of this machine: step 1 of test 1 expects 'DIND'" in capsys.readouterr().err
    assert not Path("report.xml").exists()
