"""All symmetries of a small net, by backtracking over its places.

In: a `Net` and markings to keep. Out: every pair (images of the places, images of the transitions) that maps
arcs to arcs of the same weight (Junttila 2003, Def. 3.2) and keeps the markings. The list is the whole group:
meant for nets whose symmetries one can count by hand. `certify` says why a given pair is no symmetry.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product

from burnside.net import Arcs, Net
from burnside.reference.permutations import Element, Images, Permutation

Shape = tuple[Arcs, Arcs]
"""All that a transition is, up to its name."""

Classes = Mapping[Shape, Sequence[int]]
"""Transitions by shape: those of one class differ in name only and may be exchanged freely."""


def certify(net: Net, permutation: Permutation) -> str | None:
    """None where the pair is a symmetry of the net, else the reason why not."""
    places, transitions = permutation
    if sorted(places) != list(range(len(net.places))):
        return "it is not a permutation of the places"
    if sorted(transitions) != list(range(len(net.transitions))):
        return "it is not a permutation of the transitions"
    for transition, image in enumerate(transitions):
        if _moved(_shape(net, transition), places) != _shape(net, image):
            old, new = net.transitions[transition], net.transitions[image]
            return f"the arcs of {old} do not become those of {new}"
    return None


def symmetries(net: Net, keeping: Sequence[Sequence[int]] = ()) -> list[Element]:
    """Every symmetry of the net that fixes the given markings; the identity comes first."""
    classes = _classes(net)
    return [
        (places, transitions)
        for places in _place_images(net, classes, keeping)
        for transitions in _transition_images(net, classes, places)
    ]


def _shape(net: Net, transition: int) -> Shape:
    return net.consumes[transition], net.produces[transition]


def _moved(shape: Shape, places: Images) -> Shape:
    consumes, produces = shape
    return (
        tuple(sorted((places[place], weight) for place, weight in consumes)),
        tuple(sorted((places[place], weight) for place, weight in produces)),
    )


def _classes(net: Net) -> Classes:
    classes = defaultdict(list)
    for transition in range(len(net.transitions)):
        classes[_shape(net, transition)].append(transition)
    return dict(classes)


def _place_images(net: Net, classes: Classes, keeping: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """Images for places 0, 1, ...; pairs of places are checked at every step, whole shapes at the leaves."""
    size = len(net.places)
    colours = [tuple(marking[place] for marking in keeping) for place in range(size)]
    links = _links(classes)

    def fits(images: list[int]) -> bool:
        new = len(images) - 1
        return colours[images[new]] == colours[new] and all(
            links.get((new, place)) == links.get((images[new], images[place])) for place in range(new + 1)
        )

    def extend(images: list[int]) -> Iterator[tuple[int, ...]]:
        if len(images) == size:
            if all(len(classes.get(_moved(shape, images), ())) == len(classes[shape]) for shape in classes):
                yield tuple(images)
            return
        for image in range(size):
            if image not in images and fits([*images, image]):
                yield from extend([*images, image])

    return extend([])


def _links(classes: Classes) -> Mapping[tuple[int, int], list[tuple[int, ...]]]:
    """For two places, the weights with which transitions connect them. Symmetries keep it, so pruning by it is sound."""
    links = defaultdict(list)
    for (consumes, produces), equals in classes.items():
        into, out = dict(consumes), dict(produces)
        touched = into.keys() | out.keys()
        for p, q in product(touched, repeat=2):
            weights = (into.get(p, 0), out.get(p, 0), into.get(q, 0), out.get(q, 0))
            links[p, q].append((len(equals), len(touched), *weights))
    return {pair: sorted(weights) for pair, weights in links.items()}


def _transition_images(net: Net, classes: Classes, places: Images) -> Iterator[tuple[int, ...]]:
    """The ways to send each class of equal transitions onto its image class."""
    sources = list(classes.values())
    targets = [permutations(classes[_moved(shape, places)]) for shape in classes]
    for choice in product(*targets):
        images = [0] * len(net.transitions)
        for source, target in zip(sources, choice, strict=True):
            for transition, image in zip(source, target, strict=True):
                images[transition] = image
        yield tuple(images)
