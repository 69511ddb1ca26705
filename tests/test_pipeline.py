"""The passes together, on small nets whose answers can be counted by hand or come from the unreduced run."""

from __future__ import annotations

from typing import Any

import burnside
import pytest
from burnside import families
from burnside.diagnostics import InputError, RefusedError, UsageError
from burnside.net import Net
from burnside.request import Limits

CANONICAL = ("flood", "nauty", "search", "minimise", "compare")

MUTEX = families.build("mutex", ["3"])
PHILOSOPHERS = families.build("ph", ["4"])

# p0 and p1 swap; the token starts in p0, so only symmetries that move the initial marking swap them.
SWAP = Net("swap", ("a", "b", "c"), (1, 0, 0), ("ac", "bc"), (((0, 1),), ((1, 1),)), (((2, 1),), ((2, 1),)))
# The token doubles for ever.
UNBOUNDED = Net("unbounded", ("p",), (1,), ("double",), (((0, 1),),), (((0, 2),),))
# It doubles in one step, so that 64 bits are soon too few.
EXPLODING = Net(
    "exploding",
    ("p", "q"),
    (2**63, 0),
    ("more", "back"),
    (((0, 2**63),), ((1, 2**63),)),
    (((1, 2**64 - 1),), ((0, 2**64 - 1),)),
)


def test_a_deadlock_is_found_and_its_trace_ends_dead() -> None:
    outcome = burnside.check(PHILOSOPHERS, deadlock=True)
    (result,) = outcome.properties
    assert outcome.verdict == result.verdict == "violated"
    assert outcome.exit_code == 1
    assert result.trace is not None
    final = [int(result.trace.steps[-1].state[place]) for place in PHILOSOPHERS.places]
    assert PHILOSOPHERS.enabled(final) == []


def test_a_net_has_no_properties_unless_asked() -> None:
    outcome = burnside.check(PHILOSOPHERS)
    assert outcome.properties == ()
    assert (outcome.verdict, outcome.stopped, outcome.exit_code) == ("holds", "exhausted", 0)


@pytest.mark.parametrize("method", [*CANONICAL, "auto"])
@pytest.mark.parametrize("net", [MUTEX, PHILOSOPHERS], ids=lambda net: net.name)
def test_canonical_methods_count_orbits_and_full_states(net: Net, method: str) -> None:
    unreduced = burnside.check(net, reduce="none")
    reference = burnside.check(net, engine="reference")
    outcome = burnside.check(net, reduce=method)
    assert outcome.full_states == unreduced.states == unreduced.full_states
    assert outcome.states == reference.states < unreduced.states
    assert outcome.transitions == reference.transitions
    assert outcome.bounds == unreduced.bounds
    assert outcome.dead_transitions == unreduced.dead_transitions == ()
    assert outcome.reduction.strength == "canonical"


def test_no_group_without_reduction() -> None:
    reduction = burnside.check(MUTEX, reduce="none").reduction
    assert (reduction.group_order, reduction.generators, reduction.strength) == (1, 0, "none")
    declared = burnside.check(MUTEX, symmetry="declared").reduction
    assert (declared.group_order, declared.name) == (1, "none")


def test_an_asymmetric_invariant_restricts_the_group_and_says_so() -> None:
    """The negative case of the thesis: a property of one process must not be judged on the naive quotient."""
    text = "critical_1 = 0"
    reduced = burnside.check(MUTEX, invariants=[text], reduce="search")
    full = burnside.check(MUTEX, invariants=[text], reduce="none")
    assert reduced.reduction.restricted_by == (text,)
    assert reduced.reduction.group_order == 2
    assert full.reduction.restricted_by == ()
    assert reduced.verdict == full.verdict == "violated"


def test_every_place_asked_for_is_found_under_reduction() -> None:
    for place in MUTEX.places:
        outcome = burnside.check(MUTEX, goals=[f"{place} = 1"])
        assert outcome.verdict == "violated", place
        assert outcome.properties[0].kind == "goal"


def test_a_symmetric_invariant_keeps_the_group() -> None:
    outcome = burnside.check(MUTEX, invariants=["critical_1 + critical_2 + critical_3 <= 1"])
    assert outcome.reduction.restricted_by == ()
    assert outcome.reduction.group_order == 6


def test_only_the_guilty_expressions_are_named() -> None:
    symmetric, guilty = "critical_1 + critical_2 + critical_3 <= 1", "critical_1 <= 1"
    outcome = burnside.check(MUTEX, invariants=[symmetric, guilty, "free <= 1"])
    assert outcome.reduction.restricted_by == (guilty,)
    assert outcome.verdict == "holds"


def test_several_properties_and_keep_going() -> None:
    outcome = burnside.check(
        MUTEX, invariants=["free <= 1", "free >= 1"], goals=["free >= 9"], safe=True, keep_going=True
    )
    assert outcome.stopped == "exhausted"
    verdicts = [result.verdict for result in outcome.properties]
    assert verdicts == ["holds", "holds", "violated", "holds"]
    assert [result.kind for result in outcome.properties] == ["safe", "invariant", "invariant", "goal"]


def test_after_a_first_violation_the_rest_is_unknown() -> None:
    outcome = burnside.check(SWAP, deadlock=True, invariants=["a + b + c = 1"])
    assert outcome.stopped == "violation"
    assert [result.verdict for result in outcome.properties] == ["violated", "unknown"]
    assert outcome.dead_transitions is None


def test_a_group_that_moves_the_initial_marking_tells_less() -> None:
    usual = burnside.check(SWAP, reduce="search")
    assert usual.bounds == {"a": 1, "b": 0, "c": 1}
    assert usual.dead_transitions == ("bc",)
    larger = burnside.check(SWAP, reduce="search", fixing="nothing")
    assert larger.reduction.group_order == 2
    assert (larger.full_states, larger.bounds, larger.dead_transitions) == (None, None, None)
    assert larger.largest_total == 1
    assert any("initial marking" in note for note in larger.notes)


@pytest.mark.parametrize("goal", ["a = 1", "b = 1", "c = 1", "a + b = 0"])
def test_goals_stay_right_whatever_is_fixed(goal: str) -> None:
    full = burnside.check(SWAP, goals=goal, reduce="none")
    assert burnside.check(SWAP, goals=goal, fixing="nothing", reduce="search").verdict == full.verdict


def test_fixing_a_marking_of_the_users_choice() -> None:
    assert burnside.symmetries(SWAP, fixing=("nothing",)).order == 2
    assert burnside.symmetries(SWAP, fixing=("a=1,b=1",)).order == 2
    assert burnside.symmetries(SWAP, fixing=('"a"=1',)).order == 1
    assert burnside.symmetries(SWAP, fixing=("initial", "c=3")).order == 1


@pytest.mark.parametrize(
    "text", ["", "a", "a=", "a=-1", "a=1,,b=1", "nowhere=1", "a=1,a=1", "a=99999999999999999999"]
)
def test_a_wrong_marking_is_pointed_at(text: str) -> None:
    with pytest.raises(InputError) as caught:
        burnside.symmetries(SWAP, fixing=(text,))
    assert caught.value.diagnostic.source == "--fixing"


def test_nothing_goes_with_nothing_else() -> None:
    with pytest.raises(UsageError):
        burnside.symmetries(SWAP, fixing=("nothing", "initial"))


@pytest.mark.parametrize("engine", ["core", "reference"])
def test_an_unbounded_net_ends_by_its_limit(engine: str) -> None:
    outcome = burnside.check(UNBOUNDED, invariants="p >= 1", engine=engine, limits=Limits(states=100))
    assert (outcome.stopped, outcome.verdict, outcome.exit_code) == ("max-states", "unknown", 3)
    assert outcome.properties[0].verdict == "unknown"
    assert outcome.full_states is None


def test_a_limit_ends_within_one_canonical_form() -> None:
    """Guided by the marking, a single marking of db 20 takes longer than anyone waits."""
    databases = families.build("db", ["20"])
    outcome = burnside.check(databases, reduce="search", guide="marking", limits=Limits(seconds=0.5))
    assert (outcome.stopped, outcome.verdict) == ("max-seconds", "unknown")


@pytest.mark.parametrize("engine", ["core", "reference"])
def test_a_count_beyond_64_bits_is_unknown(engine: str) -> None:
    outcome = burnside.check(EXPLODING, engine=engine)
    assert (outcome.stopped, outcome.exit_code) == ("overflow", 3)
    assert any("2^64" in note for note in outcome.notes)


def test_depth_is_known_breadth_first_only() -> None:
    assert burnside.check(SWAP, order="bfs").depth == 1
    assert burnside.check(SWAP, order="dfs").depth is None


def test_safety() -> None:
    outcome = burnside.check(UNBOUNDED, safe=True)
    assert outcome.properties[0].verdict == "violated"
    assert outcome.properties[0].trace is not None
    assert outcome.properties[0].trace.actions == ("double",)


def test_stats_classify_every_marking() -> None:
    outcome = burnside.check(MUTEX, stats=True)
    assert outcome.hardness is not None
    assert sum(outcome.hardness.shares.values()) == pytest.approx(100)


def test_progress_is_called_and_closed() -> None:
    from burnside.pipeline import check, model_of
    from burnside.progress import Progress
    from burnside.request import Request

    class Seen(Progress):
        wanted = True
        closed = 0

        def close(self) -> None:
            self.closed += 1

    seen = Seen()
    check(model_of(MUTEX), Request(), seen)
    assert seen.closed == 1


def test_marker_is_refused() -> None:
    with pytest.raises(RefusedError):
        burnside.check(MUTEX, reduce="marker")


def test_results_are_readable() -> None:
    assert repr(burnside.check(MUTEX)).startswith("Outcome('mutex")
    assert "order 6" in repr(burnside.symmetries(MUTEX))


def test_symmetries_in_the_users_names() -> None:
    found = burnside.symmetries(MUTEX)
    assert found.order == 6
    assert found.complete
    assert found.structure == "S3"
    assert sorted(place for orbit in found.orbits for place in orbit) == sorted(MUTEX.places)
    assert {len(orbit) for orbit in found.transition_orbits} == {3}
    assert all(generator.source == "net automorphism" for generator in found.generators)
    assert all(generator.cycles.startswith("(") for generator in found.generators)


def test_identical_places_and_transitions_are_named_as_such() -> None:
    net = Net("twins", ("a", "b"), (1, 1), ("t", "u"), (((0, 1), (1, 1)),) * 2, ((),) * 2)
    found = burnside.symmetries(net)
    assert found.order == 4
    assert {generator.source for generator in found.generators} == {
        "identical places",
        "identical transitions",
    }
    assert {generator.cycles for generator in found.generators} == {"(a b)", "(t u)"}
    assert found.structure == "C2 x C2"


def test_the_public_names_are_there() -> None:
    for name in burnside.__all__:
        assert getattr(burnside, name) is not None
    assert burnside.Step is burnside.TraceStep
    with pytest.raises(AttributeError):
        _ = burnside.nothing_of_the_kind  # type: ignore[attr-defined]


def test_sizes_are_an_error_for_nets(tmp_path: Any) -> None:
    file = tmp_path / "m.lola"
    file.write_text("PLACE p; MARKING p: 1; TRANSITION t CONSUME p: 1; PRODUCE ;")
    assert burnside.load(file).places == ("p",)
    with pytest.raises(UsageError, match="'N'"):
        burnside.load(file, sizes={"N": 3})


def test_an_outcome_is_true_only_where_everything_holds() -> None:
    assert burnside.check(MUTEX, invariants="critical_1 + critical_2 <= 1")
    assert not burnside.check(MUTEX, invariants="critical_1 = 0")
    assert not burnside.check(MUTEX, goals="critical_1 = 1")
    stopped = burnside.check(MUTEX, invariants="critical_1 + critical_2 <= 1", limits=Limits(states=2))
    assert stopped.verdict == "unknown" and not stopped
