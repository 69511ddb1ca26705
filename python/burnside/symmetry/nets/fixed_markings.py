"""The markings that symmetries of a net have to fix. In: the texts of `--fixing`. Out: markings."""

from __future__ import annotations

from collections.abc import Sequence

from burnside.diagnostics import InputError, Source, UsageError
from burnside.net import MAX_TOKENS, Net
from burnside.records import record

Marking = tuple[int, ...]


def fixed_markings(texts: Sequence[str] | None, net: Net) -> tuple[Marking, ...]:
    """The meaning of `--fixing`: `initial` (the default), `nothing`, or markings such as `p=1,q=2`."""
    if texts is None:
        return (net.initial,)
    if "nothing" in texts:
        if len(texts) > 1:
            raise UsageError("--fixing nothing cannot be combined with a marking")
        return ()
    return tuple(net.initial if text == "initial" else _marking(text, net) for text in texts)


def _marking(text: str, net: Net) -> Marking:
    """Places that are not named hold no token."""
    source = Source("--fixing", text)
    marking = [0] * len(net.places)
    named: set[int] = set()
    offset = 0
    while offset < len(text):
        entry = _entry(source, offset)
        place = net.place_numbers.get(entry.name)
        if place is None:
            raise InputError(
                source.diagnostic(f"no place is called {entry.name!r}", offset, len(entry.name) or 1)
            )
        if place in named:
            raise InputError(source.diagnostic(f"{entry.name!r} is given twice", offset, len(entry.name)))
        named.add(place)
        marking[place] = entry.tokens
        offset = entry.end
    if not named:
        raise InputError(source.diagnostic("expected initial, nothing or a marking such as p=1,q=2", 0))
    return tuple(marking)


@record
class _Entry:
    name: str
    tokens: int
    end: int


def _entry(source: Source, start: int) -> _Entry:
    """One `name=tokens`; the name may stand in double quotes, where it may hold commas and equals signs."""
    import re

    found = re.compile(r'\s*(?:"([^"]*)"|([^=,"]*?))\s*=\s*([^,]*?)\s*(?:,|$)').match(source.text, start)
    if found is None:
        raise InputError(
            source.diagnostic(
                "expected initial, nothing or a marking such as p=1,q=2", start, len(source.text) - start
            )
        )
    digits = found[3]
    if not re.fullmatch("0*[0-9]{1,20}", digits) or int(digits) > MAX_TOKENS:
        raise InputError(
            source.diagnostic("expected a number of tokens below 2^64", found.start(3), max(1, len(digits)))
        )
    return _Entry(found[1] if found[1] is not None else found[2], int(digits), found.end())
