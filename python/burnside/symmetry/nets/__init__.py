"""Symmetries of place/transition nets."""

from __future__ import annotations

from burnside.symmetry.nets.automorphisms import (
    GivenSymmetry,
    RestrictedGroup,
    SymmetryScope,
    core_net,
    describe,
    net_symmetries,
    restricted_group,
)
from burnside.symmetry.nets.fixed_markings import fixed_markings

__all__ = [
    "GivenSymmetry",
    "RestrictedGroup",
    "SymmetryScope",
    "core_net",
    "describe",
    "fixed_markings",
    "net_symmetries",
    "restricted_group",
]
