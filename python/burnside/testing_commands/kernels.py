"""`burnside kernel` and `burnside traces`."""

from __future__ import annotations

from argparse import Namespace

from burnside.diagnostics import Diagnostic, UsageError
from burnside.exit_codes import DONE, VIOLATED
from burnside.streams import check_writable
from burnside.testing_commands.answers import answer
from burnside.testing_commands.machines import MACHINE_EXTENSIONS, read_specification, write_machine_file
from burnside.testing_commands.symmetries import given_order, pattern_of, symmetry_of


def kernel(arguments: Namespace) -> int:
    from burnside.report.testing import kernel_lines, kernel_record

    if arguments.output is not None:
        check_writable(arguments.output, "-o", MACHINE_EXTENSIONS)
    if arguments.write_pattern is not None:
        check_writable(arguments.write_pattern, "--write-pattern", ("toml",))
    if arguments.seed is not None and arguments.order != "search":
        raise UsageError(Diagnostic("has no effect here: it needs --order search", source="--seed"))
    spec = read_specification(arguments.spec, arguments.split)
    symmetry = symmetry_of(arguments, spec)
    found = symmetry.kernel(spec)
    if arguments.output is not None:
        write_machine_file(found.as_machine(), arguments.output)
    if arguments.write_pattern is not None:
        from burnside.output_files import write_atomically

        write_atomically(arguments.write_pattern, symmetry.text(found))
    record_ = kernel_record(found, symmetry.checked, symmetry.searched)
    answer(arguments, record_, kernel_lines(found, symmetry.checked, symmetry.searched))
    return DONE


def traces(arguments: Namespace) -> int:
    from burnside.report.traces_of_machines import traces_lines, traces_record
    from burnside.testing.kernel import check_order, natural_order
    from burnside.testing.trace_texts import parse_trace
    from burnside.testing.traces import action_ranks, are_symmetric, representative, variants

    if len(arguments.traces) > 2:
        raise UsageError(Diagnostic("one trace or two were expected", source="burnside traces"))
    spec = read_specification(arguments.spec, arguments.split)
    pattern, _, order = pattern_of(arguments, spec)
    if arguments.order is not None:
        order = given_order(arguments.order, spec)
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
    answer(arguments, record_, traces_lines(given, least, compared, others))
    return DONE if compared is None or compared.symmetric else VIOLATED
