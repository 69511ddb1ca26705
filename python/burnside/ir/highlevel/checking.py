"""Whether terms and nets are well formed: which types an operator takes, which variables the input arcs bind.

Readers ask `operator_problem` as they build terms, to point at the place; `check_net` refuses a net that was built in
Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from burnside.diagnostics import Diagnostic, InputError
from burnside.ir.highlevel.net import HighLevelNet, Transition
from burnside.ir.highlevel.terms import (
    ANY_NUMBER,
    OPERATORS,
    Apply,
    Binding,
    Conditional,
    Inject,
    Literal,
    Marked,
    Term,
    Variable,
    type_of,
)
from burnside.ir.highlevel.types import (
    BOOLEAN,
    NATURAL,
    Bag,
    Element,
    ListOf,
    MapOf,
    Natural,
    SetOf,
    Struct,
    TokenType,
    domain_size,
    show_type,
)

Types = Sequence[TokenType]
Problem = str | None


def operator_problem(operator: str, arguments: Types, result: TokenType) -> Problem:
    """Why an operator cannot be applied to arguments of these types with this result; None where it can."""
    arity = OPERATORS[operator]
    if arity not in (ANY_NUMBER, len(arguments)):
        return f"'{operator}' takes {arity} argument{'s' * (arity != 1)}, not {len(arguments)}"
    expected = _SIGNATURES[operator](arguments, result)
    if isinstance(expected, str):
        return expected
    for number, (found, wanted) in enumerate(zip(arguments, expected, strict=True), start=1):
        if found != wanted:
            place = (
                f"argument {number} of '{operator}'"
                if len(arguments) > 1
                else f"the argument of '{operator}'"
            )
            return f"{place} has to be of type {show_type(wanted)}, and this is of type {show_type(found)}"
    return None


Signature = Callable[[Types, TokenType], Types | str]


def _wrong_result(result: TokenType, what: str) -> str:
    return f"the result is {what}, where {show_type(result)} is expected"


def _of_booleans(found: Types, result: TokenType) -> Types | str:
    return [BOOLEAN] * len(found) if result == BOOLEAN else _wrong_result(result, "a truth value")


def _numbers(found: Types, result: TokenType) -> Types | str:
    return [NATURAL] * len(found) if result == NATURAL else _wrong_result(result, "a number")


def _equal(found: Types, result: TokenType) -> Types | str:
    return [found[0], found[0]] if result == BOOLEAN else _wrong_result(result, "a truth value")


def _less(found: Types, result: TokenType) -> Types | str:
    if result != BOOLEAN:
        return _wrong_result(result, "a truth value")
    if not isinstance(found[0], Natural | Element):
        return f"only numbers and elements of a sort are ordered, and this is of type {show_type(found[0])}"
    return [found[0], found[0]]


def _successor(found: Types, result: TokenType) -> Types | str:
    if not isinstance(found[0], Element):
        return f"only elements of a sort have successors, and this is of type {show_type(found[0])}"
    return [found[0], NATURAL] if result == found[0] else _wrong_result(result, show_type(found[0]))


def _distance(found: Types, result: TokenType) -> Types | str:
    if not isinstance(found[0], Element):
        return f"only elements of a sort have a distance, and this is of type {show_type(found[0])}"
    return [found[0], found[0]] if result == NATURAL else _wrong_result(result, "a number")


def _position(found: Types, result: TokenType) -> Types | str:
    if not isinstance(found[0], Element):
        return f"only elements of a sort have a position, and this is of type {show_type(found[0])}"
    return found if result == NATURAL else _wrong_result(result, "a number")


def _element(found: Types, result: TokenType) -> Types | str:
    return [NATURAL] if isinstance(result, Element) else _wrong_result(result, "an element of a sort")


def _of_list(*rest: str) -> Signature:
    """(list, rest...) to a list; `value`: an element of the list, `list`, `number`."""

    def signature(found: Types, result: TokenType) -> Types | str:
        if not isinstance(result, ListOf):
            return _wrong_result(result, "a list")
        kinds: Mapping[str, TokenType] = {"value": result.element, "list": result, "number": NATURAL}
        return [result, *(kinds[each] for each in rest)]

    return signature


def _display(found: Types, result: TokenType) -> Types | str:
    if isinstance(result, ListOf | SetOf):
        return [result.element] * len(found)
    return _wrong_result(result, "a list or a set")


def _length(found: Types, result: TokenType) -> Types | str:
    if not isinstance(found[0], ListOf):
        return f"only lists have a length, and this is of type {show_type(found[0])}"
    return found if result == NATURAL else _wrong_result(result, "a number")


def _get(found: Types, result: TokenType) -> Types | str:
    return [ListOf(result), NATURAL]


def _struct(found: Types, result: TokenType) -> Types | str:
    if not isinstance(result, Struct):
        return _wrong_result(result, "a struct")
    if len(found) != len(result.fields):
        return f"{show_type(result)} has {len(result.fields)} fields, and these are {len(found)}"
    return [each.type for each in result.fields]


def _member(found: Types, result: TokenType) -> Types | str:
    return [found[0], SetOf(found[0])] if result == BOOLEAN else _wrong_result(result, "a truth value")


def _subset(found: Types, result: TokenType) -> Types | str:
    if not isinstance(found[0], SetOf):
        return f"a set is expected, and this is of type {show_type(found[0])}"
    return [found[0], found[0]] if result == BOOLEAN else _wrong_result(result, "a truth value")


def _cardinality(found: Types, result: TokenType) -> Types | str:
    if not isinstance(found[0], SetOf):
        return f"a set is expected, and this is of type {show_type(found[0])}"
    return found if result == NATURAL else _wrong_result(result, "a number")


def _sets(found: Types, result: TokenType) -> Types | str:
    return [result] * len(found) if isinstance(result, SetOf) else _wrong_result(result, "a set")


def _complement(found: Types, result: TokenType) -> Types | str:
    if isinstance(result, SetOf) and domain_size(result.element) is None:
        return f"{show_type(result.element)} has no end of values"
    return _sets(found, result)


def _tokens(found: Types, result: TokenType) -> Types | str:
    return [NATURAL, result.element] if isinstance(result, Bag) else _wrong_result(result, "a multiset")


def _bags(found: Types, result: TokenType) -> Types | str:
    return [result] * len(found) if isinstance(result, Bag) else _wrong_result(result, "a multiset")


def _scaled(found: Types, result: TokenType) -> Types | str:
    return [NATURAL, result] if isinstance(result, Bag) else _wrong_result(result, "a multiset")


def _included(found: Types, result: TokenType) -> Types | str:
    if not isinstance(found[0], Bag):
        return f"a multiset is expected, and this is of type {show_type(found[0])}"
    return [found[0], found[0]] if result == BOOLEAN else _wrong_result(result, "a truth value")


def _count(found: Types, result: TokenType) -> Types | str:
    if not isinstance(found[0], Bag):
        return f"a multiset is expected, and this is of type {show_type(found[0])}"
    return [found[0], found[0].element] if result == NATURAL else _wrong_result(result, "a number")


def _size(found: Types, result: TokenType) -> Types | str:
    if not isinstance(found[0], Bag):
        return f"a multiset is expected, and this is of type {show_type(found[0])}"
    return found if result == NATURAL else _wrong_result(result, "a number")


def _support(found: Types, result: TokenType) -> Types | str:
    return [Bag(result.element)] if isinstance(result, SetOf) else _wrong_result(result, "a set")


def _bag_of(found: Types, result: TokenType) -> Types | str:
    return [SetOf(result.element)] if isinstance(result, Bag) else _wrong_result(result, "a multiset")


def _all(found: Types, result: TokenType) -> Types | str:
    if not isinstance(result, Bag | SetOf):
        return _wrong_result(result, "a set or a multiset")
    if domain_size(result.element) is None:
        return f"{show_type(result.element)} has no end of values"
    return []


def _of_map(*rest: str) -> Signature:
    """(map, rest...) to a map."""

    def signature(found: Types, result: TokenType) -> Types | str:
        if not isinstance(result, MapOf):
            return _wrong_result(result, "a map")
        return [result, *(result.key if each == "key" else result.value for each in rest)]

    return signature


def _map(found: Types, result: TokenType) -> Types | str:
    if not isinstance(result, MapOf):
        return _wrong_result(result, "a map")
    if len(found) % 2:
        return "a map is made of keys and values in turn"
    return [result.key, result.value] * (len(found) // 2)


def _defined(found: Types, result: TokenType) -> Types | str:
    if not isinstance(found[0], MapOf):
        return f"a map is expected, and this is of type {show_type(found[0])}"
    return [found[0], found[0].key] if result == BOOLEAN else _wrong_result(result, "a truth value")


def _at(found: Types, result: TokenType) -> Types | str:
    if not isinstance(found[0], MapOf):
        return f"a map is expected, and this is of type {show_type(found[0])}"
    return (
        [found[0], found[0].key]
        if result == found[0].value
        else _wrong_result(result, show_type(found[0].value))
    )


_SIGNATURES: dict[str, Signature] = {
    "equal": _equal,
    **dict.fromkeys(("and", "or", "not", "implies", "iff", "xor"), _of_booleans),
    **dict.fromkeys(("less", "less-equal"), _less),
    **dict.fromkeys(("add", "subtract", "multiply", "divide", "modulo"), _numbers),
    "successor": _successor, "distance": _distance, "position": _position, "element": _element,
    "list": _display, "length": _length, "get": _get, "put": _of_list("number", "value"),
    "add-first": _of_list("value"), "add-last": _of_list("value"), "drop-first": _of_list("number"),
    "drop-last": _of_list("number"), "concatenate": _of_list("list"),
    "struct": _struct, "set": _display, "member": _member, "subset": _subset, "cardinality": _cardinality,
    "union": _sets, "intersection": _sets, "difference": _sets, "complement": _complement, "full": _all,
    "tokens": _tokens, "sum": _bags, "scaled": _scaled, "bag-difference": _bags, "included": _included,
    "count": _count, "size": _size, "support": _support, "bag-of": _bag_of, "all": _all,
    "map": _map, "defined": _defined, "at": _at, "assign": _of_map("key", "value"), "unset": _of_map("key"),
}  # fmt: skip


def check_net(net: HighLevelNet) -> None:
    """A net that was built in Python: readers have looked at theirs."""
    for problem in _problems(net):
        raise InputError(Diagnostic(problem, net.name))


def _problems(net: HighLevelNet) -> Iterator[str]:
    for place in net.places:
        yield from _term_problems(place.initial, Bag(place.type), {}, f"the initial marking of {place.name}")
    for transition in net.transitions:
        known = {each.name: each.type for each in transition.variables}
        if len(known) < len(transition.variables):
            yield f"two variables of {transition.name} have the same name"
        yield from _term_problems(transition.guard, BOOLEAN, known, f"the guard of {transition.name}")
        for arc in (*transition.consumes, *transition.produces):
            place = net.places[arc.place]
            where = f"the arc between {place.name} and {transition.name}"
            yield from _term_problems(arc.term, Bag(place.type), known, where)
        for variable in unbound(transition):
            yield f"nothing bounds '{variable.name}' of {transition.name}: {UNBOUND_HINT}"


def _term_problems(term: Term, type_: TokenType, known: Mapping[str, TokenType], where: str) -> Iterator[str]:
    if type_of(term) != type_:
        yield f"{where} has to be of type {show_type(type_)}, and is of type {show_type(type_of(term))}"
    match term:
        case Variable(name, its):
            if known.get(name) != its:
                yield f"{where} uses '{name}', which is no variable of type {show_type(its)}"
        case Marked():
            yield f"{where} asks for the tokens of a place"
        case Apply(operator, arguments, result):
            problem = operator_problem(operator, [type_of(each) for each in arguments], result)
            if problem is not None:
                yield f"{where}: {problem}"
        case Binding(_, variable):
            if domain_size(variable.type) is None:
                yield f"{where}: '{variable.name}' goes through {show_type(variable.type)}, which has no end of values"
            known = {**known, variable.name: variable.type}
    if isinstance(term, Binding):
        body = BOOLEAN if term.kind in ("forall", "exists", "set") else type_of(term.body)
        yield from _term_problems(term.body, NATURAL if term.kind == "bag" else body, known, where)
        return
    for child in term.children():
        yield from _term_problems(child, type_of(child), known, where)
    if isinstance(term, Conditional) and type_of(term.then) != type_of(term.otherwise):
        yield f"{where}: the two branches are of different types"
    if isinstance(term, Conditional) and type_of(term.test) != BOOLEAN:
        yield f"{where}: what is tested is no truth value"


UNBOUND_HINT = "it has to stand in the inscription of an arc from a place, where a token gives it its value"


def unbound(transition: Transition) -> list[Variable]:
    """Variables of types without end whose values no token gives."""
    endless = [each for each in transition.variables if domain_size(each.type) is None]
    if not endless:
        return []
    bound = {name for arc in transition.consumes for value in token_terms(arc.term) for name in _given(value)}
    return [each for each in endless if each.name not in bound]


def token_terms(term: Term) -> Iterator[Term]:
    """The terms of which at least one token is in the value of a multiset, whatever the variables are."""
    match term:
        case Apply("tokens", (Literal(int(number), _), value)) if number > 0:
            yield value
        case Apply("sum", parts):
            for part in parts:
                yield from token_terms(part)
        case Apply("scaled", (Literal(int(number), _), inner)) if number > 0:
            yield from token_terms(inner)


def _given(value: Term) -> Iterator[str]:
    """The variables whose values a token gives that matches the term."""
    match value:
        case Variable(name):
            yield name
        case Apply("struct" | "list", arguments):
            for each in arguments:
                yield from _given(each)
        case Inject(_, inner):
            yield from _given(inner)
