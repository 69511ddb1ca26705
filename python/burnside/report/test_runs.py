"""Runs of suites, as people and as programs read them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from burnside.report.lines import Line, Piece, count, figure
from burnside.testing.running import Failure, RunReport, looks_like_reset_reply
from burnside.testing.running.variants import VariantsReport

SHOWN = 3
SHOWN_STEPS = 40
ENDED = {
    "all run": "all tests were run",
    "max-failures": "as many failures as --max-failures says",
    "restarts": "the implementation had to be given up too often",
    "interrupted": "interrupted",
}


def run_record(report: RunReport, variants: VariantsReport | None) -> dict[str, Any]:
    first = report.first_failure
    found: dict[str, Any] = {
        "passed": report.passed,
        "failed": report.failed,
        "first_failure": None if first is None else _failure(first),
        "failures": [_failure(each) for each in report.failures],
        "steps": report.steps,
        "seconds": report.seconds,
        "stopped": report.stopped,
    }
    if variants is not None:
        found["variants"] = {
            "failing": [list(each) for each in variants.failing],
            "passing": [list(each) for each in variants.passing],
        }
    return found


def _failure(failure: Failure) -> dict[str, Any]:
    step = failure.step
    return {
        "test": failure.test,
        "kind": failure.kind,
        "step": step,
        "input": None if step is None else failure.inputs[step],
        "expected": None if step is None else failure.expected[step],
        "got": failure.got,
        "what": failure.what,
        "inputs": list(failure.inputs),
        "expected_outputs": list(failure.expected),
        "outputs": list(failure.outputs),
    }


def run_lines(name: str, report: RunReport, variants: VariantsReport | None) -> Iterator[Line]:
    verdict = Piece("failed", "bold red") if report.failed else Piece("passed", "bold green")
    yield Piece(f"{name}: ", "bold"), verdict
    yield ()
    yield figure("passed", f"{report.passed:,}")
    yield figure("failed", f"{report.failed:,}")
    yield figure("steps", f"{report.steps:,}")
    yield figure("time", f"{report.seconds:.2f} s")
    if report.stopped != "all run":
        yield figure("ended", ENDED[report.stopped])
    for failure in report.failures[:SHOWN]:
        yield ()
        yield from _failure_lines(failure)
    if report.failed > SHOWN:
        yield ()
        yield (Piece(f"... and {count(report.failed - SHOWN, 'more failure')}"),)
    first = report.first_failure
    if first is not None and looks_like_reset_reply(first):
        yield ()
        yield (Piece("If the adapter answers 'reset' by a line, say --reset-reply.", "yellow"),)
    if variants is not None and (variants.failing or variants.passing):
        yield ()
        yield from _variant_lines(variants)


def _failure_lines(failure: Failure) -> Iterator[Line]:
    where = "reset" if failure.step is None else f"step {failure.step + 1}"
    yield Piece(f"test {failure.test}: {failure.kind} at {where}", "bold"), Piece(f": {failure.what}")
    last = 0 if failure.step is None else failure.step
    for at in range(max(0, last + 1 - SHOWN_STEPS), last + 1):
        if failure.step is None:
            return
        mark = "!" if at == last else " "
        yield (Piece(f"  {mark} {failure.inputs[at]} / {failure.expected[at]}"),)


def _variant_lines(variants: VariantsReport) -> Iterator[Line]:
    failing, passing = len(variants.failing), len(variants.passing)
    if not passing:
        yield (Piece(f"All {count(failing, 'symmetric variant')} that were run fail, itself included."),)
        return
    yield (
        Piece(f"Of {count(failing + passing, 'symmetric variant')}, {passing} pass: "),
        Piece("the implementation is not closed under the symmetry", "bold"),
        Piece(", which a kernel's suite assumes."),
    )
    for what, inputs in (
        ("fails", variants.failing[0] if failing else None),
        ("passes", variants.passing[0]),
    ):
        if inputs is not None:
            yield figure(what, "; ".join(inputs))
