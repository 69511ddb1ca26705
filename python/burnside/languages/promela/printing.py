"""Statements and expressions as text, in the words of Spin (`pan -d`): for traces, and to compare with Spin."""

from __future__ import annotations

from collections.abc import Sequence

from burnside.languages.promela import expressions as e
from burnside.languages.promela import statements as s


def show_statement(statement: s.Statement) -> str:
    match statement:
        case s.Condition(_, test):
            return f"({show(test)})"
        case s.Else():
            return "else"
        case s.Assignment(_, target, value):
            return f"{show(target)} = {show(value)}"
        case s.Assertion(_, test):
            return f"assert({show(test)})"
        case s.Print(_, text, arguments):
            return f"printf('{text}'{''.join(',' + show(each) for each in arguments)})"
        case s.SetPriority(_, e.Predefined(_, "_pid"), priority):
            return f"_priority = {show(priority)}"
        case s.SetPriority(_, pid, priority):
            return f"set_priority({show(pid)}, {show(priority)})"
        case s.Send(_, channel, is_sorted, values):
            return f"{show(channel)}{'!!' if is_sorted else '!'}{_listed(values)}"
        case s.Receive(_, channel, anywhere, keeps, patterns):
            listed = ",".join(map(show_pattern, patterns))
            return f"{show(channel)}{'??' if anywhere else '?'}{f'<{listed}>' if keeps else listed}"
        case s.Jump():
            return "goto"
        case s.DeterministicStep(at):
            return f"D_STEP{at.span.line}"
        case s.End():
            return "-end-"


def show_pattern(pattern: e.Pattern) -> str:
    match pattern:
        case e.Stored(_, target):
            return show(target)
        case e.Matched(_, e.Number() as value):
            return show(value)
        case e.Matched(_, value):
            return f"eval({show(value)})"
        case e.Ignored():
            return "_"


def show(tree: e.Expression) -> str:
    match tree:
        case e.Number(_, value, symbol):
            return symbol or str(value)
        case e.Reference(_, variable, index, path):
            return variable.name + _index(index) + "".join(f".{p.field.name}{_index(p.index)}" for p in path)
        case e.Predefined(_, name):
            return name
        case e.Unary(_, operator, operand):
            return f"{operator}({show(operand)})"
        case e.Binary(_, operator, left, right):
            return f"({show(left)}{operator}{show(right)})"
        case e.Conditional(_, test, then, otherwise):
            return f"({show(test)} -> {show(then)} : {show(otherwise)})"
        case e.Run(_, process, arguments):
            return f"run {process}({_listed(arguments)})"
        case e.ChannelQuery(_, operator, channel):
            return f"{operator}({show(channel)})"
        case e.Poll(_, channel, anywhere, patterns):
            return f"{show(channel)}{'??' if anywhere else '?'}[{','.join(map(show_pattern, patterns))}]"
        case e.Enabled(_, function, operand):
            return f"{function}({show(operand)})"
        case e.RemoteLabel(_, process, pid, label):
            return f"{process}{_index(pid)}@{label}"
        case e.RemoteVariable(_, process, pid, place):
            return f"{process}{_index(pid)}:{show(place)}"


def _index(index: e.Expression | None) -> str:
    return "" if index is None else f"[{show(index)}]"


def _listed(trees: Sequence[e.Expression]) -> str:
    return ",".join(map(show, trees))
