"""Room for trees that are as deep as parsers allow. Everything behind a parser recurses, a few calls for every level."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from burnside.diagnostics import Diagnostic, InputError, Source

MAX_RECURSION = 10_000
"""Calls of Python functions within each other."""


@contextmanager
def deep_recursion(source: Source) -> Iterator[None]:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, MAX_RECURSION))
    try:
        yield
    except RecursionError:
        raise InputError(Diagnostic("expressions are nested too deeply", source.name)) from None
    finally:
        sys.setrecursionlimit(limit)
