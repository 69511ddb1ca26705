"""The preprocessor: directives, macros, included files.

In: the source of a model, and the folder that it may include files from. Out: tokens without directives, macros expanded,
each with its place in the file that the user wrote; ends of lines are still among them (`semicolons` needs them).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from burnside.diagnostics import InputError, Source, UnsupportedError
from burnside.languages.promela.conditions import truth
from burnside.languages.promela.macros import MacroTable, place, refused
from burnside.languages.promela.sizes import Sizes
from burnside.languages.promela.tokens import tokens_of
from burnside.languages.shared.files import read_source
from burnside.languages.shared.lexer import Token
from burnside.records import record

MAX_INCLUDES = 16
"""Files within files."""
CONDITIONALS = ("if", "ifdef", "ifndef", "elif", "else", "endif")
IGNORED = ("line", "pragma", "ident", "warning")


def preprocessed(
    source: Source, folder: Path | None, sizes: Sizes | None = None
) -> tuple[list[Token], MacroTable]:
    """Tokens, the last of which is a `newline`, and the macros at the end of the text. `folder` is the one of the model;
    None where the text is no file."""
    end = Token("newline", "\n", len(source.text), 1, source)
    preprocessor = Preprocessor(folder, sizes)
    return [*preprocessor.file(source, folder, ()), end], preprocessor.table


@record(frozen=False, eq=False, repr=False)
class Group:
    """An `#if` that is not closed yet."""

    opening: Token
    is_read: bool
    """The part that is being read is taken."""
    was_read: bool
    """Some part was taken."""
    has_else: bool = False


class Preprocessor:
    def __init__(self, folder: Path | None, sizes: Sizes | None = None) -> None:
        self.root = folder.resolve() if folder is not None else None
        self.table = MacroTable(sizes)

    def file(self, source: Source, folder: Path | None, within: tuple[str, ...]) -> list[Token]:
        """`within` are the files that include this one."""
        result: list[Token] = []
        pending: list[Token] = []
        groups: list[Group] = []
        for line in lines_of(tokens_of(source)):
            if line[0].text != "#" or line[0].kind != "symbol":
                if all(group.is_read for group in groups):
                    # Arguments of a macro may go over several lines: expanded once a directive or the end comes.
                    pending += line
                continue
            tokens = [token for token in line[1:] if token.kind not in ("newline", "comment")]
            word = tokens[0].text if tokens else ""
            if word in CONDITIONALS:
                result += self.table.expanded(pending)
                pending = []
                self.conditional(word, line[0], tokens, groups)
            elif all(group.is_read for group in groups):
                result += self.table.expanded(pending)
                pending = []
                result += self.directive(word, line[0], tokens, (source, folder, within))
        if groups:
            raise refused("this is not closed by '#endif'", groups[-1].opening)
        return result + self.table.expanded(pending)

    def conditional(self, word: str, at: Token, tokens: Sequence[Token], groups: list[Group]) -> None:
        if word in ("if", "ifdef", "ifndef"):
            outer = all(group.is_read for group in groups)
            holds = outer and self.test(word, at, tokens)
            groups.append(Group(at, holds, holds or not outer))
            return
        if not groups:
            raise refused(f"'#{word}' without an '#if'", at)
        group = groups[-1]
        if word == "endif":
            groups.pop()
            return
        if group.has_else:
            raise refused(f"'#{word}' behind '#else'", at)
        group.has_else = word == "else"
        if group.was_read:
            group.is_read = False
        else:
            group.is_read = group.was_read = word == "else" or self.test("if", at, tokens)

    def test(self, word: str, at: Token, tokens: Sequence[Token]) -> bool:
        if word == "if":
            return truth(tokens[1:], at, self.table)
        if len(tokens) < 2 or tokens[1].kind != "name":
            raise refused(f"'#{word}' needs the name of a macro", tokens[1] if len(tokens) > 1 else at)
        return (tokens[1].text in self.table.macros) == (word == "ifdef")

    def directive(
        self,
        word: str,
        at: Token,
        tokens: Sequence[Token],
        inside: tuple[Source, Path | None, tuple[str, ...]],
    ) -> list[Token]:
        if word == "define":
            self.table.define(tokens[1:], at)
        elif word == "undef":
            if len(tokens) < 2 or tokens[1].kind != "name":
                raise refused("'#undef' needs the name of a macro", at)
            self.table.macros.pop(tokens[1].text, None)
        elif word == "include":
            return self.include(at, tokens[1:], *inside)
        elif word == "error":
            raise refused(f"#error: {' '.join(token.text for token in tokens[1:])}", at)
        elif tokens and word not in IGNORED and tokens[0].kind != "number":
            raise refused(f"there is no directive '#{word}'", tokens[0])
        return []

    def include(
        self, at: Token, tokens: Sequence[Token], source: Source, folder: Path | None, within: tuple[str, ...]
    ) -> list[Token]:
        if not tokens or tokens[0].kind != "string":
            message = "'#include' without a file name in quotes is not supported"
            raise UnsupportedError(place(tokens[0] if tokens else at).diagnostic(message))
        named = tokens[0]
        if folder is None or self.root is None:
            raise refused("a text that is no file cannot include one", named)
        try:
            path = (folder / named.text).resolve()
            is_inside = path.is_relative_to(self.root)
        except (OSError, ValueError, RuntimeError):
            raise refused("this is no file name", named) from None
        if not is_inside:
            hint = "files are included from the folder of the model and the folders in it"
            raise refused("this file is outside the folder of the model", named, hint)
        if len(within) >= MAX_INCLUDES:
            hint = "does a file include itself?"
            raise refused(f"files include each other more than {MAX_INCLUDES} deep", named, hint)
        if not path.is_file():
            raise refused(f"there is no file '{named.text}' in the folder of the model", named)
        relative = str(path.relative_to(self.root))
        try:
            found = read_source(path)
        except InputError as error:
            raise refused(f"'{named.text}': {error.diagnostic.message}", named) from None
        included = Source(found.name, found.text, relative)
        self.table.spend(1 + len(included.text) // 64, named)
        return self.file(included, path.parent, (*within, source.name))


def lines_of(tokens: Sequence[Token]) -> list[list[Token]]:
    """Each with the `newline` that ends it."""
    lines: list[list[Token]] = [[]]
    for token in tokens:
        lines[-1].append(token)
        if token.kind == "newline":
            lines.append([])
    return lines[:-1]
