"""Conformance testing with symmetry: from a state machine to a small test suite, and to a verdict on an implementation.

`formats` reads and writes machines, `machine` is what all else works on, `facts` says what a machine is like.
"""
