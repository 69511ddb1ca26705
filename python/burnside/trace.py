"""Counterexamples: every trace is run again on the unreduced net, by the plain rules, before anyone sees
it.

In: a net, the steps an engine claims, the property they should violate. Out: a `Trace` in the user's
names. A step that is not enabled, a marking that differs or an end that violates nothing is a bug of
burnside, and is said so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from burnside.diagnostics import REPORT, ContradictionError, Diagnostic
from burnside.net import Net
from burnside.outcome import Step, Trace
from burnside.records import record

Marking = tuple[int, ...]


class ReplayError(ContradictionError):
    """An engine produced a trace that is none."""

    def __init__(self, what: str) -> None:
        super().__init__(Diagnostic(f"internal error: a trace does not replay: {what}", hint=REPORT))


@record
class ClaimedStep:
    """What an engine says happened: the transition fired (None at the start) and the marking after it."""

    transition: int | None
    marking: Marking


class NamedMarking(Mapping[str, str]):
    """A marking under the user's names; as dictionaries, long traces of large nets would fill the memory."""

    __slots__ = ("_marking", "_net")

    def __init__(self, net: Net, marking: Marking) -> None:
        self._net = net
        self._marking = marking

    def __getitem__(self, place: str) -> str:
        return str(self._marking[self._net.place_numbers[place]])

    def __iter__(self) -> Iterator[str]:
        return iter(self._net.places)

    def __len__(self) -> int:
        return len(self._marking)

    def __repr__(self) -> str:
        return repr({place: tokens for place, tokens in self.items() if tokens != "0"})


def claimed(steps: Iterable[tuple[int | None, Sequence[int]]]) -> tuple[ClaimedStep, ...]:
    """The engine's pairs as typed steps."""
    return tuple(ClaimedStep(transition, tuple(marking)) for transition, marking in steps)


def replay(net: Net, steps: Sequence[ClaimedStep], violates: Callable[[Marking], bool]) -> Trace:
    """Run the steps on the net itself; `violates` must hold of the last marking."""
    if not steps or steps[0].transition is not None or steps[0].marking != net.initial:
        raise ReplayError("it does not start in the initial marking")
    marking = net.initial
    for number, step in enumerate(steps[1:], start=1):
        marking = _fire(net, marking, step, number)
    if not violates(marking):
        raise ReplayError("its last marking does not violate the property")
    return Trace(tuple(Step(_action(net, step), NamedMarking(net, step.marking)) for step in steps))


def _fire(net: Net, marking: Marking, step: ClaimedStep, number: int) -> Marking:
    transition = step.transition
    if transition is None or not 0 <= transition < len(net.transitions):
        raise ReplayError(f"step {number} names no transition")
    if not net.is_enabled(marking, transition):
        raise ReplayError(f"{net.transitions[transition]} is not enabled in step {number}")
    after = net.fire(marking, transition)
    if after != step.marking:
        raise ReplayError(f"{net.transitions[transition]} leads to another marking in step {number}")
    return after


def _action(net: Net, step: ClaimedStep) -> str | None:
    return None if step.transition is None else net.transitions[step.transition]
