"""Formulas of CTL* with past, over numbered atoms.

In: what a parser read. Out: a `Formula`: frozen data with few operators, which both engines take. Everything else that users
write (F, G, W, O, H, implication, equivalence) is a function here that is spelled with these. A formula without `Exists` and
`Forall` is a path formula; LTL asks that it holds on every maximal run. What an atom says is none of its business.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from burnside.records import record, replace


@record
class Constant:
    value: bool


@record
class Atom:
    """The atom of this number: a condition on the state, or on the step that is taken from it."""

    number: int


@record
class Not:
    operand: Formula


@record
class And:
    operands: tuple[Formula, ...]


@record
class Or:
    operands: tuple[Formula, ...]


@record
class Next:
    """There is a next position, and the operand holds there."""

    operand: Formula


@record
class Until:
    """The right side holds now or later, and the left side at all positions before."""

    left: Formula
    right: Formula


@record
class Release:
    """Until's dual: the right side holds up to and including the first position where the left side does, or always."""

    left: Formula
    right: Formula


@record
class Yesterday:
    """There is a position before, and the operand holds there."""

    operand: Formula


@record
class Since:
    """Until, backwards."""

    left: Formula
    right: Formula


@record
class Trigger:
    """Release, backwards."""

    left: Formula
    right: Formula


@record
class Exists:
    """The operand holds on some maximal run from here."""

    operand: Formula


@record
class Forall:
    """The operand holds on every maximal run from here."""

    operand: Formula


@record
class AutomatonEdge:
    """`guard`: a formula without temporal operators, read where the run is. `marks`: of the automaton."""

    source: int
    guard: Formula
    target: int
    marks: frozenset[int] = frozenset()


@record
class Matches:
    """An automaton accepts the run from here on: it takes one of its edges for each position, from state 0 on, and every
    mark is on infinitely many of them (a generalised Buechi automaton). Finite runs are taken to repeat their last state for
    ever. It stands below a negation and nothing else: no run of the model is one that the automaton accepts."""

    states: int
    marks: int
    edges: tuple[AutomatonEdge, ...]


Unary = Not | Next | Yesterday | Exists | Forall
Binary = Until | Release | Since | Trigger
Formula = Constant | Atom | And | Or | Unary | Binary | Matches

TRUE, FALSE = Constant(True), Constant(False)

Ends = Literal["strong", "stutter"]
"""What comes after the end of a finite run. `strong`: nothing, so `X p` is false there, whatever p is. `stutter`: the last
state, again and again."""


def finally_(operand: Formula) -> Formula:
    return Until(TRUE, operand)


def globally(operand: Formula) -> Formula:
    return Release(FALSE, operand)


def weak_until(left: Formula, right: Formula) -> Formula:
    return Release(right, Or((left, right)))


def once(operand: Formula) -> Formula:
    return Since(TRUE, operand)


def historically(operand: Formula) -> Formula:
    return Trigger(FALSE, operand)


def implies(left: Formula, right: Formula) -> Formula:
    return Or((Not(left), right))


def equivalent(left: Formula, right: Formula) -> Formula:
    return Or((And((left, right)), And((Not(left), Not(right)))))


def all_next(operand: Formula) -> Formula:
    """CTL's AX: the operand holds in every next state, so also where there is none. (A X p says that there is one.)"""
    return Not(Exists(Next(Not(operand))))


def children(formula: Formula) -> tuple[Formula, ...]:
    match formula:
        case Constant() | Atom():
            return ()
        case And(operands) | Or(operands):
            return operands
        case Until(left, right) | Release(left, right) | Since(left, right) | Trigger(left, right):
            return left, right
        case Not(operand) | Next(operand) | Yesterday(operand) | Exists(operand) | Forall(operand):
            return (operand,)
        case Matches(_, _, edges):
            return tuple(each.guard for each in edges)


def with_children(formula: Formula, inner: Sequence[Formula]) -> Formula:
    """The same operator over other operands."""
    match formula:
        case Constant() | Atom():
            return formula
        case And() | Or():
            return type(formula)(tuple(inner))
        case Matches(_, _, edges):
            guarded = [replace(each, guard=guard) for each, guard in zip(edges, inner, strict=True)]
            return replace(formula, edges=tuple(guarded))
        case _:
            return type(formula)(*inner)


def refused_by(formula: Formula) -> Matches | None:
    """The automaton of the runs that violate a property which is given by one."""
    match formula:
        case Not(Matches() as automaton):
            return automaton
        case _:
            return None


def atoms_of(formula: Formula) -> list[int]:
    """The numbers of its atoms, smallest first."""
    return sorted({each.number for each in subformulas(formula) if isinstance(each, Atom)})


def renumbered(formula: Formula, numbers: Mapping[int, int]) -> Formula:
    """The same formula over other atoms."""
    if isinstance(formula, Atom):
        return Atom(numbers[formula.number])
    return with_children(formula, [renumbered(each, numbers) for each in children(formula)])


def subformulas(formula: Formula) -> Iterator[Formula]:
    """The formula and everything in it, outermost first."""
    open_ = [formula]
    while open_:
        found = open_.pop()
        yield found
        open_ += reversed(children(found))
