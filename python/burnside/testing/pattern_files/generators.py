"""Automorphisms in pattern files, in place of a template.

    [automorphisms]
    generators = [
        { substitute = "(0 1)" },                                  words of inputs and outputs
        { inputs = '("JOIN 0" "JOIN 1")', outputs = "(a b)" },     inputs and outputs by name
    ]

Each permutation is cycle notation, or a table of names and images; names that are not mentioned stay. Every generator is
certified when it is read.
"""

from __future__ import annotations

from burnside.diagnostics import InputError
from burnside.testing.automorphisms import Renaming, certify, outputs_of
from burnside.testing.machine import StateMachine
from burnside.testing.pattern_files.actions import substituted_text, words
from burnside.testing.pattern_files.nodes import Node
from burnside.testing.pattern_files.transformations import Images, permutation_of_cycles, substitution
from burnside.testing.suggestions import known_names


def read_generators(node: Node, machine: StateMachine) -> tuple[Renaming, ...]:
    node.table(["generators"])
    found = []
    for each in node["generators"].elements():
        renaming = _renaming(each, machine)
        try:
            certify(machine, renaming)
        except InputError as error:
            hint = (
                error.diagnostic.hint
                or "an automorphism maps every edge to an edge and fixes the initial state"
            )
            raise each.error(error.diagnostic.message, hint) from None
        found.append(renaming)
    return tuple(found)


def _renaming(node: Node, machine: StateMachine) -> Renaming:
    node.table([], ["substitute", "inputs", "outputs"])
    outputs = outputs_of(machine)
    if "substitute" in node:
        if "inputs" in node or "outputs" in node:
            raise node.error("expected 'substitute', or 'inputs' and 'outputs'")
        images = substitution(node["substitute"])
        known = words(machine.actions)
        for word in images:
            if word not in known:
                message = f"no label of the machine has the word {word!r}"
                raise node["substitute"].key_error(word, message, known_names(word, sorted(known)))
        return of_words(machine, images)
    return Renaming(_moved(node, "inputs", machine.inputs), _moved(node, "outputs", outputs))


def of_words(machine: StateMachine, images: Images) -> Renaming:
    """The renaming that a substitution of words means; without names that stay."""

    def moved(names: tuple[str, ...]) -> dict[str, str]:
        found = {name: substituted_text(name, images) for name in names}
        return {name: image for name, image in found.items() if name != image}

    return Renaming(moved(machine.inputs), moved(outputs_of(machine)))


def _moved(node: Node, key: str, known: tuple[str, ...]) -> Images:
    if key not in node:
        return {}
    given = node[key]
    if given.is_text:
        images = permutation_of_cycles(given)
    else:
        images = {name: image.text() for name, image in given.items()}
    names = set(known)
    for name in (*images, *images.values()):
        if name not in names:
            message = f"the machine has no {key.removesuffix('s')} {name!r}"
            raise given.key_error(name, message, known_names(name, known))
    return images
