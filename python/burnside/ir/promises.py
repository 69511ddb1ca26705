"""Promises about a program: what the user says of its symmetries. They are certified or refused, never believed."""

from __future__ import annotations

from burnside.diagnostics import Span
from burnside.records import record


@record
class Promise:
    """The user says that these elements of a sort can be exchanged, whatever else has to move with them."""

    sort: str
    elements: tuple[int, ...]
    span: Span
