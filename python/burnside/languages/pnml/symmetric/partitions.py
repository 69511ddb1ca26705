"""Partitions of enumerations and ranges. In: their declarations. Out: functions from a sort to the classes, by tables.

A class, an element of a partition, is a constant of the partition's sort. Where a multiset over the divided sort is looked
for, it stands for its elements, each once, as GreatSPN and TAPAAL have it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from burnside.ir.highlevel.terms import Apply, Literal, Lookup, Term, element, tokens
from burnside.ir.highlevel.types import NATURAL, Bag, Element, TokenType
from burnside.languages.pnml.symmetric.elements import Element as Tree
from burnside.languages.pnml.symmetric.elements import shortened
from burnside.languages.pnml.symmetric.scopes import Scope
from burnside.languages.pnml.symmetric.sorts import PARTITION

if TYPE_CHECKING:
    from burnside.languages.pnml.symmetric.terms import Terms


class Partitions:
    """`tables`: of each partition, by the name of its sort, the class of each element of the sort that it divides."""

    def __init__(self, terms: Terms) -> None:
        self.terms, self.file, self.sorts = terms, terms.file, terms.sorts
        self.bases = terms.declarations.bases
        self.tables: dict[str, tuple[int, ...]] = {}

    def fill(self) -> None:
        for id_, tree in self.terms.declarations.trees["sort"].items():
            if tree.name == "partition":
                name = self.sorts.titles[id_]
                self.tables[name] = self._table(id_, tree, self.bases[name])

    def _table(self, id_: str, tree: Tree, base: Element) -> tuple[int, ...]:
        classes = [each for each in tree.children if each.name == "partitionelement"]
        table: list[int | None] = [None] * base.sort.size
        for number, each in enumerate(classes):
            for inner in self.file.several(each, "constant"):
                position = self._position(inner, base)
                if table[position] is not None:
                    element = base.sort.elements[position]
                    raise self.file.error(f"'{element}' is in the partition '{id_}' twice", inner)
                table[position] = number
        found = tuple(each for each in table if each is not None)
        if len(found) < len(table):
            missing = base.sort.elements[table.index(None)]
            message = f"'{missing}' of {self.sorts.show(base)} is in no element of the partition '{id_}'"
            raise self.file.error(message, tree)
        return found

    def _position(self, tree: Tree, base: Element) -> int:
        found = self.terms.read(tree, base, Scope(closed="an element of a partition"))
        if not isinstance(found, Literal):
            raise self.file.error(f"a constant of {self.sorts.show(base)} is expected", tree)
        position: int = found.value
        return position

    def members(self, type_: Element, position: int, hint: TokenType | None, tree: Tree) -> Term | None:
        """The elements of a class, where those are looked for; None where the class itself is."""
        name = type_.sort.name
        if type_.sort.origin != PARTITION or not isinstance(hint, Element) or hint == type_:
            return None
        base = self.bases[name]
        if not self.sorts.same(base, hint) or name not in self.tables:
            return None
        one = Literal(1, NATURAL)
        inside = (at for at, each in enumerate(self.tables[name]) if each == position)
        return Apply("sum", tuple(tokens(element(base.sort, at), one) for at in inside), Bag(base), tree.span)

    def class_of(self, tree: Tree) -> Term:
        """<partitionelementof>"""
        id_ = self.file.attribute(tree, "refpartition")
        declared = self.terms.declarations.trees["sort"].get(id_)
        if declared is None or declared.name != "partition":
            raise self.file.error(f"there is no partition '{shortened(id_)}'", tree)
        name, type_ = self.sorts.titles[id_], self.sorts.user_sort(id_, tree)
        assert isinstance(type_, Element)
        argument = self.terms.of(self.file.only(tree, "term"), self.bases[name])
        if name not in self.tables:
            raise self.file.error(f"the partition '{shortened(id_)}' is not divided yet", tree)
        return Lookup(name, self.tables[name], argument, type_, tree.span)
