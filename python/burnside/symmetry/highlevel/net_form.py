"""The normal form of a net: forms of its initial marking, of its transitions and of conditions, and the graph of all these.

In: a net, the sorts whose elements may be permuted, conditions. Out: a `NetForm`. A permutation of elements is a symmetry of
the net's text where the renamed initial marking has the same form, and the renamed transitions have the same forms, in any
order and up to the names of their variables. The graph of the forms has these permutations as automorphisms: the points of
`Terms` are its first vertices, and terms are vertices joined to their parts.

A transition that sees the order of elements may do so without consequence: `x < y` picks each pair once, whatever the order.
Where it has few instances, its form is the multiset of their *effects* (what they take and put); names of variables are no
part of that. Two nets whose transitions have the same instances by their effects have the same steps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from functools import cached_property
from itertools import product

from burnside.ir.highlevel.net import Claim, HighLevelNet, Transition
from burnside.ir.highlevel.types import Bag
from burnside.ir.highlevel.values import all_values
from burnside.limits import Deadline
from burnside.records import record
from burnside.reference.highlevel.evaluation import Undefined, evaluate
from burnside.reference.highlevel.firing import consumed, produced
from burnside.symmetry.highlevel.normal_form import Scope, TermForms
from burnside.symmetry.highlevel.simplified import simplified, steps
from burnside.symmetry.highlevel.tables import instances
from burnside.symmetry.points import Images, identity, offset
from burnside.symmetry.programs.graph_search import Generated
from burnside.symmetry.programs.program_graph import Automorphisms
from burnside.symmetry.programs.terms import ColouredGraph, Terms

MAX_INSTANCES = 5_000
"""Of a transition that is known by its effects."""
MAX_EFFECT_STEPS = 1_000_000
"""Of evaluations for the effects of all transitions together."""
MAX_EDGES = 400_000
"""Of a graph that is searched for automorphisms."""


@record
class TransitionForm:
    """`form`: what certification compares. `written`: the form of its terms, over `variables`, the points of its variables:
    another one where the transition is known by its effects."""

    form: int
    written: int
    variables: tuple[int, ...]

    @property
    def is_by_effects(self) -> bool:
        return self.form != self.written


class NetForm:
    """`rings`: sorts of which only rotations are wanted."""

    def __init__(
        self,
        net: HighLevelNet,
        movable: Collection[str],
        conditions: Sequence[Claim] = (),
        deadline: Deadline | None = None,
        rings: Collection[str] = (),
    ) -> None:
        self.net, self.deadline = net, deadline or Deadline()
        self.sorts = [sort for sort in net.sorts if sort.name in movable]
        self.first: dict[str, int] = {}
        count = 0
        for sort in self.sorts:
            self.first[sort.name] = count
            count += sort.size
        self.elements = count
        self._variables: list[tuple[int, ...]] = []
        for transition in net.transitions:
            self._variables.append(tuple(range(count, count + len(transition.variables))))
            count += len(transition.variables)
        self.terms = Terms(count)
        self.forms = TermForms(self.terms, self.first, self.deadline)
        self.places = [
            self.forms.sum_of([simplified(place.initial)], Bag(place.type)) for place in net.places
        ]
        self.transitions = self._transitions()
        self.conditions = [self.forms.form(simplified(each.condition)) for each in conditions]
        self._rings = [
            self.terms.of("ring", [(0, self.forms.shift(sort, 1))])
            for sort in self.sorts
            if sort.name in rings
        ]

    def colour(self, point: int) -> Hashable:
        """Of a variable: its type."""
        return self._colours[point]

    @cached_property
    def _colours(self) -> list[Hashable]:
        of_elements: list[Hashable] = [sort.name for sort in self.sorts for _ in range(sort.size)]
        return of_elements + [
            ("variable", variable.type)
            for transition in self.net.transitions
            for variable in transition.variables
        ]

    # Transitions

    def _transitions(self) -> list[TransitionForm]:
        found, ordered = [], []
        for number, transition in enumerate(self.net.transitions):
            self.forms.ordered = False
            written = self._written(transition, self._variables[number])
            found.append(TransitionForm(written, written, self._variables[number]))
            if self.forms.ordered and _effect_steps(transition) is not None:
                ordered.append(number)
        if sum(_effect_steps(self.net.transitions[each]) or 0 for each in ordered) <= MAX_EFFECT_STEPS:
            for number in ordered:
                one = found[number]
                effects = self._effects(self.net.transitions[number])
                found[number] = TransitionForm(effects, one.written, one.variables)
        return found

    def _written(self, transition: Transition, points: Sequence[int]) -> int:
        """The guard is one more conjunction, whose parts stand side by side; inscriptions of arcs of one place are added. A
        variable is a part even where nothing uses it: it makes instances."""
        names = {each.name: point for each, point in zip(transition.variables, points, strict=True)}
        scope = Scope(names)
        parts: list[tuple[Hashable, int]] = [("variable", point) for point in points]
        parts.append(("guard", self.forms.form(simplified(transition.guard), scope)))
        for direction, arcs in (("take", transition.consumes), ("put", transition.produces)):
            for place in sorted({each.place for each in arcs}):
                terms = [simplified(each.term) for each in arcs if each.place == place]
                form = self.forms.sum_of(terms, Bag(self.net.places[place].type), scope)
                parts.append(((direction, place), form))
        return self.terms.of("transition", parts)

    def _effects(self, transition: Transition) -> int:
        names = [each.name for each in transition.variables]
        found: Counter[int] = Counter()
        for chosen in product(*(tuple(all_values(each.type)) for each in transition.variables)):
            self.deadline.check()
            values = dict(zip(names, chosen, strict=True))
            try:
                if evaluate(transition.guard, values):
                    flows = {"take": consumed(transition, values), "put": produced(transition, values)}
                else:
                    continue
            except Undefined:
                continue
            found[
                self.terms.of(
                    "instance",
                    [
                        ((direction, place), self.forms.value(Bag(self.net.places[place].type), tokens))
                        for direction, flow in flows.items()
                        for place, tokens in flow.items()
                        if tokens
                    ],
                )
            ] += 1
        return self.terms.of("effects", [(("instances", times), each) for each, times in found.items()])

    # Permutations

    def element_images(self, permutation: Sequence[int]) -> dict[int, int] | None:
        """What a permutation of the net's points does to the points of the forms; None where it moves elements of other
        sorts. It has to map sorts to themselves."""
        images: dict[int, int] = {}
        start = 0
        for sort in self.net.sorts:
            at, start = start, start + sort.size
            own = permutation[at:start]
            if sort.name not in self.first:
                if tuple(own) != tuple(range(at, start)):
                    return None
                continue
            if sorted(own) != list(range(at, start)):
                raise ValueError(f"elements of {sort.name} leave their sort, or two become one")
            first = self.first[sort.name]
            images |= {
                first + number: first + image - at for number, image in enumerate(own) if image != number + at
            }
        return images

    def permutation(self, images: Sequence[int]) -> Images:
        """Of the net's points, from images of the points of the forms."""
        result = list(identity(self.net))
        for sort in self.sorts:
            first, at = self.first[sort.name], offset(self.net, sort)
            for number in range(sort.size):
                result[at + number] = at + images[first + number] - first
        return tuple(result)

    # The graph

    @cached_property
    def _behaviour(self) -> int:
        parts: list[tuple[Hashable, int]] = [
            (("initial", number), form) for number, form in enumerate(self.places)
        ]
        parts += [("transition", each.form) for each in self.transitions]
        return self.terms.of("net", parts)

    def roots(self, *, conditions: bool = True) -> list[int]:
        found = [self._behaviour, *self._rings]
        if conditions:
            found += [
                self.terms.of(("condition", number), [(0, form)])
                for number, form in enumerate(self.conditions)
            ]
        return found

    def named(self) -> set[int]:
        """The elements, as points of the net, that some form names. Nothing knows of the others."""
        below = self.terms.points_below(self.roots())
        return {at for at, point in self._by_element.items() if point in below}

    @cached_property
    def _by_element(self) -> dict[int, int]:
        """Points of forms, by points of the net."""
        return {
            offset(self.net, sort) + number: self.first[sort.name] + number
            for sort in self.sorts
            for number in range(sort.size)
        }

    @cached_property
    def is_small(self) -> bool:
        """May its graph be searched?"""
        return len(self._graph((), conditions=True).edges) <= MAX_EDGES

    def _graph(self, fixed: Collection[int], *, conditions: bool) -> ColouredGraph:
        colours = [
            (colour, point) if point in fixed else colour for point, colour in enumerate(self._colours)
        ]
        return self.terms.graph(colours, self.roots(conditions=conditions))

    def automorphisms(
        self, fixed: Collection[int] = (), *, properties: bool = True, seconds: float | None = None
    ) -> Automorphisms | None:
        """Generators on the net's points; `fixed` are such points, too."""
        from burnside import _core

        points = self._by_element
        graph = self._graph({points[each] for each in fixed if each in points}, conditions=properties)
        found = _core.graph_automorphisms(graph.points, graph.nodes, graph.edges, seconds)
        if found is None:
            return None
        restricted = dict.fromkeys(tuple(each[: self.elements]) for each in found[0])
        restricted.pop(tuple(range(self.elements)), None)
        order = Generated(list(restricted)).order
        return Automorphisms(tuple(map(self.permutation, restricted)), order)


def _effect_steps(transition: Transition) -> float | None:
    """How long it takes to find its effects; None where that is too long."""
    count = instances(transition)
    if count is None or count > MAX_INSTANCES:
        return None
    arcs = (*transition.consumes, *transition.produces)
    length = count * (steps(transition.guard) + sum(steps(each.term) for each in arcs))
    return length if length <= MAX_EFFECT_STEPS else None
