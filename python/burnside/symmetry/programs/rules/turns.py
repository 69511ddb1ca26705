"""Loops and quantifiers over what moves give the same in every order of their turns.

In: parts of a flat program, and whose order changes (`orders`). Out: nothing, or `Refused` at the first loop over a moved
sort (or a union with one, or the entries of a bag whose order changes) whose result, or whose end, may depend on the order
of its turns. A permutation exchanges turns, and does nothing else to a loop whose body it respects.
"""

from __future__ import annotations

from burnside.diagnostics import Span
from burnside.ir.analysis import flat, walking
from burnside.ir.analysis.commuting import Conflict, turn_conflicts
from burnside.ir.analysis.effects import EffectAnalysis, Effects
from burnside.ir.analysis.flat import Block, Expr
from burnside.ir.analysis.liveness import Liveness, Slot
from burnside.ir.analysis.paths import Known, Path, PathStep, known_index, show_path
from burnside.ir.types import show_type
from burnside.symmetry.programs.refused import Refused
from burnside.symmetry.programs.rules.orders import Orders


class Turns:
    def __init__(self, effecting: EffectAnalysis, orders: Orders) -> None:
        self._effecting = effecting
        self._orders = orders

    def check_block(self, block: Block, span: Span | None) -> None:
        liveness: Liveness | None = None
        for statement in walking.statements(block):
            own: Span | None = getattr(statement, "span", None) or span
            for expr in walking.statement_exprs(statement):
                self.check_expr(expr, own)
            if isinstance(statement, flat.For) and self._orders.is_over_moved(statement.binder):
                liveness = liveness or Liveness(block)
                self._loop(statement, liveness, own)

    def check_expr(self, expr: Expr, span: Span | None) -> None:
        """An instance that is not evaluated because another decided must have nothing to report."""
        for each in walking.inner_exprs(expr):
            if each.binder is None or each.op == "count" or each.every:
                continue
            if self._orders.is_over_moved(each.binder) and walking.can_fail(each.args[0]):
                over = _domain_name(each.binder)
                reason = f"a quantifier over {over} may stop before an instance that fails"
                raise Refused(reason, each.span or span)

    # Loops

    def _loop(self, loop: flat.For, liveness: Liveness, span: Span | None) -> None:
        over = f"the loop over {_domain_name(loop.binder)}"
        turn = self._effecting.of_block(loop.body)
        if len(turn.ends) > 1:
            reason = f"in {over} a turn may end in different ways, the first depending on the order"
            raise Refused(reason, span)
        if turn.ends and turn.covers:
            raise Refused(f"in {over} a cover or a note stands beside something that may fail", span)
        if turn.leaves:
            self._search(loop, turn, over, span)
            return
        live = liveness.loops[id(loop)]
        private = _private(turn, live.exposed | live.after)
        for conflict in turn_conflicts(loop.binder, turn, private):
            raise _refused(conflict, over, span)

    def _search(self, loop: flat.For, turn: Effects, over: str, span: Span | None) -> None:
        """A loop that is left early only looks for something: no turn ends or is observed otherwise, nothing is written but
        right before leaving, and all ways of leaving write the same values to the same places."""
        tails = [_Tail(block) for block in _blocks(loop.body) if _leaves(block, turn)]
        parts = [each for tail in tails for each in tail.parts]
        allowed = {id(each) for each in parts}
        others = (each for each in walking.statements(loop.body) if _writes(each) and id(each) not in allowed)
        if (
            turn.ends
            or turn.covers
            or len({tail.key for tail in tails}) > 1
            or not all(self._is_constant(each, turn, loop.binder.name) for each in parts)
            or not all(self._is_inside(each, turn) for each in others)
        ):
            raise Refused(f"{over} is left early, in a turn that depends on the order", span)

    def _is_inside(self, statement: flat.Statement, turn: Effects) -> bool:
        """A variable of the turn's own."""
        return isinstance(statement, flat.Assign | flat.Copy | flat.Fill) and _root(statement) in turn.inside

    def _is_constant(self, statement: flat.Statement, turn: Effects, own: str) -> bool:
        """A whole local variable or a plain field of it gets a value that is the same in all turns."""
        if not isinstance(statement, flat.Assign) or any(step.index for step in statement.place.steps):
            return False
        key = known_index(statement.value, self._effecting.frozen)
        return isinstance(key, Known) and key.name not in turn.inside and key.name != own


class _Tail:
    """The assignments right before a block leaves a scope outside the loop, and what they say."""

    def __init__(self, block: Block) -> None:
        *before, leave = block
        parts: list[flat.Assign] = []
        for statement in reversed(before):
            if not isinstance(statement, flat.Assign):
                break
            parts.insert(0, statement)
        self.parts = parts
        self.key = tuple((each.place, each.value) for each in parts), leave


def _leaves(block: Block, turn: Effects) -> bool:
    """Nothing stands behind a `Leave`: it would never be reached, and is not there any more."""
    return bool(block) and isinstance(block[-1], flat.Leave) and block[-1].label in turn.leaves


def _blocks(block: Block) -> list[Block]:
    return [block, *(inner for each in walking.statements(block) for inner in walking.blocks(each))]


def _writes(statement: flat.Statement) -> bool:
    return isinstance(
        statement, flat.Assign | flat.Copy | flat.Fill | flat.Add | flat.Remove | flat.RemoveAll
    )


def _root(statement: flat.Assign | flat.Copy | flat.Fill) -> str:
    return statement.target.root if isinstance(statement, flat.Copy) else statement.place.root


def _private(turn: Effects, live: frozenset[Slot]) -> list[Path]:
    """Local variables, or their fields, whose old value no turn reads and whose last value is not needed."""
    found = []
    for access in turn.writes:
        path = access.path
        if path.is_state:
            continue
        fields = []
        for step in path.steps:
            if step.kind != "field":
                break
            fields.append(step.field)
        slot = (path.root, *fields)
        if not any(_overlap(slot, each) for each in live):
            found.append(Path(path.root, False, tuple(PathStep("field", each) for each in fields)))
    return found


def _overlap(one: Slot, other: Slot) -> bool:
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def _domain_name(binder: flat.Binder) -> str:
    match binder.domain:
        case flat.All(type_):
            return show_type(type_)
        case flat.Positions(bag):
            return f"the entries of {flat.plain_name(bag.root)}"
        case _:
            return "a range"


def _refused(conflict: Conflict, over: str, span: Span | None) -> Refused:
    wrote, other = show_path(conflict.write.path), show_path(conflict.other.path)
    verb = "reads" if conflict.other.kind == "read" else "writes"
    both = verb == "writes" and wrote == other
    what = f"all write {wrote}" if both else f"one writes {wrote}, another {verb} {other}"
    place = conflict.write.span or conflict.other.span or span
    return Refused(f"{over} depends on the order of its turns: {what}", place)
