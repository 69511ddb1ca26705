"""A position in the tokens of a machine: lists of names, dotted names."""

from __future__ import annotations

from burnside.diagnostics import InputError
from burnside.languages.shared import cursor
from burnside.languages.shared.spans import Identifier


class Cursor(cursor.Cursor):
    depth_hint = (
        "blocks and braces within each other count twice; brackets, and operators in a row that cannot be "
        "regrouped, once"
    )

    def identifiers(self, what: str) -> tuple[Identifier, ...]:
        """One or more, with commas, each once."""
        found = [self.identifier(what)]
        while self.accept(","):
            found.append(self.identifier(what))
        seen: set[str] = set()
        for each in found:
            if each.text in seen:
                raise InputError(each.at.diagnostic(f"'{each.text}' is already in this list"))
            seen.add(each.text)
        return tuple(found)

    def dotted(self, what: str) -> Identifier:
        """A name with the names of renamed machines before it, as one text: `m.x`."""
        name = self.identifier(what)
        if not self.is_symbol("."):
            return name
        text = name.text
        while self.is_symbol(".") and self.peek().kind == "name":
            self.advance()
            text += f".{self.advance().text}"
        return Identifier(self.extent(name.at.offset), text)
