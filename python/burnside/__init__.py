"""burnside: check orbits, not states.

    import burnside
    net = burnside.load("philosophers.pnml")
    burnside.check(net, deadlock=True)      # an Outcome
    burnside.symmetries(net)                # Symmetries

As thin as the command line: the same pipeline, options and errors. Names are loaded when first used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any, Unpack

if TYPE_CHECKING:
    from burnside.diagnostics import (
        BurnsideError,
        ContradictionError,
        Diagnostic,
        InputError,
        RefusedError,
        UnsupportedError,
        UsageError,
    )
    from burnside.ir.highlevel.net import HighLevelNet
    from burnside.ir.program import Program
    from burnside.ir.sets.machine import Machine
    from burnside.model import Model
    from burnside.net import Net
    from burnside.outcome import Outcome, PropertyResult, Reduction, Trace, TraceStep
    from burnside.outcome import TraceStep as Step
    from burnside.quotients import Quotient
    from burnside.request import CheckOptions, Limits
    from burnside.symmetry import Symmetries

    Subject = Model | Net | HighLevelNet | Program | Machine | str | PathLike[str]
    __version__: str

__all__ = [
    "BurnsideError",
    "ContradictionError",
    "Diagnostic",
    "InputError",
    "Limits",
    "Model",
    "Net",
    "Outcome",
    "PropertyResult",
    "Quotient",
    "Reduction",
    "RefusedError",
    "Step",
    "Symmetries",
    "Trace",
    "TraceStep",
    "UnsupportedError",
    "UsageError",
    "__version__",
    "check",
    "load",
    "quotient",
    "symmetries",
    "unfold",
]

_HOMES: Mapping[str, str] = {
    **dict.fromkeys(
        [
            *("BurnsideError", "ContradictionError", "Diagnostic", "InputError", "RefusedError"),
            *("UnsupportedError", "UsageError"),
        ],
        "burnside.diagnostics",
    ),
    **dict.fromkeys(["Outcome", "PropertyResult", "Reduction", "Trace", "TraceStep"], "burnside.outcome"),
    "Model": "burnside.model",
    "Net": "burnside.net",
    "Limits": "burnside.request",
    "Quotient": "burnside.quotients",
    "Symmetries": "burnside.symmetry",
    "__version__": "burnside._core",
}
_OTHER_NAMES: Mapping[str, str] = {"Step": "TraceStep"}


def load(
    path: str | PathLike[str],
    sizes: Mapping[str, int] | None = None,
    *,
    language: str | None = None,
    symmetric: Sequence[str] = (),
    state: str | None = None,
    init: str | None = None,
    promote: bool = False,
) -> Net | Model:
    """Read a model: a net as such, a program with all that is needed to ask about it. `sizes` are those of its sorts and
    constants. `symmetric`: declared symmetries of processes, as after `--symmetric`. `state`, `init`, `promote`: of Z
    specifications, as after these options."""
    from burnside import pipeline
    from burnside.kinds import net_of
    from burnside.languages.options import ReadOptions

    options = ReadOptions(sizes or {}, (), tuple(symmetric), state, init, promote)
    model = pipeline.read(path, language, options=options)
    return net_of(model) or model


def check(model: Subject, reduce: str = "auto", **options: Unpack[CheckOptions]) -> Outcome:
    """Explore a model and answer; `options` are those of `burnside check`."""
    from burnside import pipeline
    from burnside.request import request_of

    return pipeline.check(_model(model), request_of(reduce=reduce, **options))


def symmetries(
    model: Subject,
    *,
    symmetry: str = "auto",
    fixing: tuple[str, ...] | None = None,
    keeping: tuple[str, ...] = (),
) -> Symmetries:
    """Certified symmetries that keep the expressions `keeping`; of a net, those that fix the initial marking
    (or `fixing`). `symmetry`: as after `--symmetry`."""
    from burnside import pipeline
    from burnside.request import Request

    return pipeline.symmetries(
        _model(model), Request(symmetry=symmetry, fixing=fixing, invariants=tuple(keeping))
    )


def quotient(
    model: Subject,
    reduce: str = "auto",
    *,
    symmetry: str = "auto",
    fixing: tuple[str, ...] | None = None,
    broken: tuple[str, ...] = (),
    propositions: tuple[str, ...] = (),
    max_states: int = 100_000,
) -> Quotient:
    """The explored state space, one state for each orbit, as a Kripke structure. `propositions`: expressions in the language
    of the model, which symmetries keep."""
    from burnside import pipeline
    from burnside.request import Request

    request = Request(
        reduce=reduce, symmetry=symmetry, fixing=fixing, broken=broken, propositions=tuple(propositions)
    )
    return pipeline.quotient(_model(model), request, max_states)


def unfold(model: Subject, *, max_transitions: int | None = None, max_seconds: float | None = None) -> Net:
    """The place/transition net that a high-level net unfolds to, as `burnside unfold` writes it."""
    from burnside import pipeline
    from burnside.diagnostics import Diagnostic, TimeError
    from burnside.limits import Deadline, OutOfTime

    read = _model(model)
    try:
        return pipeline.unfold(read, max_transitions, Deadline(max_seconds))
    except OutOfTime:
        message = "the limit on time was reached before the net was unfolded"
        raise TimeError(Diagnostic(message, read.name)) from None


def _model(model: Subject) -> Model:
    from burnside import pipeline
    from burnside.model import Model

    if isinstance(model, Model):
        return model
    return pipeline.read(model) if isinstance(model, str | PathLike) else pipeline.model_of(model)


def __getattr__(name: str) -> Any:
    own_name = _OTHER_NAMES.get(name, name)
    if own_name not in _HOMES:
        raise AttributeError(f"module 'burnside' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[own_name]), own_name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
