"""Terms as `.hln` text. In: terms. Out: text that is read back as the same.

A term is written for one of two readers: where its type is expected (`check`), names of elements and displays stand as they
are; where none is (`infer`), the text says the type: `Sec.3`, `([] : list(Sec))`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager

from burnside.ir.highlevel.terms import (
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
    type_of,
)
from burnside.ir.highlevel.types import (
    BOOLEAN,
    NATURAL,
    Bag,
    Boolean,
    Dot,
    Element,
    ListOf,
    MapOf,
    SetOf,
    Struct,
    TokenType,
    Union,
)
from burnside.ir.highlevel.values import order_key, ordered
from burnside.ir.walking import replaced
from burnside.languages.hln.lexer import quoted
from burnside.languages.hln.lower_operators import ARITIES
from burnside.languages.hln.lower_terms import DOT_VALUE, ONE
from burnside.languages.hln.type_texts import label, type_text

TERM, IFF, IMPLIES, OR, XOR, AND, NOT, COMPARISON, SUM, PRODUCT, TOKENS, POSTFIX, ATOM = range(13)
"""How tightly an operator binds."""
MAX_ROW = 20
"""Operators in a row without brackets: the reader regroups long rows."""

Written = tuple[str, int]


# Terms


def with_displays(term: Term) -> Term:
    """Literals of built types written out: what is read back is made of them."""

    def change(node: object) -> Term | None:
        return display(node.value, node.type) if isinstance(node, Literal) else None

    return replaced(term, change)


def display(value: object, type_: TokenType) -> Term:
    found: Term
    match type_, value:
        case (ListOf(element), tuple(items)):
            found = Apply("list", tuple(display(each, element) for each in items), type_)
        case (Struct(fields), tuple(items)):
            pairs = zip(items, fields, strict=True)
            found = Apply("struct", tuple(display(each, field.type) for each, field in pairs), type_)
        case (SetOf(element), frozenset(items)):
            found = Apply("set", tuple(display(each, element) for each in ordered(element, items)), type_)
        case (Bag(element), frozenset(pairs)):
            rows = sorted(pairs, key=lambda each: order_key(element, each[0]))
            parts = [
                Apply("tokens", (Literal(n, NATURAL), display(each, element)), type_) for each, n in rows
            ]
            found = parts[0] if len(parts) == 1 else Apply("sum", tuple(parts), type_)
        case (MapOf(key, image), frozenset(pairs)):
            rows = sorted(pairs, key=lambda each: order_key(key, each[0]))
            entries = [term for a, b in rows for term in (display(a, key), display(b, image))]
            found = Apply("map", tuple(entries), type_)
        case (Union(alternatives), (int(number), inner)):
            chosen = alternatives[number]
            found = Inject(chosen.name, display(inner, chosen.type), type_)
        case _:
            found = Literal(value, type_)
    return found


class TermWriter:
    """`names`: of declared types; `places`: of places; `taken`: names that stand for values here, so that elements of these
    names are qualified."""

    def __init__(self, names: Mapping[TokenType, str], places: Sequence[str], taken: Collection[str]) -> None:
        self.names, self.places, self.taken = names, places, set(taken)

    def check(self, term: Term, level: int = TERM) -> str:
        return _bracketed(self._written(term, known=True), level)

    def infer(self, term: Term, level: int = TERM) -> str:
        return _bracketed(self._written(term, known=False), level)

    def part(self, term: Term, level: int, known: bool) -> str:
        return self.check(term, level) if known else self.infer(term, level)

    def alike(self, terms: Sequence[Term], level: int) -> list[str]:
        """The first says of which type all of them are."""
        vague = type_of(terms[0]) in (NATURAL, Bag(NATURAL))
        first, *rest = terms
        return [
            self.infer(first, level),
            *(self.infer(each, level) if vague else self._next_to(each, level) for each in rest),
        ]

    def _next_to(self, term: Term, level: int) -> str:
        """A number is no multiset of one token where no type says so."""
        text = self.check(term, level)
        return f"1'{text}" if isinstance(type_of(term), Bag) and text.isdecimal() else text

    def parts(self, terms: Sequence[Term], level: int, known: bool) -> list[str]:
        return [self.check(each, level) for each in terms] if known else self.alike(terms, level)

    def typed(self, text: str, type_: TokenType, known: bool) -> Written:
        """What only means something where its type is expected."""
        return (text if known else f"({text} : {type_text(type_, self.names)})"), ATOM

    @contextmanager
    def bound(self, name: str) -> Iterator[None]:
        is_new = name not in self.taken
        self.taken.add(name)
        try:
            yield
        finally:
            if is_new:
                self.taken.discard(name)

    def _written(self, term: Term, known: bool) -> Written:
        match term:
            case Literal(value, type_):
                return self._literal(value, type_, known)
            case Variable(name):
                return quoted(name), ATOM
            case Marked(place):
                return quoted(self.places[place]), ATOM
            case Conditional(test, then, otherwise):
                one, other = self.parts((then, otherwise), TERM, known)
                return f"if {self.check(test)} then {one} else {other}", TERM
            case Select(struct, name):
                return f"{self.infer(struct, POSTFIX)}.{label(name)}", POSTFIX
            case Update(struct, name, value):
                return f"{self.part(struct, POSTFIX, known)}[.{label(name)} := {self.check(value)}]", POSTFIX
            case Inject(alternative, value, type_):
                return self.typed(self._injected(alternative, value, type_), type_, known)
            case IsOf(value, alternative):
                return f"{self.infer(value, SUM)} is {quoted(alternative)}", COMPARISON
            case Cast(value, alternative):
                return f"{self.infer(value, POSTFIX)} as {quoted(alternative)}", POSTFIX
            case Lookup(name, _, argument):
                return f"{function_name(name)}({self.check(argument)})", ATOM
            case Binding():
                return self._binding(term, known)
            case Apply():
                return self._applied(term, known)
        raise AssertionError(term)

    def _literal(self, value: object, type_: TokenType, known: bool) -> Written:
        match type_:
            case Element(sort):
                assert isinstance(value, int)
                name = label(sort.elements[value])
                if known and sort.elements[value] not in self.taken:
                    return name, ATOM
                return f"{quoted(sort.name)}.{name}", POSTFIX
            case Dot():
                return "dot", ATOM
            case Boolean():
                return "true" if value else "false", ATOM
        return str(value), ATOM

    def _injected(self, alternative: str, value: Term, type_: Union) -> str:
        if value == DOT_VALUE and alternative not in self.taken:
            return quoted(alternative)
        return f"{function_name(alternative)}({self.check(value)})"

    def _binding(self, term: Binding, known: bool) -> Written:
        kind, variable, body = term.kind, term.variable, term.body
        name, type_ = quoted(variable.name), type_text(variable.type, self.names)
        if kind in ("forall", "exists"):
            return self._quantified(term, [], type_), TERM
        with self.bound(variable.name):
            match kind:
                case "set":
                    return f"{{{name}: {type_} | {self.check(body)}}}", ATOM
                case "bag":
                    return f"{{{self.check(body, POSTFIX)}'{name} | {name}: {type_}}}", ATOM
            return f"{{{name}: {type_} -> {self.part(body, TERM, known)}}}", ATOM

    def _quantified(self, term: Binding, names: list[str], type_: str) -> str:
        """Names of one type in a row stand together."""
        names = [*names, quoted(term.variable.name)]
        body = term.body
        with self.bound(term.variable.name):
            goes_on = isinstance(body, Binding) and body.kind == term.kind and len(names) < MAX_ROW
            if isinstance(body, Binding) and goes_on and body.variable.type == term.variable.type:
                return self._quantified(body, names, type_)
            return f"{term.kind} {', '.join(names)}: {type_} . {self.check(body)}"

    def _applied(self, term: Apply, known: bool) -> Written:
        if is_undefined(term):
            return self.typed("err", term.type, known)
        found = _WRITERS.get(term.operator)
        assert found is not None, term.operator
        return found(self, term, known)


def function_name(name: str) -> str:
    """In quotes also where it would be an operator."""
    return f'"{name}"' if name in ARITIES else quoted(name)


def is_undefined(term: Apply) -> bool:
    """Is it what `err` is read into?"""
    if term.operator != "at":
        return False
    empty, key = term.arguments
    return key == DOT_VALUE and isinstance(empty, Apply) and empty.operator == "map" and not empty.arguments


def _bracketed(written: Written, level: int) -> str:
    text, own = written
    return text if own >= level else f"({text})"


def _call(name: str) -> Callable[[TermWriter, Apply, bool], Written]:
    """The first argument is of the type of the result, and says what the types of the others are."""

    def write(writer: TermWriter, term: Apply, known: bool) -> Written:
        first, *rest = term.arguments
        texts = [writer.part(first, TERM, known), *(writer.check(each) for each in rest)]
        return f"{name}({', '.join(texts)})", ATOM

    return write


def _asked(name: str) -> Callable[[TermWriter, Apply, bool], Written]:
    """The result says nothing of the argument."""

    def write(writer: TermWriter, term: Apply, known: bool) -> Written:
        first, *rest = term.arguments
        return f"{name}({', '.join([writer.infer(first), *(writer.check(each) for each in rest)])})", ATOM

    return write


def _drop(name: str) -> Callable[[TermWriter, Apply, bool], Written]:
    def write(writer: TermWriter, term: Apply, known: bool) -> Written:
        one, number = term.arguments
        text = writer.part(one, TERM, known)
        return (f"{name}({text})" if number == ONE else f"{name}({text}, {writer.check(number)})"), ATOM

    return write


def _of_sets(writer: TermWriter, term: Apply, known: bool) -> Written:
    return f"{term.operator}({', '.join(writer.parts(term.arguments, TERM, known))})", ATOM


def _comparison(symbol: str) -> Callable[[TermWriter, Apply, bool], Written]:
    def write(writer: TermWriter, term: Apply, known: bool) -> Written:
        left, right = term.arguments
        if symbol == "<=" and left == ONE and isinstance(right, Apply) and right.operator == "count":
            bag, value = right.arguments
            return f"{writer.infer(bag, SUM)} has {writer.check(value, SUM)}", COMPARISON
        one, other = writer.alike((left, right), SUM)
        return f"{one} {symbol} {other}", COMPARISON

    return write


def _has(writer: TermWriter, term: Apply, known: bool) -> Written:
    of, item = term.arguments if term.operator == "defined" else term.arguments[::-1]
    return f"{writer.infer(of, SUM)} has {writer.check(item, SUM)}", COMPARISON


def _not(writer: TermWriter, term: Apply, known: bool) -> Written:
    inner = term.arguments[0]
    if isinstance(inner, Apply) and inner.operator == "equal":
        one, other = writer.alike(inner.arguments, SUM)
        return f"{one} != {other}", COMPARISON
    return f"not {writer.check(inner, NOT)}", NOT


def _flat(word: str, level: int) -> Callable[[TermWriter, Apply, bool], Written]:
    def write(writer: TermWriter, term: Apply, known: bool) -> Written:
        if len(term.arguments) < 2:
            return f"{word}({', '.join(writer.check(each) for each in term.arguments)})", ATOM
        return f" {word} ".join(writer.check(each, level + 1) for each in term.arguments), level

    return write


def _row(operators: Mapping[str, str], level: int) -> Callable[[TermWriter, Apply, bool], Written]:
    """Operators that group to the left; those in a row are alike: sums, products, ..."""

    def write(writer: TermWriter, term: Apply, known: bool) -> Written:
        operands, symbols, left = [], [], term
        while True:
            operands.append(left.arguments[1])
            symbols.append(operators[left.operator])
            first = left.arguments[0]
            goes_on = isinstance(first, Apply) and first.operator in operators and len(symbols) < MAX_ROW
            if not goes_on:
                break
            assert isinstance(first, Apply)
            left = first
        terms = [left.arguments[0], *reversed(operands)]
        known = known or term.type == BOOLEAN or term.operator in _PRODUCTS
        texts = writer.parts(terms, level + 1, known)
        rest = (f" {symbol} {text}" for symbol, text in zip(reversed(symbols), texts[1:], strict=True))
        return texts[0] + "".join(rest), level

    return write


def _implies(writer: TermWriter, term: Apply, known: bool) -> Written:
    left, right = term.arguments
    return f"{writer.check(left, OR)} -> {writer.check(right, IMPLIES)}", IMPLIES


def _scaled(writer: TermWriter, term: Apply, known: bool) -> Written:
    number, bag = term.arguments
    known = known and term.type != Bag(NATURAL)
    return f"{writer.check(number, TOKENS)} * {writer.part(bag, TOKENS, known)}", PRODUCT


def _tokens(writer: TermWriter, term: Apply, known: bool) -> Written:
    number, value = term.arguments
    if known and number == ONE and _is_plain(value):
        return writer._written(value, known=True)
    return f"{writer.check(number, POSTFIX)}'{writer.part(value, POSTFIX, known)}", TOKENS


def _is_plain(value: Term) -> bool:
    """Can it be read only as a value, not as a multiset?"""
    if isinstance(value, Apply):
        is_empty_map = value.operator == "map" and not value.arguments
        return value.operator in _PLAIN and not is_empty_map
    if isinstance(value, Binding):
        return value.kind == "map"
    return isinstance(value, Literal | Variable | Inject | Select | Update)


def _bags(writer: TermWriter, term: Apply, known: bool) -> Written:
    """`a + b - c + d`: sums of several, and what is subtracted from what stands before."""
    if term.operator == "sum" and len(term.arguments) < 2:
        if not term.arguments:
            return writer.typed("{}", term.type, known)
        return f"sum({writer.part(term.arguments[0], TERM, known)})", ATOM
    terms: list[tuple[str, Term]] = []
    left: Term = term
    while True:
        assert isinstance(left, Apply)
        if left.operator == "sum":
            first, *rest = left.arguments
            terms[:0] = [("+", each) for each in rest]
            if not _is_row(first, "bag-difference", terms):
                break
        else:
            first, subtracted = left.arguments
            terms[:0] = [("-", subtracted)]
            if not (_is_row(first, "sum", terms) or _is_row(first, "bag-difference", terms)):
                break
        left = first
    texts = writer.parts([first, *(each for _, each in terms)], PRODUCT, known)
    return texts[0] + "".join(f" {s} {text}" for (s, _), text in zip(terms, texts[1:], strict=True)), SUM


def _is_row(term: Term, operator: str, terms: Sequence[object]) -> bool:
    if not isinstance(term, Apply) or term.operator != operator or len(terms) > MAX_ROW * MAX_ROW:
        return False
    return len(term.arguments) > 1


def _successor(writer: TermWriter, term: Apply, known: bool) -> Written:
    value, places = term.arguments
    assert isinstance(term.type, Element)
    size, text = term.type.sort.size, writer.part(value, TERM, known)
    if places == ONE:
        return f"succ({text})", ATOM
    if places == Literal(size - 1, NATURAL):
        return f"pred({text})", ATOM
    return f"succ({text}, {writer.check(places)})", ATOM


def _distance(writer: TermWriter, term: Apply, known: bool) -> Written:
    return f"distance({', '.join(writer.alike(term.arguments, TERM))})", ATOM


def _element(writer: TermWriter, term: Apply, known: bool) -> Written:
    return f"element({type_text(term.type, writer.names)}, {writer.check(term.arguments[0])})", ATOM


def _display(opened: str, closed: str, level: int) -> Callable[[TermWriter, Apply, bool], Written]:
    def write(writer: TermWriter, term: Apply, known: bool) -> Written:
        texts = ", ".join(writer.check(each, level) for each in term.arguments)
        return writer.typed(f"{opened}{texts}{closed}", term.type, known)

    return write


def _map(writer: TermWriter, term: Apply, known: bool) -> Written:
    texts = [writer.check(each, OR) for each in term.arguments]
    pairs = zip(texts[::2], texts[1::2], strict=True)
    return writer.typed(f"{{{', '.join(f'{key} -> {value}' for key, value in pairs)}}}", term.type, known)


def _entry(writer: TermWriter, term: Apply, known: bool) -> Written:
    of, index = term.arguments
    return f"{writer.infer(of, POSTFIX)}[{writer.check(index)}]", POSTFIX


def _assigned(writer: TermWriter, term: Apply, known: bool) -> Written:
    of, index, value = term.arguments
    return f"{writer.part(of, POSTFIX, known)}[{writer.check(index)} := {writer.check(value)}]", POSTFIX


def _all(writer: TermWriter, term: Apply, known: bool) -> Written:
    if known:
        return "all", ATOM
    if isinstance(term.type, Bag):
        return f"all({type_text(term.type.element, writer.names)})", ATOM
    return writer.typed("all", term.type, known)


_PLAIN = ("struct", "list", "map", "successor", "put", "assign")
_SUMS = {"add": "+", "subtract": "-"}
_PRODUCTS = {"multiply": "*", "divide": "/", "modulo": "%"}
_WRITERS: dict[str, Callable[[TermWriter, Apply, bool], Written]] = {
    "equal": _comparison("="), "less": _comparison("<"),
    **dict.fromkeys(("less-equal", "subset", "included"), _comparison("<=")),
    "and": _flat("and", AND), "or": _flat("or", OR), "not": _not, "implies": _implies,
    "iff": _row({"iff": "<->"}, IFF), "xor": _row({"xor": "xor"}, XOR),
    **dict.fromkeys(_SUMS, _row(_SUMS, SUM)), **dict.fromkeys(_PRODUCTS, _row(_PRODUCTS, PRODUCT)),
    "successor": _successor, "distance": _distance, "position": _asked("position"), "element": _element,
    "list": _display("[", "]", TERM), "length": _asked("size"), "get": _entry, "put": _assigned,
    "add-first": _call("add_first"), "add-last": _call("add_last"), "drop-first": _drop("drop_first"),
    "drop-last": _drop("drop_last"), "concatenate": _row({"concatenate": "++"}, SUM),
    "struct": _display("<", ">", SUM), "set": _display("{", "}", OR), "member": _has,
    "cardinality": _asked("size"), **dict.fromkeys(("union", "intersection", "difference", "complement"), _of_sets),
    "full": _all, "all": _all, "tokens": _tokens, "sum": _bags, "scaled": _scaled, "bag-difference": _bags,
    "count": _asked("count"), "size": _asked("size"), "support": _call("set"), "bag-of": _call("multiset"),
    "map": _map, "defined": _has, "at": _entry, "assign": _assigned, "unset": _call("unset"),
}  # fmt: skip
