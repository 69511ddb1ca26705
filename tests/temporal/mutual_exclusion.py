"""Ways to take turns: a semaphore, the filter lock, a token that goes round; each in Murphi and in B, with three processes.

They are those by which Spin's fairness was measured, written anew. A process wants to enter, waits, is critical, and idle
again. Every step has its process as the parameter `p`, so that `--fair-by p` is fairness by process, as in Spin.

* `sem`: whoever waits may enter when the semaphore is free. `sem_idle`: an idle process may also stay idle.
  `sem_rounds`: it is also noted who was critical since all were, which distinguishes no process.
* `peterson`: the filter lock (Peterson 1981); a process reads what all others have written at once.
* `ring`: who has the token enters if it waits, and passes it on if it is idle; who leaves passes it on. `ring_skip`: an idle
  process without the token may also do nothing. `ring_hold`: any idle process may.
"""

from __future__ import annotations

from burnside.model import Model

from tests.temporal.models import b_model, murphi_model

SEM = """type PROCESS: scalarset(3); var phase: array[PROCESS] of enum { Idle, Waiting, Critical }; free: boolean;
startstate for p: PROCESS do phase[p] := Idle; end; free := true; end;
ruleset p: PROCESS do
  rule "want" phase[p] = Idle ==> phase[p] := Waiting; end;
  rule "enter" phase[p] = Waiting & free ==> phase[p] := Critical; free := false; end;
  rule "leave" phase[p] = Critical ==> phase[p] := Idle; free := true; end;
  MORE
end;"""

ROUNDS = SEM.replace("MORE", "").replace(
    "free: boolean;", "free: boolean; served: array[PROCESS] of boolean;"
)
ROUNDS = ROUNDS.replace("phase[p] := Idle; end;", "phase[p] := Idle; served[p] := false; end;").replace(
    "phase[p] := Critical;",
    """phase[p] := Critical; served[p] := true;
    if forall q: PROCESS do served[q] end then for q: PROCESS do served[q] := false; end; end;""",
)

PETERSON = """const N: 3;
type PROCESS: scalarset(N); LEVEL: 0 .. N - 1; STAGE: 1 .. N - 1;
var phase: array[PROCESS] of enum { Idle, Write, Sign, Waiting, Critical };
  level: array[PROCESS] of LEVEL; aim: array[PROCESS] of STAGE; last: array[STAGE] of PROCESS;
startstate for p: PROCESS do phase[p] := Idle; level[p] := 0; aim[p] := 1; end; end;
ruleset p: PROCESS do
  rule "want" phase[p] = Idle ==> phase[p] := Write; end;
  rule "write" phase[p] = Write ==> level[p] := aim[p]; phase[p] := Sign; end;
  rule "sign" phase[p] = Sign ==> last[aim[p]] := p; phase[p] := Waiting; end;
  rule "enter" phase[p] = Waiting & (last[aim[p]] != p | forall q: PROCESS do q = p | level[q] < aim[p] end) ==>
    if aim[p] = N - 1 then phase[p] := Critical; aim[p] := 1; else phase[p] := Write; aim[p] := aim[p] + 1; end;
  end;
  rule "leave" phase[p] = Critical ==> level[p] := 0; phase[p] := Idle; end;
end;"""

RING = """const N: 3;
type PROCESS: 0 .. N - 1; var phase: array[PROCESS] of enum { Idle, Waiting, Critical }; token: PROCESS;
ruleset p: PROCESS do startstate for q: PROCESS do phase[q] := Idle; end; token := p; end; end;
ruleset p: PROCESS do
  rule "want" phase[p] = Idle ==> phase[p] := Waiting; end;
  rule "pass" phase[p] = Idle & token = p ==> token := (p + 1) % N; end;
  rule "enter" phase[p] = Waiting & token = p ==> phase[p] := Critical; end;
  rule "leave" phase[p] = Critical ==> phase[p] := Idle; token := (p + 1) % N; end;
  MORE
end;"""

MURPHI = {
    "sem": SEM.replace("MORE", ""),
    "sem_rounds": ROUNDS,
    "sem_idle": SEM.replace("MORE", 'rule "idle" phase[p] = Idle ==> end;'),
    "peterson": PETERSON,
    "ring": RING.replace("MORE", ""),
    "ring_skip": RING.replace("MORE", 'rule "skip" phase[p] = Idle & token != p ==> end;'),
    "ring_hold": RING.replace("MORE", 'rule "skip" phase[p] = Idle ==> end;'),
}

# In B, sets of waiting and of critical processes.

SEM_B = """MACHINE Sem SETS PROCESS DEFINITIONS scope_PROCESS == 3
VARIABLES waiting, critical INVARIANT waiting <: PROCESS & critical <: PROCESS
INITIALISATION waiting := {} || critical := {}
OPERATIONS
  want(p) = SELECT p : PROCESS & p /: waiting \\/ critical THEN waiting := waiting \\/ {p} END;
  enter(p) = SELECT p : waiting & critical = {} THEN critical := {p} || waiting := waiting - {p} END;
  leave(p) = SELECT p : critical THEN critical := {} END MORE
END"""

ROUNDS_B = SEM_B.replace("MORE", "").replace(
    "waiting, critical INVARIANT", "waiting, critical, served INVARIANT served <: PROCESS &"
)
ROUNDS_B = ROUNDS_B.replace("INITIALISATION", "INITIALISATION served := {} ||").replace(
    "critical := {p} ||",
    "critical := {p} || IF served \\/ {p} = PROCESS THEN served := {} ELSE served := served \\/ {p} END ||",
)

PETERSON_B = """MACHINE Filter SETS PROCESS; STEP = {idle, write, sign, await, inside}
DEFINITIONS scope_PROCESS == 3; waiting == step~[{write, sign, await}]; critical == step~[{inside}]
VARIABLES step, level, aim, signed
INVARIANT step : PROCESS --> STEP & level : PROCESS --> 0..2 & aim : PROCESS --> 1..2 & signed : 1..2 +-> PROCESS
INITIALISATION step := PROCESS * {idle} || level := PROCESS * {0} || aim := PROCESS * {1} || signed := {}
OPERATIONS
  want(p) = SELECT p : PROCESS & step(p) = idle THEN step(p) := write END;
  put(p) = SELECT p : PROCESS & step(p) = write THEN level(p) := aim(p) || step(p) := sign END;
  sign_last(p) = SELECT p : PROCESS & step(p) = sign THEN signed(aim(p)) := p || step(p) := await END;
  enter(p) = SELECT p : PROCESS & step(p) = await &
      (signed(aim(p)) /= p or !q.(q : PROCESS & q /= p => level(q) < aim(p)))
    THEN IF aim(p) = 2 THEN step(p) := inside || aim(p) := 1 ELSE step(p) := write || aim(p) := 2 END END;
  leave(p) = SELECT p : PROCESS & step(p) = inside THEN step(p) := idle || level(p) := 0 END
END"""

RING_B = """MACHINE Ring SETS PROCESS DEFINITIONS scope_PROCESS == 3
CONSTANTS next PROPERTIES next : PROCESS >->> PROCESS & closure1(next) = PROCESS * PROCESS
VARIABLES waiting, critical, token
INVARIANT waiting <: PROCESS & critical <: PROCESS & token : PROCESS
INITIALISATION waiting := {} || critical := {} || token :: PROCESS
OPERATIONS
  want(p) = SELECT p : PROCESS & p /: waiting \\/ critical THEN waiting := waiting \\/ {p} END;
  pass(p) = SELECT p = token & p /: waiting \\/ critical THEN token := next(p) END;
  enter(p) = SELECT p = token & p : waiting THEN critical := {p} || waiting := waiting - {p} END;
  leave(p) = SELECT p : critical THEN critical := {} || token := next(p) END MORE
END"""

SKIP_B = "; nothing(p) = SELECT p : PROCESS & p /: waiting \\/ critical {more}THEN skip END"
B = {
    "sem": SEM_B.replace("MORE", ""),
    "sem_rounds": ROUNDS_B,
    "sem_idle": SEM_B.replace("MORE", SKIP_B.format(more="")),
    "peterson": PETERSON_B,
    "ring": RING_B.replace("MORE", ""),
    "ring_skip": RING_B.replace("MORE", SKIP_B.format(more="& p /= token ")),
    "ring_hold": RING_B.replace("MORE", SKIP_B.format(more="")),
}

FORMULAS = {
    "murphi": {
        "each": "forall p: PROCESS . G (WAITS -> F phase[p] = Critical)",
        "some": "G ({exists p: PROCESS do WAITS end} -> F {exists p: PROCESS do phase[p] = Critical end})",
        "again": "G F {exists p: PROCESS do phase[p] = Critical end}",
        "each again": "forall p: PROCESS . G F phase[p] = Critical",
        "exclusion": "G {forall p: PROCESS do forall q: PROCESS do"
        " phase[p] = Critical & phase[q] = Critical -> p = q end end}",
    },
    "b": {
        "each": "!p.(p : PROCESS => G ({p : waiting} => F {p : critical}))",
        "some": "G ({waiting /= {}} => F {critical /= {}})",
        "again": "G F {critical /= {}}",
        "each again": "!p.(p : PROCESS => G F {p : critical})",
        "exclusion": "G {card(critical) <= 1}",
    },
}
"""Every process that waits becomes critical; if some wait, some become critical; again and again some are critical; again
and again each is; never two are."""


def model(language: str, name: str) -> Model:
    return murphi_model(MURPHI[name]) if language == "murphi" else b_model(B[name])


def formulas(language: str, name: str) -> dict[str, str]:
    """In the filter lock a process waits from when it wants to enter until it does."""
    waits = "phase[p] = Waiting"
    if name == "peterson":
        waits = "(phase[p] = Write | phase[p] = Sign | phase[p] = Waiting)"
    return {key: text.replace("WAITS", waits) for key, text in FORMULAS[language].items()}


NO_STARVATION = {
    "murphi": "forall p: PROCESS . SF(enter(_)) & WF(leave(_)) => G (phase[p] = Waiting -> F phase[p] = Critical)",
    "b": "!p.(p : PROCESS => SF(enter(_)) & WF(leave(_)) => G ({p : waiting} => F {p : critical}))",
}
ALL_IN_TURN = {
    "murphi": "SF(enter(_)) & WF(leave(_)) & WF(want(_)) => G F {forall p: PROCESS do !served[p] end}",
    "b": "SF(enter(_)) & WF(leave(_)) & WF(want(_)) => G F {served = {}}",
}
"""That again and again all were critical since all were: a formula that all symmetries keep."""
