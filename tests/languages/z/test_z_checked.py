"""What later stages read from a specification that has been checked: types and generic parameters of expressions, components
of schemas, the order of paragraphs; and conditions over it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from burnside.diagnostics import InputError, Source
from burnside.languages.shared.spans import Extent
from burnside.languages.z import syntax as s
from burnside.languages.z.parse import parse
from burnside.languages.z.typing import CheckedSpecification, check, check_condition
from burnside.languages.z.typing.types import (
    NUMBER,
    AbbreviatedType,
    FormalType,
    GivenType,
    PowerType,
    ProductType,
    SchemaType,
    expanded,
    show_type,
    written_type,
)
from burnside.records import field_names, is_record

TEXT = r"""
\begin{zed} [A] \\ PLACE == \num \end{zed}
\begin{schema}{State} known : \power A; at : A \pfun PLACE \where \dom at = known \cup \emptyset \end{schema}
\begin{schema}{Move} \Delta State \\ a? : A \where at' = at \oplus \{a? \mapsto 3\} \end{schema}
\begin{gendef}[X] one : X \fun \power X \where \forall x : X @ one(x) = \{x\} \end{gendef}
\begin{axdef} a : A; sets : \power (\power A) \where sets = \{one(a)\} \end{axdef}
"""
AT = Extent(Source("--invariant", "..."), 0, 3)


def checked(text: str = TEXT) -> CheckedSpecification:
    source = Source("f.tex", text)
    return check(parse(source), source)


def nodes(tree: Any) -> Iterator[Any]:
    if is_record(tree):
        yield tree
        tree = [getattr(tree, name) for name in field_names(tree) if name != "at"]
    if isinstance(tree, list | tuple) and not isinstance(tree, Extent):
        for each in tree:
            yield from nodes(each)


def named(text: str) -> s.Reference:
    return s.Reference(AT, s.Identifier(AT, text))


def only(found: list[Any]) -> Any:
    (one,) = found
    return one


def test_every_expression_has_a_type_without_shorthands() -> None:
    found = checked()
    for paragraph in found.order:
        for node in nodes(paragraph):
            if node in found.results.types:
                type_ = found.type_of(node)
                assert type_ == expanded(type_) and "Abbreviated" not in repr(type_)
    count = sum(isinstance(each, s.Reference) for paragraph in found.order for each in nodes(paragraph))
    assert count > 15


def test_generic_parameters() -> None:
    found = checked()
    a, pairs = GivenType("A"), ProductType((GivenType("A"), NUMBER))
    instances = {}
    for paragraph in found.order:
        for node in nodes(paragraph):
            if found.instance(node):
                operator = getattr(node, "operator", None) or getattr(node, "name", None)
                assert isinstance(operator, s.Identifier)
                instances.setdefault(operator.text, set()).add(found.instance(node))
    assert instances["\\emptyset"] == {(a,)}
    assert instances["\\cup"] == {(a,)}
    assert instances["\\dom"] == {(a, NUMBER)}
    assert instances["\\oplus"] == {(a, NUMBER)}
    assert instances["\\mapsto"] == {(a, NUMBER)}
    assert instances["\\pfun"] == {(a, NUMBER)}
    assert instances["one"] == {(a,)}
    assert pairs.factors == (a, NUMBER)


def test_types_inside_of_generic_definitions() -> None:
    found = checked()
    definition = only([each for each in found.order if isinstance(each, s.GenericDefinition)])
    display = only([each for each in nodes(definition) if isinstance(each, s.Display)])
    assert found.type_of(display) == PowerType(FormalType("X"))


def test_components() -> None:
    found = checked()
    a = GivenType("A")
    at = PowerType(ProductType((a, NUMBER)))
    move = only(
        [each for each in found.order if isinstance(each, s.SchemaDefinition) and each.name == "Move"]
    )
    names = [(each.name, each.type) for each in found.components(move.body)]
    assert names == [
        ("known", PowerType(a)),
        ("at", at),
        ("known'", PowerType(a)),
        ("at'", at),
        ("a?", a),
    ]
    included = move.body.declarations[0].schema
    assert [each.name for each in found.components(included)] == ["known", "at", "known'", "at'"]


def test_order_has_what_was_made() -> None:
    found = checked()
    schemas = [each.name for each in found.order if isinstance(each, s.SchemaDefinition)]
    assert schemas == ["State", "\\Delta State", "Move"]
    made = only([each for each in found.order if getattr(each, "name", "") == "\\Delta State"])
    assert made.at.span.line == 4
    assert [each.decoration for each in nodes(made) if isinstance(each, s.SchemaReference)] == ["", "'"]


def test_xi_is_made_with_equal_states() -> None:
    found = checked(TEXT + "\\begin{schema}{Look}[X] \\Xi State \\\\ x : X \\end{schema}")
    xi = only([each for each in found.order if getattr(each, "name", "") == "\\Xi State"])
    thetas = [each for each in nodes(xi) if isinstance(each, s.Theta)]
    assert [each.decoration for each in thetas] == ["", "'"]
    state = found.globals["State"].type
    assert [found.type_of(each) for each in thetas] == [expanded(state)] * 2


def test_greek_schemas_may_be_defined() -> None:
    text = "\\begin{schema}{S} x : \\nat \\end{schema}\\begin{schema}{T} \\Delta S \\end{schema}"
    own = "\\begin{schema}{\\Delta S} y : \\nat \\end{schema}"
    found = checked(text + own)
    assert [each.name for each in found.globals["T"].components] == ["y"]


def test_globals() -> None:
    found = checked().globals
    kinds = {name: each.kind for name, each in found.items() if each.kind != "toolkit"}
    assert kinds == {
        "A": "given",
        "PLACE": "abbreviation",
        "State": "schema",
        "\\Delta State": "schema",
        "Move": "schema",
        "one": "generic",
        "a": "constant",
        "sets": "constant",
    }
    assert found["one"].formals == ("X",)
    assert isinstance(found["one"].paragraph, s.GenericDefinition)
    assert found["\\cup"].kind == "toolkit" and found["\\cup"].paragraph is None
    assert isinstance(found["State"].type, SchemaType)
    assert show_type(found["State"].components[1].type) == "A -+> PLACE"
    assert "\\bag" not in found


def test_shorthands_expand_everywhere() -> None:
    at = checked().globals["State"].components[1].type
    assert isinstance(at, AbbreviatedType) and at.parameters[0] == GivenType("A")
    assert expanded(at) == PowerType(ProductType((GivenType("A"), NUMBER)))
    assert written_type(at) == "A \\pfun PLACE"


# Conditions


def test_condition() -> None:
    found = checked()
    scope = {"known": PowerType(GivenType("A"))}
    empty = named("\\emptyset")
    assert check_condition(found, s.Equality(AT, named("known"), empty), scope) is None
    assert found.type_of(empty) == PowerType(GivenType("A"))
    assert found.instance(empty) == (GivenType("A"),)


def test_expression_of_a_wanted_type() -> None:
    found = checked()
    wanted = PowerType(GivenType("A"))
    assert check_condition(found, named("\\emptyset"), {}, wanted) == PowerType(GivenType("A"))
    assert check_condition(found, named("sets"), {}) == PowerType(wanted)
    with pytest.raises(InputError, match=r"has the type .power .*A., expected .num"):
        check_condition(found, named("sets"), {}, NUMBER)
    with pytest.raises(InputError, match="not determined"):
        check_condition(found, named("\\emptyset"), {})
    with pytest.raises(InputError, match="'knwon' is not declared"):
        check_condition(found, named("knwon"), {"known": wanted})


def test_conditions_make_greek_schemas() -> None:
    found = checked()
    xi = s.SchemaPredicate(AT, s.SchemaReference(AT, "\\Xi State"))
    types = {each.name: each.type for each in found.globals["\\Delta State"].components}
    check_condition(found, xi, types)
    assert "\\Xi State" in found.globals


# Limits


def test_types_that_double() -> None:
    """Forty tuples of tuples: refused, in short time, wherever they are."""
    doubled = " \\\\ ".join(f"a{each} == (a{each - 1}, a{each - 1})" for each in range(1, 40))
    with pytest.raises(InputError, match="this type has more than 100,000 parts"):
        checked(f"\\begin{{zed}} a0 == 1 \\\\ {doubled} \\end{{zed}}")


def test_records_that_double() -> None:
    doubled = " \\\\ ".join(f"S{each} \\defs [x, y : S{each - 1}]" for each in range(1, 60))
    with pytest.raises(InputError, match="this type has more than 100,000 parts"):
        checked(f"\\begin{{zed}} S0 \\defs [x, y : \\nat] \\\\ {doubled} \\end{{zed}}")


def test_types_that_grow_higher() -> None:
    """Each is a set of the one behind it."""
    text = " \\\\ ".join(f"a{each} == \\{{a{each + 1}\\}}" for each in range(300))
    with pytest.raises(InputError, match="or more than 100 levels"):
        checked(f"\\begin{{zed}} {text} \\\\ a300 == 1 \\end{{zed}}")


def test_inferred_types_that_grow_higher() -> None:
    equations = " \\land ".join(f"x{each} = \\{{x{each + 1}\\}}" for each in range(3000))
    text = "; ".join(f"x{each} == \\emptyset" for each in range(3001))
    with pytest.raises(InputError, match=r"too large to be compared|not determined"):
        checked(f"\\begin{{zed}} (\\LET {text} @ {equations}) \\end{{zed}}")


def test_inferred_types_that_double() -> None:
    """Of variables, without a name for any of them."""
    sides = [f"x{each} = \\{{(x{each - 1}, x{each - 1})\\}}" for each in range(1, 60)]
    text = "; ".join(f"x{each} == \\emptyset" for each in range(60))
    equations = " \\land ".join([*sides, "x0 = \\{1\\}", "x59 = x59"])
    found = checked(f"\\begin{{zed}} (\\LET {text} @ {equations}) \\end{{zed}}")
    (paragraph,) = found.order
    with pytest.raises(InputError, match="has more than 100,000 parts"):
        for node in nodes(paragraph):
            if node in found.results.types:
                found.type_of(node)


def test_unification_of_types_that_double() -> None:
    rows = [
        f"x{each} = \\{{(x{each - 1}, x{each - 1})\\}} \\land y{each} = \\{{(y{each - 1}, y{each - 1})\\}}"
        for each in range(1, 60)
    ]
    text = "; ".join(f"{name}{each} == \\emptyset" for each in range(60) for name in "xy")
    equations = " \\land ".join([*rows, "x59 = y59", "x0 = \\{1\\}"])
    with pytest.raises(InputError, match="too large"):
        checked(f"\\begin{{zed}} (\\LET {text} @ {equations}) \\end{{zed}}")
