"""Values of a TOML file that know where they stand.

In: a source. Out: a `Node` for the whole file; its parts are nodes. What is asked of a node (a text, a list, a table with
certain keys) it gives, or raises an `InputError` with file, line, column and what was expected.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cached_property

from burnside.diagnostics import BurnsideError, InputError, Source
from burnside.testing.pattern_files.places import Path, Place, Places
from burnside.testing.suggestions import did_you_mean, known_names

AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
MAX_BYTES = 50_000_000
"""Of a file: it is read as a whole, into many small objects."""
MAX_NUMBER = 2**63 - 1
PART = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*"|'[^'\n]*')"""
LONG_KEY = re.compile(rf"(?:^|[\[{{,])[ \t]*({PART}(?:[ \t]*\.[ \t]*{PART}){{20,}})", re.MULTILINE)
"""Python's reader needs room for all beginnings of a key."""
TOO_LARGE = "this number is too large"
LONG_NUMBER = re.compile(r"[0-9][0-9_]{4000,}")
"""Python's reader takes more digits for an error of its own."""


class Document:
    def __init__(self, source: Source) -> None:
        self.source = source
        if len(source.text) > MAX_BYTES:
            message = f"pattern files of more than {MAX_BYTES:,} characters are not read"
            hint = 'put the template into a file of its own: template = "template.aut"'
            raise InputError(source.diagnostic(message, 0, hint=hint))
        found = LONG_KEY.search(source.text)
        if found is not None:
            raise InputError(source.diagnostic("this key has too many parts", found.start(1)))
        try:
            self.data = tomllib.loads(source.text)
        except tomllib.TOMLDecodeError as error:
            raise _not_toml(source, str(error)) from None
        except RecursionError:
            raise InputError(source.diagnostic("lists or tables are nested too deeply", 0)) from None
        except ValueError:
            found = LONG_NUMBER.search(source.text)
            at = 0 if found is None else found.start()
            raise InputError(source.diagnostic(TOO_LARGE, at)) from None

    @cached_property
    def places(self) -> Places:
        """Only errors need them."""
        return Places(self.source.text)

    def node(self) -> Node:
        return Node(self, (), self.data)

    def error(
        self, place: Place, message: str, hint: str | None, kind: type[BurnsideError] = InputError
    ) -> BurnsideError:
        end = self.source.text.find("\n", place.offset)
        room = (len(self.source.text) if end < 0 else end) - place.offset
        length = max(1, min(place.length, room))
        return kind(self.source.diagnostic(message, place.offset, length, hint))


def _not_toml(source: Source, message: str) -> InputError:
    found = AT.search(message)
    offset = len(source.text)
    if found is not None and found[1] is not None:
        offset = source.line_starts[int(found[1]) - 1] + int(found[2]) - 1
    text = AT.sub("", message)
    return InputError(
        source.diagnostic(
            f"this is not TOML: {text[:1].lower()}{text[1:]}", offset, hint="see https://toml.io"
        )
    )


class Node:
    """`value`: as Python's reader gives it."""

    def __init__(self, document: Document, path: Path, value: object) -> None:
        self._document, self._path, self.value = document, path, value

    @property
    def source(self) -> Source:
        return self._document.source

    @property
    def is_text(self) -> bool:
        return isinstance(self.value, str)

    @property
    def is_list(self) -> bool:
        return isinstance(self.value, list)

    def error(
        self, message: str, hint: str | None = None, kind: type[BurnsideError] = InputError
    ) -> BurnsideError:
        """At the value."""
        return self._document.error(self._place(self._path), message, hint, kind)

    def key_error(self, key: str, message: str, hint: str | None = None) -> BurnsideError:
        """At one of the keys of a table."""
        path = (*self._path, key)
        return self._document.error(
            self._document.places.keys.get(path) or self._place(self._path), message, hint
        )

    def _place(self, path: Path) -> Place:
        """A table that is only ever mentioned in dotted keys stands where the first of them does; the file as a whole at
        its beginning."""
        found = self._document.places.values.get(path)
        return Place(0, 1) if found is None else found

    # Kinds of values

    def table(self, required: Sequence[str], optional: Sequence[str] = ()) -> Node:
        """Itself, if it is a table with these keys and no others."""
        keys = self.keys()
        known = (*required, *optional)
        for key in keys:
            if key not in known:
                hint = did_you_mean(key, known) or f"keys here are {', '.join(known)}"
                raise self.key_error(key, f"the key {key!r} is not known", hint)
        for key in required:
            if key not in keys:
                raise self.error(f"the key {key!r} is missing", f"keys here are {', '.join(known)}")
        return self

    def keys(self) -> Sequence[str]:
        if not isinstance(self.value, dict):
            raise self.error("expected a table: { key = value, ... }")
        return list(self.value)

    def __contains__(self, key: str) -> bool:
        return isinstance(self.value, dict) and key in self.value

    def __getitem__(self, key: str) -> Node:
        assert isinstance(self.value, dict)
        return Node(self._document, (*self._path, key), self.value[key])

    def get(self, key: str) -> Node | None:
        return self[key] if key in self else None  # noqa: SIM401

    def items(self) -> Iterator[tuple[str, Node]]:
        for key in self.keys():
            yield key, self[key]

    def elements(self) -> Sequence[Node]:
        if not isinstance(self.value, list):
            raise self.error("expected a list: [ ... ]")
        return [Node(self._document, (*self._path, at), each) for at, each in enumerate(self.value)]

    def text(self) -> str:
        """Whole numbers count as texts: names of states and indices often are."""
        if isinstance(self.value, bool) or not isinstance(self.value, str | int):
            raise self.error('expected a text: "..."')
        return str(self.value if isinstance(self.value, str) else self.number())

    def one_of(self, known: Sequence[str], what: str) -> str:
        found = self.text()
        if found not in known:
            raise self.error(f"there is no {what} {found!r}", known_names(found, known))
        return found

    def texts(self) -> Sequence[str]:
        return [each.text() for each in self.elements()]

    def number(self) -> int:
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            raise self.error("expected a whole number")
        if abs(self.value) > MAX_NUMBER:
            raise self.error(TOO_LARGE)
        return self.value

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.error("expected true or false")
        return self.value

    def distinct_texts(self) -> Sequence[str]:
        seen: set[str] = set()
        for each in self.elements():
            if each.text() in seen:
                raise each.error(f"{each.text()!r} stands here twice")
            seen.add(each.text())
        return self.texts()
