"""What the header comment of a Promela example says: sizes, counts, and verdicts.

`expect: KEY VALUE, ...` is about the macros as they are in the file, `expect NAME=SIZE ...: KEY VALUE, ...` about others;
lines about the same sizes add up. Of the unreduced model are `states`, `transitions` and `deadlocks`, of every canonical
method `orbits`; `group` is the order of the group. `verdict` is `holds` unless said otherwise.

States are those that Spin stores without partial order reduction and without its optimisations (`spin -a -o1 -o2 -o3`,
`-DSAFETY -DNOREDUCE -DNOCLAIM`). Spin counts the initial state among the transitions, and so do we. A deadlock is an
invalid end state.

`ltl VERDICT: NAME` is about a formula of the model. In the place of `ltl` may stand `never`: its never claim; `progress`:
there are no non-progress cycles; `accept`: without a claim, there are no acceptance cycles. Conditions stand in brackets
before the colon: sizes, and `fair weak by process`, which is Spin's `-f`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from burnside.records import record

FOLDER = Path(__file__).parent.parent / "examples" / "promela"
EXAMPLES = sorted(FOLDER.rglob("*.pml"))
KEYS = {"states", "transitions", "deadlocks", "orbits", "group", "verdict"}
NEEDED = {"states", "transitions", "deadlocks"}
KINDS = ("ltl", "never", "progress", "accept")
FAIR = "fair weak by process"
VERDICT = re.compile(rf"^ \* ({'|'.join(KINDS)}) (holds|violated)(?: \(([^()]*)\))?: (\w+)$", re.MULTILINE)

Sizes = tuple[tuple[str, int], ...]

LONG = 20_000
"""Beyond so many states a run is marked slow."""
TOO_LONG = 2_000_000
"""Beyond so many states there is no unreduced run."""


@record
class Expectation:
    """Counts of one model for one choice of sizes."""

    path: Path
    sizes: Sizes
    values: dict[str, str]

    def __str__(self) -> str:
        return shown(self.path, self.sizes)

    def number(self, key: str) -> int:
        return int(self.values[key])

    @property
    def verdict(self) -> str:
        return self.values.get("verdict", "holds")


@record
class Claim:
    """One verdict on a formula, a never claim, or labels."""

    path: Path
    kind: str
    name: str
    sizes: Sizes
    is_fair: bool
    verdict: str

    def __str__(self) -> str:
        words = [shown(self.path, self.sizes), self.name, *(["fair"] if self.is_fair else [])]
        return " ".join(words)


def shown(path: Path, sizes: Sizes) -> str:
    return " ".join([path.name, *(f"{name}={size}" for name, size in sizes)])


def sizes_of(words: str) -> Sizes:
    return tuple((name, int(size)) for name, size in (each.split("=") for each in words.split()))


def expectations(path: Path) -> list[Expectation]:
    by_sizes: dict[Sizes, dict[str, str]] = {}
    for wanted in re.findall(r"^ \* expect\b(.*)$", path.read_text(), re.MULTILINE):
        match = re.fullmatch(r"((?: \w+=\d+)*): (.*)", wanted)
        assert match, f"{path.name}: what is meant by 'expect{wanted}'?"
        values = by_sizes.setdefault(sizes_of(match[1]), {})
        for entry in match[2].split(","):
            key, value = entry.strip().rsplit(" ", 1)
            assert key in KEYS, f"{path.name}: nothing is called {key!r}"
            assert key not in values, f"{path.name}: {key!r} is said twice"
            values[key] = value
    return [Expectation(path, sizes, values) for sizes, values in by_sizes.items()]


def claims(path: Path) -> list[Claim]:
    found = []
    for kind, verdict, conditions, name in VERDICT.findall(path.read_text()):
        words = [each for each in conditions.split(", ") if each]
        sizes = sizes_of(" ".join(each for each in words if each != FAIR))
        found.append(Claim(path, kind, name, sizes, FAIR in words, verdict))
    return found


EXPECTED = [each for path in EXAMPLES for each in expectations(path)]
CLAIMED = [each for path in EXAMPLES for each in claims(path)]


def parameters(chosen: list[Expectation], fast: set[str] | None = None) -> list[Any]:
    """Of a test: those that are long, or not among `fast`, are marked."""
    return [
        pytest.param(each, id=str(each), marks=[pytest.mark.slow] if is_slow(each, fast) else [])
        for each in chosen
    ]


def is_slow(each: Expectation, fast: set[str] | None) -> bool:
    return each.number("states") > LONG or (fast is not None and str(each) not in fast)
