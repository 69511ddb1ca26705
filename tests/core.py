"""What the tests of the core share: a net inside the core, its group, and every method by name."""

from __future__ import annotations

from burnside import _core, families
from burnside.net import Net
from burnside.records import record

SELECTORS = ("trivial", "min", "max", "min-min-frequency", "max-min-frequency", "least-unique")

CANONICAL = {
    "nauty": _core.Method("nauty"),
    "search by partition": _core.Method("search"),
    **{f"search by marking, {each}": _core.Method("search", "marking", each) for each in SELECTORS},
    "minimise": _core.Method("minimise"),
}
"""Methods that turn a marking into the one representative of its orbit."""

EXACT = {**CANONICAL, "compare": _core.Method("compare"), "flood": _core.Method("flood")}
"""Methods that explore one marking of each orbit."""

REPRESENTATIVE = {
    f"representative by {guide}, {budget}": _core.Method("representative", guide, None, budget)
    for guide in ("partition", "marking")
    for budget in (None, 1, 10)
}
"""Methods that stay inside the orbit."""


@record
class Prepared:
    net: Net
    handle: _core.Net
    group: _core.Group


def prepare(net: Net) -> Prepared:
    handle = _core.Net(net.initial, net.consumes, net.produces)
    return Prepared(net, handle, _core.automorphisms(handle, [net.initial], []))


def family(spec: str) -> Net:
    name, *parameters = spec.split()
    return families.build(name, parameters)
