"""Methods of test derivation: which words tell a machine from every faulty one with a bounded number of states.

In: a Mealy machine, and by how many states an implementation may be larger (`extra`). Out: the phases of a suite
(`suites`), or its words. Words are input numbers; every choice is fixed by the functions that are called.

* W (Chow 1978), on the whole machine or on a kernel (Romijn and Springintveld 1999, Theorem 5.8).
* Wp (Fujiwara et al. 1991): the characterising set only behind the state cover; then identifiers of single states.
* HSI (Luo, Petrenko and von Bochmann 1994): harmonised identifiers everywhere.
* H (Dorofeeva, El-Fakih and Yevtushenko 2005): in `h_method`.
* Random walks, for comparison: they promise nothing.

Wp, HSI and H are about whole machines and need minimal ones. `minimised` is no loss: a suite that tells the minimal machine
from every faulty machine with at most m states does the same for every machine with the same outcomes, since a suite is
nothing but words and the outcomes that are expected, and the bound is about the implementation.
"""

from __future__ import annotations

from collections.abc import Iterator

from burnside.diagnostics import UsageError
from burnside.testing.reference.mealy import (
    Mealy,
    Part,
    Row,
    Word,
    access_words,
    transition_cover,
    whole,
)
from burnside.testing.reference.random_source import RandomSource
from burnside.testing.reference.separation import (
    First,
    Separation,
    characterising_set,
    harmonised_identifiers,
    identifiers,
    minimal_separation,
)
from burnside.testing.reference.suites import Phase


def minimised(machine: Mealy) -> Mealy:
    """The machine of the classes of bisimilar states that can be reached, numbered by a breadth-first search, inputs in
    order."""
    classes = Separation(machine).classes
    number: dict[int, int] = {}
    for state in whole(machine):
        number.setdefault(classes[state], len(number))
    rows: dict[int, Row] = {}
    for state in whole(machine):
        row = tuple((output, number[classes[target]]) for output, target in machine.rows[state])
        rows.setdefault(number[classes[state]], row)
    return Mealy(number[classes[machine.initial]], machine.inputs, tuple(rows[at] for at in range(len(rows))))


def w_method(machine: Mealy, part: Part, extra: int = 0, first: First = "longest") -> list[Phase]:
    """Transition cover of the part, up to `extra` inputs, characterising set of the part.

    On a kernel (Theorem 5.8), `extra` is m1 - n + m2: `part` meets n classes of the machine, the image of the kernel in the
    implementation meets at most m1 classes there and is m2-self-contained. On the whole machine it is the number of states
    that an implementation may have beyond the n classes."""
    _checked(extra)
    separation = Separation(machine)
    ends = characterising_set(separation, separation.representatives(part), first)
    return [
        Phase(tuple(transition_cover(machine, part)), extra, dict.fromkeys(range(len(machine.rows)), ends))
    ]


def wp_method(machine: Mealy, extra: int = 0, first: First = "longest") -> list[Phase]:
    """First the state cover, up to `extra` inputs, the characterising set: every state of the implementation is then known
    to answer this set as a state of the machine does. Then the rest of the transition cover, up to `extra` inputs, and the
    identifier of the state that is reached, which are beginnings of words of the set. Of a minimal machine."""
    _checked(extra)
    ends, states = _minimal(machine, first)
    part = whole(machine)
    cover = tuple(access_words(machine, part).values())
    rest = tuple(word for word in transition_cover(machine, part) if word not in set(cover))
    return [
        Phase(cover, extra, dict.fromkeys(states, ends)),
        Phase(rest, extra, identifiers(machine, states, ends)),
    ]


def hsi_method(machine: Mealy, extra: int = 0, first: First = "longest") -> list[Phase]:
    """Transition cover, up to `extra` inputs, the harmonised identifier of the state that is reached. Of a minimal
    machine."""
    _checked(extra)
    ends, states = _minimal(machine, first)
    cover = tuple(transition_cover(machine, whole(machine)))
    return [Phase(cover, extra, harmonised_identifiers(machine, states, ends))]


def random_walks(machine: Mealy, walks: int, length: int, seed: int) -> Iterator[Word]:
    """`walks` words of `length` inputs, each input an even draw (`RandomSource.below`), in the order of the draws. A word
    may be drawn twice."""
    source = RandomSource(seed)
    for _ in range(walks):
        yield tuple(source.below(machine.inputs) for _ in range(length))


def _minimal(machine: Mealy, first: First) -> tuple[list[Word], list[int]]:
    """A characterising set of all states, and the states."""
    states = list(range(len(machine.rows)))
    return characterising_set(minimal_separation(machine), states, first), states


def _checked(extra: int) -> None:
    if extra < 0:
        raise UsageError(
            f"an implementation with {-extra} states fewer than the specification cannot be equivalent to it"
        )
