"""Formulas on words, straight from the definitions: the oracle of automata and of searches for lassos.

In: a path formula and a word, whose letters are the sets of atoms that are true: finite, or a prefix and a loop for ever.
Out: does the formula hold at its first position? On a finite word there is no next position at the end.
"""

from __future__ import annotations

from burnside.records import record
from burnside.reference.temporal.components import Acceptance, accepting_components
from burnside.temporal import formulas as f

Letter = frozenset[int]


@record
class Word:
    """Without a loop it is finite, and has at least one letter."""

    prefix: tuple[Letter, ...]
    loop: tuple[Letter, ...] = ()

    def stuttering(self) -> Word:
        """A finite word with its last letter repeated for ever."""
        return Word(self.prefix, self.prefix[-1:])


def holds(formula: f.Formula, word: Word) -> bool:
    return _Positions(formula, word).values(formula)[0]


class _Positions:
    """The positions up to where values repeat.

    Values of a formula repeat with the loop from some turn on: every past operator around others may take one more turn
    until they do, as what it sees of the prefix is then settled (Laroussinie, Markey and Schnoebelen, Temporal logic with
    forgettable past, 2002). So the loop is written out that often and once more; the last turn stands for all later ones.
    """

    def __init__(self, formula: f.Formula, word: Word) -> None:
        self.letters = word.prefix + word.loop * (1 + _past_depth(formula))
        self.count = len(self.letters)
        last = self.count - len(word.loop) if word.loop else None
        self.after: list[int | None] = [*range(1, self.count), last]

    def values(self, formula: f.Formula) -> list[bool]:
        """By position."""
        match formula:
            case f.Constant(value):
                return [value] * self.count
            case f.Atom(number):
                return [number in letter for letter in self.letters]
            case f.Not(operand):
                return [not value for value in self.values(operand)]
            case f.And(operands):
                rows = [self.values(each) for each in operands]
                return [all(row[at] for row in rows) for at in range(self.count)]
            case f.Or(operands):
                rows = [self.values(each) for each in operands]
                return [any(row[at] for row in rows) for at in range(self.count)]
            case f.Next(operand):
                row = self.values(operand)
                return [after is not None and row[after] for after in self.after]
            case f.Until(left, right):
                return self.until(self.values(left), self.values(right))
            case f.Release(left, right):
                return self.values(f.Not(f.Until(f.Not(left), f.Not(right))))
            case f.Yesterday(operand):
                return [False, *self.values(operand)[:-1]]
            case f.Since(left, right):
                return self.since(self.values(left), self.values(right))
            case f.Trigger(left, right):
                return self.values(f.Not(f.Since(f.Not(left), f.Not(right))))
            case f.Matches():
                return self.accepted(formula)
            case f.Exists() | f.Forall():
                raise ValueError("a word has no other runs: a path formula is needed")

    def until(self, left: list[bool], right: list[bool]) -> list[bool]:
        """The right side holds, or the left side does and the whole does at the next position: backwards from the end, where
        it is not yet known to hold. A second pass knows it at the beginning of the loop, to which the end returns."""
        values = [False] * self.count
        for _ in range(2):
            for at in reversed(range(self.count)):
                after = self.after[at]
                values[at] = right[at] or (left[at] and after is not None and values[after])
        return values

    def accepted(self, automaton: f.Matches) -> list[bool]:
        """From which positions on the automaton accepts the word. A node is a position with the edge that reads it; nothing
        finite is accepted."""
        guards = [self.values(each.guard) for each in automaton.edges]
        nodes = [(at, edge) for edge, row in enumerate(guards) for at in range(self.count) if row[at]]
        numbers = {node: number for number, node in enumerate(nodes)}

        def following(node: int) -> list[int]:
            at, edge = nodes[node]
            reading = [
                (self.after[at], number)
                for number, each in enumerate(automaton.edges)
                if each.source == automaton.edges[edge].target
            ]
            return [numbers[each] for each in reading if each in numbers]

        marked = [
            lambda node, mark=mark: mark in automaton.edges[nodes[node][1]].marks
            for mark in range(automaton.marks)
        ]
        good = set().union(*accepting_components(range(len(nodes)), following, Acceptance(tuple(marked))))
        while more := {node for node in range(len(nodes)) if node not in good and good & {*following(node)}}:
            good |= more
        begins = {at for at, edge in map(nodes.__getitem__, good) if automaton.edges[edge].source == 0}
        return [at in begins for at in range(self.count)]

    def since(self, left: list[bool], right: list[bool]) -> list[bool]:
        """The right side holds, or the left side does and the whole did at the position before."""
        values: list[bool] = []
        for at in range(self.count):
            values.append(right[at] or (left[at] and at > 0 and values[at - 1]))
        return values


def _past_depth(formula: f.Formula) -> int:
    """Past operators in each other."""
    own = isinstance(formula, f.Yesterday | f.Since | f.Trigger)
    return own + max(map(_past_depth, f.children(formula)), default=0)
