"""What a program can do in a state: its labels, what they lead to, and what the state says about the properties.

In: a program and a state. Out: one `Step` for each label that may happen or whose guard fails, and a `Judgement`. A label is
the number of an action and the values of its parameters; the core numbers all of them in one row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product, takewhile
from math import prod

from burnside.diagnostics import UnsupportedError
from burnside.ir import expressions as e
from burnside.ir.printouts import PrintedValue
from burnside.ir.program import Action, Program
from burnside.ir.types import Bag, Optional, show_value
from burnside.ir.walking import nodes
from burnside.reference.failures import Discards, Fails
from burnside.reference.interpreter import Interpreter
from burnside.reference.values import (
    Generator,
    State,
    bag_entries,
    code,
    converted,
    limits,
    moved,
    renamed,
    value_of,
    width,
)
from burnside.semantics import DISCARDED, FIRST_PROPERTY, Discarded, Failure, Judgement, Step

Label = tuple[int, tuple[int, ...]]
Result = State | Failure | Discarded


def initial_states(program: Program) -> list[tuple[Label, Result]]:
    """Each start state with its label, a number among `program.starts`."""
    return [(step.label, step.result) for step in start_steps(program)]


def start_steps(program: Program) -> list[Step[State, Label]]:
    return list(_steps(program, program.starts, _blank(program), guarded=False))


def _blank(program: Program) -> State:
    """The state in which everything is undefined, or where it cannot be, smallest."""
    return (0,) * sum(width(each.type) for each in program.variables)


def successors(program: Program, state: State) -> list[tuple[Label, Result]]:
    return [(step.label, step.result) for step in steps(program, state)]


def steps(program: Program, state: State) -> list[Step[State, Label]]:
    """In the order of labels, idle ones last. A guard that fails is its label's failure."""
    return [step for step in attempts(program, state) if step.fired or step.possible]


def attempts(program: Program, state: State) -> list[Step[State, Label]]:
    """The same, and guards that do not hold but execute `Cover` statements. Idle actions are tried where all others turn out
    to be impossible."""
    found = list(_steps(program, program.actions, state, idle=False))
    if not any(step.possible for step in found):
        found += _steps(program, program.actions, state, idle=True)
    return found


def _steps(
    program: Program,
    actions: Sequence[Action],
    state: State,
    *,
    guarded: bool = True,
    idle: bool | None = None,
) -> Iterator[Step[State, Label]]:
    process = process_in_control(program, state)
    for number, action in enumerate(actions):
        if idle is not None and action.idle != idle:
            continue
        test = _first_test(action) if guarded else None
        for values, failure in _valuations(program, state, action.parameters, test):
            if process is not None and _process(program, action, action.actor, values) != process:
                continue
            if failure is not None:
                yield Step((number, values), failure, fired=False)
                continue
            step = _step(program, action, state, (number, values), guarded=guarded)
            if step is not None:
                yield step


def _first_test(action: Action) -> e.Expression | None:
    """The first part of a guard, where it depends on the first of several parameters alone and calls nothing: where that
    does not hold no other part is evaluated, whatever the values of the others are."""
    guard = action.guard
    first = guard.parts[0] if isinstance(guard, e.Junction) and guard.operator == "and" else guard
    others = {each.name for each in action.parameters[1:]}
    is_simple = all(isinstance(each.domain, e.All) for each in action.parameters)
    if not others or not is_simple or any(isinstance(node, e.Call) for node in nodes(first)):
        return None
    return None if others & {node.name for node in nodes(first) if isinstance(node, e.Variable)} else first


def _valuations(
    program: Program,
    state: State,
    parameters: Sequence[e.Bound],
    test: e.Expression | None = None,
    values: tuple[int, ...] = (),
) -> Iterator[tuple[tuple[int, ...], Failure | None]]:
    """All values of the parameters. Where a domain cannot be evaluated all labels that begin like that fail. `test`: a
    condition on the first of them, without which none is of interest."""
    if len(values) == len(parameters):
        yield values, None
        return
    try:
        if test is not None and len(values) == 1 and not _may_hold(program, state, parameters, values, test):
            return
        domain = _run(program, state, parameters, values).domain(parameters[len(values)].domain)
    except Fails as error:
        rest = [range(first, first + step * radix, step) for first, step, radix in _digits(parameters)]
        yield from (((*values, *others), error.failure) for others in product(*rest[len(values) :]))
        return
    for value in domain:
        yield from _valuations(program, state, parameters, test, (*values, value))


def _may_hold(
    program: Program, state: State, parameters: Sequence[e.Bound], values: Sequence[int], test: e.Expression
) -> bool:
    """Where it has no value, that is said of each label."""
    try:
        return _run(program, state, parameters, values).holds(test)
    except (Fails, Discards):
        return True


def _run(program: Program, state: State, parameters: Sequence[e.Bound], values: Sequence[int]) -> Interpreter:
    run = Interpreter(program, state)
    for parameter, value in zip(parameters, values, strict=False):
        run.bind(parameter, value)
    return run


def _step(
    program: Program, action: Action, state: State, label: Label, *, guarded: bool
) -> Step[State, Label] | None:
    run = _run(program, state, action.parameters, label[1])
    try:
        if guarded and not run.holds(action.guard):
            return _without_effect(label, run)
    except Fails as error:
        return Step(label, error.failure, fired=False, covered=frozenset(run.covered))
    except Discards:
        return _without_effect(label, run)
    if run.memory != list(state):  # what a function called by a guard changes is forgotten
        covered = run.covered
        run = _run(program, state, action.parameters, label[1])
        run.covered |= covered
    result: Result
    run.notes = []
    try:
        run.action(action.body)
        result = _with_control(program, action, label, run.state)
        if process_in_control(program, result) is None and not _allowed(program, run):
            result = DISCARDED
    except Fails as error:
        result = error.failure
    except Discards:
        return Step(label, DISCARDED, covered=frozenset(run.covered), possible=False)
    return Step(label, result, covered=frozenset(run.covered), noted=tuple(run.notes))


# Processes


def _control_cell(program: Program) -> int:
    """Where a state holds the process in control."""
    assert program.control is not None
    before = takewhile(lambda each: each.name != program.control.name, program.variables)  # type: ignore[union-attr]
    return sum(width(each.type) for each in before)


def process_in_control(program: Program, state: State) -> int | None:
    """The process that alone may act, where there is one; the state is transient then."""
    if program.control is None:
        return None
    assert isinstance(program.control.type, Optional)
    return value_of(state[_control_cell(program)], program.control.type)


def _process(program: Program, action: Action, position: int | None, values: Sequence[int]) -> int | None:
    """The value of a parameter as that of the variable for the process in control."""
    if program.control is None or position is None:
        return None
    assert isinstance(program.control.type, Optional)
    return converted(values[position], action.parameters[position].type, program.control.type.type)


def _with_control(program: Program, action: Action, label: Label, state: State) -> State:
    """The state after a body, with the process that keeps control, if it can do something there."""
    if program.control is None:
        return state
    process = _process(program, action, action.keeps_control, label[1])
    if process is not None and not _can_act(program, process, state):
        process = None
    assert isinstance(program.control.type, Optional)
    at = _control_cell(program)
    return (*state[:at], code(process, program.control.type), *state[at + 1 :])


def _can_act(program: Program, process: int, state: State) -> bool:
    """Does the guard of an action of a process hold that is not idle? One that fails is something that it does."""
    for action in program.actions:
        if action.idle or action.actor is None:
            continue
        for values, failure in _valuations(program, state, action.parameters):
            if _process(program, action, action.actor, values) != process:
                continue
            try:
                if failure is not None or _run(program, state, action.parameters, values).holds(action.guard):
                    return True
            except Fails:
                return True
            except Discards:
                continue
    return False


def is_proper_end(program: Program, state: State) -> bool:
    """Does the condition hold under which a state without steps is no deadlock? Not where it fails."""
    return program.proper_end is not None and satisfies(program, program.proper_end, state) is True


def _without_effect(label: Label, run: Interpreter) -> Step[State, Label] | None:
    covered = frozenset(run.covered)
    return Step(label, DISCARDED, fired=False, covered=covered, possible=False) if covered else None


def printed(program: Program, state: State, label: Label) -> str:
    """What a step prints."""
    number, values = label
    action = program.actions[number]
    texts = []
    for each in action.prints:
        run = _run(program, state, action.parameters, values)
        run.notes = []
        try:
            run.action(action.body[: each.after])
            texts += [part if isinstance(part, str) else _printed_value(run, part) for part in each.parts]
        except (Fails, Discards):
            break
    return "".join(texts)


def _printed_value(run: Interpreter, part: PrintedValue) -> str:
    if part.expression is None:
        return "?"
    value = run.value(part.expression)
    match part.conversion:
        case "c":
            return chr(value % 256)
        case "x" | "o":
            return format(value % (1 << 32), part.conversion)
        case "u":
            return str(value % (1 << 32))
        case "e":
            return dict(part.names).get(value, str(value))
    return str(value)


def run_label(program: Program, state: State | None, label: Label) -> Step[State, Label] | None:
    """What one label does in a state, or a start's where there is none; None where it is not enabled."""
    number, values = label
    action = (program.starts if state is None else program.actions)[number]
    before = _blank(program) if state is None else state
    if (
        state is not None
        and action.idle
        and any(step.possible for step in _steps(program, program.actions, before, idle=False))
    ):
        return None
    process = process_in_control(program, before)
    if process is not None and _process(program, action, action.actor, values) != process:
        return None
    for i, (parameter, value) in enumerate(zip(action.parameters, values, strict=True)):
        try:
            if value not in _run(program, before, action.parameters, values[:i]).domain(parameter.domain):
                return None
        except Fails as error:
            return Step(label, error.failure, fired=False)
    step = _step(program, action, before, label, guarded=state is not None)
    return None if step is None or not (step.fired or step.possible) else step


def _allowed(program: Program, step: Interpreter) -> bool:
    """Does every assumption hold in the state that a step led to? They are evaluated in order until one does not, as the
    last part of the step: one that fails fails the step, and what their functions cover and note is added to what the step
    does. A state is also ruled out where an `Assume` statement ends the evaluation."""
    for each in program.properties:
        if each.kind != "assumption" or each.expression is None:
            continue
        run = Interpreter(program, step.state)
        run.notes = step.notes
        try:
            if not run.holds(each.expression):
                return False
        except Discards:
            return False
        finally:
            step.covered |= run.covered
    return True


def _may_be_visited(program: Program, state: State) -> bool:
    step = Interpreter(program, state)
    step.notes = []
    try:
        return _allowed(program, step)
    except Fails:
        return False


def judge(program: Program, state: State) -> Judgement:
    """Every property that has an expression, in order. Assumptions say no more than whether the state can be visited: what
    they fail with or cover belongs to the steps that lead to it."""
    failures = []
    found: dict[str, list[int]] = {kind: [] for kind in ("invariant", "cover", "goal")}
    for number, each in enumerate(program.properties, start=FIRST_PROPERTY):
        if each.kind not in found or each.expression is None:
            continue
        run = Interpreter(program, state)
        try:
            if run.holds(each.expression) == (each.kind in ("cover", "goal")):
                found[each.kind].append(number)
        except Fails as error:
            failures.append(error.failure)
        except Discards:
            continue
        finally:
            found["cover"] += run.covered  # of statements in functions
    return Judgement(
        violated=tuple(found["invariant"]),
        reached=tuple(found["goal"]),
        covered=tuple(sorted(set(found["cover"]))),
        failures=tuple(failures),
        allowed=_may_be_visited(program, state),
    )


def satisfies(program: Program, condition: e.Expression, state: State) -> bool | Failure:
    """Does the condition hold? Not where an assumption in a function ends its evaluation."""
    try:
        return Interpreter(program, state).holds(condition)
    except Fails as error:
        return error.failure
    except Discards:
        return False


# Labels


def show_label(program: Program, label: Label) -> str:
    """In the user's names: `RecvReqS(n1)`."""
    return _show(program.actions, label)


def show_start(program: Program, label: Label) -> str:
    return _show(program.starts, label)


def _show(actions: Sequence[Action], label: Label) -> str:
    action = actions[label[0]]
    parameters = zip(action.parameters, label[1], strict=False)
    values = [show_value(value, each.type) for each, value in parameters]
    if action.title is not None:
        return action.title.format(*values)
    return f"{action.name}({', '.join(values)})" if action.parameters else action.name


def label_number(program: Program, label: Label, *, starts: bool = False) -> int:
    """Actions in order; within one, the first parameter counts most. Starts have numbers of their own."""
    actions = program.starts if starts else program.actions
    number, values = label
    place = 0
    for (first, step, radix), value in zip(_digits(actions[number].parameters), values, strict=True):
        place = place * radix + (value - first) // step
    return sum(map(_labels, actions[:number])) + place


def label_at(program: Program, number: int) -> Label:
    """The inverse of `label_number`."""
    return _label_at(program.actions, number)


def start_at(program: Program, number: int) -> Label:
    return _label_at(program.starts, number)


def _label_at(actions: Sequence[Action], number: int) -> Label:
    action = 0
    while number >= _labels(actions[action]):
        number -= _labels(actions[action])
        action += 1
    values: list[int] = []
    for first, step, radix in reversed(_digits(actions[action].parameters)):
        values.insert(0, first + number % radix * step)
        number //= radix
    return action, tuple(values)


def label_counts(program: Program, *, starts: bool = False) -> list[int]:
    """How many labels each action, or each start, has."""
    return [_labels(action) for action in (program.starts if starts else program.actions)]


def labels_of(program: Program, *, starts: bool = False) -> int:
    return sum(label_counts(program, starts=starts))


def _labels(action: Action) -> int:
    return prod(radix for _, _, radix in _digits(action.parameters))


def _digits(parameters: Sequence[e.Bound]) -> list[tuple[int, int, int]]:
    """Of each parameter: the first value, the distance to the next, how many there may be."""
    return [_digit(each) for each in parameters]


def _digit(parameter: e.Bound) -> tuple[int, int, int]:
    match parameter.domain:
        case e.All(type_):
            low, high = limits(type_)
            return low, 1, high - low + 1
        case e.Range(e.Constant(first), e.Constant(last), e.Constant(step)):
            return first, step, len(range(first, last + (1 if step > 0 else -1), step))
        case e.Range():
            raise UnsupportedError(f"the range of {parameter.name} is not constant: labels have no numbers")
        case e.Positions(bag):
            bag_type = e.type_of_place(bag)
            assert isinstance(bag_type, Bag)
            return 0, 1, bag_type.capacity


def permuted_label(program: Program, generator: Generator, state: State, label: Label) -> Label:
    """The label that does in the image of the state what this one does in the state: elements are renamed, an entry is
    found where sorting has put it (equal entries keep their order)."""
    number, values = label
    parameters = program.actions[number].parameters
    images = []
    for i, (parameter, value) in enumerate(zip(parameters, values, strict=True)):
        if isinstance(parameter.domain, e.Positions):
            bag = _run(program, state, parameters, values[:i]).place(parameter.domain.bag)
            assert isinstance(bag.type, Bag)
            entries = bag_entries(bag.type, bag.content)
            moves = [(moved(generator, bag.type.element, entry), at) for at, entry in enumerate(entries)]
            images.append(sorted(moves).index(moves[value]))
        else:
            images.append(renamed(generator, value, parameter.type))
    return number, tuple(images)
