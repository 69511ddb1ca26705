"""Temporal logic: formulas, their syntax, and what their atoms mean."""
