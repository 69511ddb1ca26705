"""The self-check: false generators, put in below certification, end a run with exit code 4; true ones never do."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import burnside
import pytest
from burnside import _core
from burnside.cli import main
from burnside.diagnostics import ContradictionError, Source, UsageError
from burnside.kinds.program import core_program
from burnside.languages import murphi

ROOT = Path(__file__).parent.parent
UNBOUNDED = {"unbounded", "mailboxes", "spawning"}
"""Nets with infinitely many markings."""
EXAMPLES = sorted(
    each
    for each in (ROOT / "examples").glob("*/*")
    if each.suffix in (".pnml", ".lola", ".hln", ".m", ".mch", ".ref") and each.stem not in UNBOUNDED
)
MODELS = ROOT.parent / "shared" / "models"
SHARED = (
    *("murphi/cmurphi_sym__cache3.ProcCount3.m", "murphi/cmurphi_sym__mcslock1.N3.m"),
    *("murphi/cmurphi_multisetsym__newlist6.CellCount4.m", "b/Galois.mch", "b/CXCC.mch"),
    *("pnml/Anderson-PT-04/model.pnml", "pnml/AirplaneLD-PT-0010/model.pnml"),
)
METHODS = ("flood", "nauty", "search", "minimise", "compare", "representative")
ORDERS = ("bfs", "dfs", "mixed", "random")

HEADER = "Type P: Enum {a, b}; Var x: array [P] of 0..3;"
START = "Startstate Begin For i: P Do x[i] := 0; End; End;"
STEPS = 'Ruleset i: P Do Rule "Step" x[i] < 3 ==> Begin x[i] := x[i] + 1; End; End;'
FALSE_PROGRAMS = {
    "successor": (
        'Rule "Only" x[a] = 0 ==> Begin x[a] := 1; End;',
        "Only leads to a successor of the state that nothing leads to from its image",
    ),
    "enabled": (
        f'{STEPS} Rule "Stays" x[a] = 0 ==> Begin x[a] := x[a]; End;',
        "Stays leads to a successor",
    ),
    "failure": (
        f'{STEPS} Rule "Fails" x[a] = 1 ==> Begin Assert x[a] = 0; x[a] := 0; End;',
        "Fails fails (",
    ),
    "error": (f'{STEPS} Rule "Beyond" x[a] = 2 ==> Begin x[a] := 7; End;', "Beyond fails (error)"),
    "guard": (f'{STEPS} Rule "Guard" 1 / x[a] = 2 ==> Begin x[a] := 0; End;', "Guard has a guard that fails"),
    "verdict": (f'{STEPS} Invariant "Low" x[a] < 3;', "Low is violated or reached in"),
    "cover": (f'{STEPS} Cover "High" x[a] = 2;', "High is covered in"),
    "discarded": (f'{STEPS} Assume "Below" x[a] < 3;', "leads to a state that is assumed away"),
}

MACHINE = """MACHINE False SETS P = {{a, b}} VARIABLES x
INVARIANT x : P --> 0..3 {INVARIANT}
INITIALISATION x := P * {{0}}
OPERATIONS {OPERATIONS} END"""
STEP = "step(i) = PRE i : P & x(i) < 2 THEN x(i) := x(i) + 1 END"
FALSE_MACHINES = {
    "successor": ("", "only = PRE x(a) = 0 THEN x(a) := 1 END", "only leads to a successor"),
    "result": ("", f"{STEP}; r <-- ask = PRE x(a) = 1 THEN r := 1 END", "ask --> 1 leads to a successor"),
    "failure": (
        "",
        f"{STEP}; bad = PRE x(a) = 1 THEN x(a) := 1 / 0 END",
        "bad has a guard that fails (error)",
    ),
    "verdict": ("& x(a) < 2", STEP, "x(a) < 2 is violated or reached in"),
}


EXCHANGED = """MACHINE Exchanged SETS P = {a, b} VARIABLES phase, f
INVARIANT phase : 0..2 & f : P --> 0..3
INITIALISATION phase := 0 || f := P * {0}
OPERATIONS
  opA(i) = PRE i : P & ((phase = 0 & i /= a) or phase = 1) THEN
    IF phase = 0 THEN phase := 1 ELSE phase := 2 || f := f <+ {a |-> 1} <+ {i |-> f(i) + 2} END END;
  opB(i) = PRE i : P & ((phase = 0 & i /= b) or phase = 1) THEN
    IF phase = 0 THEN phase := 1 ELSE phase := 2 || f := f <+ {b |-> 1} <+ {i |-> f(i) + 2} END END
END"""


def wrong(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes every check of a program or machine with two elements believe that these can be exchanged."""
    group = _core.ElementGroup(2, [[1, 0]], whole=True)
    kind = "machine" if model.suffix == ".mch" else "program"
    monkeypatch.setattr(f"burnside.kinds.{kind}.element_group", lambda _: group)


def program(folder: Path, rules: str) -> Path:
    path = folder / "false.m"
    path.write_text(f"{HEADER} {rules} {START}")
    return path


def machine(folder: Path, invariant: str, operations: str) -> Path:
    path = folder / "False.mch"
    path.write_text(MACHINE.format(INVARIANT=invariant, OPERATIONS=operations))
    return path


def contradiction(path: Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """What is said on standard error, where nothing is on standard output."""
    assert main(["check", str(path), "--no-deadlock", "--keep-going", *options]) == 4
    out, said = capsys.readouterr()
    assert out == ""
    assert said.startswith(
        f"{path}: error: internal error: the self-check found a contradiction: (a b) is no"
    )
    return said


@pytest.mark.parametrize("kind", FALSE_PROGRAMS)
@pytest.mark.parametrize("options", [(), ("--json",), ("--threads", "2")], ids=" ".join)
def test_a_false_symmetry_of_a_program(
    kind: str,
    options: Sequence[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    rules, expected = FALSE_PROGRAMS[kind]
    path = program(tmp_path, rules)
    wrong(path, monkeypatch)
    said = contradiction(path, capsys, "--self-check", "full", *options)
    assert expected in said
    assert "state       x[a]=" in said


@pytest.mark.parametrize("kind", FALSE_MACHINES)
@pytest.mark.parametrize("options", [(), ("--json",), ("--reduce", "marker")], ids=" ".join)
def test_a_false_symmetry_of_a_machine(
    kind: str,
    options: Sequence[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    invariant, operations, expected = FALSE_MACHINES[kind]
    path = machine(tmp_path, invariant, operations)
    wrong(path, monkeypatch)
    said = contradiction(path, capsys, "--self-check", "full", *options)
    assert expected in said
    assert "state       x={(a|->" in said


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("keep_going", [False, True])
def test_every_method_and_order_is_checked(
    method: str, order: str, keep_going: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the first state already, so that a sample finds it too."""
    for path in (
        program(tmp_path, FALSE_PROGRAMS["successor"][0]),
        machine(tmp_path, *FALSE_MACHINES["successor"][:2]),
    ):
        wrong(path, monkeypatch)
        for which in ("sample", "full"):
            with pytest.raises(ContradictionError, match="no symmetry") as caught:
                burnside.check(
                    path, reduce=method, order=order, keep_going=keep_going, deadlock=False, self_check=which
                )
            assert caught.value.exit_code == 4
        outcome = burnside.check(path, reduce=method, order=order, deadlock=False, self_check="off")
        assert outcome.reduction.self_check is None


def test_a_sample_is_the_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = program(tmp_path, FALSE_PROGRAMS["successor"][0])
    wrong(path, monkeypatch)
    with pytest.raises(ContradictionError):
        burnside.check(path, deadlock=False)


@pytest.mark.parametrize("which", ["sample", "full"])
@pytest.mark.parametrize(
    ("make", "reading"),
    [
        (lambda folder: program(folder, FALSE_PROGRAMS["successor"][0]), "program"),
        (lambda folder: machine(folder, *FALSE_MACHINES["successor"][:2]), "machine"),
    ],
    ids=["program", "machine"],
)
def test_the_reference_engine_checks_itself(
    which: str,
    make: Callable[[Path], Path],
    reading: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = make(tmp_path)
    monkeypatch.setattr(f"burnside.kinds.{reading}.by_sort", lambda _: [{"P": (1, 0)}])
    wrong(path, monkeypatch)
    assert main(["check", str(path), "--engine", "reference", "--no-deadlock", "--self-check", which]) == 4
    out, said = capsys.readouterr()
    assert out == ""
    assert "(a b) is no symmetry of this model" in said
    assert "leads to a successor of the state that nothing leads to from its image" in said


def test_the_reference_engine_compares_failures() -> None:
    from tests.exploring import explore_program as explore

    for kind in ("failure", "error", "guard"):
        rules, expected = FALSE_PROGRAMS[kind]
        built = murphi.read_text(Source("false.m", f"{HEADER} {rules} {START}"))
        with pytest.raises(ContradictionError, match="no symmetry") as caught:
            explore(built, [{"P": (1, 0)}], keep_going=True, self_check="full")
        assert expected in str(caught.value)


def test_a_contradiction_of_a_net_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing gets around certification of nets: the core's own tests put false generators in."""
    path = ROOT / "examples" / "nets" / "mutex.lola"
    net = burnside.load(path)
    found = SimpleNamespace(
        generator=[1, 0, *range(2, 10)],
        state=list(net.initial),
        image=[1, 1, *net.initial[2:]],
        enabled=(3, 2),
        what="steps",
        labels=[1],
        effect="taken",
        property=None,
        in_state=False,
    )

    def explore(*_: Any, **__: Any) -> None:
        raise _core.SelfCheckError(found)

    monkeypatch.setattr(_core, "explore", explore)
    assert main(["check", str(path)]) == 4
    out, said = capsys.readouterr()
    assert out == ""
    assert "(free idle_1) is no symmetry" in said
    assert "state       free=1, idle_1=1, idle_2=1, idle_3=1\n" in said
    assert "enter_1 leads to a successor of its image that nothing leads to from the state" in said
    assert "enabled actions: 3 in the state, 2 in its image" in said


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda each: each.name)
def test_examples_pass(path: Path) -> None:
    outcome = burnside.check(path, self_check="full", keep_going=True)
    check = outcome.reduction.self_check
    assert check is not None
    assert check.of == outcome.states
    assert check.states == (outcome.states if check.generators else 0)


@pytest.mark.parametrize("name", SHARED)
def test_other_models_pass(name: str) -> None:
    if not (MODELS / name).exists():
        pytest.skip(f"../shared/models/{name} is absent")
    outcome = burnside.check(
        MODELS / name, self_check="full", keep_going=True, limits=burnside.Limits(states=3000)
    )
    check = outcome.reduction.self_check
    assert check is not None
    assert check.states > 0
    assert check.generators == check.all_generators > 0


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["murphi/msi.m", "nets/database.pnml", "b/RussianPostalPuzzle.mch"])
@pytest.mark.parametrize("threads", [1, 3])
def test_every_state_is_checked_whatever_the_method(method: str, name: str, threads: int) -> None:
    outcome = burnside.check(
        ROOT / "examples" / name, reduce=method, threads=threads, self_check="full", keep_going=True
    )
    check = outcome.reduction.self_check
    assert check is not None
    assert check.states == check.of == outcome.states


@pytest.mark.parametrize("name", ["murphi/peterson.m", "nets/mutex.lola", "b/Club.mch"])
def test_the_reference_engine_passes(name: str) -> None:
    limits = burnside.Limits(states=60)
    outcome = burnside.check(
        ROOT / "examples" / name, engine="reference", self_check="full", limits=limits, keep_going=True
    )
    check = outcome.reduction.self_check
    assert check is not None
    assert check.of == outcome.states
    assert 0 < check.states <= check.of
    assert check.states == check.of or outcome.stopped == "max-states"


def test_a_state_of_many_generators_is_sampled_under_some(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "many.pnml"
    assert main(["example", "mutex", "30", "-o", str(path)]) == 0
    assert main(["check", str(path), "--max-states", "50"]) == 3
    some = _core.MAX_SAMPLED_GENERATORS
    assert f"of 50 states, {some} of 29 generators each" in capsys.readouterr().out
    assert main(["check", str(path), "--max-states", "50", "--self-check", "full"]) == 3
    assert "of 50 states, 29 generators" in capsys.readouterr().out


def test_states_of_too_many_values_are_not_sampled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first state of these, with a label for each pair, could take longer than the rest of the run."""
    path = tmp_path / "wide.pnml"
    assert main(["example", "servers", "40", "60", "-o", str(path)]) == 0
    assert main(["check", str(path)]) == 0
    said = capsys.readouterr().out
    assert any(
        f"self-check    {checked} of 3 states, 4 of 98 generators each" in said for checked in range(3)
    )
    assert main(["check", str(path), "--self-check", "full"]) == 0
    assert "self-check    3 of 3 states, 98 generators" in capsys.readouterr().out


def test_nothing_to_check_is_told_where_it_was_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(ROOT / "examples" / "nets" / "mutex.lola")
    assert main(["check", path, "--reduce", "none", "--self-check", "full"]) == 0
    assert "self-check    0 of 20 states, no generators" in capsys.readouterr().out
    assert main(["check", path, "--reduce", "none", "--self-check", "full", "--json"]) == 0
    nothing = {"states": 0, "of": 20, "generators": 0}
    assert json.loads(capsys.readouterr().out)["reduction"]["self_check"] == nothing
    assert main(["check", path, "--reduce", "none"]) == 0
    assert "self-check" not in capsys.readouterr().out


def test_off_is_off(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(ROOT / "examples" / "nets" / "mutex.lola")
    for engine in ("core", "reference"):
        assert main(["check", path, "--self-check", "off", "--engine", engine, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["reduction"]["self_check"] is None
        assert main(["check", path, "--self-check", "off", "--engine", engine]) == 0
        assert "self-check" not in capsys.readouterr().out


def test_other_values_are_refused() -> None:
    with pytest.raises(UsageError, match="no such value: 'some'"):
        burnside.check(ROOT / "examples" / "nets" / "mutex.lola", self_check="some")
    with pytest.raises(ValueError, match="no such self-check: some"):
        built = murphi.read(ROOT / "examples" / "murphi" / "sem.m")
        points = sum(sort.size for sort in built.sorts)
        group = _core.ElementGroup(points, [])
        _core.explore(
            core_program(built, "sem.m"), group, _core.Method("none"), _core.Settings(self_check="some")
        )


@pytest.mark.parametrize("method", ["search", "nauty", "compare"])
def test_operations_that_symmetries_exchange_are_not_pruned(method: str, tmp_path: Path) -> None:
    """(a b) takes opA(a) to opB(b), not to opA(b): in phase 1 all four must be fired to reach all orbits."""
    path = tmp_path / "Exchanged.mch"
    path.write_text(EXCHANGED)
    outcome = burnside.check(path, reduce=method, deadlock=False, self_check="full")
    assert outcome.reduction.group_order == 2
    assert (outcome.states, outcome.full_states) == (4, 6)


@pytest.mark.parametrize("pruned", [True, False])
def test_labels_by_which_steps_are_pruned_are_compared(
    pruned: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the information that the operations are exchanged; without pruning nothing depends on it."""
    path = tmp_path / "Exchanged.mch"
    path.write_text(EXCHANGED)
    wrong(path, monkeypatch)
    if not pruned:
        assert burnside.check(path, deadlock=False, self_check="full", prune=False).states == 4
        return
    with pytest.raises(ContradictionError, match="the generator fixes the state and takes op"):
        burnside.check(path, deadlock=False, self_check="full")


def test_labels_that_differ_in_places_that_never_change_alone(tmp_path: Path) -> None:
    """Two transitions ask for a lock that is always there, and are one label; a third one is alone. A symmetry maps pairs to
    pairs, though all three change the same places."""
    one = "".join(
        f"TRANSITION {name}{side} CONSUME {side}{lock}; PRODUCE{made};\n"
        for side in ("a", "b")
        for name, lock, made in (
            ("alone", "", ""),
            ("first", ", lock", " lock"),
            ("second", ", lock", " lock"),
        )
    )
    path = tmp_path / "lock.lola"
    path.write_text(f"PLACE a, b, lock;\nMARKING a, b, lock;\n{one}")
    outcome = burnside.check(burnside.load(path), "search", self_check="full")
    assert (outcome.states, outcome.full_states, outcome.reduction.group_order) == (3, 4, 2 * 2 * 2)
    assert outcome.transitions == 6 + 3
