"""Values that move are only stored, compared for equality, used as indices, looked up in tables, converted between sorts and
unions, and tested for membership.

In: parts of a flat program, and the names of the sorts that move. Out: nothing, or `Refused` at the first operation that
orders or computes with elements, or makes numbers of them. What is done to a value in a state is then done to its image in
the image of the state. Constants, tables among them, are the business of `renaming`, positions of bags that of `positions`.
"""

from __future__ import annotations

from burnside.diagnostics import Span
from burnside.ir.analysis import flat, walking
from burnside.ir.analysis.flat import Block, Expr, Place
from burnside.ir.types import Bag, Element, Optional, Type, Union, show_type
from burnside.symmetry.points import mentions
from burnside.symmetry.programs.refused import Refused

ANYTHING = (
    "const",
    "name",
    "never",
    "load",
    "defined",
    "member",
    "not",
    "and",
    "or",
    "exists",
    "forall",
    "count",
)


class Values:
    def __init__(self, moved: frozenset[str]) -> None:
        self._moved = moved

    def check_block(self, block: Block) -> None:
        for statement in walking.statements(block):
            span: Span | None = getattr(statement, "span", None)
            for expr in walking.statement_exprs(statement):
                self.check_expr(expr, span)
            match statement:
                case flat.Copy(target, source, converts=True):
                    self._converts(_content(source.type), _content(target.type), span)
                case flat.Add(bag, source):
                    self._added(bag, source, span)
                case flat.For(binder) | flat.RemoveAll(binder):
                    self.check_domain(binder.domain, span)

    def check_expr(self, expr: Expr, span: Span | None) -> None:
        for each in walking.inner_exprs(expr):
            self._operation(each, each.span or span)
            if each.binder is not None:
                self.check_domain(each.binder.domain, each.span or span)

    def check_domain(self, domain: flat.Domain, span: Span | None) -> None:
        if isinstance(domain, flat.Range):
            for part in (domain.low, domain.high, domain.step):
                self._plain(part, "a range is bounded by", span)

    def _moves(self, type_: Type) -> bool:
        return mentions(type_, self._moved)

    def _operation(self, expr: Expr, span: Span | None) -> None:
        if expr.op in ANYTHING:
            return
        match expr.op:
            case "=" | "!=":
                self._alike(expr.args[0].type, expr.args[1].type, span)
            case "choice":
                self._alike(expr.args[1].type, expr.args[2].type, span)
            case "same":
                self._alike(expr.places[0].type, expr.places[1].type, span)
            case "lookup":
                assert expr.table is not None
                for part, type_ in zip(expr.args, expr.table.arguments, strict=True):
                    self._alike(part.type, type_, span)
            case "convert":
                self._converts(expr.args[0].type, expr.type, span)
            case _:
                use = (
                    f"{expr.op!r} orders"
                    if expr.op in ("<", "<=", ">", ">=")
                    else f"{expr.op!r} computes with"
                )
                for part in expr.args:
                    self._plain(part, use, span)

    def _plain(self, part: Expr, use: str, span: Span | None) -> None:
        if self._moves(part.type):
            raise Refused(f"{use} an element of {show_type(part.type)}, which has no number", span)

    def _alike(self, one: Type, other: Type, span: Span | None) -> None:
        """Values side by side: those that move must be of one type, or their numbers would be compared."""
        if one != other and (self._moves(one) or self._moves(other)):
            raise Refused(f"{_named(one)} is used as {_named(other)}", span)

    def _converts(self, source: Type, target: Type, span: Span | None) -> None:
        """Elements stay elements."""
        either = self._moves(source) or self._moves(target)
        if either and not (isinstance(source, Element | Union) and isinstance(target, Element | Union)):
            raise Refused(f"{_named(source)} is converted to {_named(target)}", span)

    def _added(self, bag: Place, source: Place, span: Span | None) -> None:
        assert isinstance(bag.type, Bag)
        one, other = _content(bag.type.element), _content(source.type)
        if one != other:
            self._converts(other, one, span)


def _content(type_: Type) -> Type:
    return type_.type if isinstance(type_, Optional) else type_


def _named(type_: Type) -> str:
    if isinstance(type_, Element | Union):
        return f"an element of {show_type(type_)}"
    return f"a value of {show_type(type_)}"
