"""The tool-kit, row by row: brute force and both engines find the value that another expression has, or none."""

from __future__ import annotations

import pytest

from tests.z_asking import UNDEFINED, UNKNOWN, Question, answers, specification
from tests.z_engines import loaded
from tests.z_texts import VARIABLES, Maker, kind

VALUES = [
    # Division rounds towards minus infinity, and the rest has the sign of the divisor.
    ("N", r"7 \div 2", "3"),
    ("N", r"(-7) \div 2", "-4"),
    ("N", r"7 \div (-2)", "-4"),
    ("N", r"(-7) \div (-2)", "3"),
    ("N", r"(-7) \mod 2", "1"),
    ("N", r"7 \mod (-2)", "-1"),
    ("N", r"7 \mod 2", "1"),
    ("N", r"succ~2", "3"),
    ("P(N)", r"3 \upto 2", r"\emptyset"),
    ("P(N)", r"(-1) \upto 1", r"\{ -1, 0, 1 \}"),
    ("N", r"min~(max~\{ 1, 3 \} \upto 5)", "3"),
    # Of no sets, the intersection is everything.
    ("P(C)", r"\bigcap \emptyset", "C"),
    ("P(C)", r"\bigcap \{ \{ red \}, C \}", r"\{ red \}"),
    # Iteration: the inverse for negative numbers, the identity on the type for none.
    ("L(C,C)", r"\{ red \mapsto green \} \bsup 0 \esup", r"\id C"),
    ("L(C,C)", r"\{ red \mapsto green \} \bsup (-1) \esup", r"\{ green \mapsto red \}"),
    ("L(N,N)", r"\{ 1 \mapsto 2, 2 \mapsto 3 \} \bsup 2 \esup", r"\{ 1 \mapsto 3 \}"),
    ("L(C,C)", r"\emptyset[C \cross C] \star", r"\id C"),
    ("L(N,N)", r"\{ 1 \mapsto 2, 2 \mapsto 3 \} \plus", r"\{ 1 \mapsto 2, 2 \mapsto 3, 1 \mapsto 3 \}"),
    ("L(C,N)", r"\{ red \mapsto 1, green \mapsto 2 \} \oplus \{ red \mapsto 3 \}", r"\{ red \mapsto 3, green \mapsto 2 \}"),
    ("L(C,N)", r"\{ red \mapsto 1 \} \comp \{ 1 \mapsto 2 \}", r"\{ red \mapsto 2 \}"),
    ("L(C,N)", r"\{ 1 \mapsto 2 \} \circ \{ red \mapsto 1 \}", r"\{ red \mapsto 2 \}"),
    # Sequences.
    ("Q(C)", r"squash~\{ 2 \mapsto red, 5 \mapsto green \}", r"\langle red, green \rangle"),
    ("Q(C)", r"\langle red, green, red \rangle \filter \{ red \}", r"\langle red, red \rangle"),
    ("Q(C)", r"\{ 1, 3, 9 \} \extract \langle red, green, red \rangle", r"\langle red, red \rangle"),
    ("Q(C)", r"\dcat \langle \langle red \rangle, \langle green \rangle \rangle", r"\langle red, green \rangle"),
    ("Q(C)", r"front~\langle red, green \rangle \cat tail~\langle red, green \rangle", r"\langle red, green \rangle"),
    ("Q(C)", r"rev~\langle red, green \rangle", r"\langle green, red \rangle"),
    ("L(N,C)", r"\langle red, green \rangle", r"\{ 1 \mapsto red, 2 \mapsto green \}"),
    # Bags.
    ("B(C)", r"\lbag red, green, red \rbag", r"\{ red \mapsto 2, green \mapsto 1 \}"),
    ("B(C)", r"items~\langle red, red \rangle", r"\{ red \mapsto 2 \}"),
    ("B(C)", r"\lbag red \rbag \uplus \lbag red, green \rbag", r"\{ red \mapsto 2, green \mapsto 1 \}"),
    ("B(C)", r"\lbag red, red \rbag \uminus \lbag red, green \rbag", r"\{ red \mapsto 1 \}"),
    ("B(C)", r"0 \otimes \lbag red \rbag", r"\emptyset"),
    ("B(C)", r"2 \otimes \lbag red \rbag", r"\{ red \mapsto 2 \}"),
    ("N", r"\lbag red \rbag \bcount green", "0"),
    ("N", r"count~\lbag red \rbag~red", "1"),
    # Names of the tool-kit by themselves.
    ("P((N,N))", r"\{ 1, 2 \} \dres succ", r"\{ 1 \mapsto 2, 2 \mapsto 3 \}"),
    ("L(C,C)", r"\{ x : C; y : C | (x, y) \in (\_ \neq \_) \}", r"\{ red \mapsto green, green \mapsto red \}"),
    ("N", r"(\_ + \_)(1, 2)", "3"),
    ("N", r"(\LET pair == (5, 2) @ (\_ - \_)~pair)", "3"),
    ("N", r"(\lambda x : \nat; y : \nat @ x * y)(2, 3)", "6"),
    # Characteristic tuples.
    ("L(C,N)", r"\{ x : C; y : \{ 1 \} \}", r"C \cross \{ 1 \}"),
    ("P(R)", r"\{ Narrow | many = 0 \}", r"\{ x : X @ \lblot own == x, many == 0 \rblot \}"),
    ("L(R,C)", r"\{ Narrow; y : \{ red \} | many = 0 \}", r"\{ x : X @ \lblot own == x, many == 0 \rblot \mapsto red \}"),
    ("P(R)", r"\{ Narrow @ \theta Narrow \}", "Narrow"),
    ("N", r"(\mu x : 0 \upto 5 | x * x = 9)", "3"),
    ("N", r"\lblot own == b, many == 2 \rblot.many", "2"),
    ("P(T)", "T", r"\{ leaf \} \cup \{ x : X @ node~x \}"),
    ("P(T)", r"\ran node", r"\{ x : X @ node~x \}"),
]  # fmt: skip

NOTHING = [
    ("N", r"1 \div 0"),
    ("N", r"1 \mod 0"),
    ("N", "succ~(-1)"),
    ("N", r"min~\emptyset"),
    ("C", r"head~\langle \rangle"),
    ("Q(C)", r"tail~\langle \rangle"),
    ("C", r"\{ red \mapsto green \}~green"),
    ("C", r"\{ red \mapsto green, red \mapsto red \}~red"),
    ("C", r"\langle red \rangle~2"),
    ("Q(C)", r"\{ 2 \mapsto red \} \cat \langle red \rangle"),
    ("Q(C)", r"squash~\{ 0 \mapsto red \}"),
    ("Q(C)", r"squash~\{ 1 \mapsto red, 1 \mapsto green \}"),
    ("Q(C)", r"\{ 2 \mapsto red \} \filter C"),
    ("Q(C)", r"\{ 1 \} \extract \{ 2 \mapsto red \}"),
    ("B(C)", r"items~\{ 2 \mapsto red \}"),
    ("B(C)", r"\{ red \mapsto 0 \} \uplus \lbag red \rbag"),
    ("B(C)", r"\lbag red \rbag \uminus \{ green \mapsto -1 \}"),
    ("B(C)", r"(-1) \otimes \lbag red \rbag"),
    ("B(C)", r"(-1) \otimes \emptyset[C \cross \num]"),
    ("B(C)", r"0 \otimes \{ red \mapsto 0 \}"),
    ("N", r"\{ red \mapsto -1 \} \bcount green"),
    ("C", r"(\mu x : C)"),
    ("C", r"(\mu x : C | x \neq x)"),
]

TRUTHS = [
    (r"\langle red \rangle \prefix \langle red, green \rangle", 1),
    (r"\langle green \rangle \prefix \langle red, green \rangle", 0),
    (r"\emptyset[\num \cross C] \prefix \{ 2 \mapsto red \}", 0),
    (r"\langle green \rangle \suffix \langle red, green \rangle", 1),
    (r"\langle \rangle \suffix \langle red, green \rangle", 1),
    (r"\langle red, green \rangle \suffix \langle green \rangle", 0),
    (r"\{ 2 \mapsto red \} \suffix \langle red \rangle", 0),
    (r"\langle green, red \rangle \inseq \langle red, green, red \rangle", 1),
    (r"\langle red, red \rangle \inseq \langle red, green, red \rangle", 0),
    (r"\langle \rangle \inseq \{ 2 \mapsto red \}", 0),
    (r"red \inbag \lbag red \rbag", 1),
    (r"red \inbag \{ red \mapsto 0 \}", 0),
    (r"\lbag red \rbag \subbageq \lbag red, red \rbag", 1),
    (r"\lbag red, red \rbag \subbageq \lbag red, green \rbag", 0),
    (r"\{ red \mapsto 0 \} \subbageq \lbag red \rbag", 0),
    (r"\disjoint \langle \{ 1 \}, \{ 2 \}, \emptyset \rangle", 1),
    (r"\disjoint \langle \{ 1 \}, \{ 2 \}, \{ 1 \} \rangle", 0),
    (r"\disjoint \langle \emptyset[C], \emptyset \rangle", 1),
    (r"\disjoint \langle \{ 1 \} \rangle", 1),
    (r"\disjoint \{ red \mapsto \{ 1 \}, red \mapsto \{ 2 \} \}", 0),
    (r"\disjoint \{ red \mapsto \{ 1 \}, green \mapsto \{ 2 \} \}", 1),
    (r"\langle \{ 1 \}, \{ 2, 3 \} \rangle \partition 1 \upto 3", 1),
    (r"\langle \{ 1 \}, \{ 1, 3 \} \rangle \partition \{ 1, 3 \}", 0),
    (r"\langle \{ 1 \} \rangle \partition \{ 1, 3 \}", 0),
    (r"\{ red \mapsto \{ 1 \}, green \mapsto \{ 2 \} \} \partition \{ 1, 2 \}", 1),
    (r"\{ red \mapsto 1 \} \in C \pfun \nat", 1),
    (r"\{ red \mapsto 1 \} \in C \fun \nat", 0),
    (r"\{ red \mapsto 1, green \mapsto 1 \} \in C \inj \nat", 0),
    (r"\{ red \mapsto 1, green \mapsto 2 \} \in C \bij 1 \upto 2", 1),
    (r"\{ 2 \mapsto red \} \in \seq C", 0),
    (r"\langle \rangle \in \seq_1 C", 0),
    (r"\langle red, red \rangle \in \iseq C", 0),
    (r"\{ red \mapsto 0 \} \in \bag C", 0),
    (r"\emptyset \in \finset_1 C", 0),
    (r"-1 \in \nat", 0),
    (r"0 \in \nat_1", 0),
    (r"\nat_1 \subseteq \nat", 1),
    (r"1 < 2 \leq 2 < 3", 1),
    (r"(\exists_1 x : C; y : C @ x \neq y)", 0),
    (r"(\exists_1 x : C @ x \neq red)", 1),
    (r"(\LET x == 1 \div 0 @ 1 = 1)", 1),
    (r"(\IF 1 = 1 \THEN 1 \ELSE 1 \div 0) = 1", 1),
    # Whatever decides, decides.
    (r"1 = 2 \land 1 \div 0 = 1", 0),
    (r"1 \div 0 = 1 \lor 1 = 1", 1),
    (r"1 \div 0 = 1 \implies 1 = 1", 1),
    (r"1 \div 0 = 1 \land 1 = 1", UNDEFINED),
    (r"1 \div 0 = 1 \iff 1 = 1", UNDEFINED),
    (r"1 \div 0 \in \{ 1 \}", UNDEFINED),
]


def found(question: Question) -> object:
    """What both engines say, and brute force where it need not list infinite sets."""
    drawn = Maker(lambda low, high: low)
    values = {name: drawn.value(own) for name, own in VARIABLES.items()}
    answer = answers(loaded(specification([question])), question, values)
    assert answer.reference == answer.core
    assert answer.brute in (answer.core, UNKNOWN)
    return answer.core


@pytest.mark.parametrize(("of", "text", "same"), VALUES)
def test_values(of: str, text: str, same: str) -> None:
    assert found(Question("Asked", text, kind(of))) != UNDEFINED
    assert found(Question("Asked", f"({text}) = ({same})")) == 1


@pytest.mark.parametrize(("of", "text"), NOTHING)
def test_no_value(of: str, text: str) -> None:
    assert found(Question("Asked", text, kind(of))) == UNDEFINED


@pytest.mark.parametrize(("text", "truth"), TRUTHS)
def test_truth(text: str, truth: object) -> None:
    assert found(Question("Asked", text)) == truth
