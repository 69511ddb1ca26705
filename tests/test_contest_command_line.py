"""The Model Checking Contest on the command line: examinations by name, property files, lines as the contest wants them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import burnside
import pytest
from burnside.cli import main
from burnside.plan import EXAMINATIONS

EXAMPLES = Path(__file__).parent.parent / "examples"
RING = str(EXAMPLES / "nets" / "ring.lola")
PHILOSOPHERS = str(EXAMPLES / "nets" / "philosophers.pnml")
UNBOUNDED = str(EXAMPLES / "nets" / "unbounded.lola")
SEM = str(EXAMPLES / "murphi" / "sem.m")
SHARED = Path(__file__).parents[2] / "shared" / "models" / "pnml"

TOKENS = "<tokens-count><place>{}</place></tokens-count>"
SUFFIXES = {
    "ReachabilityDeadlock": "RD",
    "QuasiLiveness": "QL",
    "StableMarking": "SM",
    "Liveness": "L",
    "OneSafe": "OS",
}
MAX_MARKINGS = 5_000


def less_or_equal(left: str, right: str) -> str:
    return f"<integer-le>{left}{right}</integer-le>"


def one() -> str:
    return "<integer-constant>1</integer-constant>"


def properties(folder: Path, **formulas: str) -> str:
    path = folder / "properties.xml"
    entries = [
        f"<property><id>{name}</id><description>none</description><formula>{formula}</formula></property>"
        for name, formula in formulas.items()
    ]
    text = f'<?xml version="1.0"?><property-set xmlns="http://mcc.lip6.fr/">{"".join(entries)}</property-set>'
    path.write_text(text)
    return str(path)


@pytest.fixture
def ring_properties(tmp_path: Path) -> str:
    full = less_or_equal(one(), TOKENS.format("full_1"))
    bound = "".join(f"<place>full_{at}</place>" for at in (1, 2, 3))
    return properties(
        tmp_path,
        Reached=f"<exists-path><finally><negation>{full}</negation></finally></exists-path>",
        Always=f"<all-paths><globally>{full}</globally></all-paths>",
        Again=f"<all-paths><globally><exists-path><finally>{full}</finally></exists-path></globally></all-paths>",
        LTLFair=f"<all-paths><globally><finally>{full}</finally></globally></all-paths>",
        Most=f"<place-bound>{bound}</place-bound>",
    )


def checked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    code = main(["check", *arguments, "--json"])
    out, err = capsys.readouterr()
    assert out, err
    return code, json.loads(out)


@pytest.mark.parametrize("engine", ["core", "reference"])
def test_kinds_of_properties(engine: str, ring_properties: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, record = checked(capsys, RING, "--properties", ring_properties, "--engine", engine)
    assert code == 1
    assert [(each["name"], each["kind"], each["verdict"]) for each in record["properties"]] == [
        ("Reached", "reachability", "holds"),
        ("Always", "reachability", "violated"),
        ("Again", "ctl", "holds"),
        ("LTLFair", "ltl", "holds"),
        ("Most", "bound", "holds"),
    ]
    assert record["properties"][-1]["value"] == 3
    assert [each.get("value") for each in record["properties"][:-1]] == [None] * 4
    assert any(step["state"]["full_1"] == "0" for step in record["properties"][1]["trace"])


def test_lines(ring_properties: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", RING, "--properties", ring_properties, "--contest"]) == 1
    out, err = capsys.readouterr()
    assert err == ""
    assert re.sub(r" TECHNIQUES EXPLICIT( SYMMETRIES)?$", "", out, flags=re.MULTILINE).splitlines() == [
        "FORMULA Reached TRUE",
        "FORMULA Always FALSE",
        "FORMULA Again TRUE",
        "FORMULA LTLFair TRUE",
        "FORMULA Most 3",
    ]


def test_techniques(capsys: pytest.CaptureFixture[str]) -> None:
    for reduce, techniques in (("auto", "EXPLICIT SYMMETRIES"), ("none", "EXPLICIT")):
        assert main(["check", RING, "--examination", "OneSafe", "--contest", "--reduce", reduce]) == 0
        assert capsys.readouterr().out == f"FORMULA OneSafe TRUE TECHNIQUES {techniques}\n"


def test_what_has_no_answer_has_no_line(ring_properties: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", RING, "--properties", ring_properties, "--contest", "--max-states", "3"]) == 3
    out, err = capsys.readouterr()
    answered = re.findall(r"^FORMULA (\w+) (?:TRUE|FALSE|\d+) TECHNIQUES ", out, re.MULTILINE)
    unanswered = re.findall(
        r"^\S*: (\w+): unknown \(stopped: the limit on states was reached", err, re.MULTILINE
    )
    assert unanswered
    assert sorted(answered + unanswered) == ["Again", "Always", "LTLFair", "Most", "Reached"]


def test_the_state_space(capsys: pytest.CaptureFixture[str]) -> None:
    lines = ["STATES 20", "MAX_TOKEN_IN_PLACE 1", "MAX_TOKEN_PER_MARKING 6"]
    for reduce in ("auto", "none"):
        assert main(["check", RING, "--examination", "StateSpace", "--contest", "--reduce", reduce]) == 0
        found = [
            line.split(" TECHNIQUES")[0].removeprefix("STATE_SPACE ")
            for line in capsys.readouterr().out.splitlines()
        ]
        assert found == (lines if reduce == "auto" else [lines[0], "TRANSITIONS 36", *lines[1:]])


def test_examinations_of_philosophers(capsys: pytest.CaptureFixture[str]) -> None:
    asked = [word for name in EXAMINATIONS for word in ("--examination", name)]
    code, record = checked(capsys, PHILOSOPHERS, *asked)
    found = {each["name"]: (each["kind"], each["verdict"]) for each in record["properties"]}
    assert list(found) == list(EXAMINATIONS)
    assert code == 1
    assert found == {
        "ReachabilityDeadlock": ("examination", "holds"),
        "QuasiLiveness": ("examination", "holds"),
        "StableMarking": ("examination", "violated"),
        "Liveness": ("examination", "violated"),
        "OneSafe": ("examination", "holds"),
        "StateSpace": ("examination", "holds"),
    }
    witness = record["properties"][0]["witness"]
    assert witness[0]["action"] is None
    assert record["properties"][-1]["value"] == record["full_states"]


def test_liveness_asks_one_transition_of_each_orbit(capsys: pytest.CaptureFixture[str]) -> None:
    """Of the six moves of the ring."""
    code, record = checked(capsys, RING, "--examination", "Liveness")
    orbits = burnside.symmetries(RING).transition_orbits
    asked = [name for run in record["formula_runs"] for name in run["formulas"]]
    assert (code, len(asked), len(orbits)) == (0, 2, 2)


def test_properties_that_were_not_asked_are_not_reported(capsys: pytest.CaptureFixture[str]) -> None:
    _, record = checked(capsys, PHILOSOPHERS, "--examination", "ReachabilityDeadlock")
    assert [each["name"] for each in record["properties"]] == ["ReachabilityDeadlock"]
    assert (record["verdict"], record["stopped"]) == ("holds", "violation")
    _, record = checked(capsys, PHILOSOPHERS, "--examination", "ReachabilityDeadlock", "--deadlock")
    assert [(each["name"], each["verdict"]) for each in record["properties"]] == [
        ("deadlock", "violated"),
        ("ReachabilityDeadlock", "holds"),
    ]


def test_an_unbounded_net(capsys: pytest.CaptureFixture[str]) -> None:
    """What the markings seen so far decide is answered, the rest is not."""
    code, record = checked(capsys, UNBOUNDED, "--examination", "OneSafe")
    assert (code, record["properties"][0]["verdict"]) == (1, "violated")
    asked = [word for name in EXAMINATIONS for word in ("--examination", name)]
    code, record = checked(capsys, UNBOUNDED, *asked, "--max-states", "200")
    found = {each["name"]: each["verdict"] for each in record["properties"]}
    assert found == {
        "ReachabilityDeadlock": "unknown",
        "QuasiLiveness": "holds",
        "StableMarking": "violated",
        "Liveness": "unknown",
        "OneSafe": "violated",
        "StateSpace": "unknown",
    }


def test_bounds_that_are_not_reached(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = properties(tmp_path, Most="<place-bound><place>buffer</place></place-bound>")
    code, record = checked(capsys, UNBOUNDED, "--properties", path, "--max-states", "200")
    (found,) = record["properties"]
    assert (code, found["verdict"], found["value"]) == (3, "unknown", None)
    assert re.fullmatch(r"at least \d+", found["message"])


REFUSED = [
    ((RING, "--contest"), "--contest: error: has no effect here: it needs --properties"),
    (
        (RING, "--contest", "--examination", "OneSafe", "--json"),
        "--json: error: does not go together with --contest",
    ),
    (
        (RING, "--contest", "--examination", "OneSafe", "--deadlock"),
        "--deadlock: error: does not go together",
    ),
    (
        (SEM, "--contest", "--ltl", "true"),
        "--contest: error: has no effect here: it needs a net",
    ),
    (
        (SEM, "--examination", "OneSafe"),
        "--examination: error: has no effect here: it needs a net",
    ),
    ((RING, "--examination", "Safety"), "--examination: error: no such value: 'Safety'"),
    ((RING, "--examination", "OneSafe", "--fair", "weak"), "--fair: error: has no effect here"),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED)
def test_refusals(arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err


def test_from_python() -> None:
    found = burnside.check(RING, examination=["OneSafe", "StateSpace"])
    assert [(each.name, each.verdict, each.value) for each in found.properties] == [
        ("OneSafe", "holds", None),
        ("StateSpace", "holds", 20),
    ]
    assert found


def contest_nets() -> list[object]:
    table = SHARED / "expected.csv"
    if not table.is_file():
        return [pytest.param("", marks=pytest.mark.skip(reason="../shared/models/pnml is absent"))]
    rows = [line.split(",") for line in table.read_text().splitlines()]
    return [row[0] for row in rows if row[1] == "PT" and row[2].isdecimal() and int(row[2]) <= MAX_MARKINGS]


@pytest.mark.parametrize("name", contest_nets())
def test_the_verdicts_of_the_contest(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [word for each in SUFFIXES for word in ("--examination", each)]
    main(["check", str(SHARED / name / "model.pnml"), "--contest", *asked])
    found = dict(re.findall(r"^FORMULA (\w+) (TRUE|FALSE) ", capsys.readouterr().out, re.MULTILINE))
    for examination, suffix in SUFFIXES.items():
        text = (SHARED / name / f"{name}-{suffix}.out").read_text()
        expected = re.search(rf"^FORMULA {examination} (TRUE|FALSE) ", text, re.MULTILINE)
        if expected is not None:
            assert found[examination] == expected[1], examination
