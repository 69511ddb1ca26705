"""What names of a whole specification stand for."""

from __future__ import annotations

from typing import Literal

from burnside.languages.shared.spans import Extent
from burnside.languages.z.syntax import Paragraph
from burnside.languages.z.typing.types import (
    AbbreviatedType,
    Component,
    Fixity,
    PowerType,
    SchemaType,
    Shorthand,
    Type,
    opened,
)

Kind = Literal[
    "given", "free type", "constructor", "constant", "abbreviation", "generic", "schema", "toolkit"
]


class Global:
    """A name of the whole specification, with decoration. `type` of a schema is that of its bindings; of all else, of its
    values, so that of a given set is a power set. Directives may make it a shorthand of types, or tame, later on."""

    __slots__ = ("at", "fixity", "formals", "is_tame", "kind", "name", "paragraph", "shorthand", "type")

    def __init__(
        self,
        name: str,
        kind: Kind,
        type_: Type,
        formals: tuple[str, ...] = (),
        paragraph: Paragraph | None = None,
        at: Extent | None = None,
        fixity: Fixity = "word",
        shorthand: Shorthand | None = None,
        is_tame: bool = False,
    ) -> None:
        self.name = name
        self.kind: Kind = kind
        self.type = type_
        self.formals = formals
        self.paragraph = paragraph
        self.at = at
        self.fixity: Fixity = fixity
        self.shorthand = shorthand
        self.is_tame = is_tame

    def __repr__(self) -> str:
        return f"Global({self.name!r}, {self.kind!r})"

    @property
    def components(self) -> tuple[Component, ...]:
        """Of a schema, with shorthands in their types."""
        type_ = opened(self.type)
        return type_.components if isinstance(type_, SchemaType) else ()

    def stay_in_types(self) -> None:
        """Make it a shorthand: uses of this set are shown by its name. Nothing else than a set or a schema has this."""
        base = opened(self.type)
        if self.kind != "schema":
            assert isinstance(base, PowerType), self
            base = base.base
        self.shorthand = Shorthand(self.name, self.formals, base, self.fixity)

    def abbreviated(self, parameters: tuple[Type, ...]) -> AbbreviatedType:
        assert self.shorthand is not None, self
        return AbbreviatedType(self.name, parameters, self.shorthand)
