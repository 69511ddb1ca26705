"""The build backend: maturin, with libclang found for bindgen.

The crate `nauty-Traces-sys` generates its bindings with bindgen, which loads libclang at build time. So that
`pip install .` needs nothing but Python, cargo and a C compiler, the wheel `libclang` is a build requirement; this
module points bindgen at it and hands everything else to maturin.

Run as a script it prints the two variables for a shell: `eval "$(python build_backend/backend.py)"`.
"""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path


def clang_environment() -> dict[str, str]:
    """The variables bindgen needs; empty where the user has set LIBCLANG_PATH or the wheel is absent."""
    if "LIBCLANG_PATH" in os.environ:
        return {}
    try:
        import clang
    except ImportError:
        return {}
    found = {"LIBCLANG_PATH": str(Path(clang.__path__[0]) / "native")}
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler and "BINDGEN_EXTRA_CLANG_ARGS" not in os.environ:
        # The wheel has the library without its headers: stddef.h comes from the C compiler.
        include = subprocess.run(
            [compiler, "-print-file-name=include"], capture_output=True, text=True, check=True
        ).stdout.strip()
        found["BINDGEN_EXTRA_CLANG_ARGS"] = f'-isystem "{include}"'
    return found


if __name__ == "__main__":
    for name, value in clang_environment().items():
        sys.stdout.write(f"export {name}={shlex.quote(value)}\n")
else:
    os.environ.update(clang_environment())
    from maturin import *  # noqa: F403
