"""Murphi, as CMurphi 5.4 and rumur read it. In: a path, or a source. Out: a `Program`.

`lexer`, `cursor`, `parse_expressions`, `parser` make the trees of `syntax` and `rule_syntax`; `lower_types`,
`lower_expressions`, `lower_binders`, `lower_calls`, `lower_statements`, `lower_rules` go through them once and give names
and types a meaning. Where the two checkers differ, their own expected results decide, and a comment says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from burnside.diagnostics import Diagnostic, InputError, Source, UnsupportedError, UsageError
from burnside.ir.arithmetic import MAX_NUMBER, MIN_NUMBER
from burnside.ir.expressions import All, Bound, Constant, Expression, Read
from burnside.ir.program import Program
from burnside.ir.types import Element, Scalar, Union, bounds, show_value
from burnside.languages.murphi import rule_syntax as r
from burnside.languages.murphi import syntax as s
from burnside.languages.murphi.lower_rules import RuleLowering
from burnside.languages.murphi.lower_types import size_names
from burnside.languages.murphi.lowering import Known, KnownConstant, KnownValue
from burnside.languages.murphi.parser import Parser, parse
from burnside.languages.shared.files import read_source
from burnside.languages.shared.sizes import by_own_spelling
from burnside.records import record
from burnside.temporal.atoms import Binder

if TYPE_CHECKING:
    from burnside.temporal.reading import TemporalProperty


@record
class MurphiModel:
    """A program, and what is needed to read expressions in its own words (an `ExpressionReader`)."""

    program: Program
    lowering: RuleLowering

    @property
    def formulas(self) -> tuple[TemporalProperty, ...]:
        """Its liveness properties."""
        from burnside.languages.murphi.liveness import liveness_property

        return tuple(map(liveness_property, self.lowering.liveness))

    def condition(self, source: Source, bound: Sequence[Binder] = ()) -> Expression:
        """A condition over the model's variables, constants, types and functions."""
        lowering, known = self.lowering, set(self.lowering.functions)
        try:
            tree = Parser(source).whole_expression()
            with self._reading(source, bound):
                expression = lowering.test(tree, "a condition")
            if set(lowering.functions) != known:
                message = "a record that is no variable is not supported in a condition"
                raise UnsupportedError(source.diagnostic(message, tree.at.offset, tree.at.length))
            return expression
        finally:
            for name in set(lowering.functions) - known:
                del lowering.functions[name]

    def value(self, source: Source, type: Scalar, bound: Sequence[Binder] = ()) -> Expression:
        """Elements of scalarsets may be named as traces show them."""
        tree = Parser(source).whole_expression()
        with self._reading(source, bound):
            if isinstance(tree, s.Name) and self.lowering.scope.find(tree.text) is None:
                found = _element(tree.text, type)
                if found is not None:
                    return found
            value = self.lowering.fit(self.lowering.operand(tree), type, "this argument", checked=True)
        is_bound = isinstance(value, Read) and any(value.place == each.variable for each in _bounds(bound))
        if not is_bound and not isinstance(value, Constant):
            message = "this argument is not constant"
            raise InputError(source.diagnostic(message, tree.at.offset, tree.at.length))
        return value

    def domain(self, source: Source, bound: Sequence[Binder] = ()) -> Scalar:
        tree = Parser(source).whole_type()
        if not isinstance(tree, s.NamedType | s.BooleanType | s.RangeType):
            message = "a quantified name needs a type that the model declares, or a range"
            raise InputError(tree.at.diagnostic(message))
        with self._reading(source, bound):
            return self.lowering.scalar_type(tree, "", "a quantified name")

    def unique_name(self, name: str, bound: Sequence[Binder] = ()) -> str:
        with self._reading(self.lowering.source, bound):
            return self.lowering.fresh(name)

    @cached_property
    def _elements(self) -> dict[str, Known]:
        """Elements of scalarsets, which have no names in the language."""
        return {
            name: KnownConstant(Constant(at, Element(sort)))
            for sort in self.program.sorts
            if sort.origin == "scalarset"
            for at, name in enumerate(sort.elements)
            if self.lowering.globals.find(name) is None
        }

    @contextmanager
    def _reading(self, source: Source, bound: Sequence[Binder]) -> Iterator[None]:
        """With the names of the model, those that traces show for elements of scalarsets, and those of binders around the
        text."""
        lowering = self.lowering
        of_model, lowering.source = lowering.source, source
        try:
            with lowering.inner_frame():
                lowering.scope.names |= self._elements
                for each, one in zip(bound, _bounds(bound), strict=True):
                    lowering.scope.names[each.written] = KnownValue(
                        Read(one.variable), one.type, is_bound=True
                    )
                    lowering.frame |= {each.name}
                with lowering.inner_scope():
                    yield
        finally:
            lowering.source = of_model


def read(path: Path, sizes: Mapping[str, int] | None = None) -> Program:
    """`sizes` override numeric constants and sizes of named scalarsets."""
    return read_model(path, sizes).program


def read_text(source: Source, sizes: Mapping[str, int] | None = None, name: str | None = None) -> Program:
    return load(source, sizes, name).program


def read_model(path: Path, sizes: Mapping[str, int] | None = None) -> MurphiModel:
    return load(read_source(path), sizes, path.stem)


def load(
    source: Source,
    sizes: Mapping[str, int] | None = None,
    name: str | None = None,
) -> MurphiModel:
    tree = parse(source)
    chosen = _resolved(sizes or {}, size_names(tree), source)
    lowering = RuleLowering(source, chosen, _global_names(tree))
    return MurphiModel(lowering.program(tree, name or Path(source.name).stem), lowering)


def _bounds(bound: Sequence[Binder]) -> list[Bound]:
    return [Bound(each.name, All(each.type)) for each in bound]


def _element(name: str, type_: Scalar) -> Constant | None:
    """The element of this name, among those of the type."""
    if not isinstance(type_, Element | Union):
        return None
    low, high = bounds(type_)
    found = [value for value in range(low, high + 1) if show_value(value, type_) == name]
    return Constant(found[0], type_) if found else None


def _global_names(tree: r.ModelTree) -> frozenset[str]:
    names: set[str] = set()
    for node in tree.nodes:
        match node:
            case s.VariableDeclaration(identifiers):
                names.update(each.text for each in identifiers)
            case r.Function(identifier):
                names.add(identifier.text)
    return frozenset(names)


def _resolved(sizes: Mapping[str, int], names: tuple[str, ...], source: Source) -> dict[str, int]:
    """By the model's own spelling."""
    found: dict[str, int] = {}
    what = "constant or scalarset"
    for given, name, value in by_own_spelling(sizes, names, source, model="model", what=what):
        if not MIN_NUMBER <= value <= MAX_NUMBER:
            raise UsageError(Diagnostic(f"the size of '{given}' is beyond 64 bits", source.name))
        found[name] = value
    return found
