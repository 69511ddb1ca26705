"""Which schema is the state, which says how it starts, and which are operations.

In: the schemas of a specification, with their components, and names that a user gives. Out: `Roles`, as ProZ finds them: the
start is the schema called `Init`, else the first with `Init` or `init` in its name; the one schema that it includes is the
state; operations declare every component of the state, primed and not, and no other schema refers to them. What is left has
no role, and is named in a note.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from burnside.diagnostics import Diagnostic, InputError, UsageError
from burnside.languages.z import syntax as t
from burnside.languages.z.lower.schemas import DELTA, PRIME, XI
from burnside.languages.z.lower.types import plain
from burnside.languages.z.lower.walking import references
from burnside.records import record

Components = Mapping[str, Sequence[str]]
"""By the name of a schema without parameters, the names of its components."""


@record
class AskedRoles:
    """`promote`: other schemas that no schema refers to are operations as well, which leave alone what they do not declare,
    as in ProZ."""

    state: str | None = None
    start: str | None = None
    promote: bool = False


@record
class Roles:
    """`unused`: schemas that no role was found for, and that no other refers to."""

    state: str
    start: str
    operations: tuple[str, ...]
    invariant: str | None
    unused: tuple[str, ...]


def find_roles(
    definitions: Mapping[str, t.SchemaDefinition], components: Components, asked: AskedRoles, source: str
) -> Roles:
    """`definitions`: in the order of the text, those with parameters too; these have no `components`."""
    if not definitions:
        hint = "a state schema, a schema Init that includes it, and operations are needed"
        raise InputError(
            Diagnostic("the specification has no schemas: there is nothing to explore", source, hint=hint)
        )
    start = _start(definitions, components, asked, source)
    state = _state(definitions, components, start, asked, source)
    variables = [name for name in components[state] if not name.endswith(PRIME)]
    needed = {each for name in variables for each in (name, name + PRIME)}
    referred = {name: set(references(each.body)) for name, each in definitions.items()}
    used = {name for found in referred.values() for each in found for name in (each, base_of(each))}
    free = [each for each in components if each not in used | {state, start} and each == base_of(each)]
    operations = [name for name in free if needed <= set(components[name])]
    invariant = (
        "Invariant" if "Invariant" in free and set(components["Invariant"]) <= set(variables) else None
    )
    left = [name for name in free if name not in operations and name != invariant]
    if asked.promote:
        promoted = [name for name in left if not set(components[name]) <= set(variables)]
        operations = [name for name in definitions if name in operations or name in promoted]
        left = [name for name in left if name not in promoted]
    types = {name for each in definitions.values() for name in references(each.body, as_types=True)}
    left = [name for name in left if name not in types]
    return Roles(state, start, tuple(operations), invariant, tuple(left))


def base_of(name: str) -> str:
    return name.removeprefix(DELTA).removeprefix(XI)


def _start(
    definitions: Mapping[str, t.SchemaDefinition], components: Components, asked: AskedRoles, source: str
) -> str:
    if asked.start is not None:
        return _named(asked.start, "--init", components, source)
    if "Init" in components:
        return "Init"
    found = next((name for name in components if is_start(name)), None)
    if found is not None:
        return found
    generic = next((name for name in definitions if is_start(name)), None)
    if generic is not None:
        hint = (
            f"a start for certain sets is needed, such as Start \\defs {plain(generic)}[X] with --init Start"
        )
        raise InputError(definitions[generic].at.diagnostic("a schema with parameters is no start", hint))
    hint = f"--init NAME says which; there are: {_listed(components) or 'only generic ones'}"
    raise InputError(
        Diagnostic("no schema says how the state begins: none has 'Init' in its name", source, hint=hint)
    )


def is_start(name: str) -> bool:
    """Is it called like one, for ProZ?"""
    return "Init" in name or "init" in name


def _state(
    definitions: Mapping[str, t.SchemaDefinition],
    components: Components,
    start: str,
    asked: AskedRoles,
    source: str,
) -> str:
    if asked.state is not None:
        return _named(asked.state, "--state", components, source)
    candidates = [each for each in dict.fromkeys(included(definitions[start].body)) if each in components]
    own = {each.removesuffix(PRIME) for each in components[start]}
    if len(candidates) > 1:
        # The one whose components are all of the start's, as far as these belong to the state.
        candidates = [each for each in candidates if set(components[each]) == own] or candidates
    if not candidates:
        candidates = [each for each in components if each != start and set(components[each]) == own][:1]
    if len(candidates) == 1:
        return candidates[0]
    at = definitions[start].at
    if candidates:
        message = f"'{plain(start)}' includes {len(candidates)} schemas, {_listed(candidates)}: which one is the state?"
        raise InputError(at.diagnostic(message, "--state NAME says which"))
    others = [each for each in components if each != start]
    hint = (
        f"--state NAME says which; there are: {_listed(others)}"
        if others
        else f"a schema with the components of the state, which '{plain(start)}' includes, is needed"
    )
    raise InputError(at.diagnostic(f"'{plain(start)}' includes no schema, so the state is not known", hint))


def _named(name: str, option: str, components: Components, source: str) -> str:
    """As it is written in the text, or without mark-up: `Bank\\_init`, `Bank_init`."""
    for each in components:
        if name in (each, plain(each)):
            return each
    hint = f"there are: {_listed(components) or 'only generic ones'}"
    raise UsageError(Diagnostic(f"no schema is called '{name}' in {source}", source=option, hint=hint))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(plain, names))


def included(body: t.SchemaExpression) -> Iterator[str]:
    """Schemas whose components are among those of an expression, by their own names."""
    match body:
        case t.SchemaText():
            yield from (base_of(each.name) for each in _included(body))
        case t.SchemaReference(_, name):
            yield base_of(name)
        case t.SchemaBinary(_, _, left, right):
            yield from included(left)
            yield from included(right)
        case t.SchemaHide(_, inner) | t.SchemaNot(_, inner) | t.Precondition(_, inner):
            yield from included(inner)
        case t.SchemaQuantified(_, _, _, inner):
            yield from included(inner)


def _conjoined(body: t.SchemaExpression) -> Iterator[str]:
    match body:
        case t.SchemaText():
            for each in _included(body):
                yield from _conjoined(each)
        case t.SchemaReference(_, name, "", (), ()):
            yield name
        case t.SchemaBinary(_, "and", left, right):
            yield from _conjoined(left)
            yield from _conjoined(right)


@record(eq=False)
class Steps:
    """Which starts and steps lead to states of the state schema, as they say themselves."""

    state: str
    definitions: Mapping[str, t.SchemaDefinition]
    components: Components

    def starts_in(self, body: t.SchemaExpression) -> bool:
        """Does a start satisfy the state schema? Its components may be primed there, or not."""
        return self.state in set(_conjoined(body)) or self.leads_to(body)

    def leads_to(self, body: t.SchemaExpression) -> bool:
        match body:
            case t.SchemaText():
                return any(map(self.leads_to, _included(body)))
            case t.SchemaReference(_, name, decoration, (), ()):
                if name == self.state:
                    return decoration == PRIME
                found = self.definitions.get(name)
                if found is None:
                    # \\Delta S and \\Xi S, where the text does not define them itself.
                    return not decoration and base_of(name) == self.state
                return not decoration and self.leads_to(found.body)
            case t.SchemaBinary(_, "and", left, right):
                return self.leads_to(left) or self.leads_to(right)
            case t.SchemaBinary(_, "or", left, right):
                return self.leads_to(left) and self.leads_to(right)
            case t.SchemaBinary(_, "compose" | "pipe", _, right):
                return self.leads_to(right)
            case t.SchemaHide(_, inner, names):
                return not self._are_after({each.text for each in names}) and self.leads_to(inner)
            case t.SchemaQuantified(_, "exists" | "exists_1", text, inner):
                return not self._are_after(set(self._bound(text))) and self.leads_to(inner)
            case _:
                return False

    def _are_after(self, names: set[str]) -> bool:
        """Is a component of the state after a step among them? What is said of a hidden one is said of no state."""
        return any(each + PRIME in names for each in self.components[self.state])

    def _bound(self, text: t.SchemaText) -> Iterator[str]:
        """Names that a schema text declares; of schemas with parameters or new names, all that they might be."""
        for each in text.declarations:
            match each:
                case t.Declaration(_, names, _):
                    yield from (name.text for name in names)
                case t.Inclusion(_, t.SchemaReference(_, name, decoration, (), ())) if (
                    base_of(name) in self.components
                ):
                    own = self.components.get(name, self.components[base_of(name)])
                    primes = ("",) if name in self.components else ("", PRIME)
                    yield from (one + prime + decoration for one in own for prime in primes)
                case _:
                    yield from (one + PRIME for one in self.components[self.state])


def _included(body: t.SchemaText) -> Iterator[t.SchemaReference]:
    return (each.schema for each in body.declarations if isinstance(each, t.Inclusion))
