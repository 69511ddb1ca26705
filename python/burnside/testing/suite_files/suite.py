"""What a suite file holds: a header that says what the suite is worth, and tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from burnside.records import field, record

VERSION = 1
"""Of the file formats. A reader refuses others."""


@record
class Test:
    """Inputs, and the output that is expected of each. Both are of the same length."""

    __test__ = False
    """Not one that pytest collects."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@record
class SuiteHeader:
    """`tests`, `inputs`: how many there are; None where the writer did not count them. `classes`: of bisimilar states
    that are tested. `complete`: every implementation that is faulty and satisfies the assumptions fails a test. `more`:
    what else the writer says, by key."""

    machine: str = ""
    method: str = ""
    tests: int | None = None
    inputs: int | None = None
    classes: int | None = None
    complete: bool = False
    assumptions: tuple[str, ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)
