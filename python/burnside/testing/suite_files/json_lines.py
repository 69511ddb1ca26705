"""Suite files as JSON lines (`.jsonl`).

The first line is the header, each other line is a test:

    {"suite":1,"machine":"lamp","method":"w","tests":2,"inputs":3,"classes":2,"complete":true,"assumptions":["..."]}
    {"inputs":["press","press"],"outputs":["on","off"]}
    {"inputs":["wait"],"outputs":["-"]}

Exactly these bytes: keys in this order, separators `,` and `:` without blanks, a line feed after each line, UTF-8. In
strings, `"` and `\\` have a backslash before them, the control characters below U+0020 are `\\n`, `\\r`, `\\t`, `\\b`,
`\\f` or else `\\u00xx` with small hexadecimal digits, and all other characters stand for themselves (Python's
`json.dumps` with `ensure_ascii=False`). Further keys of the header follow behind these. A reader accepts any JSON with
these keys; only `suite` must be there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from burnside.diagnostics import Diagnostic, UnsupportedError
from burnside.testing.suite_files.file_lines import FileLines
from burnside.testing.suite_files.suite import VERSION, SuiteHeader, Test

HEADER_KEYS = ("suite", "machine", "method", "tests", "inputs", "classes", "complete", "assumptions")
EXPECTED_HEADER = f'expected the header of a suite, {{"suite":{VERSION},...}}'
EXPECTED_TEST = 'expected a test, {"inputs":[...],"outputs":[...]}'


def header_text(header: SuiteHeader) -> str:
    known = {
        "suite": VERSION,
        "machine": header.machine,
        "method": header.method,
        "tests": header.tests,
        "inputs": header.inputs,
        "classes": header.classes,
        "complete": header.complete,
        "assumptions": list(header.assumptions),
    }
    more = {key: value for key, value in header.more.items() if key not in known}
    return _text({**known, **more}) + "\n"


def test_text(test: Test) -> str:
    return _text({"inputs": test.inputs, "outputs": test.outputs}) + "\n"


def name_text(name: str) -> str:
    """An input or output as it stands in the file."""
    return _text(name)


def _text(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    check_encodable(text)
    return text


def check_encodable(text: str) -> None:
    """Half of a surrogate pair is no character, and UTF-8 cannot hold it."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        what = f"U+{ord(text[error.start]):04X} cannot be written in UTF-8"
        raise UnsupportedError(Diagnostic(what, "test suite")) from None


def read_header(lines: FileLines) -> SuiteHeader:
    line = lines.next()
    if line is None:
        raise lines.error(f"the file is empty: {EXPECTED_HEADER}", 0)
    found = _object(lines, EXPECTED_HEADER)
    if "suite" not in found:
        raise lines.error(EXPECTED_HEADER, 0, len(line))
    version = found["suite"]
    if isinstance(version, bool) or not isinstance(version, int):
        raise _wrong(lines, "suite", "expected the version of the format, a number")
    if version != VERSION:
        raise UnsupportedError(
            lines.diagnostic(
                f"version {version} of suite files is not supported",
                *_place(lines, "suite"),
                hint=f"this is for version {VERSION}",
            )
        )
    assumptions = found.get("assumptions", [])
    if not _is_texts(assumptions):
        raise _wrong(lines, "assumptions", "expected a list of texts")
    return SuiteHeader(
        _typed(lines, found, "machine", str, "") or "",
        _typed(lines, found, "method", str, "") or "",
        _number(lines, found, "tests"),
        _number(lines, found, "inputs"),
        _number(lines, found, "classes"),
        bool(_typed(lines, found, "complete", bool, False)),
        tuple(assumptions),
        {key: value for key, value in found.items() if key not in HEADER_KEYS},
    )


def read_tests(lines: FileLines) -> Iterator[Test]:
    while lines.next() is not None:
        found = _object(lines, EXPECTED_TEST)
        inputs, outputs = found.get("inputs"), found.get("outputs")
        for key, value in (("inputs", inputs), ("outputs", outputs)):
            if key not in found:
                raise lines.error(f"{EXPECTED_TEST}: '{key}' is missing", 0, len(lines.text))
            if not _is_texts(value):
                raise _wrong(lines, key, f"'{key}' is not a list of texts")
        assert inputs is not None and outputs is not None
        if len(inputs) != len(outputs):
            message = f"{len(inputs)} inputs, but {len(outputs)} outputs"
            raise _wrong(lines, "outputs", message)
        yield Test(tuple(inputs), tuple(outputs))


def _object(lines: FileLines, expected: str) -> Mapping[str, Any]:
    text = lines.text
    try:
        found = json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        if not lines.is_ended and text.lstrip().startswith("{"):
            raise lines.end_error("the file ends within this line: it is cut off") from None
        raise lines.error(f"{expected}; this is no JSON: {_reason(error)}", error.pos) from None
    except (
        ValueError,
        RecursionError,
    ):  # NaN, a number of thousands of digits, lists within lists without end
        raise lines.error(f"{expected}; this JSON is not supported", 0, len(text)) from None
    if not isinstance(found, dict):
        raise lines.error(expected, 0, len(text))
    if "\\u" in text:
        _refuse_surrogates(lines, found)
    return found


def _reason(error: json.JSONDecodeError) -> str:
    """In lower case and without the name of a Python class."""
    return error.msg[:1].lower() + error.msg[1:]


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def _refuse_surrogates(lines: FileLines, found: Mapping[str, Any]) -> None:
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        at = max(lines.text.lower().find("\\ud"), 0)
        raise lines.error("this escape is half of a surrogate pair, which is no character", at, 6) from None


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(type(each) is str for each in value)


def _typed(lines: FileLines, found: Mapping[str, Any], key: str, kind: type, default: Any) -> Any:
    value = found.get(key)
    if value is None:
        return default
    if not isinstance(value, kind):
        raise _wrong(lines, key, f"'{key}' is not {'a text' if kind is str else 'true or false'}")
    return value


def _number(lines: FileLines, found: Mapping[str, Any], key: str) -> int | None:
    value = found.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise _wrong(lines, key, f"'{key}' is neither a number from 0 on nor null")
    return value


def _wrong(lines: FileLines, key: str, message: str) -> Exception:
    return lines.error(message, *_place(lines, key))


def _place(lines: FileLines, key: str) -> tuple[int, int]:
    """Where a key stands in the current line."""
    quoted = f'"{key}"'
    return max(lines.text.find(quoted), 0), len(quoted)
