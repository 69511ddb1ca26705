"""The parts of a file, with their places, and complaints about them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from burnside.diagnostics import Diagnostic, InputError, Span, UnsupportedError
from burnside.languages.shared.files import line_of_file

NO_ATTRIBUTES: Mapping[str, str] = {}

_NUMBER = re.compile(r"[+-]?[0-9]+")
MAX_DIGITS = 30
"""Of numbers in attributes; none that means something has as many."""


class Element:
    """An element inside of a `<structure>`; a `<subterm>` is replaced by what is in it. There may be millions."""

    __slots__ = ("attributes", "children", "column", "line", "name")

    def __init__(self, name: str, attributes: Mapping[str, str], line: int, column: int) -> None:
        self.name = name
        self.attributes = attributes or NO_ATTRIBUTES
        self.children: list[Element] = []
        self.line, self.column = line, column

    @property
    def span(self) -> Span:
        return Span(self.line, self.column, len(self.name) + 1)


class Labelled:
    """A place, a transition or an arc. `labels`: by name of the label, the element directly inside of its `<structure>`."""

    __slots__ = ("id", "labels", "name", "span")

    def __init__(self, id_: str, span: Span) -> None:
        self.id, self.span = id_, span
        self.name: str | None = None
        self.labels: dict[str, Element] = {}


class Arc(Labelled):
    __slots__ = ("source", "target")

    def __init__(self, id_: str, source: str, target: str, span: Span) -> None:
        super().__init__(id_, span)
        self.source, self.target = source, target


class Reference:
    __slots__ = ("id", "span", "target", "to_place")

    def __init__(self, id_: str, to_place: bool, target: str, span: Span) -> None:
        self.id, self.to_place, self.target, self.span = id_, to_place, target, span


class Document:
    """What stands in a file. `kinds`: of each id, what it names. `declarations`: the elements `<declarations>`."""

    def __init__(self, file: ModelFile) -> None:
        self.file = file
        self.name = ""
        self.places: list[Labelled] = []
        self.transitions: list[Labelled] = []
        self.arcs: list[Arc] = []
        self.references: list[Reference] = []
        self.declarations: list[Element] = []
        self.kinds: dict[str, str] = {}


class ModelFile:
    """The file that is read, to complain about. Lines are fetched from it when they are shown."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def diagnostic(self, message: str, at: Span | Element, hint: str | None = None) -> Diagnostic:
        span = at.span if isinstance(at, Element) else at
        return Diagnostic(message, str(self.path), span, line_of_file(self.path, span.line), hint)

    def error(self, message: str, at: Span | Element, hint: str | None = None) -> InputError:
        return InputError(self.diagnostic(message, at, hint))

    def unsupported(self, message: str, at: Span | Element, hint: str | None = None) -> UnsupportedError:
        return UnsupportedError(self.diagnostic(message, at, hint))

    # What elements have

    def attribute(self, element: Element, name: str) -> str:
        value = element.attributes.get(name, "")
        if not value.strip():
            raise self.error(f"<{element.name}> has no attribute '{name}'", element)
        return value

    def number(self, element: Element, name: str) -> int:
        text = self.attribute(element, name).strip()
        if not _NUMBER.fullmatch(text):
            raise self.error(f"'{shortened(text)}' is not a whole number", element)
        if len(text) > MAX_DIGITS:
            raise self.error(f"{shortened(text)} is too large a number", element)
        return int(text)

    def only(self, element: Element, what: str) -> Element:
        """The one element inside."""
        if len(element.children) != 1:
            found = len(element.children) or "none"
            raise self.error(f"<{element.name}> needs one {what}, it has {found}", element)
        return element.children[0]

    def several(self, element: Element, what: str, least: int = 1, most: int | None = None) -> list[Element]:
        found = len(element.children)
        if found < least or (most is not None and found > most):
            wanted = _range(least, most)
            plural = "" if wanted.endswith("one") else "s"
            message = f"<{element.name}> needs {wanted} {what}{plural}, it has {found or 'none'}"
            raise self.error(message, element)
        return element.children

    def some(self, found: Iterable[Element], element: Element, what: str) -> list[Element]:
        """As `several`, of at least one."""
        trees = list(found)
        return trees if trees else self.several(element, what)


def operands(element: Element) -> Iterator[Element]:
    """What an associative operator is applied to, through operators of the same name directly inside of it, however deep."""
    pending = element.children[::-1]
    while pending:
        each = pending.pop()
        if each.name == element.name and each.children:
            pending.extend(each.children[::-1])
        else:
            yield each


def _range(least: int, most: int | None) -> str:
    names = {0: "no", 1: "one", 2: "two"}
    first = names.get(least, str(least))
    if most is None:
        return f"at least {first}"
    return first if least == most else f"{first} or {names.get(most, most)}"


def shortened(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}..."
