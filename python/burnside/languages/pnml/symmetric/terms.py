"""The meaning of terms. In: trees, and what the declarations declare. Out: terms of the intermediate representation.

Types are inferred from inside, with a hint of what is expected for constants of ranges and partitions. Where a multiset is
expected and a value stands, once that value is meant, as all tools read `<structure><tuple>`. A tuple of multisets is the
multiset of all tuples of their elements, as GreatSPN writes `<All, x>`. Definitions of operators are put in the place of
their uses, as often as `MAX_EXPANDED` allows.

`subtract`: the standard defines the difference of multisets where the second is included in the first (ISO/IEC 15909-1, its
annex on multisets); elsewhere the term has no value, and an instance with such a term is not enabled. (TAPAAL and others,
who go on with some multiset there, differ from each other in which.)
"""

from __future__ import annotations

from collections.abc import Sequence

from burnside.ir.highlevel.checking import operator_problem
from burnside.ir.highlevel.terms import Apply, Literal, Term, Variable, tokens, type_of
from burnside.ir.highlevel.types import BOOLEAN, NATURAL, Bag, TokenType
from burnside.languages.pnml.symmetric.declarations import Declarations, Operator
from burnside.languages.pnml.symmetric.elements import Element as Tree
from burnside.languages.pnml.symmetric.elements import operands, shortened
from burnside.languages.pnml.symmetric.operators import OPERATORS, UNSUPPORTED
from burnside.languages.pnml.symmetric.partitions import Partitions
from burnside.languages.pnml.symmetric.scopes import Argument, Scope, measured
from burnside.languages.shared.cursor import MAX_DEPTH

MAX_EXPANDED = 100_000
"""Terms that definitions of operators may add to a net."""

Hint = TokenType | None
"""The type of tokens that is looked for: of a value, or of the elements of a multiset."""


class Terms:
    def __init__(self, declarations: Declarations) -> None:
        self.declarations, self.file, self.sorts = declarations, declarations.file, declarations.sorts
        self.scope = Scope()
        self.depth = self.expanded = 0
        self.open: list[str] = []
        """The operators whose definitions are open."""
        self.use: Tree | None = None
        """Where the outermost of them is used."""
        self.wrapped: dict[str, str] = {}
        """Sorts that are no cyclic enumerations, of whose elements successors are asked: name and origin."""
        self.defined: set[str] = set()
        """The operators that are used."""
        self.names = {each.name for each in declarations.variables.values()}
        self.partitions = Partitions(self)
        self.partitions.fill()

    def read(self, tree: Tree, type_: TokenType, scope: Scope) -> Term:
        """A term of this type."""
        self.scope = scope
        return self.of(tree, type_)

    def of(self, tree: Tree, type_: TokenType) -> Term:
        """The same, of a term inside of another."""
        return self.fitted(self.term(tree, _element_type(type_)), type_, tree)

    def check_unused(self) -> None:
        """Definitions of operators that nothing uses are to mean something, too."""
        for operator in self.declarations.operators.values():
            if operator.id not in self.defined:
                arguments = {
                    name: Argument(Variable(name, type_), 1, 1) for name, type_ in operator.parameters
                }
                self._body(operator, arguments, None, operator.tree)

    def fitted(self, term: Term, type_: TokenType, tree: Tree) -> Term:
        """The term as one of this type: a value is a multiset of one, too."""
        found = type_of(term)
        if self.sorts.same(found, type_):
            return term
        if isinstance(type_, Bag) and self.sorts.same(found, type_.element):
            return tokens(term, Literal(1, NATURAL))
        message = (
            f"<{tree.name}> is of sort {self.sorts.show(found)}, where {self.sorts.show(type_)} is expected"
        )
        raise self.file.error(message, tree)

    def term(self, tree: Tree, hint: Hint = None) -> Term:
        if self.depth >= MAX_DEPTH:
            raise self.file.error(f"terms are nested more than {MAX_DEPTH} deep", tree)
        if self.open:
            self._expand(1)
        self.depth += 1
        match tree.name:
            case "variable":
                found = self._variable(tree)
            case "useroperator":
                found = self._user_operator(tree, hint)
            case name if name in OPERATORS:
                found = OPERATORS[name](self, tree, hint)
            case name if name in UNSUPPORTED:
                message = f"<{name}> is not supported: {UNSUPPORTED[name]} are not part of symmetric nets"
                raise self.file.unsupported(message, tree)
            case name:
                raise self.file.error(f"a term is expected, and this is <{shortened(name)}>", tree)
        self.depth -= 1
        return found

    # What operators are made with

    def apply(self, operator: str, arguments: Sequence[Term], type_: TokenType, tree: Tree) -> Apply:
        problem = operator_problem(operator, [type_of(each) for each in arguments], type_)
        if problem is not None:
            raise self.file.error(f"<{tree.name}>: {problem}", tree)
        return Apply(operator, tuple(arguments), type_, tree.span)

    def fresh_name(self) -> str:
        """A name for a variable that no other one has."""
        number = len(self.names)
        while f"tuple_{number}" in self.names:
            number += 1
        self.names.add(f"tuple_{number}")
        return f"tuple_{number}"

    def operands(self, tree: Tree) -> list[Tree]:
        return self.file.some(operands(tree), tree, "term")

    def boolean(self, tree: Tree) -> Term:
        return self.fitted(self.term(tree), BOOLEAN, tree)

    def natural(self, tree: Tree) -> Term:
        return self.fitted(self.term(tree), NATURAL, tree)

    def multiset(self, tree: Tree, hint: Hint) -> Term:
        """A term that is a multiset, or made one."""
        found = self.term(tree, hint)
        if hint is not None and self.sorts.same(type_of(found), hint):
            return tokens(found, Literal(1, NATURAL))
        return found if isinstance(type_of(found), Bag) else tokens(found, Literal(1, NATURAL))

    def multisets(self, trees: Sequence[Tree], hint: Hint) -> list[Term]:
        """Multisets of one type: that of the first, where no other is expected."""
        found: list[Term] = []
        for tree in trees:
            each = self.multiset(tree, hint)
            type_ = type_of(each)
            assert isinstance(type_, Bag)
            if hint is None:
                hint = type_.element
            found.append(self.fitted(each, Bag(hint), tree))
        return found

    def alike(self, tree: Tree, trees: Sequence[Tree]) -> tuple[Term, Term]:
        """Two terms of one type. A constant of a range is of the sort of the other."""
        first, second = trees
        if first.name == "finiteintrangeconstant":
            right = self.term(second)
            return self.of(first, type_of(right)), right
        left = self.term(first)
        right = self.term(second, _element_type(type_of(left)))
        if not self.sorts.same(type_of(left), type_of(right)):
            one, other = self.sorts.show(type_of(left)), self.sorts.show(type_of(right))
            message = f"<{tree.name}> compares values of one sort, and these are of sort {one} and {other}"
            raise self.file.error(message, tree)
        return left, right

    # Names

    def _variable(self, tree: Tree) -> Term:
        id_ = self.file.attribute(tree, "refvariable")
        if self.scope.closed is not None:
            raise self.file.error(
                f"{self.scope.closed} has no variables, and '{shortened(id_)}' is one", tree
            )
        if self.scope.arguments is not None:
            argument = self.scope.arguments.get(id_)
            if argument is None:
                message = f"'{shortened(id_)}' is no parameter of the operator '{self.open[-1]}'"
                raise self.file.error(message, tree)
            self._expand(argument.size)
            if self.depth + argument.height > MAX_DEPTH:
                raise self.file.error(f"terms are nested more than {MAX_DEPTH} deep", tree)
            return argument.term
        variable = self.declarations.variables.get(id_)
        if variable is None:
            raise self.file.error(f"there is no variable '{shortened(id_)}'", tree)
        self.scope.used.add(id_)
        return Variable(variable.name, variable.type, tree.span)

    def _user_operator(self, tree: Tree, hint: Hint) -> Term:
        id_ = self.file.attribute(tree, "declaration")
        if id_ in self.declarations.operators:
            return self._definition(self.declarations.operators[id_], tree, hint)
        if id_ not in self.sorts.constants:
            raise self.file.error(f"there is no constant or operator '{shortened(id_)}'", tree)
        if tree.children:
            raise self.file.error(f"the constant '{shortened(id_)}' has no arguments", tree.children[0])
        type_, position, _ = self.sorts.constants[id_]
        members = self.partitions.members(type_, position, hint, tree)
        return Literal(position, type_, tree.span) if members is None else members

    # Definitions

    def _definition(self, operator: Operator, tree: Tree, hint: Hint) -> Term:
        """What the operator stands for, with these arguments."""
        if operator.id in self.open:
            raise self.file.error(f"the operator '{operator.id}' is defined by itself", operator.tree)
        count = len(operator.parameters)
        arguments: dict[str, Argument] = {}
        trees = self.file.several(tree, "term", count, count)
        for (name, type_), each in zip(operator.parameters, trees, strict=True):
            arguments[name] = measured(self.of(each, type_))
        return self._body(operator, arguments, hint, tree)

    def _body(self, operator: Operator, arguments: dict[str, Argument], hint: Hint, tree: Tree) -> Term:
        if not self.open:
            self.use = tree
        outer, self.scope = self.scope, Scope(arguments)
        self.defined.add(operator.id)
        self.open.append(operator.id)
        found = self.term(operator.body, hint)
        self.open.pop()
        self.scope = outer
        return found

    def _expand(self, size: int) -> None:
        self.expanded += size
        if self.expanded > MAX_EXPANDED:
            assert self.use is not None
            message = f"definitions of operators that make more than {MAX_EXPANDED:,} terms are not supported"
            raise self.file.unsupported(message, self.use)


def _element_type(type_: TokenType) -> TokenType:
    """The hint for a term of this type."""
    return type_.element if isinstance(type_, Bag) else type_
