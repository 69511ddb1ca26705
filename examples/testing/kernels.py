"""What the examples beside this file share: a kernel is computed, its size is printed, and all of it is written."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from pathlib import Path

from burnside.diagnostics import BurnsideError
from burnside.exit_codes import WRONG
from burnside.output_files import write_atomically
from burnside.testing.formats import write_machine
from burnside.testing.kernel import kernel
from burnside.testing.machine import StateMachine
from burnside.testing.pattern_files import pattern_text
from burnside.testing.patterns import Pattern


def print_size(what: str, machine: StateMachine) -> None:
    print(f"{what}: {len(machine.states)} states, {len(machine.edges)} edges", flush=True)


def reduce(machine: StateMachine, pattern: Pattern, order: Sequence[str], directory: str | None) -> None:
    """The kernel. With a directory: `machine.aut`, `pattern.toml` and `kernel.aut` in it."""
    found = kernel(machine, pattern, order).as_machine()
    print_size("kernel", found)
    if directory is not None:
        folder = Path(directory)
        folder.mkdir(parents=True, exist_ok=True)
        write_machine(machine, folder / "machine.aut", fit=True)
        write_atomically(folder / "pattern.toml", pattern_text(pattern, machine, order))
        write_machine(found, folder / "kernel.aut", fit=True)


def run(parser: ArgumentParser, main: Callable[[Namespace], None]) -> None:
    parser.add_argument("-o", "--output", metavar="DIRECTORY", help="write machine, pattern and kernel there")
    try:
        main(parser.parse_args())
    except (BurnsideError, OSError) as error:
        print(error, file=sys.stderr)
        sys.exit(WRONG)
