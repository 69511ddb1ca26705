"""Laws of symmetries of programs, on random ones: what is certified commutes with everything that a program can do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random

from burnside.ir.analysis import walking
from burnside.ir.analysis.commuting import exchangeable
from burnside.ir.analysis.definedness import refined
from burnside.ir.analysis.effects import EffectAnalysis, frozen_locals
from burnside.ir.analysis.flatten import NotFlat, flatten
from burnside.ir.program import Program
from burnside.reference.steps import Result, initial_states, judge, successors
from burnside.reference.values import Generator, State, permuted
from burnside.semantics import DISCARDED, Failure
from burnside.symmetry.points import Images, on_sort, renaming, rotation, transposition
from burnside.symmetry.programs import Certifier, find
from burnside.symmetry.programs.rules.renaming import Blocking
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.exploring import explore_program as explore
from tests.program_strategies import SymmetricProgram, programs, symmetric_programs

MOST_STATES = 25
NOT_SHOWN = ("a position of one bag", "a position is used after", "a quantifier over")
"""Why a symmetric program may be refused: a bag that is named by a variable may have become another one, a position may mean
a new entry, and an entry at a bound position, which is there, is not known to be."""
relaxed = settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))


def proposals(program: Program) -> Iterator[Images]:
    for sort in program.sorts:
        for a, b in combinations(range(sort.size), 2):
            yield on_sort(program, sort, transposition(sort.size, a, b))
        if sort.size > 2:
            yield on_sort(program, sort, rotation(sort.size))


def image(program: Program, generator: Generator, result: Result) -> object:
    """Which failure it is may depend on the order of turns, that there is one does not."""
    if isinstance(result, Failure):
        return "fails"
    return result if result == DISCARDED else permuted(program, generator, result)  # type: ignore[arg-type]


def images(program: Program, generator: Generator, found: list[tuple[object, Result]]) -> Counter[object]:
    return Counter(image(program, generator, result) for _, result in found)


def some_states(program: Program) -> Iterator[State]:
    seen: set[State] = set()
    waiting = [state for _, state in initial_states(program) if isinstance(state, tuple)]
    while waiting and len(seen) < MOST_STATES:
        state = waiting.pop()
        if state not in seen:
            seen.add(state)
            yield state
            waiting += [each for _, each in successors(program, state) if isinstance(each, tuple)]


def check_commutes(program: Program, permutation: Images) -> None:
    generator = renaming(program, permutation).images
    starts = initial_states(program)
    assert images(program, generator, starts) == images(program, {}, starts)  # type: ignore[arg-type]
    for state in some_states(program):
        moved = permuted(program, generator, state)
        one, other = successors(program, state), successors(program, moved)
        assert images(program, generator, one) == images(program, {}, other)  # type: ignore[arg-type]
        here, there = judge(program, state), judge(program, moved)
        assert (here.allowed, here.violated, here.covered) == (there.allowed, there.violated, there.covered)
        assert bool(here.failures) == bool(there.failures)


@relaxed
@given(programs())
def test_what_is_certified_commutes_with_all_steps(program: Program) -> None:
    certifier = Certifier(program)
    for permutation in proposals(program):
        if certifier.certify(permutation) is None:
            check_commutes(program, permutation)


@relaxed
@given(symmetric_programs())
def test_what_is_symmetric_by_construction_is_certified(made: SymmetricProgram) -> None:
    certifier = Certifier(made.program)
    for sort in made.program.sorts:
        if sort.symmetry == "full" and sort.size > 1:
            permutation = on_sort(made.program, sort, transposition(sort.size, 0, 1))
            refusal = certifier.certify(permutation)
            if refusal is None:
                check_commutes(made.program, permutation)
            else:
                assert refusal.reason.startswith(NOT_SHOWN)


@relaxed
@given(programs(), st.randoms(use_true_random=False))
def test_statements_block_each_other_where_they_are_not_exchangeable(
    program: Program, random: Random
) -> None:
    """All pairs are compared here; constants that are stored are not compared with all others there."""
    try:
        made = refined(flatten(program)).program
    except NotFlat:
        return
    effecting = EffectAnalysis(frozen_locals(made))
    for action in (*made.starts, *made.actions):
        block = list(walking.statements(action.body))
        random.shuffle(block)
        effects = [effecting.of(each) for each in block]
        assert [sorted(each) for each in Blocking(effecting).of(tuple(block))] == [
            [j for j in range(i) if not exchangeable(effects[j], effects[i])] for i in range(len(block))
        ]


@relaxed
@given(programs())
def test_what_is_found_changes_no_verdict(program: Program) -> None:
    """The rewritten program under the group found has as many states, in as many orbits, as the one that was given."""
    symmetry = find(program)
    if not symmetry.generators:
        return
    generators = [renaming(symmetry.program, each.permutation).images for each in symmetry.generators]
    plain = explore(program, keep_going=True, max_states=200)
    reduced = explore(symmetry.program, generators, keep_going=True, max_states=200)
    if plain.stopped == reduced.stopped == "exhausted":
        # Not counted where a declared symmetry holds but for the start states.
        assert reduced.full_states == plain.states or not symmetry.whole_starts
        assert bool(reduced.claims) == bool(plain.claims)
        assert plain.claims or reduced.covered == plain.covered
