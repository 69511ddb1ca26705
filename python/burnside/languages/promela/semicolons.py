"""Words and implied semicolons: from the tokens of the preprocessor to those of the parser.

In: tokens with ends of lines. Out: tokens whose names are told from keywords, without ends of lines. Since Spin 6.4 the
end of a line is a semicolon inside a body or a typedef, outside of parentheses, behind a token that can end a statement;
not behind a brace if `unless` follows.
"""

from __future__ import annotations

from collections.abc import Sequence

from burnside.languages.shared.lexer import Token

KEYWORDS = frozenset((
    "active", "assert", "atomic", "bit", "bool", "break", "byte", "c_code", "c_decl", "c_expr", "c_state",
    "c_track", "D_proctype", "do", "chan", "else", "empty", "enabled", "eval", "false", "fi", "for", "full",
    "get_priority", "goto", "hidden", "if", "init", "inline", "int", "len", "local", "ltl", "mtype",
    "nempty", "never", "nfull", "notrace", "np_", "od", "of", "pc_value", "pid", "printf", "printm",
    "priority", "proctype", "provided", "return", "run", "d_step", "select", "set_priority", "short", "skip",
    "timeout", "trace", "true", "show", "typedef", "unless", "unsigned", "xr", "xs",
))  # fmt: skip
"""`in` is one only within `for (...)`; operators of formulas are words only within `ltl`."""

BODIES = frozenset(("proctype", "D_proctype", "init", "never", "trace", "notrace", "typedef", "inline"))
ENDING_SYMBOLS = frozenset(("}", ")", "]", "++", "--"))
ENDING_KEYWORDS = frozenset(("od", "fi", "else", "break", "true", "false", "skip", "timeout"))


def with_semicolons(tokens: Sequence[Token]) -> list[Token]:
    """The last is of kind `end`."""
    result: list[Token] = []
    depth = parentheses = 0
    body_comes = in_body = new_line = False
    for token in tokens:
        if token.kind in ("newline", "comment"):
            new_line = True
            continue
        if token.kind == "name" and token.text in KEYWORDS:
            token = token._replace(kind="keyword")
        if new_line and in_body and parentheses == 0 and result and _ends_statement(result[-1], token):
            before = result[-1]
            result.append(Token("symbol", ";", before.offset, before.length, before.source))
        new_line = False
        if token.kind == "keyword" and depth == parentheses == 0:
            body_comes = token.text in BODIES or (body_comes and token.text in ("provided", "priority"))
        elif token.kind == "symbol":
            if token.text == "{":
                in_body = in_body or (depth == 0 and body_comes)
                depth += 1
            elif token.text == "}":
                depth = max(0, depth - 1)
                if depth == 0:
                    in_body = body_comes = False
                    parentheses = 0
            elif token.text == "(":
                parentheses += 1
            elif token.text == ")":
                parentheses = max(0, parentheses - 1)
        result.append(token)
    last = tokens[-1]
    result.append(Token("end", "the end of the model", last.offset, 1, last.source))
    return result


def _ends_statement(last: Token, following: Token) -> bool:
    match last.kind:
        case "symbol":
            if last.text == "}" and following.text.startswith("u"):
                return False
            return last.text in ENDING_SYMBOLS
        case "keyword":
            return last.text in ENDING_KEYWORDS
    return last.kind in ("name", "number")
