"""Where results go: checks of output files before any work is done for them, and standard output.

In: the path of an option, or a function that prints. Out: nothing, or a `UsageError`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence

from burnside.diagnostics import Diagnostic, UsageError


def extension_of(path: str) -> str:
    from pathlib import Path

    return Path(path).suffix.lstrip(".").lower()


def check_writable(path: str, option: str, extensions: Sequence[str] = ()) -> None:
    """Refuse an output before any work is done for it."""
    problem = _unwritable(path)
    if extensions and extension_of(path) not in extensions:
        problem = "unknown extension, expected " + " or ".join(f".{extension}" for extension in extensions)
    if problem is not None:
        raise UsageError(Diagnostic(f"{path}: {problem}", source=option))


def _unwritable(path: str) -> str | None:
    """Why a file cannot be written there; None where nothing speaks against it."""
    from pathlib import Path

    folder = Path(path).parent
    if "\0" in path or not Path(path).name:
        return "this is no file name"
    if Path(path).is_dir():
        return "this is a directory"
    if not folder.is_dir():
        return "there is no such directory"
    if not os.access(folder, os.W_OK | os.X_OK):
        return "the directory may not be written (permission denied)"
    return None


def write_output(write: Callable[[], object]) -> None:
    """Standard output, all at once; a reader that has left (`| head`) changes nothing about the answer."""
    try:
        write()
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
    except OSError as error:
        _drop_output()
        raise UsageError(f"standard output cannot be written: {error.strerror}") from None


def _drop_output() -> None:
    """Discard what is still buffered: Python would try to write it again at exit, and print an error."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())
    os.close(devnull)
