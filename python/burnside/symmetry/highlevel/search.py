"""Symmetries of a high-level net: declared ones, and found ones. Whatever proposes them, the certifier admits them.

In: a net, more conditions that are to be kept, names of sorts that are not to be permuted, whether to search beyond what is
declared. Out: a `HighLevelSymmetry`, whose generators are certified: each maps the net's form to itself (`net_form`).

Declared permutations of single sorts come first: all of them, or rotations. Where the net's text contradicts a declaration,
that is a refusal. For what is left (sorts to be searched, what remains of refused declarations, what conditions allow of
the others) nauty is asked for the automorphisms of the net's graph. That finds subgroups, classes of elements that constants
tell apart, and elements of several sorts that move together.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

from burnside.diagnostics import Diagnostic, UsageError
from burnside.ir.highlevel.net import Claim, HighLevelNet
from burnside.ir.highlevel.terms import Lookup
from burnside.ir.highlevel.types import Element, Sort, sorts_of
from burnside.ir.walking import nodes
from burnside.limits import Deadline, OutOfTime
from burnside.records import field, record, replace
from burnside.symmetry import Refusal
from burnside.symmetry.highlevel.certifier import NetCertifier, NetGenerator
from burnside.symmetry.highlevel.net_form import NetForm
from burnside.symmetry.highlevel.point_names import net_point_names
from burnside.symmetry.highlevel.refusals import refusal
from burnside.symmetry.points import Images, full, mirrored, offset, on_sort, rotation, sort_names
from burnside.symmetry.programs.graph_search import Generated, GraphSearch

MAX_PERMUTED = 4096
"""Elements of one sort: a group takes memory that grows with the square of it. Larger sorts stay as they are."""


@record(kw_only=True)
class HighLevelSymmetry:
    """`refused`: declared symmetries that the net's text does not have. `restricted_by`: names of conditions that cost
    symmetries. `complete`: no permutation of elements that could be a symmetry of the text is missing."""

    net: HighLevelNet
    generators: tuple[NetGenerator, ...]
    refused: tuple[Refusal, ...] = ()
    restricted_by: tuple[str, ...] = ()
    complete: bool = False
    order: int | None = field(default=None, compare=False)
    """Of the group that the generators generate, where it is known."""
    in_time: bool = True
    """Was everything tried before the time for it was over?"""

    @property
    def sorts(self) -> tuple[Sort, ...]:
        return self.net.sorts

    @property
    def point_names(self) -> tuple[str, ...]:
        return net_point_names(self.net)

    @property
    def telling(self) -> tuple[int, ...]:
        """Nothing is known of that."""
        return ()

    def keeping_instances(self, transitions: Iterable[int], reason: str) -> HighLevelSymmetry:
        """The symmetries that map each of these transitions to itself, and each instance of it to the one with the permuted
        values. `reason`: what is said to restrict the group where that costs symmetries."""
        wanted = list(transitions)
        kept = tuple(each for each in self.generators if all(each.keeps(at) for at in wanted))
        if len(kept) == len(self.generators):
            return self
        by = tuple(dict.fromkeys((*self.restricted_by, reason)))
        return replace(self, generators=kept, complete=False, order=None, restricted_by=by)


def highlevel_symmetry(
    net: HighLevelNet,
    *,
    conditions: Sequence[Claim] = (),
    broken: Sequence[str] = (),
    search: bool = True,
    deadline: Deadline | None = None,
) -> HighLevelSymmetry:
    """All symmetries that are declared or, on request, found until the deadline, and that keep what the net claims and the
    conditions, each by itself. A condition may be a term of any type: one that is a constant keeps its elements where they
    are, so arguments of patterns are given as they stand. (`equal(c, c)` is no such condition: it says nothing.)"""
    check_broken(net, broken)
    run = _Search(net, conditions, broken, deadline or Deadline(), search=search)
    in_time = True
    try:
        run.find()
    except OutOfTime:
        in_time = False
    return HighLevelSymmetry(
        net=net,
        generators=tuple(run.generators),
        refused=tuple(run.refused),
        restricted_by=tuple(run.restricted_by),
        complete=run.complete and in_time,
        order=run.order,
        in_time=in_time,
    )


def check_broken(net: HighLevelNet, broken: Sequence[str]) -> None:
    """A name after `--break-symmetry` must be that of a sort."""
    known = {sort.name for sort in net.sorts}
    for name in broken:
        if name not in known:
            sorts = f"the sorts are {sort_names(net.sorts)}" if net.sorts else "the model has no sorts"
            raise UsageError(Diagnostic(f"there is no sort {name!r}", source="--break-symmetry", hint=sorts))


class _Search:
    """`any_order`: sorts of which every permutation may be a symmetry; of the other movable ones only rotations are wanted.
    `settled`: points that need not be looked at again: every wanted permutation of them alone is admitted (so each symmetry
    is the product of one of these and one that fixes them), or nothing moves them."""

    def __init__(
        self,
        net: HighLevelNet,
        conditions: Sequence[Claim],
        broken: Collection[str],
        deadline: Deadline,
        *,
        search: bool,
    ) -> None:
        self.net, self.deadline = net, deadline
        self.claims = (*net.claims, *conditions)
        self.stored = {sort.name for sort in chain.from_iterable(sorts_of(each.type) for each in net.places)}
        large = {sort.name for sort in net.sorts if sort.size > MAX_PERMUTED} | _targets_of_large(
            net, self.claims
        )
        names = [sort.name for sort in net.sorts]
        self.any_order: set[str] = set()
        self.movable: set[str] = set()
        self.complete = True
        for sort in net.sorts:
            searched = sort.name in net.searched
            wanted = sort.symmetry != "fixed" or searched
            if sort.size < 2 or not wanted or sort.name in broken:
                continue
            allowed = sort.symmetry != "fixed" or search
            if not allowed or sort.name in large or names.count(sort.name) > 1:
                self.complete &= sort.name not in self.stored
                continue
            self.movable.add(sort.name)
            if sort.symmetry == "full" or (searched and search):
                self.any_order.add(sort.name)
            elif sort.size > 2:
                # Mirror images are not looked for.
                self.complete = False
        self.generators: list[NetGenerator] = []
        self.refused: list[Refusal] = []
        self.settled: set[int] = set()
        self.order: int | None = None
        self.certifier: NetCertifier | None = None

    @property
    def restricted_by(self) -> Iterable[str]:
        return self.certifier.restricting if self.certifier is not None else ()

    def find(self) -> None:
        if not self.movable & self.stored:
            return
        rings = self.movable - self.any_order
        form = NetForm(self.net, self.movable, self.claims, self.deadline, rings)
        self.certifier = certifier = NetCertifier(form, self.claims)
        sorts = [sort for sort in form.sorts if sort.name in self.stored]
        for sort in sorts:
            if sort.symmetry != "fixed":
                self._declared(certifier, sort)
        for sort in sorts:
            if sort.name in self.any_order and not self._is_settled(sort):
                self._whole(certifier, sort)
        self._unnamed(certifier, sorts)
        if not all(map(self._is_settled, sorts)):
            self._by_graph(certifier)

    def _points(self, sort: Sort) -> range:
        first = offset(self.net, sort)
        return range(first, first + sort.size)

    def _is_settled(self, sort: Sort) -> bool:
        return self.settled.issuperset(self._points(sort))

    def _declared(self, certifier: NetCertifier, sort: Sort) -> None:
        """What the sort promises, as long as that is all that is wanted of it."""
        promised = [on_sort(self.net, sort, each) for each in _promised(sort)]
        for permutation in promised:
            mismatch = certifier.mismatch(permutation)
            if mismatch is not None:
                self.refused.append(refusal(self.net, sort, permutation, mismatch))
                return
        is_all = sort.symmetry == "full" or sort.name not in self.any_order
        self._admit_all(certifier, sort, promised, f"declared {sort.origin} {sort.name}", settle=is_all)

    def _whole(self, certifier: NetCertifier, sort: Sort) -> None:
        """All permutations of a sort, where they are symmetries."""
        permutations = [on_sort(self.net, sort, each) for each in full(sort.size, range(sort.size))]
        if all(certifier.mismatch(each) is None for each in permutations):
            self._admit_all(certifier, sort, permutations, f"found: {sort.origin} {sort.name}", settle=True)

    def _admit_all(
        self,
        certifier: NetCertifier,
        sort: Sort,
        permutations: Sequence[Images],
        source: str,
        *,
        settle: bool,
    ) -> None:
        """If conditions allow them all."""
        kept = [certifier.is_symmetry(each) for each in permutations]
        if all(kept):
            self._admit(certifier, permutations, source)
            if settle:
                self.settled.update(self._points(sort))

    def _unnamed(self, certifier: NetCertifier, sorts: Iterable[Sort]) -> None:
        """Elements that nothing names are all alike, where the sort allows any permutation."""
        named = certifier.form.named()
        for sort in certifier.form.sorts:
            first = offset(self.net, sort)
            alike = [at for at in range(sort.size) if first + at not in named]
            if sort in sorts and not self._is_settled(sort) and sort.name in self.any_order:
                kind = "declared" if sort.symmetry == "full" else "found:"
                permutations = [on_sort(self.net, sort, each) for each in full(sort.size, alike)]
                self._admit(certifier, permutations, f"{kind} {sort.origin} {sort.name}")
            self.settled |= {first + at for at in alike}

    def _by_graph(self, certifier: NetCertifier) -> None:
        form = certifier.form
        if not form.is_small:
            self.complete = False
            self._rotations(certifier)
            return
        search = GraphSearch(form, certifier.is_symmetry, _nobody, self.deadline, set(self.settled))
        try:
            search.run()
        finally:
            known = Generated([each.permutation for each in self.generators])
            new = [each for each in search.admitted if self._is_acting(each) and each not in known]
            self.order = search.order if not self.generators and len(new) == len(search.admitted) else None
            self._admit(certifier, new, "found: graph of the net")
        self.complete &= search.complete

    def _rotations(self, certifier: NetCertifier) -> None:
        """Of single sorts, by as little as possible, and mirror images: what can be tried without a graph."""
        for sort in certifier.form.sorts:
            if self._is_settled(sort):
                continue
            tried = [rotation(sort.size, by) for by in range(1, sort.size) if sort.size % by == 0]
            for images in (tuple(tried), (mirrored(sort.size),) if sort.name in self.any_order else ()):
                for each in images:
                    permutation = on_sort(self.net, sort, each)
                    if certifier.is_symmetry(permutation):
                        self._admit(certifier, [permutation], f"found: {sort.origin} {sort.name}")
                        break

    def _is_acting(self, permutation: Images) -> bool:
        """Does it move an element that a marking can hold?"""
        return any(
            permutation[point] != point
            for sort in self.net.sorts
            if sort.name in self.stored
            for point in self._points(sort)
        )

    def _admit(self, certifier: NetCertifier, permutations: Iterable[Images], source: str) -> None:
        self.generators += [certifier.admitted(each, source) for each in permutations]


def _promised(sort: Sort) -> Iterator[Images]:
    return full(sort.size, range(sort.size)) if sort.symmetry == "full" else iter([rotation(sort.size)])


def _targets_of_large(net: HighLevelNet, claims: Sequence[Claim]) -> set[str]:
    """Sorts of which elements are named by functions on large sorts."""
    return {
        each.type.sort.name
        for each in nodes(*net.places, *net.transitions, *claims)
        if isinstance(each, Lookup) and isinstance(each.type, Element) and len(each.images) > MAX_PERMUTED
    }


def _nobody(_: Images) -> Collection[int]:
    return ()
