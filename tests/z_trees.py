"""Trees of Z shown with all brackets, so that tests can say how a text was read."""

from __future__ import annotations

from typing import Any

from burnside.diagnostics import Source
from burnside.languages.z import syntax as s
from burnside.languages.z.parse import parse
from burnside.records import field_names

SCHEMAS = r"""
\begin{schema}{S} x, y : \nat \end{schema}
\begin{schema}{T} x, z : \nat \end{schema}
\begin{schema}{G}[X] inside : X \end{schema}
"""


def paragraphs(text: str, before: str = SCHEMAS) -> list[str]:
    """Those of a text, without the ones before it."""
    count = len(parse(Source("f.tex", before)).paragraphs) if "\\begin" in before else 0
    return [show(each) for each in parse(Source("f.tex", before + text)).paragraphs[count:]]


def paragraph(text: str, before: str = SCHEMAS) -> str:
    (found,) = paragraphs(f"\\begin{{zed}} {text} \\end{{zed}}", before)
    return found


def predicate(text: str, before: str = SCHEMAS) -> str:
    return paragraph(text, before).removeprefix("(Constraint ").removesuffix(")")


def expression(text: str, before: str = SCHEMAS) -> str:
    """Of an expression, which stands on the right of an equation."""
    return predicate(f"left = {text}", before).removeprefix("(= left ").removesuffix(")")


def schema(text: str, before: str = SCHEMAS) -> str:
    return paragraph(f"New \\defs {text}", before).removeprefix("(SchemaDefinition New [] ").removesuffix(")")


def show(tree: Any) -> str:
    """`(Name field field)`; names, numbers and the commonest nodes shorter."""
    match tree:
        case None:
            return "-"
        case str() | int():
            return str(tree)
        case tuple():
            return f"[{', '.join(map(show, tree))}]"
        case s.Identifier():
            return tree.text
        case s.Number(_, value):
            return str(value)
        case s.Reference(_, name, parameters):
            return name.text + (show(parameters) if parameters else "")
        case s.SchemaReference(_, name, decoration, parameters, renames):
            changed = f"[{', '.join(f'{r.new.text}/{r.old.text}' for r in renames)}]" if renames else ""
            return f"<{name}{decoration}{show(parameters) if parameters else ''}{changed}>"
        case s.Infix(_, operator, left, right) | s.InfixGeneric(_, operator, left, right):
            return f"({operator.text} {show(left)} {show(right)})"
        case s.InfixRelation(_, relation, left, right):
            return f"({relation.text} {show(left)} {show(right)})"
        case s.Equality(_, left, right):
            return f"(= {show(left)} {show(right)})"
        case s.Membership(_, element, base):
            return f"(\\in {show(element)} {show(base)})"
        case s.Application(_, function, argument):
            return f"({show(function)} {show(argument)})"
        case s.Connected(_, connective, left, right):
            return f"({connective} {show(left)} {show(right)})"
        case s.SchemaBinary(_, operator, left, right):
            return f"({operator} {show(left)} {show(right)})"
        case s.SchemaPredicate(_, schema) | s.SchemaSet(_, schema):
            return show(schema)
        case s.Inclusion(_, schema):
            return show(schema)
        case s.Declaration(_, names, base):
            return f"{', '.join(each.text for each in names)} : {show(base)}"
        case s.SchemaText(_, declarations, predicates):
            bar = f" | {'; '.join(map(show, predicates))}" if predicates else ""
            return f"[{'; '.join(map(show, declarations))}{bar}]"
    fields = [show(getattr(tree, name)) for name in field_names(tree) if name != "at"]
    return f"({' '.join([type(tree).__name__, *fields])})"


EVERYTHING = r"""
\documentclass{article} % prose, with $x = 1$
%%inop \join <+> 3
%%inrel knows
%%prerel odd
%%postop \up
%%ingen \To
%%pregen \few
%%type NAMES
\begin{zed}
  [NAME, DATE'] \\
  NAMES == \power NAME \\
  X \To Y == X \rel Y \also
  \few X == \{ x : \power X | \# x < 3 \}; Pair[X, Y] == X \cross Y \\
  TREE ::= leaf | node \ldata TREE \cross \seq TREE \rdata \\
  max\_size == 3 + 4 * 5 - 2
\end{zed}
\begin{gendef}[X, Y]
  \_ \join \_, \_ <+> \_ : (X \rel Y) \cross X \fun Y \\ odd \_ : \power X; \_ \up : X \fun X ;
  - : X \fun X
\where
  \forall x : X; r : X \rel Y @ r \join x \in r \limg \{x\} \rimg
\end{gendef}
\begin{axdef} \_ knows~\_ : NAME \rel NAME; f : \nat \fun \nat; limit : 1 \upto 10 \where
  f = (\lambda n : \nat | n > 1 @ n + f~(n - 1)) \\
  limit = (\mu n : \nat | f(n) = 3 \land n \leq 2 @ n * -n) \\
  \forall a, b : NAME @ a \inrel{near} b \implies \lnot b~knows~a \\
  odd~limit \lor true \iff \disjoint \langle \{1\}, \{\} \rangle
\end{axdef}
\begin{schema}{Book}
  known : NAMES \\ birthday : NAME \pfun DATE' \\
  Later'[x/y]
\where
  known = \dom birthday \\
  \# known \leq limit < max\_size = 3
\end{schema}
%%unchecked
\begin{zed} f x ` \end{zed}
%% \begin{zed} Hidden \defs [Book | true] \end{zed}
\begin{schema}{Table}[X] rows : \seq X; row? : X \end{schema}
\begin{schema}{Add} \Delta Book; name? : NAME \\ date? : DATE'; result! : TREE
\where
  \t1 name? \notin known \\ \t1 birthday' = birthday \cup
  \{name? \mapsto date?\} \\
  \pre Book \land (\LET a == 3; (\_ \join \_) == 4 @ (a = 4 \lor Book')) \\
  result! = \IF name? \in known \THEN leaf \ELSE node(leaf, \langle leaf \rangle \cat \langle \rangle) \\
  \theta Book' = \theta Book \lor \lbag 1, 2 \rbag = \lbag \rbag \\
  (\LET k == 1 @ k).x' = f^{3} \bsup 2 \esup~1\up \\
  \exists_1 Book; y : Table[NAME] | known = y.rows @ \exists x : \{ Book @ \theta Book \} @ x = y.\theta Book[a/b] \\
  \langle x \bind 1, y' \bind \{ Book \} \rangle = (1, 2, (\_ + \_)[\nat], (-), \emptyset[\nat])
\end{schema}
\begin{zed}
  All[X] \defs ((Add \lor \lnot Book) \semi Table[X] \hide (rows, name?)) \project Book \pipe Add \\
  Some \defs \exists x : \nat | x > 1 @ \forall y : \nat @ Book[x/known, y/birthday] \iff Book \implies Add \\
  Book \land Add \vdash \exists_1 n : NAME @ n \in known \\
  New == [Book; z : \nat | z = 1] \land \pre Add
\end{zed}
"""
"""Every construct of the language."""
