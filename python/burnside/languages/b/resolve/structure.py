"""From the machines of a project to what each text can see.

In: a `Project`. Out: a `Structure`: sorts, constants and variables of all machines together, and one `Instance` for each
machine that takes part, with the scope in which its text is read.

Included machines may be renamed (`m1.M`): then variables and operations have the prefix, but sets and constants do not, and
all instances of a machine share them. Seen and used machines have one instance, which all share. A refinement is
explored by itself: of the machine it refines it has sets, constants, properties and parameters, but only the variables it
names again; the others (`KnownAbstract`) have a type and no value.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from burnside.diagnostics import InputError
from burnside.languages.b.resolve.names import (
    Known,
    KnownAbstract,
    KnownElement,
    KnownOperation,
    KnownSort,
    KnownState,
    KnownValue,
    Scope,
)
from burnside.languages.b.resolve.terms import Hole, SetOf, Term
from burnside.languages.b.syntax import expressions as t
from burnside.languages.b.syntax.expressions import Expression
from burnside.languages.b.syntax.machines import (
    AbstractMachine,
    MachineReference,
    Operation,
    Project,
    SetDeclaration,
)
from burnside.languages.shared.spans import Extent, Identifier
from burnside.records import field_names, is_record, record


@record(eq=False, repr=False)
class DeclaredSort:
    """`members` is None where the size has to be found."""

    name: str
    members: tuple[str, ...] | None
    origin: str
    at: Extent


class Instance:
    """A machine that takes part. `operations`: what its text can call. `offered`: its own operations and those it promotes,
    which a machine that includes it can call. `is_abstract`: it is refined, and only its types and properties count."""

    def __init__(self, tree: AbstractMachine, prefix: str, is_abstract: bool) -> None:
        self.tree = tree
        self.prefix = prefix
        self.is_abstract = is_abstract
        self.scope = Scope()
        self.operations: dict[str, KnownOperation] = {}
        self.offered: dict[str, KnownOperation] = {}
        self.variables: list[KnownState] = []


class Structure:
    def __init__(self, project: Project) -> None:
        self.project = project
        self.sorts: list[DeclaredSort] = []
        self.constants: list[KnownState] = []
        self.parameters: list[KnownState] = []
        """Scalar ones of the main machine: constants, but for their name."""
        self.abstract: dict[str, KnownAbstract] = {}
        self._data: dict[str, dict[str, Known]] = {}
        self._instances: dict[str, Instance] = {}
        self._own: dict[str, Known] = {}
        self.refined = tuple(_refined(project))
        self.main = self._instance(project.main, "", None, None, False)
        self.offered = {**self.main.offered, **dict(self._moving())}
        """The operations that can happen, by their names."""

    def _moving(self) -> Iterator[tuple[str, KnownOperation]]:
        """As in ProB, a machine that is seen or used and not included has steps of its own."""
        trees = [each.tree for each in self.instances if not each.is_abstract]
        seen = {each.name.text for tree in trees for each in (*tree.sees, *tree.uses)}
        held = {each.name.text for tree in trees for each in (*tree.includes, *tree.extends, *tree.imports)}
        for instance in self.instances:
            name = instance.tree.name.text
            if name in seen - held and not instance.is_abstract:
                yield from ((f"{name}.{operation}", known) for operation, known in instance.offered.items())

    @property
    def instances(self) -> tuple[Instance, ...]:
        """Those that are looked at come before those who look."""
        return tuple(self._instances.values())

    @property
    def variables(self) -> tuple[KnownState, ...]:
        return tuple(each for instance in self.instances for each in instance.variables)

    # Instances

    def _instance(
        self,
        tree: AbstractMachine,
        prefix: str,
        reference: MachineReference | None,
        outer: Scope | None,
        is_abstract: bool,
    ) -> Instance:
        key = f"{'abstract ' if is_abstract else ''}{prefix}{tree.name.text}"
        if key in self._instances:
            return self._instances[key]
        made = Instance(tree, prefix, is_abstract)
        is_main = tree is self.project.main
        if is_main:
            for refined in self.refined:
                self._see(made, self._data_of(refined), tree.name.at)
        self._parameters(made, reference, outer)
        self._look_around(made)
        self._see(made, self._data_of(tree), tree.name.at)
        self._variables(made)
        if is_main:
            self._abstractions(made)
        self._operations(made)
        self._instances[key] = made
        return made

    def _look_around(self, made: Instance) -> None:
        tree = made.tree
        for reference in (*tree.sees, *tree.uses):
            prefix = f"{reference.prefix}." if reference.prefix else ""
            self._take(made, self._child(made, reference, prefix), reference)
        for reference in (*tree.includes, *tree.extends, *tree.imports):
            prefix = f"{made.prefix}{reference.prefix}." if reference.prefix else made.prefix
            self._take(made, self._child(made, reference, prefix), reference)

    def _child(self, made: Instance, reference: MachineReference, prefix: str) -> Instance:
        tree = self.project.others[reference.name.text]
        return self._instance(tree, prefix, reference, made.scope, made.is_abstract)

    def _take(self, made: Instance, child: Instance, reference: MachineReference) -> None:
        """What a machine sees of another one: all but its parameters."""
        own = {each.text for each in child.tree.parameters}
        prefix = f"{reference.prefix}." if reference.prefix else ""
        for name, known in child.scope.names.items():
            if name in own:
                continue
            moves = (
                isinstance(known, KnownState | KnownAbstract) and getattr(known, "owner", True) is not None
            )
            self._declare(made, f"{prefix}{name}" if moves else name, known, reference.at)
        for name, operation in child.offered.items():
            made.operations[f"{prefix}{name}"] = operation

    def _parameters(self, made: Instance, reference: MachineReference | None, outer: Scope | None) -> None:
        tree = made.tree
        parameters = tree.parameters
        if tree is self.project.main and not parameters and self.refined:
            parameters = next((each.parameters for each in self.refined if each.parameters), ())
        arguments = () if reference is None else reference.arguments
        seen = {each.name.text for each in (*self.project.main.sees, *self.project.main.uses)}
        if reference is not None and len(arguments) != len(parameters) and tree.name.text not in seen:
            message = f"'{tree.name.text}' takes {len(parameters)} arguments, not {len(arguments)}"
            raise InputError(reference.at.diagnostic(message))
        if arguments and outer is not None:
            for name, argument in zip(parameters, arguments, strict=True):
                term: Term = SetOf(Hole()) if is_set_parameter(name.text) else Hole()
                self._declare(made, name.text, KnownValue(argument, outer, term, name.at), name.at)
            return
        for name in parameters:
            self._declare(made, name.text, self._formal(name), name.at)

    def _formal(self, name: Identifier) -> Known:
        """A parameter without an argument."""
        if name.text in self._own:
            return self._own[name.text]
        if is_set_parameter(name.text):
            self.sorts.append(DeclaredSort(name.text, None, "set parameter", name.at))
            self._own[name.text] = KnownSort(name.text, name.at)
        else:
            known = KnownState(name.text, Hole(), None, name.at)
            self.parameters.append(known)
            self._own[name.text] = known
        return self._own[name.text]

    def _variables(self, made: Instance) -> None:
        kept = made.tree.variables
        if made.tree is self.project.main and made.tree.kind == "implementation":
            kept += self._kept_by_implementation(made)
        for name in kept:
            known: Known
            if made.is_abstract:
                whole = made.prefix + name.text
                fallback = self.abstract.setdefault(whole, KnownAbstract(whole, Hole(), name.at))
                known = self._own.get(name.text, fallback)
            else:
                known = KnownState(made.prefix + name.text, Hole(), made, name.at)
                made.variables.append(known)
                if made.tree is self.project.main:
                    self._own[name.text] = known
            self._declare(made, name.text, known, name.at)

    def _kept_by_implementation(self, made: Instance) -> tuple[Identifier, ...]:
        """Concrete variables of the refined machine live on without being named again: those that the text mentions."""
        texts = (made.tree.initialisation, *(each.body for each in made.tree.operations))
        used = {name.text for text in texts if text is not None for name in names_in(text)}
        seen = {*made.scope.names, *(each.text for each in made.tree.variables)}
        found: dict[str, Identifier] = {}
        for refined in self.refined:
            for name in refined.variables:
                if name.text in used - seen:
                    found.setdefault(name.text, name)
        return tuple(found.values())

    def _abstractions(self, made: Instance) -> None:
        """From the most abstract machine on; each of them knows what the ones before it have."""
        before: dict[str, Known] = {}
        for refined in reversed(self.refined):
            abstract = self._instance(refined, "", None, None, True)
            for name, known in before.items():
                abstract.scope.names.setdefault(name, known)
            before = abstract.scope.names
            for name, known in abstract.scope.names.items():
                if isinstance(known, KnownAbstract) and name not in made.scope.names:
                    made.scope.names[name] = known

    def _operations(self, made: Instance) -> None:
        tree = made.tree
        own: dict[str, KnownOperation] = {}
        for operation in tree.operations:
            name = operation.name
            if name.text in own and name.text not in tree.local_operations:
                raise _twice(name.text, name.at, own[name.text].at)
            own.setdefault(name.text, KnownOperation(operation, made, name.at))
        for reference in tree.extends:
            child = self._child(
                made, reference, f"{made.prefix}{reference.prefix}." if reference.prefix else made.prefix
            )
            prefix = f"{reference.prefix}." if reference.prefix else ""
            made.offered |= {f"{prefix}{name}": each for name, each in child.offered.items()}
        for promoted in tree.promotes:
            if promoted.text not in made.operations:
                hint = "operations of included machines can be promoted"
                raise InputError(promoted.at.diagnostic(f"there is no operation '{promoted.text}'", hint))
            made.offered[promoted.text] = made.operations[promoted.text]
        made.offered |= {name: each for name, each in own.items() if name not in tree.local_operations}
        made.operations |= own

    # Sets and constants

    def _data_of(self, tree: AbstractMachine) -> dict[str, Known]:
        """By the name of the machine: instances share them."""
        if tree.name.text in self._data:
            return self._data[tree.name.text]
        names: dict[str, Known] = {}
        if tree is self.project.main:
            for refined in self.refined:
                names |= self._data_of(refined)
        before = set(names)
        self._data[tree.name.text] = names
        for declaration in tree.sets:
            self._sort(declaration, names, before)
        for constant in tree.constants:
            if constant.text in before:
                continue
            if constant.text in names:
                raise _twice(constant.text, constant.at, names[constant.text].at)
            known = KnownState(constant.text, Hole(), None, constant.at)
            names[constant.text] = known
            self.constants.append(known)
        return names

    def _sort(self, declaration: SetDeclaration, names: dict[str, Known], before: set[str]) -> None:
        name, members = declaration.name, declaration.members
        if name.text in before:
            return
        if name.text in names:
            raise _twice(name.text, name.at, names[name.text].at)
        names[name.text] = KnownSort(name.text, name.at)
        if members is None:
            self.sorts.append(DeclaredSort(name.text, None, "deferred set", name.at))
            return
        for position, member in enumerate(members):
            if member.text in names:
                raise _twice(member.text, member.at, names[member.text].at)
            names[member.text] = KnownElement(name.text, position, member.at)
        texts = tuple(each.text for each in members)
        self.sorts.append(DeclaredSort(name.text, texts, "enumerated set", name.at))

    # Declaring

    def _see(self, made: Instance, names: dict[str, Known], at: Extent) -> None:
        for name, known in names.items():
            self._declare(made, name, known, at)

    def _declare(self, made: Instance, name: str, known: Known, at: Extent) -> None:
        there = made.scope.names.get(name)
        if there is None or (isinstance(there, KnownAbstract) and made.is_abstract):
            made.scope.names[name] = known
        elif there is not known and not isinstance(known, KnownAbstract):
            again = known.at if known.at.source is made.tree.source else at
            raise _twice(name, again, there.at)


def is_set_parameter(name: str) -> bool:
    """B distinguishes the two kinds of parameters by capital letters."""
    return name.isupper()


def _twice(name: str, at: Extent, first: Extent) -> InputError:
    return InputError(
        at.diagnostic(f"'{name}' is declared twice", f"the first time at {first.seen_from(at)}")
    )


def _refined(project: Project) -> Iterator[AbstractMachine]:
    """The machine that is refined, the one it refines, and so on."""
    machine = project.main
    while machine.refines is not None:
        machine = project.others[machine.refines.text]
        yield machine


def abstract_operation(structure: Structure, name: str) -> Iterator[tuple[Operation, Instance]]:
    """Those that an operation of the main machine refines, nearest first."""
    for refined in structure.refined:
        instance = next(each for each in structure.instances if each.tree is refined and each.is_abstract)
        for operation in refined.operations:
            if operation.name.text == name:
                yield operation, instance


def nodes_in(tree: object) -> Iterator[Any]:
    """Every node of a tree."""
    stack: list[Any] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple) and not isinstance(node, Extent):
            stack.extend(reversed(node))
        elif is_record(node):
            yield node
            stack.extend(getattr(node, name) for name in reversed(field_names(node)))


def names_in(tree: object) -> Iterator[t.Name]:
    """Every use of a name in a tree, bound or not."""
    return (node for node in nodes_in(tree) if isinstance(node, t.Name))


def conjunct_trees(tree: Expression | None) -> Iterator[Expression]:
    """The parts of a conjunction, labels kept."""
    if isinstance(tree, t.Chain) and tree.operator == "&":
        for each in tree.operands:
            yield from conjunct_trees(each)
    elif isinstance(tree, t.Labelled) and isinstance(tree.predicate, t.Chain):
        # A label of several conjuncts is the label of each.
        for each in conjunct_trees(tree.predicate):
            yield t.Labelled(tree.at, tree.label, each)
    elif tree is not None:
        yield tree
