"""Machines of models: any model that burnside reads, explored without reduction.

In: a model, and how its actions are inputs and outputs. Out: a `StateMachine`. One of:

* nothing declared: a labelled transition system; labels are inputs without outputs;
* a split (`burnside.testing.splits`): a label says an input and an output;
* inputs and internal actions (`burnside.testing.stable_states`): the model reacts to an input by itself.

States are called by what the model's own words say of them, without what is the same in all states.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from burnside import pipeline
from burnside.diagnostics import Diagnostic, InputError, UsageError
from burnside.model import Model
from burnside.net import Net
from burnside.request import Request
from burnside.semantics import Failure
from burnside.testing.machine import Action, MachineBuilder, StateMachine
from burnside.testing.splits import Split, read_split
from burnside.testing.stable_states import input_output_machine

if TYPE_CHECKING:
    from burnside.graph import StateGraph, StateNames

MAX_STATES = 100_000


def machine_of(
    model: Model,
    split: Split | str | None = None,
    *,
    inputs: Sequence[str] | None = None,
    internal: Sequence[str] | None = None,
    max_states: int = MAX_STATES,
) -> StateMachine:
    """`split`: a preset or a regular expression. `inputs`, `internal`: labels with wildcards. Not more than
    `max_states` states of the model are explored."""
    if split is not None and inputs:
        raise UsageError(Diagnostic("has no effect together with --inputs", source="--split"))
    if internal and not inputs:
        raise UsageError(Diagnostic("has no effect here: it needs --inputs", source="--internal"))
    if max_states < 1:
        raise UsageError(Diagnostic(f"expected a positive number, not {max_states}", source="--max-states"))
    declared = read_split(split) if isinstance(split, str) else split
    names, graph = pipeline.space(model, _request(), max_states, partial=True)
    if not graph.complete:
        raise UsageError(
            Diagnostic(
                f"the model has more than {max_states:,} states: too many for a machine",
                model.name,
                hint="raise --max-states, or take a smaller instance",
            )
        )
    _check_starts(model, names)
    found = _transition_system(model, names, graph, declared)
    return input_output_machine(found, inputs, internal or ()) if inputs else found


def _request() -> Request:
    """All states; that there are deadlocks does not matter."""
    return Request(reduce="none", deadlock=False)


def _check_starts(model: Model, names: StateNames) -> None:
    semantics = names.semantics
    for step in (*semantics.starts(), *semantics.failing_starts()):
        if isinstance(step.result, Failure):
            name = semantics.show_start(step.label) or "the only one"
            message = f"a start fails: {name!r}: {step.result.describe()}"
            raise InputError(Diagnostic(message, model.name, hint="burnside check shows it"))


def _transition_system(
    model: Model, names: StateNames, graph: StateGraph, split: Split | None
) -> StateMachine:
    if graph.failures:
        state, label = graph.failures[0]
        message = f"a step fails, and leads nowhere: {names.action(label)!r} in {_name(names, graph.states[state])!r}"
        raise InputError(
            Diagnostic(message, model.name, hint="burnside check shows how the model comes there")
        )
    builder = MachineBuilder(model.name)
    for name in _distinct(_name(names, state) for state in graph.states):
        builder.state(name)
    twins = _twins(model)
    # Labels are many times fewer than edges.
    actions: dict[Any, list[Action]] = {}
    for source, label, target in graph.edges:
        if label not in actions:
            actions[label] = [
                _action(names.action(each), model, split) for each in twins.get(label, (label,))
            ]
        for action in actions[label]:
            builder.edge(source, action, target)
    return builder.machine(sorted(graph.initial))


def _twins(model: Model) -> Mapping[Any, Sequence[Any]]:
    """Transitions of a net with the same arcs, by any of them: a graph has them as one label."""
    if not isinstance(model.subject, Net):
        return {}
    net, by_arcs = model.subject, dict[object, list[int]]()
    for transition, arcs in enumerate(zip(net.consumes, net.produces, strict=True)):
        by_arcs.setdefault(tuple(map(frozenset, arcs)), []).append(transition)
    return {transition: own for own in by_arcs.values() for transition in own}


def _name(names: StateNames, state: Any) -> str:
    if names.common and not names.own_words(state):
        return " ".join(names.words(state))
    return " ".join(names.lines(state))


def _distinct(names: Iterable[str]) -> Iterator[str]:
    """What is shown of a state may leave something out."""
    seen: dict[str, int] = {}
    for name in names:
        unique = name
        while unique in seen:
            seen[name] += 1
            unique = f"{name} #{seen[name]}"
        seen[unique] = 1
        yield unique


def _action(label: str, model: Model, split: Split | None) -> Action:
    if split is None:
        return Action(label)
    found = split.action_of(label)
    if found is None:
        raise InputError(Diagnostic(split.mismatch(label), model.name))
    return found
