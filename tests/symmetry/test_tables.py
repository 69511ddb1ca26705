"""Tables under permutations: their images, where they take actions, what the search and the self-check make of them."""

from __future__ import annotations

import time
from itertools import product
from random import Random

import burnside
import pytest
from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Action, Program, Property
from burnside.ir.types import BOOLEAN, INTEGER, Array, Element, Integer, Optional, Scalar, Sort, Union, bounds
from burnside.records import replace
from burnside.symmetry.points import Renaming, on_sort, renaming, rotation, transposition
from burnside.symmetry.programs import Certifier, find
from burnside.symmetry.programs.rules.table_images import TableImages

from tests.symmetry import process_adversaries as built

S, T = Sort("S", ("a", "b", "c"), "fixed", "enum"), Sort("T", ("d", "e"), "fixed", "enum")
SORTS = Program("sorts", (S, T), (), (), ())
TYPES: tuple[Scalar, ...] = (Element(S), Element(T), Union((T, S)), BOOLEAN, Integer(-1, 1))


def table(random: Random) -> e.Table:
    arguments = tuple(random.choices(TYPES, k=random.randint(1, 3)))
    result = random.choice(TYPES)
    count = len(list(product(*map(values, arguments))))
    entries = tuple(random.choice([None, *values(result)]) for _ in range(count))
    return e.Table("random", arguments, result, entries)


def values(type_: Scalar) -> range:
    return range(bounds(type_)[0], bounds(type_)[1] + 1)


def image(of: e.Table, moves: Renaming) -> e.Table:
    """By the definition: (g T)(g x) = g T(x)."""
    found = {}
    for row in product(*map(values, of.arguments)):
        entry = of.at(row)
        key = tuple(moves.value(value, type_) for value, type_ in zip(row, of.arguments, strict=True))
        found[key] = None if entry is None else moves.value(entry, of.result)
    rows = product(*map(values, of.arguments))
    return replace(of, name="image", entries=tuple(found[row] for row in rows))


@pytest.mark.parametrize("seed", range(100))
def test_images_of_tables_are_as_defined(seed: int) -> None:
    random = Random(seed)
    tables = TableImages()
    made = table(random)
    for _ in range(5):
        permutation = (*random.sample(range(3), 3), *(3 + at for at in random.sample(range(2), 2)))
        moves = renaming(SORTS, permutation)
        assert tables.image(made, moves) == tables.number(image(made, moves))
    assert (
        tables.image(made, Renaming({})) == tables.number(made) == tables.number(replace(made, name="other"))
    )


def test_tables_that_differ_have_different_numbers() -> None:
    tables = TableImages()
    random = Random(1)
    made = {(each.arguments, each.result, each.entries): each for each in (table(random) for _ in range(300))}
    assert len({tables.number(each) for each in made.values()}) == len(made)


# Programs


def test_actions_with_tables_change_places() -> None:
    exchanged = Certifier(built.pointing(built.ALWAYS_A, built.ALWAYS_B)).action_images((1, 0))
    assert exchanged == (1, 0, 2)
    kept = Certifier(built.related(built.EQUAL)).action_images((1, 0))
    assert kept == (0, 1)


def test_a_table_alone_makes_actions_change_places() -> None:
    program = built.partial(built.AT_A, built.AT_B)
    assert Certifier(program).certify((1, 0)) is None
    assert Certifier(program).action_images((1, 0)) == (1, 0, 2)


@pytest.mark.parametrize("engine", ["core", "reference"])
def test_the_self_check_passes_where_actions_with_tables_are_exchanged(engine: str) -> None:
    program = replace(built.partial(built.AT_A, built.AT_B, built.ASSERTED), control=None)
    outcome = burnside.check(program, self_check="full", engine=engine, keep_going=True)
    assert outcome.states < (outcome.full_states or 0)
    plain = burnside.check(program, reduce="none", engine=engine, keep_going=True)
    assert outcome.full_states == plain.states
    assert [each.verdict for each in outcome.properties] == [each.verdict for each in plain.properties]


def test_the_search_exchanges_what_tables_do_not_distinguish() -> None:
    def order(*entries: int) -> int:
        where = e.Table("where", (Element(S),), Element(T), entries)
        x = e.Variable("x", Element(S), is_state=True)
        y = e.Variable("y", Optional(Element(T)), is_state=True)
        i = e.Bound("i", e.All(Element(S)))
        start = Action("start", (i,), (s.Assign(x, e.Read(i.variable)),))
        step = Action("step", (i,), (s.Assign(x, e.Read(i.variable)),))
        look = Action("look", (), (s.Assign(y, e.Lookup(where, (e.Read(x),))),))
        program = Program("where", (S, T), (x, y), (start,), (step, look))
        return burnside.symmetries(program).order

    assert order(0, 0, 0) == 6
    assert order(0, 0, 1) == 2
    assert order(0, 1, 0) == 2


def test_numbers_that_are_looked_up_or_wrapped_stay_numbers() -> None:
    """The ranges 0..2 are used like names otherwise."""
    numbers = Integer(0, 2)
    x, y = (e.Variable(each, numbers, is_state=True) for each in "xy")
    i = e.Bound("i", e.All(numbers))
    start = Action("start", (i,), (s.Assign(x, e.Read(i.variable)), s.Assign(y, e.Read(i.variable))))
    move = Action("move", (i,), (s.Assign(x, e.Read(i.variable)),))

    def sorts(value: e.Expression, end: e.Expression | None = None) -> int:
        copy = Action("copy", (), (s.Assign(y, value),))
        return len(find(Program("numbers", (), (x, y), (start,), (move, copy), proper_end=end)).program.sorts)

    ring = e.Table("ring", (numbers,), numbers, (1, 2, 0))
    assert sorts(e.Read(x)) == 1
    assert sorts(e.Lookup(ring, (e.Read(x),))) == 0
    assert sorts(e.Wrap(e.Read(x), numbers)) == 0
    assert sorts(e.Read(x), e.Binary("=", e.Read(x), e.Read(y))) == 1
    assert sorts(e.Read(x), e.Binary("<", e.Read(x), e.Read(y))) == 0
    is_next = e.Binary("=", e.Lookup(ring, (e.Read(x),)), e.Read(y))
    assert sorts(e.Read(x), e.Not(is_next)) == 0
    asked = Action("ask", (), (s.Note(e.Not(is_next), 0),))
    program = Program("numbers", (), (x, y), (start,), (move, asked), (Property("assertion", "noted"),))
    assert find(program).program.sorts == ()


# Large programs


def test_many_constants_and_tables_take_little_time() -> None:
    """60 processes and as many channels, a start of some hundred constants, 60 actions, a large table: 20 permutations."""
    size = 60
    process, channel = (
        Sort(name, tuple(f"{name}{at}" for at in range(size)), "fixed", "enum") for name in ("p", "c")
    )
    byte = Integer(0, 255)
    data = [e.Variable(f"v{at}", Array(Element(process), byte), is_state=True) for at in range(8)]
    out = e.Variable("out", Array(Element(process), Element(channel)), is_state=True)
    constants = [e.Constant(at, Element(process)) for at in range(size)]
    body: list[s.Statement] = [
        s.Assign(e.Index(each, at), e.Constant(number, byte))
        for number, each in enumerate(data)
        for at in constants
    ]
    body += [
        s.Assign(e.Index(out, at), e.Constant(number, Element(channel)))
        for number, at in enumerate(constants)
    ]
    same = e.Table(
        "same", (Element(process), Element(process)), BOOLEAN,
        tuple(int(one == other) for one in range(size) for other in range(size)),
    )  # fmt: skip
    actions = []
    for number in range(60):
        i, j = e.Bound("i", e.All(Element(process))), e.Bound("j", e.All(Element(process)))
        i_, j_ = e.Read(i.variable), e.Read(j.variable)
        more = e.Binary("+", e.Read(e.Index(data[number % 8], j_)), e.Constant(1, INTEGER))
        here = s.Assign(e.Index(data[(number + 1) % 8], i_), e.Wrap(more, byte))
        there = s.Assign(e.Index(out, i_), e.Read(e.Index(out, j_)))
        actions.append(Action(f"a{number}", (i, j), (here, there), e.Lookup(same, (i_, j_)), actor=0))
    program = Program(
        "large", (process, channel), (*data, out), (Action("start", (), tuple(body)),), tuple(actions)
    )
    begun = time.monotonic()
    certifier = Certifier(program)
    for at in range(1, 21):
        images = rotation(size, at) if at % 2 else transposition(size, 0, at)
        both = [on_sort(program, each, images) for each in (process, channel)]
        permutation = tuple(both[1][both[0][point]] for point in range(2 * size))
        assert certifier.certify(permutation) is None
        assert certifier.action_images(permutation) == tuple(range(60))
        assert certifier.certify(both[0]) is not None
    assert time.monotonic() - begun < 10  # a third of a second where nothing else runs
