"""The one place where `--reduce auto` decides, and where options that do not go together are refused.

In: the user's `Request`, and what is cheap to know of net and group. Out: a frozen `Plan`: the
canonicaliser by name, its settings and the reason in one sentence. An option takes effect or is an error;
it is never ignored.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from burnside.diagnostics import Diagnostic, RefusedError, UsageError
from burnside.outcome import Change, Strength
from burnside.records import record, replace
from burnside.request import Request

STRENGTHS: Mapping[str, Strength] = MappingProxyType(
    {
        "none": "none",
        "flood": "canonical",
        "nauty": "canonical",
        "search": "canonical",
        "minimise": "canonical",
        "compare": "canonical",
        "representative": "representative",
        "marker": "approximate",
    }
)
REDUCTIONS = ("auto", *STRENGTHS)
SYMMETRIES = ("auto", "declared", "strict")
ENGINES = ("core", "reference")
SELF_CHECKS = ("sample", "full", "off")
FAIRNESS = ("weak", "strong")
CYCLES = ("accept", "progress")
EXAMINATIONS = (
    "ReachabilityDeadlock",
    "QuasiLiveness",
    "StableMarking",
    "Liveness",
    "OneSafe",
    "StateSpace",
)
COVER_BY = ("forward", "backward", "both")
ORDERS = ("bfs", "dfs", "mixed", "random")
GUIDES = ("partition", "marking", "tree")
SELECTORS = ("trivial", "min", "max", "min-min-frequency", "max-min-frequency", "least-unique")

DEFAULT_GUIDE = "partition"
TYPED_GUIDE = "tree"
DEFAULT_ALPHA = 0.5
MAX_THREADS = 256

# Which methods an option means something to.
GUIDED = frozenset({"search", "representative"})
BUDGETED = frozenset({"representative"})
MARKING = frozenset({"marker", "compare"})
MAX_ROUNDS = 8
"""Of markers: what a round adds soon is nothing."""
PRUNING = frozenset({"auto", "flood", "nauty", "search", "minimise", "compare", "representative"})
CLASSIFYING = frozenset({"auto", "search"})
BY_REFERENCE = frozenset({"auto", "none", "minimise"})

TINY_GROUP = 12
"""Up to this order, trying every element beats building a partition first: measured in docs/auto.md."""


@record
class PlanInputs:
    """What the choice may depend on: known before the first state is explored."""

    acting_order: int
    """Elements of the group that differ on markings: swaps of identical places and transitions do not."""
    typed: bool = False
    """Are states typed data, in which symmetries rename elements?"""


@record(kw_only=True)
class Plan:
    """What runs."""

    method: str
    reason: str
    guide: str = DEFAULT_GUIDE
    selector: str | None = None
    """None: the one that suits the guide."""
    budget: int | None = None
    rounds: int = 1
    """Of markers."""
    prune: bool = True
    gives_up: bool = False
    """Is reducing given up where it costs more than it saves?"""
    mixed: bool = False
    """Was it given up in the midst of the run? Then a state stands for its orbit, or for itself."""

    @property
    def strength(self) -> Strength:
        return "representative" if self.mixed else STRENGTHS[self.method]


def choose(request: Request, inputs: PlanInputs) -> Plan:
    """The method that runs: the one asked for, or under `auto` the exact one that measurements favour."""
    if request.reduce == "auto":
        return _automatic(request, inputs)
    if request.reduce == "minimise" and request.engine == "core" and inputs.acting_order > minimise_limit():
        raise RefusedError(
            Diagnostic(
                f"minimise tries every element of the group, and there are {inputs.acting_order:,} "
                f"(at most {minimise_limit():,})",
                source="--reduce",
                hint="use --reduce search, which gives the same orbits",
            )
        )
    return Plan(
        method=request.reduce,
        reason="asked for",
        guide=request.guide or (TYPED_GUIDE if inputs.typed else DEFAULT_GUIDE),
        selector=request.selector,
        budget=request.budget,
        rounds=request.rounds or 1,
        prune=request.prune,
    )


def minimise_limit() -> int:
    """The core's own: it walks the whole tree of the group for every state."""
    from burnside import _core

    return _core.MINIMISE_LIMIT


def _automatic(request: Request, inputs: PlanInputs) -> Plan:
    if inputs.typed:
        return _automatic_for_data(request, inputs)
    method, reason = "search", "the group is large: search guided by equitable partitions"
    if request.stats:
        reason = "--stats classifies markings by their search trees"
    elif inputs.acting_order == 1:
        method, reason = "none", "no symmetry that is kept moves a reachable marking"
    elif request.engine == "reference":
        method, reason = "minimise", "the reference engine writes out every orbit"
    elif inputs.acting_order <= TINY_GROUP:
        method, reason = "minimise", f"the group moves markings in only {inputs.acting_order} ways"
    return Plan(
        method=method, reason=reason, prune=request.prune, gives_up=_may_give_up(request, inputs.acting_order)
    )


def _may_give_up(request: Request, acting_order: int) -> bool:
    """Statistics are about canonical forms, and the reference engine shows what they are."""
    return acting_order > 1 and request.engine == "core" and not request.stats


def _automatic_for_data(request: Request, inputs: PlanInputs) -> Plan:
    method, reason = "search", "search guided by the colours of elements"
    if request.stats:
        reason = "--stats classifies states by their search trees"
    elif inputs.acting_order == 1:
        method, reason = "none", "no symmetry is known"
    elif request.engine == "reference":
        method, reason = "minimise", "the reference engine writes out every orbit"
    gives_up = _may_give_up(request, inputs.acting_order)
    return Plan(method=method, reason=reason, guide=TYPED_GUIDE, prune=request.prune, gives_up=gives_up)


def after(plan: Plan, change: Change | None) -> Plan:
    """What ran, where the run gave up reducing."""
    if change is None:
        return plan
    if change.restarted:
        return replace(plan, method="none", reason=f"{plan.method} was given up")
    return replace(plan, mixed=True)


def validate(request: Request) -> None:
    """Refuse what can be refused without looking at the model."""
    _known("--reduce", request.reduce, REDUCTIONS)
    _known("--symmetry", request.symmetry, SYMMETRIES)
    _known("--self-check", request.self_check, SELF_CHECKS)
    _known("--engine", request.engine, ENGINES)
    _known("--order", request.order, ORDERS)
    _known("--guide", request.guide, GUIDES)
    _known("--fair", request.fair, FAIRNESS)
    _known("--cover-by", request.cover_by, COVER_BY)
    if request.cover_by is not None and not request.covers:
        raise without_effect("--cover-by", "--cover")
    for each in request.cycles:
        _known("--cycles", each, CYCLES)
    for each in request.examinations:
        _known("--examination", each, EXAMINATIONS)
    _known("--selector", request.selector, SELECTORS)
    _ranges(request)
    _search_order(request)
    _method_settings(request)
    _group_settings(request)
    if request.engine == "reference":
        _reference(request)


def refuse_for_nets(request: Request) -> None:
    """What needs typed data; `marker`, for one, compares the values of a state."""
    _refuse_sets(request)
    _refuse_unfolding(request)
    if request.guide == "tree":
        raise without_effect("--guide tree", "typed data, and a place/transition net has none")
    if request.broken:
        raise without_effect("--break-symmetry", "a model with sorts, and a place/transition net has none")
    if request.symmetry == "declared" and request.fixing is not None:
        raise without_effect("--fixing", "--symmetry auto: a net declares no symmetries")
    if request.reduce == "marker":
        raise RefusedError(
            Diagnostic(
                "symmetry markers need typed data, and a place/transition net has none",
                source="--reduce",
                hint="use --reduce auto, or one of " + ", ".join(m for m in STRENGTHS if m != "marker"),
            )
        )


def _known(option: str, value: str | None, choices: Collection[str]) -> None:
    if value is not None and value not in choices:
        raise UsageError(
            Diagnostic(f"no such value: {value!r}", source=option, hint="one of " + ", ".join(choices))
        )


def _ranges(request: Request) -> None:
    limits = request.limits
    positive = {
        "--threads": request.threads,
        "--budget": request.budget,
        "--max-states": limits.states,
        "--max-seconds": limits.seconds,
        "--max-memory": limits.memory_bytes,
    }
    for option, value in positive.items():
        if value is not None and not 0 < value < 2**63:
            raise UsageError(Diagnostic(f"must be a positive number, not {value}", source=option))
    if request.threads is not None and request.threads > MAX_THREADS:
        raise UsageError(Diagnostic(f"at most {MAX_THREADS}, not {request.threads}", source="--threads"))
    if request.rounds is not None and not 0 < request.rounds <= MAX_ROUNDS:
        raise UsageError(Diagnostic(f"from 1 to {MAX_ROUNDS}, not {request.rounds}", source="--rounds"))
    if request.alpha is not None and not 0 <= request.alpha <= 1:
        raise UsageError(Diagnostic(f"must be between 0 and 1, not {request.alpha}", source="--alpha"))
    if request.seed is not None and not 0 <= request.seed < 2**64:
        raise UsageError(Diagnostic(f"must be between 0 and 2^64 - 1, not {request.seed}", source="--seed"))


def _search_order(request: Request) -> None:
    if request.alpha is not None and request.order != "mixed":
        raise without_effect("--alpha", "--order mixed")
    if request.seed is not None and request.order not in ("mixed", "random"):
        raise without_effect("--seed", "--order random or --order mixed")


def _method_settings(request: Request) -> None:
    given = {
        "--guide": (request.guide is not None, GUIDED),
        "--selector": (request.selector is not None, GUIDED),
        "--budget": (request.budget is not None, BUDGETED),
        "--rounds": (request.rounds is not None, MARKING),
        "--no-prune": (not request.prune, PRUNING),
        "--stats": (request.stats, CLASSIFYING),
    }
    for option, (is_given, methods) in given.items():
        if is_given and request.reduce not in methods:
            raise without_effect(option, "--reduce " + " or ".join(sorted(methods)))


def _group_settings(request: Request) -> None:
    if request.fixing is None:
        return
    if request.reduce == "none":
        raise without_effect("--fixing", "a reduction, and --reduce none asks for no group")


def refuse_for_programs(request: Request) -> None:
    """What only nets have, or only machines."""
    refuse_for_machines(request)
    _refuse_sets(request)
    if request.reduce == "marker":
        message = "'marker' is not available for Murphi"
        raise RefusedError(Diagnostic(message, source="--reduce", hint="use --reduce auto"))


def _refuse_sets(request: Request) -> None:
    """What only machines have."""
    if request.rounds is not None:
        raise without_effect("--rounds", "a machine of sets")
    if request.assume_bounds:
        raise without_effect("--assume-bounds", "a machine of sets")


def refuse_for_machines(request: Request) -> None:
    """What only nets have."""
    if request.safe:
        raise without_effect("--safe", "a net")
    _refuse_moving_slots(request)
    _refuse_unfolding(request)


def refuse_for_highlevel_nets(request: Request) -> None:
    """What only place/transition nets have, or only languages of sets."""
    _refuse_moving_slots(request)
    if request.assume_bounds:
        raise without_effect("--assume-bounds", "a machine of sets")
    if request.engine == "reference":
        for option, is_given in (("--unfold", request.unfold), ("--automorphisms", request.automorphisms)):
            if is_given:
                raise without_effect(option, "--engine core")
    if request.automorphisms:
        if request.unfold is False:
            raise UsageError(Diagnostic("does not go together with --no-unfold", source="--automorphisms"))
        if request.reduce == "none":
            raise without_effect("--automorphisms", "a reduction, and --reduce none asks for no group")
    found = unfit_for_unfolding(request)
    if found and (request.unfold or request.automorphisms):
        option, why = found
        hint = f"without {'--unfold' if request.unfold else '--automorphisms'} the net is explored directly"
        if request.reduce == "nauty":
            hint = f"with --automorphisms it is asked for all; {hint}"
        message = f"not of an unfolded net: {why}"
        raise RefusedError(Diagnostic(message, source=option, hint=hint))


def unfit_for_unfolding(request: Request) -> tuple[str, str] | None:
    """An option by which a high-level net has to be explored directly, and why."""
    if request.reduce == "marker":
        return "--reduce marker", "markers compare values of tokens"
    if request.rounds is not None:
        return "--rounds", "markers compare values of tokens"
    if request.guide == "tree":
        return "--guide tree", "it looks at values of tokens"
    if request.reduce == "nauty" and not request.automorphisms:
        return "--reduce nauty", "nauty needs all automorphisms of a net, not symmetries of values alone"
    return None


def _refuse_unfolding(request: Request) -> None:
    """What is about the place/transition nets that others unfold to."""
    if request.unfold is not None:
        option = "--unfold" if request.unfold else "--no-unfold"
        raise without_effect(option, "a high-level net")
    if request.automorphisms:
        raise without_effect("--automorphisms", "a high-level net")


def _refuse_moving_slots(request: Request) -> None:
    """What is about groups that permute places."""
    given = {
        "--fixing": request.fixing is not None,
        "--guide marking": request.guide == "marking",
        "--selector": request.selector is not None,
    }
    for option, is_given in given.items():
        if is_given:
            raise without_effect(option, "a place/transition net")


def _reference(request: Request) -> None:
    if request.reduce not in BY_REFERENCE:
        raise UsageError(
            Diagnostic(
                f"the reference engine does not know {request.reduce}",
                source="--reduce",
                hint="it tries every element of the group: one of " + ", ".join(sorted(BY_REFERENCE)),
            )
        )
    beyond = {
        "--threads": request.threads is not None,
        "--stats": request.stats,
        "--no-prune": not request.prune,
        "--max-memory": request.limits.memory_bytes is not None,
        f"--order {request.order}": request.order not in ("bfs", "dfs"),
    }
    for option, is_given in beyond.items():
        if is_given:
            raise without_effect(option, "--engine core")


def refuse_beside_formulas(request: Request) -> None:
    """What only the exploration of all states takes into account, where nothing but formulas is asked."""
    given = {
        f"--order {request.order}": request.order != "bfs",
        "--threads": request.threads is not None,
        f"--self-check {request.self_check}": request.self_check in ("sample", "full"),
        f"--reduce {request.reduce}": request.engine == "reference" and request.reduce == "minimise",
    }
    for option, is_given in given.items():
        if is_given:
            raise without_effect(option, "something besides formulas to check, such as --deadlock")


def refuse_beside_coverability(request: Request) -> None:
    """What only the exploration of all states takes into account, where nothing but coverability is asked."""
    given = {
        "--threads": request.threads is not None,
        f"--self-check {request.self_check}": request.self_check in ("sample", "full"),
        "--guide": request.guide is not None,
        "--selector": request.selector is not None,
        "--budget": request.budget is not None,
        "--no-prune": not request.prune,
        f"--reduce {request.reduce}": request.engine == "reference" and request.reduce == "minimise",
        f"--order {request.order}": request.engine == "reference" and request.order != "bfs",
    }
    for option, is_given in given.items():
        if is_given:
            raise without_effect(option, "something besides coverability to check, such as --deadlock")
    if request.order not in ("bfs", "dfs"):
        hint = "bfs or dfs"
        raise UsageError(Diagnostic("coverability is not searched for in this order", "--order", hint=hint))


def without_effect(option: str, needed: str) -> UsageError:
    return UsageError(Diagnostic(f"has no effect here: it needs {needed}", source=option))
