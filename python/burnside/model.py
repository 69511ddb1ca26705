"""A model that was read, what it is called, and how more expressions over it are read.

In: what a language's reader gives. Out: `Model`, which the pipeline carries along.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from burnside.diagnostics import Diagnostic, Source, Span, option_of, option_source
from burnside.records import field, record
from burnside.request import Logic

if TYPE_CHECKING:
    from burnside.temporal.atoms import Binder
    from burnside.temporal.reading import PropertyKind, TemporalProperty


class Subject(Protocol):
    """What a model is: a net, a program, a machine, or whatever `kinds` knows."""

    @property
    def name(self) -> str: ...


class ExpressionReader(Protocol):
    """How a typed language reads expressions over the names of a program or machine that was read (`ir.expressions` or
    `ir.sets.expressions`). `bound`: names of a quantified formula, which may be mentioned."""

    def condition(self, source: Source, bound: Sequence[Binder] = ()) -> Any: ...

    def value(self, source: Source, type: Any, bound: Sequence[Binder] = ()) -> Any:
        """A value of this type that does not depend on variables."""
        ...

    def domain(self, source: Source, bound: Sequence[Binder] = ()) -> Any:
        """What a quantified name may range over: a type, or an expression that is a set."""
        ...

    def unique_name(self, name: str, bound: Sequence[Binder] = ()) -> str:
        """A name for expressions that nothing in the model has."""
        ...


@record(eq=False)
class FormulaText:
    """A formula that the text of a model has, not read yet. `expected`: is it claimed to hold?"""

    name: str
    logic: Logic
    source: Source
    expected: bool = True


@record(eq=False)
class DeferredFormula:
    """A property that the language of a model reads itself, when it is asked for."""

    name: str
    logic: PropertyKind
    read: Callable[[], TemporalProperty]


@record
class Model:
    """`subject` says what the model is; the rest is for reports and habits."""

    subject: Subject
    name: str
    language: str
    deadlock_is_error: bool = False
    expressions: ExpressionReader | None = field(default=None, repr=False, compare=False)
    """How the model's language reads expressions. Nets have one language of conditions for all."""
    notes: tuple[str, ...] = ()
    """What a user should know of how it was read."""
    formulas: tuple[FormulaText | TemporalProperty | DeferredFormula, ...] = field(
        default=(), repr=False, compare=False
    )
    """What the text of the model claims of its runs. `temporal.reading.carried_properties` reads them."""
    cycles: tuple[DeferredFormula, ...] = field(default=(), repr=False, compare=False)
    """What its labels say of cycles, checked where that is asked for by name (`--cycles`)."""
    enlarged: int = field(default=0, repr=False, compare=False)
    """How often a guess about it, beside that of its layout, turned out to be too small."""
    larger: Callable[[], Model] | None = field(default=None, repr=False, compare=False)
    """The same model with more room, where its layout is a guess: how many processes there can be, for instance. A run that
    violates a property of the kind `limit` needs it."""

    is_crowded: bool = field(default=False, repr=False, compare=False)
    """Was its layout made as large as can be? What it has too little room for, perhaps without end, is then an error of the
    model, far from its start: a few states are explored depth first before all others."""

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
