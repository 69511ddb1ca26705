"""Views: how the variables of a state are shown, where scalar by scalar is not how the user thinks of them.

Plain data beside a program: variables are named, so a view survives that the program is rewritten. A number is shown by its
name also where it has become an element of a sort, whose name is the number. Nothing but `kinds.program.showing` reads them.
"""

from __future__ import annotations

from burnside.records import record

Names = tuple[tuple[int, str], ...]
"""What numbers are called; the others are shown as they are."""


@record
class ValueNames:
    """Names of the numbers in a variable: in the field that the path leads to, in all elements of arrays on the way."""

    variable: str
    path: tuple[str, ...]
    names: Names


@record
class Queue:
    """Queues of messages, one for each index of `length`: fields are arrays by that index and by the position in the queue.
    `owners`: by index, the member (of `Members`) without which the queue does not exist; None for those that always do."""

    length: str
    fields: tuple[str, ...]
    owners: tuple[str | None, ...]
    tagged: bool
    """The first field says what kind of message it is: `ack(1)`."""


@record
class Members:
    """The elements of a sort, each with where it is and with variables of its own: arrays over the sort."""

    position: str
    places: tuple[str | None, ...]
    """By value of `position`; None: the member does not exist, and is not shown."""
    variables: tuple[tuple[str, str], ...]
    """Names in the program, and what the member calls them."""
    ranks: tuple[int, ...]
    """By element: where it stands among the members of all sorts."""


@record
class Hidden:
    """A variable that says nothing new."""

    variable: str


View = ValueNames | Queue | Members | Hidden
