"""A `Net` as PNML (grammar of 2009). In: a net, a stream opened as UTF-8. Reading it back gives the same net.

Ids must be XML names: a place's alias where it is one, else the name shown, else one made up (which then is a
new alias). Names are kept as they are.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import TextIO
from xml.sax.saxutils import escape

from burnside import _core
from burnside.diagnostics import UsageError
from burnside.net import Net

AT_ONCE = 10_000
"""Transitions whose arcs are written to one text."""

GRAMMAR = "http://www.pnml.org/version-2009/grammar"

# Letters and digits of any script would be allowed by XML as well, by tables that are not Python's.
_ID = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*\Z")


def write_pnml(net: Net, stream: TextIO) -> None:
    for line in _lines(net):
        stream.write(line + "\n")


def _lines(net: Net) -> Iterator[str]:
    used: set[str] = set()
    places = _ids(net.places, _only_alias(net), "p", used)
    transitions = _ids(net.transitions, {}, "t", used)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<pnml xmlns="{GRAMMAR}/pnml">'
    yield f'  <net id="{_fresh("net", used)}" type="{GRAMMAR}/ptnet">'
    yield f"    {_name(net.name)}"
    yield f'    <page id="{_fresh("page", used)}">'
    for place, name, tokens in zip(places, net.places, net.initial, strict=True):
        marking = f"<initialMarking><text>{tokens}</text></initialMarking>" if tokens else ""
        yield f'      <place id="{place}">{_name(name)}{marking}</place>'
    for transition, name in zip(transitions, net.transitions, strict=True):
        yield f'      <transition id="{transition}">{_name(name)}</transition>'
    yield from _arcs(net, places, transitions, used)
    yield "    </page>"
    yield "  </net>"
    yield "</pnml>"


def _arcs(net: Net, places: Sequence[str], transitions: Sequence[str], used: set[str]) -> Iterator[str]:
    """There may be millions."""
    prefix = "a"
    while any(id_.startswith(prefix) and id_[len(prefix) :].isdecimal() for id_ in used):
        prefix += "_"
    writer = _core.PnmlArcs(prefix, places)
    for first in range(0, len(transitions), AT_ONCE):
        part = slice(first, first + AT_ONCE)
        text = writer.text(transitions[part], net.consumes[part], net.produces[part])
        if text:
            yield text.removesuffix("\n")


def _only_alias(net: Net) -> dict[int, str]:
    return {number: alias for alias, number in net.aliases.items()}


def _ids(names: Sequence[str], aliases: dict[int, str], prefix: str, used: set[str]) -> list[str]:
    ids = []
    for number, name in enumerate(names):
        for wanted in (aliases.get(number, name), name):
            if _ID.match(wanted) and wanted not in used:
                break
        else:
            wanted = _fresh(prefix, used)
        ids.append(wanted)
        used.add(wanted)
    return ids


def _fresh(prefix: str, used: set[str]) -> str:
    number = len(used)
    while f"{prefix}{number}" in used:
        number += 1
    used.add(f"{prefix}{number}")
    return f"{prefix}{number}"


def _name(name: str) -> str:
    writable = (name.isascii() and name.isprintable()) or all(map(_writable, name))
    if name != name.strip() or not writable:
        raise UsageError(f"the name {name!r} cannot be written as PNML")
    return f"<name><text>{escape(name)}</text></name>"


def _writable(character: str) -> bool:
    """What XML allows and reading keeps: no control characters, no halves of surrogate pairs."""
    return unicodedata.category(character) not in ("Cc", "Cs") and character not in "\ufffe\uffff"
