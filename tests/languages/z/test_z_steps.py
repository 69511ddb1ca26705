"""Steps whose predicates need more than their form to be solved: what bounds a name, and what is refused, with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.z_runs import STATE, counts, explored, refused


def test_antecedents_bound_quantified_names(tmp_path: Path) -> None:
    text = (
        STATE
        + r"\begin{schema}{Up} \Delta S \where \forall k : \nat @ k \leq n \implies k < n'; a' = a \end{schema}"
    )
    assert counts(tmp_path, text) == (4, 7)


def test_comparisons_bound_parameters(tmp_path: Path) -> None:
    """What f' is has not to be known where n? is sought."""
    text = r"""
    \begin{zed} [X] \end{zed}
    \begin{schema}{S} f : X \fun \nat; n : 0 \upto 1 \end{schema}
    \begin{schema}{Init} S' \where f' = (\lambda x : X @ 0); n' = 1 \end{schema}
    \begin{schema}{Take} \Delta S; n? : \nat_1 \where n? \leq n; n' = n - n?; n > 0 \implies f' = f \end{schema}
    """
    assert counts(tmp_path, text) == (2, 2)


def test_what_nothing_bounds_is_no_reason_to_refuse_a_parameter(tmp_path: Path) -> None:
    text = r"""
    \begin{zed} [X] \end{zed}
    \begin{schema}{S} f : X \fun \nat; n : 0 \upto 1 \end{schema}
    \begin{schema}{Init} S' \where f' = (\lambda x : X @ 0); n' = 1 \end{schema}
    \begin{schema}{Take} \Delta S; n? : \nat_1 \where n' = n - n?; n > 0 \implies f' = f \end{schema}
    """
    assert explored(tmp_path, text, reduce="none").states == 2


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            r"\begin{schema}{P} \Xi S \where \forall k : \nat @ k * k \geq k \end{schema}",
            "5:40: error: 'k' cannot be bounded",
        ),
        (
            r"\begin{schema}{P} \Xi S; m! : \nat \where m! = \# \{ k : \nat | k \mod 2 = 0 \} \end{schema}",
            "5:51: error: 'k' cannot be bounded",
        ),
    ],
)
def test_infinite_sets(tmp_path: Path, text: str, complaint: str) -> None:
    assert refused(tmp_path, STATE + text).startswith(complaint)


@pytest.mark.parametrize("operator", [r"\land", r"\semi"])
def test_schemas_of_schemas(tmp_path: Path, operator: str) -> None:
    """Each uses the one before twice: 2^40 uses."""
    lines = r" \\ ".join(rf"C{at} \defs C{at - 1} {operator} C{at - 1}" for at in range(1, 41))
    text = STATE + rf"\begin{{zed}} C0 \defs \Delta S \\ {lines} \end{{zed}}"
    assert "error: the predicate of 'C40' uses schemas more than 4,096 times" in refused(tmp_path, text)


FILES = r"""
\begin{zed} [FID, BYTE] \\ FILE == \{ f : \seq BYTE | \# f \leq 2 \} \end{zed}
\begin{schema}{Store} files : FID \pfun FILE \end{schema}
\begin{schema}{Init} Store' \where files' = \{\} \end{schema}
\begin{schema}{New} \Delta Store; f? : FID \where f? \notin \dom files \\\\
  files' = files \cup \{f? \mapsto \langle\rangle\} \end{schema}
\begin{schema}{Append} \Delta Store; f? : FID; d? : SET \where
  files' = files \oplus \{f? \mapsto files~f? \cat d?\} \end{schema}
"""


def test_a_parameter_that_the_state_after_does_not_bound(tmp_path: Path) -> None:
    """Trying every state after for each value took 20 seconds."""
    sizes = {"FID": 3, "BYTE": 3}
    free = explored(tmp_path, FILES.replace("SET", r"\seq BYTE"), sizes, assume_bounds=True)
    bounded = explored(tmp_path, FILES.replace("SET", "FILE"), sizes)
    assert (free.states, free.transitions) == (bounded.states, bounded.transitions)
    assert free.cost.seconds < 5


def test_names_that_nothing_bounds_have_the_place_of_their_own_schema(tmp_path: Path) -> None:
    lines = (rf"\begin{{schema}}{{{name}}} \Xi S; k? : \nat \where k? \neq n \end{{schema}}" for name in "AB")
    notes = " ".join(explored(tmp_path, STATE + "\n".join(lines)).notes)
    assert "spec.tex:5:26" in notes
    assert "spec.tex:6:26" in notes


def test_a_term_between_two_relations_with_two_types(tmp_path: Path) -> None:
    text = r"\begin{schema}{S} s : \power \nat; t : \power (\power \nat) \end{schema}" + "\n"
    text += r"\begin{schema}{Init} S' \where s' = \emptyset = t' \end{schema}"
    assert refused(tmp_path, text).startswith(
        "2:32: error: a term between two relations has another type in each"
    )


@pytest.mark.parametrize(
    ("before", "operation"),
    [
        (r"\begin{schema}{\Delta S} S; n' : 0 \upto 9 \end{schema}", r"Go \defs [ \Delta S | n' = n + 1 ]"),
        ("", r"Go \defs (\exists S' @ \Delta S) \land [ n, n' : 0 \upto 9 | n' = n + 1 ]"),
        ("", r"Go \defs (\Delta S \hide (n')) \land [ n, n' : 0 \upto 9 | n' = n + 1 ]"),
        ("", r"T \defs S' \also Go \defs (\exists T @ \Delta S) \land [ n, n' : 0 \upto 9 | n' = n + 1 ]"),
    ],
)
def test_what_is_not_said_of_the_state_after_is_asked_of_the_state_before(
    tmp_path: Path, before: str, operation: str
) -> None:
    """A step may lead out of the state schema, where it does not say so: from there on no step is possible."""
    text = (
        rf"\begin{{schema}}{{S}} n : 0 \upto 2 \end{{schema}} {before} "
        rf"\begin{{zed}} Init \defs [ S' | n' = 0 ] \also {operation} \end{{zed}}"
    )
    assert counts(tmp_path, text) == (4, 4)
