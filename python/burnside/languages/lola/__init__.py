"""Place/transition nets in the text format of LoLA 2. In: a path. Out: a `Net`.

    PLACE a, b; SAFE: c, "d e";
    MARKING a : 2, c;
    TRANSITION t CONSUME a, b : 2; PRODUCE c;

Keywords may be in any case. Names are anything without blanks and , ; : ( ) { }, or anything in double
quotes. Comments: `// ...`, `/* ... */` and `{ ... }`, the last may be nested. SAFE is a promise to LoLA's
store, WEAK FAIR or STRONG FAIR an assumption about infinite runs: both are read and change nothing reachable.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from burnside.diagnostics import InputError, Source, UnsupportedError
from burnside.languages.lola.tokens import tokenize
from burnside.languages.shared.cursor import Cursor
from burnside.languages.shared.files import read_source
from burnside.languages.shared.lexer import Token
from burnside.net import MAX_TOKENS, Arcs, Net

KEYWORDS = frozenset(
    ("PLACE", "SAFE", "MARKING", "TRANSITION", "WEAK", "STRONG", "FAIR", "CONSUME", "PRODUCE")
)

NOT_HERE = {
    "SORT": "high-level nets are",
    "FUNCTION": "high-level nets are",
    "CONSTANT": "high-level nets are",
    "RECORD": "high-level nets are",
    "VAR": "high-level nets are",
    "GUARD": "high-level nets are",
    "FORMULA": "a formula in the net's file is",
    "ANALYSE": "an analysis task in the net's file is",
    "AUTOMATON": "an automaton in the net's file is",
    "GENERATOR": "a declared symmetry is",
    "FINAL": "a final marking is",
}
"""Keywords of LoLA 1 and of its relatives: refused by name, not as misspelt ones."""


def read(path: Path) -> Net:
    return parse(read_source(path), path.stem)


def parse(source: Source, name: str) -> Net:
    return _Parser(source, name).net()


class _Parser(Cursor):
    """One pass over the tokens, one method for each line of the grammar."""

    def __init__(self, source: Source, name: str) -> None:
        super().__init__(source, tokenize(source))
        self.name = name
        self.places: dict[str, int] = {}
        self.transitions: dict[str, int] = {}
        self.consumes: list[Arcs] = []
        self.produces: list[Arcs] = []

    def net(self) -> Net:
        self.keyword("PLACE")
        self.place_lists()
        self.keyword("MARKING")
        marking = self.weights("the marking of", least=0)
        while self.token.kind != "end":
            self.transition()
        return Net(
            name=self.name,
            places=tuple(self.places),
            initial=tuple(marking.get(place, 0) for place in range(len(self.places))),
            transitions=tuple(self.transitions),
            consumes=tuple(self.consumes),
            produces=tuple(self.produces),
        )

    def place_lists(self) -> None:
        """Up to MARKING: a place of that name would have to stand in quotes or not first."""
        while True:
            self.capacity()
            self.separated(self.place)
            if self.is_word("MARKING") or self.token.kind == "end" or self.foreign_word():
                return

    def capacity(self) -> None:
        if not self.is_word("SAFE"):
            return
        length = 2 if self.peek(1).kind == "number" else 1
        behind = self.peek(length)
        if (behind.kind, behind.text) == ("symbol", ":"):
            self.jump(self.at + length + 1)

    def place(self) -> None:
        token = self.name_of("a place")
        if self.is_symbol(":"):
            raise self.unsupported("high-level nets are not supported: a place has no sort", self.token)
        self.declare(token, self.places, "place")

    def transition(self) -> None:
        self.keyword("TRANSITION")
        self.declare(self.name_of("a transition"), self.transitions, "transition")
        if self.is_word("WEAK") or self.is_word("STRONG"):
            self.advance()
            self.keyword("FAIR")
        self.keyword("CONSUME")
        self.consumes.append(tuple(sorted(self.weights("the weight of", least=1).items())))
        self.keyword("PRODUCE")
        self.produces.append(tuple(sorted(self.weights("the weight of", least=1).items())))

    def weights(self, what: str, least: int) -> dict[int, int]:
        """`a : 2, b;` as numbers by place; what is given more than once is added up, as LoLA does."""
        found: dict[int, int] = {}

        def entry() -> None:
            token = self.name_of("a place")
            place = self.known_place(token)
            count = self.count(what, token, least)
            found[place] = found.get(place, 0) + count
            if found[place] > MAX_TOKENS:
                raise self.error(f"{what} '{token.text}' adds up to more than 64 bits hold", token)

        if not self.accept(";"):
            self.separated(entry)
        return found

    def count(self, what: str, place: Token, least: int) -> int:
        if not self.accept(":"):
            return 1
        token = self.token
        if self.is_symbol("("):
            raise self.unsupported("high-level nets are not supported: a weight is a whole number", token)
        if token.kind != "number":
            raise self.expected("a whole number")
        self.advance()
        number = int(token.text) if len(token.text.lstrip("0")) <= 20 else MAX_TOKENS + 1
        if number > MAX_TOKENS:
            raise self.error(f"{what} '{place.text}' is beyond 64 bits", token)
        if number < least:
            raise self.error(f"{what} '{place.text}' is {number}", token)
        return number

    def separated(self, item: Callable[[], None]) -> None:
        """Items between commas, closed by a semicolon."""
        item()
        while self.accept(","):
            item()
        if not self.accept(";"):
            raise self.expected("',' or ';'")

    def declare(self, token: Token, names: dict[str, int], what: str) -> None:
        if token.text in names:
            raise self.error(f"{what} '{token.text}' is declared twice", token)
        names[token.text] = len(names)

    def known_place(self, token: Token) -> int:
        if token.text not in self.places:
            raise self.error(f"there is no place '{token.text}'", token)
        return self.places[token.text]

    def name_of(self, what: str) -> Token:
        token = self.token
        is_keyword = token.kind == "name" and token.text in KEYWORDS
        if is_keyword or token.kind not in ("name", "number", "quoted"):
            raise self.expected(f"the name of {what}")
        self.advance()
        return token

    def keyword(self, word: str) -> None:
        if not self.is_word(word):
            raise self.expected(word)
        self.advance()

    def is_word(self, word: str) -> bool:
        """A keyword, in capitals or not."""
        return self.token.kind == "name" and self.token.text.upper() == word

    def foreign_word(self) -> str | None:
        """A keyword of another dialect of LoLA."""
        word = self.token.text.upper() if self.token.kind == "name" else ""
        return word if word in NOT_HERE else None

    def expected(self, what: str, hint: str | None = None) -> InputError | UnsupportedError:
        word = self.foreign_word()
        if word is not None:
            return self.unsupported(f"{NOT_HERE[word]} not supported ({word})", self.token)
        return super().expected(what, hint)
