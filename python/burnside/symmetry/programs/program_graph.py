"""The graph of a program: what its automorphisms do to the elements of sorts are proposals of symmetries.

In: a program. Out: a coloured graph. Its points are the elements of all sorts; its other vertices are the parts of the
program that name elements (`terms`), joined to what they consist of. Names of actions, of properties and of what is bound
inside play no role, nor does the order of

* actions, start states and assumptions among themselves;
* operands of commutative operators, and parts of `and` and `or`;
* branches that compare one value with different constants;
* statements that do not touch what the others write (`independence`);
* entries of a table.

So every permutation of elements that makes the program into itself, up to these orders, is an automorphism. The other way
round it is nearly so; `certify` decides. (Thesis of Donaldson 2007, chapter 4, draws a graph of channels and processes;
here the graph is that of the whole text, so nothing has to be said about what programs may do with identifiers.)
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import Any, get_args

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.nodes import Node, Tree
from burnside.ir.program import Action, Function, Program, Property
from burnside.ir.types import (
    Array,
    Element,
    Optional,
    Record,
    Scalar,
    Type,
    Union,
    bounds,
)
from burnside.ir.walking import nodes
from burnside.records import field_names, record
from burnside.symmetry.points import Images, identity, without_optional
from burnside.symmetry.programs.independence import harmless_functions, layers
from burnside.symmetry.programs.terms import Child, Terms

COMMUTATIVE = ("=", "!=", "+", "*", "bit-and", "bit-or", "bit-xor")
MIRRORED = {">": "<", ">=": "<="}
_STATEMENTS = get_args(s.Statement)
_ANONYMOUS = ("span", "name")


@record
class Automorphisms:
    """Generators on points, none of them the identity, and the order of the group."""

    generators: tuple[Images, ...]
    order: int


class ProgramGraph:
    """Built once; asked for automorphisms with and without what properties say, and with points fixed."""

    def __init__(self, program: Program) -> None:
        self.program = program
        builder = _Builder(program)
        self._terms = builder.terms
        self._behaviour = builder.behaviour()
        self._properties = builder.properties()

    def automorphisms(
        self, fixed: Collection[int] = (), *, properties: bool = True, seconds: float | None = None
    ) -> Automorphisms | None:
        """None where it takes too long."""
        from burnside import _core

        sorts = [sort.name for sort in self.program.sorts for _ in sort.elements]
        alone = frozenset(fixed)
        colours: list[Hashable] = [
            (sort, point) if point in alone else sort for point, sort in enumerate(sorts)
        ]
        roots = [*self._behaviour, *self._properties] if properties else self._behaviour
        graph = self._terms.graph(colours, roots)
        found = _core.graph_automorphisms(graph.points, graph.nodes, graph.edges, seconds)
        if found is None:
            return None
        generators, order = found
        return Automorphisms(tuple(map(tuple, generators)), order)


class _Builder:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.terms = Terms(len(identity(program)))
        self._first: dict[str, int] = {}
        at = 0
        for sort in program.sorts:
            self._first[sort.name] = at
            at += sort.size
        self._functions = {each.name: each for each in program.functions}
        self._harmless = harmless_functions(program)
        self._function_terms: dict[str, int] = {}
        self._tables: dict[int, tuple[e.Table, int]] = {}
        self._points_of: dict[Scalar, list[int] | None] = {}
        self._levels: dict[str, int] = {}
        self._depth = 0

    # The program

    def behaviour(self) -> list[int]:
        program, of = self.program, self.terms.of
        roots = [of("starts", [("start", self._action(each)) for each in program.starts])]
        roots.append(of("actions", [("action", self._action(each)) for each in program.actions]))
        assumptions = [each for each in program.properties if each.kind == "assumption"]
        roots.append(of("assumptions", [("assumption", self._property(each)) for each in assumptions]))
        if program.proper_end is not None:
            roots.append(of("proper end", [(0, self._visit(program.proper_end))]))
        unwritten = [each for each in program.variables if each.name not in self._written]
        roots += [
            of(("blank", each.name), self._first_elements(without_optional(each.type))) for each in unwritten
        ]
        return roots

    def properties(self) -> list[int]:
        return [
            self.terms.of(("property", number), [(0, self._property(each))])
            for number, each in enumerate(self.program.properties)
            if each.kind != "assumption"
        ]

    @cached_property
    def _written(self) -> frozenset[str]:
        """Variables that every start writes to, somewhere."""
        found: frozenset[str] | None = None
        for start in self.program.starts:
            written = frozenset(_written_by(start.body))
            found = written if found is None else found & written
        return found or frozenset()

    def _action(self, action: Action) -> int:
        self._depth = 0
        kind = "action", action.actor, action.keeps_control, action.idle
        children: list[Child] = [(at, self._bind(each)) for at, each in enumerate(action.parameters)]
        children.append(("guard", self._visit(action.guard)))
        children.append(("body", self._block(action.body)))
        return self.terms.of(kind, children)

    def _property(self, each: Property) -> int:
        self._depth = 0
        expression = each.expression
        return self.terms.of(each.kind, () if expression is None else [(0, self._visit(expression))])

    def _function(self, function: Function) -> int:
        """By what it does."""
        if function.name not in self._function_terms:
            levels, depth = self._levels, self._depth
            self._levels, self._depth = {}, 0
            kind = (
                "function",
                function.result,
                *((each.variable.type, each.by_reference) for each in function.parameters),
            )
            for each in function.parameters:
                self._name(each.variable.name)
            self._function_terms[function.name] = self.terms.of(kind, [(0, self._block(function.body))])
            self._levels, self._depth = levels, depth
        return self._function_terms[function.name]

    # Names

    def _name(self, name: str) -> None:
        self._levels[name] = self._depth
        self._depth += 1

    def _bind(self, bound: e.Bound) -> int:
        domain = self._visit(bound.domain)
        self._name(bound.name)
        return self.terms.of("bound", [(0, domain)])

    def _first_elements(self, type_: Type, path: Hashable = ()) -> list[Child]:
        """The elements that the smallest values of a type name."""
        match type_:
            case Element() | Union():
                points = self._points(type_)
                return [(path, points[0])] if points else []
            case Optional(inner):
                return self._first_elements(inner, path)
            case Array(_, element):
                return self._first_elements(element, path)
            case Record(fields):
                return [each for one in fields for each in self._first_elements(one.type, (path, one.name))]
            case _:
                return []

    # Values

    def _points(self, scalar: Scalar) -> list[int] | None:
        """By value; None for what is no element."""
        if scalar not in self._points_of:
            found: list[int] | None
            match scalar:
                case Element(sort):
                    sorts = [sort]
                    found = []
                case Union(members):
                    sorts = list(members)
                    found = []
                case _:
                    sorts = []
                    found = None
            for sort in sorts:
                assert found is not None
                first = self._first[sort.name]
                found += range(first, first + sort.size)
            self._points_of[scalar] = found
        return self._points_of[scalar]

    def _value(self, value: int, scalar: Scalar) -> int:
        points = self._points(scalar)
        return self.terms.of(("number", value)) if points is None else points[value]

    def _table(self, table: e.Table) -> int:
        if id(table) not in self._tables:
            self._tables[id(table)] = table, self._table_term(table)
        return self._tables[id(table)][1]

    def _table_term(self, table: e.Table) -> int:
        kind = "table", table.arguments, table.result
        scalars = (*table.arguments, table.result)
        if all(self._points(each) is None for each in scalars):
            return self.terms.of((kind, table.entries))
        ranges = [range(low, high + 1) for low, high in map(bounds, table.arguments)]
        entries = []
        for values, result in zip(product(*ranges), table.entries, strict=True):
            if result is not None:
                row = [
                    (at, self._value(value, scalar))
                    for at, (value, scalar) in enumerate(zip((*values, result), scalars, strict=True))
                ]
                entries.append((0, self.terms.of("entry", row)))
        return self.terms.of(kind, entries)

    # Code

    def _visit(self, node: Any) -> int:
        of = self.terms.of
        depth = self._depth
        found: int
        match node:
            case e.Variable(name, _, is_state):
                found = of(("state", name) if is_state else ("local", self._levels[name]))
            case e.Constant(value, type_):
                found = of(("constant", type_), [(0, self._value(value, type_))])
            case e.Binary(operator, left, right):
                found = self._binary(operator, self._visit(left), self._visit(right))
            case e.Junction(operator):
                found = of(operator, [("part", self._visit(each)) for each in _flat_parts(node)])
            case e.Same(left, right):
                found = of("same", [("place", self._visit(left)), ("place", self._visit(right))])
            case e.Conditional():
                found = self._choice(node)
            case e.Table():
                found = self._table(node)
            case e.Bound():
                return self._bind(node)
            case e.Call(function, arguments):
                children = [(at, self._visit(each)) for at, each in enumerate(arguments)]
                found = of("call", [("function", self._function(self._functions[function])), *children])
            case s.If(branches, otherwise):
                tests = [(each.test, each.body) for each in branches]
                found = of("if", [*self._branches(tests), ("otherwise", self._block(otherwise))])
            case s.Clear(place):
                first = self._first_elements(e.type_of_place(place))
                found = of("clear", [("place", self._visit(place)), *first])
            case s.Declare(variables, body):
                first = [
                    each
                    for number, one in enumerate(variables)
                    for each in self._first_elements(without_optional(one.type), number)
                ]
                for one in variables:
                    self._name(one.name)
                kind = ("declare", *(one.type for one in variables))
                found = of(kind, [("body", self._block(body)), *first])
            case s.Let(variable, value, body):
                value_ = self._visit(value)
                self._name(variable.name)
                found = of("let", [("value", value_), ("body", self._block(body))])
            case s.Bind(variable, place, body):
                place_ = self._visit(place)
                self._name(variable.name)
                found = of("bind", [("value", place_), ("body", self._block(body))])
            case _:
                found = self._any(node)
        self._depth = depth
        return found

    def _any(self, node: Tree) -> int:
        """Any other node: by its class and what it holds, children in their order."""
        plain: list[Hashable] = []
        children: list[Child] = []
        for name in field_names(node):
            value = getattr(node, name)
            if isinstance(value, Node):
                children.append((name, self._visit(value)))
            elif isinstance(value, tuple) and value and isinstance(value[0], _STATEMENTS):
                children.append((name, self._block(value)))
            elif isinstance(value, tuple) and value and isinstance(value[0], Node):
                children += [((name, at), self._visit(each)) for at, each in enumerate(value)]
            elif name not in _ANONYMOUS or isinstance(node, e.Component):
                plain.append(None if name == "span" else value)
        return self.terms.of((type(node).__name__, *plain), children)

    def _binary(self, operator: str, left: int, right: int) -> int:
        if operator in COMMUTATIVE:
            return self.terms.of(operator, [("operand", left), ("operand", right)])
        if operator in MIRRORED:
            operator, left, right = MIRRORED[operator], right, left
        return self.terms.of(operator, [(0, left), (1, right)])

    def _choice(self, node: e.Conditional) -> int:
        tests: list[tuple[e.Expression, e.Expression]] = []
        last: e.Expression = node
        while isinstance(last, e.Conditional):
            tests.append((last.test, last.then))
            last = last.otherwise
        return self.terms.of("choice", [*self._branches(tests), ("otherwise", self._visit(last))])

    def _branches(self, tests: Sequence[tuple[e.Expression, s.Block | e.Expression]]) -> Iterator[Child]:
        """Neighbours that compare one value with different constants are one child."""
        cases: list[Child] = []
        subject, seen, at = -1, set[int](), 0
        for test, body in tests:
            depth = self._depth
            body_ = self._block(body) if isinstance(body, tuple) else self._visit(body)
            compared = self._comparison(test)
            self._depth = depth
            if compared is None:
                if cases:
                    yield at, self.terms.of("cases", [("subject", subject), *cases])
                    cases, seen, at = [], set(), at + 1
                yield at, self.terms.of("branch", [("test", self._visit(test)), ("body", body_)])
                at += 1
                continue
            if cases and (compared[0] != subject or compared[1] in seen):
                yield at, self.terms.of("cases", [("subject", subject), *cases])
                cases, seen, at = [], set(), at + 1
            subject = compared[0]
            seen.add(compared[1])
            cases.append(("case", self.terms.of("case", [("is", compared[1]), ("body", body_)])))
        if cases:
            yield at, self.terms.of("cases", [("subject", subject), *cases])

    def _comparison(self, test: e.Expression) -> tuple[int, int] | None:
        match test:
            case e.Binary("=", e.Constant() as constant, subject) | e.Binary(
                "=", subject, e.Constant() as constant
            ):
                return self._visit(subject), self._value(constant.value, constant.type)
        return None

    def _block(self, block: s.Block) -> int:
        """Layers, in their order."""
        depth = self._depth
        children = [
            (at, self._visit(statement))
            for at, layer in enumerate(layers(block, self._harmless))
            for statement in layer
        ]
        self._depth = depth
        return self.terms.of("block", children)


def _flat_parts(junction: e.Junction) -> Iterator[e.Expression]:
    for part in junction.parts:
        if isinstance(part, e.Junction) and part.operator == junction.operator:
            yield from _flat_parts(part)
        else:
            yield part


def _written_by(block: s.Block) -> Iterator[str]:
    for each in nodes(*block):
        match each:
            case s.Assign(place) | s.Copy(place) | s.Clear(place) | s.CopyCall(place):
                yield _root(place)


def _root(place: e.Place) -> str:
    match place:
        case e.Variable(name):
            return name
        case e.Component(inner) | e.Index(inner) | e.Entry(inner):
            return _root(inner)
