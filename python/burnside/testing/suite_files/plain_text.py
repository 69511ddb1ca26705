"""Suite files as plain text (`.txt`), for people.

    # burnside test suite, version 1
    # machine: lamp
    # method: w
    # tests: 2
    # inputs: 3
    # classes: 2
    # complete: yes
    # assumption: a reset brings the implementation to its initial state

    press / on
    press / off

    wait / -

The header is a block of lines that begin with `#`, with an empty line behind it. A test is a line `input / output` for each
step, with an empty line behind the last one: a test without steps is an empty line alone, and a file that is cut off
within a test is found out. Lines that begin with `#` are comments everywhere else.

A step is split at the first ` / `. So an input must neither hold ` / ` nor end with ` /` nor begin with `#`, and
neither input nor output may hold a line feed or a carriage return: `UnsupportedError`, and JSON lines can be used
instead. All else, blanks at the beginning and the end too, stands for itself. A text of the header stands as it is, or
as a JSON string where it would not be read back (it is empty, begins with a quotation mark, or has control characters
or blanks at an end); what the format has no words for is `# key: value`, the value as JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from burnside.diagnostics import Diagnostic, UnsupportedError
from burnside.testing.suite_files.file_lines import FileLines
from burnside.testing.suite_files.json_lines import check_encodable
from burnside.testing.suite_files.suite import VERSION, SuiteHeader, Test

SEPARATOR = " / "
UNKNOWN = "not known"
FIRST_LINE = f"# burnside test suite, version {VERSION}"
FIRST = re.compile(r"#\s*burnside test suite, version ([0-9]{1,9})\s*$")
FACT = re.compile(r"#\s*(?P<key>[A-Za-z][A-Za-z0-9_]*): (?P<value>.*?)\s*$")
KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]*$")
TEXTS, NUMBERS = ("machine", "method"), ("tests", "inputs", "classes")
OWN_KEYS = frozenset((*TEXTS, *NUMBERS, "complete", "assumption", "assumptions", "suite"))
HINT = "the extension .jsonl is for any suite"


def header_text(header: SuiteHeader) -> str:
    facts: list[tuple[str, str]] = [(key, _plain(getattr(header, key))) for key in TEXTS]
    for key in NUMBERS:
        number = getattr(header, key)
        facts.append((key, UNKNOWN if number is None else str(number)))
    facts.append(("complete", "yes" if header.complete else "no"))
    facts += [("assumption", _plain(each)) for each in header.assumptions]
    for key, value in header.more.items():
        if key in OWN_KEYS or KEY.match(key) is None:
            raise _unsupported(f"a header with the key {key!r}")
        facts.append((key, _json(value)))
    text = "\n".join([FIRST_LINE, *(f"# {key}: {value}" for key, value in facts), "", ""])
    check_encodable(text)
    return text


def test_text(test: Test) -> str:
    steps = zip(test.inputs, test.outputs, strict=True)
    return "".join(f"{input_text(given)}{SEPARATOR}{output_text(output)}\n" for given, output in steps) + "\n"


def input_text(name: str) -> str:
    """An input as it stands in the file."""
    if name.startswith("#"):
        raise _unsupported(f"the input {name!r}, which begins with '#',")
    if f"{name}{SEPARATOR}".index(SEPARATOR) < len(name):
        raise _unsupported(f"the input {name!r}, which holds '{SEPARATOR}' or ends with ' /',")
    return _one_line(name, "input")


def output_text(name: str) -> str:
    return _one_line(name, "output")


def _one_line(name: str, what: str) -> str:
    if "\n" in name or "\r" in name:
        raise _unsupported(f"the {what} {name!r}, which holds a line break,")
    check_encodable(name)
    return name


def _unsupported(what: str) -> UnsupportedError:
    message = f"{what} cannot be written as plain text"
    return UnsupportedError(Diagnostic(message, "test suite", hint=HINT))


def _plain(text: str) -> str:
    is_plain = text and text == text.strip() and text.isprintable() and not text.startswith('"')
    return text if is_plain else _json(text)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def read_header(lines: FileLines) -> SuiteHeader:
    line = lines.next()
    first = None if line is None else FIRST.match(line)
    if line is None or first is None:
        start = "the file is empty: " if line is None else ""
        raise lines.error(f"{start}expected '{FIRST_LINE}'", 0, max(1, len(lines.text)))
    if int(first[1]) != VERSION:
        message = f"version {first[1]} of suite files is not supported"
        hint = f"this is for version {VERSION}"
        raise UnsupportedError(lines.diagnostic(message, first.start(1), len(first[1]), hint))
    facts: dict[str, Any] = {}
    assumptions: list[str] = []
    more: dict[str, Any] = {}
    while (line := lines.next()) is not None and line.startswith("#"):
        found = FACT.match(line)
        if found is None:
            continue
        key, value = found["key"], found["value"]
        if key == "assumption":
            assumptions.append(_read_text(lines, found))
        elif key in OWN_KEYS:
            if key in facts:
                raise lines.error(f"'{key}' is said twice", found.start("key"), len(key))
            facts[key] = _read_fact(lines, found)
        else:
            try:
                more[key] = json.loads(value)
            except (ValueError, RecursionError):
                continue  # a comment
    if line is None:
        raise lines.end_error("the file ends within the header: it is cut off", _END_HINT)
    if line.strip():
        raise lines.error("expected an empty line behind the header", 0, len(line))
    return SuiteHeader(**facts, assumptions=tuple(assumptions), more=more)


_END_HINT = "an empty line ends the header, and each test"


def _read_fact(lines: FileLines, found: re.Match[str]) -> Any:
    key, value = found["key"], found["value"]
    if key in TEXTS:
        return _read_text(lines, found)
    if key in NUMBERS:
        if value == UNKNOWN:
            return None
        if value.isascii() and value.isdigit() and len(value) < 1000:
            return int(value)
        raise _wrong(lines, found, f"expected a number, or '{UNKNOWN}'")
    if key == "complete":
        if value in ("yes", "no"):
            return value == "yes"
        raise _wrong(lines, found, "expected 'yes' or 'no'")
    raise lines.error(f"the header of a plain text has no '{key}'", found.start("key"), len(key))


def _read_text(lines: FileLines, found: re.Match[str]) -> str:
    value = found["value"]
    if not value.startswith('"'):
        return value
    try:
        text = json.loads(value)
    except ValueError:
        text = None
    if not isinstance(text, str):
        raise _wrong(lines, found, "this string is not closed, or has an escape that JSON does not know")
    return text


def _wrong(lines: FileLines, found: re.Match[str], message: str) -> Exception:
    return lines.error(message, found.start("value"), max(1, len(found["value"])))


def read_tests(lines: FileLines) -> Iterator[Test]:
    inputs: list[str] = []
    outputs: list[str] = []
    while (line := lines.next()) is not None:
        if line.startswith("#"):
            continue
        if not line.strip():
            yield Test(tuple(inputs), tuple(outputs))
            inputs, outputs = [], []
            continue
        given, separator, output = line.partition(SEPARATOR)
        if not separator:
            # An editor that removes blanks at the end of lines has changed an empty output.
            if not line.endswith(" /"):
                raise lines.error(f"expected a step, 'input{SEPARATOR}output'", 0, len(line))
            given, output = line.removesuffix(" /"), ""
        inputs.append(given)
        outputs.append(output)
    if inputs:
        raise lines.end_error("the file ends within a test: it may be cut off", _END_HINT)
