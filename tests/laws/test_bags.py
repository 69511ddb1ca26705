"""Bags whose entries hold a point beside something that no symmetry moves: sorting a bag moves both.

Two processes, messages of two kinds, at most one of each: 9 states. Five orbits: none, one of either kind, and both, to
the same process or to different ones. A search that takes the kind for a slot that stays where it is, or leaves it out of
the graph of a state, finds six.
"""

from __future__ import annotations

import pytest
from burnside import _core
from burnside.diagnostics import Source
from burnside.ir.encoding import encoded
from burnside.languages import murphi

MODEL = """
type
  Process: scalarset(2);
  Kind: enum {{ ask, answer }};
  Message: record {fields} end;
var
  net: multiset[2] of Message;
  {beside}
startstate end;
ruleset p: Process; k: Kind do
  rule multisetcount(m: net, net[m].kind = k) = 0 ==>
    var new: Message;
  begin
    new.kind := k; new.who := p; multisetadd(new, net);
  end;
end;
choose m: net do rule true ==> multisetremove(m, net); end; end;
"""
FIELDS = {"kind first": "kind: Kind; who: Process;", "process first": "who: Process; kind: Kind;"}
BESIDE = {"alone": "", "beside a relation": "knows: array[Process] of array[Process] of boolean;"}
METHODS = ["minimise", "search", "representative", "nauty", "compare"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("beside", BESIDE)
@pytest.mark.parametrize("fields", FIELDS)
def test_orbits(fields: str, beside: str, method: str) -> None:
    text = MODEL.format(fields=FIELDS[fields], beside=BESIDE[beside])
    program = murphi.read_text(Source("bag.m", text))
    points = sum(sort.size for sort in program.sorts)
    assert (program.sorts[0].name, program.sorts[0].size) == ("Process", 2)
    group = _core.ElementGroup(points, [[1, 0, *range(2, points)]], [], True)
    tables = encoded(program)
    outcome = _core.explore(
        _core.Program(tables.texts, tables.rows),
        group,
        _core.Method(method, "partition"),
        _core.Settings(keep_going=True),
    )
    if method == "representative":
        assert 5 <= outcome.states <= 9
    else:
        assert (outcome.states, outcome.full_states) == (5, 9)
