"""canon(g M) = canon(M), and the canonical form lies in the orbit: by every method, on random nets and on the
families, against orbits that are written out."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from burnside import _core
from burnside.kinds.net.semantics import NetSemantics
from burnside.reference.explorer import explore
from burnside.reference.orbits import orbit
from burnside.reference.permutations import move
from burnside.symmetry.nets import core_net
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core import REPRESENTATIVE, family
from tests.laws.methods import FORMS, Grouped, Marking, grouped_nets, with_group

laws = settings(max_examples=100, deadline=None)
seeds = st.integers(0, 2**32)

FAMILIES = (
    "ph 5", "db 3", "db 4", "grid 2 3", "grid 3 2", "graphs 4", "digraphs 3", "mutex 4", "railroad", "railroad 9 3"
)  # fmt: skip


def member(text: str) -> Grouped:
    return with_group(family(text))


def sample(made: Grouped, seed: int, size: int) -> list[Marking]:
    """Reachable markings, of the unreduced net."""
    stored = explore(NetSemantics(made.net), max_states=300).stored
    return random.Random(seed).sample(stored, min(size, len(stored)))


def images(made: Grouped, marking: Marking, seed: int) -> Iterator[Marking]:
    """The marking under three random elements of the group."""
    for number in range(3):
        yield move(made.group.random_element(seed + number), marking)


def assert_canonical(made: Grouped, marking: Marking, seed: int) -> None:
    members = orbit(NetSemantics(made.net), made.generators, marking)
    for name, method in made.fitting(FORMS).items():
        form, stabiliser = _core.canonical(made.core, made.group, method, marking)
        assert tuple(form) in members, name
        assert stabiliser * len(members) == made.group.order, name
        for image in images(made, marking, seed):
            assert image in members
            assert _core.canonical(made.core, made.group, method, image) == (form, stabiliser), name


def assert_inside_orbit(made: Grouped, marking: Marking) -> None:
    members = orbit(NetSemantics(made.net), made.generators, marking)
    for name, method in made.fitting(REPRESENTATIVE).items():
        form, stabiliser = _core.canonical(made.core, made.group, method, marking)
        assert tuple(form) in members, name
        assert stabiliser * len(members) == made.group.order, name


def assert_equivalence(made: Grouped, markings: list[Marking], seed: int) -> None:
    for marking in markings:
        members = orbit(NetSemantics(made.net), made.generators, marking)
        for other in (*markings, *images(made, marking, seed)):
            assert _core.equivalent(made.core, made.group, marking, other) == (other in members)


@laws
@given(grouped_nets(), seeds)
def test_canonical_forms_are_equal_on_orbits(made: Grouped, seed: int) -> None:
    for marking in sample(made, seed, 3):
        assert_canonical(made, marking, seed)


@laws
@given(grouped_nets(), seeds)
def test_representatives_stay_inside_the_orbit(made: Grouped, seed: int) -> None:
    for marking in sample(made, seed, 4):
        assert_inside_orbit(made, marking)


@laws
@given(grouped_nets(), seeds)
def test_equivalence_is_that_of_the_orbits(made: Grouped, seed: int) -> None:
    assert_equivalence(made, sample(made, seed, 8), seed)


@pytest.mark.parametrize("text", FAMILIES)
def test_families(text: str) -> None:
    made = member(text)
    for marking in sample(made, 1, 8):
        assert_canonical(made, marking, 7)
        assert_inside_orbit(made, marking)
    assert_equivalence(made, sample(made, 2, 12), 7)


@pytest.mark.parametrize("text", ["railroad", "railroad 9 3", "mutex 3"])
def test_groups_that_move_the_initial_marking(text: str) -> None:
    net, core = member(text).net, member(text).core
    made = Grouped(net, core, _core.automorphisms(core, [], []))
    for marking in sample(made, 3, 5):
        assert_canonical(made, marking, 11)


def test_part_of_a_group_is_refused_by_nauty() -> None:
    """The characteristic graph has the whole group: labelling it would merge what the part keeps apart."""
    net = family("mutex 3")
    core = core_net(net)
    part = _core.certified_group(core, [with_group(net).group.generators()[0][:2]])
    with pytest.raises(ValueError, match="nauty needs the whole group"):
        _core.canonical(core, part, _core.Method("nauty"), net.initial)


def test_larger_groups_against_a_second_method() -> None:
    """Beyond brute force the methods are each other's witness: equal forms exactly on equivalent markings."""
    made = member("db 7")
    marked = sample(made, 5, 12)
    for name, method in made.fitting({key: FORMS[key] for key in ("nauty", "search by partition")}).items():
        forms = [_core.canonical(made.core, made.group, method, marking)[0] for marking in marked]
        for marking, form in zip(marked, forms, strict=True):
            assert _core.equivalent(made.core, made.group, marking, form), name
            for other, other_form in zip(marked, forms, strict=True):
                same = _core.equivalent(made.core, made.group, marking, other)
                assert same == (form == other_form), name


def test_chains_of_links_are_refined_alike_in_symmetric_parts() -> None:
    """Two copies whose transitions chain up between places that nothing marks: once, the way they were shortened
    depended on their numbers, and equivalent markings got different forms."""
    consumes = (((0, 7),), ((3, 7),), ((1, 7), (6, 7)), ((4, 7),), ((4, 7), (6, 7)), ((1, 7),))
    produces = (((2, 7),), ((5, 7),), ((0, 14),), ((5, 7),), ((3, 14),), ((2, 7),))
    core = _core.Net((7, 0, 0, 7, 0, 0, 0), consumes, produces)
    group = _core.automorphisms(core, [(7, 0, 0, 7, 0, 0, 0)], [])
    forms = [
        _core.canonical(core, group, _core.Method("search"), marking)[0]
        for marking in ((7, 0, 0, 0, 0, 7, 0), (0, 0, 7, 7, 0, 0, 0))
    ]
    assert forms[0] == forms[1]
