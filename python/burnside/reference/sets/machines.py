"""What a machine can do: set-ups of its constants, initialisations, operations, and what a state says about the claims.

In: a machine and a state. Out: one `Step` for each label and next state, or failure; a `Judgement`. A set-up state has
values for the constants and `UNSET` for the variables (and where there are no variables, one `UNSET` more, so that it
differs from the state after initialisation). `kinds.machine` makes a `Semantics` of it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import wraps
from typing import TypeVar

from burnside.ir.sets.expressions import Apply, Expression, Name
from burnside.ir.sets.machine import INITIALISATION, SETUP, Claim, Machine, Operation
from burnside.ir.sets.notation import notation_of
from burnside.ir.sets.types import BOOLEAN
from burnside.records import record, replace
from burnside.reference.failures import Fails
from burnside.reference.sets.cuts import CUTS, Cuts, Limits
from burnside.reference.sets.evaluation import NOTATION, Environment, evaluate, free_names, holds
from burnside.reference.sets.failures import NotListed, TooLarge, Undefined, model_error
from burnside.reference.sets.solving import solutions
from burnside.reference.sets.substitutions import outcomes, valuations
from burnside.reference.sets.values import UNSET, Generator, State, Value, permuted
from burnside.semantics import FIRST_PROPERTY, Failure, Judgement, Step

# Sums of many terms are deep, and each level is a few calls.
sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))

MAX_TRIED_SETUPS = 1_000_000
"""Valuations of constants that are tried to find one for which the properties are undefined."""


@record
class Label:
    """What happens: an operation with the values of its parameters and results, `SETUP_CONSTANTS` or `INITIALISATION`."""

    name: str
    arguments: tuple[Value, ...] = ()
    results: tuple[Value, ...] = ()


MachineStep = Step[State, Label]


def is_setup(machine: Machine, state: State) -> bool:
    """Are the constants all that is known?"""
    names = len(machine.state_names)
    if len(state) > names:
        return True
    return bool(machine.variables) and all(value is UNSET for value in state[len(machine.constants) :])


def environment_of(machine: Machine, state: State, cuts: Cuts | None = None) -> Environment:
    """`cuts` collects names whose values are not all tried."""
    environment = dict(zip((each.name for each in machine.state_names), state, strict=False))
    environment[CUTS] = new_cuts(machine) if cuts is None else cuts
    environment[NOTATION] = notation_of(machine)
    return environment


def new_cuts(machine: Machine) -> Cuts:
    return Cuts(Limits(*machine.numbers, machine.cut_rule == "from-lower-bound"))


Asked = TypeVar("Asked", bound=Callable[..., object])


def _shallow(function: Asked) -> Asked:
    """An expression may be nested more deeply than Python can go."""

    @wraps(function)
    def inner(*given: object, **named: object) -> object:
        try:
            return function(*given, **named)
        except RecursionError:
            raise TooLarge("an expression is nested too deeply for the reference engine") from None

    return inner  # type: ignore[return-value]


# Steps


def starts(machine: Machine, cuts: Cuts | None = None) -> list[MachineStep]:
    """What happens first."""
    return setups(machine, cuts) if machine.has_setup else initialisations(machine, None, cuts)


@_shallow
def setups(machine: Machine, cuts: Cuts | None = None) -> list[MachineStep]:
    """One for each valuation of the constants that satisfies all properties."""
    rest = (UNSET,) * max(1, len(machine.variables))
    found = valuations(machine.constants, _properties(machine), environment_of(machine, (), cuts))
    return [Step(Label(SETUP), (*_values(machine.constants, each), *rest)) for each in found]


@_shallow
def undefined_setup(machine: Machine) -> Failure | None:
    """Why properties are undefined for some valuation of the constants. None where too many would have to
    be tried."""
    environment = environment_of(machine, ())
    with suppress(NotListed):
        for found in solutions(machine.constants, _properties(machine), environment, most=MAX_TRIED_SETUPS):
            if isinstance(found.trouble, Undefined):
                return found.trouble.failure()
    return None


def _properties(machine: Machine) -> Apply:
    return Apply("and", machine.properties, BOOLEAN)


@_shallow
def setup_failure(machine: Machine) -> Failure | None:
    """Why there is no set-up, or why properties without constants do not hold; where one is undefined, that."""
    with suppress(NotListed):
        for found in solutions(machine.constants, _properties(machine), environment_of(machine, ())):
            if found.trouble is None:
                return None
            if isinstance(found.trouble, Undefined):
                return found.trouble.failure()
            raise found.trouble
    return model_error(
        "assertion", f"no values of the constants satisfy the {notation_of(machine).properties}"
    )


def missing_start(machine: Machine) -> str:
    """Why a machine without initial states has none, in words."""
    failure = setup_failure(machine) if machine.has_setup else None
    if failure is not None:
        return failure.message
    return notation_of(machine).no_start.format(machine.start_title)


@_shallow
def initialisations(
    machine: Machine, setup: State | None = None, cuts: Cuts | None = None
) -> list[MachineStep]:
    """From a set-up state; None: of a machine without constants."""
    before = setup if setup is not None else (UNSET,) * len(machine.variables)
    environment = environment_of(machine, before, cuts)
    results: list[State | Failure] = []
    for outcome in outcomes(machine.initialisation, environment):
        results.append(outcome if isinstance(outcome, Failure) else _next(machine, environment, outcome))
    return _once(Step(Label(INITIALISATION), _complete(machine, each)) for each in results)


def _complete(machine: Machine, result: State | Failure) -> State | Failure:
    """Every variable has to have a value."""
    if isinstance(result, Failure):
        return result
    for name, value in zip(machine.state_names, result, strict=True):
        if value is UNSET:
            return model_error("unset", f"'{name.name}' has no value after the initialisation", name.span)
    return result


@_shallow
def steps(machine: Machine, state: State, cuts: Cuts | None = None) -> list[MachineStep]:
    """In the order of operations; each label and next state once."""
    if is_setup(machine, state):
        return initialisations(machine, state, cuts)
    environment = environment_of(machine, state, cuts)
    return _once(step for each in machine.operations for step in _operation(machine, each, environment))


def _operation(machine: Machine, operation: Operation, environment: Environment) -> Iterator[MachineStep]:
    try:
        for found in valuations(operation.parameters, operation.guard, environment):
            arguments = _values(operation.parameters, found)
            inner = {**found, **{each.name: UNSET for each in operation.results}}
            for outcome in outcomes(operation.body, inner):
                if isinstance(outcome, Failure):
                    yield Step(Label(operation.name, arguments), outcome)
                else:
                    label = Label(operation.name, arguments, _values(operation.results, {**inner, **outcome}))
                    yield Step(label, _next(machine, environment, outcome))
    except Fails as fails:
        yield Step(Label(operation.name), fails.failure)


def _values(names: Iterable[Name], environment: Environment) -> tuple[Value, ...]:
    return tuple(environment[each.name] for each in names)


def _next(machine: Machine, environment: Environment, writes: Environment) -> State:
    names = [each.name for each in machine.state_names]
    return tuple(writes[name] if name in writes else environment[name] for name in names)


def _once(found: Iterable[MachineStep]) -> list[MachineStep]:
    return list(dict.fromkeys(found))


# Claims


@_shallow
def judge(machine: Machine, state: State) -> Judgement:
    """Before initialisation only assertions about constants alone are evaluated."""
    environment = environment_of(machine, state)
    early = {each.name for each in machine.constants} if is_setup(machine, state) else None
    violated, reached, failures = [], [], []
    for number, claim in enumerate(machine.claims, start=FIRST_PROPERTY):
        if early is not None and (claim.kind != "assertion" or not free_names(claim.predicate) <= early):
            continue
        try:
            if holds(claim.predicate, environment):
                if claim.kind == "goal":
                    reached.append(number)
            elif claim.kind != "goal":
                violated.append(number)
        except Undefined as undefined:
            failures.append(_without_value(claim, number, undefined.failure()))
        except Fails as fails:
            failures.append(_without_value(claim, number, fails.failure))
    return Judgement(tuple(violated), tuple(reached), failures=tuple(failures))


@_shallow
def satisfies(machine: Machine, condition: Expression, state: State) -> bool | Failure:
    try:
        return holds(condition, environment_of(machine, state))
    except Undefined as undefined:
        return undefined.failure()
    except Fails as fails:
        return fails.failure


@_shallow
def has_arguments(machine: Machine, wanted: Iterable[Expression | None], state: State, label: Label) -> bool:
    """Are these the arguments of a label? They may refer to constants; one without a value is none of them."""
    environment = environment_of(machine, state)
    try:
        pairs = zip(wanted, label.arguments, strict=True)
        return all(each is None or evaluate(each, environment) == value for each, value in pairs)
    except Undefined:
        return False


def _without_value(claim: Claim, number: int, failure: Failure) -> Failure:
    """An error of the model, with the name of the claim."""
    return replace(failure, message=f"{claim.name}: {failure.message}", evaluated=number)


# Labels and states in words


def show_label(machine: Machine, label: Label) -> str:
    """In B's notation: `borrow(ann,book1) --> TRUE`."""
    operation = next((each for each in machine.operations if each.name == label.name), None)
    if operation is None:
        return machine.start_title if label.name == INITIALISATION else label.name
    arguments = label.arguments
    answers = [None if value is UNSET else value for value in label.results]
    parameters, results = operation.parameters[: len(arguments)], operation.results[: len(answers)]
    return notation_of(machine).operation(label.name, parameters, arguments, results, answers)


def show_state(machine: Machine, state: State) -> list[tuple[str, str]]:
    """Names and values of what has a value."""
    shown = notation_of(machine).value
    return [
        (name.name, shown(value, name.type))
        for name, value in zip(machine.state_names, state, strict=False)
        if value is not UNSET
    ]


def permuted_label(label: Label, generator: Generator) -> Label:
    """The label that does in the image of a state what this one does in the state."""
    arguments = tuple(permuted(each, generator) for each in label.arguments)
    return Label(label.name, arguments, tuple(permuted(each, generator) for each in label.results))
