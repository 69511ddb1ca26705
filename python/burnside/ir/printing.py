"""A program as text that people can read: what `simulate` and diagnostics show, and what one looks at when two programs
that should be equal are not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Action, Function, Program, Property
from burnside.ir.types import INTEGER, show_type, show_value
from burnside.ir.views import Members
from burnside.ir.walking import nodes

MAX_SHOWN = 64
"""Entries of a table."""


Titles = Mapping[str, str]
"""What the user calls variables of processes, by their names in the program: arrays by process, where the user sees none."""
NO_TITLES: Titles = {}


def own_titles(program: Program) -> Titles:
    views = [each for each in program.views if isinstance(each, Members)]
    return {name: own for each in views for name, own in each.variables}


def show_place(place: e.Place, titles: Titles = NO_TITLES) -> str:
    match place:
        case e.Variable(name):
            return name
        case e.Index(e.Variable(name), index) if name in titles:
            # What a process calls its own; of another one, with that.
            is_own = isinstance(index, e.Read) and index.place == e.Variable("self", e.type_of(index))
            return titles[name] if is_own else f"{titles[name]} of {show_expression(index, titles)}"
        case e.Index(array, index):
            return f"{show_place(array, titles)}[{show_expression(index, titles)}]"
        case e.Component(record, name):
            return f"{show_place(record, titles)}.{name}"
        case e.Entry(bag, position):
            return f"{show_place(bag, titles)}[{show_expression(position, titles)}]"


def show_expression(expression: e.Expression, titles: Titles = NO_TITLES) -> str:
    show = partial(show_expression, titles=titles)
    match expression:
        case e.Constant(value, type_):
            return show_value(value, type_)
        case e.Read(place):
            return show_place(place, titles)
        case e.Binary(operator, left, right):
            return f"({show(left)} {operator} {show(right)})"
        case e.Negate(operator, operand):
            return f"{operator}{show(operand)}"
        case e.Not(operand):
            return f"not {show(operand)}"
        case e.Junction(operator, parts):
            return "(" + f" {operator} ".join(map(show, parts)) + ")"
        case e.Conditional(test, then, otherwise):
            return f"(if {show(test)} then {show(then)} else {show(otherwise)})"
        case e.Convert(operand, type_):
            return f"{show_type(type_)}({show(operand)})"
        case e.Quantified(quantifier, bound, body, every):
            return f"({quantifier} {'every ' if every else ''}{show_bound(bound)}. {show(body)})"
        case e.IsDefined(place):
            return f"defined({show_place(place)})"
        case e.IsMember(operand, sort):
            return f"({show(operand)} in {sort.name})"
        case e.Same(left, right):
            return f"({show_place(left)} == {show_place(right)})"
        case e.Count(bound, test):
            return f"count({show_bound(bound)}. {show(test)})"
        case e.Call(function, arguments):
            return f"{function}({', '.join(map(show_argument, arguments))})"
        case e.Wrap(operand, type_):
            return f"({show(operand)} wrapped to {show_type(type_)})"
        case e.Lookup(table, arguments, number):
            missing = "" if number is None else f" or property {number}"
            return f"{table.name}[{', '.join(map(show, arguments))}{missing}]"


def show_argument(argument: e.Expression | e.Place) -> str:
    if isinstance(argument, e.Variable | e.Index | e.Component | e.Entry):
        return show_place(argument)
    return show_expression(argument)


def show_bound(bound: e.Bound) -> str:
    match bound.domain:
        case e.All(type_):
            return f"{bound.name}: {show_type(type_)}"
        case e.Range(low, high, step):
            by = "" if step == e.Constant(1, INTEGER) else f" by {show_expression(step)}"
            return f"{bound.name}: {show_expression(low)} to {show_expression(high)}{by}"
        case e.Positions(bag):
            return f"{bound.name}: positions of {show_place(bag)}"


def _block(block: s.Block, indent: str) -> Iterator[str]:
    for statement in block:
        yield from _statement(statement, indent)


def _statement(statement: s.Statement, indent: str) -> Iterator[str]:
    inner = indent + "  "
    match statement:
        case s.Assign(place, value):
            yield f"{indent}{show_place(place)} := {show_expression(value)}"
        case s.Copy(target, source):
            yield f"{indent}{show_place(target)} := {show_place(source)}"
        case s.CopyCall(target, call):
            yield f"{indent}{show_place(target)} := {show_expression(call)}"
        case s.Clear(place):
            yield f"{indent}clear {show_place(place)}"
        case s.Undefine(place):
            yield f"{indent}undefine {show_place(place)}"
        case s.If(branches, otherwise):
            for word, branch in zip(["if"] + ["elif"] * len(branches), branches, strict=False):
                yield f"{indent}{word} {show_expression(branch.test)}"
                yield from _block(branch.body, inner)
            if otherwise:
                yield f"{indent}else"
                yield from _block(otherwise, inner)
        case s.For(bound, body):
            yield f"{indent}for {show_bound(bound)}"
            yield from _block(body, inner)
        case s.While(test, body, limit):
            yield f"{indent}while {show_expression(test)} (at most {limit} times)"
            yield from _block(body, inner)
        case s.Declare(variables, body):
            yield f"{indent}var {', '.join(f'{each.name}: {show_type(each.type)}' for each in variables)}"
            yield from _block(body, inner)
        case s.Bind(variable, place, body):
            yield f"{indent}alias {variable.name} = {show_place(place)}"
            yield from _block(body, inner)
        case s.Let(variable, value, body):
            yield f"{indent}let {variable.name} = {show_expression(value)}"
            yield from _block(body, inner)
        case s.CallStatement(call):
            yield f"{indent}{show_expression(call)}"
        case s.Return(None):
            yield f"{indent}return"
        case s.Return(value):
            assert value is not None
            yield f"{indent}return {show_argument(value)}"
        case s.Assert(test, number):
            yield f"{indent}assert {show_expression(test)} (property {number})"
        case s.Note(test, number):
            yield f"{indent}note {show_expression(test)} (property {number})"
        case s.Assume(test):
            yield f"{indent}assume {show_expression(test)}"
        case s.Cover(test, number):
            yield f"{indent}cover {show_expression(test)} (property {number})"
        case s.Add(bag, source):
            yield f"{indent}add {show_place(source)} to {show_place(bag)}"
        case s.Remove(bag, position):
            yield f"{indent}remove {show_place(bag)}[{show_expression(position)}]"
        case s.RemoveAll(bound, test):
            yield f"{indent}remove {show_bound(bound)} where {show_expression(test)}"


def _action(word: str, action: Action) -> Iterator[str]:
    parameters = ", ".join(map(show_bound, action.parameters))
    yield f"{word} {action.name!r}({parameters}){_roles(action)}"
    if action.guard != e.TRUE:
        yield f"  when {show_expression(action.guard)}"
    yield from _block(action.body, "  ")


def _roles(action: Action) -> str:
    """Who acts, who keeps control, and whether it is idle."""
    names = [each.name for each in action.parameters]
    roles = []
    if action.actor is not None:
        roles.append(f"by {names[action.actor]}")
    if action.keeps_control is not None:
        roles.append(f"{names[action.keeps_control]} keeps control")
    if action.idle:
        roles.append("idle")
    return f" {', '.join(roles)}" if roles else ""


def _table(table: e.Table) -> str:
    """Entries in order, a dash where there is none; of large tables the first."""
    types = " x ".join(map(show_type, table.arguments))
    shown = ["-" if each is None else show_value(each, table.result) for each in table.entries[:MAX_SHOWN]]
    if len(table.entries) > MAX_SHOWN:
        shown.append(f"... ({len(table.entries):,} entries)")
    return f"table {table.name}: {types} -> {show_type(table.result)} = {', '.join(shown)}"


def _function(function: Function) -> Iterator[str]:
    parameters = ", ".join(
        f"{'var ' if each.by_reference else ''}{each.variable.name}: {show_type(each.variable.type)}"
        for each in function.parameters
    )
    result = "" if function.result is None else f": {show_type(function.result)}"
    yield f"function {function.name}({parameters}){result}"
    yield from _block(function.body, "  ")


def _property(each: Property) -> str:
    expression = "" if each.expression is None else f": {show_expression(each.expression)}"
    return f"{each.kind} {each.name!r}{expression}"


def show_program(program: Program) -> str:
    lines = [f"program {program.name}"]
    for sort in program.sorts:
        lines.append(f"sort {sort.name} ({sort.symmetry}): {', '.join(sort.elements)}")
    for variable in program.variables:
        control = " (control)" if variable == program.control else ""
        lines.append(f"var {variable.name}: {show_type(variable.type)}{control}")
    tables = dict.fromkeys(each for each in nodes(program) if isinstance(each, e.Table))
    lines += map(_table, tables)
    for function in program.functions:
        lines += _function(function)
    for start in program.starts:
        lines += _action("start", start)
    for action in program.actions:
        lines += _action("action", action)
    lines += map(_property, program.properties)
    if program.proper_end is not None:
        lines.append(f"proper end: {show_expression(program.proper_end)}")
    return "\n".join(lines) + "\n"
