"""Finite state machines with a size, their patterns, and orders for their kernels: what `burnside example` writes of them.

In: a family's name and its parameters as they stand on the command line. Out: a `Member`, which builds the machine, the
pattern and the orders. `MACHINE_FAMILIES` is the table that `--list` prints; whatever does not fit it is a `UsageError` that
says what would.

All come from Romijn and Springintveld (1999, section 7), whose figures they have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from burnside.diagnostics import UsageError
from burnside.families.machines import chatbox, ring, train
from burnside.families.parameters import (
    FamilyParameter,
    Limit,
    SizedFamily,
    parameter_values,
    refuse_giants,
    unknown_family,
)
from burnside.records import record
from burnside.testing.machine import StateMachine
from burnside.testing.patterns import Pattern

MAX_EDGES = 100_000_000
_LIMIT = Limit(MAX_EDGES, "edges")
_MAX_EXPONENT = 64
"""Sizes are cut off where they are far beyond any limit: 10^6 stations are refused without the power of 4."""

Order = Callable[..., tuple[str, ...]]


@record
class MachineFamily(SizedFamily):
    """One parameterised machine, and how it is built. `orders`: by name, the default first. `edges`: of the machine, as a
    formula. All take the values of the parameters."""

    machine: Callable[..., StateMachine]
    pattern: Callable[..., Pattern]
    orders: Mapping[str, Order]
    edges: Callable[..., int]

    @property
    def default_order(self) -> str:
        return next(iter(self.orders))


@record
class Member:
    """A family with its parameters, which are fine."""

    family: MachineFamily
    values: tuple[int, ...]

    def machine(self) -> StateMachine:
        return self.family.machine(*self.values)

    def pattern(self) -> Pattern:
        return self.family.pattern(*self.values)

    def order(self, name: str | None = None) -> tuple[str, ...]:
        """All inputs of the machine, the least first; UsageError where the family has no order of that name."""
        orders = self.family.orders
        found = orders.get(self.family.default_order if name is None else name)
        if found is None:
            raise UsageError(
                f"no order of '{self.family.name}' is called '{name}'; there are {', '.join(orders)}"
            )
        return found(*self.values)


def member(name: str, params: Sequence[str | int]) -> Member:
    """UsageError where there is no such family, or none of that size."""
    family = MACHINE_FAMILIES.get(name)
    if family is None:
        raise unknown_family(name, MACHINE_FAMILIES)
    values = parameter_values(family, params, _LIMIT)
    refuse_giants(family, values, family.edges(*values), _LIMIT)
    return Member(family, tuple(values))


def _chatbox_edges(users: int, *, joining: bool) -> int:
    users = min(users, _MAX_EXPONENT)
    bits = users * (users - 1) + (users if joining else 0)
    inputs: int = 2 * users * users + (2 * users if joining else 0)
    return inputs << bits


def _plain_train_edges(stations: int) -> int:
    """Every state but the initial one has an edge for each request and one more."""
    stations = min(stations, _MAX_EXPONENT)
    states = (5 * stations << 2 * stations - 1) + 5
    return (2 * stations + 1) * states - 1


def _mealy_train_edges(stations: int) -> int:
    """Every state has an edge for each input; but a train that closes its door and is to leave has none for the two requests
    for its own station."""
    stations = min(stations, _MAX_EXPONENT)
    elsewhere: int = 4 ** (stations - 1)
    one_sided: int = 4 ** (stations - 1 - stations // 2)
    states = 6 * stations * (2 * elsewhere - 3 * one_sided + 1)
    return (2 * stations + 1) * states - 4 * stations * (elsewhere - one_sided)


def _chatbox_orders(*, joining: bool) -> Mapping[str, Order]:
    return {name: partial(chatbox.order, name=name, joining=joining) for name in chatbox.ORDERS}


def _train_orders(*, mealy: bool) -> Mapping[str, Order]:
    def ascending(stations: int) -> tuple[str, ...]:
        return train.order(stations, range(stations), mealy=mealy)

    def descending(stations: int) -> tuple[str, ...]:
        return train.order(stations, range(stations)[::-1], mealy=mealy)

    by_name: dict[str, Order] = {"descending": descending, "ascending": ascending}
    return {"published": train.order, **by_name} if mealy else by_name


_R = "Romijn and Springintveld 1999, 7."

MACHINE_FAMILIES: Mapping[str, MachineFamily] = MappingProxyType(
    {
        family.name: family
        for family in (
            MachineFamily(
                "chatbox",
                (FamilyParameter("users", 2),),
                "users join, leave, and send each other messages that are acknowledged; Mealy machine",
                _R + "1",
                chatbox.machine,
                chatbox.pattern,
                _chatbox_orders(joining=True),
                partial(_chatbox_edges, joining=True),
            ),
            MachineFamily(
                "chatbox-fixed",
                (FamilyParameter("users", 2),),
                "the chatbox of users who are always present; Mealy machine",
                _R + "1",
                partial(chatbox.machine, joining=False),
                partial(chatbox.pattern, joining=False),
                _chatbox_orders(joining=False),
                partial(_chatbox_edges, joining=False),
            ),
            MachineFamily(
                "train",
                (FamilyParameter("stations", 3),),
                "a train on a ring of stations, called and sent; Mealy machine, not input enabled",
                _R + "2",
                train.machine,
                train.pattern,
                _train_orders(mealy=True),
                _mealy_train_edges,
            ),
            MachineFamily(
                "train-plain",
                (FamilyParameter("stations", 3),),
                "the train as a labelled transition system",
                _R + "2",
                partial(train.machine, mealy=False),
                partial(train.pattern, mealy=False),
                _train_orders(mealy=False),
                _plain_train_edges,
            ),
            MachineFamily(
                "ring",
                (),
                "leader election of three stations on a ring with lossy links; labelled transition system, nondeterministic",
                _R + "3",
                ring.machine,
                ring.pattern,
                {
                    "descending": partial(ring.order, descending=True),
                    "ascending": partial(ring.order, descending=False),
                },
                lambda: 779_040,
            ),
        )
    }
)
