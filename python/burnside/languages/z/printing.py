"""Z's trees as text, in LaTeX. In: a tree. Out: what the parser reads as the same tree.

Names that are operators by a directive are written as such if they are in the table; `specification_text` writes the
directives, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from burnside.languages.z import syntax as s
from burnside.languages.z.parse import marks
from burnside.languages.z.parse.marks import Operator, Operators

QUANTIFIERS = {"forall": "\\forall", "exists": "\\exists", "exists_1": "\\exists_1"}
CONNECTIVES = {"iff": "\\iff", "implies": "\\implies", "or": "\\lor", "and": "\\land"}
OPERATORS = {**CONNECTIVES, "project": "\\project", "compose": "\\semi", "pipe": "\\pipe"}
LEVELS = {"pipe": 1, "compose": 2, "hide": 3, "project": 4, "iff": 5, "implies": 6, "or": 7, "and": 8}
"""Of connectives and operators on schemas; looser ones are lower, quantifiers 0."""
TIGHT = 9
"""Of what needs no brackets beside a connective."""

CONDITIONAL, GENERIC, PRODUCT, INFIX, PREFIX, APPLICATION, ATOM = range(7)
"""Levels of expressions."""
DISPLAYS = {
    "set": ("\\{", "\\}"), "sequence": ("\\langle", "\\rangle"), "bag": ("\\lbag", "\\rbag")
}  # fmt: skip


def expression_text(tree: s.Expression, operators: Operators = marks.TOOLKIT) -> str:
    return Printer(operators).expression(tree)


def predicate_text(tree: s.Predicate, operators: Operators = marks.TOOLKIT) -> str:
    return Printer(operators).predicate(tree)


def schema_text(tree: s.SchemaExpression, operators: Operators = marks.TOOLKIT) -> str:
    return Printer(operators).schema(tree)


def specification_text(tree: s.Specification, operators: Operators = marks.TOOLKIT) -> str:
    printer = Printer(operators)
    return "\n".join([*_directives(operators), *map(printer.paragraph, tree.paragraphs)]) + "\n"


class Printer:
    def __init__(self, operators: Operators) -> None:
        self.operators = operators

    # Names

    def name(self, name: s.Identifier) -> str:
        """As declarations have it: `\\_ \\cup \\_`."""
        if name.base == s.UNARY_MINUS:
            return f"-{name.decoration}"
        if name.base == s.IMAGE:
            return f"\\_ \\limg \\_ \\rimg{name.decoration}"
        operator = self.operators.get(name.base)
        match None if operator is None else operator.kind:
            case "infix" | "minus" | "relation" | "generic":
                return f"\\_ {name.text} \\_"
            case "postfix":
                return f"\\_ {name.text}"
            case "prefix relation" | "prefix generic":
                return f"{name.text} \\_"
        return name.text

    def variable(self, name: s.Identifier) -> str:
        """As expressions have it: `(\\_ \\cup \\_)`."""
        text = self.name(name)
        return text if text == name.text else f"({text})"

    def sign(self, name: s.Identifier) -> str:
        """An operator between or beside its operands."""
        if name.base not in self.operators:
            return f" \\inrel{{{name.text}}} "
        return f"~{name.text}~" if name.base[0].isalpha() else f" {name.text} "

    # Expressions

    def expression(self, tree: s.Expression, level: int = CONDITIONAL) -> str:
        text, own = self.levelled(tree)
        return text if own >= level else f"({text})"

    def expressions(self, trees: Iterable[s.Expression]) -> str:
        return ", ".join(map(self.expression, trees))

    def levelled(self, tree: s.Expression) -> tuple[str, int]:
        """With how tightly it binds."""
        match tree:
            case s.Conditional(_, test, then, otherwise):
                parts = self.predicate(test), self.expression(then), self.expression(otherwise)
                return "\\IF {} \\THEN {} \\ELSE {}".format(*parts), CONDITIONAL
            case s.InfixGeneric(_, operator, left, right):
                one, other = self.expression(left, PRODUCT), self.expression(right, GENERIC)
                return f"{one}{self.sign(operator)}{other}", GENERIC
            case s.Product(_, factors):
                return " \\cross ".join(self.expression(each, INFIX) for each in factors), PRODUCT
            case s.Infix():
                return self.infix(tree)
            case s.PowerSet(_, base):
                return f"\\power {self.expression(base, ATOM)}", PREFIX
            case s.PrefixGeneric(_, operator, operand):
                return f"{self.sign(operator).lstrip()}{self.expression(operand, ATOM)}", PREFIX
            case s.Application(_, s.Reference(_, s.Identifier(_, s.UNARY_MINUS, decoration), ()), argument):
                return f"-{decoration}{self.expression(argument, ATOM)}", PREFIX
            case s.Application(_, function, argument):
                return (
                    f"{self.expression(function, APPLICATION)}~{self.expression(argument, ATOM)}",
                    APPLICATION,
                )
        return self.atom(tree), ATOM

    def infix(self, tree: s.Infix) -> tuple[str, int]:
        if tree.operator.base == s.IMAGE:
            relation, argument = self.expression(tree.left, ATOM), self.expression(tree.right)
            return f"{relation} \\limg {argument} \\rimg{tree.operator.decoration}", PREFIX
        left, right = self.operand(tree, tree.left, 0), self.operand(tree, tree.right, 1)
        return f"{left}{self.sign(tree.operator)}{right}", INFIX

    def operand(self, tree: s.Infix, operand: s.Expression, more: int) -> str:
        own = self.priority(tree)
        if (
            isinstance(operand, s.Infix)
            and operand.operator.base != s.IMAGE
            and self.priority(operand) < own + more
        ):
            return f"({self.expression(operand)})"
        return self.expression(operand, INFIX)

    def priority(self, tree: s.Infix) -> int:
        operator = self.operators.get(tree.operator.base)
        return 0 if operator is None else operator.priority

    def atom(self, tree: s.Expression) -> str:
        match tree:
            case s.Reference(_, name, parameters):
                return self.variable(name) + self.parameters(parameters)
            case s.Number(_, value):
                return str(value)
            case s.Tuple(_, elements):
                return f"({self.expressions(elements)})"
            case s.Display(_, kind, elements):
                opening, closing = DISPLAYS[kind]
                alone = kind == "set" and len(elements) == 1 and isinstance(elements[0], s.SchemaSet)
                inside = f"({self.expressions(elements)})" if alone else self.expressions(elements)
                return f"{opening} {inside} {closing}"
            case s.Comprehension(_, text, value):
                return f"\\{{ {self.text(text)}{self.value(value)} \\}}"
            case s.Lambda(_, text, body):
                return f"(\\lambda {self.text(text)} @ {self.expression(body)})"
            case s.Mu(_, text, value):
                return f"(\\mu {self.text(text)}{self.value(value)})"
            case s.Let(_, definitions, body):
                return f"(\\LET {self.definitions(definitions)} @ {self.expression(body)})"
            case s.Postfix(_, operator, operand):
                return f"{self.expression(operand, ATOM)}{self.sign(operator).rstrip()}"
            case s.Theta():
                return self.theta(tree)
            case s.Binding(_, entries):
                inside = ", ".join(
                    f"{self.name(each.name)} \\bind {self.expression(each.value)}" for each in entries
                )
                return f"\\langle {inside} \\rangle"
            case s.Selection(_, record, field):
                selected = self.theta(field) if isinstance(field, s.Theta) else self.variable(field)
                return f"{self.expression(record, ATOM)}.{selected}"
            case s.SchemaSet(_, schema):
                return self.reference(schema)
        raise AssertionError(f"no expression: {tree}")

    def value(self, tree: s.Expression | None) -> str:
        return "" if tree is None else f" @ {self.expression(tree)}"

    def parameters(self, trees: Sequence[s.Expression]) -> str:
        return f"[{self.expressions(trees)}]" if trees else ""

    def theta(self, tree: s.Theta) -> str:
        return f"\\theta {tree.schema}{tree.decoration}{self.renames(tree.renames)}"

    def renames(self, renames: Sequence[s.Rename]) -> str:
        if not renames:
            return ""
        return "[" + ", ".join(f"{self.name(each.new)} / {self.name(each.old)}" for each in renames) + "]"

    def definitions(self, definitions: Iterable[s.LetDefinition]) -> str:
        return "; ".join(
            f"{self.variable(each.name)} == {self.expression(each.value)}" for each in definitions
        )

    # Predicates

    def predicate(self, tree: s.Predicate, level: int = 0) -> str:
        text, own = self.levelled_predicate(tree)
        return text if own >= level else f"({text})"

    def levelled_predicate(self, tree: s.Predicate) -> tuple[str, int]:
        match tree:
            case s.Quantified(_, quantifier, text, body):
                return f"{QUANTIFIERS[quantifier]} {self.text(text)} @ {self.predicate(body)}", 0
            case s.LetPredicate(_, definitions, body):
                return f"\\LET {self.definitions(definitions)} @ {self.predicate(body)}", 0
            case s.Connected(_, connective, left, right):
                level = LEVELS[connective]
                first, second = _sides(connective, level)
                sign = CONNECTIVES[connective]
                return f"{self.predicate(left, first)} {sign} {self.predicate(right, second)}", level
            case s.Not(_, operand):
                return f"\\lnot {self.predicate(operand, TIGHT)}", TIGHT
            case s.Equality(_, one, other):
                return f"{self.expression(one)} = {self.expression(other)}", TIGHT
            case s.Membership(_, one, other):
                return f"{self.expression(one)} \\in {self.expression(other)}", TIGHT
            case s.InfixRelation(_, relation, one, other):
                return f"{self.expression(one)}{self.sign(relation)}{self.expression(other)}", TIGHT
            case s.PrefixRelation(_, relation, argument):
                return f"{self.sign(relation).lstrip()}{self.expression(argument)}", TIGHT
            case s.Truth(_, value):
                return "true" if value else "false", TIGHT
            case s.SchemaPredicate(_, schema):
                return self.levelled_schema(schema)
        raise AssertionError(f"no predicate: {tree}")

    # Declarations and schemas

    def text(self, text: s.SchemaText, separator: str = "; ") -> str:
        declarations = separator.join(map(self.declaration, text.declarations))
        if not text.predicates:
            return declarations
        return f"{declarations} | {separator.join(map(self.predicate, text.predicates))}"

    def declaration(self, tree: s.Declaration | s.Inclusion) -> str:
        if isinstance(tree, s.Inclusion):
            return self.reference(tree.schema)
        return f"{', '.join(map(self.name, tree.names))} : {self.expression(tree.set)}"

    def reference(self, tree: s.SchemaReference) -> str:
        return f"{tree.name}{tree.decoration}{self.parameters(tree.parameters)}{self.renames(tree.renames)}"

    def schema(self, tree: s.SchemaExpression, level: int = 0) -> str:
        text, own = self.levelled_schema(tree)
        return text if own >= level else f"({text})"

    def levelled_schema(self, tree: s.SchemaExpression) -> tuple[str, int]:
        match tree:
            case s.SchemaQuantified(_, quantifier, text, schema):
                return f"{QUANTIFIERS[quantifier]} {self.text(text)} @ {self.schema(schema)}", 0
            case s.SchemaBinary(_, operator, left, right):
                level = LEVELS[operator]
                first, second = _sides(operator, level)
                return f"{self.schema(left, first)} {OPERATORS[operator]} {self.schema(right, second)}", level
            case s.SchemaHide(_, schema, names):
                level = LEVELS["hide"]
                return f"{self.schema(schema, level)} \\hide ({', '.join(map(self.name, names))})", level
            case s.SchemaNot(_, schema):
                return f"\\lnot {self.schema(schema, TIGHT)}", TIGHT
            case s.Precondition(_, schema):
                return f"\\pre {self.schema(schema, TIGHT)}", TIGHT
            case s.SchemaText():
                return f"[{self.text(tree)}]", TIGHT
            case s.SchemaReference():
                return self.reference(tree), TIGHT
        raise AssertionError(f"no schema: {tree}")

    # Paragraphs

    def paragraph(self, tree: s.Paragraph) -> str:
        match tree:
            case s.SchemaDefinition(_, name, formals, s.SchemaText() as text):
                return self.box(f"\\begin{{schema}}{{{name}}}{self.formals(formals)}", text, "schema")
            case s.AxiomaticDefinition(_, text):
                return self.box("\\begin{axdef}", text, "axdef")
            case s.GenericDefinition(_, formals, text):
                return self.box(f"\\begin{{gendef}}{self.formals(formals)}", text, "gendef")
            case s.Attribute(_, kind, names):
                shown = ("\\limg\\rimg" if each.base == s.IMAGE else each.text for each in names)
                return f"%%{kind} {' '.join(shown)}"
        return f"\\begin{{zed}}\n  {self.display(tree)}\n\\end{{zed}}"

    def box(self, opening: str, text: s.SchemaText, kind: str) -> str:
        lines = [opening, _lines(map(self.declaration, text.declarations))]
        if text.predicates:
            lines += ["\\where", _lines(map(self.predicate, text.predicates))]
        return "\n".join([*lines, f"\\end{{{kind}}}"])

    def display(self, tree: s.Paragraph) -> str:
        match tree:
            case s.GivenSets(_, names):
                return f"[{', '.join(map(self.name, names))}]"
            case s.FreeType(_, name, branches):
                return f"{name.text} ::= {' | '.join(map(self.branch, branches))}"
            case s.Abbreviation(_, name, formals, value):
                return f"{self.left_side(name, formals)} == {self.expression(value)}"
            case s.SchemaDefinition(_, title, formals, body):
                return f"{title}{self.formals(formals)} \\defs {self.schema(body)}"
            case s.Constraint(_, predicate):
                return self.predicate(predicate)
            case s.Conjecture(_, s.SchemaText(_, (), ()), predicate):
                return f"\\vdash? {self.predicate(predicate)}"
            case s.Conjecture(_, schema, predicate):
                return f"{self.schema(schema)} \\vdash {self.predicate(predicate)}"
        raise AssertionError(f"no paragraph: {tree}")

    def branch(self, branch: s.Branch) -> str:
        if branch.domain is None:
            return branch.name.text
        return f"{self.variable(branch.name)} \\ldata {self.expression(branch.domain)} \\rdata"

    def left_side(self, name: s.Identifier, formals: Sequence[s.Identifier]) -> str:
        operator = self.operators.get(name.base)
        match None if operator is None else operator.kind, len(formals):
            case "generic", 2:
                return f"{formals[0].text}{self.sign(name)}{formals[1].text}"
            case "prefix generic", 1:
                return f"{self.sign(name).lstrip()}{formals[0].text}"
        return self.variable(name) + self.formals(formals)

    def formals(self, formals: Sequence[s.Identifier]) -> str:
        return f"[{', '.join(each.text for each in formals)}]" if formals else ""


def _lines(parts: Iterable[str]) -> str:
    """The end of a line beside a minus means nothing, so a semicolon has to separate there."""
    text = ""
    for part in parts:
        separator = " ;" if part.startswith("-") else " \\\\"
        text += f"{separator}\n  {part}" if text else f"  {part}"
    return text


def _sides(operator: str, level: int) -> tuple[int, int]:
    """How tightly the operands of a connective have to bind: all lean to the left, but `\\implies`."""
    return (level + 1, level) if operator == "implies" else (level, level + 1)


def _directives(operators: Mapping[str, Operator]) -> Iterable[str]:
    for name, operator in operators.items():
        if operator == marks.TOOLKIT.get(name):
            continue
        if operator.kind in ("infix", "minus"):
            level, rest = divmod(operator.priority, marks.PRIORITY_STEP)
            template = f"\\begin{{zed}} \\function {operator.priority} (\\_ {name} \\_) \\end{{zed}}"
            yield template if rest else f"%%inop {name} {level}"
        else:
            yield f"%%{WORDS[operator.kind]} {name}"


WORDS = {
    "postfix": "postop", "relation": "inrel", "prefix relation": "prerel", "generic": "ingen",
    "prefix generic": "pregen", "ignored": "ignore",
}  # fmt: skip
