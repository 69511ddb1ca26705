"""Message-sequence charts: who sends what to whom, and when."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from burnside.chart import Message, chart, messages_in
from burnside.cli import main
from burnside.report.charts import chart_dot, chart_json

P, Q = "p(0)", "q(1)"


def test_a_message_is_followed_through_its_queue() -> None:
    actions = ["p(0) 3: c!a(1)", "p(0) 4: c!a(2)", "q(1) 7: c?a(x)", "p(0) 3: c!a(1)", "q(1) 7: c?a(x)"]
    queues = ["[]", "[a(1)]", "[a(1), a(2)]", "[a(2)]", "[a(2), a(1)]", "[a(1)]"]
    found = chart("m", actions, [{"c": each, P: "line 3", Q: "line 7"} for each in queues])
    assert found is not None
    assert found.messages == (
        Message("a(1)", "c", P, 1, Q, 3),
        Message("a(2)", "c", P, 2, Q, 5),
        Message("a(1)", "c", P, 4, None, None),
    )
    assert found.processes == (P, Q)


@pytest.mark.parametrize(
    ("old", "new", "received", "left"),
    [
        ("[1, 2, 3]", "[1, 3]", "2", ["1", "3"]),  # any message, not the first
        ("[1, 3]", "[1, 2, 3]", None, ["1", "2", "3"]),  # sent in order
    ],
)
def test_queues_need_not_be_first_in_first_out(
    old: str, new: str, received: str | None, left: list[str]
) -> None:
    found = chart("m", ["p(0) 1: c!1", "q(1) 2: c?2"], [{"c": each} for each in ("[]", old, new)])
    assert found is not None
    assert [each.text for each in found.messages if each.received] == ([received] if received else [])
    assert sorted(each.text for each in found.messages if not each.received) == left


def test_a_rendezvous_is_one_step_of_two_processes_and_has_the_values_that_are_sent() -> None:
    state = {P: "line 3", "p(0):id": "5", Q: "line 9", "g": "7", "to": "[]"}
    found = chart("m", ["p(0) 3: to!ask(id, g, _pid) -> q(1) 9: from?ask(x, y, z)"], [state, state])
    assert found is not None
    assert found.messages == (Message("ask(5, 7, 0)", None, P, 1, Q, 1),)
    assert [(each.process, each.line) for each in found.events] == [(P, 3), (Q, 9)]


def test_processes_come_and_go_and_those_that_do_nothing_are_left_out() -> None:
    states = [{P: "line 1"}, {P: "line 2", Q: "line 8", "r(2)": "line 9"}, {P: "line 2", "r(2)": "line 9"}]
    found = chart("m", ["p(0) 1: run q()", "q(1) 8: end"], states)
    assert found is not None
    assert found.lives == {P: (0, None), Q: (1, 2), "r(2)": (1, None)}
    assert found.idle == ("r(2)",)
    assert json.loads(chart_json(found))["processes"][1] == {"name": Q, "first_step": 1, "last_step": 2}
    assert "without r(2): they do nothing" in chart_dot(found)


def test_other_runs_are_no_charts() -> None:
    assert chart("m", ["RecvReqS(n1)"], [{}, {}]) is None


def test_messages_in_a_queue() -> None:
    assert messages_in("[]") == []
    assert messages_in("[ack(1, 2), (3, 4), x]") == ["ack(1, 2)", "(3, 4)", "x"]


MODEL = """chan c = [1] of { byte };
active proctype p() { c!1; c!2 }
active proctype q() { byte x; c?x; assert(x == 2) }
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "m.pml"
    path.write_text(MODEL)
    return path


def test_the_counterexample_of_a_model_with_processes_is_a_chart(model: Path, tmp_path: Path) -> None:
    written = tmp_path / "h.json"
    assert main(["graph", str(model), "--what", "history", "-o", str(written)]) == 0
    found = json.loads(written.read_text())
    assert found["ends"] == "assertion assert(x == 2) (line 3)"
    assert {"message": "1", "channel": "c", "from": P, "sent": 1, "to": Q, "received": 2} in found["messages"]
    for extension in ("dot", "svg"):
        path = tmp_path / f"h.{extension}"
        assert main(["graph", str(model), "--what", "history", "-o", str(path)]) == 0
        assert "assert(x == 2)" in path.read_text()


def test_a_random_walk_is_drawn_on_request(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "h.dot"
    assert (
        main(["graph", str(model), "--what", "history", "--steps", "3", "--seed", "1", "-o", str(path)]) == 0
    )
    assert "a random walk, seed 1" in path.read_text()
    assert main(["graph", str(model), "--steps", "3", "-o", str(path)]) == 2
    assert "it needs --what history" in capsys.readouterr().err


def test_the_channel_diagram_is_drawn(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for more in ([], ["--dynamic"]):
        path = tmp_path / "c.json"
        assert main(["graph", str(model), "--what", "channels", *more, "-o", str(path)]) == 0
        edges = json.loads(path.read_text())["edges"]
        assert {(each["from"], each["to"]) for each in edges} == {(P, "c"), ("c", Q)}
    net = Path(__file__).parents[2] / "examples" / "nets" / "mutex.lola"
    assert main(["graph", str(net), "--what", "channels", "-o", str(path)]) == 2
    assert "it is no Promela model" in capsys.readouterr().err
