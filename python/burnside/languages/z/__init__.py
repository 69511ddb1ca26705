"""Z, as Spivey writes it. `parse` makes trees of a text, `typing` finds their types, `lower` makes a machine of them;
`reading` is all of it."""
