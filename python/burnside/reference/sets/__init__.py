"""Machines, interpreted slowly: the oracle of the tests, what traces are replayed on, and `--engine reference`.

Reading order: `values`, `operators`, `spaces`, `evaluation`, `solving`, `substitutions`, `machines`, `exploring`.
"""

# These enter what they know into the tables of `evaluation`: whoever imports a part of this package gets all of it.
from burnside.reference.sets import denoting, quantifiers, relating

__all__ = ["denoting", "quantifiers", "relating"]
