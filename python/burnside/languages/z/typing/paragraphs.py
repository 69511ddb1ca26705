"""Paragraphs: what each defines, and their order.

Paragraphs are checked in the order of the text, except that one which is needed comes before the one that needs it. A
definition may therefore stand behind its uses, but may not depend on itself; a free type may, in its branches, and so may
the predicates of a box, since its names are declared before these.
"""

from __future__ import annotations

from burnside.diagnostics import InputError
from burnside.languages.shared.spans import Extent
from burnside.languages.z import syntax as s
from burnside.languages.z.typing.context import NOWHERE, TITLES, Needed, Results, Scope, Variables, quoted
from burnside.languages.z.typing.definitions import Global, Kind
from burnside.languages.z.typing.places import Node
from burnside.languages.z.typing.predicates import PredicateChecker
from burnside.languages.z.typing.toolkit import abbreviated
from burnside.languages.z.typing.types import (
    MAX_HEIGHT,
    MAX_SIZE,
    Fixity,
    GivenType,
    Measures,
    PowerType,
    ProductType,
    SchemaType,
    Type,
    TypeMap,
    is_bounded,
    opened,
    resolved,
    written_type,
)
from burnside.languages.z.typing.unification import TooLarge

TOO_LARGE = f"this type has more than {MAX_SIZE:,} parts, or more than {MAX_HEIGHT} levels"


def check_paragraphs(specification: s.Specification) -> Results:
    results = Results(specification)
    for paragraph in specification.paragraphs:
        for name in defined_names(paragraph):
            results.index.setdefault(name, paragraph)
    for paragraph in specification.paragraphs:
        settle(results, paragraph)
    return results


def settle(results: Results, first: s.Paragraph, name: str = "") -> None:
    """Check a paragraph, after all that it needs."""
    waiting = [(first, name)]
    while waiting:
        paragraph, name = waiting[-1]
        if paragraph not in results.done:
            results.busy[paragraph] = name
            try:
                ParagraphChecker(results).check(paragraph)
            except Needed as needed:
                waiting.append((needed.paragraph, needed.name))
                continue
            results.busy.pop(paragraph)
            results.done[paragraph] = None
        waiting.pop()


def defined_names(paragraph: s.Paragraph) -> list[str]:
    """The names by which a paragraph is found before it has been checked. Components of schemas that an axiomatic definition
    includes are not among them."""
    match paragraph:
        case s.GivenSets(_, names):
            return [each.text for each in names]
        case s.AxiomaticDefinition(_, text) | s.GenericDefinition(_, _, text):
            rows = [each for each in text.declarations if isinstance(each, s.Declaration)]
            return [name.text for each in rows for name in each.names]
        case s.SchemaDefinition(_, schema):
            return [schema]
        case s.Abbreviation(_, name):
            return [name.text]
        case s.FreeType(_, name, branches):
            return [name.text, *[each.name.text for each in branches]]
    return []


class ParagraphChecker(PredicateChecker):
    """Of one paragraph."""

    def __init__(self, results: Results) -> None:
        super().__init__(results)
        self.known: TypeMap = {}
        self.measures: Measures = {}

    def check(self, node: s.Paragraph) -> None:
        try:
            self._check(node)
        except (TooLarge, RecursionError):
            raise self.wrong("the types of this paragraph are too large to be compared", node) from None

    def _check(self, node: s.Paragraph) -> None:
        match node:
            case s.GivenSets():
                self._given_sets(node)
            case s.FreeType():
                self._free_type(node)
            case s.Abbreviation(_, name, formals, value):
                scope = self.formals(formals, node)
                type_ = self.expression(value, scope)
                self.finish()
                kind: Kind = "generic" if formals else "abbreviation"
                found = self.define(name, kind, type_, node, tuple(scope.names))
                if not formals and isinstance(opened(found.type), PowerType):
                    found.stay_in_types()
            case s.SchemaDefinition(_, schema, formals, body):
                scope = self.formals(formals, node)
                variables = self.schema(body, scope)
                self.finish()
                self._define_schema(schema, variables, node, tuple(scope.names))
            case s.AxiomaticDefinition(_, text):
                variables = self.text(text, NOWHERE).names
                self.finish()
                self._define_all(variables, text, "constant", node, ())
            case s.GenericDefinition(_, formals, text):
                scope = self.formals(formals, node)
                variables = self.text(text, scope).names
                self.finish()
                self._define_all(variables, text, "generic", node, tuple(scope.names))
            case s.Constraint(_, predicate):
                self.predicate(predicate, NOWHERE)
                self.finish()
            case s.Conjecture(_, claim, predicate):
                self.predicate(predicate, Scope(self.schema(claim, NOWHERE), NOWHERE))
            case s.Attribute():
                self._attribute(node)

    # Definitions

    def _given_sets(self, node: s.GivenSets) -> None:
        names: set[str] = set()
        for each in node.names:
            if each.text in names:
                raise self.wrong(f"the given set {quoted(each.text)} is declared twice", node, each.at)
            names.add(each.text)
        for each in node.names:
            self.define(each, "given", PowerType(GivenType(self.names.add(each))), node)

    def _free_type(self, node: s.FreeType) -> None:
        """Its name is known before its branches are checked: they may take sets that are made of it."""
        name = self.names.add(node.name)
        known = self.results.globals.get(name)
        type_ = GivenType(name)
        if known is None or known.kind not in ("given", "free type"):
            self.define(node.name, "free type", PowerType(type_), node)
        elif known.kind == "given":
            known.kind, known.paragraph = "free type", node
        elif known.paragraph is not node:
            raise self._defined_again(name, node, node.name.at, known)
        constructors: Variables = {}
        for each in node.branches:
            found: Type = type_
            if each.domain is not None:
                domain = self.set_of(each.domain, NOWHERE, "what a constructor takes")
                found = abbreviated("\\pfun", domain, type_)
            constructor = self.names.add(each.name)
            if constructor in constructors:
                message = f"{quoted(constructor)} stands for two branches of {quoted(name)}"
                raise self.wrong(message, each, each.name.at)
            constructors[constructor] = found
        self.finish()
        for each in node.branches:
            self.define(each.name, "constructor", constructors[each.name.text], node)

    def _define_all(
        self,
        variables: Variables,
        text: s.SchemaText,
        kind: Kind,
        node: s.Paragraph,
        formals: tuple[str, ...],
    ) -> None:
        rows = [each for each in text.declarations if isinstance(each, s.Declaration)]
        identifiers = {name.text: name for each in rows for name in each.names}
        for name, type_ in variables.items():
            identifier = identifiers.get(name) or s.Identifier(node.at, *self.names.parts(name))
            self.define(identifier, kind, type_, node, formals)

    def define(
        self, name: s.Identifier, kind: Kind, type_: Type, node: s.Paragraph, formals: tuple[str, ...] = ()
    ) -> Global:
        text = self.names.add(name)
        return self._add(text, kind, self.settled(type_, node), node, formals, name.at, _fixity(name, node))

    def _define_schema(
        self, name: str, variables: Variables, node: s.SchemaDefinition, formals: tuple[str, ...]
    ) -> None:
        type_ = SchemaType(self.names.in_order(variables))
        found = self._add(name, "schema", self.settled(type_, node), node, formals, node.at, "word")
        if not formals:
            found.stay_in_types()

    def _add(
        self,
        name: str,
        kind: Kind,
        type_: Type,
        node: s.Paragraph,
        formals: tuple[str, ...],
        at: Extent,
        fixity: Fixity,
    ) -> Global:
        known = self.results.globals.get(name) or self.results.in_toolkit(name)
        if known is not None:
            raise self._defined_again(name, node, at, known)
        found = self.results.globals[name] = Global(name, kind, type_, formals, node, at, fixity)
        return found

    def _defined_again(self, name: str, node: Node, at: Extent, known: Global) -> InputError:
        if known.at is None:
            return self.wrong(f"{quoted(name)} cannot be declared: it is a name of the tool-kit", node, at)
        hint = f"first at {known.at.seen_from(at)}, as {TITLES[known.kind]}"
        return self.wrong(f"{quoted(name)} is declared twice", node, at, hint)

    def settled(self, type_: Type, node: Node) -> Type:
        """Without variables."""
        found = resolved(type_, self.known)
        if not is_bounded(found, self.measures):
            raise self.wrong(TOO_LARGE, node)
        return found

    # Directives

    def _attribute(self, node: s.Attribute) -> None:
        for each in node.names:
            name = each.text
            found = self.global_named(name)
            directive = f"%%{node.kind}"
            if found is None:
                hint = self.near(name, [*self.results.globals, *self.results.index])
                raise self.wrong(
                    f"{directive} is about {quoted(name)}, which is not defined", node, each.at, hint
                )
            if node.kind == "type":
                if found.kind != "schema" and not isinstance(opened(found.type), PowerType):
                    message = f"%%type takes sets; {quoted(name)} has the type {written_type(found.type)}"
                    raise self.wrong(message, node, each.at)
                found.stay_in_types()
            else:
                if not found.formals or found.kind == "schema" or not _is_function(found.type):
                    raise self.wrong(f"%%tame takes generic functions, {quoted(name)} is none", node, each.at)
                found.is_tame = True

    # Undetermined types

    def finish(self) -> None:
        """Every variable must have been found."""
        for each in reversed(self.unifier.instances):
            if not each.is_settled:
                raise self._undetermined(each.node)

    def _undetermined(self, node: object) -> InputError:
        match node:
            case s.Reference(_, name):
                shown, at = name.text, name.at
            case s.Infix(_, operator) | s.Postfix(_, operator):
                shown, at = operator.text, operator.at
            case s.InfixRelation(_, relation) | s.PrefixRelation(_, relation):
                shown, at = relation.text, relation.at
            case s.Display(kind=kind):
                hint = "equations and memberships with other values determine it"
                return self.wrong(
                    f"the type of the elements of this empty {kind} is not determined", node, hint=hint
                )
            case _:
                return self.wrong("the type of this expression is not completely determined", node)  # type: ignore[arg-type]
        explicit = f"write them after the name: {shown}[...]" if isinstance(node, s.Reference) else None
        return self.wrong(
            f"the generic parameters of {quoted(shown)} are not determined here", node, at, explicit
        )


def _is_function(type_: Type) -> bool:
    type_ = opened(type_)
    base = opened(type_.base) if isinstance(type_, PowerType) else type_
    return isinstance(base, ProductType) and len(base.factors) == 2


def _fixity(name: s.Identifier, node: s.Paragraph) -> Fixity:
    """As it is written where it is defined: `\\_ \\cup \\_`, or `X \\rel Y == ...`."""
    if isinstance(node, s.Abbreviation) and node.formals:
        if node.formals[0].at.offset < name.at.offset:
            return "infix"
        between = name.at.source.text[name.at.end : node.formals[0].at.offset]
        if "[" not in between:
            return "prefix"
    written = name.at.source.text[name.at.offset : name.at.end]
    before, after = written.startswith("\\_"), written.endswith("\\_")
    if before:
        return "infix" if after else "postfix"
    return "prefix" if after else "word"
