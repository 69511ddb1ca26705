"""The options of the commands for finite state machines and tests, for argparse.

`arguments` puts them into the parser of the command that is called. Only what can be said of one option alone is checked
here.
"""

from __future__ import annotations

import argparse

from burnside.argument_types import natural, positive, seconds


def add_machine(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", help="a machine (.aut, .dot, .fsm, .kiss), or a model that is explored"
    )
    _split(parser)
    model = parser.add_argument_group("models, and machines that act by themselves")
    model.add_argument("--language", metavar="NAME", help="read FILE as a model in this language")
    model.add_argument(
        "--inputs",
        metavar="GLOB",
        action="append",
        default=[],
        help="actions that are inputs; the others are outputs that follow them; repeatable",
    )
    model.add_argument(
        "--internal", metavar="GLOB", action="append", default=[], help="actions that nobody sees; repeatable"
    )
    model.add_argument(
        "--max-states",
        metavar="N",
        type=positive,
        help="states of a model that are explored (default: 100,000)",
    )
    convert = parser.add_argument_group("conversion, in this order")
    convert.add_argument("--determinise", action="store_true", help="the same traces, one state for each")
    convert.add_argument(
        "--complete",
        choices=("loops", "sink"),
        help="inputs without an edge: stay in the state, or go to a state that nothing leaves",
    )
    convert.add_argument(
        "--missing-output", metavar="TEXT", help="with --complete: the output of these edges (default: -)"
    )
    convert.add_argument("--minimise", action="store_true", help="merge bisimilar states")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the machine: .aut, .dot, .fsm or .kiss")
    _json(parser)


def add_kernel(parser: argparse.ArgumentParser) -> None:
    _specification(parser)
    _symmetry(parser.add_mutually_exclusive_group(required=True), kernel=False)
    _kernel_options(parser)
    parser.add_argument(
        "-o", "--output", metavar="KERNEL", help="write the kernel: .aut, .dot, .fsm or .kiss"
    )
    parser.add_argument(
        "--write-pattern", metavar="FILE", help="write the pattern and the order that were used (.toml)"
    )
    _json(parser)


def add_tests(parser: argparse.ArgumentParser) -> None:
    _specification(parser)
    _symmetry(parser.add_mutually_exclusive_group(), kernel=True)
    _kernel_options(parser)
    group = parser.add_argument_group("method")
    group.add_argument(
        "--method",
        choices=("w", "wp", "hsi", "h", "random"),
        default="w",
        help="default: w; on kernels only w",
    )
    group.add_argument(
        "--extra", metavar="K", type=natural, help="extra states of the implementation (default: 0)"
    )
    group.add_argument(
        "--m1", metavar="N", type=natural, help="instead of --extra: how many classes of states it has"
    )
    group.add_argument(
        "--m2",
        metavar="K",
        type=natural,
        help="on kernels: the implementation is K-self-contained (default: 0)",
    )
    group.add_argument(
        "--characterise",
        choices=("longest", "shortest"),
        default="longest",
        help="the characterising set begins with states that need the longest words (small), or the shortest",
    )
    group.add_argument(
        "--walks", metavar="N", type=positive, help="with --method random: how many (default: 100)"
    )
    group.add_argument("--length", metavar="N", type=positive, help="of each of these (default: 100)")
    parser.add_argument(
        "-o", "--output", metavar="SUITE", help="write the tests: .jsonl or .txt (default: only their number)"
    )
    _json(parser)


def add_run_tests(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("suite", metavar="SUITE", help="a suite file (.jsonl, .txt)")
    implementation = parser.add_mutually_exclusive_group(required=True)
    implementation.add_argument(
        "--adapter",
        metavar="COMMAND",
        help="a program that reads 'reset' and inputs, and answers outputs, line by line",
    )
    implementation.add_argument("--connect", metavar="HOST:PORT", help="the same over TCP")
    parser.add_argument(
        "--timeout", metavar="S", type=seconds, default=5.0, help="for each answer (default: 5 seconds)"
    )
    parser.add_argument("--reset-reply", action="store_true", help="'reset' is answered by a line too")
    parser.add_argument(
        "--max-failures", metavar="N", type=natural, help="end after N failed tests (default: run all)"
    )
    parser.add_argument("--junit", metavar="FILE", help="write a report in JUnit's format (.xml)")
    variants = parser.add_argument_group("symmetric variants of the first failing test")
    variants.add_argument("--spec", metavar="SPEC", help="the machine that the suite was derived from")
    variants.add_argument("--pattern", metavar="PATTERN", help="with --spec: its symmetry (.toml)")
    variants.add_argument(
        "--variants", metavar="N", type=natural, help="with --pattern: how many are run (default: 20)"
    )
    _split(variants)
    _json(parser)


def add_fault_coverage(parser: argparse.ArgumentParser) -> None:
    _specification(parser)
    parser.add_argument("suite", metavar="SUITE", help="a suite file of it (.jsonl, .txt)")
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--exhaustive",
        action="store_true",
        help="all machines with at most as many states (default: random mutants)",
    )
    how.add_argument("--mutants", metavar="N", type=positive, help="how many random mutants (default: 1,000)")
    parser.add_argument(
        "--states", metavar="N", type=positive, help="with --exhaustive: how many states at most"
    )
    parser.add_argument("--faults", metavar="K", type=positive, help="faults of a random mutant (default: 1)")
    parser.add_argument("--seed", metavar="S", type=natural, help="of random mutants (default: 0)")
    domain = parser.add_argument_group("suites of kernels: only mutants that respect the symmetry count")
    domain.add_argument("--pattern", metavar="PATTERN", help="the symmetry (.toml)")
    domain.add_argument("--m1", metavar="N", type=natural, help="classes that the kernel meets in a mutant")
    domain.add_argument("--m2", metavar="K", type=natural, help="mutants are K-self-contained (default: 0)")
    domain.add_argument("--order", metavar="ORDER", help="of the kernel, as in burnside kernel")
    _json(parser)


def add_traces(parser: argparse.ArgumentParser) -> None:
    _specification(parser)
    parser.add_argument(
        "traces",
        metavar="TRACE",
        nargs="+",
        help="one trace or two; steps separated by ';', outputs may be left out",
    )
    _symmetry(parser.add_mutually_exclusive_group(required=True), kernel=False)
    parser.add_argument("--order", metavar="ORDER", help="of inputs, as in burnside kernel")
    parser.add_argument(
        "--variants",
        metavar="N",
        type=natural,
        help="show up to N symmetric traces (default: only the least)",
    )
    _json(parser)


def _specification(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("spec", metavar="SPEC", help="the machine (.aut, .dot, .fsm, .kiss)")
    _split(parser)


def _split(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--split",
        metavar="HOW",
        help="labels hold input and output: slash, offers (LOTOS), results (B), none, or a regular expression with groups "
        "input and output",
    )


def _symmetry(group: argparse._MutuallyExclusiveGroup, *, kernel: bool) -> None:
    group.add_argument(
        "--pattern", metavar="PATTERN", help="the symmetry, described in a pattern file (.toml)"
    )
    group.add_argument(
        "--automorphisms",
        action="store_true",
        help="the symmetry that is found: renamings of inputs and outputs",
    )
    if kernel:
        group.add_argument("--kernel", metavar="KERNEL", help="a kernel that burnside kernel wrote")


def _kernel_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("kernel")
    group.add_argument(
        "--order",
        metavar="ORDER",
        help="of inputs, least first: a file with an input on each line, 'natural', or 'search' for a small kernel "
        "(default: that of the pattern file, or natural)",
    )
    group.add_argument(
        "--tries", metavar="N", type=natural, help="with --order search: kernels (default: 500)"
    )
    group.add_argument(
        "--seed", metavar="S", type=natural, help="of --order search and --method random (default: 0)"
    )
    group.add_argument(
        "--no-check", dest="check", action="store_false", help="do not check that the pattern is a symmetry"
    )


def _json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
