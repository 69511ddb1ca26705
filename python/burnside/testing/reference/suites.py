"""Test suites as phases: words `p m e`, where `p` is of a cover, `m` has at most `extra` inputs, and `e` is an end that
belongs to the state after `p m` (Chow 1978; Fujiwara et al. 1991; Luo, Petrenko and von Bochmann 1994).

In: a Mealy machine and phases. Out: their words; of these, the tests: the words that no other begins with, in alphabetical
order; and how many tests and inputs these are.

`tests` and `size` need no memory for the words. They go through the tree of all words from its root, and know for each
beginning of a word all that it may go on with: places in the covers, how long the middle part may still be, places in the
ends. A beginning that nothing goes on from is a test. `size` treats those with the same future as one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from burnside.records import record
from burnside.testing.reference.mealy import Mealy, Word, after


@record
class Phase:
    """`ends`: by state. States that no word of the cover and the middle leads to need none."""

    cover: tuple[Word, ...]
    extra: int
    ends: Mapping[int, Sequence[Word]]


@record
class Size:
    tests: int
    inputs: int


def words(machine: Mealy, phases: Iterable[Phase]) -> Iterator[Word]:
    """All of them, some more than once: the definition."""
    for phase in phases:
        for begin in phase.cover:
            for length in range(phase.extra + 1):
                for middle in product(range(machine.inputs), repeat=length):
                    state = after(machine, machine.initial, (*begin, *middle))
                    yield from ((*begin, *middle, *end) for end in phase.ends[state])


def tests(machine: Mealy, phases: Sequence[Phase]) -> Iterator[Word]:
    """The words that no other begins with, in alphabetical order, one at a time."""
    tree = _Tree(machine, phases)
    waiting: list[tuple[Word, _Future]] = [((), tree.root)]
    while waiting:
        word, node = waiting.pop()
        children = tree.children(node)
        if not children:
            yield word
        waiting += (((*word, given), child) for given, child in reversed(children))


def size(machine: Mealy, phases: Sequence[Phase]) -> Size:
    """Of `tests`, by counting the beginnings of each length that have the same future."""
    tree = _Tree(machine, phases)
    count = inputs = length = 0
    beginnings = Counter([tree.root])
    while beginnings:
        longer = Counter[_Future]()
        for node, times in beginnings.items():
            children = tree.children(node)
            if not children:
                count += times
                inputs += times * length
            for _, child in children:
                longer[child] += times
        beginnings, length = longer, length + 1
    return Size(count, inputs)


@record
class _Future:
    """What may follow a beginning of words. `covers`: by phase, the rests of words of its cover. `middle`: by phase, how
    many inputs the middle part may still have; -1 where no word of the cover ends so far, or the middle part is over.
    `ends`: the rests of ends that have begun."""

    state: int
    covers: tuple[frozenset[Word], ...]
    middle: tuple[int, ...]
    ends: frozenset[Word]


class _Tree:
    """The tree of all words of some phases."""

    def __init__(self, machine: Mealy, phases: Sequence[Phase]) -> None:
        self._machine, self._phases = machine, phases
        covers = tuple(frozenset(phase.cover) for phase in phases)
        self.root = self._future(machine.initial, covers, (-1,) * len(phases), frozenset())

    def _future(
        self, state: int, covers: tuple[frozenset[Word], ...], middle: tuple[int, ...], ends: frozenset[Word]
    ) -> _Future:
        """Where a word of a cover ends, a middle part begins; where that may end, ends begin."""
        left = []
        for phase, cover, more in zip(self._phases, covers, middle, strict=True):
            left.append(phase.extra if () in cover else more)
            if left[-1] >= 0:
                ends |= frozenset(phase.ends[state])
        return _Future(state, covers, tuple(left), ends - {()})

    def children(self, node: _Future) -> list[tuple[int, _Future]]:
        """By input, ascending."""
        rests = [*node.ends, *(rest for cover in node.covers for rest in cover if rest)]
        if any(more > 0 for more in node.middle):
            inputs = set(range(self._machine.inputs))
        else:
            inputs = {rest[0] for rest in rests}
        return [(given, self._step(node, given)) for given in sorted(inputs)]

    def _step(self, node: _Future, given: int) -> _Future:
        state = self._machine.rows[node.state][given][1]
        covers = tuple(_after_input(cover, given) for cover in node.covers)
        middle = tuple(max(more - 1, -1) for more in node.middle)
        return self._future(state, covers, middle, _after_input(node.ends, given))


def _after_input(rests: frozenset[Word], given: int) -> frozenset[Word]:
    return frozenset(rest[1:] for rest in rests if rest and rest[0] == given)
