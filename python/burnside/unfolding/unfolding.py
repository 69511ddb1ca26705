"""The unfolding itself: supports and instances, found by the core and by `general` in turn."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from pathlib import Path

from burnside import _core
from burnside.diagnostics import Diagnostic, InputError, LimitError, Span
from burnside.ir.highlevel.net import HighLevelNet, Place, Tokens, Value
from burnside.ir.highlevel.terms import Apply, Binding, Term
from burnside.ir.highlevel.types import Bag, SetOf, TokenType, domain_size, show_type
from burnside.limits import Deadline, OutOfTime
from burnside.net import MAX_TOKENS, Net
from burnside.reference.highlevel.evaluation import Undefined, evaluate
from burnside.unfolding.codes import Codes
from burnside.unfolding.general import General
from burnside.unfolding.limits import Exceeded, Limits
from burnside.unfolding.names import place_names, transition_names
from burnside.unfolding.planning import Indices, encoded_transition
from burnside.unfolding.unfolded import Unfolded

CoreTokens = list[tuple[int, int, int]]
NO_LIMIT = Limits()
NO_DEADLINE = Deadline()


def unfold(
    net: HighLevelNet,
    limits: Limits = NO_LIMIT,
    *,
    source: str | None = None,
    deadline: Deadline = NO_DEADLINE,
    general: bool = False,
) -> Unfolded:
    """LimitError where a limit is reached, OutOfTime by the deadline. `source`: what diagnostics call the net's text.
    `general`: all transitions are unfolded by the evaluator (for tests and measurements)."""
    unfolding = _Unfolding(net, limits, deadline, source or net.name, general)
    try:
        return unfolding.run()
    except Exceeded as reason:
        if reason.what == "seconds":
            raise OutOfTime from None
        raise LimitError(unfolding.explained(reason)) from None


def is_known_to_core(net: HighLevelNet) -> bool:
    """Does the core find the instances of all transitions, and not the evaluator those of some?"""
    codes, indices = Codes(NO_LIMIT), Indices()
    return all(
        encoded_transition(net, number, codes, indices) is not None for number in range(len(net.transitions))
    )


class _Unfolding:
    def __init__(
        self, net: HighLevelNet, limits: Limits, deadline: Deadline, source: str, only_general: bool
    ) -> None:
        self.source = source
        self.net, self.limits, self.deadline, self.only_general = net, limits, deadline, only_general
        self.codes = Codes(limits)
        self.core: _core.Unfolder | None = None

    def run(self) -> Unfolded:
        self.deadline.check()
        for term, what in self._terms():
            _check_size(term, what, self.limits)
        indices = Indices()
        encoded = [self._encoded(number, indices) for number in range(len(self.net.transitions))]
        limits = self.limits.transitions, self.limits.places, self.limits.arcs, self.limits.work
        self.core = core = _core.Unfolder(len(self.net.places), encoded, indices.encoded(), limits)
        marking = [self._initial(each) for each in self.net.places]
        for number, (place, tokens) in enumerate(zip(self.net.places, marking, strict=True)):
            values = [value for value, _ in tokens]
            _go_on(core.mark(number, [self.codes.code(place.type, value) for value in values]))
        general = self._general([number for number, each in enumerate(encoded) if each is None])
        general.begin()
        seen = 0
        while True:
            _go_on(core.run(self.deadline.left))
            if not general.searches:
                break
            new = core.tokens(seen)
            if not new:
                break
            for place_number, code in new:
                self.deadline.check()
                value = self.codes.value(self.net.places[place_number].type, code)
                general.process(seen, place_number, value)
                seen += 1
        return self._unfolded(marking)

    def _initial(self, place: Place) -> Tokens:
        try:
            tokens: Tokens = evaluate(place.initial, {})
        except Undefined:
            message = f"the initial marking of {place.name} has no value"
            raise InputError(self._diagnostic(message, place.span)) from None
        return tokens

    def _encoded(self, number: int, indices: Indices) -> tuple[object, ...] | None:
        return None if self.only_general else encoded_transition(self.net, number, self.codes, indices)

    def _terms(self) -> Iterable[tuple[Term, object]]:
        for place in self.net.places:
            yield place.initial, place
        for transition in self.net.transitions:
            yield transition.guard, transition
            for arc in (*transition.consumes, *transition.produces):
                yield arc.term, transition

    def _general(self, numbers: list[int]) -> General:
        core = self.core
        assert core is not None

        def known(place: int, value: Value) -> bool:
            return core.known(place, self.codes.code(self.net.places[place].type, value))

        def found(
            number: int, values: tuple[Value, ...], takes: dict[int, Tokens], gives: dict[int, Tokens]
        ) -> None:
            self.deadline.check()
            pairs = zip(self.net.transitions[number].variables, values, strict=True)
            codes = [self.codes.code(each.type, value) for each, value in pairs]
            _go_on(core.add(number, codes, self._tokens(takes), self._tokens(gives)))

        return General(self.net, numbers, self.limits, known, found)

    def _tokens(self, flow: dict[int, Tokens]) -> CoreTokens:
        found = []
        for place, tokens in flow.items():
            type_ = self.net.places[place].type
            for value, number in tokens:
                if number > MAX_TOKENS:
                    raise Exceeded("weight")
                found.append((place, self.codes.code(type_, value), number))
        return found

    def _unfolded(self, marking: list[Tokens]) -> Unfolded:
        assert self.core is not None
        tables = _Tables(self.codes)
        places = [tables.number(each.type) for each in self.net.places]
        variables = [[tables.number(each.type) for each in t.variables] for t in self.net.transitions]
        starts, codes, transition_starts, values, consumes, produces = self.core.sorted(
            tables.ranks, places, variables
        )
        place_codes, variable_codes = array("Q"), array("Q")
        place_codes.frombytes(codes)
        variable_codes.frombytes(values)
        initial = []
        for number, (place, tokens) in enumerate(zip(self.net.places, marking, strict=True)):
            counts = {self.codes.code(place.type, value): count for value, count in tokens}
            if max(counts.values(), default=0) > MAX_TOKENS:
                raise Exceeded("weight", place)
            initial += [counts.get(code, 0) for code in place_codes[starts[number] : starts[number + 1]]]
        net = Net(
            name=self.net.name,
            places=place_names(self.net, self.codes, starts, place_codes),
            initial=tuple(initial),
            transitions=transition_names(self.net, self.codes, transition_starts, variable_codes),
            consumes=consumes,
            produces=produces,
        )
        return Unfolded(self.net, net, self.codes, starts, place_codes, transition_starts, variable_codes)

    def explained(self, reason: Exceeded) -> Diagnostic:
        message, hint = _words(reason, self.limits)
        subject = reason.subject
        if reason.what == "domain":
            assert isinstance(subject, tuple)
            transition, variable = self.net.transitions[subject[0]], subject[1]
            type_ = next(each.type for each in transition.variables if each.name == variable)
            what = f"'{variable}' of {transition.name}, of type {show_type(type_)}"
            message = f"the unfolding goes through all values of {what}"
            return self._diagnostic(message, transition.span, hint)
        if reason.what == "endless":
            assert isinstance(subject, int)
            place = self.net.places[subject]
            return self._diagnostic(f"{message}, some of them in {place.name}", place.span, hint)
        if reason.what in ("transitions", "arcs", "work") and self.core is not None:
            counts = self.core.counts()
            most = max(range(len(counts)), key=counts.__getitem__, default=None)
            if most is not None and counts[most]:
                transition = self.net.transitions[most]
                shown = f"{message}; {counts[most]:,} transitions are instances of {transition.name}"
                return self._diagnostic(shown, transition.span, hint)
        return self._diagnostic(message, getattr(subject, "span", None), hint)

    def _diagnostic(self, message: str, span: Span | None, hint: str | None = None) -> Diagnostic:
        from burnside.languages.shared.files import line_of_file

        line = None if span is None else line_of_file(Path(self.source), span.line)
        return Diagnostic(message, self.source, span, line, hint)


class _Tables:
    """Orders of values whose codes do not ascend as they do, each once."""

    def __init__(self, codes: Codes) -> None:
        self.codes = codes
        self.ranks: list[list[int]] = []
        self.numbers: dict[TokenType, int] = {}

    def number(self, type_: TokenType) -> int | None:
        if self.codes.ascend(type_):
            return None
        if type_ not in self.numbers:
            self.numbers[type_] = len(self.ranks)
            self.ranks.append(self.codes.ranks(type_))
        return self.numbers[type_]


def _go_on(stopped: str | None) -> None:
    if stopped is not None:
        raise Exceeded(stopped)


def _check_size(term: Term, subject: object, limits: Limits) -> None:
    """Terms that go through more values than there may be places are not evaluated."""
    type_: TokenType | None = None
    match term:
        case Apply("all" | "full" | "complement", _, Bag(element) | SetOf(element)):
            type_ = element
        case Binding(_, variable):
            type_ = variable.type
    if type_ is not None and (domain_size(type_) or 0) > limits.places:
        raise Exceeded("places", subject)
    for child in term.children():
        _check_size(child, subject, limits)


_MORE = "--max-transitions N allows for more"
_CHECK = "burnside check can explore such a net without unfolding it"


def _words(reason: Exceeded, limits: Limits) -> tuple[str, str]:
    """What is said, and what can be done."""
    match reason.what:
        case "transitions":
            return f"the unfolding has more than {limits.transitions:,} transitions", f"{_MORE}; {_CHECK}"
        case "places":
            return f"the unfolding has more than {limits.places:,} places", f"{_MORE}; {_CHECK}"
        case "arcs":
            return f"the unfolding has more than {limits.arcs:,} arcs", f"{_MORE}; {_CHECK}"
        case "work":
            return (
                f"unfolding tries more than {limits.work:,} values of variables",
                f"bind them by arcs, or by equations in guards; {_MORE}; {_CHECK}",
            )
        case "evaluations":
            return (
                f"lists, sets, maps or arithmetic are unfolded by more than {limits.evaluations:,} evaluations",
                f"there may be infinitely many values; {_MORE}; {_CHECK}",
            )
        case "endless":
            return (
                f"the unfolding has more than {limits.endless:,} places for tokens of types without end",
                f"there may be infinitely many; {_MORE}; {_CHECK}",
            )
        case "size":
            return (
                f"the values of tokens have more than {limits.size:,} parts together",
                f"there may be infinitely many; {_MORE}; {_CHECK}",
            )
        case "number":
            return "tokens have numbers beyond 2^62", _CHECK
        case "domain":
            return "", "an arc, or an equation in the guard, has to give it its value"
        case _:
            return "an arc or a place has more tokens than 64 bits can count", _CHECK
