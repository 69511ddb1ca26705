"""JUnit's XML of a run, as CI systems read it.

In: results, one after the other. Out: a file that appears whole, with the numbers of tests and failures in its first
lines. These are known at the end, so cases are written to a temporary file first.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from shutil import copyfileobj
from xml.sax.saxutils import quoteattr

from burnside.output_files import writing_atomically
from burnside.testing.running import TestResult

FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot say, not even by number."""


def _attribute(text: str) -> str:
    return quoteattr(FORBIDDEN.sub("\ufffd", text), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


@contextmanager
def writing_junit(path: str, suite: str) -> Iterator[Callable[[TestResult], None]]:
    """A function to call with each result. A failure that is no wrong output is an error in JUnit's words."""
    # Where the last case ends, and the numbers up to there: an interrupt leaves both as they are.
    done = (0, 0, 0, 0, 0.0)
    with tempfile.TemporaryFile() as cases:

        def add(result: TestResult) -> None:
            nonlocal done
            end, count, failures, errors, seconds = done
            cases.seek(end)
            cases.write(_case(suite, result).encode())
            is_wrong = result.failure is not None and result.failure.kind == "wrong output"
            is_error = result.failure is not None and not is_wrong
            seconds += result.seconds
            done = (cases.tell(), count + 1, failures + is_wrong, errors + is_error, seconds)

        with writing_atomically(path) as file:
            yield add
            end, count, failures, errors, seconds = done
            numbers = (
                f'tests="{count}" failures="{failures}" errors="{errors}" skipped="0" time="{seconds:.6f}"'
            )
            head = (
                '<?xml version="1.0" encoding="UTF-8"?>\n'
                f"<testsuites {numbers}>\n  <testsuite name={_attribute(suite)} {numbers}>\n"
            )
            file.write(head.encode())
            cases.truncate(end)
            cases.seek(0)
            copyfileobj(cases, file)
            file.write(b"  </testsuite>\n</testsuites>\n")


def _case(suite: str, result: TestResult) -> str:
    name = _attribute(f"test {result.number}")
    line = f"<testcase classname={_attribute(suite)} name={name} time={_attribute(f'{result.seconds:.6f}')}"
    failure = result.failure
    if failure is None:
        return f"    {line}/>\n"
    tag = "failure" if failure.kind == "wrong output" else "error"
    at = "reset" if failure.step is None else f"step {failure.step + 1} ({failure.inputs[failure.step]})"
    message = _attribute(f"{at}: {failure.what}")
    text = FORBIDDEN.sub(chr(0xFFFD), "\n".join(_steps(failure.inputs, failure.expected, failure.outputs)))
    body = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return (
        f"    {line}>\n      <{tag} type={_attribute(failure.kind)} message={message}>{body}</{tag}>\n"
        f"    </testcase>\n"
    )


def _steps(inputs: tuple[str, ...], expected: tuple[str, ...], outputs: tuple[str, ...]) -> Iterator[str]:
    for at, given in enumerate(inputs):
        got = outputs[at] if at < len(outputs) else None
        if got is None:
            yield f"{given} / {expected[at]}"
        else:
            yield f"{given} / {got}" + ("" if got == expected[at] else f" (expected: {expected[at]})")
