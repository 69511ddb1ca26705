"""After a run: how many random models were looked at, what became of them, and how large they were."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

RANDOM = "random "
"""Properties of tests whose names begin like this are summed up."""


def pytest_terminal_summary(terminalreporter: Any) -> None:
    found: dict[str, list[dict[str, object]]] = defaultdict(list)
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, value in getattr(report, "user_properties", ()):
                if name.startswith(RANDOM) and report.when == "call":
                    found[name].append(value)
    if not found:
        return
    from tests.soundness.random_programs import summed

    terminalreporter.section("random models")
    for name, tallies in sorted(found.items()):
        terminalreporter.write_line(f"{name}: {summed(tallies)}")
