"""The fault domain of a kernel's suite: implementations of which Theorem 5.8 speaks (Romijn and Springintveld 1999).

In: an implementation, the specification, its pattern and its kernel. Out: is the implementation closed under the symmetry
(Definition 3.1), what is the image of the kernel in it (Definition 5.4), how many classes of bisimilar states does that
meet, and what is the least number for which it is self-contained (Definition 5.5)? All by search, straight from the
definitions.
"""

from __future__ import annotations

from collections.abc import Iterator

from burnside.testing.machine import Action, StateMachine
from burnside.testing.patterns import Pattern, Vector
from burnside.testing.reference.mealy import Mealy, Part, mealy
from burnside.testing.reference.mutants import outputs_of
from burnside.testing.reference.separation import Separation

Pairs = tuple[int, int, Vector, int, int, Vector]
"""After two variant traces: states of the specification and the implementation, and the vector."""


def is_closed(mutant: Mealy, machine: StateMachine, pattern: Pattern, *, strict: bool) -> bool:
    """Is every variant of a trace of the mutant a trace of it?

    On traces (`strict` false), only traces of the specification are related: two variant traces of the specification are
    both traces of the mutant, or neither is. In the strict sense, as the report defines it, all words over inputs and
    outputs are related to their variants, and a trace that the pattern does not cover to all words of the same length that
    it does not cover either. The mutant then has none, unless there is only one output: of a word that is not covered, every
    continuation is not covered, and of two that differ in the last output alone, only one is a trace."""
    return _Closure(mutant, machine, pattern, strict).holds()


class _Closure:
    """Goes through all pairs of variant traces that are traces of the mutant, and on traces, of the specification, too."""

    def __init__(self, mutant: Mealy, machine: StateMachine, pattern: Pattern, strict: bool) -> None:
        self._mutant, self._pattern, self._strict = mutant, pattern, strict
        self._table = mealy(machine)
        outputs = dict.fromkeys((*outputs_of(self._table), *outputs_of(mutant)))
        self._actions = {
            (given, output): Action(name, output)
            for given, name in enumerate(machine.inputs)
            for output in outputs
        }
        self._is_trivial = len(outputs) == 1

    def holds(self) -> bool:
        initial = self._pattern.initial
        one = (self._table.initial, self._mutant.initial, initial)
        start: Pairs = (*one, *one)
        seen, waiting = {start}, [start]
        for pair in waiting:
            for after in self._longer(pair):
                if after is None:
                    return False
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
        return True

    def _longer(self, pair: Pairs) -> Iterator[Pairs | None]:
        """Pairs one input later; None for a variant that is no trace of the mutant."""
        state, own, vector, state_, own_, vector_ = pair
        for given in range(self._mutant.inputs):
            output, target = self._mutant.rows[own][given]
            expected, next_state = self._table.rows[state][given]
            if not self._strict and output != expected:
                continue
            colours, next_vector = self._pattern.step(vector, self._actions[given, output])
            if not colours:
                if self._strict and not self._is_trivial:
                    yield None
                continue
            for (given_, output_), action in self._actions.items():
                expected_, next_state_ = self._table.rows[state_][given_]
                if not self._strict and output_ != expected_:
                    continue
                colours_, next_vector_ = self._pattern.step(vector_, action)
                if colours_ != colours:
                    continue
                does, target_ = self._mutant.rows[own_][given_]
                if does != output_:
                    yield None
                elif self._strict:
                    yield 0, target, next_vector, 0, target_, next_vector_
                else:
                    yield next_state, target, next_vector, next_state_, target_, next_vector_


def image(mutant: Mealy, machine: Mealy, kernel: Part) -> Part:
    """The states of the mutant that words of the kernel lead to, and all of its edges between these (Definition 5.4)."""
    start = (machine.initial, mutant.initial)
    seen, waiting = {start}, [start]
    for state, own in waiting:
        for given in kernel[state]:
            after = (machine.rows[state][given][1], mutant.rows[own][given][1])
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    states = dict.fromkeys(own for _, own in waiting)
    return {
        own: tuple(given for given, (_, target) in enumerate(mutant.rows[own]) if target in states)
        for own in states
    }


def classes_met(mutant: Mealy, part: Part) -> int:
    """Classes of bisimilar states of the mutant with a state of the part: the least m1 of Theorem 5.8."""
    classes = Separation(mutant).classes
    return len({classes[state] for state in part})


# Theorem 5.8 asks for words of I^(m1-n) I^m2 W behind the transition cover P. But m2 = 0 is enough, whatever the image is
# like. Let E(j) relate states of the image that agree on I^j W; if the suite passes, E(0) has n blocks at least. Let two
# words of the kernel lead to one of its states, and to u and v in the implementation, and let a word z of the kernel from
# there separate u and v. All pairs on the way along z are in the image. The last one differs on an input, so it is not in
# E(j+1). If (u, v) is in E(j), then so is the first pair on the way that is not in E(j+1), since it is (u, v) or comes after
# a pair of E(j+1). So E(j+1) has more blocks than E(j), until there is one for each of the m1 classes. Hence (u, v) is not
# in E(m1-n). In other words: states after words of P to one state of the kernel agree on I^(m1-n) W if the suite passes, so
# they agree on all words of the kernel from there. With this in place of bisimilarity the report's proof goes through: all
# traces of the kernel are traces of the implementation, and by closure, all traces of the specification.
def self_containment(mutant: Mealy, part: Part) -> int:
    """The least n for which a part is n-self-contained in a machine (Definition 5.5): every two of its states that are not
    bisimilar are separated by at most m inputs within the part, as many as it meets classes, and at most n more. The least
    m2 of Theorem 5.8, which a suite need not know, as is shown above."""
    separation = Separation(mutant)
    most = classes_met(mutant, part)
    pairs = [(one, other) for one in part for other in part if separation.length(one, other) is not None]
    return max((_outside(separation, part, pair, most) for pair in pairs), default=0)


def _outside(separation: Separation, part: Part, pair: tuple[int, int], most: int) -> int:
    """The least number of inputs that may leave the part, behind at most `most` inputs within it, to separate two states."""
    rows = separation.machine.rows
    seen, level = {pair}, [pair]
    least = separation.length(*pair) or 0
    for _ in range(most):
        longer = []
        for one, other in level:
            for given in set(part[one]) & set(part[other]):
                (output, target), (output_, target_) = rows[one][given], rows[other][given]
                if output != output_:
                    return 0
                length = separation.length(target, target_)
                if length is not None and (target, target_) not in seen:
                    least = min(least, length)
                    seen.add((target, target_))
                    longer.append((target, target_))
        level = longer
    return least
