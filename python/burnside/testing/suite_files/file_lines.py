"""Lines of a file that is too large to be in memory at once.

In: a path. Out: its lines one by one, decoded, and diagnostics that point into the current one. Files are UTF-8, with or
without a byte order mark; lines end with a line feed, before which a carriage return is dropped.
"""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import BinaryIO

from burnside.diagnostics import Diagnostic, InputError, Span
from burnside.languages.shared.files import unreadable

MAX_LINE_BYTES = 1 << 26
"""A longer line is an error: a file without line feeds must not fill the memory."""


class FileLines:
    """`number`: of the current line, from 1. `text`: the current line, without its end. `is_ended`: it has one."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._name = str(path)
        self.number = 0
        self.text = ""
        self.is_ended = True
        try:
            if path.is_dir():
                raise InputError(Diagnostic("this is a directory, not a test suite", self._name))
            self._file: BinaryIO = path.open("rb")
        except OSError as error:
            raise unreadable(path, error) from None
        except ValueError:  # a NUL character
            raise InputError(Diagnostic("this is no file name", repr(self._name))) from None

    def close(self) -> None:
        self._file.close()

    def next(self) -> str | None:
        """The next line; None at the end of the file. The current line stays the last one then."""
        try:
            line = self._file.readline(MAX_LINE_BYTES + 1)
        except OSError as error:
            raise unreadable(self._path, error) from None
        if not line:
            return None
        self.number += 1
        self.is_ended = line.endswith(b"\n")
        if len(line) > MAX_LINE_BYTES:
            self.text = ""
            raise self.error(f"a line of more than {MAX_LINE_BYTES:,} bytes", 0)
        line = line.removesuffix(b"\n").removesuffix(b"\r")
        if self.number == 1:
            line = line.removeprefix(codecs.BOM_UTF8)
        try:
            self.text = line.decode()
        except UnicodeDecodeError as error:
            self.text = line.decode(errors="replace")
            before = line[: error.start].decode()
            raise self.error(
                f"byte 0x{line[error.start]:02x} is no UTF-8: a suite file is a text in UTF-8", len(before)
            ) from None
        return self.text

    def error(self, message: str, offset: int, length: int = 1, hint: str | None = None) -> InputError:
        """One that points into the current line, `offset` characters after its beginning."""
        return InputError(self.diagnostic(message, offset, length, hint))

    def diagnostic(self, message: str, offset: int, length: int = 1, hint: str | None = None) -> Diagnostic:
        return Diagnostic(message, self._name, Span(max(self.number, 1), offset + 1, length), self.text, hint)

    def end_error(self, message: str, hint: str | None = None) -> InputError:
        """One that points behind the last line that was read."""
        return self.error(message, len(self.text), 1, hint)
