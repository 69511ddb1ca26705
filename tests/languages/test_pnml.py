"""PNML: read what the Model Checking Contest writes, write what can be read back."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from burnside.diagnostics import UnsupportedError, UsageError
from burnside.languages import read
from burnside.languages.pnml.write import write_pnml
from burnside.net import MAX_TOKENS, Net
from hypothesis import given, settings
from hypothesis import strategies as st

CONTEST = Path(__file__).parents[3] / "shared" / "models" / "pnml"
PT = "http://www.pnml.org/version-2009/grammar/ptnet"
Reading = Callable[[str | bytes], Net]


@pytest.fixture
def reading(tmp_path: Path) -> Reading:
    """A net from the text of a whole file."""

    def read_text(text: str | bytes) -> Net:
        path = tmp_path / "model.pnml"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return read(path)

    return read_text


def page(body: str) -> str:
    return f"<pnml><net id='n' type='{PT}'><page id='g'>{body}</page></net></pnml>"


def place(id_: str, name: str | None = None) -> str:
    return f"<place id='{id_}'>" + (f"<name><text>{name}</text></name>" if name else "") + "</place>"


class TestNames:
    def test_names_are_shown_and_ids_are_aliases(self, reading: Reading) -> None:
        net = reading(page(place("p", "left fork") + place("q", "right fork")))
        assert net.places == ("left fork", "right fork")
        assert dict(net.aliases) == {"p": 0, "q": 1}

    def test_ids_are_shown_where_a_name_is_missing(self, reading: Reading) -> None:
        net = reading(page(place("p", "left fork") + place("q")))
        assert net.places == ("p", "q")
        assert dict(net.aliases) == {"left fork": 0}

    def test_ids_are_shown_where_names_repeat(self, reading: Reading) -> None:
        net = reading(page(place("p", "x") + place("q", "x") + place("r", "y")))
        assert net.places == ("p", "q", "r")
        assert dict(net.aliases) == {"y": 2}

    def test_an_alias_never_hides_a_shown_name(self, reading: Reading) -> None:
        net = reading(page(place("a", "b") + place("b", "a")))
        assert net.places == ("b", "a")
        assert net.place_numbers == {"b": 0, "a": 1}

    def test_line_breaks_in_names(self, reading: Reading) -> None:
        assert reading(page(place("p", "\n  two\n  lines "))).places == ("two lines",)

    def test_the_name_of_the_net(self, reading: Reading) -> None:
        assert reading(page("")).name == "n"
        named = f"<pnml><net id='n' type='{PT}'><name><text>my net</text></name></net></pnml>"
        assert reading(named).name == "my net"


class TestArcs:
    def test_defaults_and_blanks(self, reading: Reading) -> None:
        weight = "<inscription><text>\n 3 </text></inscription>"
        net = reading(
            page(
                f"<arc id='a' source='p' target='t'>{weight}</arc><arc id='b' source='t' target='q'/>"
                "<place id='p'><initialMarking><text> 7\n</text></initialMarking></place>"
                "<place id='q'/><transition id='t'/>"
            )
        )
        assert net.initial == (7, 0)
        assert net.consumes == (((0, 3),),)
        assert net.produces == (((1, 1),),)

    def test_parallel_arcs_add_up_and_are_sorted(self, reading: Reading) -> None:
        arcs = "".join(f"<arc id='a{i}' source='{p}' target='t'/>" for i, p in enumerate("qpqq"))
        assert reading(page("<place id='p'/><place id='q'/><transition id='t'/>" + arcs)).consumes == (
            ((0, 1), (1, 3)),
        )

    def test_chains_of_references(self, reading: Reading) -> None:
        chain = "".join(f"<referencePlace id='r{i}' ref='r{i + 1}'/>" for i in range(5000))
        body = "<page id='h'><place id='p'/><referencePlace id='r5000' ref='p'/></page><transition id='t'/>"
        net = reading(page(chain + body + "<arc id='a' source='r0' target='t'/>"))
        assert net.consumes == (((0, 1),),)

    def test_normal_arcs_may_say_so(self, reading: Reading) -> None:
        arc = "<arc id='a' source='p' target='t'><type value='normal'/></arc>"
        assert reading(page("<place id='p'/><transition id='t'/>" + arc)).consumes == (((0, 1),),)

    def test_the_largest_weight(self, reading: Reading) -> None:
        marking = f"<initialMarking><text>{MAX_TOKENS}</text></initialMarking>"
        assert reading(page(f"<place id='p'>{marking}</place>")).initial == (MAX_TOKENS,)


class TestEncodings:
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
    def test_read(self, reading: Reading, encoding: str) -> None:
        declared = "ISO-8859-1" if encoding == "latin-1" else "UTF-8"
        text = f"<?xml version='1.0' encoding='{declared}'?>\n" + page(place("p", "café"))
        assert reading(text.encode(encoding)).places == ("café",)

    @pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
    def test_refused(self, reading: Reading, encoding: str) -> None:
        with pytest.raises(UnsupportedError, match="the encoding UTF-16 is not supported"):
            reading(page("").encode(encoding))

    def test_prefixes(self, reading: Reading) -> None:
        text = f"<x:pnml xmlns:x='u'><x:net id='n' type='{PT}'><x:place id='p'/></x:net></x:pnml>"
        assert reading(text).places == ("p",)

    def test_entities(self, reading: Reading) -> None:
        assert reading(page(place("&#112;&amp;q", "&lt;&#x41;&gt;<![CDATA[&]]>"))).places == ("<A>&",)


def test_depth_costs_no_stack(reading: Reading) -> None:
    inner = place("p")
    for tag in ("page id='x'", "toolspecific"):
        inner = f"<{tag}>" * 20_000 + inner + f"</{tag.split()[0]}>" * 20_000
    assert reading(page(inner)).places == ()


class TestContest:
    def test_place_transition_nets(self) -> None:
        count = 0
        for path in contest("PT"):
            net = read(path)
            assert net.places, path
            assert net.transitions, path
            assert net.name, path
            count += 1
        assert count > 100

    def test_largest_number_of_tokens(self) -> None:
        """The contest gives the largest number in one place: the initial marking cannot have more."""
        with (CONTEST / "expected.csv").open() if CONTEST.is_dir() else io.StringIO() as stream:
            largest = {row["instance"]: row["max_token_in_place"] for row in csv.DictReader(stream)}
        for path in contest("PT"):
            known = largest.get(path.parent.name, "")
            if known.isdigit():
                assert max(read(path).initial) <= int(known), path

    def test_written_and_read_again(self, reading: Reading) -> None:
        for path in contest("PT")[::8]:
            net = read(path)
            assert reading(written(net)) == net, path


def contest(kind: str) -> list[Path]:
    if not CONTEST.is_dir():
        pytest.skip(f"no models of the contest at {CONTEST}")
    return sorted(CONTEST.glob(f"*-{kind}-*/model.pnml"))


def written(net: Net) -> str:
    stream = io.StringIO()
    write_pnml(net, stream)
    return stream.getvalue()


# What reading keeps: no control characters, no halves of surrogate pairs, no blanks at the ends.
names = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Z"), exclude_characters="\ufffe\uffff"), min_size=1
)
spaced = st.lists(names, min_size=1, max_size=2).map("  ".join)
ids = st.from_regex(r"[A-Za-z_][A-Za-z0-9_.-]{0,5}", fullmatch=True)
weights = st.integers(1, 4) | st.just(MAX_TOKENS)


@st.composite
def nets(draw: st.DrawFn, naming: st.SearchStrategy[str]) -> Net:
    places = draw(st.lists(naming, unique=True, max_size=5))
    transitions = draw(st.lists(naming, unique=True, max_size=4))
    arcs = st.dictionaries(st.integers(0, max(0, len(places) - 1)), weights, max_size=3 if places else 0)
    sides = st.lists(arcs, min_size=len(transitions), max_size=len(transitions))
    return Net(
        name=draw(naming),
        places=tuple(places),
        initial=tuple(draw(st.lists(st.just(0) | weights, min_size=len(places), max_size=len(places)))),
        transitions=tuple(transitions),
        consumes=tuple(tuple(sorted(side.items())) for side in draw(sides)),
        produces=tuple(tuple(sorted(side.items())) for side in draw(sides)),
    )


class TestWriting:
    @settings(deadline=None)
    @given(net=nets(ids))
    def test_what_is_written_is_read(self, net: Net, tmp_path_factory: pytest.TempPathFactory) -> None:
        assert self.through(net, tmp_path_factory) == net

    @settings(deadline=None)
    @given(net=nets(spaced | ids))
    def test_names_that_are_no_ids(self, net: Net, tmp_path_factory: pytest.TempPathFactory) -> None:
        """Then ids are made up, which come back as aliases: the only difference."""
        again = self.through(net, tmp_path_factory)
        assert again.place_numbers.items() >= net.place_numbers.items()
        assert (again.name, again.places, again.initial) == (net.name, net.places, net.initial)
        assert again.transitions == net.transitions
        assert (again.consumes, again.produces) == (net.consumes, net.produces)

    @pytest.mark.parametrize("name", ["a\x01", " a", "a\n", "\ud800"])
    def test_names_that_cannot_be_written(self, name: str) -> None:
        with pytest.raises(UsageError, match="cannot be written as PNML"):
            written(Net("n", (name,), (0,), (), (), ()))

    def through(self, net: Net, folders: pytest.TempPathFactory) -> Net:
        path = folders.mktemp("written") / "model.pnml"
        path.write_text(written(net), encoding="utf-8")
        return read(path)


@pytest.mark.slow
def test_memory_follows_the_net_not_the_file(tmp_path: Path) -> None:
    """The same net in 5 MB and in 50 MB, the rest being drawings and remarks: the same result,
    and as much memory."""
    small, large = tmp_path / "small.pnml", tmp_path / "large.pnml"
    drawn(small, 5_000_000)
    drawn(large, 50_000_000)
    assert large.stat().st_size > 9 * small.stat().st_size
    assert read(small) == read(large)
    assert peak_memory(large) < 1.1 * peak_memory(small)


@pytest.mark.slow
def test_a_large_net(tmp_path: Path) -> None:
    """50 MB of places, transitions and arcs, forward and backward."""
    path = tmp_path / "large.pnml"
    count = 170_000
    with path.open("w") as stream:
        stream.write(f"<pnml><net id='n' type='{PT}'><page id='g'>\n")
        for i in range(count):
            stream.write(f"<place id='p{i}'><initialMarking><text>1</text></initialMarking></place>\n")
            stream.write(
                f"<transition id='t{i}'><graphics><position x='{i}' y='{i}'/></graphics></transition>\n"
            )
            stream.write(f"<arc id='a{i}' source='p{count - 1 - i}' target='t{i}'/>\n")
            stream.write(f"<arc id='b{i}' source='t{i}' target='p{i}'>\n")
            stream.write("<inscription><text>2</text></inscription></arc>\n")
        stream.write("</page></net></pnml>\n")
    assert path.stat().st_size > 50_000_000
    net = read(path)
    assert net.arcs == 2 * count
    assert net.consumes[0] == ((count - 1, 1),)
    assert net.produces[count - 1] == ((count - 1, 2),)


def drawn(path: Path, size: int) -> None:
    remark = "<toolspecific tool='x'>" + "<line x='1' y='2'>&lt;</line>\n" * 1000 + "</toolspecific>\n"
    with path.open("w") as stream:
        stream.write(f"<pnml><net id='n' type='{PT}'><page id='g'>\n")
        for i in range(100):
            stream.write(place(f"p{i}", f"place {i}") + f"<transition id='t{i}'/>\n")
            stream.write(remark * (size // len(remark) // 100))
        stream.write("</page></net></pnml>\n")


def peak_memory(path: Path) -> int:
    """Of a process that does nothing but read: what the core takes is not Python's to trace."""
    program = (
        "import resource, sys; from burnside.languages import read; read(sys.argv[1]);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    run = subprocess.run([sys.executable, "-c", program, path], capture_output=True, check=True, text=True)
    return int(run.stdout)
