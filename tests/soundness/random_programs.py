"""Random programs by number, and what was found out about many of them.

`python -m tests.soundness.random_programs SEED...` prints programs, and where one has a false symmetry, a small program that
still has it.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from random import Random
from statistics import median

from burnside.diagnostics import BurnsideError
from burnside.records import field, record

from tests.soundness.brute_force import MAX_STATES, Effort, examine, read
from tests.soundness.leaks import LEAKS
from tests.soundness.murphi_programs import Made, program
from tests.soundness.shrinking import shrunk

NAMES = sorted(LEAKS)


def made(seed: int) -> Made:
    """Every third program has two leaks."""
    random = Random(seed)
    name = NAMES[seed % len(NAMES)]
    other = LEAKS[random.choice(NAMES)] if seed % 3 == 0 else None
    return program(name, LEAKS[name], random, other)


@record(frozen=False)
class Tally:
    """`states`: of each program, the limit where there are more. `problems`: by seed."""

    unreadable: list[int] = field(default_factory=list)
    states: list[int] = field(default_factory=list)
    certified: int = 0
    too_careful: int = 0
    problems: dict[int, str] = field(default_factory=dict)

    @property
    def programs(self) -> int:
        return len(self.states)

    def numbers(self) -> dict[str, object]:
        """What crosses from one process to another."""
        return {
            "programs": self.programs,
            "certified": self.certified,
            "refused though symmetric": self.too_careful,
            "with a false symmetry": len(self.problems),
            "states": self.states,
        }


def tally(seeds: Iterable[int]) -> Tally:
    found = Tally()
    for seed in seeds:
        try:
            read_program = read(made(seed).text)
        except BurnsideError:
            found.unreadable.append(seed)
            continue
        examined = examine(read_program, Random(seed))
        found.states.append(MAX_STATES if examined.states is None else examined.states)
        found.certified += examined.certified > 0
        found.too_careful += examined.too_careful > 0
        if examined.problem is not None:
            found.problems[seed] = examined.problem
    return found


def summed(tallies: Iterable[dict[str, object]]) -> str:
    """In one line."""
    counts: Counter[str] = Counter()
    states: list[int] = []
    for each in tallies:
        for name, value in each.items():
            if isinstance(value, int):
                counts[name] += value
            elif isinstance(value, list):
                states += value
    numbers = [f"{value:,} {name}" for name, value in counts.items()]
    return ", ".join([*numbers, f"median {median(states or [0]):,.0f} states"])


def problem_of(text: str) -> str | None:
    try:
        return examine(read(text), Random(0), Effort(200, 50, 0)).problem
    except BurnsideError:
        return None


def main() -> None:
    for seed in map(int, sys.argv[1:]):
        text = made(seed).text
        print(f"-- {seed}: {made(seed).kind}\n{text}")
        if problem_of(text) is not None:
            text = shrunk(text, lambda each: problem_of(each) is not None)
            print(f"-- shrunk; {problem_of(text)}\n{text}")


if __name__ == "__main__":
    main()
