"""Terms over points: expressions, statements and tables without the names and orders that do not matter.

In: kinds of nodes and their children, by label; equal labels where the order of children does not matter. Out: numbers,
equal for equal terms. So a term that names no point is nothing but a colour, and of the others no two agree in colour and
children: what a permutation of points does to terms is decided by the points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

from burnside.records import field, record

Child = tuple[Hashable, int]
"""A label (a position, mostly) and a term."""


@record(eq=False)
class _Row:
    """`colour`: the kind, and the children that name no points. `inner`: the others, with their labels and how often."""

    colour: tuple[Hashable, frozenset[tuple[Child, int]]]
    inner: tuple[tuple[int, Hashable, int], ...]
    height: int


@record
class ColouredGraph:
    """As `_core.graph_automorphisms` takes it."""

    points: list[int]
    nodes: list[int]
    edges: list[tuple[int, int, int]]


@record(frozen=False)
class Terms:
    """Points are the first terms, by their number."""

    points: int
    _known: dict[Hashable, int] = field(default_factory=dict)
    _rows: dict[int, _Row] = field(default_factory=dict)
    _closed: set[int] = field(default_factory=set)

    def of(self, kind: Hashable, children: Iterable[Child] = ()) -> int:
        return self._numbered(kind, Counter(children))

    def _numbered(self, kind: Hashable, count: Counter[Child]) -> int:
        key = kind, frozenset(count.items())
        known = self._known.get(key)
        if known is not None:
            return known
        number = self._known[key] = self.points + len(self._known)
        inner = tuple(
            (child, label, times) for (label, child), times in count.items() if child not in self._closed
        )
        if not inner:
            self._closed.add(number)
            return number
        closed = frozenset((each, times) for each, times in count.items() if each[1] in self._closed)
        height = 1 + max(self._height(child) for child, _, _ in inner)
        self._rows[number] = _Row((kind, closed), inner, height)
        return number

    def names_points(self, term: int) -> bool:
        return term not in self._closed

    def renamed(self, term: int, images: dict[int, int]) -> int:
        """The term with other terms in the place of some: `images`, which remembers what becomes of all inside."""
        if term in images:
            return images[term]
        row = self._rows.get(term)
        if row is None:
            return term
        children = [(label, self.renamed(child, images), times) for child, label, times in row.inner]
        if all(new == old for (_, new, _), (old, _, _) in zip(children, row.inner, strict=True)):
            images[term] = term
            return term
        kind, closed = row.colour
        contents = Counter(dict(closed))
        for label, child, times in children:
            contents[label, child] += times
        images[term] = self._numbered(kind, contents)
        return images[term]

    def points_below(self, roots: Iterable[int]) -> set[int]:
        """The points that these terms name."""
        below = self._below(roots)
        return {child for each in below for child, *_ in self._rows[each].inner if child < self.points} | {
            root for root in roots if root < self.points
        }

    def _height(self, term: int) -> int:
        return self._rows[term].height if term in self._rows else 0

    def graph(self, colours: Sequence[Hashable], roots: Iterable[int]) -> ColouredGraph:
        """Of everything below the roots. Edges lead from high terms to low ones, so they need no direction."""
        paint: dict[Hashable, int] = {}

        def number(colour: Hashable) -> int:
            return paint.setdefault(colour, len(paint))

        vertices = {point: point for point in range(self.points)}
        below = sorted(self._below(roots))
        vertices |= {term: self.points + at for at, term in enumerate(below)}
        edges = [
            (vertices[term], vertices[child], number(("edge", label, times)))
            for term in below
            for child, label, times in self._rows[term].inner
        ]
        nodes = [number(("node", row.height, row.colour)) for row in (self._rows[term] for term in below)]
        return ColouredGraph([number(("point", colour)) for colour in colours], nodes, edges)

    def _below(self, roots: Iterable[int]) -> set[int]:
        found: set[int] = set()
        waiting = [root for root in roots if root in self._rows]
        while waiting:
            term = waiting.pop()
            if term not in found:
                found.add(term)
                waiting += [child for child, _, _ in self._rows[term].inner if child in self._rows]
        return found
