"""Functions that are defined by themselves, or case by case.

`fact~0 = 1` and `\\forall n : \\nat @ fact(n + 1) = (n + 1) * fact~n` say what `fact~n` is for each n, though no state could
hold the function. An application stands for the cases: the first whose pattern matches. As machines have no recursion,
applications within cases are unfolded up to a depth; deeper ones are undefined. On infinite sets the depth is one that a
user assumes (`--size fact=20`), and a note repeats it; without it such functions are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from burnside.diagnostics import Diagnostic, UsageError
from burnside.ir.sets import expressions as e
from burnside.ir.sets.types import Pair, Set, is_finite
from burnside.languages.shared.spans import Extent
from burnside.languages.z import syntax as t
from burnside.languages.z.lower.equations import declared, infinite_domain
from burnside.languages.z.lower.meanings import NOWHERE, Scope
from burnside.languages.z.lower.patterns import Patterns
from burnside.languages.z.lower.toolkit import holds, joined
from burnside.languages.z.lower.types import plain
from burnside.languages.z.lower.walking import nodes
from burnside.records import record

if TYPE_CHECKING:
    from burnside.languages.z.lower.definitions import DefinitionLowering

MAX_DEPTH = 32
MAX_UNFOLDED = 1000
"""Applications within one: where a case applies a function twice, their number doubles with each level."""


@record(eq=False)
class Case:
    """`pattern`: the argument. `texts`: what declares its names, from the outside in."""

    pattern: t.Expression
    texts: tuple[t.SchemaText, ...]
    value: t.Expression

    @property
    def names(self) -> frozenset[str]:
        return frozenset(
            name.text for text in self.texts for each in declarations(text) for name in each.names
        )


@record(eq=False)
class Recursive:
    """`type`: of its argument, and of what it is for it."""

    at: Extent
    cases: tuple[Case, ...]
    type: Pair


class RecursiveFunctions:
    def __init__(
        self,
        lowering: DefinitionLowering,
        axioms: Sequence[t.AxiomaticDefinition],
        constraints: Sequence[t.Constraint],
    ) -> None:
        self._lowering = lowering
        self._used: set[int] = set()
        self._level = 0
        self.functions: dict[str, Recursive] = {}
        sets = dict(declared(axioms))
        predicates = [each for axiom in axioms for each in axiom.text.predicates]
        predicates += [each.predicate for each in constraints]
        cases = {id(each): tuple(cases_of(each, sets)) for each in predicates}
        names = frozenset(name for name in sets if lowering.equations.meaning(name) is None)
        for name in sets:
            if name in names and not is_listed(sets[name]):
                self._define(name, sets[name], predicates, cases, names)
        self._is_endless = {name: infinite_domain(sets[name]) for name in self.functions}
        self._most = self._depth()

    def _define(
        self,
        name: str,
        set_: t.Expression,
        predicates: Sequence[t.Predicate],
        cases: Mapping[int, tuple[tuple[str, Case], ...]],
        names: frozenset[str],
    ) -> None:
        """If the predicates that mention it are its cases, or cases of others."""
        type_ = self._lowering.value_type(self._lowering.element_type_at(set_, NOWHERE), {})
        if not isinstance(type_, Set) or not isinstance(type_.element, Pair) or is_finite(type_):
            return
        own: list[Case] = []
        used: set[int] = set()
        for each in predicates:
            found = cases[id(each)]
            if found and all(defined == name for defined, _ in found):
                own += (case for _, case in found)
                used.add(id(each))
            elif not found and mentions(each, name):
                return
        # One equation for all points is one of `equations`, but where it mentions the function in turn.
        if not any(mentions(each.value, other) for each in own for other in names) and len(own) < 2:
            return
        argument = e.Name(self._lowering.fresh("x"), type_.element.left)
        if any(Patterns(self._lowering, each.names).match(each.pattern, argument) is None for each in own):
            return
        at = self._lowering.checked.globals[name].at
        assert at is not None
        self.functions[name] = Recursive(at, tuple(own), type_.element)
        self._used |= used

    def _depth(self) -> int:
        """How often functions may be applied within each other: as often as a user says, or as a finite domain may need."""
        circular = self._circular()
        for name in self._lowering.sizes.applications:
            if name not in circular:
                message = f"has no effect here: '{plain(name)}' is no function that is defined by itself"
                raise UsageError(Diagnostic(message, source="--size"))
        for name in circular:
            if name not in self._lowering.sizes.applications and self._is_endless[name]:
                hint = f"--size {plain(name)}={MAX_DEPTH}: what needs more applications within each other is undefined"
                message = f"'{plain(name)}' is defined by itself on an infinite set: how often it is applied has to be said"
                raise self._lowering.unsupported(message, self.functions[name].at, hint)
        asked = max(self._lowering.sizes.applications.values(), default=0)
        most = max(asked, MAX_DEPTH if any(not self._is_endless[name] for name in circular) else 0)
        calls, depth = self._calls(), 0
        while depth < most and sum(calls**level for level in range(depth + 2)) <= MAX_UNFOLDED:
            depth += 1
        for name in circular:
            self._lowering.notes.append(
                f"assumed of '{plain(name)}', which is defined by itself: no more than {depth} applications within each "
                "other are needed"
            )
        return depth

    def _calls(self) -> int:
        """Of the function whose cases apply such functions most often."""
        return max(
            (
                sum(mentions(case.value, name) for case in each.cases for name in self.functions)
                for each in self.functions.values()
            ),
            default=0,
        )

    def _circular(self) -> list[str]:
        """Which functions apply themselves."""
        applied = {
            name: {other for other in self.functions for case in each.cases if mentions(case.value, other)}
            for name, each in self.functions.items()
        }
        found = []
        for name in self.functions:
            seen: set[str] = set()
            waiting = list(applied[name])
            while waiting:
                if (each := waiting.pop()) not in seen:
                    seen.add(each)
                    waiting += applied[each]
            if name in seen:
                found.append(name)
        return found

    def is_used(self, predicate: t.Predicate) -> bool:
        return id(predicate) in self._used

    def applied(self, name: str, argument: e.Expression) -> e.Expression:
        function = self.functions[name]
        outside = e.Apply("apply", (e.Apply("set", (), Set(function.type)), argument), function.type.right)
        if self._level > self._most:
            return outside
        self._level += 1
        try:
            given = e.Name(self._lowering.fresh("x"), function.type.left)
            found: e.Expression = e.Apply(
                "apply", (e.Apply("set", (), Set(function.type)), given), function.type.right
            )
            for each in reversed(function.cases):
                test, value = self._case(each, given)
                found = e.Conditional(test, value, found)
        finally:
            self._level -= 1
        return e.Let(given, argument, found)

    def value(self, name: t.Identifier) -> e.Expression:
        """The graph, where the function is not applied."""
        function = self.functions[name.text]
        given = e.Name(self._lowering.fresh("x"), function.type.left, False, name.at.span)
        tests = []
        for each in function.cases:
            level, self._level = self._level, MAX_DEPTH + 1
            tests.append(self._case(each, given)[0])
            self._level = level
        condition = tests[0] if len(tests) == 1 else holds("or", *tests)
        return e.Comprehension(
            (given,), condition, e.pair(given, self.applied(name.text, given)), name.at.span
        )

    def _case(self, case: Case, given: e.Name) -> tuple[e.Expression, e.Expression]:
        lowering = self._lowering
        match = Patterns(lowering, case.names).match(case.pattern, given)
        assert match is not None
        names = dict(match.names)
        scope = Scope(names, {})
        tests = list(match.tests)
        for text in case.texts:
            for each in declarations(text):
                for name in each.names:
                    tests += lowering.constraint(names[name.text], lowering.expression(each.set, scope))
            for predicate in text.predicates:
                tests += lowering.predicate(predicate, scope)
        return joined(tuple(tests)), lowering.expression(case.value, scope)


def is_listed(set_: t.Expression) -> bool:
    """Functions between intervals: values that a state can hold."""
    match set_:
        case t.InfixGeneric(_, _, t.Infix(_, left), t.Infix(_, right)):
            return left.text == right.text == "\\upto"
        case _:
            return False


def declarations(text: t.SchemaText) -> Iterator[t.Declaration]:
    return (each for each in text.declarations if isinstance(each, t.Declaration))


def mentions(tree: object, name: str) -> int:
    return sum(isinstance(node, t.Identifier) and node.text == name for node in nodes(tree))


def cases_of(
    predicate: t.Predicate, sets: Mapping[str, t.Expression], texts: tuple[t.SchemaText, ...] = ()
) -> Iterator[tuple[str, Case]]:
    """Functions with a case each; none if part of the predicate is something else."""
    match predicate:
        case t.Equality(_, left, right):
            for one, other in ((left, right), (right, left)):
                found = _case(one, other, sets, texts)
                if found is not None:
                    yield found
                    return
        case t.Quantified(_, "forall", text, body):
            if all(isinstance(each, t.Declaration) for each in text.declarations):
                yield from cases_of(body, sets, (*texts, text))
        case t.Connected(at, "implies", condition, body):
            yield from cases_of(body, sets, (*texts, t.SchemaText(at, (), (condition,))))
        case t.Connected(_, "and", left, right):
            both = [list(cases_of(each, sets, texts)) for each in (left, right)]
            if all(both):
                yield from (each for side in both for each in side)


def _case(
    one: t.Expression, other: t.Expression, sets: Mapping[str, t.Expression], texts: tuple[t.SchemaText, ...]
) -> tuple[str, Case] | None:
    match one, other:
        case t.Application(_, t.Reference(_, name, ()), pattern), value if name.text in sets:
            case = Case(pattern, texts, value)
        case t.Reference(_, name, ()), t.Lambda(at, text, value) if name.text in sets and not texts:
            given = [t.Reference(each.at, each) for own in declarations(text) for each in own.names]
            if not all(isinstance(each, t.Declaration) for each in text.declarations):
                return None
            case = Case(given[0] if len(given) == 1 else t.Tuple(at, tuple(given)), (text,), value)
        case _:
            return None
    # What the pattern does not bind could have any value.
    bound = {node.text for node in nodes(case.pattern) if isinstance(node, t.Identifier)}
    return (name.text, case) if case.names <= bound and name.text not in bound else None
