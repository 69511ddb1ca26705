"""The symmetry that options describe: a pattern file or automorphisms, the order of inputs, and whether it is checked."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from burnside.diagnostics import Diagnostic, InputError, UsageError
from burnside.records import record
from burnside.testing.automorphisms import AutomorphismGroup
from burnside.testing.kernel import ORDER_HINT, FoundOrder, Kernel
from burnside.testing.machine import StateMachine
from burnside.testing.patterns import Pattern
from burnside.testing.symmetry_check import CheckedSymmetry
from burnside.testing_commands.answers import progress_line

DEFAULT_TRIES = 500


@record
class Symmetry:
    """A pattern of a machine, the automorphisms that it was made of, if any; the order that was asked for; is it known
    to be a symmetry?"""

    pattern: Pattern
    group: AutomorphismGroup | None
    order: tuple[str, ...] | None
    searched: FoundOrder | None
    checked: CheckedSymmetry

    def kernel(self, spec: StateMachine) -> Kernel:
        from burnside.testing.kernel import kernel

        with progress_line("kernel") as progress:
            return kernel(spec, self.pattern, self.order, progress)

    def text(self, found: Kernel) -> str:
        """Of a pattern file."""
        from burnside.testing.pattern_files import found_pattern_text, pattern_text

        if self.group is not None:
            return found_pattern_text(self.group, found.machine, found.order)
        return pattern_text(self.pattern, found.machine, found.order)


def symmetry_of(arguments: Namespace, spec: StateMachine) -> Symmetry:
    from burnside.testing.kernel import search_order
    from burnside.testing.symmetry_check import checked_symmetry

    pattern, group, order = pattern_of(arguments, spec)
    searched = None
    tries = getattr(arguments, "tries", None)
    if tries is not None and arguments.order != "search":
        raise UsageError(Diagnostic("has no effect here: it needs --order search", source="--tries"))
    if arguments.order == "search":
        tries = DEFAULT_TRIES if tries is None else tries
        with progress_line("order") as progress:
            searched = search_order(
                spec, pattern, order=order, tries=tries, seed=arguments.seed or 0, progress=progress
            )
        order = searched.order
    elif arguments.order is not None:
        order = given_order(arguments.order, spec)
    unchecked = not getattr(arguments, "check", True)
    with progress_line("symmetry") as progress:
        checked = CheckedSymmetry("unchecked") if unchecked else checked_symmetry(spec, pattern, progress)
    return Symmetry(pattern, group, order, searched, checked)


def pattern_of(
    arguments: Namespace, spec: StateMachine
) -> tuple[Pattern, AutomorphismGroup | None, tuple[str, ...] | None]:
    if getattr(arguments, "automorphisms", False):
        from burnside.testing.automorphisms import automorphism_pattern, find_automorphisms

        group = find_automorphisms(spec)
        return automorphism_pattern(spec, group.generators), group, None
    from burnside.testing.pattern_files import read_pattern

    loaded = read_pattern(Path(arguments.pattern), spec)
    for note in loaded.notes:
        print(f"{arguments.pattern}: note: {note}", file=sys.stderr)
    return loaded.pattern, None, loaded.order


def given_order(text: str, machine: StateMachine) -> tuple[str, ...] | None:
    """A file with an input on each line; None for the natural order."""
    if text == "natural":
        return None
    from burnside.languages.shared.files import read_source

    source = read_source(Path(text))
    found: dict[str, None] = {}
    known, offset = set(machine.inputs), 0
    for line in source.text.splitlines(keepends=True):
        name = line.strip()
        wrong = "names an input twice" if name in found else "names no input of the machine"
        if name and (name in found or name not in known):
            at = offset + line.index(name)
            raise InputError(source.diagnostic(f"the order {wrong}: {name!r}", at, len(name), ORDER_HINT))
        if name:
            found[name] = None
        offset += len(line)
    missing = next((each for each in machine.inputs if each not in found), None)
    if missing is not None:
        raise InputError(source.diagnostic(f"the order misses an input: {missing!r}", offset, 1, ORDER_HINT))
    return tuple(found)
