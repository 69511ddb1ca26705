"""The text format of high-level nets: extended well-formed nets (Junttila 2003, chapter 6). In: a path. Out: a net.

`lexer`, `parse_types`, `parse_terms`, `parser` make the trees of `syntax`; `lower_types`, `lower_terms`, `lower_operators`,
`lower_net` go through them once and give names and types a meaning. `conditions` reads conditions over any high-level net,
`printing` writes any as text.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from burnside.diagnostics import Source
from burnside.ir.highlevel.net import HighLevelNet
from burnside.languages.hln.conditions import ConditionReader
from burnside.languages.hln.lower_net import NetLowering
from burnside.languages.hln.parser import parse
from burnside.languages.shared.files import read_source
from burnside.records import record


@record(eq=False)
class HighLevelModel:
    """A net, and what reads conditions in its own words."""

    net: HighLevelNet
    expressions: ConditionReader


def read(path: Path, sizes: Mapping[str, int] | None = None) -> HighLevelNet:
    """`sizes` override constants and how many elements types have."""
    return read_model(path, sizes).net


def read_text(
    source: Source, sizes: Mapping[str, int] | None = None, name: str | None = None
) -> HighLevelNet:
    return load(source, sizes, name).net


def read_model(path: Path, sizes: Mapping[str, int] | None = None) -> HighLevelModel:
    return load(read_source(path), sizes, path.stem)


def load(source: Source, sizes: Mapping[str, int] | None = None, name: str | None = None) -> HighLevelModel:
    tree = parse(source)
    lowering = NetLowering(source, sizes or {}, tree)
    net = lowering.net(tree, name or Path(source.name).stem)
    types, terms = lowering.types, lowering.terms
    return HighLevelModel(net, ConditionReader(net, terms.functions, types.constants, types.types))
