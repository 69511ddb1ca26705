"""The H-method (Dorofeeva, El-Fakih and Yevtushenko 2005): the separating words are chosen for each pair of words of the
suite, and extend what is there already.

In: a minimal Mealy machine with n states and a number k of extra ones. Out: words of a suite that tells it from every
machine with at most n + k states that is not equivalent.

Let Q be the state cover. The suite contains all words `q x` with `q` of Q and `x` of at most k + 1 inputs, and, for every
pair of words below that lead to different states of the machine, both words followed by one that separates these:

1. two words of Q;
2. a word of Q, and `q x` with at least one input in `x`;
3. `q y` and `q x`, where `y` is a beginning of `x`, neither empty nor all of it.

Choices. Pairs are taken in this order: (1) for each word of Q, in the order of `access_words`, with those before it; then,
for each `q x`, by the length of `x`, then by `q` in the order of Q, then by `x` in alphabetical order: (2) with Q in its
order, (3) with `y` by length. Nothing is done for a pair that the tree of words so far separates. Otherwise both get a word
`c w`, where `c` is a word that follows both in the tree already and `w` the alphabetically first of the shortest ones that
separate the states after it (`Separation.word`). Of several `c` the cheapest is taken, then the shortest, then the
alphabetically first. The costs are the inputs by which the suite grows: where the new part of a word goes on from a leaf
of the tree, its length, otherwise the length of the whole word, since it is a test of its own;
the costs of the two words of the pair are added, each with
the tree as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from burnside.testing.reference.mealy import Mealy, Word, access_words, after, whole
from burnside.testing.reference.separation import minimal_separation


def h_method(machine: Mealy, extra: int = 0) -> Iterator[Word]:
    """The tests: words that no other begins with, in alphabetical order."""
    suite = _Suite(machine)
    cover = list(access_words(machine, whole(machine)).values())
    longer = [
        (begin, more)
        for length in range(1, extra + 2)
        for begin in cover
        for more in product(range(machine.inputs), repeat=length)
    ]
    for word in (*cover, *((*begin, *more) for begin, more in longer)):
        suite.add(word)
    for at, word in enumerate(cover):
        for other in cover[:at]:
            suite.separate(other, word)
    for begin, more in longer:
        word = (*begin, *more)
        for other in cover:
            suite.separate(other, word)
        for length in range(1, len(more)):
            suite.separate((*begin, *more[:length]), word)
    return suite.tests()


class _Node(dict[int, "_Node"]):
    """By input: what follows."""


class _Suite:
    def __init__(self, machine: Mealy) -> None:
        self._machine = machine
        self._separation = minimal_separation(machine)
        self._root = _Node()

    def add(self, word: Word) -> None:
        node = self._root
        for given in word:
            node = node.setdefault(given, _Node())

    def separate(self, one: Word, other: Word) -> None:
        """Adds what separates the states after two words, where they are different and it is not there."""
        states = (
            after(self._machine, self._machine.initial, one),
            after(self._machine, self._machine.initial, other),
        )
        if states[0] == states[1]:
            return
        least: tuple[int, Word] | None = None
        nodes = self._node(one), self._node(other)
        # Breadth first, so that of words with the same costs the first one found is the shortest and alphabetically first.
        waiting: list[tuple[Word, int, int, _Node, _Node]] = [((), *states, *nodes)]
        for common, first, second, node, node_ in waiting:
            word = self._separation.word(first, second)
            if word is None:
                continue
            costs = _costs(node, len(one) + len(common), word) + _costs(node_, len(other) + len(common), word)
            if least is None or costs < least[0]:
                least = costs, (*common, *word)
            for given in sorted(node.keys() & node_.keys()):
                (output, target), (output_, target_) = (
                    self._machine.rows[first][given],
                    self._machine.rows[second][given],
                )
                if output != output_:
                    return
                waiting.append(((*common, given), target, target_, node[given], node_[given]))
        if least is not None:
            self.add((*one, *least[1]))
            self.add((*other, *least[1]))

    def _node(self, word: Word) -> _Node:
        node = self._root
        for given in word:
            node = node[given]
        return node

    def tests(self) -> Iterator[Word]:
        waiting: list[tuple[Word, _Node]] = [((), self._root)]
        while waiting:
            word, node = waiting.pop()
            if not node:
                yield word
            waiting += [((*word, given), node[given]) for given in sorted(node, reverse=True)]


def _costs(node: _Node, length: int, word: Word) -> int:
    """By how many inputs the suite grows if a word follows a node `length` inputs below the root."""
    for at, given in enumerate(word):
        if given not in node:
            return length + len(word) if node else len(word) - at
        node = node[given]
    return 0
