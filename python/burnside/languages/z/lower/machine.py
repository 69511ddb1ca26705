"""Lowering of a whole specification. In: its checked paragraphs, sizes, and roles. Out: `ir.sets.machine.Machine`.

Axiomatic definitions are constants with properties. The start and the operations choose all primed components, results and
local names at once, such that their predicates hold. What the state schema says of a state before a step is not asked
again: every step that leads to one has asked it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping

from burnside.diagnostics import Span
from burnside.ir.sets import expressions as e
from burnside.ir.sets import substitutions as s
from burnside.ir.sets.copies import renewed
from burnside.ir.sets.machine import Claim, Machine, Operation
from burnside.ir.sets.types import BOOLEAN, FreeType, ValueType
from burnside.languages.z import syntax as t
from burnside.languages.z.lower.bounds import bounding, bounds
from burnside.languages.z.lower.definitions import DefinitionLowering
from burnside.languages.z.lower.meanings import SchemaMeaning
from burnside.languages.z.lower.roles import (
    AskedRoles,
    Roles,
    Steps,
    base_of,
    find_roles,
    is_start,
)
from burnside.languages.z.lower.schemas import INPUT, OUTPUT, PRIME
from burnside.languages.z.lower.steps import Case, bare, cases_of, guards
from burnside.languages.z.lower.toolkit import joined
from burnside.languages.z.lower.types import plain
from burnside.languages.z.lower.walking import nodes, references
from burnside.languages.z.typing import CheckedSpecification
from burnside.records import record


@record(eq=False)
class Part:
    """What a schema's components are in a step: chosen names, parameters, results."""

    values: Mapping[str, e.Name]
    chosen: tuple[e.Name, ...]
    parameters: tuple[e.Name, ...]
    outputs: Mapping[str, e.Name]


class MachineLowering(DefinitionLowering):
    def __init__(
        self, checked: CheckedSpecification, asked_sizes: Mapping[str, int], asked: AskedRoles, source: str
    ) -> None:
        super().__init__(checked, asked_sizes, source)
        self.asked = asked
        self.roles: Roles
        self.variables: dict[str, e.Name] = {}
        self._schemas = {
            each.name: each
            for each in checked.specification.paragraphs
            if isinstance(each, t.SchemaDefinition)
        }
        self._known_before: frozenset[e.Expression] = frozenset()

    def machine(self, name: str) -> Machine:
        definitions = self._schemas
        plain_schemas = {name: self.named(name) for name, each in definitions.items() if not each.formals}
        components = {name: tuple(each.components) for name, each in plain_schemas.items()}
        self.roles = find_roles(definitions, components, self.asked, self.source)
        state = plain_schemas[self.roles.state]
        for text, type_ in state.components.items():
            self.variables[text] = self.state_name(text, self.value_type(type_, {}))
        self._note_unused()
        steps = Steps(self.roles.state, definitions, components)
        operations_lead_to_it = (steps.leads_to(definitions[each].body) for each in self.roles.operations)
        if steps.starts_in(definitions[self.roles.start].body) and all(operations_lead_to_it):
            self._known_before = frozenset(map(bare, state.conjuncts(self.variables)))
        start = self._start()
        operations = tuple(self._operation(definitions[each]) for each in self.roles.operations)
        claims = tuple(self._claims())
        constants, properties = self.constants()
        return Machine(
            name=name,
            sorts=tuple(self.sorts.values()),
            constants=constants,
            properties=properties,
            variables=tuple(self.variables.values()),
            initialisation=start,
            operations=operations,
            claims=claims,
            numbers=self.sizes.numbers,
            counts_starts=True,
            free_types=tuple(each for each in self.free_types.values() if isinstance(each, FreeType)),
            notation="z",
            cut_rule="from-lower-bound",
            start_title=plain(self.roles.start),
        )

    def _note_unused(self) -> None:
        """Schemas without a role are easily taken for operations."""
        unused = [plain(each) for each in self.roles.unused]
        if unused:
            state = plain(self.roles.state)
            one = len(unused) == 1
            self.notes.append(
                f"{'the schema' if one else 'the schemas'} {', '.join(unused)} {'is' if one else 'are'} not used: "
                f"{'it does' if one else 'they do'} not declare all components of {state} and {state}', as operations do "
                "(--promote makes operations of them)"
            )
        if not self.roles.operations:
            state, start = plain(self.roles.state), plain(self.roles.start)
            note = f"there are no operations: no schema declares all components of {state} and {state}'"
            if others := [plain(each) for each in self.roles.unused if is_start(each)]:
                note += f"; {start} is taken for the start, --init may name another: {', '.join(others)}"
            self.notes.append(note)

    # Steps

    def _start(self) -> s.Substitution:
        """Of all components of the state, primed or not: both mean the first state."""
        meaning = self.named(self.roles.start)
        places = self._declarations(self.roles.start)
        first = {text: self._local(text, name.type, places) for text, name in self.variables.items()}
        values: dict[str, e.Expression] = {}
        others: list[e.Name] = []
        for text, type_ in meaning.components.items():
            base = text if text in first else text.removesuffix(PRIME)
            if base in first:
                values[text] = first[base]
            else:
                others.append(self._local(text, self.value_type(type_, {}), places))
                values[text] = others[-1]
        chosen = tuple(first.values())
        shown = frozenset(each.name for each in chosen)
        conjuncts = meaning.conjuncts(values)
        cases = cases_of(conjuncts, (*chosen, *others), {}, frozenset(), shown, self.fresh)
        bodies = [self._start_body(case, chosen) for case in cases]
        bodies[1:] = [renewed(each, self.fresh) for each in bodies[1:]]
        return s.Alternatives(tuple(bodies), None)

    def _start_body(self, case: Case, chosen: tuple[e.Name, ...]) -> s.Branch:
        values = tuple(case.values.get(each.name, each) for each in chosen)
        body: s.Substitution = s.Assign(tuple(self.variables.values()), values)
        if case.chosen:
            body = s.Choose(case.chosen, joined(case.after), body)
        return s.Branch(joined(case.before), body)

    def _operation(self, definition: t.SchemaDefinition) -> Operation:
        meaning = self.named(definition.name)
        part = self._part_of(meaning, self._declarations(definition.name))
        unprimed = {
            part.values[text + PRIME].name: name
            for text, name in self.variables.items()
            if text + PRIME in part.values
        }
        shown = frozenset((*unprimed, *(each.name for each in part.outputs.values())))
        conjuncts = meaning.conjuncts(part.values)
        cases = cases_of(conjuncts, part.chosen, unprimed, self._known_before, shown, self.fresh)
        results = {text: e.Name(self.fresh(text), name.type) for text, name in part.outputs.items()}
        guard = self._guard(cases, part)
        bodies = [self._body(case, part, results, guard, definition) for case in cases]
        bodies[1:] = [renewed(each, self.fresh) for each in bodies[1:]]
        whole: s.Substitution = s.Alternatives(tuple(bodies), None, definition.at.span)
        if len(bodies) == 1:
            guard, whole = joined((guard, bodies[0].condition)), bodies[0].body
        return Operation(
            plain(definition.name),
            part.parameters,
            tuple(results.values()),
            whole,
            guard,
            definition.at.span,
        )

    def _guard(self, cases: list[Case], part: Part) -> e.Expression:
        """Parameters are found by it. Where it does not bound them, what a case asks of the state after is asked as well."""
        guard = guards(cases)
        if all(bounds(part.parameters, (*e.conjuncts(guard), *each.before)) for each in cases):
            sides = tuple(joined(each.before) for each in cases)
            if len(sides) > 1 and e.TRUE not in sides and not bounds(part.parameters, e.conjuncts(guard)):
                guard = e.Apply("or", tuple(renewed(each, self.fresh) for each in sides), BOOLEAN)
            return guard
        sides = tuple(
            renewed(joined((*each.before, *bounding(part.parameters, each.chosen, each.after))), self.fresh)
            for each in cases
        )
        return sides[0] if len(sides) == 1 else e.Apply("or", sides, BOOLEAN)

    def _body(
        self,
        case: Case,
        part: Part,
        results: Mapping[str, e.Name],
        guard: e.Expression,
        definition: t.SchemaDefinition,
    ) -> s.Branch:
        def value(name: e.Name) -> e.Expression:
            return case.values.get(name.name, name)

        changed = [
            (name, value(part.values[text + PRIME]))
            for text, name in self.variables.items()
            if text + PRIME in part.values
        ]
        changed = [(name, new) for name, new in changed if new != name]
        body: s.Substitution = s.Assign(
            (*(name for name, _ in changed), *results.values()),
            (*(new for _, new in changed), *map(value, part.outputs.values())),
        )
        if case.chosen:
            body = s.Choose(case.chosen, joined(case.after), body, definition.at.span)
        asked = e.conjuncts(guard)
        return s.Branch(joined(tuple(each for each in case.before if each not in asked)), body)

    def _part_of(self, meaning: SchemaMeaning, places: Mapping[str, Span]) -> Part:
        values: dict[str, e.Name] = {}
        chosen, parameters, outputs = [], [], {}
        for text, type_ in meaning.components.items():
            if text in self.variables:
                values[text] = self.variables[text]
                continue
            values[text] = name = self._local(text, self.value_type(type_, {}), places)
            if text.endswith(INPUT):
                parameters.append(name)
            else:
                chosen.append(name)
                if text.endswith(OUTPUT):
                    outputs[text] = name
        # In the order of their names, as ProZ lists them.
        parameters.sort(key=lambda each: each.name)
        return Part(values, tuple(chosen), tuple(parameters), outputs)

    def _local(self, text: str, type_: ValueType, places: Mapping[str, Span]) -> e.Name:
        """Of one with a prime, the place is where it is declared without."""
        return e.Name(
            self.fresh(text), type_, False, places.get(text) or places.get(text.removesuffix(PRIME))
        )

    def _declarations(self, schema: str) -> Mapping[str, Span]:
        """Where names are declared: in the schema, or else in those that it refers to."""
        found: dict[str, Span] = {}
        waiting, seen = deque((schema,)), {schema}
        while waiting:
            body = self._schemas[waiting.popleft()].body
            for node in nodes(body):
                if isinstance(node, t.Declaration):
                    for name in node.names:
                        found.setdefault(name.text, name.at.span)
            for each in map(base_of, references(body)):
                if each in self._schemas and each not in seen:
                    seen.add(each)
                    waiting.append(each)
        return found

    # Claims

    def _claims(self) -> Iterator[Claim]:
        if self.roles.invariant is None:
            return
        meaning = self.named(self.roles.invariant)
        for number, each in enumerate(meaning.conjuncts(self.variables), 1):
            yield Claim("invariant", f"{self.roles.invariant} {number}", each, getattr(each, "span", None))
