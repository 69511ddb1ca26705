"""How large deferred sets and set parameters are, which numbers are implementable, and what elements are called.

In: the sizes that a user asks for, the settings of the machine, the conjuncts of PROPERTIES and CONSTRAINTS. Out: `Sizes`.
In this order decide: what was asked for by `--size` (`*` is every set that it does not name), equations that follow from
it, `scope_S`, equations such as `card(S) = 3`, `card(S) = card(T)` or `S = {a, b, c}`, bounds such as `card(S) > 3`, and at
last ProB's default of 2.
"""

from __future__ import annotations

from collections.abc import Mapping

from burnside.diagnostics import Diagnostic, InputError, UsageError
from burnside.languages.b.resolve.structure import DeclaredSort, Structure, conjunct_trees
from burnside.languages.b.syntax import expressions as t
from burnside.languages.b.syntax.expressions import Expression
from burnside.languages.b.syntax.machines import Definition
from burnside.records import record

DEFAULT_SIZE = 2
DEFAULT_NUMBERS = (-1, 3)
MAX_SIZE = 100_000
"""Elements of one set. A larger number is most likely a typing error."""


@record(eq=False)
class Sizes:
    """`constants`: values that a user gave to scalar parameters and constants."""

    sorts: Mapping[str, int]
    numbers: tuple[int, int]
    constants: Mapping[str, int]


def sizes_of(structure: Structure, asked: Mapping[str, int]) -> Sizes:
    settings = settings_of(structure)
    chosen = _named(structure, asked)
    numbers = _numbers(settings, chosen, structure.main.tree.source.name)
    constants = {each.name for each in (*structure.parameters, *structure.constants)}
    given = {name: value for name, value in chosen.items() if name in constants}
    solver = _Equations(structure, given, numbers)
    for sort in structure.sorts:
        if sort.name in chosen:
            solver.sizes[sort.name] = chosen[sort.name]
    if given:
        solver.solve_from_constants()
    for sort in structure.sorts:
        if sort.members is None and sort.name not in solver.sizes:
            scope = _scope(settings.get(f"scope_{sort.name}"), solver)
            if scope is not None:
                solver.sizes[sort.name] = scope
    solver.solve()
    default = _setting(settings, "SET_PREF_DEFAULT_SETSIZE") or DEFAULT_SIZE
    found = {
        sort.name: _checked(sort, solver.sizes.get(sort.name, solver.bounded(sort.name, default)), chosen)
        for sort in structure.sorts
    }
    return Sizes(found, numbers, given)


def settings_of(structure: Structure) -> dict[str, Definition]:
    """As in ProB, only those of the main machine and of definition files that it reads."""
    return dict(structure.main.tree.settings)


def _named(structure: Structure, asked: Mapping[str, int]) -> dict[str, int]:
    """By the machine's own spelling. On a command line, capital letters need not be right if nothing else is meant."""
    names = [each.name for each in structure.sorts if each.members is None]
    names += [each.name for each in (*structure.parameters, *structure.constants)]
    names += ["MAXINT", "MININT"]
    source = structure.main.tree.source
    found: dict[str, int] = {}
    for given, value in asked.items():
        if given == "*":
            continue
        candidates = [name for name in names if name == given] or [
            name for name in names if name.lower() == given.lower()
        ]
        if len(candidates) != 1:
            fixed = any(each.name == given for each in structure.sorts)
            message = f"{'more than one' if candidates else 'no'} deferred set, parameter or constant is called '{given}'"
            hint = "an enumerated set has the size of its list" if fixed else f"there are: {', '.join(names)}"
            raise UsageError(Diagnostic(message, source.name, hint=hint))
        found[candidates[0]] = value
    if "*" in asked:
        deferred = (each.name for each in structure.sorts if each.members is None)
        found |= {name: asked["*"] for name in deferred if name not in found}
    return found


def _numbers(settings: Mapping[str, Definition], chosen: Mapping[str, int], source: str) -> tuple[int, int]:
    low, high = (
        chosen.get(name, default if (found := _setting(settings, f"SET_PREF_{name}")) is None else found)
        for name, default in zip(("MININT", "MAXINT"), DEFAULT_NUMBERS, strict=True)
    )
    if low > high:
        raise UsageError(Diagnostic(f"MININT ({low}) is larger than MAXINT ({high})", source))
    return low, high


def _setting(settings: Mapping[str, Definition], name: str) -> int | None:
    definition = settings.get(name)
    if definition is None or definition.expression is None:
        return None
    value = number_of(definition.expression, {})
    if value is None:
        raise InputError(definition.at.diagnostic(f"{name} has to be a number"))
    return value


def _scope(definition: Definition | None, solver: _Equations) -> int | None:
    """`scope_S == n`, or `a..b` for as many elements."""
    if definition is None or definition.expression is None:
        return None
    tree = definition.expression
    value: int | None = None
    if isinstance(tree, t.Binary) and tree.operator == "..":
        low, high = solver.number(tree.left), solver.number(tree.right)
        value = None if low is None or high is None else high - low + 1
    elif isinstance(tree, t.SetDisplay):
        value = len(tree.elements)
    else:
        value = solver.number(tree)
    if value is None or not 1 <= value <= MAX_SIZE:
        name = definition.name.text
        hint = f"write {name} == 3, or {name} == 1..3"
        raise InputError(definition.at.diagnostic(f"{name} gives no size from 1 to {MAX_SIZE:,}", hint))
    return value


def _checked(sort: DeclaredSort, size: int, chosen: Mapping[str, int]) -> int:
    if sort.members is not None:
        return len(sort.members)
    if 1 <= size <= MAX_SIZE:
        return size
    message = f"the set '{sort.name}' cannot have {size} elements, but from 1 to {MAX_SIZE:,}"
    if sort.name in chosen:
        raise UsageError(Diagnostic(message, source="--size"))
    raise InputError(sort.at.diagnostic(message))


class _Equations:
    """What the conjuncts say about sizes, as far as numbers can be put in."""

    def __init__(self, structure: Structure, constants: Mapping[str, int], numbers: tuple[int, int]) -> None:
        self.sizes = {each.name: len(each.members) for each in structure.sorts if each.members is not None}
        self.open = {each.name for each in structure.sorts if each.members is None}
        self.constants = dict(constants)
        self.fixed = set(constants)
        self.numbers = numbers
        self.low: dict[str, int] = {}
        self.high: dict[str, int] = {}
        known = {each.name for each in (*structure.parameters, *structure.constants)}
        self.names = known
        self.conjuncts = [
            each.predicate if isinstance(each, t.Labelled) else each
            for instance in structure.instances
            for clause in (instance.tree.constraints, instance.tree.properties)
            for each in conjunct_trees(clause)
        ]
        for instance in structure.instances:
            for valuation in instance.tree.values:
                name = t.Name(valuation.name.at, valuation.name.text, False)
                self.conjuncts.append(t.Binary(valuation.at, "=", name, valuation.value))

    def number(self, tree: Expression) -> int | None:
        values: dict[str, int] = self.constants | {"MININT": self.numbers[0], "MAXINT": self.numbers[1]}
        return number_of(tree, values | {f"card({name})": size for name, size in self.sizes.items()})

    def solve_from_constants(self) -> None:
        """Only what follows from values that the user gave."""
        for each in self.conjuncts:
            match each:
                case t.Binary(_, "=", left, right):
                    for one, other in ((left, right), (right, left)):
                        name = _card_of(one)
                        value = number_of(other, self.constants)
                        if name in self.open - set(self.sizes) and value is not None and _has_name(other):
                            self.sizes[name] = value

    def solve(self) -> None:
        progress = True
        while progress:
            progress = sum(map(self._learn, self.conjuncts)) > 0

    def _learn(self, tree: Expression) -> bool:
        if not isinstance(tree, t.Binary):
            return False
        if tree.operator == "=":
            return self._equal(tree.left, tree.right) or self._equal(tree.right, tree.left)
        if tree.operator in ("<", "<=", ">", ">="):
            return self._bound(tree.operator, tree.left, tree.right)
        return False

    def _equal(self, left: Expression, right: Expression) -> bool:
        name = _card_of(left)
        if name is None and isinstance(left, t.Name) and left.text in self.open:
            if left.text not in self.sizes and (size := self._listed(right)) is not None:
                self.sizes[left.text] = size
                return True
            return False
        value = self.number(right)
        if value is None:
            return False
        if name in self.open and name not in self.sizes:
            self.sizes[name] = value
            return True
        if isinstance(left, t.Name) and left.text in self.names and left.text not in self.constants:
            self.constants[left.text] = value
            return True
        return False

    def _listed(self, tree: Expression) -> int | None:
        """`S = {a, b}`, or `S = 1..4` in VALUES."""
        match tree:
            case t.SetDisplay(_, elements) if elements and all(isinstance(each, t.Name) for each in elements):
                return len({each.text for each in elements if isinstance(each, t.Name)})
            case t.Binary(_, "..", left, right):
                low, high = self.number(left), self.number(right)
                return None if low is None or high is None else high - low + 1
            case _:
                return None

    def _bound(self, operator: str, left: Expression, right: Expression) -> bool:
        turned = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
        name, value = _card_of(left), self.number(right)
        if name is None:
            name, value, operator = _card_of(right), self.number(left), turned[operator]
        if name not in self.open or name is None or value is None:
            return False
        strict = operator in ("<", ">")
        if operator in (">", ">="):
            bound, table, better = value + strict, self.low, max
        else:
            bound, table, better = value - strict, self.high, min
        old = table.get(name)
        table[name] = bound if old is None else better(old, bound)
        return table[name] != old

    def bounded(self, name: str, size: int) -> int:
        return min(max(size, self.low.get(name, size)), self.high.get(name, MAX_SIZE))


def _card_of(tree: Expression) -> str | None:
    match tree:
        case t.Unary(_, "card", t.Name(_, name)):
            return name
        case _:
            return None


def _has_name(tree: Expression) -> bool:
    from burnside.languages.b.resolve.structure import names_in

    return next(names_in(tree), None) is not None


def number_of(tree: Expression, values: Mapping[str, int]) -> int | None:
    """Arithmetic on what is known before the machine starts; None where something is not."""
    match tree:
        case t.Number(_, value):
            return value
        case t.Name(_, name):
            return values.get(name)
        case t.Constant(_, "MAXINT" | "MININT" as word):
            return values.get(word)
        case t.Unary(_, "card", t.Name(_, name)):
            return values.get(f"card({name})")
        case t.Unary(_, "-", operand):
            inner = number_of(operand, values)
            return None if inner is None else -inner
        case t.Binary(_, "+" | "-" | "*" | "/" | "**" | t.SUBTRACTED as operator, left, right):
            one, other = number_of(left, values), number_of(right, values)
            return None if one is None or other is None else _computed(operator, one, other)
        case _:
            return None


def _computed(operator: str, left: int, right: int) -> int | None:
    match operator:
        case "+" | t.SUBTRACTED:
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left // right if left >= 0 and right > 0 else None
        case _:
            return left**right if 0 <= right <= 64 and abs(left) <= MAX_SIZE else None


def element_names(sort: DeclaredSort, size: int, taken: set[str]) -> tuple[str, ...]:
    """`S1`, `S2`, ... as ProB calls them, with a stroke between where the machine has one of these names."""
    between = ""
    while any(f"{sort.name}{between}{number}" in taken for number in range(1, size + 1)):
        between += "_"
    return tuple(f"{sort.name}{between}{number}" for number in range(1, size + 1))
