"""Limits hold from the first second on: while a model is read, certified and compiled, and within one step."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from burnside.diagnostics import UnsupportedError
from burnside.limits import Deadline, OutOfTime
from burnside.outcome import Outcome
from burnside.pipeline import check, read
from burnside.request import Limits, Request
from burnside.symmetry.programs import program_symmetry

STATE = "var x: boolean; startstate x := false; end;\n"
ENDLESS = {
    "loop": STATE + 'rule "r" for i: 0..9223372036854775806 do x := !x; end; end;',
    "while": STATE + 'rule "r" while true do for i: 0..999999 do x := !x; end; end; end;',
    "quantifier": STATE + 'rule "r" forall i: 0..1000000000000 do i >= 0 end ==> x := !x; end;',
    "invariant": STATE + 'rule "r" x := !x; end; invariant "q" forall i: 0..1000000000000 do i >= 0 end;',
    "ruleset": STATE + 'ruleset i: 0..1000000000 do rule "r" i = 5 ==> x := !x; end; end;',
    "start": 'var x: boolean; startstate for i: 0..9223372036854775806 do x := true; end; end; rule "r" x := !x; end;',
}


def timed(path: Path, seconds: float, engine: str = "core") -> Outcome:
    begun = time.monotonic()
    outcome = check(read(path), Request(engine=engine, limits=Limits(seconds=seconds)))
    assert time.monotonic() - begun < seconds + 5, "the limit was not heard"
    return outcome


@pytest.mark.parametrize("engine", ["core", "reference"])
@pytest.mark.parametrize("name", ENDLESS)
def test_a_step_without_end_is_stopped(name: str, engine: str, tmp_path: Path) -> None:
    path = tmp_path / "endless.m"
    path.write_text(ENDLESS[name])
    outcome = timed(path, 0.3, engine)
    assert (outcome.verdict, outcome.stopped, outcome.exit_code) == ("unknown", "max-seconds", 3)


@pytest.mark.parametrize("engine", ["core", "reference"])
@pytest.mark.parametrize("length", ["30", "<= 9223372036854775806"])
def test_a_search_without_end_is_stopped(length: str, engine: str, tmp_path: Path) -> None:
    path = tmp_path / "endless.mch"
    size = length if length.startswith("<") else f"= {length}"
    path.write_text(
        "MACHINE m VARIABLES x INVARIANT x : INTEGER INITIALISATION x := 0 "
        f"OPERATIONS go = ANY s WHERE s : seq(BOOL) & size(s) {size} & s /= [] & last(s) = first(s) THEN x := 1 END END"
    )
    outcome = timed(path, 0.3, engine)
    assert (outcome.verdict, outcome.stopped, outcome.exit_code) == ("unknown", "max-seconds", 3)


def test_sequences_that_are_too_long_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "long.mch"
    path.write_text(
        "MACHINE m VARIABLES x INVARIANT x : INTEGER INITIALISATION x := 0 "
        "OPERATIONS go = ANY s WHERE s : seq(BOOL) & size(s) = 9223372036854775807 THEN x := 1 END END"
    )
    with pytest.raises(UnsupportedError, match="more than 1,000,000 elements"):
        check(read(path), Request(engine="reference"))


def test_a_group_that_takes_long_is_stopped(tmp_path: Path) -> None:
    path = tmp_path / "large.m"
    path.write_text(
        "type id: scalarset(4000); var x: array [id] of boolean;\n"
        'startstate for i: id do x[i] := false; end; end;\nruleset i: id do rule "r" x[i] := !x[i]; end; end;'
    )
    outcome = timed(path, 0.5)
    assert (outcome.verdict, outcome.stopped) == ("unknown", "max-seconds")
    assert [each.verdict for each in outcome.properties] == ["unknown", "unknown"]


PHASES = {
    "reading": ("rwmutex 3000 40", 0.2),
    "finding symmetries": ("db 130", 1.0),
    "canonical forms": ("graphs 16", 1.5),
    "labels of wide states": ("rwmutex 3000 40", 2.0),
    "wide states": ("lines 1 2 8000 2", 1.5),
}
"""A net, and seconds after which most of them are in that phase."""


def phase_command(phase: str, folder: Path) -> list[str]:
    from burnside import families
    from burnside.languages.pnml.write import write_pnml

    family, _ = PHASES[phase]
    name, *parameters = family.split()
    path = folder / "net.pnml"
    with path.open("w", encoding="utf-8") as stream:
        write_pnml(families.build(name, parameters), stream)
    return [sys.executable, "-m", "burnside", "check", str(path), "--reduce", "search"]


@pytest.mark.parametrize("phase", PHASES)
def test_limits_are_heard_in_each_phase_of_a_large_net(phase: str, tmp_path: Path) -> None:
    command, (_, seconds) = phase_command(phase, tmp_path), PHASES[phase]
    begun = time.monotonic()
    run = subprocess.run(
        [*command, "--max-seconds", str(seconds)], capture_output=True, timeout=60, check=False
    )
    assert run.returncode == 3, run.stderr
    assert time.monotonic() - begun < seconds + 6, "the limit was not heard"


@pytest.mark.parametrize("phase", PHASES)
def test_ctrl_c_is_heard_in_each_phase_of_a_large_net(phase: str, tmp_path: Path) -> None:
    import signal

    command, (_, seconds) = phase_command(phase, tmp_path), PHASES[phase]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(seconds + 0.3)
    run.send_signal(signal.SIGINT)
    begun = time.monotonic()
    _, errors = run.communicate(timeout=60)
    assert run.returncode == 3, errors
    assert b"Traceback" not in errors
    assert time.monotonic() - begun < 6, "the interrupt was not heard"


def test_ctrl_c_is_heard_within_a_step(tmp_path: Path) -> None:
    import signal

    path = tmp_path / "endless.m"
    path.write_text(ENDLESS["loop"])
    command = [sys.executable, "-m", "burnside", "check", str(path)]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(2)
    run.send_signal(signal.SIGINT)
    output, _ = run.communicate(timeout=20)
    assert run.returncode == 3
    assert "unknown" in output.splitlines()[0]


def test_more_start_states_than_fit_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "starts.m"
    path.write_text(
        'var x: boolean; ruleset i: 0..1000000000 do startstate x := false; end; end; rule "r" x := !x; end;'
    )
    command = [sys.executable, "-m", "burnside", "check", str(path)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 2
    assert "more than 2^24 start states" in run.stderr


def test_the_search_for_symmetries_goes_on_without_what_takes_too_long(tmp_path: Path) -> None:
    path = tmp_path / "two.m"
    path.write_text(
        "type id: scalarset(3); e: enum {a, b}; var x: array [id] of boolean; y: array [e] of boolean;\n"
        'startstate clear x; clear y; end;\nruleset i: id do rule "r" x[i] := !x[i]; end; end;'
    )
    model = read(path)
    over = program_symmetry(model.subject, deadline=Deadline(0.0), limit=Deadline(0.0))
    assert (over.generators, over.complete, over.in_time) == ((), False, False)
    declared = program_symmetry(model.subject, deadline=Deadline(0.0))
    assert {each.source for each in declared.generators} == {"declared scalarset id"}
    assert not declared.in_time
    found = program_symmetry(model.subject, deadline=Deadline(60.0))
    assert found.in_time
    assert found.generators


def test_what_runs_out_of_time_is_left_behind() -> None:
    deadline = Deadline(0.1)

    def work() -> None:
        while True:
            time.sleep(0.01)
            deadline.check()

    with pytest.raises(OutOfTime):
        deadline.run(work)
    assert Deadline().run(lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        Deadline().run(lambda: 1 // 0)
