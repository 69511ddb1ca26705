"""Formulas as tables, in which they cross into the core: operands before what is made of them, the formula itself last."""

from __future__ import annotations

from burnside.temporal import formulas as f

Row = tuple[str, tuple[int, ...]]

OPERATORS: dict[type, str] = {
    f.Not: "not",
    f.And: "and",
    f.Or: "or",
    f.Next: "next",
    f.Until: "until",
    f.Release: "release",
    f.Yesterday: "yesterday",
    f.Since: "since",
    f.Trigger: "trigger",
    f.Exists: "exists",
    f.Forall: "forall",
}


def table_of(formula: f.Formula) -> list[Row]:
    """Equal subformulas have one row."""
    rows: list[Row] = []
    numbers: dict[Row, int] = {}
    by_node: dict[int, int] = {}
    open_: list[tuple[f.Formula, bool]] = [(formula, False)]
    while open_:
        node, operands_are_there = open_.pop()
        if id(node) in by_node:
            continue
        operands = f.children(node)
        if not operands_are_there:
            open_.append((node, True))
            open_ += [(each, False) for each in operands]
            continue
        row = _row(node, tuple(by_node[id(each)] for each in operands))
        if row not in numbers:
            numbers[row] = len(rows)
            rows.append(row)
        by_node[id(node)] = numbers[row]
    top = by_node[id(formula)]
    # A formula that is part of itself by value is not last.
    return rows if top == len(rows) - 1 else [*rows, rows[top]]


def _row(node: f.Formula, operands: tuple[int, ...]) -> Row:
    match node:
        case f.Constant(value):
            return ("true" if value else "false", ())
        case f.Atom(number):
            return ("atom", (number,))
        case _:
            return (OPERATORS[type(node)], operands)
