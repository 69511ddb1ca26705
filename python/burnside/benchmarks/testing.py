"""The tables of Romijn and Springintveld (1999), sizes of suites, and a race with AALpy.

In: the published figures, and further ones that were recomputed where the report leaves them out or misprints them. Out:
tables in which sizes of machines, kernels and suites and the verdicts on symmetries must be these; speeds stand beside them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from burnside.benchmarks.tables import Row, Table, TableSpec, named
from burnside.diagnostics import contradiction
from burnside.families.machines import Member, member
from burnside.records import record
from burnside.testing.compiled import compiled
from burnside.testing.facts import determinise, minimise
from burnside.testing.kernel import kernel
from burnside.testing.machine import Action, Edges, StateMachine
from burnside.testing.reference.mealy import mealy
from burnside.testing.suites import Method, Suite, derive, specification
from burnside.testing.symmetry_check import checked_symmetry

AALPY_TARGET = 20.0
STEPS_TARGET = 1e6


@record
class KernelCase:
    """`origin`: of the figures of the kernel."""

    title: str
    order: str
    machine: tuple[int, int]
    kernel: tuple[int, int]
    origin: str = "published"
    symmetry: str = "refuted"

    @property
    def member(self) -> Member:
        name, *params = self.title.split()
        return member(name, params)


_RECOMPUTED = "recomputed"
ON_TRACES = "proved on traces"
CHATBOX = (
    KernelCase("chatbox 3", "lifo", (512, 12_288), (213, 3_722), symmetry=ON_TRACES),
    KernelCase("chatbox 3", "literal", (512, 12_288), (502, 8_626), _RECOMPUTED, ON_TRACES),
    KernelCase("chatbox 4", "lifo", (65_536, 2_621_440), (11_636, 285_810), _RECOMPUTED),
    KernelCase("chatbox 4", "program", (65_536, 2_621_440), (65_304, 1_567_636), _RECOMPUTED),
    KernelCase("chatbox-fixed 3", "lifo", (64, 1_152), (10, 84), symmetry=ON_TRACES),
    KernelCase("chatbox-fixed 3", "literal", (64, 1_152), (20, 176), _RECOMPUTED, ON_TRACES),
    KernelCase("chatbox-fixed 4", "literal", (4_096, 131_072), (112, 1_296)),
    KernelCase("chatbox-fixed 4", "lifo", (4_096, 131_072), (35, 396), _RECOMPUTED),
    KernelCase("chatbox-fixed 4", "program-lifo", (4_096, 131_072), (28, 312), _RECOMPUTED),
    KernelCase("chatbox 2", "lifo", (16, 192), (9, 74), _RECOMPUTED, ON_TRACES),
    KernelCase("chatbox-fixed 2", "lifo", (4, 32), (3, 14), _RECOMPUTED, ON_TRACES),
)
TRAINS = (
    KernelCase("train-plain 4", "descending", (2_565, 23_084), (625, 3_724), _RECOMPUTED),
    KernelCase("train-plain 7", "descending", (286_725, 4_300_874), (12_685, 79_594)),
    KernelCase("train-plain 8", "descending", (1_310_725, 22_282_324), (30_945, 195_404)),
    KernelCase("train 4", "published", (2_808, 24_312), (1_548, 8_752)),
    KernelCase("train 5", "published", (13_950, 148_650), (5_193, 30_255)),
    KernelCase("train 6", "published", (72_036, 912_276), (16_959, 100_647)),
    KernelCase("train 7", "published", (336_042, 4_927_734), (49_941, 300_655)),
    KernelCase("train 8", "published", (1_563_696, 26_060_592), (146_394, 887_208)),
)
KERNELS = TableSpec(
    "testing-kernels",
    "Machines and kernels of Romijn and Springintveld 1999 (Tables 1 and 2)",
    named(
        "machine | order | states | edges | figures | kernel states | kernel edges | measured states | measured edges "
        "| symmetry | generating s | kernel s | check s | verdict"
    ),
    "Sizes of machines are published, sizes of kernels are published or recomputed: the report's fourth row of "
    "Table 1 (16,385 "
    "and 263,000) is that of a run that was cut off, its kernel edges of the Mealy train with 7 stations (79,594) those of "
    "another row. Kernel edges of the Mealy trains with 4 to 6 stations are not in the report. `symmetry`: what the "
    "check says "
    "of the report's pattern.",
)
RING = TableSpec(
    "testing-ring",
    "The ring of Romijn and Springintveld 1999 (Table 3)",
    named("machine | states | edges | measured states | measured edges | seconds | verdict"),
    "The report's model is nondeterministic, so kernels are of the determinised one; 37,764 and 292,254 are published.",
)
RING_FIGURES = {
    "as printed": (145_094, 779_040),
    "bisimulation quotient": (37_764, 292_254),
    "determinised and minimised": (24_524, 184_545),
    "its kernel, descending": (24_382, 172_482),
    "its kernel, ascending": (24_230, 170_624),
}


@record
class SuiteCase:
    """Tests and inputs for the kernel, and for the whole machine; of W as the digest of the report chooses it, and as
    we do."""

    title: str
    first: str
    of_kernel: tuple[int, int]
    of_all: tuple[int, int]


SUITES = (
    SuiteCase("chatbox-fixed 2", "shortest", (24, 74), (58, 178)),
    SuiteCase("chatbox-fixed 3", "shortest", (474, 2_382), (6_534, 33_030)),
    SuiteCase("chatbox 2", "shortest", (479, 2_974), (1_593, 10_281)),
    SuiteCase("chatbox-fixed 2", "longest", (24, 74), (58, 178)),
    SuiteCase("chatbox-fixed 3", "longest", (474, 2_382), (6_534, 33_030)),
    SuiteCase("chatbox 2", "longest", (148, 1_084), (384, 2_880)),
)
SIZES = TableSpec(
    "testing-suites",
    "Suites of the W-method without extra states: kernels against whole machines",
    named(
        "machine | characterising set | kernel tests | kernel inputs | all tests | all inputs | measured kernel tests "
        "| measured kernel inputs | measured all tests | measured all inputs | verdict"
    ),
    "`shortest` and `longest`: which states the characterising set separates first; the latter, the default, is smaller.",
)
RACE = TableSpec(
    "testing-race",
    "The W-method against AALpy on a random machine with 1,000 states and 20 inputs, one extra state",
    named(
        "what | tests | steps | burnside s | million steps/s | AALpy s | AALpy tests | ratio | target | verdict"
    ),
    "`run`: the suite is derived and run against the machine itself, by burnside's core and by AALpy's oracle, which both "
    "find no difference. `write`: burnside writes the suite as JSON lines with the outputs that are expected, "
    "without keeping "
    "it; AALpy only lists the words. AALpy keeps tests that others begin with. The target of steps is a million a second.",
)


def tables() -> Iterator[Table]:
    yield Table(KERNELS, kernel_rows((*CHATBOX, *TRAINS)))
    yield Table(RING, ring_rows())
    yield Table(SIZES, suite_rows(SUITES))
    yield Table(RACE, race_rows())


def kernel_rows(cases: Sequence[KernelCase]) -> Iterator[Row]:
    for case in cases:
        begun = time.perf_counter()
        machine, pattern = case.member.machine(), case.member.pattern()
        generated = time.perf_counter()
        found = kernel(machine, pattern, case.member.order(case.order))
        reduced = time.perf_counter()
        checked = checked_symmetry(machine, pattern)
        ended = time.perf_counter()
        sizes = (len(machine.states), len(machine.edges)), (len(found.states), len(found.edges))
        wrong = (*sizes, checked.symmetry) != (case.machine, case.kernel, case.symmetry)
        cells = (
            case.title,
            case.order,
            *sizes[0],
            case.origin,
            *case.kernel,
            *sizes[1],
            checked.symmetry,
            generated - begun,
            reduced - generated,
            ended - reduced,
            "WRONG" if wrong else "as expected",
        )
        yield Row(cells, wrong=wrong)


def ring_rows() -> Iterator[Row]:
    ring = member("ring", ())
    begun = time.perf_counter()

    def row(name: str, states: int, edges: int) -> Row:
        nonlocal begun
        seconds, begun = time.perf_counter() - begun, time.perf_counter()
        wrong = (states, edges) != RING_FIGURES[name]
        verdict = "WRONG" if wrong else "as expected"
        return Row((name, *RING_FIGURES[name], states, edges, seconds, verdict), wrong=wrong)

    machine = ring.machine()
    yield row("as printed", len(machine.states), len(machine.edges))
    least = minimise(machine)
    yield row("bisimulation quotient", len(least.states), len(least.edges))
    single = minimise(determinise(least))
    yield row("determinised and minimised", len(single.states), len(single.edges))
    for order in ("descending", "ascending"):
        found = kernel(single, ring.pattern(), ring.order(order))
        yield row(f"its kernel, {order}", len(found.states), len(found.edges))


def suite_rows(cases: Sequence[SuiteCase]) -> Iterator[Row]:
    for case in cases:
        own = member(*_called(case.title))
        spec = specification(own.machine())
        pattern = own.pattern()
        part = kernel(spec, pattern, own.order())
        method = Method(first="shortest" if case.first == "shortest" else "longest")
        sizes = (
            derive(spec, method, part, checked_symmetry(spec, pattern)).size,
            derive(spec, method).size,
        )
        wrong = sizes != (case.of_kernel, case.of_all)
        cells = (case.title, case.first, *case.of_kernel, *case.of_all, *sizes[0], *sizes[1])
        yield Row((*cells, "WRONG" if wrong else "as expected"), wrong=wrong)


def _called(title: str) -> tuple[str, list[str]]:
    name, *params = title.split()
    return name, params


def random_mealy(states: int, inputs: int, outputs: int, seed: int) -> StateMachine:
    random = Random(seed)
    actions = [Action(f"i{given}", f"o{output}") for given in range(inputs) for output in range(outputs)]
    edges = (
        (state, given * outputs + random.randrange(outputs), random.randrange(states))
        for state in range(states)
        for given in range(inputs)
    )
    names = tuple(f"s{state}" for state in range(states))
    return StateMachine("random", names, (0,), tuple(actions), Edges.of(edges))


def race_rows(states: int = 1000, inputs: int = 20) -> Iterator[Row]:
    machine = random_mealy(states, inputs, 5, 1)
    spec = specification(machine)
    theirs = _aalpy_seconds(machine)
    for what, ours in (("run", _run), ("write", _written)):
        begun = time.perf_counter()
        suite = derive(spec, Method(extra=1))
        ours(suite)
        taken = time.perf_counter() - begun
        tests, steps = suite.size
        figures = (what, tests, steps, taken, steps / taken / 1e6)
        if theirs is None:
            yield Row((*figures, None, None, None, None, "skipped: aalpy is absent"))
            continue
        seconds, count = theirs[what]
        ratio = seconds / taken
        target = AALPY_TARGET if what == "run" else None
        is_met = steps / taken >= STEPS_TARGET and (target is None or ratio >= target)
        yield Row((*figures, seconds, count, ratio, target, "met" if is_met else "missed"))


def _run(suite: Suite) -> None:
    machine = suite.machine
    outputs = {output: at for at, output in enumerate(compiled(machine).outputs)}
    rows = [(outputs[output], target) for row in mealy(machine).rows for output, target in row]
    if suite.core.detects(machine.initial[0], rows) is not None:
        raise contradiction("a machine fails its own suite")


def _written(suite: Suite) -> None:
    for _ in suite.json_lines():
        pass


def _aalpy_seconds(machine: StateMachine) -> Mapping[str, tuple[float, int]] | None:
    """By what is measured: seconds, and how many tests; None where AALpy is absent."""
    try:
        from aalpy.automata import MealyMachine, MealyState
        from aalpy.oracles import WMethodEqOracle
        from aalpy.SULs import AutomatonSUL
    except ImportError:
        return None

    def built() -> MealyMachine:
        states = [MealyState(name) for name in machine.states]
        for source, action, target in machine.edges:
            label = machine.actions[action]
            states[source].transitions[label.input] = states[target]
            states[source].output_fun[label.input] = label.output
        return MealyMachine(states[0], states)

    alphabet, most = list(machine.inputs), len(machine.states) + 1
    own = built()
    begun = time.perf_counter()
    own.compute_prefixes()
    words = own.compute_characterization_set()
    cover = [(*state.prefix, letter) for state in own.states for letter in alphabet]
    oracle = WMethodEqOracle(alphabet, None, most)
    count = sum(1 for _ in oracle.test_suite(cover, 2, words))
    listed = time.perf_counter() - begun
    fresh = built()
    oracle = WMethodEqOracle(alphabet, AutomatonSUL(built()), most)
    begun = time.perf_counter()
    fresh.compute_prefixes()
    if oracle.find_cex(fresh) is not None:
        raise contradiction("AALpy finds a difference between a machine and itself")
    return {"run": (time.perf_counter() - begun, count), "write": (listed, count)}
