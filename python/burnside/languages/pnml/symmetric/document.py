"""What stands in the file of a high-level net: nodes and arcs by their ids, and the trees of their labels.

In: a path. Out: a `Document`, in which nothing has a meaning yet. The file is read as a stream; what it holds of graphics
and of parts of tools leaves no trace.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from pathlib import Path
from xml.parsers import expat

from burnside.diagnostics import Span
from burnside.languages.pnml.symmetric.elements import Document, ModelFile
from burnside.languages.pnml.symmetric.walk import Walk
from burnside.languages.shared.files import unreadable

CHUNK_BYTES = 1 << 20

_DECLARATION = re.compile(rb"""(?:\xef\xbb\xbf)?<\?xml[^>]*\sencoding\s*=\s*["']([A-Za-z0-9_.-]*)["']""")
_LATIN_1 = frozenset((b"iso-8859-1", b"iso8859-1", b"iso_8859-1", b"latin1", b"latin-1"))


def read_document(path: Path) -> Document:
    file = ModelFile(path)
    try:
        try:
            return _walked(file, _encoding(path))
        except UnicodeDecodeError:
            # As the core does: what is not the UTF-8 that it should be is most likely ISO-8859-1.
            return _walked(file, "iso-8859-1")
    except OSError as error:
        raise unreadable(path, error) from None


def _encoding(path: Path) -> str:
    """The core, which has read the declaration, knows these two."""
    with path.open("rb") as stream:
        found = _DECLARATION.match(stream.read(1000))
    return "iso-8859-1" if found is not None and found[1].lower() in _LATIN_1 else "utf-8-sig"


def _walked(file: ModelFile, encoding: str) -> Document:
    walk = Walk(file)
    try:
        for text, is_last in _decoded(file.path, encoding):
            walk.parser.Parse(text, is_last)
    except expat.ExpatError as error:
        message = f"this is no well-formed XML: {expat.ErrorString(error.code)}"
        raise file.error(message, Span(error.lineno, error.offset + 1)) from None
    return walk.document


def _decoded(path: Path, encoding: str) -> Iterator[tuple[str, bool]]:
    decoder = codecs.getincrementaldecoder(encoding)()
    with path.open("rb") as stream:
        while data := stream.read(CHUNK_BYTES):
            yield decoder.decode(data), False
    yield decoder.decode(b"", True), True
