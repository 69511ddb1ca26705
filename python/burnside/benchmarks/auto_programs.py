"""Every exact method on a spread of Murphi programs: the measurement behind `--reduce auto` for programs.

In: examples of the project, and programs of the Murphi distribution where they are found (see `instances`).
Out: one table: seconds of each method, the fastest, and what `auto` takes. All methods must find the same
number of orbits. Each run has a process of its own and a limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from burnside.benchmarks.auto_methods import LIMIT, MAX_REPEATED_SECONDS, Answer, Finding, answered, row_of
from burnside.benchmarks.instances import explored, missing, prepared
from burnside.benchmarks.measuring import repeated
from burnside.benchmarks.tables import Row, Table, TableSpec, named, without_figures
from burnside.diagnostics import RefusedError
from burnside.request import Limits, Request


def _request(reduce: str, guide: str | None = None) -> Request:
    """Deadlocks are no errors here: every run is to see every state."""
    limits = Limits(seconds=LIMIT)
    return Request(reduce=reduce, guide=guide, symmetry="declared", deadlock=False, threads=1, limits=limits)


METHODS = {
    "none": _request("none"),
    "search": _request("search", "tree"),
    "by partition": _request("search", "partition"),
    "nauty": _request("nauty"),
    "minimise": _request("minimise"),
    "compare": _request("compare"),
    "flood": _request("flood"),
}
MODELS = (
    *("german", "sem N=16", "graphs N=7", "digraphs N=5", "msi", "peterson"),
    *("cache3 ProcCount=4", "list6 CellCount=5", "newlist6 CellCount=4", "mcslock1 N=3", "n_peterson N=4"),
)
AUTO = TableSpec(
    "auto-programs",
    "Methods on programs, and what `--reduce auto` takes",
    (
        *named("model | group order | states | orbits"),
        *METHODS,
        *named("fastest | auto | auto/fastest | verdict"),
    ),
    "Seconds of each exact method, one thread, declared symmetries: medians of three after a warm-up, single runs "
    f"above {MAX_REPEATED_SECONDS:.0f} s, `>{LIMIT:.0f}` beyond the limit, `refused` where the method does not take "
    "the group. "
    "`search` is guided by the tree. The fastest is named among those that reduce.",
)


def tables() -> Iterator[Table]:
    yield Table(AUTO, rows(MODELS))


def rows(models: Sequence[str], methods: Sequence[str] = tuple(METHODS)) -> Iterator[Row]:
    for model in models:
        if why := missing(model):
            yield without_figures(AUTO, model, why)
            continue
        chosen = prepared(model, _request("auto"))
        answers = {
            method: answered(measure, model, method) if method in methods else "not run" for method in METHODS
        }
        order = chosen.question.group.order
        yield row_of((model, order), answers, chosen.plan.method, acting=order > 1)


def measure(model: str, method: str) -> Answer:
    """In a process of its own."""
    try:
        check = prepared(model, METHODS[method])
        found, seconds = repeated(lambda: explored(check), MAX_REPEATED_SECONDS)
    except (RefusedError, ValueError):  # the method does not take this group
        return "refused"
    return Finding(seconds, found.states, found.full_states, found.stopped)
