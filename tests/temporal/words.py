"""Formulas on single runs, by definition: a run that ends, or one that repeats its loop for ever.

The loop is written out some times. Then values of past operators repeat themselves from one copy to the next: going
once round a loop sets `p S q` to `a or (b and before)`, which does not change when it is done again, so each past
operator needs one copy more than its operands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from burnside.temporal import formulas as f

Letters = Sequence[Sequence[bool]]
"""The truth of each atom at each position."""


def satisfied(formula: f.Formula, letters: Letters, loop: int | None, *, stutter: bool = False) -> bool:
    """At the first position. `loop`: where the last position leads back to; None: the run ends there, or stays there."""
    if loop is None and stutter:
        loop = len(letters) - 1
    length = 0 if loop is None else len(letters) - loop
    past = sum(isinstance(each, f.Yesterday | f.Since | f.Trigger) for each in f.subformulas(formula))
    word = [*letters, *(letters[loop:] if loop is not None else []) * (past + 1)]
    following: list[int | None] = [*range(1, len(word)), None if loop is None else len(word) - length]

    def values(each: f.Formula) -> list[bool]:
        match each:
            case f.Constant(value):
                return [value] * len(word)
            case f.Atom(number):
                return [letter[number] for letter in word]
            case f.Not(operand):
                return [not value for value in values(operand)]
            case f.And(operands):
                return [all(row) for row in zip(*map(values, operands), strict=True)]
            case f.Or(operands):
                return [any(row) for row in zip(*map(values, operands), strict=True)]
            case f.Next(operand):
                inner = values(operand)
                return [then is not None and inner[then] for then in following]
            case f.Until(left, right):
                return fixpoint(left, right, start=False, step=lambda p, q, then: q or (p and then))
            case f.Release(left, right):
                return fixpoint(left, right, start=True, step=lambda p, q, then: q and (p or then))
            case f.Yesterday(operand):
                return [False, *values(operand)[:-1]]
            case f.Since(left, right):
                return backwards(left, right, start=False, step=lambda p, q, before: q or (p and before))
            case f.Trigger(left, right):
                return backwards(left, right, start=True, step=lambda p, q, before: q and (p or before))
            case _:
                raise ValueError(each)

    Step = Callable[[bool, bool, bool], bool]

    def fixpoint(left: f.Formula, right: f.Formula, *, start: bool, step: Step) -> list[bool]:
        """From the back to the front, until nothing changes. Behind the end, until is false and release true."""
        first, second, found = values(left), values(right), [start] * len(word)
        while True:
            before = list(found)
            for at in reversed(range(len(word))):
                then = following[at]
                found[at] = step(first[at], second[at], start if then is None else found[then])
            if before == found:
                return found

    def backwards(left: f.Formula, right: f.Formula, *, start: bool, step: Step) -> list[bool]:
        found, before = [], start
        for p, q in zip(values(left), values(right), strict=True):
            before = step(p, q, before)
            found.append(before)
        return found

    return values(formula)[0]
