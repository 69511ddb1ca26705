"""B's substitutions. In: tokens, definitions. Out: trees of `syntax.substitutions`."""

from __future__ import annotations

from burnside.diagnostics import InputError
from burnside.languages.b.parse.atoms import FormulaParser
from burnside.languages.b.parse.expansion import Macro, check_usable, expanded, expanded_substitution
from burnside.languages.b.parse.expressions import IN_BRACKETS, count_of
from burnside.languages.b.syntax import expressions as s
from burnside.languages.b.syntax import substitutions as u
from burnside.languages.shared.lexer import Token

BEHIND_TARGET = frozenset((",", ":=", "::", ":", "<--", "(", "'"))


class SubstitutionParser(FormulaParser):
    def substitution(self) -> u.Substitution:
        """With `;`: where it does not separate operations."""
        start, parts = self.token.offset, [self.parallel()]
        while self.is_symbol(";"):
            semicolon = self.advance()
            if self.token.kind == "end" or self.token.text in (
                "END",
                "ELSE",
                "ELSIF",
                "WHEN",
                "OR",
                "INVARIANT",
            ):
                hint = "a ';' stands between substitutions, not after them"
                raise self.error(f"no substitution between ';' and {self.token}", semicolon, hint)
            parts.append(self.parallel())
        return parts[0] if len(parts) == 1 else u.Sequence(self.extent(start), tuple(parts))

    def parallel(self) -> u.Substitution:
        start, parts = self.token.offset, [self.single()]
        while self.accept("||"):
            parts.append(self.single())
        return parts[0] if len(parts) == 1 else u.Parallel(self.extent(start), tuple(parts))

    def single(self) -> u.Substitution:
        token = self.token
        if token.kind == "name":
            return self.from_name(token)
        if token.kind != "keyword":
            raise self.expected("a substitution")
        if self.accept_keyword("skip"):
            return u.Skip(self.extent(token.offset))
        self.enter(2)
        found = self.block(token)
        self.leave(2)
        return found

    def block(self, token: Token) -> u.Substitution:
        match token.text:
            case "BEGIN":
                self.advance()
                body = self.substitution()
                self.expect_keyword("END")
                return body
            case "PRE" | "ASSERT":
                return self.conditioned(token)
            case "IF" | "SELECT":
                return self.branching(token)
            case "CASE":
                return self.case(token)
            case "CHOICE":
                return self.choice(token)
            case "ANY":
                return self.any(token)
            case "LET":
                return self.let_block(token)
            case "VAR":
                return self.var(token)
            case "WHILE":
                return self.loop(token)
        raise self.expected("a substitution")

    # Blocks

    def conditioned(self, token: Token) -> u.Substitution:
        self.advance()
        condition = self.predicate()
        body = self.then_body()
        self.expect_keyword("END")
        kind = u.Precondition if token.text == "PRE" else u.Assertion
        return kind(self.extent(token.offset), condition, body)

    def then_body(self) -> u.Substitution:
        self.expect_keyword("THEN")
        return self.substitution()

    def branching(self, token: Token) -> u.Substitution:
        """`IF` with `ELSIF`, or `SELECT` with `WHEN`."""
        word = "ELSIF" if token.text == "IF" else "WHEN"
        branches: list[u.Branch] = []
        while not branches or self.is_keyword(word):
            start = self.advance()
            condition = self.predicate()
            body = self.then_body()
            branches.append(u.Branch(self.extent(start.offset), condition, body))
        otherwise = self.substitution() if self.accept_keyword("ELSE") else None
        self.expect_keyword(*(("END",) if otherwise else (word, "ELSE", "END")))
        kind = u.If if token.text == "IF" else u.Select
        return kind(self.extent(token.offset), tuple(branches), otherwise)

    def case(self, token: Token) -> u.Substitution:
        self.advance()
        subject = self.expression(IN_BRACKETS)
        self.expect_keyword("OF")
        if not self.is_keyword("EITHER"):
            raise self.expected("'EITHER'")
        branches: list[u.CaseBranch] = []
        while not branches or self.is_keyword("OR"):
            start = self.advance()
            values = self.expressions()
            body = self.then_body()
            branches.append(u.CaseBranch(self.extent(start.offset), values, body))
        otherwise = self.substitution() if self.accept_keyword("ELSE") else None
        self.expect_keyword(*(("END",) if otherwise else ("OR", "ELSE", "END")))
        self.expect_keyword("END")
        return u.Case(self.extent(token.offset), subject, tuple(branches), otherwise)

    def choice(self, token: Token) -> u.Substitution:
        self.advance()
        parts = [self.substitution()]
        while self.accept_keyword("OR"):
            parts.append(self.substitution())
        self.expect_keyword("END", "OR")
        return u.Choice(self.extent(token.offset), tuple(parts))

    def any(self, token: Token) -> u.Substitution:
        self.advance()
        names = self.identifiers("a name")
        self.expect_keyword("WHERE")
        self.bind(names)
        condition = self.predicate()
        body = self.then_body()
        self.release(names)
        self.expect_keyword("END")
        return u.Any(self.extent(token.offset), names, condition, body)

    def let_block(self, token: Token) -> u.Substitution:
        self.advance()
        bindings = self.bindings()
        names = tuple(each.name for each in bindings)
        self.bind(names)
        body = self.substitution()
        self.release(names)
        self.expect_keyword("END")
        return u.LetBlock(self.extent(token.offset), bindings, body)

    def var(self, token: Token) -> u.Substitution:
        self.advance()
        names = self.identifiers("a name")
        self.expect_keyword("IN")
        self.bind(names)
        body = self.substitution()
        self.release(names)
        self.expect_keyword("END")
        return u.Var(self.extent(token.offset), names, body)

    def loop(self, token: Token) -> u.Substitution:
        self.advance()
        test = self.predicate()
        self.expect_keyword("DO")
        body = self.substitution()
        if self.accept_keyword("VARIANT"):
            # Atelier B has the variant last, the B-Book's order is the other one: both are read.
            variant = self.expression(IN_BRACKETS)
            self.expect_keyword("INVARIANT")
            invariant = self.predicate()
        else:
            self.expect_keyword("INVARIANT", "VARIANT")
            invariant = self.predicate()
            self.expect_keyword("VARIANT")
            variant = self.expression(IN_BRACKETS)
        self.expect_keyword("END")
        return u.While(self.extent(token.offset), test, body, invariant, variant)

    # What begins with a name: assignments, and calls of operations

    def from_name(self, token: Token) -> u.Substitution:
        macro = None if token.text in self.shadowed else self.macros.table.get(token.text)
        if macro is not None:
            return self.from_definition(macro, token)
        name = self.dotted("a name")
        arguments: tuple[s.Expression, ...] = ()
        base: s.Expression = s.Name(name.at, name.text, False)
        if self.is_symbol("("):
            base, arguments = self.applied(base, token.offset)
        if not self.is_one_of(BEHIND_TARGET):
            return u.OperationCall(self.extent(token.offset), (), name, arguments)
        return self.assigned(self.postfix(base, token.offset), token)

    def applied(self, base: s.Expression, start: int) -> tuple[s.Expression, tuple[s.Expression, ...]]:
        """A name with arguments: applied to a pair of them if it is a function, to all of them if it is an operation."""
        self.advance()
        self.enter()
        behind = self.token.offset
        arguments = self.expressions()
        argument = self.paired(arguments, behind)
        self.leave()
        self.close(")")
        self.height += 1
        return s.Application(self.extent(start), base, argument), arguments

    def from_definition(self, macro: Macro, token: Token) -> u.Substitution:
        at, arguments = self.call_of(macro)
        check_usable(macro, at)
        is_target = macro.expression is not None and self.is_one_of(BEHIND_TARGET)
        if macro.substitution is not None and not is_target:
            return expanded_substitution(macro, at, arguments, self.macros)
        if not is_target:
            message = f"the definition '{token.text}' is no substitution"
            raise InputError(at.diagnostic(message))
        base = expanded(macro, at, arguments, self.macros)
        return self.assigned(self.postfix(base, token.offset), token)

    def assigned(self, first: s.Expression, token: Token) -> u.Substitution:
        start = token.offset
        targets = [self.target(first, start)]
        while self.accept(","):
            behind = self.token.offset
            if self.token.kind != "name":
                raise self.expected("a variable")
            targets.append(self.target(self.postfix(self.named(), behind), behind))
        found = tuple(targets)
        if self.accept(":="):
            return self.assignment(found, start)
        if self.accept("::"):
            set_ = self.expression()
            return u.BecomesElement(self.extent(start), found, set_)
        if self.accept(":"):
            condition = self.predicate_in_brackets()
            return u.BecomesSuch(self.extent(start), found, condition)
        if self.accept("<--"):
            return self.call_with_results(found, start)
        raise self.expected("':=', '::', ':(' or '<--'")

    def assignment(self, targets: tuple[s.Expression, ...], start: int) -> u.Substitution:
        values = self.expressions()
        at = self.extent(start)
        if len(values) != len(targets):
            message = f"{count_of(len(targets), 'variable')} cannot become {count_of(len(values), 'value')}"
            raise InputError(at.diagnostic(message))
        return u.Assign(at, targets, values)

    def call_with_results(self, results: tuple[s.Expression, ...], start: int) -> u.Substitution:
        name = self.dotted("the name of an operation")
        arguments: tuple[s.Expression, ...] = ()
        if self.accept("("):
            self.enter()
            arguments = self.expressions()
            self.leave()
            self.close(")")
        return u.OperationCall(self.extent(start), results, name, arguments)

    def target(self, tree: s.Expression, start: int) -> s.Expression:
        base = tree
        while isinstance(base, s.Application | s.Field):
            base = base.function if isinstance(base, s.Application) else base.base
        if not isinstance(base, s.Name) or base.before:
            raise InputError(
                self.extent(start).diagnostic("this is no variable: nothing can be assigned to it")
            )
        return tree
