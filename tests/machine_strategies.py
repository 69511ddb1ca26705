"""Random small machines, for the laws that every engine must obey.

Machines are well-typed (`ir.sets.checking`) and fail now and then. Elements of full sorts are never named, so all their
permutations are symmetries. With `literals` elements of the fixed sort are named: which of their permutations are
symmetries is for the search to find. State spaces are small because types are; those that are not are left alone.
"""

from __future__ import annotations

from random import Random

from burnside.ir.sets import expressions as e
from burnside.ir.sets import substitutions as s
from burnside.ir.sets.machine import Machine
from burnside.ir.sets.types import Element, Pair, Sort, Struct, ValueType
from hypothesis import strategies as st

from tests.machine_bodies import Bodies
from tests.machine_expressions import Scope, stated
from tests.machine_sets import usual_member
from tests.machine_types import count, is_bounded, kept_usual

MOST_VALUES = 400
"""Of all variables together."""
MOST_STARTS = 20


@st.composite
def machines(draw: st.DrawFn, *, literals: bool = False) -> Machine:
    return _machine(Bodies(lambda low, high: draw(st.integers(low, high)), literals=literals))


def seeded_machine(seed: int, *, literals: bool = False) -> Machine:
    """The same kind of machine without hypothesis, faster: for runs in bulk."""
    return _machine(Bodies(Random(seed).randint, literals=literals))


def _machine(maker: Bodies) -> Machine:
    maker.sorts = tuple(_sorts(maker))
    for name in ("F", "G")[: maker.one((0, 1, 1, 2))]:
        maker.free_types += (maker.free_type(name),)
    constants: Scope = ()
    if maker.flip(30):
        constants = (maker.fresh("k", maker.small_type(16), state=True),)
    properties = [usual_member(each) if not is_bounded(each.type) else None for each in constants]
    if constants and maker.flip(70):
        made = maker.mostly_true if maker.flip(80) else maker.predicate
        properties.append(made(constants, 2))
    variables = maker.variables = _variables(maker)
    scope = (*constants, *variables)
    operations = [maker.mover(scope, number) for number in range(maker.one((1, 1, 2)))]
    operations += [maker.operation(scope, len(operations) + number) for number in range(maker.number(1, 2))]
    return Machine(
        name="random",
        sorts=tuple(maker.sorts),
        constants=constants,
        properties=tuple(each for each in properties if each is not None),
        variables=variables,
        initialisation=_initialisation(maker, constants, variables),
        operations=tuple(operations),
        claims=tuple(maker.claim(scope, number) for number in range(maker.number(0, 3))),
        free_types=maker.free_types,
    )


def _sorts(maker: Bodies) -> list[Sort]:
    sorts = [_sort(maker, number, "full") for number in range(maker.one((1, 1, 2)))]
    if maker.literals or maker.flip(30):
        sorts.append(_sort(maker, 2, "fixed"))
    return sorts


def _sort(maker: Bodies, number: int, symmetry: str) -> Sort:
    elements = tuple(f"{'xyz'[number]}{i + 1}" for i in range(maker.one((2, 2, 3))))
    return Sort(f"S{number}", elements, symmetry, "deferred set" if symmetry == "full" else "enumerated set")  # type: ignore[arg-type]


def _variables(maker: Bodies) -> Scope:
    found: list[e.Name] = []
    left = MOST_VALUES
    for _ in range(maker.number(1, 3)):
        type_ = maker.small_type(left)
        left //= count(type_)
        found.append(maker.fresh("x", type_, state=True))
    return tuple(found)


def _initialisation(maker: Bodies, constants: Scope, variables: Scope) -> s.Substitution:
    """Each variable gets a value, or any of some; not many starts, unless elements have to be chosen."""
    parts: list[s.Substitution] = []
    left = MOST_STARTS
    for variable in variables:
        values = count(variable.type)
        if (values <= left and maker.flip(60)) or (not constants and _holds_elements(variable.type)):
            name = maker.fresh("i", variable.type)
            conjuncts = [usual_member(name)]
            if values > left or maker.flip(20):
                conjuncts.append(maker.mostly_true((*constants, name), 1))
            parts.append(s.Choose((name,), stated("and", *conjuncts), s.Assign((variable,), (name,))))
            left //= values
        else:
            parts.append(s.Assign((variable,), (_start(maker, variable, constants),)))
    return s.Sequence(tuple(parts)) if maker.flip(20) else s.Parallel(tuple(parts))


def _start(maker: Bodies, variable: e.Name, constants: Scope) -> e.Expression:
    """Mostly defined."""
    if maker.flip(5):
        return maker.value(variable, constants)
    simple = maker.leaf(variable.type, constants)
    value = maker.sure(variable.type, constants, 2) or simple
    local = maker.fresh("let", variable.type)
    return e.Let(local, value, kept_usual(local))


def _holds_elements(type_: ValueType) -> bool:
    """Without a set around them: then every value in it was chosen explicitly."""
    match type_:
        case Element(sort):
            return sort.symmetry == "full"
        case Pair(left, right):
            return _holds_elements(left) or _holds_elements(right)
        case Struct(fields):
            return any(_holds_elements(each.type) for each in fields)
        case _:
            return False
