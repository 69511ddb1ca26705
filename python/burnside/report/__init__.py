"""Turns what was found into text, JSON and pictures. No computation here: every form comes from the same
record."""
