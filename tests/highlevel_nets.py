"""High-level nets for tests: a few by hand, with every type constructor, and random ones."""

from __future__ import annotations

from random import Random

from burnside.ir.highlevel.net import Arc, HighLevelNet, Place, Transition
from burnside.ir.highlevel.terms import (
    Apply,
    Binding,
    Cast,
    Conditional,
    Inject,
    IsOf,
    Literal,
    Lookup,
    Select,
    Term,
    Update,
    Variable,
    tokens,
    type_of,
)
from burnside.ir.highlevel.types import (
    BOOLEAN,
    DOT,
    NATURAL,
    Bag,
    Boolean,
    Dot,
    Element,
    Field,
    ListOf,
    MapOf,
    Natural,
    SetOf,
    Sort,
    Struct,
    TokenType,
    Union,
    domain_size,
)
from burnside.ir.highlevel.values import all_values

ONE = Literal(1, NATURAL)
DOT_VALUE = Literal((), DOT)


def sort(name: str, size: int, symmetry: str = "full") -> Sort:
    return Sort(name, tuple(f"{name.lower()}{number}" for number in range(1, size + 1)), symmetry, "")  # type: ignore[arg-type]


def natural(number: int) -> Literal:
    return Literal(number, NATURAL)


def one(value: Term) -> Apply:
    return tokens(value, ONE)


def nothing(type_: TokenType) -> Apply:
    return Apply("sum", (), Bag(type_))


def every(type_: TokenType) -> Apply:
    return Apply("all", (), Bag(type_))


def together(*bags: Term) -> Apply:
    return Apply("sum", bags, type_of(bags[0]))


def successor(value: Term, steps: int = 1) -> Apply:
    return Apply("successor", (value, natural(steps)), type_of(value))


def equal(one: Term, other: Term) -> Apply:
    return Apply("equal", (one, other), BOOLEAN)


def negation(condition: Term) -> Apply:
    return Apply("not", (condition,), BOOLEAN)


def struct(*values: Term) -> Apply:
    fields = tuple(Field(str(at), type_of(value)) for at, value in enumerate(values, start=1))
    return Apply("struct", values, Struct(fields))


def pairs(*types: TokenType) -> Struct:
    return Struct(tuple(Field(str(at), each) for at, each in enumerate(types, start=1)))


def philosophers(count: int) -> HighLevelNet:
    philo = sort("P", count, "cyclic")
    of = Element(philo)
    p = Variable("p", of)
    forks = together(one(p), one(successor(p)))
    return HighLevelNet(
        "philosophers",
        (philo,),
        (Place("think", of, every(of)), Place("fork", of, every(of)), Place("eat", of, nothing(of))),
        (
            Transition("take", (p,), (Arc(0, one(p)), Arc(1, forks)), (Arc(2, one(p)),)),
            Transition("put", (p,), (Arc(2, one(p)),), (Arc(0, one(p)), Arc(1, forks))),
        ),
    )


# Random nets

A, B, C = sort("A", 3), sort("B", 2, "fixed"), sort("C", 3, "cyclic")
FIRST, SECOND, THIRD = Element(A), Element(B), Element(C)
UNION = Union((Field("one", FIRST), Field("none", DOT), Field("both", pairs(SECOND, BOOLEAN))))
TYPES: tuple[TokenType, ...] = (
    DOT,
    BOOLEAN,
    NATURAL,
    FIRST,
    SECOND,
    THIRD,
    pairs(FIRST, SECOND),
    pairs(THIRD, pairs(FIRST, FIRST)),
    pairs(SECOND, NATURAL),
    UNION,
    ListOf(FIRST),
    SetOf(FIRST),
    MapOf(SECOND, FIRST),
    Bag(SECOND),
)


class Terms:
    """Random terms of given types over some variables."""

    def __init__(self, random: Random, variables: tuple[Variable, ...]) -> None:
        self.random, self.variables = random, variables

    def term(self, type_: TokenType, depth: int = 2) -> Term:
        known = [each for each in self.variables if each.type == type_]
        if known and (depth == 0 or self.random.random() < 0.5):
            return self.random.choice(known)
        if depth == 0 or self.random.random() < 0.3:
            return Literal(self.value(type_), type_)
        return self.random.choice(self._operators(type_))(depth - 1)

    def value(self, type_: TokenType) -> object:
        match type_:
            case Natural():
                return self.random.randrange(4)
            case ListOf(inner):
                return tuple(self.value(inner) for _ in range(self.random.randrange(3)))
            case Bag(inner):
                chosen = [each for each in all_values(inner) if self.random.random() < 0.5]
                return frozenset((each, self.random.randint(1, 2)) for each in chosen)
            case Struct(fields):
                return tuple(self.value(each.type) for each in fields)
            case _:
                return self.random.choice(list(all_values(type_)))

    def _apply(self, operator: str, type_: TokenType, *arguments: TokenType):  # type: ignore[no-untyped-def]
        return lambda depth: Apply(operator, tuple(self.term(each, depth) for each in arguments), type_)

    def _operators(self, type_: TokenType):  # type: ignore[no-untyped-def]
        apply, term = self._apply, self.term
        found = [lambda depth: Conditional(term(BOOLEAN, depth), term(type_, depth), term(type_, depth))]
        match type_:
            case Boolean():
                found = [self._condition]
            case Natural():
                found += [
                    apply("modulo", NATURAL, NATURAL, NATURAL),
                    apply("subtract", NATURAL, NATURAL, NATURAL),
                    apply("position", NATURAL, THIRD),
                    apply("distance", NATURAL, THIRD, THIRD),
                    apply("length", NATURAL, ListOf(FIRST)),
                    apply("cardinality", NATURAL, SetOf(FIRST)),
                ]
            case Element(sort) if sort == A:
                found += [
                    lambda depth: Select(term(pairs(FIRST, SECOND), depth), "1"),
                    apply("get", type_, ListOf(FIRST), NATURAL),
                    apply("at", type_, MapOf(SECOND, FIRST), SECOND),
                    lambda depth: Cast(term(UNION, depth), "one"),
                ]
            case Element(sort) if sort == B:
                found += [
                    lambda depth: Select(term(pairs(FIRST, SECOND), depth), "2"),
                    lambda depth: Lookup("f", (1, 0, 1), term(FIRST, depth), SECOND),
                ]
            case Element():
                found += [
                    apply("successor", type_, type_, NATURAL),
                    lambda depth: successor(term(type_, depth), self.random.randrange(4)),
                ]
            case Struct(fields):
                found += [
                    lambda depth: Apply("struct", tuple(term(each.type, depth) for each in fields), type_)
                ] * 3
                at = self.random.choice(fields)
                found += [lambda depth: Update(term(type_, depth), at.name, term(at.type, depth))]
            case Union(alternatives):
                chosen = self.random.choice(alternatives)
                found += [lambda depth: Inject(chosen.name, term(chosen.type, depth), type_)] * 3
            case ListOf(inner):
                found += [
                    apply("list", type_, inner, inner),
                    apply("put", type_, type_, NATURAL, inner),
                    apply("drop-first", type_, type_, NATURAL),
                    apply("drop-last", type_, type_, NATURAL),
                    apply("add-first", type_, type_, inner),
                ]
            case SetOf(inner):
                found += [
                    apply(each, type_, type_, type_) for each in ("union", "intersection", "difference")
                ]
                found += [
                    apply("set", type_, inner, inner),
                    apply("complement", type_, type_),
                    self._comprehension,
                ]
            case MapOf(key, image):
                found += [apply("assign", type_, type_, key, image), apply("unset", type_, type_, key)]
                found += [apply("map", type_, key, image)]
            case Bag(inner):
                found = [lambda depth: self.bag(inner, depth)]
        return found

    def _comprehension(self, depth: int) -> Term:
        x = Variable("x_", FIRST)
        body = Terms(self.random, (*self.variables, x)).term(BOOLEAN, depth)
        return Binding("set", x, body, SetOf(FIRST))

    def _condition(self, depth: int) -> Term:
        type_ = self.random.choice([each for each in TYPES if not isinstance(each, Bag)])
        x = Variable("y_", SECOND)
        inside = Terms(self.random, (*self.variables, x))
        return self.random.choice(
            [
                lambda: equal(self.term(type_, depth), self.term(type_, depth)),
                lambda: equal(self.term(THIRD, depth), self.term(THIRD, depth)),
                lambda: negation(self.term(BOOLEAN, depth)),
                lambda: Apply("and", (self.term(BOOLEAN, depth), self.term(BOOLEAN, depth)), BOOLEAN),
                lambda: Apply("or", (self.term(BOOLEAN, depth), self.term(BOOLEAN, depth)), BOOLEAN),
                lambda: Apply("implies", (self.term(BOOLEAN, depth), self.term(BOOLEAN, depth)), BOOLEAN),
                lambda: Apply("less", (self.term(SECOND, depth), self.term(SECOND, depth)), BOOLEAN),
                lambda: Apply("less-equal", (self.term(NATURAL, depth), self.term(NATURAL, depth)), BOOLEAN),
                lambda: Apply("member", (self.term(FIRST, depth), self.term(SetOf(FIRST), depth)), BOOLEAN),
                lambda: IsOf(self.term(UNION, depth), self.random.choice(("one", "none", "both"))),
                lambda: Binding("forall", x, inside.term(BOOLEAN, depth), BOOLEAN),
            ]
        )()  # fmt: skip

    def bag(self, type_: TokenType, depth: int = 2) -> Term:
        """What an arc says: mostly one or two tokens."""
        kind = self.random.randrange(12)
        if kind < 6 or depth == 0:
            return tokens(self.term(type_, depth), natural(self.random.randint(1, 2)))
        if kind < 9:
            return together(self.bag(type_, depth - 1), self.bag(type_, depth - 1))
        if kind == 9:
            return Apply(
                "scaled", (natural(self.random.randint(0, 2)), self.bag(type_, depth - 1)), Bag(type_)
            )
        finite = domain_size(type_)
        if kind == 10 and finite is not None and finite <= 8:
            return Apply("bag-difference", (every(type_), self.bag(type_, depth - 1)), Bag(type_))
        return Conditional(self.term(BOOLEAN, depth - 1), self.bag(type_, depth - 1), nothing(type_))


def random_net(random: Random, types: tuple[TokenType, ...] = TYPES) -> HighLevelNet:
    """Small; its supports may have no end."""
    places = []
    for number in range(random.randint(1, 4)):
        type_ = random.choice(types)
        initial = nothing(type_) if random.random() < 0.3 else Terms(random, ()).bag(type_, 1)
        places.append(Place(f"p{number}", type_, initial))
    transitions = tuple(
        _random_transition(random, f"t{number}", places, types) for number in range(random.randint(1, 4))
    )
    return HighLevelNet("random", (A, B, C), tuple(places), transitions)


def _random_transition(
    random: Random, name: str, places: list[Place], types: tuple[TokenType, ...]
) -> Transition:
    sources = [random.randrange(len(places)) for _ in range(random.randint(0, 2))]
    variables: dict[str, Variable] = {}
    consumes = []
    for at, place in enumerate(sources):
        type_ = places[place].type
        pattern = _pattern(random, type_, f"v{at}", variables)
        consumes.append(Arc(place, tokens(pattern, natural(random.randint(1, 2)))))
    if random.random() < 0.3:
        finite = [each for each in types if (domain_size(each) or 99) <= 8]
        if finite:
            variables["w"] = Variable("w", random.choice(finite))
    terms = Terms(random, tuple(variables.values()))
    if random.random() < 0.4:
        place = random.randrange(len(places))
        consumes.append(Arc(place, terms.bag(places[place].type)))
    produces = [
        Arc(place, terms.bag(places[place].type))
        for place in random.choices(range(len(places)), k=random.randint(0, 2))
    ]
    guard = terms.term(BOOLEAN) if random.random() < 0.6 else Literal(True, BOOLEAN)
    if random.random() < 0.3 and "w" in variables:
        equation = equal(variables["w"], terms.term(variables["w"].type))
        guard = Apply("and", (guard, equation), BOOLEAN)
    return Transition(name, tuple(variables.values()), tuple(consumes), tuple(produces), guard)


def _pattern(random: Random, type_: TokenType, name: str, variables: dict[str, Variable]) -> Term:
    """A term whose variables a token gives values; sometimes a variable that is there already."""
    known = [each for each in variables.values() if each.type == type_]
    if known and random.random() < 0.4:
        return random.choice(known)
    match type_:
        case Struct(fields) if random.random() < 0.7:
            parts = tuple(_pattern(random, each.type, f"{name}{each.name}", variables) for each in fields)
            return Apply("struct", parts, type_)
        case ListOf(inner) if random.random() < 0.3:
            return Apply(
                "list", tuple(_pattern(random, inner, f"{name}{at}", variables) for at in "ab"), type_
            )
        case Union(alternatives) if random.random() < 0.3:
            chosen = random.choice(alternatives)
            return Inject(
                chosen.name, _pattern(random, chosen.type, f"{name}{chosen.name}", variables), type_
            )
        case Dot():
            return DOT_VALUE
    variable = variables.setdefault(name, Variable(name, type_))
    return successor(variable) if type_ == THIRD and random.random() < 0.4 else variable
