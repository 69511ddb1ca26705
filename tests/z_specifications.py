"""Random small specifications in Z: a state, its start, and operations that are built with the schema calculus.

Predicates are defined everywhere, and numbers bounded, so that a specification has one meaning only. Operations are boxes,
or made of boxes in one of the ways of `FORMS`; boxes that are used by others are no operations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from burnside.records import record

from tests.z_texts import SIMPLE, Impossible, Kind, Maker, Pick, Scope, kind

HEAD = r"""
\begin{zed}
  [X] \also
  C ::= red | green \also
  T ::= leaf | node \ldata X \rdata \also
  R \defs [ own : X; many : \num ] \also
  Narrow \defs [ own : X; many : 0 \upto 1 ]
\end{zed}
"""


@record
class Holder:
    """What a variable may hold: its kind, the set that it is declared to be in, and how many values that has."""

    kind: Kind
    set: str
    values: int


HOLDERS = (
    Holder(kind("X"), "X", 2),
    Holder(kind("P(X)"), r"\power X", 4),
    Holder(kind("L(X,C)"), r"X \pfun C", 9),
    Holder(kind("L(X,C)"), r"X \fun C", 4),
    Holder(kind("L(X,X)"), r"X \pinj X", 7),
    Holder(kind("N"), r"0 \upto 2", 3),
    Holder(kind("C"), "C", 2),
    Holder(kind("T"), "T", 3),
    Holder(kind("R"), "Narrow", 4),
    Holder(kind("Q(X)"), r"\iseq X", 5),
    Holder(kind("(X,C)"), r"X \cross C", 4),
    Holder(kind("P(C)"), r"\finset C", 4),
    Holder(kind("B(X)"), r"\{ y0 : X \pfun 1 \upto 2 | \# y0 \leq 1 \}", 5),
)
SMALL = tuple(each for each in HOLDERS if each.values <= 4)
MOST_STATES = 24
HANDED = ("h", "h?", "v?")
"""Names that operators of the schema calculus are about."""
AND = " \\land "


class Writer(Maker):
    def __init__(self, pick: Pick) -> None:
        super().__init__(pick, is_total=True)
        self.state: dict[str, Holder] = {}
        self.constants: dict[str, Kind] = {}
        self.schemas: list[str] = []
        self.more = {name: self.one(SMALL) for name in ("i?", "o!", "l")}

    def predicate(self, scope: Scope, depth: int) -> str:
        try:
            return super().predicate(scope, depth)
        except Impossible:
            return "true"

    def expression(self, wanted: Kind, scope: Scope, depth: int) -> str:
        try:
            return super().expression(wanted, scope, depth)
        except Impossible:
            names = [name for name, own in scope.items() if own == wanted]
            if not names:
                raise
            return str(self.one(names))

    def text(self) -> str:
        """The whole specification."""
        parts = [HEAD]
        if self.flip(30):
            parts.append(self.constant())
        left = MOST_STATES
        for name in ("p", "q")[: self.one((1, 2, 2))]:
            holder = self.one([each for each in HOLDERS if each.values <= left])
            self.state[name] = holder
            left //= holder.values
        self.schemas += [self.state_schema(), self.start()]
        for number in range(self.pick(1, 3)):
            self.one(FORMS)(self, f"Do{number}")
        return "".join((*parts, "\\begin{zed}\n  ", " \\also\n  ".join(self.schemas), "\n\\end{zed}\n"))

    def constant(self) -> str:
        holder = self.one(SMALL)
        self.constants = {"k": holder.kind}
        where = f"\n\\where\n  {self.predicate(self.constants, 1)}" if self.flip(50) else ""
        return f"\\begin{{axdef}}\n  k : {holder.set}{where}\n\\end{{axdef}}\n"

    def state_schema(self) -> str:
        declared = "; ".join(f"{name} : {holder.set}" for name, holder in self.state.items())
        rule = f" | {self.predicate(self.before, 1)}" if self.flip(40) else ""
        return f"S \\defs [ {declared}{rule} ]"

    def start(self) -> str:
        prime = self.one(("", "'"))
        scope = {**self.constants, **{name + prime: holder.kind for name, holder in self.state.items()}}
        rules = [self.predicate(scope, 1)] if self.flip(30) else []
        for name, own in scope.items():
            if name not in self.constants and self.flip(50):
                rules += self.equation(name, own, self.constants)
        return f"Init \\defs [ S{prime} | {AND.join(map('({})'.format, rules)) or 'true'} ]"

    @property
    def before(self) -> Scope:
        return {**self.constants, **{name: holder.kind for name, holder in self.state.items()}}

    @property
    def after(self) -> Scope:
        return {name + "'": holder.kind for name, holder in self.state.items()}

    # Boxes

    def box(self, more: Sequence[tuple[str, Holder]] = ()) -> str:
        """`[ \\Delta S; ... | ... ]` with these names besides, and maybe others."""
        declared = list(more)
        declared += [pair for pair in self.more.items() if self.flip(25)]
        names = dict(declared)
        read = {**self.before, **{name: each.kind for name, each in names.items() if not name.endswith("!")}}
        everything = {**read, **self.after, **{name: each.kind for name, each in names.items()}}
        rules = [self.predicate(read, 1)] if self.flip(60) else []
        is_still = self.flip(25)
        for name, own in {
            **self.after,
            **{name: each.kind for name, each in names.items() if name.endswith("!")},
        }.items():
            if name.endswith("!") or not is_still:
                rules += self.rule(name, own, read, everything)
        included = "\\Xi S" if is_still else "\\Delta S"
        declarations = "; ".join((included, *(f"{name} : {each.set}" for name, each in names.items())))
        return f"[ {declarations} | {AND.join(map('({})'.format, rules)) or 'true'} ]"

    def rule(self, name: str, own: Kind, read: Scope, everything: Scope) -> list[str]:
        """What becomes of a name: what it was, what an expression says, something that a predicate allows, or anything."""
        choice = self.pick(0, 9)
        handed = [each for each, kind in read.items() if kind == own and each in HANDED]
        if handed and self.flip(60):
            return [f"{name} = {self.one(handed)}"]
        if choice <= 2 and name.endswith("'"):
            return [f"{name} = {name[:-1]}"]
        if choice <= 6:
            return self.equation(name, own, read)
        return [self.predicate(everything, 1)] if choice <= 8 else []

    def equation(self, name: str, own: Kind, scope: Scope) -> list[str]:
        try:
            return [f"{name} = {self.expression(own, scope, 2)}"]
        except Impossible:
            return []

    def handed(self) -> Holder:
        """Often what a variable could become."""
        return self.one(tuple(self.state.values()) if self.flip(60) else SMALL)  # type: ignore[no-any-return]

    def named(self, name: str, body: str) -> str:
        self.schemas.append(f"{name} \\defs {body}")
        return name

    def operand(self, name: str, more: Sequence[tuple[str, Holder]] = ()) -> str:
        return self.named(name, self.box(more))


def _box(maker: Writer, name: str) -> None:
    maker.operand(name)


def _either(maker: Writer, name: str) -> None:
    one, other = maker.operand(name + "A"), maker.operand(name + "B")
    maker.named(name, f"{one} \\lor {other}")


def _reported(maker: Writer, name: str) -> None:
    one, other = maker.operand(name + "A"), maker.operand(name + "B", [("r!", HOLDERS[6])])
    maker.named(name, f"({one} \\land [ r! : C | r! = red ]) \\lor {other}")


def _connected(maker: Writer, name: str) -> None:
    one, other = maker.operand(name + "A"), maker.operand(name + "B")
    sign = maker.one((r"\implies", r"\iff", r"\land \lnot"))
    maker.named(name, f"\\Delta S \\land ({one} {sign} {other})")


def _negated(maker: Writer, name: str) -> None:
    maker.named(name, f"\\Delta S \\land \\lnot {maker.operand(name + 'A')}")


def _hidden(maker: Writer, name: str) -> None:
    one = maker.operand(name + "A", [("h?", maker.handed())])
    maker.named(name, f"{one} \\hide (h?)")


def _sequenced(maker: Writer, name: str) -> None:
    one, other = maker.operand(name + "A"), maker.operand(name + "B")
    maker.named(name, f"{one} \\semi {other}")


def _piped(maker: Writer, name: str) -> None:
    holder = maker.handed()
    one, other = maker.operand(name + "A", [("v!", holder)]), maker.operand(name + "B", [("v?", holder)])
    maker.named(name, f"{one} \\pipe {other}")


def _quantified(maker: Writer, name: str) -> None:
    holder = maker.handed()
    one = maker.operand(name + "A", [("h", holder)])
    quantifier = maker.one((r"\exists", r"\exists", r"\exists_1", r"\forall"))
    body = f"{quantifier} h : {holder.set} @ {one}"
    maker.named(name, body if quantifier != r"\forall" else f"\\Delta S \\land ({body})")


def _precondition(maker: Writer, name: str) -> None:
    sign = maker.one(("", "\\lnot "))
    maker.named(name, f"\\Xi S \\land {sign}\\pre {maker.operand(name + 'A')}")


def _projected(maker: Writer, name: str) -> None:
    maker.named(name, f"{maker.operand(name + 'A')} \\project [ \\Delta S ]")


def _renamed(maker: Writer, name: str) -> None:
    one = maker.operand(name + "A", [("h?", maker.handed())])
    maker.named(name, f"{one}[{maker.one(('n?', 'i?x', 'm!'))}/h?]".replace("i?x", "j?"))


def _generic(maker: Writer, name: str) -> None:
    maker.schemas.append(f"{name}G[Y] \\defs [ y? : Y; z! : Y | z! = y? ]")
    maker.named(name, f"{maker.operand(name + 'A')} \\land {name}G[{maker.one(SMALL[:2]).set}]")


FORMS: Sequence[Callable[[Writer, str], None]] = (
    _box, _box, _either, _either, _reported, _connected, _negated, _hidden, _sequenced, _piped, _quantified,
    _precondition, _projected, _renamed, _generic,
)  # fmt: skip


NEW = r"[ \Delta S; x? : X | x? \notin \dom g \land (\exists L @ g' = g \cup \{ x? \mapsto \theta L \}) ]"


class Promoted(Writer):
    """One state of many parts, and operations on one of them."""

    def text(self) -> str:
        holder = self.one([each for each in SMALL if each.values <= 3])
        self.state = {"v": holder}
        local = f"L \\defs [ v : {holder.set} ]"
        boxes = [
            self.box().replace("\\Delta S", "\\Delta L").replace("\\Xi S", "\\Xi L")
            for _ in range(self.pick(1, 2))
        ]
        arrow = self.one((r"\pfun", r"\fun"))
        some = r" | \# g \leq 1" if self.flip(30) else ""
        self.schemas += [local, f"S \\defs [ g : X {arrow} L{some} ]"]
        start = r"\dom g' = \emptyset" if arrow == r"\pfun" else r"\# (\ran g') = 1"
        self.schemas.append(f"Init \\defs [ S' | {start} ]")
        self.schemas.append(
            r"Part \defs [ \Delta S; \Delta L; x? : X | x? \in \dom g \land \theta L = g~x? \land "
            r"g' = g \oplus \{ x? \mapsto \theta L' \} ]"
        )
        if arrow == r"\pfun":
            self.named("New", NEW)
        for number, each in enumerate(boxes):
            self.named(f"One{number}", each)
            form = self.one((r"\exists \Delta L @ Part \land One{}", r"(Part \land One{}) \hide (v, v')"))
            self.named(f"Do{number}", form.format(number))
        return HEAD + "\\begin{zed}\n  " + " \\also\n  ".join(self.schemas) + "\n\\end{zed}\n"


__all__ = ["HOLDERS", "SIMPLE", "Promoted", "Writer"]
