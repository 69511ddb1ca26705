"""Transformations in pattern files: one by one, or all of a kind.

An entry `[[transformation]]` is one transformation,

    name = "0 2"
    substitute = { 0 = "0", 1 = "2" }     words of labels, all at once; or "(0 1 2)" in cycle notation
    rename = { "JOIN 0" = "JOIN 2" }      or inputs (with all their outputs) and whole actions; others keep their name

or all of a kind: `generate` is

* `"permutations"`: of the words `elements`. Those that rename the template alike are one transformation.
* `"rotations"`: of the words `elements`. Each is named after what one of them becomes: the first, or `parameters = ["1"]`.
* `"ordered pairs"`, `"ordered tuples"`: the words `parameters` become different `elements`, in all ways.

`elements` is a list, or a range: `"0..7"`. A `name` of such an entry stands before the names that it generates.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations
from math import factorial, perm

from burnside.records import record
from burnside.symmetry.cycles import cycle_notation, cycles, read_cycles
from burnside.testing.machine import Action, StateMachine
from burnside.testing.pattern_files.actions import WORD, ActionTexts, substituted, words
from burnside.testing.pattern_files.nodes import Node
from burnside.testing.patterns import Transformation
from burnside.testing.suggestions import known_names

MAX_COPIES = 100_000
MAX_RENAMED = 5_000_000
"""Actions of all copies together."""
RANGE = re.compile(r"(\d{1,9})\.\.(\d{1,9})")
KINDS = ("permutations", "rotations", "ordered pairs", "ordered tuples")

Images = Mapping[str, str]


@record
class NamedImages:
    """A substitution of words, with the name of its transformation."""

    name: str
    images: Images


class TransformationReader:
    """`template`: whose actions are renamed. `machine`: which has their images."""

    def __init__(self, template: StateMachine, machine: StateMachine, texts: ActionTexts) -> None:
        self._template, self._machine, self._texts = template, machine, texts
        self._words = words(template.actions)
        self._found: dict[str, Transformation] = {}

    def read(self, node: Node) -> tuple[Transformation, ...]:
        entries = node.elements()
        if not entries:
            raise node.error("there is no transformation", "a pattern has one copy or more")
        plans = [self._plan(each) for each in entries]
        copies = 0
        for entry, (count, _) in zip(entries, plans, strict=True):
            copies += count
            self._check_size(entry, copies)
        for entry, (_, build) in zip(entries, plans, strict=True):
            for each in build():
                self._add(entry, each)
        return tuple(self._found.values())

    def _plan(self, entry: Node) -> tuple[int, Callable[[], Iterator[Transformation]]]:
        """How many transformations an entry means, and how they are made."""
        if "generate" not in entry:
            return 1, lambda: iter([self._single(entry)])
        entry.table(["generate", "elements"], ["name", "parameters"])
        kind = entry["generate"].one_of(KINDS, "kind of transformations")
        prefix = f"{entry['name'].text()} " if "name" in entry else ""
        elements = self._elements(entry["elements"])
        if kind in ("ordered pairs", "ordered tuples"):
            parameters = self._parameters(entry, kind)
            if len(parameters) > len(elements):
                message = f"{len(parameters)} parameters need as many elements, there are {len(elements)}"
                raise entry["elements"].error(message)
            count = perm(len(elements), len(parameters))
            return count, lambda: self._generated(prefix, tuples(parameters, elements))
        self._check_occurs(entry["elements"], elements)
        if kind == "rotations":
            parameter = self._rotated(entry, elements)
            return len(elements), lambda: self._generated(prefix, rotations(elements, parameter))
        if "parameters" in entry:
            message = "permutations have no parameters: all elements move"
            raise entry.key_error("parameters", message, 'for parameters, use "ordered tuples"')
        return factorial(len(elements)), lambda: self._generated(prefix, self._different(elements))

    def _check_size(self, entry: Node, copies: int) -> None:
        if copies > MAX_COPIES or copies * len(self._template.actions) > MAX_RENAMED:
            many = f"{copies:,} copies of the template are" if copies < 10**15 else "these are"
            hint = "take fewer elements, or a smaller template"
            if "generate" in entry and entry["generate"].value == "permutations":
                hint = 'where the template has few of the elements, use "ordered tuples" with those as parameters'
            limit = f"{MAX_COPIES:,} copies with {MAX_RENAMED:,} actions in all"
            raise entry.error(f"{many} too many: the limit is {limit}", hint)

    def _add(self, entry: Node, new: Transformation) -> None:
        if new.name in self._found:
            message = f"two transformations are called {new.name!r}"
            raise entry.error(message, "give the entry a 'name' of its own")
        sources: dict[Action, Action] = {}
        for action in self._template.actions:
            image = new.images.get(action, action)
            if sources.setdefault(image, action) != action:
                raise entry.error(
                    f"transformation {new.name!r} is no permutation: {str(sources[image])!r} and {str(action)!r} "
                    f"both become {str(image)!r}",
                    "different actions of the template need different names in a copy",
                )
        self._found[new.name] = new

    # One by one

    def _single(self, entry: Node) -> Transformation:
        entry.table(["name"], ["substitute", "rename", "generate"])
        if ("substitute" in entry) == ("rename" in entry):
            raise entry.error("expected one of 'substitute', 'rename' and 'generate'")
        name = entry["name"].text()
        if "rename" in entry:
            return Transformation(name, self._renamed(entry["rename"]))
        images = substitution(entry["substitute"])
        for word in images:
            if word not in self._words:
                message = f"no label of the template has the word {word!r}"
                raise entry["substitute"].key_error(word, message, known_names(word, sorted(self._words)))
        return self._substituted(name, images)

    def _renamed(self, node: Node) -> Mapping[Action, Action]:
        """Of a table of texts, or of a list of pairs."""
        found: dict[Action, Action] = {}
        if node.is_list:
            for pair in node.elements():
                both = pair.elements() if pair.is_list else []
                if len(both) != 2:
                    raise pair.error("expected two actions: the template's and the copy's")
                before, after = map(self._texts.read, both)
                if before not in self._template.actions:
                    raise both[0].error(
                        f"the template has no action {str(before)!r}", self._labels(str(before))
                    )
                self._check_input(both[1], after)
                if found.setdefault(before, after) != after:
                    raise both[0].error(f"{str(before)!r} is renamed twice")
            return found
        for key, value in node.items():
            for before, after in self._renamed_by_text(node, key, value):
                if found.setdefault(before, after) != after:
                    raise node.key_error(key, f"{str(before)!r} is renamed twice")
        return found

    def _renamed_by_text(self, node: Node, key: str, value: Node) -> list[tuple[Action, Action]]:
        """What is an action renames that one; what is an input, all actions with it."""
        actions = self._template.actions
        whole = [each for each in actions if str(each) == key]
        of_input = [each for each in actions if each.input == key]
        if not whole and not of_input:
            message = f"the template has neither an action nor an input {key!r}"
            raise node.key_error(key, message, self._labels(key))
        if whole and of_input and whole != of_input:
            message = f"{key!r} is an action and an input of the template"
            hint = 'write pairs: rename = [[{ input = "a" }, { input = "b" }], ...]'
            raise node.key_error(key, message, hint)
        if whole and (len(whole) > 1 or whole[0].output is not None):
            if len(whole) > 1:
                raise node.key_error(key, f"the template has several actions {key!r}")
            after = self._texts.read(value)
            self._check_input(value, after)
            return [(whole[0], after)]
        image = value.text()
        self._check_input(value, Action(image))
        return [(each, Action(image, each.output)) for each in of_input]

    def _labels(self, name: str) -> str:
        labels = dict.fromkeys(text for each in self._template.actions for text in (str(each), each.input))
        return known_names(name, labels)

    def _check_input(self, node: Node, action: Action) -> None:
        if action.input not in self._machine.inputs:
            message = f"the machine has no input {action.input!r}"
            raise node.error(message, known_names(action.input, self._machine.inputs))

    # All of a kind

    def _generated(self, prefix: str, found: Iterator[NamedImages]) -> Iterator[Transformation]:
        return (self._substituted(f"{prefix}{each.name}", each.images) for each in found)

    def _substituted(self, name: str, images: Images) -> Transformation:
        actions = self._template.actions
        return Transformation(name, {each: substituted(each, images) for each in actions})

    def _different(self, elements: Sequence[str]) -> Iterator[NamedImages]:
        """Permutations that differ on the words of the template."""
        used = [each for each in elements if each in self._words]
        seen: set[tuple[str, ...]] = set()
        for each in all_permutations(elements):
            key = tuple(each.images[word] for word in used)
            if key not in seen:
                seen.add(key)
                yield each

    def _elements(self, node: Node) -> Sequence[str]:
        if not node.is_list:
            found = RANGE.fullmatch(node.text())
            if found is None:
                raise node.error("expected a list of words, or a range", 'a range is "0..7"')
            first, last = int(found[1]), int(found[2])
            if not 0 <= last - first < MAX_COPIES:
                raise node.error(f"expected a range of 1 to {MAX_COPIES:,} numbers")
            return list(map(str, range(first, last + 1)))
        for each in node.elements():
            check_word(each)
        if not node.elements():
            raise node.error("expected at least one element")
        return node.distinct_texts()

    def _parameters(self, entry: Node, kind: str) -> Sequence[str]:
        if "parameters" not in entry:
            message = f"the key 'parameters' is missing: the words that {kind} are put in place of"
            raise entry.error(message, 'as in parameters = ["0", "1"]')
        node = entry["parameters"]
        found = node.distinct_texts()
        if kind == "ordered pairs" and len(found) != 2:
            raise node.error(f"ordered pairs have two parameters, there are {len(found)}")
        if not found:
            raise node.error("expected at least one parameter")
        for each in node.elements():
            if each.text() not in self._words:
                message = f"no label of the template has the word {each.text()!r}"
                raise each.error(message, known_names(each.text(), sorted(self._words)))
        return found

    def _rotated(self, entry: Node, elements: Sequence[str]) -> str:
        if "parameters" not in entry:
            return elements[0]
        found = entry["parameters"].elements()
        if len(found) != 1:
            raise entry["parameters"].error(f"rotations have one parameter, there are {len(found)}")
        return found[0].one_of(elements, "element")

    def _check_occurs(self, node: Node, elements: Sequence[str]) -> None:
        if self._words.isdisjoint(elements):
            hint = known_names(elements[0], sorted(self._words))
            raise node.error("no label of the template has one of these words", hint)


def check_word(node: Node) -> None:
    if WORD.fullmatch(node.text()) is None:
        raise node.error(f"{node.text()!r} is not a word", "words have letters, digits and underscores")


def substitution(node: Node) -> Images:
    """A table of words, or cycle notation."""
    if node.is_text:
        return permutation_of_cycles(node)
    for key, value in node.items():
        if WORD.fullmatch(key) is None:
            raise node.key_error(key, f"{key!r} is not a word", "words have letters, digits and underscores")
        check_word(value)
    return {key: value.text() for key, value in node.items()}


def permutation_of_cycles(node: Node) -> Images:
    found = read_cycles(node.text())
    if found is None:
        hint = 'cycles are like (a b)("c d" e)'
        raise node.error("expected a table of names and images, or cycle notation", hint)
    images: dict[str, str] = {}
    for cycle in found:
        for name, image in zip(cycle, [*cycle[1:], *cycle[:1]], strict=True):
            if name in images:
                raise node.error(f"{name!r} stands here twice", "cycles have no name in common")
            images[name] = image
    return images


def tuples(parameters: Sequence[str], elements: Sequence[str]) -> Iterator[NamedImages]:
    for chosen in permutations(elements, len(parameters)):
        yield NamedImages(" ".join(chosen), dict(zip(parameters, chosen, strict=True)))


def rotations(elements: Sequence[str], parameter: str) -> Iterator[NamedImages]:
    """Ascending by what the parameter becomes, in the order of the elements."""
    size, own = len(elements), elements.index(parameter)
    for to, name in enumerate(elements):
        images = {each: elements[(at + to - own) % size] for at, each in enumerate(elements)}
        yield NamedImages(name, images)


def all_permutations(elements: Sequence[str]) -> Iterator[NamedImages]:
    """In cycle notation; `()` is the identity."""
    for images in permutations(range(len(elements))):
        name = cycle_notation(cycles(images), elements) or "()"
        yield NamedImages(name, {elements[at]: elements[image] for at, image in enumerate(images)})
