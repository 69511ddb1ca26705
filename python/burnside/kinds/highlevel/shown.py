"""How markings of high-level nets are shown: as texts by place, and what changes from one to the next, token by token."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from burnside.ir.highlevel.net import HighLevelNet, Marking, Tokens
from burnside.ir.highlevel.types import TokenType
from burnside.ir.highlevel.values import order_key, show_tokens
from burnside.words import printable


class ShownMarking(Mapping[str, str]):
    """All places, the empty ones too. Texts are made when they are looked at: large markings come in long traces."""

    __slots__ = ("_marking", "_net")

    def __init__(self, net: HighLevelNet, marking: Marking) -> None:
        self._net = net
        self._marking = marking

    def __getitem__(self, place: str) -> str:
        number = self._net.place_numbers[place]
        return show_tokens(self._net.places[number].type, self._marking[number])

    def __iter__(self) -> Iterator[str]:
        return (place.name for place in self._net.places)

    def __len__(self) -> int:
        return len(self._marking)

    def __repr__(self) -> str:
        return repr({place: tokens for place, tokens in self.items() if tokens != "{}"})

    def changes_from(self, before: Mapping[str, str]) -> list[str]:
        """`fork - 2 + 3`; where one token takes the place of the only one: `server: idle -> busy`."""
        assert isinstance(before, ShownMarking)
        places = zip(self._net.places, before._marking, self._marking, strict=True)
        return [
            f"{printable(place.name)}{_change(place.type, old, new)}"
            for place, old, new in places
            if old != new
        ]


def _change(type_: TokenType, old: Tokens, new: Tokens) -> str:
    if sum(number for _, number in old) == sum(number for _, number in new) == 1:
        return f": {show_tokens(type_, old)} -> {show_tokens(type_, new)}"
    return f"{_signed(type_, old, new, '-')}{_signed(type_, new, old, '+')}"


def _signed(type_: TokenType, of: Tokens, other: Tokens, sign: str) -> str:
    """What is in the first and not in the second."""
    counts = dict(other)
    left = [(value, number - counts.get(value, 0)) for value, number in of]
    more = sorted((each for each in left if each[1] > 0), key=lambda each: order_key(type_, each[0]))
    return "".join(f" {sign} {show_tokens(type_, [each])}" for each in more)
