"""Files of symmetric nets: told apart from place/transition nets, encodings, bad input, size."""

from __future__ import annotations

import os
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from burnside.diagnostics import BurnsideError, InputError, UnsupportedError, UsageError
from burnside.ir.highlevel.checking import check_net
from burnside.ir.highlevel.net import HighLevelNet
from burnside.languages import load, read
from burnside.languages.options import ReadOptions
from burnside.net import Net
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.languages.symmetric_nets import (
    ALL,
    CLASSES,
    DOT,
    ONE_DOT,
    TYPE,
    C,
    all_of,
    apply,
    arc,
    constant,
    integer,
    marking,
    net,
    number,
    operator,
    place,
    read_in,
    times,
    transition,
    use,
    var,
)

Reading = Callable[..., HighLevelNet]


@pytest.fixture
def reading(tmp_path: Path) -> Reading:
    return partial(read_in, tmp_path)


class TestEncodings:
    @pytest.mark.parametrize("declared", ["utf-8", "utf8", "UTF-8", "us-ascii", "ISO-8859-1", "latin1", None])
    def test_read(self, reading: Reading, declared: str | None) -> None:
        head = f"<?xml version='1.0' encoding='{declared}'?>" if declared else "<?xml version='1.0'?>"
        encoding = "latin-1" if declared in ("ISO-8859-1", "latin1") else "utf-8"
        text = (head + "\n" + net(place("café", DOT))).encode(encoding)
        assert reading(text).places[0].id == "café"

    def test_byte_order_mark(self, reading: Reading) -> None:
        found = reading(net(place("é", DOT)).encode("utf-8-sig"))
        assert (found.places[0].id, found.places[0].span.column) == (
            "é",
            net(place("é", DOT)).index("<place") + 1,
        )  # type: ignore[union-attr]

    def test_what_is_not_the_utf_8_that_it_should_be(self, reading: Reading) -> None:
        """However far down."""
        text = "<?xml version='1.0' encoding='UTF-8'?>" + net("<!-- -->\n" * 300_000 + place("é", DOT))
        assert reading(text.encode("latin-1")).places[0].id == "é"

    @pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le"])
    def test_refused(self, reading: Reading, encoding: str) -> None:
        with pytest.raises(UnsupportedError, match="the encoding UTF-16 is not supported"):
            reading(net("").encode(encoding))

    def test_prefixes(self, reading: Reading) -> None:
        text = (
            net(place("p", DOT, ONE_DOT)).replace("</", "</x:").replace("<", "<x:").replace("<x:/x:", "</x:")
        )
        assert marking(reading("<?xml version='1.0'?>" + text.replace("<x:pnml", "<x:pnml xmlns:x='u'"))) == {
            "p": "dot"
        }


class TestKinds:
    """Which reader a file is for is seen by its type, wherever that stands."""

    def test_far_down(self, reading: Reading) -> None:
        assert reading("<?xml version='1.0'?>" + "<!-- nothing -->\n" * 100_000 + net(place("p", DOT))).places

    def test_behind_other_elements(self, reading: Reading) -> None:
        tool = f"<toolspecific><net type='{TYPE}'/></toolspecific>"
        assert reading(
            "<?xml version='1.0'?>" + net(place("p", DOT)).replace("<pnml>", f"<pnml>{tool}")
        ).places

    def test_place_transition_nets_go_on_as_before(self, tmp_path: Path) -> None:
        path = tmp_path / "x.pnml"
        path.write_text(
            f"<pnml><!-- {TYPE} --><net id='n' type='http://www.pnml.org/version-2009/grammar/ptnet'/></pnml>"
        )
        assert isinstance(read(path), Net)

    def test_a_net_without_a_type_is_a_place_transition_net(self, tmp_path: Path) -> None:
        path = tmp_path / "x.pnml"
        path.write_text("<pnml><net id='n'><place id='p'/></net></pnml>")
        assert isinstance(read(path), Net)
        path.write_text("<pnml><net id='n'><place id='p'><hlinitialMarking/></place></net></pnml>")
        with pytest.raises(InputError, match="and this is a place/transition net") as caught:
            read(path)
        assert caught.value.diagnostic.hint == f"symmetric nets are of type {TYPE}"

    def test_entities_are_not_expanded(self, reading: Reading) -> None:
        with pytest.raises(InputError, match="a DOCTYPE is not allowed"):
            reading(f"<?xml version='1.0'?><!DOCTYPE pnml [<!ENTITY a 'x'>]>{net('&a;')}")

    @pytest.mark.skipif(os.name != "posix", reason="pipes with names")
    def test_a_pipe_is_refused(self, tmp_path: Path) -> None:
        """It can be read only once."""
        path = tmp_path / "pipe.pnml"
        os.mkfifo(path)
        if os.fork() == 0:
            path.write_text(net(""))
            os._exit(0)
        with pytest.raises(UnsupportedError, match="from a regular file"):
            read(path)
        os.wait()

    def test_sizes_are_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "x.pnml"
        path.write_text(net(place("p", use("C")), C))
        with pytest.raises(UsageError, match=r"nothing in .* has the size 'C'"):
            load(path, options=ReadOptions(sizes={"C": 2}))


EITHER = apply(
    "or",
    apply(
        "and",
        apply("inequality", var("x"), var("y")),
        apply("not", apply("lessthan", var("n"), integer(4, 2, 5))),
    ),
    apply("equality", constant("g", var("x")), constant("low")),
)
CLASS_OF_K = f"<partitionelementof refpartition='Q'><subterm>{var('k')}</subterm></partitionelementof>"
NEXT = apply(
    "add", times(1, apply("successor", var("x"))), apply("scalarproduct", number(2), times(1, var("y")))
)
VALID = (
    net(
        place("p", use("P"), apply("tuple", all_of(use("C")), integer(3, 2, 5)), "the place")
        + place("q", use("C"), apply("subtract", times(2, all_of(use("C"))), constant("high")))
        + place("r", use("Q")) + "<referencePlace id='s' ref='q'/>" + transition("t", EITHER)
        + arc("p", "t", times(1, apply("tuple", var("x"), var("n")))) + arc("t", "s", NEXT)
        + arc("t", "r", times(1, constant("g", var("y")))),
        ALL + CLASSES + operator("g", CLASS_OF_K, k=use("C")),
    )
    .replace(">", ">\n", 40)
    .encode()
)  # fmt: skip
PIECES = [piece + b">" for piece in VALID.split(b">")] + [
    b"&lt;", b"&x;", b"<!DOCTYPE", b"-1", b"\xff", b"99999999999999999999", b"<subterm>", b"<natural/>", b"<dot/>",
]  # fmt: skip
bounded = settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


class TestBadInput:
    """Whatever comes in, what comes out is a well-formed net or a diagnostic with its place."""

    def outcome(self, data: bytes, folder: Path) -> HighLevelNet | Net | None:
        path = folder / "model.pnml"
        path.write_bytes(data)
        try:
            found = read(path)
        except BurnsideError as error:
            assert str(error).startswith(str(path))
            return None
        assert isinstance(found, HighLevelNet | Net)
        if isinstance(found, HighLevelNet):
            check_net(found)
        return found

    def test_the_valid_one_is_valid(self, tmp_path: Path) -> None:
        assert isinstance(self.outcome(VALID, tmp_path), HighLevelNet)

    @bounded
    @given(data=st.data())
    def test_mutations(self, tmp_path: Path, data: st.DataObject) -> None:
        text = VALID
        for _ in range(data.draw(st.integers(1, 3))):
            start = data.draw(st.integers(0, len(text)))
            end = min(len(text), start + data.draw(st.integers(0, 12)))
            piece = data.draw(st.binary(max_size=4) | st.sampled_from(PIECES))
            text = text[:start] + piece + text[end:]
        self.outcome(text, tmp_path)

    @bounded
    @given(data=st.data())
    def test_elements_in_other_places(self, tmp_path: Path, data: st.DataObject) -> None:
        """Well-formed: whole elements are exchanged."""
        tree = ET.fromstring(VALID)
        elements = list(tree.iter())
        for _ in range(data.draw(st.integers(1, 3))):
            into = data.draw(st.sampled_from(elements))
            moved = ET.fromstring(ET.tostring(data.draw(st.sampled_from(elements[2:]))))
            at = data.draw(st.integers(0, len(into)))
            if data.draw(st.booleans()) and at < len(into):
                into[at] = moved
            else:
                into.insert(at, moved)
        self.outcome(ET.tostring(tree), tmp_path)

    @pytest.mark.parametrize("step", [7])
    def test_truncation(self, tmp_path: Path, step: int) -> None:
        for end in range(0, len(VALID), step):
            assert self.outcome(VALID[:end], tmp_path) is None

    def test_deep_terms(self, reading: Reading) -> None:
        for depth in (300, 1_000, 100_000):
            with pytest.raises(InputError, match="are nested more than"):
                reading(
                    place(
                        "p",
                        use("C"),
                        "<successor><subterm>" * depth + constant("c1") + "</subterm></successor>" * depth,
                    )
                )


@pytest.mark.slow
def test_two_hundred_thousand_lines(tmp_path: Path) -> None:
    path = tmp_path / "large.pnml"
    with path.open("w") as stream:
        stream.write(f"<pnml><net id='n' type='{TYPE}'><page id='g'>\n")
        for i in range(8_000):
            term = times(1, apply("tuple", var("x"), var("n")))
            body = place(f"p{i}", use("P")) + transition(f"t{i}") + arc(f"p{i}", f"t{i}", term)
            stream.write(body.replace("><", ">\n<") + "\n")
        stream.write(
            f"</page><declaration><structure><declarations>{ALL}</declarations></structure></declaration></net></pnml>"
        )
    with path.open() as stream:
        assert sum(1 for _ in stream) > 200_000
    begun = time.process_time()
    found = read(path)
    assert time.process_time() - begun < 30
    assert isinstance(found, HighLevelNet)
    assert len(found.places) == len(found.transitions) == 8_000
