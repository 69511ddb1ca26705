"""The truth about a program's symmetries, by looking at its states.

In: a program. Out: `Examined`: which permutations the certifier accepts, and a `problem` where one of them breaks the law or
where a reduced exploration says something else than the unreduced one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

from burnside import _core
from burnside.checks.programs import core_program
from burnside.diagnostics import Source
from burnside.ir.program import Program
from burnside.languages.murphi import read_text
from burnside.records import record
from burnside.symmetry.elements import element_group
from burnside.symmetry.points import Images, composed, identity, on_sort, rotation, transposition
from burnside.symmetry.programs import Certifier, ProgramSymmetry, program_symmetry

from tests.soundness.program_law import (
    Breach,
    CoreLaw,
    reference_breach,
    reference_start_breach,
)
from tests.soundness.program_states import StateSource

METHODS = ("search", "minimise", "nauty", "flood")
MAX_STATES = 5_000
"""Beyond, verdicts are not compared."""


@record
class Effort:
    """How many states are looked at: reachable ones, drawn ones, and those that the reference engine sees."""

    reachable: int = 80
    drawn: int = 30
    reference: int = 1


@record
class Examined:
    """`states`: of the unreduced program, None where there are too many. Permutations: `certified`, and `too_careful`, those
    that were refused though all reachable states obey the law."""

    states: int | None
    certified: int
    too_careful: int
    problem: str | None


def read(text: str, name: str = "text") -> Program:
    return read_text(Source(name, text))


def symmetry_of(program: Program) -> ProgramSymmetry:
    names = {(each.low, each.high): each.name for each in program.range_names}
    return program_symmetry(program, range_names=names)


def examine(program: Program, random: Random, effort: Effort = Effort()) -> Examined:  # noqa: B008
    symmetry = symmetry_of(program)
    law = CoreLaw(symmetry.program)
    known, complete = law.reachable(effort.reachable)
    drawn = StateSource(symmetry.program, known, random).some(effort.drawn)
    certifier = Certifier(symmetry.program)
    generated = group_of(symmetry)
    certified, too_careful, problem = 0, 0, None
    accepted = [each.permutation for each in symmetry.generators]
    for permutation in proposals(symmetry.program):
        if permutation in generated:
            certified += 1
        elif certifier.certify(permutation) is None:
            certified += 1
            accepted.append(permutation)
        elif complete and is_symmetry(law, permutation, known):
            too_careful += 1
    states = [*known, *drawn]
    few = [*random.sample(states, min(effort.reference, len(states)))]
    for permutation in accepted:
        actions = certifier.action_images(permutation)
        problem = problem or _breach(law, permutation, actions, states)
        found = reference_start_breach(symmetry.program, permutation)
        found = found or reference_breach(symmetry.program, permutation, actions, few)
        if found is not None:
            problem = problem or "reference: " + found.shown(symmetry.program)
    count, difference = compare(program, symmetry)
    return Examined(count, certified, too_careful, problem or difference)


def proposals(program: Program) -> Iterator[Images]:
    """Exchanges of two elements, rotations, and exchanges in two sorts at once."""
    swaps = []
    for sort in program.sorts:
        for a, b in combinations(range(sort.size), 2):
            swaps.append((sort, on_sort(program, sort, transposition(sort.size, a, b))))
    yield from (swap for _, swap in swaps)
    for sort in program.sorts:
        if sort.size > 2:
            yield on_sort(program, sort, rotation(sort.size))
    for (one, first), (other, second) in combinations(swaps, 2):
        if one != other:
            yield composed(first, second)


def group_of(symmetry: ProgramSymmetry) -> set[Images]:
    """All elements; the groups of these programs are small."""
    found = {identity(symmetry.program)}
    waiting = list(found)
    while waiting:
        element = waiting.pop()
        for each in symmetry.generators:
            product = composed(element, each.permutation)
            if product not in found:
                found.add(product)
                waiting.append(product)
    return found


def _breach(law: CoreLaw, permutation: Images, actions: Images, states: list[tuple[int, ...]]) -> str | None:
    moves = law.moves(permutation, actions)
    found: Breach | None = law.start_breach(moves) or law.breach(moves, states)
    return None if found is None else found.shown(law.program)


def is_symmetry(law: CoreLaw, permutation: Images, states: list[tuple[int, ...]]) -> bool:
    """With actions in their places: those that are exchanged by name are not recognised."""
    moves = law.moves(permutation, range(len(law.program.actions)))
    return law.start_breach(moves) is None and law.breach(moves, states) is None


def compare(program: Program, symmetry: ProgramSymmetry) -> tuple[int | None, str | None]:
    """How many states there are, and how a reduced exploration differs from the unreduced one."""
    core = core_program(program, "text")
    nobody = _core.ElementGroup(len(identity(program)), [])
    plain = _explored(core, nobody, "none")
    if plain.stopped != "exhausted":
        return None, None
    if symmetry.generators:
        core, group = core_program(symmetry.program, "text"), element_group(symmetry)
        for method in METHODS:
            try:
                reduced = _explored(core, group, method)
            except RuntimeError as error:
                return plain.states, f"{method}: {error}"
            except _core.MethodError:  # nauty needs a whole group
                continue
            if summary(reduced) != summary(plain):
                return plain.states, f"{method}: {summary(reduced)}, unreduced: {summary(plain)}"
    return plain.states, None


def _explored(core: _core.Program, group: _core.ElementGroup, method: str) -> _core.ProgramExploration:
    return _core.explore_program(
        core, group, _core.Method(method), deadlock=True, keep_going=True, max_states=MAX_STATES
    )


def summary(found: _core.ProgramExploration) -> dict[str, object]:
    return {
        "states": found.full_states,
        "violated": sorted(number for number, _ in found.violating),
        "covered": sorted(found.covered),
    }
