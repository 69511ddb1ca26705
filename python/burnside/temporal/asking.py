"""The formulas that are asked of a model. In: a model, a request. Out: what the model's own text, the options and the files
say, in this order.

What no engine could answer is refused here, before anything is explored: the automaton of a formula that would be too large.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from burnside.diagnostics import Diagnostic, RefusedError, UsageError, option_source
from burnside.kinds import kind_of
from burnside.model import Model
from burnside.request import Request
from burnside.temporal.contest import TokenBound
from burnside.temporal.files import read_properties
from burnside.temporal.quantified import too_many_tuples
from burnside.temporal.reading import TemporalProperty, carried_property, read_formula
from burnside.temporal.shapes import normalised, path_formulas

Asked = TemporalProperty | TokenBound


def formulas_of(model: Model, request: Request) -> tuple[Asked, ...]:
    found = tuple(_read(model, request))
    for each in found:
        if isinstance(each, TemporalProperty):
            problem = too_many_tuples(each)
            if problem is not None:
                raise RefusedError(_diagnostic(each, problem))
            if request.engine == "core":
                _check_automata(model, each)
    return found


def _read(model: Model, request: Request) -> Iterator[Asked]:
    reader = kind_of(model.subject).atom_reader
    names = {each.name for each in model.formulas}
    chosen = {each.text.strip() for each in request.formulas} & names
    for carried in model.formulas:
        if not chosen or carried.name in chosen:
            yield carried_property(model, carried, lambda: reader(model))
    for each in request.formulas:
        if each.text.strip() not in names:
            source = option_source(f"--{each.logic}", each.text)
            yield read_formula(model, source, reader(model), each.logic)
    for kind in request.cycles:
        yield _cycles(model, kind)
    for path in request.property_files:
        yield from read_properties(Path(path), model)


def _cycles(model: Model, kind: str) -> TemporalProperty:
    for each in model.cycles:
        if each.name == kind:
            return each.read()
    why = (
        f"no process has a label {kind}..." if model.language == "promela" else "only Promela has such labels"
    )
    raise UsageError(Diagnostic(f"has no effect here: {why}", source=f"--cycles {kind}"))


def _check_automata(model: Model, asked: TemporalProperty) -> None:
    from burnside import _core
    from burnside.temporal.automata import automaton_of

    combined = kind_of(model.subject).combined(model, normalised(asked))
    ended = len(combined.propositions) if asked.ends == "strong" else None
    for each in path_formulas(combined):
        try:
            automaton_of(each, ended)
        except _core.TooLargeError as error:
            raise RefusedError(_diagnostic(asked, str(error))) from None


def _diagnostic(asked: TemporalProperty, message: str) -> Diagnostic:
    """About all of a formula."""
    source, text = asked.source, asked.source.text.strip()
    if not text:
        return Diagnostic(f"{asked.name}: {message}", source.name)
    return source.diagnostic(message, source.text.index(text), len(text))
