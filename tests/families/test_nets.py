"""The families against the thesis: sizes of Table 4.1, counts and groups of small members; refusals."""

from __future__ import annotations

import re
from math import comb, perm

import pytest
from burnside.diagnostics import UsageError
from burnside.families import FAMILIES, MAX_ARCS, build, group_order
from burnside.pipeline import check, model_of
from burnside.reference.permutations import group_elements
from burnside.reference.symmetries import symmetries
from burnside.request import Request

from tests.exploring import explore_net

TABLE_4_1 = """
    ph 10: 40 30        ph 13: 52 39         ph 16: 64 48
    db 8: 193 128       db 9: 244 162        db 10: 301 200      db 20: 1201 800
    grid 2 5: 50 50     grid 3 3: 54 54      grid 5 2: 64 64
    graphs 6: 21 45     graphs 7: 28 63      graphs 8: 36 84     graphs 9: 45 108
    digraphs 3: 9 18    digraphs 4: 16 36    digraphs 5: 25 60   digraphs 6: 36 90
"""


def member(text: str):
    name, *params = text.split()
    return build(name, params)


@pytest.mark.parametrize(
    ("text", "places", "transitions"),
    [(m[1], int(m[2]), int(m[3])) for m in re.finditer(r"(\w+(?: \d+)+): (\d+) (\d+)", TABLE_4_1)],
)
def test_sizes_of_table_4_1(text: str, places: int, transitions: int) -> None:
    net = member(text)
    assert (len(net.places), len(net.transitions)) == (places, transitions)


COUNTS = {
    # group order, states, transitions, deadlocks, orbits, transitions of the orbits
    "ph 5": (5, 82, 265, 1, 18, 57),
    "ph 7": (7, 478, 2163, 1, 70, 315),
    "db 3": (6, 28, 42, 0, 7, 12),
    "db 4": (24, 109, 224, 0, 11, 25),
    "grid 2 3": (8, 63, 304, 0, 20, 100),
    "grid 3 2": (48, 35, 144, 0, 6, 27),
    "grid 2 4": (8, 1234, 10032, 0, 193, 1585),
    "graphs 4": (24, 64, 192, 1, 11, 33),
    "graphs 5": (120, 1024, 5120, 1, 34, 170),
    "digraphs 3": (6, 64, 192, 1, 16, 48),
    "railroad": (2, 18, 24, 0, 12, 18),
    "mutex 2": (2, 8, 14, 0, 5, 9),
    "mutex 3": (6, 20, 48, 0, 7, 18),
    "mutex 4": (24, 48, 144, 0, 9, 30),
    "mutex 5": (120, 112, 400, 0, 11, 45),
    "rwmutex 3 2": (12, 10, 28, 0, 5, 15),
    "servers 2 3": (12, 13, 18, 0, 3, 8),
    "lines 1 3 2 2": (6, 19, 45, 0, 6, 15),
    "lines 2 2 2 1": (4, 11, 14, 0, 6, 9),
    "teams 2 2": (8, 64, 224, 0, 15, 54),
    "leafset 4 1": (8, 26, 36, 1, 6, 10),
    "leafset 4 2": (16, 192, 376, 1, 18, 46),
    "leafset 6 1": (2, 86, 114, 1, 44, 60),
    "election 2": (432, 16, 35, 0, 10, 26),
    "mailboxes 2 2 0": (2, 32, 44, 1, 17, 23),
    "mailboxes 1 2 2": (4, 14, 16, 1, 8, 9),
    "sparse 7 2 0 3": (1, 28, 74, 0, 28, 74),
}


@pytest.mark.parametrize("text", COUNTS)
def test_counts_with_and_without_reduction(text: str) -> None:
    net = member(text)
    order, states, transitions, deadlocks, orbits, orbit_transitions = COUNTS[text]
    group = symmetries(net, [net.initial])
    assert len(group) == order
    full = explore_net(net)
    assert (full.states, full.transitions, full.deadlocks) == (states, transitions, deadlocks)
    reduced = explore_net(net, few_generators(net, group))
    assert (reduced.states, reduced.transitions, reduced.deadlocks) == (orbits, orbit_transitions, deadlocks)
    assert reduced.full_states == states


def few_generators(net, group):
    """Elements are taken until they generate the group: far fewer than all of it."""
    chosen = []
    while len(known := group_elements(chosen, len(net.places), len(net.transitions))) < len(group):
        chosen.append(next(element for element in group if element not in known))
    return chosen


SHAPES = {
    # states, where nothing below counts them
    "rwmutex 4 3": 2**4 + 3,
    "servers 3 4": 1 + 2 * 3 * 4,
    "lines 2 3 3 1": 1 + 3 * 3 + 3 * 4,
    "teams 2 3": (2**3 + 3 * 2**2) ** 2,
    "leafset 6 2": 994,
    "leafset 8 2": 3_292,
    "leafset 6 3": None,
    "election 3": 4**3,
    "election 5": 4**5,
    "mailboxes 3 3 4": None,
    "mailboxes 5 2 0": None,
    "sparse 20 3": comb(22, 3),
    "sparse 20 2 3 5": comb(24, 2),
}


def leaf_set_states(nodes: int, crashes: int) -> int:
    """Each crash is still to come, at a node, or repaired; and one of them may be under repair."""
    half = nodes // 2
    repairs = nodes * ((half - 1) ** 2 + half**2)

    def placed(nodes: int, crashes: int) -> int:
        return sum(comb(crashes, d) * perm(nodes, d) * 2 ** (crashes - d) for d in range(crashes + 1))

    return placed(nodes, crashes) + crashes * repairs * placed(nodes - 2, crashes - 1)


def mailbox_states(stages: int, messages: int) -> int:
    """Messages are on their way in some order, or unsent or received."""
    return sum(
        comb(2 * stages, on_way) * perm(messages, on_way) * 2 ** (messages - on_way)
        for on_way in range(messages + 1)
    )


@pytest.mark.parametrize("text", SHAPES)
def test_shapes_have_the_orders_and_counts_of_their_formulas(text: str) -> None:
    name, *params = text.split()
    sizes = [int(each) for each in params]
    states = SHAPES[text]
    if name == "leafset":
        assert states in (None, leaf_set_states(*sizes))
        states = leaf_set_states(*sizes)
    if name == "mailboxes":
        states = mailbox_states(*sizes[:2])
    model = model_of(member(text))
    full = check(model, Request(reduce="none"))
    assert (full.states, full.full_states) == (states, states)
    # Only messages that nobody sends are never taken, and never dropped.
    assert all("unused" in each or "drop" in each for each in full.dead_transitions or ())
    for method in ("auto", "search"):
        reduced = check(model, Request(reduce=method))
        assert reduced.stopped == "exhausted"
        assert reduced.full_states == states
        assert reduced.reduction.group_order == group_order(name, params)


@pytest.mark.parametrize("text", [*COUNTS, "ph 3", "grid 1 2", "leafset 2 2", "election 1", "railroad 8 3"])
def test_orders_by_formula(text: str) -> None:
    name, *params = text.split()
    net, order = member(text), group_order(name, params)
    assert order in (None, len(symmetries(net, [net.initial])))
    assert order is not None or name == "railroad"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "states", "transitions"), [("ph 10", 6726, 43480), ("digraphs 4", 4096, 24576)]
)
def test_full_counts_of_table_4_1(text: str, states: int, transitions: int) -> None:
    full = explore_net(member(text))
    assert (full.states, full.transitions) == (states, transitions)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_database_formula(n: int) -> None:
    assert explore_net(build("db", [n])).states == 1 + n * 3 ** (n - 1)


def test_mutex_10() -> None:
    assert explore_net(build("mutex", [10])).states == 6144


def test_railroad_under_all_automorphisms() -> None:
    net = build("railroad", [])
    group = symmetries(net)
    assert len(group) == 12
    reduced = explore_net(net, group)
    assert (reduced.states, reduced.transitions) == (2, 3)
    assert reduced.full_states is None  # the group moves the initial marking


@pytest.mark.parametrize("params", [(6, 2), (7, 3), (9, 3), (5, 1), (3, 1)])
def test_trains_keep_their_distance(params: tuple[int, int]) -> None:
    sections, trains = params
    net = build("railroad", params)

    def apart(marking: tuple[int, ...]) -> bool:
        at = [i % sections for i, tokens in enumerate(marking[: sections * trains]) if tokens]
        return len(at) == trains and all((i - j) % sections > 1 for i in at for j in at if i != j)

    result = explore_net(net, safe=True, deadlock=True, invariants=[apart])
    assert result.stopped == "exhausted"
    assert all(result.firings)


@pytest.mark.parametrize(
    "text",
    [
        *COUNTS,
        *("grid 1 2", "railroad 7 3", "ph 2", "db 2", "graphs 2", "digraphs 2"),
        *("leafset 2 1", "leafset 10 3", "election 1", "election 4", "mailboxes 3 2 5", "sparse 20 3 4 1"),
    ],
)
def test_arcs_are_known_before_building(text: str) -> None:
    net = member(text)
    family = FAMILIES[text.split()[0]]
    given = [int(p) for p in text.split()[1:]]
    params = [*given, *(p.default for p in family.parameters[len(given) :])]
    assert family.arcs(*params) == net.arcs


@pytest.mark.parametrize("text", COUNTS)
def test_nets_are_well_formed(text: str) -> None:
    net = member(text)
    assert len(net.place_numbers) == len(net.places)
    assert len(set(net.transitions)) == len(net.transitions)
    assert all(re.fullmatch(r"[a-z][a-z0-9_]*", name) for name in (*net.places, *net.transitions))
    for arcs in (*net.consumes, *net.produces):
        assert list(arcs) == sorted(arcs) and len({place for place, _ in arcs}) == len(arcs)


@pytest.mark.parametrize(
    ("name", "params", "message", "hint"),
    [
        ("phh", ["3"], "no example is called 'phh'", "did you mean ph?"),
        ("zzz", [], "no example is called 'zzz'", "there are ph, db, grid"),
        ("ph", [], "'ph' takes 1 parameter, 0 given", "burnside example ph philosophers"),
        ("grid", ["2"], "'grid' takes 2 parameters, 1 given", "grid dimensions agents_per_row"),
        ("railroad", ["6", "2", "1"], "'railroad' takes 0 to 2 parameters, 3 given", "[sections=6]"),
        ("ph", ["x"], "philosophers of 'ph' must be a whole number, not 'x'", ""),
        ("ph", ["1_0"], "must be a whole number", ""),
        ("ph", ["1"], "philosophers of 'ph' must be at least 2, not 1", ""),
        ("mutex", ["-3"], "processes of 'mutex' must be at least 1, not -3", ""),
        ("railroad", ["6", "3"], "3 trains need at least 7 sections", ""),
        ("leafset", ["7", "2"], "nodes of 'leafset' must be even, not 7", "leafset nodes crashes"),
        ("election", ["13"], "would have 41,452,572 arcs", "smaller"),
        ("election", ["999999"], "would have more than 10^18 arcs", "smaller"),
        ("db", ["10000"], "would have 999,960,000 arcs; the limit is 5,000,000", "smaller"),
        ("grid", ["99999", "99999"], "would have more than 10^18 arcs", "smaller"),
        ("ph", ["9" * 5000], "more than 18 digits", ""),
    ],
)
def test_refusals(name: str, params: list[str], message: str, hint: str) -> None:
    with pytest.raises(UsageError) as refused:
        build(name, params)
    assert message in refused.value.diagnostic.message
    assert hint in (refused.value.diagnostic.hint or "")


def test_the_largest_member_is_still_built() -> None:
    assert FAMILIES["ph"].arcs(MAX_ARCS // 10) == MAX_ARCS
    assert FAMILIES["grid"].usage == "grid dimensions agents_per_row"
