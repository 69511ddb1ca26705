"""Laws on random nets: what is certified commutes with firing in all markings, fixes the initial marking and keeps claims;
all permutations that are certified one by one are found."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product

from burnside import _core
from burnside.ir.highlevel.checking import check_net
from burnside.ir.highlevel.net import HighLevelNet, Marking
from burnside.ir.highlevel.types import Bag, sorts_of
from burnside.ir.highlevel.values import SortImages, permuted
from burnside.reference.highlevel.evaluation import Undefined, evaluate
from burnside.reference.highlevel.firing import enabled, fire, initial_marking, is_enabled
from burnside.symmetry.elements import sort_images
from burnside.symmetry.highlevel import NetCertifier, certify, highlevel_symmetry
from burnside.symmetry.highlevel.certifier import Matching
from burnside.symmetry.highlevel.net_form import NetForm
from burnside.symmetry.points import Images
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.highlevel_symmetry_strategies import markings, nets


def every_permutation(net: HighLevelNet) -> list[Images]:
    """Of the elements, sort by sort."""
    found = []
    for parts in product(*(permutations(range(sort.size)) for sort in net.sorts)):
        first, images = 0, []
        for sort, part in zip(net.sorts, parts, strict=True):
            images += [first + image for image in part]
            first += sort.size
        found.append(tuple(images))
    return found


def image(net: HighLevelNet, marking: Marking, images: SortImages) -> Marking:
    pairs = zip(net.places, marking, strict=True)
    return tuple(permuted(Bag(place.type), tokens, images) for place, tokens in pairs)


def truths(net: HighLevelNet, marking: Marking) -> list[bool | None]:
    found: list[bool | None] = []
    for claim in net.claims:
        try:
            found.append(evaluate(claim.condition, {}, marking))
        except Undefined:
            found.append(None)
    return found


def commutes(net: HighLevelNet, permutation: Images, matching: Matching, marking: Marking) -> None:
    """Steps of the image are the images of steps, transition by transition; instances, where it is known which are."""
    images = sort_images(net.sorts, permutation)
    moved = image(net, marking, images)
    expected: Counter[tuple[int, Marking]] = Counter()
    for instance in enabled(net, marking):
        transition, values = instance
        after = image(net, fire(net, marking, instance), images)
        there, positions = matching.actions[transition], matching.variables[transition]
        expected[there, after] += 1
        if positions is not None:
            variables = net.transitions[transition].variables
            pairs = zip(variables, values, strict=True)
            renamed = [permuted(each.type, value, images) for each, value in pairs]
            same = there, tuple(renamed[at] for at in positions)
            assert is_enabled(net, moved, same)
            assert fire(net, moved, same) == after
    assert expected == Counter((each[0], fire(net, moved, each)) for each in enabled(net, moved))
    assert truths(net, marking) == truths(net, moved)


def initial(net: HighLevelNet) -> Marking | None:
    try:
        return initial_marking(net)
    except Undefined:
        return None


def acting_order(net: HighLevelNet, group: list[Images]) -> int:
    """Of the group that these generate on elements that places can hold."""
    stored = {sort.name for place in net.places for sort in sorts_of(place.type)}
    names = [sort.name for sort in net.sorts for _ in range(sort.size)]
    points = [at for at, name in enumerate(names) if name in stored]
    where = {point: at for at, point in enumerate(points)}
    restricted = {tuple(where[each[point]] for point in points) for each in group}
    restricted.discard(tuple(range(len(points))))
    return _core.ElementGroup(len(points), [list(each) for each in restricted]).order if restricted else 1


@given(st.data())
@settings(max_examples=120, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_certified_permutations_are_symmetries_and_all_are_found(data: st.DataObject) -> None:
    net = data.draw(nets())
    check_net(net)
    certifier = NetCertifier(NetForm(net, [sort.name for sort in net.sorts], net.claims), net.claims)
    start = initial(net)
    tried = data.draw(st.lists(markings(net), min_size=2, max_size=2))
    certified = [each for each in every_permutation(net) if certifier.is_symmetry(each)]
    for permutation in certified:
        matching = certifier.matching(permutation)
        assert isinstance(matching, Matching)
        for marking in tried if start is None else [start, *tried]:
            commutes(net, permutation, matching, marking)
        if start is not None:
            assert image(net, start, sort_images(net.sorts, permutation)) == start
    symmetry = highlevel_symmetry(net)
    found = [each.permutation for each in symmetry.generators]
    assert symmetry.complete
    assert set(found) <= set(certified)
    assert acting_order(net, found) == acting_order(net, certified)


@given(st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_what_is_certified_alone_is_a_symmetry(data: st.DataObject) -> None:
    """`certify` knows nothing of sorts that the permutation leaves alone."""
    net = data.draw(nets())
    permutation = data.draw(st.sampled_from(every_permutation(net)))
    if certify(net, permutation):
        names = {name for name, images in sort_images(net.sorts, permutation).items()}
        matching = NetCertifier(NetForm(net, names)).matching(permutation)
        if isinstance(matching, Matching):
            for marking in data.draw(st.lists(markings(net), min_size=2, max_size=2)):
                commutes(net, permutation, matching, marking)
