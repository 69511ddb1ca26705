"""Machines of several files: SEES, INCLUDES with and without prefix, EXTENDS, PROMOTES, calls, refinements."""

from __future__ import annotations

from pathlib import Path

import pytest
from burnside.diagnostics import BurnsideError, InputError
from burnside.ir.sets.checking import problems
from burnside.ir.sets.printing import show_expression
from burnside.languages.b import BModel, read_model

from tests.b_shown import shown

COUNTER = """MACHINE Counter(limit) CONSTRAINTS limit : NATURAL1
SETS MODE = {slow, fast} CONSTANTS step PROPERTIES step = 1
VARIABLES n INVARIANT n : 0..limit INITIALISATION n := 0
OPERATIONS
  add(k) = PRE k : NAT & n + k <= limit THEN n := n + k END;
  r <-- get = r := n;
  twice(k) = PRE k : NAT THEN n := n + k; n := n + k END
END"""


def read(folder: Path, main: str, **others: str) -> BModel:
    for name, text in {"Main": main, **others}.items():
        (folder / f"{name}.mch").write_text(text)
    found = read_model(folder / "Main.mch")
    assert problems(found.machine) == ()
    return found


def test_included_twice_under_other_names(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        """MACHINE Main CONSTANTS most PROPERTIES most = 3 INCLUDES a.Counter(most), b.Counter(2) PROMOTES a.add
        VARIABLES v INVARIANT v : NAT & a.n + b.n < 9 & step = 1 & v : {0} \\/ {x | x : NAT & slow /= fast}
        INITIALISATION v := a.n
        OPERATIONS
          both(k) = PRE k : 1..2 THEN a.add(k) || b.add(1) || v <-- a.get END;
          some(k) = PRE k : 1..2 THEN b.add(k + 1) END;
          two(k) = PRE k : 1..2 THEN a.twice(v) || v := k END
        END""",
        Counter=COUNTER,
    ).machine
    assert [each.name for each in found.variables] == ["a.n", "b.n", "v"]
    assert [each.name for each in found.constants] == ["step", "most"]
    assert [each.name for each in found.sorts] == ["MODE"]
    assert [show_expression(each) for each in found.properties] == [
        "most : NATURAL1",
        "step = 1",
        "2 : NATURAL1",
        "most = 3",
    ]
    assert [show_expression(each.predicate) for each in found.claims[:2]] == ["a.n : 0..most", "b.n : 0..2"]
    assert shown(found.initialisation) == "(a.n := 0 ; b.n := 0 ; v := a.n)"
    assert [each.name for each in found.operations] == ["a.add", "both", "some", "two"]
    both, some, two = (shown(each.body) for each in found.operations[1:])
    demand = "precondition {0} : 0..3 & {1}.n + {0} <= {2}: {1}.n := {1}.n + {0}"
    assert both == f"({demand.format('k#2', 'a', 'most')} || {demand.format(1, 'b', 2)} || v := a.n)"
    inner = demand.format("k#4", "b", 2)
    assert some == f"var k#4: (k#4 := k#3 + 1 ; {inner})"
    # The argument is a value: what the body does to variables in between does not change it.
    assert two.startswith(
        "(var k#6: (k#6 := v ; precondition k#6 : 0..3: (a.n := a.n + k#6 ; a.n := a.n + k#6)) ||"
    )


def test_seen_by_two(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        """MACHINE Main SEES Shared EXTENDS Part VARIABLES v INVARIANT v : S & w : S INITIALISATION v := w
        OPERATIONS go = v := c END""",
        Part="MACHINE Part SEES Shared VARIABLES p INVARIANT p : S INITIALISATION p := c OPERATIONS move = p := w END",
        Shared="""MACHINE Shared SETS S CONSTANTS c PROPERTIES c : S VARIABLES w INVARIANT w : S INITIALISATION w :: S
        OPERATIONS hidden = w :: S END""",
    ).machine
    assert [each.name for each in found.variables] == ["w", "p", "v"]
    assert [each.name for each in found.operations] == ["move", "go", "Shared.hidden"]
    assert len(found.properties) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "INCLUDES Counter(1) OPERATIONS go = n := 1",
            "'n' belongs to another machine and cannot be assigned to",
        ),
        ("INCLUDES Counter", "'Counter' takes 1 arguments, not 0"),
        ("INCLUDES Counter(1) PROMOTES sub", "there is no operation 'sub'"),
        ("INCLUDES Counter(1) VARIABLES n INVARIANT n : NAT INITIALISATION n := 0", "'n' is declared twice"),
        ("INCLUDES Counter(TRUE)", "the right side of ':' must be POW(BOOL), this is POW(INTEGER)"),
        ("INCLUDES Counter(1) OPERATIONS go = add", "'add' has 1 argument, not 0"),
        ("INCLUDES Counter(1) OPERATIONS go = VAR x IN x, x <-- get END", "'get' has 1 result, not 2"),
        ("INCLUDES c.Counter(1) OPERATIONS go = add(1)", "there is no operation 'add' here"),
        ("INCLUDES c.Counter(1) INVARIANT n = 1", "there is no 'n' here"),
        ("SEES Absent", "there is no file 'Absent.mch' or 'Absent.ref' for the machine 'Absent'"),
    ],
)
def test_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BurnsideError) as caught:
        read(tmp_path, f"MACHINE Main {text} END", Counter=COUNTER)
    assert caught.value.diagnostic.message == message
    assert isinstance(caught.value, InputError)


def test_refinement(tmp_path: Path) -> None:
    """Its own variables and invariant; sets, constants and types of what it refines."""
    found = read(
        tmp_path,
        """REFINEMENT Main REFINES Abstract VARIABLES list, kept
        INVARIANT list : seq(S) & ran(list) = set & size(list) <= most
        INITIALISATION list := [] || kept := 0
        OPERATIONS
          add(x) = list := list <- x;
          count = SELECT kept < most THEN kept := kept + 1 END
        END""",
        Abstract="""MACHINE Abstract(S) CONSTANTS most PROPERTIES most = 3 VARIABLES set, kept
        INVARIANT set <: S & kept : NAT INITIALISATION set := {} || kept := 0
        OPERATIONS
          add(y) = PRE y : S & y /: set THEN set := set \\/ {y} END;
          count = kept := kept + 1
        END""",
    )
    machine = found.machine
    assert [each.name for each in machine.variables] == ["list", "kept"]
    assert [(each.name, each.origin) for each in machine.sorts] == [("S", "set parameter")]
    assert [each.name for each in machine.claims] == ["list : seq(S)", "size(list) <= most"]
    assert found.notes == (
        "the invariant 'ran(list) = set' is not checked: it mentions 'set', a variable of the refined machine",
    )
    # Nothing in the refinement says what x ranges over: the abstract precondition does.
    assert show_expression(machine.operations[0].guard) == "x : S"


def test_refinement_may_not_use_what_is_gone(tmp_path: Path) -> None:
    abstract = "MACHINE Abstract VARIABLES a INVARIANT a : NAT INITIALISATION a := 0 END"
    with pytest.raises(InputError, match="'a' is a variable of the refined machine"):
        read(
            tmp_path,
            """REFINEMENT Main REFINES Abstract VARIABLES b INVARIANT b = a INITIALISATION b := 0
            OPERATIONS go = b := a END""",
            Abstract=abstract,
        )


def test_implementation(tmp_path: Path) -> None:
    machine = read(
        tmp_path,
        """IMPLEMENTATION Main REFINES Abstract IMPORTS Counter(top) VALUES top = 3; S = 1..3
        INVARIANT n = total
        OPERATIONS up = IF n < top THEN add(1) END; r <-- all = BEGIN r <-- get; r := r + 0 END
        END""",
        Abstract="""MACHINE Abstract SETS S CONSTANTS top PROPERTIES top : NAT1 VARIABLES total
        INVARIANT total : NAT INITIALISATION total := 0
        OPERATIONS up = IF total < top THEN total := total + 1 END; r <-- all = r := total END""",
        Counter=COUNTER,
    ).machine
    assert [each.name for each in machine.variables] == ["n"]
    assert [(each.name, each.size) for each in machine.sorts] == [("S", 3), ("MODE", 2)]
    assert "top = 3" in [show_expression(each) for each in machine.properties]
    assert shown(machine.operations[1].body) == "(r := n ; r := r + 0)"
