"""Macros of the preprocessor: definitions, and the expansion of token lists.

As in C: a macro is not expanded inside its own expansion; arguments are expanded before they are put in, but for `#` and
`##`. Tokens of a macro's body get the place of its use; those of arguments keep theirs. All work is counted: what expands
to more than `MAX_TOKENS` tokens is refused where it is used.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from burnside.diagnostics import InputError, Source
from burnside.languages.promela.sizes import Sizes
from burnside.languages.promela.tokens import tokens_of
from burnside.languages.shared.lexer import Token
from burnside.languages.shared.spans import Extent
from burnside.records import record

MAX_TOKENS = 200_000
MAX_NESTED_CALLS = 60
"""Calls of macros within arguments of calls."""


def place(token: Token) -> Extent:
    assert token.source is not None, "tokens of the preprocessor know their files"
    return Extent(token.source, token.offset, token.length)


def refused(message: str, token: Token, hint: str | None = None) -> InputError:
    return InputError(place(token).diagnostic(message, hint))


@record(eq=False, repr=False)
class Macro:
    name: str
    parameters: tuple[str, ...] | None
    """None: it is used without parentheses."""
    takes_rest: bool
    """The last parameter takes all further arguments (`...`)."""
    body: tuple[Token, ...]


class Piece(NamedTuple):
    """A token, and the macros that must not be expanded in it again."""

    token: Token
    hidden: frozenset[str] = frozenset()


class MacroTable:
    def __init__(self, sizes: Sizes | None = None, macros: Mapping[str, Macro] | None = None) -> None:
        self.sizes = sizes or Sizes()
        self.macros: dict[str, Macro] = dict(macros or {})
        self.budget = MAX_TOKENS

    def define(self, line: Sequence[Token], directive: Token) -> None:
        """`line` is what stands behind `#define`, with the blanks that matter known by offsets."""
        if not line or line[0].kind != "name":
            raise refused("a macro needs a name", line[0] if line else directive)
        name, rest = line[0], line[1:]
        if name.text == "defined":
            raise refused("'defined' cannot be a macro", name)
        parameters: tuple[str, ...] | None = None
        takes_rest = False
        if rest and rest[0].text == "(" and rest[0].offset == name.end:
            parameters, takes_rest, rest = self._parameters(rest[0], rest[1:])
        else:
            rest = self.sizes.body(name.text, rest)
        self.macros[name.text] = Macro(name.text, parameters, takes_rest, tuple(rest))

    def _parameters(
        self, opening: Token, line: Sequence[Token]
    ) -> tuple[tuple[str, ...], bool, Sequence[Token]]:
        names: list[str] = []
        at, takes_rest, wants_name = 0, False, True
        while at < len(line) and line[at].text != ")":
            token = line[at]
            if wants_name and token.text == "...":
                names.append("__VA_ARGS__")
                takes_rest = True
            elif wants_name and token.kind == "name" and token.text not in names:
                names.append(token.text)
            elif wants_name or takes_rest or token.text != ",":
                raise refused(f"expected the name of another parameter, found {token}", token)
            wants_name = not wants_name
            at += 1
        if at == len(line) or (names and wants_name):
            raise refused("the parameters of this macro are not closed", opening)
        return tuple(names), takes_rest, line[at + 1 :]

    def spend(self, tokens: int, at: Token) -> None:
        self.budget -= tokens
        if self.budget < 0:
            hint = "does a macro use another one twice, again and again?"
            raise refused(
                f"macros and files of this model expand to more than {MAX_TOKENS:,} tokens", at, hint
            )

    def expanded(self, tokens: Iterable[Token]) -> list[Token]:
        return [piece.token for piece in self._expanded(deque(map(Piece, tokens)), 0)]

    def _expanded(self, pending: deque[Piece], depth: int) -> list[Piece]:
        done: list[Piece] = []
        while pending:
            piece = pending.popleft()
            token = piece.token
            self.spend(1, token)
            macro = self.macros.get(token.text) if token.kind == "name" else None
            if macro is None or token.text in piece.hidden:
                done.append(piece)
                continue
            hidden = piece.hidden | {token.text}
            if macro.parameters is None:
                pending.extendleft(reversed(self._pasted(macro, {}, token, hidden, depth)))
                continue
            call = self._arguments(pending, token, macro)
            if call is None:
                done.append(piece)
                continue
            pending.extendleft(reversed(self._pasted(macro, call, token, hidden, depth)))
        return done

    def _arguments(self, pending: deque[Piece], name: Token, macro: Macro) -> dict[str, list[Piece]] | None:
        """Taken from what is pending; None where no parenthesis follows: then it is a name like others."""
        skipped: list[Piece] = []
        while pending and pending[0].token.kind in ("newline", "comment"):
            skipped.append(pending.popleft())
        if not pending or pending[0].token.text != "(" or pending[0].token.kind != "symbol":
            pending.extendleft(reversed(skipped))
            return None
        pending.popleft()
        assert macro.parameters is not None
        arguments: list[list[Piece]] = [[]]
        nesting = 0
        while pending:
            piece = pending.popleft()
            token = piece.token
            self.spend(1, token)
            if token.kind == "symbol" and token.text == ")" and nesting == 0:
                return self._assigned(macro, arguments, name)
            if token.kind in ("newline", "comment"):
                continue
            if token.kind == "symbol" and token.text in "()":
                nesting += 1 if token.text == "(" else -1
            full = macro.takes_rest and len(arguments) == len(macro.parameters)
            if token.kind == "symbol" and token.text == "," and nesting == 0 and not full:
                arguments.append([])
            else:
                arguments[-1].append(piece)
        raise refused(f"the arguments of the macro '{macro.name}' are not closed", name)

    def _assigned(self, macro: Macro, arguments: list[list[Piece]], name: Token) -> dict[str, list[Piece]]:
        assert macro.parameters is not None
        wanted = len(macro.parameters)
        if wanted == 0 and arguments == [[]]:
            return {}
        if macro.takes_rest and len(arguments) == wanted - 1:
            arguments.append([])
        if len(arguments) != wanted:
            plural = "" if wanted == 1 else "s"
            raise refused(
                f"the macro '{macro.name}' takes {wanted} argument{plural}, not {len(arguments)}", name
            )
        return dict(zip(macro.parameters, arguments, strict=True))

    def _pasted(
        self, macro: Macro, arguments: dict[str, list[Piece]], use: Token, hidden: frozenset[str], depth: int
    ) -> list[Piece]:
        """The body with its parameters replaced, `#` and `##` done."""
        if depth > MAX_NESTED_CALLS:
            raise refused(f"calls of macros are nested more than {MAX_NESTED_CALLS} deep", use)
        expanded: dict[str, list[Piece]] = {}
        result: list[Piece] = []
        body, at = macro.body, 0
        while at < len(body):
            token = body[at]
            following = body[at + 1] if at + 1 < len(body) else None
            if (
                token.text == "#"
                and macro.parameters is not None
                and following
                and following.text in arguments
            ):
                written = " ".join(shown(piece.token) for piece in arguments[following.text])
                result.append(Piece(placed(Token("string", written, 0, 0), use)))
                at += 2
                continue
            if token.text == "##" and result and following:
                right = arguments.get(following.text) if following.kind == "name" else None
                pieces = [Piece(placed(following, use))] if right is None else list(right)
                if pieces:
                    left = result.pop()
                    result += self._joined(left, pieces[0], use)
                    result += pieces[1:]
                at += 2
                continue
            if token.kind == "name" and token.text in arguments:
                given = arguments[token.text]
                if not (following and following.text == "##"):
                    if token.text not in expanded:
                        expanded[token.text] = self._expanded(deque(given), depth + 1)
                    given = expanded[token.text]
                result += given
            else:
                result.append(Piece(placed(token, use)))
            at += 1
        self.spend(len(result), use)
        return [Piece(piece.token, piece.hidden | hidden) for piece in result]

    def _joined(self, left: Piece, right: Piece, use: Token) -> list[Piece]:
        joined = tokens_of(Source("", shown(left.token) + shown(right.token)))[:-1]
        return [Piece(placed(token, use), left.hidden & right.hidden) for token in joined]


def shown(token: Token) -> str:
    return f'"{token.text}"' if token.kind == "string" else token.text


def placed(token: Token, use: Token) -> Token:
    """A token of a macro's body at the place where the macro is used."""
    return Token(token.kind, token.text, use.offset, use.length, use.source)
