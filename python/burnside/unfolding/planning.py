"""How the core finds the instances of a transition. In: a transition whose terms it knows. Out: plans, as `_core.pyi` says.

For each atom there is a plan that begins with a new token there. It takes values of variables from tokens, nearest first,
then from equations of the guard, and goes through types only for what nothing else determines; what can be checked is
checked as soon as it can.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from burnside.ir.highlevel.net import Arc, HighLevelNet, Transition
from burnside.ir.highlevel.terms import Apply, Term, Variable, type_of
from burnside.ir.highlevel.types import Element, Struct
from burnside.records import record
from burnside.reference.highlevel.evaluation import evaluate
from burnside.unfolding.codes import Codes
from burnside.unfolding.encoding import Encoded, Encoder, NotEncoded
from burnside.unfolding.patterns import atoms_of, conjuncts, defined_by, rotated, variables_in

WHOLE = 2**63
"""Above all codes."""
MAX_PATTERN_DEPTH = 100


@record(eq=False)
class Leaf:
    """A part of an atom's code, and the term that it has to equal."""

    divisor: int
    modulus: int
    term: Term

    @cached_property
    def variables(self) -> frozenset[str]:
        return frozenset(variables_in(self.term))

    @cached_property
    def rotated(self) -> tuple[Variable, int] | None:
        return rotated(self.term)


class Indices:
    """The indices that plans use, each once."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, tuple[tuple[int, int, int], ...]], int] = {}

    def number(self, place: int, leaves: Sequence[Leaf]) -> tuple[int, list[int]]:
        """Of the index by these parts, with what they are multiplied by in its keys."""
        weights, weight = [], 1
        for leaf in leaves:
            weights.append(weight)
            weight *= leaf.modulus
        paths = tuple((each, leaf.divisor, leaf.modulus) for each, leaf in zip(weights, leaves, strict=True))
        return self._numbers.setdefault((place, paths), len(self._numbers)), weights

    def encoded(self) -> list[tuple[int, list[tuple[int, int, int]]]]:
        return [(place, list(paths)) for place, paths in self._numbers]


def encoded_transition(net: HighLevelNet, number: int, codes: Codes, indices: Indices) -> Encoded | None:
    """None where the core does not know a part of it."""
    try:
        return _Planner(net, net.transitions[number], codes, indices).encoded()
    except NotEncoded:
        return None


class _Planner:
    def __init__(self, net: HighLevelNet, transition: Transition, codes: Codes, indices: Indices) -> None:
        self.net, self.transition, self.codes, self.indices = net, transition, codes, indices
        self.numbers = {each.name: number for number, each in enumerate(transition.variables)}
        self.encoder = Encoder(codes, self.numbers)
        self.atoms = atoms_of(transition)
        self.leaves = [list(self._leaves(each.term, 1, 0)) for each in self.atoms]
        self.guard = conjuncts(transition.guard)

    def encoded(self) -> Encoded:
        consumes, produces = self._flow(self.transition.consumes), self._flow(self.transition.produces)
        for each in self.guard:
            self.encoder.term(each)
        plans = [_Plan(self, atom).encoded() for atom in range(len(self.atoms))]
        start = None if self.atoms else _Plan(self, None).steps
        counts = len(self.numbers), self.encoder.bound, len(self.atoms)
        return (*counts, plans, start, consumes, produces)

    def _flow(self, arcs: Sequence[Arc]) -> list[tuple[int, Encoded]]:
        """By place: several arcs add up."""
        flow: dict[int, list[Encoded]] = {}
        for arc in arcs:
            flow.setdefault(arc.place, []).append(self.encoder.bag(arc.term))
        return [(place, bags[0] if len(bags) == 1 else ("sum", bags)) for place, bags in sorted(flow.items())]

    def _leaves(self, term: Term, divisor: int, depth: int) -> Iterator[Leaf]:
        type_ = type_of(term)
        size = self.codes.size(type_)
        if depth > MAX_PATTERN_DEPTH or size == 0:
            raise NotEncoded
        is_display = isinstance(term, Apply) and term.operator == "struct"
        if size is not None and isinstance(type_, Struct) and is_display:
            for weight, part in zip(self.codes.weights(type_), term.children(), strict=True):
                yield from self._leaves(part, divisor * weight, depth + 1)
            return
        yield Leaf(divisor, WHOLE if size is None else size, term)


class _Plan:
    """Of one atom, or of none."""

    def __init__(self, planner: _Planner, atom: int | None) -> None:
        self.planner, self.atom = planner, atom
        self.encoder, self.atoms, self.leaves = planner.encoder, planner.atoms, planner.leaves
        self.types = {each.name: each.type for each in planner.transition.variables}
        self.bound: set[str] = set()
        self.steps: list[Encoded] = []
        self.pending = [each for each in range(len(self.atoms)) if each != atom]
        self.unverified: list[int] = []
        self.checks = list(planner.guard)
        self.constants: list[tuple[int, int, int]] = []
        self.binds: list[tuple[int, int, int, int, int]] = []
        if atom is not None:
            self._begin(atom)
        self._go_on()

    def encoded(self) -> Encoded:
        assert self.atom is not None
        return self.atom, self.atoms[self.atom].place, self.constants, self.binds, self.steps

    def _begin(self, atom: int) -> None:
        closed = [leaf for leaf in self.leaves[atom] if not leaf.variables]
        for leaf in closed:
            code = self.planner.codes.code(type_of(leaf.term), evaluate(leaf.term, {}))
            self.constants.append((leaf.divisor, leaf.modulus, code))
        self.binds = self._bound_by(atom, closed)

    def _bound_by(self, atom: int, known: Sequence[Leaf]) -> list[tuple[int, int, int, int, int]]:
        """Variables that a token of the atom gives values; the atom is verified where that is not all it says."""
        binds = []
        for leaf in self.leaves[atom]:
            if leaf in known:
                continue
            rotation = leaf.rotated
            if rotation is None or rotation[0].name in self.bound:
                if atom not in self.unverified:
                    self.unverified.append(atom)
                continue
            variable, steps = rotation
            self.bound.add(variable.name)
            size = variable.type.sort.size if isinstance(variable.type, Element) else 1
            binds.append((leaf.divisor, leaf.modulus, self.encoder.names[variable.name], steps, size))
        return binds

    def _go_on(self) -> None:
        while True:
            self._settle()
            atom = self._next_atom()
            if atom is not None:
                self.pending.remove(atom)
                self._join(atom)
                continue
            unbound = [name for name in self.types if name not in self.bound]
            if not unbound:
                return
            self._range(min(unbound, key=self._size_of))

    def _size_of(self, name: str) -> int:
        return self.planner.codes.size(self.types[name]) or WHOLE

    def _range(self, name: str) -> None:
        size = self.planner.codes.size(self.types[name])
        if size is None:
            raise NotEncoded  # nothing that the core knows gives it a value
        self.bound.add(name)
        self.steps.append(("range", self.encoder.names[name], size))

    def _settle(self) -> None:
        """Everything that can be checked, and what follows from equations."""
        progress = True
        while progress:
            progress = False
            for atom in list(self.unverified):
                if self._is_known(self.atoms[atom].term):
                    self.unverified.remove(atom)
                    self.steps.append(("verify", atom, self.encoder.term(self.atoms[atom].term)))
            for check in list(self.checks):
                defined = defined_by(check, frozenset(self.types) - self.bound)
                if defined is not None:
                    name, value = defined
                    self.steps.append(("let", self.encoder.names[name], self.encoder.term(value)))
                    self.bound.add(name)
                elif self._is_known(check):
                    self.steps.append(("check", self.encoder.term(check)))
                else:
                    continue
                self.checks.remove(check)
                progress = True

    def _is_known(self, term: Term) -> bool:
        return set(variables_in(term)) <= self.bound

    def _next_atom(self) -> int | None:
        """The one with the fewest tokens left, by what is known of them; none that gives no variable a value."""
        best: tuple[float, int] | None = None
        for atom in self.pending:
            left = 1.0
            useful = True
            binding = False
            for leaf in self.leaves[atom]:
                if leaf.variables <= self.bound:
                    continue
                useful = False
                binding |= leaf.rotated is not None
                left *= float(leaf.modulus)
            if (useful or binding) and (best is None or (left, atom) < best):
                best = left, atom
        return None if best is None else best[1]

    def _join(self, atom: int) -> None:
        place, older = self.atoms[atom].place, self.atom is not None and atom < self.atom
        known = [leaf for leaf in self.leaves[atom] if leaf.variables <= self.bound]
        if len(known) == len(self.leaves[atom]):
            token = self.encoder.term(self.atoms[atom].term)
            self.steps.append(("find", atom, place, token, older))
            return
        index, weights = self.planner.indices.number(place, known)
        key = [(weight, self.encoder.term(leaf.term)) for weight, leaf in zip(weights, known, strict=True)]
        self.steps.append(("match", atom, index, key, self._bound_by(atom, known), older))
