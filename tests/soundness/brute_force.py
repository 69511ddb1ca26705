"""The truth about a program's symmetries, by looking at its states.

In: a program. Out: `Examined`: which permutations the certifier accepts, and a `problem` where one of them breaks the law or
where a reduced exploration says something else than the unreduced one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

from burnside import _core
from burnside.diagnostics import Source
from burnside.ir.program import Program
from burnside.kinds.program import core_program
from burnside.languages.murphi import read_text
from burnside.records import record
from burnside.reference.values import State
from burnside.symmetry.elements import element_group
from burnside.symmetry.points import Images, composed, identity, on_sort, rotation, transposition
from burnside.symmetry.programs import Certifier, ProgramSymmetry, program_symmetry
from burnside.symmetry.programs.start_states import starts_are_whole

from tests.soundness.program_law import (
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


def symmetry_of(program: Program, *, numbers: bool = False) -> ProgramSymmetry:
    """`numbers`: those that processes use like names stay numbers."""
    names = {(each.low, each.high): each.name for each in program.range_names}
    if numbers:
        return program_symmetry(program, range_names=names, trial=None)
    return program_symmetry(program, range_names=names)


def examine(
    program: Program,
    random: Random,
    effort: Effort = Effort(),  # noqa: B008
    *,
    numbers: bool = False,
) -> Examined:
    """All that is said of a small program: by the certifier, by the law and by explorations."""
    symmetry = symmetry_of(program, numbers=numbers)
    law = CoreLaw(symmetry.program)
    known, complete = law.reachable(effort.reachable)
    certifier = Certifier(symmetry.program)
    generated = group_of(symmetry)
    certified = too_careful = 0
    accepted = [each.permutation for each in symmetry.generators]
    for permutation in proposals(symmetry.program):
        if permutation in generated:
            certified += 1
        elif certifier.certify(permutation) is None:
            certified += 1
            accepted.append(permutation)
        elif complete and is_symmetry(law, permutation, known):
            too_careful += 1
    problem = _problem(law, certifier, accepted, known, random, effort)
    count, difference = compare(program, symmetry)
    return Examined(count, certified, too_careful, problem or difference)


def law_problem(program: Program, random: Random, effort: Effort) -> str | None:
    """Where a generator that is found for the program breaks the law, if it does."""
    symmetry = symmetry_of(program)
    if not symmetry.generators:
        return None
    law = CoreLaw(symmetry.program)
    known, _ = law.reachable(effort.reachable)
    accepted = [each.permutation for each in symmetry.generators]
    return _problem(law, Certifier(symmetry.program), accepted, known, random, effort)


def _problem(
    law: CoreLaw,
    certifier: Certifier,
    accepted: list[Images],
    known: list[State],
    random: Random,
    effort: Effort,
) -> str | None:
    """Of the first accepted permutation that breaks the law, in the core or in the reference engine."""
    program = law.program
    states = [*known, *StateSource(program, known, random).some(effort.drawn)]
    few = random.sample(states, min(effort.reference, len(states)))
    for permutation in accepted:
        actions = certifier.action_images(permutation)
        moves = law.moves(permutation, actions)
        # Start states may distinguish elements where that is known: then full states are not claimed.
        whole = certifier.starts(permutation) is None
        found = law.start_breach(moves) if whole else None
        found = found or law.breach(moves, states)
        if found is not None:
            return found.shown(program)
        found = reference_start_breach(program, permutation) if few and whole else None
        found = found or reference_breach(program, permutation, actions, few)
        if found is not None:
            return "reference: " + found.shown(program)
    return None


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


def is_symmetry(law: CoreLaw, permutation: Images, states: list[State]) -> bool:
    """With actions in their places: those that are exchanged by name are not recognised."""
    moves = law.moves(permutation, range(len(law.program.actions)))
    return law.start_breach(moves) is None and law.breach(moves, states) is None


def compare(program: Program, symmetry: ProgramSymmetry) -> tuple[int | None, str | None]:
    """How many states there are, and how a reduced exploration differs from the unreduced one."""
    core = core_program(program, "text")
    trivial_group = _core.ElementGroup(len(identity(program)), [])
    plain = _explored(core, trivial_group, "none")
    if plain.stopped != "exhausted":
        return None, None
    if symmetry.generators:
        core, group = core_program(symmetry.program, "text"), element_group(symmetry)
        whole = symmetry.whole_starts or starts_are_whole(symmetry)
        expected = summary(plain, whole=whole)
        for method in METHODS:
            try:
                reduced = _explored(core, group, method)
            except RuntimeError as error:
                return plain.states, f"{method}: {error}"
            except _core.MethodError:  # nauty needs a whole group
                continue
            if summary(reduced, whole=whole) != expected:
                return plain.states, f"{method}: {summary(reduced, whole=whole)}, unreduced: {expected}"
    return plain.states, None


def _explored(core: _core.Program, group: _core.ElementGroup, method: str) -> _core.Exploration:
    return _core.explore(
        core,
        group,
        _core.Method(method),
        _core.Settings(deadlock=True, keep_going=True, max_states=MAX_STATES),
    )


def summary(found: _core.Exploration, *, whole: bool) -> dict[str, object]:
    return {
        "states": found.full_states if whole else None,
        "violated": sorted(number for number, _ in found.violating),
        "covered": sorted(found.covered),
    }
