"""Promela, the language of Spin."""
