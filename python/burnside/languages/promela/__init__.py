"""Promela, the language of Spin: from text to a resolved model with flow graphs.

The order of reading: `preprocess` (directives, macros, files; with `tokens`, `macros`, `conditions`), `semicolons` (words
and implied separators), `parser` (units; with `parse_statements`, `parse_declarations`, `parse_expressions`, and `names` for
what names stand for), `elements` (control with Spin's numbers), `graphs` (flow graphs as `pan -d` shows them). What comes
out is a `model.Model`, of `types`, `expressions`, `statements` and `flow`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from burnside.diagnostics import Source
from burnside.languages.promela.assembly import assembled
from burnside.languages.promela.expressions import Expression, Formula
from burnside.languages.promela.macros import Macro, MacroTable
from burnside.languages.promela.model import Model
from burnside.languages.promela.parser import Draft, Parser
from burnside.languages.promela.preprocess import preprocessed
from burnside.languages.promela.semicolons import with_semicolons
from burnside.languages.promela.sizes import Sizes
from burnside.languages.promela.tokens import tokens_of
from burnside.languages.shared.files import read_source
from burnside.records import record


@record(eq=False, repr=False)
class PromelaModel:
    """A resolved model, and what is needed to read expressions in its own words."""

    model: Model
    draft: Draft
    macros: Mapping[str, Macro]
    source: Source

    def condition(self, source: Source) -> Expression:
        """An expression over globals and remote references, as for an invariant. Macros of the model are known."""
        return self._parser(source).lone_expression()

    def formula(self, source: Source) -> Formula:
        """A formula as within `ltl { ... }`."""
        return self._parser(source).lone_formula()

    def _parser(self, source: Source) -> Parser:
        tokens = MacroTable(macros=self.macros).expanded(tokens_of(source))
        parser = Parser(source, with_semicolons(tokens))
        parser.names = self.draft.names
        return parser


def read_model(path: Path, sizes: Mapping[str, int] | None = None) -> PromelaModel:
    return load(read_source(path), path.parent, path.stem, sizes)


def load(
    source: Source,
    folder: Path | None = None,
    name: str | None = None,
    sizes: Mapping[str, int] | None = None,
) -> PromelaModel:
    """`folder`: where included files may be; None where the text is no file. `sizes` override macros that are numbers."""
    given = Sizes(sizes)
    tokens, table = preprocessed(source, folder, given)
    if (spelled := given.spelled(source.name)) is not None:
        tokens, table = preprocessed(source, folder, Sizes(spelled))
    draft = Parser(source, with_semicolons(tokens)).model()
    return PromelaModel(assembled(draft, name or Path(source.name).stem), draft, table.macros, source)
