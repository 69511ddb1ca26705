"""Formulas of CTL in the manner of the Model Checking Contest: an examination of 16, with atoms of any net.

In: a net. Out: texts of formulas. Their shapes are those of an examination of 2025 (CTLFireability and CTLCardinality of
LeafsetExtension-PT-S08C2), where `?` stands for an atom: one of these transitions can fire, or a comparison of sums.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from burnside.net import Net

SHAPES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "CTLFireability": (
            "AF EG not ?",
            "not EF ?",
            "E[(EF (? or not ?) or E[(E[not ? U EF ?] & AF EX ?) U ?]) U AG not (not (AX ? & (? & ?)) & AF (? "
            "or ?))]",
            "AX ((AF ? & AG not ((? & ?) & (? & ?))) or EG A[AX ? U ?])",
            "EF EG A[E[EX ? U A[? U ?]] U E[AX ? U (? or ?)]]",
            "EF (((AX ? or AG ?) & (? or not ?)) or EG EF not (? & ?))",
            "(AF ((AF E[? U ?] or not E[(? or ?) U (? or ?)]) & EF not ?) or AX (EF A[AX ? U (? & ?)] & (? & "
            "A[? U (? or EG ?)])))",
            "A[not EF EF (EF ? & AF ?) U ?]",
            "not (AF EG (EF ? & ?) or not E[AX (? & ?) U ((? or ?) or not AX ?)])",
            "AG AX AX (EX ? or ((? & ?) or AF ?))",
            "EG not (? & ?)",
            "EF AG (? & ?)",
            "EG AF (EF not AF ? or ?)",
            "AG E[EX (A[? U ?] or ?) U not (? & not E[? U ?])]",
            "E[((not AG AF ? or AG ((? or (? & ?)) & ?)) or (A[not (? or ?) U AF (? & ?)] or AG A[? U not "
            "?])) U AF AF ?]",
            "E[E[? U AX (not (? or ?) or (EG ? & not ?))] U EF AG AX (? or ?)]",
        ),
        "CTLCardinality": (
            "not AX EF EG ((? & ?) & (? or ?))",
            "EG (EF ? or ?)",
            "A[(? or not (not EF (? or ?) & (EG not ? or (((? & ?) & (? & ?)) & ((? & ?) & (? or ?)))))) U AX "
            "EF A[? U EX ?]]",
            "EX (not EG not (E[? U ?] & (? or ?)) or not ?)",
            "EF (not ? or EG ?)",
            "AG ((? or (? or not AX E[? U ?])) or E[not ((? & ?) or AX ?) U (((? & ?) & ?) & EG (? & ?))])",
            "EF A[EX AF (? or ?) U ((not ((? or ?) & (? & ?)) or (not AF ? & AX ?)) & (A[(? or ?) U AF ?] & "
            "not AF ?))]",
            "EX AF not ?",
            "not AX not AF AG (? or ?)",
            "E[not AX AX not ? U (AX (? or not ((? & ?) & ?)) or not (? or ?))]",
            "EG not EF ((? or (EG ? or (? & ?))) & EG (? & ?))",
            "(not (AF EF EF ? & E[EF ? U not EF ?]) & A[((EG EX ? & AF AG ?) or (AX not (? or ?) or not EG "
            "A[? U ?])) U AF not ?])",
            "AG ((((not ((? or ?) or not ?) & ((? or (? or ?)) or (EX ? or (? or ?)))) & AF ((? & ?) & EX ?)) "
            "or EG EX AG ?) & ((not EF (? & ?) & ?) or ?))",
            "EG ?",
            "(AG AF (((AF ? or (? & ?)) & E[? U ?]) & ((A[? U ?] or not ?) or AF ?)) or EX (not AG E[? U ?] & "
            "(not ? & AG ?)))",
            "not EG (E[? U (A[? U ?] or EG ?)] & (((not (? & ?) or (EX ? or AG ?)) or ((AF ? & AF ?) or EG "
            "?)) & ((((? or ?) or EX ?) & ?) or not ((? & ?) & A[? U ?]))))",
        ),
    }
)
SIZES = (1, 2, 1, 4)
"""Transitions of an atom, or places of a sum, by turns."""


def formulas(examination: str, net: Net) -> list[str]:
    """Atoms go round the net, so that all parts of it are spoken of."""
    names = (
        _atoms(net.transitions, _fireable)
        if examination == "CTLFireability"
        else _atoms(net.places, _comparison)
    )
    return [re.sub(r"\?", lambda _: next(names), shape) for shape in SHAPES[examination]]


def _atoms(names: tuple[str, ...], atom: Callable[[Callable[[int], list[str]], int], str]) -> Iterator[str]:
    at = number = 0

    def take(size: int) -> list[str]:
        nonlocal at
        # A stride that visits different sorts of places; most numbers have nothing in common with it.
        taken = [names[(at + each) * 7 % len(names)] for each in range(min(size, len(names)))]
        at += size
        return taken

    while True:
        yield atom(take, number)
        number += 1


def _fireable(take: Callable[[int], list[str]], number: int) -> str:
    return f"fireable({', '.join(take(SIZES[number % len(SIZES)]))})"


def _comparison(take: Callable[[int], list[str]], number: int) -> str:
    """Two sums, or a sum and a number."""
    left = " + ".join(take(SIZES[number % len(SIZES)]))
    right = " + ".join(take(SIZES[(number + 1) % len(SIZES)])) if number % 2 else str(number % 3)
    return f"{{{left} <= {right}}}"
