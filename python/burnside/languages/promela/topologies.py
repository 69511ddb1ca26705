"""Named graphs on processes: rings, hypercubes, trees, ...

In: how many processes there are, and the numbers behind the name. Out: arcs between processes, which are numbered in the
order of their proctypes and pids. What does not fit is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise

from burnside.diagnostics import InputError
from burnside.records import record

Arc = tuple[int, int]
Rows = tuple[tuple[int, ...], ...]
"""Numbers in parentheses, in rows that semicolons separate."""


@record
class Request:
    """`names`, `sizes`: of the proctypes. `title`: as the user wrote it. `error`: at its place."""

    title: str
    names: tuple[str, ...]
    sizes: tuple[int, ...]
    rows: Rows
    error: Callable[[str], InputError]

    def single(self) -> int:
        """The number of processes, where there is one proctype."""
        if len(self.sizes) > 1:
            raise self.error(f"{self.title} is a topology of one proctype, not of {' and '.join(self.names)}")
        return self.sizes[0]

    def plain(self) -> int:
        """The same for a topology without numbers."""
        if self.rows:
            raise self.error("this topology takes no numbers")
        return self.single()


def _both_ways(edges: Iterator[Arc]) -> Iterator[Arc]:
    for a, b in edges:
        yield a, b
        yield b, a


def _ring(request: Request) -> Iterator[Arc]:
    size = request.plain()
    return ((at, (at + 1) % size) for at in range(size))


def _cycle(request: Request) -> Iterator[Arc]:
    return _both_ways(_ring(request))


def _line(request: Request) -> Iterator[Arc]:
    return _both_ways(pairwise(range(request.plain())))


def _star(request: Request) -> Iterator[Arc]:
    return ((0, leaf) for leaf in range(1, request.plain()))


def _hypercube(request: Request) -> Iterator[Arc]:
    size = request.plain()
    if size.bit_count() != 1:
        raise request.error(
            f"a hypercube has 1, 2, 4, 8, ... processes, but there are {size} of {request.names[0]}"
        )
    dimensions = range(size.bit_length() - 1)
    return ((at, at ^ (1 << each)) for at in range(size) for each in dimensions)


def _grid(request: Request) -> Iterator[Arc]:
    return _both_ways(_lattice(request, closed=False))


def _torus(request: Request) -> Iterator[Arc]:
    return _both_ways(_lattice(request, closed=True))


def _lattice(request: Request, *, closed: bool) -> Iterator[Arc]:
    size = request.single()
    if len(request.rows) != 1 or len(request.rows[0]) != 2:
        raise request.error("this topology takes two numbers, of rows and of columns")
    rows, columns = request.rows[0]
    if rows * columns != size:
        raise request.error(
            f"{request.title} has {rows * columns} processes, but there are {size} of {request.names[0]}"
        )
    return (
        (row * columns + column, (row + down) % rows * columns + (column + right) % columns)
        for row in range(rows)
        for column in range(columns)
        for down, right in ((1, 0), (0, 1))
        if closed or (row + down < rows and column + right < columns)
    )


def _tree(request: Request) -> Iterator[Arc]:
    """The processes of a proctype are the parents of those of the next one: the first has as many of them as the first
    number says, and so on."""
    names, sizes = request.names, request.sizes
    if len(sizes) < 2:
        raise request.error("a tree needs several proctypes, parents first: server, client: tree(3, 3, 2)")
    if len(request.rows) != len(sizes) - 1:
        rows = "one row of numbers" if len(sizes) == 2 else f"{len(sizes) - 1} rows of numbers: (a; b, c)"
        raise request.error(f"a tree of {len(sizes)} proctypes takes {rows}")
    arcs: list[Arc] = []
    first = 0
    for level, row in enumerate(request.rows):
        parents, children = sizes[level], sizes[level + 1]
        if len(row) != parents:
            raise request.error(
                f"{request.title} is about {len(row)} of {names[level]}, but there are {parents} processes"
            )
        if sum(row) != children:
            raise request.error(
                f"{request.title} has {sum(row)} of {names[level + 1]}, but there are {children} processes"
            )
        child = first + parents
        for parent, count in enumerate(row, first):
            arcs += [(parent, each) for each in range(child, child + count)]
            child += count
        first += parents
    return iter(arcs)


CLIQUE = "clique"
"""Everything may be exchanged: no graph is needed."""

GRAPHS: Mapping[str, Callable[[Request], Iterator[Arc]]] = {
    "ring": _ring,
    "cycle": _cycle,
    "line": _line,
    "star": _star,
    "hypercube": _hypercube,
    "grid": _grid,
    "torus": _torus,
    "tree": _tree,
}
