"""A high-level net as `.hln` text. In: any net, as from PNML. Out: text from which the same net is read.

The same but for what the text does not have: places in a file, ids in a PNML file, what the file called its kinds of types,
and literals of built types, which are written out (`readable`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from burnside.diagnostics import Source
from burnside.ir.highlevel.net import Arc, HighLevelNet, Place, Transition
from burnside.ir.highlevel.terms import TRUE, Apply, Term, tokens
from burnside.ir.highlevel.types import Element, Sort, TokenType, parts
from burnside.ir.nodes import Tree, TypeNode
from burnside.ir.walking import replaced
from burnside.languages.hln.conditions import tables
from burnside.languages.hln.lexer import quoted
from burnside.languages.hln.lower_terms import DOT_VALUE, ONE
from burnside.languages.hln.printing_terms import TermWriter, function_name, with_displays
from burnside.languages.hln.scope import Table
from burnside.languages.hln.type_texts import constructed_text, label, type_text
from burnside.languages.shared.recursion import deep_recursion
from burnside.records import replace

MIN_RANGE = 3
"""Elements that are numbered in a row and are written as a range."""
_NUMBERED = re.compile(r"(.*?)(0|[1-9][0-9]{0,8})", re.DOTALL)


def written(net: HighLevelNet) -> str:
    with deep_recursion(Source(net.name, "")):
        return "\n\n".join(_paragraphs(readable(net))) + "\n"


def readable(net: HighLevelNet) -> HighLevelNet:
    """The net that is read back."""
    sorts = {each.name: replace(each, origin=_classification(each, net)) for each in net.sorts}

    def change(node: object) -> object:
        if isinstance(node, Element):
            return Element(sorts.get(node.sort.name, node.sort))
        return None

    def retyped(type_: TypeNode) -> Any:
        return replaced(type_, change)

    def rewritten(tree: Tree) -> Tree:
        """The types that nodes carry are no children of theirs."""
        new = tree.with_children(rewritten)
        type_ = getattr(new, "type", None)
        if isinstance(type_, TypeNode):
            new = replace(new, type=retyped(type_))
        if isinstance(new, Place | Transition) and new.id:
            new = replace(new, id="")
        return new

    shown = replaced(net, lambda node: with_displays(node) if isinstance(node, Term) else None)
    found = rewritten(shown)
    assert isinstance(found, HighLevelNet)
    searched = frozenset(
        each.name for each in net.sorts if each.name in net.searched and each.symmetry == "fixed"
    )
    names = {retyped(type_): name for type_, name in net.type_names.items() if name not in sorts}
    return replace(found, sorts=tuple(sorts.values()), searched=searched, type_names=names)


def _classification(sort: Sort, net: HighLevelNet) -> str:
    match sort.symmetry:
        case "full":
            return "unordered"
        case "cyclic":
            return "cyclic"
    return "enum" if sort.name in net.searched else "ordered"


def _paragraphs(net: HighLevelNet) -> Iterator[str]:
    yield f"net {quoted(net.name)}"
    names = declared_types(net)
    if net.sorts or names:
        aliases = [f"type {quoted(name)} = {constructed_text(each, names)}" for each, name in names.items()]
        yield "\n".join([*map(_sort, net.sorts), *aliases])
    functions = tables(net)
    if functions:
        yield "\n".join(_table(each) for each in functions.values() if isinstance(each, Table))
    places = [each.name for each in net.places]
    yield "\n".join(_place(each, TermWriter(names, places, ())) for each in net.places)
    shared = _shared_variables(net)
    if shared:
        yield "\n".join(f"var {quoted(name)}: {type_text(type_, names)}" for name, type_ in shared.items())
    for transition in net.transitions:
        yield _transition(transition, shared, names, places)
    writer = TermWriter(names, places, places)
    for claim in net.claims:
        yield f"{claim.kind} {_string(claim.name)}: {writer.check(claim.condition)}"


def _string(name: str) -> str:
    found = quoted(name)
    return found if found.startswith('"') else f'"{found}"'


def declared_types(net: HighLevelNet) -> dict[TokenType, str]:
    """Built types with a name, after those that they are made of."""
    names = {type_: name for type_, name in net.type_names.items() if not isinstance(type_, Element)}
    found: dict[TokenType, str] = {}

    def declare(type_: TokenType) -> None:
        for part in parts(type_):
            declare(part)
        if type_ in names:
            found[type_] = names[type_]

    for each in names:
        declare(each)
    return found


def _sort(sort: Sort) -> str:
    return f"type {quoted(sort.name)} = {sort.origin} {elements_text(sort.elements)}"


def elements_text(elements: Sequence[str]) -> str:
    """`3`, `0 .. 5`, `p1 .. p3`, `{a, b}`."""
    numbered = _NUMBERED.fullmatch(elements[0])
    if len(elements) >= MIN_RANGE and numbered is not None:
        prefix, low = numbered[1], int(numbered[2])
        high = low + len(elements) - 1
        if all(each == f"{prefix}{number}" for number, each in enumerate(elements, low)):
            if prefix:
                return f"{quoted(elements[0])} .. {quoted(elements[-1])}"
            return f"{high}" if low == 1 else f"{low} .. {high}"
    return f"{{{', '.join(map(label, elements))}}}"


def _table(table: Table) -> str:
    assert isinstance(table.source, Element) and isinstance(table.target, Element)
    source, target = table.source.sort, table.target.sort
    by_image: dict[int, list[str]] = {}
    for element, image in zip(source.elements, table.images, strict=True):
        by_image.setdefault(image, []).append(label(element))
    entries = (f"{', '.join(each)} -> {label(target.elements[image])}" for image, each in by_image.items())
    head = f"function {function_name(table.name)}: {quoted(source.name)} -> {quoted(target.name)}"
    return f"{head} = {{{', '.join(entries)}}}"


def _place(place: Place, writer: TermWriter) -> str:
    head = f"place {quoted(place.name)}: {type_text(place.type, writer.names)}"
    return head if is_empty(place.initial) else f"{head} = {writer.check(place.initial)}"


def is_empty(term: Term) -> bool:
    return isinstance(term, Apply) and term.operator == "sum" and not term.arguments


def _shared_variables(net: HighLevelNet) -> dict[str, TokenType]:
    """Those that have one type in all transitions, and no place has their name."""
    places = {each.name for each in net.places}
    types: dict[str, set[TokenType]] = {}
    for transition in net.transitions:
        for each in transition.variables:
            types.setdefault(each.name, set()).add(each.type)
    return {name: next(iter(of)) for name, of in types.items() if len(of) == 1 and name not in places}


def _transition(
    transition: Transition,
    shared: Mapping[str, TokenType],
    names: Mapping[TokenType, str],
    places: Sequence[str],
) -> str:
    own = [each.name for each in transition.variables]
    writer = TermWriter(names, places, [*own, *shared])
    parameters = ", ".join(
        quoted(each.name) if each.name in shared else f"{quoted(each.name)}: {type_text(each.type, names)}"
        for each in transition.variables
    )
    lines = [f"transition {quoted(transition.name)}" + (f"({parameters})" if own else "")]
    tested = _common(transition.consumes, transition.produces)
    for keyword, arcs in (
        ("test", transition.consumes[:tested]),
        ("in", transition.consumes[tested:]),
        ("out", transition.produces[tested:]),
    ):
        if arcs:
            lines.append(f"  {keyword:<5}{', '.join(_arc(each, writer) for each in arcs)}")
    if transition.guard != TRUE:
        lines.append(f"  guard {writer.check(transition.guard)}")
    return "\n".join(lines)


def _common(one: Sequence[Arc], other: Sequence[Arc]) -> int:
    """Arcs at the beginning of both: tests."""
    found = 0
    while found < min(len(one), len(other)) and one[found] == other[found]:
        found += 1
    return found


_ONE_DOT: Term = tokens(DOT_VALUE, ONE)


def is_one_dot(term: Term) -> bool:
    return term == _ONE_DOT


def _arc(arc: Arc, writer: TermWriter) -> str:
    name = quoted(writer.places[arc.place])
    return name if is_one_dot(arc.term) else f"{name}: {writer.check(arc.term)}"
