"""What types the operators of the waist take and give, as schemes: B's table of typing rules.

In: the name of an operator of `ir.sets.expressions`. Out: terms for its arguments and its result, with fresh holes for the
types it is polymorphic in. Operators with any number of arguments are typed where they are used.
"""

from __future__ import annotations

from collections.abc import Callable

from burnside.languages.b.resolve.terms import (
    NUMBER,
    TRUTH,
    Hole,
    PairOf,
    SetOf,
    Term,
    relation,
    sequence,
)
from burnside.records import record


@record
class Signature:
    arguments: tuple[Term, ...]
    result: Term


Scheme = Callable[[Term, Term, Term, Term], tuple[tuple[Term, ...], Term]]

_NUMBERS: Scheme = lambda a, b, c, d: ((NUMBER, NUMBER), NUMBER)  # noqa: E731
_COMPARED: Scheme = lambda a, b, c, d: ((NUMBER, NUMBER), TRUTH)  # noqa: E731
_LOGICAL: Scheme = lambda a, b, c, d: ((TRUTH, TRUTH), TRUTH)  # noqa: E731
_SETS: Scheme = lambda a, b, c, d: ((SetOf(a), SetOf(a)), SetOf(a))  # noqa: E731
_CONTAINED: Scheme = lambda a, b, c, d: ((SetOf(a), SetOf(a)), TRUTH)  # noqa: E731
_POWER: Scheme = lambda a, b, c, d: ((SetOf(a),), SetOf(SetOf(a)))  # noqa: E731
_SPACE: Scheme = lambda a, b, c, d: ((SetOf(a), SetOf(b)), SetOf(relation(a, b)))  # noqa: E731
_DOMAIN: Scheme = lambda a, b, c, d: ((SetOf(a), relation(a, b)), relation(a, b))  # noqa: E731
_RANGE: Scheme = lambda a, b, c, d: ((relation(a, b), SetOf(b)), relation(a, b))  # noqa: E731
_ENDO: Scheme = lambda a, b, c, d: ((relation(a, a),), relation(a, a))  # noqa: E731
_SEQUENCES: Scheme = lambda a, b, c, d: ((SetOf(a),), SetOf(sequence(a)))  # noqa: E731
_SAME_SEQUENCE: Scheme = lambda a, b, c, d: ((sequence(a),), sequence(a))  # noqa: E731
_OF_SEQUENCE: Scheme = lambda a, b, c, d: ((sequence(a),), a)  # noqa: E731
_PART: Scheme = lambda a, b, c, d: ((sequence(a), NUMBER), sequence(a))  # noqa: E731

_SCHEMES: dict[str, Scheme] = {
    **dict.fromkeys(("and", "or", "implies", "iff"), _LOGICAL),
    "not": lambda a, b, c, d: ((TRUTH,), TRUTH),
    "equal": lambda a, b, c, d: ((a, a), TRUTH),
    "member": lambda a, b, c, d: ((a, SetOf(a)), TRUTH),
    "subset": _CONTAINED,
    "strict-subset": _CONTAINED,
    "less": _COMPARED,
    "less-equal": _COMPARED,
    **dict.fromkeys(("add", "subtract", "multiply", "divide", "modulo", "power"), _NUMBERS),
    "negate": lambda a, b, c, d: ((NUMBER,), NUMBER),
    "min": lambda a, b, c, d: ((SetOf(NUMBER),), NUMBER),
    "max": lambda a, b, c, d: ((SetOf(NUMBER),), NUMBER),
    "up-from": lambda a, b, c, d: ((NUMBER,), SetOf(NUMBER)),
    "interval": lambda a, b, c, d: ((NUMBER, NUMBER), SetOf(NUMBER)),
    **dict.fromkeys(("union", "intersection", "difference"), _SETS),
    "product": lambda a, b, c, d: ((SetOf(a), SetOf(b)), relation(a, b)),
    "power-set": _POWER,
    "power-set-1": _POWER,
    "card": lambda a, b, c, d: ((SetOf(a),), NUMBER),
    "general-union": lambda a, b, c, d: ((SetOf(SetOf(a)),), SetOf(a)),
    "general-intersection": lambda a, b, c, d: ((SetOf(SetOf(a)),), SetOf(a)),
    "pair": lambda a, b, c, d: ((a, b), PairOf(a, b)),
    "left": lambda a, b, c, d: ((PairOf(a, b),), a),
    "right": lambda a, b, c, d: ((PairOf(a, b),), b),
    **dict.fromkeys(
        (
            "relations",
            "total-relations",
            "surjective-relations",
            "total-surjective-relations",
            "partial-functions",
            "total-functions",
            "partial-injections",
            "total-injections",
            "partial-surjections",
            "total-surjections",
            "partial-bijections",
            "total-bijections",
        ),
        _SPACE,
    ),
    "apply": lambda a, b, c, d: ((relation(a, b), a), b),
    "domain": lambda a, b, c, d: ((relation(a, b),), SetOf(a)),
    "range": lambda a, b, c, d: ((relation(a, b),), SetOf(b)),
    "identity": lambda a, b, c, d: ((SetOf(a),), relation(a, a)),
    "inverse": lambda a, b, c, d: ((relation(a, b),), relation(b, a)),
    "image": lambda a, b, c, d: ((relation(a, b), SetOf(a)), SetOf(b)),
    "compose": lambda a, b, c, d: ((relation(a, b), relation(b, c)), relation(a, c)),
    "parallel-product": lambda a, b, c, d: (
        (relation(a, b), relation(c, d)),
        relation(PairOf(a, c), PairOf(b, d)),
    ),
    "direct-product": lambda a, b, c, d: ((relation(a, b), relation(a, c)), relation(a, PairOf(b, c))),
    "domain-restrict": _DOMAIN,
    "domain-subtract": _DOMAIN,
    "range-restrict": _RANGE,
    "range-subtract": _RANGE,
    "override": lambda a, b, c, d: ((relation(a, b), relation(a, b)), relation(a, b)),
    "closure1": _ENDO,
    "closure": _ENDO,
    "iterate": lambda a, b, c, d: ((relation(a, a), NUMBER), relation(a, a)),
    "first-projection": lambda a, b, c, d: ((SetOf(a), SetOf(b)), relation(PairOf(a, b), a)),
    "second-projection": lambda a, b, c, d: ((SetOf(a), SetOf(b)), relation(PairOf(a, b), b)),
    "as-function": lambda a, b, c, d: ((relation(a, b),), relation(a, SetOf(b))),
    "as-relation": lambda a, b, c, d: ((relation(a, SetOf(b)),), relation(a, b)),
    **dict.fromkeys(
        ("sequences", "sequences-1", "injective-sequences", "injective-sequences-1", "permutations"),
        _SEQUENCES,
    ),
    "size": lambda a, b, c, d: ((sequence(a),), NUMBER),
    "concat": lambda a, b, c, d: ((sequence(a), sequence(a)), sequence(a)),
    "prepend": lambda a, b, c, d: ((a, sequence(a)), sequence(a)),
    "append": lambda a, b, c, d: ((sequence(a), a), sequence(a)),
    **dict.fromkeys(("reverse", "tail", "front"), _SAME_SEQUENCE),
    **dict.fromkeys(("first", "last"), _OF_SEQUENCE),
    **dict.fromkeys(("take", "drop"), _PART),
    "general-concat": lambda a, b, c, d: ((sequence(sequence(a)),), sequence(a)),
}


def signature(operator: str) -> Signature:
    return Signature(*_SCHEMES[operator](Hole(), Hole(), Hole(), Hole()))


def is_typed(operator: str) -> bool:
    return operator in _SCHEMES
