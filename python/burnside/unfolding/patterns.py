"""What input arcs say of tokens. In: a transition. Out: its atoms, terms of which every instance takes a token, and the
parts of its guard; which variables terms use."""

from __future__ import annotations

from collections.abc import Iterator

from burnside.ir.highlevel.checking import token_terms
from burnside.ir.highlevel.net import Transition
from burnside.ir.highlevel.terms import Apply, Binding, Literal, Term, Variable
from burnside.ir.highlevel.types import Element
from burnside.records import record


@record
class Atom:
    """Every instance takes a token of the place that has the value of the term."""

    place: int
    term: Term


def atoms_of(transition: Transition) -> list[Atom]:
    found = (Atom(arc.place, term) for arc in transition.consumes for term in token_terms(arc.term))
    return list(dict.fromkeys(found))


def conjuncts(guard: Term) -> list[Term]:
    """What must hold or be defined, each by itself: where one part of `and` is false or undefined, no instance is."""
    if isinstance(guard, Apply) and guard.operator == "and":
        return [part for each in guard.arguments for part in conjuncts(each)]
    return [] if isinstance(guard, Literal) and guard.value is True else [guard]


def variables_in(term: Term, bound: frozenset[str] = frozenset()) -> Iterator[str]:
    """The variables of the transition; a name may come several times."""
    match term:
        case Variable(name):
            if name not in bound:
                yield name
        case Binding(_, variable, body):
            yield from variables_in(body, bound | {variable.name})
        case _:
            for child in term.children():
                yield from variables_in(child, bound)


def rotated(term: Term) -> tuple[Variable, int] | None:
    """A variable and the steps by which the term is its successor: a token gives the variable its value."""
    match term:
        case Variable():
            return term, 0
        case Apply("successor", (Variable() as variable, Literal(int(steps)))):
            assert isinstance(variable.type, Element)
            size = variable.type.sort.size
            return (variable, steps % size) if size else None
        case _:
            return None


def defined_by(part: Term, unbound: frozenset[str]) -> tuple[str, Term] | None:
    """The unbound variable that an equation gives a value, and the term of that value."""
    match part:
        case Apply("equal", (one, other)):
            for left, right in ((one, other), (other, one)):
                if isinstance(left, Variable) and left.name in unbound:
                    used = set(variables_in(right))
                    if not used & unbound:
                        return left.name, right
    return None
