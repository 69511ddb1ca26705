"""Output files appear whole or not at all.

In: a path and its new content, at once or piece by piece. Out: the file, or no file. The content goes to a temporary file in
the same folder, which then takes the name: readers see the old file or the new one, and a failure leaves nothing behind.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedRandom, FileIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from burnside.diagnostics import Diagnostic, UsageError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


def write_atomically(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write or replace a file; UsageError where that is not possible."""
    with writing_atomically(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def writing_atomically(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write to, which may also be read and written at other places. It takes its name at the end of the block, and
    vanishes if an exception or an interrupt ends the block. UsageError where it cannot be written; errors of the block
    itself stay what they are."""
    name = os.fspath(path)
    with _complaining(name):
        target = _target(Path(path))
    if target is None:
        # Devices and pipes (/dev/stdout, /dev/null) are written to, never replaced.
        with _complaining(name):
            descriptor, temporary = tempfile.mkstemp(suffix=".tmp")
            Path(temporary).unlink()
        with _opened(descriptor, name) as file:
            yield file
            file.seek(0)
            with _complaining(name), Path(path).open("wb", buffering=0) as device:
                shutil.copyfileobj(file, device)
        return
    with _complaining(name):
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
        descriptor, temporary = tempfile.mkstemp(
            prefix=f".{target.name[:40]}.", suffix=".tmp", dir=target.parent
        )
    try:
        with _opened(descriptor, name) as file:
            yield file
        with _complaining(name):
            Path(temporary).chmod(mode)
            Path(temporary).replace(target)
    except BaseException:  # an interrupt must not leave the temporary file either
        with suppress(OSError):
            Path(temporary).unlink()
        raise


def remove_file(path: str | os.PathLike[str]) -> bool:
    """Remove what `write_atomically` would replace; False where there is no such file. Devices and pipes stay."""
    try:
        target = Path(path).resolve()
        if not target.is_file():
            return False
        _check_unprotected(target)
        target.unlink()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(Diagnostic(f"cannot remove: {reason}", source=os.fspath(path))) from None
    return True


@contextmanager
def _complaining(name: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL character
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(Diagnostic(f"cannot write: {reason}", source=name)) from None


class _OutputFile(FileIO):
    """A file that complains in the words of the command line, for instance where a disk is full."""

    def __init__(self, descriptor: int, name: str) -> None:
        super().__init__(descriptor, "r+")
        self._shown = name

    def write(self, data: ReadableBuffer, /) -> int:
        with _complaining(self._shown):
            return super().write(data)


def _opened(descriptor: int, name: str) -> BufferedRandom:
    return BufferedRandom(_OutputFile(descriptor, name), buffer_size=1 << 16)


def _target(path: Path) -> Path | None:
    """The file that is replaced; None for devices and pipes. A link stays a link: what it points to is replaced."""
    target = path.resolve()
    if target.is_dir():
        raise IsADirectoryError(None, "it is a folder")
    if target.exists() and not target.is_file():
        return None
    if target.exists():
        _check_unprotected(target)
    return target


def _check_unprotected(target: Path) -> None:
    """Replacing and removing need only the folder's permission; a file that was made read-only is still respected."""
    if not os.access(target, os.W_OK):
        raise PermissionError(None, "it is write-protected")


def _umask() -> int:
    """What the system would take away from a new file's mode (it can be read only by setting it)."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
