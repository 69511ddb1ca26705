"""Random processes: every kind of control inside every other, with labels and jumps."""

from __future__ import annotations

from random import Random

GLOBALS = "byte x, y; chan q = [2] of { byte }; chan r = [0] of { byte }; byte a[3];\n"


class Bodies:
    """Texts of processes. Not all of them are valid: a jump may go to nowhere, or in a circle."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.count = 0
        self.labels: list[str] = []
        self.loops = 0
        self.in_d_step = False

    def process(self, name: str) -> str:
        self.labels = []
        self.loops = 0
        # Jumps are to labels that may come later.
        self.targets = [f"L{at}" for at in range(3)]
        body = self.sequence(3, first_label=True)
        missing = [each for each in self.targets if each not in self.labels]
        tail = "".join(f";\n{each}: x = {at}" for at, each in enumerate(missing))
        return f"active proctype {name}() {{\n{body}{tail}\n}}\n"

    def sequence(self, depth: int, first_label: bool = False) -> str:
        count = self.random.randint(1, 4)
        return ";\n".join(self.labelled(depth, first_label or at > 0) for at in range(count))

    def labelled(self, depth: int, may_label: bool) -> str:
        label = ""
        if may_label and self.random.random() < 0.2:
            free = [each for each in self.targets if each not in self.labels]
            if free and not self.in_d_step and self.random.random() < 0.5:
                name = free[0]
            else:
                self.count += 1
                name = self.random.choice(["end", "progress", "accept", "M"]) + str(self.count)
            self.labels.append(name)
            label = f"{name}: "
        return label + self.statement(depth, bool(label))

    def statement(self, depth: int, has_label: bool) -> str:
        choices = [
            "x = y + 1",
            "y++",
            "x == 1",
            "skip",
            'printf("x")',
            "q!x",
            "q?y",
            "r!1",
            "assert(x < 9)",
            "(x > 2)",
        ]
        if not self.in_d_step:
            choices += ["r?x", "timeout", "byte v%d = x", "byte w%d"] if not has_label else []
            choices += [f"goto {self.random.choice(self.targets)}"] * 2
            if self.loops:
                choices += ["break"] * 3
        compound = ["if", "do", "block", "for", "select"]
        if not self.in_d_step:
            compound += ["atomic", "atomic", "d_step", "unless", "unless"]
        if depth and self.random.random() < 0.5:
            return getattr(self, "make_" + self.random.choice(compound))(depth - 1)
        chosen: str = self.random.choice(choices)
        if "%d" in chosen:
            self.count += 1
            chosen = chosen % self.count
        return chosen

    def options(self, depth: int) -> str:
        found = [f":: {self.sequence(depth)}" for _ in range(self.random.randint(1, 3))]
        if self.random.random() < 0.4:
            found.insert(self.random.randint(0, len(found)), f":: else -> {self.sequence(depth)}")
        if self.random.random() < 0.1:
            found.append(":: false -> x = 7")
        return "\n".join(found)

    def make_if(self, depth: int) -> str:
        return f"if\n{self.options(depth)}\nfi"

    def make_do(self, depth: int) -> str:
        self.loops += 1
        text = f"do\n{self.options(depth)}\n:: break\nod"
        self.loops -= 1
        return text

    def make_block(self, depth: int) -> str:
        return f"{{ {self.sequence(depth)} }}"

    def make_atomic(self, depth: int) -> str:
        return f"atomic {{ {self.sequence(depth)} }}"

    def make_d_step(self, depth: int) -> str:
        loops, self.loops, self.in_d_step = self.loops, 0, True
        # In a block: Spin refuses a jump that goes right to a d_step.
        text = f"{{ d_step {{ {self.sequence(depth)} }} }}"
        self.loops, self.in_d_step = loops, False
        return text

    def make_unless(self, depth: int) -> str:
        return f"{{ {self.sequence(depth)} }} unless {{ {self.sequence(depth)} }}"

    def make_for(self, depth: int) -> str:
        self.loops += 1
        text = f"for (x : 1 .. 3) {{ {self.sequence(depth)} }}"
        self.loops -= 1
        return text

    def make_select(self, depth: int) -> str:
        return self.random.choice(["select (x : 1 .. 3)", "select (x : 0 .. 40)", "select (x : y .. 9)"])
