"""Declared topologies: processes form a ring, a hypercube, a tree, or any graph. Certified, never trusted."""

from __future__ import annotations

from pathlib import Path

import burnside
import pytest
from burnside.cli import main
from burnside.diagnostics import BurnsideError, InputError, RefusedError
from burnside.ir.program import Program
from burnside.limits import Deadline
from burnside.model import Model
from burnside.symmetry.programs.promises import promised

EXAMPLES = Path(__file__).parents[2] / "examples" / "promela"
CUBE = "1->{2,3,5}, 2->{1,4,6}, 3->{1,4,7}, 4->{2,3,8}, 5->{1,6,7}, 6->{2,5,8}, 7->{3,5,8}, 8->{4,6,7}"
"""As in Donaldson, Miller, Calder 2005, section 7."""


def example(name: str, *symmetric: str, **sizes: int) -> Model:
    model = burnside.load(EXAMPLES / f"{name}.pml", sizes, symmetric=symmetric)
    assert isinstance(model, Model)
    return model


def written(folder: Path, text: str) -> Path:
    path = folder / "model.pml"
    path.write_text(text)
    return path


IDLE = "active [{0}] proctype p() {{ do :: true od }}\nactive [{1}] proctype q() {{ do :: true od }}\n"


@pytest.mark.parametrize(
    ("processes", "topology", "order"),
    [
        ((5, 1), "p: clique", 120),
        ((5, 1), "p: ring", 5),
        ((5, 1), "p: cycle", 10),
        ((5, 1), "p: line", 2),
        ((5, 1), "p: star", 24),
        ((8, 1), "p: hypercube", 48),
        ((16, 1), "p: hypercube", 384),
        ((6, 1), "p: grid(2, 3)", 4),
        ((9, 1), "p: grid(3, 3)", 8),
        ((12, 1), "p: torus(3, 4)", 48),
        ((3, 8), "p, q: tree(3, 3, 2)", 144),
        ((3, 8), "p, q: tree(4, 3, 1)", 144),
        ((2, 4), "p, q: tree(2, 2)", 8),
        ((4, 1), "p: 0->1, 1->2, 2->0, 3->{}", 3),
        ((4, 1), "p: 0--1, 1--{2}, 2--0, 3->{}", 6),
        ((2, 2), "p, q: 0--2, 1--3", 2),
        ((1, 1), "p: ring", 1),
    ],
)
def test_the_group_of_a_topology(
    tmp_path: Path, processes: tuple[int, int], topology: str, order: int
) -> None:
    model = burnside.load(written(tmp_path, IDLE.format(*processes)), symmetric=[topology])
    assert isinstance(model, Model) and isinstance(model.subject, Program)
    found = promised(model.subject, Deadline())
    assert [each.order for each in found] == ([order] if order > 1 else [])
    # All processes are alike: what is declared is all that is used.
    assert burnside.symmetries(model, symmetry="declared").order == order


def test_three_levels(tmp_path: Path) -> None:
    text = "active [1] proctype a() { do :: true od }\nactive [3] proctype b() { do :: true od }\n"
    text += "active [7] proctype c() { do :: true od }\n"
    path = written(tmp_path, text)
    model = burnside.load(path, symmetric=["a, b, c: tree(3; 3, 3, 1)"])
    assert burnside.symmetries(model, symmetry="declared").order == 72


@pytest.mark.parametrize(
    ("name", "declared", "order"),
    [
        ("hypercube", "node: hypercube", 48),
        ("hypercube", f"node: {CUBE}", 48),
        ("three_tiers", "server, client: tree(C1, C2, C3)", 144),
        ("token_ring", "station: ring", 4),
        ("philosophers", "philosopher: ring", 5),
        ("star", "leaf: clique", 24),
    ],
)
def test_a_topology_that_is_kept(name: str, declared: str, order: int) -> None:
    model = example(name, declared)
    for symmetry in ("strict", "declared"):
        found = burnside.symmetries(model, symmetry=symmetry)
        assert (found.order, found.refused) == (order, ())
    whole = burnside.check(model, keep_going=True)
    some = burnside.check(model, symmetry="declared", keep_going=True)
    assert (whole.states, whole.full_states) == (some.states, some.full_states)


def test_sizes_are_known_in_a_topology() -> None:
    model = example("three_tiers", "server, client: tree(C1, C2, C3)", C1=2, C2=2, C3=2)
    assert burnside.symmetries(model, symmetry="strict").order == 48


def test_only_what_is_declared_is_used() -> None:
    """Servers move with their clients; clients alone are not declared."""
    assert burnside.symmetries(example("three_tiers", "server"), symmetry="declared").order == 2
    part = example("hypercube", "node: 1--2, 3--4, 5--6, 7--8, 1--3, 5--7")
    assert burnside.symmetries(part, symmetry="declared").order == 4
    assert burnside.symmetries(part).order == 48
    outcome = burnside.check(part, symmetry="declared")
    assert (outcome.reduction.group_order, outcome.full_states) == (4, 15409)
    assert outcome.states > 411


@pytest.mark.parametrize(
    ("name", "declared", "reason"),
    [
        (
            "asymmetric/hypercube_preferred",
            "node: hypercube",
            "of 48 automorphisms only 2 were shown to be symmetries",
        ),
        ("hypercube_fixed", "node: hypercube", "of 48 automorphisms only 6 were shown to be symmetries"),
        ("hypercube", "node: torus(2, 4)", "of 48 automorphisms only 8 were shown to be symmetries"),
        ("hypercube", "node: ring", "of 8 automorphisms only 2 were shown to be symmetries"),
        ("three_tiers", "server, client: tree(3, 2, 3)", "of 144 automorphisms only"),
        ("philosophers", "philosopher: cycle", "of 10 automorphisms only 5 were shown to be symmetries"),
        ("asymmetric/philosophers_left_handed", "philosopher: ring", "none but the identity"),
        ("asymmetric/token_ring_start", "station: ring", "none but the identity"),
    ],
)
def test_a_topology_that_is_not_kept(name: str, declared: str, reason: str) -> None:
    model = example(name, declared)
    for symmetry in ("auto", "declared"):
        found = burnside.symmetries(model, symmetry=symmetry)
        [refusal] = found.refused
        assert reason in refusal.reason
        assert (
            refusal.what
            == f"proctype{'s' if ',' in declared.partition(':')[0] else ''} "
            + declared.replace(":", " as", 1)
        )
    # What was shown of it is a part of what was found without it.
    assert burnside.symmetries(example(name)).order % found.order == 0
    with pytest.raises(RefusedError, match="could not be shown to be symmetric"):
        burnside.check(model, symmetry="strict")
    with pytest.raises(RefusedError, match="could not be shown to be symmetric"):
        burnside.symmetries(model, symmetry="strict")


def test_what_is_to_be_fixed_is_not_asked_for() -> None:
    model = example("philosophers", "philosopher: cycle")
    outcome = burnside.check(model, symmetry="strict", broken=("philosopher",), keep_going=True)
    assert (outcome.states, outcome.reduction.dropped) == (392, ())


@pytest.mark.parametrize(
    "comment",
    [
        "/* burnside: symmetric worker: ring */",
        "// burnside: symmetric worker : 0->1,1->2, 2->0\n",
        "/* burnside: symmetric\n * worker: 0 -> 1,\n * 1 -> {2}, 2 -> 0\n */",
    ],
)
def test_a_comment_may_declare_a_topology(tmp_path: Path, comment: str) -> None:
    body = "byte inside;\nactive [3] proctype worker() { do :: atomic { inside == 0 -> inside++ }; inside-- od }\n"
    path = written(tmp_path, comment + body)
    assert burnside.symmetries(path, symmetry="declared").order == 3
    assert burnside.symmetries(path).order == 6
    path = written(tmp_path, comment + body.replace("== 0 ->", "== 0 && _pid < 2 ->"))
    [refusal] = burnside.symmetries(path).refused
    line, column = comment[: comment.index("worker")].count("\n"), comment.rindex("worker")
    assert (refusal.line, refusal.column) == (line + 1, column - comment.rfind("\n", 0, column))


@pytest.mark.parametrize(
    ("said", "offset", "message"),
    [
        ("", 1, "expected the name of a proctype, found the end of the declaration"),
        ("x: ring", 0, "there is no proctype 'x'"),
        ("p ring", 2, "expected ',' or ':', found 'ring'"),
        ("p: rnig", 3, "there is no topology 'rnig'"),
        ("p:", 2, "expected the name of a topology, or a graph, found the end of the declaration"),
        ("p, p: ring", 3, "proctype 'p' is named twice"),
        ("p: ring(3)", 3, "this topology takes no numbers"),
        ("p: hypercube", 3, "a hypercube has 1, 2, 4, 8, ... processes, but there are 3 of p"),
        ("p: grid(2, 2)", 3, "grid(2, 2) has 4 processes, but there are 3 of p"),
        ("p: grid(3)", 3, "this topology takes two numbers, of rows and of columns"),
        ("p, q: ring", 6, "ring is a topology of one proctype, not of p and q"),
        ("p: tree(1)", 3, "a tree needs several proctypes, parents first: server, client: tree(3, 3, 2)"),
        ("p, q: tree(1, 1)", 6, "tree(1, 1) is about 2 of p, but there are 3 processes"),
        ("p, q: tree(1, 1, 1)", 6, "tree(1, 1, 1) has 3 of q, but there are 2 processes"),
        ("p, q: tree(1; 1)", 6, "a tree of 2 proctypes takes one row of numbers"),
        ("p: tree(1", 9, "expected ')', found the end of the declaration"),
        ("p: grid(a, 2)", 8, "expected a number, found 'a'"),
        ("p: 0->{1,2}, 3->0", 13, "no process of p has the pid 3"),
        ("p: 0->1", 3, "the graph leaves out process 2 of p"),
        ("p: 0=>1", 4, "expected '->' or '--', found '='"),
        ("p: 0->{1,2", 10, "expected '}', found the end of the declaration"),
        ("p: 0->q", 6, "expected the pid of a process, or '{', found 'q'"),
        ("p: 0->{1}, 1->2 x", 16, "expected the end of the declaration, found 'x'"),
        (
            "p: 0->99999999999999999999",
            6,
            "expected the pid of a process, or '{', found '99999999999999999999'",
        ),
    ],
)
def test_malformed_declarations(tmp_path: Path, said: str, offset: int, message: str) -> None:
    text = f"\n/* burnside: symmetric {said} */\n{IDLE.format(3, 2)}"
    with pytest.raises(InputError) as caught:
        burnside.load(written(tmp_path, text))
    diagnostic = caught.value.diagnostic
    assert diagnostic.message == message
    assert diagnostic.span is not None
    assert (diagnostic.span.line, diagnostic.span.column) == (2, text.index("symmetric ") + 10 + offset)
    assert "^" in str(caught.value)
    with pytest.raises(BurnsideError) as caught:
        burnside.load(written(tmp_path, IDLE.format(3, 2)), symmetric=[said])
    assert caught.value.diagnostic.message == message
    assert str(caught.value).startswith("--symmetric:1:")


def test_processes_that_need_more_room_than_was_guessed(tmp_path: Path) -> None:
    """Nothing in the text says that the loop creates eight processes."""
    text = """
    byte n; proctype p() { do :: true od }
    init { do :: atomic { n < 8 -> run p(); n++ } :: n == 8 -> break od }
    """
    path = written(tmp_path, text)
    assert (
        burnside.symmetries(burnside.load(path, symmetric=["p: hypercube"]), symmetry="declared").order == 1
    )
    with pytest.raises(InputError, match="but there are"):
        burnside.load(path, symmetric=["p: grid(3, 4)"])


def test_graphs_are_drawn_under_what_is_declared(tmp_path: Path) -> None:
    out = tmp_path / "ring.json"
    model = str(EXAMPLES / "token_ring.pml")
    assert (
        main(["graph", model, "--symmetric", "station: ring", "--symmetry", "declared", "-o", str(out)]) == 0
    )
    assert out.read_text().count('"marking"') == 41
