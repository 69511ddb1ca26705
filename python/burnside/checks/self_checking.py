"""Contradictions that the core's self-check found, in the user's names.

In: a `_core.Contradiction`, and what the kind of model calls points, states, actions and properties. Out: a
`ContradictionError`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING

from burnside.contradiction import Contradiction, labels_differ, property_differs, steps_differ
from burnside.records import record
from burnside.symmetry.cycles import cycle_notation, cycles

if TYPE_CHECKING:
    from burnside import _core


@record
class Naming:
    """What the core's numbers are called."""

    points: Sequence[str]
    state: Callable[[Sequence[int]], Mapping[str, str]]
    action: Callable[[int], str]
    property: Callable[[int], str]


class self_checked:
    """Inside, a failed self-check of the core becomes a `ContradictionError`."""

    def __init__(self, source: str, naming: Callable[[], Naming]) -> None:
        self.source, self.naming = source, naming

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        from burnside import _core

        if isinstance(error, _core.SelfCheckError):
            found: _core.Contradiction = error.args[0]
            raise _named(found, self.naming()).error(self.source) from None


def _named(found: _core.Contradiction, naming: Naming) -> Contradiction:
    return Contradiction(
        generator=cycle_notation(cycles(found.generator), naming.points),
        state=naming.state(found.state),
        image=naming.state(found.image),
        difference=_difference(found, naming),
    )


def _difference(found: _core.Contradiction, naming: Naming) -> str:
    violated = None if found.property is None else naming.property(found.property)
    if found.effect is not None:
        action = naming.action(found.labels[0])
        return steps_differ(action, found.effect, violated, found.enabled, in_state=found.in_state)
    if violated is None:
        return labels_differ(*map(naming.action, found.labels))
    what = "covered" if found.what == "cover" else "violated or reached"
    return property_differs(violated, what, in_state=found.in_state)
