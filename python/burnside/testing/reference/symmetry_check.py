"""Is a pattern a symmetry of a machine? (Romijn and Springintveld 1999, Definitions 3.1 and 6.4; Lemma 6.6)

In: a deterministic machine, a pattern. Out: a `SymmetryVerdict`, with two traces as a counterexample where it is none.

The search goes over quadruples: the states and vectors after two variant traces. For every action after the one there must
be a variant after the other:

* in the strict sense, as the report defines it, every action of the alphabet with the same colours after the other trace
  must be possible there (the machine is *closed*), and there must be one (the pattern is *persistent*);
* on traces, only traces of the machine are related, so it is closed by definition, and one such action must be possible.

*Covered*: every action of a trace has colours. *Loop preserving*: no trace that loops leads from a vector to another one.
The slow reference: readable, and what the core is compared with.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from burnside.testing.machine import StateMachine
from burnside.testing.patterns import Colours, Pattern, Vector
from burnside.testing.symmetry_check import Counterexample, Flaw, SymmetryVerdict, Trace

Quadruple = tuple[int, Vector, int, Vector]


def check_symmetry(machine: StateMachine, pattern: Pattern, *, strict: bool) -> SymmetryVerdict:
    return _Check(machine, pattern, strict).run()


class _Check:
    def __init__(self, machine: StateMachine, pattern: Pattern, strict: bool) -> None:
        self._machine, self._pattern, self._strict = machine, pattern, strict
        self._targets: list[Mapping[int, int]] = [dict(edges) for edges in machine.leaving]
        self._coloured: dict[Vector, dict[Colours, list[tuple[int, Vector]]]] = {}
        self._from: dict[Quadruple, tuple[Quadruple, int, int] | None] = {}

    def run(self) -> SymmetryVerdict:
        [first] = self._machine.initial
        start: Quadruple = (first, self._pattern.initial, first, self._pattern.initial)
        self._from[start] = None
        waiting = deque([start])
        while waiting:
            quadruple = waiting.popleft()
            found = self._expand(quadruple, waiting)
            if found is not None:
                return SymmetryVerdict(found, len(self._from))
        return SymmetryVerdict(self._unpreserved_loop(), len(self._from))

    def _unpreserved_loop(self) -> Counterexample | None:
        """From each state with its vector, all that can be reached: no other vector with the same state."""
        actions = self._machine.actions
        for state, vector, other_state, other_vector in self._from:
            if (state, vector) != (other_state, other_vector):
                continue
            found: dict[tuple[int, Vector], Trace] = {(state, vector): ()}
            waiting = [(state, vector)]
            for at, vector_at in waiting:
                for action, target in self._targets[at].items():
                    after = (target, self._pattern.step(vector_at, actions[action])[1])
                    if after in found:
                        continue
                    found[after] = (*found[at, vector_at], actions[action])
                    waiting.append(after)
                    if target == state:
                        before = self._counterexample(
                            "not loop preserving", (state, vector, state, vector)
                        ).traces[0]
                        return Counterexample("not loop preserving", (before, before + found[after]))
        return None

    def _expand(self, quadruple: Quadruple, waiting: deque[Quadruple]) -> Counterexample | None:
        state, vector, other_state, other_vector = quadruple
        for action, target in self._targets[state].items():
            colours, after = self._pattern.step(vector, self._machine.actions[action])
            if not colours:
                return self._counterexample("uncovered", quadruple, action)
            alike = self._by_colours(other_vector).get(colours, [])
            possible = [each for each in alike if each[0] in self._targets[other_state]]
            if self._strict and len(possible) < len(alike):
                impossible = next(each for each, _ in alike if each not in self._targets[other_state])
                return self._counterexample("not closed", quadruple, action, impossible)
            if not possible:
                return self._counterexample("not persistent", quadruple, action)
            for other, other_after in possible:
                new = (target, after, self._targets[other_state][other], other_after)
                if new not in self._from:
                    self._from[new] = (quadruple, action, other)
                    waiting.append(new)
        return None

    def _by_colours(self, vector: Vector) -> dict[Colours, list[tuple[int, Vector]]]:
        """Actions of the alphabet after a vector, by their colours."""
        if vector not in self._coloured:
            found: dict[Colours, list[tuple[int, Vector]]] = {}
            for number, action in enumerate(self._machine.actions):
                colours, after = self._pattern.step(vector, action)
                if colours:
                    found.setdefault(colours, []).append((number, after))
            self._coloured[vector] = found
        return self._coloured[vector]

    def _counterexample(
        self, flaw: Flaw, quadruple: Quadruple, action: int | None = None, other: int | None = None
    ) -> Counterexample:
        steps: list[tuple[int, int]] = []
        at = self._from[quadruple]
        while at is not None:
            before, one, two = at
            steps.append((one, two))
            at = self._from[before]
        actions = self._machine.actions
        traces = tuple(tuple(actions[pair[side]] for pair in reversed(steps)) for side in (0, 1))
        named = (None if each is None else actions[each] for each in (action, other))
        return Counterexample(flaw, (traces[0], traces[1]), *named)
