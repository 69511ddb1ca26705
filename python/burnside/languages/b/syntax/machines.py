"""Clauses of a machine, and all machines of one model. Predicates are those of `expressions`, bodies those of
`substitutions`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from burnside.diagnostics import Source
from burnside.languages.b.parse.expansion import Macros
from burnside.languages.b.syntax.expressions import Expression
from burnside.languages.b.syntax.substitutions import Substitution
from burnside.languages.shared.spans import Extent, Identifier
from burnside.records import field, record

MachineKind = Literal["machine", "refinement", "implementation"]


@record(eq=False, repr=False)
class SetDeclaration:
    """`members` is None for a deferred set."""

    at: Extent
    name: Identifier
    members: tuple[Identifier, ...] | None


@record(eq=False, repr=False)
class MachineReference:
    """`prefix.name(arguments)` in INCLUDES, EXTENDS, IMPORTS, SEES or USES; `name` is the key of `Project.others`. `file`:
    as a pragma after it says."""

    at: Extent
    prefix: str | None
    name: Identifier
    arguments: tuple[Expression, ...]
    file: str | None = None


@record(eq=False, repr=False)
class Valuation:
    """An entry of VALUES."""

    at: Extent
    name: Identifier
    value: Expression


@record(eq=False, repr=False)
class Operation:
    """`results <-- name(parameters) = body`. `refines`: the operation named after `ref` in a refinement."""

    at: Extent
    name: Identifier
    results: tuple[Identifier, ...]
    parameters: tuple[Identifier, ...]
    body: Substitution
    refines: Identifier | None


@record(eq=False, repr=False)
class Definition:
    """A definition, expanded. Exactly one of `expression` (which may be a predicate) and `substitution` is there."""

    at: Extent
    name: Identifier
    parameters: tuple[Identifier, ...]
    expression: Expression | None
    substitution: Substitution | None


@record(eq=False, repr=False, kw_only=True)
class AbstractMachine:
    """A clause that is absent is empty or None. Conjunctions are as written: split them where that matters.

    `constants` and `variables` have the abstract ones first. `operations` has the local ones too (`local_operations` names
    them). `settings`: definitions without parameters by which the user speaks to the checker (`scope_S`, `SET_PREF_X`,
    `GOAL`, `ASSERT_LTL...`, see `definitions.is_setting`), also those of definition files, by name. `clauses`: where each
    clause of the text begins, by its first word (`INITIALISATION`, `OPERATIONS` also for their other spellings).
    `macros`: all definitions, for predicates that are read later (`parse.machines.parse_predicate`)."""

    at: Extent
    source: Source
    kind: MachineKind
    name: Identifier
    parameters: tuple[Identifier, ...] = ()
    constraints: Expression | None = None
    refines: Identifier | None = None
    sees: tuple[MachineReference, ...] = ()
    uses: tuple[MachineReference, ...] = ()
    includes: tuple[MachineReference, ...] = ()
    extends: tuple[MachineReference, ...] = ()
    imports: tuple[MachineReference, ...] = ()
    promotes: tuple[Identifier, ...] = ()
    sets: tuple[SetDeclaration, ...] = ()
    constants: tuple[Identifier, ...] = ()
    properties: Expression | None = None
    values: tuple[Valuation, ...] = ()
    variables: tuple[Identifier, ...] = ()
    invariant: Expression | None = None
    assertions: tuple[Expression, ...] = ()
    initialisation: Substitution | None = None
    operations: tuple[Operation, ...] = ()
    local_operations: frozenset[str] = frozenset()
    settings: Mapping[str, Definition] = field(default_factory=dict)
    macros: Macros = field(default_factory=Macros)
    clauses: Mapping[str, Extent] = field(default_factory=dict)


@record(eq=False, repr=False)
class Project:
    """The machine of the file that was asked for, and every machine it reaches by SEES, USES, INCLUDES, EXTENDS, IMPORTS and
    REFINES, by name. Nothing reaches itself."""

    main: AbstractMachine
    others: Mapping[str, AbstractMachine]
    files: tuple[Path, ...]
    """All that were read, the main one first."""
