"""A whole machine. In: its source, and what files it may reach. Out: `syntax.machines.AbstractMachine`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from burnside.diagnostics import InputError, Source
from burnside.languages.b.parse.definitions import DefinitionReader, section_end
from burnside.languages.b.parse.expansion import Macros
from burnside.languages.b.parse.expressions import IN_BRACKETS
from burnside.languages.b.parse.files import Reach
from burnside.languages.b.parse.lexer import CLAUSES, HEADERS, tokenize
from burnside.languages.b.parse.substitutions import SubstitutionParser
from burnside.languages.b.syntax import expressions as s
from burnside.languages.b.syntax import machines as m
from burnside.languages.shared.lexer import Token
from burnside.languages.shared.spans import Extent, Identifier

KINDS: dict[str, m.MachineKind] = {"REFINEMENT": "refinement", "IMPLEMENTATION": "implementation"}
SPELLINGS = {
    "INITIALIZATION": "INITIALISATION",
    "EVENTS": "OPERATIONS",
    "CONCRETE_CONSTANTS": "CONSTANTS",
    "ABSTRACT_VARIABLES": "VARIABLES",
}
"""Words for the same clause."""


def parse(source: Source, reach: Reach | None = None) -> m.AbstractMachine:
    tokens = tokenize(source)
    definitions = DefinitionReader(reach or Reach(Path(source.name)))
    definitions.read(source, tokens)
    return MachineParser(source, tokens, definitions).machine()


def parse_predicate(source: Source, macros: Macros | None = None) -> s.Expression:
    """A predicate by itself, as from a command line."""
    parser = SubstitutionParser(source, tokenize(source), macros or Macros())
    return _all_of(parser, parser.predicate())


def parse_expression(source: Source, macros: Macros) -> s.Expression:
    parser = SubstitutionParser(source, tokenize(source), macros)
    return _all_of(parser, parser.expression())


def _all_of(parser: SubstitutionParser, tree: s.Expression) -> s.Expression:
    if parser.token.kind != "end":
        raise parser.expected("an operator or the end of the text")
    return tree


class MachineParser(SubstitutionParser):
    def __init__(self, source: Source, tokens: list[Token], definitions: DefinitionReader) -> None:
        super().__init__(source, tokens, definitions.macros)
        self.definitions = definitions
        self.found: dict[str, Any] = {}
        self.clauses: dict[str, Extent] = {}

    def machine(self) -> m.AbstractMachine:
        start = self.token
        if start.kind != "keyword" or start.text not in HEADERS:
            raise self.expected("'MACHINE', 'REFINEMENT' or 'IMPLEMENTATION'")
        self.advance()
        name = self.dotted("the name of the machine")
        parameters: tuple[Identifier, ...] = ()
        if self.accept("("):
            parameters = self.identifiers("the name of a parameter")
            self.close(")")
        while not self.is_keyword("END"):
            self.clause()
        self.advance()
        if self.token.kind != "end":
            raise self.expected("nothing after the machine's END")
        machine = m.AbstractMachine(
            at=self.extent(start.offset),
            source=self.source,
            kind=KINDS.get(start.text, "machine"),
            name=name,
            parameters=parameters,
            settings=self.definitions.settings(),
            macros=self.macros,
            clauses=self.clauses,
            **self.whole(),
        )
        self.check(machine, start)
        return machine

    def whole(self) -> dict[str, Any]:
        """Clauses that B splits, joined: abstract names first."""
        found = dict(self.found)
        found["constants"] = found.pop("abstract_constants", ()) + found.get("constants", ())
        found["variables"] = found.get("variables", ()) + found.pop("concrete_variables", ())
        local = found.get("local_operations", ())
        found["operations"] = local + found.get("operations", ())
        found["local_operations"] = frozenset(each.name.text for each in local)
        return found

    def check(self, machine: m.AbstractMachine, start: Token) -> None:
        if machine.kind == "machine" and machine.refines is not None:
            raise InputError(
                machine.refines.at.diagnostic(f"a {start.text} refines nothing", "a REFINEMENT does")
            )
        if machine.kind != "machine" and machine.refines is None:
            message = f"this {start.text} does not say what it REFINES"
            raise InputError(machine.name.at.diagnostic(message))
        self.once_each([each.name for each in machine.operations], "is an operation")
        declared = [*machine.parameters, *machine.constants, *machine.variables]
        for each in machine.sets:
            declared += [each.name, *(each.members or ())]
        for name in declared:
            macro = self.macros.table.get(name.text)
            if macro is not None and not macro.is_external:
                message = f"'{name.text}' is also a definition, in line {macro.name.at.span.line}"
                raise InputError(name.at.diagnostic(message, "one of them needs another name"))

    # Clauses

    def clause(self) -> None:
        token = self.token
        if token.kind != "keyword" or token.text not in CLAUSES:
            what = "an operator, a clause or 'END'" if self.clauses else "a clause or 'END'"
            raise self.expected(what, _hint(token))
        word = SPELLINGS.get(token.text, token.text)
        if word in self.clauses:
            line = self.clauses[word].span.line
            raise self.error(
                f"there is already a clause {word}, in line {line}", token, "each clause stands once"
            )
        if word == "FREETYPES":
            raise self.unsupported("FREETYPES are not supported", token)
        self.clauses[word] = self.extent_of(token)
        if word == "DEFINITIONS":
            self.jump(section_end(self.tokens, self.at))
            return
        self.advance()
        self.found[word.lower()] = _READERS[word](self)

    def names(self) -> tuple[Identifier, ...]:
        return self.identifiers("a name")

    def refined(self) -> Identifier:
        return self.dotted("the name of a machine")

    def references(self) -> tuple[m.MachineReference, ...]:
        found = [self.reference()]
        while self.accept(","):
            found.append(self.reference())
        return tuple(found)

    def reference(self) -> m.MachineReference:
        whole = self.dotted("the name of a machine")
        prefix, _, text = whole.text.rpartition(".")
        arguments: tuple[s.Expression, ...] = ()
        if self.accept("("):
            arguments = self.arguments()
        at = self.extent(whole.at.offset)
        file = self.advance().text if self.token.kind == "file" else None
        return m.MachineReference(at, prefix or None, Identifier(whole.at, text), arguments, file)

    def arguments(self) -> tuple[s.Expression, ...]:
        found = [self.expression(IN_BRACKETS)]
        while self.accept(","):
            found.append(self.expression(IN_BRACKETS))
        self.close(")")
        return tuple(found)

    def promoted(self) -> tuple[Identifier, ...]:
        found = [self.dotted("the name of an operation")]
        while self.accept(","):
            found.append(self.dotted("the name of an operation"))
        return tuple(found)

    def sets(self) -> tuple[m.SetDeclaration, ...]:
        return self.separated(self.set)

    def set(self) -> m.SetDeclaration:
        name = self.identifier("the name of a set")
        members = None
        if self.accept("="):
            self.expect("{")
            members = self.identifiers("the name of an element")
            if not self.is_symbol("}"):
                raise self.expected("',' or '}'")
            self.advance()
        return m.SetDeclaration(self.extent(name.at.offset), name, members)

    def values(self) -> tuple[m.Valuation, ...]:
        return self.separated(self.valuation)

    def valuation(self) -> m.Valuation:
        name = self.dotted("the name of a set or constant")
        self.expect("=")
        value = self.expression()
        return m.Valuation(self.extent(name.at.offset), name, value)

    def assertions(self) -> tuple[s.Expression, ...]:
        return self.separated(self.predicate)

    def operations(self) -> tuple[m.Operation, ...]:
        return self.separated(self.operation)

    def separated(self, item: Callable[[], Any]) -> tuple[Any, ...]:
        """One or more, with semicolons."""
        found = [item()]
        while self.is_symbol(";"):
            semicolon = self.advance()
            if self.is_keyword("END") or (self.token.kind == "keyword" and self.token.text in CLAUSES):
                hint = "a ';' stands between them, not after the last one"
                raise self.error(f"nothing between ';' and {self.token}", semicolon, hint)
            found.append(item())
        if not self.at_clause():
            raise self.expected("';', a clause or 'END'")
        return tuple(found)

    def at_clause(self) -> bool:
        return self.token.kind == "keyword" and (self.token.text == "END" or self.token.text in CLAUSES)

    def operation(self) -> m.Operation:
        start = self.token.offset
        results: tuple[Identifier, ...] = ()
        if self.has_results():
            results = self.identifiers("the name of a result")
            self.expect("<--")
        name = self.dotted("the name of an operation")
        parameters: tuple[Identifier, ...] = ()
        if self.accept("("):
            parameters = self.identifiers("the name of a parameter")
            self.close(")")
        refines = None
        if self.token.text == "ref" and self.token.kind == "name":
            self.advance()
            refines = self.identifier("the name of an operation")
        self.expect("=")
        self.bind(results + parameters)
        body = self.parallel()
        self.release(results + parameters)
        return m.Operation(self.extent(start), name, results, parameters, body, refines)

    def has_results(self) -> bool:
        ahead = 1
        while self.peek(ahead).text == "," and self.peek(ahead + 1).kind == "name":
            ahead += 2
        return self.peek(ahead).text == "<--"


def _hint(token: Token) -> str | None:
    """What someone may have meant who wrote this where a predicate or substitution has ended."""
    if token.kind == "symbol":
        return {
            ":=": "equality is written '='",
            "==": "equality is written '='",
            "=": "an assignment is written ':='",
            ";": "an operator ';' or '||' needs brackets around it and its operands",
        }.get(token.text)
    near = [word for word in sorted(CLAUSES) if word.startswith(token.text.upper()[:5])]
    return f"did you mean {near[0]}?" if token.kind == "name" and near else None


_READERS: dict[str, Callable[[MachineParser], Any]] = {
    "ABSTRACT_CONSTANTS": MachineParser.names,
    "CONSTANTS": MachineParser.names,
    "VARIABLES": MachineParser.names,
    "CONCRETE_VARIABLES": MachineParser.names,
    "CONSTRAINTS": MachineParser.predicate,
    "PROPERTIES": MachineParser.predicate,
    "INVARIANT": MachineParser.predicate,
    "ASSERTIONS": MachineParser.assertions,
    "INITIALISATION": MachineParser.substitution,
    "OPERATIONS": MachineParser.operations,
    "LOCAL_OPERATIONS": MachineParser.operations,
    "SETS": MachineParser.sets,
    "VALUES": MachineParser.values,
    "REFINES": MachineParser.refined,
    "SEES": MachineParser.references,
    "USES": MachineParser.references,
    "INCLUDES": MachineParser.references,
    "EXTENDS": MachineParser.references,
    "IMPORTS": MachineParser.references,
    "PROMOTES": MachineParser.promoted,
}
