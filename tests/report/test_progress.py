"""Progress goes to standard error, and only on request or on a terminal."""

from __future__ import annotations

import io

import pytest
from burnside.progress import Progress
from burnside.records import record
from burnside.report.progress import Bar, Lines, describe, progress_for


@record(frozen=False)
class Now:
    states: int = 1_500_000
    transitions: int = 2
    frontier: int = 3_000
    depth: int = 7
    seconds: float = 1.5
    memory_bytes: int = 20_000_000


def test_a_snapshot_in_words() -> None:
    words = describe(Now())
    assert words == "1,500,000 states  1,000,000 states/s  frontier 3,000  depth 7  20 MB  2 s"
    assert "depth" not in describe(Now(depth=0))
    assert describe(Now(seconds=0.0))


@pytest.mark.parametrize(
    ("wanted", "terminal", "kind"),
    [
        (None, False, Progress),
        (None, True, Bar),
        (True, False, Lines),
        (True, True, Bar),
        (False, True, Progress),
    ],
)
def test_who_gets_what(
    wanted: bool | None, terminal: bool, kind: type[Progress], monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: terminal, raising=False)
    monkeypatch.setattr("sys.stderr", stream)
    assert type(progress_for(wanted)) is kind


def test_lines_come_once_a_second(capsys: pytest.CaptureFixture[str]) -> None:
    lines = Lines()
    for _ in range(5):
        lines.update(Now())
    lines.close()
    out, err = capsys.readouterr()
    assert (out, err.count("states/s")) == ("", 1)


def test_a_closed_pipe_does_not_end_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone(io.StringIO):
        def write(self, _: str) -> int:
            raise BrokenPipeError

    monkeypatch.setattr("sys.stderr", Gone())
    Lines().update(Now())


def test_the_bar_opens_late_and_closes_twice(capsys: pytest.CaptureFixture[str]) -> None:
    Bar().close()
    bar = Bar(max_states=10)
    bar.update(Now(states=5))
    bar.close()
    bar.close()
    assert capsys.readouterr().out == ""
