"""Statements, declarations and rules. In: a source. Out: the tree of `syntax`, nothing looked up yet.

As in rumur, sections come in any order, and semicolons are needed between statements only.
"""

from __future__ import annotations

from typing import cast

from burnside.diagnostics import InputError, Source
from burnside.languages.murphi import rule_syntax as r
from burnside.languages.murphi import syntax as s
from burnside.languages.murphi.parse_expressions import ExpressionParser
from burnside.languages.shared.lexer import Token
from burnside.languages.shared.spans import Extent

CATEGORIES = ("assert", "assume", "cover", "invariant", "liveness")
STATEMENT_KEYWORDS = (
    "alias", "assert", "begin", "clear", "const", "error", "for", "if", "invariant", "put", "return", "switch", "type",
    "undefine", "var", "while", "end", "endrule",
)  # fmt: skip
"""What cannot begin a guard."""
BLOCK_ENDS = (
    "else", "elsif", "case", "end", "endalias", "endfor", "endfunction", "endif", "endprocedure", "endrule",
    "endstartstate", "endswitch", "endwhile",
)  # fmt: skip
BLOCK = 2
"""Levels of depth that a block counts for."""
SECTIONS = ("const", "type", "var")


def parse(source: Source) -> r.ModelTree:
    return Parser(source).model()


class Parser(ExpressionParser):
    def model(self) -> r.ModelTree:
        nodes: list[s.Declaration | r.Function | r.Rule] = []
        self.semicolons()
        while self.token.kind != "end":
            if self.is_keyword(*SECTIONS):
                nodes += self.section()
            elif self.is_keyword("function", "procedure"):
                nodes.append(self.function())
            else:
                nodes.append(self.rule("a declaration, a function or a rule"))
            self.semicolons()
        return r.ModelTree(tuple(nodes))

    def whole_expression(self) -> s.Expression:
        """For conditions given as options: nothing may follow."""
        result = self.expression()
        if self.token.kind != "end":
            raise self.expected("an operator or the end")
        return result

    def whole_type(self) -> s.TypeExpression:
        result = self.type()
        if self.token.kind != "end":
            raise self.expected("the end of the type")
        return result

    # Declarations

    def declarations(self) -> tuple[s.Declaration, ...]:
        found: list[s.Declaration] = []
        while self.is_keyword(*SECTIONS):
            found += self.section()
        return tuple(found)

    def section(self) -> list[s.Declaration]:
        word = self.advance().text
        found: list[s.Declaration] = []
        self.semicolons()
        while self.token.kind == "name" and self.precedes(":", ","):
            names = self.names()
            self.expect(":")
            match word:
                case "const":
                    found.append(s.ConstantDeclaration(names, self.expression()))
                case "type":
                    found.append(s.TypeDeclaration(names, self.type()))
                case _:
                    found.append(s.VariableDeclaration(names, self.type()))
            self.semicolons()
        if self.token.kind == "keyword" and self.precedes(":", ","):
            raise self.expected("a name")
        if not found and self.token.kind == "name":
            self.advance()
            raise self.expected("':'")
        return found

    def function(self) -> r.Function:
        self.advance()
        name = self.identifier("the name of a function")
        self.expect("(")
        parameters = []
        while not self.is_symbol(")"):
            parameters.append(self.parameters())
            self.semicolons()
        self.advance()
        result = self.type() if self.accept(":") else None
        self.semicolons()
        declarations = self.declarations()
        self.accept_keyword("begin")
        body = self.block()
        self.expect_keyword("end", "endfunction", "endprocedure")
        return r.Function(name, tuple(parameters), result, declarations, body)

    def parameters(self) -> r.Parameters:
        by_reference = self.accept_keyword("var")
        names = self.names()
        self.expect(":")
        return r.Parameters(names, self.type(), by_reference)

    def aliases(self) -> tuple[r.AliasDeclaration, ...]:
        found = []
        self.semicolons()
        while self.token.kind == "name":
            names = self.names()
            self.expect(":")
            found.append(r.AliasDeclaration(names, self.expression()))
            self.semicolons()
        self.expect_do()
        return tuple(found)

    # Rules

    def rule(self, what: str = "a rule") -> r.Rule:
        token = self.token
        with self.nested(BLOCK):
            if self.is_keyword("rule"):
                return self.simple_rule()
            if self.is_keyword("startstate"):
                return self.start_state()
            if self.accept_keyword("ruleset"):
                return self.ruleset(token)
            if self.accept_keyword("alias"):
                aliases = self.aliases()
                rules = self.until_end(self.rule, "end", "endalias")
                return r.AliasRule(self.extent_of(token), aliases, rules)
            if self.is_word("choose"):
                return self.choose(token)
            if self.is_keyword(*CATEGORIES) or self.is_word(*CATEGORIES):
                return self.check()
            if self.is_word("externfun", "externproc"):
                raise self.unsupported("functions written in C++ are not supported", token)
            raise self.expected(what)

    def ruleset(self, token: Token) -> r.Rule:
        binders = self.binders()
        self.expect_do()
        rules = self.until_end(self.rule, "end", "endruleset")
        return r.Ruleset(self.extent_of(token), binders, rules)

    def choose(self, token: Token) -> r.Rule:
        self.advance()
        name = self.identifier("a name")
        self.expect(":")
        binder = s.PositionBinder(name, self.designator())
        self.expect_do()
        rules = self.until_end(self.rule, "end", "endchoose")
        return r.Ruleset(self.extent_of(token), (binder,), rules)

    def simple_rule(self) -> r.Rule:
        token = self.advance()
        if self.token.kind == "number" and self.peek().kind == "string":
            raise self.unsupported("priorities of rules are not supported", self.token)
        name = self.string()
        guard = self.guard()
        declarations = self.header()
        body = self.block()
        self.expect_keyword("end", "endrule")
        return r.SimpleRule(self.extent_of(token), name, guard, declarations, body)

    def guard(self) -> s.Expression | None:
        """`test ==>`, if there is one: a call or a variable may as well begin the first statement."""
        if self.is_keyword(*STATEMENT_KEYWORDS):
            return None
        before = self.at
        try:
            test = self.expression()
            if self.is_one_of((":=", ";")) or self.is_keyword("end", "endrule"):
                self.jump(before)
                return None
            self.expect("==>")
            return test
        except InputError:
            if self.arrow_ahead(before):
                raise
            self.jump(before)
            return None

    def arrow_ahead(self, start: int) -> bool:
        for token in self.tokens[start:]:
            if token.text == "==>" and token.kind == "symbol":
                return True
            if token.kind == "keyword" and token.text in ("rule", "startstate", "ruleset", "begin"):
                return False
        return False

    def start_state(self) -> r.Rule:
        token = self.advance()
        name = self.string()
        declarations = self.header()
        body = self.block()
        self.expect_keyword("end", "endstartstate")
        return r.StartState(self.extent_of(token), name, declarations, body)

    def header(self) -> tuple[s.Declaration, ...]:
        declarations = self.declarations()
        if declarations:
            self.expect_keyword("begin")
        else:
            self.accept_keyword("begin")
        return declarations

    def check(self) -> r.Check:
        token = self.advance()
        category = cast(r.Category, token.text.lower())
        message = self.string()
        test = self.expression()
        if message is None:
            message = self.string()
        return r.Check(self.extent_of(token), category, message, test)

    # Statements

    def block(self) -> r.Block:
        found = []
        self.semicolons()
        while not self.at_end(*BLOCK_ENDS):
            found.append(self.statement())
            if not self.semicolons() and not self.at_end(*BLOCK_ENDS):
                raise self.expected("';'")
        return tuple(found)

    def statement(self) -> r.Statement:
        with self.nested(BLOCK):
            token = self.token
            if token.kind == "keyword":
                return self.keyword_statement(token, self.extent_of(token))
            if token.kind == "name":
                return self.named_statement(token)
            raise self.expected("a statement")

    def keyword_statement(self, token: Token, at: Extent) -> r.Statement:
        if token.text in CATEGORIES:
            return self.check()
        self.advance()
        match token.text:
            case "if":
                return self.if_statement(at)
            case "switch":
                return self.switch(at)
            case "for":
                binders = self.binders()
                self.expect_do()
                body = self.block()
                self.expect_keyword("end", "endfor")
                return r.For(at, binders, body)
            case "while":
                test = self.expression()
                self.expect_do()
                body = self.block()
                self.expect_keyword("end", "endwhile")
                return r.While(at, test, body)
            case "alias":
                aliases = self.aliases()
                body = self.block()
                self.expect_keyword("end", "endalias")
                return r.Alias(at, aliases, body)
            case "clear":
                return r.Clear(at, self.designator())
            case "undefine":
                return r.Undefine(at, self.designator())
            case "error":
                message = self.string()
                if message is None:
                    raise self.expected("a string")
                return r.Error(at, message)
            case "put":
                return r.Put(at, None if self.string() is not None else self.expression())
            case "return":
                ends = self.is_symbol(";") or self.at_end(*BLOCK_ENDS)
                return r.Return(at, None if ends else self.expression())
        self.jump(self.at - 1)
        raise self.expected("a statement")

    def named_statement(self, token: Token) -> r.Statement:
        word = token.text.lower()
        if word in CATEGORIES and not self.precedes(":=", ".", "["):
            return self.check()
        if self.precedes("("):
            return self.call_statement(token, word)
        target = self.designator()
        if not self.accept(":="):
            raise self.expected("':='")
        value = self.expression()
        return r.Assignment(self.extent(token.offset), target, value)

    def call_statement(self, token: Token, word: str) -> r.Statement:
        if word == "multisetremovepred":
            self.advance()
            name, bag, test = self.over_bag()
            return r.MultisetRemoveWhere(self.extent(token.offset), name, bag, test)
        call = self.call()
        if word in ("multisetadd", "multisetremove"):
            if len(call.arguments) != 2:
                raise self.error(f"{token.text} takes two arguments", token)
            first, second = call.arguments
            kind = r.MultisetAdd if word == "multisetadd" else r.MultisetRemove
            return kind(call.at, first, second)
        return r.CallStatement(call.at, call)

    def if_statement(self, at: Extent) -> r.Statement:
        clauses = [self.clause()]
        while self.accept_keyword("elsif"):
            clauses.append(self.clause())
        otherwise = self.block() if self.accept_keyword("else") else ()
        self.expect_keyword("end", "endif")
        return r.If(at, tuple(clauses), otherwise)

    def clause(self) -> r.Clause:
        test = self.expression()
        self.expect_keyword("then")
        return r.Clause(test, self.block())

    def switch(self, at: Extent) -> r.Statement:
        value = self.expression()
        cases = []
        while self.accept_keyword("case"):
            values = [self.expression()]
            while self.accept(",") and not self.is_symbol(":"):
                values.append(self.expression())
            self.expect(":")
            cases.append(r.Case(tuple(values), self.block()))
        otherwise = self.block() if self.accept_keyword("else") else ()
        self.expect_keyword("end", "endswitch")
        return r.Switch(at, value, tuple(cases), otherwise)
