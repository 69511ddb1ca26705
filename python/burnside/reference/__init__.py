"""The slow engine: pure Python, written like the papers.

It is the oracle of the tests and the user's second opinion (`--engine reference`).
"""
