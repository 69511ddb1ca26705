"""Conformance testing with symmetry: from a state machine to a small test suite, and to a verdict on an implementation.

`formats` reads and writes machines, `machine` is what all else works on, `patterns` describes symmetries. `reference` has
the algorithms as the papers write them. What is used most can be imported from here; names are loaded when first used.
`kernel`, `facts` and `fault_coverage` are modules, with functions of the same names.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from burnside.testing.automorphisms import automorphism_pattern, find_automorphisms
    from burnside.testing.completing import as_mealy, complete
    from burnside.testing.facts import determinise, minimise
    from burnside.testing.formats import read_machine, write_machine
    from burnside.testing.from_models import machine_of
    from burnside.testing.machine import Action, StateMachine
    from burnside.testing.machine import StateMachine as Machine
    from burnside.testing.pattern_files import read_pattern
    from burnside.testing.patterns import Pattern, Transformation
    from burnside.testing.running import run_suite
    from burnside.testing.suite_files import read_suite, write_suite
    from burnside.testing.suites import Method, derive, specification
    from burnside.testing.symmetry_check import check_symmetry, checked_symmetry

__all__ = [
    "Action",
    "Machine",
    "Method",
    "Pattern",
    "StateMachine",
    "Transformation",
    "as_mealy",
    "automorphism_pattern",
    "check_symmetry",
    "checked_symmetry",
    "complete",
    "derive",
    "determinise",
    "find_automorphisms",
    "machine_of",
    "minimise",
    "read_machine",
    "read_pattern",
    "read_suite",
    "run_suite",
    "specification",
    "write_machine",
    "write_suite",
]

_HOMES: Mapping[str, str] = {
    **dict.fromkeys(["Action", "StateMachine"], "machine"),
    **dict.fromkeys(["Pattern", "Transformation"], "patterns"),
    **dict.fromkeys(["automorphism_pattern", "find_automorphisms"], "automorphisms"),
    **dict.fromkeys(["check_symmetry", "checked_symmetry"], "symmetry_check"),
    **dict.fromkeys(["as_mealy", "complete"], "completing"),
    **dict.fromkeys(["determinise", "minimise"], "facts"),
    **dict.fromkeys(["read_machine", "write_machine"], "formats"),
    **dict.fromkeys(["read_suite", "write_suite"], "suite_files"),
    **dict.fromkeys(["Method", "derive", "specification"], "suites"),
    "machine_of": "from_models",
    "read_pattern": "pattern_files",
    "run_suite": "running",
}
_OTHER_NAMES: Mapping[str, str] = {"Machine": "StateMachine"}


def __getattr__(name: str) -> Any:
    own_name = _OTHER_NAMES.get(name, name)
    if own_name not in _HOMES:
        raise AttributeError(f"module 'burnside.testing' has no attribute {name!r}")
    value = getattr(import_module(f"burnside.testing.{_HOMES[own_name]}"), own_name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
