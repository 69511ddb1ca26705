"""Expressions of machines: values, and predicates, which are expressions of type boolean.

An expression may have no value: a function applied outside its domain, a division by zero, the least element of no set.
Then it is *undefined*. Undefinedness is strong and does not depend on any order: a conjunction is false if one part is
false, else undefined if one part is, else true; dually for disjunction; `P => Q` is `not P or Q`; a universal quantifier is
a conjunction over its valuations, an existential one and the condition of a comprehension a disjunction (an undefined
valuation makes a comprehension undefined). Everything else is undefined where an operand is, also where the others
would decide: `{} : POW(S)` where S is. So a solver may take parts of a predicate in whatever order is cheapest. In two cases
it need not look at all valuations: where something is undefined and a name has many values, the whole may be taken to be
undefined; and where nothing but an application `f(x)` bounds x, values outside the domain of f may be left out.

Sets may be infinite (all whole numbers, all functions between two sets, a comprehension without bounds). An infinite set
has no value, but expressions that denote one may stand where only membership in them matters: on the right of `member` and
`subset`, under operators that build spaces from sets, as a function that is applied, as a domain to restrict by.
"""

from __future__ import annotations

from burnside.diagnostics import Span
from burnside.ir.nodes import Node
from burnside.ir.sets.types import (
    BOOLEAN,
    INTEGER,
    Boolean,
    Element,
    FreeType,
    Integer,
    Pair,
    Set,
    Text,
    ValueType,
)
from burnside.records import field, record


@record
class Literal(Node):
    """A number, a truth value (0, 1), an element by its position in its sort, a text."""

    value: int | str
    type: Boolean | Integer | Element | Text
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Name(Node):
    """A variable or constant of the machine (`is_state`), or a local name: parameter, result, quantified. Names are unique
    within a machine: lowering resolves shadowing, with numbers behind `#` that users do not see."""

    name: str
    type: ValueType
    is_state: bool = False
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Apply(Node):
    """One of `OPERATORS`, applied. `type` is that of the result, so an empty set knows what it could hold."""

    operator: str
    arguments: tuple[Expression, ...]
    type: ValueType
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Forall(Node):
    """`!names.(condition => body)`. Valuations are found by solving `condition`."""

    names: tuple[Name, ...]
    condition: Expression
    body: Expression
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Exists(Node):
    names: tuple[Name, ...]
    condition: Expression
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Comprehension(Node):
    """The set of all `value` for the valuations of `names` that satisfy `condition`: `{x,y | P}` (the value is the pair of
    the names), `%x.(P | E)` (the value is `x |-> E`), `UNION(x).(P | E)` (`general-union` of it)."""

    names: tuple[Name, ...]
    condition: Expression
    value: Expression
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Fold(Node):
    """`SIGMA` ("sum") or `PI` ("product") of `value` over the valuations that satisfy `condition`, equal values counted for
    each of them."""

    operator: str
    names: tuple[Name, ...]
    condition: Expression
    value: Expression
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Conditional(Node):
    """Only the chosen branch is evaluated."""

    test: Expression
    then: Expression
    otherwise: Expression


@record
class Let(Node):
    """`value` is evaluated once. It is undefined only where `body` evaluates it: a name that is not used does no harm."""

    name: Name
    value: Expression
    body: Expression


@record
class Select(Node):
    """A field of a record."""

    record: Expression
    name: str
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Construct(Node):
    """The value that a constructor of a free type makes of an argument; None where it takes none. Undefined outside of
    what the constructor is for (`within`)."""

    constructor: str
    argument: Expression | None
    type: FreeType
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class IsConstructed(Node):
    """Is a value of a free type made by this constructor?"""

    value: Expression
    constructor: str
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class ArgumentOf(Node):
    """What a value of a free type is made of; undefined where another constructor made it."""

    value: Expression
    constructor: str
    span: Span | None = field(default=None, compare=False, repr=False)


Expression = (
    Literal
    | Name
    | Apply
    | Forall
    | Exists
    | Comprehension
    | Fold
    | Conditional
    | Let
    | Select
    | Construct
    | IsConstructed
    | ArgumentOf
)

TRUE = Literal(1, BOOLEAN)
FALSE = Literal(0, BOOLEAN)

ANY_NUMBER = -1
OPERATORS: dict[str, int] = {
    # Connectives, `and` and `or` of any number of parts. See above for what is undefined.
    "and": ANY_NUMBER, "or": ANY_NUMBER, "not": 1, "implies": 2, "iff": 2,
    # Comparisons. `member` (x : S), `subset` (S <: T) and `strict-subset` (S <<: T) take infinite sets on the right.
    "equal": 2, "member": 2, "subset": 2, "strict-subset": 2, "less": 2, "less-equal": 2,
    # Whole numbers. Division rounds towards zero; `modulo` is defined for a >= 0 and b > 0; `power` for b >= 0.
    "add": 2, "subtract": 2, "multiply": 2, "divide": 2, "modulo": 2, "power": 2, "negate": 1,
    # The least and the greatest number of a set; undefined for none.
    "min": 1, "max": 1,
    # Sets. `all`: every value of the element type of the result (infinite for a recursive free type); `up-from`: every
    # number from the argument on (infinite).
    "set": ANY_NUMBER, "all": 0, "up-from": 1, "interval": 2, "union": 2, "intersection": 2, "difference": 2,
    "product": 2, "power-set": 1, "power-set-1": 1, "card": 1, "general-union": 1, "general-intersection": 1,
    # `power-set-1`: without the empty set. Both are also FIN and FIN1. `general-intersection` is undefined for none.
    # Pairs: a |-> b, and its parts.
    "pair": 2, "left": 1, "right": 1,
    # Spaces of relations and functions between two sets.
    "relations": 2, "total-relations": 2, "surjective-relations": 2, "total-surjective-relations": 2,
    "partial-functions": 2, "total-functions": 2, "partial-injections": 2, "total-injections": 2,
    "partial-surjections": 2, "total-surjections": 2, "partial-bijections": 2, "total-bijections": 2,
    # Relations. `apply` is undefined outside the domain, and where the relation has two images.
    "apply": 2, "domain": 1, "range": 1, "identity": 1, "inverse": 1, "image": 2,
    # `compose`: (r ; s), r first. `parallel-product`: (r || s). `direct-product`: r >< s.
    "compose": 2, "parallel-product": 2, "direct-product": 2,
    # S <| r, S <<| r, r |> S, r |>> S, r <+ s.
    "domain-restrict": 2, "domain-subtract": 2, "range-restrict": 2, "range-subtract": 2, "override": 2,
    # `closure1`: transitive; `closure`: reflexive too, on the whole type where that is finite, else on domain and range.
    "closure1": 1, "closure": 1, "iterate": 2, "first-projection": 2, "second-projection": 2,
    # fnc(r): from each x to the set of its images; rel(f): back.
    "as-function": 1, "as-relation": 1,
    # Sequences; undefined where the argument is none, or has no first element.
    "sequence": ANY_NUMBER, "sequences": 1, "sequences-1": 1, "injective-sequences": 1, "injective-sequences-1": 1,
    "permutations": 1, "size": 1, "concat": 2, "prepend": 2, "append": 2, "reverse": 1, "first": 1, "last": 1,
    "tail": 1, "front": 1, "take": 2, "drop": 2, "general-concat": 1,
    # Multisets. `bag`: numbers and values in turn; `bag-change`: a multiset, and numbers, which may be negative, and values
    # in turn. Undefined where something would occur less than no times. `support`: the set of what occurs; `bag-of-function`
    # takes a set of pairs of a value and its number, one for each value.
    "bag": ANY_NUMBER, "bag-change": ANY_NUMBER, "bag-sum": 2, "bag-difference": 2, "bag-scaled": 2, "bag-included": 2,
    "bag-count": 2, "bag-size": 1, "support": 1, "bag-of-set": 1, "bag-of-function": 1,
    # Elements of a sort, in its order: the position, from 0 on; the element at a position, undefined beyond the last; the
    # element so many places on, around the end (element, number).
    "position": 1, "element-at": 1, "shift": 2,
    # Records: values in the order of the type's fields; and the set of records with fields from these sets.
    "record": ANY_NUMBER, "records": ANY_NUMBER,
}  # fmt: skip
"""Every operator and how many arguments it takes."""


def type_of(expression: Expression) -> ValueType:
    match expression:
        case Literal(_, type_) | Name(_, type_) | Apply(_, _, type_) | Construct(_, _, type_):
            return type_
        case Forall() | Exists() | IsConstructed():
            return BOOLEAN
        case Comprehension(_, _, value):
            return Set(type_of(value))
        case Fold():
            return INTEGER
        case Conditional(_, then):
            return type_of(then)
        case Let(_, _, body):
            return type_of(body)
        case Select(inner, name):
            from burnside.ir.sets.types import Struct

            struct = type_of(inner)
            assert isinstance(struct, Struct)
            return struct.fields[struct.position(name)].type
        case ArgumentOf(value, constructor):
            free = type_of(value)
            assert isinstance(free, FreeType)
            argument = free.argument(constructor)
            assert argument is not None
            return argument


def conjuncts(predicate: Expression) -> tuple[Expression, ...]:
    """The parts of a conjunction, however it is nested; TRUE has none."""
    match predicate:
        case Apply("and", parts):
            return tuple(each for part in parts for each in conjuncts(part))
        case Literal(1, Boolean()):
            return ()
        case _:
            return (predicate,)


def pair(left: Expression, right: Expression) -> Apply:
    return Apply("pair", (left, right), Pair(type_of(left), type_of(right)))
