"""A model that was read, what it is called, and how more conditions on it are read.

In: what a language's reader gives. Out: `Model`, which the pipeline carries along.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from burnside.diagnostics import Diagnostic, Span, option_of, option_source
from burnside.records import field, record


class Subject(Protocol):
    """What a model is: a net, a program, a machine, or whatever `kinds` knows."""

    @property
    def name(self) -> str: ...


ConditionReader = Callable[[str, str], Any]
"""From a text and the option it came with to an expression over the variables of the program or machine (`ir.expressions` or
`ir.sets.expressions`)."""


@record
class Model:
    """`subject` says what the model is; the rest is for reports and habits."""

    subject: Subject
    name: str
    language: str
    deadlock_is_error: bool = False
    condition: ConditionReader | None = field(default=None, repr=False, compare=False)
    """How the model's language reads a condition. Nets have one language of conditions for all."""
    notes: tuple[str, ...] = ()
    """What a user should know of how it was read."""

    def diagnostic(self, message: str, span: Span | None = None, hint: str | None = None) -> Diagnostic:
        """A complaint about a place in the model's file, in another that it reads, or in the text of an option, with the
        line where it can still be read."""
        from burnside.languages.shared.files import line_of_file

        if span is None:
            return Diagnostic(message, self.name, hint=hint)
        option = None if span.source is None else option_of(span.source)
        if option is not None:
            return Diagnostic(message, option[0], span, option_source(*option).line(span.line), hint)
        source = span.source or self.name
        return Diagnostic(message, source, span, line_of_file(Path(source), span.line), hint)
