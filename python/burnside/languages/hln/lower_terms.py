"""Terms: from trees to the ir. In: trees, what names stand for, the type that is expected. Out: typed terms.

`check` reads a tree where a type is expected, `infer` where none is. What is expected decides what names of elements,
numbers and displays mean; a value where a multiset is expected is the multiset of it alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches

from burnside.diagnostics import InputError
from burnside.ir.highlevel.terms import (
    FALSE,
    TRUE,
    Apply,
    Binding,
    BindingKind,
    Cast,
    Conditional,
    Inject,
    IsOf,
    Literal,
    Select,
    Term,
    Update,
    element,
    tokens,
    type_of,
)
from burnside.ir.highlevel.types import (
    BOOLEAN,
    DOT,
    NATURAL,
    Bag,
    Element,
    Field,
    ListOf,
    MapOf,
    SetOf,
    Struct,
    TokenType,
    Union,
    domain_size,
)
from burnside.languages.hln import syntax as s
from burnside.languages.hln.lower_types import TypeLowering
from burnside.languages.hln.scope import MAX_TERM_HEIGHT, MAX_TERM_SIZE, Function, Measures, Scope, Table
from burnside.languages.shared.lowering import LoweringContext
from burnside.languages.shared.spans import Extent, Identifier
from burnside.records import replace

MAX_VALUES = 10_000_000
"""Of a type that a quantifier, a comprehension or `all` goes through."""
MAX_STEPS = 1_000_000
"""Trees that are looked at, those of functions once for each call."""

DOT_VALUE = Literal((), DOT)
ONE = Literal(1, NATURAL)


class UninferableError(InputError):
    """The term may be right, but only where it is known what type is expected."""


class TermLowering(LoweringContext):
    def __init__(self, types: TypeLowering) -> None:
        self.types = types
        self.functions: dict[str, Function | Table] = {}
        self.unions: list[Union] = []
        """Types whose alternatives may be meant, for messages."""
        self.scope = Scope({})
        self.unavailable: dict[str, str] = {}
        """Names that stand for nothing here, and why."""
        self.measures = Measures()
        self.outermost_call: Extent | None = None
        """Of the functions that are being written out: where the user wants that."""
        self.steps = MAX_STEPS

    # What lower_operators adds

    def chain(self, tree: s.Chain, wanted: TokenType | None) -> Term:
        raise NotImplementedError

    def compared(self, tree: s.Compared) -> Term:
        raise NotImplementedError

    def call(self, tree: s.Call, wanted: TokenType | None) -> Term:
        raise NotImplementedError

    # The whole term

    def read(self, tree: s.TermTree, wanted: TokenType, scope: Scope) -> Term:
        with self.inside(scope):
            return self.bounded(self.check(tree, wanted), tree.at)

    @contextmanager
    def inside(self, scope: Scope) -> Iterator[None]:
        before, self.scope = self.scope, scope
        try:
            yield
        finally:
            self.scope = before

    def bounded(self, term: Term, at: Extent) -> Term:
        measure, at = self.measures.of(term), self.outermost_call or at
        hint = "functions count with what they stand for" if self.functions else None
        if measure.height > MAX_TERM_HEIGHT:
            raise self.error(f"this is more than {MAX_TERM_HEIGHT} levels deep", at, hint)
        if measure.size > MAX_TERM_SIZE and self.functions:
            raise self.error(f"this has more than {MAX_TERM_SIZE:,} operators", at, hint)
        return term

    def step(self, tree: s.TermTree) -> None:
        self.steps -= 1
        if self.steps < 0:
            hint = "functions count with what they stand for" if self.functions else None
            raise self.error("the net is too large", self.outermost_call or tree.at, hint)

    # Where a type is expected

    def check(self, tree: s.TermTree, wanted: TokenType) -> Term:
        self.step(tree)
        if isinstance(wanted, Bag):
            return self._check_bag(tree, wanted)
        return self._check_value(tree, wanted)

    def _check_bag(self, tree: s.TermTree, wanted: Bag) -> Term:
        """What can only be a value is the multiset of it alone."""
        match tree:
            case s.Number(at, value) if isinstance(wanted.element, Element):
                sized = "size(m) is the number of tokens of a multiset"
                return tokens(self._numbered(value, wanted.element, at, sized), ONE)
            case s.Number() | s.StructDisplay() | s.ListDisplay() | s.MapDisplay() | s.WithField():
                return tokens(self.check(tree, wanted.element), ONE)
            case s.Compared() | s.Not() | s.Is() | s.Quantified():
                return tokens(self.check(tree, wanted.element), ONE)
            case s.BraceDisplay(at, parts):
                if not parts:
                    return Apply("sum", (), wanted, at.span)
                return tokens(self.check(tree, wanted.element), ONE)
            case s.Tokens(at, count, value):
                parts_ = (self.check(count, NATURAL), self.check(value, wanted.element))
                return Apply("tokens", parts_, wanted, at.span)
            case s.All(at, type_):
                return Apply("all", (), self._all_of(wanted, type_, at), at.span)
            case s.Index(value=value) if value is not None:
                return tokens(self.check(tree, wanted.element), ONE)
            case s.Comprehension(kind=kind) if kind == "map" or isinstance(wanted.element, SetOf):
                if kind != "bag":
                    return tokens(self.check(tree, wanted.element), ONE)
        return self._check_value(tree, wanted)

    def _check_value(self, tree: s.TermTree, wanted: TokenType) -> Term:
        match tree:
            case s.Name():
                return self._named(tree, wanted)
            case s.Number(at, value):
                return self._number(tree, wanted)
            case s.Word(at, "err"):
                return _undefined(wanted, at)
            case s.All(at, type_) if isinstance(wanted, SetOf):
                return Apply("full", (), self._all_of(wanted, type_, at), at.span)
            case s.If(at, test, then, otherwise):
                parts = self.check(test, BOOLEAN), self.check(then, wanted), self.check(otherwise, wanted)
                return Conditional(*parts, at.span)
            case s.ListDisplay(at, parts_) if isinstance(wanted, ListOf):
                return Apply("list", self._all_checked(parts_, wanted.element), wanted, at.span)
            case s.BraceDisplay(at, parts_) if isinstance(wanted, SetOf):
                return Apply("set", self._all_checked(parts_, wanted.element), wanted, at.span)
            case s.BraceDisplay(at, ()) if isinstance(wanted, MapOf):
                return Apply("map", (), wanted, at.span)
            case s.MapDisplay(at, pairs) if isinstance(wanted, MapOf):
                entries = [(self.check(k, wanted.key), self.check(v, wanted.value)) for k, v in pairs]
                return Apply("map", tuple(each for entry in entries for each in entry), wanted, at.span)
            case s.StructDisplay() if isinstance(wanted, Struct):
                return self._struct(tree, wanted)
            case s.Comprehension(at, "map") if isinstance(wanted, MapOf):
                return self.fit(self._comprehension(tree, wanted.value), wanted, at)
            case s.Index(of=of, value=value) if value is not None and isinstance(wanted, ListOf | MapOf):
                return self._assigned(tree, self.check(of, wanted))
            case s.WithField(of=of) if isinstance(wanted, Struct):
                return self._updated(tree, self.check(of, wanted))
            case s.Chain():
                return self.fit(self.chain(tree, wanted), wanted, tree.at)
            case s.Call():
                return self.fit(self.call(tree, wanted), wanted, tree.at)
            case s.Typed(at, term, type_):
                return self.fit(self.check(term, self.types.type(type_)), wanted, at)
        return self.fit(self.infer(tree), wanted, tree.at)

    def fit(self, term: Term, wanted: TokenType, at: Extent) -> Term:
        found = type_of(term)
        if found == wanted:
            return term
        if isinstance(wanted, Bag) and found == wanted.element:
            return tokens(term, ONE)
        raise self.mismatch(wanted, found, at)

    def mismatch(self, wanted: TokenType, found: TokenType, at: Extent) -> InputError:
        hint = None
        if found == NATURAL and isinstance(wanted, Bag):
            hint = "a multiset is written 2'x + y; size(m) is the number of its tokens"
        elif isinstance(found, Bag) and wanted == NATURAL:
            hint = "size(m) is the number of tokens of a multiset, count(m, x) that of one value"
        elif isinstance(found, Bag) and wanted == BOOLEAN:
            hint = "m has x asks for a token, size(m) >= 1 whether there is one"
        elif isinstance(found, Bag) and isinstance(wanted, SetOf):
            hint = "set(m) is the set of the values in a multiset"
        elif isinstance(found, SetOf) and isinstance(wanted, Bag):
            hint = "multiset(s) has each element of a set once"
        elif isinstance(wanted, Bag) and not isinstance(found, Bag):
            wanted = wanted.element
        shown = self.types.shown
        return self.error(f"expected {shown(wanted)}, this is {shown(found)}", at, hint)

    def _all_checked(self, trees: Sequence[s.TermTree], wanted: TokenType) -> tuple[Term, ...]:
        return tuple([self.check(each, wanted) for each in trees])

    # Where none is

    def infer(self, tree: s.TermTree) -> Term:
        self.step(tree)
        match tree:
            case s.Name():
                return self._named(tree, None)
            case s.Number(at, number):
                return Literal(number, NATURAL, at.span)
            case s.Word(at, text):
                return self._word(text, at)
            case s.All(at, type_):
                if type_ is None:
                    raise self.uninferable(at, "all(T) says of which type")
                found = self.types.type(type_)
                return Apply("all", (), self._all_of(Bag(found), type_, at), at.span)
            case s.Member():
                return self._member(tree)
            case s.Index(value=None):
                return self._at(tree)
            case s.Index():
                return self._assigned(tree, self.infer(tree.of))
            case s.WithField():
                return self._updated(tree, self.infer(tree.of))
            case s.As(at, of, alternative):
                value = self.infer(of)
                return Cast(value, self._alternative(value, alternative), at.span)
            case s.Is(at, of, alternative):
                value = self.infer(of)
                return IsOf(value, self._alternative(value, alternative), at.span)
            case s.Call():
                return self.call(tree, None)
            case s.Tokens(at, count, value_tree):
                value = self.infer(value_tree)
                return Apply("tokens", (self.check(count, NATURAL), value), Bag(type_of(value)), at.span)
            case s.Chain():
                return self.chain(tree, None)
            case s.Not(at, operand):
                return Apply("not", (self.check(operand, BOOLEAN),), BOOLEAN, at.span)
            case s.Compared():
                return self.compared(tree)
            case s.If(at, test, then, otherwise):
                tested = self.check(test, BOOLEAN)
                one, other = self.alike((then, otherwise))
                return Conditional(tested, one, other, at.span)
            case s.Quantified():
                return self._quantified(tree)
            case s.Comprehension():
                return self._comprehension(tree, None)
            case s.ListDisplay(at, parts) if parts:
                terms = self.alike(parts)
                return Apply("list", terms, ListOf(type_of(terms[0])), at.span)
            case s.BraceDisplay(at, parts) if parts:
                terms = self.alike(parts)
                return Apply("set", terms, SetOf(type_of(terms[0])), at.span)
            case s.MapDisplay(at, pairs):
                keys, values = self.alike([key for key, _ in pairs]), self.alike([each for _, each in pairs])
                entries = tuple(each for entry in zip(keys, values, strict=True) for each in entry)
                return Apply("map", entries, MapOf(type_of(keys[0]), type_of(values[0])), at.span)
            case s.StructDisplay(at, names, parts):
                terms = tuple([self.infer(each) for each in parts])
                written = [str(number) if each is None else each.text for number, each in enumerate(names, 1)]
                pairs_ = zip(written, terms, strict=True)
                return Apply(
                    "struct",
                    terms,
                    Struct(tuple(Field(name, type_of(term)) for name, term in pairs_)),
                    at.span,
                )
            case s.Typed(at, term, type_):
                return self.check(term, self.types.type(type_))
        raise self.uninferable(tree.at)

    def uninferable(self, at: Extent, hint: str = "(... : T) says which type is meant") -> UninferableError:
        message = "the type of this cannot be told from what stands here"
        return UninferableError(at.diagnostic(message, hint))

    def alike(self, trees: Sequence[s.TermTree]) -> tuple[Term, ...]:
        """Of one type, which the first of them says whose type can be told; numbers and displays are asked last."""
        refused: UninferableError | None = None
        for tree in sorted(trees, key=_is_vague):
            try:
                found = self.infer(tree)
            except UninferableError as error:
                refused = refused or error
                continue
            wanted = type_of(found)
            return tuple([found if each is tree else self._check_next_to(each, wanted) for each in trees])
        assert refused is not None
        raise refused

    def _check_next_to(self, tree: s.TermTree, wanted: TokenType) -> Term:
        """Who compares the tokens of a place with a number means how many they are."""
        if isinstance(wanted, Bag) and isinstance(tree, s.Number):
            hint = f"size(m) is the number of tokens of a multiset; one token {tree.value} is written 1'{tree.value}"
            raise self.error("expected a multiset, this is a number", tree.at, hint)
        return self.check(tree, wanted)

    # Names

    def _named(self, tree: s.Name, wanted: TokenType | None) -> Term:
        found = self.scope.find(tree.text, tree.at.offset)
        if found is not None:
            term = _placed(found, tree.at)
            return term if wanted is None else self.fit(term, wanted, tree.at)
        for each in (wanted, wanted.element if isinstance(wanted, Bag) else None):
            match each:
                case Element(sort):
                    position = self.types.elements.position(sort, tree.text)
                    if position is not None:
                        literal = element(sort, position, tree.at.span)
                        return literal if each == wanted else tokens(literal, ONE)
                case Union(alternatives) if any(
                    one.name == tree.text and one.type == DOT for one in alternatives
                ):
                    value = Inject(tree.text, DOT_VALUE, each, tree.at.span)
                    return value if each == wanted else tokens(value, ONE)
        found = self._element(tree, wanted)
        return found if wanted is None else self.fit(found, wanted, tree.at)

    def _element(self, tree: s.Name, wanted: TokenType | None) -> Term:
        """A name that stands for nothing in the scope, and for no element of the type that is expected."""
        found = list(self.types.elements.of_name(tree.text))
        if len(found) == 1:
            sort, position = found[0]
            return element(sort, position, tree.at.span)
        if found:
            names = [sort.name for sort, _ in found]
            message = f"'{tree.text}' is an element of several types: {', '.join(names)}"
            hint = f"{names[0]}.{tree.text} says which one is meant"
            raise UninferableError(tree.at.diagnostic(message, hint))
        if wanted is None and any(one.name == tree.text for each in self.unions for one in each.alternatives):
            raise self.uninferable(tree.at)
        raise self.error(f"nothing is called '{tree.text}' here", tree.at, self._advice(tree.text))

    def _advice(self, name: str) -> str | None:
        if name in self.unavailable:
            return self.unavailable[name]
        close = get_close_matches(name, self.scope.names(), n=3, cutoff=0.6)
        return f"did you mean {' or '.join(close)}?" if close else None

    def _number(self, tree: s.Number, wanted: TokenType) -> Term:
        if isinstance(wanted, Element):
            return self._numbered(tree.value, wanted, tree.at)
        return self.fit(Literal(tree.value, NATURAL, tree.at.span), wanted, tree.at)

    def _numbered(self, number: int, type_: Element, at: Extent, advice: str | None = None) -> Term:
        """An element whose name is a number."""
        position = self.types.elements.position(type_.sort, str(number))
        if position is None:
            hint = _range_of(type_) + (f"; {advice}" if advice else "")
            raise self.error(f"{number} is no element of {type_.sort.name}", at, hint)
        return element(type_.sort, position, at.span)

    def _word(self, text: str, at: Extent) -> Term:
        match text:
            case "true" | "false":
                return replace(TRUE if text == "true" else FALSE, span=at.span)
            case "dot":
                return replace(DOT_VALUE, span=at.span)
        raise self.uninferable(at)

    # Parts of values

    def _member(self, tree: s.Member) -> Term:
        of, name = tree.of, tree.name
        if isinstance(of, s.Name):
            known, is_struct = self.types.types.get(of.text), isinstance(self.scope.type(of.text), Struct)
            if known is not None and isinstance(known.type, Element) and not is_struct:
                return self._element_of(known.type, name, tree.at)
        struct = self.infer(of)
        found = type_of(struct)
        if not isinstance(found, Struct):
            raise self.error(f"only structs have fields, this is {self.types.shown(found)}", of.at)
        self.field(found, name)
        return Select(struct, name.text, tree.at.span)

    def _element_of(self, type_: Element, name: Identifier, at: Extent) -> Term:
        position = self.types.elements.position(type_.sort, name.text)
        if position is None:
            message = f"'{name.text}' is no element of {type_.sort.name}"
            raise self.error(message, name.at, _range_of(type_))
        return element(type_.sort, position, at.span)

    def field(self, struct: Struct, name: Identifier) -> Field:
        for each in struct.fields:
            if each.name == name.text:
                return each
        hint = f"it has {', '.join(each.name for each in struct.fields)}" if struct.fields else None
        raise self.error(f"{self.types.shown(struct)} has no field '{name.text}'", name.at, hint)

    def _alternative(self, value: Term, name: Identifier) -> str:
        union = type_of(value)
        if not isinstance(union, Union):
            raise self.error(f"only unions have alternatives, this is {self.types.shown(union)}", name.at)
        if not any(each.name == name.text for each in union.alternatives):
            hint = f"it has {', '.join(each.name for each in union.alternatives)}"
            raise self.error(f"{self.types.shown(union)} has no alternative '{name.text}'", name.at, hint)
        return name.text

    def _at(self, tree: s.Index) -> Term:
        of = self.infer(tree.of)
        match type_of(of):
            case ListOf(item):
                return Apply("get", (of, self.check(tree.index, NATURAL)), item, tree.at.span)
            case MapOf(key, value):
                return Apply("at", (of, self.check(tree.index, key)), value, tree.at.span)
        raise self._no_entries(of, tree)

    def _assigned(self, tree: s.Index, of: Term) -> Term:
        assert tree.value is not None
        type_ = type_of(of)
        match type_:
            case ListOf(item):
                parts = of, self.check(tree.index, NATURAL), self.check(tree.value, item)
                return Apply("put", parts, type_, tree.at.span)
            case MapOf(key, value):
                parts = of, self.check(tree.index, key), self.check(tree.value, value)
                return Apply("assign", parts, type_, tree.at.span)
        raise self._no_entries(of, tree)

    def _no_entries(self, of: Term, tree: s.Index) -> InputError:
        found = type_of(of)
        hint = "count(m, x) is how often a multiset has a value" if isinstance(found, Bag) else None
        hint = "a field of a struct is changed by s[.f := v]" if isinstance(found, Struct) else hint
        return self.error(
            f"only lists and maps have entries, this is {self.types.shown(found)}", tree.of.at, hint
        )

    def _updated(self, tree: s.WithField, of: Term) -> Term:
        found = type_of(of)
        if not isinstance(found, Struct):
            raise self.error(f"only structs have fields, this is {self.types.shown(found)}", tree.of.at)
        field = self.field(found, tree.name)
        return Update(of, field.name, self.check(tree.value, field.type), tree.at.span)

    def _struct(self, tree: s.StructDisplay, wanted: Struct) -> Term:
        if len(tree.parts) != len(wanted.fields):
            message = (
                f"{self.types.shown(wanted)} has {len(wanted.fields)} fields, these are {len(tree.parts)}"
            )
            raise self.error(message, tree.at)
        found: dict[str, Term] = {}
        for at, (name, part) in enumerate(zip(tree.names, tree.parts, strict=True)):
            field = wanted.fields[at] if name is None else self.field(wanted, name)
            if field.name in found:
                raise self.error(
                    f"the field '{field.name}' is given twice", part.at if name is None else name.at
                )
            found[field.name] = self.check(part, field.type)
        return Apply("struct", tuple(found[each.name] for each in wanted.fields), wanted, tree.at.span)

    # Names that are bound

    def _quantified(self, tree: s.Quantified) -> Term:
        type_ = self.finite(tree.type)
        kind: BindingKind = "forall" if tree.kind == "forall" else "exists"

        def bound(names: tuple[Identifier, ...]) -> Term:
            if not names:
                return self.check(tree.body, BOOLEAN)
            with self.scope.binding(names[0], type_) as variable:
                return Binding(kind, variable, bound(names[1:]), BOOLEAN, tree.at.span)

        return bound(tree.names)

    def _comprehension(self, tree: s.Comprehension, wanted: TokenType | None) -> Term:
        """`wanted`: the values of a map."""
        type_, span = self.finite(tree.type), tree.at.span
        with self.scope.binding(tree.name, type_) as variable:
            match tree.kind:
                case "set":
                    return Binding("set", variable, self.check(tree.body, BOOLEAN), SetOf(type_), span)
                case "bag":
                    return Binding("bag", variable, self.check(tree.body, NATURAL), Bag(type_), span)
            body = self.infer(tree.body) if wanted is None else self.check(tree.body, wanted)
            return Binding("map", variable, body, MapOf(type_, type_of(body)), span)

    def finite(self, tree: s.TypeTree) -> TokenType:
        """A type that can be gone through."""
        return self.finite_type(self.types.type(tree), tree.at)

    def finite_type(self, type_: TokenType, at: Extent) -> TokenType:
        size = domain_size(type_)
        if size is None or size > MAX_VALUES:
            shown = self.types.shown(type_)
            if size is None:
                raise self.error(f"this goes through all values of {shown}, and there is no end of them", at)
            message = f"this goes through all {size:,} values of {shown}"
            raise self.error(message, at, f"at most {MAX_VALUES:,} are possible")
        return type_

    def _all_of(self, wanted: Bag | SetOf, type_: s.TypeTree | None, at: Extent) -> Bag | SetOf:
        if type_ is not None:
            found = self.types.type(type_)
            if found != wanted.element:
                raise self.mismatch(wanted, type(wanted)(found), at)
        self.finite_type(wanted.element, at)
        return wanted


def _undefined(type_: TokenType, at: Extent) -> Term:
    return Apply("at", (Apply("map", (), MapOf(DOT, type_)), DOT_VALUE), type_, at.span)


def _placed(term: Term, at: Extent) -> Term:
    """A name is at the place where it is written."""
    return term if term.children() else replace(term, span=at.span)


def _is_vague(tree: s.TermTree) -> bool:
    """May it mean something else where a type is expected?"""
    match tree:
        case s.Number() | s.StructDisplay() | s.ListDisplay() | s.BraceDisplay() | s.MapDisplay():
            return True
        case s.Tokens(value=value):
            return _is_vague(value)
        case s.Chain(operands=operands):
            return all(map(_is_vague, operands))
        case s.If(then=then, otherwise=otherwise):
            return _is_vague(then) and _is_vague(otherwise)
    return False


def _range_of(type_: Element) -> str:
    elements = type_.sort.elements
    shown = (
        ", ".join(elements) if len(elements) <= 4 else f"{elements[0]}, {elements[1]}, ..., {elements[-1]}"
    )
    return f"its elements are {shown}"
