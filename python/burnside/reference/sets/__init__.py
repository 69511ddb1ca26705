"""Machines, interpreted slowly: the oracle of the tests, what traces are replayed on, and `--engine reference`.

Reading order: `values`, `operators`, `spaces`, `evaluation`, `solving`, `substitutions`, `machines`, `exploring`.
"""

# These register operators in the tables of `evaluation`, so that importing any part of this package imports all of it.
from burnside.reference.sets import denoting, quantifiers, relating

__all__ = ["denoting", "quantifiers", "relating"]
