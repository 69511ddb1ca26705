"""Suite files: both formats hold the same, wrong files are refused with a place, and files appear whole or not at all."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from burnside.diagnostics import BurnsideError, InputError, UnsupportedError, UsageError
from burnside.output_files import write_atomically, writing_atomically
from burnside.testing.suite_files import FORMATS, SuiteHeader, Test, read_suite, write_tests
from burnside.testing.suite_files.file_lines import MAX_LINE_BYTES
from hypothesis import given, settings
from hypothesis import strategies as st

NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=6) | st.sampled_from(
    [
        "",
        " ",
        "a",
        " /",
        "/ ",
        "/",
        " / ",
        "a /",
        "#a",
        '"',
        "\\",
        "\x00",
        "\x85",
        "\u2028",
        "\ufeff",
        "reset",
        "\t",
        "\n",
    ]
)
STEPS = st.lists(st.tuples(NAMES, NAMES), max_size=4)
TESTS = st.lists(
    STEPS.map(lambda steps: Test(tuple(a for a, _ in steps), tuple(b for _, b in steps))), max_size=4
)
NUMBERS = st.none() | st.integers(0, 10**30)
HEADERS = st.builds(
    SuiteHeader,
    machine=NAMES,
    method=NAMES,
    classes=NUMBERS,
    complete=st.booleans(),
    assumptions=st.lists(NAMES, max_size=3).map(tuple),
    more=st.dictionaries(st.sampled_from(["m2", "extra", "order"]), st.none() | st.integers() | NAMES),
)


def fits_text(test: Test) -> bool:
    """As the documentation of the format says it."""
    inputs = all(" / " not in each and not each.endswith(" /") and each[:1] != "#" for each in test.inputs)
    return inputs and not any(sign in each for each in (*test.inputs, *test.outputs) for sign in "\r\n")


@settings(max_examples=300)
@given(header=HEADERS, tests=TESTS, counted=st.booleans())
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, header: SuiteHeader, tests: list[Test], counted: bool
) -> None:
    if counted:
        inputs = sum(len(each.inputs) for each in tests)
        header = SuiteHeader(
            header.machine,
            header.method,
            len(tests),
            inputs,
            header.classes,
            header.complete,
            (),
            header.more,
        )
    folder = tmp_path_factory.mktemp("suites")
    for extension in FORMATS:
        path = folder / f"suite{extension}"
        if extension == ".txt" and not all(map(fits_text, tests)):
            with pytest.raises(UnsupportedError, match="cannot be written as plain text"):
                write_tests(path, header, tests)
            assert list(folder.iterdir()) == [folder / "suite.jsonl"]
            continue
        write_tests(path, header, tests)
        with read_suite(path) as found:
            assert found.header == header
            assert list(found.tests) == tests


def test_the_bytes_of_a_file(tmp_path: Path) -> None:
    header = SuiteHeader("lamp é", "w", 2, 3, 2, True, ("a reset works",), {"m2": 0})
    tests = [Test(("press", "press"), ("on", "ö\x01")), Test(("wait",), ("",))]
    write_tests(tmp_path / "suite.jsonl", header, tests)
    write_tests(tmp_path / "suite.txt", header, tests)
    assert (tmp_path / "suite.jsonl").read_bytes().decode() == (
        '{"suite":1,"machine":"lamp é","method":"w","tests":2,"inputs":3,"classes":2,"complete":true,'
        '"assumptions":["a reset works"],"m2":0}\n'
        '{"inputs":["press","press"],"outputs":["on","ö\\u0001"]}\n'
        '{"inputs":["wait"],"outputs":[""]}\n'
    )
    assert (tmp_path / "suite.txt").read_bytes().decode() == (
        "# burnside test suite, version 1\n# machine: lamp é\n# method: w\n# tests: 2\n# inputs: 3\n"
        "# classes: 2\n# complete: yes\n# assumption: a reset works\n# m2: 0\n\n"
        "press / on\npress / ö\x01\n\nwait / \n\n"
    )


def test_files_of_people(tmp_path: Path) -> None:
    """A byte order mark, carriage returns, comments, blanks that an editor removed, facts left out."""
    path = tmp_path / "suite.txt"
    path.write_bytes(
        b"\xef\xbb\xbf# burnside test suite, version 1\r\n# made by hand: twice\r\n\r\n# first\r\na / b / c\r\nd /\r\n\r\n"
    )
    with read_suite(path) as found:
        assert found.header == SuiteHeader()
        assert list(found.tests) == [Test(("a", "d"), ("b / c", ""))]
    path = tmp_path / "suite.jsonl"
    path.write_text('{"suite": 1, "by": "me"}\n{"outputs": ["b"], "inputs": ["a"]}')
    with read_suite(path) as found:
        assert found.header == SuiteHeader(more={"by": "me"})
        assert list(found.tests) == [Test(("a",), ("b",))]


def test_tests_are_read_as_they_are_asked_for(tmp_path: Path) -> None:
    """A wrong line is not reached before the tests in front of it were taken; endless suites are written as they come."""
    path = tmp_path / "suite.jsonl"
    one = Test(("a",), ("b",))
    write_tests(path, SuiteHeader(), itertools.repeat(one, 10_000))
    with path.open("a") as file:
        file.write("nonsense\n")
    with read_suite(path) as found:
        assert [next(found.tests) for _ in range(10_000)] == [one] * 10_000
        with pytest.raises(InputError, match="expected a test"):
            next(found.tests)


JSON, TEXT = '{"suite":1}\n', "# burnside test suite, version 1\n"
WRONG = [
    (".jsonl", "", '1:1: the file is empty: expected the header of a suite, {"suite":1,...}'),
    (".jsonl", '{"inputs":[],"outputs":[]}\n', '1:1: expected the header of a suite, {"suite":1,...}'),
    (".jsonl", "[1]\n", '1:1: expected the header of a suite, {"suite":1,...}'),
    (".jsonl", '{"suite":"one"}\n', "1:2: expected the version of the format, a number"),
    (".jsonl", '{"suite":2}\n', "1:2: version 2 of suite files is not supported"),
    (".jsonl", '{"suite":1,"tests":-1}\n', "1:12: 'tests' is neither a number from 0 on nor null"),
    (".jsonl", '{"suite":1,"tests":true}\n', "1:12: 'tests' is neither a number from 0 on nor null"),
    (".jsonl", '{"suite":1,"complete":"yes"}\n', "1:12: 'complete' is not true or false"),
    (".jsonl", '{"suite":1,"machine":1}\n', "1:12: 'machine' is not a text"),
    (".jsonl", '{"suite":1,"assumptions":[1]}\n', "1:12: expected a list of texts"),
    (
        ".jsonl",
        '{"suite":1,"x":NaN}\n',
        '1:1: expected the header of a suite, {"suite":1,...}; this JSON is not supported',
    ),
    (
        ".jsonl",
        JSON + '{"inputs":["a"],"outputs":["b"',
        "2:31: the file ends within this line: it is cut off",
    ),
    (
        ".jsonl",
        JSON + '{"inputs":["a"],"outputs":["b"}\n',
        '2:31: expected a test, {"inputs":[...],"outputs":[...]}; this is no JSON: expecting \',\' delimiter',
    ),
    (".jsonl", JSON + '{"inputs":["a"],"outputs":[]}\n', "2:17: 1 inputs, but 0 outputs"),
    (".jsonl", JSON + '{"inputs":["a"],"outputs":[1]}\n', "2:17: 'outputs' is not a list of texts"),
    (".jsonl", JSON + '{"inputs":"a","outputs":["b"]}\n', "2:2: 'inputs' is not a list of texts"),
    (
        ".jsonl",
        JSON + '{"inputs":["a"]}\n',
        '2:1: expected a test, {"inputs":[...],"outputs":[...]}: \'outputs\' is missing',
    ),
    (
        ".jsonl",
        JSON + '{"inputs":["\\ud800"],"outputs":["b"]}\n',
        "2:13: this escape is half of a surrogate pair, which is no character",
    ),
    (
        ".jsonl",
        '{"suite":1,"tests":2}\n{"inputs":[],"outputs":[]}\n',
        "2:27: the file ends after 1 test, its header says 2: it may be cut off",
    ),
    (
        ".jsonl",
        '{"suite":1,"tests":0}\n{"inputs":[],"outputs":[]}\n',
        "2:1: the header says that there are 0 tests; here is another",
    ),
    (
        ".jsonl",
        '{"suite":1,"inputs":7}\n{"inputs":["a"],"outputs":["b"]}\n',
        "2:33: the tests have 1 inputs, the header says 7",
    ),
    (
        ".jsonl",
        JSON + "[" * 100_000 + "\n",
        '2:1: expected a test, {"inputs":[...],"outputs":[...]}; this JSON is not supported',
    ),
    (".txt", "", "1:1: the file is empty: expected '# burnside test suite, version 1'"),
    (".txt", "a / b\n\n", "1:1: expected '# burnside test suite, version 1'"),
    (".txt", "# burnside test suite, version 12\n\n", "1:32: version 12 of suite files is not supported"),
    (".txt", TEXT + "# machine: lamp", "2:16: the file ends within the header: it is cut off"),
    (".txt", TEXT + "a / b\n\n", "2:1: expected an empty line behind the header"),
    (".txt", TEXT + "# tests: many\n\n", "2:10: expected a number, or 'not known'"),
    (".txt", TEXT + "# complete: maybe\n\n", "2:13: expected 'yes' or 'no'"),
    (".txt", TEXT + "# tests: 1\n# tests: 1\n\n", "3:3: 'tests' is said twice"),
    (".txt", TEXT + "# suite: 1\n\n", "2:3: the header of a plain text has no 'suite'"),
    (
        ".txt",
        TEXT + '# machine: "lamp\n\n',
        "2:12: this string is not closed, or has an escape that JSON does not know",
    ),
    (".txt", TEXT + "\na/b\n\n", "3:1: expected a step, 'input / output'"),
    (".txt", TEXT + "\na / b\n", "3:6: the file ends within a test: it may be cut off"),
    (
        ".txt",
        TEXT + "# tests: 2\n\na / b\n\n",
        "5:1: the file ends after 1 test, its header says 2: it may be cut off",
    ),
]


@pytest.mark.parametrize(("extension", "text", "expected"), WRONG)
def test_wrong(tmp_path: Path, extension: str, text: str, expected: str) -> None:
    path = tmp_path / f"suite{extension}"
    path.write_text(text)
    assert complaint(path) == expected


def complaint(path: Path) -> str:
    with pytest.raises(BurnsideError) as caught, read_suite(path) as found:
        list(found.tests)
    span = caught.value.diagnostic.span
    assert span is not None and caught.value.diagnostic.source == str(path)
    if caught.value.diagnostic.text:
        assert "^" in str(caught.value)
    return f"{span.line}:{span.column}: {caught.value.diagnostic.message}"


def test_other_wrong_files(tmp_path: Path) -> None:
    path = tmp_path / "suite.jsonl"
    path.write_bytes(JSON.encode() + b'{"inputs":["\xc3\xa9\xff"],"outputs":["b"]}\n')
    assert complaint(path) == "2:14: byte 0xff is no UTF-8: a suite file is a text in UTF-8"
    with path.open("wb") as file:
        file.truncate(MAX_LINE_BYTES + 1)
    assert complaint(path) == "1:1: a line of more than 67,108,864 bytes"
    for wrong, expected in (
        (tmp_path / "absent.txt", "there is no such file"),
        (tmp_path / "suite.txt", "this is a directory, not a test suite"),
        (Path("a\0.txt"), "this is no file name"),
    ):
        if wrong.name == "suite.txt":
            wrong.mkdir()
        with pytest.raises(InputError, match=expected):
            read_suite(wrong)
    with pytest.raises(UsageError, match="this is no file of a test suite"):
        read_suite(tmp_path / "suite.xml")


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
@pytest.mark.parametrize("before", [None, "old"])
def test_nothing_is_half_written(tmp_path: Path, error: type[BaseException], before: str | None) -> None:
    path = tmp_path / "suite.jsonl"
    if before is not None:
        path.write_text(before)

    def failing() -> Iterator[Test]:
        yield from itertools.repeat(Test(("a" * 100,), ("b",)), 10_000)
        raise error

    with pytest.raises(error):
        write_tests(path, SuiteHeader(), failing())
    assert [each.read_text() for each in tmp_path.iterdir()] == ([] if before is None else [before])


def test_a_lone_surrogate_is_refused(tmp_path: Path) -> None:
    for extension in FORMATS:
        with pytest.raises(UnsupportedError, match=r"U\+D800 cannot be written in UTF-8"):
            write_tests(tmp_path / f"suite{extension}", SuiteHeader(), [Test(("\ud800",), ("b",))])
    assert list(tmp_path.iterdir()) == []


def test_writing_atomically(tmp_path: Path) -> None:
    """Links stay, modes stay, places can be written again, and what cannot be written is a `UsageError`."""
    path, link = tmp_path / "file", tmp_path / "link"
    write_atomically(path, "old")
    path.chmod(0o640)
    link.symlink_to(path)
    with writing_atomically(link) as file:
        file.write(b"new text")
        assert path.read_text() == "old"
        file.seek(0)
        file.write(b"NEW")
    assert path.read_text() == "NEW text" and link.is_symlink() and path.stat().st_mode & 0o777 == 0o640
    with pytest.raises(UsageError, match="cannot write: it is a folder"), writing_atomically(tmp_path):
        pass
    with pytest.raises(UsageError, match="cannot write"), writing_atomically(tmp_path / "no" / "file"):
        pass
    with pytest.raises(OSError, match="of the block"), writing_atomically(path):
        raise OSError("of the block")
    with pytest.raises(UsageError, match="No space left"):
        write_atomically("/dev/full", "text")
    write_atomically("/dev/null", "text")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file", "link"]
