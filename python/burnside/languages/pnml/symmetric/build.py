"""From a document to a net: references are followed, arcs are checked, labels get their meaning. Out: a `HighLevelNet`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from burnside.ir.highlevel.checking import UNBOUND_HINT, unbound
from burnside.ir.highlevel.net import Arc, HighLevelNet, Place, Transition
from burnside.ir.highlevel.terms import TRUE, Apply, Binding, Literal, Term, is_total, tokens
from burnside.ir.highlevel.types import (
    BOOLEAN,
    DOT,
    NATURAL,
    Bag,
    Dot,
    Sort,
    TokenType,
    domain_size,
    sorts_of,
)
from burnside.languages.pnml.names import shown
from burnside.languages.pnml.symmetric import elements
from burnside.languages.pnml.symmetric.declarations import Declarations
from burnside.languages.pnml.symmetric.elements import Document, Labelled, shortened
from burnside.languages.pnml.symmetric.scopes import Scope
from burnside.languages.pnml.symmetric.sorts import Joined
from burnside.languages.pnml.symmetric.terms import Terms

MAX_EVALUATED = 1_000_000
"""Values that an initial marking which may have no value goes through, where it is evaluated here."""


def built(document: Document) -> tuple[HighLevelNet, tuple[str, ...]]:
    """The net, and what a user should know of how it was read."""
    ends = _ends(document)
    joined = Joined()
    while True:
        count = len(joined.other)
        builder = _Builder(document, ends, joined)
        net = builder.net()
        if len(joined.other) == count:
            return net, tuple(builder.notes())


class _Builder:
    def __init__(self, document: Document, ends: Mapping[str, tuple[str, int]], joined: Joined) -> None:
        self.document, self.file, self.ends = document, document.file, ends
        self.declarations = Declarations(document, joined)
        self.sorts = self.declarations.sorts
        self.types = [self._type(each) for each in document.places]
        self.terms = Terms(self.declarations)

    def net(self) -> HighLevelNet:
        places = self._places()
        transitions = self._transitions()
        self.terms.check_unused()
        sorts = _used_sorts(places, transitions)
        return HighLevelNet(
            name=self.document.name,
            sorts=sorts,
            places=places,
            transitions=transitions,
            searched=frozenset(each.name for each in sorts),
            type_names=self.sorts.names,
        )

    def notes(self) -> Iterator[str]:
        for name, origin in self.terms.wrapped.items():
            yield (
                f"'{name}' is no cyclic enumeration ({origin}): the successor of its last element is taken to be the first"
            )

    # Places

    def _type(self, place: Labelled) -> TokenType:
        tree = place.labels.get("type")
        if tree is None:
            hint = "a place of a high-level net has a <type> with a <structure>"
            raise self.file.error(f"place '{shortened(place.id)}' has no sort", place.span, hint)
        return self.sorts.type_of(tree)

    def _places(self) -> tuple[Place, ...]:
        names = _shown(self.document.places)
        return tuple(
            Place(name, type_, self._initial(place, type_), place.id, place.span)
            for place, name, type_ in zip(self.document.places, names, self.types, strict=True)
        )

    def _initial(self, place: Labelled, type_: TokenType) -> Term:
        tree = place.labels.get("hlinitialMarking")
        if tree is None:
            return Apply("sum", (), Bag(type_))
        term = self.terms.read(tree, Bag(type_), Scope(closed="an initial marking"))
        if not is_total(term):
            self._evaluate(term, tree)
        return term

    def _evaluate(self, term: Term, tree: elements.Element) -> None:
        from burnside.reference.highlevel.evaluation import Undefined, evaluate

        if _values(term) > MAX_EVALUATED:
            return
        try:
            evaluate(term, {})
        except Undefined:
            message = "this initial marking has no value"
            hint = (
                "a multiset is subtracted only from one that it is included in, and nothing is divided by 0"
            )
            raise self.file.error(message, tree, hint) from None

    # Transitions

    def _transitions(self) -> tuple[Transition, ...]:
        nodes = self.document.transitions
        scopes = [Scope() for _ in nodes]
        guards = [self._guard(node, scope) for node, scope in zip(nodes, scopes, strict=True)]
        consumes: list[list[Arc]] = [[] for _ in nodes]
        produces: list[list[Arc]] = [[] for _ in nodes]
        for arc in self.document.arcs:
            (kind, source), (_, target) = self.ends[arc.source], self.ends[arc.target]
            place, transition = (source, target) if kind == "place" else (target, source)
            term = self._inscription(arc, place, scopes[transition])
            side = consumes if kind == "place" else produces
            side[transition].append(Arc(place, term, arc.span))
        found = []
        for number, (node, name) in enumerate(zip(nodes, _shown(nodes), strict=True)):
            used = scopes[number].used
            variables = tuple(each for id_, each in self.declarations.variables.items() if id_ in used)
            found.append(
                Transition(
                    name,
                    variables,
                    tuple(consumes[number]),
                    tuple(produces[number]),
                    guards[number],
                    node.id,
                    node.span,
                )
            )
            self._check_bound(found[-1])
        return tuple(found)

    def _guard(self, node: Labelled, scope: Scope) -> Term:
        tree = node.labels.get("condition")
        return TRUE if tree is None else self.terms.read(tree, BOOLEAN, scope)

    def _inscription(self, arc: elements.Arc, place: int, scope: Scope) -> Term:
        type_ = self.types[place]
        tree = arc.labels.get("hlinscription")
        if tree is not None:
            return self.terms.read(tree, Bag(type_), scope)
        if isinstance(type_, Dot):
            return tokens(Literal((), DOT), Literal(1, NATURAL))
        message = (
            f"arc '{shortened(arc.id)}' has no inscription, and its place is of sort {self.sorts.show(type_)}"
        )
        raise self.file.error(message, arc.span, "only for dots, an arc without one means one dot")

    def _check_bound(self, transition: Transition) -> None:
        for variable in unbound(transition):
            message = (
                f"nothing bounds the variable '{variable.name}' of transition '{shortened(transition.name)}'"
            )
            assert transition.span is not None
            raise self.file.error(message, transition.span, UNBOUND_HINT)


def _values(term: Term) -> int:
    """How many values of types the term goes through."""
    own = 0
    match term:
        case Apply("all", _, Bag(element)):
            own = domain_size(element) or MAX_EVALUATED + 1
        case Binding(_, variable):
            own = domain_size(variable.type) or MAX_EVALUATED + 1
    return own + sum(map(_values, term.children()))


def _shown(nodes: Sequence[Labelled]) -> tuple[str, ...]:
    return shown([each.id for each in nodes], [each.name for each in nodes])


def _used_sorts(places: Sequence[Place], transitions: Sequence[Transition]) -> tuple[Sort, ...]:
    """Declared sorts that nothing uses are not part of the net: they would be symmetric without any effect."""
    types: dict[int, TokenType] = {}
    pending: list[Term] = []
    for place in places:
        types[id(place.type)] = place.type
        pending.append(place.initial)
    for transition in transitions:
        types.update((id(each.type), each.type) for each in transition.variables)
        pending.append(transition.guard)
        pending.extend(arc.term for arc in (*transition.consumes, *transition.produces))
    while pending:
        term = pending.pop()
        type_ = getattr(term, "type", None)
        if type_ is not None:
            types[id(type_)] = type_
        pending.extend(term.children())
    found: dict[str, Sort] = {}
    for type_ in types.values():
        found.update((sort.name, sort) for sort in sorts_of(type_))
    return tuple(sorted(found.values(), key=_place_in_file))


def _place_in_file(sort: Sort) -> tuple[int, int]:
    return (0, 0) if sort.span is None else (sort.span.line, sort.span.column)


# Nodes and arcs by id


def _ends(document: Document) -> dict[str, tuple[str, int]]:
    """Of each id of a place, a transition or a reference to one: its kind and number. Arcs are checked."""
    found = {each.id: ("place", number) for number, each in enumerate(document.places)}
    found.update((each.id, ("transition", number)) for number, each in enumerate(document.transitions))
    _follow(document, found)
    for arc in document.arcs:
        for end in (arc.source, arc.target):
            if end not in found:
                message = f"arc '{shortened(arc.id)}' names no node '{shortened(end)}'"
                raise document.file.error(message, arc.span)
        if found[arc.source][0] == found[arc.target][0]:
            kinds = f"{found[arc.source][0]}s"
            message = f"arc '{arc.id}' joins the {kinds} '{arc.source}' and '{arc.target}'"
            raise document.file.error(message, arc.span)
    return found


def _follow(document: Document, found: dict[str, tuple[str, int]]) -> None:
    """Each reference is followed once, through chains of others."""
    references = {each.id: each for each in document.references}
    for start in document.references:
        path: dict[str, elements.Reference] = {}
        at = start.id
        while at in references and at not in found:
            if at in path:
                raise document.file.error(f"reference '{at}' leads back to itself", references[at].span)
            path[at] = references[at]
            at = references[at].target
        for each in reversed(path.values()):
            wanted = "place" if each.to_place else "transition"
            if at not in found:
                raise document.file.error(f"reference '{each.id}' names no node '{at}'", each.span)
            if found[at][0] != wanted:
                message = f"reference '{each.id}' of a {wanted} leads to the {found[at][0]} '{at}'"
                raise document.file.error(message, each.span)
        for each in path.values():
            found[each.id] = found[at]
