"""Types: from trees to the ir. In: declarations of constants and types, sizes that the user asked for. Out: sorts, types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from burnside.diagnostics import Diagnostic, Source, UsageError
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
)
from burnside.ir.types import Symmetry
from burnside.languages.hln import syntax as s
from burnside.languages.hln.elements import Elements
from burnside.languages.hln.lexer import MAX_NUMBER
from burnside.languages.hln.type_texts import type_text
from burnside.languages.shared.lowering import LoweringContext
from burnside.languages.shared.sizes import by_own_spelling
from burnside.languages.shared.spans import Extent
from burnside.records import record

MAX_ELEMENTS = 1_000_000
"""Of all sorts together."""
MAX_TYPE_HEIGHT = 60
MAX_TYPE_SIZE = 2_000

KEYWORD_TYPES: dict[str, TokenType] = {"bool": BOOLEAN, "nat": NATURAL, "dot": DOT}
SYMMETRIES: dict[str, Symmetry] = {
    "ordered": "fixed",
    "cyclic": "cyclic",
    "unordered": "full",
    "enum": "fixed",
}


@record
class KnownType:
    """A type with what bounds its tree: types that are named several times are trees several times."""

    type: TokenType
    height: int = 1
    size: int = 1


class TypeLowering(LoweringContext):
    """`types`, `constants`: by name, those declared so far. `names`: what a user calls a type."""

    def __init__(self, source: Source, sizes: Mapping[str, int]) -> None:
        self.source, self.sizes = source, sizes
        self.types: dict[str, KnownType] = {}
        self.constants: dict[str, int] = {}
        self.elements = Elements()
        self.names: dict[TokenType, str] = {}
        self.searched: set[str] = set()
        self.elements_left = MAX_ELEMENTS

    def shown(self, type_: TokenType) -> str:
        """As messages write it."""
        return type_text(type_, self.names)

    # Types

    def type(self, tree: s.TypeTree) -> TokenType:
        return self.known_type(tree).type

    def known_type(self, tree: s.TypeTree) -> KnownType:
        match tree:
            case s.TypeName(_, text, is_keyword):
                return KnownType(KEYWORD_TYPES[text]) if is_keyword else self._named(tree)
            case s.TypeOf(at, constructor, parts):
                known = [self.known_type(each) for each in parts]
                return self._built(_constructed(constructor, [each.type for each in known]), known, at)
            case s.FieldsType(at, constructor, trees):
                known = [
                    KnownType(DOT) if each.type is None else self.known_type(each.type) for each in trees
                ]
                names = self._field_names(trees)
                fields = tuple(Field(name, each.type) for name, each in zip(names, known, strict=True))
                if constructor == "union" and not fields:
                    raise self.error("a union needs an alternative", at)
                return self._built(Struct(fields) if constructor == "struct" else Union(fields), known, at)

    def _built(self, type_: TokenType, parts: Sequence[KnownType], at: Extent) -> KnownType:
        height = 1 + max((each.height for each in parts), default=0)
        size = 1 + sum(each.size for each in parts)
        if height > MAX_TYPE_HEIGHT or size > MAX_TYPE_SIZE:
            raise self.error("this type is too large when all names in it are written out", at)
        return KnownType(type_, height, size)

    def _named(self, tree: s.TypeName) -> KnownType:
        found = self.types.get(tree.text)
        if found is None:
            close = get_close_matches(tree.text, self.types, n=3, cutoff=0.5)
            hint = (
                f"did you mean {' or '.join(close)}?" if close else "types are declared before they are used"
            )
            raise self.error(f"there is no type '{tree.text}'", tree.at, hint)
        return found

    def _field_names(self, trees: Sequence[s.FieldTree]) -> list[str]:
        names: list[str] = []
        for number, each in enumerate(trees, start=1):
            name = str(number) if each.name is None else each.name.text
            if name in names:
                raise self.error(f"'{name}' is given twice", each.at)
            names.append(name)
        return names

    # Declarations

    def declare_constant(self, tree: s.ConstDeclaration) -> None:
        name = tree.name.text
        value = self.constant(tree.value)
        self.constants[name] = self.sizes.get(name, value)

    def declare_type(self, tree: s.TypeDeclaration) -> None:
        name = tree.name.text
        if name in self.types:
            raise self.error(f"a type '{name}' is declared already", tree.name.at)
        if isinstance(tree.type, s.SortTree):
            self.types[name] = KnownType(Element(self._sort(name, tree, tree.type)))
        else:
            self.types[name] = self.known_type(tree.type)
            if not isinstance(self.types[name].type, Dot | Boolean | Natural | Element):
                self.names.setdefault(self.types[name].type, name)

    def _sort(self, name: str, tree: s.TypeDeclaration, of: s.SortTree) -> Sort:
        if isinstance(of.elements, tuple):
            elements = self._listed(name, of)
        else:
            elements = self._numbered(name, of.elements)
        sort = Sort(name, elements, SYMMETRIES[of.classification], of.classification, tree.name.at.span)
        self.elements.add(sort)
        if of.classification == "enum":
            self.searched.add(name)
        return sort

    def _listed(self, name: str, of: s.SortTree) -> tuple[str, ...]:
        assert isinstance(of.elements, tuple)
        if name in self.sizes:
            message = f"the elements of '{name}' are listed, so it has no size"
            raise UsageError(Diagnostic(message, source="--size"))
        names: dict[str, None] = {}
        for each in of.elements:
            if each.text in names:
                raise self.error(f"'{each.text}' is given twice", each.at)
            names[each.text] = None
        if not names:
            raise self.error("a type needs an element", of.at)
        return tuple(names)

    def _numbered(self, name: str, of: s.ElementRange) -> tuple[str, ...]:
        low = 1 if of.low is None else self.constant(of.low)
        high = low + self.sizes[name] - 1 if name in self.sizes else self.constant(of.high)
        size = high - low + 1
        if size < 1:
            raise self.error("a type needs an element", of.at)
        self.elements_left -= size
        if self.elements_left < 0:
            message = f"the types of this net have more than {MAX_ELEMENTS:,} elements together"
            raise self.error(message, of.at)
        return tuple([f"{of.prefix}{number}" for number in range(low, high + 1)])

    # Numbers that are known before the net runs

    def constant(self, tree: s.TermTree) -> int:
        match tree:
            case s.Number(_, value):
                return value
            case s.Name(at, text):
                if text not in self.constants:
                    raise self.error(f"there is no constant '{text}'", at)
                return self.constants[text]
            case s.Chain(at, operands, operators) if set(operators) <= set("+-*/%"):
                value = self.constant(operands[0])
                for operator, operand in zip(operators, operands[1:], strict=True):
                    value = self._computed(at, operator, value, self.constant(operand))
                return value
        raise self.error("this is no number that is known before the net runs", tree.at)

    def _computed(self, at: Extent, operator: str, a: int, b: int) -> int:
        if operator in "/%" and b == 0:
            raise self.error("this divides by zero", at)
        match operator:
            case "+":
                found = a + b
            case "-":
                found = a - b
            case "*":
                found = a * b
            case "/":
                found = a // b
            case _:
                found = a % b
        if not 0 <= found <= MAX_NUMBER:
            raise self.error("this is no natural number up to 2^62", at)
        return found


def _constructed(constructor: str, parts: Sequence[TokenType]) -> TokenType:
    match constructor:
        case "list":
            return ListOf(parts[0])
        case "set":
            return SetOf(parts[0])
        case "multiset":
            return Bag(parts[0])
        case _:
            return MapOf(parts[0], parts[1])


def chosen_sizes(sizes: Mapping[str, int], tree: s.NetTree, source: Source) -> dict[str, int]:
    """By the text's own spelling."""
    names = [
        each.name.text
        for each in tree.declarations
        if isinstance(each, s.ConstDeclaration)
        or (isinstance(each, s.TypeDeclaration) and isinstance(each.type, s.SortTree))
    ]
    found: dict[str, int] = {}
    what = "constant or type with elements"
    for given, name, value in by_own_spelling(sizes, names, source, model="net", what=what):
        if not 0 <= value <= MAX_NUMBER:
            raise UsageError(
                Diagnostic(f"the size of '{given}' is no natural number up to 2^62", source.name)
            )
        found[name] = value
    return found
