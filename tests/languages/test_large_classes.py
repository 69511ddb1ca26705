"""Large colour classes in both formats: an answer, or a diagnostic with its place, within bounded time and memory."""

from __future__ import annotations

from math import factorial
from pathlib import Path

import burnside
import pytest
from burnside.diagnostics import BurnsideError

from tests.languages.symmetric_nets import TYPE

MILLION = 1_000_000
MOVE = """
place p: T = all
place q: T
var x: T
transition move(x)
  in p: x
  out q: x
"""
MOVE_ALL = """
place p: T = all
place q: T
transition move
  in p: all
  out q: all
"""


def of_class(text: str, size: int, kind: str = "ordered") -> str:
    return f"type T = {kind} {size}\n{text.lstrip()}"


def check(tmp_path: Path, text: str, suffix: str = ".hln", **options: object) -> burnside.Outcome:
    path = tmp_path / f"large{suffix}"
    path.write_text(text)
    return burnside.check(path, **options)  # type: ignore[arg-type]


def refusal(tmp_path: Path, text: str, **options: object) -> str:
    with pytest.raises(BurnsideError) as caught:
        check(tmp_path, text, **options)
    return str(caught.value)


@pytest.mark.parametrize("kind", ["ordered", "cyclic", "unordered"])
def test_all_tokens_at_once(tmp_path: Path, kind: str) -> None:
    outcome = check(tmp_path, of_class(MOVE_ALL, 100_000, kind), unfold=False)
    assert (outcome.states, outcome.transitions, outcome.deadlocks) == (2, 1, 1)


def test_as_many_successors_as_tokens_are_refused_where_they_are_too_large(tmp_path: Path) -> None:
    said = refusal(tmp_path, of_class(MOVE, 200_000), unfold=False)
    assert ":5:12: error: the outcomes of one operation in one state have more than" in said


def test_sets_inside_of_tokens_count_too(tmp_path: Path) -> None:
    text = """
place p: set(T) = {x: T | true}
var s: set(T)
var x: T
transition drop(s, x)
  in p: s
  guard s has x
  out p: difference(s, {x})
"""
    said = refusal(tmp_path, of_class(text, 100_000))
    assert ":5:12: error: the outcomes of one operation in one state have more than" in said


def test_products_of_variables(tmp_path: Path) -> None:
    text = """
place p: T
var x, y: T
transition make(x, y)
  guard x != y
  out p: x
"""
    said = refusal(tmp_path, of_class(text, 100_000), unfold=False)
    assert ":4:12: error: there are more than 1,048,576 outcomes" in said


def test_quantifiers(tmp_path: Path) -> None:
    text = """
place p: T = all
place q: T
invariant forall x, y: T . p has x -> not q has y or x = y
"""
    said = refusal(tmp_path, of_class(text, 5_000), unfold=False)
    assert ":4:11: error: too many candidates would have to be tried here" in said


def test_there_is_a_largest_class(tmp_path: Path) -> None:
    text = "place p: T = 3\n"
    assert check(tmp_path, of_class(text, MILLION)).states == 1
    said = refusal(tmp_path, of_class(text, MILLION + 1))
    assert ":1:18: error: the types of this net have more than 1,000,000 elements together" in said


def symmetric_net(size: int, initial: str) -> str:
    sort = "<usersort declaration='T'/>"
    return (
        f"<pnml><net id='n' type='{TYPE}'><declaration><structure><declarations>"
        f"<namedsort id='T' name='T'><finiteintrange start='1' end='{size}'/></namedsort>"
        f"<variabledecl id='x' name='x'>{sort}</variabledecl></declarations></structure></declaration>\n"
        f"<place id='p'><type><structure>{sort}</structure></type>"
        f"<hlinitialMarking><structure>{initial}</structure></hlinitialMarking></place>\n"
        "<transition id='t'/>\n<arc id='a' source='p' target='t'><hlinscription><structure>"
        "<variable refvariable='x'/></structure></hlinscription></arc></net></pnml>"
    )


def test_symmetric_nets(tmp_path: Path) -> None:
    everything = "<all><usersort declaration='T'/></all>"
    with pytest.raises(BurnsideError) as caught:
        check(tmp_path, symmetric_net(200_000, everything), ".pnml", unfold=False)
    assert ":3:1: error: the outcomes of one operation in one state have more than" in str(caught.value)
    with pytest.raises(BurnsideError, match="1,000,000"):
        check(tmp_path, symmetric_net(MILLION + 1, everything), ".pnml")


@pytest.mark.parametrize("size", [500, 4096, 4097])
def test_groups_of_large_classes_end(tmp_path: Path, size: int) -> None:
    """Classes beyond 4,096 elements are not permuted."""
    path = tmp_path / "large.hln"
    path.write_text(of_class(MOVE_ALL, size, "unordered"))
    assert burnside.symmetries(path).order == (factorial(size) if size <= 4096 else 1)


MANY = """
place p: T = all + 2'3 + 4'7 + all
place q: T = 5'3
var x: T
transition swap
  in p: all + 1'3, q: 5'3
  out q: all + all + 3'7, p: 2'1
transition back(x)
  in q: 2 * all - 1'x
  out q: all, p: all + 1'x
transition never
  in p: 3 * all
"""


def test_many_tokens_of_one_kind_are_added_and_taken(tmp_path: Path) -> None:
    """Multisets of more than a few values: numbers of equal ones add up, and what is not there cannot be taken."""
    text = of_class(MANY, 24)
    found = [
        check(tmp_path, text, reduce="none", unfold=False),
        check(tmp_path, text, reduce="none", unfold=True),
        check(tmp_path, text, reduce="none", engine="reference"),
    ]
    assert len({(each.states, each.transitions, each.deadlocks) for each in found}) == 1
    assert found[0].states > 2
    assert found[0].dead_transitions == found[1].dead_transitions == ("never",)
