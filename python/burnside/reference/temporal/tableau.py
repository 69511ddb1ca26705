"""Runs that satisfy a path formula: the declarative tableau (Lichtenstein and Pnueli 1985; with past, Lichtenstein,
Pnueli and Zuck 1985).

In: the runs of a model, a formula without path quantifiers over leaves, whose truth is known at every position. Out:
the states from which some fair run satisfies it, and such a run. A node is a position with a truth value for every
subformula. Values of past operators follow from the node before; those of future operators are guessed, and the next
node has to agree:

    p U q = q or (p and X(p U q))        p R q = q and (p or X(p R q))        p S q = q or (p and Y(p S q))

An infinite run through agreeing nodes satisfies what its first node says if it does not put off an eventuality for
ever: for each `p U q`, again and again q holds or the until does not; for each `p R q`, q does not hold or the release
does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from burnside.records import record
from burnside.reference.temporal.runs import Runs
from burnside.reference.temporal.search import FairnessSets, RunSearch
from burnside.temporal import formulas as f

Truth = Mapping[f.Formula, Sequence[bool]]
"""Of formulas at each position."""


@record
class _Values:
    """Truth values of all subformulas at a position, one bit each, and what the next position has to agree with: there
    the bits of `care` are those of `wanted`."""

    bits: int
    care: int
    wanted: int


class Tableau(RunSearch[_Values]):
    def __init__(
        self,
        runs: Runs[Any, Any],
        formula: f.Formula,
        leaves: Truth,
        fairness: FairnessSets | None = None,
        begin: set[int] | None = None,
    ) -> None:
        """`begin`: the states from which runs are looked for; None: all."""
        super().__init__(runs, fairness or FairnessSets())
        self.formula, self.leaves = formula, leaves
        self.closure = _closure(formula, leaves)
        self.index = {each: number for number, each in enumerate(self.closure)}
        self.rows = [leaves[each] for each in self.closure if each in leaves]
        self.remembered = sum(1 << number for number in self._looked_back_at())
        self._known: dict[tuple[object, ...], list[_Values]] = {}
        self._build(
            self.runs.positions if begin is None else [at for each in begin for at in runs.at_state[each]]
        )

    def _looked_back_at(self) -> set[int]:
        """Of which subformulas the values at the position before matter."""
        past = [each for each in self.closure if each not in self.leaves]
        one = {self.index[each.operand] for each in past if isinstance(each, f.Yesterday)}
        return one | {self.index[each] for each in past if isinstance(each, f.Since | f.Trigger)}

    # Nodes

    def _build(self, begin: Iterable[int]) -> None:
        top = 1 << self.index[self.formula]
        for position in begin:
            for values in self._valuations(position, None):
                if values.bits & top:
                    self.first.append(self.node(position, values))
        at = 0
        while at < len(self.nodes):
            position, values = self.nodes[at]
            for following in self.runs.following(position):
                for other in self._valuations(following, values.bits):
                    if other.bits & values.care == values.wanted:
                        self.following[at].append(self.node(following, other))
            at += 1

    def _valuations(self, position: int, before: int | None) -> list[_Values]:
        """All ways to give the subformulas values at a position; `before`: those of the position before."""
        is_last = self.runs.is_end(position) and self.runs.ends == "strong"
        before = None if before is None else before & self.remembered
        key = (tuple(row[position] for row in self.rows), is_last, before)
        if key not in self._known:
            self._known[key] = list(self._extended(position, before, is_last, 0, _Values(0, 0, 0)))
        return self._known[key]

    def _extended(
        self, position: int, before: int | None, is_last: bool, at: int, known: _Values
    ) -> Iterator[_Values]:
        """The values of the subformulas from number `at` on, where the smaller ones are known."""
        if at == len(self.closure):
            yield known
            return
        for value, care, wanted in self._choices(position, before, is_last, at, known.bits):
            bits = known.bits | (value << at)
            more = _Values(bits, known.care | care, known.wanted | wanted)
            if known.wanted & care == wanted & known.care:
                yield from self._extended(position, before, is_last, at + 1, more)

    def _choices(
        self, position: int, before: int | None, is_last: bool, at: int, bits: int
    ) -> Iterator[tuple[bool, int, int]]:
        """Possible values of one subformula, each with the bits that matter at the next position and their values
        there."""
        formula = self.closure[at]

        def value(part: f.Formula, of: int = bits) -> bool:
            return bool(of >> self.index[part] & 1)

        def was(part: f.Formula) -> bool:
            return before is not None and value(part, before)

        if formula in self.leaves:
            yield self.leaves[formula][position], 0, 0
            return
        match formula:
            case f.Not(operand):
                yield not value(operand), 0, 0
            case f.And(operands):
                yield all(map(value, operands)), 0, 0
            case f.Or(operands):
                yield any(map(value, operands)), 0, 0
            case f.Next(operand):
                yield from [(False, 0, 0)] if is_last else self._guessed(operand)
            case f.Until(left, right):
                is_settled = value(right) or not value(left) or is_last
                yield from [(value(right), 0, 0)] if is_settled else self._guessed(formula)
            case f.Release(left, right):
                is_settled = not value(right) or value(left) or is_last
                yield from [(value(right), 0, 0)] if is_settled else self._guessed(formula)
            case f.Yesterday(operand):
                yield was(operand), 0, 0
            case f.Since(left, right):
                yield value(right) or (value(left) and was(formula)), 0, 0
            case f.Trigger(left, right):
                yield value(right) and (value(left) or before is None or was(formula)), 0, 0
            case _:
                raise ValueError(f"no leaf, and no operator of paths: {formula}")

    def _guessed(self, formula: f.Formula) -> list[tuple[bool, int, int]]:
        """The value that a formula has at the next position."""
        bit = 1 << self.index[formula]
        return [(False, bit, 0), (True, bit, bit)]

    # Runs

    def visited(self) -> tuple[Callable[[int], bool], ...]:
        return tuple(self._fulfilled(each) for each in self.closure if isinstance(each, f.Until | f.Release))

    def _fulfilled(self, formula: f.Until | f.Release) -> Callable[[int], bool]:
        whole, right = 1 << self.index[formula], 1 << self.index[formula.right]
        is_until = isinstance(formula, f.Until)

        def test(node: int) -> bool:
            bits = self.nodes[node][1].bits
            return (
                bool(bits & right) or not bits & whole if is_until else not bits & right or bool(bits & whole)
            )

        return test


def _closure(formula: f.Formula, leaves: Truth) -> list[f.Formula]:
    """The subformulas down to the leaves, each once, operands first."""
    found: dict[f.Formula, None] = {}

    def visit(each: f.Formula) -> None:
        if each not in leaves:
            for inner in f.children(each):
                visit(inner)
        found.setdefault(each)

    visit(formula)
    return list(found)
