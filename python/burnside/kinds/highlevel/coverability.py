"""Coverability of high-level nets: that of their unfoldings, under the colour symmetries that are certified there.

In: a model, a request. Out: a `CoverabilityQuestion` about the unfolded net, whose places and transitions have readable
names. A net whose tokens can have values without end has no unfolding, and no answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from burnside.coverability.goals import OPTION, CoverGoal, not_upward_closed
from burnside.coverability.question import CoverabilityQuestion, question_of
from burnside.diagnostics import InputError, UnsupportedError, option_source
from burnside.ir.highlevel.net import Claim
from burnside.ir.highlevel.terms import Term
from burnside.kinds.typed import expressions_of
from burnside.model import ExpressionReader, Model
from burnside.records import replace
from burnside.request import Request
from burnside.symmetry.highlevel import HighLevelSymmetry
from burnside.unfolding import Unfolded
from burnside.unfolding.conditions import Conditions, NotLinear
from burnside.unfolding.symmetry import given_symmetries


def cover_claims(model: Model, request: Request) -> tuple[Claim, ...]:
    """What is asked to be covered, as conditions on markings."""
    if not request.covers:
        return ()
    reader = expressions_of(model)
    return tuple(Claim("goal", text.strip(), _condition(reader, text)) for text in request.covers)


def _condition(reader: ExpressionReader, text: str) -> Term:
    try:
        found: Term = reader.condition(option_source(OPTION, text))
    except InputError as error:
        if error.diagnostic.hint is not None:
            raise
        hint = "of a high-level net --cover takes conditions: p has x, size(p) >= 2, count(p, x) >= 2"
        raise InputError(replace(error.diagnostic, hint=hint)) from None
    return found


def question_of_unfolding(
    request: Request, unfolded: Unfolded, claims: Sequence[Claim], symmetry: HighLevelSymmetry
) -> CoverabilityQuestion:
    conditions = Conditions(unfolded)
    goals = [_goal(text, claim, conditions) for text, claim in zip(request.covers, claims, strict=True)]
    given = given_symmetries(unfolded, symmetry.generators)
    question = question_of(unfolded.net, request, goals=goals, given=given, found=request.automorphisms)
    return replace(question, is_unfolded=True)


def _goal(text: str, claim: Claim, conditions: Conditions) -> CoverGoal:
    source = option_source(OPTION, text)
    whole = 0, max(1, len(source.text))
    try:
        expression = conditions.expression(claim.condition, claim.name)
    except NotLinear as reason:
        message = f"this cannot be asked of the unfolded net: {reason.reason}"
        raise UnsupportedError(source.diagnostic(message, *whole)) from None
    if not_upward_closed(expression.core) is not None:
        message = "more tokens can make this false, so covering does not say whether it can be reached"
        hint = "--cover takes numbers of tokens that are at least so many, joined by and, or; --find any condition"
        raise UnsupportedError(source.diagnostic(message, *whole, hint))
    return CoverGoal(claim.name, expression)
