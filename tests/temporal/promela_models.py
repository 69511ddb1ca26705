"""Random small Promela models with a claim or labels: two or three processes that go round, alone and with each other.

Left out is what Spin is known to answer otherwise (docs/temporal.md, "Verdicts of Spin"), as far as a text shows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from burnside.records import record

GLOBALS = "byte x, y; bool b; chan q = [1] of { byte }; chan r = [0] of { byte };\n"
CONDITIONS = ("x == 0", "x == 2", "y == 1", "b", "len(q) > 0", "x != y")
STATEMENTS = (
    *("x = (x + 1) % 3", "y = 1 - y", "b = !b", "b = true", "x == 1", "y == 1", "b", "x == y", "skip"),
    *("q!1", "q!0", "q?v", "q?1", "r!1", "r?v", "r!x", "r?1"),
    *("if :: x = 0 :: y = 0 fi", "if :: b -> x = 1 :: else fi"),
)
FORMULAS = (
    *("[] {0}", "<> {0}", "[] <> {0}", "<> [] {0}", "!{0}", "({0} U {1})", "({0} -> {1})"),
    *("([] ({0} -> <> {1}))", "({0} && {1})", "({0} || {1})", "({0} V {1})", "({0} W {1})"),
)


@record
class RandomModel:
    """`kind`: claim, accept or progress."""

    kind: str
    text: str


def random_model(seed: int) -> RandomModel:
    return _Maker(Random(seed)).model()


class _Maker:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.label: str | None = None
        self.labels = 0

    def model(self) -> RandomModel:
        kind = self.one(["ltl", "ltl", "ltl", "never", "accept", "progress"])
        self.label = kind if kind in ("accept", "progress") else None
        text = GLOBALS + "".join(map(self.process, "PQR"[: self.random.randint(2, 3)]))
        if kind == "ltl":
            text += f"ltl p {{ {self.formula(3)} }}\n"
        elif kind == "never":
            text += self.never_claim()
        return RandomModel(self.label or "claim", text)

    def one(self, choices: Sequence[str]) -> str:
        return self.random.choice(choices)

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def some(self, most: int) -> range:
        return range(self.random.randint(1, most))

    # Processes

    def process(self, name: str) -> str:
        options = [self.option() for _ in self.some(3)]
        if self.chance(0.3):
            options.append(":: x == 2 -> break")
        first = f"{self.one(STATEMENTS)};\n" if self.chance(0.4) else ""
        last = f"; {self.labelled(self.one(STATEMENTS))}" if self.label and self.chance(0.3) else ""
        loop = "\n".join(options)
        return f"active proctype {name}() {{ byte v;\n{first}do\n{loop}\nod{last}\n}}\n"

    def option(self) -> str:
        statements = [self.one(STATEMENTS) for _ in self.some(3)]
        if self.label and len(statements) > 1 and self.chance(0.5):
            at = self.random.randint(1, len(statements) - 1)
            statements[at] = self.labelled(statements[at])
        elif self.chance(0.25):
            return f":: atomic {{ {'; '.join(statements)} }}"
        elif self.chance(0.1):
            return ":: d_step { x = (x + 1) % 3; y = x }"
        return f":: {'; '.join(statements)}"

    def labelled(self, statement: str) -> str:
        self.labels += 1
        return f"{self.label}{self.labels}: {statement}"

    # Claims

    def formula(self, depth: int) -> str:
        if depth == 0 or self.chance(0.15):
            return f"({self.one(CONDITIONS)})"
        return self.one(FORMULAS).format(self.formula(depth - 1), self.formula(depth - 1))

    def never_claim(self) -> str:
        names = [f"{'accept_' if self.chance(0.4) else ''}S{at}" for at in self.some(3)]
        states = []
        for name in names:
            options = "\n".join(self.claim_option(names) for _ in self.some(3))
            states.append(f"{name}:\ndo\n{options}\nod;\n")
        return f"never {{\n{''.join(states)}skip\n}}\n"

    def claim_option(self, names: Sequence[str]) -> str:
        condition, target = self.one(["1", *CONDITIONS]), self.one(names)
        if self.chance(0.1):
            return f":: atomic {{ ({condition}) -> assert({self.one(CONDITIONS)}) }}; goto {target}"
        if self.chance(0.1):
            return f":: else -> goto {target}"
        if self.chance(0.05):
            return f":: ({condition}) -> break"
        return f":: ({condition}) -> goto {target}"
