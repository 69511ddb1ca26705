"""Labels of GraphViz: what the text of a vertex or an arc says of a state or an edge.

In: tokens of labels. Out: lines of text, actions, outputs of states; and, for writing, quoted names and strings that
are read back as they were.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape

from burnside.testing.formats.dot_graph import KEYWORDS, Token
from burnside.testing.machine import Action
from burnside.testing.splits import at_slash

BREAK = re.compile(r"<br\b[^>]*>|</tr>", re.IGNORECASE)
CELL = re.compile(r"</td>", re.IGNORECASE)
TAG = re.compile(r"<[^>]*>")
ESCAPE = re.compile(r"\\(.)", re.DOTALL)
START = re.compile(r"__start\d*")
PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)")
"""Names that need no quotation marks, unless they are keywords."""


def lines_of(label: Token) -> list[str]:
    """Lines of a label as they are drawn, without those that are empty; the one line of a label that is empty."""
    if label.kind == "html":
        text = unescape(TAG.sub("", CELL.sub(" ", BREAK.sub("\n", label.text))))
        parts = [" ".join(part.split()) for part in text.split("\n")]
    else:
        parts = ESCAPE.sub(_escaped, label.text).split("\n")
    return [part for part in parts if part.strip()] or [""]


def _escaped(found: re.Match[str]) -> str:
    if found[1] in "nlr":
        return "\n"
    # Others, as in \d, are mostly meant as they stand: few tools know that GraphViz obeys them.
    return "\\" if found[1] == "\\" else found[0]


def actions_of(label: Token) -> list[Action]:
    """In HTML the output has a line of its own; otherwise each line is an action."""
    lines = lines_of(label)
    if label.kind == "html" and len(lines) > 1:
        return [Action(lines[0], " ".join(lines[1:]))]
    return [at_slash(line) or Action(line.strip()) for line in lines]


def outputs_of(labels: Sequence[Token], is_mealy: bool) -> list[str] | None:
    """Of states: `s0|1` as in a record, or `0 / a`; or labels that cannot be names, since two are equal. Labels of a machine
    with outputs on its edges are not taken for outputs then."""
    texts = [" ".join(lines_of(each)) for each in labels]
    for sign in ("|", " / "):
        if all(sign in text for text in texts):
            return [text.partition(sign)[2].strip("{} ") for text in texts]
    is_name = len(set(texts)) == len(texts) or not any(texts)
    return None if is_name or is_mealy else texts


# Writing


def quoted(text: str) -> str:
    """A string in which backslashes are doubled, as in labels."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def unquoted(token: Token) -> str:
    """What `quoted` was given."""
    return token.text.replace("\\\\", "\\")


def name(text: str) -> str | None:
    """A name of a vertex as it is written; None where GraphViz has no way to write it, or would read something else."""
    if PLAIN.fullmatch(text) and text.lower() not in KEYWORDS and START.search(text) is None:
        return text
    if "\\" in text or START.search(text) is not None:
        return None
    return quoted(text)


def edge_label(action: Action) -> str:
    """Attributes of an arc. The parts of an action are given by name where its label would be read as another."""
    if action.output is None:
        candidates = [action.input]
    else:
        candidates = [f"{action.input}/{action.output}", f"{action.input} / {action.output}"]
    for text in candidates:
        label = quoted(text)
        if actions_of(Token("string", text.replace("\\", "\\\\"), 0)) == [action]:
            return f"label={label}"
    parts = f"label={quoted(candidates[-1])}, input={quoted(action.input)}"
    return parts if action.output is None else f"{parts}, output={quoted(action.output)}"
