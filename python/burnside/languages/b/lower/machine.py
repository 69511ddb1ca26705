"""Lowering of a whole machine. In: a `Structure` and the requested sizes. Out: `ir.sets.machine.Machine`.

First everything is drafted, so that all uses of a name contribute to its type; then sizes are found and sorts made; then all
is built. Drafts of conditions can be added later, one by one (`condition`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager

from burnside.ir.sets import expressions as e
from burnside.ir.sets import substitutions as s
from burnside.ir.sets.copies import names_of
from burnside.ir.sets.machine import Claim, ClaimKind, Machine, Operation
from burnside.ir.sets.printing import show_expression
from burnside.ir.sets.types import INTEGER, Sort, ValueType
from burnside.ir.types import Symmetry
from burnside.languages.b.lower.calls import CallLowering
from burnside.languages.b.lower.drafts import Action, Declared, Draft, excerpt, term_of
from burnside.languages.b.lower.guards import guard_of
from burnside.languages.b.lower.symbolic import is_left_out, says_nothing, symbolic_constants
from burnside.languages.b.resolve.names import (
    KnownElement,
    KnownLocal,
    KnownOperation,
    KnownState,
    KnownValue,
    Scope,
)
from burnside.languages.b.resolve.sizes import Sizes, element_names, settings_of, sizes_of
from burnside.languages.b.resolve.structure import (
    Instance,
    Structure,
    abstract_operation,
    conjunct_trees,
    names_in,
)
from burnside.languages.b.resolve.terms import Basic, Hole, SetOf
from burnside.languages.b.syntax import expressions as t
from burnside.languages.b.syntax import substitutions as u
from burnside.languages.b.syntax.expressions import Expression
from burnside.languages.shared.spans import Extent
from burnside.records import record
from burnside.temporal.atoms import Binder

MAX_NAME_LENGTH = 60


@record(eq=False)
class ClaimDraft:
    """`name` is None where the text that the user knows is not this conjunct's: it came from a definition."""

    kind: ClaimKind
    name: str | None
    draft: Draft


class MachineLowering(CallLowering):
    def __init__(self, structure: Structure, asked: Mapping[str, int]) -> None:
        super().__init__(structure.main.tree.source)
        self.structure = structure
        self.sizes: Sizes = sizes_of(structure, asked)
        self.numbers = self.sizes.numbers
        self.instance = structure.main
        self.states = (*structure.parameters, *structure.constants, *structure.variables)
        self.taken |= {each.name for each in self.states}
        self.symbolic: dict[str, Expression] = {}
        self.elements = Scope(structure.main.scope)
        """The main machine's scope, and around it names of elements that the text does not have."""

    def machine(self) -> Machine:
        self._stand_in()
        self.before_variables = True
        properties = tuple(self._properties())
        self.before_variables = False
        invariants = tuple(self._invariants())
        others = (*self._assertions(), *self._goal())
        initialisations = tuple(self._initialisations())
        operations = tuple(self._operations())
        for each in self._kept():
            self.declared.append(Declared(each.name, each.term, each.at))
        self.check_all_typed()
        self._make_sorts()
        return self._built(properties, invariants + others, initialisations, operations)

    def _kept(self) -> Iterator[KnownState]:
        return (each for each in self.states if each.name not in self.symbolic)

    # Properties

    def _stand_in(self) -> None:
        """Replace constants that are infinite sets by the expressions that they stand for."""
        conjuncts = [each for _, each in self._conjuncts_of_properties()]
        asked = set(self.sizes.constants)
        names = {each.name for each in self.structure.constants} - asked
        low, high = self.numbers
        numbers = {"MININT": low, "MAXINT": high, **self.sizes.constants}
        self.symbolic = symbolic_constants(conjuncts, names, numbers)
        for instance in self.structure.instances:
            for name in self.symbolic:
                known = instance.scope.names.get(name)
                if isinstance(known, KnownState):
                    owner = self._declaring(known)
                    standing = KnownValue(self.symbolic[name], owner.scope, Hole(), known.at)
                    instance.scope.names[name] = standing

    def _declaring(self, known: KnownState) -> Instance:
        """The machine that declares a constant."""
        return next(
            (
                each
                for each in self.structure.instances
                if any(known.at is one.at for one in each.tree.constants)
            ),
            self.structure.main,
        )

    def _conjuncts_of_properties(self) -> Iterator[tuple[Instance, Expression]]:
        """Instances of one machine share its properties; its constraints are about the arguments of each."""
        read: set[str] = set()
        for instance in self.structure.instances:
            tree = instance.tree
            clauses = (tree.constraints, None if tree.name.text in read else tree.properties)
            read.add(tree.name.text)
            for clause in clauses:
                for each in conjunct_trees(clause):
                    yield instance, each.predicate if isinstance(each, t.Labelled) else each
            for valuation in tree.values:
                if not any(each.name == valuation.name.text for each in self.structure.sorts):
                    name = t.Name(valuation.name.at, valuation.name.text, False)
                    yield instance, t.Binary(valuation.at, "=", name, valuation.value)

    def _properties(self) -> Iterator[Callable[[], e.Expression]]:
        asked = self.sizes.constants
        for instance, conjunct in self._conjuncts_of_properties():
            if is_left_out(conjunct, self.symbolic) or _gives(conjunct, asked):
                continue
            with self._reading(instance):
                yield self.predicate(conjunct, "a property").build
        for known in (*self.structure.parameters, *self.structure.constants):
            if known.name in asked:
                self.expect(Draft(known.at, known.term, lambda: e.TRUE), Basic("INTEGER"), f"'{known.name}'")
                yield lambda known=known: self.is_equal(  # type: ignore[misc]
                    e.Name(known.name, INTEGER, True, self.span(known.at)),
                    e.Literal(asked[known.name], INTEGER),
                )

    def _reading(self, instance: Instance) -> AbstractContextManager[Scope]:
        self.instance = instance
        return self.within(instance.scope)

    # Claims

    def _invariants(self) -> Iterator[ClaimDraft]:
        for instance in self.structure.instances:
            known = len(self.declared)
            clause = instance.tree.invariant
            found = () if clause is None else tuple(self._claims("invariant", instance, clause))
            if instance.is_abstract:
                # Only its types are wanted.
                del self.declared[known:]
            else:
                yield from found

    def _assertions(self) -> Iterator[ClaimDraft]:
        for instance in self.structure.instances:
            if not instance.is_abstract:
                for clause in instance.tree.assertions:
                    yield from self._claims("assertion", instance, clause)

    def _claims(self, kind: ClaimKind, instance: Instance, clause: Expression) -> Iterator[ClaimDraft]:
        """Conjuncts that name variables of the refined machine give types and are not checked: they relate two machines,
        and only one is explored."""
        with self._reading(instance):
            for tree in conjunct_trees(clause):
                self.abstract_names = []
                draft = self.predicate(tree, f"an {kind}")
                mentioned, self.abstract_names = self.abstract_names, None
                if not mentioned:
                    yield ClaimDraft(kind, _name_of(tree, clause.at), draft)
                elif not instance.is_abstract:
                    note = f"the {kind} '{excerpt(tree.at, MAX_NAME_LENGTH)}' is not checked: it mentions '{mentioned[0]}'"
                    self.notes.append(f"{note}, a variable of the refined machine")

    def _goal(self) -> Iterator[ClaimDraft]:
        goal = settings_of(self.structure).get("GOAL")
        if goal is not None and goal.expression is not None:
            with self._reading(self.structure.main):
                yield ClaimDraft("goal", "GOAL", self.predicate(goal.expression, "the GOAL"))

    # What happens

    def _initialisations(self) -> Iterator[Action]:
        for instance in self.structure.instances:
            tree = instance.tree
            if instance.is_abstract:
                continue
            if tree.initialisation is not None:
                with self._reading(instance):
                    yield self.substitution(tree.initialisation)
            elif instance.variables:
                hint = "add INITIALISATION, with a value for each variable"
                raise self.error("the variables have no first values", instance.variables[0].at, hint)

    def _operations(self) -> Iterator[Callable[[], Operation]]:
        for name, known in self.structure.offered.items():
            assert isinstance(known.instance, Instance)
            with self._reading(known.instance):
                self.calls = [known]
                yield self._operation(name, known)
                self.calls = []

    def _operation(self, name: str, known: KnownOperation) -> Callable[[], Operation]:
        tree = known.tree
        with self.inner() as scope:
            parameters = self.bind_all(tree.parameters)
            results = self.bind_all(tree.results, writable=True)
            conditions, body = _unwrapped(tree.body)
            guards = tuple(self.predicate(each, "the condition of an operation") for each in conditions)
            action = self.substitution(body)
            inherited = tuple(self._inherited(known, scope))

        def build() -> Operation:
            names, built = self.locals(parameters), action()
            own = tuple(part for each in guards for part in self._asked(each, self.locals(results)))
            guard = guard_of(own, built, names, self.fresh)
            silent = {each.name for each in names} - set(names_of(guard))
            more = tuple(each() for each in inherited) if silent else ()
            if more:
                guard = guard_of((guard, *more), built, names, self.fresh)
            return Operation(name, names, self.locals(results), built, guard, self.span(tree.name.at))

        return build

    def _asked(self, guard: Draft, results: tuple[e.Name, ...]) -> Iterator[e.Expression]:
        """Without `r : S` for a result, which says of what type it is: it has no value yet."""
        unset = {each.name for each in results}
        for part in e.conjuncts(guard.build()):
            mentioned = sorted(unset & set(names_of(part)))
            if not mentioned:
                yield part
            elif (
                not (isinstance(part, e.Apply) and part.operator in ("member", "subset"))
                or len(mentioned) > 1
            ):
                raise self.error(f"the result '{mentioned[0]}' has no value yet", guard.at)

    def _inherited(self, known: KnownOperation, scope: Scope) -> Iterator[Callable[[], e.Expression]]:
        """Of an operation that refines another: parameters have the types they have there, and its precondition, as far as
        it does not mention variables that are gone, says what they range over where nothing else does."""
        if known.instance is not self.structure.main:
            return
        wanted = known.tree.refines.text if known.tree.refines is not None else known.tree.name.text
        for operation, instance in abstract_operation(self.structure, wanted):
            if len(operation.parameters) != len(known.tree.parameters):
                continue
            outer = Scope(instance.scope)
            for theirs, ours in zip(operation.parameters, known.tree.parameters, strict=True):
                outer.names[theirs.text] = scope.names[ours.text]
            with self.within(outer):
                for condition in _unwrapped(operation.body)[0]:
                    for each in conjunct_trees(condition):
                        self.abstract_names = []
                        draft = self.predicate(each, "a precondition")
                        if not self.abstract_names:
                            yield draft.build
                        self.abstract_names = None

    # Building

    def _make_sorts(self) -> None:
        taken = {name for each in self.structure.instances for name in each.scope.names}
        for each in self.structure.sorts:
            size = self.sizes.sorts[each.name]
            members = each.members or element_names(each, size, taken)
            symmetry: Symmetry = "fixed" if each.members is not None else "full"
            self.sorts[each.name] = Sort(each.name, members, symmetry, each.origin, self.span(each.at))
            if each.members is None:
                for position, name in enumerate(members):
                    self.elements.names[name] = KnownElement(each.name, position, each.at)

    def _state_names(self, known: tuple[KnownState, ...]) -> tuple[e.Name, ...]:
        return tuple(
            e.Name(each.name, self.type_of(each.term), True, self.span(each.at))
            for each in known
            if each.name not in self.symbolic
        )

    def _built(
        self,
        properties: tuple[Callable[[], e.Expression], ...],
        claims: tuple[ClaimDraft, ...],
        initialisations: tuple[Action, ...],
        operations: tuple[Callable[[], Operation], ...],
    ) -> Machine:
        structure = self.structure
        start = tuple(each() for each in initialisations)
        constants = self._state_names((*structure.parameters, *structure.constants))
        return Machine(
            name=structure.main.tree.name.text,
            sorts=tuple(self.sorts.values()),
            constants=constants,
            properties=self._properties_built(properties, constants),
            variables=self._state_names(structure.variables),
            initialisation=start[0] if len(start) == 1 else s.Sequence(start) if start else s.SKIP,
            operations=tuple(each() for each in operations),
            claims=tuple(self._claims_built(claims)),
            numbers=self.numbers,
            counts_starts=True,
        )

    def _properties_built(
        self, properties: tuple[Callable[[], e.Expression], ...], constants: tuple[e.Name, ...]
    ) -> tuple[e.Expression, ...]:
        """As in ProB, constants that stand for something and arguments of included machines are set up too. Where there is
        nothing else to set up, a property that is always true says so."""
        conjuncts = (part for each in properties for part in e.conjuncts(each()))
        found = tuple(each for each in conjuncts if not says_nothing(each))
        has_arguments = any(
            reference.arguments
            for each in self.structure.instances
            for reference in (*each.tree.includes, *each.tree.extends, *each.tree.imports)
        )
        return found or ((e.TRUE,) if not constants and (self.symbolic or has_arguments) else ())

    def _claims_built(self, claims: tuple[ClaimDraft, ...]) -> Iterator[Claim]:
        names: set[str] = set()
        uses: dict[str, int] = {}
        for each in claims:
            predicate = each.draft.build()
            first = name = each.name or _shortened(show_expression(predicate))
            while name in names:
                uses[first] = uses.get(first, 1) + 1
                name = f"{first} ({uses[first]})"
            names.add(name)
            yield Claim(each.kind, name, predicate, self.span(each.draft.at))

    # Later

    def condition(self, tree: Expression, bound: Sequence[Binder] = ()) -> e.Expression:
        """A predicate in the words of the main machine, once that is built, and of binders around it."""
        return self._later(bound, lambda: self.predicate(tree, "a condition"))

    def value(self, tree: Expression, type_: ValueType, bound: Sequence[Binder] = ()) -> e.Expression:
        return self._later(bound, lambda: self.typed(tree, term_of(type_), "this argument"))

    def domain(self, tree: Expression, bound: Sequence[Binder] = ()) -> e.Expression:
        return self._later(bound, lambda: self.typed(tree, SetOf(Hole()), "what a name ranges over"))

    def _later(self, bound: Sequence[Binder], read: Callable[[], Draft]) -> e.Expression:
        self.instance = self.structure.main
        scope = Scope(self.elements)
        for each in bound:
            at = self.structure.main.tree.at
            scope.names[each.written] = KnownLocal(each.name, term_of(each.type), False, at)
        try:
            with self.within(scope):
                draft = read()
            self.check_all_typed()
            return draft.build()
        finally:
            # What is left of one that was refused is nothing to the next.
            self.declared.clear()
            self.overloads.clear()


def _unwrapped(body: u.Substitution) -> tuple[tuple[Expression, ...], u.Substitution]:
    """Outer conditions without which nothing happens, and what they guard."""
    conditions: list[Expression] = []
    while True:
        match body:
            case u.Precondition(_, condition, inner):
                conditions.append(condition)
                body = inner
            case u.Select(_, (u.Branch(_, condition, inner),), None):
                conditions.append(condition)
                body = inner
            case _:
                return tuple(conditions), body


def _gives(conjunct: Expression, asked: Mapping[str, int]) -> bool:
    """`N = 3`, where the user asked for another N."""
    match conjunct:
        case t.Binary(_, "=", t.Name(_, name), right):
            return name in asked and next(names_in(right), None) is None
        case _:
            return False


def _name_of(tree: Expression, clause: Extent) -> str | None:
    """The user's label, or the user's words, where they stand in the clause itself."""
    if isinstance(tree, t.Labelled):
        return tree.label
    at = tree.at
    inside = clause.offset <= at.offset and at.offset + at.length <= clause.offset + clause.length
    return excerpt(at, MAX_NAME_LENGTH) if at.source is clause.source and inside else None


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_NAME_LENGTH else text[: MAX_NAME_LENGTH - 3].rstrip() + "..."
