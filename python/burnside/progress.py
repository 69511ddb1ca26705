"""The progress of a run: what engines report, and what `report.progress` shows."""

from __future__ import annotations

from typing import Protocol


class Snapshot(Protocol):
    """How far a run is; `_core.Progress` is one."""

    states: int
    transitions: int
    frontier: int
    depth: int
    seconds: float
    memory_bytes: int


class Progress:
    """The interface, and the implementation that shows nothing."""

    wanted = False
    """False spares the engine the calls."""

    def update(self, snapshot: Snapshot) -> None:
        """Called by the engine, at most a few times a second."""

    def close(self) -> None:
        """Called once, however the run ended."""
