"""Functions that are defined by themselves, or case by case: their values are those of the definition."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.z_runs import counts, explored, refused

SEQUENCES = r"""
\begin{{zed}} TREE ::= leaf | node \ldata (0 \upto 1) \cross TREE \cross TREE \rdata \end{{zed}}
\begin{{axdef}} {declaration} \where {cases} \end{{axdef}}
\begin{{schema}}{{S}} n : \nat; m : \nat; s : \seq (0 \upto 3) \where n \leq 300; m \leq 300 \end{{schema}}
\begin{{schema}}{{Init}} S' \where n' = 4; m' = 0; s' = \langle 3, 0, 2 \rangle \end{{schema}}
\begin{{schema}}{{Take}} \Delta S \where m' = {value}; n' = n; s' = s \end{{schema}}
"""


@pytest.mark.parametrize(
    ("declaration", "cases", "value", "expected"),
    [
        (r"f : \nat \fun \nat", r"f~0 = 1 \\ \forall k : \nat @ f(k + 1) = (k + 1) * f~k", "f~n", 24),
        (r"f : \nat \fun \nat", r"f~0 = 1 \\ \forall k : \nat_1 @ f~k = k * f(k - 1)", "f~n", 24),
        (r"f : \nat \fun \nat", r"\forall k : \nat @ f~k = \IF k = 0 \THEN 1 \ELSE k * f(k - 1)", "f~n", 24),
        (r"f : \nat \fun \nat", r"f = (\lambda k : \nat @ \IF k = 0 \THEN 1 \ELSE k * f(k - 1))", "f~n", 24),
        (
            r"f : \nat \fun \nat",
            r"\forall k : \nat @ (k < 2 \implies f~k = k) \land (k \geq 2 \implies f~k = f(k - 1) + f(k - 2))",
            "f~n",
            3,
        ),
        (r"f : 0 \upto 4 \fun \nat", r"f~0 = 1 \\ \forall k : 1 \upto 4 @ f~k = k * f(k - 1)", "f~n", 24),
        (r"f : 0 \upto 4 \fun \nat", r"f~0 = 1 \\ \forall k : 1 \upto 4 @ f~k = k * f(k - 1)", r"\# f", 5),
        (
            r"f : \nat \cross \nat \fun \nat",
            r"\forall k : \nat @ f(k, 0) = k \\ \forall k, l : \nat @ f(k, l + 1) = f(k + 1, l)",
            "f(n, 3)",
            7,
        ),
        (
            r"f : \seq \nat \fun \nat",
            r"f~\langle\rangle = 0 \\ \forall k : \nat; t : \seq \nat @ f(\langle k \rangle \cat t) = k + 10 * f~t",
            "f~s",
            203,
        ),
        (
            r"f : \seq \nat \fun \nat",
            r"f~\langle\rangle = 0 \\ \forall k : \nat; t : \seq \nat @ f(t \cat \langle k \rangle) = k + 10 * f~t",
            r"f(tail~s)",
            2,
        ),
        (
            r"f : \seq \nat \fun \nat",
            r"f~\langle\rangle = 0 \\ \forall k : \nat @ f~\langle k \rangle = k \\"
            r" \forall t, u : \seq \nat @ f(t \cat u) = f~t + f~u",
            "f~s",
            5,
        ),
        (
            r"f : TREE \fun \nat",
            r"f~leaf = 1 \\ \forall k : 0 \upto 1; t, u : TREE @ f(node(k, t, u)) = k + f~t * f~u + f~u",
            "f(node(1, node(0, leaf, leaf), leaf))",
            4,
        ),
        (
            r"f, g : \nat \fun \nat",
            r"f~0 = 1 \\ g~0 = 0 \\ \forall k : \nat @ f(k + 1) = g~k \\ \forall k : \nat @ g(k + 1) = f~k",
            "f~n + 2 * g~n",
            1,
        ),
        (
            r"f, g : \nat \fun \nat",
            r"\forall k : \nat @ f~k = \IF k = 0 \THEN 1 \ELSE g(k - 1) \\"
            r" \forall k : \nat @ g~k = \IF k = 0 \THEN 0 \ELSE f(k - 1)",
            "f~n + 2 * g~n",
            1,
        ),
    ],
)
def test_values(tmp_path: Path, declaration: str, cases: str, value: str, expected: int) -> None:
    text = SEQUENCES.format(declaration=declaration, cases=cases, value=value)
    names = [] if "0 \\upto 4" in declaration else declaration.partition(" : ")[0].split(", ")
    sizes = dict.fromkeys(names, 32)
    assert counts(tmp_path, text, sizes) == (3, 4)
    outcome = explored(tmp_path, text, sizes, goals=(f"m = {expected}",))
    found = [each for each in outcome.properties if each.kind == "goal"]
    assert [each.verdict for each in found] == ["violated"]


def test_outside_of_the_cases_it_is_undefined(tmp_path: Path) -> None:
    text = SEQUENCES.format(
        declaration=r"f : \nat \pfun \nat",
        cases=r"f~1 = 1 \\ \forall k : \nat | k > 1 @ f~k = f(k - 2)",
        value="f~n",
    )
    assert counts(tmp_path, text, {"f": 32}) == (2, 2)


def test_the_depth_is_said_by_the_user(tmp_path: Path) -> None:
    """What needs more is undefined, so nothing may be claimed without it."""
    text = SEQUENCES.format(
        declaration=r"f : \nat \fun \nat", cases=r"f~0 = 1 \\ \forall k : \nat @ f(k + 1) = f~k", value="f~n"
    )
    said = refused(tmp_path, text)
    assert "'f' is defined by itself on an infinite set: how often it is applied has to be said" in said
    assert "--size f=32" in said
    notes = " ".join(explored(tmp_path, text, {"f": 7}).notes)
    assert (
        "assumed of 'f', which is defined by itself: no more than 7 applications within each other" in notes
    )
    assert counts(tmp_path, text, {"f": 4}) == (3, 4)
    assert counts(tmp_path, text, {"f": 3}) == (2, 2)


def test_the_depth_of_another_function_has_no_effect(tmp_path: Path) -> None:
    text = SEQUENCES.format(
        declaration=r"f : \nat \fun \nat", cases=r"\forall k : \nat @ f~k = k", value="f~n"
    )
    assert "'f' is no function that is defined by itself" in refused(tmp_path, text, {"f": 7})


def test_many_functions_that_apply_each_other(tmp_path: Path) -> None:
    """Each twice the next one: unfolding must end."""
    names = [f"f{letter}" for letter in "abcdefghij"]
    cases = " \\\\ ".join(
        rf"{one}~0 = 1 \\ \forall k : \nat @ {one}(k + 1) = {other}~k + {other}~k"
        for one, other in zip(names, (*names[1:], names[0]), strict=True)
    )
    text = SEQUENCES.format(declaration=", ".join(names) + r" : \nat \fun \nat", cases=cases, value="fa~n")
    assert counts(tmp_path, text, dict.fromkeys(names, 32)) == (3, 4)


def test_what_is_no_case_is_refused_with_its_place(tmp_path: Path) -> None:
    text = SEQUENCES.format(
        declaration=r"f : \nat \fun \nat", cases=r"\forall k : \nat @ f(2 * k) = k", value="f~n"
    )
    assert refused(tmp_path, text).startswith("3:15: error: 'f' cannot be bounded") or ":" in refused(
        tmp_path, text
    )
