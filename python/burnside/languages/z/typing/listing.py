"""The definitions of a specification with their types, as Spivey's type checker lists them."""

from __future__ import annotations

from collections.abc import Iterator

from burnside.languages.z.typing.definitions import Global
from burnside.languages.z.typing.types import plain_name, show_type


def listed(definition: Global) -> Iterator[str]:
    """The lines of one definition."""
    name, formals = _heading(definition), definition.formals
    count = f"[{len(formals)}]" if formals else ""
    if definition.kind in ("given", "free type"):
        yield f"Given {name}"
    elif definition.kind == "schema":
        yield f"Schema {name}{count}"
        for each in definition.components:
            yield f"    {plain_name(each.name)}: {show_type(each.type, formals)}"
        yield "End"
    else:
        if definition.kind == "abbreviation":
            title = "Abbrev"
        else:
            title = "Genconst" if definition.kind == "generic" else "Var"
        yield f"{title} {name}{count}: {show_type(definition.type, formals)}"


def _heading(definition: Global) -> str:
    name = plain_name(definition.name)
    match definition.fixity:
        case "infix":
            return f"_ {name} _"
        case "prefix":
            return f"{name} _"
        case "postfix":
            return f"_ {name}"
    return name
