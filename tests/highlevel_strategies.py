"""Random small high-level nets: every type constructor, every operator, undefined terms.

`nets()` are well formed, and their markings are finitely many: where a transition makes more tokens than it takes, or tokens
whose number is not plain, it takes one of a few tokens of `fuel`; numbers stay below `MODULUS`, lists and multisets inside
tokens no longer than `LONGEST`. With `symmetric=True` nothing but the initial marking tells elements of unordered types
apart, nor elements of cyclic types but by how far apart they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from burnside.ir.highlevel.net import Arc, Claim, HighLevelNet, Place, Transition
from burnside.ir.highlevel.terms import (
    TRUE,
    Apply,
    Binding,
    Cast,
    Conditional,
    Inject,
    IsOf,
    Literal,
    Lookup,
    Marked,
    Select,
    Term,
    Update,
    Variable,
    element,
    tokens,
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
from hypothesis import strategies as st

MODULUS = 3
LONGEST = 2
MAX_DOMAIN = 6
"""Values of a type that a quantifier goes through, or a variable that no arc binds."""
MAX_VALUES = 12
"""Of a type of tokens that is finite."""
FUEL = 2

A = Sort("A", ("a1", "a2", "a3"), "full", "unordered")
B = Sort("B", ("b1", "b2"), "full", "unordered")
C = Sort("C", ("0", "1", "2"), "cyclic", "cyclic")
O = Sort("O", ("low", "high"), "fixed", "ordered")  # noqa: E741
SORTS = (A, B, C, O)
SEARCHED = Sort("E", ("red", "green"), "fixed", "enum")

Draw = Callable[[st.SearchStrategy[Any]], Any]
ONE = Literal(1, NATURAL)


def undefined(type_: TokenType) -> Term:
    """What `err` is read into."""
    return Apply("at", (Apply("map", (), MapOf(DOT, type_)), Literal((), DOT)), type_)


# Types


def primitive_types() -> st.SearchStrategy[TokenType]:
    return st.sampled_from([Element(each) for each in (*SORTS, SEARCHED)] + [DOT, BOOLEAN, NATURAL])


def finite_types() -> st.SearchStrategy[TokenType]:
    """That can be gone through."""
    return token_types(2).filter(is_small)


def is_endless_or_few(type_: TokenType) -> bool:
    """All values of variables of finite types are tried by the reference interpreter."""
    size = domain_size(type_)
    return size is None or size <= MAX_VALUES


def is_small(type_: TokenType) -> bool:
    size = domain_size(type_)
    return size is not None and size <= MAX_DOMAIN


@st.composite
def token_types(draw: Draw, depth: int = 2) -> TokenType:
    if depth == 0 or draw(st.integers(0, 2)) == 0:
        return draw(primitive_types())
    inner = token_types(depth - 1)
    match draw(st.sampled_from(("list", "struct", "set", "bag", "map", "union"))):
        case "list":
            return ListOf(draw(inner))
        case "struct":
            types = draw(st.lists(inner, min_size=1, max_size=2))
            names = ("1", "2") if draw(st.booleans()) else ("f", "g")
            return Struct(tuple(Field(name, each) for name, each in zip(names, types, strict=False)))
        case "set":
            return SetOf(draw(inner))
        case "bag":
            return Bag(draw(inner))
        case "map":
            return MapOf(draw(inner), draw(inner))
        case _:
            types = draw(st.lists(inner, min_size=1, max_size=2))
            return Union((Field("none", DOT), *(Field(f"u{at}", each) for at, each in enumerate(types))))


# Terms


class Terms:
    """Draws terms over some variables. `symmetric`: see above; `partial`: terms may be undefined; `places`: types of
    places, for conditions on markings."""

    def __init__(
        self,
        draw: Draw,
        variables: Sequence[Variable],
        *,
        symmetric: bool = False,
        partial: bool = True,
        places: Sequence[TokenType] = (),
    ) -> None:
        self.draw, self.variables = draw, list(variables)
        self.symmetric, self.partial = symmetric, partial
        self.places = places
        self.bound = 0

    def pick(self, *options: Any) -> Any:
        return self.draw(st.sampled_from(options))

    def values(self, type_: TokenType, depth: int = 2) -> Term:
        """Without variables: literals and displays."""
        return self._display(type_, depth, closed=True)

    def term(self, type_: TokenType, depth: int = 2) -> Term:
        leaves: list[Callable[[], Term]] = [
            *((lambda each=each: each) for each in self.variables if each.type == type_),
            *(
                (lambda at=at, each=each: Marked(at, Bag(each)))
                for at, each in enumerate(self.places)
                if Bag(each) == type_
            ),
        ]
        if leaves and self.draw(st.integers(0, 2)):
            return self.pick(*leaves)()
        if depth <= 0:
            return self._display(type_, 0, closed=False)
        options: list[Callable[[], Term]] = [lambda: self._display(type_, depth, closed=False)]
        options += [*self._any(type_, depth), *self._of(type_, depth), *self._of(type_, depth)]
        return self.pick(*options)()

    def _display(self, type_: TokenType, depth: int, *, closed: bool) -> Term:
        def inner(of: TokenType) -> Term:
            return self._display(of, depth - 1, closed=True) if closed else self.term(of, depth - 1)

        def several(of: TokenType) -> list[Term]:
            return [inner(of) for _ in range(self.draw(st.integers(0, LONGEST)) if depth > 0 else 0)]

        match type_:
            case Element(sort):
                return self._element(sort, closed)
            case Dot():
                return Literal((), DOT)
            case Boolean():
                return Literal(self.draw(st.booleans()), BOOLEAN)
            case Natural():
                return Literal(self.draw(st.integers(0, MODULUS - 1)), NATURAL)
            case ListOf(of):
                return Apply("list", tuple(several(of)), type_)
            case SetOf(of):
                return Apply("set", tuple(several(of)), type_)
            case Bag(of):
                parts = tuple(tokens(each, Literal(self.pick(1, 1, 2), NATURAL)) for each in several(of))
                return parts[0] if len(parts) == 1 else Apply("sum", parts, type_)
            case MapOf(key, value):
                pairs = [(each, inner(value)) for each in several(key)]
                return Apply("map", tuple(each for pair in pairs for each in pair), type_)
            case Struct(fields):
                return Apply("struct", tuple(inner(each.type) for each in fields), type_)
            case Union(alternatives):
                chosen = self.pick(*alternatives) if depth > 0 else alternatives[0]
                return Inject(chosen.name, inner(chosen.type), type_)
        raise AssertionError(type_)

    def _element(self, sort: Sort, closed: bool) -> Term:
        """A constant, where that is no harm; else what is there, or what has no value."""
        if closed or not self.symmetric or sort.symmetry == "fixed":
            return element(sort, self.draw(st.integers(0, sort.size - 1)))
        known = [each for each in self.variables if each.type == Element(sort)]
        return self.pick(*known) if known else undefined(Element(sort))

    def _any(self, type_: TokenType, depth: int) -> list[Callable[[], Term]]:
        """For every type."""
        fields = [
            (variable, field.name)
            for variable in self.variables
            if isinstance(variable.type, Struct)
            for field in variable.type.fields
            if field.type == type_
        ]
        found: list[Callable[[], Term]] = [
            *((lambda v=v, f=f: Select(v, f)) for v, f in fields),
            lambda: Conditional(
                self.boolean(depth - 1), self.term(type_, depth - 1), self.term(type_, depth - 1)
            ),
            lambda: Select(self.term(Struct((Field("f", type_),)), depth - 1), "f"),
        ]
        if self.partial:
            key = self.pick(DOT, BOOLEAN, Element(A))
            union = Union((Field("none", DOT), Field("u0", type_)))
            found += self.pick(
                [],
                [lambda: undefined(type_)],
                [lambda: Apply("get", (self.term(ListOf(type_), depth - 1), self.number(depth - 1)), type_)],
                [
                    lambda: Apply(
                        "at", (self.term(MapOf(key, type_), depth - 1), self.term(key, depth - 1)), type_
                    )
                ],
                [lambda: Cast(self.term(union, depth - 1), "u0")],
            )
        return found

    def some_type(self) -> TokenType:
        """One of which there is a value, maybe."""
        known = [each.type for each in self.variables]
        known += [each.type.element for each in self.variables if isinstance(each.type, ListOf | SetOf | Bag)]
        known += [each.type.key for each in self.variables if isinstance(each.type, MapOf)]
        known += self.places
        return self.pick(*known) if known and self.draw(st.integers(0, 3)) else self.draw(token_types(1))

    def _of(self, type_: TokenType, depth: int) -> list[Callable[[], Term]]:
        match type_:
            case Boolean():
                return [lambda: self.boolean(depth)]
            case Natural():
                return [lambda: self.number(depth)]
            case Element(sort):
                return self._elements(sort, depth)
            case ListOf(of):
                return self._lists(type_, of, depth)
            case Struct(fields):
                field = self.pick(*fields)
                return [
                    lambda: Update(self.term(type_, depth - 1), field.name, self.term(field.type, depth - 1))
                ]
            case SetOf(of):
                return self._sets(type_, of, depth)
            case Bag(of):
                return [lambda: self.bounded_bag(type_, of, depth)]
            case MapOf(key, value):
                return self._maps(type_, key, value, depth)
        return []

    def under(self, type_: TokenType, body: Callable[[], Term]) -> tuple[Variable, Term]:
        """A bound name and a body in which it may stand."""
        self.bound += 1
        variable = Variable(self.pick("z", "x", f"z{self.bound}"), type_)
        before = self.variables
        self.variables = [*(each for each in before if each.name != variable.name), variable]
        try:
            return variable, body()
        finally:
            self.variables = before

    # Truth values

    def boolean(self, depth: int) -> Term:
        if depth <= 0:
            known = [each for each in self.variables if each.type == BOOLEAN]
            return self.pick(*known, Literal(True, BOOLEAN), Literal(False, BOOLEAN))
        inner = depth - 1
        type_ = self.some_type()
        kind = self.pick("equal", "less", "asked", "asked", "connective", "bound", "is")
        match kind:
            case "equal":
                return Apply("equal", (self.term(type_, inner), self.term(type_, inner)), BOOLEAN)
            case "less":
                ordered = (
                    NATURAL if self.symmetric or self.draw(st.booleans()) else Element(self.pick(*SORTS))
                )
                operator = self.pick("less", "less-equal")
                return Apply(operator, (self.term(ordered, inner), self.term(ordered, inner)), BOOLEAN)
            case "asked":
                return self._asked(type_, inner)
            case "connective":
                operator = self.pick("and", "or", "not", "implies", "iff", "xor")
                count = {"not": 1, "and": self.pick(0, 1, 2, 3), "or": self.pick(2, 3)}.get(operator, 2)
                return Apply(operator, tuple(self.boolean(inner) for _ in range(count)), BOOLEAN)
            case "bound":
                variable, body = self.under(self.draw(finite_types()), lambda: self.boolean(inner))
                return Binding(self.pick("forall", "exists"), variable, body, BOOLEAN)
        unions = [each.type for each in self.variables if isinstance(each.type, Union)]
        if unions:
            chosen = self.pick(*unions)
            return IsOf(self.term(chosen, inner), self.pick(*chosen.alternatives).name)
        union = Union((Field("none", DOT), Field("u0", type_)))
        return IsOf(self.term(union, inner), self.pick("none", "u0"))

    def _asked(self, type_: TokenType, inner: int) -> Term:
        match self.pick("member", "subset", "included", "defined"):
            case "member":
                return Apply("member", (self.term(type_, inner), self.term(SetOf(type_), inner)), BOOLEAN)
            case "subset":
                return Apply(
                    "subset", (self.term(SetOf(type_), inner), self.term(SetOf(type_), inner)), BOOLEAN
                )
            case "included":
                return Apply(
                    "included", (self.term(Bag(type_), inner), self.term(Bag(type_), inner)), BOOLEAN
                )
        map_ = MapOf(type_, self.draw(primitive_types()))
        return Apply("defined", (self.term(map_, inner), self.term(type_, inner)), BOOLEAN)

    # Numbers

    def number(self, depth: int) -> Term:
        known = [each for each in self.variables if each.type == NATURAL]
        if depth <= 0:
            return self.pick(*known, Literal(self.draw(st.integers(0, MODULUS - 1)), NATURAL))
        inner = depth - 1
        type_ = self.some_type()
        kinds = ["add", "multiply", "length", "cardinality", "size", "count", "distance"]
        if not self.symmetric:
            kinds.append("position")
        if self.partial:
            kinds += ["subtract", "divide", "modulo"]
        operator = self.pick(*kinds)
        match operator:
            case "add" | "multiply":
                computed = Apply(operator, (self.number(inner), self.number(inner)), NATURAL)
                return Apply("modulo", (computed, Literal(MODULUS, NATURAL)), NATURAL)
            case "subtract" | "divide" | "modulo":
                return Apply(operator, (self.number(inner), self.number(inner)), NATURAL)
            case "distance":
                sort = C if self.symmetric else self.pick(*SORTS)
                return Apply(
                    operator, (self.term(Element(sort), inner), self.term(Element(sort), inner)), NATURAL
                )
            case "position":
                return Apply(operator, (self.term(Element(self.pick(*SORTS)), inner),), NATURAL)
            case "count":
                count = Apply(operator, (self.term(Bag(type_), inner), self.term(type_, inner)), NATURAL)
        if operator == "count":
            return Apply("modulo", (count, Literal(MODULUS, NATURAL)), NATURAL)
        of = {"length": ListOf(type_), "cardinality": SetOf(type_), "size": Bag(type_)}[operator]
        found = Apply(operator, (self.term(of, inner),), NATURAL)
        return Apply("modulo", (found, Literal(MODULUS, NATURAL)), NATURAL)

    # Elements

    def _elements(self, sort: Sort, depth: int) -> list[Callable[[], Term]]:
        type_, inner = Element(sort), depth - 1
        found: list[Callable[[], Term]] = []
        if sort.symmetry == "cyclic" or not self.symmetric:
            found.append(lambda: Apply("successor", (self.term(type_, inner), self.number(inner)), type_))
        if not self.symmetric:
            other = self.pick(*SORTS)
            images = tuple(at % sort.size for at in range(other.size))
            name = f"{other.name}_{sort.name}"
            found.append(lambda: Lookup(name, images, self.term(Element(other), inner), type_))
            if self.partial:
                found.append(lambda: Apply("element", (self.number(inner),), type_))
        return found

    # Lists, sets, multisets, maps

    def _lists(self, type_: ListOf, of: TokenType, depth: int) -> list[Callable[[], Term]]:
        inner = depth - 1

        def shortened(operator: str, *rest: TokenType) -> Term:
            longer = Apply(
                operator, (self.term(type_, inner), *(self.term(each, inner) for each in rest)), type_
            )
            test = Apply(
                "less", (Apply("length", (longer,), NATURAL), Literal(LONGEST + 1, NATURAL)), BOOLEAN
            )
            return Conditional(test, longer, Apply("list", (), type_))

        def dropped() -> Term:
            operator = self.pick("drop-first", "drop-last")
            return Apply(operator, (self.term(type_, inner), self.number(inner)), type_)

        found: list[Callable[[], Term]] = [
            lambda: shortened(self.pick("add-first", "add-last"), of),
            lambda: shortened("concatenate", type_),
            dropped,
        ]
        if self.partial:
            found.append(
                lambda: Apply(
                    "put", (self.term(type_, inner), self.number(inner), self.term(of, inner)), type_
                )
            )
        return found

    def _sets(self, type_: SetOf, of: TokenType, depth: int) -> list[Callable[[], Term]]:
        inner = depth - 1

        def comprehension() -> Term:
            variable, body = self.under(of, lambda: self.boolean(inner))
            return Binding("set", variable, body, type_)

        found: list[Callable[[], Term]] = [
            lambda: Apply(
                self.pick("union", "intersection", "difference"),
                (self.term(type_, inner), self.term(type_, inner)),
                type_,
            ),
            lambda: Apply("support", (self.term(Bag(of), inner),), type_),
        ]
        if is_small(of):
            found += [
                comprehension,
                lambda: Apply("complement", (self.term(type_, inner),), type_),
                lambda: Apply("full", (), type_),
            ]
        return found

    def bag(self, type_: Bag, of: TokenType, depth: int) -> Term:
        """Of any size."""
        inner = depth - 1
        kinds = ["tokens", "sum", "scaled", "bag-of"]
        kinds += ["all", "bound"] if is_small(of) else []
        kinds += ["bag-difference"] if self.partial else []
        match self.pick(*kinds):
            case "tokens":
                return tokens(self.term(of, inner), self.number(inner))
            case "sum":
                return Apply(
                    "sum", tuple(self.term(type_, inner) for _ in range(self.pick(0, 1, 2, 3))), type_
                )
            case "scaled":
                return Apply("scaled", (self.number(inner), self.term(type_, inner)), type_)
            case "bag-of":
                return Apply("bag-of", (self.term(SetOf(of), inner),), type_)
            case "all":
                return Apply("all", (), type_)
            case "bound":
                variable, body = self.under(of, lambda: self.number(inner))
                return Binding("bag", variable, body, type_)
        return Apply("bag-difference", (self.term(type_, inner), self.term(type_, inner)), type_)

    def bounded_bag(self, type_: Bag, of: TokenType, depth: int) -> Term:
        found = self.bag(type_, of, depth)
        test = Apply("less", (Apply("size", (found,), NATURAL), Literal(LONGEST + 1, NATURAL)), BOOLEAN)
        return Conditional(test, found, Apply("sum", (), type_))

    def _maps(self, type_: MapOf, key: TokenType, value: TokenType, depth: int) -> list[Callable[[], Term]]:
        inner = depth - 1

        def comprehension() -> Term:
            variable, body = self.under(key, lambda: self.term(value, inner))
            return Binding("map", variable, body, type_)

        found: list[Callable[[], Term]] = [
            lambda: Apply(
                "assign", (self.term(type_, inner), self.term(key, inner), self.term(value, inner)), type_
            ),
            lambda: Apply("unset", (self.term(type_, inner), self.term(key, inner)), type_),
        ]
        if is_small(key):
            found.append(comprehension)
        return found


# Nets


@st.composite
def nets(
    draw: Draw, *, symmetric: bool = False, partial: bool = True, depth: int = 2, claims: bool = True
) -> HighLevelNet:
    types = draw(st.lists(token_types(2).filter(is_endless_or_few), min_size=2, max_size=3))
    closed = Terms(draw, (), symmetric=symmetric, partial=False)
    places = [Place("fuel", DOT, tokens(Literal((), DOT), Literal(FUEL, NATURAL)))]
    for at, type_ in enumerate(types):
        parts = tuple(
            tokens(closed.values(type_), ONE) for _ in range(draw(st.sampled_from((1, 2, 2, 3, 0))))
        )
        initial = parts[0] if len(parts) == 1 else Apply("sum", parts, Bag(type_))
        places.append(Place(f"p{at}", type_, initial))
    moves = draw(_moves(places)) if draw(st.integers(0, 3)) else []
    count = draw(st.integers(1, 3))
    types = [each.type for each in places]
    transitions = tuple(draw(_transition(f"t{at}", types, symmetric, partial, depth)) for at in range(count))
    transitions += tuple(moves)
    found: list[Claim] = []
    if claims and draw(st.booleans()):
        terms = Terms(draw, (), symmetric=symmetric, partial=partial, places=[each.type for each in places])
        found.append(Claim(draw(st.sampled_from(("invariant", "goal"))), "claim", terms.boolean(depth + 1)))
    return HighLevelNet(
        "random", (*SORTS, SEARCHED), tuple(places), transitions, frozenset({"E"}), tuple(found)
    )


@st.composite
def _moves(draw: Draw, places: list[Place]) -> list[Transition]:
    """A place more, to which tokens of another one are moved: most nets have no second marking otherwise."""
    at = draw(st.integers(1, len(places) - 1))
    type_, new = places[at].type, len(places)
    value = Variable("moved", type_)
    there = Arc(at, tokens(value, ONE)), Arc(new, tokens(value, ONE))
    places.append(Place("q", type_, Apply("sum", (), Bag(type_))))
    both = draw(st.booleans())
    return [
        Transition("move", (value,), there[:1], there[1:]),
        *([Transition("back", (value,), there[1:], there[:1])] if both else []),
    ]


@st.composite
def _transition(
    draw: Draw, name: str, types: Sequence[TokenType], symmetric: bool, partial: bool, depth: int
) -> Transition:
    variables: list[Variable] = []
    consumes, taken = [], 0
    for _ in range(draw(st.sampled_from((1, 1, 2)))):
        place = draw(st.integers(0, len(types) - 1))
        number = draw(st.sampled_from((1, 1, 1, 1, 2)))
        pattern = draw(_pattern(types[place], variables, 2))
        consumes.append(Arc(place, tokens(pattern, Literal(number, NATURAL))))
        taken += number
    if draw(st.booleans()):
        variables.append(Variable(f"v{len(variables)}", draw(finite_types())))
    variables = [each for each in variables if each.type != DOT or draw(st.booleans())]
    terms = Terms(draw, variables, symmetric=symmetric, partial=partial)
    guard = terms.boolean(depth) if draw(st.integers(0, 2)) == 0 else TRUE
    produces, is_free = [], draw(st.booleans())
    for _ in range(draw(st.sampled_from((1, 2, 2, 0)))):
        place = draw(st.integers(0, len(types) - 1))
        if is_free and place != 0:
            produces.append(Arc(place, terms.term(Bag(types[place]), depth)))
        elif taken > 0:
            taken -= 1
            produces.append(Arc(place, tokens(terms.term(types[place], depth), ONE)))
    if is_free:
        consumes.append(Arc(0, tokens(Literal((), DOT), ONE)))
        produces = [each for each in produces if each.place != 0]
    used = _names([*consumes, *produces], guard)
    kept = tuple(each for each in variables if each.name in used or draw(st.booleans()))
    return Transition(name, kept, tuple(consumes), tuple(produces), guard)


def _names(arcs: Sequence[Arc], guard: Term) -> set[str]:
    from burnside.ir.walking import nodes

    return {each.name for each in nodes(guard, *(arc.term for arc in arcs)) if isinstance(each, Variable)}


@st.composite
def _pattern(draw: Draw, type_: TokenType, variables: list[Variable], depth: int) -> Term:
    """A token in which variables stand: the whole, or fields of it."""
    match type_:
        case Dot():
            return Literal((), DOT)
        case Struct(fields) if depth and draw(st.booleans()):
            return Apply(
                "struct", tuple(draw(_pattern(each.type, variables, depth - 1)) for each in fields), type_
            )
        case ListOf(of) if depth and draw(st.integers(0, 3)) == 0:
            parts = tuple(draw(_pattern(of, variables, depth - 1)) for _ in range(draw(st.integers(0, 2))))
            return Apply("list", parts, type_)
        case Union(alternatives) if depth and draw(st.booleans()):
            chosen = draw(st.sampled_from(alternatives))
            return Inject(chosen.name, draw(_pattern(chosen.type, variables, depth - 1)), type_)
    known = [each for each in variables if each.type == type_]
    if known and draw(st.integers(0, 2)) == 0:
        return draw(st.sampled_from(known))
    variable = Variable(f"v{len(variables)}", type_)
    variables.append(variable)
    return variable
