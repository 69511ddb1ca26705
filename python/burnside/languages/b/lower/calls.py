"""Calls of operations, put in the place of the call. In: a call. Out: the body of what is called, with arguments for its
parameters and the caller's variables for its results.

Arguments are values: where the body goes through several states, or an argument is more than a name or a number, it is
computed once, before. The precondition of what is called is the caller's duty: a `Demand`.
"""

from __future__ import annotations

from typing import NoReturn

from burnside.diagnostics import Source
from burnside.ir.sets import substitutions as s
from burnside.languages.b.lower.drafts import Action, Declared, Draft
from burnside.languages.b.lower.substitutions import SubstitutionLowering, Target
from burnside.languages.b.resolve.names import (
    KnownAbstract,
    KnownLocal,
    KnownOperation,
    KnownState,
    KnownValue,
    Scope,
)
from burnside.languages.b.resolve.structure import Instance, nodes_in
from burnside.languages.b.resolve.terms import Hole
from burnside.languages.b.syntax import expressions as t
from burnside.languages.b.syntax import substitutions as u
from burnside.languages.b.syntax.machines import Operation
from burnside.languages.shared.spans import Extent

MAX_CALL_DEPTH = 50


class CallLowering(SubstitutionLowering):
    instance: Instance
    """Whose text is being read."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.calls: list[KnownOperation] = []
        self.granted: list[KnownState] = []
        """Variables of callers, which get results."""
        self.abstract_names: list[str] | None = None
        """Where variables of the refined machine may be named: those that were."""

    def may_assign(self, known: KnownState) -> bool:
        return known.owner is self.instance or any(known is each for each in self.granted)

    def abstract(self, known: KnownAbstract, at: Extent) -> Draft:
        if self.abstract_names is None:
            return super().abstract(known, at)
        self.abstract_names.append(known.name)
        return Draft(at, known.term, lambda: _never(known.name))

    def call(self, node: u.OperationCall) -> Action:
        known = self._called(node)
        operation = known.tree
        self._count(len(node.arguments), len(operation.parameters), "argument", node)
        self._count(len(node.results), len(operation.results), "result", node)
        targets = self.targets(node.results)
        scope, computed = self._passed(node, operation, known)
        own, copied = self._received(node, operation, targets, scope)
        caller = self.instance
        self.calls.append(known)
        assert isinstance(known.instance, Instance)
        self.instance = known.instance
        direct = [each.known for each in targets if isinstance(each.known, KnownState)]
        self.granted += direct
        try:
            with self.within(scope):
                body = self.substitution(operation.body)
        finally:
            self.instance = caller
            self.calls.pop()
            del self.granted[len(self.granted) - len(direct) :]
        return lambda: self._inlined(computed, own, copied, body, node.at)

    def _called(self, node: u.OperationCall) -> KnownOperation:
        name = node.name
        known = self.instance.operations.get(name.text)
        if known is None:
            from difflib import get_close_matches

            close = get_close_matches(name.text, self.instance.operations, n=1)
            hint = f"did you mean '{close[0]}'?" if close else "operations of included machines can be called"
            raise self.error(f"there is no operation '{name.text}' here", name.at, hint)
        if any(known is each for each in self.calls) or len(self.calls) >= MAX_CALL_DEPTH:
            raise self.error(f"'{name.text}' calls itself", name.at)
        return known

    def _count(self, given: int, wanted: int, what: str, node: u.OperationCall) -> None:
        if given != wanted:
            plural = "" if wanted == 1 else "s"
            raise self.error(f"'{node.name.text}' has {wanted} {what}{plural}, not {given}", node.at)

    def _passed(
        self, node: u.OperationCall, operation: Operation, known: KnownOperation
    ) -> tuple[Scope, list[tuple[KnownLocal, Draft]]]:
        assert isinstance(known.instance, Instance)
        scope, computed = Scope(known.instance.scope), []
        steps = any(isinstance(each, u.Sequence | u.While) for each in nodes_in(operation.body))
        for parameter, argument in zip(operation.parameters, node.arguments, strict=True):
            simple = isinstance(argument, t.Number | t.Constant) or (
                isinstance(argument, t.Name) and not steps
            )
            if simple:
                scope.names[parameter.text] = KnownValue(argument, self.scope, Hole(), parameter.at)
                continue
            value = self.expression(argument)
            local = KnownLocal(self.fresh(parameter.text), value.term, False, parameter.at)
            self.declared.append(Declared(parameter.text, local.term, argument.at))
            scope.names[parameter.text] = local
            computed.append((local, value))
        return scope, computed

    def _received(
        self, node: u.OperationCall, operation: Operation, targets: tuple[Target, ...], scope: Scope
    ) -> tuple[tuple[KnownLocal, ...], list[tuple[Target, KnownLocal]]]:
        """Plain variables stand for results themselves; a part of one gets its value afterwards."""
        own: list[KnownLocal] = []
        copied: list[tuple[Target, KnownLocal]] = []
        for result, tree, target in zip(operation.results, node.results, targets, strict=True):
            if isinstance(tree, t.Name):
                scope.names[result.text] = target.known
                continue
            local = KnownLocal(self.fresh(result.text), target.term, True, result.at)
            self.declared.append(Declared(result.text, local.term, target.at))
            scope.names[result.text] = local
            own.append(local)
            copied.append((target, local))
        return tuple(own), copied

    def _inlined(
        self,
        computed: list[tuple[KnownLocal, Draft]],
        own: tuple[KnownLocal, ...],
        copied: list[tuple[Target, KnownLocal]],
        body: Action,
        at: Extent,
    ) -> s.Substitution:
        if not computed and not own:
            return body()
        parts: list[s.Substitution] = []
        if computed:
            names = self.locals(tuple(local for local, _ in computed))
            parts.append(s.Assign(names, tuple(value.build() for _, value in computed), self.span(at)))
        parts.append(body())
        if copied:
            targets = tuple(target for target, _ in copied)
            parts.append(self.assignment(targets, tuple(self.local(local) for _, local in copied), at))
        every = self.locals(tuple(local for local, _ in computed) + own)
        return s.Local(every, s.Sequence(tuple(parts)))


def _never(name: str) -> NoReturn:
    raise AssertionError(f"{name} has no value")
