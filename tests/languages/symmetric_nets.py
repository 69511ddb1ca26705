"""Texts of small symmetric nets, and what they are: the places' tokens, the instances that are enabled."""

from __future__ import annotations

from pathlib import Path

from burnside.ir.highlevel.checking import check_net
from burnside.ir.highlevel.net import HighLevelNet
from burnside.ir.highlevel.values import show_instance, show_tokens
from burnside.languages import read
from burnside.reference.highlevel.firing import enabled, fire, initial_marking

TYPE = "http://www.pnml.org/version-2009/grammar/symmetricnet"


def net(body: str = "", declarations: str = "", kind: str = TYPE) -> str:
    """Declarations after all places, where the standard allows them, too."""
    return (
        f"<pnml><net id='n' type='{kind}'><page id='g'>{body}</page><declaration><structure>"
        f"<declarations>{declarations}</declarations></structure></declaration></net></pnml>"
    )


def use(sort: str) -> str:
    return f"<usersort declaration='{sort}'/>"


def named(id_: str, sort: str, name: str | None = None) -> str:
    return f"<namedsort id='{id_}' name='{id_ if name is None else name}'>{sort}</namedsort>"


def enumeration(kind: str, *constants: str) -> str:
    """Constants as `id` or `id=name`."""
    parts = (each.partition("=") for each in constants)
    inside = "".join(f"<feconstant id='{id_}' name='{name or id_}'/>" for id_, _, name in parts)
    return f"<{kind}enumeration>{inside}</{kind}enumeration>"


def integers(start: int, end: int) -> str:
    return f"<finiteintrange start='{start}' end='{end}'/>"


def product(*sorts: str) -> str:
    return f"<productsort>{''.join(sorts)}</productsort>"


def variable(id_: str, sort: str, name: str | None = None) -> str:
    return f"<variabledecl id='{id_}' name='{id_ if name is None else name}'>{sort}</variabledecl>"


def partition(id_: str, sort: str, **classes: str) -> str:
    parts = "".join(
        f"<partitionelement id='{k}' name='{k}'>{v}</partitionelement>" for k, v in classes.items()
    )
    return f"<partition id='{id_}' name='{id_}'>{sort}{parts}</partition>"


def operator(id_: str, body: str, **parameters: str) -> str:
    declared = "".join(variable(name, sort) for name, sort in parameters.items())
    return f"<namedoperator id='{id_}' name='{id_}'><parameter>{declared}</parameter><def>{body}</def></namedoperator>"


def place(id_: str, sort: str, marking: str = "", name: str | None = None) -> str:
    label = f"<name><text>{name}</text></name>" if name else ""
    initial = f"<hlinitialMarking><structure>{marking}</structure></hlinitialMarking>" if marking else ""
    return f"<place id='{id_}'>{label}<type><structure>{sort}</structure></type>{initial}</place>"


def transition(id_: str, guard: str = "") -> str:
    condition = f"<condition><structure>{guard}</structure></condition>" if guard else ""
    return f"<transition id='{id_}'>{condition}</transition>"


def arc(source: str, target: str, term: str = "", id_: str | None = None) -> str:
    label = f"<hlinscription><structure>{term}</structure></hlinscription>" if term else ""
    return f"<arc id='{id_ or f'{source}-{target}'}' source='{source}' target='{target}'>{label}</arc>"


def apply(name: str, *terms: str) -> str:
    return f"<{name}>{''.join(f'<subterm>{each}</subterm>' for each in terms)}</{name}>"


def var(id_: str) -> str:
    return f"<variable refvariable='{id_}'/>"


def constant(id_: str, *arguments: str) -> str:
    inside = "".join(f"<subterm>{each}</subterm>" for each in arguments)
    return f"<useroperator declaration='{id_}'>{inside}</useroperator>"


def number(value: int, sort: str = "positive") -> str:
    return f"<numberconstant value='{value}'><{sort}/></numberconstant>"


def integer(value: int, start: int, end: int) -> str:
    return f"<finiteintrangeconstant value='{value}'>{integers(start, end)}</finiteintrangeconstant>"


def times(count: int, term: str) -> str:
    return apply("numberof", number(count), term)


def all_of(sort: str) -> str:
    return f"<all>{sort}</all>"


DOT = "<dot/>"
ONE_DOT = "<dotconstant/>"


C = named("C", enumeration("cyclic", "c1=1", "c2=2", "c3=3"))
F = named("F", enumeration("finite", "red", "green"))
N = named("N", integers(2, 5))
P = named("P", product(use("C"), use("N")))
SORTS = C + F + N + P
CLASSES = partition("Q", use("C"), low=constant("c1") + constant("c3"), high=constant("c2"))
VARIABLES = (
    variable("x", use("C")) + variable("y", use("C")) + variable("f", use("F")) + variable("n", use("N"))
)
ALL = SORTS + VARIABLES
"""Declarations for most tests."""


def read_in(folder: Path, body: str | bytes, declarations: str = ALL) -> HighLevelNet:
    """A net from its body and its declarations, or from the text of a whole file."""
    path = folder / "model.pnml"
    text = body if isinstance(body, bytes) or body.startswith("<?") else net(body, declarations)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    found = read(path)
    assert isinstance(found, HighLevelNet)
    check_net(found)
    return found


def marking(net_: HighLevelNet) -> dict[str, str]:
    """The initial tokens of each place."""
    pairs = zip(net_.places, initial_marking(net_), strict=True)
    return {each.name: show_tokens(each.type, tokens) for each, tokens in pairs}


def instances(net_: HighLevelNet) -> list[str]:
    """Those that are enabled in the initial marking, sorted."""
    found = []
    for number_, values in enabled(net_, initial_marking(net_)):
        fired = net_.transitions[number_]
        variables = [(each.name, each.type) for each in fired.variables]
        found.append(show_instance(fired.name, variables, values))
    return sorted(found)


def after(net_: HighLevelNet, label: str) -> dict[str, str]:
    """The tokens of each place after an enabled instance."""
    start = initial_marking(net_)
    for number_, values in enabled(net_, start):
        fired = net_.transitions[number_]
        variables = [(each.name, each.type) for each in fired.variables]
        if show_instance(fired.name, variables, values) == label:
            pairs = zip(net_.places, fire(net_, start, (number_, values)), strict=True)
            return {each.name: show_tokens(each.type, tokens) for each, tokens in pairs}
    raise AssertionError(f"{label} is not enabled")
