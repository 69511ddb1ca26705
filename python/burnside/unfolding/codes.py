"""Values of tokens as numbers. In: types. Out: codes of their values, and values of codes.

A finite type that is built of elements, truth values, structs and unions alone is coded in mixed radix, so codes ascend as
values do and the core computes with them. Natural numbers are their own codes. Values of other types get the next free
number when they are first seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from burnside.ir.highlevel.net import Value
from burnside.ir.highlevel.types import (
    MAX_DOMAIN,
    Boolean,
    Dot,
    Element,
    Natural,
    Struct,
    TokenType,
    Union,
    domain_size,
)
from burnside.ir.highlevel.values import SortImages, order_key, permuted, show
from burnside.unfolding.limits import Exceeded, Limits


class Codes:
    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._sizes: dict[TokenType, int | None] = {}
        self._numbers: dict[TokenType, dict[Value, int]] = {}
        self._values: dict[TokenType, list[Value]] = {}
        self._room = limits.size

    def size(self, type_: TokenType) -> int | None:
        """How many values there are, where codes are computed; None where they are handed out one by one."""
        if type_ not in self._sizes:
            self._sizes[type_] = domain_size(type_) if self._is_computed(type_) else None
        return self._sizes[type_]

    def _is_computed(self, type_: TokenType) -> bool:
        match type_:
            case Dot() | Boolean() | Element():
                return True
            case Struct(parts) | Union(parts):
                return all(self._is_computed(each.type) for each in parts)
            case _:
                return False

    def ascend(self, type_: TokenType) -> bool:
        """Do codes ascend as values do?"""
        return isinstance(type_, Natural) or self.size(type_) is not None

    def weights(self, type_: Struct) -> list[int]:
        """What the codes of the fields are multiplied by."""
        weights, weight = [], 1
        for field in reversed(type_.fields):
            weights.append(weight)
            weight *= self.size(field.type) or 1
        return weights[::-1]

    def offsets(self, type_: Union) -> list[int]:
        """Where the codes of the alternatives begin, and the end of the last."""
        offsets = [0]
        for each in type_.alternatives:
            offsets.append(offsets[-1] + (self.size(each.type) or 0))
        return offsets

    def code(self, type_: TokenType, value: Value) -> int:
        if isinstance(type_, Natural):
            if value >= MAX_DOMAIN:
                raise Exceeded("number")
            return int(value)
        if self.size(type_) is None:
            return self._handed_out(type_, value)
        match type_:
            case Struct(fields):
                code = 0
                for field, each in zip(fields, value, strict=True):
                    code = code * (self.size(field.type) or 1) + self.code(field.type, each)
                return code
            case Union(alternatives):
                number, inner = value
                offset: int = self.offsets(type_)[number]
                return offset + self.code(alternatives[number].type, inner)
            case Dot():
                return 0
            case _:
                return int(value)

    def _handed_out(self, type_: TokenType, value: Value) -> int:
        numbers: dict[Value, int] = self._numbers.setdefault(type_, {})
        if value not in numbers:
            self._room -= _size(value)
            if self._room < 0:
                raise Exceeded("size")
            numbers[value] = len(numbers)
            self._values.setdefault(type_, []).append(value)
        return numbers[value]

    def value(self, type_: TokenType, code: int) -> Value:
        if isinstance(type_, Natural):
            return code
        if self.size(type_) is None:
            return self._values[type_][code]
        match type_:
            case Struct(fields):
                values = []
                for field in reversed(fields):
                    code, part = divmod(code, self.size(field.type) or 1)
                    values.append(self.value(field.type, part))
                return tuple(reversed(values))
            case Union(alternatives):
                offsets = self.offsets(type_)
                number = next(at for at in range(len(alternatives)) if code < offsets[at + 1])
                return number, self.value(alternatives[number].type, code - offsets[number])
            case Dot():
                return ()
            case Boolean():
                return bool(code)
            case _:
                return code

    def ranks(self, type_: TokenType) -> list[int]:
        """By code: its place in the order of the values."""
        values = self._values.get(type_, [])
        listed = sorted(range(len(values)), key=lambda code: order_key(type_, values[code]))
        ranks = [0] * len(values)
        for rank, code in enumerate(listed):
            ranks[code] = rank
        return ranks

    def shower(self, type_: TokenType) -> Callable[[int], str]:
        """What shows the value of a code. There may be millions of them."""
        if isinstance(type_, Element):
            return type_.sort.elements.__getitem__
        if isinstance(type_, Struct) and self.size(type_) is not None:
            return _struct_shower(
                [(self.size(each.type) or 1, self.shower(each.type)) for each in type_.fields]
            )
        return lambda code: show(type_, self.value(type_, code))

    def permuter(self, type_: TokenType, images: SortImages) -> Callable[[int], int]:
        """What gives the code of the image of a value."""
        if isinstance(type_, Element):
            named = images.get(type_.sort.name)
            return int if named is None else named.__getitem__
        if isinstance(type_, Struct) and self.size(type_) is not None:
            parts = [(self.size(each.type) or 1, self.permuter(each.type, images)) for each in type_.fields]
            return _struct_permuter(parts)
        if isinstance(type_, Natural | Dot | Boolean):
            return int
        return lambda code: self.code(type_, permuted(type_, self.value(type_, code), images))


def _struct_shower(parts: Sequence[tuple[int, Callable[[int], str]]]) -> Callable[[int], str]:
    backwards = tuple(reversed(parts))

    def shown(code: int) -> str:
        texts = []
        for size, part in backwards:
            code, rest = divmod(code, size)
            texts.append(part(rest))
        texts.reverse()
        return f"<{', '.join(texts)}>"

    return shown


def _struct_permuter(parts: Sequence[tuple[int, Callable[[int], int]]]) -> Callable[[int], int]:
    backwards = tuple(reversed(parts))

    def image(code: int) -> int:
        moved, weight = 0, 1
        for size, part in backwards:
            code, rest = divmod(code, size)
            moved += weight * part(rest)
            weight *= size
        return moved

    return image


def _size(value: Value) -> int:
    """How many parts a value has, and how many words its numbers take."""
    if isinstance(value, tuple | frozenset):
        if all(type(each) is int for each in value):
            return 1 + len(value) * (1 + max(map(int.bit_length, value), default=0) // 64)
        return 1 + sum(map(_size, value))
    return 1 + int(value).bit_length() // 64
