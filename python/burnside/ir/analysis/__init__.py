"""Analyses of programs, independent of permutations.

`flat` has the nodes of the normal form and `walking` goes through them; `flatten` makes it; `definedness` removes checks
that cannot fail, by `facts` about `paths`; `effects` says what a statement reads and writes and how it can end, `liveness`
which local values are still needed. `commuting` decides from effects whether two statements, or two turns of a loop, may
change places.
"""
