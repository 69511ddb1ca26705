"""Normal forms under a renaming of constants: two parts of a program with one number do the same.

In: parts of a flat program, and a renaming that is applied on the way. Out: numbers. Parts have one number only if they
differ in nothing but what follows. (A node that cannot fail where it stands differs from one that can.)

* names that are bound inside, labels of scopes, and names of tables;
* the order of operands that are both evaluated in any case and combined by a commutative operator (the only end that an
  expression can come to is an error of the model, so it does not matter which operand fails);
* the order of neighbouring parts of `and` and `or` that fail in the same states (or never): those that read, in any case,
  the same places that may be undefined, and cannot fail otherwise. Whichever stands first fails then, or none does;
* the order of neighbouring branches that compare one value with different constants, of which at most one is taken;
* the order of neighbouring statements that are `exchangeable`.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from burnside.ir.analysis import flat, walking
from burnside.ir.analysis.commuting import exchangeable
from burnside.ir.analysis.effects import EffectAnalysis, Effects
from burnside.ir.analysis.flat import Block, Expr, Place
from burnside.ir.analysis.intervals import is_number
from burnside.ir.analysis.paths import Known
from burnside.symmetry.points import Renaming
from burnside.symmetry.programs.rules.table_images import TableImages

COMMUTATIVE = ("=", "!=", "+", "*", "bit-and", "bit-or", "bit-xor")
MIRRORED = {">": "<", ">=": "<="}


class Numbering:
    """Equal keys, equal numbers."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], int] = {}

    def of(self, *key: object) -> int:
        return self._known.setdefault(key, len(self._known))


class Blocking:
    """For each block, which earlier statements each statement cannot pass. No renaming changes this."""

    def __init__(self, effecting: EffectAnalysis) -> None:
        self._effecting = effecting
        self._known: dict[int, tuple[Block, list[list[int]]]] = {}

    def of(self, block: Block) -> list[list[int]]:
        if id(block) not in self._known:
            self._known[id(block)] = block, self._blocked(block)
        return self._known[id(block)][1]

    def _blocked(self, block: Block) -> list[list[int]]:
        """Programs may start with hundreds of constants that are stored. These are compared with those at the same place,
        with other statements that use the variable, and with those that pass nothing."""
        stored: dict[Cell, list[int]] = {}
        storing: dict[object, list[int]] = {}
        using: dict[object, list[int]] = {}
        barriers: list[int] = []
        others: list[int] = []
        effects, blocked = [], []
        for i, statement in enumerate(block):
            effects.append(self._effecting.of(statement))
            cell = _constant_cell(effects[i])
            if cell is not None:
                before = {*stored.get(cell, ()), *using.get(cell[0], ()), *barriers}
                stored.setdefault(cell, []).append(i)
                storing.setdefault(cell[0], []).append(i)
            else:
                roots = {each.path.root for each in effects[i].accesses}
                if _passes_nothing(effects[i]):
                    before = set(range(i))
                    barriers.append(i)
                else:
                    before = {*others, *(j for root in roots for j in storing.get(root, ()))}
                others.append(i)
                for root in roots:
                    using.setdefault(root, []).append(i)
            blocked.append([j for j in before if not exchangeable(effects[j], effects[i])])
        return blocked


Cell = tuple[object, ...]
"""A scalar of the state: the variable, then fields and values of indices."""


def _constant_cell(effects: Effects) -> Cell | None:
    """Where a statement stores a constant, if it does nothing else and constants alone name the place. Two such statements
    are exchangeable unless the cell is the same, and others are that do not use the variable."""
    if effects.observes or effects.inside or effects.names or len(effects.accesses) != 1:
        return None
    (access,) = effects.accesses
    path = access.path
    if access.kind != "set" or not isinstance(access.key, Known) or access.key.name or not path.is_state:
        return None
    cell: list[object] = [path.root]
    for step in path.steps:
        if step.kind == "field":
            cell.append(step.field)
        elif isinstance(step.at, Known) and step.at.value is not None:
            cell.append(step.at.value)
        else:
            return None
    return tuple(cell)


def _passes_nothing(effects: Effects) -> bool:
    """It is exchangeable with no other statement: see `exchangeable`."""
    return bool(effects.leaves) or len(effects.ends) > 1 or bool(effects.ends and effects.covers)


class Normaliser:
    """Of parts of one program under one renaming. Bound names become numbers by the depth at which they are bound."""

    def __init__(
        self, renaming: Renaming, numbers: Numbering, tables: TableImages, blocking: Blocking
    ) -> None:
        self._renaming = renaming
        self._tables = tables
        self._of = numbers.of
        self._blocking = blocking
        self._levels: dict[str, int] = {}
        self._depth = 0
        self._unchecked = False

    def action(self, action: flat.Action) -> int:
        self._depth = 0
        parameters = [self._bind(binder) for binder in action.parameters]
        roles = action.actor, action.keeps_control, action.idle
        return self._of("action", roles, *parameters, self._code(action.guard), self._block(action.body))

    def property(self, each: flat.Property) -> int:
        self._depth = 0
        return self._of("property") if each.code is None else self._code(each.code)

    def _code(self, code: flat.Code) -> int:
        depth = self._depth
        before = self._statements(code.before)
        result = self._of("code", *before, self._expr(code.value))
        self._depth = depth
        return result

    # Names

    def _name(self, name: str) -> int:
        self._levels[name] = self._depth
        self._depth += 1
        return self._levels[name]

    def _bind(self, binder: flat.Binder) -> int:
        """With its own level: a statement that passes another that makes a name must not seem to use that name."""
        domain = self._domain(binder.domain)
        return self._of("binder", domain, self._name(binder.name))

    def _domain(self, domain: flat.Domain) -> int:
        match domain:
            case flat.All(type_):
                return self._of("all", type_)
            case flat.Range(low, high, step):
                return self._of("range", *map(self._expr, (low, high, step)))
            case flat.Positions(bag):
                return self._of("positions", self._place(bag))

    # Expressions

    def _place(self, place: Place) -> int:
        root = place.root if place.is_state else self._levels[place.root]
        steps: list[object] = []
        for step in place.steps:
            index = None if step.index is None else self._expr(step.index)
            steps.append((step.kind, step.name, index, step.fails))
        return self._of("place", place.is_state, root, place.type, tuple(steps))

    def _expr(self, expr: Expr) -> int:
        of = self._of
        match expr.op:
            case "const":
                return of("const", self._renaming.value(expr.value, expr.type), expr.type)
            case "name":
                return of("name", self._levels[expr.name])
            case "and" | "or":
                return of(expr.op, *self._junction(expr))
            case "choice":
                return self._choice(expr)
            case "exists" | "forall" | "count":
                return self._quantified(expr)
        places = [self._place(each) for each in expr.places]
        args = [self._expr(each) for each in expr.args]
        op: str = expr.op
        if op in COMMUTATIVE:
            args.sort()
        elif op in MIRRORED:
            op, args = MIRRORED[op], args[::-1]
        elif op == "same":
            places.sort()
        table = None if expr.table is None else self._tables.image(expr.table, self._renaming)
        fails = expr.fails and not self._unchecked
        return of(op, expr.type, expr.sort, tuple(places), tuple(args), table, fails)

    def _quantified(self, expr: Expr) -> int:
        assert expr.binder is not None
        depth = self._depth
        key = expr.op, expr.every, self._bind(expr.binder), self._expr(expr.args[0])
        self._depth = depth
        return self._of(*key)

    def _junction(self, expr: Expr) -> list[int]:
        result: list[int] = []
        run: list[int] = []
        run_faults: frozenset[int] | None = None
        for part in _flat_parts(expr):
            faults = self._faults(part)
            if faults is None or faults != run_faults:
                result += sorted(run)
                run = []
            run.append(self._expr(part))
            run_faults = faults
        return result + sorted(run)

    def _faults(self, expr: Expr) -> frozenset[int] | None:
        """The places that are read in any case and may be undefined; None if it can fail in another way."""
        if not walking.can_fail(expr):
            return frozenset()
        lazy = expr.op in ("and", "or", "choice", "exists", "forall", "count")
        if lazy or (expr.fails and expr.op != "load") or any(place.fails for place in expr.places):
            return None
        found = {self._expr(expr)} if expr.fails else set()
        for each in walking.operands(expr):
            inner = self._faults(each)
            if inner is None:
                return None
            found |= inner
        return frozenset(found)

    def _choice(self, expr: Expr) -> int:
        tests, values, last = [], [], expr
        while last.op == "choice":
            tests.append(last.args[0])
            values.append(self._expr(last.args[1]))
            last = last.args[2]
        return self._of("choice", tuple(self._sorted_branches(tests, values)), self._expr(last))

    def _sorted_branches(self, tests: list[Expr], bodies: list[int]) -> list[int]:
        """Neighbours that compare one value with different constants: at most one of them is taken, and the value is
        evaluated before all. Whether that can fail is said by the first test: behind it the value is known."""
        result: list[int] = []
        value = -1
        subject: int | None = None
        cases: dict[int, int] = {}
        for test, body in zip(tests, bodies, strict=True):
            found = self._comparison(test)
            if found is not None and self._content(found[0]) == subject and found[1] not in cases:
                cases[found[1]] = body
                continue
            if cases:
                result.append(self._of("cases", value, *sorted(cases.items())))
            if found is None:
                result.append(self._of("branch", self._expr(test), body))
                subject, cases = None, {}
            else:
                value, subject, cases = self._expr(found[0]), self._content(found[0]), {found[1]: body}
        if cases:
            result.append(self._of("cases", value, *sorted(cases.items())))
        return result

    def _content(self, expr: Expr) -> int:
        """What it says where it does not fail."""
        outer, self._unchecked = self._unchecked, True
        number = self._expr(expr)
        self._unchecked = outer
        return number

    def _comparison(self, test: Expr) -> tuple[Expr, int] | None:
        """What is compared, and with which value: a number is the same whatever type a constant claims."""
        if test.op != "=":
            return None
        for subject, constant in (test.args, test.args[::-1]):
            if constant.op == "const" and is_number(subject.type) and is_number(constant.type):
                return subject, self._of("number", constant.value)
            if constant.op == "const" and subject.type == constant.type:
                return subject, self._expr(constant)
        return None

    # Statements

    def _block(self, block: Block) -> int:
        depth = self._depth
        number = self._of("block", *self._statements(block))
        self._depth = depth
        return number

    def _statements(self, block: Block) -> list[int]:
        """The smallest order among those that only exchange neighbours which may be exchanged: from the front, always the
        smallest that all earlier ones let pass."""
        numbers = [self._statement(statement) for statement in block]
        if len(block) < 2:
            return numbers
        blocked = self._blocking.of(block)
        left = [len(each) for each in blocked]
        behind: list[list[int]] = [[] for _ in block]
        for i, before in enumerate(blocked):
            for j in before:
                behind[j].append(i)
        free = [(numbers[i], i) for i, count in enumerate(left) if not count]
        heapify(free)
        order = []
        while free:
            number, chosen = heappop(free)
            order.append(number)
            for i in behind[chosen]:
                left[i] -= 1
                if not left[i]:
                    heappush(free, (numbers[i], i))
        return order

    def _statement(self, statement: flat.Statement) -> int:
        return self._of(type(statement).__name__, *self._key(statement))

    def _key(self, statement: flat.Statement) -> tuple[object, ...]:
        renaming = self._renaming
        match statement:
            case flat.Assign(place, value):
                return self._expr(value), self._place(place)
            case flat.Copy(target, source, converts):
                return self._place(target), self._place(source), converts
            case flat.Fill(place, how):
                keeps = renaming.keeps_smallest if how == "clear" else renaming.keeps_blank
                return how, self._place(place), keeps(place.type)
            case flat.Declare(name, type_):
                return self._name(name), type_, renaming.keeps_blank(type_)
            case flat.Let(name, value):
                return self._expr(value), self._name(name)
            case flat.Touch(place):
                return (self._place(place),)
            case flat.If(branches, otherwise):
                bodies = [self._block(each.body) for each in branches]
                tests = [each.test for each in branches]
                return tuple(self._sorted_branches(tests, bodies)), self._block(otherwise)
            case flat.For(binder, body):
                depth = self._depth
                key = self._bind(binder), self._block(body)
                self._depth = depth
                return key
            case flat.While(before, test, body, limit):
                depth = self._depth
                first = tuple(self._statements(before))
                loop = first, self._expr(test), self._block(body), limit
                self._depth = depth
                return loop
            case flat.Scope(label, body):
                depth = self._depth
                scope = self._name(label), self._block(body)
                self._depth = depth
                return scope
            case flat.Leave(label):
                return (self._levels[label],)
            case flat.Fail():
                return ()
            case flat.Require(test, number) | flat.Cover(test, number) | flat.Note(test, number):
                return self._expr(test), number
            case flat.Add(bag, source):
                return self._place(source), self._place(bag)
            case flat.Remove(bag, position):
                return self._place(bag), self._expr(position)
            case flat.RemoveAll(binder, test):
                depth = self._depth
                all_ = self._bind(binder), self._expr(test)
                self._depth = depth
                return all_


def _flat_parts(expr: Expr) -> list[Expr]:
    result: list[Expr] = []
    for part in expr.args:
        result += _flat_parts(part) if part.op == expr.op else [part]
    return result
