"""The commands for finite state machines and tests: `machine`, `kernel`, `tests`, `run-tests`, `fault-coverage`, `traces`.

In: the arguments of the command line. Out: an exit code. The work is in `burnside.testing`, the words in `burnside.report`.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from burnside.diagnostics import Diagnostic, UsageError
from burnside.exit_codes import DONE, UNKNOWN, VIOLATED
from burnside.records import record
from burnside.report.json import dump
from burnside.report.lines import Line, show
from burnside.streams import check_writable, write_output
from burnside.testing.automorphisms import AutomorphismGroup
from burnside.testing.fault_coverage import SymmetricDomain
from burnside.testing.kernel import FoundOrder, Kernel
from burnside.testing.machine import StateMachine
from burnside.testing.patterns import Pattern
from burnside.testing.running.adapters import Adapter
from burnside.testing.symmetry_check import CheckedSymmetry

MACHINE_EXTENSIONS = ("aut", "dot", "gv", "fsm", "kiss", "kiss2")
SUITE_EXTENSIONS = ("jsonl", "txt")
DEFAULT_TRIES = 500
DEFAULT_MUTANTS = 1000
DEFAULT_VARIANTS = 20
DEFAULT_MAX_STATES = 1_000_000


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
        _write_machine(found, arguments.output)
    _answer(arguments, machine_record(known), machine_lines(found.name, known))
    return DONE


def _machine_or_model(arguments: Namespace) -> StateMachine:
    from burnside.testing.formats import FORMATS

    if arguments.language is None and Path(arguments.file).suffix.lower() in FORMATS:
        if arguments.max_states is not None:
            message = "has no effect here: it is for models that are explored"
            raise UsageError(Diagnostic(message, source="--max-states"))
        return _acting_machine(arguments)
    from burnside import pipeline
    from burnside.testing.from_models import machine_of

    model = pipeline.read(arguments.file, arguments.language)
    most = DEFAULT_MAX_STATES if arguments.max_states is None else arguments.max_states
    return machine_of(
        model, split=arguments.split, inputs=arguments.inputs, internal=arguments.internal, max_states=most
    )


def _acting_machine(arguments: Namespace) -> StateMachine:
    """A machine file; with --inputs, other labels are what it does by itself."""
    found = _read_machine(arguments.file, arguments.split)
    if arguments.inputs:
        from burnside.testing.stable_states import input_output_machine

        if arguments.split is not None:
            raise UsageError(Diagnostic("has no effect together with --inputs", source="--split"))
        return input_output_machine(found, arguments.inputs, arguments.internal)
    if arguments.internal:
        raise UsageError(Diagnostic("has no effect here: it needs --inputs", source="--internal"))
    return found


def _read_machine(path: str, split: str | None) -> StateMachine:
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


def _write_machine(found: StateMachine, path: str) -> None:
    """States are renamed and actions reordered where the format needs it."""
    from burnside.testing.formats import write_machine

    for note in write_machine(found, path, fit=True):
        print(f"{path}: note: {note}", file=sys.stderr)


@record
class _Symmetry:
    """A pattern of a machine, the automorphisms that it was made of, if any; the order that was asked for; is it known
    to be a symmetry?"""

    pattern: Pattern
    group: AutomorphismGroup | None
    order: tuple[str, ...] | None
    searched: FoundOrder | None
    checked: CheckedSymmetry

    def kernel(self, spec: StateMachine) -> Kernel:
        from burnside.testing.kernel import kernel

        with _progress("kernel") as progress:
            return kernel(spec, self.pattern, self.order, progress)

    def text(self, found: Kernel) -> str:
        """Of a pattern file."""
        from burnside.testing.pattern_files import found_pattern_text, pattern_text

        if self.group is not None:
            return found_pattern_text(self.group, found.machine, found.order)
        return pattern_text(self.pattern, found.machine, found.order)


def _symmetry(arguments: Namespace, spec: StateMachine) -> _Symmetry:
    from burnside.testing.kernel import search_order
    from burnside.testing.symmetry_check import checked_symmetry

    pattern, group, order = _pattern(arguments, spec)
    searched = None
    tries = getattr(arguments, "tries", None)
    if tries is not None and arguments.order != "search":
        raise UsageError(Diagnostic("has no effect here: it needs --order search", source="--tries"))
    if arguments.order == "search":
        tries = DEFAULT_TRIES if tries is None else tries
        with _progress("order") as progress:
            searched = search_order(
                spec, pattern, order=order, tries=tries, seed=arguments.seed or 0, progress=progress
            )
        order = searched.order
    elif arguments.order is not None:
        order = _given_order(arguments.order)
    unchecked = not getattr(arguments, "check", True)
    with _progress("symmetry") as progress:
        checked = CheckedSymmetry("unchecked") if unchecked else checked_symmetry(spec, pattern, progress)
    return _Symmetry(pattern, group, order, searched, checked)


def _pattern(
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


def _given_order(text: str) -> tuple[str, ...] | None:
    """A file with an input on each line; None for the natural order."""
    if text == "natural":
        return None
    from burnside.languages.shared.files import read_source

    lines = read_source(Path(text)).text.splitlines()
    return tuple(line.strip() for line in lines if line.strip())


def kernel(arguments: Namespace) -> int:
    from burnside.report.testing import kernel_lines, kernel_record

    if arguments.output is not None:
        check_writable(arguments.output, "-o", MACHINE_EXTENSIONS)
    if arguments.write_pattern is not None:
        check_writable(arguments.write_pattern, "--write-pattern", ("toml",))
    if arguments.seed is not None and arguments.order != "search":
        raise UsageError(Diagnostic("has no effect here: it needs --order search", source="--seed"))
    spec = _read_machine(arguments.spec, arguments.split)
    symmetry = _symmetry(arguments, spec)
    found = symmetry.kernel(spec)
    if arguments.output is not None:
        _write_machine(found.as_machine(), arguments.output)
    if arguments.write_pattern is not None:
        from burnside.output_files import write_atomically

        write_atomically(arguments.write_pattern, symmetry.text(found))
    record_ = kernel_record(found, symmetry.checked, symmetry.searched)
    _answer(arguments, record_, kernel_lines(found, symmetry.checked, symmetry.searched))
    return DONE


def tests(arguments: Namespace) -> int:
    from burnside.report.testing import suite_lines, suite_record
    from burnside.testing.suite_files import write_suite
    from burnside.testing.suites import Method, derive, specification

    if arguments.output is not None:
        check_writable(arguments.output, "-o", SUITE_EXTENSIONS)
    spec = specification(_read_machine(arguments.spec, arguments.split))
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
        from burnside.testing.kernel import part_from_machine

        part = part_from_machine(spec, _read_machine(arguments.kernel, arguments.split))
    elif arguments.pattern is not None or arguments.automorphisms:
        symmetry = _symmetry(arguments, spec)
        part, checked = symmetry.kernel(spec), symmetry.checked
    _refuse_unused(arguments)
    with _progress("tests") as progress:
        suite = derive(spec, method, part, checked, progress)
    if arguments.output is not None:
        write_suite(suite, arguments.output)
    _answer(arguments, suite_record(suite), suite_lines(suite, arguments.output))
    return DONE


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
    spec = specification(_read_machine(arguments.spec, arguments.split))
    suite = suite_of_tests(spec, read_suite(Path(arguments.suite)).tests)
    table = mealy(spec)
    if arguments.exhaustive:
        most = len(spec.states) if arguments.states is None else arguments.states
        mutants = all_machines(most, table.inputs, outputs_of(table))
    else:
        number = DEFAULT_MUTANTS if arguments.mutants is None else arguments.mutants
        faults = 1 if arguments.faults is None else arguments.faults
        mutants = random_mutants(table, number, faults, arguments.seed or 0)
    domain = _domain(arguments, spec)
    with _progress("mutants") as progress:
        found = measure(spec, suite, mutants, domain, progress)
    _answer(arguments, fault_coverage_record(found, spec), fault_coverage_lines(found, spec))
    return VIOLATED if found.survived else DONE


def _domain(arguments: Namespace, spec: StateMachine) -> SymmetricDomain | None:
    if arguments.pattern is None:
        return None
    from burnside.testing.reference.fault_domain import classes_met
    from burnside.testing.reference.mealy import mealy, part_of

    symmetry = _symmetry(arguments, spec)
    found = symmetry.kernel(spec)
    classes = classes_met(mealy(spec), part_of(spec, found.edges))
    m1 = classes if arguments.m1 is None else arguments.m1
    return SymmetricDomain(
        found, symmetry.pattern, m1, arguments.m2 or 0, symmetry.checked.symmetry == "proved"
    )


def traces(arguments: Namespace) -> int:
    from burnside.report.traces_of_machines import traces_lines, traces_record
    from burnside.testing.kernel import check_order, natural_order
    from burnside.testing.trace_texts import parse_trace
    from burnside.testing.traces import action_ranks, are_symmetric, representative, variants

    if len(arguments.traces) > 2:
        raise UsageError(Diagnostic("one trace or two were expected", source="burnside traces"))
    spec = _read_machine(arguments.spec, arguments.split)
    pattern, _, order = _pattern(arguments, spec)
    if arguments.order is not None:
        order = _given_order(arguments.order)
    order = natural_order(spec) if order is None else order
    check_order(spec, order)
    given = [parse_trace(spec, text) for text in arguments.traces]
    ranks = action_ranks(spec, order)
    least = [representative(spec, pattern, ranks, trace) for trace in given]
    compared = are_symmetric(spec, pattern, *given) if len(given) == 2 else None
    others = None
    if arguments.variants is not None:
        from itertools import islice

        others = [list(islice(variants(spec, pattern, trace, ranks), arguments.variants)) for trace in given]
    record_ = traces_record(given, least, compared, others)
    _answer(arguments, record_, traces_lines(given, least, compared, others))
    return DONE if compared is None or compared.symmetric else VIOLATED


def run_tests(arguments: Namespace) -> int:
    from contextlib import nullcontext

    from burnside.report.test_runs import run_lines, run_record
    from burnside.testing.running import run_suite
    from burnside.testing.running.junit import writing_junit
    from burnside.testing.suite_files import read_suite

    if arguments.junit is not None:
        check_writable(arguments.junit, "--junit", ("xml",))
    if arguments.max_failures == 0:
        raise UsageError(Diagnostic("expected a positive number, not 0", source="--max-failures"))
    spec, pattern = _variants_of(arguments)
    adapter = _adapter(arguments)
    junit = nullcontext() if arguments.junit is None else writing_junit(arguments.junit, arguments.suite)
    with read_suite(Path(arguments.suite)) as suite, junit as on_result:
        report = run_suite(suite.tests, adapter, max_failures=arguments.max_failures, on_result=on_result)
    variants = None
    if spec is not None and pattern is not None and report.first_failure is not None:
        from burnside.testing.running.variants import run_variants

        most = DEFAULT_VARIANTS if arguments.variants is None else arguments.variants
        variants = run_variants(spec, pattern, report.first_failure, adapter, most)
    _answer(arguments, run_record(report, variants), run_lines(arguments.suite, report, variants))
    if report.failed:
        return VIOLATED
    return DONE if report.stopped == "all run" else UNKNOWN


def _variants_of(arguments: Namespace) -> tuple[StateMachine | None, Pattern | None]:
    """The specification and the pattern, where variants of a failure are asked for."""
    needs = {
        "--spec": ("--pattern", arguments.spec is not None and arguments.pattern is None),
        "--pattern": ("--spec", arguments.pattern is not None and arguments.spec is None),
        "--variants": ("--spec and --pattern", arguments.variants is not None and arguments.spec is None),
        "--split": ("--spec", arguments.split is not None and arguments.spec is None),
    }
    for option, (needed, is_unused) in needs.items():
        if is_unused:
            raise UsageError(Diagnostic(f"has no effect here: it needs {needed}", source=option))
    if arguments.spec is None:
        return None, None
    spec = _read_machine(arguments.spec, arguments.split)
    return spec, _pattern(arguments, spec)[0]


def _adapter(arguments: Namespace) -> Adapter:
    from burnside.testing.running.adapters import ConnectionAdapter, ProcessAdapter

    timeout, reset_reply = arguments.timeout, arguments.reset_reply
    if arguments.adapter is not None:
        return ProcessAdapter(arguments.adapter, timeout=timeout, reset_reply=reset_reply)
    return ConnectionAdapter(arguments.connect, timeout=timeout, reset_reply=reset_reply)


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
        _write_machine(found, arguments.output)
    else:
        text = FORMATS[".aut"].write(found)
        write_output(lambda: sys.stdout.write(text))
    return DONE


@contextmanager
def _progress(what: str) -> Iterator[Callable[[int], object] | None]:
    """A line on a terminal that renews itself, and goes at the end; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return

    def show_count(count: int) -> None:
        print(f"\r{what}: {count:,} steps", end="", file=sys.stderr, flush=True)

    try:
        yield show_count
    finally:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _answer(arguments: Namespace, record_: dict[str, Any], lines: Iterable[Line]) -> None:
    if arguments.json:
        document = dump(record_)
        write_output(lambda: sys.stdout.write(document))
    else:
        shown = list(lines)
        write_output(lambda: show(shown, sys.stdout))
