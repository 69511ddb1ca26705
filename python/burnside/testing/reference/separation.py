"""Words that tell states apart: of two states, characterising sets, and identifiers of single states.

In: a Mealy machine and some of its states. Out: words. Separation is always in the whole machine, also of the states of a
kernel, which need not be input enabled (Romijn and Springintveld 1999, Definition 5.3).

Every choice is fixed: the word of two states is the alphabetically first of the shortest ones; sets are chosen greedily, in
one of two orders (`First`):

* `longest`: two states that need a long word come first, since long words often separate many others as well; of several
  such pairs the one with the least states. The smaller set, mostly by far.
* `shortest`: the shortest word comes first that separates any two states that are not separated yet, of these the
  alphabetically first. The same as going through all words by length and alphabet, and keeping each that helps.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Literal

from burnside.testing.reference.mealy import Mealy, Part, Word, outcome, whole

First = Literal["longest", "shortest"]


class Separation:
    """`blocks`: by length and state, the number of its block of states that no word of at most this length separates (Moore
    1956), until nothing changes. Two states of one last block are bisimilar."""

    def __init__(self, machine: Mealy) -> None:
        self.machine = machine
        self.blocks: list[list[int]] = [[0] * len(machine.rows)]
        while True:
            known = self.blocks[-1]
            if len(self.blocks) == 1:
                keys: list[object] = [tuple(output for output, _ in row) for row in machine.rows]
            else:
                keys = [
                    (known[state], *(known[target] for _, target in row))
                    for state, row in enumerate(machine.rows)
                ]
            refined = numbered(keys)
            if max(refined, default=0) == max(known, default=0):
                return
            self.blocks.append(refined)

    @property
    def classes(self) -> Sequence[int]:
        """By state: the number of its class of bisimilar states."""
        return self.blocks[-1]

    def length(self, one: int, other: int) -> int | None:
        """Of the shortest words that separate two states; None where they are bisimilar."""
        lengths = (length for length, each in enumerate(self.blocks) if each[one] != each[other])
        return next(lengths, None)

    def word(self, one: int, other: int) -> Word | None:
        """The alphabetically first of the shortest words that separate two states; None where they are bisimilar."""
        length = self.length(one, other)
        if length is None:
            return None
        word = []
        for left in range(length - 1, -1, -1):
            rows = zip(self.machine.rows[one], self.machine.rows[other], strict=True)
            for given, ((output, target), (output_, target_)) in enumerate(rows):
                known = self.blocks[left]
                if output != output_ if left == 0 else known[target] != known[target_]:
                    word.append(given)
                    one, other = target, target_
                    break
        return tuple(word)

    def representatives(self, part: Part) -> list[int]:
        """The least state of the part in each class that it meets, ascending."""
        least: dict[int, int] = {}
        for state in sorted(part):
            least.setdefault(self.classes[state], state)
        return list(least.values())


def minimal_separation(machine: Mealy) -> Separation:
    """Of a machine without bisimilar or unreachable states, which some methods need."""
    found = Separation(machine)
    if len(found.representatives(whole(machine))) < len(machine.rows):
        raise ValueError("the machine is not minimal")
    return found


def numbered(keys: Iterable[object]) -> list[int]:
    """Equal keys get equal numbers, by first appearance."""
    known: dict[object, int] = {}
    return [known.setdefault(key, len(known)) for key in keys]


def characterising_set(separation: Separation, states: Sequence[int], first: First = "longest") -> list[Word]:
    """Words that separate every two of these states, which are ascending and not bisimilar. In the order in which they are
    chosen; the empty word where there are less than two states."""
    words = {pair: separation.word(*pair) or () for pair in combinations(states, 2)}
    chosen: list[Word] = []
    while words:
        if first == "longest":
            word = min(words.items(), key=lambda item: (-len(item[1]), item[0]))[1]
        else:
            word = min(words.values(), key=lambda each: (len(each), each))
        chosen.append(word)
        ends = {state: outcome(separation.machine, state, word) for state in states}
        words = {pair: other for pair, other in words.items() if ends[pair[0]] == ends[pair[1]]}
    return chosen or [()]


def identifiers(machine: Mealy, states: Sequence[int], words: Sequence[Word]) -> Mapping[int, list[Word]]:
    """By state: words that separate it from every other state, each the beginning of a word of the characterising set
    `words` (Fujiwara et al. 1991). Greedy: the word that separates it from most of the others that are left, the first of
    several, cut behind the last place where it does."""
    found: dict[int, list[Word]] = {}
    for state in states:
        own: list[Word] = []
        others = [each for each in states if each != state]
        while others:
            places = [_differences(machine, state, others, word) for word in words]
            most = max(places, key=len)
            own.append(words[places.index(most)][: max(most.values())])
            others = [each for each in others if each not in most]
        found[state] = own or [()]
    return found


def _differences(machine: Mealy, state: int, others: Sequence[int], word: Word) -> Mapping[int, int]:
    """By state that a word separates from `state`: how many of its inputs are needed for that."""
    found = {}
    for other in others:
        length = shortest_difference(machine, state, other, word)
        if length is not None:
            found[other] = length
    return found


def shortest_difference(machine: Mealy, one: int, other: int, word: Word) -> int | None:
    """The length of the shortest beginning of a word that separates two states; None where the word does not."""
    for length, given in enumerate(word, 1):
        (output, one), (output_, other) = machine.rows[one][given], machine.rows[other][given]
        if output != output_:
            return length
    return None


def harmonised_identifiers(
    machine: Mealy, states: Sequence[int], words: Sequence[Word]
) -> Mapping[int, list[Word]]:
    """By state: words that separate it from every other state, such that for every two states one beginning of words of both
    separates them (Luo, Petrenko and von Bochmann 1994). Two states get the same word: the first of the characterising set
    `words` that separates them, cut behind the place where it does."""
    found: dict[int, set[Word]] = {state: set() for state in states}
    for one, other in combinations(states, 2):
        lengths = ((word, shortest_difference(machine, one, other, word)) for word in words)
        common = next(word[:length] for word, length in lengths if length is not None)
        found[one].add(common)
        found[other].add(common)
    return {state: without_prefixes(own) or [()] for state, own in found.items()}


def without_prefixes(words: Iterable[Word]) -> list[Word]:
    """In alphabetical order, without words that others begin with."""
    ordered = sorted(set(words))
    return [
        word
        for at, word in enumerate(ordered)
        if at + 1 == len(ordered) or ordered[at + 1][: len(word)] != word
    ]
