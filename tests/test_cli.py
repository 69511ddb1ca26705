"""The command line: exit codes, what goes to which stream, files that appear whole or not at all."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from burnside import families
from burnside.cli import main
from burnside.languages.pnml.write import write_pnml

COMMAND = [sys.executable, "-c", "import sys; from burnside.cli import main; sys.exit(main())"]


def written(folder: Path, name: str, *params: str) -> str:
    path = folder / f"{name}.pnml"
    with path.open("w", encoding="utf-8") as stream:
        write_pnml(families.build(name, params), stream)
    return str(path)


@pytest.fixture(scope="module")
def mutex(tmp_path_factory: pytest.TempPathFactory) -> str:
    return written(tmp_path_factory.mktemp("models"), "mutex", "3")


@pytest.fixture(scope="module")
def philosophers(tmp_path_factory: pytest.TempPathFactory) -> str:
    return written(tmp_path_factory.mktemp("models"), "ph", "4")


def test_json_is_one_document_and_nothing_else(mutex: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", mutex, "--json"]) == 0
    out, err = capsys.readouterr()
    record = json.loads(out)
    assert err == ""
    assert record["model"] == mutex
    assert record["language"] == "pnml"
    assert record["verdict"] == "holds"
    assert record["reduction"]["group_order"] == 6


def test_text_and_json_agree(philosophers: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", philosophers, "--json", "--deadlock", "--keep-going"]) == 1
    record = json.loads(capsys.readouterr().out)
    assert main(["check", philosophers, "--deadlock", "--keep-going"]) == 1
    text = capsys.readouterr().out
    assert f"{record['states']:,} orbits, {record['full_states']:,} full states" in text
    assert "violated  deadlock" in text
    assert "trace to a deadlock" in text


def test_a_goal_that_is_found_ends_with_1(mutex: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", mutex, "--find", "critical_2 = 1", "--json"]) == 1
    (goal,) = json.loads(capsys.readouterr().out)["properties"]
    assert (goal["kind"], goal["verdict"]) == ("goal", "violated")
    assert goal["trace"][0]["action"] is None
    assert goal["trace"][-1]["state"]["critical_2"] == "1"


def test_a_limit_ends_with_3(philosophers: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", philosophers, "--max-states", "2", "--json"]) == 3
    record = json.loads(capsys.readouterr().out)
    assert (record["verdict"], record["stopped"], record["full_states"]) == ("unknown", "max-states", None)


def test_details(mutex: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", mutex, "--bounds", "--dead-transitions", "--stats"]) == 0
    out = capsys.readouterr().out
    assert "critical_1" in out
    assert "dead transitions\n  none" in out
    assert "trivial" in out


WRONG = [
    [],
    ["kernel", "x"],
    ["check"],
    ["check", "MODEL", "--no-such-option"],
    ["check", "MODEL", "--max-states", "0"],
    ["check", "MODEL", "--max-states", "-5"],
    ["check", "MODEL", "--max-states", "many"],
    ["check", "MODEL", "--max-states", "9" * 5000],
    ["check", "MODEL", "--max-seconds", "nan"],
    ["check", "MODEL", "--max-seconds", "inf"],
    ["check", "MODEL", "--max-seconds", "0"],
    ["check", "MODEL", "--max-memory", "-1"],
    ["check", "MODEL", "--reduce", "magic"],
    ["check", "MODEL", "--reduce", "marker"],
    ["check", "MODEL", "--red", "none"],
    ["check", "MODEL", "--alpha", "0.5"],
    ["check", "MODEL", "--seed", "1"],
    ["check", "MODEL", "--guide", "marking"],
    ["check", "MODEL", "--size", "N=3"],
    ["check", "MODEL", "--size", "N"],
    ["check", "MODEL", "--size", "N=1", "--size", "N=2"],
    ["check", "MODEL", "--language", "klingon"],
    ["check", "MODEL", "--invariant", "critical_1 +"],
    ["check", "MODEL", "--invariant", "nowhere = 1"],
    ["check", "MODEL", "--fixing", "nowhere=1"],
    ["check", "MODEL", "--trace", "trace.gif"],
    ["check", "MODEL", "--trace", "/no/such/folder/trace.json"],
    ["check", "/no/such/model.pnml"],
    ["check", "/"],
    ["symmetries", "/no/such/model.pnml"],
    ["symmetries", "MODEL", "--reduce", "none"],
    ["graph", "MODEL"],
    ["graph", "MODEL", "-o", "/no/such/folder/x.dot"],
    ["graph", "MODEL", "-o", "x.jpeg"],
    ["graph", "MODEL", "-o", "x.dot", "--reduce", "representative"],
    ["graph", "MODEL", "-o", "x.dot", "--max-states", "3"],
    ["graph", "MODEL", "-o", "x.dot", "--what", "net", "--reduce", "none"],
    ["simulate", "MODEL", "--steps", "0"],
    ["example"],
    ["example", "ph"],
    ["example", "ph", "zero"],
    ["example", "--list", "ph"],
    ["example", "ph", "3", "-o", "/no/such/folder/x.pnml"],
]


@pytest.mark.parametrize("words", WRONG, ids=lambda words: " ".join(words)[:60])
def test_wrong_calls_end_with_2_and_say_why(
    words: list[str],
    mutex: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([mutex if word == "MODEL" else word for word in words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "error: " in err
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("extension", ["json", "txt", "dot"])
def test_traces_are_written(
    extension: str, philosophers: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / f"trace.{extension}"
    assert main(["check", philosophers, "--deadlock", "--trace", str(file), "--json"]) == 1
    assert "take_left_1" in file.read_text()
    assert list(tmp_path.iterdir()) == [file]
    if extension == "json":
        (trace,) = json.loads(file.read_text())["traces"]
        (result,) = json.loads(capsys.readouterr().out)["properties"]
        assert trace == result


def test_without_a_counterexample_no_file_appears(
    mutex: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", mutex, "--deadlock", "--trace", str(tmp_path / "t.json")]) == 0
    assert "not written" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_counterexample_of_an_earlier_run_does_not_stay(
    mutex: str, philosophers: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    real, link = tmp_path / "t.json", tmp_path / "link.json"
    link.symlink_to(real)
    for path in (real, link):
        assert main(["check", philosophers, "--deadlock", "--trace", str(path)]) == 1
        assert real.exists()
        capsys.readouterr()
        assert main(["check", mutex, "--deadlock", "--trace", str(path), "--json"]) == 0
        out, err = capsys.readouterr()
        assert json.loads(out)["verdict"] == "holds"
        assert err == f"burnside: no counterexample, {path} of an earlier run is removed\n"
        assert not real.exists() and link.is_symlink()


def test_help_says_what_an_option_does(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--help"]) == 0
    words = " ".join(capsys.readouterr().out.split())
    assert "--invariant EXPR EXPR must hold in every state; repeatable" in words
    assert "--find EXPR search for a state where EXPR holds; repeatable" in words


def test_symmetries(mutex: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["symmetries", mutex, "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["group_order"] == 6
    assert record["structure"] == "S3"
    assert record["refused"] == []
    assert ["critical_1", "critical_2", "critical_3"] in record["orbits"]
    assert main(["symmetries", mutex]) == 0
    assert "group of order 6, S3" in capsys.readouterr().out
    assert main(["symmetries", mutex, "--keeping", "critical_1 = 0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["group_order"] == 2


def test_graphs(mutex: str, tmp_path: Path) -> None:
    for words in (["space.dot"], ["space.json", "--reduce", "none"], ["net.dot", "--what", "net"]):
        file = tmp_path / words[0]
        assert main(["graph", mutex, "-o", str(file), *words[1:]]) == 0
        assert file.stat().st_size > 100
    assert len(json.loads((tmp_path / "space.json").read_text())["states"]) == 20


def test_a_space_too_large_to_draw_is_refused(
    mutex: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "space.dot"
    assert main(["graph", mutex, "-o", str(file), "--max-states", "3"]) == 2
    assert "more than 3 states" in capsys.readouterr().err
    assert not file.exists()


PROGRAM = """
type P: scalarset(2);
var x: array[P] of boolean;
startstate for p: P do x[p] := false end; end;
ruleset p: P do rule "set" !x[p] ==> x[p] := true; end end;
cover "never" false;
"""
PROGRAM_WRONG = [
    (["check", "--safe"], "--safe: error: has no effect here"),
    (["check", "--bounds"], "--bounds: error: has no effect here"),
    (["check", "--fixing", "initial"], "--fixing: error: has no effect here"),
    (["check", "--size", "Q=3"], "no constant or scalarset is called 'Q'"),
    (["check", "--break-symmetry", "Q"], "--break-symmetry: error: there is no sort 'Q'"),
    (["check", "--invariant", "x[0]"], "--invariant:1:3: error: the index"),
    (["graph", "--what", "net", "-o", "net.svg"], "--what: error:"),
]


@pytest.mark.parametrize(("words", "said"), PROGRAM_WRONG, ids=lambda each: str(each)[:40])
def test_wrong_calls_on_programs(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    model = tmp_path / "model.m"
    model.write_text(PROGRAM)
    assert main([words[0], str(model), *words[1:]]) == 2
    captured = capsys.readouterr()
    assert said in captured.err and not captured.out


def test_a_cover_that_is_never_met_is_a_violation_without_a_trace(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    model, trace = tmp_path / "model.m", tmp_path / "trace.txt"
    model.write_text(PROGRAM)
    assert main(["check", str(model), "--no-deadlock", "--trace", str(trace)]) == 1
    captured = capsys.readouterr()
    assert "violated  cover never: never satisfied" in captured.out
    assert "no counterexample" in captured.err and not trace.exists()


def test_simulate_a_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "model.m"
    model.write_text(PROGRAM)
    assert main(["simulate", str(model), "--steps", "5", "--json", "--no-deadlock"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert len(record["steps"]) == 3 and record["deadlock"]
    assert record["steps"][-1]["state"] == {"x[P_0]": "true", "x[P_1]": "true"}


def test_a_walk_to_a_violation_ends_with_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "model.m"
    model.write_text(
        'var n: 0 .. 9; startstate n := 0; end; rule "up" n := n + 1; end; invariant "low" n < 3;'
    )
    assert main(["simulate", str(model), "--steps", "2"]) == 0
    assert "violated" not in capsys.readouterr().out
    assert main(["simulate", str(model), "--steps", "5"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "violated in step 3: invariant low"
    assert main(["simulate", str(model), "--steps", "5", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["violations"] == [
        {"step": 3, "action": "up", "kind": "invariant", "name": "low"}
    ]
    assert main(["simulate", str(model), "--deadlock"]) == 2
    assert "it needs --steps" in capsys.readouterr().err


def test_simulate(mutex: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["simulate", mutex, "--steps", "5", "--seed", "3", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert len(record["steps"]) == 6
    monkeypatch.setattr("sys.stdin", io.StringIO("1\nu\nq\n"))
    assert main(["simulate", mutex]) == 0
    assert "try_1" in capsys.readouterr().out


def test_examples(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "ph.pnml"
    assert main(["example", "ph", "3", "-o", str(file)]) == 0
    assert capsys.readouterr().out == ""
    assert main(["example", "ph", "3"]) == 0
    assert capsys.readouterr().out == file.read_text()
    assert main(["check", str(file)]) == 0
    capsys.readouterr()
    assert main(["example", "--list"]) == 0
    assert "digraphs" in capsys.readouterr().out


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert "symmetries" in capsys.readouterr().out
    assert main(["check", "--help"]) == 0
    capsys.readouterr()
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("burnside 0.")


class Panic(BaseException):
    """As the core's panics are: no Exception."""


@pytest.mark.parametrize("error", [ZeroDivisionError, ValueError, Panic])
def test_an_unexpected_error_is_a_bug_and_said_so(
    error: type[BaseException],
    mutex: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from burnside import pipeline

    def broken(*_: object) -> None:
        raise error("a very\nlong story")

    monkeypatch.delenv("BURNSIDE_DEBUG", raising=False)
    monkeypatch.setattr(pipeline, "check", broken)
    assert main(["check", mutex]) == 4
    out, err = capsys.readouterr()
    name = error.__name__
    first, second = err.splitlines()
    assert (out, first) == (
        "",
        f"burnside: error: internal error: {name}: a very (BURNSIDE_DEBUG=1 shows where)",
    )
    assert "this is a bug in burnside, no verdict is given; please report it" in second
    monkeypatch.setenv("BURNSIDE_DEBUG", "1")
    assert main(["check", mutex]) == 4
    assert "Traceback" in capsys.readouterr().err


def test_a_trace_that_does_not_replay_is_a_bug(
    philosophers: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from burnside import engine
    from burnside.exploration import ClaimedTrace

    monkeypatch.setattr(engine, "claims_of", lambda *_: {0: ClaimedTrace(())})
    assert main(["check", philosophers, "--deadlock", "--json"]) == 4
    out, err = capsys.readouterr()
    assert out == ""
    assert "a trace does not replay" in err and "this is a bug in burnside" in err


@pytest.mark.parametrize(("error", "code"), [("MethodError", 2), ("TooLargeError", 4)])
def test_only_a_refused_method_is_the_users_choice(
    error: str, code: int, mutex: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from burnside import _core

    def refusing(*_: object, **__: object) -> None:
        raise getattr(_core, error)("does not fit")

    for function in ("explore", "state_graph"):
        monkeypatch.setattr(_core, function, refusing)
    assert main(["check", mutex]) == code
    assert ("--reduce: error: does not fit" in capsys.readouterr().err) == (code == 2)


def test_an_interrupt_outside_the_exploration_ends_with_3(
    mutex: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from burnside import pipeline

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "read", interrupted)
    assert main(["check", mutex]) == 3
    assert capsys.readouterr().out == ""


def test_a_reader_that_leaves_changes_nothing(mutex: str) -> None:
    with subprocess.Popen(
        [*COMMAND, "check", mutex, "--deadlock", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as run:
        assert run.stdout is not None
        run.stdout.close()
        assert run.stderr is not None
        assert run.stderr.read() == b""
        assert run.wait() == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_an_error(mutex: str) -> None:
    with Path("/dev/full").open("w") as full:
        run = subprocess.run(
            [*COMMAND, "check", mutex], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert run.returncode == 2
    assert "standard output cannot be written" in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize("engine", ["core", "reference"])
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_with_the_outcome_so_far(sent: signal.Signals, engine: str, tmp_path: Path) -> None:
    model = written(tmp_path, "ph", "20")
    command = [*COMMAND, "check", model, "--reduce", "none", "--json", "--engine", engine]
    command += ["--progress"] if engine == "core" else []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert run.stderr is not None
        if engine == "core":
            assert "states/s" in run.stderr.readline()
        time.sleep(0.1 if engine == "core" else 3)
        run.send_signal(sent)
        out, err = run.communicate(timeout=60)
    record = json.loads(out)
    assert run.returncode == 3
    assert (record["stopped"], record["verdict"]) == ("interrupted", "unknown")
    assert record["states"] > 0
    assert "Traceback" not in err


def test_start_up_loads_nothing_heavy() -> None:
    script = (
        "import sys; from burnside.cli import main; main(['--help']); "
        "heavy = {'rich', 'pygraphviz', 'burnside._core', 'json', 'tempfile'} & set(sys.modules); "
        "sys.exit(', '.join(heavy) or 0)"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
