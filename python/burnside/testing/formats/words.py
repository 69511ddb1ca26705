"""Lines of words, each with its place: what the formats of plain lines share.

In: a text and the expression of its words. Out: for each line that is not empty, its words with their offsets. Lines
end with a line feed only, since names may hold the other characters that Unicode ends lines with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

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
        words = [(found[0], offset + found.start()) for found in word.finditer(text)]
        if words:
            yield words
        offset += len(line) + 1


def error_at(source: Source, message: str, word: Word, hint: str | None = None) -> InputError:
    return InputError(source.diagnostic(message, word[1], max(1, len(word[0])), hint))


def number_of(source: Source, word: Word) -> int:
    if NUMBER.fullmatch(word[0]) is None:
        raise error_at(source, "expected a number from 0 to 999999999", word)
    return int(word[0])
