"""Annotations in comments: what the author of a model promises.

`/* burnside: symmetric client, server */` (or behind `//`): processes of these proctypes can be exchanged. In: the resolved
model and its text, or names from the command line. Out: `Promise`s, which are certified or refused like all symmetries.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from burnside.diagnostics import Diagnostic, InputError, Source, Span, UsageError
from burnside.ir.promises import Promise
from burnside.languages.promela.diagram.instances import created
from burnside.languages.promela.lower.program import Lowered
from burnside.languages.promela.model import Model

COMMENT = re.compile(r"(?:/\*|//)\s*burnside:(?P<said>[^\n]*?)(?:\*/|$)", re.MULTILINE)
SYMMETRIC = re.compile(r"\s*symmetric\s+(?P<names>\w+(?:\s*,\s*\w+)*)\s*")


def annotated(source: Source, model: Model) -> Iterator[tuple[str, Span]]:
    """The proctypes that comments of the text call symmetric."""
    for comment in COMMENT.finditer(source.text):
        said = SYMMETRIC.fullmatch(comment["said"])
        if said is None:
            hint = "known: burnside: symmetric PROCTYPE, ..."
            raise InputError(
                source.diagnostic("this annotation is not known", comment.start(), len(comment[0]), hint)
            )
        for name in re.finditer(r"\w+", said["names"]):
            at = comment.start("said") + said.start("names") + name.start()
            if not _is_proctype(model, name[0]):
                message = f"there is no proctype '{name[0]}'"
                raise InputError(source.diagnostic(message, at, len(name[0]), _known(model)))
            yield name[0], source.span(at)


def asked(names: Sequence[str], model: Model) -> Iterator[tuple[str, Span]]:
    """The proctypes that the command line calls symmetric, with the places of their declarations."""
    for name in names:
        if not _is_proctype(model, name):
            message = f"there is no proctype '{name}'"
            raise UsageError(Diagnostic(message, source="--symmetric", hint=_known(model)))
        yield name, model.by_name[name].at.span


def _is_proctype(model: Model, name: str) -> bool:
    return name in model.by_name and model.by_name[name].kind == "proctype"


def _known(model: Model) -> str:
    names = [each.name for each in model.processes if each.kind == "proctype"]
    return f"there are: {', '.join(names)}" if names else "this model has none"


def promises(lowered: Lowered, said: Sequence[tuple[str, Span]]) -> tuple[Promise, ...]:
    """About the processes that exist once those that create others have done so."""
    if not said:
        return ()
    instances, _ = created(lowered.program, lowered.lowering.layout)
    found = []
    for name, span in said:
        members = [each.position for each in instances if each.process.name == name]
        found.append(Promise(name, tuple(members), span))
    return tuple(found)
