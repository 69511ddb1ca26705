"""Both engines try the same values of names that nothing bounds, and name the same ones: on random conditions over numbers,
sets and functions without end."""

from __future__ import annotations

import tempfile
from pathlib import Path

from burnside.ir.sets.machine import Machine
from burnside.pipeline import read
from burnside.reference.sets.machines import new_cuts, starts, steps
from hypothesis import event, given, settings
from hypothesis import strategies as st

from tests.machine_engines import Both, Happening, both, compared, happenings

TEXT = """MACHINE m
DEFINITIONS SET_PREF_MAXINT == 1
CONSTANTS k, c, d, h
PROPERTIES k : 0..1 & h = {{0 |-> 2, 1 |-> 100}} & c : INTEGER & d : INTEGER & {properties}
VARIABLES x
INVARIANT x : INTEGER
INITIALISATION x :: {{0, 100}}
OPERATIONS
  set(y, z) = SELECT y : INTEGER & z : INTEGER & {guard} THEN x := y + z END;
  get = ANY u, s, g WHERE u : INTEGER & s <: NATURAL & g : 0..1 --> NATURAL & {choice} THEN x := u END
END
"""

PLAIN = {
    "properties": "c = 0 & d = 0",
    "guard": "y = 0 & z = 0",
    "choice": "u = 0 & s = {} & g = {0 |-> 0, 1 |-> 0}",
}
"""Where the other conditions are random."""


def numbers(names: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Sums of names, of which most are sought."""
    one = st.sampled_from([*names, *names, "0", "1", "5", "100", "k", "h(k)", f"h({names[0]})"])
    form = st.sampled_from(["{0}", "{0}", "({0} + {1})", "({0} - {1})", "({1} - 2 * {0})"])
    return st.builds(str.format, form, one, one)


def atoms(names: tuple[str, ...], more: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Comparisons and memberships, and the given ones."""
    forms = ["{} = {}", "{} = {}", "{} = {}", "{} /= {}", "{} < {}", "{} <= {}", "{} >= {}"]
    sets = ["NATURAL", "NATURAL1", "INTEGER", "NAT", "{{1, 100}}", "0..{1}", "{{{1}}}", "1..2 \\/ {{k}}"]
    form = st.sampled_from(forms + [f"{{0}} : {each}" for each in sets])
    comparison = st.builds(str.format, form, numbers(names), numbers(names))
    return st.one_of(comparison, comparison, st.sampled_from(("k = 1", *more)))


def conditions(names: tuple[str, ...], more: tuple[str, ...] = ()) -> st.SearchStrategy[str]:
    """Conjunctions of such, connected in all ways."""
    inner = atoms((*names, "w"), more)
    some = st.builds("(#w.(w : {} & {} & {}))".format, st.sampled_from(["0..2", "INTEGER"]), inner, inner)
    plain = st.one_of(*[atoms(names, more)] * 5, some)
    forms = ["({} & {})", "({} or {})", "({} or {})", "({} => {})", "({} => {})", "({} <=> {})", "not({})"]
    form = st.sampled_from([*forms, "(IF {} THEN {} ELSE {} END)"])
    larger = st.recursive(plain, lambda part: st.builds(str.format, form, part, part, part), max_leaves=5)
    return st.lists(larger, min_size=1, max_size=4).map(lambda parts: " & ".join(map("({})".format, parts)))


KNOWN = ("x = 0", "x > 0")
CHOICES = ("s = {u}", "card(s) <= 1", "card(s) = u", "u : s", "g(0) = u", "g(1) = 100", "s = ran(g)")
CONDITIONS = {
    "properties": conditions(("c", "d")),
    "guard": conditions(("y", "z"), KNOWN),
    "choice": conditions(("u",), (*KNOWN, *CHOICES)),
}
RANDOM = st.sampled_from(sorted(CONDITIONS)).flatmap(
    lambda where: CONDITIONS[where].map(lambda condition: {**PLAIN, where: condition})
)


def machine_of(parts: dict[str, str]) -> Machine:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.mch"
        path.write_text(TEXT.format(**parts))
        machine = read(path).subject
    assert isinstance(machine, Machine)
    return machine


@settings(max_examples=120, deadline=None)
@given(RANDOM)
def test_engines_cut_alike(parts: dict[str, str]) -> None:
    machine = machine_of(parts)
    cuts = new_cuts(machine)
    with compared():
        found = both(machine)
        assert settled(found.starts()[0]) == settled(happenings(starts(machine, cuts)))
        assert named(found) == set(cuts.names)
        for state in found.states(5):
            core = found.core_steps(state)
            assert core == happenings(steps(machine, found.reading.state(state), cuts))
            assert named(found) == set(cuts.names)
    event("cut" if cuts.names else "complete")


def named(found: Both) -> set[str]:
    return {name for name, _ in found.core.cut_domains()}


def settled(found: set[Happening]) -> set[Happening]:
    """That properties are undefined for some constants is another law's concern."""
    return {each for each in found if each[1] is not None}
