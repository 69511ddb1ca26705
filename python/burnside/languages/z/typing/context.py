"""The base of the checker: names and what they stand for, results, errors with a place.

One `Context` is one attempt to check one paragraph. Where it needs a name that is defined by a paragraph that has not been
checked, `Needed` ends the attempt; it is made again after that paragraph. So chains of uses before definitions can be as
long as one likes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from burnside.diagnostics import InputError
from burnside.languages.shared.spans import Extent
from burnside.languages.z import syntax as s
from burnside.languages.z.typing.definitions import Global
from burnside.languages.z.typing.names import Names
from burnside.languages.z.typing.places import Node, anchor, begins_with, place
from burnside.languages.z.typing.toolkit import rows, toolkit_global
from burnside.languages.z.typing.types import (
    FormalType,
    PowerType,
    Type,
    substituted,
    written_type,
)
from burnside.languages.z.typing.unification import Instance, Unifier

GREEK = ("\\Delta ", "\\Xi ")
Variables = dict[str, Type]
"""Names, with decoration, and the types of their values."""

TITLES = {
    "given": "a given set",
    "free type": "a free type",
    "constructor": "a name of a free type",
    "constant": "a constant",
    "abbreviation": "an abbreviation",
    "generic": "a generic constant",
    "schema": "a schema",
    "toolkit": "a name of the tool-kit",
}


class Scope:
    """Names, and those of what is around them. `is_formal`: they are formal generic parameters."""

    __slots__ = ("is_formal", "names", "outer")

    def __init__(self, names: Variables, outer: Scope | None, is_formal: bool = False) -> None:
        self.names = names
        self.outer = outer
        self.is_formal = is_formal

    def __iter__(self) -> Iterator[Scope]:
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer


NOWHERE = Scope({}, None)
"""Only the names of the whole specification."""


class Needed(Exception):
    """`paragraph` has to be checked first, for its definition of `name`."""

    def __init__(self, paragraph: s.Paragraph, name: str) -> None:
        super().__init__(name)
        self.paragraph = paragraph
        self.name = name


class Results:
    """What is known of a specification so far, kept from paragraph to paragraph."""

    def __init__(self, specification: s.Specification) -> None:
        self.names = Names(specification.paragraphs)
        self.globals: dict[str, Global] = {}
        self.toolkit: dict[str, Global] = {}
        self.index: dict[str, s.Paragraph] = {}
        """Which paragraph defines a name."""
        self.busy: dict[s.Paragraph, str] = {}
        """Those that are being checked, each needed by the one before it for the sake of a name."""
        self.done: dict[s.Paragraph, None] = {}
        """In the order in which they were checked: definitions before uses."""
        self.types: dict[s.Expression, Type] = {}
        self.instances: dict[object, tuple[Type, ...]] = {}
        self.variables: dict[object, Variables] = {}
        """Of schema expressions and schema texts: their components."""

    def in_toolkit(self, name: str) -> Global | None:
        found = self.toolkit.get(name)
        if found is None:
            found = toolkit_global(name)
            if found is not None:
                self.toolkit[name] = found
        return found


class Context:
    def __init__(self, results: Results) -> None:
        self.results = results
        self.names = results.names
        self.unifier = Unifier()

    # Errors

    def wrong(
        self, message: str, node: Node, at: Extent | None = None, hint: str | None = None
    ) -> InputError:
        """`at`: the part of the node that is wrong."""
        shown = place(at or node.at, node.at, anchor(node))
        if at is not None and not begins_with(shown, at):
            behind = f"this is about what stands at {at.seen_from(shown)}"
            hint = f"{hint}; {behind}" if hint else behind
        return InputError(shown.diagnostic(message, hint))

    def undeclared(self, name: str, node: Node, at: Extent, scope: Scope, needed_by: str = "") -> InputError:
        visible = {each for around in scope for each in around.names}
        base, decoration = self.names.parts(name)
        if decoration and base in visible:
            hint: str | None = f"{quoted(base)} is declared without decoration"
            if decoration == "'":
                hint = f"{hint}: \\Delta of a schema declares both states"
        else:
            hint = self.near(name, chain(visible, self.results.globals, self.results.index, rows()))
        message = f"{quoted(name)} is not declared"
        if needed_by:
            message = f"{needed_by} needs {quoted(name)}, which is not declared here"
        return self.wrong(message, node, at, hint)

    def near(self, name: str, known: Iterable[str]) -> str | None:
        """A hint to the name that may have been meant."""
        from difflib import get_close_matches

        candidates = [each for each in dict.fromkeys(known) if each != name]
        same = [each for each in candidates if each.lower() == name.lower()]
        close = same or get_close_matches(name, candidates, n=1, cutoff=0.75)
        return f"did you mean {quoted(close[0])}?" if close else None

    # Names

    def global_named(self, name: str) -> Global | None:
        """The tool-kit comes first: its names cannot be defined again."""
        results = self.results
        found = results.globals.get(name) or results.in_toolkit(name)
        if found is not None:
            return found
        paragraph = results.index.get(name)
        if paragraph is None or paragraph in results.done:
            return None
        if paragraph in results.busy:
            raise self._cycle(paragraph, name)
        raise Needed(paragraph, name)

    def _cycle(self, paragraph: s.Paragraph, name: str) -> InputError:
        busy = list(_names_behind(self.results.busy, paragraph))
        steps = ", which uses ".join(quoted(each) for each in [*busy, name])
        message = f"the definition of {quoted(name)} depends on itself: it uses {steps}"
        return self.wrong(message, paragraph)

    def local(self, name: str, scope: Scope) -> Scope | None:
        """Where the name is declared around here."""
        around: Scope | None = scope
        while around is not None:
            if name in around.names:
                return around
            around = around.outer
        return None

    def reference(
        self,
        node: Node,
        name: s.Identifier,
        parameters: tuple[s.Expression, ...],
        scope: Scope,
    ) -> Type:
        """The type of a name; `node` is the expression or predicate that it is used by."""
        text = self.names.add(name)
        where = self.local(text, scope)
        if where is not None:
            if parameters:
                kind = "formal generic parameter" if where.is_formal else "variable"
                raise self.wrong(f"the {kind} {quoted(text)} takes no generic parameters", node, name.at)
            return where.names[text]
        definition = self.global_named(text)
        if definition is None:
            raise self.undeclared(text, node, name.at, scope)
        return self.use(node, definition, parameters, scope, name.at)

    def use(
        self,
        node: Node,
        definition: Global,
        parameters: tuple[s.Expression, ...],
        scope: Scope,
        at: Extent,
    ) -> Type:
        """The type of a name of the specification with actual generic parameters, or with those that are to be inferred."""
        count = len(definition.formals)
        types: tuple[Type, ...] = ()
        if parameters or (definition.kind == "schema" and count):
            types = self.actual(node, definition, parameters, scope, at)
        elif count:
            types = self.unifier.instance(node, count).variables
        if types:
            self.results.instances[node] = types
        if definition.shorthand is not None:
            return PowerType(definition.abbreviated(types))
        found = instantiated(definition, types)
        return PowerType(found) if definition.kind == "schema" else found

    def actual(
        self,
        node: Node,
        definition: Global,
        parameters: tuple[s.Expression, ...],
        scope: Scope,
        at: Extent,
    ) -> tuple[Type, ...]:
        """The types of the elements of actual generic parameters."""
        count, given = len(definition.formals), len(parameters)
        if given != count:
            if not count:
                title = TITLES[definition.kind]
                message = f"{quoted(definition.name)} is {title} that takes no generic parameters"
            else:
                plural = "s" if count > 1 else ""
                message = f"{quoted(definition.name)} takes {count} generic parameter{plural}, found {given or 'none'}"
            raise self.wrong(message, node, at)
        return tuple([self.set_of(each, scope, "a generic parameter") for each in parameters])

    def set_of(self, node: s.Expression, scope: Scope, what: str) -> Type:
        """The type of the elements of an expression that has to be a set."""
        found = self.expression(node, scope)
        base = self.unifier.base(found, node)
        if base is None:
            raise self.wrong(f"{what} has to be a set; this has the type {written_type(found)}", node)
        return base

    def expression(self, node: s.Expression, scope: Scope) -> Type:
        raise NotImplementedError

    def predicate(self, node: s.Predicate, scope: Scope) -> None:
        raise NotImplementedError

    # Generic definitions

    def formals(self, names: tuple[s.Identifier, ...], node: Node) -> Scope:
        found: Variables = {}
        for name in names:
            text = self.names.add(name)
            if text in found:
                raise self.wrong(f"the generic parameter {quoted(text)} is declared twice", node, name.at)
            found[text] = PowerType(FormalType(text))
        return Scope(found, NOWHERE, is_formal=True)

    def tame(self, node: Node, definition: Global) -> tuple[Type, Instance]:
        """The type of a tame function at one use of it."""
        instance = self.unifier.instance(node, len(definition.formals))
        self.results.instances[node] = instance.variables
        return instantiated(definition, instance.variables), instance


def instantiated(definition: Global, types: tuple[Type, ...]) -> Type:
    if not types:
        return definition.type
    return substituted(definition.type, dict(zip(definition.formals, types, strict=True)))


def quoted(name: str) -> str:
    """For messages; primes are no quotes."""
    return f'"{name}"' if "'" in name else f"'{name}'"


def _names_behind(busy: Mapping[s.Paragraph, str], paragraph: s.Paragraph) -> Iterator[str]:
    """The names for which the paragraphs behind this one are being checked."""
    behind = False
    for each, name in busy.items():
        if behind:
            yield name
        behind = behind or each is paragraph
