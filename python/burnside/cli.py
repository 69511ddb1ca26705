"""The command line: arguments in, exit codes out; the work is in `pipeline`.

In: `sys.argv`. Out: one of the `exit_codes`. Everything beyond argparse is imported where it is used, so that `--help` and
`--version` answer at once.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, Any, NoReturn

from burnside.arguments import parse
from burnside.diagnostics import BurnsideError, Diagnostic, TimeError, UsageError, contradiction
from burnside.exit_codes import CONTRADICTION, DONE, UNKNOWN, VIOLATED, WRONG
from burnside.streams import check_writable, extension_of, write_output

if TYPE_CHECKING:
    from argparse import Namespace

    from burnside.model import Model
    from burnside.net import Net
    from burnside.outcome import Outcome
    from burnside.request import Limits, Request

GC_THRESHOLD = 500_000
"""Objects made between two searches for garbage. A command makes trees, not cycles, and ends soon; looking through them
again and again took a tenth of a second."""


TESTING_COMMANDS = ("machine", "kernel", "tests", "run_tests", "fault_coverage", "traces")


def run() -> NoReturn:
    """The program `burnside`. Nothing is left to be done at its end, and the system takes memory back faster than
    Python gives it away object by object."""
    code = main()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code and raises nothing."""
    gc.set_threshold(GC_THRESHOLD)
    _robust_streams()
    try:
        with _terminating_interrupts():
            return _run(sys.argv[1:] if argv is None else argv)
    except BurnsideError as error:
        return _complain(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _complain("burnside: interrupted", UNKNOWN)
    except OSError as error:
        return _complain(f"burnside: error: {error.strerror or error}", WRONG)
    except MemoryError:
        return _complain("burnside: error: out of memory; --max-memory ends a run before that", UNKNOWN)
    except BaseException as error:  # a panic of the core is no Exception
        return _complain(_internal_error(error), CONTRADICTION)


def _internal_error(error: BaseException) -> str:
    """The message for an error that was not expected. The traceback is for developers."""
    if os.environ.get("BURNSIDE_DEBUG"):
        import traceback

        return "".join(traceback.format_exception(error))
    what = f"{type(error).__name__}: {error}".splitlines()[0]
    return str(contradiction(f"{what} (BURNSIDE_DEBUG=1 shows where)", "burnside"))


@contextmanager
def _terminating_interrupts() -> Iterator[None]:
    """SIGTERM (`kill`, `timeout`, a batch system) ends a run as Ctrl-C does: with what is known so far."""
    if signal.getsignal(signal.SIGTERM) != signal.SIG_DFL or current_thread() is not main_thread():
        yield  # the program that runs this one handles the signal
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _run(argv: Sequence[str]) -> int:
    try:
        arguments = parse(argv)
    except SystemExit:  # --help, --version
        write_output(sys.stdout.flush)
        return DONE
    return COMMANDS[arguments.command](arguments)


def _check(arguments: Namespace) -> int:
    from burnside import pipeline
    from burnside.kinds import has_places
    from burnside.limits import Deadline, OutOfTime
    from burnside.report.progress import progress_for

    request = _request(arguments)
    if arguments.contest:
        _check_contest(arguments, request)
    if arguments.trace is not None:
        check_writable(arguments.trace, "--trace", ("json", "txt", "dot", "svg", "png", "pdf"))
    deadline = Deadline(request.limits.seconds)
    try:
        model = deadline.run(lambda: _model(arguments))
    except OutOfTime:
        message = "the limit on time was reached while the model was read"
        raise TimeError(Diagnostic(message, arguments.model)) from None
    for option in ("bounds", "contest"):
        if getattr(arguments, option) and not has_places(model):
            message = "has no effect here: it needs a net"
            raise UsageError(Diagnostic(message, source=f"--{option}"))
    outcome = pipeline.check(
        model, request, progress_for(arguments.progress, request.limits.states), deadline
    )
    for each in outcome.reduction.dropped:
        place = f"{outcome.model}:{each.line}:{each.column}"
        print(
            f"{place}: note: {each.what} could not be shown to be symmetric and is not permuted as a whole: {each.reason}",
            file=sys.stderr,
        )
    if arguments.trace is not None:
        _write_traces(arguments.trace, outcome)
    write_output(_outcome_text(arguments, outcome))
    if arguments.contest:
        return _contest_code(outcome)
    return outcome.exit_code


def _check_contest(arguments: Namespace, request: Request) -> None:
    """What stands in a line of the contest is a formula or an examination."""
    beside = {
        "--json": arguments.json,
        "--deadlock": request.deadlock,
        "--safe": request.safe,
        "--invariant": request.invariants,
        "--find": request.goals,
        "--bounded": request.bounded,
        "--cover": request.covers,
        "--bounds": arguments.bounds,
        "--dead-transitions": arguments.dead_transitions,
        "--stats": request.stats,
        "--coverage": request.coverage,
    }
    for option, is_given in beside.items():
        if is_given:
            raise UsageError(Diagnostic("does not go together with --contest", source=option))
    if not (request.formulas or request.property_files or request.examinations):
        message = "has no effect here: it needs --properties, --examination or a formula"
        raise UsageError(Diagnostic(message, source="--contest"))


def _contest_code(outcome: Outcome) -> int:
    """Also where some formulas are violated, it is said that others have no answer."""
    from burnside.report.contest import unanswered_lines

    unanswered = list(unanswered_lines(outcome))
    for line in unanswered:
        print(line, file=sys.stderr)
    return UNKNOWN if unanswered else outcome.exit_code


def _outcome_text(arguments: Namespace, outcome: Outcome) -> Callable[[], object]:
    if arguments.json:
        from burnside.report.json import dump, outcome_record

        document = dump(outcome_record(outcome))
        return lambda: sys.stdout.write(document)
    if arguments.contest:
        from burnside.report.contest import contest_lines

        lines = "".join(f"{line}\n" for line in contest_lines(outcome))
        return lambda: sys.stdout.write(lines)
    from burnside.report.lines import show
    from burnside.report.text import Details, outcome_lines

    details = Details(bounds=arguments.bounds, dead_transitions=arguments.dead_transitions)
    return lambda: show(outcome_lines(outcome, details), sys.stdout)


def _write_traces(path: str, outcome: Outcome) -> None:
    from burnside.output_files import remove_file, write_atomically
    from burnside.report.traces import traces_in

    if outcome.traced:
        write_atomically(path, traces_in(extension_of(path), outcome))
    elif remove_file(path):
        # It would pass for the counterexample of this run.
        print(f"burnside: no counterexample, {path} of an earlier run is removed", file=sys.stderr)
    else:
        print(f"burnside: no counterexample, {path} is not written", file=sys.stderr)


def _symmetries(arguments: Namespace) -> int:
    from burnside import pipeline

    request = _request(arguments)
    found = pipeline.symmetries(_model(arguments), request)
    if arguments.json:
        from burnside.report.json import dump, symmetries_record

        document = dump(symmetries_record(found))
        write_output(lambda: sys.stdout.write(document))
    else:
        from burnside.report.lines import show
        from burnside.report.symmetries import symmetries_lines

        write_output(lambda: show(symmetries_lines(found), sys.stdout))
    return DONE


def _graph(arguments: Namespace) -> int:
    from burnside.report import pictures

    request = _request(arguments)
    extensions = ("dot", "svg", "png", "pdf")
    needs = {
        "--dynamic": ("--what channels", arguments.dynamic and arguments.what != "channels"),
        "--steps": ("--what history", arguments.steps is not None and arguments.what != "history"),
        "--seed": ("--steps", arguments.walk_seed is not None and arguments.steps is None),
    }
    for option, (needed, is_missing) in needs.items():
        if is_missing:
            raise UsageError(Diagnostic(f"has no effect here: it needs {needed}", source=option))
    if arguments.what == "space":
        check_writable(arguments.output, "-o", (*extensions, "json", "aut"))
        pictures.draw_space(
            _model(arguments), request, arguments.output, arguments.max_states, partial=arguments.partial
        )
        return DONE
    if arguments.what == "channels":
        _only_for_space(arguments, or_channels=True)
        check_writable(arguments.output, "-o", (*extensions, "json"))
        pictures.draw_channels(
            _model(arguments), request, arguments.output, arguments.max_states, dynamic=arguments.dynamic
        )
        return DONE
    _only_for_space(arguments)
    if arguments.what == "net":
        check_writable(arguments.output, "-o", extensions)
        pictures.draw_net(_model(arguments), request, arguments.output)
        return DONE
    check_writable(arguments.output, "-o", (*extensions, "json"))
    if arguments.steps is None:
        pictures.draw_history(_model(arguments), request, arguments.output)
    else:
        pictures.draw_walk(
            _model(arguments), arguments.output, steps=arguments.steps, seed=arguments.walk_seed or 0
        )
    return DONE


def _only_for_space(arguments: Namespace, *, or_channels: bool = False) -> None:
    given = {
        "--reduce": arguments.reduce != "auto",
        "--max-states": arguments.max_states is not None and not (or_channels and arguments.dynamic),
        "--partial": arguments.partial,
        "--proposition": bool(arguments.proposition),
    }
    for option, is_given in given.items():
        if is_given:
            raise UsageError(Diagnostic("has no effect here: it needs --what space", source=option))


def _unfold(arguments: Namespace) -> int:
    from time import monotonic

    from burnside import pipeline
    from burnside.limits import Deadline, OutOfTime
    from burnside.report import unfolding as report

    check_writable(arguments.output, "-o", ("pnml", "lola"))
    begun, deadline = monotonic(), Deadline(arguments.max_seconds)
    try:
        model = deadline.run(lambda: _model(arguments))
        net = pipeline.unfold(model, arguments.max_transitions, deadline)
    except OutOfTime:
        message = "the limit on time was reached before the net was unfolded"
        raise TimeError(Diagnostic(message, arguments.model)) from None
    _write_net(net, arguments.output, lola=extension_of(arguments.output) == "lola")
    done = report.Written(model.name, model.language, net, arguments.output, monotonic() - begun)
    if arguments.json:
        from burnside.report.json import dump

        document = dump(report.record_of(done))
        write_output(lambda: sys.stdout.write(document))
    else:
        from burnside.report.lines import show

        write_output(lambda: show(report.lines_of(done), sys.stdout))
    return DONE


def _simulate(arguments: Namespace) -> int:
    from functools import partial
    from io import StringIO

    from burnside.kinds import kind_of
    from burnside.report.json import dump
    from burnside.simulate import run

    if arguments.deadlock is not None and arguments.steps is None:
        raise UsageError(Diagnostic("has no effect here: it needs --steps", source="--deadlock"))
    model = _model(arguments)
    simulated = partial(
        run,
        kind_of(model.subject).semantics_of(model.subject),
        steps=arguments.steps,
        seed=arguments.seed or 0,
        stdin=sys.stdin,
        deadlock_is_error=model.deadlock_is_error if arguments.deadlock is None else arguments.deadlock,
    )
    if arguments.steps is None:
        # With --json standard output holds the document alone: the dialogue goes to standard error.
        shown = sys.stderr if arguments.json else sys.stdout

        def converse() -> None:
            done = simulated(stdout=shown)
            if arguments.json:
                sys.stdout.write(dump(done.record(model.name)))

        write_output(converse)
        return DONE
    text = StringIO()
    walked = simulated(stdout=text)
    document = dump(walked.record(model.name)) if arguments.json else text.getvalue()
    write_output(lambda: sys.stdout.write(document))
    return VIOLATED if walked.violations() else DONE


def _automaton(arguments: Namespace) -> int:
    from burnside.report import automata as report
    from burnside.temporal.automata import read_automaton

    if arguments.output is not None:
        check_writable(arguments.output, "-o", report.EXTENSIONS)
    found = read_automaton(arguments.formula, "FORMULA", strong_next=arguments.finite == "strong")
    if arguments.output is not None:
        report.write_automaton(found, arguments.output)
    if arguments.json:
        from burnside.report.json import dump

        document = dump(report.automaton_record(found))
        write_output(lambda: sys.stdout.write(document))
    elif arguments.output is None:
        write_output(lambda: sys.stdout.write(found.hoa()))
    return DONE


def _example(arguments: Namespace) -> int:
    from burnside import families

    if arguments.list:
        if arguments.name is not None or arguments.output is not None:
            raise UsageError(Diagnostic("stands alone", source="--list"))
        write_output(lambda: _list_families())
        return DONE
    if arguments.name is None:
        raise UsageError(
            Diagnostic("a family is missing", source="burnside example", hint="--list names them")
        )
    if arguments.name in families.MACHINE_FAMILIES:
        from burnside.testing_commands import write_example

        return write_example(arguments)
    for option in ("pattern", "order"):
        if getattr(arguments, option) is not None:
            raise UsageError(Diagnostic("has no effect here: it is for state machines", source=f"--{option}"))
    if arguments.output is not None:
        check_writable(arguments.output, "-o")
    _write_net(families.build(arguments.name, arguments.params), arguments.output)
    return DONE


def _list_families() -> None:
    from burnside.families import FAMILIES, MACHINE_FAMILIES

    listed = (*FAMILIES.values(), *MACHINE_FAMILIES.values())
    width = max(len(family.usage) for family in listed)
    for family in listed:
        print(f"{family.usage:<{width}}  {family.description} ({family.section})")


def _write_net(net: Net, output: str | None, *, lola: bool = False) -> None:
    from io import StringIO, TextIOWrapper

    from burnside.languages.lola.write import write_lola
    from burnside.languages.pnml.write import write_pnml
    from burnside.output_files import writing_atomically

    write = write_lola if lola else write_pnml
    if output is None:
        text = StringIO()
        write(net, text)
        write_output(lambda: sys.stdout.write(text.getvalue()))
        return
    with writing_atomically(output) as file:
        stream = TextIOWrapper(file, encoding="utf-8", newline="\n")
        write(net, stream)
        stream.flush()
        stream.detach()


def _bench(arguments: Namespace) -> int:
    from burnside import benchmarks

    code: int = benchmarks.run(arguments.names, arguments.output)
    return code


def _of_testing(name: str) -> Callable[[Namespace], int]:
    def command(arguments: Namespace) -> int:
        from burnside import testing_commands

        found: Callable[[Namespace], int] = getattr(testing_commands, name)
        return found(arguments)

    return command


COMMANDS: dict[str, Callable[[Namespace], int]] = {
    "check": _check,
    "symmetries": _symmetries,
    "graph": _graph,
    "unfold": _unfold,
    "simulate": _simulate,
    "automaton": _automaton,
    "example": _example,
    "bench": _bench,
    **{name.replace("_", "-"): _of_testing(name) for name in TESTING_COMMANDS},
}


def _request(arguments: Namespace) -> Request:
    """The options as a request, checked as far as it can be without the model; commands differ in what they offer."""
    from burnside.plan import validate
    from burnside.request import AskedFormula, Limits, Request

    given = vars(arguments)
    names = (
        *("reduce", "symmetry", "engine", "order", "alpha", "seed", "threads", "guide", "selector"),
        *("budget", "rounds", "prune", "deadlock", "safe", "keep_going", "self_check"),
        *("assume_bounds", "stats", "coverage", "fair", "fair_by", "unfold", "automorphisms"),
        *("bounded", "cover_by"),
    )
    request = Request(
        fixing=None if given["fixing"] is None else tuple(given["fixing"]),
        broken=tuple(given["break_symmetry"]),
        invariants=tuple(given.get("invariant", ())),
        goals=tuple(given.get("find", ())),
        covers=tuple(given.get("cover", ())),
        propositions=tuple(given.get("proposition", ())),
        formulas=tuple(AskedFormula(*each) for each in given.get("formulas", ())),
        property_files=tuple(given.get("properties", ())),
        cycles=tuple(given.get("cycles", ())),
        examinations=tuple(given.get("examination", ())),
        facts=_wants_facts(given),
        limits=_limits(arguments) if arguments.command == "check" else Limits(),
        **{name: given[name] for name in names if name in given},
    )
    validate(request)
    return request


def _wants_facts(given: Mapping[str, Any]) -> bool:
    """Do bounds or dead transitions have to be found out by exploring? The answer to --bounded has them."""
    wanted = given.get("bounds") or given.get("dead_transitions")
    return bool(wanted) and not given.get("bounded", False)


def _limits(arguments: Namespace) -> Limits:
    from burnside.request import Limits

    return Limits(
        states=arguments.max_states, seconds=arguments.max_seconds, memory_bytes=arguments.max_memory
    )


def _model(arguments: Namespace) -> Model:
    from burnside import pipeline
    from burnside.languages.options import ReadOptions

    sizes = dict(arguments.size)
    if len(sizes) < len(arguments.size):
        raise UsageError(Diagnostic("the same name is given twice", source="--size"))
    options = ReadOptions(
        sizes,
        tuple(arguments.allow_path),
        tuple(getattr(arguments, "symmetric", ())),
        arguments.state,
        arguments.init,
        arguments.promote,
    )
    return pipeline.read(arguments.model, arguments.language, options=options)


def _robust_streams() -> None:
    """A closed stream swallows what it gets, and no name in a model is beyond a terminal's alphabet."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: PTH123, SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _complain(text: str, code: int) -> int:
    with suppress(OSError):
        print(text, file=sys.stderr, flush=True)
    return code
