"""Trees of B's text with their places: `expressions` (predicates too), `substitutions`, `machines`."""
