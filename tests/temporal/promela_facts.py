"""Small Promela models with claims, labels and fairness, and what Spin 6.5.2 says of them.

Each has `-a` (claims, accept labels) or `-l` (progress labels), without and with `-f`.
"""

from __future__ import annotations

from burnside.records import record

H, V = "holds", "violated"


@record
class Fact:
    """`kind`: what is asked, as in `--cycles` where it is about labels. `verdicts`: of all runs, and of weakly fair ones."""

    name: str
    text: str
    verdicts: tuple[str, str]
    kind: str = "claim"


COUNTING = "byte x; active proctype P() { x = 1; x = 2; x = 3 }"
RENDEZVOUS = "chan c = [0] of { byte }; byte a;"

FACTS = (
    # A rendezvous is a step of both; by itself a receiver can do nothing.
    Fact(
        "receiving is a step of the receiver",
        f"{RENDEZVOUS} active proctype S() {{ do :: c!1 od }}"
        "active proctype R() { byte x; do :: c?x :: a = 1 od } ltl p { <> (a == 1) }",
        (V, V),
    ),
    Fact(
        "the same with the receiver first",
        f"{RENDEZVOUS} active proctype R() {{ byte x; do :: c?x :: a = 1 od }}"
        "active proctype S() { do :: c!1 od } ltl p { <> (a == 1) }",
        (V, V),
    ),
    Fact(
        "a receiver that waits cannot act",
        f"{RENDEZVOUS} active proctype S() {{ do :: c!1 :: a = 2 od }}"
        "active proctype R() { byte x; c?x; a = 1; do :: true -> skip od } ltl p { <> (a == 1) }",
        (V, V),
    ),
    Fact(
        "sending is a step of the sender",
        f"{RENDEZVOUS} active proctype R() {{ byte x; do :: c?x od }}"
        "active proctype S() { do :: c!1 :: a = 1 od } ltl p { <> (a == 1) }",
        (V, V),
    ),
    Fact(
        "enabled in a claim",
        "byte x; active proctype P() { x == 1 -> x = 2 } active proctype Q() { x = 1 } ltl p { <> enabled(0) }",
        (H, H),
    ),
    Fact(
        "a process that can end is enabled",
        "byte x; active proctype P() { x == 1 -> x = 2 } active proctype Q() { x = 1 }"
        "ltl p { [] (enabled(0) -> x == 1) }",
        (V, V),
    ),
    Fact(
        "a process that does not exist is not enabled",
        "byte x; active proctype P() { x == 1 -> x = 2 } active proctype Q() { x = 1 }"
        "ltl p { [] (enabled(7) -> x == 0) }",
        (H, H),
    ),
    Fact(
        "a process that can act does",
        "byte x; active proctype P() { do :: x = 1 - x od }"
        "active proctype Q() { skip; x = 5 } ltl p { <> (x == 5) }",
        (V, H),
    ),
    Fact(
        "a process may prefer one of its options",
        "byte x; active proctype P() { do :: x = 1 :: x = 2 od } ltl p { <> (x == 2) }",
        (V, V),
    ),
    Fact(
        "a process that has ended cannot act",
        "byte x; active proctype P() { x = 1 }"
        "active proctype Q() { do :: x = 3 :: x = 4 od } ltl p { <> (x == 9) }",
        (V, V),
    ),
    Fact(
        "weak fairness wants guards that hold all the time",
        "byte x; active proctype P() { do :: x = 1 :: x = 0 od }"
        "active proctype Q() { x == 1 -> x = 7; do :: true -> skip od } ltl p { <> (x == 7) }",
        (V, V),
    ),
    Fact(
        "all that take part in an atomic sequence make a step",
        f"{RENDEZVOUS} byte x; active proctype S() {{ do :: atomic {{ x = 1; c!1 }} od }}"
        "active proctype R() { byte y; do :: c?y :: a = 1 od } ltl p { <> (a == 1) }",
        (V, V),
    ),
    Fact(
        "also those that are handed control",
        f"{RENDEZVOUS} chan d = [0] of {{ byte }}; byte x;"
        "active proctype S() { do :: atomic { x = 1; c!1 } od }"
        "active proctype R() { byte y; do :: atomic { c?y; d!1 } od }"
        "active proctype T() { byte y; do :: d?y :: a = 1 od } ltl p { <> (a == 1) }",
        (V, V),
    ),
    # What claims see
    Fact(
        "a run that ends repeats its last state",
        "byte x; active proctype P() { x = 1; x = 2 } ltl p { <> [] (x == 2) }",
        (H, H),
    ),
    Fact(
        "and violates what does not come in it",
        "byte x; active proctype P() { x = 1; x = 2 } ltl p { [] <> (x == 1) }",
        (V, V),
    ),
    Fact(
        "so does one that is blocked",
        "byte x; active proctype P() { x = 1; x == 5 } ltl p { <> (x == 2) }",
        (V, V),
    ),
    Fact(
        "the inside of an atomic sequence is not seen",
        "byte x; active proctype P() { atomic { x = 1; x = 2; x = 0 } } ltl p { [] (x != 1) }",
        (H, H),
    ),
    Fact(
        "but where it blocks",
        "byte x; bool go; active proctype P() { atomic { x = 1; go; x = 2 } }"
        "active proctype Q() { go = true } ltl p { [] (x != 1) }",
        (V, V),
    ),
    # Never claims
    Fact(
        "conditions of an atomic sequence are read in one state",
        f"{COUNTING} never {{ atomic {{ (x == 0) -> (x == 1) }}; (x == 2) }}",
        (H, H),
    ),
    Fact(
        "and go on with the next",
        f"{COUNTING} never {{ atomic {{ (x == 0) -> (x == 0) }}; (x == 1) }}",
        (V, V),
    ),
    Fact(
        "a claim that reaches its end is violated",
        f"{COUNTING} never {{ (x == 0); (x == 1); (x == 2); (x == 3); (x == 3); (x == 3) }}",
        (V, V),
    ),
    Fact(
        "a claim makes a step before each step of the system",
        f"{COUNTING} never {{ (x == 0); (x == 2) }}",
        (H, H),
    ),
    Fact(
        "an assertion of a claim",
        f"{COUNTING} never {{ (x == 0); (x == 1); (x == 2); assert(x == 2); do :: true od }}",
        (V, V),
    ),
    Fact(
        "one that does not fail",
        f"{COUNTING} never {{ (x == 0); (x == 1); (x == 2); assert(x == 3); do :: x == 3 od }}",
        (H, H),
    ),
    Fact(
        "a d_step is read in one state",
        f"{COUNTING} never {{ d_step {{ (x == 0); (x == 0) }}; (x == 1); (x == 2); assert(x == 2) }}",
        (V, V),
    ),
    Fact(
        "else",
        f"{COUNTING} never {{ do :: x < 2 :: else -> break od; accept: do :: x == 3 od }}",
        (V, V),
    ),
    Fact(
        "else of a selection in a selection looks at what comes before it",
        f"{COUNTING} never {{ do :: if :: x == 7 :: else fi; x == 1 -> break :: x < 3 od }}",
        (V, V),
    ),
    # Labels
    Fact(
        "a label inside an atomic sequence is not seen",
        "byte x; active proctype P() { do :: atomic { x = 1; accept: x = 0; x = 2 } od }",
        (H, H),
        "accept",
    ),
    Fact(
        "a run that ends at an accept label",
        "byte x; active proctype P() { x = 1; accept: x == 5 }",
        (V, V),
        "accept",
    ),
    Fact(
        "a run that passes an accept label",
        "byte x; active proctype P() { x = 1; accept: skip }",
        (H, H),
        "accept",
    ),
    Fact(
        "a process that waits at an accept label",
        "byte x; active proctype P() { x = 1; accept: x == 9 }"
        "active proctype Q() { do :: x = 3 :: x = 4 od }",
        (V, V),
        "accept",
    ),
    Fact(
        "progress inside an atomic sequence is not seen",
        "byte x; active proctype P() { do :: atomic { x = 1; progress: x = 0; x = 2 } od }",
        (V, V),
        "progress",
    ),
    Fact(
        "a run that ends is none without progress",
        "byte x; active proctype P() { if :: x = 1; x == 5 :: x = 2; progress: skip fi }",
        (H, H),
        "progress",
    ),
    Fact(
        "a process that stays at a progress label makes progress",
        "byte x; active proctype P() { x = 1; progress: x == 5 }"
        "active proctype Q() { do :: x = 2 :: x = 3 od }",
        (V, H),
        "progress",
    ),
    Fact(
        "a cycle beside progress",
        "byte x; active proctype P() { do :: x = 2; :: x = 4; progress: x = 3 od }",
        (V, V),
        "progress",
    ),
    Fact(
        "progress of another process",
        "byte x; active proctype P() { do :: x = 2; :: x = 4;  od }"
        "active proctype Q() { do :: x = 2; progress: x = 3 od }",
        (V, H),
        "progress",
    ),
)
