"""The kinds of models: only what differs between them.

A kind is a module that offers what `Kind` says, and a line in `KINDS`. It is imported when a model of that kind is used.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

from burnside.ir.highlevel.net import HighLevelNet
from burnside.ir.program import Program
from burnside.ir.sets.machine import Machine
from burnside.net import Net
from burnside.records import record

if TYPE_CHECKING:
    from burnside.coverability.question import CoverabilityQuestion
    from burnside.engine import Compiled
    from burnside.exploration import Exploration
    from burnside.graph import StateNames
    from burnside.kinds.formulas import FormulaQuestion
    from burnside.limits import Deadline
    from burnside.model import ExpressionReader, Model
    from burnside.outcome import Dropped, Strength
    from burnside.plan import Plan
    from burnside.request import Request
    from burnside.semantics import CheckedProperty, Semantics
    from burnside.symmetry import Symmetries
    from burnside.temporal.atoms import Binder, Proposition
    from burnside.temporal.reading import ModelAtoms, TemporalProperty

KINDS: dict[type, str] = {
    Net: "burnside.kinds.net",
    Program: "burnside.kinds.program",
    Machine: "burnside.kinds.machine",
    HighLevelNet: "burnside.kinds.highlevel",
}


@record(eq=False)
class BoundNames:
    """Where quantified names stand in a question. `conditions`: for each condition, in order, the names that it is
    quantified over, outermost first. `arguments`: names that are arguments, with the action and the position."""

    conditions: list[Sequence[Binder]]
    arguments: list[tuple[Binder, int, int]]


Moves = Sequence[Sequence[Mapping[int, int]]]
"""By generator and quantified name: the images of its values; what is not there stays."""


class Kind(Protocol):
    """The module of a kind."""

    def question(self, model: Model, request: Request, deadline: Deadline) -> Question:
        """What is settled before a method is chosen: options are looked at, properties read, symmetries certified."""
        ...

    def check_built(self, subject: Any) -> None:
        """Refuse a model that was built in Python and is wrong; front ends check those that they read."""
        ...

    def semantics_of(self, subject: Any) -> Semantics[Any, Any, Any]:
        """Of a model about which nothing is asked."""
        ...

    def atom_reader(self, model: Model) -> ModelAtoms:
        """What reads the atoms of a formula over the model."""
        ...

    def combined(self, model: Model, asked: TemporalProperty) -> TemporalProperty:
        """The same formula over fewer propositions, where the kind can put several into one."""
        ...

    def formula_question(
        self,
        model: Model,
        request: Request,
        propositions: Sequence[Proposition],
        deadline: Deadline,
        *,
        each_instance: bool = False,
        individuals: tuple[tuple[int, int], ...] = (),
    ) -> FormulaQuestion:
        """The model under the symmetries that keep all propositions. `each_instance`: where instances of actions are
        followed, symmetries must say what becomes of each. `individuals`: parameters (action and position) whose values are
        followed."""
        ...

    def value_moves(self, found: FormulaQuestion, binders: Sequence[Binder], names: BoundNames) -> Moves:
        """What the symmetries of a question make of values of quantified names."""
        ...

    def symmetries(self, model: Model, request: Request) -> Symmetries:
        """The group under which the model would be explored, described."""
        ...

    def sums_question(
        self, model: Model, request: Request, sums: Sequence[Sequence[int]], deadline: Deadline
    ) -> NetQuestion:
        """Of nets: how many tokens these sets of places, by number, hold at most."""
        ...


def coverability_question(model: Model, request: Request) -> CoverabilityQuestion:
    """What is asked about coverability, of kinds that have it: the function `coverability_question` of their modules."""
    found = getattr(kind_of(model.subject), "coverability_question", None)
    if found is None:
        from burnside.plan import without_effect

        raise without_effect("--bounded" if request.bounded else "--cover", "a place/transition net")
    return cast("CoverabilityQuestion", found(model, request))


def kind_of(subject: object) -> Kind:
    return cast(Kind, import_module(KINDS[type(subject)]))


def built_reader(subject: object) -> ExpressionReader | None:
    """What reads conditions on a model that was built, for kinds that have it: the function `built_reader` of their
    modules."""
    found = getattr(kind_of(subject), "built_reader", None)
    return None if found is None else cast("ExpressionReader", found(subject))


def net_of(model: Model) -> Net | None:
    """For what only place/transition nets can do."""
    return model.subject if isinstance(model.subject, Net) else None


def has_places(model: Model) -> bool:
    """Is it a net, of either kind?"""
    return isinstance(model.subject, Net | HighLevelNet)


@record(kw_only=True)
class GroupFacts:
    """The group that a model is explored under. `acting_order`: of how many elements, as far as they differ on states.
    `typed`: are states typed data, in which symmetries rename elements?"""

    order: int
    acting_order: int
    generators: int
    complete: bool
    typed: bool = True
    restricted_by: tuple[str, ...] = ()
    dropped: tuple[Dropped, ...] = ()


@record(kw_only=True)
class RunFacts:
    """What else is known after a run. `orbits_are_whole`: every state of an explored orbit can be reached."""

    orbits_are_whole: bool = True
    strength: Strength | None = None
    """Of the reduction, where that is known only afterwards, with the reason."""
    reason: str = ""
    named: Mapping[str, Any] = {}
    """What only this kind of model has: `Outcome.facts`."""
    notes: tuple[str, ...] = ()
    first_actions: Sequence[tuple[str, int]] = ()
    """What happens besides actions, and how often; coverage lists it first."""


class Question(Protocol):
    """A model with the properties that are asked of it and its certified group."""

    model: Model
    properties: Mapping[int, CheckedProperty]
    actions: Sequence[str]
    group: GroupFacts

    @property
    def semantics(self) -> Semantics[Any, Any, Any]: ...

    def generators(self) -> Sequence[Any]:
        """Of the group, as the semantics takes them."""
        ...

    def action_orbits(self) -> Sequence[Sequence[int]]:
        """Actions that symmetries exchange, by number, each action once."""
        return [[number] for number in range(len(self.actions))]

    def compiled(self) -> Compiled | None:
        """The model inside the core; None where the core does not know this kind."""
        return None

    def names(self, states: Sequence[Any]) -> StateNames:
        """What a drawing of these states calls them."""
        from burnside.graph import StateNames

        return StateNames(self.semantics, states)

    def described(self) -> Symmetries | None:
        """The group in the user's words, where this kind has words for it."""
        return None

    def orbits_are_whole(self, plan: Plan) -> bool:
        """Can every state of an explored orbit be reached?"""
        return True

    def facts(self, found: Exploration, plan: Plan) -> RunFacts:
        return RunFacts()

    def with_more_room(self, violated: Collection[int]) -> Model | None:
        """The model laid out anew, where one of these properties says that a guess about it was too small."""
        return None

    def explained(self) -> AbstractContextManager[None]:
        """Inside, what an engine cannot do becomes a diagnostic with its place in the model."""
        return nullcontext()


class NetQuestion(Question, Protocol):
    """What is asked of nets of both kinds."""

    def found_sums(self, found: Exploration) -> Sequence[int]:
        """After a run: the largest sums that were asked for."""
        ...

    def stable_place(self, found: Exploration, dead: Collection[str]) -> str | None:
        """After a run that explored everything: a place whose number of tokens never changed, in words. `dead`: transitions
        that are never enabled."""
        ...


def deadlock_is_asked(model: Model, request: Request) -> bool:
    return model.deadlock_is_error if request.deadlock is None else request.deadlock
