"""The exit codes of the command line, which are part of the public contract."""

from __future__ import annotations

DONE = 0
"""Every checked property holds, or the command succeeded."""
VIOLATED = 1
"""A property is violated, or a goal was found."""
WRONG = 2
"""The input is wrong or not supported, or the call is."""
UNKNOWN = 3
"""A limit was reached, or the run was interrupted, before an answer."""
CONTRADICTION = 4
"""burnside contradicts itself: a bug, nothing is claimed."""
