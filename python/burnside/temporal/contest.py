"""Properties as the Model Checking Contest writes them. In: an XML file, a net, perhaps a high-level one. Out:
`TemporalProperty`s, `TokenBound`s.

Of a high-level net, `tokens-count` counts the tokens of whatever colour, and a transition is fireable if some instance is.

Formulas of CTL are read as the contest's verdicts want it: runs may end in a deadlock, AX p holds there and EX p does not.
In formulas of LTL, whose ids say so, a deadlock repeats itself for ever. (docs/temporal.md has the figures.)

The file is read as a stream. A DOCTYPE is refused before anything in it is expanded. Every element and every name of a
place or transition that is not known is refused with its line and column; names are the ids of the net's file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar
from xml.parsers import expat

from burnside.diagnostics import Diagnostic, InputError, Source, Span, UnsupportedError
from burnside.ir.highlevel.net import HighLevelNet
from burnside.languages.net_expressions import Expression
from burnside.languages.net_expressions import conditions as c
from burnside.languages.shared.cursor import MAX_DEPTH
from burnside.languages.shared.files import line_of_file, unreadable
from burnside.net import Net
from burnside.records import field, record
from burnside.temporal import formulas as f
from burnside.temporal.atoms import ActionPattern, Condition, Dead, Enabled, Proposition
from burnside.temporal.reading import ModelAtoms, PropertyKind, TemporalProperty
from burnside.temporal.syntax.cursor import MAX_SIZE, Part
from burnside.temporal.token_numbers import token_condition

CONDITIONS = (f.Constant, f.Atom, f.Not, f.And, f.Or)
MAX_NESTING = 4 * MAX_DEPTH
"""Elements within each other: a formula may take two for one operator."""

Kind = TypeVar("Kind")


@record(kw_only=True)
class TokenBound:
    """The question how many tokens these places hold at most, together."""

    name: str
    places: tuple[int, ...]
    source: Source = field(compare=False, repr=False)


@record(eq=False)
class _Sum:
    """A number of tokens, linear in the marking."""

    sum: c.Linear
    text: str


@record(eq=False)
class _Bound:
    places: tuple[int, ...]


class _Element:
    """An element that is open: what was read inside of it."""

    def __init__(self, name: str, span: Span) -> None:
        self.name, self.span = name, span
        self.children: list[tuple[str, Any]] = []
        self.text: list[str] = []
        self.text_span: Span | None = None


def read_contest(path: Path, net: Net | HighLevelNet) -> tuple[TemporalProperty | TokenBound, ...]:
    reader = _Reader(path, net)
    try:
        with path.open("rb") as stream:
            reader.parser.ParseFile(stream)
    except OSError as error:
        raise unreadable(path, error) from None
    except expat.ExpatError as error:
        message = f"this is no well-formed XML: {expat.ErrorString(error.code)}"
        raise reader.error(message, Span(error.lineno, error.offset + 1)) from None
    return tuple(reader.found)


class _Reader:
    def __init__(self, path: Path, net: Net | HighLevelNet) -> None:
        self.path, self.net = path, net
        self.source = Source(str(path), "", str(path))
        place_ids, transition_ids = _ids(net)
        self.places = _numbers(place_ids, net.place_numbers)
        self.transitions = _numbers(transition_ids, net.transition_numbers)
        self.open: list[_Element] = []
        self.found: list[TemporalProperty | TokenBound] = []
        self.names: set[str] = set()
        self.atoms = ModelAtoms()
        parser = self.parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text

    # Places and errors

    def here(self) -> Span:
        return Span(self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1)

    def error(self, message: str, span: Span, hint: str | None = None) -> InputError:
        return InputError(self._diagnostic(message, span, hint))

    def unsupported(self, message: str, span: Span) -> UnsupportedError:
        return UnsupportedError(self._diagnostic(message, span))

    def _diagnostic(self, message: str, span: Span, hint: str | None = None) -> Diagnostic:
        return Diagnostic(message, str(self.path), span, line_of_file(self.path, span.line), hint)

    # Events of the stream

    def _doctype(self, *_: object) -> None:
        raise self.unsupported("a DOCTYPE is not supported: property files have none", self.here())

    def _start(self, name: str, _: Mapping[str, str]) -> None:
        if len(self.open) >= MAX_NESTING:
            raise self.error(f"elements are nested more than {MAX_NESTING} deep", self.here())
        name = name.rpartition(" ")[2]
        if not self.open and name != "property-set":
            raise self.error(f"expected a <property-set>, found <{name}>", self.here())
        if name not in ELEMENTS:
            raise self.unsupported(f"the element <{name}> is not known", self.here())
        self.open.append(_Element(name, self.here()))

    def _text(self, text: str) -> None:
        if not text.strip() or not self.open:
            return
        element = self.open[-1]
        if element.text_span is None:
            lines = text[: len(text) - len(text.lstrip())].split("\n")
            here = self.here()
            column = len(lines[-1]) + (here.column if len(lines) == 1 else 1)
            element.text_span = Span(here.line + len(lines) - 1, column, len(text.strip()))
        element.text.append(text)

    def _end(self, _: str) -> None:
        element = self.open.pop()
        if element.text and element.name not in TEXTS:
            raise self.error(f"text means nothing in <{element.name}>", element.text_span or element.span)
        value = ELEMENTS[element.name](self, element)
        if self.open:
            self.open[-1].children.append((element.name, value))

    # What elements hold

    def only(self, element: _Element, kind: type[Kind], what: str) -> Kind:
        values = self.all(element, kind, what)
        if len(values) != 1:
            raise self.error(f"<{element.name}> needs one {what}, it has {len(values)}", element.span)
        return values[0]

    def all(self, element: _Element, kind: type[Kind], what: str) -> list[Kind]:
        for name, value in element.children:
            if not isinstance(value, kind):
                raise self.error(f"<{name}> is no {what}, as <{element.name}> needs it", element.span)
        return [value for _, value in element.children]

    def some(self, element: _Element, kind: type[Kind], what: str) -> list[Kind]:
        values = self.all(element, kind, what)
        if not values:
            raise self.error(f"<{element.name}> needs at least one {what}", element.span)
        return values

    def words(self, element: _Element) -> str:
        return "".join(element.text).strip()

    def word(self, element: _Element) -> str:
        if not self.words(element):
            raise self.error(f"<{element.name}> is empty", element.span)
        return self.words(element)

    def built(self, element: _Element, formula: f.Formula, parts: Sequence[Part]) -> Part:
        height = 1 + max((each.height for each in parts), default=0)
        size = 1 + sum(each.size for each in parts)
        if height > MAX_DEPTH or size > MAX_SIZE:
            message = f"the formula is more than {MAX_DEPTH} operators deep, or has more than {MAX_SIZE:,}"
            raise self.error(message, element.span)
        return Part(formula, height, size)

    def atom(self, proposition: Proposition) -> Part:
        return Part(f.Atom(self.atoms.number(proposition)))

    def condition(self, text: str, core: c.Core) -> Any:
        """An expression of the kind of net."""
        if isinstance(self.net, Net):
            return Expression(text, core, c.places(core))
        return token_condition(core, self.net)

    def numbers(self, element: _Element, table: Mapping[str, int], what: str) -> list[tuple[int, str]]:
        """Of the places or transitions named in an element."""
        found = []
        for text, span in self.some(element, tuple, f"<{what}>"):
            if text not in table:
                raise self.error(f"there is no {what} '{text}'", span, "names are the ids of the net's file")
            found.append((table[text], text))
        return found

    # Properties

    def property(self, element: _Element) -> None:
        children = dict(element.children)
        for name in ("id", "formula"):
            count = sum(each == name for each, _ in element.children)
            if count != 1:
                raise self.error(f"<property> needs one <{name}>, it has {count}", element.span)
        name, value = children["id"], children["formula"]
        if name in self.names:
            raise self.error(f"there are two properties '{name}'", element.span)
        self.names.add(name)
        if isinstance(value, _Bound):
            self.found.append(TokenBound(name=name, places=value.places, source=self.source))
            return
        is_ltl = "LTL" in name or not _is_ctl(value.formula)
        is_reachability = "CTL" not in name and _is_reachability(value.formula)
        kind: PropertyKind = "reachability" if is_reachability else "ctl"
        self.found.append(
            TemporalProperty(
                name=name,
                text=name,
                logic="ltl" if is_ltl else kind,
                formula=_without_quantifier(value.formula) if is_ltl else _with_all_next(value.formula),
                propositions=self.atoms.propositions,
                ends="stutter" if is_ltl else "strong",
                source=self.source,
            )
        )
        self.atoms = ModelAtoms()

    def formula(self, element: _Element) -> Part | _Bound:
        if len(element.children) == 1 and isinstance(element.children[0][1], _Bound):
            bound: _Bound = element.children[0][1]
            return bound
        return self.only(element, Part, "formula")


def _ids(net: Net | HighLevelNet) -> tuple[Sequence[str], Sequence[str]]:
    """What the file of the net calls places and transitions; empty where it has no ids."""
    if isinstance(net, Net):
        return net.place_ids, net.transition_ids
    kinds = (net.places, net.transitions)
    places, transitions = (
        [each.id for each in kind] if all(each.id for each in kind) else [] for kind in kinds
    )
    return places, transitions


def _numbers(ids: Sequence[str], names: Mapping[str, int]) -> Mapping[str, int]:
    """The ids of the file, where it has some: a name may be the id of another."""
    return {**names, **{each: number for number, each in enumerate(ids)}}


def _is_ctl(formula: f.Formula) -> bool:
    """Does every temporal operator stand behind a path quantifier, and every path quantifier before one?"""
    match formula:
        case f.Forall(operand) | f.Exists(operand):
            is_operator = isinstance(operand, f.Next | f.Until | f.Release)
            return is_operator and all(map(_is_ctl, f.children(operand)))
        case f.Next() | f.Until() | f.Release():
            return False
        case _:
            return all(map(_is_ctl, f.children(formula)))


def _is_reachability(formula: f.Formula) -> bool:
    """AG p, EF p or its negation."""
    match formula:
        case f.Forall(f.Release(f.FALSE, operand)) | f.Exists(f.Until(f.TRUE, operand)):
            return all(isinstance(each, CONDITIONS) for each in f.subformulas(operand))
        case f.Not(f.Exists() as operand):
            return _is_reachability(operand)
        case _:
            return False


def _without_quantifier(formula: f.Formula) -> f.Formula:
    """A formula of LTL is written with `all-paths` around it."""
    return formula.operand if isinstance(formula, f.Forall) else formula


def _with_all_next(formula: f.Formula) -> f.Formula:
    inner = [_with_all_next(each) for each in f.children(formula)]
    if isinstance(formula, f.Forall) and isinstance(inner[0], f.Next):
        return f.all_next(inner[0].operand)
    return f.with_children(formula, inner)


# What the elements mean: each function takes what was read inside.


def _leaf(reader: _Reader, element: _Element) -> tuple[str, Span]:
    return reader.word(element), element.text_span or element.span


def _prefix(build: Callable[[f.Formula], f.Formula]) -> Callable[[_Reader, _Element], Part]:
    def read(reader: _Reader, element: _Element) -> Part:
        inner = reader.only(element, Part, "formula")
        return reader.built(element, build(inner.formula), [inner])

    return read


def _junction(join: type[f.And] | type[f.Or]) -> Callable[[_Reader, _Element], Part]:
    def read(reader: _Reader, element: _Element) -> Part:
        parts = reader.some(element, Part, "formula")
        if len(parts) == 1:
            return parts[0]
        return reader.built(element, join(tuple(each.formula for each in parts)), parts)

    return read


def _binary(
    build: Callable[[f.Formula, f.Formula], f.Formula], copies: int = 1
) -> Callable[[_Reader, _Element], Part]:
    def read(reader: _Reader, element: _Element) -> Part:
        parts = reader.all(element, Part, "formula")
        if len(parts) != 2:
            raise reader.error(f"<{element.name}> needs two formulas, it has {len(parts)}", element.span)
        return reader.built(element, build(parts[0].formula, parts[1].formula), parts * copies)

    return read


def _until(reader: _Reader, element: _Element) -> Part:
    if [name for name, _ in element.children] != ["before", "reach"]:
        raise reader.error("<until> needs a <before> and a <reach>, in this order", element.span)
    left, right = reader.all(element, Part, "formula")
    return reader.built(element, f.Until(left.formula, right.formula), [left, right])


def _inside(reader: _Reader, element: _Element) -> Part:
    return reader.only(element, Part, "formula")


def _truth(value: bool) -> Callable[[_Reader, _Element], Part]:
    def read(reader: _Reader, element: _Element) -> Part:
        return Part(f.Constant(value))

    return read


def _deadlock(reader: _Reader, element: _Element) -> Part:
    return reader.atom(Dead())


def _fireable(reader: _Reader, element: _Element) -> Part:
    """One of several transitions."""
    found = dict(reader.numbers(element, reader.transitions, "transition"))
    patterns = tuple(map(ActionPattern, sorted(found)))
    return reader.atom(Enabled(patterns, f"fireable({', '.join(found.values())})"))


def _comparison(operator: str) -> Callable[[_Reader, _Element], Part]:
    def read(reader: _Reader, element: _Element) -> Part:
        sides = reader.all(element, _Sum, "number")
        if len(sides) != 2:
            raise reader.error(f"<{element.name}> needs two numbers, it has {len(sides)}", element.span)
        left, right = sides
        difference = left.sum.times(1).plus(right.sum, -1)
        if abs(difference.offset) > c.MAX_CONSTANT:
            raise reader.error("a constant is beyond 2^62", element.span)
        core = c.comparison(operator, difference).holds.core
        text = f"{left.text} {operator} {right.text}"
        return reader.atom(Condition(reader.condition(text, core), text, element.span))

    return read


def _tokens(reader: _Reader, element: _Element) -> _Sum:
    total, texts = c.Linear.constant(0), []
    for place, text in reader.numbers(element, reader.places, "place"):
        total = total.plus(c.Linear.place(place), 1)
        texts.append(text)
    return _Sum(total, " + ".join(texts))


def _constant(reader: _Reader, element: _Element) -> _Sum:
    text = reader.word(element)
    if not text.isascii() or not text.removeprefix("-").isdigit() or len(text) > 20:
        raise reader.error(f"'{text[:40]}' is no number of 64 bits", element.text_span or element.span)
    return _Sum(c.Linear.constant(int(text)), text)


def _sum(factor: int, operator: str) -> Callable[[_Reader, _Element], _Sum]:
    def read(reader: _Reader, element: _Element) -> _Sum:
        first, *others = reader.some(element, _Sum, "number")
        total = first.sum.times(1)
        for each in others:
            total = total.plus(each.sum, factor)
        return _Sum(total, f"({f' {operator} '.join([first.text, *(each.text for each in others)])})")

    return read


def _bound(reader: _Reader, element: _Element) -> _Bound:
    found = reader.numbers(element, reader.places, "place")
    return _Bound(tuple(place for place, _ in found))


def _nothing(reader: _Reader, element: _Element) -> None:
    """What is not part of the question."""


def _id(reader: _Reader, element: _Element) -> str:
    return reader.word(element)


def _exclusive(left: f.Formula, right: f.Formula) -> f.Formula:
    return f.Or((f.And((left, f.Not(right))), f.And((f.Not(left), right))))


def _globally_everywhere(formula: f.Formula) -> f.Formula:
    return f.Forall(f.globally(formula))


def _possible(formula: f.Formula) -> f.Formula:
    return f.Exists(f.finally_(formula))


ELEMENTS: dict[str, Callable[[_Reader, _Element], Any]] = {
    "property-set": _nothing,
    "property": _Reader.property,
    "id": _id,
    "description": _nothing,
    "formula": _Reader.formula,
    # Formulas
    "true": _truth(True),
    "false": _truth(False),
    "negation": _prefix(f.Not),
    "conjunction": _junction(f.And),
    "disjunction": _junction(f.Or),
    "exclusive-disjunction": _binary(_exclusive, copies=2),
    "implication": _binary(f.implies),
    "equivalence": _binary(f.equivalent, copies=2),
    "all-paths": _prefix(f.Forall),
    "exists-path": _prefix(f.Exists),
    "globally": _prefix(f.globally),
    "finally": _prefix(f.finally_),
    "next": _prefix(f.Next),
    "until": _until,
    "before": _inside,
    "reach": _inside,
    "invariant": _prefix(_globally_everywhere),
    "possibility": _prefix(_possible),
    "impossibility": _prefix(lambda formula: f.Not(_possible(formula))),
    # Atoms
    "is-deadlock": _deadlock,
    "deadlock": _deadlock,
    "is-fireable": _fireable,
    "transition": _leaf,
    "place": _leaf,
    "integer-le": _comparison("<="),
    "integer-lt": _comparison("<"),
    "integer-ge": _comparison(">="),
    "integer-gt": _comparison(">"),
    "integer-eq": _comparison("="),
    "integer-ne": _comparison("!="),
    # Numbers
    "integer-constant": _constant,
    "tokens-count": _tokens,
    "integer-sum": _sum(1, "+"),
    "integer-difference": _sum(-1, "-"),
    "place-bound": _bound,
}
TEXTS = frozenset(("id", "description", "transition", "place", "integer-constant"))
