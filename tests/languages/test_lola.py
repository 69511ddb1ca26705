"""LoLA text: what its grammar allows, and what comes back of what is written."""

from __future__ import annotations

import io

import pytest
from burnside.diagnostics import InputError, Source, UsageError
from burnside.languages.lola import parse
from burnside.languages.lola.write import write_lola
from burnside.net import Net
from hypothesis import example, given
from hypothesis import strategies as st


def net_of(text: str) -> Net:
    return parse(Source("model.lola", text), "model")


def test_a_whole_net() -> None:
    net = net_of(
        """
        { LoLA's comments { may be nested } as some tools write them }
        PLACE a, b; SAFE: c; SAFE 3: "d e", 7; // a capacity is a promise
        MARKING a : 2, c, a : 1;
        TRANSITION t CONSUME b, a : 2, b; PRODUCE "d e" : 3;
        TRANSITION 8 WEAK FAIR /* all is forgiven */ CONSUME ; PRODUCE 7;
        TRANSITION a STRONG FAIR CONSUME c; PRODUCE ;
        """
    )
    assert net == Net(
        name="model",
        places=("a", "b", "c", "d e", "7"),
        initial=(3, 0, 1, 0, 0),
        transitions=("t", "8", "a"),
        consumes=(((0, 2), (1, 2)), (), ((2, 1),)),
        produces=(((3, 3),), ((4, 1),), ()),
    )


def test_keywords_in_any_case_and_as_names() -> None:
    net = net_of("place safe, fair; Marking safe; transition consume Consume safe : 1; produce fair;")
    assert net.places == ("safe", "fair")
    assert net.transitions == ("consume",)


def test_names_hold_almost_anything() -> None:
    net = net_of("PLACE p.1,a-b,x//y,[z]=%,é; MARKING ;")
    assert net.places == ("p.1", "a-b", "x//y", "[z]=%", "é")


def test_no_transitions_and_windows_line_ends() -> None:
    net = net_of("PLACE a;\r\nMARKING a;\r\n")
    assert (net.initial, net.transitions) == ((1,), ())


def test_errors_show_the_line() -> None:
    with pytest.raises(InputError) as caught:
        net_of("PLACE a;\nMARKING bcd : 1;")
    assert str(caught.value).splitlines() == [
        "model.lola:2:9: error: there is no place 'bcd'",
        "  2 | MARKING bcd : 1;",
        "    |         ^^^",
    ]


def test_a_million_digits() -> None:
    with pytest.raises(InputError, match="beyond 64 bits"):
        net_of(f"PLACE a; MARKING a : {'9' * 1_000_000};")


names = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Z"), exclude_characters='"'), min_size=1, max_size=8
)


@given(places=st.lists(names | st.just("a b"), min_size=1, max_size=4, unique=True), transition=names)
@example(places=[";", ","], transition=":")
def test_what_is_written_is_read(places: list[str], transition: str) -> None:
    last = len(places) - 1
    net = Net(
        name="model",
        places=tuple(places),
        initial=(*(0 for _ in range(last)), 5),
        transitions=(transition,),
        consumes=(((0, 2),),),
        produces=(((last, 1),),),
    )
    stream = io.StringIO()
    write_lola(net, stream)
    assert net_of(stream.getvalue()) == net


@pytest.mark.parametrize("places", [(), ('a "b"',), (" a",)])
def test_what_cannot_be_written(places: tuple[str, ...]) -> None:
    with pytest.raises(UsageError, match="cannot be written as LoLA text"):
        write_lola(Net("n", places, (0,) * len(places), (), (), ()), io.StringIO())
