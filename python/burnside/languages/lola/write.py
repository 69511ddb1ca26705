"""A `Net` as LoLA text. In: a net, a stream. Reading it back gives the same net but for name and aliases."""

from __future__ import annotations

import re
from typing import TextIO

from burnside.diagnostics import UsageError
from burnside.languages.lola import KEYWORDS, NOT_HERE
from burnside.net import Arcs, Net

_BARE = re.compile(r"(?!\"|//|/\*)[^,;:(){}\s\x00-\x1f\x7f-\x9f]+\Z")
_QUOTABLE = re.compile(r"[^\"\x00-\x1f\x7f-\x9f]+\Z")


def write_lola(net: Net, stream: TextIO) -> None:
    if not net.places:
        raise UsageError("a net without places cannot be written as LoLA text")
    stream.write(f"PLACE {', '.join(map(_name, net.places))};\n")
    stream.write(f"MARKING {_weights(net, tuple((p, n) for p, n in enumerate(net.initial) if n))};\n")
    for transition, consumes, produces in zip(net.transitions, net.consumes, net.produces, strict=True):
        arcs = f"CONSUME {_weights(net, consumes)}; PRODUCE {_weights(net, produces)};"
        stream.write(f"TRANSITION {_name(transition)} {arcs}\n")


def _weights(net: Net, arcs: Arcs) -> str:
    return ", ".join(f"{_name(net.places[place])} : {weight}" for place, weight in arcs)


def _name(name: str) -> str:
    if _BARE.match(name) and name.upper() not in KEYWORDS and name.upper() not in NOT_HERE:
        return name
    if name != name.strip() or not _QUOTABLE.match(name):
        raise UsageError(f"the name {name!r} cannot be written as LoLA text")
    return f'"{name}"'
