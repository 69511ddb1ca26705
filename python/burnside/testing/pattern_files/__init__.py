"""Pattern files: symmetries of a machine as readable TOML.

In: a path and the machine that the symmetry is of. Out: a `LoadedPattern`; or an `InputError` with file, line and column.

A file has a `template` (`templates`), a list of `transformation` (`transformations`), the states in which copies begin,

    [initial]
    default = "elsewhere"               otherwise the template's initial state
    exceptions = { 0 = "here" }         by name of a transformation

or, in place of all these, `automorphisms` of the machine (`generators`); and the `order` of inputs (`input_order`).
`writing` gives the text of such files.

An action of the machine that no copy has is no error here: it may not occur in any trace. It becomes a note; kernels and the
check of symmetries refuse traces that are not covered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from burnside.diagnostics import Source
from burnside.languages.shared.files import read_source
from burnside.records import record
from burnside.testing.automorphisms import Renaming, automorphism_pattern
from burnside.testing.machine import Action, StateMachine
from burnside.testing.pattern_files.actions import ActionTexts
from burnside.testing.pattern_files.generators import read_generators
from burnside.testing.pattern_files.input_order import read_order
from burnside.testing.pattern_files.nodes import Document, Node
from burnside.testing.pattern_files.templates import read_template
from burnside.testing.pattern_files.transformations import TransformationReader
from burnside.testing.pattern_files.writing import found_pattern_text, pattern_text
from burnside.testing.patterns import Pattern, Transformation, Vector
from burnside.testing.suggestions import known_names
from burnside.words import truncated_list

__all__ = ["LoadedPattern", "found_pattern_text", "parse_pattern", "pattern_text", "read_pattern"]

KEYS = ("template", "split", "transformation", "initial", "automorphisms", "order")
NO_GENERATORS = "there are no generators: every trace is symmetric to itself only"


@record
class LoadedPattern:
    """`order`: inputs of the machine, least first; None where the file has none. `generators`: of a file with automorphisms,
    all certified. `notes`: what may be a mistake."""

    pattern: Pattern
    order: tuple[str, ...] | None
    source: Source
    generators: tuple[Renaming, ...] | None = None
    notes: tuple[str, ...] = ()


def read_pattern(path: Path, machine: StateMachine) -> LoadedPattern:
    return parse_pattern(read_source(path), path.parent, machine)


def parse_pattern(source: Source, folder: Path, machine: StateMachine) -> LoadedPattern:
    """`folder`: what names of template files are relative to."""
    node = Document(source).node().table([], KEYS)
    order = read_order(node["order"], machine.inputs) if "order" in node else None
    if "automorphisms" in node:
        for key in ("template", "split", "transformation", "initial"):
            if key in node:
                message = f"a file with 'automorphisms' has no {key!r}"
                raise node.key_error(key, message, "the template is the machine itself, in one copy")
        generators = read_generators(node["automorphisms"], machine)
        pattern = automorphism_pattern(machine, generators)
        return LoadedPattern(pattern, order, source, generators, () if generators else (NO_GENERATORS,))
    pattern = _with_template(node, folder, machine)
    return LoadedPattern(pattern, order, source, None, tuple(_notes(pattern, machine)))


def _with_template(node: Node, folder: Path, machine: StateMachine) -> Pattern:
    for key in ("template", "transformation"):
        if key not in node:
            message = f"the key {key!r} is missing"
            raise node.error(message, "a pattern is a template with transformations, or automorphisms")
    texts = ActionTexts(machine)
    template = read_template(node["template"], folder, node.get("split"), texts)
    reader = TransformationReader(template.machine, machine, texts)
    transformations = reader.read(node["transformation"])
    initial = _initial(node, template.machine, transformations)
    pattern = Pattern(template.machine, transformations, initial, template.colours)
    if not any(_actions_of_copies(pattern, machine)):
        raise node["template"].error(
            "the template covers nothing: no copy has an action of the machine",
            _why_nothing(pattern, machine),
        )
    return pattern


def _initial(node: Node, template: StateMachine, transformations: Sequence[Transformation]) -> Vector:
    [default] = template.initial
    places = {each.name: at for at, each in enumerate(transformations)}
    if "initial" not in node:
        return (default,) * len(places)
    table = node["initial"].table([], ["default", "exceptions"])
    numbers = {name: at for at, name in enumerate(template.states)}
    if "default" in table:
        default = numbers[table["default"].one_of(template.states, "state of the template")]
    found = [default] * len(places)
    if "exceptions" in table:
        exceptions = table["exceptions"]
        for name, state in exceptions.items():
            if name not in places:
                message = f"there is no transformation {name!r}"
                raise exceptions.key_error(name, message, known_names(name, places))
            found[places[name]] = numbers[state.one_of(template.states, "state of the template")]
    return tuple(found)


def _actions_of_copies(pattern: Pattern, machine: StateMachine) -> list[set[Action]]:
    """By transformation: actions of the machine that its copy has edges for."""
    own = {pattern.template.actions[action] for _, action, _ in pattern.template.edges}
    known = set(machine.actions)
    return [{each.images.get(action, action) for action in own} & known for each in pattern.transformations]


def _why_nothing(pattern: Pattern, machine: StateMachine) -> str:
    first = pattern.template.actions[pattern.template.edges[0][1]]
    image = pattern.transformations[0].images.get(first, first)
    shown = f"a copy has {str(image)!r}, the machine has {truncated_list(list(map(str, machine.actions)), 3)}"
    if image.output is None and any(each.output is not None for each in machine.actions):
        return f"the template has no outputs ('split' says where labels of a file have them); {shown}"
    return shown


def _notes(pattern: Pattern, machine: StateMachine) -> Iterator[str]:
    copies = _actions_of_copies(pattern, machine)
    covered = set().union(*copies)
    missing = [str(each) for each in machine.actions if each not in covered]
    if missing:
        yield f"no copy has {_count(missing, 'action')} of the machine: {truncated_list(missing)}"
    empty = [each.name for each, own in zip(pattern.transformations, copies, strict=True) if not own]
    if empty:
        yield f"{_count(empty, 'copy', 'copies')} without any action of the machine: {truncated_list(empty)}"
    seen: dict[object, str] = {}
    for each, state in zip(pattern.transformations, pattern.initial, strict=True):
        key = (state, tuple(each.images.get(action, action) for action in pattern.template.actions))
        if seen.setdefault(key, each.name) != each.name:
            yield f"the transformations {seen[key]!r} and {each.name!r} make the same copy"


def _count(names: Sequence[str], one: str, many: str | None = None) -> str:
    return f"{len(names):,} {one if len(names) == 1 else many or one + 's'}"
