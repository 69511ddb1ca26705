"""Test suites: words of inputs with the outputs that are expected, derived from a machine or from a kernel of it.

In: a `Specification` (a deterministic, input-enabled Mealy machine, maybe with a kernel and what is known of its
symmetry), a `Method`. Out: a `Suite`: its size, known before any test is made; its tests, one after the other; and what
it is worth: which implementations it tells from the specification, and under which assumptions.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Literal

from burnside import _core
from burnside.diagnostics import Diagnostic, InputError, UsageError
from burnside.records import record
from burnside.testing.compiled import compiled
from burnside.testing.completing import as_mealy, reachable_part
from burnside.testing.facts import check_complete, check_deterministic, minimise
from burnside.testing.kernel import Kernel
from burnside.testing.machine import StateMachine
from burnside.testing.suite_files import Test
from burnside.testing.symmetry_check import CheckedSymmetry, Symmetry

MethodName = Literal["w", "wp", "hsi", "h", "random"]
METHODS: tuple[MethodName, ...] = ("w", "wp", "hsi", "h", "random")
Worth = Literal["complete", "symmetry-selected", "random"]
MAX_EXTRA = 1000
"""More would not be written in the age of the universe."""
MAX_COUNT = 2**128 - 1
"""Where the core ends counting."""
MAX_RANDOM_INPUTS = 100_000_000
"""Of all random walks, which are kept in memory."""


@record
class Method:
    """`extra`: by how many states the implementation may be larger than the specification, or than the kernel's classes
    (m1 - n). `m1`: instead of it, the number of its classes. `m2`: of Theorem 5.8. `first`: how the characterising set
    is chosen. `walks`, `length`, `seed`: of random walks."""

    name: MethodName = "w"
    extra: int | None = None
    m1: int | None = None
    m2: int | None = None
    first: Literal["longest", "shortest"] = "longest"
    walks: int | None = None
    length: int | None = None
    seed: int | None = None


def specification(machine: StateMachine) -> StateMachine:
    """The reachable part as a Mealy machine; an `InputError` where tests cannot be derived from it."""
    if not machine.edges:
        raise InputError(Diagnostic("the machine has no edges: there is nothing to test", machine.name))
    check_deterministic(machine)
    check_complete(machine)
    found = as_mealy(reachable_part(machine))
    if any(each.output is None for each in found.actions):
        raise InputError(
            Diagnostic(
                "the machine has no outputs: nothing can be observed of an implementation",
                machine.name,
                hint="where labels hold inputs and outputs, --split says how: slash, offers or a regular expression",
            )
        )
    return found


@record
class Suite:
    """`machine`: the specification. `classes`: of bisimilar states of the specification that meet the part that is
    tested."""

    machine: StateMachine
    method: Method
    core: _core.Suite
    classes: int
    symmetry: Symmetry | None
    assumptions: tuple[str, ...]
    worth: Worth

    @property
    def complete(self) -> bool:
        return self.worth == "complete"

    @cached_property
    def size(self) -> tuple[int, int]:
        """Tests and inputs, counted without making them; a `UsageError` where these numbers end."""
        tests, inputs = self.core.size()
        if inputs >= MAX_COUNT:
            raise UsageError(
                Diagnostic(f"this is a suite of more tests than can be counted ({MAX_COUNT:.1e})", "--extra")
            )
        return tests, inputs

    def tests(self) -> Iterator[Test]:
        inputs, outputs = self.machine.inputs, self._outputs
        for given, expected in self.core.tests():
            yield Test(tuple(inputs[each] for each in given), tuple(outputs[each] for each in expected))

    def json_lines(self) -> Iterator[bytes]:
        """Tests as lines of a suite file, many at a time."""
        inputs = [json.dumps(each, ensure_ascii=False) for each in self.machine.inputs]
        outputs = [json.dumps(each, ensure_ascii=False) for each in self._outputs]
        return self.core.lines("json", inputs, outputs)

    def text_lines(self) -> Iterator[bytes]:
        return self.core.lines("text", self.machine.inputs, self._outputs)

    @property
    def _outputs(self) -> tuple[str, ...]:
        return tuple(each or "" for each in compiled(self.machine).outputs)


def derive(
    machine: StateMachine,
    method: Method,
    kernel: Kernel | None = None,
    checked: CheckedSymmetry | None = None,
    progress: Callable[[int], object] | None = None,
) -> Suite:
    """`machine`: made by `specification`. `kernel`: of it, with what is known of the symmetry."""
    _check_method(method, machine, kernel)
    if method.name in ("wp", "hsi", "h"):
        # No loss: a suite is words and expected outcomes, and the bound is about the implementation.
        machine = minimise(machine)
    own = _core.Specification(
        compiled(machine).core, None if kernel is None else kernel.core, method.first, progress
    )
    if method.name == "random":
        walks, length, seed = (
            default if given is None else given
            for given, default in ((method.walks, 100), (method.length, 100), (method.seed, 0))
        )
        if walks * length > MAX_RANDOM_INPUTS:
            message = f"more than {MAX_RANDOM_INPUTS:,} random inputs are not supported"
            raise UsageError(Diagnostic(message, source="--walks"))
        drawn = own.random(walks, length, seed)
        return Suite(machine, method, drawn, own.classes, None, (), "random")
    extra = _extra(method, own.classes)
    m2 = method.m2 or 0
    made = {"w": own.w, "wp": own.wp, "hsi": own.hsi, "h": own.h}[method.name](extra + m2)
    symmetry = None if kernel is None else "unchecked" if checked is None else checked.symmetry
    is_complete = kernel is None or (checked is not None and checked.is_proved)
    return Suite(
        machine,
        method,
        made,
        own.classes,
        symmetry,
        tuple(_assumptions(own.classes, extra, m2, symmetry)),
        "complete" if is_complete else "symmetry-selected",
    )


def _check_method(method: Method, machine: StateMachine, kernel: Kernel | None) -> None:
    if kernel is not None and kernel.machine is not machine:
        raise UsageError(Diagnostic("the kernel is one of another machine", machine.name))
    if kernel is not None and method.name != "w":
        message = f"{method.name} is for whole machines: only the W-method is proved on kernels (Theorem 5.8)"
        raise UsageError(Diagnostic(message, source="--method"))
    of_bounds = {"--extra": method.extra, "--m1": method.m1, "--m2": method.m2}
    of_walks = {"--walks": method.walks, "--length": method.length, "--seed": method.seed}
    unused, needed = (
        (of_bounds, "another method") if method.name == "random" else (of_walks, "--method random")
    )
    for option, value in unused.items():
        if value is not None:
            raise UsageError(Diagnostic(f"has no effect here: it needs {needed}", source=option))
    if kernel is None and method.m2 is not None:
        raise UsageError(Diagnostic("has no effect here: it needs a kernel", source="--m2"))
    if method.extra is not None and method.m1 is not None:
        raise UsageError(Diagnostic("--extra and --m1 say the same; give one of them", source="--m1"))


def _extra(method: Method, classes: int) -> int:
    if method.m1 is None:
        extra = method.extra or 0
    elif method.m1 < classes:
        raise UsageError(
            Diagnostic(
                f"m1 is {method.m1}, but {classes} classes of states are tested: an implementation with fewer is faulty",
                source="--m1",
                hint=f"m1 is at least {classes}",
            )
        )
    else:
        extra = method.m1 - classes
    if extra + (method.m2 or 0) > MAX_EXTRA:
        raise UsageError(Diagnostic(f"more than {MAX_EXTRA} extra states cannot be tested", "--extra"))
    return extra


def _assumptions(classes: int, extra: int, m2: int, symmetry: Symmetry | None) -> Iterator[str]:
    """Of Chow's theorem, or of Theorem 5.8."""
    yield "the implementation behaves as a Mealy machine: deterministic, and every input has an answer in every state"
    yield "a reset brings it to its initial state"
    most = classes + extra
    if symmetry is None:
        yield f"it has at most {most} states that can be told apart ({classes} of the specification, {extra} extra)"
        return
    yield f"m1: traces of the kernel lead to at most {most} states of it that can be told apart (specified: {classes})"
    yield f"m2: any two of these are told apart by a word of which at most the last {m2} inputs leave them"
    # Of its other traces nothing is assumed, not even where the symmetry is one of all words: see docs/testing.md.
    related = "two traces of the specification that are symmetric step by step"
    yield f"it is closed under the symmetry: of {related} it has both or none"
    if symmetry in ("refuted", "unchecked"):
        yield f"the pattern is a symmetry of the specification ({symmetry})"
