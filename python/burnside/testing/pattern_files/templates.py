"""Templates in pattern files: a file of a machine, or states and edges.

`template = "two-users.aut"`, a path that is relative to the pattern file, with `split = "slash"` where the file has labels
only, which say inputs and outputs as `burnside.testing.splits` reads them; or

    [template]
    initial = "0"
    edges = [["0", "JOIN 0/OK", "1"], ...]

with, where the order of first mention is not right, `states` and `actions`; and `name`, `outputs` (of states), `accepting`,
and `colours` (a number for each edge: edges with one colour are exchangeable).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from burnside.diagnostics import BurnsideError, InputError, UsageError
from burnside.records import record
from burnside.testing.determinism import initial_state, targets_by_action
from burnside.testing.formats import format_of, read_machine
from burnside.testing.machine import Action, Edge, Edges, StateMachine
from burnside.testing.pattern_files.actions import ActionTexts
from burnside.testing.pattern_files.nodes import Node
from burnside.testing.splits import Split, read_split
from burnside.testing.suggestions import known_names
from burnside.words import printable

KEYS = ("initial", "edges")
OPTIONAL_KEYS = ("name", "states", "actions", "outputs", "accepting", "colours")
DEFAULT_NAME = "template"
EDGE = 'an edge is ["0", "JOIN 0/OK", "1"]'
MAX_COLOUR = 2**32 - 1


@record
class LoadedTemplate:
    machine: StateMachine
    colours: tuple[int, ...] | None


def read_template(node: Node, folder: Path, split: Node | None, texts: ActionTexts) -> LoadedTemplate:
    """Deterministic, with one initial state. `split`: of labels in a file."""
    if node.is_text:
        return LoadedTemplate(_from_file(node, folder, split), None)
    if not isinstance(node.value, dict):
        raise node.error("expected a template", 'the name of a file: "template.aut", or a table [template]')
    if split is not None:
        raise split.error("'split' is for templates in files of their own")
    return _InlineTemplate(node.table(KEYS, OPTIONAL_KEYS), texts).read()


def _from_file(node: Node, folder: Path, split: Node | None) -> StateMachine:
    path = folder / node.text()
    declared = None if split is None else _split(split)
    try:
        format_of(path)
    except UsageError as error:
        raise node.error(error.diagnostic.message, error.diagnostic.hint) from None
    if "\0" in node.text() or not path.is_file():
        hint = f"looked for {printable(str(path))!r}: names are relative to the pattern file"
        raise node.error("there is no such file", hint)
    found = read_machine(path, declared)
    try:
        initial_state(found)
        targets_by_action(found)
    except InputError as error:
        message = error.diagnostic.message.replace("the machine", "the template", 1)
        raise node.error(message, "a template is deterministic and has one initial state") from None
    if not found.edges:
        raise node.error("the template has no edges")
    return found


def _split(node: Node) -> Split:
    try:
        return read_split(node.text())
    except UsageError as error:
        raise node.error(error.diagnostic.message, error.diagnostic.hint) from None


class _InlineTemplate:
    def __init__(self, node: Node, texts: ActionTexts) -> None:
        self._node, self._texts = node, texts
        self._states: dict[str, int] = {}
        self._actions: dict[Action, int] = {}

    def read(self) -> LoadedTemplate:
        node = self._node
        if "states" in node:
            self._states = {name: at for at, name in enumerate(node["states"].distinct_texts())}
        if "actions" in node:
            self._read_actions(node["actions"])
        first = self._state(node["initial"])
        edges = self._edges()
        machine = StateMachine(
            node["name"].text() if "name" in node else DEFAULT_NAME,
            tuple(self._states),
            (first,),
            tuple(self._actions),
            Edges.of(edges),
            self._outputs(),
            self._accepting(),
        )
        return LoadedTemplate(machine, self._colours(len(edges)))

    def _read_actions(self, node: Node) -> None:
        for each in node.elements():
            action = self._texts.read(each)
            if action in self._actions:
                raise each.error(f"{str(action)!r} stands here twice")
            self._actions[action] = len(self._actions)

    def _edges(self) -> Sequence[Edge]:
        edges: dict[Edge, None] = {}
        targets: dict[tuple[int, int], int] = {}
        for each in self._node["edges"].elements():
            edge = self._edge(each)
            if edge in edges:
                raise each.error("this edge stands here twice")
            if targets.setdefault(edge[:2], edge[2]) != edge[2]:
                raise self._ambiguous(each, edge, targets[edge[:2]])
            edges[edge] = None
        if not edges:
            raise self._node["edges"].error("the template has no edges", EDGE)
        self._check_initial(edges)
        return list(edges)

    def _check_initial(self, edges: Iterable[Edge]) -> None:
        """A state that no edge has is most likely misspelt."""
        used = {state for source, _, target in edges for state in (source, target)}
        node = self._node["initial"]
        if self._states[node.text()] not in used:
            names = [name for name, state in self._states.items() if state in used]
            raise node.error(f"no edge has the state {node.text()!r}", known_names(node.text(), names))

    def _edge(self, node: Node) -> Edge:
        parts = node.elements() if node.is_list else []
        if len(parts) != 3:
            raise node.error("expected source, action and target", EDGE)
        source = self._state(parts[0])
        action = self._texts.read(parts[1])
        if action not in self._actions:
            if "actions" in self._node:
                known = map(str, self._actions)
                raise parts[1].error(f"{str(action)!r} is not in 'actions'", known_names(str(action), known))
            self._actions[action] = len(self._actions)
        return source, self._actions[action], self._state(parts[2])

    def _state(self, node: Node) -> int:
        """Numbered by first mention, unless states are listed."""
        name = node.text()
        if name not in self._states:
            if "states" in self._node:
                raise node.error(f"{name!r} is not in 'states'", known_names(name, self._states))
            self._states[name] = len(self._states)
        return self._states[name]

    def _ambiguous(self, node: Node, edge: Edge, other: int) -> BurnsideError:
        names, labels = list(self._states), list(self._actions)
        source, action, target = edge
        return node.error(
            f"the template is not deterministic: in state {names[source]!r}, {str(labels[action])!r} leads to "
            f"{names[other]!r} and to {names[target]!r}",
            "leave out one of the edges, or give it another action",
        )

    def _outputs(self) -> tuple[str, ...] | None:
        if "outputs" not in self._node:
            return None
        found = tuple(self._node["outputs"].texts())
        if len(found) != len(self._states):
            message = f"expected an output for each state: there are {len(self._states)} states, {len(found)} outputs"
            raise self._node["outputs"].error(message)
        return found

    def _accepting(self) -> frozenset[int] | None:
        if "accepting" not in self._node:
            return None
        known = tuple(self._states)
        return frozenset(
            self._states[each.one_of(known, "state")] for each in self._node["accepting"].elements()
        )

    def _colours(self, edges: int) -> tuple[int, ...] | None:
        if "colours" not in self._node:
            return None
        node = self._node["colours"]
        found = tuple(each.number() for each in node.elements())
        if len(found) != edges:
            raise node.error(
                f"expected a number for each edge: there are {edges} edges, {len(found)} colours"
            )
        if not all(0 <= each <= MAX_COLOUR for each in found):
            raise node.error(f"expected numbers from 0 to {MAX_COLOUR}")
        return found
