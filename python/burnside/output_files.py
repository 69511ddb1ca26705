"""Output files appear whole or not at all.

In: a path and its new content, or none. Out: the file, or no file. The content goes to a temporary file in the same folder,
which then takes the name: readers see the old file or the new one, and a failure leaves nothing behind.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from burnside.diagnostics import Diagnostic, UsageError


def write_atomically(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write or replace a file; UsageError where that is not possible."""
    data = content.encode() if isinstance(content, str) else content
    try:
        _write(Path(path), data)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL character
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(Diagnostic(f"cannot write: {reason}", source=os.fspath(path))) from None


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


def _write(path: Path, data: bytes) -> None:
    # A link stays a link: what it points to is replaced.
    target = path.resolve()
    if target.exists() and not target.is_file() and not target.is_dir():
        # Devices and pipes (/dev/stdout, /dev/null) are written to, never replaced.
        target.write_bytes(data)
        return
    if target.is_dir():
        raise IsADirectoryError(None, "it is a folder")
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    if target.exists():
        _check_unprotected(target)
    _replace(target, data, mode)


def _check_unprotected(target: Path) -> None:
    """Replacing and removing need only the folder's permission; a file that was made read-only is still respected."""
    if not os.access(target, os.W_OK):
        raise PermissionError(None, "it is write-protected")


def _replace(target: Path, data: bytes, mode: int) -> None:
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:40]}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        Path(name).chmod(mode)
        Path(name).replace(target)
    except BaseException:  # an interrupt must not leave the temporary file either
        with suppress(OSError):
            Path(name).unlink()
        raise


def _umask() -> int:
    """What the system would take away from a new file's mode (it can be read only by setting it)."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
