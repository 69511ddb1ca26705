"""`python -m burnside`: the command line."""

from burnside.cli import run

run()
