"""The one typed language that Murphi, and later B, Promela, Z and high-level nets, are lowered to.

Plain frozen data: `types` (sorts and types), `expressions` (places and values), `statements`, `program`. `printing` shows a
program to people; `encoding` hands it to the core, once. Nothing here knows of groups or searches.
"""
