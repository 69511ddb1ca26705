"""Actions and words of actions, as pattern files write them.

An action is a text: `input/output`, or, for machines without outputs, the label. A text that an action of the machine prints
as means that action, even if its input has a slash; others are split at ` / `, or else at the first slash. Where that is not
what is meant: `{ input = "a/b", output = "c" }`.

Words are the longest runs of letters, digits and underscores: `DREQ !0 !1`, `REQUEST(CALL,1)` have the words `0` and `1`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from burnside.testing.machine import Action, StateMachine
from burnside.testing.pattern_files.nodes import Node

WORD = re.compile(r"\w+")


class ActionTexts:
    def __init__(self, machine: StateMachine) -> None:
        self._has_outputs = any(each.output is not None for each in machine.actions)
        known: dict[str, list[Action]] = {}
        for each in machine.actions:
            known.setdefault(str(each), []).append(each)
        self._known = {text: actions[0] for text, actions in known.items() if len(actions) == 1}

    def of_text(self, text: str) -> Action:
        if text in self._known:
            return self._known[text]
        if not self._has_outputs:
            return Action(text)
        given, slash, output = text.partition(" / " if " / " in text else "/")
        return Action(given.strip(), output.strip()) if slash else Action(text)

    def read(self, node: Node) -> Action:
        if not isinstance(node.value, dict):
            return self.of_text(node.text())
        node.table(["input"], ["output"])
        return Action(node["input"].text(), node["output"].text() if "output" in node else None)


def words(actions: Iterable[Action]) -> set[str]:
    return {
        word for each in actions for text in (each.input, each.output or "") for word in WORD.findall(text)
    }


def substituted(action: Action, images: Mapping[str, str]) -> Action:
    """With words of input and output replaced, all at once."""
    output = action.output
    return Action(
        substituted_text(action.input, images), None if output is None else substituted_text(output, images)
    )


def substituted_text(text: str, images: Mapping[str, str]) -> str:
    return WORD.sub(lambda word: images.get(word[0], word[0]), text)


def word_images(pairs: Iterable[tuple[Action, Action]]) -> dict[str, str] | None:
    """The substitution of words that maps the first action of each pair to the second, without words that stay; None where
    there is none."""
    images: dict[str, str] = {}
    for before, after in pairs:
        texts = ((before.input, after.input), (before.output or "", after.output or ""))
        for text, image in texts:
            for one, other in zip(WORD.findall(text), WORD.findall(image), strict=False):
                images.setdefault(one, other)
        if substituted(before, images) != after:
            return None
    return {word: image for word, image in images.items() if word != image}
