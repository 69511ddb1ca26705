"""A high-level net as a machine of sets: how it crosses into the core where it is explored directly.

In: a `HighLevelNet`, conditions on its markings. Out: a `Machine` with a variable for each place, whose value is a
multiset, and an operation for each transition, whose parameters are its variables. So the core finds the enabled instances
by joining the tokens that are there, and canonical forms are those of machines. `types` says how values are represented,
`terms` lowers terms, `machine` puts together what an instance needs and does.
"""

from burnside.kinds.highlevel.lowering.machine import Lowered, lowered

__all__ = ["Lowered", "lowered"]
