"""What a user says of how a model is read: the options of the command line, or of `burnside.load`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from burnside.diagnostics import Diagnostic, UsageError
from burnside.records import field, record


@record
class ReadOptions:
    """`sizes`: of sorts, and values of constants. `folders`: that the model may read further files from, besides its own.
    `symmetric`: proctypes whose processes can be exchanged. `state`, `start`: schemas of a Z specification that are its
    state and its start; `promote`: its schemas without a role are operations."""

    sizes: Mapping[str, int] = field(default_factory=dict)
    folders: tuple[Path, ...] = ()
    symmetric: tuple[str, ...] = ()
    state: str | None = None
    start: str | None = None
    promote: bool = False

    def refuse(self, *, folders: bool = True, symmetric: bool = True, roles: bool = True) -> None:
        """An error for what has no effect on models of a language."""
        unused = (
            (folders and self.folders, "--allow-path", "models of this language are one file"),
            (symmetric and self.symmetric, "--symmetric", "it needs a Promela model"),
            (roles and self.state is not None, "--state", "it needs a Z specification"),
            (roles and self.start is not None, "--init", "it needs a Z specification"),
            (roles and self.promote, "--promote", "it needs a Z specification"),
        )
        for is_given, option, reason in unused:
            if is_given:
                raise UsageError(Diagnostic(f"has no effect here: {reason}", source=option))
