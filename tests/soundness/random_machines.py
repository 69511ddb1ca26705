"""Random B machines over enumerated and deferred sets, most of them with a part that may distinguish elements.

`python -m tests.soundness.random_machines SEED...` prints machines and what is wrong with them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from itertools import combinations
from random import Random

from burnside import _core
from burnside.diagnostics import BurnsideError, Source
from burnside.ir.sets.machine import Machine
from burnside.languages.b import read_text
from burnside.limits import Deadline
from burnside.symmetry.elements import element_group
from burnside.symmetry.machines import MachineCertifier, machine_symmetry
from burnside.symmetry.points import on_sort, transposition

from tests.soundness.brute_force import Examined
from tests.soundness.machine_law import MAX_STATES, METHODS, MachineLaw, Moves, mixed_states, reference_breach
from tests.soundness.machine_leaks import LEAKS, Draw, Part
from tests.soundness.random_programs import Tally

VARIABLES = {
    "s": ("s <: S", "s := {}"),
    "v": ("v <: S", "v := {}"),
    "x": ("x : S", "x :: S"),
    "f": ("f : S +-> S", "f := {}"),
    "k": ("k : S --> 0..2", "k := S * {0}"),
    "n": ("n : 0..9", "n := 0"),
    "h": ("h : BOOL", "h := FALSE"),
    "l": ("l : seq(S) & size(l) <= 2", "l := []"),
    "w": ("w : T", "w :: T"),
    "g": ("g : S +-> T", "g := {}"),
    "y": ("y : struct(e: S, m: 0..2)", "y :: {z | z : struct(e: S, m: 0..2) & z'm = 0}"),
    "ss": ("ss <: POW(S)", "ss := {}"),
    "dd": ("dd <: D", "dd := {}"),
    "to": ("to : D +-> S", "to := {}"),
    "word": ("word : STRING", 'word := "none"'),
}

MOVING = {
    "s": "put(i) = PRE i : S THEN s := (s \\/ {i}) - (s /\\ {i}) END",
    "v": "copy = v := s",
    "x": "point(i) = PRE i : S & i /= x THEN x := i END",
    "f": "link(i, j) = PRE i : S & j : S & i |-> j /: f & card(f) < 2 THEN f := f <+ {i |-> j} END",
    "k": "level(i) = PRE i : S & k(i) < 2 THEN k(i) := k(i) + 1 END",
    "n": "reset = PRE n > 0 THEN n := 0 END",
    "h": "turn = h := bool(h = FALSE)",
    "l": "say(i) = PRE i : S & size(l) < 2 THEN l := l <- i END",
    "w": "other(i) = PRE i : T THEN w := i END",
    "g": "tag(i, j) = PRE i : S & j : T & i /: dom(g) THEN g(i) := j END",
    "y": "field(i) = PRE i : S THEN y'e := i || y'm := 1 END",
    "ss": "group(i) = PRE i : S & card(ss) < 2 THEN ss := ss \\/ {s \\/ {i}} END",
    "dd": "join(i) = PRE i : D THEN dd := dd \\/ {i} END",
    "to": "give(i, j) = PRE i : D & j : S THEN to(i) := j END",
    "word": 'write = word := "some"',
}

TESTS = (
    "h = TRUE", "x : s", "s = v", "card(s) > n", "x : dom(f)", "k(x) = 1", "l /= [] & first(l) = x", "w : ran(g)",
    "s : ss", "y'e = x", "ran(to) <: s", 'word = "some"', "s <: v", "max(ran(k)) = 2",
)  # fmt: skip

# Machines

NAMES = sorted(LEAKS)


def made(seed: int) -> tuple[str, str]:
    """Which leak, and the text."""
    random = Random(seed)
    draw, name = Draw(random), NAMES[seed % len(NAMES)]
    part = LEAKS[name](draw)
    operations = list(part.operations)
    if draw.maybe(0.4):
        body = draw.one("x := i", "s := {i}", "v := v - {i}")
        operations.append(f"noise(i) = SELECT i : S & ({draw.one(*TESTS)}) THEN {body} END")
    text = "\n".join([*operations, *part.claims, *part.definitions, *(each for _, each in part.constants)])
    used = _used(text)
    further = random.sample(("s", "x", "h", "f", "k"), 2)
    operations += [MOVING[name] for name in dict.fromkeys([*used, *further]) if draw.maybe(0.85)]
    return name, _assembled(draw, part, operations, text)


def _used(text: str) -> list[str]:
    return [name for name in VARIABLES if re.search(rf"(?<!')\b{name}\b", text)]


def _assembled(draw: Draw, part: Part, operations: Sequence[str], text: str) -> str:
    used = _used("\n".join([*operations, text])) or ["s"]
    for _ in range(2):
        used = _used("\n".join([*operations, text, *(VARIABLES[name][1] for name in used), *used]))
    claims = [VARIABLES[name][0] for name in used] + [f"({each})" for each in part.claims]
    others = ", ".join(("p", "q", "r")[: draw.others])
    constants = ""
    if part.constants:
        names = ", ".join(name for name, _ in part.constants)
        constants = f"CONSTANTS {names}\nPROPERTIES {' & '.join(each for _, each in part.constants)}\n"
    definitions = "; ".join(["scope_D == 2", *part.definitions])
    return (
        f"MACHINE random\nSETS S = {{{', '.join(draw.elements)}}}; T = {{{others}}}; D\n"
        f"DEFINITIONS {definitions}\n{constants}"
        f"VARIABLES {', '.join(used)}\nINVARIANT {' & '.join(claims)}\n"
        f"INITIALISATION {' || '.join(VARIABLES[name][1] for name in used)}\n"
        f"OPERATIONS\n  " + ";\n  ".join(operations) + "\nEND\n"
    )


def read(text: str) -> Machine:
    return read_text(Source("text", text))


def examine(machine: Machine, random: Random, *, most: int = 100, reference: int = 1) -> Examined:
    symmetry = machine_symmetry(machine)
    law = MachineLaw(machine, most)
    certifier = MachineCertifier(machine, Deadline())
    certified = too_careful = 0
    accepted = [(each.permutation, each.actions) for each in symmetry.generators]
    known = {permutation for permutation, _ in accepted}
    for sort in machine.sorts:
        for a, b in combinations(range(sort.size), 2):
            swap = on_sort(machine, sort, transposition(sort.size, a, b))
            if certifier.is_symmetry(swap):
                certified += 1
                if swap not in known:
                    accepted.append((swap, certifier.admitted(swap, "test").actions))
            elif law.complete and law.breach(Moves(machine, swap, range(len(machine.operations)))) is None:
                too_careful += 1
    problem = None
    mixed = mixed_states(machine, list(law.steps), random, reference)
    for permutation, actions in accepted:
        moves = Moves(machine, permutation, actions)
        problem = problem or law.breach(moves) or reference_breach(machine, moves, mixed)
    plain = law.explored(law.trivial_group, "none")
    if problem is None and plain is not None and symmetry.generators:
        group = element_group(symmetry)
        for method in METHODS:
            reduced = law.explored(group, method)
            if reduced is not None and reduced != plain:
                problem = f"{method}: {reduced}, unreduced: {plain}"
    states = plain["states"] if plain is not None else None
    return Examined(states if isinstance(states, int) else None, certified, too_careful, problem)


def tally(seeds: Sequence[int]) -> Tally:
    found = Tally()
    for seed in seeds:
        try:
            examined = examine(read(made(seed)[1]), Random(seed))
        except (BurnsideError, _core.MachineError):
            found.unreadable.append(seed)
            continue
        found.states.append(MAX_STATES if examined.states is None else examined.states)
        found.certified += examined.certified > 0
        found.too_careful += examined.too_careful > 0
        if examined.problem is not None:
            found.problems[seed] = examined.problem
    return found


def main() -> None:
    for seed in map(int, sys.argv[1:]):
        name, text = made(seed)
        print(f"/* {seed}: {name} */\n{text}")
        print(examine(read(text), Random(seed)))


if __name__ == "__main__":
    main()
