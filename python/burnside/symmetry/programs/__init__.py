"""Symmetries of programs.

`search` goes through the sorts and asks the `certifier`, which admits by four `rules`. Proposals come from declarations,
from `ranges` of numbers that are used like names (`range_classes` finds them, `range_rewriting` makes sorts of them,
`tables` writes arithmetic out), from several sorts at once (`joint_proposals`), and from the graph of the whole program
(`program_graph`, made of `terms` and `independence`; `graph_search` asks nauty). In programs with processes numbers become
names more freely (`names`). `start_states` decides whether start states are whole orbits.
"""

from __future__ import annotations

from burnside.symmetry.programs.certifier import Certifier, certify
from burnside.symmetry.programs.search import (
    ProgramSymmetry,
    check_broken,
    find,
    program_symmetry,
)

__all__ = [
    "Certifier",
    "ProgramSymmetry",
    "certify",
    "check_broken",
    "find",
    "program_symmetry",
]
