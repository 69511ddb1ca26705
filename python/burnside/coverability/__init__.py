"""Boundedness and coverability of nets (Junttila 2003, 3.4).

`goals` reads what is to be covered, `question` puts it together with a net and its symmetries, `found` calls an engine,
`checking` replays and concludes. The theory is in `docs/coverability.md`.
"""
