"""Random Murphi expressions over a fixed vocabulary of variables, most of them symmetric in the elements of `S`.

The vocabulary (`VARIABLES`) is declared only where a program uses it. `S` is the sort whose elements may move: a scalarset,
an enumeration or a range; only elements of the last two have names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

LETTERS = ("A", "B", "C")

VARIABLES = {
    "a": "array[S] of boolean",
    "b": "array[S] of boolean",
    "k": "array[S] of num",
    "m": "array[S] of S",
    "q": "array[S] of rec",
    "g": "array[S] of array[S] of boolean",
    "c": "array[S] of T",
    "d": "array[T] of boolean",
    "x": "boolean",
    "z": "boolean",
    "n": "num",
    "y": "S",
    "r": "rec",
    "t": "T",
    "u": "both",
    "net": "multiset[2] of rec",
    "box": "array[S] of multiset[2] of rec",
}


class Draw:
    """Draws texts. `size` and `kind` are those of `S`."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.size = random.choice((2, 2, 3))
        self.kind = random.choice(("scalarset", "scalarset", "enum", "range"))
        self.undefined = random.random() < 0.3
        self._fresh = 0

    @property
    def names(self) -> Sequence[str]:
        """Of the elements that can be named."""
        return {"scalarset": (), "enum": LETTERS, "range": ("0", "1", "2")}[self.kind][: self.size]

    def fresh(self, stem: str) -> str:
        """Mostly a new name; the same name in several scopes is a case of its own."""
        self._fresh += self.random.random() < 0.7
        return f"{stem}{self._fresh}"

    def one(self, *choices: str) -> str:
        return self.random.choice(choices)

    def maybe(self, chance: float = 0.5) -> bool:
        return self.random.random() < chance

    # Expressions. `given`: names of elements in scope.

    def element(self, *given: str) -> str:
        own = [*given, *given, "y"]
        if self.maybe(0.2):
            own += ["r.w", *(f"m[{each}]" for each in given), *(f"q[{each}].w" for each in given)]
        if self.names and self.maybe(0.12):
            own = list(self.names)
        return self.random.choice(own)

    def boolean(self, *given: str, depth: int = 2) -> str:
        if depth == 0 or self.maybe(0.45):
            return self._simple_boolean(*given)
        makers: list[Callable[[], str]] = [
            lambda: f"!({self.boolean(*given, depth=depth - 1)})",
            lambda: self._joined(given, depth),
            lambda: self._joined(given, depth),
            lambda: self._quantified(given, depth),
            lambda: self._chosen(given, depth),
        ]
        return self.random.choice(makers)()

    def _simple_boolean(self, *given: str) -> str:
        element = self.element(*given)
        choices = [f"a[{element}]", f"a[{element}]", f"b[{element}]", "x", "z"]
        choices += [f"({element} = {self.element(*given)})", f"(n = {self.one('0', '1', '2')})"]
        if self.maybe(0.3):
            choices += [
                f"(k[{element}] < {self.number(*given)})",
                f"q[{element}].v",
                f"isundefined(m[{element}])",
                "isundefined(y)",
                f"(c[{element}] = {self.one('P', 'Q')})",
                f"g[{element}][{self.element(*given)}]",
                f"(multisetcount(e: net, net[e].w = {element}) > 0)",
                "r.v",
                *(() if self.kind == "range" else ("ismember(u, T)",)),
            ]
        return self.random.choice(choices)

    def _joined(self, given: Sequence[str], depth: int) -> str:
        one, other = (self.boolean(*given, depth=depth - 1) for _ in range(2))
        return f"({one} {self.one('&', '|', '->', '=', '!=')} {other})"

    def _quantified(self, given: Sequence[str], depth: int) -> str:
        name = self.fresh("h")
        word = self.one("forall", "exists")
        return f"({word} {name}: S do {self.boolean(*given, name, depth=depth - 1)} end)"

    def _chosen(self, given: Sequence[str], depth: int) -> str:
        parts = [self.boolean(*given, depth=depth - 1) for _ in range(3)]
        return f"({parts[0]} ? {parts[1]} : {parts[2]})"

    def number(self, *given: str) -> str:
        choices = ["0", "1", "2", "n"]
        choices += [f"k[{self.element(*given)}]", f"({self._simple_boolean(*given)} ? 1 : 0)"]
        return self.random.choice(choices)

    def around(self, *given: str) -> str:
        """A boolean that mostly depends on what is in scope: the leaks need it to differ between elements."""
        if not given or self.maybe(0.3):
            return self.boolean(*given)
        return self.one(
            f"a[{given[0]}]", f"!a[{given[0]}]", f"b[{given[0]}]", f"a[{given[0]}] & !b[{given[0]}]"
        )
