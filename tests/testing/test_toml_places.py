"""Places in TOML texts: every key and value is where it is said to be."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

import pytest
from burnside.testing.pattern_files.places import Path, Places
from hypothesis import given
from hypothesis import strategies as st

TEXTS = {
    "strings": 'a = "x # y"\nb = \'it "is"\' # c\n',
    "long strings": 'c = \'\'\'\n[e]\n\'\'\'\nd = """one\n"two" ]\n"""\ne = """a\\""""\nf = """b"""""\n',
    "lists": 'a = [ 1, [ "]", "," ], # ]\n  { b = 1, c = [2] }, \n]\nb = [ ]\nc = {}\nd = [1,]\n',
    "keys": '"a b" = 1\n\'c\' . "d\\"e" = 2\nf.g.h = 3\nf.g.i = 4\n',
    "headers": '[ a . "b c" ] # d\nx = 1\n[a.d]\nx = 2\n[e]\n',
    "arrays": "[[t]]\nn = 1\n[t.u]\nx = 1\n[[t]]\n[t.u]\nx = 2\n[[t.v]]\ny = 1\n[[t.v]]\ny = 2\n",
    "others": "a = 1979-05-27 07:32:00 # b\nb = -1_000.5e3\nc = [true, false]\nd = inf\ne = 07:32:00\n",
    "line feeds": 'a = 1\r\n# b\r\n[c]\r\nd = [\r\n  "x",\r\n]\r\n',
}


def leaves(value: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    """All values but the whole, with tables and lists."""
    if path:
        yield path, value
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in parts:
        yield from leaves(each, (*path, key))


def check(text: str) -> None:
    """Single values are written where they are said to be, and so are the last names of keys."""
    places = Places(text)
    for path, value in leaves(tomllib.loads(text)):
        place = places.values[path]
        if not isinstance(value, dict | list):
            assert tomllib.loads(f"k = {text[place.offset : place.offset + place.length]}")["k"] == value
            if isinstance(path[-1], str):
                key = places.keys[path]
                [*_, (names, _)] = leaves(tomllib.loads(f"{text[key.offset : key.offset + key.length]} = 0"))
                assert names[-1] == path[-1]


@pytest.mark.parametrize("name", TEXTS)
def test_every_value_is_where_it_is_said_to_be(name: str) -> None:
    check(TEXTS[name])


def test_headers_and_keys() -> None:
    text = TEXTS["arrays"]
    places = Places(text)
    lines = {path: text[: place.offset].count("\n") + 1 for path, place in places.values.items()}
    assert lines["t", 0] == 1 and lines["t", 1] == 5
    assert lines["t", 0, "u", "x"] == 4 and lines["t", 1, "u", "x"] == 7
    assert lines["t", 1, "v", 0, "y"] == 9 and lines["t", 1, "v", 1, "y"] == 11
    assert lines["t", 1, "v", 1] == 10


plain = st.one_of(st.integers(-5, 5), st.booleans(), st.text("ab\"'\\#[]{},=. \t", max_size=4))
values = st.recursive(
    plain,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("ab .\"'", max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


def literal(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        if "'" in value or "\t" in value:
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t") + '"'
        return f"'{value}'"
    if isinstance(value, list):
        return "[ " + ", # ]\n".join(map(literal, value)) + "]"
    if isinstance(value, dict):
        return "{" + " , ".join(f"{literal(key)}={literal(each)}" for key, each in value.items()) + "}"
    return str(value)


@given(st.dictionaries(st.text("ab .\"'", max_size=3), values, max_size=4))
def test_random_texts(data: dict[str, object]) -> None:
    text = "# first\n" + "".join(f"{literal(key)} = {literal(each)}\n" for key, each in data.items())
    assert tomllib.loads(text) == data
    places = Places(text)
    for path, value in leaves(data):
        place = places.values[path]
        assert tomllib.loads(f"k = {text[place.offset : place.offset + place.length]}")["k"] == value
