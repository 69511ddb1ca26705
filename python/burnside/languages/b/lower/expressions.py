"""Lowering predicates and expressions, but for those that bind names (`binders`). In: trees. Out: drafts.

B's many operators become the few of the waist: `a > b` is `b < a`, `x /: S` is `not x : S`, `NAT` is `0..MAXINT`.
"""

from __future__ import annotations

from burnside.ir.sets import expressions as e
from burnside.ir.sets.types import BOOLEAN, INTEGER, TEXT, Element, Set, Struct
from burnside.languages.b.lower.drafts import Draft, DraftContext, describe
from burnside.languages.b.lower.operators import BINARY, NEGATED, OVERLOADED, TURNED, UNARY, trees, whose
from burnside.languages.b.resolve.names import (
    Known,
    KnownAbstract,
    KnownElement,
    KnownLocal,
    KnownOperation,
    KnownSort,
    KnownState,
    KnownValue,
)
from burnside.languages.b.resolve.signatures import signature
from burnside.languages.b.resolve.terms import (
    NUMBER,
    STRING,
    TRUTH,
    Given,
    Hole,
    RecordOf,
    SetOf,
    Term,
    relation,
    resolved,
    sequence,
)
from burnside.languages.b.syntax import expressions as t
from burnside.languages.shared.spans import Extent, Identifier

_SET_OF_NUMBERS = SetOf(NUMBER)


class ExpressionLowering(DraftContext):
    def binder(self, node: t.Expression) -> Draft:
        """Of trees that bind names: see `binders`."""
        raise NotImplementedError

    def predicate(self, node: t.Expression, what: str = "this") -> Draft:
        draft = self.expression(node)
        self.expect(draft, TRUTH, what)
        return draft

    def typed(self, node: t.Expression, term: Term, what: str, at: Extent | None = None) -> Draft:
        draft = self.expression(node)
        self.expect(draft, term, what, at)
        return draft

    def expression(self, node: t.Expression) -> Draft:
        match node:
            case t.Name():
                return self._name(node)
            case t.Number(at, value):
                return Draft(at, NUMBER, lambda: e.Literal(value, INTEGER, self.span(at)))
            case t.Text(at, text):
                return Draft(at, STRING, lambda: e.Literal(text, TEXT, self.span(at)))
            case t.Constant():
                return self._constant(node)
            case t.Unary(at, operator, operand):
                return self.applied(UNARY[operator], (self.expression(operand),), at, operator)
            case t.Binary():
                return self._binary(node)
            case t.Chain():
                return self._chain(node)
            case t.Labelled(_, _, predicate):
                return self.predicate(predicate)
            case t.Application():
                return self._application(node)
            case t.Image(at, relation_, set_):
                return self.applied("image", (self.expression(relation_), self.expression(set_)), at, "[ ]")
            case t.SetDisplay(at, elements):
                return self._display(at, elements, "set")
            case t.SequenceDisplay(at, elements):
                return self._display(at, elements, "sequence")
            case t.Truth(at, predicate):
                return Draft(at, TRUTH, self.predicate(predicate, "the argument of 'bool'").build)
            case t.Conditional():
                return self._conditional(node)
            case t.RecordDisplay(at, fields):
                return self._record(at, fields)
            case t.RecordSet(at, fields):
                return self._record_set(at, fields)
            case t.Field():
                return self._field(node)
            case _:
                return self.binder(node)

    # Names and words

    def _name(self, node: t.Name) -> Draft:
        name = f"{node.text}$0" if node.before else node.text
        if node.before and self.scope.find(name) is None:
            hint = "the value from before is known in x : (P) and in the invariant of WHILE"
            raise self.error(f"there is no '{name}' here", node.at, hint)
        return self.meaning(self.find(name, node.at), node.at, node.text)

    def meaning(self, known: Known, at: Extent, name: str) -> Draft:
        match known:
            case KnownSort(sort):
                return Draft(at, SetOf(Given(sort)), lambda: self._all(Given(sort), at))
            case KnownElement(sort, position):
                return Draft(
                    at,
                    Given(sort),
                    lambda: e.Literal(position, Element(self.sorts[sort]), self.span(at)),
                )
            case KnownState() if known.is_variable and self.before_variables:
                hint = "they hold before variables have values"
                raise self.error(
                    f"'{name}' is a variable: PROPERTIES and CONSTRAINTS cannot see it", at, hint
                )
            case KnownState(unique, term):
                return Draft(at, term, lambda: e.Name(unique, self.type_of(term), True, self.span(at)))
            case KnownLocal(unique, term):
                return Draft(at, term, lambda: e.Name(unique, self.type_of(term), False, self.span(at)))
            case KnownValue(tree, scope, term):
                with self.within(scope):
                    draft = self.expression(tree)
                self.expect(draft, term, f"'{name}'", at)
                return Draft(at, term, draft.build)
            case KnownAbstract():
                return self.abstract(known, at)
            case KnownOperation():
                raise self.error(f"'{name}' is an operation, not a value", at)

    def abstract(self, known: KnownAbstract, at: Extent) -> Draft:
        hint = (
            "a refinement has its own variables; those of the refined machine are seen by its invariant only"
        )
        raise self.error(f"'{known.name}' is a variable of the refined machine", at, hint)

    def _all(self, element: Term, at: Extent) -> e.Expression:
        return e.Apply("all", (), Set(self.type_of(element)), self.span(at))

    def number(self, value: int, at: Extent) -> e.Expression:
        return e.Literal(value, INTEGER, self.span(at))

    def _constant(self, node: t.Constant) -> Draft:
        at, word = node.at, node.word
        match word:
            case "TRUE" | "btrue":
                return Draft(at, TRUTH, lambda: e.Literal(1, BOOLEAN, self.span(at)))
            case "FALSE" | "bfalse":
                return Draft(at, TRUTH, lambda: e.Literal(0, BOOLEAN, self.span(at)))
            case "BOOL":
                return Draft(at, SetOf(TRUTH), lambda: self._all(TRUTH, at))
            case "STRING":
                return Draft(at, SetOf(STRING), lambda: self._all(STRING, at))
            case "INTEGER":
                return Draft(at, _SET_OF_NUMBERS, lambda: self._all(NUMBER, at))
            case "NATURAL" | "NATURAL1":
                return Draft(at, _SET_OF_NUMBERS, lambda: self._numbers_from(int(word == "NATURAL1"), at))
            case "MAXINT" | "MININT":
                return Draft(at, NUMBER, lambda: self.number(self.numbers[word == "MAXINT"], at))
            case "NAT" | "NAT1" | "INT":
                return Draft(at, _SET_OF_NUMBERS, lambda: self._implementable(word, at))
            case "succ" | "pred":
                return Draft(at, relation(NUMBER, NUMBER), lambda: self._step(word, at))
            case _:
                raise self.unsupported(f"'{word}' is not supported", at)

    def _numbers_from(self, least: int, at: Extent) -> e.Expression:
        return e.Apply("up-from", (self.number(least, at),), Set(INTEGER), self.span(at))

    def _implementable(self, word: str, at: Extent) -> e.Expression:
        low = {"NAT": 0, "NAT1": 1, "INT": self.numbers[0]}[word]
        ends = (self.number(low, at), self.number(self.numbers[1], at))
        return e.Apply("interval", ends, Set(INTEGER), self.span(at))

    def _step(self, word: str, at: Extent) -> e.Expression:
        """The function as a set: from each number to the next one, or to the one before."""
        number = e.Name(self.fresh("n"), INTEGER)
        following = self.stepped(word, number, at)
        condition = e.Apply("member", (number, self._all(NUMBER, at)), BOOLEAN)
        return e.Comprehension((number,), condition, e.pair(number, following), self.span(at))

    def stepped(self, word: str, number: e.Expression, at: Extent) -> e.Expression:
        operator = "add" if word == "succ" else "subtract"
        return e.Apply(operator, (number, self.number(1, at)), INTEGER, self.span(at))

    # Operators

    def applied(self, operator: str, arguments: tuple[Draft, ...], at: Extent, shown: str) -> Draft:
        wanted = signature(operator)
        for position, (draft, term) in enumerate(zip(arguments, wanted.arguments, strict=True)):
            self.expect(draft, term, whose(shown, position, len(arguments)), at)
        return Draft(at, wanted.result, lambda: self.apply(operator, arguments, wanted.result, at))

    def apply(self, operator: str, arguments: tuple[Draft, ...], result: Term, at: Extent) -> e.Expression:
        built = tuple(each.build() for each in arguments)
        return e.Apply(operator, built, self.type_of(result), self.span(at))

    def _binary(self, node: t.Binary) -> Draft:
        at, operator = node.at, node.operator
        left, right = self.expression(node.left), self.expression(node.right)
        if operator in OVERLOADED:
            return self._overloaded(operator, left, right, at)
        if operator in TURNED:
            # The sides are named as they are written.
            wanted = signature(BINARY[TURNED[operator]])
            self.expect(left, wanted.arguments[1], whose(operator, 0, 2), at)
            self.expect(right, wanted.arguments[0], whose(operator, 1, 2), at)
            return Draft(
                at,
                wanted.result,
                lambda: self.apply(BINARY[TURNED[operator]], (right, left), wanted.result, at),
            )
        if operator in NEGATED:
            inner = self.applied(BINARY[NEGATED[operator]], (left, right), at, operator)
            return Draft(at, TRUTH, lambda: e.Apply("not", (inner.build(),), BOOLEAN, self.span(at)))
        return self.applied(BINARY[operator], (left, right), at, operator)

    def _overloaded(self, operator: str, left: Draft, right: Draft, at: Extent) -> Draft:
        """Of numbers or of sets."""
        result = Hole()
        of_numbers, of_sets = OVERLOADED[operator]
        operator = "-" if operator == t.SUBTRACTED else operator

        def chosen() -> str | None:
            for term in (left.term, right.term, result):
                match resolved(term):
                    case SetOf():
                        return of_sets
                    case Hole():
                        continue
                    case _:
                        return of_numbers
            return None

        def attempt() -> bool:
            if (meaning := chosen()) is None:
                return False
            wanted = signature(meaning)
            self.expect(left, wanted.arguments[0], whose(operator, 0, 2), at)
            self.expect(right, wanted.arguments[1], whose(operator, 1, 2), at)
            self.expect(Draft(at, result, left.build), wanted.result, f"the result of '{operator}'")
            return True

        self.overload(at, operator, attempt)
        return Draft(at, result, lambda: self.apply(chosen() or of_numbers, (left, right), result, at))

    def _chain(self, node: t.Chain) -> Draft:
        word = "and" if node.operator == "&" else "or"
        what = f"an operand of '{node.operator}'"
        parts = tuple(self.predicate(each, what) for each in node.operands)

        def build() -> e.Expression:
            built: list[e.Expression] = []
            for part in parts:
                found = part.build()
                # `a & (b & c)` is one conjunction.
                built += (
                    found.arguments if isinstance(found, e.Apply) and found.operator == word else (found,)
                )
            return e.Apply(word, tuple(built), BOOLEAN, self.span(node.at))

        return Draft(node.at, TRUTH, build)

    def _application(self, node: t.Application) -> Draft:
        match node.function:
            case t.Constant(_, "succ" | "pred" as word):
                argument = self.typed(node.argument, NUMBER, f"the argument of '{word}'", node.at)
                return Draft(node.at, NUMBER, lambda: self.stepped(word, argument.build(), node.at))
            case t.Name(at, "tree") if self.scope.find("tree") is None:
                return self.expression(trees(at, node.argument))
        function, argument = self.expression(node.function), self.expression(node.argument)
        wanted = signature("apply")
        self.expect(function, wanted.arguments[0], "what is applied", node.at)
        self.expect(argument, wanted.arguments[1], "the argument", node.at)
        return Draft(
            node.at, wanted.result, lambda: self.apply("apply", (function, argument), wanted.result, node.at)
        )

    def _display(self, at: Extent, elements: tuple[t.Expression, ...], operator: str) -> Draft:
        element = Hole()
        drafts = tuple(self.expression(each) for each in elements)
        for position, draft in enumerate(drafts):
            what = "an element of the set" if operator == "set" else "an element of the sequence"
            self.expect(draft, element, f"{what} (like the first)" if position else what, at)
        term = SetOf(element) if operator == "set" else sequence(element)
        return Draft(at, term, lambda: self.apply(operator, drafts, term, at))

    def _conditional(self, node: t.Conditional) -> Draft:
        test = self.predicate(node.test, "the test of IF")
        then, otherwise = self.expression(node.then), self.expression(node.otherwise)
        self.expect(otherwise, then.term, "the branch after ELSE (as that after THEN)", node.at)
        return Draft(node.at, then.term, lambda: e.Conditional(test.build(), then.build(), otherwise.build()))

    # Records

    def _fields(self, fields: tuple[t.Binding, ...]) -> tuple[tuple[str, ...], tuple[Draft, ...]]:
        """By name: fields have no order."""
        found: dict[str, Draft] = {}
        for each in fields:
            if each.name.text in found:
                raise self.error(f"the field '{each.name.text}' is there twice", each.name.at)
            found[each.name.text] = self.expression(each.value)
        names = tuple(sorted(found))
        return names, tuple(found[name] for name in names)

    def _record(self, at: Extent, fields: tuple[t.Binding, ...]) -> Draft:
        names, drafts = self._fields(fields)
        term = RecordOf(names, tuple(each.term for each in drafts))
        return Draft(at, term, lambda: self.apply("record", drafts, term, at))

    def _record_set(self, at: Extent, fields: tuple[t.Binding, ...]) -> Draft:
        names, drafts = self._fields(fields)
        elements: tuple[Term, ...] = tuple(Hole() for _ in drafts)
        for name, draft, element in zip(names, drafts, elements, strict=True):
            self.expect(draft, SetOf(element), f"the field '{name}' of struct", at)
        term = SetOf(RecordOf(names, elements))
        return Draft(at, term, lambda: self.apply("records", drafts, term, at))

    def _field(self, node: t.Field) -> Draft:
        base = self.expression(node.base)
        result = self.field_of(base, node.name)
        return Draft(node.at, result, lambda: e.Select(base.build(), node.name.text, self.span(node.at)))

    def field_of(self, base: Draft, name: Identifier) -> Term:
        """The type of a field, which waits until the record is known."""
        result = Hole()

        def attempt() -> bool:
            found = resolved(base.term)
            if isinstance(found, Hole):
                return False
            if not isinstance(found, RecordOf):
                raise self.error(f"this is no record but {describe(found)}", base.at)
            if name.text not in found.names:
                hint = f"there are: {', '.join(found.names)}"
                raise self.error(f"the record has no field '{name.text}'", name.at, hint)
            term = found.types[found.names.index(name.text)]
            self.expect(Draft(name.at, result, base.build), term, f"the field '{name.text}'")
            return True

        self.overload(name.at, f"'{name.text}", attempt)
        return result

    def with_field(self, base: e.Expression, name: str, value: e.Expression) -> e.Expression:
        """The record with another value in one field."""
        struct = e.type_of(base)
        assert isinstance(struct, Struct)
        values = tuple(value if each.name == name else e.Select(base, each.name) for each in struct.fields)
        return e.Apply("record", values, struct)
