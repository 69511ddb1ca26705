"""The formulas on which translators of LTL are compared, stated from the papers that introduced them.

Out: `FORMULAS`, 94 of them by name. `dac`: Dwyer, Avrunin and Corbett, Property specification patterns for finite-state
verification, 1998: eleven patterns, each globally, before r, after q, between q and r, after q until r. `eh`: Etessami and
Holzmann, Optimizing Büchi automata, 2000. `sb`: Somenzi and Bloem, Efficient Büchi automata from LTL formulae, 2000.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

TWO_OF_P = "(!p W (p W (!p W (p W G !p))))"
TWO_OF_P_BEFORE_R = "(!p & !r) U (r | ((p & !r) U (r | ((!p & !r) U (r | ((p & !r) U (r | {})))))))"
S_THEN_T = "!p U (r | (s & !p & X(!p U t)))"
NOT_S_THEN_T = "!(s & !r & X(!r U (t & !r)))"
T_THEN_P = "(s & X(!r U t) -> X(!r U (t & F p)))"
P_THEN_S_T = "(p -> (!r U (s & !r & X(!r U t))))"
P_THEN_S_T_WITHOUT_Z = "(p -> (!r U (s & !r & !z & X((!r & !z) U t))))"

PATTERNS = (
    # Absence of p
    "G !p",
    "F r -> (!p U r)",
    "G(q -> G !p)",
    "G((q & !r & F r) -> (!p U r))",
    "G((q & !r) -> (!p W r))",
    # Existence of p
    "F p",
    "!r W (p & !r)",
    "G !q | F(q & F p)",
    "G((q & !r) -> (!r W (p & !r)))",
    "G((q & !r) -> (!r U (p & !r)))",
    # At most two intervals of p
    TWO_OF_P,
    f"F r -> ({TWO_OF_P_BEFORE_R.format('(!p U r)')})",
    f"F q -> (!q U (q & {TWO_OF_P}))",
    f"G((q & F r) -> ({TWO_OF_P_BEFORE_R.format('(!p U r)')}))",
    f"G(q -> ({TWO_OF_P_BEFORE_R.format('(!p W r) | G p')}))",
    # Universality of p
    "G p",
    "F r -> (p U r)",
    "G(q -> G p)",
    "G((q & !r & F r) -> (p U r))",
    "G((q & !r) -> (p W r))",
    # s precedes p
    "!p W s",
    "F r -> (!p U (s | r))",
    "G !q | F(q & (!p W s))",
    "G((q & !r & F r) -> (!p U (s | r)))",
    "G((q & !r) -> (!p W (s | r)))",
    # s responds to p
    "G(p -> F s)",
    "F r -> ((p -> (!r U (s & !r))) U r)",
    "G(q -> G(p -> F s))",
    "G((q & !r & F r) -> ((p -> (!r U (s & !r))) U r))",
    "G((q & !r) -> ((p -> (!r U (s & !r))) W r))",
    # s, t precede p
    "F p -> (!p U (s & !p & X(!p U t)))",
    f"F r -> ({S_THEN_T})",
    "G !q | (!q U ((q & F p) -> (!p U (s & !p & X(!p U t)))))",
    f"G((q & F r) -> ({S_THEN_T}))",
    f"G(q -> (F p -> ({S_THEN_T})))",
    # p precedes s, t
    "F(s & X F t) -> (!s U p)",
    f"F r -> ({NOT_S_THEN_T} U (r | p))",
    "G !q | (!q U (q & (F(s & X F t) -> (!s U p))))",
    f"G((q & F r) -> ({NOT_S_THEN_T} U (r | p)))",
    f"G(q -> (({NOT_S_THEN_T} U (r | p)) | G !(s & X F t)))",
    # p responds to s, t
    "G((s & X F t) -> X F(t & F p))",
    f"F r -> ({T_THEN_P} U r)",
    "G(q -> G((s & X F t) -> X(!t U (t & F p))))",
    f"G((q & F r) -> ({T_THEN_P} U r))",
    f"G(q -> ({T_THEN_P} U (r | G {T_THEN_P})))",
    # s, t respond to p
    "G(p -> F(s & X F t))",
    f"F r -> ({P_THEN_S_T} U r)",
    "G(q -> G(p -> (s & X F t)))",
    f"G((q & F r) -> ({P_THEN_S_T} U r))",
    f"G(q -> ({P_THEN_S_T} U (r | G(p -> (s & X F t)))))",
    # s, t without z respond to p
    "G(p -> F(s & !z & X(!z U t)))",
    f"F r -> ({P_THEN_S_T_WITHOUT_Z} U r)",
    "G(q -> G(p -> (s & !z & X(!z U t))))",
    f"G((q & F r) -> ({P_THEN_S_T_WITHOUT_Z} U r))",
    f"G(q -> ({P_THEN_S_T_WITHOUT_Z} U (r | G(p -> (s & !z & X(!z U t))))))",
)

ETESSAMI_HOLZMANN = (
    "p U (q & G r)",
    "p U (q & X(r U s))",
    "p U (q & X(r & F(s & X F(t & X F(u & X F v)))))",
    "F(p & X G q)",
    "F(p & X(q & X F r))",
    "F(p & X(q U r))",
    "F G p | G F q",
    "G(p -> (q U r))",
    "G(p & X F(q & X F(r & X F s)))",
    "G F p & G F q & G F r & G F s & G F t",
    "(p U (q U r)) | (q U (r U p)) | (r U (p U q))",
    "G(p -> (q U (G r | G s)))",
)

FAIR = "(G(q | G F p) & G(r | G F !p)) | G q | G r"
STABLE = "(G(q | F G p) & G(r | F G !p)) | G q | G r"

SOMENZI_BLOEM = (
    "p U q",
    "p U (q U r)",
    "!(p U (q U r))",
    "G F p -> G F q",
    "F p U G q",
    "G p U q",
    "!(F F p <-> F q)",
    "!(G F p -> G F q)",
    "!(G F p <-> G F q)",
    "p R (p | q)",
    "(X p U X q) | !X(p U q)",
    "(X p U q) | !X(p U (p & q))",
    "G(p -> F q) & ((X p U q) | !X(p U (p & q)))",
    "G(p -> F q) & ((X p U X q) | !X(p U q))",
    "G(p -> F q)",
    "!G(p -> X(q R r))",
    "!(F G p | F G q)",
    "G(F p & F q)",
    "F p & F !p",
    "(X q & r) R X(((s U p) R r) U (s R r))",
    FAIR,
    STABLE,
    f"!({FAIR})",
    f"!({STABLE})",
    "G(q | X G p) & G(r | X G !p)",
    "G(q | (X p & X !p))",
    "(p U p) | (q U p)",
)

FORMULAS: Mapping[str, str] = MappingProxyType(
    {
        f"{source} {number}": text
        for source, texts in (("dac", PATTERNS), ("eh", ETESSAMI_HOLZMANN), ("sb", SOMENZI_BLOEM))
        for number, text in enumerate(texts, 1)
    }
)
