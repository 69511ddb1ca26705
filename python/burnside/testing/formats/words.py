"""Lines of words, each with its place: what the formats of plain lines share.

In: a text and the expression of its words. Out: for each line that is not empty, its words with their offsets. Lines
end with a line feed only, since names may hold the other characters that Unicode ends lines with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from burnside.diagnostics import InputError, Source

NUMBER = re.compile(r"[0-9]{1,9}")
Word = tuple[str, int]
"""A word and its offset."""
Line = list[Word]


def lines_of_words(source: Source, word: re.Pattern[str], comment: str | None = None) -> Iterator[Line]:
    """`comment`: what a comment begins with, which goes to the end of its line."""
    offset = 0
    for line in source.text.split("\n"):
        text = line if comment is None else line.partition(comment)[0]
        words = words_of(text, offset, word)
        if words:
            yield words
        offset += len(line) + 1


def words_of(line: str, offset: int, word: re.Pattern[str]) -> Line:
    return [(found[0], offset + found.start()) for found in word.finditer(line)]


class Lines:
    """Some lines of a text, without those that are empty. Their words, which need far more room, are looked for whenever
    they are asked for."""

    def __init__(self, word: re.Pattern[str], texts: Sequence[Word]) -> None:
        self._word, self._texts = word, texts

    @classmethod
    def of(cls, source: Source, word: re.Pattern[str]) -> Lines:
        offset, texts = 0, list[Word]()
        for line in source.text.split("\n"):
            if not line.isspace() and line:
                texts.append((line, offset))
            offset += len(line) + 1
        return cls(word, texts)

    def __len__(self) -> int:
        return len(self._texts)

    def __iter__(self) -> Iterator[Line]:
        return (words_of(text, offset, self._word) for text, offset in self._texts)

    def __getitem__(self, part: slice) -> Lines:
        return Lines(self._word, self._texts[part])

    def beginning_with(self, text: str) -> list[int]:
        """Numbers of the lines with this first word."""
        return [
            number
            for number, (line, _) in enumerate(self._texts)
            if text in line and self._word.search(line)[0] == text  # type: ignore[index]
        ]


def error_at(source: Source, message: str, word: Word, hint: str | None = None) -> InputError:
    return InputError(source.diagnostic(message, word[1], max(1, len(word[0])), hint))


def number_of(source: Source, word: Word) -> int:
    if NUMBER.fullmatch(word[0]) is None:
        raise error_at(source, "expected a number from 0 to 999999999", word)
    return int(word[0])
