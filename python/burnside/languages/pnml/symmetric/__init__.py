"""PNML symmetric nets (ISO/IEC 15909-2). In: the path of a file that says it has a high-level net. Out: a `HighLevelNet`.

`document` reads the file as a stream and keeps a small tree of each label; `sorts` and `declarations` find what names stand
for, `terms` gives the trees their meaning, `build` puts the net together. Declarations may come after what uses them, so
nothing has a meaning before the whole file is read. docs/high-level-nets.md has what is read and how it is meant.
"""

from __future__ import annotations

from pathlib import Path

from burnside.diagnostics import Diagnostic, UnsupportedError
from burnside.ir.highlevel.net import HighLevelNet
from burnside.languages.pnml.symmetric.build import built
from burnside.languages.pnml.symmetric.document import read_document


def read(path: Path) -> tuple[HighLevelNet, tuple[str, ...]]:
    """The net, and what a user should know of how it was read."""
    if not path.is_file():  # The core has taken what a pipe had.
        message = "a high-level net is read from a regular file: reading one from here is not supported"
        raise UnsupportedError(Diagnostic(message, str(path)))
    return built(read_document(path))
