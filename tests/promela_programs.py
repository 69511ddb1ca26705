"""Random Promela models: several processes, variables and channels of all types, every kind of statement.

In: a source of random numbers. Out: the text of a model, one statement in a line. Most of them have few states: numbers are
kept small by remainders, loops have few statements. Not every text is valid.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from burnside.records import field, record, replace

SCALARS = ("bit", "bool", "byte", "byte", "byte", "short", "int", "unsigned", "mtype", "pid")
SYMBOLS = ("red", "green", "blue")
INDENT = "    "


@record
class Place:
    """What a text can read or assign: how it is written, and its type. `size` of an array: its name needs an index."""

    name: str
    type: str
    size: int | None = None


@record
class Channel:
    """An expression that is a channel, with the types of its fields. Capacity None is not known."""

    name: str
    fields: tuple[str, ...]
    capacity: int | None
    size: int | None = None


@record(frozen=False)
class Process:
    name: str
    parameters: list[Place | Channel]
    active: int
    labels: list[str] = field(default_factory=list)
    """Those that remote references may name."""
    locals: list[Place] = field(default_factory=list)


@record
class Scope:
    places: tuple[Place, ...]
    channels: tuple[Channel, ...]

    def with_place(self, place: Place) -> Scope:
        return replace(self, places=(*self.places, place))


class Programs:
    """Some of them are `synchronous`: they have rendezvous, atomic sequences and `unless` more than anything else."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.count = 0
        self.loops = 0
        self.in_d_step = False
        self.in_atomic = False
        self.targets: list[str] = []
        self.placed: list[str] = []
        self.processes: list[Process] = []
        self.runs = 0
        self.struct = self.synchronous = False

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def name(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    # Declarations

    def program(self) -> str:
        lines = ["mtype = { red, green, blue }"]
        scope = Scope((), ())
        self.struct = self.chance(0.35)
        self.synchronous = self.chance(0.4)
        if self.struct:
            lines.append(f"typedef T {{ byte f; {self.random.choice(('short', 'bit', 'int'))} g[2] }}")
        for _ in range(self.random.randint(1, 4)):
            text, scope = self.declaration(scope, "g", constant=True)
            lines.append(text)
        for _ in range(self.random.choice((0, 1, 1, 2, 2, 3))):
            text, scope = self.channel_declaration(scope)
            lines.append(text)
        self.globals = scope
        watched = [self.observer(scope)] if self.chance(0.4) else []
        count = self.random.randint(1, 3)
        for at in range(count):
            self.processes.append(self.signature(f"P{at}"))
        has_init = self.chance(0.5) or not any(each.active for each in self.processes)
        bodies = [self.process(each, scope) for each in self.processes if each.name != "Observer"]
        if has_init:
            bodies.append(self.init(scope))
        return "\n".join([*lines, *watched, *bodies]) + "\n"

    def observer(self, scope: Scope) -> str:
        """A process whose steps change nothing, as many as conditions hold: transitions tell what values are."""
        lines = ["active proctype Observer() {", f"{INDENT}do"]
        for each in scope.places:
            for index in range(each.size or 1):
                name = each.name if each.size is None else f"{each.name}[{index}]"
                fields = (".f", ".g[0]", ".g[1]") if each.type == "T" else ("",)
                tests = [f"{name}{field} {test}" for field in fields for test in ("> 0", "& 1", "& 2", "< 0")]
                lines += [f"{INDENT}:: ({test});" for test in tests]
        for each in scope.channels:
            for index in range(each.size or 1):
                name = each.name if each.size is None else f"{each.name}[{index}]"
                lines += [f"{INDENT}:: len({name}) > {count};" for count in range(each.capacity or 0)]
                if each.capacity and each.fields != ("T",):
                    rest = ", _" * (len(each.fields) - 1)
                    lines += [
                        f"{INDENT}:: {name}?{sign}[{number}{rest}];"
                        for sign in ("", "?")
                        for number in (0, 1, 2)
                    ]
        lines += [f"{INDENT}:: _nr_pr > {count};" for count in range(2, 5)]
        self.processes.append(Process("Observer", [], 1))
        return "\n".join([*lines, f"{INDENT}od", "}"])

    def type(self) -> str:
        if self.struct and self.chance(0.2):
            return "T"
        return self.random.choice(SCALARS)

    def declaration(self, scope: Scope, prefix: str, *, constant: bool) -> tuple[str, Scope]:
        name, type_ = self.name(prefix), self.type()
        size = self.random.randint(2, 3) if type_ != "unsigned" and self.chance(0.3) else None
        bits = f" : {self.random.choice((1, 2, 3, 5))}" if type_ == "unsigned" else ""
        array = "" if size is None else f"[{size}]"
        text = f"{type_} {name}{array}{bits}"
        if type_ != "T" and self.chance(0.4):
            text += f" = {self.constant(type_) if constant else self.expression(scope, 1)}"
        return text + ";", scope.with_place(Place(name, type_, size))

    def constant(self, type_: str) -> str:
        if type_ == "mtype":
            return self.random.choice(SYMBOLS)
        if type_ in ("bit", "bool"):
            return self.random.choice(("0", "1", "true", "false"))
        rare = {"byte": ["255", "127"], "short": ["-1", "32767", "-32768"], "int": ["-1", "2147483647", "-7"]}
        return self.random.choice(["0", "1", "2", "3", *rare.get(type_, [])])

    def channel_declaration(self, scope: Scope) -> tuple[str, Scope]:
        name = self.name("q")
        fields = tuple(
            self.random.choice(("byte", "byte", "bit", "short", "int", "mtype", "chan", "bool"))
            for _ in range(self.random.choice((1, 1, 1, 2, 2, 3)))
        )
        if self.struct and self.chance(0.15):
            fields = ("T",)
        capacity = self.random.choice((0, 0, 0, 0, 0, 1) if self.synchronous else (0, 0, 0, 1, 1, 2, 2, 3))
        size = 2 if self.chance(0.2) else None
        array = "" if size is None else f"[{size}]"
        text = f"chan {name}{array} = [{capacity}] of {{ {', '.join(fields)} }};"
        return text, replace(scope, channels=(*scope.channels, Channel(name, fields, capacity, size)))

    def signature(self, name: str) -> Process:
        parameters: list[Place | Channel] = []
        for _ in range(self.random.choice((0, 0, 0, 1, 1, 2))):
            own = self.name("p")
            if self.globals.channels and self.chance(0.4):
                model = self.random.choice(self.globals.channels)
                parameters.append(Channel(own, model.fields, None))
            else:
                type_ = self.random.choice(("byte", "bit", "short", "int", "mtype", "byte"))
                parameters.append(Place(own, type_))
        active = self.random.choice((0, 1, 1, 1, 2, 2, 3))
        if any(isinstance(each, Channel) for each in parameters):
            active = 0
        return Process(name, parameters, active)

    def process(self, process: Process, scope: Scope) -> str:
        places = [each for each in process.parameters if isinstance(each, Place)]
        channels = [each for each in process.parameters if isinstance(each, Channel)]
        inner = Scope((*scope.places, *places), (*scope.channels, *channels))
        shown = "; ".join(
            f"chan {each.name}" if isinstance(each, Channel) else f"{each.type} {each.name}"
            for each in process.parameters
        )
        active = {0: "", 1: "active "}.get(process.active, f"active [{process.active}] ")
        provided = f" provided ({self.condition(scope, 1, probes=False)})" if self.chance(0.08) else ""
        lines = [f"{active}proctype {process.name}({shown}){provided} {{"]
        for _ in range(self.random.choice((0, 0, 1, 1, 2))):
            text, inner = self.declaration(inner, "v", constant=self.chance(0.7))
            lines.append(INDENT + text)
            process.locals.append(inner.places[-1])
        if self.chance(0.15):
            text, inner = self.channel_declaration(inner)
            lines.append(INDENT + text)
        if self.globals.channels and self.chance(0.12):
            model = self.random.choice(self.globals.channels)
            own = Channel(self.name("c"), model.fields, None)
            inner = replace(inner, channels=(*inner.channels, own))
            lines.append(f"{INDENT}chan {own.name};")
            if self.chance(0.9):
                lines.append(f"{INDENT}{own.name} = {self.channel(model, inner)};")
        return "\n".join([*lines, *self.body(inner, process), "}"])

    def body(self, scope: Scope, process: Process | None, depth: int = 2) -> list[str]:
        self.loops, self.placed, self.own = 0, [], process
        self.targets = [self.name("L") for _ in range(2)]
        lines = self.sequence(scope, depth, self.random.randint(1, 5))
        text = "\n".join(lines)
        for each in self.targets:
            if f"goto {each};" in text and f"{each}:" not in text:
                lines.append(f"{INDENT}{each}: {self.simple(scope)};")
        if process is not None:
            process.labels += self.placed
        return lines

    def init(self, scope: Scope) -> str:
        lines = ["init {"]
        inner = scope
        if self.chance(0.3):
            text, inner = self.declaration(inner, "v", constant=True)
            lines.append(INDENT + text)
        runs = []
        for each in self.processes:
            for _ in range(0 if each.active else self.random.choice((1, 1, 1, 2))):
                runs.append(f"{INDENT}{self.run(each, inner)};")
        if runs and self.chance(0.6):
            runs = [f"{INDENT}atomic {{", *runs, f"{INDENT}}};"]
        rest = self.body(inner, None, depth=1) if self.chance(0.5) else []
        return "\n".join([*lines, *runs, *rest, *([f"{INDENT}skip;"] if not runs and not rest else []), "}"])

    def run(self, process: Process, scope: Scope) -> str:
        self.runs += 1
        arguments = []
        for each in process.parameters:
            if isinstance(each, Channel):
                fitting = [one for one in scope.channels if one.fields == each.fields] or scope.channels
                arguments.append(self.channel(self.random.choice(fitting), scope))
            else:
                arguments.append(self.expression(scope, 1))
        return f"run {process.name}({', '.join(arguments)})"

    # Expressions

    def channel(self, channel: Channel, scope: Scope) -> str:
        if channel.size is None:
            return channel.name
        return f"{channel.name}[{self.index(scope, channel.size)}]"

    def index(self, scope: Scope, size: int) -> str:
        if self.chance(0.6):
            return str(self.random.randrange(size))
        if self.chance(0.03):
            return self.expression(scope, 0)
        unsigned = [each for each in scope.places if each.type in ("bit", "bool", "byte", "pid", "unsigned")]
        inner = self.random.choice(unsigned) if unsigned else None
        if inner is None or inner.size is not None or self.chance(0.3):
            return f"_pid % {size}"
        return inner.name if inner.type in ("bit", "bool") else f"{inner.name} % {size}"

    def place(self, scope: Scope, types: Sequence[str] = (), depth: int = 1) -> str | None:
        """A scalar; of one of these types, where some are given."""
        found = [each for each in scope.places if not types or each.type in types]
        if not found:
            return None
        # Those declared last are the own ones.
        chosen = self.random.choice(found)
        text = chosen.name
        if chosen.size is not None:
            text += f"[{self.index(scope, chosen.size)}]"
        if chosen.type == "T":
            text += self.random.choice((".f", f".g[{self.index(scope, 2)}]"))
        return text

    def atom(self, scope: Scope) -> str:
        place = self.place(scope)
        if place is None or self.chance(0.3):
            return self.random.choice(("0", "1", "1", "2", "3", "_pid", "_nr_pr", "red", "255"))
        return place

    def expression(self, scope: Scope, depth: int) -> str:
        if depth == 0 or self.chance(0.3):
            return self.atom(scope)
        kind = self.random.randrange(20)
        one, other = self.expression(scope, depth - 1), self.expression(scope, depth - 1)
        if kind < 8:
            return f"({one} {self.random.choice('+-*')} {other}) % {self.random.choice((2, 3, 4))}"
        if kind < 11:
            return f"({one} {self.random.choice(('+', '-', '*', '&', '|', '^'))} {other})"
        if kind == 11:
            return f"({one} {self.random.choice(('<<', '>>'))} ({other} & 3))"
        if kind == 12:
            return f"({one} {self.random.choice('/%')} ({other} | 1))"
        if kind == 13:
            return f"({self.random.choice('-~!')}{one})"
        if kind == 14:
            return f"({self.condition(scope, depth - 1, probes=False)} -> {one} : {other})"
        if kind < 17:
            return f"({self.condition(scope, depth - 1, probes=False)})"
        if kind == 17 and scope.channels:
            return f"len({self.channel(self.random.choice(scope.channels), scope)})"
        return one

    def condition(self, scope: Scope, depth: int, *, probes: bool = True) -> str:
        """`probes`: `full` and the like are allowed; they may not be inside of other operators than `&&` and `||`."""
        kind = self.random.randrange(26)
        if depth and kind < 3:
            joined = self.random.choice(("&&", "||"))
            one, other = (self.condition(scope, depth - 1, probes=probes) for _ in range(2))
            return f"({one}) {joined} ({other})"
        if kind == 3:
            return f"!({self.condition(scope, 0, probes=False)})"
        if kind == 4:
            return f"_nr_pr {self.random.choice(('<', '>', '=='))} {self.random.randint(1, 4)}"
        if kind < 8 and scope.channels:
            channel = self.random.choice(scope.channels)
            name = self.channel(channel, scope)
            if channel.capacity and self.chance(0.5):
                listed = self.patterns(channel, scope, poll=True)
                return f"{name}{self.random.choice(('?', '??'))}[{listed}]"
            if probes:
                return f"{self.random.choice(('full', 'empty', 'nfull', 'nempty'))}({name})"
        if kind == 8 and (remote := self.remote()):
            return remote
        operator = self.random.choice(("==", "==", "!=", "<", ">", "<=", ">="))
        return f"{self.expression(scope, min(depth, 1))} {operator} {self.atom(scope)}"

    def remote(self) -> str | None:
        """Of a process that exists from the beginning."""
        pid = 0
        found = []
        for each in self.processes:
            for number in range(each.active):
                found += [f"{each.name}[{pid + number}]@{label}" for label in each.labels]
                if each is not self.own:
                    found += [
                        f"{each.name}[{pid + number}]:{place.name} == {self.random.randrange(3)}"
                        for place in each.locals
                        if place.size is None and place.type != "T"
                    ]
            pid += each.active
        return self.random.choice(found) if found else None

    def patterns(self, channel: Channel, scope: Scope, *, poll: bool = False) -> str:
        found = []
        for each in channel.fields:
            kind = self.random.randrange(12)
            if each == "T":
                structs = [one.name for one in scope.places if one.type == "T" and one.size is None]
                found.append(self.random.choice(structs) if structs else "_, _, _")
                continue
            if each == "chan":
                own = [one.name for one in scope.channels if one.capacity is None]
                if own and kind < 8:
                    found.append(f"eval({self.random.choice(own)})" if poll else self.random.choice(own))
                else:
                    found.append("_")
                continue
            if kind < 3:
                found.append(self.constant(each) if each != "bool" else self.random.choice(("0", "1")))
            elif kind < 5:
                found.append(f"eval({self.expression(scope, 1)})")
            elif kind < 6 or poll:
                found.append("_")
            else:
                target = self.place(scope)
                found.append("_" if target is None or target in found else target)
        if len(found) > 1 and self.chance(0.05):
            found.pop()
        return ", ".join(found)

    # Statements

    def sequence(self, scope: Scope, depth: int, count: int | None = None) -> list[str]:
        found: list[str] = []
        for at in range(count or self.random.choice((1, 1, 2, 2, 3))):
            lines = self.statement(scope, depth)
            if at and not self.in_d_step and self.chance(0.12):
                free = [each for each in self.targets if each not in self.placed]
                label = free[0] if free and self.chance(0.7) else self.name(self.random.choice(("end", "M")))
                self.placed.append(label)
                lines = [f"{label}: {lines[0]}", *lines[1:]]
            found += [INDENT + each for each in lines]
        return found

    def statement(self, scope: Scope, depth: int) -> list[str]:
        compound = ["if", "if", "do", "do", "block", "for", "select"]
        if not self.in_d_step:
            compound += ["atomic", "atomic", "d_step", "unless"]
            compound += ["atomic", "unless", "atomic", "unless"] if self.synchronous else []
        if depth and self.chance(0.4):
            made: list[str] = getattr(self, "make_" + self.random.choice(compound))(scope, depth - 1)
            return made
        return [self.simple(scope) + ";"]

    def simple(self, scope: Scope) -> str:
        kind = self.random.randrange(40)
        if kind < 11 and (target := self.place(scope)):
            if self.chance(0.2):
                return target + self.random.choice(("++", "--"))
            return f"{target} = {self.expression(scope, 2)}"
        if kind < 15:
            return self.condition(scope, 1)
        if (kind < 28 or (self.synchronous and kind % 2)) and scope.channels:
            return self.communication(scope)
        if kind < 30:
            return f"assert({self.condition(scope, 1)})"
        if kind == 30:
            return f'printf("%d", {self.expression(scope, 1)})'
        if not self.in_d_step:
            if kind == 31:
                return "timeout"
            if kind < 34:
                return f"goto {self.random.choice(self.targets)}"
            if kind < 36 and self.loops:
                return "break"
            if kind == 36 and self.processes and self.runs < 4:
                target = self.place(scope)
                made = self.run(self.random.choice(self.processes[-2:]), scope)
                return f"{target} = {made}" if target and self.chance(0.5) else made
        own = [each for each in scope.channels if each.capacity is None]
        if kind == 37 and own:
            return (
                f"{self.random.choice(own).name} = {self.channel(self.random.choice(scope.channels), scope)}"
            )
        return "skip"

    def communication(self, scope: Scope) -> str:
        channel = self.random.choice(scope.channels)
        name = self.channel(channel, scope)
        if self.chance(0.5):
            values = []
            for each in channel.fields:
                if each == "T":
                    structs = [one.name for one in scope.places if one.type == "T" and one.size is None]
                    values.append(self.random.choice(structs) if structs else "1, 2, 3")
                elif each == "chan":
                    values.append(self.channel(self.random.choice(scope.channels), scope))
                else:
                    values.append(self.expression(scope, 1))
            return f"{name}{self.random.choice(('!', '!', '!!'))}{', '.join(values)}"
        if self.in_d_step and channel.capacity in (0, None):
            return "skip"
        sign = self.random.choice(("?", "?", "??"))
        listed = self.patterns(channel, scope)
        if channel.capacity and self.chance(0.2):
            return f"{name}{sign}<{listed}>"
        return f"{name}{sign}{listed}"

    def options(self, scope: Scope, depth: int) -> list[str]:
        found = []
        count = self.random.randint(1, 3)
        other = self.random.randrange(count + 1) if self.chance(0.45) else None
        for at in range(count + 1):
            if at == other:
                found += self.option(["    else;", *self.sequence(scope, depth, 1)])
            elif at < count:
                guard = [f"    {self.condition(scope, 1)};"] if self.chance(0.4) else []
                found += self.option([*guard, *self.sequence(scope, depth)])
        return found

    @staticmethod
    def option(lines: list[str]) -> list[str]:
        first, *rest = lines
        return [f":: {first.strip()}", *rest]

    def make_if(self, scope: Scope, depth: int) -> list[str]:
        return ["if", *self.options(scope, depth), "fi;"]

    def make_do(self, scope: Scope, depth: int) -> list[str]:
        if self.in_d_step:
            return self.make_for(scope, depth)
        self.loops += 1
        found = self.options(scope, depth)
        self.loops -= 1
        return ["do", *found, *([":: break;"] if self.chance(0.6) else []), "od;"]

    def make_block(self, scope: Scope, depth: int) -> list[str]:
        return ["{", *self.sequence(scope, depth), "};"]

    def make_atomic(self, scope: Scope, depth: int) -> list[str]:
        return ["atomic {", *self.sequence(scope, depth, self.random.randint(2, 4)), "};"]

    def make_d_step(self, scope: Scope, depth: int) -> list[str]:
        loops, self.loops, self.in_d_step = self.loops, 0, True
        found = self.sequence(scope, depth, self.random.randint(1, 3))
        self.loops, self.in_d_step = loops, False
        # In a block: Spin refuses a jump that goes right to a d_step.
        return ["{ d_step {", *found, "} };"]

    def make_unless(self, scope: Scope, depth: int) -> list[str]:
        return ["{", *self.sequence(scope, depth), "} unless {", *self.sequence(scope, depth, 1), "};"]

    def make_for(self, scope: Scope, depth: int) -> list[str]:
        target = next((each for each in scope.places if each.type == "byte" and each.size is None), None)
        if target is None:
            return self.make_if(scope, depth)
        self.loops += 1
        inner = self.sequence(scope, 0, 1)
        self.loops -= 1
        return [f"for ({target.name} : 1 .. {self.random.randint(1, 3)}) {{", *inner, "};"]

    def make_select(self, scope: Scope, depth: int) -> list[str]:
        target = next((each for each in scope.places if each.type == "byte" and each.size is None), None)
        if target is None:
            return [self.simple(scope) + ";"]
        return [f"select ({target.name} : 0 .. {self.random.randint(1, 3)});"]


def program(seed: int) -> str:
    return Programs(Random(seed)).program()
