"""Is a pattern a symmetry of a machine? (Romijn and Springintveld 1999, Definition 3.1 and Theorem 6.13)

In: a deterministic machine, a pattern. Out: a `SymmetryVerdict`, with two traces as a counterexample where it is none. The
search is the core's (`crates/core/src/fsm/symmetry.rs`); `reference.symmetry_check` has the search over all quadruples.

In the *strict* sense, as the report defines it, every sequence of actions that is related to a trace must be a trace. *On
traces*, only traces of the machine are related. Kernels and suites are the same in both, and the theorems hold for both, of
implementations that are closed on traces: see docs/testing.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, cast

from burnside.records import record
from burnside.testing.compiled import compiled
from burnside.testing.facts import check_deterministic
from burnside.testing.machine import Action, StateMachine
from burnside.testing.patterns import Pattern

Trace = tuple[Action, ...]
Flaw = Literal["uncovered", "not closed", "not persistent", "not loop preserving"]
Symmetry = Literal["proved", "proved on traces", "refuted", "unchecked"]


@record
class Counterexample:
    """Two variant traces; the first goes on by `action`, which has no colours, or which the second has no variant of, or has
    one (`other`) that the machine cannot do. Without `action`: the second begins with the first and loops, and a copy of
    the template is then in another state."""

    flaw: Flaw
    traces: tuple[Trace, Trace]
    action: Action | None = None
    other: Action | None = None


@record
class SymmetryVerdict:
    """`counterexample`: None where the pattern is a symmetry. `quadruples`: states and vectors after two variant traces."""

    counterexample: Counterexample | None
    quadruples: int


@record
class CheckedSymmetry:
    """`counterexample`: where the pattern is no symmetry in the weaker sense, or in the strict one alone."""

    symmetry: Symmetry
    counterexample: Counterexample | None = None

    @property
    def is_proved(self) -> bool:
        return self.symmetry in ("proved", "proved on traces")


def check_symmetry(
    machine: StateMachine,
    pattern: Pattern,
    *,
    strict: bool,
    progress: Callable[[int], object] | None = None,
) -> SymmetryVerdict:
    check_deterministic(machine)
    found = compiled(machine)
    verdict = found.pattern(pattern).check(found.core, strict, progress)
    if verdict.counterexample is None:
        return SymmetryVerdict(None, verdict.related)
    flaw, one, other, action, impossible = verdict.counterexample
    named = (None if each is None else machine.actions[each] for each in (action, impossible))
    traces = (found.trace(one), found.trace(other))
    return SymmetryVerdict(Counterexample(cast(Flaw, flaw), traces, *named), verdict.related)


def checked_symmetry(
    machine: StateMachine, pattern: Pattern, progress: Callable[[int], object] | None = None
) -> CheckedSymmetry:
    """In the strict sense, and on traces where it is none in the strict sense."""
    strictly = check_symmetry(machine, pattern, strict=True, progress=progress).counterexample
    if strictly is None:
        return CheckedSymmetry("proved")
    if strictly.flaw == "not closed":
        on_traces = check_symmetry(machine, pattern, strict=False, progress=progress).counterexample
        if on_traces is None:
            return CheckedSymmetry("proved on traces", strictly)
        return CheckedSymmetry("refuted", on_traces)
    return CheckedSymmetry("refuted", strictly)
