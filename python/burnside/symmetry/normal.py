"""Normal forms: two parts of a program with one number mean the same.

In: actions and expressions, and a renaming of constants applied on the way. Out: numbers, equal for parts that differ only
in names of bound variables, the order of commutative operands, of exclusive branches, and of statements that do not touch
each other. Functions are followed: a call's number is made from what the function does, not from its name.

What fails still fails, as *some* error of the model: operands of `=` or `+` are both evaluated in any order. The parts of
`and` and `or` are not, so they are sorted only among parts that cannot fail, or can fail in one and the same way.
"""

from __future__ import annotations

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Action, Program
from burnside.symmetry.accesses import PLACES, Meeting
from burnside.symmetry.code import code
from burnside.symmetry.collecting import Collector
from burnside.symmetry.effects import Effects, Meaning, Reading
from burnside.symmetry.failing import Failing
from burnside.symmetry.points import Renaming

COMMUTATIVE = ("=", "!=", "+", "*", "bit-and", "bit-or", "bit-xor")
MIRRORED = {">": "<", ">=": "<="}
NO_FAULT: frozenset[int] = frozenset()


class Numbers:
    """Equal keys, equal numbers. With each number of an expression, how it can fail: the numbers of reads that it makes in
    any case and that alone can fail, or None where it is not as simple as that."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], int] = {}
        self.faults: dict[int, frozenset[int] | None] = {}

    def of(self, *key: object) -> int:
        return self._known.setdefault(key, len(self._known))


class Normaliser:
    """Of one program under one renaming. Bound names become numbers by the depth at which they are bound."""

    def __init__(self, program: Program, renaming: Renaming, numbers: Numbers, reading: Reading) -> None:
        self._renaming = renaming
        self._numbers = numbers
        self._reading = reading
        self._failing: Failing = reading.failing
        self._functions = {each.name: each for each in program.functions}
        self._bodies: dict[str, int] = {}
        self._levels: dict[str, int] = {}
        self._depth = 0
        self._meanings: dict[str, Meaning] = {}
        parameters = [each for function in program.functions for each in function.parameters]
        self._meeting = Meeting(
            state=frozenset(each.name for each in program.variables),
            references=frozenset(each.variable.name for each in parameters if each.by_reference),
        )

    def action(self, action: Action) -> int:
        self._depth = 0
        parameters = [self._bind(bound) for bound in action.parameters]
        return self._numbers.of(
            "action", *parameters, self.expression(action.guard), self._block(action.body)
        )

    def property(self, expression: e.Expression) -> int:
        self._depth = 0
        return self.expression(expression)

    # Names

    def _name(self, name: str) -> None:
        self._levels[name] = self._depth
        self._depth += 1

    def _bind(self, bound: e.Bound) -> int:
        number = self._domain(bound.domain)
        self._name(bound.name)
        return number

    def _domain(self, domain: e.Domain) -> int:
        match domain:
            case e.All(type_):
                return self._numbers.of("all", type_)
            case e.Range(low, high, step):
                return self._numbers.of("range", *map(self.expression, (low, high, step)))
            case e.Positions(bag):
                return self._numbers.of("positions", self.place(bag))

    def _function(self, name: str) -> int:
        """What a function does, with its parameters as the outermost names."""
        if name not in self._bodies:
            function = self._functions[name]
            depth, self._depth = self._depth, 0
            for parameter in function.parameters:
                self._name(parameter.variable.name)
            kinds = [(each.by_reference, each.variable.type) for each in function.parameters]
            body = self._block(function.body)
            self._depth = depth
            self._bodies[name] = self._numbers.of("function", tuple(kinds), function.result, body)
        return self._bodies[name]

    # Places and expressions

    def place(self, place: e.Place) -> int:
        match place:
            case e.Variable(name, type_):
                return self._numbers.of("variable", self._levels.get(name, name), type_)
            case e.Index(array, index):
                return self._numbers.of("index", self.place(array), self.expression(index))
            case e.Component(record, name):
                return self._numbers.of("component", self.place(record), name)
            case e.Entry(bag, position):
                return self._numbers.of("entry", self.place(bag), self.expression(position))

    def expression(self, expression: e.Expression) -> int:
        number = self._expression(expression)
        if number not in self._numbers.faults:
            self._numbers.faults[number] = self._faults(expression, number)
        return number

    def _faults(self, expression: e.Expression, number: int) -> frozenset[int] | None:
        """How it can fail; sub-expressions have been numbered before."""
        match expression:
            case e.Read(place) if not self._failing.place(place):
                return frozenset([number]) if self._failing.read(place) else NO_FAULT
            case e.Not(operand):
                return self._faults_of(operand)
            case e.Binary(operator, left, right) if operator in e.COMPARISONS:
                one, other = self._faults_of(left), self._faults_of(right)
                return None if one is None or other is None else one | other
            case e.Junction(_, parts):
                first, *others = [self._faults_of(part) for part in parts] or [NO_FAULT]
                later = [each is not None and first is not None and each <= first for each in others]
                return first if all(later) else None
            case _:
                return None if self._failing.expression(expression) else NO_FAULT

    def _faults_of(self, part: e.Expression) -> frozenset[int] | None:
        return self._numbers.faults[self.expression(part)]

    def _expression(self, expression: e.Expression) -> int:
        of = self._numbers.of
        match expression:
            case e.Constant(value, type_):
                return of("constant", self._renaming.value(value, type_), type_)
            case e.Read(place):
                return of("read", self.place(place))
            case e.Binary():
                return self._binary(expression)
            case e.Negate(operator, operand):
                return of("negate", operator, self.expression(operand))
            case e.Not(operand):
                return of("not", self.expression(operand))
            case e.Junction(operator, parts):
                return of("junction", operator, *self._sorted_parts(operator, parts))
            case e.Conditional(test, then, otherwise):
                return self._conditional(test, then, otherwise)
            case e.Convert(operand, type_):
                return of("convert", self.expression(operand), type_)
            case e.Quantified(kind, bound, body, every):
                return of("quantified", kind, every, *self._bound_body(bound, body))
            case e.IsDefined(place):
                return of("defined", self.place(place))
            case e.IsMember(operand, sort):
                return of("member", self.expression(operand), sort)
            case e.Same(left, right):
                return of("same", *sorted((self.place(left), self.place(right))))
            case e.Count(bound, test):
                return of("count", *self._bound_body(bound, test))
            case e.Call(function, arguments, type_):
                numbers = [self._argument(each) for each in arguments]
                return of("call", self._function(function), *numbers, type_)

    def _argument(self, argument: e.Expression | e.Place) -> int:
        return self.place(argument) if isinstance(argument, PLACES) else self.expression(argument)

    def _bound_body(self, bound: e.Bound, body: e.Expression) -> tuple[int, int]:
        depth = self._depth
        numbers = self._bind(bound), self.expression(body)
        self._depth = depth
        return numbers

    def _binary(self, binary: e.Binary) -> int:
        left, right = self.expression(binary.left), self.expression(binary.right)
        operator: str = binary.operator
        if not self._calls(binary):
            if operator in COMMUTATIVE:
                left, right = sorted((left, right))
            elif operator in MIRRORED:
                operator, left, right = MIRRORED[operator], right, left
        return self._numbers.of("binary", operator, left, right)

    def _sorted_parts(self, operator: str, parts: tuple[e.Expression, ...]) -> list[int]:
        """Nested junctions of the same kind are one. Parts that may change places are sorted: neighbours that, once all
        parts before them were evaluated, can fail in one and the same way, or not at all."""
        result: list[int] = []
        run: list[int] = []
        run_faults: frozenset[int] | None = NO_FAULT
        before: frozenset[int] = NO_FAULT
        for part in _flat(operator, parts):
            number = self.expression(part)
            faults = None if self._calls(part) else self._numbers.faults[number]
            new = None if faults is None else faults - before
            if run and (new is None or new != run_faults):
                result += sorted(run)
                before |= run_faults or NO_FAULT
                run = []
                new = None if faults is None else faults - before
            if new is None:
                result.append(number)
                continue
            run.append(number)
            run_faults = new
        return result + sorted(run)

    def _calls(self, expression: e.Expression) -> bool:
        """Something that may change the state, or fail on its own."""
        total = self._failing.total
        return any(isinstance(node, e.Call) and node.function not in total for node in code(expression))

    # Branches

    def _conditional(self, test: e.Expression, then: e.Expression, otherwise: e.Expression) -> int:
        tests, values = [test], [self.expression(then)]
        last = otherwise
        while isinstance(last, e.Conditional):
            tests.append(last.test)
            values.append(self.expression(last.then))
            last = last.otherwise
        branches = self._sorted_branches(tests, values)
        return self._numbers.of("conditional", tuple(branches), self.expression(last))

    def _sorted_branches(self, tests: list[e.Expression], bodies: list[int]) -> list[tuple[int, int]]:
        """Neighbours that compare one value with different constants exclude each other: any order does."""
        result: list[tuple[int, int]] = []
        run: list[tuple[int, int]] = []
        subject: int | None = None
        seen: set[int] = set()
        for test, body in zip(tests, bodies, strict=True):
            found = self._comparison(test)
            if found is None or found[0] != subject or found[1] in seen:
                result += sorted(run)
                run, seen = [], set()
                subject = None if found is None else found[0]
            run.append((self.expression(test), body))
            if found is not None:
                seen.add(found[1])
        return result + sorted(run)

    def _comparison(self, test: e.Expression) -> tuple[int, int] | None:
        """A value compared with a constant."""
        match test:
            case e.Binary("=", subject, e.Constant() as constant) if not self._calls(subject):
                return self.expression(subject), self.expression(constant)
            case e.Binary("=", e.Constant() as constant, subject) if not self._calls(subject):
                return self.expression(subject), self.expression(constant)
        return None

    # Statements

    def _block(self, block: s.Block) -> int:
        numbers = [self._statement(statement) for statement in block]
        return self._numbers.of("block", *self._sorted_statements(block, numbers))

    def _sorted_statements(self, block: s.Block, numbers: list[int]) -> list[int]:
        """The smallest order among those that only exchange neighbours which do not touch each other: from the front,
        always the smallest that all earlier ones let pass."""
        if len(block) < 2:
            return numbers
        blocked = self._blocked(block)
        waiting, order = list(range(len(block))), []
        while waiting:
            free = [i for i in waiting if not any(j in waiting for j in blocked[i])]
            chosen = min(free, key=lambda i: numbers[i])
            waiting.remove(chosen)
            order.append(numbers[chosen])
        return order

    def _blocked(self, block: s.Block) -> list[list[int]]:
        """For each statement, the earlier ones that it cannot pass. No renaming changes this: it is remembered."""
        known = self._reading.blocked
        if id(block) not in known:
            effects = [self._effects(statement) for statement in block]
            known[id(block)] = [
                [j for j in range(i) if not self._independent(effects[j], effects[i])]
                for i in range(len(block))
            ]
        return known[id(block)]

    def _effects(self, statement: s.Statement) -> Effects:
        collector = Collector(self._reading, dict(self._meanings))
        collector.statement(statement)
        return collector.effects

    def _independent(self, one: Effects, other: Effects) -> bool:
        if one.may_end or other.may_end:
            return False
        meets = self._meeting.conflicts
        return not any(meets(one.writes, other.accesses)) and not any(meets(other.writes, one.accesses))

    def _statement(self, statement: s.Statement) -> int:
        depth = self._depth
        number = self._numbers.of(*self._statement_key(statement))
        self._depth = depth
        return number

    def _statement_key(self, statement: s.Statement) -> tuple[object, ...]:
        name = type(statement).__name__
        match statement:
            case s.Assign(place, value):
                return name, self.place(place), self.expression(value)
            case s.Copy(target, source):
                return name, self.place(target), self.place(source)
            case s.CopyCall(target, call):
                return name, self.place(target), self.expression(call)
            case s.Clear(place):
                return name, self.place(place), self._renaming.keeps_smallest(e.type_of_place(place))
            case s.Undefine(place):
                return name, self.place(place), self._renaming.keeps_blank(e.type_of_place(place))
            case s.If(branches, otherwise):
                tests, bodies = (
                    [each.test for each in branches],
                    [self._block(each.body) for each in branches],
                )
                return name, tuple(self._sorted_branches(tests, bodies)), self._block(otherwise)
            case s.For(bound, body):
                return name, self._bind(bound), self._block(body)
            case s.While(test, body, limit):
                return name, self.expression(test), self._block(body), limit
            case s.Declare(variables, body):
                for variable in variables:
                    self._name(variable.name)
                types = tuple(each.type for each in variables)
                return name, types, tuple(map(self._renaming.keeps_blank, types)), self._block(body)
            case s.Bind(variable, place, body):
                number = self.place(place)
                self._meanings[variable.name] = Collector(self._reading, dict(self._meanings)).path(place)
                self._name(variable.name)
                return name, number, self._block(body)
            case s.Let(variable, value, body):
                number = self.expression(value)
                self._meanings[variable.name] = Collector(self._reading, self._meanings).value(value)
                self._name(variable.name)
                return name, number, variable.type, self._block(body)
            case s.CallStatement(call):
                return name, self.expression(call)
            case s.Return(value):
                return name, None if value is None else self._argument(value)
            case s.Assert(test, number) | s.Cover(test, number):
                return name, self.expression(test), number
            case s.Assume(test):
                return name, self.expression(test)
            case s.Add(bag, source):
                return name, self.place(bag), self.place(source)
            case s.Remove(bag, position):
                return name, self.place(bag), self.expression(position)
            case s.RemoveAll(bound, test):
                return name, *self._bound_body(bound, test)


def _flat(operator: str, parts: tuple[e.Expression, ...]) -> list[e.Expression]:
    result: list[e.Expression] = []
    for part in parts:
        if isinstance(part, e.Junction) and part.operator == operator:
            result += _flat(operator, part.parts)
        else:
            result.append(part)
    return result
