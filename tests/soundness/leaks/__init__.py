"""Leaks of order or identity for random programs: each function writes a part in which elements may be distinguished.

Whether they are depends on what is drawn and on where the part is put; that is decided by looking at the states. Names in
the parts are none of `VARIABLES` unless those are meant.
"""

from tests.soundness.leaks import bags, calls, failures, loops, names
from tests.soundness.leaks.registry import LEAKS

__all__ = ["LEAKS", "bags", "calls", "failures", "loops", "names"]
