"""Automata of formulas as HOA, as pictures and in JSON.

In: a `FormulaAutomaton`. Out: a file as its extension says, DOT text, the record of the JSON document. In pictures a state
that accepts all words has a double circle; green components accept all runs that stay, grey ones none; acceptance marks are
on the edges, in braces.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from burnside import __version__
from burnside.diagnostics import Diagnostic, RefusedError
from burnside.output_files import write_atomically
from burnside.report.dot import DRAWN, INK, PLAIN, count, head, label, quoted, write_drawing
from burnside.temporal.automata import FormulaAutomaton
from burnside.words import printable

EXTENSIONS = ("hoa", "dot", *DRAWN)

DRAWN_EDGES = 500

ACCEPTING, REJECTING = "#d5ead0", "#e8e8e8"
FILLS = {"accepting": ACCEPTING, "terminal": ACCEPTING, "rejecting": REJECTING}


def write_automaton(found: FormulaAutomaton, path: str) -> None:
    extension = Path(path).suffix.lower()
    if extension == ".hoa":
        write_atomically(path, found.hoa())
        return
    edges = len(found.automaton.edges)
    if edges > DRAWN_EDGES and extension != ".dot":
        message = f"the automaton has {edges:,} edges: too many to draw (at most {DRAWN_EDGES:,})"
        raise RefusedError(Diagnostic(message, path, hint="a .hoa or .dot file can always be written"))
    write_drawing(automaton_dot(found), path)


def automaton_record(found: FormulaAutomaton) -> dict[str, Any]:
    automaton = found.automaton
    return {
        "version": __version__,
        "command": "automaton",
        "formula": found.text,
        "finite": "strong" if found.strong_next else "stutter",
        "atoms": list(found.atoms),
        "states": automaton.states,
        "edges": len(automaton.edges),
        "acceptance_sets": automaton.marks,
        "deterministic": automaton.is_deterministic,
        "complete": automaton.is_complete,
        "weak": automaton.is_weak,
        "safety": automaton.is_safety,
        "terminal": automaton.is_terminal,
        "kinds": automaton.kinds,
        "transitions": [
            {
                "source": source,
                "target": target,
                "label": label_text(found, positive, negative),
                "marks": _numbers(marks),
            }
            for source, positive, negative, marks, target in automaton.edges
        ],
    }


def automaton_dot(found: FormulaAutomaton) -> str:
    automaton = found.automaton
    size = f"{count(automaton.states, 'state')}, {count(len(automaton.edges), 'edge')}"
    lines = head(printable(found.text), f"{size}, {count(automaton.marks, 'acceptance set')}")
    lines += [
        "  rankdir=LR;",
        f"  start [shape=point, width=0.08, fillcolor={quoted(INK)}];",
        "  start -> s0;",
    ]
    for state, kind in enumerate(automaton.kinds):
        shape = "doublecircle" if kind == "terminal" else "circle"
        fill = quoted(FILLS.get(kind, PLAIN))
        lines.append(
            f"  s{state} [shape={shape}, margin=0.03, label={quoted(str(state))}, fillcolor={fill}];"
        )
    return "\n".join([*lines, *_arrows(found), "}", ""])


def _arrows(found: FormulaAutomaton) -> Iterator[str]:
    """One for each source, target and set of marks, with a line for each label."""
    parallel: dict[tuple[int, int, int], list[str]] = defaultdict(list)
    for source, positive, negative, marks, target in found.automaton.edges:
        parallel[source, target, marks].append(label_text(found, positive, negative))
    for (source, target, marks), labels in parallel.items():
        shown = [printable(each) for each in labels]
        if marks:
            shown.append("{" + ", ".join(map(str, _numbers(marks))) + "}")
        look = f", color={quoted(INK)}" if marks else ""
        yield f"  s{source} -> s{target} [label={label(shown)}{look}];"


def label_text(found: FormulaAutomaton, positive: int, negative: int) -> str:
    """The literals of a label, as they are written in formulas."""
    literals = [
        ("" if positive >> number & 1 else "!") + _atom_text(found.atoms[number])
        for number in _numbers(positive | negative)
    ]
    return " & ".join(literals) or "true"


def _atom_text(text: str) -> str:
    return text if re.fullmatch(r"\w+|\[.*]|e\(.*\)", text) else f"{{{text}}}"


def _numbers(bits: int) -> list[int]:
    return [number for number in range(bits.bit_length()) if bits >> number & 1]
