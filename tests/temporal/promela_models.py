"""Random small Promela models with a claim or labels: two or three processes that go round, alone and with each other."""

from __future__ import annotations

from random import Random

from burnside.records import record

GLOBALS = "byte x, y; bool b; chan q = [1] of { byte }; chan r = [0] of { byte };\n"
ATOMS = ("x == 0", "x == 2", "y == 1", "b", "len(q) > 0", "x != y", "P@L", "Q@L", "q?[1]")


@record
class RandomModel:
    """`kind`: claim, accept or progress."""

    kind: str
    text: str


def random_model(seed: int) -> RandomModel:
    return Models(Random(seed)).model()


class Models:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.label = ""

    def model(self) -> RandomModel:
        kind = self.random.choice(["ltl", "ltl", "ltl", "never", "accept", "progress"])
        self.label = kind if kind in ("accept", "progress") else ""
        processes = "".join(map(self.process, "PQR"[: self.random.randint(2, 3)]))
        text = GLOBALS + processes
        if kind == "ltl":
            text += f"ltl p {{ {self.formula(3)} }}\n"
        elif kind == "never":
            text += self.never()
        return RandomModel("claim" if kind in ("ltl", "never") else kind, text)

    # Processes

    def process(self, name: str) -> str:
        options = [self.option() for _ in range(self.random.randint(1, 3))]
        if self.random.random() < 0.3:
            options.append(":: x == 2 -> break")
        loop = "do\n" + "\n".join(options) + "\nod"
        first = "" if self.random.random() < 0.6 else self.statement() + ";\n"
        last = f"; {self.label}9: {self.statement()}" if self.label and self.random.random() < 0.3 else ""
        return f"active proctype {name}() {{ byte v;\n{first}{loop}{last}\n}}\n".replace(
            "L:", "L:" if name in "PQ" else "M:"
        )

    def option(self) -> str:
        statements = [self.statement() for _ in range(self.random.randint(1, 3))]
        if self.label and self.random.random() < 0.5 and len(statements) > 1:
            at = self.random.randint(1, len(statements) - 1)
            self.number = getattr(self, "number", 0) + 1
            statements[at] = f"{self.label}{self.number}: {statements[at]}"
        text = "; ".join(statements)
        chance = self.random.random()
        # Spin sees a label at the last statement of an atomic sequence, although the state before it is not stored.
        if chance < 0.25 and not (self.label and self.label in text):
            return f":: atomic {{ {text} }}"
        if chance < 0.35:
            return ":: d_step { x = (x + 1) % 3; y = x }"
        return f":: {text}"

    def statement(self) -> str:
        return self.random.choice(
            [
                "x = (x + 1) % 3",
                "y = 1 - y",
                "b = !b",
                "b = true",
                "x == 1",
                "y == 1",
                "b",
                "x == y",
                "q!1",
                "q!0",
                "q?v",
                "q?1",
                "r!1",
                "r?v",
                "r!x",
                "r?1",
                "if :: x = 0 :: y = 0 fi",
                "if :: b -> x = 1 :: else fi",
                "skip",
            ]
        )

    # Claims

    def formula(self, depth: int) -> str:
        if depth == 0 or self.random.random() < 0.15:
            atom = self.random.choice(ATOMS[:6] if self.random.random() < 0.8 else ATOMS[:7])
            return f"({atom.replace('P@L', 'x == 1')})"
        one, two = self.formula(depth - 1), self.formula(depth - 1)
        return self.random.choice(
            [
                f"[] {one}",
                f"<> {one}",
                f"[] <> {one}",
                f"<> [] {one}",
                f"!{one}",
                f"({one} U {two})",
                f"({one} -> {two})",
                f"([] ({one} -> <> {two}))",
                f"({one} && {two})",
                f"({one} || {two})",
                f"({one} V {two})",
                f"({one} W {two})",
            ]
        )

    def never(self) -> str:
        states = [f"S{at}" for at in range(self.random.randint(1, 3))]
        parts = []
        for name in states:
            accept = "accept_" if self.random.random() < 0.4 else ""
            targets = [f"{self.random.choice('ab')}" for _ in range(0)]
            del targets
            parts.append((name, accept))
        names = {name: accept + name for name, accept in parts}
        text = "never {\n"
        for name, _ in parts:
            options = [self.claim_option(names) for _ in range(self.random.randint(1, 3))]
            text += f"{names[name]}:\n do\n" + "\n".join(options) + "\n od;\n"
        return text + " skip\n}\n"

    def claim_option(self, names: dict[str, str]) -> str:
        condition = self.random.choice(["(1)", *(f"({each})" for each in ATOMS[:6])])
        chance = self.random.random()
        target = names[self.random.choice(list(names))]
        if chance < 0.1:
            return f":: atomic {{ {condition} -> assert({self.random.choice(ATOMS[:6])}) }}; goto {target}"
        if chance < 0.2:
            return ":: else -> " + f"goto {target}"
        if chance < 0.25:
            return f":: {condition} -> break"
        return f":: {condition} -> goto {target}"
