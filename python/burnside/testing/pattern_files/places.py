"""Places in a TOML text, which Python's reader does not tell.

In: a text that is valid TOML. Out: `Places`: for each key and each value, by its path (names of keys, numbers in lists), the
offset and length of what is written. As the text is known to be valid, only its structure is looked at: strings, brackets,
comments, headers.
"""

from __future__ import annotations

import re
import tomllib

from burnside.records import record

Path = tuple[str | int, ...]

SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
BLANKS = re.compile(r"[ \t]*")
STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|' r"'''.*?'{3,5}|" r'"(?:[^"\\\n]|\\.)*"|' r"'[^'\n]*'",
    re.DOTALL,
)
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
OTHER = re.compile(r"[^,\]}#\n]*")
"""Numbers, dates and booleans."""


@record
class Place:
    offset: int
    length: int


class Places:
    """`keys`: of keys, headers of tables included. `values`: of values; a table with a header has the place of that."""

    def __init__(self, text: str) -> None:
        self.keys: dict[Path, Place] = {}
        self.values: dict[Path, Place] = {}
        self._text = text
        self._at = 0
        self._tables: dict[Path, int] = {}
        """By array of tables with headers: how many there are so far."""
        self._read()

    def _read(self) -> None:
        table: Path = ()
        while self._skip(SPACE) < len(self._text):
            if self._text[self._at] == "[":
                table = self._header()
            else:
                self._pair(table)

    def _header(self) -> Path:
        is_array = self._text.startswith("[[", self._at)
        self._at += 1 + is_array
        names, place = self._key()
        self._at = self._text.index("]", self._at) + 1 + is_array
        path = self._path((), names)
        for size in range(1, len(path)):
            self._note(path[:size], place)
        if is_array:
            number = self._tables.get(path, 0)
            self._tables[path] = number + 1
            self._note(path, place)
            path = (*path, number)
        self._note(path, place)
        return path

    def _path(self, table: Path, names: list[str]) -> Path:
        """Names that go through an array of tables mean its last table so far."""
        path = table
        for at, name in enumerate(names):
            path = (*path, name)
            if path in self._tables and at < len(names) - 1:
                path = (*path, self._tables[path] - 1)
        return path

    def _note(self, path: Path, place: Place) -> None:
        self.keys.setdefault(path, place)
        self.values.setdefault(path, place)

    def _pair(self, table: Path) -> None:
        names, place = self._key()
        self._skip(BLANKS)
        self._at += 1
        self._skip(BLANKS)
        path = self._path(table, names)
        for size in range(len(table) + 1, len(path)):
            self._note(path[:size], place)
        self.keys[path] = place
        self._value(path)

    def _key(self) -> tuple[list[str], Place]:
        """A key with dots."""
        start = self._skip(BLANKS)
        names: list[str] = []
        while True:
            self._skip(BLANKS)
            found = STRING.match(self._text, self._at) or BARE_KEY.match(self._text, self._at)
            assert found is not None, "the text is valid TOML"
            names.append(next(iter(tomllib.loads(f"{found[0]} = 0"))))
            end = self._at = found.end()
            self._skip(BLANKS)
            if not self._text.startswith(".", self._at):
                return names, Place(start, end - start)
            self._at += 1

    def _value(self, path: Path) -> None:
        start = self._at
        string = STRING.match(self._text, start)
        if string is not None:
            self._at = string.end()
        elif self._text[start] == "[":
            self._list(path)
        elif self._text[start] == "{":
            self._inline_table(path)
        else:
            found = OTHER.match(self._text, start)
            self._at = start + len(found[0].rstrip()) if found else start
        self.values[path] = Place(start, self._at - start)

    def _list(self, path: Path) -> None:
        self._at += 1
        number = 0
        while self._text[self._skip(SPACE)] != "]":
            self._value((*path, number))
            number += 1
            if self._text[self._skip(SPACE)] == ",":
                self._at += 1
        self._at += 1

    def _inline_table(self, path: Path) -> None:
        self._at += 1
        while self._text[self._skip(SPACE)] != "}":
            self._pair(path)
            if self._text[self._skip(SPACE)] == ",":
                self._at += 1
        self._at += 1

    def _skip(self, what: re.Pattern[str]) -> int:
        found = what.match(self._text, self._at)
        if found is not None:
            self._at = found.end()
        return self._at
