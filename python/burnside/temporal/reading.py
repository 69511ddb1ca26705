"""Formulas over a model. In: a text, what reads atoms of the model. Out: a `TemporalProperty`.

`ModelAtoms` is the part of an `AtomReader` that all kinds of models share; `kinds` adds how conditions and actions are read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from burnside.diagnostics import Diagnostic, InputError, Source, UsageError
from burnside.languages.shared.spans import Extent, Identifier
from burnside.model import DeferredFormula, FormulaText
from burnside.records import field, record, replace
from burnside.request import Logic
from burnside.temporal.atoms import (
    ActionPattern,
    Binder,
    Condition,
    Dead,
    Enabled,
    Fairness,
    Initial,
    NextAction,
    Patterns,
    Proposition,
    Sink,
)
from burnside.temporal.formulas import Ends, Formula, atoms_of, renumbered
from burnside.temporal.syntax import Dialect, ParsedFormula, parse_property
from burnside.temporal.syntax.reader import ActionText, Bound, StateWord, one_line

if TYPE_CHECKING:
    from burnside.model import Model

PropertyKind = Logic | Literal["reachability", "never", "cycles"]
"""A property of reachability is one of CTL: AG p or EF p, for a condition p on states. A never claim is an automaton of the
runs that violate it; what labels say of cycles is of LTL."""
STATE_WORDS: dict[StateWord, Proposition] = {"deadlock": Dead(), "sink": Sink(), "initial": Initial()}


@record(kw_only=True)
class TemporalProperty:
    """A formula that holds if every fair run from an initial state satisfies it, for all values of the binders.
    `propositions`: what its atoms say, by number. `ends`: how it reads the ends of finite runs."""

    name: str
    text: str
    logic: PropertyKind
    formula: Formula
    propositions: tuple[Proposition, ...]
    binders: tuple[Binder, ...] = ()
    fairness: tuple[Fairness, ...] = ()
    ends: Ends = "strong"
    expected: bool = True
    """Is it claimed to hold?"""
    source: Source = field(compare=False, repr=False)


class ModelAtoms:
    """Propositions by number. Equal ones have one number."""

    def __init__(self) -> None:
        self.numbers: dict[Proposition, int] = {}

    @property
    def propositions(self) -> tuple[Proposition, ...]:
        return tuple(self.numbers)

    # What differs

    def read_condition(self, source: Source, bound: Bound) -> Any:
        raise NotImplementedError

    def patterns(self, action: ActionText, bound: Bound) -> Patterns:
        raise NotImplementedError

    def binder(self, name: Identifier, domain: Extent, bound: Bound) -> Binder:
        raise NotImplementedError

    def with_value(self, expression: Any, binder: Binder, value: int) -> Any:
        """The expression with a value in the place of the name."""
        raise NotImplementedError

    def mentioned(self, expression: Any, binders: Sequence[Binder]) -> tuple[Binder, ...]:
        """Those whose names stand in the expression."""
        raise NotImplementedError

    def closed(self, condition: Any, binders: Sequence[Binder]) -> Any:
        """That the condition holds for some values of the names."""
        raise NotImplementedError

    def is_name(self, expression: Any) -> bool:
        """Is it nothing but a name?"""
        raise NotImplementedError

    def equals_itself(self, value: Any) -> Any:
        """A condition in which nothing but this value stands."""
        raise NotImplementedError

    def parameters(self, name: str) -> tuple[int | None, ...]:
        """Of each action, the position of its parameter of this name; refused where none has one."""
        message = "has no effect here: actions of this kind of model have no parameters"
        raise UsageError(Diagnostic(message, source="--fair-by"))

    def actors(self) -> tuple[tuple[int | None, ...], tuple[tuple[int, ...], ...]]:
        """Of each action, the position of the parameter that is the process which acts, and those of processes that take
        part in its step; nothing in models without processes."""
        return (), ()

    # What does not

    def named_parameters(
        self, name: str, actions: Sequence[Sequence[tuple[str, Any]]]
    ) -> tuple[int | None, ...]:
        """The same, of actions whose parameters have these names and types."""
        named = [[at for at, (each, _) in enumerate(one) if each == name] for one in actions]
        types = {one[at][1] for one, found in zip(actions, named, strict=True) for at in found}
        if not types:
            known = ", ".join(sorted({each for one in actions for each, _ in one if each})) or "none"
            message = f"no action has a parameter {name!r}"
            raise UsageError(Diagnostic(message, source="--fair-by", hint=f"the parameters are: {known}"))
        if len(types) > 1:
            message = f"the parameters {name!r} of different actions have different types"
            raise UsageError(Diagnostic(message, source="--fair-by"))
        return tuple(found[0] if found else None for found in named)

    def condition(self, text: Extent, bound: Bound) -> int:
        expression = self.read_condition(text.source.part(text.offset, text.end), bound)
        return self.number(Condition(expression, one_line(text), text.span))

    def enabled(self, actions: Sequence[ActionText], bound: Bound, at: Extent) -> int:
        patterns = dict.fromkeys(each for action in actions for each in self.patterns(action, bound))
        return self.number(Enabled(tuple(patterns), one_line(at)))

    def next_action(self, action: ActionText, bound: Bound, at: Extent) -> int:
        return self.number(NextAction(self.patterns(action, bound), one_line(at)))

    def state_word(self, word: StateWord, at: Extent) -> int:
        return self.number(STATE_WORDS[word])

    def instance(self, number: int, binder: Binder, value: int) -> int:
        return self.number(self.with_values(self.propositions[number], [(binder, value)]))

    def number(self, proposition: Proposition) -> int:
        return self.numbers.setdefault(proposition, len(self.numbers))

    # Values for quantified names

    def instantiated(self, found: TemporalProperty, values: Sequence[int]) -> TemporalProperty:
        """For one tuple of values of the binders: the same formula over other propositions."""
        pairs = list(zip(found.binders, values, strict=True))
        fairness = tuple(
            each if each.patterns is None else replace(each, patterns=self._filled(each.patterns, pairs))
            for each in found.fairness
        )
        propositions = tuple(self.with_values(each, pairs) for each in found.propositions)
        return replace(found, propositions=propositions, binders=(), fairness=fairness)

    def with_values(self, proposition: Proposition, values: Sequence[tuple[Binder, int]]) -> Proposition:
        match proposition:
            case Condition(expression):
                return replace(proposition, expression=self._value_of(expression, values))
            case Enabled(patterns) | NextAction(patterns):
                return replace(proposition, patterns=self._filled(patterns, values))
            case _:
                return proposition

    def _filled(self, patterns: Patterns, values: Sequence[tuple[Binder, int]]) -> Patterns:
        return tuple(
            each
            if each.arguments is None
            else ActionPattern(
                each.action,
                tuple(None if one is None else self._value_of(one, values) for one in each.arguments),
            )
            for each in patterns
        )

    def _value_of(self, expression: Any, values: Sequence[tuple[Binder, int]]) -> Any:
        for binder, value in values:
            expression = self.with_value(expression, binder, value)
        return expression


def dialect_of(model: Model) -> Dialect:
    """How formulas over models of this language are read."""
    return "prob" if model.language == "b" else "standard"


def ends_of(model: Model) -> Ends:
    """Promela is read as Spin reads it: a run that ends repeats its last state."""
    return "stutter" if model.language == "promela" else "strong"


def read_formula(
    model: Model, source: Source, atoms: ModelAtoms, logic: Logic, name: str | None = None
) -> TemporalProperty:
    """A formula over a model, in the words that its language has for operators, or in those that all languages share."""
    found = read_property(
        source, atoms, dialect=dialect_of(model), logic=logic, name=name, own=own_formulas(model)
    )
    return replace(found, ends=ends_of(model))


OwnFormulas = Callable[[Source, Callable[[Proposition], int]], Formula]


def own_formulas(model: Model) -> OwnFormulas | None:
    """How the language of a model reads formulas, where it has a way of its own."""
    return getattr(model.expressions, "formula", None)


def _parsed(source: Source, atoms: ModelAtoms, dialect: Dialect, own: OwnFormulas | None) -> ParsedFormula:
    """Of two errors, that of the language's own way is shown, unless braces say that the other one is meant."""
    if own is None:
        return parse_property(source, atoms, dialect)
    try:
        return ParsedFormula(own(source, atoms.number))
    except InputError as error:
        try:
            return parse_property(source, atoms, dialect)
        except InputError:
            if "{" in source.text:
                raise
            raise error from None


def read_property(
    source: Source,
    atoms: ModelAtoms,
    *,
    dialect: Dialect,
    logic: Logic,
    name: str | None = None,
    own: OwnFormulas | None = None,
) -> TemporalProperty:
    """`source` holds the formula, and maybe blanks around it; `name` is the user's, or the formula itself."""
    found = _parsed(source, atoms, dialect, own)
    used = atoms_of(found.formula)
    text = " ".join(source.text.split())
    return TemporalProperty(
        name=name or text,
        text=text,
        logic=logic,
        formula=renumbered(found.formula, {number: at for at, number in enumerate(used)}),
        propositions=tuple(atoms.propositions[number] for number in used),
        binders=found.binders,
        fairness=found.fairness,
        source=source,
    )


def carried_properties(model: Model, atoms: Callable[[], ModelAtoms]) -> tuple[TemporalProperty, ...]:
    """What the text of a model claims of its runs; `atoms` makes a reader for each."""
    return tuple(carried_property(model, each, atoms) for each in model.formulas)


def carried_property(
    model: Model,
    carried: FormulaText | TemporalProperty | DeferredFormula,
    atoms: Callable[[], ModelAtoms],
) -> TemporalProperty:
    match carried:
        case TemporalProperty():
            return carried
        case DeferredFormula(read=read):
            return read()
        case FormulaText(name, logic, source, expected):
            dialect = dialect_of(model)
            found = read_property(source, atoms(), dialect=dialect, logic=logic, name=name)
            return replace(found, expected=expected)


def unknown_action(action: ActionText, known: Sequence[str], noun: str) -> NoReturn:
    close = get_close_matches(action.name.text, known, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(close)}?" if close else None
    raise InputError(action.name.at.diagnostic(f"there is no {noun} '{action.name.text}'", hint))


def wrong_arguments(action: ActionText, count: int, noun: str) -> InputError:
    """The number of arguments is not that of the parameters."""
    given = len(action.arguments or ())
    wanted = f"{count} parameter{'s' if count != 1 else ''}, not {given}" if count else "no parameters"
    hint = "'_' stands for any value" if count else None
    message = f"the {noun} '{action.name.text}' has {wanted}"
    return InputError(action.at.diagnostic(message, hint))
