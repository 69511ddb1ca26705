"""Every node has its children: whatever a field can hold, `children` finds it and `with_children` replaces it."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import getmembers, isclass
from pathlib import Path
from types import ModuleType
from typing import Any, get_args, get_type_hints

import burnside
import pytest
from burnside.ir import expressions, nodes, program, statements, types, walking
from burnside.ir.analysis import flat
from burnside.ir.sets import expressions as set_expressions
from burnside.ir.sets import machine, substitutions
from burnside.ir.sets import types as set_types
from burnside.ir.sets.binders import bound_names
from burnside.records import field_names, is_record

MODULES = (
    *(expressions, statements, program, types, flat),
    *(set_expressions, substitutions, machine, set_types),
)
NO_NODES = (types.Sort, program.RangeName)
"""Records of these modules that are no part of any tree: they are compared and printed as a whole."""
EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL = [*sorted(EXAMPLES.glob("murphi/*.m")), *sorted(EXAMPLES.glob("b/*.mch"))]


def records(module: ModuleType) -> list[Any]:
    return [
        each
        for _, each in getmembers(module, isclass)
        if each.__module__ == module.__name__ and is_record(each)
    ]


CLASSES = [each for module in MODULES for each in records(module)]


def inside(annotation: Any) -> Iterator[Any]:
    """Every class that an annotation mentions."""
    yield annotation
    for each in get_args(annotation):
        yield from inside(each)


def holds(annotation: Any, family: type) -> bool:
    return any(isclass(each) and issubclass(each, family) for each in inside(annotation))


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
def test_all_fields_that_can_hold_nodes_are_known(kind: Any) -> None:
    if kind in NO_NODES:
        assert not issubclass(kind, nodes.Tree)
        return
    assert issubclass(kind, nodes.Node) or issubclass(kind, nodes.TypeNode)
    hints = get_type_hints(kind)
    wanted = {name for name in field_names(kind) if holds(hints[name], kind._family)}
    assert wanted <= set(kind._node_fields)
    for name in wanted:
        value = _Leaf()
        value.__class__ = _leaf_of(kind._family)
        node: Any = object.__new__(kind)
        node.__dict__.update(dict.fromkeys(field_names(kind)))
        for content in (value, (value,)):
            node.__dict__[name] = content
            assert node.children() == [value]


class _Leaf:
    pass


def _leaf_of(family: type) -> Any:
    return type("Leaf", (family,), {})


def by_fields(node: Any) -> Iterator[Any]:
    """All nodes of code, found without `children`."""
    if isinstance(node, tuple):
        for each in node:
            yield from by_fields(each)
    elif isinstance(node, nodes.Node):
        yield node
        for name in field_names(node):
            yield from by_fields(getattr(node, name))


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.name)
def test_walks_of_models(path: Path) -> None:
    subject: Any = burnside.load(path).subject  # type: ignore[union-attr]
    found = list(walking.nodes(subject))
    expected = list(by_fields(subject))
    assert len(found) == len(expected) and all(a is b for a, b in zip(found, expected, strict=True))
    assert walking.rebuilt(subject, lambda node: node) is subject
    assert walking.replaced(subject, lambda node: None) is subject
    for node in found:
        names = bound_names(node)
        assert tuple(node.children()[: len(names)]) == names


def test_inner_nodes_are_replaced_first_and_outermost_ones_alone() -> None:
    one, two = expressions.Constant(1, types.INTEGER), expressions.Constant(2, types.INTEGER)
    tree = expressions.Binary("+", one, expressions.Negate("-", one))

    def doubled(node: Any) -> Any:
        return two if node == one else node

    assert walking.rebuilt(tree, doubled) == expressions.Binary("+", two, expressions.Negate("-", two))

    def negated(node: Any) -> Any:
        return two if isinstance(node, expressions.Negate) or node == one else None

    assert walking.replaced(tree, negated) == expressions.Binary("+", two, two)


def test_code_has_no_types_inside() -> None:
    array = types.Array(types.BOOLEAN, types.Optional(types.INTEGER))
    variable = expressions.Variable("x", array)
    assert variable.children() == []
    assert list(walking.nodes(array)) == [array, types.BOOLEAN, array.element, types.INTEGER]
