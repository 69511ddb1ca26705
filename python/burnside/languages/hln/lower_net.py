"""Declarations: from trees to a net. In: a `NetTree` and sizes. Out: a `HighLevelNet`.

Constants, types and functions are declared before they are used; places, transitions and claims may come in any order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from burnside.diagnostics import Source
from burnside.ir.highlevel.checking import UNBOUND_HINT, unbound
from burnside.ir.highlevel.net import Arc, Claim, HighLevelNet, Place, Transition
from burnside.ir.highlevel.terms import TRUE, Apply, Literal, Marked, Term, Variable, is_total, tokens
from burnside.ir.highlevel.types import BOOLEAN, DOT, NATURAL, Bag, Element, TokenType, Union, parts
from burnside.languages.hln import syntax as s
from burnside.languages.hln.lower_operators import ARITIES, OperatorLowering
from burnside.languages.hln.lower_terms import DOT_VALUE, ONE
from burnside.languages.hln.lower_types import TypeLowering, chosen_sizes
from burnside.languages.hln.scope import Function, Scope, Table
from burnside.languages.shared.lowering import LoweringContext
from burnside.languages.shared.recursion import deep_recursion
from burnside.languages.shared.spans import Extent, Identifier


class NetLowering(LoweringContext):
    """What the declarations mean; conditions of a command line are read with it too."""

    def __init__(self, source: Source, sizes: Mapping[str, int], tree: s.NetTree) -> None:
        self.source = source
        self.types = TypeLowering(source, chosen_sizes(sizes, tree, source))
        self.terms = OperatorLowering(self.types)
        self.variables: dict[str, TokenType] = {}
        self.places: dict[str, Place] = {}
        self.numbers: dict[str, int] = {}
        self.transitions: dict[str, Transition] = {}
        self.claims: list[Claim] = []

    @property
    def constants(self) -> dict[str, Term]:
        return {name: Literal(value, NATURAL) for name, value in self.types.constants.items()}

    def net(self, tree: s.NetTree, name: str) -> HighLevelNet:
        with deep_recursion(self.source):
            for each in tree.declarations:
                self._declare(each)
            for each in tree.declarations:
                if isinstance(each, s.PlaceDeclaration):
                    self._mark(each)
            for each in tree.declarations:
                if isinstance(each, s.TransitionDeclaration):
                    self._transition(each)
            for each in tree.declarations:
                if isinstance(each, s.ClaimDeclaration):
                    self._claim(each)
        if not self.places:
            raise self.error("a net needs a place", Extent(self.source, len(self.source.text.rstrip()), 1))
        return HighLevelNet(
            tree.name or name,
            tuple(self.types.elements.sorts.values()),
            tuple(self.places.values()),
            tuple(self.transitions.values()),
            frozenset(self.types.searched),
            tuple(self.claims),
            self.types.names,
        )

    def _declare(self, tree: s.Declaration) -> None:
        match tree:
            case s.ConstDeclaration(_, name):
                self._check_new(name)
                self.types.declare_constant(tree)
            case s.TypeDeclaration(_, name):
                self.types.declare_type(tree)
                self._note_unions(self.types.types[name.text].type)
            case s.VariableDeclaration(_, names, type_tree):
                type_ = self.types.type(type_tree)
                for name in names:
                    self._check_new(name)
                    self.variables[name.text] = type_
                    self.terms.unavailable[name.text] = "variables stand in transitions only"
            case s.FunctionDeclaration(_, name):
                self._check_function(name)
                self.terms.functions[name.text] = self._function(tree)
            case s.TableDeclaration(_, name):
                self._check_function(name)
                self.terms.functions[name.text] = self._table(tree)
            case s.PlaceDeclaration(_, names, type_tree):
                type_ = self.types.type(type_tree)
                self._note_unions(type_)
                for name in names:
                    self._check_new(name)
                    self.numbers[name.text] = len(self.places)
                    self.places[name.text] = Place(name.text, type_, _empty(type_), span=name.at.span)
                    self.terms.unavailable[name.text] = "a place stands for its tokens in conditions only"

    def _note_unions(self, type_: TokenType) -> None:
        """For messages about alternatives."""
        waiting = [type_]
        while waiting:
            found = waiting.pop()
            if isinstance(found, Union) and found not in self.terms.unions:
                self.terms.unions.append(found)
            waiting += parts(found)

    def _check_new(self, name: Identifier) -> None:
        for what, known in (
            ("constant", self.types.constants),
            ("variable", self.variables),
            ("place", self.places),
        ):
            if name.text in known:
                raise self.error(f"a {what} '{name.text}' is declared already", name.at)

    # Functions

    def _check_function(self, name: Identifier) -> None:
        if name.text in self.terms.functions:
            raise self.error(f"a function '{name.text}' is declared already", name.at)
        if name.text in ARITIES:
            raise self.error(f"'{name.text}' is an operator of the language", name.at)

    def _function(self, tree: s.FunctionDeclaration) -> Function:
        parameters: dict[str, TokenType] = {}
        for name, type_tree in tree.parameters:
            if name.text in parameters:
                raise self.error(f"'{name.text}' is given twice", name.at)
            parameters[name.text] = self.types.type(type_tree)
        function = Function(tuple(parameters.items()), self.types.type(tree.type), tree.body)
        values = {name: Variable(name, type_) for name, type_ in parameters.items()}
        self.terms.read(tree.body, function.result, Scope({**self.constants, **values}))
        return function

    def _table(self, tree: s.TableDeclaration) -> Table:
        source, target = self._sort(tree.source), self._sort(tree.target)
        images: list[int | None] = [None] * source.sort.size
        for entry in tree.entries:
            image = self._position(entry.image, target)
            for position in self._keys(entry, source, images):
                if entry.elements is not None and images[position] is not None:
                    message = f"'{source.sort.elements[position]}' is mapped already"
                    raise self.error(message, entry.at)
                images[position] = image
        if None in images:
            message = f"'{source.sort.elements[images.index(None)]}' is not mapped"
            raise self.error(
                message, tree.name.at, "a function is defined for all elements; else -> x maps the rest"
            )
        return Table(tree.name.text, source, target, tuple(each for each in images if each is not None))

    def _sort(self, tree: s.TypeTree) -> Element:
        found = self.types.type(tree)
        if not isinstance(found, Element):
            message = f"a function that is given by a table maps elements to elements, not {self.types.shown(found)}"
            raise self.error(message, tree.at)
        return found

    def _keys(self, entry: s.TableEntry, of: Element, images: Sequence[int | None]) -> list[int]:
        if entry.elements is None:
            return [at for at, image in enumerate(images) if image is None]
        found: list[int] = []
        for first, last in entry.elements:
            low = self._position(first, of)
            found += range(low, (low if last is None else self._position(last, of)) + 1)
        return found

    def _position(self, name: Identifier, of: Element) -> int:
        found = self.types.elements.position(of.sort, name.text)
        if found is None:
            raise self.error(f"'{name.text}' is no element of {of.sort.name}", name.at)
        return found

    # The net

    def _mark(self, tree: s.PlaceDeclaration) -> None:
        """Places that are declared together have the same tokens."""
        if tree.initial is None:
            return
        place = self.places[tree.names[0].text]
        initial = self.terms.read(tree.initial, Bag(place.type), Scope(self.constants))
        if not is_total(initial) and not _has_value(initial):
            raise self.error("the initial marking has no value", tree.initial.at)
        for name in tree.names:
            place = self.places[name.text]
            self.places[name.text] = Place(place.name, place.type, initial, span=place.span)

    def _transition(self, tree: s.TransitionDeclaration) -> None:
        name = tree.name
        if name.text in self.transitions:
            raise self.error(f"a transition '{name.text}' is declared already", name.at)
        own = self._parameters(tree)
        scope = Scope({**self.constants, **own}, self.variables)
        guard: Term | None = None
        arcs: dict[str, list[Arc]] = {"in": [], "out": []}
        for clause in tree.clauses:
            if not isinstance(clause, s.ArcTree):
                if guard is not None:
                    raise self.error("a transition has one guard; join its conditions by 'and'", clause.at)
                guard = self.terms.read(clause, BOOLEAN, scope)
                continue
            arc = self._arc(clause, scope)
            for direction in ("in", "out") if clause.direction == "test" else (clause.direction,):
                arcs[direction].append(arc)
        shared = sorted((each for each in scope.used if each not in own), key=lambda each: scope.used[each])
        variables = (*own.values(), *(Variable(each, self.variables[each]) for each in shared))
        found = Transition(
            name.text, variables, tuple(arcs["in"]), tuple(arcs["out"]), guard or TRUE, span=name.at.span
        )
        for variable in unbound(found):
            message = (
                f"nothing bounds '{variable.name}': {self.types.shown(variable.type)} has no end of values"
            )
            raise self.error(message, name.at, UNBOUND_HINT)
        self.transitions[name.text] = found

    def _parameters(self, tree: s.TransitionDeclaration) -> dict[str, Variable]:
        own: dict[str, Variable] = {}
        for name, type_tree in tree.parameters:
            if name.text in own:
                raise self.error(f"'{name.text}' is given twice", name.at)
            if type_tree is not None:
                type_ = self.types.type(type_tree)
            elif name.text in self.variables:
                type_ = self.variables[name.text]
            else:
                hint = f"its type is said here ({name.text}: T), or for the whole net (var {name.text}: T)"
                raise self.error(f"there is no variable '{name.text}'", name.at, hint)
            own[name.text] = Variable(name.text, type_, name.at.span)
        return own

    def _arc(self, tree: s.ArcTree, scope: Scope) -> Arc:
        number = self.numbers.get(tree.place.text)
        if number is None:
            raise self.error(f"there is no place '{tree.place.text}'", tree.place.at)
        type_ = self.places[tree.place.text].type
        if tree.term is not None:
            return Arc(number, self.terms.read(tree.term, Bag(type_), scope), tree.at.span)
        if type_ != DOT:
            message = f"the place '{tree.place.text}' holds tokens of type {self.types.shown(type_)}"
            raise self.error(message, tree.at, "say which: PLACE: TOKENS")
        return Arc(number, tokens(DOT_VALUE, ONE), tree.at.span)

    def _claim(self, tree: s.ClaimDeclaration) -> None:
        marked = {
            place.name: Marked(number, Bag(place.type)) for number, place in enumerate(self.places.values())
        }
        condition = self.terms.read(tree.condition, BOOLEAN, Scope({**self.constants, **marked}))
        name = tree.name or _one_line(tree.condition.at)
        self.claims.append(Claim(tree.kind, name, condition, tree.at.span))


def _empty(type_: TokenType) -> Term:
    return Apply("sum", (), Bag(type_))


def _has_value(term: Term) -> bool:
    from burnside.reference.highlevel.evaluation import Undefined, evaluate

    try:
        evaluate(term, {})
    except Undefined:
        return False
    return True


def _one_line(at: Extent) -> str:
    return " ".join(at.source.text[at.offset : at.end].split())
