"""How variables are used: which never change, which are never read.

In: a resolved model. Out: `Uses`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from burnside.languages.promela import expressions as x
from burnside.languages.promela import statements as st
from burnside.languages.promela.lower.creation import channels_in, runs_in
from burnside.languages.promela.lower.expressions import is_channel
from burnside.languages.promela.model import Model
from burnside.languages.promela.places import scalars
from burnside.languages.promela.types import Field, NewChannel, ScalarType, StructType, Variable
from burnside.records import field_names, is_record, record


@record(eq=False)
class Uses:
    assigned: frozenset[Variable]
    read: frozenset[Variable]
    reads_last: bool
    has_channel_variables: bool
    mixes_channels: bool
    """Does a variable of the type `chan`, or a field of messages, also hold numbers that are no channels?"""
    dropped: frozenset[Variable]
    """`hidden` ones that nothing reads: no part of the state."""

    def constant_channels(self, model: Model) -> frozenset[Variable]:
        """Variables of the type `chan` that always hold the channels that they are declared with."""
        return frozenset(
            each
            for each in _variables(model)
            if isinstance(each.initial, NewChannel) and each not in self.assigned and not each.is_parameter
        )


def uses_of(model: Model) -> Uses:
    assigned: set[Variable] = set()
    read: set[Variable] = set()
    last = False
    for statement in _statements(model):
        targets = {id(each) for each in _targets(statement)}
        for node in _nodes(statement):
            if isinstance(node, x.Reference):
                (assigned if id(node) in targets else read).add(node.variable)
            elif isinstance(node, x.Predefined) and node.name == "_last":
                last = True
    for node in _nodes((model.claims, [each.provided for each in model.processes])):
        if isinstance(node, x.Reference):
            read.add(node.variable)
        elif isinstance(node, x.Predefined) and node.name == "_last":
            last = True
    variables = [*_variables(model)]
    dropped = {each for each in variables if each.prefix == "hidden" and each not in read}
    channels = any(_holds_channels(each.type) for each in variables)
    mixes = any(_mixes_channels(each, model) for each in _statements(model))
    return Uses(frozenset(assigned), frozenset(read), last, channels, mixes, frozenset(dropped))


def _mixes_channels(statement: st.Statement, model: Model) -> bool:
    """Is something stored as a channel that is none? A message of a channel that is not known may go to fields of all types
    in the same position."""
    match statement:
        case st.Assignment(_, target, value):
            return is_channel(target) and not _is_channel_or_none(value)
        case st.Send(_, channel, _, values):
            types = _possible_types(channel.variable, model)
            return any(
                field.name == "chan" and not _is_channel_or_none(value)
                for type_ in types
                if len(type_) >= len(values)
                for field, value in zip(type_, values, strict=False)
            )
        case st.Condition() if any(True for _ in runs_in(statement)):
            return any(_mixes_arguments(run, model) for run in runs_in(statement))
    return False


def _mixes_arguments(run: x.Run, model: Model) -> bool:
    parameters = model.by_name[run.process].parameters
    targets = [each for parameter in parameters for each in scalars(x.Reference(run.at, parameter))]
    return any(
        is_channel(target) and not _is_channel_or_none(value)
        for target, value in zip(targets, run.arguments, strict=True)
    )


def _possible_types(variable: Variable, model: Model) -> list[tuple[ScalarType, ...]]:
    if isinstance(variable.initial, NewChannel):
        return [variable.initial.fields]
    return [new.fields for each in _variables(model) for _, new in channels_in(each)]


def _is_channel_or_none(value: x.Expression) -> bool:
    if isinstance(value, x.Conditional):
        return _is_channel_or_none(value.then) and _is_channel_or_none(value.otherwise)
    return is_channel(value) or (isinstance(value, x.Number) and value.value == 0)


def _variables(model: Model) -> Iterator[Variable]:
    yield from model.variables
    for process in model.processes:
        yield from process.parameters
        yield from process.locals


def _statements(model: Model) -> Iterator[st.Statement]:
    for process in model.processes:
        for transition in process.graph.transitions:
            if isinstance(transition.statement, st.DeterministicStep):
                for inner in transition.statement.graph.transitions:
                    yield inner.statement
            else:
                yield transition.statement


def _targets(statement: st.Statement) -> Iterator[x.Reference]:
    match statement:
        case st.Assignment(_, target):
            yield target
        case st.Receive(_, _, _, _, patterns):
            for each in patterns:
                if isinstance(each, x.Stored):
                    yield each.target


def _nodes(value: Any) -> Iterator[Any]:
    """All records inside, but not inside of declarations."""
    if isinstance(value, tuple | list):
        for each in value:
            yield from _nodes(each)
    elif is_record(value) and not isinstance(value, Variable | Field):
        yield value
        for name in field_names(value):
            if name != "at":
                yield from _nodes(getattr(value, name))


def _holds_channels(type_: Any) -> bool:
    if isinstance(type_, StructType):
        return any(_holds_channels(each.type) for each in type_.fields)
    return bool(type_.name == "chan")
