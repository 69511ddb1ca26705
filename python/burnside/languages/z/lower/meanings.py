"""What names and schemas mean while a specification is lowered.

A `Scope` gives the names around a tree their expressions. A `SchemaMeaning` is a schema without its names' values: its
components, and a predicate that is made for whatever expressions stand for these. So decoration, renaming, hiding,
composition and the rest of the schema calculus are operations on functions, and names that are bound are new wherever a
predicate is made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from burnside.ir.sets.expressions import Expression
from burnside.languages.z.typing.types import Type
from burnside.records import record, replace

Conjuncts = tuple[Expression, ...]
Bindings = Mapping[str, Expression]
"""By the text of a name, with its decoration."""


@record(eq=False)
class Formal:
    """What a formal generic parameter stands for: a set, and its type."""

    set: Expression
    type: Type


@record(eq=False)
class Scope:
    """`names`: those of schemas, quantifiers and the state around. Globals are not here."""

    names: Bindings
    formals: Mapping[str, Formal]

    def within(self, names: Bindings) -> Scope:
        return replace(self, names={**self.names, **names})


NOWHERE = Scope({}, {})


@record(eq=False)
class SchemaMeaning:
    """`components`: by name, its type; a Z type, as two schemas may be joined only where these agree. `conjuncts`: the
    predicate, constraints of declarations included, for values of all components."""

    components: Mapping[str, Type]
    conjuncts: Callable[[Bindings], Conjuncts]

    def renamed(self, new: Callable[[str], str]) -> SchemaMeaning:
        names = {old: new(old) for old in self.components}
        return SchemaMeaning(
            {names[old]: type_ for old, type_ in self.components.items()},
            lambda values: self.conjuncts({old: values[name] for old, name in names.items()}),
        )
