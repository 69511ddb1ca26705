"""Names bound by quantifiers, loops, rulesets and `choose`. In: binders. Out: `Bound`s of the ir, the names declared."""

from __future__ import annotations

from burnside.ir import expressions as e
from burnside.ir.types import INTEGER, Element, Integer, Union
from burnside.languages.murphi import syntax as s
from burnside.languages.murphi.kinds import Position
from burnside.languages.murphi.lower_expressions import ExpressionLowering
from burnside.languages.murphi.lowering import KnownValue
from burnside.languages.shared.spans import Extent

ONE = e.Constant(1, INTEGER)


def evaluates_every(bound: e.Bound) -> bool:
    """Does a quantifier over this evaluate all instances? rumur stops at the first that decides. Where the order of
    instances is one of many that symmetry exchanges (elements of a scalarset, entries of a multiset), what one order hides
    another shows."""
    match bound.domain:
        case e.All(Element(sort)):
            return sort.symmetry != "fixed"
        case e.All(Union(sorts)):
            return any(sort.symmetry != "fixed" for sort in sorts)
        case e.Positions():
            return True
        case _:
            return False


class BinderLowering(ExpressionLowering):
    def quantified(self, node: s.Quantified) -> e.Expression:
        with self.inner_scope():
            bounds = [self.bind(binder) for binder in node.binders]
            result = self.test(node.body, f"what stands in '{node.quantifier}'")
        for bound in reversed(bounds):
            result = e.Quantified(node.quantifier, bound, result, evaluates_every(bound))
        return result

    def bind(self, binder: s.Binder) -> e.Bound:
        """Declares the name. Its domain is lowered before, outside of it."""
        match binder:
            case s.TypedBinder(name, type_):
                domain: e.Domain = e.All(self.scalar_type(type_, name.text, "a bound name"))
            case s.RangeBinder(name):
                domain = self.range(binder)
            case s.PositionBinder(name, node):
                stored, bag = self.bag(node)
                domain = e.Positions(stored.place)
        bound = e.Bound(self.fresh(name.text), domain)
        meaning = Position(bag) if isinstance(domain, e.Positions) else bound.type
        self.declare(name, KnownValue(e.Read(bound.variable, self.span(name.at)), meaning, is_bound=True))
        return bound

    def range(self, binder: s.RangeBinder) -> e.Domain:
        low = self.integer(binder.low, "the bound of a loop")
        high = self.integer(binder.high, "the bound of a loop")
        step: e.Expression = ONE
        if binder.step is not None:
            step = self.integer(binder.step, "the step of a loop")
            self.check_step(low, high, step, binder.step.at)
        if step == ONE and isinstance(low, e.Constant) and isinstance(high, e.Constant):
            # `for i := 3 to 2` without a step does nothing in CMurphi: a range may be empty, a type not.
            if low.value > high.value:
                return e.Range(low, high)
            return e.All(Integer(low.value, high.value))
        end = binder.high.at.offset + binder.high.at.length
        at = Extent(self.source, binder.low.at.offset, end - binder.low.at.offset)
        return e.Range(low, high, step, self.span(at))

    def check_step(self, low: e.Expression, high: e.Expression, step: e.Expression, at: Extent) -> None:
        """rumur refuses loops that cannot come to their end (`for-step-*.m`)."""
        if not isinstance(step, e.Constant):
            return
        if step.value == 0:
            raise self.error("a step of 0 never comes to an end", at)
        if not isinstance(low, e.Constant) or not isinstance(high, e.Constant):
            return
        if (high.value - low.value) * step.value < 0:
            raise self.error(f"steps of {step.value} do not lead from {low.value} to {high.value}", at)
