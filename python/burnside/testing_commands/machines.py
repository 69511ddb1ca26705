"""`burnside machine`, and the machines of `burnside example`: read, explored, converted, written."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from burnside.diagnostics import Diagnostic, UsageError
from burnside.exit_codes import DONE
from burnside.streams import check_writable, write_output
from burnside.testing.machine import StateMachine
from burnside.testing_commands.answers import answer

MACHINE_EXTENSIONS = ("aut", "dot", "gv", "fsm", "kiss", "kiss2")


def machine(arguments: Namespace) -> int:
    from burnside.report.testing import machine_lines, machine_record
    from burnside.testing.facts import facts

    if arguments.output is not None:
        check_writable(arguments.output, "-o", MACHINE_EXTENSIONS)
    if arguments.missing_output is not None and arguments.complete is None:
        raise UsageError(Diagnostic("has no effect here: it needs --complete", source="--missing-output"))
    found = _converted(_machine_or_model(arguments), arguments)
    known = facts(found)
    if arguments.output is not None:
        write_machine_file(found, arguments.output)
    answer(arguments, machine_record(known), machine_lines(found.name, known))
    return DONE


def _machine_or_model(arguments: Namespace) -> StateMachine:
    from burnside.testing.formats import FORMATS

    if arguments.language is None and Path(arguments.file).suffix.lower() in FORMATS:
        if arguments.max_states is not None:
            message = "has no effect here: it is for models that are explored"
            raise UsageError(Diagnostic(message, source="--max-states"))
        return _acting_machine(arguments)
    from burnside import pipeline
    from burnside.testing.from_models import MAX_STATES, machine_of

    model = pipeline.read(arguments.file, arguments.language)
    most = MAX_STATES if arguments.max_states is None else arguments.max_states
    return machine_of(
        model, split=arguments.split, inputs=arguments.inputs, internal=arguments.internal, max_states=most
    )


def _acting_machine(arguments: Namespace) -> StateMachine:
    """A machine file; with --inputs, other labels are what it does by itself."""
    found = read_specification(arguments.file, arguments.split)
    if arguments.inputs:
        from burnside.testing.stable_states import input_output_machine

        if arguments.split is not None:
            raise UsageError(Diagnostic("has no effect together with --inputs", source="--split"))
        return input_output_machine(found, arguments.inputs, arguments.internal)
    if arguments.internal:
        raise UsageError(Diagnostic("has no effect here: it needs --inputs", source="--internal"))
    return found


def read_specification(path: str, split: str | None) -> StateMachine:
    from burnside.testing.formats import read_machine

    return read_machine(Path(path), split)


def _converted(found: StateMachine, arguments: Namespace) -> StateMachine:
    from burnside.testing.completing import complete
    from burnside.testing.facts import determinise, minimise

    if arguments.determinise:
        found = determinise(found)
    if arguments.complete is not None:
        found = complete(found, arguments.complete, output=arguments.missing_output or "-")
    if arguments.minimise:
        found = minimise(found)
    return found


def write_machine_file(found: StateMachine, path: str) -> None:
    """States are renamed and actions reordered where the format needs it."""
    from burnside.testing.formats import write_machine

    for note in write_machine(found, path, fit=True):
        print(f"{path}: note: {note}", file=sys.stderr)


def write_example(arguments: Namespace) -> int:
    """A machine of a family, in the format of its extension; Aldebaran's on standard output."""
    from burnside.families.machines import member
    from burnside.output_files import write_atomically
    from burnside.testing.formats import FORMATS
    from burnside.testing.pattern_files import pattern_text

    if arguments.output is not None:
        check_writable(arguments.output, "-o", MACHINE_EXTENSIONS)
    if arguments.pattern is not None:
        check_writable(arguments.pattern, "--pattern", ("toml",))
    elif arguments.order is not None:
        raise UsageError(Diagnostic("has no effect here: it needs --pattern", source="--order"))
    own = member(arguments.name, arguments.params)
    order = own.order(arguments.order)
    found = own.machine()
    if arguments.pattern is not None:
        write_atomically(arguments.pattern, pattern_text(own.pattern(), found, order))
    if arguments.output is not None:
        write_machine_file(found, arguments.output)
    else:
        text = FORMATS[".aut"].write(found)
        write_output(lambda: sys.stdout.write(text))
    return DONE
