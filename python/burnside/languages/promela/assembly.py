"""The last pass of the front end: a draft of the parser to a `Model`, with graphs made and orders settled."""

from __future__ import annotations

from collections.abc import Iterable

from burnside.languages.promela.elements import Builder
from burnside.languages.promela.graphs import graph_of
from burnside.languages.promela.model import ExclusiveUse, Model, Process, SymbolSet
from burnside.languages.promela.parser import Draft, ProcessDraft
from burnside.languages.promela.types import StructType, Variable

ORDER_OF_TYPES = {
    "unsigned": 0, "bit": 1, "bool": 1, "byte": 2, "pid": 2, "chan": 3, "mtype": 4, "short": 5, "int": 6,
}  # fmt: skip
"""In which pan initialises globals; structs are last."""


def assembled(draft: Draft, name: str) -> Model:
    identity = 1
    processes: list[Process] = []
    for each in draft.processes:
        processes.append(_process(each, draft, identity))
        identity = 1 + max((one.identity for one in processes[-1].graph.transitions), default=identity)
    names = draft.names
    variables = tuple(names.variables.values())
    return Model(
        name,
        tuple(SymbolSet(key, dict(values)) for key, values in names.symbols.items()),
        tuple(names.structs.values()),
        variables,
        _in_order(variables),
        tuple(processes),
        tuple(each for each in processes for _ in range(each.active)),
        draft.claims,
        tuple(ExclusiveUse(at, process, channel, word) for at, process, word, channel in draft.exclusive),
    )


def _process(draft: ProcessDraft, whole: Draft, identity: int) -> Process:
    names = draft.names
    body = Builder(identity, draft.kind == "never").body(draft.body, draft.end)
    remote = [label for process, label in whole.remote_labels if process == names.name]
    return Process(
        draft.at,
        names.name,
        draft.kind,
        tuple(names.parameters),
        tuple(names.locals),
        graph_of(body, remote),
        draft.active,
        draft.priority,
        draft.provided,
        draft.is_deterministic,
    )


def _in_order(variables: Iterable[Variable]) -> tuple[Variable, ...]:
    def key(variable: Variable) -> int:
        is_struct = isinstance(variable.type, StructType)
        return len(ORDER_OF_TYPES) if is_struct else ORDER_OF_TYPES[variable.type.name]

    return tuple(sorted(variables, key=key))
