"""Is a program well formed? In: a program. Out: nothing, or an `InputError` that says what is wrong and where.

For programs that were built in Python: languages check what they read. A program that passes can be run by every engine:
names are known and unique where they have to be, types fit, numbers are in their ranges, no function calls itself.
"""

from __future__ import annotations

from burnside.ir.checking.programs import check_program

__all__ = ["check_program"]
