"""The files of a model: machines that name each other, definition files. In: what a clause says. Out: a path that may be
read, or a diagnostic at the clause.

A model may read files in its own folder, or below it, and in the folders that the user allows. A name that leads
elsewhere, also through a link, is refused before anything is asked about the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from burnside.diagnostics import BurnsideError, InputError, Source
from burnside.languages.shared.files import read_source
from burnside.languages.shared.spans import Extent

EXTENSIONS = (".mch", ".ref", ".imp", ".sys")


class Reach:
    def __init__(self, model: Path, allow_path: Sequence[Path] = ()) -> None:
        self.model = model
        self.roots = (model.parent, *allow_path)
        self.resolved = tuple(root for each in self.roots if (root := _resolved(each)) is not None)
        self.files: list[Path] = [model]

    def machine_file(self, name: str, at: Extent, said: str | None = None) -> Path:
        """Of a machine by name, or by the file that a pragma beside the name says."""
        names = (said,) if said is not None else tuple(name + extension for extension in EXTENSIONS)
        found = self._first(names, at)
        if found is None:
            message = f"there is no file {_either(names)} for the machine '{name}'"
            raise InputError(at.diagnostic(message, self._hint()))
        return found

    def definition_file(self, name: str, at: Extent) -> Path | None:
        return self._first((name,), at)

    def read(self, path: Path, at: Extent) -> Source:
        try:
            source = read_source(path)
        except BurnsideError as error:
            if error.diagnostic.span is not None:
                raise
            raise InputError(at.diagnostic(f"{path}: {error.diagnostic.message}")) from None
        if path not in self.files:
            self.files.append(path)
        return Source(source.name, source.text, source.name)

    def _first(self, names: Sequence[str], at: Extent) -> Path | None:
        allowed = False
        for path in self._candidates(names, Path(at.source.name).parent):
            resolved = _resolved(path)
            if resolved is None or not any(resolved.is_relative_to(root) for root in self.resolved):
                continue
            allowed = True
            if _is_file(path):
                return path
        if not allowed:
            message = f"'{names[0]}' is outside the model's folder"
            raise InputError(at.diagnostic(message, "allow another folder with --allow-path"))
        return None

    def _candidates(self, names: Sequence[str], beside: Path) -> Iterator[Path]:
        seen: set[Path] = set()
        for folder in (beside, *self.roots):
            for name in names:
                path = folder / name
                if path not in seen:
                    seen.add(path)
                    yield path

    def _hint(self) -> str:
        return f"looked in {', '.join(str(root) for root in self.roots)}; --allow-path adds another folder"


def _resolved(path: Path) -> Path | None:
    """Without links and dots; None for what is no path at all."""
    try:
        return path.resolve()
    except (OSError, ValueError, RuntimeError):
        return None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _either(names: Sequence[str]) -> str:
    return " or ".join(f"'{name}'" for name in names[:2])
