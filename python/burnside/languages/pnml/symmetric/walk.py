"""The walk over the XML of a high-level net: which element may stand where, what is skipped, what is refused and why.

In: events of expat. Out: a `Document`. The rules are those of the core's reader of place/transition nets, which has seen
this file up to its `<net>`: elements are identified by their local names, and unknown ones are skipped with all that is in
them, unless that would change the net. Open elements are a list, not calls: pages may be nested as deep as they like. A
DOCTYPE is refused before anything in it is expanded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from xml.parsers import expat

from burnside.diagnostics import Span
from burnside.languages.pnml.names import one_line
from burnside.languages.pnml.symmetric.elements import (
    Arc,
    Document,
    Element,
    Labelled,
    ModelFile,
    Reference,
    shortened,
)

MAX_NESTING = 2_000
"""Elements within each other inside of a label."""

_CORE = frozenset(("page", "place", "transition", "referencePlace", "referenceTransition", "arc"))
_LABELS = frozenset(("type", "hlinitialMarking", "condition", "hlinscription", "declaration"))
_ARC_TYPES = frozenset(("type", "arctype", "arcType"))
_TEXTS = {"text": "text", "value": "text"}
"""Before 2009, <value> was what <text> is now."""
_NODES = {name: name for name in (*_CORE, "declaration")}
_CHILDREN: Mapping[str, Mapping[str, str]] = {
    "pnml": {"net": "net"},
    "net": {**_NODES, "name": "name"},
    "page": _NODES,
    "place": {name: name for name in ("name", "type", "hlinitialMarking")},
    "transition": {name: name for name in ("name", "condition")},
    "arc": {
        "hlinscription": "hlinscription",
        **dict.fromkeys(_ARC_TYPES, "arc type"),
        "toolspecific": "tool",
    },
    **{label: {"text": "text", "structure": "structure"} for label in _LABELS},
    **dict.fromkeys(("name", "arc type"), _TEXTS),
}
"""Of each kind of open element, the elements that mean something inside of it, and what kind they are."""

_SPECIAL_ARCS = ("inhibitor", "reset", "read", "test", "transfer")
_INSTEAD = {"initialMarking": "hlinitialMarking", "inscription": "hlinscription"}
"""Elements of place/transition nets."""


class Frame:
    """An open element that means something. `of`: the node or arc that it is, or that it is a part of."""

    __slots__ = ("kind", "of", "span", "structure", "text")

    def __init__(self, kind: str, span: Span, of: Labelled | None) -> None:
        self.kind, self.span, self.of = kind, span, of
        self.text: list[str] = []
        self.structure: Element | None = None

    @property
    def id(self) -> str:
        return "" if self.of is None else self.of.id

    @property
    def said(self) -> str:
        return "".join(self.text).strip()


class Walk:
    def __init__(self, file: ModelFile) -> None:
        self.file = file
        self.document = Document(file)
        self.open: list[Frame] = []
        self.tree: list[Element] = []
        """The open elements of a `<structure>`, itself the first."""
        self.skipped = 0
        """How many elements are open inside of the innermost that means something."""
        self.seen_net = False
        parser = self.parser = expat.ParserCreate()
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text

    def here(self, length: int = 1) -> Span:
        return Span(self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1, length)

    # Events

    def _doctype(self, *_: object) -> None:
        raise self.file.error("a DOCTYPE is not allowed", self.here())

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if self.skipped:
            self.skipped += 1
            return
        if ":" in name:
            name = name.rpartition(":")[2]
        if self.tree:
            self._start_in_structure(name, attributes)
        else:
            self._start_outside(name, attributes)

    def _start_in_structure(self, name: str, attributes: dict[str, str]) -> None:
        if len(self.tree) > MAX_NESTING:
            raise self.file.error(f"elements are nested more than {MAX_NESTING:,} deep", self.here())
        if name == "toolspecific":
            self.skipped = 1
            return
        parser = self.parser
        element = Element(name, attributes, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)
        self.tree[-1].children.append(element)
        self.tree.append(element)

    def _start_outside(self, name: str, attributes: dict[str, str]) -> None:
        parent = self.open[-1] if self.open else None
        kind = name if parent is None else _kind(parent.kind, name)
        if parent is not None and kind is None:
            self._refuse(parent.kind, parent.id, name)
        if kind is None:
            self.skipped = 1
            return
        frame = Frame(kind, self.here(len(name) + 1), None if parent is None else parent.of)
        if parent is None and kind != "pnml":
            message = f"not PNML: the root element is <{shortened(name)}>, not <pnml>"
            raise self.file.error(message, frame.span)
        self.open.append(frame)
        if kind == "structure":
            self.tree.append(Element(name, attributes, frame.span.line, frame.span.column))
        elif kind in _BEGIN:
            _BEGIN[kind](self, frame, attributes)

    def _end(self, _: str) -> None:
        if self.skipped:
            self.skipped -= 1
            return
        if self.tree:
            element = self.tree.pop()
            if self.tree:
                if element.name == "subterm":
                    self.tree[-1].children[-1] = self.file.only(element, "term")
                return
            self._structure_ends(element)
            return
        frame = self.open.pop()
        if frame.kind in _LABELS:
            self._label_ends(frame)
        elif frame.kind == "text":
            self._text_ends(frame)

    def _text(self, text: str) -> None:
        """Text inside of a structure means nothing, and models of the contest have some."""
        if self.skipped or not self.open:
            return
        frame = self.open[-1]
        if frame.kind == "text":
            frame.text.append(text)
        elif not (text.isspace() or self.tree or frame.kind in ("tool", "tool type")):
            lines = text[: len(text) - len(text.lstrip())].split("\n")
            start = self.here()
            column = len(lines[-1]) + (start.column if len(lines) == 1 else 1)
            span = Span(start.line + len(lines) - 1, column, len(text.strip()))
            message = f"text cannot stand directly inside <{frame.kind}>: '{shortened(text.strip())}'"
            raise self.file.error(message, span)

    # Refusals

    def _refuse(self, parent: str, id_: str, name: str) -> None:
        """Elements that must not be skipped, though they are none of ours: skipping them would change the net."""
        span = self.here(len(name) + 1)
        if name in _INSTEAD:
            message = f"<{name}> belongs to place/transition nets, and this is a high-level net"
            raise self.file.error(message, span, f"the element for it is <{_INSTEAD[name]}>")
        if parent == "place" and name == "capacity":
            raise self.file.unsupported(f"place '{id_}' has a capacity, which is not supported", span)
        if parent == "transition" and name == "delay":
            raise self.file.unsupported("<delay> belongs to time nets, which are not supported", span)
        if parent in ("net", "page") and name.lower().endswith("arc"):
            message = f"<{name}> is not supported: arcs are plain arcs of places and transitions"
            raise self.file.unsupported(message, span)
        misplaced = name in _CORE and parent in ("place", "transition", "arc", "pnml")
        if misplaced or name in ("net", "pnml") or (name in _LABELS and name != "type"):
            raise self.file.error(f"<{name}> cannot stand inside <{parent}>", span)

    def arc_type(self, frame: Frame, value: str, span: Span) -> None:
        """Outside of a tool's own part, every type but the normal one is refused; inside, only those that are known."""
        folded = value.strip().lower()
        if frame.kind == "tool type":
            is_normal = not any(each in folded for each in _SPECIAL_ARCS)
        else:
            is_normal = folded in ("", "normal")
        if not is_normal:
            message = f"arc '{frame.id}' is of type '{shortened(value.strip())}', which is not supported"
            raise self.file.unsupported(message, span)

    # Ends of elements

    def _structure_ends(self, element: Element) -> None:
        span = self.open.pop().span
        label = self.open[-1]
        if label.structure is not None:
            raise self.file.error(f"<{label.kind}> has two structures", span)
        label.structure = element

    def _label_ends(self, frame: Frame) -> None:
        if frame.structure is None:
            if frame.said:
                message = f"<{frame.kind}> has a text and no <structure>"
                raise self.file.error(
                    message, frame.span, "the text is for people, only the structure is read"
                )
            return
        if frame.kind == "declaration":
            found = self.file.only(frame.structure, "<declarations>")
            if found.name != "declarations":
                raise self.file.error(f"<declarations> is expected, and this is <{found.name}>", found)
            self.document.declarations.append(found)
            return
        assert frame.of is not None
        if frame.kind in frame.of.labels:
            raise self.file.error(f"'{frame.id}' has two of <{frame.kind}>", frame.span)
        frame.of.labels[frame.kind] = self.file.only(
            frame.structure, "sort" if frame.kind == "type" else "term"
        )

    def _text_ends(self, frame: Frame) -> None:
        parent = self.open[-1]
        if parent.kind in ("arc type", "tool type"):
            self.arc_type(parent, frame.said, frame.span)
        elif parent.kind != "name":
            parent.text += frame.text
        elif frame.of is None:
            self.document.name = one_line(frame.said) or self.document.name
        else:
            frame.of.name = one_line(frame.said) or None

    # What nodes and arcs have

    def declare(self, frame: Frame, what: str, attributes: Mapping[str, str]) -> str:
        id_ = self.present(frame, attributes, "id", f"{what} without an id")
        if id_ in self.document.kinds:
            known = self.document.kinds[id_]
            hint = f"it already names {'an' if known == 'arc' else 'a'} {known}"
            raise self.file.error(f"id '{id_}' is used twice", frame.span, hint)
        self.document.kinds[id_] = what
        return id_

    def present(self, frame: Frame, attributes: Mapping[str, str], name: str, complaint: str) -> str:
        value = attributes.get(name, "")
        if not value.strip():
            raise self.file.error(complaint, frame.span)
        return value

    def refuse_foreign(self, frame: Frame, what: str, attributes: Mapping[str, str], *names: str) -> None:
        """Attributes that some tools write where PNML has an element."""
        for name in names:
            if name in attributes:
                message = f"attribute '{name}' of {what} is not supported"
                raise self.file.unsupported(
                    message, frame.span, "PNML has elements for markings and inscriptions"
                )


def _kind(parent: str, name: str) -> str | None:
    if parent not in ("tool", "tool type"):
        return _CHILDREN.get(parent, {}).get(name)
    if name in _ARC_TYPES:
        return "tool type"
    if name in _TEXTS:
        return "text" if parent == "tool type" else None
    return "tool"


# Beginnings of elements


def _net(walk: Walk, frame: Frame, attributes: Mapping[str, str]) -> None:
    if walk.seen_net:
        hint = "give each net a file of its own"
        raise walk.file.error("the file holds more than one net", frame.span, hint)
    walk.seen_net = True
    walk.document.name = one_line(attributes.get("id", ""))


def _place(walk: Walk, frame: Frame, attributes: Mapping[str, str]) -> None:
    walk.refuse_foreign(frame, "a place", attributes, "initialMarking")
    frame.of = Labelled(walk.declare(frame, "place", attributes), frame.span)
    walk.document.places.append(frame.of)


def _transition(walk: Walk, frame: Frame, attributes: Mapping[str, str]) -> None:
    frame.of = Labelled(walk.declare(frame, "transition", attributes), frame.span)
    walk.document.transitions.append(frame.of)


def _reference(walk: Walk, frame: Frame, attributes: Mapping[str, str]) -> None:
    id_ = walk.declare(frame, "reference", attributes)
    target = walk.present(frame, attributes, "ref", f"reference '{id_}' has no ref")
    walk.document.references.append(Reference(id_, frame.kind == "referencePlace", target, frame.span))


def _arc(walk: Walk, frame: Frame, attributes: Mapping[str, str]) -> None:
    walk.refuse_foreign(frame, "an arc", attributes, "weight", "inscription")
    id_ = walk.declare(frame, "arc", attributes)
    source = walk.present(frame, attributes, "source", f"arc '{id_}' has no source")
    target = walk.present(frame, attributes, "target", f"arc '{id_}' has no target")
    frame.of = arc = Arc(id_, source, target, frame.span)
    walk.document.arcs.append(arc)
    walk.arc_type(frame, attributes.get("type", ""), frame.span)


def _arc_type(walk: Walk, frame: Frame, attributes: Mapping[str, str]) -> None:
    walk.arc_type(frame, attributes.get("value", ""), frame.span)


_BEGIN: dict[str, Callable[[Walk, Frame, Mapping[str, str]], None]] = {
    "net": _net,
    "place": _place,
    "transition": _transition,
    "referencePlace": _reference,
    "referenceTransition": _reference,
    "arc": _arc,
    "arc type": _arc_type,
    "tool type": _arc_type,
}
