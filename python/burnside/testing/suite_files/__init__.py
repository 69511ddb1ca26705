"""Suite files: tests of an implementation, with what the suite is worth.

In: a path, `.jsonl` (`json_lines`) or `.txt` (`plain_text`); the modules say which bytes a file has. Out: a
`SuiteFile`, with a header and tests that are read one by one, as a suite may have more of them than fit in memory; or a
written file. Both formats hold the same: what one writes, the other can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from burnside.diagnostics import Diagnostic, UsageError
from burnside.output_files import writing_atomically
from burnside.records import record
from burnside.testing.suite_files import json_lines, plain_text
from burnside.testing.suite_files.file_lines import FileLines
from burnside.testing.suite_files.suite import SuiteHeader, Test

if TYPE_CHECKING:
    from burnside.testing.suites import Suite

__all__ = [
    "FORMATS",
    "SuiteFile",
    "SuiteFormat",
    "SuiteHeader",
    "Test",
    "read_suite",
    "write_suite",
    "write_tests",
]


@record
class SuiteFormat:
    """`header_text`, `test_text`: the lines of a file, with their ends. `input_text`, `output_text`: a name as it stands in
    these; an `UnsupportedError` where the format cannot hold it."""

    name: str
    extension: str
    header_text: Callable[[SuiteHeader], str]
    test_text: Callable[[Test], str]
    input_text: Callable[[str], str]
    output_text: Callable[[str], str]
    read_header: Callable[[FileLines], SuiteHeader]
    read_tests: Callable[[FileLines], Iterator[Test]]


FORMATS: Mapping[str, SuiteFormat] = MappingProxyType(
    {
        each.extension: each
        for each in (
            SuiteFormat(
                "json",
                ".jsonl",
                json_lines.header_text,
                json_lines.test_text,
                json_lines.name_text,
                json_lines.name_text,
                json_lines.read_header,
                json_lines.read_tests,
            ),
            SuiteFormat(
                "text",
                ".txt",
                plain_text.header_text,
                plain_text.test_text,
                plain_text.input_text,
                plain_text.output_text,
                plain_text.read_header,
                plain_text.read_tests,
            ),
        )
    }
)


def format_of(path: Path) -> SuiteFormat:
    found = FORMATS.get(path.suffix.lower())
    if found is None:
        known = " and ".join(FORMATS)
        raise UsageError(
            Diagnostic("this is no file of a test suite", str(path), hint=f"extensions are {known}")
        )
    return found


class SuiteFile:
    """A suite that is read from a file. `tests` goes through the file once; its end is compared with the numbers in the
    header."""

    def __init__(self, path: Path) -> None:
        self._format = format_of(path)
        self._lines = FileLines(path)
        try:
            self.header = self._format.read_header(self._lines)
        except BaseException:
            self.close()
            raise
        self.tests = self._read()

    def close(self) -> None:
        self._lines.close()

    def __enter__(self) -> SuiteFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self) -> Iterator[Test]:
        tests = inputs = 0
        most = self.header.tests
        try:
            for test in self._format.read_tests(self._lines):
                if tests == most:
                    raise self._lines.error(
                        f"the header says that there are {_tests(most)}; here is another", 0
                    )
                yield test
                tests += 1
                inputs += len(test.inputs)
            if most is not None and tests < most:
                message = f"the file ends after {_tests(tests)}, its header says {most}: it may be cut off"
                raise self._lines.end_error(message)
            if self.header.inputs not in (None, inputs):
                message = f"the tests have {inputs} inputs, the header says {self.header.inputs}"
                raise self._lines.end_error(message)
        finally:
            self.close()


def _tests(number: int) -> str:
    return f"{number} test{'' if number == 1 else 's'}"


def read_suite(path: Path) -> SuiteFile:
    """To be closed, or used as a context manager; read to its end, it closes itself."""
    return SuiteFile(path)


def write_tests(path: str | Path, header: SuiteHeader, tests: Iterable[Test]) -> None:
    """Atomically, and one by one."""
    form = format_of(Path(path))
    with writing_atomically(path) as file:
        file.write(form.header_text(header).encode())
        for test in tests:
            file.write(form.test_text(test).encode())


def write_suite(suite: Suite, path: str | Path) -> None:
    """A suite that was derived; the core writes its tests."""
    form = format_of(Path(path))
    for name in suite.machine.inputs:
        form.input_text(name)
    for action in suite.machine.actions:
        form.output_text(action.output or "")
    tests, inputs = suite.size
    more = {"worth": suite.worth, "symmetry": suite.symmetry}
    header = SuiteHeader(
        suite.machine.name,
        suite.method.name,
        tests,
        inputs,
        suite.classes,
        suite.complete,
        suite.assumptions,
        more,
    )
    with writing_atomically(path) as file:
        file.write(form.header_text(header).encode())
        for chunk in suite.json_lines() if form.name == "json" else suite.text_lines():
            file.write(chunk)
