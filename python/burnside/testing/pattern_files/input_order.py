"""The order of inputs in pattern files, least first.

`order` is a list. An entry is an input, or a text in which `*` stands for any characters, which takes all inputs of this
form that no other entry names or took before, in natural order: numbers within names by their value. A table says more:

    { match = "DREQ * * ACK", by = [2, 1], descending = true }

`by`: compare by what these stars stand for, here the second one first; without it, by whole names. An input that has a star
in its own name is named by it. Every input of the machine must be there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from burnside.testing.pattern_files.nodes import Node
from burnside.testing.suggestions import known_names
from burnside.words import truncated_list

NUMBER = re.compile(r"([0-9]+)")
Key = tuple[tuple[int, int, str, str], ...]


def natural_key(name: str) -> Key:
    """Alphabetical, but numbers within names by their value, however long they are."""
    parts = NUMBER.split(name)
    return tuple(_number_key(part) if at % 2 else (1, 0, part, "") for at, part in enumerate(parts))


def _number_key(digits: str) -> tuple[int, int, str, str]:
    value = digits.lstrip("0")
    return 0, len(value), value, digits


def read_order(node: Node, inputs: Sequence[str]) -> tuple[str, ...]:
    """All inputs, least first."""
    known = set(inputs)
    entries = node.elements()
    named: dict[str, None] = {}
    for each in entries:
        if _is_name(each, known):
            if each.text() in named:
                raise each.error(f"the order names {each.text()!r} twice")
            named[each.text()] = None
    taken = set(named)
    found: list[str] = []
    for each in entries:
        if _is_name(each, known):
            found.append(each.text())
        else:
            new = _matched(each, inputs, taken)
            taken.update(new)
            found += new
    missing = [each for each in inputs if each not in taken]
    if missing:
        message = f"the order misses inputs of the machine: {truncated_list(list(map(repr, missing)))}"
        raise node.error(message, 'name every input; an entry "*" at the end takes all that are left')
    return tuple(found)


def _is_name(node: Node, inputs: set[str]) -> bool:
    return not isinstance(node.value, dict) and node.text() in inputs


def _matched(node: Node, inputs: Sequence[str], taken: set[str]) -> list[str]:
    """Inputs that an entry with stars takes."""
    is_table = isinstance(node.value, dict)
    form = node.table(["match"], ["by", "descending"])["match"] if is_table else node
    text = form.text()
    if "*" not in text and not (is_table and text in inputs):
        raise form.error(f"the machine has no input {text!r}", known_names(text, inputs))
    matches = [(each, what_stars_mean(text, each)) for each in inputs]
    free = [(each, found) for each, found in matches if found is not None and each not in taken]
    if not free:
        if any(found is not None for _, found in matches):
            raise form.error(
                f"all inputs of the form {text!r} are named by other entries", "leave this entry out"
            )
        raise form.error(f"no input of the machine has the form {text!r}", known_names(text, inputs))
    stars = _by(node["by"], text.count("*")) if is_table and "by" in node else None
    descending = is_table and "descending" in node and node["descending"].flag()

    def key(match: tuple[str, tuple[str, ...]]) -> tuple[Key, ...]:
        name, groups = match
        first = () if stars is None else tuple(natural_key(groups[star]) for star in stars)
        return (*first, natural_key(name))

    return [name for name, _ in sorted(free, key=key, reverse=descending)]


def what_stars_mean(form: str, text: str) -> tuple[str, ...] | None:
    """What the stars of a form stand for in a text, the first one for as little as possible, then the second one, so that
    `by` has one meaning; None where the text is not of this form."""
    first, *middle = form.split("*")
    if not middle:
        return () if text == form else None
    last = middle.pop()
    end = len(text) - len(last)
    if not text.startswith(first) or not text.endswith(last) or end < len(first):
        return None
    at, found = len(first), list[str]()
    for part in middle:
        begin = text.find(part, at, end)
        if begin < 0:
            return None
        found.append(text[at:begin])
        at = begin + len(part)
    return (*found, text[at:end])


def _by(node: Node, stars: int) -> Sequence[int]:
    numbers = [each.number() for each in node.elements()]
    for each, number in zip(node.elements(), numbers, strict=True):
        if not 1 <= number <= stars:
            raise each.error(f"there is no star number {number}: stars are numbered from 1 to {stars}")
    return [number - 1 for number in numbers]
