"""Conformance testing with symmetry: from a state machine to a small test suite, and to a verdict on an implementation.

`formats` reads and writes machines, `machine` is what all else works on, `patterns` describes symmetries. `reference` has
the algorithms as the papers write them.
"""
