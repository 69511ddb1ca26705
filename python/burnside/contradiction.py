"""Contradictions that the self-check of both engines finds: a certified permutation that is no symmetry, in the user's
names.

In: a generator, a state, and what the state and its image do differently. Out: a `ContradictionError`, with which the
command line ends with exit code 4: nothing is claimed about the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from burnside.diagnostics import ContradictionError, contradiction
from burnside.records import record

LONGEST = 2_000
"""Characters of a generator or a state in a message."""

Effect = Literal["taken", "discarded", "impossible", "failed", "guard-failed"]
EFFECTS: Mapping[str, str] = {
    "taken": "leads to a successor",
    "discarded": "leads to a state that is assumed away",
    "impossible": "is ended by an assumption",
    "failed": "fails",
    "guard-failed": "has a guard that fails",
}


@record(kw_only=True)
class Contradiction:
    """`difference` is a sentence about `state` and `image`, the image of the state under the generator."""

    generator: str
    """In cycle notation."""
    state: Mapping[str, str]
    image: Mapping[str, str]
    difference: str

    def error(self, source: str) -> ContradictionError:
        what = (
            f"the self-check found a contradiction: {shortened(self.generator)} is no symmetry of this model"
        )
        lines = (
            what,
            f"  state       {_shown(self.state)}",
            f"  its image   {_shown(self.image)}",
            f"  difference  {self.difference}",
        )
        return contradiction("\n".join(lines), source)


def steps_differ(
    action: str, effect: str, violated: str | None, enabled: tuple[int, int], *, in_state: bool
) -> str:
    """What an action does in one of them, none does in the other."""
    here, there = ("the state", "its image") if in_state else ("its image", "the state")
    what = EFFECTS[effect] + (f" ({violated})" if violated else "")
    counts = f"enabled actions: {enabled[0]:,} in the state, {enabled[1]:,} in its image"
    if effect == "taken":
        return f"{action} {what} of {here} that nothing leads to from {there}, up to the generator; {counts}"
    return f"{action} {what} in {here}, and nothing does so in {there}; {counts}"


def labels_differ(action: str, other: str) -> str:
    return f"the generator fixes the state and takes {action} to {other}, and these do different things there"


def property_differs(name: str, what: str, *, in_state: bool) -> str:
    here, there = ("the state", "its image") if in_state else ("its image", "the state")
    return f"{name} is {what} in {here} and not in {there}"


def shortened(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def _shown(state: Mapping[str, str]) -> str:
    return shortened(", ".join(f"{name}={value}" for name, value in state.items()) or "(nothing)")
