"""Functions, rules and the whole program. In: the tree of a model. Out: a `Program`, and the scope in which conditions given
later are read.

Rulesets become parameters of the actions in them, or quantifiers of the properties in them. An alias around rules stands for
its place in guards and properties; in a body it is bound once, before the first statement.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from burnside.ir import expressions as e
from burnside.ir import statements as st
from burnside.ir.program import Action, Function, Parameter, Program, Property, PropertyKind, RangeName
from burnside.ir.types import Integer, Type, bounds
from burnside.ir.walking import nodes, rebuilt
from burnside.languages.murphi import rule_syntax as r
from burnside.languages.murphi import syntax as s
from burnside.languages.murphi.kinds import MAX_SCALARS, is_scalar, scalars, stored
from burnside.languages.murphi.lower_binders import evaluates_every
from burnside.languages.murphi.lower_calls import with_result
from burnside.languages.murphi.lower_statements import StatementLowering
from burnside.languages.murphi.lowering import (
    Known,
    KnownConstant,
    KnownFunction,
    KnownPlace,
    KnownType,
    KnownValue,
    Stored,
    Value,
)
from burnside.languages.shared.spans import Extent, Identifier
from burnside.records import record, replace

KINDS: dict[r.Category, PropertyKind] = {
    "assert": "invariant",
    "invariant": "invariant",
    "assume": "assumption",
    "cover": "cover",
}


@record
class RuleAlias:
    name: Identifier
    known: KnownPlace | KnownValue


@record(eq=False)
class Liveness:
    """From every state a state can be reached that satisfies the condition, for all values of the parameters."""

    name: str
    condition: e.Expression
    parameters: tuple[e.Bound, ...]
    at: Extent


class RuleLowering(StatementLowering):
    """`parameters` and `aliases` are those of the rulesets and aliases around the present rule."""

    parameters: tuple[e.Bound, ...] = ()
    aliases: tuple[RuleAlias, ...] = ()

    def program(self, model: r.ModelTree, name: str) -> Program:
        self.liveness: list[Liveness] = []
        self.variables: list[e.Variable] = []
        self.starts: list[Action] = []
        self.actions: list[Action] = []
        for node in model.nodes:
            match node:
                case s.ConstantDeclaration() | s.TypeDeclaration() | s.VariableDeclaration():
                    self.state_variables(node)
                case r.Function():
                    self.function(node)
                case _:
                    self.rule(node)
        if not self.starts:
            end = len(self.source.text.rstrip())
            raise self.error("this model has no start state", Extent(self.source, max(0, end - 1), 1))
        return Program(
            name=name,
            sorts=tuple(self.sorts),
            variables=tuple(self.variables),
            starts=tuple(self.starts),
            actions=tuple(self.actions),
            properties=tuple(self.properties),
            functions=tuple(self.functions.values()),
            stuttering=True,
            range_names=tuple(self.range_names()),
        )

    def range_names(self) -> Iterator[RangeName]:
        """The first name of each range that has one."""
        seen: set[Integer] = set()
        for name, known in self.globals.names.items():
            if isinstance(known, KnownType) and isinstance(known.type, Integer) and known.type not in seen:
                seen.add(known.type)
                low, high = bounds(known.type)
                yield RangeName(name, low, high)

    def state_variables(self, node: s.Declaration) -> None:
        for name, type_ in self.declaration(node):
            variable = e.Variable(name.text, type_, is_state=True)
            self.declare(name, KnownPlace(variable, writable=True))
            self.variables.append(variable)
            total = sum(scalars(each.type) for each in self.variables)
            if total > MAX_SCALARS:
                message = f"with this, a state holds {total} values: at most {MAX_SCALARS} are possible"
                raise self.error(message, name.at)

    # Functions

    def function(self, node: r.Function) -> None:
        # The result's type may have the name of a parameter: rumur's `type-shadowing2.m`.
        result = None if node.result is None else self.type(node.result, node.name.text)
        with self.inner_frame():
            self.function_name = node.name.text
            parameters = self.function_parameters(node)
            unfinished = KnownFunction(node.name.text, parameters, result, is_complete=False)
            self.globals_declare(node.name, unfinished)
            self.result = result
            with self.inner_scope():
                variables = self.local_variables(node.declarations)
                body = self.block(node.body)
            self.result, self.function_name = None, ""
        name, span = node.name.text, self.span(node.name.at)
        function = with_result(Function(name, parameters, result, declared(variables, body), span))
        self.functions[name] = function
        self.globals.names[name] = KnownFunction(name, parameters, function.result, is_complete=True)

    def globals_declare(self, name: Identifier, known: Known) -> None:
        if name.text in self.globals.names:
            raise self.error(f"'{name.text}' is declared twice", name.at)
        self.globals.names[name.text] = known

    def function_parameters(self, node: r.Function) -> tuple[Parameter, ...]:
        typed: list[tuple[Identifier, Type, bool]] = []
        for group in node.parameters:
            type_ = stored(self.type(group.type, group.names[0].text))
            typed += [(name, type_, group.by_reference) for name in group.names]
        parameters = []
        for name, type_, by_reference in typed:
            variable = e.Variable(self.fresh(name.text), type_)
            self.declare(name, KnownPlace(variable, writable=by_reference))
            parameters.append(Parameter(variable, by_reference))
        return tuple(parameters)

    # Rules

    def rule(self, node: r.Rule) -> None:
        match node:
            case r.Ruleset(_, binders, rules):
                self.ruleset(binders, rules)
            case r.AliasRule(_, declarations, rules):
                self.alias_rule([(n, d.value) for d in declarations for n in d.names], rules)
            case r.SimpleRule():
                self.simple_rule(node)
            case r.StartState():
                name = node.name or f"startstate {len(self.starts) + 1}"
                self.starts.extend(stepwise(self.action(name, e.TRUE, node)))
            case r.Check():
                self.property_rule(node)

    def ruleset(self, binders: Sequence[s.Binder], rules: Sequence[r.Rule]) -> None:
        outer = self.parameters
        with self.inner_frame():
            for binder in binders:
                self.parameters += (self.parameter(binder),)
            for rule in rules:
                self.rule(rule)
        self.parameters = outer

    def parameter(self, binder: s.Binder) -> e.Bound:
        if isinstance(binder, s.RangeBinder):
            for bound in (binder.low, binder.high, binder.step):
                if bound is not None:
                    self.number(bound, "the bound of a ruleset")
        return self.bind(binder)

    def alias_rule(self, aliases: Sequence[tuple[Identifier, s.Expression]], rules: Sequence[r.Rule]) -> None:
        outer = self.aliases
        with self.inner_frame():
            for name, node in aliases:
                self.rule_alias(name, node)
            for rule in rules:
                self.rule(rule)
        self.aliases = outer

    def rule_alias(self, name: Identifier, node: s.Expression) -> None:
        operand = self.operand(node)
        known: Known
        match operand:
            case Stored(_, _, place, writable):
                known = KnownPlace(place, writable)
                self.aliases += (RuleAlias(name, known),)
            case Value(_, _, e.Constant() as constant):
                known = KnownConstant(constant)
            case Value(_, type_, expression, is_bound) if is_bound or is_scalar(type_):
                known = KnownValue(expression, type_, is_bound)
                if not is_bound:
                    self.aliases += (RuleAlias(name, known),)
            case _:
                raise self.unsupported(
                    "an alias of the result of a call around rules is not supported", node.at
                )
        self.declare(name, known)

    def simple_rule(self, node: r.SimpleRule) -> None:
        name = node.name if node.name is not None else f"rule {len(self.actions) + 1}"
        guard: e.Expression = e.TRUE
        with self.inner_frame():
            if node.guard is not None:
                guard = self.test(node.guard, "the guard of a rule")
            action = self.action(name, guard, node)
        self.actions.extend(stepwise(action))

    def action(self, name: str, guard: e.Expression, node: r.SimpleRule | r.StartState) -> Action:
        with self.inner_frame():
            bound = self.bound_aliases()
            with self.inner_scope():
                variables = self.local_variables(node.declarations)
                body = declared(variables, self.block(node.body))
        for variable, known in reversed(bound):
            if not mentions(body, variable):
                continue
            if isinstance(known, KnownPlace):
                body = (st.Bind(variable, known.place, body),)
            else:
                body = (st.Let(variable, known.expression, body),)
        return Action(name, self.parameters, body, guard, span=self.span(node.at))

    def bound_aliases(self) -> list[tuple[e.Variable, KnownPlace | KnownValue]]:
        """Names for the aliases around this rule, for its body."""
        found: list[tuple[e.Variable, KnownPlace | KnownValue]] = []
        for alias in self.aliases:
            if self.scope.find(alias.name.text) is not alias.known:
                continue
            if isinstance(alias.known, KnownPlace):
                variable = e.Variable(self.fresh(alias.name.text), e.type_of_place(alias.known.place))
                known: Known = KnownPlace(variable, alias.known.writable)
            else:
                variable = e.Variable(self.fresh(alias.name.text), e.type_of(alias.known.expression))
                known = KnownValue(
                    e.Read(variable, self.span(alias.name.at)), alias.known.type, is_bound=False
                )
            self.scope.names[alias.name.text] = known
            found.append((variable, alias.known))
        return found

    def property_rule(self, node: r.Check) -> None:
        with self.inner_frame():
            expression = self.test(node.test, f"what '{node.category}' asks for")
        if node.category == "liveness":
            name = node.message if node.message is not None else f"liveness {len(self.liveness) + 1}"
            self.liveness.append(Liveness(name, expression, self.parameters, node.at))
            return
        kind = KINDS[node.category]
        for bound in reversed(self.parameters):
            quantifier: Literal["forall", "exists"] = "exists" if kind == "cover" else "forall"
            expression = e.Quantified(quantifier, bound, expression, evaluates_every(bound))
        number = 1 + sum(each.kind == kind and each.expression is not None for each in self.properties)
        name = node.message if node.message is not None else f"{kind} {number}"
        self.properties.append(Property(kind, name, expression, self.span(node.at)))


def stepwise(action: Action) -> Iterator[Action]:
    """Parameters of actions range over types. One with a step, or without any value, becomes an action for each value."""
    for number, bound in enumerate(action.parameters):
        match bound.domain:
            case e.Range(e.Constant(low), e.Constant(high), e.Constant(step)):
                for value in range(low, high + (1 if step > 0 else -1), step):
                    only = e.Bound(bound.name, e.All(Integer(value, value)))
                    parameters = (*action.parameters[:number], only, *action.parameters[number + 1 :])
                    yield from stepwise(retyped(replace(action, parameters=parameters), only.variable))
                return
    yield action


def retyped(action: Action, variable: e.Variable) -> Action:
    def change(node: Any) -> Any:
        return variable if isinstance(node, e.Variable) and node.name == variable.name else node

    return rebuilt(action, change)


def declared(variables: tuple[e.Variable, ...], body: st.Block) -> st.Block:
    return (st.Declare(variables, body),) if variables else body


def mentions(body: st.Block, variable: e.Variable) -> bool:
    return any(isinstance(node, e.Variable) and node.name == variable.name for node in nodes(*body))
