"""Machines and what ProB 1.8.2 answers for formulas over them, measured; each formula in a process of its own.

Where burnside answers otherwise on purpose, `DIFFERENT` says so.
"""

from __future__ import annotations

COUNTER = """MACHINE T1 VARIABLES x INVARIANT x : 0..2 INITIALISATION x := 0
OPERATIONS inc = SELECT x < 2 THEN x := x + 1 END{more} END"""
T1 = COUNTER.format(more="")
"""Ends at x = 2."""
T2 = """MACHINE T2 CONSTANTS n PROPERTIES n : 1..2 VARIABLES x INVARIANT x : 0..2 INITIALISATION x :: {0, n}
OPERATIONS inc = SELECT x < 2 THEN x := x + 1 END END"""
T3 = COUNTER.format(more="; stay = SELECT x = 2 THEN skip END")
"""Stays at x = 2."""
T4 = """MACHINE T4 OPERATIONS req(p) = PRE p : 1..2 THEN skip END; two(p, q) = PRE p : 1..2 & q : 1..2 THEN skip END;
  idle = skip; r <-- get = r := 1 END"""
T5 = """MACHINE T5 VARIABLES y, d INVARIANT y : 0..1 & d : 0..1 INITIALISATION y := 0 || d := 0
OPERATIONS a = SELECT y = 0 THEN y := 1 END; b = SELECT y = 1 THEN y := 0 END;
  c = SELECT y = 0 & d = 0 THEN d := 1 END END"""
T6 = """MACHINE T6 VARIABLES x INVARIANT x : 0..2 INITIALISATION x := 0
OPERATIONS loop = SELECT x = 0 THEN skip END; go = SELECT x = 0 THEN x := 1 END;
  stop = SELECT x = 0 THEN x := 2 END; spin = SELECT x = 1 THEN skip END END"""

LTL = {
    "T1": {
        True: [
            "F {x=1}", "GF {x=2}", "FG {x=2}", "{x<3} W {x=5}", "{x=5} R {x<3}", "F(deadlock & not X {x=2})",
            "G([inc] or deadlock)", "not Y {x=0}", "G({x=2} => ({x=1} T {x>0}))", "G({x=2} => Y Y {x=0})",
            "false & false or true", "G {x=0} => false",
        ],
        False: [
            "GF {x=0}", "F {x=5}", "{x<3} U {x=5}", "F(deadlock & X {x=2})", "F(deadlock & X not {x=2})", "G X {1=1}",
            "F X false", "F(deadlock & [inc])", "G [inc]", "Y true", "Y false", "Y not {x=0}",
            "G({x=2} => ({x<2} S {x=0}))", "G({x=2} => Y Y Y true)", "true or true & false", "false => false => false",
            "{x=0} U {x=5} U {x=1}", "{x=5} & {x=0} U {x=0}", "not {x=5} U {x=5}", "F({x=2} & X {x=2})",
            "WF(inc) => F {x=5}", "SF(inc) => F {x=5}", "WEF => F {x=5}",
        ],
    },
    "T2": {True: ["{x=0} or {x=n}", "not Y true"], False: ["{x=0}", "O {x=0}"]},
    "T3": {True: ["F sink"], False: ["F deadlock"]},
    "T4": {
        True: [
            "G controller(req)", "WEF => GF [req(1)]", "WF(req(1)) => GF [req(1)]", "WF(two(1,_)) => GF [two(1,2)]",
        ],
        False: ["WF(req) => GF [req(1)]"],
    },
    "T5": {
        True: ["SF(c) => F {d=1}", "SEF => F {d=1}", "(GF e(c) => GF [c]) => F {d=1}"],
        False: ["WF(c) => F {d=1}", "WEF => F {d=1}", "(FG e(c) => GF [c]) => F {d=1}"],
    },
    "T6": {True: ["WF(go) => F {x>0}"], False: ["WEF => FG [spin]", "WF(loop) => F {x>0}"]},
}  # fmt: skip
"""Formulas of LTL by machine and verdict."""

DIFFERENT_LTL = {
    # ProB simplifies the literal `X true` to true, also where there is no next state; here X is the strong next.
    "T1": {"G X true": (True, False), "X X X true": (True, False), "F(deadlock & not X true)": (False, True)},
}
"""By machine: formula, ProB's verdict, and the one of the definitions."""

CTL = {
    "T1": {
        True: ["AF {x=2}", "EF deadlock", "AG (deadlock or EX true)", "AX {x=1}", "AF AX false"],
        False: ["EG {x<2}", "AG EX true"],
    },
    "T2": {True: [], False: ["EF {x=0}"]},
    "T5": {True: ["EG true", "EF EG {d=1}", "E {y=0} U {y=1}", "EX[c] {d=1}"], False: ["AF {d=1}"]},
}
DIFFERENT_CTL = {
    # In ProB's CTL, EG wants an infinite run, so that it contradicts its own LTL at deadlocks.
    "T1": {"EG {x<=2}": (False, True), "AF {x=5}": (True, False)},
    # In ProB, EG and AF below another operator are wrong, also without deadlocks (d never becomes 0 again).
    "T5": {
        "AG EG true": (False, True),
        "AG({d=1} => EG {d=1})": (False, True),
        "EF({d=1} & AF {d=0})": (True, False),
    },
}
MACHINES = {"T1": T1, "T2": T2, "T3": T3, "T4": T4, "T5": T5, "T6": T6}
