"""Statements as traces show them: as they stand in the text, else written anew with macros and inlines expanded.

What a macro or an inline writes has its place where that is used or defined, so the text there need not be the
statement. It is taken only where it can be nothing else; it then has the user's own names of constants.
"""

from __future__ import annotations

from collections.abc import Sequence

from burnside.languages.promela import expressions as x
from burnside.languages.promela import statements as st
from burnside.languages.promela.printing import show_pattern

TITLE_LENGTH = 60
"""Of one statement."""
PATH_LENGTH = 76
"""Of several."""
DOTS = "..."
JUMP = "goto"
"""A step that only moves on, and stands nowhere in the text."""

_LEVELS = {
    **dict.fromkeys(("*", "/", "%"), 9),
    **dict.fromkeys(("+", "-"), 8),
    **dict.fromkeys(("<<", ">>"), 7),
    **dict.fromkeys(("<", "<=", ">", ">="), 6),
    **dict.fromkeys(("==", "!="), 5),
    "&": 4,
    "^": 3,
    "|": 2,
    "&&": 1,
    "||": 0,
}
_ATOM = 10


def title(statement: st.Statement) -> str:
    """On one line, without an end where it is long."""
    return truncated(written(statement) or expanded(statement), TITLE_LENGTH)


def truncated(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - len(DOTS)].rstrip()}{DOTS}"


def written(statement: st.Statement) -> str | None:
    """The text of the statement, where it is certain to be that."""
    at = statement.at
    text = " ".join(at.source.text[at.offset : at.end].split())
    signs = {
        st.Assignment: ("=", "++", "--"),
        st.Send: ("!",),
        st.Receive: ("?",),
        st.Condition: ("!", "[", "=", "<", ">", "&&", "||", "timeout", "skip", "run ", "@"),
        st.Print: ("printf", "printm"),
        st.Jump: ("goto", "break"),
    }.get(type(statement), ())
    is_one = not any(sign in text for sign in (";", "::", "{", "}", "/*", "#")) and text.count("->") == 0
    is_one |= isinstance(statement, st.Print) and text.endswith(")")
    is_it = any(sign in text for sign in signs)
    if isinstance(statement, st.Condition) and text.startswith("(") and text.endswith(")"):
        text = _unwrapped(text)
    return text if is_one and is_it else None


def _unwrapped(text: str) -> str:
    """Without parentheses around all of it."""
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return text[1:-1].strip() if at == len(text) - 1 else text
    return text


def expanded(statement: st.Statement) -> str:
    """As it could have been written."""
    match statement:
        case st.Condition(_, x.Number(_, 1, None)):
            return "skip"
        case st.Condition(_, test):
            return shown(test)
        case st.Else():
            return "else"
        case st.Assignment(_, target, value):
            return f"{shown(target)} = {_typed(value, target)}"
        case st.Assertion(_, test):
            return f"assert({shown(test)})"
        case st.Print(_, text, arguments):
            return f"printf({', '.join([_quoted(text), *map(shown, arguments)])})"
        case st.SetPriority(_, pid, priority):
            return f"set_priority({shown(pid)}, {shown(priority)})"
        case st.Send(_, channel, is_sorted, values):
            return f"{shown(channel)}{'!!' if is_sorted else '!'}{_message([*map(shown, values)], values)}"
        case st.Receive(_, channel, anywhere, keeps, patterns):
            texts = [_pattern(each) for each in patterns]
            listed = f"<{', '.join(texts)}>" if keeps else _message(texts, patterns)
            return f"{shown(channel)}{'??' if anywhere else '?'}{listed}"
        case st.Jump():
            return JUMP
        case st.DeterministicStep(_, graph):
            inner = "; ".join(title(each.statement) for each in graph.transitions)
            return f"d_step {{ {truncated(inner, TITLE_LENGTH - 11)} }}"
        case st.End():
            return "end"


def _message(texts: Sequence[str], parts: Sequence[object]) -> str:
    """`ack(1)` where the first part is a symbol."""
    first = parts[0]
    number = first.value if isinstance(first, x.Matched) else first
    if isinstance(number, x.Number) and number.symbol is not None and len(texts) > 1:
        return f"{texts[0]}({', '.join(texts[1:])})"
    return ", ".join(texts)


def _pattern(pattern: x.Pattern) -> str:
    match pattern:
        case x.Stored(_, target):
            return shown(target)
        case x.Matched(_, x.Number() as value):
            return shown(value)
        case x.Matched(_, value):
            return f"eval({shown(value)})"
    return show_pattern(pattern)


def _typed(value: x.Expression, target: x.Reference) -> str:
    if isinstance(value, x.Number) and value.symbol is None and getattr(target.type, "name", "") == "bool":
        return {0: "false", 1: "true"}.get(value.value, str(value.value))
    return shown(value)


def shown(tree: x.Expression, level: int = 0) -> str:
    """With no more parentheses than needed. `level`: operators that bind less need some."""
    match tree:
        case x.Number(_, value, symbol):
            return symbol or str(value)
        case x.Reference(_, variable, index, path):
            return variable.name + _index(index) + "".join(f".{p.field.name}{_index(p.index)}" for p in path)
        case x.Predefined(_, name):
            return name
        case x.Unary(_, operator, operand):
            return f"{operator}{shown(operand, _ATOM)}"
        case x.Binary(_, operator, left, right):
            own = _LEVELS[operator]
            text = f"{shown(left, own)} {operator} {shown(right, own + 1)}"
            return f"({text})" if own < level else text
        case x.Conditional(_, test, then, otherwise):
            return f"({shown(test)} -> {shown(then)} : {shown(otherwise)})"
        case x.Run(_, process, arguments):
            return f"run {process}({', '.join(map(shown, arguments))})"
        case x.ChannelQuery(_, operator, channel):
            return f"{operator}({shown(channel)})"
        case x.Poll(_, channel, anywhere, patterns):
            listed = _message([*map(_pattern, patterns)], patterns)
            return f"{shown(channel)}{'??' if anywhere else '?'}[{listed}]"
        case x.Enabled(_, function, operand):
            return f"{function}({shown(operand)})"
        case x.RemoteLabel(_, process, pid, label):
            return f"{process}{_index(pid)}@{label}"
        case x.RemoteVariable(_, process, pid, place):
            return f"{process}{_index(pid)}:{shown(place)}"


def _index(index: x.Expression | None) -> str:
    return "" if index is None else f"[{shown(index)}]"


def _quoted(text: str) -> str:
    return text if text.startswith('"') else f'"{text}"'


# Paths through atomic sequences

Steps = tuple[str, ...]
"""The titles of the statements of a path."""


def path_titles(paths: Sequence[Steps]) -> list[str]:
    """Paths that begin with the same statement, in a line each. Of a long one, the first statement and those that make
    it another path than the others."""
    telling = [_telling(each) for each in paths]
    return [_path_title(each, telling) for each in telling]


def _telling(path: Steps) -> Steps:
    """Without steps that only move on."""
    return tuple(each for each in path if each != JUMP) or path


def _path_title(path: Steps, paths: Sequence[Steps]) -> str:
    whole = "; ".join(path)
    if len(whole) <= PATH_LENGTH:
        return whole
    kept = _fitting(path)
    for other in paths:
        if other != path:
            at = next(
                (n for n, (a, b) in enumerate(zip(path, other, strict=False)) if a != b),
                min(len(path), len(other)),
            )
            kept |= {at} if at < len(path) else set()
    parts: list[str] = []
    for at, each in enumerate(path):
        if at in kept:
            parts.append(each)
        elif parts[-1] != DOTS:
            parts.append(DOTS)
    return "; ".join(parts)


def _fitting(path: Steps) -> set[int]:
    """The first statements, as many as fit in a line."""
    length, found = 0, set()
    for at, each in enumerate(path):
        length += len(each) + 2
        if at and length > PATH_LENGTH:
            break
        found.add(at)
    return found
