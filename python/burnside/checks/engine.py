"""What both kinds of checks ask of the core in the same way."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from burnside.diagnostics import Diagnostic, RefusedError
from burnside.plan import Plan

if TYPE_CHECKING:
    from burnside import _core


def method_of(plan: Plan) -> _core.Method:
    from burnside import _core

    try:
        return _core.Method(
            plan.method, plan.guide, plan.selector, plan.budget, plan.prune, rounds=plan.rounds
        )
    except ValueError as error:
        raise RefusedError(Diagnostic(str(error), source="--reduce")) from None


def default_memory() -> int | None:
    """Three quarters of the machine's memory: an endless model ends with an answer before the machine does."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * 3 // 4
    except (ValueError, OSError):
        return None
