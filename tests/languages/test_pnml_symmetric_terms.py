"""Symmetric nets in PNML: each kind of term on a small net."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from burnside.ir.highlevel.net import HighLevelNet
from burnside.languages import load

from tests.languages.symmetric_nets import (
    ALL,
    CLASSES,
    SORTS,
    after,
    all_of,
    apply,
    arc,
    constant,
    enumeration,
    instances,
    integer,
    marking,
    named,
    net,
    number,
    operator,
    partition,
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


class TestMultisets:
    @pytest.mark.parametrize(
        ("term", "tokens"),
        [
            (times(2, constant("c1")), "2'1"),
            (apply("numberof", constant("c1")), "1"),
            (constant("c1"), "1"),
            (times(0, constant("c1")), "{}"),
            (all_of(use("C")), "1 + 2 + 3"),
            (times(2, all_of(use("C"))), "2'1 + 2'2 + 2'3"),
            (f"<empty>{use('C')}</empty>", "{}"),
            (apply("add", constant("c1"), times(2, constant("c3")), constant("c1")), "2'1 + 2'3"),
            (
                apply("add", apply("add", constant("c1")), apply("add", constant("c2"), constant("c3"))),
                "1 + 2 + 3",
            ),
            (apply("subtract", all_of(use("C")), constant("c1"), constant("c2")), "3"),
            (
                apply("scalarproduct", number(3), apply("subtract", all_of(use("C")), constant("c1"))),
                "3'2 + 3'3",
            ),
            (apply("numberof", apply("addition", number(1), number(2)), constant("c2")), "3'2"),
            (times(1, apply("successor", constant("c3"))), "1"),
            (times(1, apply("predecessor", constant("c1"))), "3"),
            (times(1, apply("predecessor", apply("successor", constant("c2")))), "2"),
        ],
    )
    def test_terms(self, reading: Reading, term: str, tokens: str) -> None:
        assert marked(reading, use("C"), term) == tokens

    def test_long_sums_are_not_deep(self, reading: Reading) -> None:
        term = constant("c1")
        for _ in range(300):
            term = apply("add", term, constant("c2"))
        assert marked(reading, use("C"), term) == "1 + 300'2"

    def test_multisets_of_multisets(self, reading: Reading) -> None:
        sort = f"<multisetsort>{use('F')}</multisetsort>"
        assert marked(reading, sort, times(2, all_of(use("F")))) == "2'(red + green)"
        assert (
            marked(reading, sort, apply("add", all_of(use("F")), f"<empty>{use('F')}</empty>"))
            == "1'({}) + 1'(red + green)"
        )

    def test_what_is_subtracted_below_zero_has_no_value(self, reading: Reading) -> None:
        """An instance with an inscription without a value is not enabled."""
        term = apply("subtract", all_of(use("C")), apply("add", times(1, var("x")), times(1, var("y"))))
        found = reading(place("p", use("C")) + transition("t") + arc("t", "p", term))
        assert instances(found) == [f"t(x={x}, y={y})" for x in "123" for y in "123" if x != y]
        assert after(found, "t(x=1, y=3)") == {"p": "2"}

    @pytest.mark.parametrize(
        ("term", "holds"),
        [
            (apply("equality", apply("cardinality", times(3, all_of(use("C")))), number(9)), True),
            (
                apply(
                    "equality", apply("cardinalityof", times(3, all_of(use("C"))), constant("c2")), number(3)
                ),
                True,
            ),
            (
                apply(
                    "equality", apply("cardinalityof", constant("c2"), times(3, all_of(use("C")))), number(3)
                ),
                True,
            ),
            (apply("contains", all_of(use("C")), apply("add", constant("c1"), constant("c3"))), True),
            (apply("contains", all_of(use("C")), times(2, constant("c1"))), False),
            (apply("contains", all_of(use("C")), constant("c1")), True),
            (apply("equality", all_of(use("C")), apply("add", *map(constant, ("c3", "c1", "c2")))), True),
        ],
    )
    def test_questions(self, reading: Reading, term: str, holds: bool) -> None:
        assert guarded(reading, term) == ["t"] * holds


class TestTuples:
    def test_all_of_each_part(self, reading: Reading) -> None:
        term = apply("tuple", all_of(use("F")), all_of(use("F")))
        assert (
            marked(reading, product(use("F"), use("F")), term)
            == "<red, red> + <red, green> + <green, red> + <green, green>"
        )

    @pytest.mark.parametrize("name", ["x", "(tuple)", "tuple_1"])
    def test_a_value_and_all_of_the_other_part(self, reading: Reading, name: str) -> None:
        declarations = SORTS + variable("x", use("C"), name)
        term = times(2, apply("tuple", var("x"), all_of(use("F"))))
        sort = product(use("C"), use("F"))
        found = reading(place("p", sort) + transition("t") + arc("t", "p", term), declarations)
        assert after(found, f"t({name}=2)") == {"p": "2'<2, red> + 2'<2, green>"}

    def test_multisets_of_any_kind(self, reading: Reading) -> None:
        term = apply(
            "tuple",
            apply("add", times(2, constant("c1")), constant("c3")),
            times(3, constant("red")),
            constant("c2"),
        )
        sort = product(use("C"), use("F"), use("C"))
        assert marked(reading, sort, term) == "6'<1, red, 2> + 3'<3, red, 2>"

    def test_products_inside_of_products(self, reading: Reading) -> None:
        inner = apply("tuple", constant("c1"), all_of(use("F")))
        sort = product(product(use("C"), use("F")), use("F"))
        assert (
            marked(reading, sort, apply("tuple", inner, constant("red")))
            == "<<1, red>, red> + <<1, green>, red>"
        )

    def test_a_part_that_is_a_multiset_by_its_sort(self, reading: Reading) -> None:
        sort = product(f"<multisetsort>{use('F')}</multisetsort>", use("C"))
        assert marked(reading, sort, apply("tuple", all_of(use("F")), constant("c1"))) == "<red + green, 1>"


class TestGuards:
    @pytest.mark.parametrize(
        ("operator", "pairs"),
        [
            ("equality", "11 22 33"), ("inequality", "12 13 21 23 31 32"), ("lessthan", "12 13 23"),
            ("lessthanorequal", "11 12 13 22 23 33"), ("greaterthan", "21 31 32"),
            ("greaterthanorequal", "11 21 22 31 32 33"), ("lt", "12 13 23"), ("leq", "11 12 13 22 23 33"),
            ("gt", "21 31 32"), ("geq", "11 21 22 31 32 33"),
        ],
    )  # fmt: skip
    def test_comparisons(self, reading: Reading, operator: str, pairs: str) -> None:
        found = guarded(reading, apply(operator, var("x"), var("y")))
        assert found == [f"t(x={x}, y={y})" for x, y in pairs.split()]

    @pytest.mark.parametrize(
        ("guard", "values"),
        [
            (apply("lessthan", var("n"), integer(4, 2, 5)), "23"),
            (
                apply(
                    "or",
                    apply("equality", var("n"), integer(2, 2, 5)),
                    apply("equality", var("n"), integer(5, 2, 5)),
                ),
                "25",
            ),
            (apply("and", apply("greaterthan", var("n"), integer(2, 2, 5))), "345"),
            (apply("not", apply("equality", var("n"), integer(3, 2, 5))), "245"),
            (
                apply(
                    "imply",
                    apply("lessthan", var("n"), integer(4, 2, 5)),
                    apply("equality", var("n"), integer(2, 2, 5)),
                ),
                "245",
            ),
        ],
    )
    def test_connectives(self, reading: Reading, guard: str, values: str) -> None:
        assert guarded(reading, guard) == [f"t(n={value})" for value in values]

    @pytest.mark.parametrize(("value", "count"), [("true", 1), ("false", 0)])
    def test_truth_values(self, reading: Reading, value: str, count: int) -> None:
        assert len(guarded(reading, f"<booleanconstant value='{value}'/>")) == count

    @pytest.mark.parametrize(
        ("term", "value"),
        [
            (apply("addition", number(3), number(4)), 7),
            (apply("mult", number(3), number(4)), 12),
            (apply("div", number(9), number(4)), 2),
            (apply("mod", number(9), number(4)), 1),
            (apply("subtraction", number(9), number(4)), 5),
        ],
    )
    def test_numbers(self, reading: Reading, term: str, value: int) -> None:
        assert guarded(reading, apply("equality", term, number(value))) == ["t"]
        assert guarded(reading, apply("equality", term, number(value + 1))) == []

    def test_truth_values_are_tokens(self, reading: Reading) -> None:
        assert marked(reading, "<bool/>", apply("equality", constant("c1"), constant("c2"))) == "false"

    def test_a_thousand_alternatives_in_a_chain(self, reading: Reading) -> None:
        guard = apply("equality", var("x"), constant("c1"))
        for _ in range(900):
            guard = apply("or", guard, apply("equality", var("x"), constant("c2")))
        assert guarded(reading, guard) == ["t(x=1)", "t(x=2)"]


class TestOrders:
    def test_successors_in_enumerations_that_are_not_cyclic(self, tmp_path: Path) -> None:
        """Around the end, as other tools have it, and the user is told so."""
        path = tmp_path / "model.pnml"
        path.write_text(net(place("p", use("N"), apply("successor", integer(5, 2, 5))), ALL))
        model = load(path)
        assert isinstance(model.subject, HighLevelNet)
        assert marking(model.subject) == {"p": "2"}
        assert model.notes == (
            "'N' is no cyclic enumeration (integer range): the successor of its last element is taken to be the first",
        )

    def test_steps_in_the_sort_of_one_constant(self, reading: Reading) -> None:
        one = named("O", enumeration("cyclic", "o"))
        assert marked(reading, use("O"), apply("predecessor", constant("o")), one) == "o"


class TestPartitions:
    def test_the_class_of_a_value(self, reading: Reading) -> None:
        of_x = f"<partitionelementof refpartition='Q'><subterm>{var('x')}</subterm></partitionelementof>"
        assert guarded(reading, apply("equality", of_x, constant("low")), ALL + CLASSES) == [
            "t(x=1)",
            "t(x=3)",
        ]
        assert guarded(reading, apply("gtp", of_x, constant("low")), ALL + CLASSES) == ["t(x=2)"]
        assert guarded(reading, apply("ltp", of_x, constant("high")), ALL + CLASSES) == ["t(x=1)", "t(x=3)"]

    def test_classes_are_tokens(self, reading: Reading) -> None:
        found = reading(
            place("p", use("Q"), times(2, constant("high"))) + place("q", use("Q"), all_of(use("Q"))),
            ALL + CLASSES,
        )
        assert marking(found) == {"p": "2'high", "q": "low + high"}
        assert [(each.name, each.elements, each.origin) for each in found.sorts] == [
            ("Q", ("low", "high"), "partition")
        ]

    def test_a_class_stands_for_its_elements(self, reading: Reading) -> None:
        """Where those are looked for: of a place, in a tuple."""
        found = reading(
            place("p", use("C"), times(2, constant("low")))
            + place("q", product(use("F"), use("C")), apply("tuple", constant("red"), constant("low"))),
            ALL + CLASSES,
        )
        assert marking(found) == {"p": "2'1 + 2'3", "q": "<red, 1> + <red, 3>"}

    def test_partitions_of_ranges(self, reading: Reading) -> None:
        declarations = (
            partition("Q", use("N"), a=integer(2, 2, 5), b="".join(integer(i, 2, 5) for i in (3, 4, 5))) + ALL
        )
        of_n = f"<partitionelementof refpartition='Q'><subterm>{var('n')}</subterm></partitionelementof>"
        assert guarded(reading, apply("equality", of_n, constant("a")), declarations) == ["t(n=2)"]


class TestOperators:
    def test_definitions_take_the_place_of_their_uses(self, reading: Reading) -> None:
        bag = f"<multisetsort>{use('C')}</multisetsort>"
        declarations = ALL + (
            operator("after", apply("successor", var("k")), k=use("C"))
            + operator("twice", constant("after", constant("after", var("k"))), k=use("C"))
            + operator("both", apply("add", var("m"), times(2, var("k"))), m=bag, k=use("C"))
            + operator("first", constant("c1"))
        )  # fmt: skip
        assert marked(reading, use("C"), constant("twice", constant("c2")), declarations) == "1"
        assert (
            marked(reading, use("C"), constant("both", all_of(use("C")), constant("c1")), declarations)
            == "3'1 + 2 + 3"
        )
        assert marked(reading, use("C"), times(4, constant("first")), declarations) == "4'1"
        guard = apply("equality", constant("after", var("y")), constant("first"))
        assert guarded(reading, guard, declarations) == ["t(y=3)"]

    def test_a_parameter_hides_a_variable(self, reading: Reading) -> None:
        declarations = ALL + operator("f", apply("successor", var("x")), x=use("C"))
        assert guarded(reading, apply("equality", constant("f", var("y")), constant("c1")), declarations) == [
            "t(y=3)"
        ]
