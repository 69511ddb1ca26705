"""Z, as Spivey writes it: `parse` makes trees of its text, `typing` finds their types, `lower` what they mean as a machine."""
