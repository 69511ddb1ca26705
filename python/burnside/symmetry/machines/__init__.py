"""Symmetries of machines of sets: `search` proposes, and admits what leaves the `normal_form` of the machine as it is."""

from __future__ import annotations

from burnside.symmetry.machines.search import (
    MachineCertifier,
    MachineSymmetry,
    certify,
    check_broken,
    machine_symmetry,
)

__all__ = [
    "MachineCertifier",
    "MachineSymmetry",
    "certify",
    "check_broken",
    "machine_symmetry",
]
