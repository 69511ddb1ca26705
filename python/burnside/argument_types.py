"""Values of options, read and checked: numbers, sizes, folders.

In: the text after an option. Out: its value, or argparse's error, which says what was expected.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

LARGEST = 2**63 - 1
LONGEST_NUMBER = 19
"""Digits; more are refused unread."""
LONGEST = 1e9
"""Seconds: thirty years."""


def formula(logic: str, text: str) -> tuple[str, str]:
    return logic, text


def natural(text: str) -> int:
    if not _is_whole(text):
        raise argparse.ArgumentTypeError(f"must be a whole number that is not negative, not {text!r}")
    return int(text)


def positive(text: str) -> int:
    return int(_number(text, int(text) if _is_whole(text) else None, LARGEST))


def seconds(text: str) -> float:
    return _number(text, _float(text), LONGEST)


def megabytes(text: str) -> int:
    """In bytes."""
    return int(_number(text, _float(text), LARGEST / 1e6) * 1_000_000)


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER


def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _number(text: str, value: float | None, largest: float) -> float:
    if value is None or not 0 < value <= largest:
        raise argparse.ArgumentTypeError(f"expected a positive number, not {text!r}")
    return value


def folder(text: str) -> Path:
    from pathlib import Path

    found = Path(text)
    if not found.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {text!r}")
    return found


def size(text: str) -> tuple[str, int]:
    name, equals, number = text.partition("=")
    if not name or not equals or not _is_whole(number.removeprefix("-")):
        digits = f", with at most {LONGEST_NUMBER} digits in N" if len(number) > LONGEST_NUMBER else ""
        raise argparse.ArgumentTypeError(f"expected NAME=N{digits}, not {text!r}")
    return name, int(number)
