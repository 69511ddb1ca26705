"""Types of a specification. In: trees, and what they were read from. Out: the types of all expressions, or the first error.

The rules are those of the Z reference manual, as Spivey's type checker applies them: names may be used before they are
defined, generic parameters are inferred where the context determines them.

`context` (names), `schemas`, `expressions`, `predicates` and `paragraphs` are layers of one checker. `types` are what it
finds, `unification` how; `toolkit` has the types of the mathematical tool-kit.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping

from burnside.diagnostics import InputError, Source
from burnside.languages.z import syntax as s
from burnside.languages.z.typing.context import NOWHERE, Needed, Results, Scope
from burnside.languages.z.typing.definitions import Global
from burnside.languages.z.typing.paragraphs import TOO_LARGE, ParagraphChecker, check_paragraphs, settle
from burnside.languages.z.typing.types import (
    Component,
    Measures,
    Type,
    TypeMap,
    expanded,
    is_bounded,
    resolved,
    written_type,
)
from burnside.languages.z.typing.unification import TooLarge

__all__ = ["CheckedSpecification", "Global", "check", "check_condition"]

PREDICATES = (
    s.Equality | s.Membership | s.InfixRelation | s.PrefixRelation | s.Truth | s.Not | s.Connected | s.Quantified
    | s.LetPredicate | s.SchemaPredicate
)  # fmt: skip


class CheckedSpecification:
    """What is known of a specification. Types have no shorthands, except those of `globals`."""

    def __init__(self, specification: s.Specification, source: Source, results: Results) -> None:
        self.specification = specification
        self.source = source
        self.results = results
        self._known: TypeMap = {}
        self._measures: Measures = {}

    @property
    def order(self) -> tuple[s.Paragraph, ...]:
        """The paragraphs, definitions before uses; `\\Delta S` and `\\Xi S` among them, where they were not defined."""
        return tuple(self.results.done)

    @property
    def globals(self) -> Mapping[str, Global]:
        """By name with decoration: those of the specification in the order of their definition, then those of the tool-kit
        that it uses."""
        return ChainMap(self.results.toolkit, self.results.globals)

    def type_of(self, node: s.Expression) -> Type:
        return self._expanded(self.results.types[node], node)

    def instance(self, node: object) -> tuple[Type, ...]:
        """The generic parameters, given or inferred, of a reference to a name or a schema, or of the operator of an
        expression or predicate. Empty for what is not generic."""
        return tuple([self._expanded(each, node) for each in self.results.instances.get(node, ())])

    def components(self, node: s.SchemaExpression) -> tuple[Component, ...]:
        found = self.results.names.in_order(self.results.variables[node])
        return tuple([Component(each.name, self._expanded(each.type, node)) for each in found])

    def _expanded(self, type_: Type, node: object) -> Type:
        try:
            found = expanded(type_, self._known)
            bounded = is_bounded(found, self._measures)
        except RecursionError:
            bounded = False
        if not bounded:
            raise InputError(node.at.diagnostic(TOO_LARGE))  # type: ignore[attr-defined]
        return found


def check(specification: s.Specification, source: Source) -> CheckedSpecification:
    return CheckedSpecification(specification, source, check_paragraphs(specification))


def check_condition(
    checked: CheckedSpecification,
    node: s.Predicate | s.Expression,
    scope: Mapping[str, Type],
    wanted: Type | None = None,
) -> Type | None:
    """Check a predicate, or an expression, of the command line; the types of its parts become known to `checked`. `scope`:
    the names besides those of the specification. `wanted`: the type that an expression must have. Returns that of an
    expression."""
    results = checked.results
    while True:
        checker = ParagraphChecker(results)
        try:
            return _condition(checker, node, Scope(dict(scope), NOWHERE), wanted)
        except Needed as needed:
            settle(results, needed.paragraph, needed.name)
        except (TooLarge, RecursionError):
            raise InputError(node.at.diagnostic("the types of this are too large to be compared")) from None


def _condition(
    checker: ParagraphChecker, node: s.Predicate | s.Expression, scope: Scope, wanted: Type | None
) -> Type | None:
    if isinstance(node, PREDICATES):
        checker.predicate(node, scope)
        checker.finish()
        return None
    found = checker.expression(node, scope)
    if wanted is not None and not checker.unifier.unify(found, wanted):
        message = f"this has the type {written_type(found)}, expected {written_type(wanted)}"
        raise checker.wrong(message, node)
    checker.finish()
    return resolved(found)
