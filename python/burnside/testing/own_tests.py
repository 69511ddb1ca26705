"""Are the tests of a suite file tests of a machine?

In: a machine made by `suites.specification`, tests. Out: the same tests, one by one, with their inputs as numbers; an
`InputError` at the first that has an input or expects an output that the machine has not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from burnside.diagnostics import Diagnostic, InputError
from burnside.testing.machine import StateMachine
from burnside.testing.reference.mealy import mealy
from burnside.testing.suite_files import Test


def own_tests(machine: StateMachine, tests: Iterable[Test]) -> Iterator[tuple[Test, list[int]]]:
    place = {given: at for at, given in enumerate(machine.inputs)}
    table = mealy(machine)
    for number, test in enumerate(tests, 1):
        word, state = [], table.initial
        for step, (given, expected) in enumerate(zip(test.inputs, test.outputs, strict=True), 1):
            where = f"step {step} of test {number}"
            if given not in place:
                raise _foreign(machine, f"{where} has the input {given!r}, which the machine has not")
            output, state = table.rows[state][place[given]]
            if output != expected:
                what = f"{where} expects {expected!r}, where the machine answers {output!r}"
                raise _foreign(machine, what)
            word.append(place[given])
        yield test, word


def _foreign(machine: StateMachine, what: str) -> InputError:
    return InputError(Diagnostic(f"the suite is not one of this machine: {what}", machine.name))
