"""What sorts stand for. In: elements that are sorts, and the declarations they refer to. Out: types of tokens.

Enumerations, ranges and partitions become sorts of elements, of which PNML promises no symmetry; products are structs with
fields 1, 2, ...; a named sort is an abbreviation. Each named range is a sort by itself, so that colours which never meet
can be permuted apart; where a net uses two ranges with the same bounds as one sort, which the standard allows, `Joined`
says so, and the terms are read again with both as one.
"""

from __future__ import annotations

from collections.abc import Mapping

from burnside.ir.highlevel.types import (
    BOOLEAN,
    DOT,
    NATURAL,
    Bag,
    Element,
    Field,
    Natural,
    Sort,
    Struct,
    TokenType,
    show_type,
)
from burnside.languages.pnml.names import one_line, shown
from burnside.languages.pnml.symmetric.elements import Element as Tree
from burnside.languages.pnml.symmetric.elements import ModelFile, shortened
from burnside.languages.shared.cursor import MAX_DEPTH

MAX_RANGE = 1_000_000
"""Values of all integer ranges of a net together."""
MAX_PARTS = 10_000
"""Sorts that a product is made of, through products inside of it."""

CYCLIC, FINITE, RANGE, PARTITION = "cyclic enumeration", "finite enumeration", "integer range", "partition"
"""Origins of sorts."""

UNSUPPORTED = {
    "integer": "its numbers may be below zero",
    "positive": "numbers without zero are those of a range",
    "string": "symmetric nets have no strings",
    "list": "symmetric nets have no lists",
}
"""Sorts that are not read, and why."""


class Joined:
    """Which named ranges are one sort: by name, the name of another."""

    def __init__(self) -> None:
        self.other: dict[str, str] = {}

    def find(self, name: str) -> str:
        while name in self.other:
            name = self.other[name]
        return name

    def join(self, one: str, other: str) -> None:
        one, other = self.find(one), self.find(other)
        if one != other:
            self.other[other] = one


class Sorts:
    """`declared`: the elements `<namedsort>` and `<partition>`, by id. `constants`: of each constant of an enumeration, its
    type and position; known once the sort is. `names`: what the user calls structured types."""

    def __init__(self, file: ModelFile, declared: Mapping[str, Tree], joined: Joined) -> None:
        self.file, self.declared, self.joined = file, declared, joined
        given = (one_line(each.attributes.get("name", "")) or None for each in declared.values())
        self.titles = dict(zip(declared, shown(list(declared), list(given)), strict=True))
        self.constants: dict[str, tuple[Element, int, Tree]] = {}
        self.names: dict[TokenType, str] = {}
        self.types: dict[str, TokenType] = {}
        self.open: list[str] = []
        self.parts: dict[TokenType, int] = {}
        self.anonymous: dict[int, TokenType] = {}
        """Of each tree of a sort without a name, by its identity."""
        self.ranges: dict[str, Element] = {}
        self.bounds: dict[str, tuple[int, int]] = {}
        self.by_bounds: dict[tuple[int, int], Element] = {}
        self.taken = set(self.titles.values())
        self.size_of_ranges = 0

    def user_sort(self, id_: str, at: Tree) -> TokenType:
        """What a declared name stands for."""
        if id_ in self.types:
            return self.types[id_]
        if id_ not in self.declared:
            raise self.file.error(f"there is no sort '{shortened(id_)}'", at)
        if id_ in self.open:
            raise self.file.error(f"the sort '{id_}' is defined by itself", self.declared[id_])
        if len(self.open) >= MAX_DEPTH:
            raise self.file.error(f"sorts are defined by each other more than {MAX_DEPTH} deep", at)
        self.open.append(id_)
        tree = self.declared[id_]
        if tree.name == "partition":
            found: TokenType = Element(self._partition(id_, tree))
        else:
            found = self._meaning(self.file.only(tree, "sort"), self.titles[id_], 0)
        self.open.pop()
        self.types[id_] = found
        if isinstance(found, Struct | Bag):
            self.names.setdefault(found, self.titles[id_])
        return found

    def type_of(self, tree: Tree, depth: int = 0) -> TokenType:
        """What a sort stands for."""
        found = self.anonymous.get(id(tree))
        if found is None:
            found = self.anonymous[id(tree)] = self._meaning(tree, None, depth)
        return found

    def _meaning(self, tree: Tree, title: str | None, depth: int) -> TokenType:
        """`title`: what the sort is called, where it has a name."""
        if depth > MAX_DEPTH:
            raise self.file.error(f"sorts are nested more than {MAX_DEPTH} deep", tree)
        match tree.name:
            case "usersort":
                return self.user_sort(self.file.attribute(tree, "declaration"), tree)
            case "dot":
                return DOT
            case "bool":
                return BOOLEAN
            case "natural":
                return NATURAL
            case "finiteintrange":
                return self._range(tree, title)
            case "finiteenumeration" | "cyclicenumeration":
                return self._enumeration(tree, title)
            case "productsort":
                return self._product(tree, depth)
            case "multisetsort":
                inner = self.type_of(self.file.only(tree, "sort"), depth + 1)
                self.parts[Bag(inner)] = self.parts.get(inner, 1)
                return Bag(inner)
        if tree.name in UNSUPPORTED:
            message = f"the sort <{tree.name}> is not supported: {UNSUPPORTED[tree.name]}"
            raise self.file.unsupported(message, tree)
        raise self.file.error(f"a sort is expected, and this is <{shortened(tree.name)}>", tree)

    def range_of(self, tree: Tree, hint: TokenType | None) -> Element:
        """The range that a constant says it is of: the one looked for, where the bounds are the same."""
        if tree.name == "finiteintrange":
            bounds = self.file.number(tree, "start"), self.file.number(tree, "end")
            if isinstance(hint, Element) and self.bounds.get(hint.sort.name) == bounds:
                return hint
            if bounds in self.by_bounds:
                return self.by_bounds[bounds]
        found = self.type_of(tree)
        if not isinstance(found, Element) or found.sort.origin != RANGE:
            raise self.file.error("an integer range is expected", tree)
        return found

    def _range(self, tree: Tree, title: str | None) -> Element:
        start, end = self.file.number(tree, "start"), self.file.number(tree, "end")
        if start > end:
            raise self.file.error(f"there is no number from {start} to {end}", tree)
        if end - start >= MAX_RANGE:
            message = f"an integer range of more than {MAX_RANGE:,} values is not supported"
            raise self.file.unsupported(message, tree)
        if title is None:
            title = f"{start}..{end}"
            while title in self.taken:
                title += "'"
        name = self.joined.find(title)
        known = self.ranges.get(name)
        if known is not None and self.bounds[name] == (start, end):
            return known
        self.size_of_ranges += end - start + 1
        if self.size_of_ranges > MAX_RANGE:
            message = f"integer ranges of more than {MAX_RANGE:,} values together are not supported"
            raise self.file.unsupported(message, tree)
        elements = tuple(map(str, range(start, end + 1)))
        found = Element(Sort(name, elements, "fixed", RANGE, tree.span))
        self.ranges[name], self.bounds[name] = found, (start, end)
        self.by_bounds.setdefault((start, end), found)
        return found

    def _enumeration(self, tree: Tree, title: str | None) -> Element:
        constants = tree.children
        for each in constants:
            if each.name != "feconstant":
                message = f"<feconstant> is expected, and this is <{shortened(each.name)}>"
                raise self.file.error(message, each)
        if not constants:
            raise self.file.unsupported("an enumeration without constants is not supported", tree)
        ids = [self.file.attribute(each, "id") for each in constants]
        names = [one_line(each.attributes.get("name", "")) or None for each in constants]
        origin = CYCLIC if tree.name == "cyclicenumeration" else FINITE
        found = Element(Sort(title or self._fresh(), shown(ids, names), "fixed", origin, tree.span))
        for position, (id_, each) in enumerate(zip(ids, constants, strict=True)):
            self.declare_constant(id_, found, position, each)
        return found

    def declare_constant(self, id_: str, type_: Element, position: int, tree: Tree) -> None:
        if id_ in self.constants:
            line = self.constants[id_][2].line
            raise self.file.error(
                f"the constant '{shortened(id_)}' is declared twice", tree, f"first in line {line}"
            )
        self.constants[id_] = (type_, position, tree)

    def _product(self, tree: Tree, depth: int) -> Struct:
        types = [self.type_of(each, depth + 1) for each in tree.children]
        parts = 1 + sum(self.parts.get(each, 1) for each in types)
        if parts > MAX_PARTS:
            raise self.file.unsupported(f"a product of more than {MAX_PARTS:,} sorts is not supported", tree)
        found = Struct(tuple(Field(str(number), each) for number, each in enumerate(types, start=1)))
        self.parts[found] = parts
        return found

    def _partition(self, id_: str, tree: Tree) -> Sort:
        classes = [each for each in tree.children if each.name == "partitionelement"]
        ids = [self.file.attribute(each, "id") for each in classes]
        if not classes:
            raise self.file.error(f"the partition '{id_}' has no elements", tree)
        names = [one_line(each.attributes.get("name", "")) or None for each in classes]
        sort = Sort(self.titles[id_], shown(ids, names), "fixed", PARTITION, tree.span)
        for position, (class_id, each) in enumerate(zip(ids, classes, strict=True)):
            self.declare_constant(class_id, Element(sort), position, each)
        return sort

    def _fresh(self) -> str:
        number = len(self.taken)
        while f"enumeration_{number}" in self.taken:
            number += 1
        self.taken.add(f"enumeration_{number}")
        return f"enumeration_{number}"

    # Comparing

    def same(self, one: TokenType, other: TokenType) -> bool:
        """Are these one type? Ranges with the same bounds are, from then on."""
        if one == other:
            return True
        match one, other:
            case Element(first), Element(second):
                a, b = self.bounds.get(first.name), self.bounds.get(second.name)
                if a is None or a != b:
                    return False
                self.joined.join(first.name, second.name)
                return True
            case Bag(first), Bag(second):
                return self.same(first, second)
            case Struct(first), Struct(second):
                return len(first) == len(second) and all(
                    self.same(a.type, b.type) for a, b in zip(first, second, strict=True)
                )
        return False

    def show(self, type_: TokenType) -> str:
        """As the user calls it."""
        if type_ in self.names:
            return f"'{self.names[type_]}'"
        match type_:
            case Natural():
                return "natural"
            case Element(sort):
                return f"'{sort.name}'"
            case Bag(inner):
                return f"multiset of {self.show(inner)}"
            case Struct(fields):
                return (
                    f"product of {', '.join(self.show(each.type) for each in fields)}"
                    if fields
                    else "empty product"
                )
        return show_type(type_)
