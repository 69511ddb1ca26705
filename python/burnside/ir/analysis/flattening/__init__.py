"""The parts of `flatten`: names and local variables, expressions, calls, statements; each builds on the one before."""
