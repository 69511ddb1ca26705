"""Splits: how one label says an input and an output.

In: a preset or a regular expression, as the user writes it. Out: a `Split`, which gives the action of a label.
Aldebaran's format and models have labels only; which part of a label is the output has to be declared.

* `slash`: `input/output`, at the first ` / ` of the label, or else at its first `/`; blanks around both parts do not
  count.
* `offers`: LOTOS labels, of which the last offer is the output: `DREQ !0 !1 !MES !DIND` is `DREQ !0 !1 !MES` with the
  output `DIND`. Exclamation marks within quotation marks are no offers.
* `results`: operations of B, of which the results are the output: `Login(Ann) --> Session1` is `Login(Ann)` with the
  output `Session1`. An operation without results has the output `-`.
* `none`: the whole label is an input without output, also where a format takes labels `input/output` apart.
* a regular expression that matches the whole label, with groups named `input` and `output`. Where the group `output`
  is optional and does not take part, the action has no output.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from burnside.diagnostics import InputError, Source, UsageError, option_source
from burnside.records import record
from burnside.testing.machine import Action

NO_OUTPUT = "-"
"""The output where nothing is put out."""
OFFER = re.compile(r'!|"[^"]*"?')


@record
class Split:
    """`text`: as the user wrote it. `action_of`: None for labels that it does not match."""

    text: str
    action_of: Callable[[str], Action | None]

    def action(self, label: str, source: Source, offset: int) -> Action:
        """`offset`: where the label stands in `source`."""
        found = self.action_of(label)
        if found is None:
            raise InputError(source.diagnostic(self.mismatch(label), offset, max(1, len(label))))
        return found

    def mismatch(self, label: str) -> str:
        return f"the label {label!r} is not an input with an output, as --split {self.text} says"


def at_slash(label: str) -> Action | None:
    given, slash, output = label.partition(" / " if " / " in label else "/")
    return Action(given.strip(), output.strip()) if slash else None


def at_last_offer(label: str) -> Action | None:
    offers = [found.start() for found in OFFER.finditer(label) if found[0] == "!"]
    if not offers:
        return None
    return Action(label[: offers[-1]].strip(), label[offers[-1] + 1 :].strip())


def at_results(label: str) -> Action:
    given, _, output = label.partition(" --> ")
    return Action(given, output or NO_OUTPUT)


PRESETS: Mapping[str, Split] = MappingProxyType(
    {
        each.text: each
        for each in (
            Split("slash", at_slash),
            Split("offers", at_last_offer),
            Split("results", at_results),
            Split("none", Action),
        )
    }
)


def read_split(text: str, option: str = "--split") -> Split:
    """A preset by name, or a regular expression; `option` is what diagnostics point at."""
    if text in PRESETS:
        return PRESETS[text]
    source = option_source(option, text)
    hint = rf"presets are {', '.join(PRESETS)}; an expression is like '(?P<input>.*)_(?P<output>\w+)'"
    try:
        pattern = re.compile(text, re.DOTALL)
    except (re.error, OverflowError, RecursionError) as error:
        at = getattr(error, "pos", None) or 0
        reason = getattr(error, "msg", None) or str(error)
        raise UsageError(
            source.diagnostic(f"this is no regular expression: {reason}", at, hint=hint)
        ) from None
    absent = [each for each in ("input", "output") if each not in pattern.groupindex]
    if absent:
        message = f"this is no preset, and a regular expression without a group named {absent[0]!r}"
        raise UsageError(source.diagnostic(message, 0, max(1, len(text)), hint))
    return Split(text, lambda label: _matched(pattern, label))


def _matched(pattern: re.Pattern[str], label: str) -> Action | None:
    found = pattern.fullmatch(label)
    return None if found is None or found["input"] is None else Action(found["input"], found["output"])
