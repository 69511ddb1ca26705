"""Random expressions and predicates with values of their variables, asked of brute force and of both engines."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from burnside.ir.sets.checking import problems
from burnside.languages.z import syntax as t
from burnside.languages.z.lower.meanings import Scope
from burnside.languages.z.lower.toolkit import joined
from burnside.languages.z.typing import PREDICATES
from burnside.records import record
from burnside.reference.sets.machines import Label, steps
from burnside.semantics import Failure

from tests.machine_engines import REFUSED, both
from tests.z_brute_force import NOWHERE
from tests.z_engines import Loaded, asking
from tests.z_texts import SPECIFICATION, VARIABLES, Kind, Maker, kind, type_text
from tests.z_values import NotListed, Undefined, Value, plain

NAMED = "N X C T R P(X) P(N) P(C) (X,N) L(X,C) L(X,X) L(N,X) Q(X) Q(N) B(X) P(R) P(P(X))"
KINDS = tuple(map(kind, NAMED.split()))
ASKED = 3
UNDEFINED, UNKNOWN = "undefined", "not known"


@record
class Question:
    """`kind`: of an expression; predicates have none."""

    name: str
    text: str
    kind: Kind | None = None

    @property
    def schema(self) -> str:
        if self.kind is None:
            return f"{self.name} \\defs [ S | {self.text} ]"
        return f"{self.name} \\defs [ S; asked : {type_text(self.kind)} | asked = {self.text} ]"


def questions(maker: Maker, depth: int) -> list[Question]:
    kinds = [maker.one(KINDS) for _ in range(ASKED)]
    found = [
        Question(f"Value{at}", maker.expression(own, VARIABLES, depth), own) for at, own in enumerate(kinds)
    ]
    return found + [Question(f"Truth{at}", maker.predicate(VARIABLES, depth)) for at in range(ASKED)]


def specification(asked: list[Question]) -> str:
    declarations = "; ".join(f"{name} : {type_text(own)}" for name, own in VARIABLES.items())
    schemas = " \\also\n  ".join(each.schema for each in asked)
    return (
        SPECIFICATION.replace("DECLARATIONS", declarations) + f"\\begin{{zed}}\n  {schemas}\n\\end{{zed}}\n"
    )


def asked_tree(found: Loaded, question: Question) -> t.Expression | t.Predicate:
    body = found.schema(question.name).body
    assert isinstance(body, t.SchemaText)
    (predicate,) = body.predicates
    if question.kind is None:
        return predicate
    assert isinstance(predicate, t.Equality)
    return predicate.right


@record
class Answers:
    """`is_certain`: no valuation of bound names was undefined."""

    brute: object
    is_certain: bool
    reference: object
    core: object

    def agree(self) -> bool:
        """See the law."""
        engines = [each for each in (self.reference, self.core) if each != UNKNOWN]
        if self.brute == UNKNOWN:
            return len(set(engines)) < 2 or UNDEFINED in engines
        if self.brute == self.core == UNDEFINED:
            # The reference engine does not ask for a set that makes no difference, where it depends on a local name:
            # `tests/reference/sets/test_undefined_operands.py`.
            return True
        if self.is_certain:
            return all(each == self.brute for each in engines)
        return len({each for each in (self.brute, *engines) if each != UNDEFINED}) < 2


def answers(found: Loaded, question: Question, values: Mapping[str, Value]) -> Answers:
    tree = asked_tree(found, question)
    brute, is_certain = _by_brute_force(found, tree, values)
    types = found.brute.schema_types("S")
    known = {name: found.translated(value, types[name]) for name, value in values.items()}
    scope = Scope(found.lowering.variables, {})
    if isinstance(tree, PREDICATES):
        lowered = joined(found.lowering.predicate(tree, scope))
    else:
        lowered = found.lowering.expression(tree, scope)
    machine = asking(found, known, lowered)
    assert problems(machine) == ()
    engines = both(machine)
    try:
        (first,) = engines.states(1)
    except REFUSED:
        return Answers(brute, is_certain, UNKNOWN, UNKNOWN)
    state = engines.reading.state(first)
    reference = _answer(
        lambda: {(each.label, isinstance(each.result, Failure)) for each in steps(machine, state)}
    )
    core = _answer(lambda: {(label, after is None) for label, after in engines.core_steps(first)})
    return Answers(brute, is_certain, reference, core)


def _answer(take: Callable[[], set[tuple[Label, bool]]]) -> object:
    """What the one step puts out."""
    try:
        ((label, fails),) = take()
    except REFUSED:
        return UNKNOWN
    return UNDEFINED if fails else label.results[0]


def _by_brute_force(
    found: Loaded, tree: t.Expression | t.Predicate, values: Mapping[str, Value]
) -> tuple[object, bool]:
    brute = found.brute
    brute.is_loose = False
    scope = NOWHERE.within(values)
    try:
        if isinstance(tree, PREDICATES):
            return int(brute.predicate(tree, scope)), not brute.is_loose
        value = plain(brute.expression(tree, scope))
    except Undefined:
        return UNDEFINED, not brute.is_loose
    except NotListed:
        return UNKNOWN, False
    return found.translated(value, found.lowering.checked.type_of(tree)), not brute.is_loose
