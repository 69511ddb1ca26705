"""Annotations in comments: what the author of a model promises.

`/* burnside: symmetric client, server */` (or behind `//`); what may stand behind `symmetric` is read by `declarations`. In:
the resolved model and its text, or texts from the command line. Out: `Promise`s, which are certified or refused like all
symmetries.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from burnside.diagnostics import InputError, Span, UsageError, option_source
from burnside.ir.promises import Promise
from burnside.languages.promela import PromelaModel
from burnside.languages.promela.declarations import Declaration, DeclarationReader
from burnside.languages.promela.diagram.instances import created
from burnside.languages.promela.lower.program import Lowered
from burnside.languages.promela.tokens import PATTERN
from burnside.records import record

OPENING = re.compile(r"(?:/\*|//)\s*burnside:")
SYMMETRIC = re.compile(r"\s*symmetric\b")
OPTION = "--symmetric"


@record
class Said:
    """A declaration, and the place in the model that a refusal names."""

    declaration: Declaration
    span: Span


def said_in(text: PromelaModel, symmetric: Sequence[str]) -> list[Said]:
    """By comments, and by options."""
    return [*_annotated(text), *_asked(text, symmetric)]


def _annotated(text: PromelaModel) -> Iterator[Said]:
    source = text.source
    for start, end in _comments(source.text):
        opening = OPENING.match(source.text, start, end)
        if opening is None:
            continue
        said = SYMMETRIC.match(source.text, opening.end(), end)
        if said is None:
            hint = "known: burnside: symmetric PROCTYPE, ... or burnside: symmetric PROCTYPE: TOPOLOGY"
            length = source.text[start:end].partition("\n")[0]
            raise InputError(source.diagnostic("this annotation is not known", start, len(length), hint))
        reader = DeclarationReader(source.part(said.end(), end), text.model, text.macros)
        yield from (Said(each, each.span) for each in reader.declarations())


def _comments(text: str) -> Iterator[tuple[int, int]]:
    """What is inside of comments, but for the end of `/* ... */`."""
    if "burnside:" not in text:
        return
    for match in PATTERN.finditer(text):
        if match.lastgroup == "comment":
            yield match.start(), match.end() - 2 * match.group().startswith("/*")


def _asked(text: PromelaModel, symmetric: Sequence[str]) -> Iterator[Said]:
    """With the places at which the proctypes are declared."""
    for each in symmetric:
        reader = DeclarationReader(option_source(OPTION, each), text.model, text.macros)
        try:
            declarations = reader.declarations()
        except InputError as error:
            raise UsageError(error.diagnostic) from None
        for declaration in declarations:
            yield Said(declaration, text.model.by_name[declaration.names[0]].at.span)


def promises(lowered: Lowered, said: Sequence[Said]) -> tuple[Promise, ...]:
    """About the processes that exist once those that create others have done so."""
    if not said:
        return ()
    instances, _ = created(lowered.program, lowered.lowering.layout)
    return tuple(each.declaration.promise(instances, each.span) for each in said)
