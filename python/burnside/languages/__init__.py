"""The languages burnside reads. In: a path, maybe the name of a language. Out: a net.

To add one: a folder beside this file whose `read` takes a path, and a line in `LANGUAGES`. Readers are
imported only when a file asks for them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import cast

from burnside.diagnostics import Diagnostic, UsageError
from burnside.languages.files import check_readable
from burnside.net import Net

Reader = Callable[[Path], Net]


@dataclass(frozen=True, slots=True)
class Language:
    """What its files are called, who reads them, and whether a deadlock is an error by habit."""

    name: str
    extensions: tuple[str, ...]
    read: Reader
    deadlock_is_error: bool


def _lazily(module: str) -> Reader:
    def read(path: Path) -> Net:
        return cast(Reader, import_module(f"{__name__}.{module}").read)(path)

    return read


LANGUAGES = {
    language.name: language
    for language in (
        Language("pnml", (".pnml",), _lazily("pnml"), deadlock_is_error=False),
        Language("lola", (".lola",), _lazily("lola"), deadlock_is_error=False),
    )
}

BY_EXTENSION = {extension: language for language in LANGUAGES.values() for extension in language.extensions}


def language_of(path: Path, name: str | None = None) -> Language:
    """The language asked for by name, else the one the extension stands for."""
    if name is not None:
        if name not in LANGUAGES:
            hint = f"known: {', '.join(LANGUAGES)}"
            raise UsageError(Diagnostic(f"no language is called '{name}'", hint=hint))
        return LANGUAGES[name]
    extension = path.suffix.lower()
    if extension not in BY_EXTENSION:
        problem = f"extension '{extension}' is not known" if extension else "the file has no extension"
        hint = f"known: {', '.join(BY_EXTENSION)}; or name the language with --language"
        raise UsageError(Diagnostic(f"{problem}: which language is this?", str(path), hint=hint))
    return BY_EXTENSION[extension]


def read(path: str | os.PathLike[str], language: str | None = None) -> Net:
    """Read a model. Raises nothing but what `diagnostics` defines."""
    file = Path(path)
    check_readable(file)
    return language_of(file, language).read(file)
