"""The meaning of names: `structure` (which text sees which declaration), `names`, `terms` and `signatures` (types while they
are inferred), `sizes` (of deferred sets)."""
