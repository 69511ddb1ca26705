"""Random tests: the same examples in CI. After a run: how many random models were looked at, what became of them, how large
they were."""

from __future__ import annotations

import os
from collections import defaultdict
from typing import Any

from hypothesis import settings

# What lands is judged on the same examples every time; runs by hand look for new ones.
# Timings decide no test.
settings.register_profile("default", deadline=None)
settings.load_profile("default")
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
if os.environ.get("CI"):
    settings.load_profile("ci")

# No run without reduction beside a search for symmetries, whatever the machine is busy with: see `test_racing.py`.
os.environ.setdefault("BURNSIDE_PATIENCE", "inf")

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
