"""Names that were probably meant, for the help line of a diagnostic."""

from __future__ import annotations

from collections.abc import Iterable

from burnside.words import truncated_list


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    from difflib import get_close_matches

    close = get_close_matches(word[:100], list(known), n=3, cutoff=0.6)
    return f"did you mean {truncated_list([repr(each) for each in close])}?" if close else None


def known_names(word: str, known: Iterable[str]) -> str:
    """Near matches, or else what there is."""
    names = list(known)
    return did_you_mean(word, names) or f"there are {truncated_list(names) or 'none'}"
