"""Wreath products, recognised by what they act on.

In: a `Factor`. Out: what it is a wreath product of, or None. Two theorems:

* A group that permutes b blocks of an orbit, and of which nothing but the identity fixes all points of the orbit, is
  embedded in H wr K, where H is what the stabiliser of a block does on the block, and K what the group does on the blocks
  (Dixon and Mortimer 1996, section 2.6). So it is H wr K if its order is |H|^b |K|.
* The automorphisms of the n-dimensional hypercube are S2 wr Sn, of order 2^n n!. A group of that order that acts faithfully
  on 2^n points and keeps a graph on them that is a hypercube is this group.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from math import factorial

from burnside.symmetry.factors import (
    MAX_WORK,
    Factor,
    Permutation,
    UnionFind,
    block_systems,
    group_order,
    moved,
    product,
)

MAX_ORBITS = 20
"""That are tried."""
MAX_BLOCK_POINTS = 2000
MAX_CUBE = 256


def wreath_parts(factor: Factor) -> Iterator[tuple[Factor, Factor]]:
    """H and K, for each orbit and block system that shows it; H acts on one block, K on the numbers of blocks."""
    for orbit in factor.orbits[:MAX_ORBITS]:
        if len(orbit) > MAX_BLOCK_POINTS or not factor.is_faithful_on([[point] for point in orbit]):
            continue
        for blocks in block_systems(factor.generators, orbit):
            outer = Factor(tuple(filter(None, map(moved, factor.action_on(blocks)))))
            if factor.order % outer.order:
                continue
            inner = _on_block(factor, blocks)
            if inner.generators and inner.order ** len(blocks) * outer.order == factor.order:
                yield inner, outer


def _on_block(factor: Factor, blocks: Sequence[Sequence[int]]) -> Factor:
    """What the stabiliser of the first block does on it: the Schreier generators, restricted."""
    part_of = {point: number for number, part in enumerate(blocks) for point in part}
    to_block: dict[int, Permutation] = {0: {}}
    waiting = deque([0])
    while waiting:
        at = waiting.popleft()
        for generator in factor.generators:
            point = blocks[at][0]
            image = part_of[generator.get(point, point)]
            if image not in to_block:
                to_block[image] = product(generator, to_block[at])
                waiting.append(image)
    back = {number: _inverse(each) for number, each in to_block.items()}
    inside = set(blocks[0])
    found: list[Permutation] = []
    for number, there in to_block.items():
        for generator in factor.generators:
            point = blocks[number][0]
            element = product(back[part_of[generator.get(point, point)]], product(generator, there))
            own = {point: image for point, image in element.items() if point in inside}
            if own and own not in found:
                found.append(own)
    return Factor(tuple(found))


def _inverse(permutation: Permutation) -> Permutation:
    return {image: point for point, image in permutation.items()}


def cube_dimension(factor: Factor) -> int | None:
    """n, where the group is all of the automorphisms of an n-dimensional hypercube."""
    for orbit in factor.orbits[:MAX_ORBITS]:
        size = len(orbit)
        dimension = size.bit_length() - 1
        if size != 1 << dimension or dimension < 2 or size > MAX_CUBE:
            continue
        if factor.order != size * factorial(dimension) or size**2 * len(factor.generators) > MAX_WORK:
            continue
        if group_order(factor.action_on([[point] for point in orbit])) != factor.order:
            continue
        if any(_is_cube(graph, dimension) for graph in _graphs(factor, orbit, dimension)):
            return dimension
    return None


def _graphs(factor: Factor, orbit: Sequence[int], degree: int) -> Iterator[list[list[int]]]:
    """The graphs of this degree whose edges are an orbit of pairs: the neighbours of each point, by number."""
    size = len(orbit)
    index = {point: number for number, point in enumerate(orbit)}
    local = [[index[g.get(point, point)] for point in orbit] for g in factor.generators]
    pairs = UnionFind(size * size)
    for images in local:
        for a in range(size):
            for b in range(a):
                pairs.join(a * size + b, images[a] * size + images[b])
                pairs.join(b * size + a, images[b] * size + images[a])
    for a in range(size):
        for b in range(a):
            pairs.join(a * size + b, b * size + a)
    for root in {pairs.find(other) for other in range(1, size)}:
        graph = [[b for b in range(size) if a != b and pairs.find(a * size + b) == root] for a in range(size)]
        if all(len(each) == degree for each in graph):
            yield graph


def _is_cube(graph: Sequence[Sequence[int]], dimension: int) -> bool:
    """Do coordinates exist in which neighbours are those that differ in one? The neighbours of point 0 give one each, and
    every other point has those of its neighbours that are nearer to 0."""
    coordinates = {0: 0}
    waiting = deque([0])
    for number, neighbour in enumerate(graph[0]):
        coordinates[neighbour] = 1 << number
        waiting.append(neighbour)
    depth = {0: 0} | dict.fromkeys(graph[0], 1)
    while waiting:
        at = waiting.popleft()
        for each in graph[at]:
            if each not in depth:
                depth[each] = depth[at] + 1
                coordinates[each] = 0
                waiting.append(each)
            if depth[each] == depth[at] + 1:
                coordinates[each] |= coordinates[at]
    if len(set(coordinates.values())) != len(graph) or len(coordinates) != len(graph):
        return False
    return all(
        (coordinates[a] ^ coordinates[b]).bit_count() == 1 for a, near in enumerate(graph) for b in near
    )
