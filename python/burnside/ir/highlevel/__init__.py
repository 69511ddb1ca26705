"""High-level nets: what symmetric nets of PNML and extended well-formed nets are read into.

Read `types`, then `terms`, then `net`. `values` says what values are in Python, `checking` whether a net is well formed.
"""
