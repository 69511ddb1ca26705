"""Reads Z, in Spivey's mark-up as fuzz does. In: a source. Out: the trees of `syntax`, or an `InputError` for the first
thing that is wrong.

`prose` finds the boxes of a file and reads its directives, `scanner` makes tokens, `cursor`, `expressions`, `predicates` and
`paragraphs` make trees, `conditions` reads what is written on a command line.

Beyond fuzz, these are read: Standard Z where it only spells things in another way (`S == [D | P]` for `S \\defs [D | P]`,
`..`, `\\lblot x == 1 \\rblot`, operator templates, `\\vdash?`), and characters of Unicode for marks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from burnside.diagnostics import Diagnostic, InputError, Source
from burnside.languages.z.parse.conditions import ConditionScanner, Vocabulary
from burnside.languages.z.parse.depth import check_height, deep_recursion
from burnside.languages.z.parse.paragraphs import ParagraphParser
from burnside.languages.z.parse.prose import FileScanner
from burnside.languages.z.parse.scanner import Scanner
from burnside.languages.z.syntax import Expression, Predicate, Specification
from burnside.records import record

__all__ = ["Parsed", "Vocabulary", "parse", "parse_expression", "parse_predicate", "read"]

Tree = TypeVar("Tree", Expression, Predicate)


@record(eq=False, repr=False)
class Parsed:
    specification: Specification
    vocabulary: Vocabulary


def parse(source: Source) -> Specification:
    return read(source).specification


def read(source: Source) -> Parsed:
    """A whole file, with what is needed to read conditions about it."""
    scanner = FileScanner(source)
    parser = ParagraphParser(source, scanner, set(), scanner.standard)
    with deep_recursion(source):
        specification = parser.specification()
    if not scanner.has_boxes:
        hint = "Z stands in LaTeX's environments zed, schema, axdef, gendef and syntax"
        raise InputError(Diagnostic("there is no Z in this file", source.name, hint=hint))
    names = frozenset(token.text for token in scanner.tokens if token.kind == "word")
    return Parsed(specification, Vocabulary(frozenset(parser.schemas), scanner.operators, names))


def parse_predicate(source: Source, vocabulary: Vocabulary) -> Predicate:
    return _condition(source, vocabulary, lambda parser: parser.predicate())


def parse_expression(source: Source, vocabulary: Vocabulary) -> Expression:
    return _condition(source, vocabulary, lambda parser: parser.expression())


def _condition(source: Source, vocabulary: Vocabulary, read: Callable[[ParagraphParser], Tree]) -> Tree:
    scanner: Scanner = ConditionScanner(source, vocabulary)
    parser = ParagraphParser(source, scanner, set(vocabulary.schemas))
    with deep_recursion(source):
        tree = read(parser)
    if parser.token.kind != "end":
        raise parser.expected("the end")
    check_height(tree, parser.depth_hint)
    return tree
