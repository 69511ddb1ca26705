"""Atoms of formulas over a high-level net: conditions on its markings, transitions by name, with values of their variables.

`[take]`: some instance; `[take(p1, _)]`: values in the order in which instances are shown; `[take(p = p1)]`: by name, and
what is not named may be anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from burnside.diagnostics import InputError, Source, UnsupportedError
from burnside.ir.highlevel.net import HighLevelNet
from burnside.ir.highlevel.terms import Apply, Binding, Literal, Term, Variable
from burnside.ir.highlevel.types import BOOLEAN, Boolean, Element, TokenType
from burnside.ir.highlevel.values import show
from burnside.ir.walking import nodes, replaced
from burnside.languages.shared.spans import Extent, Identifier
from burnside.model import ExpressionReader
from burnside.reference.highlevel.evaluation import Undefined, evaluate
from burnside.temporal.atoms import ActionPattern, Binder, Patterns
from burnside.temporal.reading import ModelAtoms, unknown_action, wrong_arguments
from burnside.temporal.syntax.reader import ActionText, Bound

_NAMED = re.compile(r'\s*(?:([^\W\d]\w*)|"((?:[^"\\]|\\.)*)")\s*=(?![=>])')


class HighLevelAtoms(ModelAtoms):
    def __init__(self, net: HighLevelNet, expressions: ExpressionReader) -> None:
        super().__init__()
        self.net, self.expressions = net, expressions

    def read_condition(self, source: Source, bound: Bound) -> Term:
        found: Term = self.expressions.condition(source, bound)
        return found

    # Transitions

    def patterns(self, action: ActionText, bound: Bound) -> Patterns:
        transitions = self.net.transitions
        named = [at for at, each in enumerate(transitions) if each.name == action.name.text]
        if not named:
            unknown_action(action, [each.name for each in transitions], "transition")
        return tuple(self._pattern(action, at, bound) for at in named)

    def _pattern(self, action: ActionText, number: int, bound: Bound) -> ActionPattern:
        if action.arguments is None:
            return ActionPattern(number)
        variables = self.net.transitions[number].variables
        given = self._by_variable(action, variables)
        terms = (
            None if text is None else self._value(text, variable.type, bound)
            for variable, text in zip(variables, given, strict=True)
        )
        return ActionPattern(number, tuple(terms))

    def _by_variable(self, action: ActionText, variables: Sequence[Variable]) -> list[Extent | None]:
        """What is written for each variable."""
        texts = action.arguments or ()
        names = [None if text is None else self._name(text) for text in texts]
        if not any(names):
            if len(texts) != len(variables):
                raise wrong_arguments(action, len(variables), "transition")
            return list(texts)
        given: dict[str, Extent] = {}
        for text, named in zip(texts, names, strict=True):
            if text is None or named is None:
                message = "either all arguments are named or none"
                raise InputError((text or action.at).diagnostic(message, "what is not named may be anything"))
            name, value = named
            if name not in {each.name for each in variables}:
                hint = f"it has {', '.join(each.name for each in variables) or 'none'}"
                message = f"the transition '{action.name.text}' has no variable '{name}'"
                raise InputError(text.diagnostic(message, hint))
            if name in given:
                raise InputError(text.diagnostic(f"'{name}' is given twice"))
            given[name] = value
        return [given.get(each.name) for each in variables]

    def _name(self, text: Extent) -> tuple[str, Extent] | None:
        """`p` and the place of `2` in `p = 2`."""
        found = _NAMED.match(text.source.text, text.offset, text.end)
        if found is None:
            return None
        name = found[1] or re.sub(r"\\(.)", r"\1", found[2])
        return name, Extent(text.source, found.end(), text.end - found.end())

    def _value(self, text: Extent, type_: TokenType, bound: Bound) -> Term:
        value: Term = self.expressions.value(text.source.part(text.offset, text.end), type_, bound)
        if any(isinstance(each, Variable) for each in nodes(value)):
            return value
        try:
            return Literal(evaluate(value, {}), type_)
        except Undefined:
            raise InputError(text.diagnostic("this has no value")) from None

    # Names that a formula is quantified over

    def binder(self, name: Identifier, domain: Extent, bound: Bound) -> Binder:
        type_: TokenType = self.expressions.domain(domain.source.part(domain.offset, domain.end), bound)
        match type_:
            case Boolean():
                size = 2
            case Element(sort):
                size = sort.size
            case _:
                message = "quantified names stand for elements of declared types, or truth values"
                hint = "quantify over the parts of a struct, or inside the condition: {forall x: T . p}"
                raise UnsupportedError(domain.diagnostic(message, hint))
        unique = self.expressions.unique_name(name.text, bound)
        return Binder(unique, name.text, type_, range(size), partial(_shown, type_), name.at.span)

    def parameters(self, name: str) -> tuple[int | None, ...]:
        variables = ([(each.name, each.type) for each in one.variables] for one in self.net.transitions)
        return self.named_parameters(name, list(variables))

    def mentioned(self, expression: Any, binders: Sequence[Binder]) -> tuple[Binder, ...]:
        names = set(_free(expression))
        return tuple(each for each in binders if each.name in names)

    def closed(self, condition: Any, binders: Sequence[Binder]) -> Term:
        found: Term = condition
        for each in reversed(binders):
            found = Binding("exists", Variable(each.name, each.type), found, BOOLEAN)
        return found

    def is_name(self, expression: Any) -> bool:
        return isinstance(expression, Variable)

    def equals_itself(self, value: Any) -> Term:
        return Apply("equal", (value, value), BOOLEAN)

    def with_value(self, expression: Any, binder: Binder, value: int) -> Any:
        """No name inside is bound by the same name: those of binders are no names of the model."""
        literal = bool(value) if isinstance(binder.type, Boolean) else value

        def change(node: Any) -> Literal | None:
            match node:
                case Variable(name, _, span) if name == binder.name:
                    return Literal(literal, binder.type, span)
                case _:
                    return None

        return replaced(expression, change)


def _shown(type_: TokenType, value: int) -> str:
    return show(type_, value)


def _free(term: Term) -> Iterator[str]:
    match term:
        case Variable(name):
            yield name
        case Binding(_, variable, body):
            yield from (each for each in _free(body) if each != variable.name)
        case _:
            for child in term.children():
                yield from _free(child)
