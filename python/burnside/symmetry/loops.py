"""Loops whose turns must be exchangeable: those over what moves.

In: parts of a program and the names of the sorts that move. Out: nothing, or `Refused` at the first loop whose result may
depend on the order of its turns. A loop over a sort (or a union with it, or the entries of a bag that can hold its
elements) passes if

* what one turn writes no other turn reads or writes: places told apart by the loop's own variable, or local to the turn, or
  parts of local variables that are scratch paper (`flow`): every turn writes them before it reads them, and nothing reads
  them after the loop;
* or all turns that write a place write one and the same value, or add to it (numbers of one sign, so that the range is left
  in every order or in none; truth values), or look for the greatest or the smallest, or add entries to a bag, and no turn
  reads it otherwise;
* it is left early by `Return` only where turns change nothing, cannot fail, and all return the same constant;
* at most one property is asserted in it. Which turn fails first may depend on the order, that one fails does not; an
  error of the model and a failed assertion may be taken for each other, two assertions may not. `Assume` and `Cover` are
  accepted only beside nothing that can fail, because a failure would hide them or be hidden.

Quantifiers must not change anything. Where all instances are evaluated, what may end them is as for loops. One that stops at
the first instance that decides must not be able to fail, and nothing may be asserted, assumed or covered in it: which
instances are evaluated depends on the order.
"""

from __future__ import annotations

from burnside.diagnostics import Span
from burnside.ir import expressions as e
from burnside.ir.printing import show_place
from burnside.ir.program import Action, Property
from burnside.ir.types import Bag, show_type
from burnside.records import replace
from burnside.symmetry.accesses import Access, Meeting, show_path
from burnside.symmetry.collecting import Collector
from burnside.symmetry.effects import Effects, Reading
from burnside.symmetry.points import mentions
from burnside.symmetry.refusing import Refused


class Loops:
    def __init__(self, reading: Reading, moved: frozenset[str]) -> None:
        self._moved = moved
        self._reading = replace(reading, watch=self._watch)

    def check_action(self, action: Action) -> None:
        collector = Collector(self._reading, {})
        try:
            collector.expression(action.guard)
            collector.block(action.body)
        except Refused as refused:
            raise refused.near(action.span) from None

    def check_property(self, each: Property) -> None:
        if each.expression is None:
            return
        try:
            Collector(self._reading, {}).expression(each.expression)
        except Refused as refused:
            raise refused.near(each.span) from None

    def _is_over_moved(self, bound: e.Bound) -> bool:
        match bound.domain:
            case e.All(type_):
                return mentions(type_, self._moved)
            case e.Positions(bag):
                bag_type = e.type_of_place(bag)
                assert isinstance(bag_type, Bag)
                return mentions(bag_type.element, self._moved)
            case _:
                return False

    def _watch(self, bound: e.Bound, effects: Effects, kind: str, span: Span | None) -> None:
        if not self._is_over_moved(bound):
            return
        over = f"the loop over {_domain_name(bound)}"
        if kind in ("expression", "until decided"):
            if writes := effects.writes:
                first = next(iter(writes))
                raise Refused(f"a quantifier changes {show_path(first.path)}", first.span or span)
            over = f"the quantifier over {_domain_name(bound)}"
            if kind == "until decided" and _shows_its_order(effects):
                raise Refused(f"{over} may fail, or not, depending on the order of its instances", span)
            _check_ends(effects, over, span)
            return
        _check_ends(effects, over, span)
        _check_turns(bound, effects, over, span, self._reading.state)


def _domain_name(bound: e.Bound) -> str:
    match bound.domain:
        case e.All(type_):
            return show_type(type_)
        case e.Positions(bag):
            return f"the entries of {show_place(bag)}"
        case _:
            return "a range"


def _check_turns(
    bound: e.Bound, effects: Effects, over: str, span: Span | None, state: frozenset[str]
) -> None:
    accesses = {each: None for each in effects.accesses if each.path.root not in effects.inside}
    meeting = Meeting(turn=bound.name, inside=frozenset(effects.inside))
    for write, access in meeting.conflicts(accesses, accesses):
        refused = _conflict(write, access, over, span)
        if write.path.root in state or not effects.flow.is_scratch(write.path):
            raise refused
        effects.flow.owe(write.path, refused)


def _conflict(write: Access, access: Access, over: str, span: Span | None) -> Refused:
    wrote, met = show_path(write.path), show_path(access.path)
    verb = "reads" if access.kind == "read" else "writes"
    what = (
        f"all write {wrote}"
        if (verb, met) == ("writes", wrote)
        else f"one writes {wrote}, another {verb} {met}"
    )
    return Refused(f"{over} depends on the order of its turns: {what}", write.span or access.span or span)


def _shows_its_order(effects: Effects) -> bool:
    return bool(effects.fails or effects.asserted or effects.assumes or effects.covers)


def _check_ends(effects: Effects, over: str, span: Span | None) -> None:
    ends = bool(effects.fails or effects.asserted)
    if len(effects.asserted) > 1:
        raise Refused(f"in {over} different assertions may fail, the first depending on the order", span)
    if (effects.assumes or effects.covers) and ends:
        raise Refused(f"in {over} an assumption or a cover stands beside something that may fail", span)
    if effects.returns:
        changes = effects.writes or effects.assumes or effects.covers or ends
        if changes or len(set(effects.returns)) > 1 or None in effects.returns:
            raise Refused(f"{over} is left early, in a turn that depends on the order", span)
