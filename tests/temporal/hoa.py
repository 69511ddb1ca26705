"""A reader of the HOA format, as far as burnside writes it, and runs of what was read on words."""

from __future__ import annotations

import re
from itertools import chain

from burnside.records import record
from burnside.reference.words import Letter, Word

HEADER = re.compile(r"([A-Za-z-]+): ?(.*)")
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
EDGE = re.compile(r"\[([^]]*)] (\d+)(?: \{([\d ]*)})?")


@record
class HoaEdge:
    target: int
    positive: Letter
    negative: Letter
    marks: frozenset[int]


@record
class HoaAutomaton:
    headers: dict[str, list[str]]
    atoms: tuple[str, ...]
    start: int
    marks: int
    states: tuple[tuple[HoaEdge, ...], ...]

    def accepts(self, word: Word) -> bool:
        """Has a run every mark infinitely often? A component of the product with the positions has them all then."""
        letters = word.prefix + word.loop
        after = [*range(1, len(letters)), len(word.prefix)]

        def successors(node: tuple[int, int]) -> list[tuple[tuple[int, int], frozenset[int]]]:
            state, at = node
            return [
                ((edge.target, after[at]), edge.marks)
                for edge in self.states[state]
                if edge.positive <= letters[at] and not edge.negative & letters[at]
            ]

        def reached(start: tuple[int, int]) -> set[tuple[int, int]]:
            found: set[tuple[int, int]] = set()
            waiting = [start]
            while waiting:
                new = {target for target, _ in successors(waiting.pop())} - found
                found |= new
                waiting += new
            return found

        start = (self.start, 0)
        onwards = {node: reached(node) for node in {start} | reached(start)}
        for node, later in onwards.items():
            inside = {each for each in later if node in onwards[each]}
            marks = (marks for each in inside for target, marks in successors(each) if target in inside)
            if node in later and len(set(chain(*marks))) == self.marks:
                return True
        return False


def read_hoa(text: str) -> HoaAutomaton:
    head, body = text.split("--BODY--\n")
    headers: dict[str, list[str]] = {}
    for line in head.splitlines():
        name, value = HEADER.fullmatch(line).groups()  # type: ignore[union-attr]
        headers.setdefault(name, []).append(value)
    assert headers["HOA"] == ["v1"]
    count, names = headers["AP"][0].split(" ", 1) if " " in headers["AP"][0] else (headers["AP"][0], "")
    atoms = tuple(re.sub(r"\\(.)", r"\1", each) for each in STRING.findall(names))
    assert len(atoms) == int(count)
    marks, condition = headers["Acceptance"][0].split(" ", 1)
    assert condition == (" & ".join(f"Inf({mark})" for mark in range(int(marks))) or "t")
    assert headers["acc-name"] == [f"generalized-Buchi {marks}"]
    states: list[list[HoaEdge]] = []
    lines = body.splitlines()
    assert lines.pop() == "--END--"
    for line in lines:
        if line.startswith("State: "):
            assert line == f"State: {len(states)}"
            states.append([])
        else:
            states[-1].append(_edge(line))
    assert len(states) == int(headers["States"][0])
    return HoaAutomaton(headers, atoms, int(headers["Start"][0]), int(marks), tuple(map(tuple, states)))


def _edge(line: str) -> HoaEdge:
    label, target, marks = EDGE.fullmatch(line).groups()  # type: ignore[union-attr]
    literals = [] if label == "t" else label.split("&")
    return HoaEdge(
        int(target),
        frozenset(int(each) for each in literals if not each.startswith("!")),
        frozenset(int(each[1:]) for each in literals if each.startswith("!")),
        frozenset(map(int, (marks or "").split())),
    )
