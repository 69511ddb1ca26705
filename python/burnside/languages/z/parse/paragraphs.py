"""Z's paragraphs. In: tokens. Out: a specification.

Which names are schemas is known from the text above: a box or `\\defs` makes its name one, and so does a name by itself
among the declarations of a box.
"""

from __future__ import annotations

from bisect import bisect_left

from burnside.diagnostics import InputError, Source, UnsupportedError
from burnside.languages.shared.cursor import MAX_DEPTH
from burnside.languages.z import syntax as s
from burnside.languages.z.parse.cursor import GREEK
from burnside.languages.z.parse.depth import check_height
from burnside.languages.z.parse.predicates import PredicateParser
from burnside.languages.z.parse.scanner import Scanner

LEFT_SIDE = frozenset(("[", "]", ",", "(", ")", "\\_", "\\limg", "\\rimg", "\\inrel", "{", "}", *GREEK))
"""Symbols on the left side of definitions."""
SCHEMA_STARTS = frozenset(("[", "\\lnot", "\\pre", "\\forall", "\\exists", "\\exists_1"))


class ParagraphParser(PredicateParser):
    def __init__(self, source: Source, scanner: Scanner, schemas: set[str], standard: bool = False) -> None:
        super().__init__(source, scanner, schemas, standard)
        self.conjectures = [at for at, token in enumerate(self.tokens) if token.text == "\\vdash"]
        self.ends = [at for at, token in enumerate(self.tokens) if token.kind in ("close", "end", "wrong")]

    def specification(self) -> s.Specification:
        found: list[s.Paragraph] = []
        while self.token.kind != "end":
            if self.token.kind == "directive":
                found.append(self.attribute())
                continue
            if self.token.kind != "begin":
                raise self.expected("the start of a box")
            box = self.token.text
            if box == "zed" or box == "syntax":
                self.display_box(found)
                continue
            at = self.at
            found.append(self.box())
            self.check_paragraph(found[-1], at)
        return s.Specification(tuple(found))

    def box(self) -> s.Paragraph:
        if self.token.text == "schema":
            return self.schema_box()
        start = self.advance()
        if start.text == "axdef":
            text = self.box_text("axdef")
            return s.AxiomaticDefinition(self.extent(start.offset), text)
        formals = self.formals()
        text = self.box_text("gendef")
        return s.GenericDefinition(self.extent(start.offset), formals, text)

    def check_paragraph(self, tree: s.Paragraph, at: int) -> None:
        """`at`: the index of its first token. No tree has more levels than tokens."""
        if self.at - at > MAX_DEPTH:
            check_height(tree, self.depth_hint)

    def attribute(self) -> s.Attribute:
        directive = self.advance()
        names = []
        while self.token.kind != "directive":
            token = self.advance()
            names.append(s.Identifier(self.extent_of(token), token.text))
        at = self.extent(directive.offset)
        self.advance()
        return s.Attribute(at, "type" if directive.text == "type" else "tame", tuple(names))

    # Boxes

    def end_of_box(self, box: str) -> None:
        if self.token.kind == "close" and self.token.text != box:
            raise self.error(
                f"'\\end{{{self.token.text}}}' ends a box that began with '\\begin{{{box}}}'", self.token
            )
        if self.token.kind != "close":
            raise self.expected(f"'\\end{{{box}}}'")
        self.advance()

    def separator(self) -> bool:
        """Skip `;` or the end of a line, if one of them is next."""
        if self.token.kind == "newline" or self.is_symbol(";"):
            self.advance()
            return True
        return False

    def schema_box(self) -> s.SchemaDefinition:
        start = self.advance().offset
        self.expect("{")
        name = self.schema_name()
        formals: tuple[s.Identifier, ...] = ()
        if self.is_symbol("["):
            formals = self.formals()
        self.expect("}")
        formals = formals or self.formals()
        self.schemas.add(name)
        text = self.box_text("schema")
        return s.SchemaDefinition(self.extent(start), name, formals, text)

    def box_text(self, box: str) -> s.SchemaText:
        """Declarations, and predicates behind `\\where`."""
        start = self.token.offset
        declarations = [self.easy_declaration()]
        while self.separator():
            declarations.append(self.easy_declaration())
        predicates = []
        if self.accept("\\where"):
            predicates.append(self.predicate())
            while self.separator():
                predicates.append(self.predicate())
        elif self.token.kind != "close":
            raise self.expected(f"';', the end of the line ('\\\\'), '\\where' or '\\end{{{box}}}'")
        at = self.extent(start)
        self.end_of_box(box)
        return s.SchemaText(at, tuple(declarations), tuple(predicates))

    def easy_declaration(self) -> s.Declaration | s.Inclusion:
        """A name that stands by itself is a schema, even if nothing has been said of it yet."""
        if self.at_word():
            ahead = 2 if self.peek().kind == "decoration" else 1
            after = self.peek(ahead)
            if after.kind in ("newline", "close") or (
                after.kind == "symbol" and after.text in (";", "[", "\\where")
            ):
                self.schemas.add(self.token.text)
        return self.declaration()

    def formals(self) -> tuple[s.Identifier, ...]:
        """`[X, Y]`, or nothing."""
        if not self.accept("["):
            return ()
        found = [self.name("a generic parameter")]
        while self.accept(","):
            found.append(self.name("a generic parameter"))
        self.expect("]")
        return tuple(found)

    # Paragraphs of a display

    def display_box(self, found: list[s.Paragraph]) -> None:
        box = self.advance().text
        while True:
            at = self.at
            if self.token.kind == "template":
                self.advance()
            else:
                found.append(self.paragraph())
                self.check_paragraph(found[-1], at)
            if not self.separator():
                break
        self.end_of_box(box)

    def paragraph(self) -> s.Paragraph:
        start = self.token.offset
        if self.conjectures and (conjecture := self.conjecture()) is not None:
            return conjecture
        if self.is_symbol("["):
            return self.given_sets()
        sign = self.definition_sign()
        if sign == "\\defs":
            name = self.schema_name()
            if self.token.kind == "decoration":
                raise self.error("the name of a schema has no decoration where it is defined", self.token)
            formals = self.formals()
            self.expect("\\defs")
            self.schemas.add(name)
            body = self.schema_expression()
            return s.SchemaDefinition(self.extent(start), name, formals, body)
        if sign == "::=":
            return self.free_type()
        if sign == "==":
            return self.abbreviation()
        predicate = self.predicate()
        return s.Constraint(self.extent(start), predicate)

    def definition_sign(self) -> str:
        """Which sign follows what may be the left side of a definition, or nothing."""
        at, tokens = self.at, self.tokens
        while tokens[at].kind not in ("newline", "close", "end", "wrong", "begin", "number"):
            token = tokens[at]
            if token.kind == "symbol":
                if token.text in ("\\defs", "==", "::="):
                    return token.text
                if token.text not in LEFT_SIDE:
                    return ""
            at += 1
        return ""

    def given_sets(self) -> s.GivenSets:
        start = self.advance().offset
        names = self.declared_names()
        if self.is_symbol(":"):
            hint = "a schema in brackets is no paragraph: give it a name, S \\defs [...]"
            raise self.expected("']'", hint)
        self.close("]", start)
        return s.GivenSets(self.extent(start), names)

    def free_type(self) -> s.FreeType:
        start = self.token.offset
        name = self.name("the name of a free type")
        self.expect("::=")
        branches = [self.branch()]
        while self.accept("|"):
            branches.append(self.branch())
        return s.FreeType(self.extent(start), name, tuple(branches))

    def branch(self) -> s.Branch:
        start = self.token.offset
        name = self.variable_name()
        domain = None
        if self.is_symbol("\\ldata"):
            opening = self.advance().offset
            domain = self.expression()
            self.close("\\rdata", opening)
        return s.Branch(self.extent(start), name, domain)

    def abbreviation(self) -> s.Abbreviation | s.SchemaDefinition:
        start = self.token.offset
        formals: tuple[s.Identifier, ...]
        if self.token.kind == "prefix generic":
            name = self.operator()
            formals = (self.name("a generic parameter"),)
        elif self.is_symbol("("):
            self.advance()
            name = self.operator_name()
            self.expect(")")
            formals = self.formals()
        else:
            name = self.name("a name")
            if self.token.kind == "generic":
                left = name
                name = self.operator()
                formals = (left, self.name("a generic parameter"))
            else:
                formals = self.formals()
        self.expect("==")
        if not name.decoration and self.operators.get(name.base) is None and name.base != s.UNARY_MINUS:
            body = self.defined_schema()
            if body is not None:
                self.schemas.add(name.base)
                return s.SchemaDefinition(self.extent(start), name.base, formals, body)
        value = self.expression()
        return s.Abbreviation(self.extent(start), name, formals, value)

    def defined_schema(self) -> s.SchemaExpression | None:
        """The right side of `==`, if it is a schema: Standard Z has no other sign to define one. The name of a schema by
        itself is the set of its bindings, except there."""
        at = self.at
        while self.tokens[at][:2] == ("symbol", "("):
            at += 1
        token = self.tokens[at]
        if token.kind == "symbol" and token.text in SCHEMA_STARTS:
            return self.schema_expression()
        if token.text not in (self.schemas if token.kind == "word" else GREEK):
            return None
        at, depth = self.at, self.depth
        tree = self.attempted()
        complete = self.token.kind in ("newline", "close") or self.is_symbol(";")
        if tree is None or not complete or (isinstance(tree, s.SchemaReference) and not self.standard):
            self.restore(at, depth)
            return None
        return tree

    # Conjectures

    def conjecture(self) -> s.Conjecture | None:
        """`S \\vdash P`, or `\\vdash? P` in Standard Z. It is found by its sign, since it begins as a predicate does."""
        start, depth, at = self.token, self.depth, self.at
        schema: s.SchemaExpression | None
        if self.is_symbol("\\vdash"):
            schema = s.SchemaText(self.extent_of(start), (), ())
        else:
            following = bisect_left(self.conjectures, at)
            if following == len(self.conjectures) or self.box_end() < self.conjectures[following]:
                return None
            schema = self.attempted()
            if schema is None or not self.is_symbol("\\vdash"):
                self.restore(at, depth)
                return None
        self.advance()
        if self.token[:2] == ("decoration", "?"):
            self.advance()
        predicate = self.predicate()
        return s.Conjecture(self.extent(start.offset), schema, predicate)

    def box_end(self) -> int:
        return self.ends[bisect_left(self.ends, self.at)]

    def attempted(self) -> s.SchemaExpression | None:
        """What follows, if it begins with a schema expression."""
        try:
            return self.schema_expression()
        except (InputError, UnsupportedError):
            return None

    def restore(self, at: int, depth: int) -> None:
        self.jump(at)
        self.depth = depth
