"""Names of components: decoration, and the order of components.

Components with the same decoration stand together, and otherwise in the order in which their names are first mentioned
in the text, whatever they mean there. The words of the tool-kit come before all others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from burnside.languages.z.syntax import Identifier, Paragraph
from burnside.languages.z.typing.toolkit import WORDS, rows
from burnside.languages.z.typing.types import Component, Type

_TOKEN = re.compile(
    r"""^%%|%[^\n]*|\\(?:begin|end)\{[a-z]+\}
    |([A-Za-z](?:[A-Za-z0-9]|\\_)*|(?:['!?]|_[0-9])+|\\(?:power_1|[A-Za-z]+|\#)|[+\-*.=<>]+)
    |[0-9]+""",
    re.VERBOSE | re.MULTILINE,
)
_FIRST_DECORATIONS = {"": 0, "'": 1, "?": 2, "!": 3}


class Names:
    def __init__(self, paragraphs: Iterable[Paragraph]) -> None:
        found: dict[str, None] = {}
        for each in sorted(paragraphs, key=lambda paragraph: paragraph.at.offset):
            text = each.at.source.text[each.at.offset : each.at.end]
            found.update(dict.fromkeys(_TOKEN.findall(text)))
        first = [*rows(), *WORDS]
        self._ranks = {name: rank for rank, name in enumerate(dict.fromkeys([*first, *found]))}
        self._parts: dict[str, tuple[str, str]] = {}

    def add(self, name: Identifier) -> str:
        """The text of a name, whose parts are known from now on."""
        text = name.text
        self._parts[text] = name.base, name.decoration
        return text

    def decorated(self, text: str, decoration: str) -> str:
        if not decoration:
            return text
        base, before = self.parts(text)
        after = before + decoration
        self._parts[base + after] = base, after
        return base + after

    def parts(self, text: str) -> tuple[str, str]:
        """The base and the decoration."""
        return self._parts.get(text, (text, ""))

    def in_order(self, types: Mapping[str, Type]) -> tuple[Component, ...]:
        return tuple([Component(name, types[name]) for name in sorted(types, key=self._key)])

    def _key(self, text: str) -> tuple[int, int]:
        base, decoration = self.parts(text)
        rank = _FIRST_DECORATIONS.get(decoration)
        return len(_FIRST_DECORATIONS) + self._rank(decoration) if rank is None else rank, self._rank(base)

    def _rank(self, token: str) -> int:
        """What the text does not have (double decorations that result from decorating) comes last, as it is made."""
        return self._ranks.setdefault(token, len(self._ranks))
