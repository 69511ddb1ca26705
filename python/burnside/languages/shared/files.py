"""Reading model files, which may be absent, empty, a directory, in any encoding. In: a path. Out: text, or an InputError."""

from __future__ import annotations

import codecs
import stat
from itertools import islice
from pathlib import Path

from burnside.diagnostics import Diagnostic, InputError, Source

MAX_LINE_LENGTH = 100_000
"""A longer line is not shown with a diagnostic: it is no line that a person wrote."""

MAX_FILE_BYTES = 1 << 30
"""Bytes of a file that is read as a whole: a device or a pipe may have no end."""


def check_readable(path: Path) -> None:
    """Say what is wrong with the file itself before anything tries to read a model from it."""
    try:
        status = path.stat()
    except OSError as error:
        raise unreadable(path, error) from None
    except ValueError:
        raise InputError(Diagnostic("this is no file name", repr(str(path)))) from None
    if stat.S_ISDIR(status.st_mode):
        raise InputError(Diagnostic("this is a directory, not a model", str(path), hint=_model_inside(path)))
    if stat.S_ISREG(status.st_mode) and status.st_size == 0:
        raise InputError(Diagnostic("the file is empty", str(path)))


def unreadable(path: Path, error: OSError) -> InputError:
    reason = {
        FileNotFoundError: "there is no such file",
        IsADirectoryError: "this is a directory, not a model",
        PermissionError: "the file may not be read (permission denied)",
    }.get(type(error), f"the file cannot be read: {error.strerror or error}")
    return InputError(Diagnostic(reason, str(path)))


def read_source(path: Path) -> Source:
    """The whole file as text; UTF-8, with or without a byte order mark, else ISO-8859-1."""
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise unreadable(path, error) from None
    if len(data) > MAX_FILE_BYTES:
        raise InputError(Diagnostic(f"the file has more than {MAX_FILE_BYTES:,} bytes", str(path)))
    return Source(str(path), decoded(data))


def decoded(data: bytes) -> str:
    """Models are old: what is not UTF-8 is most likely ISO-8859-1, of which every byte is a character, so that columns stay
    right whatever it is."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.removeprefix(codecs.BOM_UTF8).decode("iso-8859-1")


def line_of_file(path: Path, number: int) -> str | None:
    """One line, fetched only once a diagnostic needs it; None where it is gone or too long to show."""
    try:
        with path.open("rb") as stream:
            for _ in islice(stream, number - 1):
                pass
            line = stream.readline(MAX_LINE_LENGTH)
    except OSError:
        return None
    if len(line) == MAX_LINE_LENGTH:
        return None
    return decoded(line)


def _model_inside(path: Path) -> str | None:
    try:
        return f"did you mean {path / 'model.pnml'}?" if (path / "model.pnml").is_file() else None
    except OSError:
        return None
