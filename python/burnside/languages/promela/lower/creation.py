"""Which pids processes can have, as far as the text of the model says: how much room a layout needs.

In: a resolved model. Out: for each proctype the pids that its processes may have. Spin gives a new process the smallest pid
that is not in use, and processes die in the opposite order of their creation, so pids in use are always 0, 1, ..., n - 1.
Where a process is created in a loop, or by a process that is itself created, there is no bound in the text: then the room
is a guess, and the program says (by a property of the kind `limit`) where the guess was too small.
"""

from __future__ import annotations

from collections.abc import Iterator

from burnside.languages.promela import expressions as x
from burnside.languages.promela import statements as st
from burnside.languages.promela.flow import Graph, Transition
from burnside.languages.promela.model import Model, Process
from burnside.languages.promela.types import Field, NewChannel, StructType, Variable

Slots = dict[str, tuple[int, ...]]
Steps = tuple[int | str, ...]
"""From a variable to a scalar in it: indices of arrays and names of fields."""
MAX_PROCESSES = 255


def channels_in(holder: Variable | Field, steps: Steps = ()) -> Iterator[tuple[Steps, NewChannel]]:
    """The channels that a declaration creates, in Spin's order, with the steps that lead to each of them."""
    for at in [steps] if holder.size is None else [(*steps, index) for index in range(holder.size)]:
        if isinstance(holder.type, StructType):
            for field in holder.type.fields:
                yield from channels_in(field, (*at, field.name))
        elif isinstance(holder.initial, NewChannel):
            yield at, holder.initial


def runs_in(statement: st.Statement) -> Iterator[x.Run]:
    match statement:
        case st.Condition(_, test):
            yield from _runs(test)
        case st.Assignment(_, _, value):
            yield from _runs(value)
        case st.DeterministicStep(_, graph):
            for each in graph.transitions:
                yield from runs_in(each.statement)


def _runs(expression: x.Expression) -> Iterator[x.Run]:
    match expression:
        case x.Run():
            yield expression
        case x.Unary(_, _, operand):
            yield from _runs(operand)
        case x.Binary(_, _, left, right):
            yield from _runs(left)
            yield from _runs(right)
        case x.Conditional(_, test, then, otherwise):
            for each in (test, then, otherwise):
                yield from _runs(each)


def can_end(process: Process) -> bool:
    return any(isinstance(each.statement, st.End) for each in process.graph.transitions)


def slots(model: Model, demanded: dict[str, set[int]], guessed: set[str], room: int) -> Slots:
    """`demanded`: pids that are known to be needed. `guessed`: proctypes of which processes are created with unknown
    pids. `room`: how many pids beyond what is certain to leave where nothing bounds the number of processes."""
    found: dict[str, set[int]] = {}
    for pid, process in enumerate(model.starting):
        found.setdefault(process.name, set()).add(pid)
    for name, pids in demanded.items():
        found.setdefault(name, set()).update(pids)
    for name, pids in _created(model, room).items() if guessed else ():
        if name in guessed:
            found.setdefault(name, set()).update(pids)
    order = [each.name for each in model.processes if each.name in found]
    return {name: tuple(sorted(found[name])) for name in order}


def _created(model: Model, room: int) -> dict[str, set[int]]:
    first = len(model.starting)
    creators = [
        each
        for each in model.processes
        if each.kind in ("proctype", "init")
        and any(True for t in each.graph.transitions for _ in runs_in(t.statement))
    ]
    if not creators:
        return {}
    single = len(creators) == 1 and sum(each is creators[0] for each in model.starting) == 1
    started = {each.name for each in model.starting}
    if single and creators[0].name in started and not _runs_itself(creators[0]):
        before = runs_before(creators[0].graph)
        if before is not None:
            return _in_order(model, creators[0], before, first)
    names = {run.process for each in creators for t in each.graph.transitions for run in runs_in(t.statement)}
    last = min(MAX_PROCESSES, first + max(room, 1))
    return {name: set(range(_lowest_free(model, creators), last)) for name in names}


def _lowest_free(model: Model, creators: list[Process]) -> int:
    """The smallest pid that a new process may get: one of those at the beginning, if all behind it can be gone. The process
    that has created all others is still there."""
    starting = model.starting
    lowest = len(starting)
    while lowest and can_end(starting[lowest - 1]):
        lowest -= 1
    first = next((at for at, each in enumerate(starting) if each in creators), 0)
    return max(lowest, first + 1)


def _runs_itself(process: Process) -> bool:
    return any(run.process == process.name for t in process.graph.transitions for run in runs_in(t.statement))


def _in_order(
    model: Model, creator: Process, before: dict[int, tuple[int, int]], first: int
) -> dict[str, set[int]]:
    """Where one process creates all others, each statement at most once. A process that is created after n others has the
    pid `first` + n, or a smaller one if some of the others can be gone by then. Processes below it must be gone too."""
    found: dict[str, set[int]] = {}
    anything_ends = any(can_end(each) for each in model.processes if each is not creator)
    top = model.starting.index(creator)
    lowest = first if not anything_ends else top + 1
    for each in creator.graph.transitions:
        for run in runs_in(each.statement):
            fewest, most = before[each.source]
            low = lowest if anything_ends else first + fewest
            found.setdefault(run.process, set()).update(range(low, min(first + most, MAX_PROCESSES - 1) + 1))
    return found


def runs_before(graph: Graph) -> dict[int, tuple[int, int]] | None:
    """By state: how many processes were created before, at least and at most; None where a loop creates some."""
    order = _components(graph)
    if order is None:
        return None
    found: dict[int, tuple[int, int]] = {graph.entry: (0, 0)}
    for component in order:
        known = [found[each] for each in component if each in found]
        if not known:
            continue
        here = min(low for low, _ in known), max(high for _, high in known)
        for state in component:
            found[state] = here
        for state in component:
            for each in graph.leaving(state):
                created = sum(1 for _ in runs_in(each.statement))
                low, high = here[0] + created, here[1] + created
                if each.target and each.target not in component:
                    old = found.get(each.target, (low, high))
                    found[each.target] = min(old[0], low), max(old[1], high)
    return found


def _components(graph: Graph) -> list[set[int]] | None:
    """Strongly connected components from the entry on, sources first; None where one of them creates processes."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    found: list[set[int]] = []
    work: list[tuple[int, Iterator[Transition]]] = []

    def enter(state: int) -> None:
        index[state] = low[state] = len(index)
        stack.append(state)
        work.append((state, iter(graph.leaving(state))))

    enter(graph.entry)
    while work:
        state, rest = work[-1]
        for each in rest:
            if each.target and each.target not in index:
                enter(each.target)
                break
            if each.target in stack:
                low[state] = min(low[state], index[each.target])
        else:
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[state])
            if low[state] == index[state]:
                at = stack.index(state)
                found.append(set(stack[at:]))
                del stack[at:]
    for component in found:
        for state in component:
            for each in graph.leaving(state):
                if each.target in component and any(True for _ in runs_in(each.statement)):
                    return None
    return found[::-1]


def is_struct(variable: Variable) -> bool:
    return isinstance(variable.type, StructType)
