"""Patterns: a template machine, and the ways in which it is renamed into copies (Romijn and Springintveld 1999, section 6).

In: a template, transformations of its actions, the state of each copy at the beginning. Out: a `Pattern`, which says what an
action does to all copies: the template's edges that are taken, as a multiset, are the *colours* of the action. Two actions
after variant traces are symmetric if their colours agree.

Edges of the template may share a colour (`edge_colours`): where the template is the machine itself, and its automorphisms
map one edge to the other, then one copy stands for all.

A vector has one state of the template for each transformation; it begins as `Pattern.initial`. The copy of the place where
something begins may begin in another state than the others, which the report leaves out and its figures need.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from burnside.diagnostics import UsageError
from burnside.records import record
from burnside.testing.machine import Action, StateMachine

Vector = tuple[int, ...]
Colours = tuple[int, ...]
"""Colours of edges of the template, ascending."""
WORD = re.compile(r"\w+")
"""Words of actions: `DREQ !0 !1`, `REQUEST(CALL,1)` have the words `0` and `1`."""


@record
class Transformation:
    """A renaming of the template's actions; the identity on actions that it does not mention."""

    name: str
    images: Mapping[Action, Action]

    @classmethod
    def of_words(cls, name: str, template: StateMachine, words: Mapping[str, str]) -> Transformation:
        """Replaces words in inputs and outputs of the template's actions."""
        return cls(name, {each: substituted(each, words) for each in template.actions})


@record
class Pattern:
    """`initial`: by transformation, the state in which its copy of the template begins. `edge_colours`: by edge of the
    template; without it, each edge is a colour of its own."""

    template: StateMachine
    transformations: tuple[Transformation, ...]
    initial: Vector
    edge_colours: tuple[int, ...] | None = None

    @cached_property
    def _edges(self) -> Mapping[Action, Sequence[tuple[int, Mapping[int, tuple[int, int]]]]]:
        """By action of the machine: transformations whose copies have it, with what it does in each state: the colour of the
        edge, and its target."""
        found: dict[Action, dict[int, dict[int, tuple[int, int]]]] = {}
        for at, transformation in enumerate(self.transformations):
            for number, (source, action, target) in enumerate(self.template.edges):
                own = self.template.actions[action]
                label = transformation.images.get(own, own)
                colour = number if self.edge_colours is None else self.edge_colours[number]
                found.setdefault(label, {}).setdefault(at, {})[source] = (colour, target)
        return {label: tuple(copies.items()) for label, copies in found.items()}

    def step(self, vector: Vector, action: Action) -> tuple[Colours, Vector]:
        """The colours of an action, none where no copy can take it, and the states of the copies after it."""
        after = list(vector)
        colours = []
        for copy, edges in self._edges.get(action, ()):
            taken = edges.get(vector[copy])
            if taken is not None:
                colours.append(taken[0])
                after[copy] = taken[1]
        return tuple(sorted(colours)), tuple(after)


def substituted(action: Action, words: Mapping[str, str]) -> Action:
    """With words of input and output replaced, all at once."""

    def renamed(text: str) -> str:
        return WORD.sub(lambda word: words.get(word[0], word[0]), text)

    return Action(renamed(action.input), None if action.output is None else renamed(action.output))


def ranks(order: Sequence[str]) -> Callable[[Action], int]:
    """The key that compares actions as their inputs stand in an order, least first."""
    places = {given: place for place, given in enumerate(order)}
    if len(places) < len(order):
        double = next(given for place, given in enumerate(order) if places[given] != place)
        raise UsageError(f"the order has '{double}' twice")

    def rank(action: Action) -> int:
        if action.input not in places:
            raise UsageError(f"the order misses '{action.input}'")
        return places[action.input]

    return rank
