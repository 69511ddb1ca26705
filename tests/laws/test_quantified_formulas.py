"""Formulas as people write them, with quantified names, elements and numbers by name, and fairness by action and by process:
what is answered under symmetry is what is answered without."""

from __future__ import annotations

import pytest
from burnside.model import Model
from burnside.outcome import Outcome
from burnside.pipeline import check
from burnside.records import record, replace
from burnside.request import AskedFormula, Logic, Request
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.temporal.models import ENUMERATED, WITH_CONSTANT, b_model, murphi_model
from tests.temporal.mutual_exclusion import MURPHI, RING, SEM, B

pytestmark = pytest.mark.slow

METHODS = ("auto", "nauty", "flood", "representative", "compare", "minimise")
STEPS = ("want", "enter", "leave")


@record
class Written:
    """A model, and what formulas over it may name: actions of one parameter, values of it, the set that they are of,
    conditions on a value (`?`)."""

    model: Model
    actions: tuple[str, ...]
    values: tuple[str, ...]
    domain: str
    conditions: tuple[str, ...]


PHASES = tuple(f"phase[?] = {each}" for each in ("Idle", "Waiting", "Critical"))
NUMBERS = murphi_model(SEM.replace("scalarset(3)", "4 .. 6").replace("MORE", ""))
NUMBERED_RING = murphi_model(
    RING.replace("0 .. N - 1", "1 .. N").replace("(p + 1) % N", "p % N + 1").replace("MORE", "")
)
SETS = ("{? : waiting}", "{? : critical}")
SHORT_SETS = ("{? : w}", "{? : c}")
RING_ACTIONS = (*STEPS, "pass")
MODELS = [
    Written(murphi_model(MURPHI["sem"]), STEPS, ("PROCESS_0", "PROCESS_1"), "PROCESS", PHASES),
    Written(NUMBERS, STEPS, ("4", "5"), "PROCESS", PHASES),
    Written(NUMBERED_RING, RING_ACTIONS, ("1", "2", "3"), "PROCESS", (*PHASES, "token = ?")),
    Written(b_model(B["sem"]), STEPS, ("PROCESS1", "PROCESS2"), "PROCESS", SETS),
    Written(b_model(B["sem_rounds"]), STEPS, ("PROCESS1",), "PROCESS", (*SETS, "{? : served}")),
    Written(
        b_model(B["ring"]), RING_ACTIONS, ("PROCESS1", "next(PROCESS1)"), "PROCESS", (*SETS, "{? = token}")
    ),
    Written(b_model(WITH_CONSTANT), STEPS, ("me", "PID1"), "PID", SHORT_SETS),
    Written(b_model(ENUMERATED), STEPS, ("p1", "p2"), "PID", SHORT_SETS),
]
LINEAR = ("G (1 => F 2)", "G F 1", "F G 1", "1 U 2", "G (1 => X (2 W 3))", "F (1 & X 2)", "G (1 => O 2)")
BRANCHING = ("AG EF 1", "AG (1 => EX 2)", "E[1 U 2]", "AG (1 => AF 2)")


@st.composite
def asked(draw: st.DrawFn, written: Written) -> Request:
    names = ("x", "y")[: draw(st.sampled_from((0, 1, 1, 2)))]
    values = st.sampled_from((*written.values, *names, *names))
    actions = st.sampled_from(written.actions)

    def pattern() -> str:
        return f"{draw(actions)}({draw(st.just('_') | values)})"

    def literal() -> str:
        kind = draw(st.sampled_from(("[{}]", "[{}]", "e({})", "", "")))
        atom = kind.format(pattern()) if kind else draw(st.sampled_from(written.conditions))
        return f"{draw(st.sampled_from(('', 'not ')))}({atom.replace('?', draw(values))})"

    logic: Logic = draw(st.sampled_from(("ltl", "ltl", "ctl")))
    shape = draw(st.sampled_from(LINEAR if logic == "ltl" else BRANCHING))
    formula = "".join(literal() if each in "123" else each for each in shape)
    if logic == "ltl" and draw(st.booleans()):
        action = draw(st.sampled_from((pattern(), draw(actions))))
        formula = f"{draw(st.sampled_from(('WF', 'SF')))}({action}) => {formula}"
    for name in names:
        is_b = written.model.language == "b"
        quantified = "!{0}.({0} : {1} => {2})" if is_b else "forall {0}: {1} . {2}"
        formula = quantified.format(name, written.domain, formula)
    fair, fair_by = draw(
        st.sampled_from(((None, None), ("weak", None), ("strong", None), ("weak", "p"), ("strong", "p")))
    )
    return Request(formulas=(AskedFormula(logic, formula),), fair=fair, fair_by=fair_by, deadlock=False)


def test_reduced_answers_are_unreduced_ones() -> None:
    def answer(written: Written, request: Request) -> str:
        found: Outcome = check(written.model, request)
        return found.properties[-1].verdict

    @settings(max_examples=150)
    @given(st.data())
    def law(data: st.DataObject) -> None:
        written = data.draw(st.sampled_from(MODELS))
        request = data.draw(asked(written))
        full = answer(written, replace(request, reduce="none"))
        assert full in ("holds", "violated")
        methods = data.draw(st.lists(st.sampled_from(METHODS), min_size=1, max_size=2, unique=True))
        assert {answer(written, replace(request, reduce=each)) for each in methods} == {full}

    law()
