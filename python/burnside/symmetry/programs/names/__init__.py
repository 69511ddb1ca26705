"""Numbers that are used like names: identities of processes, numbers of channels, and whatever is computed from them.

In: a program with processes. Out: `NumberNames`, which makes programs in which classes of such numbers are sorts, so that
symmetries may permute them. `search` decides for which classes that is worth it.

Numbers belong to one class if they are stored in, compared with, or index one another, or come from one table (`classes`).
A class becomes sorts whose elements are the numbers that occur (`values`). Arithmetic and comparisons by order become
tables, with entries for what a short exploration has seen (`trial`); what it has not seen is a *trap*: an entry that is
missing and violates a property of the kind `limit` (`rewriting`). Whether a table is symmetric is then seen like
everything else: by renaming it. So `id ^ dest` may stand in a hypercube, and `(id + 1) % N` in a ring, while 255, which is
no number of a process, stays what it is.

**The rewritten program is the original one on all runs that come to no trap.** Let f map numbers of a chosen class to
elements, in all slots of the class; f is injective. A state s of the original corresponds to f(s), and each node of the
rewritten program, evaluated in f(s), gives f of what the original gives in s, fails where that fails, or violates the trap:

* Every number of the class is in f's domain: constants, results of tables, names bound in a domain and what is there before
  anything is written are values of the class by construction; other values are read from slots of the class, or computed,
  and a computation yields what its table has.
* Reading, storing, passing on, and choosing between values commute with f. Equality does because f is injective.
* Where the original checks a range (an index, an assignment, an argument of a table, a conversion), the element is
  converted to the sorts of that range. Sorts are cut at the ends of ranges, so the conversion fails where the check does.
* A table of the original has the same entries, by f.
* A computation evaluates its operands in the same order, and is then looked up; an entry is the result of the computation
  for these numbers, or missing: then the run comes to a trap. Where a computation fails (a division by zero), nothing is an
  entry, so that is a trap too; and if another operand fails after that, it is the other's error that is reported.
* A loop over numbers takes the same turns in the same order, since elements are in the order of their numbers.

A run that comes to a trap is no run of the original, and what is found on the way holds; but nothing is known of what is
behind it. So an exploration that violates the property is repeated after a longer trial, and at last without names.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from itertools import product
from math import prod

from burnside.ir import expressions as e
from burnside.ir.program import Program, Property
from burnside.ir.types import BOOLEAN, Element, Integer, Scalar, Union, bounds
from burnside.ir.walking import rebuilt
from burnside.limits import Deadline
from burnside.records import record, replace
from burnside.reference.steps import labels_of
from burnside.symmetry.points import offset
from burnside.symmetry.programs.names.classes import Key, NameClasses
from burnside.symmetry.programs.names.computations import function_of
from burnside.symmetry.programs.names.rewriting import Rewriting, TooLargeTable, Tuples, rewritten
from burnside.symmetry.programs.names.trial import observe
from burnside.symmetry.programs.names.values import ClassValues, Naming
from burnside.symmetry.programs.program_graph import ProgramGraph
from burnside.symmetry.programs.range_classes import Arguments, Slot
from burnside.symmetry.structure import UnionFind

__all__ = ["TRAP", "NumberNames", "find_names", "length_of_trial", "with_trap"]

MIN_TRIAL, MAX_TRIAL = 500, 5_000
"""States that are visited to find out which numbers are used like names."""
TRIAL_LABELS = 2_000_000
"""Instances of actions that are tried at most in these states."""
TRIALS = 3
"""Each ten times as long as the one before."""
TRAP = "numbers that are used like names"
"""The property that traps violate."""
MAX_ENTRIES = 65_536
"""Of a table: computations with more possible operands stay computations."""
ROUNDS = 2
"""Of results of results that are thought of beforehand."""
MAX_STATIC = 256
"""Values of a number that is no name: it is known what they can be."""


Alike = dict[Slot, dict[int, frozenset[int]]]


@record(eq=False)
class NumberNames:
    """What may be names in a program: `namings` by the root of a class; `seen`: what is computed with which numbers;
    `comparisons`: what may be compared with what."""

    program: Program
    classes: NameClasses
    namings: Mapping[Slot, Naming]
    seen: Tuples
    comparisons: Tuples

    def without_gaps(self) -> NumberNames:
        """With tables of comparisons that have all their entries, also for what was never seen to be compared. Such entries
        may tell names apart that are never compared in this way; but what may come to a gap has to stay in its place."""
        return replace(self, seen={**self.seen, **self.comparisons})

    @property
    def trap(self) -> int:
        return len(self.program.properties)

    def chosen(self, sorts: Collection[str] | None) -> list[Slot]:
        """The roots of the classes with sorts of these names, or of all."""
        return [
            root
            for root, naming in self.namings.items()
            if sorts is None or any(sort.name in sorts for sort in naming.sorts)
        ]

    def named(self, sorts: Collection[str] | None = None) -> Program | None:
        """The program in which all these classes are names, or those with sorts of these names; None if there are none."""
        chosen = self.chosen(sorts)
        if not chosen:
            return None
        try:
            namings = {root: self.namings[root] for root in chosen}
            found = rewritten(self.program, self.classes, namings, self.seen, self.trap)
        except TooLargeTable:
            return None
        return replace(found, properties=(*found.properties, Property("limit", TRAP)))


def length_of_trial(repeated: int) -> int | None:
    """How many times as many states as at first are visited where so many explorations came to a trap already; None: numbers
    stay numbers."""
    return int(10**repeated) if repeated < TRIALS else None


def with_trap(program: Program, old: int, new: int) -> Program:
    """The program in which traps violate the property of another number."""

    def moved(node: object) -> object:
        if isinstance(node, e.Lookup) and node.property == old:
            return replace(node, property=new)
        return node

    return rebuilt(program, moved)


def find_names(
    program: Program, arguments: Arguments, broken: Collection[str], times: int, deadline: Deadline
) -> NumberNames | None:
    """None where no number is used like a name. `broken`: names of variables whose numbers stay numbers. `times`: how much
    longer than usual the trial is."""
    finder = _Finder(program, arguments, frozenset(broken), times, deadline)
    try:
        return finder.run()
    except TooLargeTable:
        return None


@record(frozen=False, eq=False)
class _Finder:
    program: Program
    arguments: Arguments
    broken: frozenset[str]
    times: int
    deadline: Deadline

    @cached_property
    def max_states(self) -> int:
        """By how much there is to look at in each."""
        return self.times * min(MAX_TRIAL, max(MIN_TRIAL, TRIAL_LABELS // max(1, labels_of(self.program))))

    @cached_property
    def classes(self) -> NameClasses:
        return NameClasses(self.program, self.arguments)

    def run(self) -> NumberNames | None:
        if not ClassValues(self.program, self.classes, {}).candidates(at_least=0):
            return None
        self.deadline.check()
        seen_values = observe(self.program, self.max_states).values
        possible = self._possible(ClassValues(self.program, self.classes, seen_values))
        for _ in range(ROUNDS):
            # Values that are never stored are those of results, and results of these.
            values = ClassValues(self.program, self.classes, self._with_results(seen_values, possible))
            possible = self._possible(values)
        roots = self._candidates(values, possible, at_least=0)
        if not roots:
            return None
        self.deadline.check()
        seen = self._seen(values.namings(roots), possible)
        values = ClassValues(self.program, self.classes, self._with_results(seen_values, seen))
        roots = [each for each in self._candidates(values, possible) if each in roots]
        if not roots:
            return None
        comparisons = {key: possible[key] for key in seen if self.classes.computations[key].result is None}
        return NumberNames(self.program, self.classes, values.namings(roots), seen, comparisons)

    def _with_results(self, values: Mapping[Slot, set[int]], rows: Tuples) -> dict[Slot, set[int]]:
        """Values, and results of computations for these rows."""
        found: dict[Slot, set[int]] = {slot: set(own) for slot, own in values.items()}
        for key, computation in self.classes.computations.items():
            if computation.result is not None and key in rows:
                results = set(map(function_of(computation.expression), rows[key]))
                found.setdefault(computation.result, set()).update(x for x in results if x is not None)
        return found

    def _candidates(self, values: ClassValues, possible: Tuples, at_least: int = 2) -> list[Slot]:
        """Without classes that take part in a computation which is no table."""
        root = self.classes.classes.root
        rejected = {
            root(slot)
            for key, each in self.classes.computations.items()
            if key not in possible
            for slot in (*each.slots, each.result)
            if slot is not None
        }
        return [
            each
            for each in values.candidates(at_least)
            if each not in rejected and values.label(each) not in self.broken
        ]

    def _possible(self, values: ClassValues) -> dict[Key, frozenset[tuple[int, ...]]]:
        """What each computation may be done with, where that is not too much."""
        found = {}
        for key, each in self.classes.computations.items():
            columns = [self._column(values, *one) for one in zip(each.operands, each.slots, strict=True)]
            if columns and all(columns) and prod(map(len, columns)) <= MAX_ENTRIES:
                found[key] = frozenset(product(*columns))
        return found

    def _column(self, values: ClassValues, operand: e.Expression, slot: Slot | None) -> Collection[int]:
        type_ = e.type_of(operand)
        if slot is None or not isinstance(type_, Integer):
            return ()
        found = values.of(slot)
        if type_.low is None or type_.high is None:
            return found
        low, high = bounds(type_)
        if not found and high - low < MAX_STATIC:
            return range(low, high + 1)
        return [each for each in found if low <= each <= high]

    def _seen(self, namings: Mapping[Slot, Naming], possible: Tuples) -> Tuples:
        """Those of them that a program does which looks them all up."""
        unknown = e.Variable(TRAP, BOOLEAN, is_state=True)
        trap = len(self.program.properties)
        rewriting = Rewriting(self.program, self.classes, namings, possible, trap, unknown)
        trial = rewriting.run()
        trial = replace(
            trial,
            properties=(*trial.properties, Property("limit", TRAP)),
            variables=(*trial.variables, unknown),
        )
        observed = observe(trial, self.max_states)
        entries = observed.entries
        found = {}
        for key, (table, numbers) in rewriting.looked_up.items():
            rows = [
                tuple(
                    _number(column, at, type_)
                    for at, column, type_ in zip(row, numbers, table.arguments, strict=False)
                )
                for row in entries.get(id(table), ())
            ]
            found[key] = frozenset(rows)
        if not observed.complete:
            alike = self._alike(namings)
            found = {key: _spanned(rows, self._columns(key, alike)) for key, rows in found.items()}
        return {key: possible[key] & rows for key, rows in found.items()}

    def _alike(self, namings: Mapping[Slot, Naming]) -> Alike:
        """By class and number: the numbers that might play the same role, if nothing were computed. (255 for `none` does not
        play the role of an identity.)"""
        trap = len(self.program.properties)
        plain = rewritten(
            self.program, self.classes, namings, dict.fromkeys(self.classes.computations, frozenset()), trap
        )
        found = ProgramGraph(plain).automorphisms(properties=False, seconds=self.deadline.left)
        if found is None:
            return {}
        orbits = UnionFind(sum(sort.size for sort in plain.sorts))
        for images in found.generators:
            for point, image in enumerate(images):
                orbits.join(point, image)
        first = {sort.name: offset(plain, sort) for sort in plain.sorts}
        alike: Alike = {}
        for root, naming in namings.items():
            points = {
                number: first[sort.name] + at
                for sort, numbers in naming.pieces
                for at, number in enumerate(numbers)
            }
            members: dict[int, set[int]] = {}
            for number, point in points.items():
                members.setdefault(orbits.find(point), set()).add(number)
            alike[root] = {number: frozenset(members[orbits.find(point)]) for number, point in points.items()}
        return alike

    def _columns(self, key: Key, alike: Alike) -> list[Mapping[int, frozenset[int]]]:
        """For each operand of a computation."""
        root = self.classes.classes.root
        slots = self.classes.computations[key].slots
        return [{} if slot is None else alike.get(root(slot), {}) for slot in slots]


def _spanned(
    rows: frozenset[tuple[int, ...]], alike: Sequence[Mapping[int, frozenset[int]]]
) -> frozenset[tuple[int, ...]]:
    """All combinations of what was seen of each operand, and of what may play the same role: a trial sees few states."""
    columns = [
        frozenset[int]().union(*(same.get(value, {value}) for value in column))
        for column, same in zip(zip(*rows, strict=True), alike, strict=False)
    ]
    is_small = columns and prod(map(len, columns)) <= MAX_ENTRIES
    return frozenset(product(*columns)) if is_small else rows


def _number(column: Sequence[int], value: int, type_: Scalar) -> int:
    """What an argument stands for: elements are positions."""
    return column[value] if isinstance(type_, Element | Union) else value
