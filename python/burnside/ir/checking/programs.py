"""The whole program: declarations, then functions, start states, actions and properties, each in its own scope."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, get_args

from burnside.diagnostics import Diagnostic, InputError
from burnside.ir import expressions as e
from burnside.ir.checking.expressions import STATED, Name, Scope, converts
from burnside.ir.checking.failures import Wrong, items, kind_of, number, one_of, refuse, text
from burnside.ir.checking.statements import Statements
from burnside.ir.checking.types import MAX_SCALARS, Types, bare
from burnside.ir.program import Action, Function, Parameter, Program, Property, PropertyKind, RangeName
from burnside.ir.types import Element, Optional, Union
from burnside.ir.types import show_type as shown
from burnside.ir.views import Hidden, Members, Queue, ValueNames
from burnside.ir.walking import nodes

KINDS: tuple[str, ...] = get_args(PropertyKind)
OPTIONAL = (*STATED, "cover")
"""Kinds of properties that may have no expression."""


def check_program(program: Program) -> None:
    """`InputError` for the first thing that is wrong."""
    try:
        _Checker(program).check()
    except Wrong as wrong:
        raise InputError(_diagnostic(program, wrong.reason, wrong)) from None
    except RecursionError:
        raise InputError(_diagnostic(program, "expressions or statements are nested too deeply")) from None


def _diagnostic(program: Program, reason: str, wrong: Wrong | None = None) -> Diagnostic:
    name = program.name if isinstance(program.name, str) else None
    return Diagnostic(reason, name, None if wrong is None else wrong.span)


@contextmanager
def _inside(what: str) -> Iterator[None]:
    """Says in which part of the program something is wrong."""
    try:
        yield
    except Wrong as wrong:
        raise Wrong(f"{what}: {wrong.reason}", wrong.span) from None


class _Checker:
    def __init__(self, program: Program) -> None:
        self.program = program
        text(program.name, "the name of the program")
        self.types = Types(program.sorts)
        self.state = self._state()
        self._control()
        self.functions = self._functions()
        kinds = tuple(self._kind(each) for each in items(program.properties, "the properties"))
        self.code = Statements(self.types, self.functions, self.state, kinds)

    # Declarations

    def _state(self) -> Scope:
        scope: Scope = {}
        cells = 0
        for variable in items(self.program.variables, "the variables"):
            if not isinstance(variable, e.Variable):
                refuse(f"{kind_of(variable)} is no variable")
            name = text(variable.name, "the name of a variable")
            if name in scope:
                refuse(f"two variables are named {name}")
            if variable.is_state is not True:
                refuse(f"the variable {name} is not marked as part of the state")
            self.types.stored(variable.type, name)
            cells += self.types.cells(variable.type)
            scope[name] = Name(variable.type, "state")
        if cells > MAX_SCALARS:
            refuse(f"a state holds more than {MAX_SCALARS:,} values")
        for each in items(self.program.range_names, "the names of ranges"):
            if not isinstance(each, RangeName):
                refuse(f"{kind_of(each)} is no name of a range")
        self._shown(scope)
        return scope

    def _shown(self, scope: Scope) -> None:
        """What says how things are shown and counted."""
        if not isinstance(self.program.counts_starts, bool):
            refuse("counts_starts is neither true nor false")
        for view in items(self.program.views, "the views"):
            match view:
                case ValueNames(variable) | Hidden(variable):
                    named = [variable]
                case Queue(length, fields):
                    named = [length, *fields]
                case Members(position, _, variables):
                    named = [position, *(name for name, _ in variables)]
                case _:
                    refuse(f"{kind_of(view)} is no view")
            for name in named:
                if name not in scope:
                    refuse(f"a view is of {name}, which is no variable of the state")

    def _control(self) -> None:
        """It is a variable that holds a process or nothing; code does not see it."""
        control = self.program.control
        if control is None:
            return
        if not isinstance(control, e.Variable):
            refuse(f"the control is {kind_of(control)}, not a variable")
        if control not in self.program.variables:
            refuse(f"the control {control.name} is no variable of the state")
        if not (isinstance(control.type, Optional) and isinstance(control.type.type, Element | Union)):
            refuse(
                f"the control {control.name} is {shown(control.type)}, not an element that may be undefined"
            )
        self.state = {name: each for name, each in self.state.items() if name != control.name}

    def _functions(self) -> dict[str, Function]:
        found: dict[str, Function] = {}
        for function in items(self.program.functions, "the functions"):
            if not isinstance(function, Function):
                refuse(f"{kind_of(function)} is no function")
            name = text(function.name, "the name of a function")
            if name in found:
                refuse(f"two functions are named {name}", function)
            with _inside(f"function {name!r}"):
                for parameter in items(function.parameters, "the parameters"):
                    self._parameter(parameter)
                if function.result is not None:
                    self.types.stored(function.result, "the result")
            found[name] = function
        return found

    def _parameter(self, parameter: Any) -> None:
        if not isinstance(parameter, Parameter) or not isinstance(parameter.variable, e.Variable):
            refuse(f"{kind_of(parameter)} is no parameter")
        if not isinstance(parameter.by_reference, bool):
            refuse("by_reference is neither true nor false")
        self.types.stored(parameter.variable.type, text(parameter.variable.name, "the name of a parameter"))

    def _kind(self, property_: Any) -> PropertyKind:
        if not isinstance(property_, Property):
            refuse(f"{kind_of(property_)} is no property")
        one_of(property_.kind, KINDS, "the kind of a property")
        with _inside(f"{property_.kind} {text(property_.name, 'the name of a property')!r}"):
            if property_.expression is None and property_.kind not in OPTIONAL:
                refuse("there is no expression", property_)
            if property_.expression is not None and property_.kind in STATED:
                refuse("statements decide it, so it has no expression", property_)
        return property_.kind

    # Code

    def check(self) -> None:
        program = self.program
        own: set[str] = {each.name for each in program.variables}
        for function in program.functions:
            with _inside(f"function {function.name!r}"):
                own |= self._unique(self._function(function), own)
        self._check_calls()
        for kind, actions in (("start state", program.starts), ("action", program.actions)):
            for action in items(actions, f"the {kind}s"):
                if not isinstance(action, Action):
                    refuse(f"{kind_of(action)} is no {kind}")
                with _inside(f"{kind} {text(action.name, 'the name of an action')!r}"):
                    self._unique(self._action(action), own)
                    self._roles(action, is_start=kind == "start state")
        for each in program.properties:
            with _inside(f"{each.kind} {each.name!r}"):
                self.code.bound = set()
                if each.expression is not None:
                    self.code.truth(each.expression, self.state, "the expression")
                self._unique(self.code.bound, own)
        if program.proper_end is not None:
            with _inside("the proper end"):
                self.code.bound = set()
                self.code.truth(program.proper_end, self.state, "the expression")
                self._unique(self.code.bound, own)

    def _unique(self, names: set[str], taken: set[str]) -> set[str]:
        """A function runs in the middle of what calls it, and engines keep all names in one table."""
        for name in sorted(names & taken):
            refuse(f"{name} is a name of a function or of the state too: names are unique")
        return names

    def _function(self, function: Function) -> set[str]:
        code = self.code
        code.bound, code.result = set(), function.result
        scope = self.state
        for parameter in function.parameters:
            scope = code.local(parameter.variable, "place", scope)
        code.block(function.body, scope)
        code.result = None
        return code.bound

    def _action(self, action: Action) -> set[str]:
        code = self.code
        code.bound = set()
        scope = self.state
        for parameter in items(action.parameters, "the parameters"):
            if isinstance(getattr(parameter, "domain", None), e.Range):
                refuse("parameters of actions take the values of a type, or positions in a bag", action)
            scope = code.bind_bound(parameter, scope)
        code.truth(action.guard, scope, "the guard")
        code.block(action.body, scope)
        return code.bound

    def _roles(self, action: Action, *, is_start: bool) -> None:
        """Who acts and who keeps control are processes, and control is there to be kept."""
        if not isinstance(action.idle, bool):
            refuse("idle is neither true nor false", action)
        if action.title is not None:
            try:
                text(action.title, "the title of an action").format(
                    *[each.name for each in action.parameters]
                )
            except (AttributeError, IndexError, KeyError, ValueError):
                refuse(f"the title {action.title!r} names more than the arguments", action)
        if is_start and (action.actor is not None or action.keeps_control is not None or action.idle):
            refuse("no process acts in a start state", action)
        self._process(action, action.actor, "the actor")
        self._process(action, action.keeps_control, "what keeps control")
        if action.keeps_control is not None and self.program.control is None:
            refuse("a process keeps control, and the program has no variable for it", action)

    def _process(self, action: Action, at: Any, what: str) -> None:
        if at is None:
            return
        if not 0 <= number(at, what) < len(action.parameters):
            refuse(f"{what} is parameter {at}, and there are {len(action.parameters)}", action)
        type_ = action.parameters[at].type
        if not isinstance(type_, Element):
            refuse(f"{what} is {shown(type_)}, not an element of a sort", action)
        control = self.program.control
        if control is not None and not converts(type_, bare(control.type)):
            refuse(f"{what} is {shown(type_)}, and control is {shown(control.type)}", action)

    def _check_calls(self) -> None:
        """No function calls itself, not even through others."""
        calls = {
            name: {each.function for each in nodes(*function.body) if isinstance(each, e.Call)}
            for name, function in self.functions.items()
        }
        finished: set[str] = set()
        while len(finished) < len(calls):
            ready = [name for name in calls if name not in finished and calls[name] <= finished]
            if not ready:
                cycle = ", ".join(sorted(set(calls) - finished))
                refuse(f"functions call each other in a circle, or are called by such: {cycle}")
            finished.update(ready)
