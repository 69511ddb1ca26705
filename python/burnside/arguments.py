"""The options of every command, for argparse.

In: the words of the command line. Out: a `Namespace`, or a `UsageError` in the format of all other
diagnostics. Only what can be said of one option alone is checked here; what goes together is decided in
`plan`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NoReturn

from burnside.argument_types import folder, formula, megabytes, natural, positive, seconds, size
from burnside.diagnostics import Diagnostic, UsageError
from burnside.exit_codes import CONTRADICTION, DONE, UNKNOWN, VIOLATED, WRONG

EPILOG = (
    f"exit codes: {DONE} holds or done, {VIOLATED} violated or found, {WRONG} wrong input or call, "
    f"{UNKNOWN} unknown (limit, interrupt, values not tried), {CONTRADICTION} a bug in burnside"
)


def parse(argv: Sequence[str]) -> argparse.Namespace:
    return _parser(_command(argv)).parse_args(argv)


def _command(argv: Sequence[str]) -> str | None:
    return next((word for word in argv if not word.startswith("-")), None)


class _Parser(argparse.ArgumentParser):
    """Errors leave as diagnostics; options are never abbreviated, so that new ones break no script."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(allow_abbrev=False, **settings)

    def error(self, message: str) -> NoReturn:
        raise UsageError(Diagnostic(message, source=self.prog, hint=f"{self.prog} --help"))


class _Version(argparse.Action):
    """Asks the core for its version only when it is wanted."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        from burnside import __version__

        print(f"burnside {__version__}")
        parser.exit()


def _parser(command: str | None) -> _Parser:
    """Only the options of the command that is called are put together: all of them take longer than a small check."""
    parser = _Parser(prog="burnside", description="Check orbits, not states.", epilog=EPILOG)
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (options, what) in _commands().items():
        added = commands.add_parser(name, help=what, epilog=EPILOG if name == "check" else None)
        if name == command:
            options(added)
    return parser


def _commands() -> dict[str, tuple[Callable[[argparse.ArgumentParser], None], str]]:
    from burnside import testing_arguments

    return {
        "check": (_check, "explore a model and judge its properties"),
        "symmetries": (_symmetries, "show the certified symmetries of a model"),
        "graph": (_graph, "draw the state space or the net"),
        "unfold": (_unfold, "write a high-level net as a place/transition net"),
        "simulate": (_simulate, "walk through a model step by step"),
        "automaton": (_automaton, "show the automaton of a temporal formula"),
        "example": (_example, "write a parameterised model"),
        "machine": (testing_arguments.add_machine, "say what a state machine is like, convert it"),
        "kernel": (
            testing_arguments.add_kernel,
            "find the part of a machine that symmetry leaves to be tested",
        ),
        "tests": (testing_arguments.add_tests, "derive a test suite from a machine or a kernel"),
        "run-tests": (testing_arguments.add_run_tests, "run a test suite against an implementation"),
        "fault-coverage": (
            testing_arguments.add_fault_coverage,
            "count the faulty machines that a suite detects",
        ),
        "traces": (testing_arguments.add_traces, "say whether traces are symmetric, show the representative"),
        "bench": (_bench, "run the tables of the papers and the races"),
    }


def _check(parser: argparse.ArgumentParser) -> None:
    _model(parser)
    _group(parser)
    _properties(parser.add_argument_group("properties"))
    _reduction(parser.add_argument_group("reduction"))
    _exploration(parser.add_argument_group("exploration"))
    _output(parser.add_argument_group("output"))


def _model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "model", metavar="MODEL", help="the model file; its extension determines the language"
    )
    parser.add_argument("--language", metavar="NAME", help="read MODEL as this language")
    parser.add_argument(
        "--size",
        metavar="NAME=N",
        action="append",
        type=size,
        default=[],
        help="size of a sort or value of a constant; *=N: of every deferred or given set that is not named; repeatable",
    )
    parser.add_argument(
        "--allow-path",
        metavar="FOLDER",
        action="append",
        type=folder,
        default=[],
        help="MODEL may read other files from there too; repeatable",
    )
    roles = parser.add_argument_group("Z specifications")
    roles.add_argument(
        "--state",
        metavar="SCHEMA",
        help="the schema that is the state (default: the one that the start includes)",
    )
    roles.add_argument(
        "--init",
        metavar="SCHEMA",
        help="the schema that is the start (default: Init, or the first called so)",
    )
    roles.add_argument(
        "--promote",
        action="store_true",
        help="schemas without a role, which no other refers to, are operations as well",
    )


def _group(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("symmetry")
    group.add_argument(
        "--symmetry",
        metavar="WHICH",
        default="auto",
        help="auto, declared, or strict: as auto, but a declared symmetry that cannot be shown is an error",
    )
    group.add_argument(
        "--fixing",
        metavar="WHAT",
        action="append",
        help="of a net, what symmetries must fix: initial (default), nothing, or a marking such as p=1,q=2; repeatable",
    )
    group.add_argument(
        "--break-symmetry",
        metavar="NAME",
        action="append",
        default=[],
        help="treat the elements of this sort as if each were named; repeatable",
    )
    group.add_argument(
        "--unfold",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="high-level nets: explore the place/transition net that the net unfolds to, or never; by default where it is "
        "small",
    )
    group.add_argument(
        "--automorphisms",
        action="store_true",
        help="high-level nets: unfold, and look for automorphisms of the unfolded net too, which are sometimes more",
    )
    group.add_argument(
        "--symmetric",
        metavar="PROCTYPE[:TOPOLOGY]",
        action="append",
        default=[],
        help="Promela: processes of this type are declared to be interchangeable, or to form a ring, a hypercube, ...; "
        "repeatable",
    )


def _properties(group: argparse._ArgumentGroup) -> None:
    boolean = argparse.BooleanOptionalAction
    group.add_argument(
        "--deadlock",
        action=boolean,
        help="is a deadlock an error? (default: no for nets, yes for other models)",
    )
    group.add_argument("--safe", action="store_true", help="no place may ever hold two tokens")
    group.add_argument(
        "--invariant",
        metavar="EXPR",
        action="append",
        default=[],
        help="EXPR must hold in every state; repeatable",
    )
    group.add_argument(
        "--find",
        metavar="EXPR",
        action="append",
        default=[],
        help="search for a state where EXPR holds; repeatable",
    )
    group.add_argument(
        "--bounded", action="store_true", help="of a net: is every place bounded, and by what?"
    )
    group.add_argument(
        "--cover",
        metavar="WHAT",
        action="append",
        default=[],
        help="of a net: search for a marking that covers '2 p + q', or where 'p + q >= 3'; repeatable",
    )
    group.add_argument(
        "--cover-by",
        metavar="WHICH",
        help="with --cover: forward (default), backward, or both, which must agree",
    )
    _formulas(group)
    group.add_argument("--keep-going", action="store_true", help="explore everything even after a violation")
    group.add_argument(
        "--assume-bounds",
        action="store_true",
        help="of a machine: numbers that nothing bounds lie between MININT and MAXINT",
    )


def _formulas(group: argparse._ArgumentGroup) -> None:
    for logic, what in (("ltl", "on every run"), ("ctl", "in every initial state")):
        group.add_argument(
            f"--{logic}",
            metavar="FORMULA",
            dest="formulas",
            action="append",
            type=partial(formula, logic),
            default=[],
            help=f"FORMULA must hold {what}; repeatable",
        )
    group.add_argument(
        "--properties",
        metavar="FILE",
        action="append",
        default=[],
        help="named formulas (text), or a property file of the Model Checking Contest (XML); repeatable",
    )
    group.add_argument(
        "--cycles",
        metavar="LABELS",
        action="append",
        default=[],
        help="of Promela: accept (no cycle through such a label) or progress (no cycle without one); repeatable",
    )
    group.add_argument(
        "--examination",
        metavar="NAME",
        action="append",
        default=[],
        help="of a net: ReachabilityDeadlock, QuasiLiveness, StableMarking, Liveness, OneSafe or StateSpace; repeatable",
    )
    group.add_argument(
        "--fair",
        metavar="STRENGTH",
        help="of formulas: weak or strong, only runs that are fair to actions (of Promela: to processes)",
    )
    group.add_argument(
        "--fair-by",
        metavar="PARAMETER",
        help="with --fair: fair to each value of this parameter of actions (to each process), whatever it does",
    )


def _reduction(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--reduce",
        metavar="NAME",
        default="auto",
        help="auto, none, flood, nauty, search, minimise, compare, representative or marker",
    )
    group.add_argument(
        "--guide",
        metavar="NAME",
        help="what guides --reduce search: partition, marking (nets) or tree (programs)",
    )
    group.add_argument(
        "--selector", metavar="NAME", help="which cell --reduce search splits next (Junttila 2003, 4.2)"
    )
    group.add_argument(
        "--budget", metavar="N", type=positive, help="search nodes per state of --reduce representative"
    )
    group.add_argument(
        "--rounds",
        metavar="N",
        type=positive,
        help="refinement rounds of the markers of machines (default: 1, as published)",
    )
    group.add_argument(
        "--no-prune",
        dest="prune",
        action="store_false",
        help="fire every transition, not one per stabiliser orbit",
    )
    group.add_argument(
        "--self-check",
        metavar="WHICH",
        help="check the symmetries on explored states: sample (default), full or off",
    )
    group.add_argument(
        "--stats", action="store_true", help="show the shares of trivial, easy and hard states"
    )


def _exploration(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--engine", metavar="NAME", default="core", help="core or reference")
    group.add_argument("--order", metavar="NAME", default="bfs", help="bfs, dfs, mixed or random")
    group.add_argument(
        "--alpha", metavar="A", type=float, help="share of depth first in --order mixed, 0 to 1"
    )
    group.add_argument("--seed", metavar="S", type=int, help="seed of --order mixed and random (default: 0)")
    group.add_argument("--threads", metavar="N", type=positive, help="explore with N threads")
    group.add_argument("--max-states", metavar="N", type=positive, help="end with unknown beyond N states")
    group.add_argument("--max-seconds", metavar="S", type=seconds, help="end with unknown after S seconds")
    group.add_argument(
        "--max-memory",
        metavar="MB",
        type=megabytes,
        help="end with unknown beyond this memory (default: 3/4 of the machine's)",
    )


def _output(group: argparse._ArgumentGroup) -> None:
    boolean = argparse.BooleanOptionalAction
    group.add_argument("--json", action="store_true", help="one JSON document on standard output")
    group.add_argument(
        "--contest",
        action="store_true",
        help="of a net: the lines of the Model Checking Contest, and nothing else",
    )
    group.add_argument(
        "--trace", metavar="FILE", help="write the counterexamples: .json, .txt, .dot, .svg, .png or .pdf"
    )
    group.add_argument("--bounds", action="store_true", help="show the bound of every place")
    group.add_argument(
        "--coverage",
        action="store_true",
        help="show how often each action was enabled and each property violated",
    )
    group.add_argument("--dead-transitions", action="store_true", help="list the dead transitions")
    group.add_argument("--progress", action=boolean, help="show progress (default: on a terminal)")


def _symmetries(parser: argparse.ArgumentParser) -> None:
    _model(parser)
    _group(parser)
    parser.add_argument(
        "--keeping",
        metavar="EXPR",
        dest="invariant",
        action="append",
        default=[],
        help="only symmetries that keep this expression; repeatable",
    )
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def _graph(parser: argparse.ArgumentParser) -> None:
    _model(parser)
    _group(parser)
    parser.add_argument(
        "-o", "--output", metavar="FILE", required=True, help=".dot, .svg, .png, .pdf, .json or .aut"
    )
    parser.add_argument(
        "--what",
        choices=("space", "net", "channels", "history"),
        default="space",
        help="what is drawn: states, a net, the channels of a Promela model, a counterexample (default: space)",
    )
    parser.add_argument("--reduce", metavar="NAME", default="auto", help="as in check")
    parser.add_argument(
        "--proposition",
        metavar="EXPR",
        action="append",
        default=[],
        help="--what space: mark the states in which EXPR holds; symmetries keep it; repeatable",
    )
    parser.add_argument(
        "--max-states", metavar="N", type=positive, help="largest space to draw (default: 500)"
    )
    parser.add_argument(
        "--partial", action="store_true", help="draw that many states of a larger space, instead of none"
    )
    parser.add_argument(
        "--steps", metavar="N", type=positive, help="--what history: a random walk of N steps (Promela)"
    )
    parser.add_argument(
        "--seed", metavar="S", dest="walk_seed", type=natural, help="with --steps: the seed (default: 0)"
    )
    parser.add_argument(
        "--dynamic",
        action="store_true",
        help="--what channels: what processes use in the first states, instead of what the text allows",
    )


def _unfold(parser: argparse.ArgumentParser) -> None:
    _model(parser)
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help=".pnml or .lola")
    parser.add_argument(
        "--max-transitions",
        metavar="N",
        type=positive,
        help="how large the net may become (default: 5 million; places, arcs and values tried are limited in proportion)",
    )
    parser.add_argument("--max-seconds", metavar="S", type=seconds, help="stop after this time")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def _simulate(parser: argparse.ArgumentParser) -> None:
    _model(parser)
    parser.add_argument(
        "--steps", metavar="N", type=positive, help="walk N steps at random, up to the first violation"
    )
    parser.add_argument(
        "--deadlock",
        action=argparse.BooleanOptionalAction,
        help="with --steps: is a deadlock an error? (default: no for nets, yes for other models)",
    )
    parser.add_argument("--seed", metavar="S", type=natural, help="seed of the random steps (default: 0)")
    parser.add_argument(
        "--json", action="store_true", help="the walk as one JSON document on standard output"
    )


def _automaton(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("formula", metavar="FORMULA", help="LTL with past; atoms are names, or any {text}")
    parser.add_argument(
        "--finite",
        choices=("strong", "stutter"),
        default="stutter",
        help="at the end of a finite run: strong, X p is false there; stutter, the last state repeats (default)",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write .hoa, .dot, .svg, .png or .pdf (default: HOA on standard output)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def _example(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="name of the family")
    parser.add_argument("params", metavar="PARAMS", nargs="*", help="its parameters")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write PNML here, or a state machine by extension (default: standard output)",
    )
    parser.add_argument(
        "--pattern", metavar="FILE", help="of a state machine: write its symmetry here (.toml)"
    )
    parser.add_argument("--order", metavar="NAME", help="with --pattern: which order of inputs")
    parser.add_argument("--list", action="store_true", help="name the families")


def _bench(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "names", metavar="NAME", nargs="*", help="which tables, or all; without a name they are listed"
    )
    parser.add_argument("-o", "--output", metavar="DIRECTORY", help="where the results go")
