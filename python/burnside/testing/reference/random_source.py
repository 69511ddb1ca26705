"""SplitMix64 (Steele, Lea and Flood 2014): the random source of burnside's core, number by number.

In: a seed of 64 bits. Out: numbers. All arithmetic is modulo 2^64. A draw adds 0x9e3779b97f4a7c15 to the state and mixes it:
x ^= x >> 30, x *= 0xbf58476d1ce4e5b9, x ^= x >> 27, x *= 0x94d049bb133111eb, x ^= x >> 31.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Value = TypeVar("Value")
_MASK = (1 << 64) - 1


class RandomSource:
    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def draw(self) -> int:
        """An even draw from 0..2^64."""
        self._state = (self._state + 0x9E37_79B9_7F4A_7C15) & _MASK
        x = self._state
        x = (x ^ (x >> 30)) * 0xBF58_476D_1CE4_E5B9 & _MASK
        x = (x ^ (x >> 27)) * 0x94D0_49BB_1331_11EB & _MASK
        return x ^ (x >> 31)

    def below(self, n: int) -> int:
        """An even draw from 0..n: the high half of the product of a draw and n."""
        return (self.draw() * n) >> 64

    def choice(self, values: Sequence[Value]) -> Value:
        return values[self.below(len(values))]
