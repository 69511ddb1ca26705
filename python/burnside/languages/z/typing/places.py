"""Where errors are shown.

Spivey's type checker gives an error the line of the node it belongs to, which is that of its operator, or its first token.
`anchor` is that token; the part of the text that is wrong is shown instead, where it begins in the same line.
"""

from __future__ import annotations

from burnside.languages.shared.spans import Extent
from burnside.languages.z import syntax as s

Node = (
    s.Expression
    | s.Predicate
    | s.SchemaExpression
    | s.Declaration
    | s.Inclusion
    | s.LetDefinition
    | s.Paragraph
    | s.Branch
    | s.Identifier
)


def anchor(node: Node) -> Extent:
    match node:
        case s.Infix(_, operator, left):
            return operator.at if operator.base == s.IMAGE else anchor(left)
        case s.InfixGeneric(_, operator) | s.Postfix(_, operator) | s.InfixRelation(_, operator):
            return operator.at
        case s.Application(_, function, argument):
            if argument.at.offset < function.at.offset:
                return function.at
            return node.at if _is_minus(function) else argument.at
        case s.Selection(_, record, field):
            return _between(record.at, field.at, ".")
        case s.Equality(_, left, right):
            return _between(left.at, right.at, "=")
        case s.Membership(_, element, set_):
            return _between(element.at, set_.at, "\\in")
        case s.Declaration(_, names, set_):
            return _between(names[-1].at, set_.at, ":")
        case s.LetDefinition(_, name, value):
            return _between(name.at, value.at, "==")
        case s.SchemaBinary(_, _, one, other):
            return _between(one.at, other.at, "\\")
        case s.SchemaHide(_, schema, names):
            return _between(schema.at, names[0].at, "\\")
        case s.Abbreviation(_, name, formals, value):
            return _between(max([name.at, *[each.at for each in formals]], key=_end), value.at, "==")
        case s.FreeType(_, name, branches):
            return _between(name.at, branches[0].at, "::=")
        case s.SchemaDefinition(at, _, _, body):
            return _between(_start(at), body.at, "\\defs", at)
        case s.Conjecture(_, schema, predicate):
            return _between(schema.at, predicate.at, "\\vdash")
    return node.at


def place(at: Extent, whole: Extent, token: Extent) -> Extent:
    """What to show: the first of these that begins in the line of the token, up to the end of the line."""
    line = token.span.line
    for each in (at, whole, token):
        if each.source is token.source and each.span.line == line:
            return _in_one_line(each)
    return token


def begins_with(one: Extent, other: Extent) -> bool:
    return one.source is other.source and one.offset == other.offset


def _in_one_line(at: Extent) -> Extent:
    end = at.source.text.find("\n", at.offset, at.end)
    return at if end < 0 else Extent(at.source, at.offset, max(1, end - at.offset))


def _is_minus(function: s.Expression) -> bool:
    return isinstance(function, s.Reference) and function.name.base == s.UNARY_MINUS


def _between(left: Extent, right: Extent, mark: str, otherwise: Extent | None = None) -> Extent:
    """The mark between two parts of the text."""
    if left.source is right.source:
        found = left.source.text.find(mark, left.end, max(left.end, right.offset))
        if found >= 0:
            return Extent(left.source, found, len(mark))
    return otherwise or left


def _start(at: Extent) -> Extent:
    return Extent(at.source, at.offset, 0)


def _end(at: Extent) -> int:
    return at.end
