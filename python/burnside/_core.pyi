"""The typed face of the Rust core. Numbers only: names, files and words live on the Python side."""

from array import array
from collections.abc import Callable, Sequence
from typing import Any, Protocol, final

__version__: str
MAX_SAMPLED_GENERATORS: int
"""A sampled state is checked under at most so many generators."""
MINIMISE_LIMIT: int
"""`minimise` is refused for groups that act with more elements."""

class ReadError(Exception):
    """A file could not be read; args are (message, line, column, hint), places counted from 1, 0 where unknown."""

class UnsupportedReadError(ReadError):
    """The file may be right, only it cannot be read: an inhibitor arc, UTF-16."""

class HighLevelReadError(UnsupportedReadError):
    """The file holds a high-level net, by its type: nothing in it was looked at."""

@final
class ParsedNet:
    """What the PNML reader found, in order of appearance."""

    name: str
    place_ids: list[str]
    place_names: list[str | None]
    initial: list[int]
    transition_ids: list[str]
    transition_names: list[str | None]
    consumes: list[list[tuple[int, int]]]
    produces: list[list[tuple[int, int]]]

@final
class PnmlArcs:
    """Writes arcs as PNML. `places`: their ids; ids of arcs are `prefix` and a number from 1 on."""
    def __new__(cls, prefix: str, places: Sequence[str]) -> PnmlArcs: ...
    def text(
        self,
        transitions: Sequence[str],
        consumes: Sequence[Sequence[tuple[int, int]]],
        produces: Sequence[Sequence[tuple[int, int]]],
    ) -> str:
        """The arcs of these transitions, each in a line."""

def read_pnml(path: str) -> ParsedNet:
    """Stream a PNML place/transition net; raises ReadError, of a high-level net HighLevelReadError."""

Expression = tuple[Any, ...]
"""("true",) | ("false",) | ("not", e) | ("and", [e..]) | ("or", [e..])
| ("<=", [(place, coefficient)..], constant): sum + constant <= 0 | ("=", [..], constant): sum + constant = 0"""

@final
class Net:
    """A net inside the core."""
    def __new__(
        cls,
        initial: Sequence[int],
        consumes: Sequence[Sequence[tuple[int, int]]],
        produces: Sequence[Sequence[tuple[int, int]]],
    ) -> Net: ...
    def with_properties(self, properties: Sequence[tuple[str, Expression | None]]) -> Net:
        """The same net with properties, numbered from 2: ("safe", None), ("invariant", e), ("goal", e), or ("sum", e), where
        the largest value of the compared sum is among the facts of an exploration."""

@final
class Group:
    """A group of net automorphisms; every generator has passed `certify`."""

    order: int
    acting_order: int
    """Of the group as it acts on reachable markings: without what moves only places that never differ."""
    complete: bool
    """Is it the whole group of automorphisms that was asked for?"""
    generator_count: int
    def generators(self) -> list[tuple[list[int], list[int], str]]:
        """Images of the places, of the transitions, and the source: net automorphism | identical places | identical
        transitions | given, or what `group_of_given` was told."""
    def place_orbits(self) -> list[list[int]]: ...
    def transition_orbits(self) -> list[list[int]]: ...
    def base(self) -> list[int]:
        """The places of the non-trivial Schreier-Sims levels, in order."""
    def transversal_sizes(self) -> list[int]: ...
    def contains(self, images: Sequence[int]) -> bool:
        """Does some element of the group move the places like this?"""
    def random_element(self, seed: int) -> list[int]:
        """Images of the places under an element drawn evenly from the group."""
    def fixes(self, marking: Sequence[int]) -> bool: ...

def automorphisms(
    net: Net,
    fixing: Sequence[Sequence[int]],
    keeping: Sequence[Expression],
    seconds: float | None = None,
) -> Group:
    """All automorphisms that fix the given markings and keep each expression as it is (nauty, then certified); after so many
    seconds those that were found until then, or none."""

def trivial_group(net: Net) -> Group:
    """The identity alone."""

@final
class Coverability:
    """What a forward search found. Omega is None. `upper_bounds`: what P-semiflows say; None where they say nothing.
    `pump`: transitions, and the step from which on they can be repeated. `runs`: None where a goal was not found, or the
    run is too long. `store_bytes` counts what grows with the search."""

    stopped: str
    markings: list[list[int | None]]
    bounds: list[int | None]
    upper_bounds: list[int | None]
    firings: list[int]
    pump: tuple[list[int], int] | None
    found: list[bool]
    runs: list[list[int] | None]
    entered: int
    transitions: int
    depth: int
    searches: int
    given_up: int
    store_bytes: int
    seconds: float

def coverability(
    net: Net,
    group: Group,
    goals: Sequence[Expression],
    *,
    order: str = "bfs",
    goals_only: bool = False,
    max_states: int | None = None,
    max_seconds: float | None = None,
    max_memory: int | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> Coverability:
    """The minimal coverability set modulo the group, which fixes the initial marking and keeps the goals; ValueError where
    it does not, or a goal is not upward closed. `order`: bfs or dfs. `goals_only`: ends when all goals are found."""

@final
class BackwardCoverability:
    """What a backward search found: `stopped` is violation where the goal can be covered. `kept`: minimal markings."""

    stopped: str
    run: list[int] | None
    kept: int
    steps: int
    seconds: float

def backward_coverability(
    net: Net,
    group: Group,
    goal: Expression,
    *,
    max_states: int | None = None,
    max_seconds: float | None = None,
    max_memory: int | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> BackwardCoverability:
    """The same question from the goal backwards; TooLargeError where the goal has too many minimal markings."""

def covers(net: Net, group: Group, below: Sequence[int | None], above: Sequence[int | None]) -> bool | None:
    """Does some image of `above` under the group cover `below`? None where the search for it was given up, or where places
    differ in one of the markings that are always equal."""

def place_semiflows(net: Net, group: Group) -> list[list[tuple[int, int]]]:
    """Weights of places such that no transition changes the weighted number of tokens, as far as they are found in time. Of
    places that are always equal, one stands for all; places that never change are left out."""

def certify(net: Net, places: Sequence[int], transitions: Sequence[int]) -> str | None:
    """None where the permutation maps every arc to an arc of the same weight, else the reason why not."""

def certified_group(net: Net, generators: Sequence[tuple[Sequence[int], Sequence[int]]]) -> Group:
    """The group generated by permutations that were written by hand; ValueError with the reason where one is none."""

def group_of_given(
    net: Net,
    fixing: Sequence[Sequence[int]],
    keeping: Sequence[Expression],
    given: Sequence[tuple[Sequence[int], str]],
    automorphisms: bool,
    seconds: float | None = None,
) -> tuple[Group, list[tuple[int, str]]]:
    """The group generated by those permutations of places, each with its source, that are certified: transitions go where
    their arcs do; with `automorphisms`, by all automorphisms besides. And the numbers of those that are not, with the
    reasons."""

def graph_automorphisms(
    points: Sequence[int],
    nodes: Sequence[int],
    edges: Sequence[tuple[int, int, int]],
    seconds: float | None = None,
) -> tuple[list[list[int]], int] | None:
    """The automorphisms of a coloured graph by nauty: generators on the points, and the order of the group. `points`,
    `nodes`: their colours; vertices number the points first, then the nodes. `edges`: (node, vertex, label). No two nodes
    may agree in colour, edges and labels: then points decide where nodes go. None where it takes longer than `seconds`."""

UnfoldedArcs = tuple[tuple[tuple[int, int], ...], ...]

@final
class Unfolder:
    """Finds the static supports of a high-level net and the instances of its transitions. Values are numbers; terms are
    nested tuples (`burnside.unfolding.encoding`), and so are plans (`burnside.unfolding.planning`). Transitions that are
    None are left to the caller. `indices`: by number: a place, and parts of codes as (weight in the key, divisor, modulus).
    `limits`: transitions, places, arcs, values that are tried. Methods return the name of the limit that was reached, or
    None."""
    def __new__(
        cls,
        places: int,
        transitions: Sequence[tuple[Any, ...] | None],
        indices: Sequence[tuple[int, Sequence[tuple[int, int, int]]]],
        limits: tuple[int, int, int, int],
    ) -> Unfolder: ...
    def mark(self, place: int, codes: Sequence[int]) -> str | None:
        """Tokens of the initial marking."""
    def run(self, seconds: float | None = None) -> str | None:
        """Until every token is processed; "seconds" where that takes longer."""
    def tokens(self, start: int) -> list[tuple[int, int]]:
        """Place and code, in the order in which they were found, from that number on."""
    def counts(self) -> list[int]:
        """Instances by transition."""
    def known(self, place: int, code: int) -> bool:
        """Is the token in the support of the place?"""
    def add(
        self,
        transition: int,
        values: Sequence[int],
        consumed: Sequence[tuple[int, int, int]],
        produced: Sequence[tuple[int, int, int]],
    ) -> str | None:
        """An instance that the caller has found, with tokens as (place, code, number)."""
    def sorted(
        self,
        tables: Sequence[Sequence[int]],
        places: Sequence[int | None],
        variables: Sequence[Sequence[int | None]],
    ) -> tuple[list[int], bytes, list[int], bytes, UnfoldedArcs, UnfoldedArcs]:
        """Where the places of each place begin, and the end; their codes (64 bits each); where the instances of each
        transition begin, and the end; the values of their variables; what they consume and produce. Sorted by code, or by
        the entry of the code in a table, where a place or variable has one."""

class MethodError(ValueError):
    """A method that does not fit a group, and why."""

class TooLargeError(ValueError):
    """A model that the core cannot hold, and why."""

@final
class Method:
    """A canonicaliser by name with its settings. Functions that take it raise MethodError with the reason where it does not
    fit the group. `selector`: trivial | min | max | min-min-frequency | max-min-frequency | least-unique; None: the
    guide's default. `budget`: nodes, for representative; None: the first path. `rounds`, `widened`: of markers (marker,
    hybrid). `layers`: nauty sees machines' states as the layered graph of Spermann 2009."""
    def __new__(
        cls,
        name: str,
        guide: str = "partition",
        selector: str | None = None,
        budget: int | None = None,
        prune: bool = True,
        *,
        rounds: int = 1,
        widened: bool = False,
        layers: bool = False,
    ) -> Method: ...

@final
class Progress:
    states: int
    transitions: int
    frontier: int
    depth: int
    seconds: float
    memory_bytes: int

class SelfCheckError(Exception):
    """The law of symmetries does not hold on an explored state; its argument is a Contradiction."""

@final
class Contradiction:
    """A generator that is no symmetry, with a state that shows it. Points are places of nets, or elements of sorts."""

    generator: list[int]
    """Images of the points."""
    state: list[int]
    image: list[int]
    enabled: tuple[int, int]
    """How many actions are enabled in the state, and in its image."""
    what: str
    """steps | labels | verdict | cover"""
    labels: list[int]
    """The action, where the difference is in steps; with `labels`, the two that are taken for images of each other."""
    effect: str | None
    """Of the action: taken | discarded | impossible | failed | guard-failed"""
    property: int | None
    """The property that is violated, or covered."""
    in_state: bool
    """Does it happen in the state and not in the image? Otherwise it is the other way round."""

@final
class Program:
    """A typed program, compiled from the table of `burnside.ir.encoding`; a TooLargeError where it is too large."""

    def __new__(cls, texts: Sequence[str], rows: Sequence[tuple[str, Sequence[int]]]) -> Program: ...
    @property
    def slots(self) -> int: ...
    def enabled(self, state: Sequence[int]) -> tuple[list[int], list[tuple[int, int]]]:
        """The labels enabled in a state, and those whose guard violates a property, with its number."""
    def fire(self, state: Sequence[int], label: int) -> tuple[str, list[int] | None, int | None]:
        """`taken` with the successor, `discarded`, or `failed` with the number of a property."""
    def outcomes(
        self, states: Sequence[Sequence[int]]
    ) -> list[tuple[list[tuple[int, tuple[str, list[int] | None, int | None]]], list[int], list[int]]]:
        """For each state, reachable or not: the steps of its labels (as `fire`, and `guard failed` or `impossible`), the
        properties it violates (goals: satisfies), the properties covered by all that."""
    def starts(self) -> list[tuple[int, tuple[str, list[int] | None, int | None]]]: ...
    def observe(self, max_states: int, seed: int = 0) -> Observed:
        """Looks at up to so many states: half of them breadth first, the others on random walks; nothing is reduced."""

@final
class Observed:
    """What a program did in a sample of its states."""

    @property
    def lookups(self) -> list[list[list[int]]]:
        """By table, in the order in which the rows of tables stand in the encoded program: the arguments, ascending, for
        which it was looked up, also where it has no entry; the first 131,072 found."""
    @property
    def values(self) -> list[list[int]]:
        """By slot: the values it had, ascending, as states hold them; the first 300 found."""
    @property
    def states(self) -> int:
        """How many states were looked at."""
    @property
    def complete(self) -> bool:
        """Were these all?"""

@final
class ElementGroup:
    """A group on the elements of a program's sorts; the generators are certified before it is made. `kept`: pairs of
    elements that it maps to such pairs; `whole`: it is all permutations that keep its orbits and those pairs; `order`: its
    order, where that is known; `exchanged`: actions that some element maps to other actions; `telling`: elements that tell
    states apart, with which a search begins."""

    def __new__(
        cls,
        points: int,
        generators: Sequence[Sequence[int]],
        kept: Sequence[tuple[int, int]] = ...,
        whole: bool = False,
        order: int | None = None,
        exchanged: Sequence[int] = ...,
        telling: Sequence[int] = ...,
    ) -> ElementGroup: ...
    @property
    def order(self) -> int: ...
    def base(self) -> list[int]: ...
    def transversal_sizes(self) -> list[int]: ...
    def stabiliser(self, points: Sequence[int]) -> list[list[int]]:
        """Generators of the subgroup that fixes these points, one by one."""
    def element(self, members: Sequence[int]) -> list[int]:
        """By the number of a member of each transversal: all elements, each once."""
    def contains(self, images: Sequence[int]) -> bool: ...

class MachineError(ValueError):
    """A machine that cannot be explored, or a question that takes more than is allowed: (what, about, place), where `what`
    is a word like `unbounded` or `set-too-large`, `about` a name or number, and place (line, column, length, source) or
    None."""

_Complaint = tuple[str, str, tuple[int, int, int, str | None] | None]

@final
class Machine:
    """A machine, compiled from the table of `burnside.ir.encoding`; a MachineError where nothing bounds a name.
    `assume_numbers`: a number that nothing bounds is one of the implementable ones."""

    def __new__(
        cls, texts: Sequence[str], rows: Sequence[tuple[str, Sequence[int]]], assume_numbers: bool = False
    ) -> Machine: ...
    @property
    def slots(self) -> int: ...
    def starts(self) -> list[tuple[int, list[int] | None]]:
        """(label, state): the set-ups of the constants, or, where there are none, the initialisations. None: it fails."""
    def successors(self, state: Sequence[int]) -> tuple[list[tuple[int, list[int]]], list[int]]:
        """(label, successor) for each step, and the labels that fail."""
    def judge(self, state: Sequence[int]) -> list[int]:
        """The numbers of the properties that the state violates (goals: satisfies)."""
    def values(self, state: Sequence[int]) -> list[object]:
        """Of each constant and variable: None before it has one, numbers, truth values and texts as they are, an element as
        ("point", n) with elements numbered through all sorts, ("pair", a, b), ("record", ...), sets as frozensets."""
    def event(self, label: int) -> tuple[int, list[object], list[object], int]:
        """(operation, arguments, results, ordinal). The number of operations stands for the set-up of constants, one more
        for the initialisation. Ordinals distinguish outcomes of one event."""
    def assuming_bounds(self) -> Machine:
        """The same machine; values that are not tried are taken not to exist."""
    def with_sums(self, sums: Sequence[Sequence[int]]) -> Machine:
        """The same machine; a run finds out how many elements the multisets of each set of variables have together at most
        (the fact `sums`)."""
    def cut_domains(self) -> list[tuple[str, tuple[int, int, int, str | None] | None]]:
        """Names of which not all values were tried so far, with line, column, length and file."""
    def interned(self) -> tuple[int, int]:
        """How many values are kept, and their bytes."""

Subject = Net | Program | Machine
"""What is explored."""

@final
class Settings:
    """How a run goes, and when it ends. `deadlock`: is one a violation? `fatal`: the number of a property whose violation
    ends the run also with `keep_going`. `stats`: classify every state as trivial, easy or hard. `gives_up`: reducing,
    where it costs more than it saves; `gives_up_after`, for tests: after so many states, and does the run begin again?"""

    def __new__(
        cls,
        *,
        order: str = "bfs",
        alpha: float = 0.5,
        seed: int = 0,
        threads: int = 1,
        deadlock: bool = False,
        keep_going: bool = False,
        fatal: int | None = None,
        max_states: int | None = None,
        max_seconds: float | None = None,
        max_memory: int | None = None,
        stats: bool = False,
        self_check: str = "off",
        gives_up: bool = False,
        gives_up_after: tuple[int, bool] | None = None,
    ) -> Settings: ...

@final
class Token:
    """Where it is set, what the core does in the threads that entered it ends soon; what it returns then means nothing. It
    is set with the token of the thread that made it."""

    def __new__(cls) -> Token: ...
    def enter(self) -> None: ...
    def cancel(self) -> None: ...
    def is_cancelled(self) -> bool: ...

@final
class Exploration:
    """The answer of a run, whatever was explored."""

    @property
    def stopped(self) -> str:
        """exhausted | violation | max-states | max-seconds | max-memory | limit | interrupted | overflow"""
    @property
    def states(self) -> int: ...
    @property
    def expanded(self) -> int:
        """States whose successors are known; a state in which a step fails is among them."""
    @property
    def transitions(self) -> int:
        """Of machines without the `initial_states`, which an animator counts as transitions too."""
    @property
    def initial_states(self) -> int: ...
    @property
    def deadlocks(self) -> int: ...
    @property
    def full_states(self) -> int | None: ...
    @property
    def depth(self) -> int: ...
    @property
    def violations(self) -> list[tuple[int, list[tuple[int, list[int]]], int | None]]:
        """(property, (label, state) from the start on, the label that fails in the last state). Property 0 is a deadlock, 1
        an error of the model; the others are numbered from 2. The first label of a net means nothing."""
    @property
    def covered(self) -> list[int]:
        """Properties that were to be satisfied somewhere, and were."""
    @property
    def firings(self) -> list[int]:
        """By action: in how many explored states, with how many parameters, it was enabled."""
    @property
    def is_exact(self) -> bool:
        """Is there one state for each orbit? Of markers that is known only afterwards."""
    @property
    def facts(self) -> dict[str, Any]:
        """What only some kinds know. Nets: `bounds`, the most tokens seen in each place (over its orbit), and
        `largest_total`. Machines: `imprecise`, slots that held values which markers do not determine, and `interned`, the
        number and bytes of values that states share."""
    @property
    def violating(self) -> list[tuple[int, int]]:
        """(property number, in how many stored states)"""
    @property
    def trivial(self) -> int: ...
    @property
    def easy(self) -> int: ...
    @property
    def hard(self) -> int: ...
    @property
    def search_nodes(self) -> int: ...
    @property
    def most_search_nodes(self) -> int: ...
    @property
    def canonicalised(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def store_bytes(self) -> int:
        """Bytes held by the visited set, everything included."""
    @property
    def packed_bits(self) -> int:
        """Bits of one stored state."""
    @property
    def self_checked(self) -> int:
        """States on which the self-check was made."""
    @property
    def self_check_generators(self) -> tuple[int, int]:
        """Under how many generators each, of how many."""
    @property
    def change(self) -> tuple[int, float, bool, float, float | None] | None:
        """Where the run gave up reducing: stored states and seconds before it, did the run begin again, how many times as
        long as all the rest symmetry took, members of an orbit."""
    @property
    def unlifted(self) -> list[int]:
        """Violated properties for which there was no time to find a run."""

def explore(
    subject: Subject,
    group: Group | ElementGroup,
    method: Method,
    settings: Settings | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> Exploration:
    """Explore; a ValueError where the group changes a property of a net, a MachineError where a machine reached a limit.
    Releases the GIL; Ctrl-C ends it with `interrupted` and what was found so far."""

@final
class StateGraph:
    """A (reduced) reachability graph."""

    @property
    def states(self) -> list[list[int]]: ...
    @property
    def orbit_sizes(self) -> list[int]: ...
    @property
    def initial(self) -> int:
        """How many states, the first ones, are initial."""
    @property
    def starts(self) -> list[tuple[int, int]]:
        """(label, state)"""
    @property
    def redirected_starts(self) -> list[bool]:
        """By start: does it lead to a state that is only equivalent to the one named?"""
    @property
    def edges(self) -> list[tuple[int, int, int]]:
        """(from, label, to)"""
    @property
    def sequences(self) -> list[tuple[int, list[int]]]:
        """(number of an edge, all its labels), of edges that go through transient states."""
    @property
    def redirected(self) -> list[bool]:
        """By edge: does it lead to a state that is only equivalent to `to`?"""
    @property
    def witnesses(self) -> list[list[int]]:
        """By edge, on request: images of the points under an element that maps the state that the label leads to to `to`."""
    @property
    def failures(self) -> list[tuple[int, int]]:
        """(from, label): steps that fail."""
    @property
    def judged(self) -> list[tuple[int, int]]:
        """(state, property): what it violates, or satisfies where that is a goal."""
    @property
    def deadlocks(self) -> list[int]: ...
    @property
    def explored(self) -> int:
        """How many states, the first ones, have all their successors here."""
    @property
    def complete(self) -> bool: ...

class Individuals(Protocol):
    """To whom runs are fair. `acting`: the individuals that act in a step, with whether fairness to each is strong, and
    whether the step shows that it can act; `image`: of an individual under a permutation of points."""

    def acting(self, label: int, state: list[int], /) -> list[tuple[int, bool, bool]]: ...
    def image(self, element: list[int], individual: int, /) -> int: ...

FormulaTable = tuple[bool, bool, Sequence[tuple[str, Sequence[int]]] | Automaton, Sequence[tuple[str, int]]]
"""(is it linear, does the end of runs stutter, rows or an automaton of the runs that violate it, where the atoms are:
("state", number) or ("taken", classes))"""

@final
class TemporalRun:
    """A run that violates a formula; after the last step `closing` leads back to the state of number `loop_start`.
    `decided`: from this state on nothing matters. `holonomy`: images of points under one of the `rounds` of the loop."""

    steps: list[tuple[int, list[int]]]
    loop_start: int | None
    closing: int | None
    decided: int | None
    rounds: int
    holonomy: list[int]

@final
class TemporalAnswer:
    holds: bool | None
    run: TemporalRun | None
    why: str | None
    automaton: tuple[int, int] | None
    """States and edges of the automaton of the negation."""
    nodes: int
    seconds: float

@final
class TemporalReport:
    stopped: str
    answers: list[TemporalAnswer]
    states: int
    expanded: int
    edges: int
    has_failed: bool
    lacks_witnesses: bool
    bytes: int
    edge_bytes: int
    keeps_edges: bool
    seconds: float

def check_formulas(
    subject: Subject,
    group: Group | ElementGroup,
    method: Method,
    settings: Settings,
    state_atoms: Sequence[tuple[str, int]],
    formulas: Sequence[FormulaTable],
    classify: Callable[[int, list[int]], int] | None = None,
    progress: Callable[[Progress], object] | None = None,
    *,
    individuals: Individuals | None = None,
    constants: int = 0,
    keep_edges: bool = True,
) -> TemporalReport:
    """Answer formulas whose atoms the group keeps. State atoms: ("satisfied", property), ("enabled", classes), ("ends", 0),
    ("sink", 0), ("initial", 0). `classify`: the classes of a step, from its label and state, as bits; `constants`: they
    depend on so many slots of the state. `keep_edges`: as long as the memory limit allows it; otherwise they are fired
    again."""

def state_graph(
    subject: Subject,
    group: Group | ElementGroup,
    method: Method,
    max_states: int,
    *,
    witnesses: bool = False,
) -> StateGraph:
    """All states and edges, up to so many states. The states are the same for every method that reduces."""

def components(
    subject: Subject, group: Group | ElementGroup, method: Method, max_states: int
) -> list[tuple[int, bool]] | None:
    """Strongly connected components: how many states each has, and whether an edge is inside it. None where there are more
    states than allowed."""

def canonical(
    subject: Subject, group: Group | ElementGroup, method: Method, state: Sequence[int]
) -> tuple[list[int], int]:
    """The representative of a state, and the order of its stabiliser."""

def equivalent(subject: Subject, group: Group | ElementGroup, a: Sequence[int], b: Sequence[int]) -> bool:
    """Does some element of the group map one state to the other?"""

def encode(subject: Subject, group: Group | ElementGroup, state: Sequence[int]) -> bytes:
    """The state in a form that is the same in every process."""

def decode(subject: Subject, group: Group | ElementGroup, bytes: bytes) -> list[int]:
    """The state that was written in that form."""

def layered_graph_size(machine: Machine, group: ElementGroup, state: Sequence[int]) -> tuple[int, int]:
    """Vertices and arcs of the graph that stands for a state (Spermann 2009, Tables C.1 and C.2)."""

MAX_ATOMS: int
"""A formula has at most so many atoms, `ended` included."""

@final
class Automaton:
    """A transition-based generalised Buechi automaton: a run is accepted if every mark is on infinitely many of its edges.
    State 0 is the initial one. It was made smaller; a state accepts nothing only where it is the only one."""

    @property
    def states(self) -> int: ...
    @property
    def marks(self) -> int: ...
    @property
    def edges(self) -> list[tuple[int, int, int, int, int]]:
        """(source, atoms that must be true, atoms that must be false, marks, target), sets as bits."""
    @property
    def components(self) -> list[int]:
        """By state: its strongly connected component. None leads to one with a larger number."""
    @property
    def kinds(self) -> list[str]:
        """By state, of its component: transient | rejecting | mixed | accepting | terminal (all words are accepted from
        there)."""
    @property
    def is_weak(self) -> bool:
        """Is no component mixed?"""
    @property
    def is_safety(self) -> bool:
        """Is every infinite run accepted?"""
    @property
    def is_terminal(self) -> bool:
        """Are words accepted only by reaching a state that accepts all words?"""
    @property
    def is_deterministic(self) -> bool: ...
    @property
    def is_complete(self) -> bool: ...
    def hoa(self, name: str, atoms: Sequence[str]) -> str:
        """The automaton in the HOA format; `atoms` has a name for each atom of its labels."""

def automaton(rows: Sequence[tuple[str, Sequence[int]]], ended: int | None = None) -> Automaton:
    """The automaton of a formula as a table of operators, operands before what is made of them, the formula itself last.
    `ended`: the atom that is true where a finite run has ended, for strong next; without it finite runs stutter. A
    TooLargeError where the automaton would be too large."""

def given_automaton(states: int, marks: int, edges: Sequence[tuple[int, int, int, int, int]]) -> Automaton:
    """An automaton with the language of this one; edges as in `Automaton.edges`."""

@final
class StateMachine:
    """A finite state machine. `observations`: by state, what is seen of it; `inputs`, `outputs`: by action; `edges`: a
    buffer of unsigned numbers of 32 bits, three for each edge: source, action, target."""

    def __new__(
        cls,
        initial: Sequence[int],
        observations: Sequence[int],
        inputs: Sequence[int],
        outputs: Sequence[int],
        edges: array[int],
    ) -> StateMachine: ...
    def distances(self) -> list[int | None]:
        """By state: the length of a shortest trace to it."""
    def ambiguous(self, reachable: bool, most: int) -> tuple[int, list[tuple[int, int]]]:
        """How many (state, input) have several edges, of reachable states or of all, and the first of them."""
    def missing(self, reachable: bool, most: int) -> tuple[int, list[tuple[int, int]]]:
        """How many (state, input) have no edge, and the first of them."""
    def classes(self) -> list[int]:
        """By state: its class of bisimilar states, numbered by first states."""
    def determinise(self, max_states: int) -> tuple[list[list[int]], list[int]]:
        """The states that each state of the result stands for, and its edges; TooLargeError where there are more."""

class UncoveredError(ValueError):
    """An action that no copy of a template can do: trace, state, vector, action."""

@final
class Pattern:
    """A template and its copies. `colours`: by edge; `images`: by copy and action of the template, the machine's action."""

    def __new__(
        cls,
        machine: StateMachine,
        edges: array[int],
        colours: Sequence[int],
        images: Sequence[Sequence[int | None]],
        initial: Sequence[int],
    ) -> Pattern: ...
    def kernel(
        self, machine: StateMachine, ranks: Sequence[int], progress: Callable[[int], object] | None = None
    ) -> Kernel:
        """`ranks`: by action. UncoveredError where a trace is not covered."""
    def search_order(
        self,
        machine: StateMachine,
        order: Sequence[int],
        restarts: int,
        tries: int,
        seed: int,
        progress: Callable[[int], object] | None = None,
    ) -> tuple[list[int], int, int, int]:
        """The best order of inputs found, states and edges of its kernel, and how many kernels were computed."""
    def check(
        self, machine: StateMachine, strict: bool, progress: Callable[[int], object] | None = None
    ) -> SymmetryVerdict: ...

@final
class SymmetryVerdict:
    nodes: int
    compared: int
    related: int
    """Pairs of nodes that variant traces lead to, where the pattern is a symmetry."""
    counterexample: tuple[str, list[int], list[int], int | None, int | None] | None
    """Flaw, two traces, the action after the first, the action after the second."""

@final
class Kernel:
    """A part of a machine. `edges`: by edge of the machine, by source, is it in?"""

    def __new__(cls, machine: StateMachine, edges: Sequence[bool]) -> Kernel: ...
    @property
    def visited(self) -> int: ...
    @property
    def states(self) -> list[int]: ...
    @property
    def edges(self) -> bytes:
        """Source, action, target of each, numbers of 32 bits."""
    @property
    def edge_count(self) -> int: ...

@final
class Specification:
    """A deterministic, input-enabled machine and a part of it, for test derivation. `first`: shortest | longest, of the
    characterising set."""

    def __new__(
        cls,
        machine: StateMachine,
        kernel: Kernel | None = None,
        first: str = "longest",
        progress: Callable[[int], object] | None = None,
    ) -> Specification: ...
    @property
    def classes(self) -> int:
        """How many classes of bisimilar states meet the part."""
    @property
    def states(self) -> list[int]: ...
    @property
    def characterising_set(self) -> list[list[int]]: ...
    def w(self, extra: int) -> Suite: ...
    def wp(self, extra: int) -> Suite: ...
    def hsi(self, extra: int) -> Suite: ...
    def h(self, extra: int) -> Suite: ...
    def random(self, walks: int, length: int, seed: int) -> Suite: ...
    def of_words(self, words: Sequence[Sequence[int]]) -> Suite: ...

@final
class Suite:
    def size(self) -> tuple[int, int]:
        """How many tests there are, and how many inputs they have together; at most 2^128 - 1."""
    def detects(self, initial: int, rows: Sequence[tuple[int, int]]) -> tuple[list[int], list[int]] | None:
        """The beginning of the first test that another machine answers otherwise, with its outputs. `rows`: output and
        target by state and input, in the numbers of the specification."""
    def tests(self) -> Tests: ...
    def lines(self, format: str, inputs: Sequence[str], outputs: Sequence[str]) -> TestLines:
        """The bytes of a file, in pieces. `format`: json, with names in quotation marks, or text."""

@final
class Tests:
    def __iter__(self) -> Tests: ...
    def __next__(self) -> tuple[list[int], list[int]]: ...

@final
class TestLines:
    def __iter__(self) -> TestLines: ...
    def __next__(self) -> bytes: ...
