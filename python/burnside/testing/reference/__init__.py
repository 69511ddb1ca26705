"""Testing with symmetry, slowly and readably: what the core is compared with.

`facts` (what a machine is like), `kernel` (Figure 1 and its efficient form), `symmetry_check`, `suites`.
"""
