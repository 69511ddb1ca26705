"""`burnside tests` and `burnside fault-coverage`."""

from __future__ import annotations

from argparse import Namespace
from contextlib import suppress
from pathlib import Path

from burnside.diagnostics import Diagnostic, InputError, UsageError
from burnside.exit_codes import DONE, VIOLATED
from burnside.streams import check_writable
from burnside.testing.fault_coverage import SymmetricDomain
from burnside.testing.kernel import Kernel
from burnside.testing.machine import StateMachine
from burnside.testing_commands.answers import answer, progress_line
from burnside.testing_commands.machines import read_specification
from burnside.testing_commands.symmetries import symmetry_of

SUITE_EXTENSIONS = ("jsonl", "txt")
DEFAULT_MUTANTS = 1000


def tests(arguments: Namespace) -> int:
    from burnside.report.testing import suite_lines, suite_record
    from burnside.testing.suite_files import write_suite
    from burnside.testing.suites import Method, derive, specification

    if arguments.output is not None:
        check_writable(arguments.output, "-o", SUITE_EXTENSIONS)
    spec = specification(read_specification(arguments.spec, arguments.split))
    method = Method(
        arguments.method,
        arguments.extra,
        arguments.m1,
        arguments.m2,
        arguments.characterise,
        arguments.walks,
        arguments.length,
        arguments.seed if arguments.method == "random" else None,
    )
    part, checked = None, None
    if arguments.kernel is not None:
        part = _kernel_of_file(spec, arguments.kernel, arguments.split)
    elif arguments.pattern is not None or arguments.automorphisms:
        symmetry = symmetry_of(arguments, spec)
        part, checked = symmetry.kernel(spec), symmetry.checked
    _refuse_unused(arguments)
    with progress_line("tests") as progress:
        suite = derive(spec, method, part, checked, progress)
    if arguments.output is not None:
        write_suite(suite, arguments.output)
    answer(arguments, suite_record(suite), suite_lines(suite, arguments.output))
    return DONE


def _kernel_of_file(spec: StateMachine, path: str, split: str | None) -> Kernel:
    """Kernels that burnside writes have inputs and outputs, in labels with a slash between them, however the labels of the
    specification look. One from elsewhere may have labels as they are there."""
    from burnside.testing.kernel import part_from_machine

    try:
        return part_from_machine(spec, read_specification(path, None))
    except InputError:
        if split is None:
            raise
        with suppress(InputError):
            return part_from_machine(spec, read_specification(path, split))
        raise


def _refuse_unused(arguments: Namespace) -> None:
    """Options of kernels that are computed, where none is."""
    has_pattern = arguments.pattern is not None or arguments.automorphisms
    needs = {
        "--order": ("--pattern or --automorphisms", arguments.order is not None and not has_pattern),
        "--tries": ("--pattern or --automorphisms", arguments.tries is not None and not has_pattern),
        "--no-check": ("--pattern or --automorphisms", not arguments.check and not has_pattern),
        "--seed": (
            "--order search or --method random",
            arguments.seed is not None and arguments.method != "random" and arguments.order != "search",
        ),
    }
    for option, (needed, is_unused) in needs.items():
        if is_unused:
            raise UsageError(Diagnostic(f"has no effect here: it needs {needed}", source=option))


def fault_coverage(arguments: Namespace) -> int:
    from burnside.report.testing import fault_coverage_lines, fault_coverage_record
    from burnside.testing.fault_coverage import fault_coverage as measure
    from burnside.testing.fault_coverage import suite_of_tests
    from burnside.testing.reference.mealy import mealy
    from burnside.testing.reference.mutants import all_machines, outputs_of, random_mutants
    from burnside.testing.suite_files import read_suite
    from burnside.testing.suites import specification

    given = {
        "--states": (arguments.states is not None and not arguments.exhaustive, "--exhaustive"),
        "--faults": (arguments.faults is not None and arguments.exhaustive, "random mutants"),
        "--seed": (arguments.seed is not None and arguments.exhaustive, "random mutants"),
        "--m1": (arguments.m1 is not None and arguments.pattern is None, "--pattern"),
        "--m2": (arguments.m2 is not None and arguments.pattern is None, "--pattern"),
        "--order": (arguments.order is not None and arguments.pattern is None, "--pattern"),
    }
    for option, (is_useless, needed) in given.items():
        if is_useless:
            raise UsageError(Diagnostic(f"has no effect here: it needs {needed}", source=option))
    spec = specification(read_specification(arguments.spec, arguments.split))
    with read_suite(Path(arguments.suite)) as file:
        suite = suite_of_tests(spec, file.tests)
    table = mealy(spec)
    if arguments.exhaustive:
        most = len(spec.states) if arguments.states is None else arguments.states
        mutants = all_machines(most, table.inputs, outputs_of(table))
    else:
        number = DEFAULT_MUTANTS if arguments.mutants is None else arguments.mutants
        faults = 1 if arguments.faults is None else arguments.faults
        mutants = random_mutants(table, number, faults, arguments.seed or 0)
    domain = _domain(arguments, spec)
    with progress_line("mutants") as progress:
        found = measure(spec, suite, mutants, domain, progress)
    answer(arguments, fault_coverage_record(found, spec), fault_coverage_lines(found, spec))
    return VIOLATED if found.survived else DONE


def _domain(arguments: Namespace, spec: StateMachine) -> SymmetricDomain | None:
    if arguments.pattern is None:
        return None
    from burnside.testing.reference.fault_domain import classes_met
    from burnside.testing.reference.mealy import mealy, part_of

    symmetry = symmetry_of(arguments, spec)
    found = symmetry.kernel(spec)
    classes = classes_met(mealy(spec), part_of(spec, found.edges))
    m1 = classes if arguments.m1 is None else arguments.m1
    if m1 < classes:
        message = (
            f"m1 is {m1}, but {classes} classes of states are tested: an implementation with fewer is faulty"
        )
        raise UsageError(Diagnostic(message, source="--m1", hint=f"m1 is at least {classes}"))
    return SymmetricDomain(found, symmetry.pattern, m1, arguments.m2 or 0)
