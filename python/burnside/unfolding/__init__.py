"""Unfolding of high-level nets to place/transition nets (Junttila 2003, L1937).

In: a `HighLevelNet`, limits. Out: an `Unfolded`: a `Net` whose places are the tokens that can ever be in places, and whose
transitions are the instances that take only such tokens, with what each stands for.

The core finds instances of transitions of which it knows all terms (`planning`), `general` finds the others; both look at
new tokens until there are none.
"""

from __future__ import annotations

from burnside.unfolding.limits import Limits
from burnside.unfolding.unfolded import Unfolded
from burnside.unfolding.unfolding import is_known_to_core, unfold

__all__ = ["Limits", "Unfolded", "is_known_to_core", "unfold"]
