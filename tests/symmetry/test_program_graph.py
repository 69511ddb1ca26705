"""The graph of a program proposes what is certified: all of it for programs that only name elements, and little else."""

from __future__ import annotations

import pytest
from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Action, Program, Property
from burnside.ir.types import BOOLEAN, Array, Element, Integer, Sort
from burnside.limits import Deadline
from burnside.records import replace
from burnside.symmetry.points import composed
from burnside.symmetry.programs import find, program_symmetry
from burnside.symmetry.programs.graph_search import Generated, GraphSearch, inverse
from burnside.symmetry.programs.independence import layers
from burnside.symmetry.programs.program_graph import ProgramGraph
from burnside.symmetry.programs.program_search import has_processes

from tests.process_programs import action, both, bound, put, read, sort, state, table
from tests.symmetry.test_programs_models import FOUND, model

NODES = sort("node", 6)
NODE = Element(NODES)
AT = state("at", Array(NODE, Integer(0, 3)))


def node(number: int) -> e.Constant:
    return e.Constant(number, NODE)


def program(*start: s.Statement, edges: list[tuple[int, int]] | None = None, **more: object) -> Program:
    """A process may go on where a neighbour is at 1."""
    p, me = bound("p", NODE)
    q, other = bound("q", NODE)
    entries = [int((a, b) in (edges or [])) for a in range(6) for b in range(6)]
    linked = e.Lookup(e.Table("linked", (NODE, NODE), BOOLEAN, tuple(entries)), (me, other))
    guard = both(linked, e.Binary("=", read(AT, other), e.Constant(1, Integer(0, 3))))
    steps = action("step", [p, q], guard, put(e.Index(AT, me), 1))
    made = Program("made", (NODES,), (AT,), (Action("start", (), start),), (steps,))
    return replace(made, **more)


def ring(size: int = 6) -> list[tuple[int, int]]:
    return [(at, (at + 1) % size) for at in range(size)]


def order(made: Program) -> int:
    found = ProgramGraph(made).automorphisms()
    assert found is not None
    return found.order


def test_tables_are_graphs() -> None:
    assert order(program(edges=ring())) == 6
    assert order(program(edges=[*ring(), *((b, a) for a, b in ring())])) == 12
    triangles = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]
    assert order(program(edges=triangles)) == 18
    assert order(program(edges=[])) == 720


def test_the_order_of_independent_statements_does_not_count() -> None:
    cells = [put(e.Index(AT, node(number)), number % 2) for number in range(6)]
    assert order(program(*cells)) == order(program(*cells[::-1])) == 36
    # What reads and what is overwritten has an order.
    copies = [put(e.Index(AT, node((n + 1) % 6)), e.Read(e.Index(AT, node(n)))) for n in range(6)]
    assert order(program(*copies)) == 1


def test_layers_are_the_same_for_all_orders_of_independent_statements() -> None:
    a, b, c = (put(e.Index(AT, node(n)), 1) for n in range(3))
    reads = put(e.Index(AT, node(3)), read(AT, node(0)))
    assert layers((a, b, reads, c)) == [[a, b, c], [reads]]
    assert [sorted(map(id, each)) for each in layers((c, a, reads, b))] == [
        sorted(map(id, each)) for each in layers((a, b, c, reads))
    ]


def test_branches_on_one_value_have_no_order() -> None:
    flag = state("flag", Integer(0, 1))
    chosen = state("chosen", NODE)
    branches = [s.Branch(e.Binary("=", e.Read(chosen), node(n)), (put(flag, n % 2),)) for n in range(4)]
    made = program(s.If(tuple(branches), ()), put(flag, 0), variables=(AT, flag, chosen))
    mixed = program(s.If(tuple(branches[::-1]), ()), put(flag, 0), variables=(AT, flag, chosen))
    first = program(s.If(tuple(branches[1:]), ()), put(flag, 0), variables=(AT, flag, chosen))
    # The variable begins as the first element, and nodes 4 and 5 are not mentioned.
    assert order(made) == order(mixed) == 1 * 2 * 2
    assert order(first) == 2 * 2


def test_properties_restrict_and_are_named() -> None:
    kept = Property("invariant", "not 0", e.Binary("!=", read(AT, node(0)), e.Constant(3, Integer(0, 3))))
    made = program(edges=[(a, b) for a in range(6) for b in range(6) if a != b], properties=(kept,))
    assert has_processes(made)
    found = program_symmetry(made)
    assert found.restricted_by == ("not 0",)
    assert found.complete
    assert {each.permutation[0] for each in found.generators} == {0}
    assert found.order == 120


def test_what_is_refused_does_not_cost_the_rest() -> None:
    """Two sorts, of which one is ordered somewhere: the graph does not know, the certifier does."""
    ranks = Sort("rank", ("low", "high"), "fixed", "enum")
    rank = state("rank", Element(ranks))
    made = program(edges=[])
    ordered = e.Binary("<", e.Read(rank), e.Read(rank))
    climbs = replace(made.actions[0], name="climb", guard=ordered)
    made = replace(
        made,
        sorts=(NODES, ranks),
        variables=(AT, rank),
        actions=(*made.actions, climbs),
        starts=(Action("start", (), (s.Assign(rank, e.Constant(0, Element(ranks))),)),),
    )
    found = program_symmetry(made)
    assert found.order == 720 or len(found.generators) >= 2
    assert all(each.permutation[6:] == (6, 7) for each in found.generators)


@pytest.mark.parametrize("name", FOUND)
def test_the_graph_finds_what_was_found_sort_by_sort(name: str) -> None:
    found = find(model(name))
    graph = ProgramGraph(found.program).automorphisms()
    assert graph is not None
    group = Generated(graph.generators)
    assert all(each.permutation in group for each in found.generators)


def test_a_search_without_time_gives_up() -> None:
    graph = ProgramGraph(program(edges=ring()))
    search = GraphSearch(graph, lambda _: True, lambda _: (), Deadline(0.0))
    assert graph.automorphisms(seconds=0) is None or search.graph is graph


def test_products_of_refused_generators_are_tried() -> None:
    """Only even permutations are admitted: single exchanges are refused, products of two are not."""

    def is_even(images: tuple[int, ...]) -> bool:
        return sum(images[a] > images[b] for b in range(6) for a in range(b)) % 2 == 0

    search = GraphSearch(ProgramGraph(program(edges=[])), is_even, lambda _: (), Deadline())
    search.run()
    assert not search.complete
    assert search.admitted
    assert all(map(is_even, search.admitted))
    one, other = search.admitted[0], inverse(search.admitted[0])
    assert composed(one, other) == tuple(range(6))


__all__ = ["table"]
