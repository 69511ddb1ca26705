"""What the declarations of a net declare. In: elements `<declarations>`. Out: sorts, variables, operators, partitions by id.

Ids of sorts, of variables, and of operators and constants are unique each among themselves: files have sorts and places,
or sorts and variables, with the same id, and what refers to them says which it means.
"""

from __future__ import annotations

from burnside.ir.highlevel.terms import Variable
from burnside.ir.highlevel.types import Element, TokenType
from burnside.languages.pnml.names import one_line, shown
from burnside.languages.pnml.symmetric.elements import Document, shortened
from burnside.languages.pnml.symmetric.elements import Element as Tree
from burnside.languages.pnml.symmetric.sorts import PARTITION, Joined, Sorts
from burnside.records import record

UNSUPPORTED = {
    "arbitrarysort": "sorts without a definition",
    "arbitraryoperator": "operators without a definition",
    "unparsed": "texts without a meaning",
}


@record(eq=False)
class Operator:
    """A user's operator: what it stands for, with its parameters' ids and types."""

    id: str
    tree: Tree
    parameters: tuple[tuple[str, TokenType], ...]
    body: Tree


class Declarations:
    """`variables`: by id, in their order, those of the net. `classes`: of each element of a partition, the trees of the
    constants in it. `bases`: of each partition, by the name of its sort, the sort that it divides."""

    def __init__(self, document: Document, joined: Joined) -> None:
        self.file = document.file
        self.trees: dict[str, dict[str, Tree]] = {"sort": {}, "variable": {}, "operator": {}}
        for each in document.declarations:
            for tree in each.children:
                self._collect(tree)
        self.sorts = Sorts(self.file, self.trees["sort"], joined)
        for id_, tree in self.trees["sort"].items():
            self.sorts.user_sort(id_, tree)
        self.bases = {
            self.sorts.titles[id_]: self._base(id_, tree)
            for id_, tree in self.trees["sort"].items()
            if tree.name == "partition"
        }
        self.variables = self._variables()
        self.operators = {id_: self._operator(id_, tree) for id_, tree in self.trees["operator"].items()}
        for id_ in self.operators.keys() & self.sorts.constants.keys():
            raise self.file.error(
                f"the operator '{shortened(id_)}' is declared twice", self.operators[id_].tree
            )

    def _collect(self, tree: Tree) -> None:
        match tree.name:
            case "namedsort" | "partition":
                kind = "sort"
            case "variabledecl":
                kind = "variable"
            case "namedoperator":
                kind = "operator"
            case "feconstant" | "partitionelement":
                where = "an enumeration" if tree.name == "feconstant" else "a partition"
                raise self.file.error(f"<{tree.name}> stands inside of {where} only", tree)
            case _ if tree.name in UNSUPPORTED:
                what = UNSUPPORTED[tree.name]
                raise self.file.unsupported(f"<{tree.name}> is not supported: {what} cannot be read", tree)
            case _:
                message = f"a declaration is expected, and this is <{shortened(tree.name)}>"
                raise self.file.error(message, tree)
        id_ = self.file.attribute(tree, "id")
        if id_ in self.trees[kind]:
            line = self.trees[kind][id_].line
            raise self.file.error(
                f"the {kind} '{shortened(id_)}' is declared twice", tree, f"first in line {line}"
            )
        self.trees[kind][id_] = tree

    def _variables(self) -> dict[str, Variable]:
        trees = self.trees["variable"]
        names = [one_line(each.attributes.get("name", "")) or None for each in trees.values()]
        return {
            id_: Variable(name, self.sorts.type_of(self.file.only(tree, "sort")), tree.span)
            for (id_, tree), name in zip(trees.items(), shown(list(trees), names), strict=True)
        }

    def _base(self, id_: str, tree: Tree) -> Element:
        """The sort that a partition divides."""
        others = [each for each in tree.children if each.name != "partitionelement"]
        if len(others) != 1:
            raise self.file.error(
                f"the partition '{id_}' needs one sort, it has {len(others) or 'none'}", tree
            )
        base = self.sorts.type_of(others[0])
        if not isinstance(base, Element):
            message = f"only enumerations and integer ranges are divided, and this is {self.sorts.show(base)}"
            raise self.file.error(message, others[0])
        return base

    def _operator(self, id_: str, tree: Tree) -> Operator:
        parts: dict[str, Tree] = {}
        for each in tree.children:
            if each.name not in ("parameter", "def") or each.name in parts:
                message = f"the operator '{shortened(id_)}' has one <parameter> and one <def>, and this is <{each.name}>"
                raise self.file.error(message, each)
            parts[each.name] = each
        if "def" not in parts:
            raise self.file.error(f"the operator '{shortened(id_)}' has no <def>", tree)
        parameters: dict[str, TokenType] = {}
        for each in parts["parameter"].children if "parameter" in parts else ():
            if each.name != "variabledecl":
                message = f"<variabledecl> is expected, and this is <{shortened(each.name)}>"
                raise self.file.error(message, each)
            parameter = self.file.attribute(each, "id")
            if parameter in parameters:
                raise self.file.error(f"the parameter '{shortened(parameter)}' is declared twice", each)
            parameters[parameter] = self.sorts.type_of(self.file.only(each, "sort"))
        return Operator(id_, tree, tuple(parameters.items()), self.file.only(parts["def"], "term"))

    def is_class(self, type_: Element) -> bool:
        """Is this the type of the elements of a partition?"""
        return type_.sort.origin == PARTITION and type_.sort.name in self.bases
