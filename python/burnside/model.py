"""A model that was read: a net or a program, what it is called, and how more conditions on it are read.

In: what a language's reader gives. Out: `Model`, which the pipeline carries along.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from burnside.diagnostics import Diagnostic, Span
from burnside.ir.program import Program
from burnside.ir.sets.machine import Machine
from burnside.net import Net
from burnside.records import field, record

Condition = Callable[[str, str], Any]
"""From a text and the option it came with to an expression over the variables of the program or machine (`ir.expressions` or
`ir.sets.expressions`)."""


@record
class Model:
    """`subject` says what the model is; the rest is for reports and habits."""

    subject: Net | Program | Machine
    name: str
    language: str
    deadlock_is_error: bool = False
    condition: Condition | None = field(default=None, repr=False, compare=False)
    """How the model's language reads a condition. Nets have one language of conditions for all."""
    notes: tuple[str, ...] = ()
    """What a user should know of how it was read."""

    def diagnostic(self, message: str, span: Span | None = None, hint: str | None = None) -> Diagnostic:
        """A complaint about a place in the model's file, with the line where it can still be read."""
        from burnside.languages.files import line_of_file

        text = None if span is None else line_of_file(Path(self.name), span.line)
        return Diagnostic(message, self.name, span, text, hint)

    @property
    def is_net(self) -> bool:
        return isinstance(self.subject, Net)

    @property
    def net(self) -> Net:
        """For what only nets can do; the caller has looked."""
        assert isinstance(self.subject, Net)
        return self.subject
