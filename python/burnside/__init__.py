"""burnside: check orbits, not states.

    import burnside
    net = burnside.load("philosophers.pnml")
    burnside.check(net, deadlock=True)      # an Outcome
    burnside.symmetries(net)                # Symmetries

As thin as the command line: the same pipeline, options and errors. Names are loaded when first used.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any, Unpack

if TYPE_CHECKING:
    from burnside.diagnostics import (
        BurnsideError,
        Diagnostic,
        InputError,
        RefusedError,
        UnsupportedError,
        UsageError,
    )
    from burnside.net import Net
    from burnside.outcome import Outcome, PropertyResult, Reduction, Step, Trace
    from burnside.pipeline import Model
    from burnside.request import CheckOptions, Limits
    from burnside.symmetry import Symmetries

    __version__: str

__all__ = [
    "BurnsideError",
    "Diagnostic",
    "InputError",
    "Limits",
    "Net",
    "Outcome",
    "PropertyResult",
    "Reduction",
    "RefusedError",
    "Step",
    "Symmetries",
    "Trace",
    "UnsupportedError",
    "UsageError",
    "__version__",
    "check",
    "load",
    "symmetries",
]

_HOMES: Mapping[str, str] = {
    **dict.fromkeys(
        ["BurnsideError", "Diagnostic", "InputError", "RefusedError", "UnsupportedError", "UsageError"],
        "burnside.diagnostics",
    ),
    **dict.fromkeys(["Outcome", "PropertyResult", "Reduction", "Step", "Trace"], "burnside.outcome"),
    "Net": "burnside.net",
    "Limits": "burnside.request",
    "Symmetries": "burnside.symmetry",
    "__version__": "burnside._core",
}


def load(
    path: str | PathLike[str], sizes: Mapping[str, int] | None = None, *, language: str | None = None
) -> Net:
    """Read a model. `sizes` are those of its sorts and constants; a place/transition net has none."""
    from burnside import pipeline

    return pipeline.read(path, language, sizes).net


def check(model: Net | str | PathLike[str], reduce: str = "auto", **options: Unpack[CheckOptions]) -> Outcome:
    """Explore a model and answer; `options` are those of `burnside check`."""
    from burnside import pipeline
    from burnside.request import request_of

    return pipeline.check(_model(model), request_of(reduce=reduce, **options))


def symmetries(
    model: Net | str | PathLike[str], *, fixing: tuple[str, ...] | None = None, keeping: tuple[str, ...] = ()
) -> Symmetries:
    """Certified symmetries that fix the initial marking (or `fixing`) and keep the expressions `keeping`."""
    from burnside import pipeline
    from burnside.request import Request

    return pipeline.symmetries(_model(model), Request(fixing=fixing, invariants=tuple(keeping)))


def _model(model: Net | str | PathLike[str]) -> Model:
    from burnside import pipeline
    from burnside.net import Net

    return pipeline.model_of(model) if isinstance(model, Net) else pipeline.read(model)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'burnside' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
