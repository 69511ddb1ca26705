"""Reads Z: Spivey's, in LaTeX. In: a source. Out: the trees of `syntax`."""

from __future__ import annotations

from burnside.diagnostics import Source
from burnside.languages.z.parse.paragraphs import ParagraphParser
from burnside.languages.z.parse.scanner import Scanner
from burnside.languages.z.syntax import Specification


def parse(source: Source) -> Specification:
    scanner = Scanner(source)
    scanner.specification()
    return ParagraphParser(source, scanner, set()).specification()
