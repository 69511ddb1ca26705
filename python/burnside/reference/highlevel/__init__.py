"""High-level nets by their definitions (Junttila 2003, chapters 5 and 6): the oracle of both routes.

`evaluation` gives terms their values, `firing` finds the enabled instances of a marking and fires them. Written to be
read in one sitting: all values of all variables are tried.
"""
