"""Small models for tests of temporal logic, and how formulas over them are read."""

from __future__ import annotations

from pathlib import Path

from burnside.diagnostics import Source, option_source
from burnside.kinds import kind_of
from burnside.languages import b, murphi
from burnside.model import Model
from burnside.net import Net
from burnside.request import Logic
from burnside.temporal.reading import ModelAtoms, TemporalProperty, read_property
from burnside.temporal.syntax import Dialect

EXAMPLES = Path(__file__).parent.parent.parent / "examples"

SEM_B = """MACHINE Sem {header}
VARIABLES w, c
INVARIANT w <: PID & c <: PID
INITIALISATION w := {{}} || c := {{}}
OPERATIONS
  want(p) = SELECT p : PID & p /: w & p /: c THEN w := w \\/ {{p}} END;
  enter(p) = SELECT p : w & c = {{}} THEN c := {{p}} || w := w - {{p}} END;
  leave(p) = SELECT p : c THEN c := {{}} END
END"""
DEFERRED = SEM_B.format(header="SETS PID DEFINITIONS scope_PID == 3")
WITH_CONSTANT = SEM_B.format(header="SETS PID CONSTANTS me PROPERTIES me : PID DEFINITIONS scope_PID == 3")
ENUMERATED = SEM_B.format(header="SETS PID = {p1, p2, p3}")

TWO_PLACES = Net(
    name="two",
    places=("p", "q", "a-b"),
    initial=(2, 0, 0),
    transitions=("go", "back"),
    consumes=(((0, 1),), ((1, 1),)),
    produces=(((1, 1),), ((0, 1),)),
)


def net_model(net: Net = TWO_PLACES) -> Model:
    return Model(net, "net.lola", "lola")


def b_model(text: str) -> Model:
    found = b.load(Source("m.mch", text))
    return Model(found.machine, "m.mch", "b", expressions=found)


def murphi_model(text: str) -> Model:
    found = murphi.load(Source("m.m", text))
    return Model(found.program, "m.m", "murphi", expressions=found)


def sem(processes: int = 3) -> Model:
    found = murphi.read_model(EXAMPLES / "murphi" / "sem.m", {"N": processes})
    return Model(found.program, "sem.m", "murphi", expressions=found)


def atoms_of(model: Model) -> ModelAtoms:
    return kind_of(model.subject).atom_reader(model)


def read(model: Model, text: str, logic: Logic = "ltl", atoms: ModelAtoms | None = None) -> TemporalProperty:
    dialect: Dialect = "prob" if model.language == "b" else "standard"
    return read_property(
        option_source(f"--{logic}", text), atoms or atoms_of(model), dialect=dialect, logic=logic
    )
