"""Symmetric nets in PNML: sorts, and what nets are made of."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from burnside.diagnostics import InputError
from burnside.ir.highlevel.net import HighLevelNet
from burnside.ir.highlevel.types import DOT as DOT_TYPE
from burnside.ir.highlevel.types import Element, Struct, show_type

from tests.languages.symmetric_nets import (
    ALL,
    DOT,
    ONE_DOT,
    TYPE,
    C,
    N,
    after,
    all_of,
    apply,
    arc,
    constant,
    enumeration,
    instances,
    integer,
    integers,
    marking,
    named,
    net,
    number,
    place,
    product,
    read_in,
    times,
    transition,
    use,
    var,
    variable,
)

Reading = Callable[..., HighLevelNet]


@pytest.fixture
def reading(tmp_path: Path) -> Reading:
    return partial(read_in, tmp_path)


def marked(reading: Reading, sort: str, term: str, declarations: str = ALL) -> str:
    """The tokens that a term stands for."""
    return marking(reading(place("p", sort, term), declarations))["p"]


def guarded(reading: Reading, guard: str, declarations: str = ALL) -> list[str]:
    """The instances of a transition without arcs."""
    return instances(reading(transition("t", guard), declarations))


class TestSorts:
    def test_what_they_stand_for(self, reading: Reading) -> None:
        found = reading(
            place("c", use("C")) + place("f", use("F")) + place("n", use("N")) + place("p", use("P"))
            + place("d", DOT) + place("b", "<bool/>") + place("k", "<natural/>")
            + place("m", f"<multisetsort>{use('C')}</multisetsort>"),
        )  # fmt: skip
        types = [show_type(each.type) for each in found.places]
        assert types == ["C", "F", "N", "struct(1: C, 2: N)", "dot", "bool", "nat", "multiset(C)"]
        sorts = {each.name: (each.elements, each.symmetry, each.origin) for each in found.sorts}
        assert sorts == {
            "C": (("1", "2", "3"), "fixed", "cyclic enumeration"),
            "F": (("red", "green"), "fixed", "finite enumeration"),
            "N": (("2", "3", "4", "5"), "fixed", "integer range"),
        }
        assert found.searched == {"C", "F", "N"}
        assert found.type_names[found.places[3].type] == "P"
        assert all(each.span is not None for each in found.sorts)

    def test_sorts_that_nothing_uses_are_left_out(self, reading: Reading) -> None:
        assert [each.name for each in reading(place("p", use("F"))).sorts] == ["F"]
        guard = apply("equality", apply("cardinality", all_of(use("N"))), number(4))
        assert [each.name for each in reading(transition("t", guard)).sorts] == ["N"]

    def test_chains_of_names(self, reading: Reading) -> None:
        chain = "".join(named(f"A{i}", use(f"A{i + 1}")) for i in range(90)) + named("A90", use("C"))
        found = reading(place("p", use("A0"), constant("c2")), chain + C)
        assert marking(found) == {"p": "2"}
        assert isinstance(found.places[0].type, Element)
        assert found.places[0].type.sort.name == "C"

    def test_names_of_dots(self, reading: Reading) -> None:
        assert reading(place("p", use("Dot")), named("Dot", DOT)).places[0].type == DOT_TYPE

    def test_names_that_are_not_distinct(self, reading: Reading) -> None:
        """Then the ids are shown: of sorts, constants, variables."""
        declarations = (
            named("a", enumeration("finite", "u=x", "v=x"), "S") + named("b", integers(1, 2), "S")
            + variable("i", use("a"), "z") + variable("j", use("b"), "z")
        )  # fmt: skip
        found = reading(
            transition("t", apply("and", *(apply("equality", var(i), var(i)) for i in "ij"))), declarations
        )
        assert [(each.name, each.elements) for each in found.sorts] == [("a", ("u", "v")), ("b", ("1", "2"))]
        assert [each.name for each in found.transitions[0].variables] == ["i", "j"]

    def test_sorts_without_a_name(self, reading: Reading) -> None:
        """An enumeration is a sort by itself, ranges with the same bounds are one."""
        found = reading(
            place("p", enumeration("finite", "a", "b"), constant("b"))
            + place(
                "q", product(integers(1, 2), enumeration("cyclic", "k", "l")), all_of(integers(1, 2)) and ""
            )
            + place("r", integers(1, 2), all_of(integers(1, 2))),
        )
        assert marking(found) == {"p": "b", "q": "{}", "r": "1 + 2"}
        product_type, range_type = found.places[1].type, found.places[2].type
        assert isinstance(product_type, Struct)
        assert product_type.fields[0].type == range_type
        assert len({each.name for each in found.sorts}) == 3

    def test_nested_products(self, reading: Reading) -> None:
        sort = product(use("P"), use("F"), product())
        term = times(
            2, apply("tuple", apply("tuple", constant("c1"), integer(4, 2, 5)), constant("red"), "<tuple/>")
        )
        assert marked(reading, sort, term) == "2'<<1, 4>, red, <>>"

    def test_negative_numbers_of_a_range(self, reading: Reading) -> None:
        assert marked(reading, integers(-1, 1), times(3, integer(-1, -1, 1))) == "3'-1"

    def test_a_range_of_a_million(self, reading: Reading) -> None:
        found = reading(place("p", use("M"), all_of(use("M"))), named("M", integers(1, 1_000_000)))
        assert found.sorts[0].size == 1_000_000
        assert found.sorts[0].elements[-1] == "1000000"

    def test_a_marking_without_a_value_in_a_huge_product(self, reading: Reading) -> None:
        one = apply("tuple", *[integer(2, 2, 5)] * 30)
        term = apply("subtract", times(2, one), times(3, one))
        with pytest.raises(InputError, match="this initial marking has no value"):
            reading(place("p", product(*[use("N")] * 30), term))

    def test_all_of_a_huge_product_stays_a_term(self, reading: Reading) -> None:
        sort = product(*[use("N")] * 30)
        assert len(repr(reading(place("p", sort, all_of(sort))).places[0].initial)) < 10_000


class TestRanges:
    A, B = named("A", integers(1, 3)), named("B", integers(1, 3))

    def test_ranges_that_do_not_meet_are_apart(self, reading: Reading) -> None:
        found = reading(
            place("p", use("A"), integer(2, 1, 3)) + place("q", use("B"), integer(3, 1, 3)), self.A + self.B
        )
        assert [each.name for each in found.sorts] == ["A", "B"]
        assert marking(found) == {"p": "2", "q": "3"}

    @pytest.mark.parametrize("swapped", [False, True])
    def test_ranges_that_meet_are_one(self, reading: Reading, swapped: bool) -> None:
        """The standard names sorts, it does not make new ones."""
        declarations = (
            (self.B + self.A if swapped else self.A + self.B)
            + variable("i", use("A"))
            + variable("j", use("B"))
        )
        found = reading(
            place("p", use("A"), all_of(use("B"))) + place("q", use("B"))
            + transition("t", apply("lessthan", var("i"), var("j")))
            + arc("p", "t", times(1, var("j"))) + arc("t", "q", times(1, var("i"))),
            declarations,
        )  # fmt: skip
        assert len(found.sorts) == 1
        assert found.places[0].type == found.places[1].type
        names = (each.name for each in found.transitions[0].variables)
        assert [*names] == ["i", "j"]
        assert instances(found) == ["t(i=1, j=2)", "t(i=1, j=3)", "t(i=2, j=3)"]

    def test_many_that_meet(self, reading: Reading) -> None:
        count = 50
        declarations = "".join(named(f"R{i}", integers(0, 1)) for i in range(count))
        body = "".join(place(f"p{i}", use(f"R{i}"), all_of(use(f"R{i + 1}"))) for i in range(count - 1))
        assert len(reading(body, declarations).sorts) == 1

    def test_other_bounds_never_meet(self, reading: Reading) -> None:
        with pytest.raises(InputError, match="is of sort multiset of 'N', where multiset of 'A' is expected"):
            reading(place("p", use("A"), all_of(use("N"))), self.A + N)

    def test_constants_are_of_the_sort_beside_them(self, reading: Reading) -> None:
        declarations = self.A + self.B + variable("i", use("A")) + variable("j", use("B"))
        left, right = (
            apply("equality", integer(2, 1, 3), var("i")),
            apply("equality", var("j"), integer(3, 1, 3)),
        )
        found = reading(transition("t", apply("and", left, right)), declarations)
        assert len(found.sorts) == 2
        assert instances(found) == ["t(i=2, j=3)"]


class TestNets:
    def test_names_and_ids(self, reading: Reading) -> None:
        found = reading(
            place("p 1", DOT, name="left fork") + place("é<", DOT, name="right fork").replace("é<", "é&lt;")
        )
        assert [(each.name, each.id) for each in found.places] == [("left fork", "p 1"), ("right fork", "é<")]
        assert found.place_numbers == {"left fork": 0, "right fork": 1}

    def test_ids_are_shown_where_a_name_is_missing(self, reading: Reading) -> None:
        found = reading(place("p", DOT, name="left") + place("q", DOT))
        assert [each.name for each in found.places] == ["p", "q"]

    def test_the_name_of_the_net(self, reading: Reading) -> None:
        assert reading("").name == "n"
        text = f"<?xml version='1.0'?><pnml><net id='n' type='{TYPE}'><name><text>my\n net</text></name></net></pnml>"
        assert reading(text).name == "my net"

    def test_places_in_the_file(self, reading: Reading) -> None:
        found = reading("\n" + place("p", DOT) + "\n " + transition("t") + "\n  " + arc("p", "t"))
        spans = (found.places[0].span, found.transitions[0].span, found.transitions[0].consumes[0].span)
        assert [(each.line, each.column) for each in spans if each] == [(2, 1), (3, 2), (4, 3)]

    def test_variables_come_in_the_order_of_their_declarations(self, reading: Reading) -> None:
        found = reading(
            place("p", use("C")) + transition("t", apply("equality", var("n"), var("n")))
            + arc("p", "t", times(1, var("y"))) + arc("t", "p", times(1, var("x")))
        )  # fmt: skip
        assert [each.name for each in found.transitions[0].variables] == ["x", "y", "n"]

    def test_arcs_to_and_from_places_of_dots(self, reading: Reading) -> None:
        """Without an inscription: one dot."""
        found = reading(
            place("p", DOT, times(2, ONE_DOT))
            + place("q", DOT)
            + transition("t")
            + arc("p", "t")
            + arc("t", "q")
        )
        assert after(found, "t") == {"p": "dot", "q": "dot"}

    def test_parallel_arcs(self, reading: Reading) -> None:
        arcs = arc("p", "t", times(1, var("x")), "a") + arc("p", "t", times(1, var("x")), "b")
        found = reading(
            place("p", use("C"), apply("add", times(2, constant("c1")), constant("c2")))
            + transition("t")
            + arcs
        )
        assert len(found.transitions[0].consumes) == 2
        assert instances(found) == ["t(x=1)"]

    def test_pages_and_references(self, reading: Reading) -> None:
        body = (
            f"<page id='h'>{place('p', use('C'), constant('c2'))}<referencePlace id='r2' ref='p'/></page>"
            "<page id='i'><page id='j'><referencePlace id='r1' ref='r2'/><referenceTransition id='s' ref='t'/></page></page>"
            + transition("t") + arc("r1", "s", times(1, var("x")))
        )  # fmt: skip
        assert instances(reading(body)) == ["t(x=2)"]

    def test_deep_pages_cost_no_stack(self, reading: Reading) -> None:
        pages = "".join(f"<page id='g{i}'>" for i in range(5000))
        assert reading(pages + place("p", DOT) + "</page>" * 5000).places[0].id == "p"

    def test_a_place_without_an_end_of_values(self, reading: Reading) -> None:
        declarations = ALL + variable("k", "<natural/>")
        found = reading(
            place("p", "<natural/>", times(1, number(3))) + place("q", "<natural/>") + transition("t")
            + arc("p", "t", times(1, var("k"))) + arc("t", "q", times(1, apply("addition", var("k"), number(1)))),
            declarations,
        )  # fmt: skip
        assert after(found, "t(k=3)") == {"p": "{}", "q": "4"}

    def test_what_tools_add_is_skipped(self, reading: Reading) -> None:
        tool = "<toolspecific tool='x' version='1'><place id='p'/><all/></toolspecific>"
        body = place("p", DOT, apply("numberof", number(2), tool + ONE_DOT)).replace(
            "</place>", f"{tool}<graphics/></place>"
        )
        assert marking(reading(body)) == {"p": "2'dot"}

    def test_text_inside_of_a_structure_means_nothing(self, reading: Reading) -> None:
        """A model of the contest has a dollar sign there."""
        assert marking(
            reading(place("p", use("C"), f"$ {constant('c1')} $"), C.replace("</namedsort>", "$</namedsort>"))
        ) == {"p": "1"}

    def test_labels_whose_text_alone_is_empty(self, reading: Reading) -> None:
        empty = "<hlinitialMarking><text> </text></hlinitialMarking>"
        found = reading(place("p", DOT).replace("</place>", f"{empty}</place>"))
        assert marking(found) == {"p": "{}"}

    @pytest.mark.parametrize(
        "kind",
        [
            "pt-hlpng",
            "highlevelnet",
            "http://www.informatik.hu-berlin.de/top/pntd/HLPNGraph",
            "x#SymmetricNet",
        ],
    )
    def test_other_kinds_of_high_level_nets(self, reading: Reading, kind: str) -> None:
        """Are read where they have nothing but what symmetric nets have."""
        text = "<?xml version='1.0'?>" + net(place("p", DOT, times(2, ONE_DOT)), "", kind)
        assert marking(reading(text)) == {"p": "2'dot"}
