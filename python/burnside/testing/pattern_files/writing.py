"""The text of pattern files.

In: a machine and a pattern, or automorphisms that were found; an order. Out: a text that `parse_pattern` reads back as the
same pattern and the same order. Transformations are written as substitutions of words where they are such, otherwise action
by action.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from burnside.diagnostics import Diagnostic, UsageError
from burnside.symmetry.cycles import cycle_notation, cycles
from burnside.testing.automorphisms import AutomorphismGroup, Renaming, outputs_of
from burnside.testing.machine import Action, StateMachine
from burnside.testing.pattern_files.actions import ActionTexts, word_images
from burnside.testing.pattern_files.generators import of_words
from burnside.testing.pattern_files.templates import DEFAULT_NAME
from burnside.testing.patterns import Pattern, Transformation
from burnside.words import printable

BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def pattern_text(pattern: Pattern, machine: StateMachine, order: Sequence[str] | None = None) -> str:
    """The template is written into the file itself."""
    texts = ActionTexts(machine)
    _check(pattern)
    lines = list(_order(order))
    lines += _template(pattern, texts)
    lines += _initial(pattern)
    for each in pattern.transformations:
        lines += ["", "[[transformation]]", f"name = {_string(each.name)}"]
        lines.append(_transformation(each, pattern.template, texts))
    return "\n".join(lines).lstrip("\n") + "\n"


def found_pattern_text(
    found: AutomorphismGroup, machine: StateMachine, order: Sequence[str] | None = None
) -> str:
    """Automorphisms of the machine; they are certified again when the text is read."""
    lines = [
        f"# Automorphisms of {printable(machine.name)} (states: {len(machine.states):,}, edges: {len(machine.edges):,}).",
        f"# They generate a group of order {found.order:,}.",
        *_order(order),
        "",
        "[automorphisms]",
        "generators = [",
        *(f"    {_generator(machine, each)}," for each in found.generators),
        "]",
    ]
    return "\n".join(lines) + "\n"


def _check(pattern: Pattern) -> None:
    """What the format has no words for."""
    template = pattern.template
    names = [each.name for each in pattern.transformations]
    problem = None
    if len(template.initial) != 1:
        problem = "a template has one initial state"
    elif len(set(names)) < len(names):
        problem = "transformations have different names"
    elif len(set(template.states)) < len(template.states):
        problem = "states of the template have different names"
    else:
        own = set(template.actions)
        unknown = [str(a) for each in pattern.transformations for a in each.images if a not in own]
        if unknown:
            problem = f"transformations rename actions of the template, and {unknown[0]!r} is none"
    if problem is not None:
        raise UsageError(Diagnostic(f"this pattern cannot be written: {problem}", template.name))


def _order(order: Sequence[str] | None) -> Iterator[str]:
    if order is not None:
        yield "order = ["
        yield from (f"    {_string(each)}," for each in order)
        yield "]"


def _template(pattern: Pattern, texts: ActionTexts) -> Iterator[str]:
    template = pattern.template
    states, actions = template.states, template.actions
    [first] = template.initial
    mentioned = [first]
    for source, _, target in template.edges:
        mentioned += (source, target)
    yield from ("", "[template]")
    if template.name != DEFAULT_NAME:
        yield f"name = {_string(template.name)}"
    if list(dict.fromkeys(mentioned)) != list(range(len(states))):
        yield f"states = [{', '.join(map(_string, states))}]"
    yield f"initial = {_string(states[first])}"
    if list(dict.fromkeys(action for _, action, _ in template.edges)) != list(range(len(actions))):
        yield f"actions = [{', '.join(_action(each, texts) for each in actions)}]"
    yield "edges = ["
    for source, action, target in template.edges:
        yield f"    [{_string(states[source])}, {_action(actions[action], texts)}, {_string(states[target])}],"
    yield "]"
    if template.outputs is not None:
        yield f"outputs = [{', '.join(map(_string, template.outputs))}]"
    if template.accepting is not None:
        yield f"accepting = [{', '.join(_string(states[each]) for each in sorted(template.accepting))}]"
    if pattern.edge_colours is not None:
        yield f"colours = [{', '.join(map(str, pattern.edge_colours))}]"


def _initial(pattern: Pattern) -> Iterator[str]:
    """The state that most copies begin in, and exceptions."""
    states = pattern.template.states
    [first] = pattern.template.initial
    if set(pattern.initial) == {first}:
        return
    default = max(pattern.initial, key=pattern.initial.count, default=first)
    yield from ("", "[initial]")
    if default != first:
        yield f"default = {_string(states[default])}"
    begun = zip(pattern.transformations, pattern.initial, strict=True)
    exceptions = {each.name: states[state] for each, state in begun if state != default}
    if exceptions:
        yield f"exceptions = {_table(exceptions)}"


def _transformation(each: Transformation, template: StateMachine, texts: ActionTexts) -> str:
    if each.images.keys() == set(template.actions):
        images = word_images(each.images.items())
        if images is not None:
            return f"substitute = {_table(images)}"
    by_text = [_renamed_by_text(action, image, template, texts) for action, image in each.images.items()]
    if all(pair is not None for pair in by_text):
        return f"rename = {_table(dict(pair for pair in by_text if pair is not None))}"
    pairs = [f"[{_literal(action)}, {_literal(image)}]" for action, image in each.images.items()]
    return f"rename = [{', '.join(pairs)}]"


def _renamed_by_text(
    action: Action, image: Action, template: StateMachine, texts: ActionTexts
) -> tuple[str, str] | None:
    """Key and value of `rename`, if they are read as this and nothing else."""
    key = str(action)
    alike = [each for each in template.actions if key in (str(each), each.input)]
    if alike != [action]:
        return None
    if action.output is None:
        return (key, image.input) if image.output is None else None
    return (key, str(image)) if texts.of_text(str(image)) == image else None


def _generator(machine: StateMachine, renaming: Renaming) -> str:
    """Words, where all labels have them exchanged, otherwise names."""
    images = word_images((action, renaming.image(action)) for action in machine.actions)
    if images is not None and set(images) == set(images.values()):
        again = of_words(machine, images)
        if (again.inputs, again.outputs) == (_moved(renaming.inputs), _moved(renaming.outputs)):
            return f"{{ substitute = {_string(_cycles(images, sorted(images)))} }}"
    parts = [
        f"{key} = {_string(_cycles(permutation, names))}"
        for key, permutation, names in (
            ("inputs", renaming.inputs, machine.inputs),
            ("outputs", renaming.outputs, outputs_of(machine)),
        )
        if _moved(permutation)
    ]
    return f"{{ {', '.join(parts)} }}" if parts else "{}"


def _moved(images: Mapping[str, str]) -> dict[str, str]:
    return {name: image for name, image in images.items() if name != image}


def _cycles(images: Mapping[str, str], names: Sequence[str]) -> str:
    place = {name: at for at, name in enumerate(names)}
    return cycle_notation(cycles([place[images.get(name, name)] for name in names]), names)


# Values of TOML


def _action(action: Action, texts: ActionTexts) -> str:
    text = str(action)
    return _string(text) if texts.of_text(text) == action else _literal(action)


def _literal(action: Action) -> str:
    output = "" if action.output is None else f", output = {_string(action.output)}"
    return f"{{ input = {_string(action.input)}{output} }}"


def _table(values: Mapping[str, str]) -> str:
    pairs = [f"{_key(key)} = {_string(value)}" for key, value in values.items()]
    return f"{{ {', '.join(pairs)} }}" if pairs else "{}"


def _key(text: str) -> str:
    return text if BARE_KEY.fullmatch(text) else _string(text)


def _string(text: str) -> str:
    """Between single quotation marks where that saves backslashes."""
    if ('"' in text or "\\" in text) and "'" not in text and text.isprintable():
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
