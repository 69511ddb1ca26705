"""fsmlib-cpp's machines as JSON: an object with `states` (`name`, `initial`) and `transitions` (`source`, `input`,
`output`, `target`), where `input` is a list of inputs that are all meant. What else it says is for drawing, and is
passed over.

In: a text. Out: a machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from json import JSONDecodeError, loads
from typing import Any

from burnside.diagnostics import InputError, Source
from burnside.testing.machine import Action, MachineBuilder, StateMachine


def read_object(source: Source) -> StateMachine:
    try:
        found = loads(source.text)
    except (ValueError, RecursionError) as error:
        at = error.pos if isinstance(error, JSONDecodeError) else 0
        raise InputError(source.diagnostic("this is no JSON text", at)) from None
    return _Object(source, found).machine()


class _Object:
    def __init__(self, source: Source, found: Any) -> None:
        self._source = source
        self._found: Mapping[str, Any] = found if isinstance(found, dict) else {}
        self._builder = MachineBuilder(source.name)

    def machine(self) -> StateMachine:
        initial = []
        for state in self._list(self._found, "states"):
            name = self._text(state, "name")
            if name in self._builder.states:
                raise self._error(f"two states are called {name!r}", name)
            number = self._builder.state(name)
            if state.get("initial") is True:
                initial.append(number)
        for edge in self._list(self._found, "transitions"):
            begin, end = (self._state(self._text(edge, each)) for each in ("source", "target"))
            output = self._text(edge, "output")
            for given in self._list(edge, "input"):
                if not isinstance(given, str):
                    raise self._error("an input is a text")
                self._builder.edge(begin, Action(given, output), end)
        if not initial:
            raise self._error("no state is initial")
        return self._builder.machine(initial)

    def _list(self, record: Any, name: str) -> list[Any]:
        found = record.get(name) if isinstance(record, dict) else None
        if not isinstance(found, list):
            raise self._error(
                f"expected a list {name!r}: an object has states (name, initial) and transitions "
                "(source, input, output, target)"
            )
        return found

    def _text(self, record: Any, name: str) -> str:
        found = record.get(name) if isinstance(record, dict) else None
        if not isinstance(found, str):
            raise self._error(f"expected a text {name!r} in each state and transition")
        return found

    def _state(self, name: str) -> int:
        if name not in self._builder.states:
            raise self._error(f"there is no state {name!r}", name)
        return self._builder.states[name]

    def _error(self, message: str, name: str | None = None) -> InputError:
        """At a text of the file, where there is one to point at."""
        at = -1 if name is None else self._source.text.find(f'"{name}"')
        length = 1 if name is None or at < 0 else len(name) + 2
        return InputError(self._source.diagnostic(message, max(0, at), length))
