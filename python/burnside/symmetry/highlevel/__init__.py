"""Symmetries of high-level nets: permutations of the elements of sorts that map the net's text to itself.

Read `values_form` and `normal_form` (forms of terms, and why equal forms mean the same), then `net_form` (the net's form and
its graph), `certifier` (which decides) and `search` (which proposes).
"""

from __future__ import annotations

from burnside.symmetry.highlevel.certifier import NetCertifier, NetGenerator, certify
from burnside.symmetry.highlevel.search import HighLevelSymmetry, check_broken, highlevel_symmetry

__all__ = [
    "HighLevelSymmetry",
    "NetCertifier",
    "NetGenerator",
    "certify",
    "check_broken",
    "highlevel_symmetry",
]
