"""Random Promela models of like processes: identities in variables, indices and messages, in stars and rings.

In: a source of random numbers. Out: the text of a model. By construction its processes may be exchanged, or turned in a
ring; in some models a tweak distinguishes one of them, or their order. Nothing says which: certifiers have to find out.
"""

from __future__ import annotations

from random import Random
from typing import Literal

Shape = Literal["flat", "star", "ring"]
NOBODY = "255"
SYMBOLS = ("ask", "yes", "no")


class SymmetricPrograms:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.size = random.choice((2, 3, 3, 3, 4))
        self.shape: Shape = random.choice(("flat", "star", "star", "ring"))
        self.by_parameter = self.chance(0.35)
        self.me = "id" if self.by_parameter else "_pid"
        self.has_tweak = self.chance(0.35)
        self.capacity = random.choice((0, 0, 1, 1))
        self.atomic_depth = 0

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def program(self) -> str:
        size = self.size
        lines = [
            "mtype = { ask, yes, no };",
            f"byte owner = {NOBODY};",
            "byte count;",
            f"bool flag[{size}];",
            f"byte last[{size}] = {NOBODY};",
            f"chan box = [{self.random.choice((1, 2, size))}] of {{ mtype, byte }};",
            f"chan own[{size}] = [{self.capacity}] of {{ mtype }};",
        ]
        head = f"active [{size}] proctype leaf()"
        if self.by_parameter:
            head = "proctype leaf(byte id; chan left; chan right)"
        body = self.body(["leaf"])
        lines += [head + " {", f"    byte who = {NOBODY};", "    bit step;", *body, "}"]
        if self.shape == "star":
            lines += ["active proctype centre() {", f"    byte who = {NOBODY};", "    bit step;"]
            lines += [*self.body(["centre"]), "}"]
        if self.by_parameter:
            lines += ["init {", "    atomic {"]
            lines += [f"        run leaf({at}, own[{at}], own[{(at + 1) % size}]);" for at in range(size)]
            lines += ["    }", "}"]
        text = "\n".join(lines) + "\n"
        return self.tweaked(text) if self.has_tweak else text

    def body(self, roles: list[str]) -> list[str]:
        self.role = roles[0]
        options: list[str] = []
        for _ in range(self.random.randint(1, 3)):
            options.append(f"    :: {self.guard()}")
            options += [f"        {each}" for each in self.steps(self.random.randint(0, 2))]
        if self.chance(0.5):
            options.append("    :: break;")
        before = [f"    {each}" for each in self.steps(self.random.randint(0, 1))]
        after = [f"    {each}" for each in self.steps(self.random.randint(0, 1))]
        return [*before, "    do", *options, "    od;", *after, "    step = 0;"]

    def steps(self, count: int) -> list[str]:
        return [self.step() for _ in range(count)]

    def symbol(self) -> str:
        return self.random.choice(SYMBOLS)

    def guard(self) -> str:
        return f"{self.random.choice(self.conditions())};" if self.chance(0.5) else self.step()

    def step(self) -> str:
        if self.chance(0.2) and self.atomic_depth == 0:
            self.atomic_depth += 1
            inner = " ".join([self.guard(), *self.steps(self.random.randint(1, 2))])
            self.atomic_depth -= 1
            return f"atomic {{ {inner} }};"
        if self.chance(0.1):
            condition, other = self.random.choice(self.conditions()), self.random.choice(self.assignments())
            return f"if :: {condition} -> {other} :: else fi;"
        return self.random.choice(self.assignments() + self.communications()) + ";"

    def is_leaf(self) -> bool:
        return self.role == "leaf"

    def conditions(self) -> list[str]:
        found = [
            f"owner == {NOBODY}", f"who == {NOBODY}", f"who != {NOBODY}", "count < 2", "count == 0", "owner == who",
            "step == 0", "len(box) > 0", f"(who != {NOBODY} && flag[who])",
        ]  # fmt: skip
        if self.is_leaf():
            me = self.me
            found += [f"owner == {me}", f"owner != {me}", f"flag[{me}]", f"!flag[{me}]", f"who == {me}"]
            found += [f"last[{me}] == who", f"last[{me}] == {me}"]
        return found

    def assignments(self) -> list[str]:
        found = [
            "owner = who", f"owner = {NOBODY}", "who = owner", f"who = {NOBODY}", "count = (count + 1) % 3",
            "step = 1 - step", f"assert(owner == {NOBODY} || count < 3)", "count = 0",
        ]  # fmt: skip
        if self.is_leaf():
            me = self.me
            found += [f"owner = {me}", f"flag[{me}] = 1", f"flag[{me}] = !flag[{me}]", f"who = {me}"]
            found += [f"last[{me}] = who", f"last[{me}] = {me}", f"who = last[{me}]"]
            found += [f"assert(owner != {me} || flag[{me}])"] * 2
        return found

    def communications(self) -> list[str]:
        """Indices are identities, so that `who` must be one: what comes before in the step says so, in `atomic`."""
        symbol = self.symbol()
        found = [f"box?{symbol}, who", "box?_, who", f"box??{symbol}, who", "box?<_, who>"]
        if self.is_leaf():
            me = self.me
            found += [f"box!{symbol}, {me}"] * 3 + [f"box??{symbol}, eval({me})"]
            mine = "left" if self.by_parameter else f"own[{me}]"
            found += [f"{mine}?{symbol}", f"{mine}?_"]
            if self.shape == "ring":
                following = "right" if self.by_parameter else f"own[({me} + 1) % {self.size}]"
                found += [f"{following}!{symbol}"] * 3
        else:
            found += [f"box!{symbol}, who", f"atomic {{ who != {NOBODY}; own[who]!{symbol} }}"] * 2
            found += [f"atomic {{ who != {NOBODY}; flag[who] = 1 }}"]
        return found

    def tweaked(self, text: str) -> str:
        """With something that tells processes apart, or their order; or with something that does not."""
        first = "flag[0] = 1;" if self.chance(0.5) else "owner = 1;"
        changes = [
            ("    do\n", f"    {first}\n    do\n"),
            ("owner == who", "owner < who"),
            (f"owner == {NOBODY}", "owner > 0"),
            ("box!", "box!!"),
            (f"{NOBODY};", "0;"),
            ("    do\n", f"    do\n    :: {self.me} == 0;\n"),
            ("count = (count + 1) % 3", f"count = {self.me} % 3"),
            ("byte count;", "byte count; bool unused;"),
            ("who != 255", "who < 255"),
            ("active proctype centre", "active [2] proctype centre"),
        ]
        for _ in range(self.random.randint(1, 2)):
            old, new = self.random.choice(changes)
            text = text.replace(old, new, self.random.choice((1, 1, -1)))
        return text


def symmetric_program(seed: int) -> str:
    return SymmetricPrograms(Random(seed)).program()
