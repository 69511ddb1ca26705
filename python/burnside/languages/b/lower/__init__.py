"""From trees to `ir.sets`: `drafts` is the base, `expressions`, `binders`, `substitutions` and `calls` are layers upon it,
`machine` is the whole."""
