"""The languages burnside reads. In: a path, maybe the name of a language. Out: a `Model`.

To add one: a folder beside this file whose `read` takes a path and options, and a line in `LANGUAGES`. Readers are
imported only when a file asks for them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from burnside.diagnostics import Diagnostic, UsageError
from burnside.languages.options import ReadOptions
from burnside.languages.shared.files import check_readable
from burnside.model import DeferredFormula, ExpressionReader, FormulaText, Model, Subject
from burnside.net import Net
from burnside.records import record, replace

if TYPE_CHECKING:
    from burnside.languages.promela.reading import LoweredModel
    from burnside.temporal.reading import TemporalProperty

DEFAULT_OPTIONS = ReadOptions()


@record
class Language:
    """What its files are called, who reads them, and whether a deadlock is an error by habit."""

    name: str
    extensions: tuple[str, ...]
    read: Reader
    deadlock_is_error: bool

    def model(
        self,
        path: Path,
        subject: Subject,
        expressions: ExpressionReader | None = None,
        notes: tuple[str, ...] = (),
        formulas: tuple[FormulaText | TemporalProperty | DeferredFormula, ...] = (),
    ) -> Model:
        """What was read from a file of this language."""
        habit = self.deadlock_is_error
        return Model(subject, os.fspath(path), self.name, habit, expressions, notes, formulas)


Reader = Callable[[Language, Path, ReadOptions], Model]


def _lola(language: Language, path: Path, options: ReadOptions) -> Model:
    from burnside.languages import lola

    options.refuse()
    net = lola.read(path)
    _refuse_sizes(path, options, "a place/transition net has no sorts and no constants")
    return language.model(path, net)


def _pnml(language: Language, path: Path, options: ReadOptions) -> Model:
    from burnside.languages import pnml

    options.refuse()
    net, notes = pnml.read(path)
    if isinstance(net, Net):
        _refuse_sizes(path, options, "a place/transition net has no sorts and no constants")
        return language.model(path, net)
    _refuse_sizes(path, options, "the sorts of a PNML file have the constants that it lists")
    # Conditions over a high-level net are read alike, whatever language it is from.
    from burnside.languages.hln.conditions import ConditionReader

    return language.model(path, net, ConditionReader(net), notes)


def _refuse_sizes(path: Path, options: ReadOptions, hint: str) -> None:
    for name in options.sizes:
        message = f"nothing in {os.fspath(path)} has the size {name!r}"
        raise UsageError(Diagnostic(message, source="--size", hint=hint))


def _murphi(language: Language, path: Path, options: ReadOptions) -> Model:
    from burnside.languages import murphi

    options.refuse()
    found = murphi.read_model(path, options.sizes)
    return language.model(path, found.program, found, formulas=found.formulas)


def _b(language: Language, path: Path, options: ReadOptions) -> Model:
    from burnside.languages import b

    options.refuse(folders=False)
    found = b.read_model(path, options.sizes, allow_path=options.folders)
    return language.model(path, found.machine, found, found.notes, found.formulas)


def _z(language: Language, path: Path, options: ReadOptions) -> Model:
    from burnside.languages.z import reading as z

    options.refuse(roles=False)
    roles = z.AskedRoles(options.state, options.start, options.promote)
    found = z.read_model(path, options.sizes, roles)
    return language.model(path, found.machine, found, found.notes)


def _hln(language: Language, path: Path, options: ReadOptions) -> Model:
    from burnside.languages import hln

    options.refuse()
    found = hln.read_model(path, options.sizes)
    return language.model(path, found.net, found.expressions)


def _promela(language: Language, path: Path, options: ReadOptions) -> Model:
    from burnside.languages.promela.reading import read_promela

    options.refuse(symmetric=False)
    found = read_promela(path, options.sizes)
    return _laid_out(language, path, found.declaring(options.symmetric) if options.symmetric else found)


def _laid_out(language: Language, path: Path, found: LoweredModel) -> Model:
    found = found.with_room_for_promises()
    model = language.model(path, found.program, found, found.notes, found.formulas)
    model = replace(model, cycles=found.cycles, is_crowded=found.is_crowded)
    if not found.is_guess:
        return model
    return replace(model, larger=lambda: _laid_out(language, path, found.larger()))


LANGUAGES = {
    language.name: language
    for language in (
        Language("pnml", (".pnml",), _pnml, deadlock_is_error=False),
        Language("lola", (".lola",), _lola, deadlock_is_error=False),
        Language("hln", (".hln",), _hln, deadlock_is_error=False),
        Language("murphi", (".m",), _murphi, deadlock_is_error=True),
        Language("b", (".mch", ".ref", ".imp", ".sys", ".mod"), _b, deadlock_is_error=True),
        Language("z", (".tex", ".zed", ".zsl"), _z, deadlock_is_error=True),
        Language("promela", (".pml", ".prom", ".prm", ".pr", ".p"), _promela, deadlock_is_error=True),
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


def read(path: str | os.PathLike[str], language: str | None = None) -> Subject:
    """What a file says. Raises nothing but what `diagnostics` defines."""
    return load(path, language).subject


def load(
    path: str | os.PathLike[str], language: str | None = None, options: ReadOptions = DEFAULT_OPTIONS
) -> Model:
    """As `read`, with options, and with what is needed to ask more about it."""
    file = Path(path)
    check_readable(file)
    chosen = language_of(file, language)
    return chosen.read(chosen, file, options)
