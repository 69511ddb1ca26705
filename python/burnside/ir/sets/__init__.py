"""Machines: the half of the waist for languages of sets (B and Z).

A `Program` (`ir.program`) has places and is executed: its states are fixed vectors of scalars. A `Machine` has values and is
solved: its variables hold numbers, elements, pairs, records and sets of these, nested as deep as types go, and predicates
define what can happen. Read `types`, `expressions`, `substitutions`, `machine`, in this order.
"""
