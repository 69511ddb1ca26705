"""Symmetries of a high-level net on its unfolding. In: certified permutations of elements. Out: permutations of places, for
the gate through which all symmetries of place/transition nets go.

Where a transition goes is found by its arcs: a symmetry may also permute variables, and instances with the same arcs are
alike.
"""

from __future__ import annotations

from collections.abc import Sequence

from burnside import _core
from burnside.diagnostics import contradiction
from burnside.symmetry.elements import CertifiedGenerator, sort_images
from burnside.symmetry.nets import GivenSymmetry, core_net
from burnside.unfolding.unfolded import Unfolded


def given_symmetries(
    unfolded: Unfolded, generators: Sequence[CertifiedGenerator], handle: _core.Net | None = None
) -> tuple[GivenSymmetry, ...]:
    """Each is certified on the unfolded net; one that is no symmetry there is an internal contradiction. Those that move no
    place are left out. `handle`: the net inside the core, where it is there already."""
    found = [(each, given_symmetry(unfolded, each)) for each in generators]
    net = unfolded.net
    identity = tuple(range(len(net.places)))
    moving = [(each, given) for each, given in found if given.places != identity]
    if not moving:
        return ()
    _, refused = _core.group_of_given(
        handle or core_net(net),
        [net.initial],
        [],
        [(given.places, given.source) for _, given in moving],
        False,
    )
    for number, reason in refused:
        raise _no_symmetry(unfolded, moving[number][0], reason)
    return tuple(given for _, given in moving)


def given_symmetry(unfolded: Unfolded, generator: CertifiedGenerator) -> GivenSymmetry:
    """Not certified yet."""
    images = sort_images(unfolded.source.sorts, generator.permutation)
    places: list[int] = []
    for place, each in enumerate(unfolded.source.places):
        permuter = unfolded.codes.permuter(each.type, images)
        numbers = unfolded.places_of(place)
        codes = unfolded.place_codes[numbers.start : numbers.stop]
        by_code = dict(zip(codes, numbers, strict=True))
        try:
            places += [by_code[permuter(code)] for code in codes]
        except KeyError:
            raise _no_symmetry(
                unfolded, generator, f"it moves a token of {each.name} that is never there"
            ) from None
    return GivenSymmetry(tuple(places), generator.source)


def _no_symmetry(unfolded: Unfolded, generator: CertifiedGenerator, reason: str) -> Exception:
    what = f"{generator.cycles} ({generator.source}) is no symmetry of the unfolded net: {reason}"
    return contradiction(what, unfolded.source.name)
