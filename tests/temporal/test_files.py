"""Files of properties: named formulas in text, and the XML of the Model Checking Contest."""

from __future__ import annotations

from pathlib import Path

import pytest
from burnside.diagnostics import BurnsideError, InputError, UnsupportedError, UsageError
from burnside.languages import load
from burnside.model import Model
from burnside.records import replace
from burnside.reference.temporal import check_property
from burnside.temporal.atoms import Condition
from burnside.temporal.contest import TokenBound
from burnside.temporal.files import read_properties
from burnside.temporal.printing import show_formula
from burnside.temporal.reading import TemporalProperty
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.temporal.models import ENUMERATED, TWO_PLACES, b_model, net_model, sem

MODELS = Path(__file__).parent.parent.parent.parent / "shared" / "models" / "pnml"


def written(tmp_path: Path, text: str | bytes, name: str = "properties.txt") -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def shown(found: TemporalProperty | TokenBound) -> str:
    assert isinstance(found, TemporalProperty)
    return show_formula(found.formula, lambda number: f"{{{found.propositions[number].text}}}")


# Text


TEXT = """# two places
ltl both: G (p + q = 2)

ctl back: AG EF
    p = 2
  // any other comment
    & AG !deadlock
[ProB's way]
G (p > 0 ->
F e(go))
[last one]
  [go]
"""


def test_named_formulas(tmp_path: Path) -> None:
    found = read_properties(written(tmp_path, TEXT), net_model())
    assert [(each.name, shown(each)) for each in found] == [
        ("both", "G {p + q = 2}"),
        ("back", "AG EF {p = 2} & AG not {deadlock}"),
        ("ProB's way", "G (not {p > 0} or F {e(go)})"),
        ("last one", "{[go]}"),
    ]
    assert [each.logic for each in found if isinstance(each, TemporalProperty)] == [
        "ltl",
        "ctl",
        "ltl",
        "ltl",
    ]


def test_line_ends_and_encodings(tmp_path: Path) -> None:
    plain = read_properties(written(tmp_path, TEXT), net_model())
    windows = TEXT.replace("\n", "\r\n").encode("utf-8-sig")
    assert read_properties(written(tmp_path, windows, "other.txt"), net_model()) == plain


def test_formulas_over_other_models(tmp_path: Path) -> None:
    (program,) = read_properties(
        written(tmp_path, "ltl live: forall p: PROCESS . G F phase[p] = Idle\n"), sem(2)
    )
    assert isinstance(program, TemporalProperty) and len(program.binders) == 1
    (machine,) = read_properties(written(tmp_path, "[live]\nSEF => G F {p1 : c}\n"), b_model(ENUMERATED))
    assert isinstance(machine, TemporalProperty) and len(machine.fairness) == 1


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        ("G p > 0\n", "expected 'ltl NAME: FORMULA', 'ctl NAME: FORMULA' or '[NAME]'", 1, 1),
        ("ltl a: p > 0\nq > 0\n", "expected 'ltl NAME: FORMULA', 'ctl NAME: FORMULA' or '[NAME]'", 2, 1),
        ("ltl a: p > 0\n\nctl a: p > 0\n", "there are two properties 'a'", 3, 1),
        ("[]\np > 0\n", "this property has no name", 1, 1),
        ("# x\nltl a: G p >\n", "expected a name or a number, found the end of the formula", 2, 13),
        ("ltl a:\n", "expected a formula, found the end of the formula", 1, 7),
        ("ltl a: G\n  (p > 0 &\n   r > 0)\n", "there is no place 'r'", 3, 4),
        (
            "[a]\nG\n# {\n {p > }\n",
            "expected a place, a number or '(', found the end of the expression",
            4,
            6,
        ),
    ],
)
def test_bad_texts(tmp_path: Path, text: str, message: str, line: int, column: int) -> None:
    path = written(tmp_path, text)
    with pytest.raises(InputError) as refused:
        read_properties(path, net_model())
    found = refused.value.diagnostic
    assert found.span is not None
    assert (found.message, found.source, found.span.line, found.span.column) == (
        message,
        str(path),
        line,
        column,
    )
    assert found.text == text.splitlines()[line - 1]


@pytest.mark.parametrize("text", ["", "# nothing\n\n"])
def test_files_without_properties(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError) as refused:
        read_properties(written(tmp_path, text), net_model())
    assert refused.value.diagnostic.message == (
        "there is no property in this file" if text else "the file is empty"
    )


def test_absent_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        read_properties(tmp_path / "none", net_model())
    with pytest.raises(InputError, match="this is a directory"):
        read_properties(tmp_path, net_model())


# The contest


def contest(*properties: str) -> str:
    """Of formulas, named by their numbers."""
    inside = "".join(
        f"<property><id>P-CTL-{number:02}</id><description>d</description><formula>{each}</formula></property>\n"
        for number, each in enumerate(properties)
    )
    return f'<?xml version="1.0"?>\n<property-set xmlns="http://mcc.lip6.fr/">\n{inside}</property-set>\n'


P, Q = "<tokens-count><place>p</place></tokens-count>", "<tokens-count><place>q</place></tokens-count>"
ONE = "<integer-constant>1</integer-constant>"
GO, BACK = "<transition>go</transition>", "<transition>back</transition>"
FIRE = f"<is-fireable>{GO}</is-fireable>"
UP = f"<integer-le>{ONE}{P}</integer-le>"


@pytest.mark.parametrize(
    ("xml", "formula"),
    [
        (FIRE, "{fireable(go)}"),
        (f"<is-fireable>{GO}{BACK}{GO}</is-fireable>", "{fireable(go, back)}"),
        (UP, "{1 <= p}"),
        (f"<integer-lt>{P}{Q}</integer-lt>", "{p < q}"),
        (f"<integer-ge>{P}{Q}</integer-ge>", "{p >= q}"),
        (f"<integer-gt>{P}{Q}</integer-gt>", "{p > q}"),
        (f"<integer-eq>{P}{Q}</integer-eq>", "{p = q}"),
        (f"<integer-ne>{P}{Q}</integer-ne>", "{p != q}"),
        (
            f"<integer-le><tokens-count><place>p</place><place> a-b </place></tokens-count>{ONE}</integer-le>",
            "{p + a-b <= 1}",
        ),
        (f"<integer-le><integer-sum>{P}{Q}{ONE}</integer-sum>{ONE}</integer-le>", "{(p + q + 1) <= 1}"),
        (f"<integer-le><integer-difference>{P}{Q}</integer-difference>{ONE}</integer-le>", "{(p - q) <= 1}"),
        ("<true/>", "true"),
        ("<negation><false/></negation>", "not false"),
        (f"<conjunction>{UP}{FIRE}{UP}</conjunction>", "{1 <= p} & {fireable(go)} & {1 <= p}"),
        (f"<disjunction>{UP}{FIRE}</disjunction>", "{1 <= p} or {fireable(go)}"),
        (f"<disjunction>{UP}</disjunction>", "{1 <= p}"),
        (f"<implication>{UP}{FIRE}</implication>", "not {1 <= p} or {fireable(go)}"),
        (
            f"<exclusive-disjunction>{UP}{FIRE}</exclusive-disjunction>",
            "({1 <= p} & not {fireable(go)}) or (not {1 <= p} & {fireable(go)})",
        ),
        (f"<equivalence>{UP}{FIRE}</equivalence>", "({1 <= p} & {fireable(go)}) or (not {1 <= p} & not {fireable(go)})"),
        (f"<all-paths><globally>{UP}</globally></all-paths>", "AG {1 <= p}"),
        (f"<exists-path><finally>{UP}</finally></exists-path>", "EF {1 <= p}"),
        (f"<exists-path><next>{UP}</next></exists-path>", "EX {1 <= p}"),
        (f"<all-paths><next>{UP}</next></all-paths>", "AX {1 <= p}"),
        (
            f"<all-paths><until><before>{UP}</before><reach>{FIRE}</reach></until></all-paths>",
            "A[{1 <= p} U {fireable(go)}]",
        ),
        (f"<invariant>{UP}</invariant>", "AG {1 <= p}"),
        (f"<possibility>{UP}</possibility>", "EF {1 <= p}"),
        (f"<impossibility>{UP}</impossibility>", "not EF {1 <= p}"),
        ("<is-deadlock/>", "{deadlock}"),
    ],
)  # fmt: skip
def test_operators_of_the_contest(tmp_path: Path, xml: str, formula: str) -> None:
    (found,) = read_properties(written(tmp_path, contest(xml)), net_model())
    assert isinstance(found, TemporalProperty)
    assert (found.name, found.logic, found.ends, shown(found)) == ("P-CTL-00", "ctl", "strong", formula)


def test_conditions_of_the_contest_are_those_of_texts(tmp_path: Path) -> None:
    (found,) = read_properties(
        written(tmp_path, contest(f"<integer-lt><integer-sum>{P}{Q}</integer-sum>{ONE}</integer-lt>")),
        net_model(),
    )
    (same,) = read_properties(written(tmp_path, "ctl x: p + q < 1\n", "other.txt"), net_model())
    assert isinstance(found, TemporalProperty) and isinstance(same, TemporalProperty)
    assert found.propositions == same.propositions
    assert isinstance(found.propositions[0], Condition)


def test_formulas_of_ltl(tmp_path: Path) -> None:
    """Their ids say so, or they are no formulas of CTL. Then a deadlock repeats itself."""
    path = f"<all-paths><finally><next>{UP}</next></finally></all-paths>"
    (found,) = read_properties(written(tmp_path, contest(path)), net_model())
    assert isinstance(found, TemporalProperty)
    assert (found.logic, found.ends, shown(found)) == ("ltl", "stutter", "F X {1 <= p}")
    short = contest(f"<all-paths><next>{UP}</next></all-paths>").replace("CTL", "LTLCardinality")
    (next_,) = read_properties(written(tmp_path, short), net_model())
    assert isinstance(next_, TemporalProperty)
    assert (next_.logic, next_.ends, shown(next_)) == ("ltl", "stutter", "X {1 <= p}")


def test_bounds(tmp_path: Path) -> None:
    bound = "<place-bound><place>p</place><place>a-b</place></place-bound>"
    (found,) = read_properties(written(tmp_path, contest(bound)), net_model())
    assert isinstance(found, TokenBound)
    assert found.places == (0, 2)


def test_ids_come_before_names(tmp_path: Path) -> None:
    """The contest's files name ids; a name that is shown may be the id of another place."""
    net = replace(TWO_PLACES, place_ids=("q", "p", "r"), transition_ids=("back", "go"))
    (found,) = read_properties(
        written(tmp_path, contest(f"<conjunction>{UP}{FIRE}</conjunction>")), net_model(net)
    )
    assert isinstance(found, TemporalProperty)
    condition, fireable = found.propositions
    assert isinstance(condition, Condition)
    assert condition.expression.places == (1,)
    assert fireable.patterns[0].action == 1  # type: ignore[union-attr]


def around(inside: str, line: int = 3) -> str:
    lines = contest("<true/>").splitlines()
    lines[line - 1] = inside
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("xml", "message", "marker"),
    [
        (contest(FIRE.replace("go", "goo")), "there is no transition 'goo'", "goo"),
        (contest(UP.replace(">p<", "> \n pp <")), "there is no place 'pp'", "pp <"),
        (contest("<sometimes/>"), "the element <sometimes> is not known", "<sometimes"),
        (contest(""), "<formula> needs one formula, it has 0", "<formula>"),
        (contest("<true/><true/>"), "<formula> needs one formula, it has 2", "<formula>"),
        (contest("<negation/>"), "<negation> needs one formula, it has 0", "<negation"),
        (contest("<conjunction/>"), "<conjunction> needs at least one formula", "<conjunction"),
        (contest("<is-fireable/>"), "<is-fireable> needs at least one <transition>", "<is-fireable"),
        (contest(f"<implication>{UP}</implication>"), "<implication> needs two formulas, it has 1", "<implication"),
        (contest(f"<integer-lt>{P}</integer-lt>"), "<integer-lt> needs two numbers, it has 1", "<integer-lt"),
        (contest(f"<integer-lt>{P}{UP}</integer-lt>"), "<integer-le> is no number, as <integer-lt> needs it", "<integer-lt"),
        (contest("<until><reach><true/></reach></until>"),
         "<until> needs a <before> and a <reach>, in this order", "<until"),
        (contest("<negation>text</negation>"), "text means nothing in <negation>", "text"),
        (contest(UP.replace(">1<", ">one<")), "'one' is no number of 64 bits", "one<"),
        (contest(UP.replace(">1<", ">²<")), "'²' is no number of 64 bits", "²<"),
        (contest(UP.replace(">1<", f">{10**30}<")), f"'{10**30}' is no number of 64 bits", f"{10**30}"),
        (contest("<place-bound/>"), "<place-bound> needs at least one <place>", "<place-bound"),
        (
            contest("<integer-le><place-bound><place>p</place></place-bound></integer-le>"),
            "<place-bound> is no number, as <integer-le> needs it",
            "<integer-le",
        ),
        (around("<property><formula><true/></formula></property>"), "<property> needs one <id>, it has 0", "<property>"),
        (around("<property><id>x</id></property>"), "<property> needs one <formula>, it has 0", "<property>"),
        (around("<property><id> </id><formula><true/></formula></property>"), "<id> is empty", "<id>"),
        (around("<property><id>x</id><formula><true/></formula></property>" * 2), "there are two properties 'x'", ""),
        ("<html></html>", "expected a <property-set>, found <html>", "<html>"),
        ("<property-set></property>", "this is no well-formed XML: mismatched tag", "property>"),
        (contest("<true/>") + "x", "this is no well-formed XML: junk after document element", "x"),
        (contest("&nbsp;<true/>"), "this is no well-formed XML: undefined entity", "&nbsp;"),
        ("<property-set>\x01</property-set>", "this is no well-formed XML: not well-formed (invalid token)", "\x01"),
        (contest("<negation>" * 500), "elements are nested more than 400 deep", ""),
        (
            contest("<negation>" * 150 + "<true/>" + "</negation>" * 150),
            "the formula is more than 100 operators deep, or has more than 20,000",
            "",
        ),
    ],
)  # fmt: skip
def test_bad_xml(tmp_path: Path, xml: str, message: str, marker: str) -> None:
    """The place is that of the marker, the last one in the file."""
    path = written(tmp_path, xml)
    with pytest.raises((InputError, UnsupportedError)) as refused:
        read_properties(path, net_model())
    found = refused.value.diagnostic
    assert found.span is not None
    assert (found.message, found.source) == (message, str(path))
    if marker:
        before = xml[: xml.rindex(marker)]
        place = (before.count("\n") + 1, len(before) - before.rfind("\n"))
        assert (found.span.line, found.span.column) == place


ENTITIES = """<?xml version="1.0"?>
<!DOCTYPE p [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>
<property-set><property><id>&c;</id><formula><true/></formula></property></property-set>
"""


def test_entities_are_not_expanded(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="a DOCTYPE is not supported") as refused:
        read_properties(written(tmp_path, ENTITIES), net_model())
    assert refused.value.diagnostic.span is not None
    assert refused.value.diagnostic.span.line == 2


def test_the_contest_is_for_nets(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="speak of places and transitions"):
        read_properties(written(tmp_path, contest("<true/>")), sem(2))


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_damaged_files_are_read_or_refused(tmp_path: Path, data: st.DataObject) -> None:
    xml = contest(
        f"<all-paths><until><before>{UP}</before><reach>{FIRE}</reach></until></all-paths>"
    ).encode()
    at = data.draw(st.integers(0, len(xml)))
    damaged = xml[:at] + data.draw(st.binary(max_size=3)) + xml[at + data.draw(st.integers(0, 5)) :]
    path = written(tmp_path, damaged)
    try:
        read_properties(path, net_model())
    except BurnsideError as refused:
        assert refused.diagnostic.source == str(path)


# Models of others


def contest_model(name: str) -> tuple[Path, Model]:
    path = MODELS / name
    if not path.is_dir():
        pytest.skip(f"../shared/models/pnml/{name} is absent")
    return path, load(path / "model.pnml")


def verdicts(path: Path, examination: str) -> list[str]:
    short = {"LTLCardinality": "LTLC", "LTLFireability": "LTLF", "CTLCardinality": "CTLC", "CTLFireability": "CTLF",
             "ReachabilityCardinality": "RC", "ReachabilityFireability": "RF", "UpperBounds": "UB"}[examination]  # fmt: skip
    lines = (path / f"{path.name}-{short}.out").read_text().splitlines()
    return [line.split()[2] for line in lines if line.startswith("FORMULA")]


@pytest.mark.parametrize(
    "name",
    [
        "ResAllocation-PT-R002C002", "ResAllocation-PT-R003C002", "Sudoku-PT-AN01", "Sudoku-PT-BN01",
        "StigmergyElection-PT-02a",
    ],
)  # fmt: skip
def test_verdicts_of_the_contest(name: str) -> None:
    """Verdicts are numbered in the order of the ids, which is not that of the file."""
    from burnside.kinds import kind_of

    path, model = contest_model(name)
    semantics = kind_of(model.subject).semantics_of(model.subject)
    for file in sorted(path.glob("*.xml")):
        found = sorted(read_properties(file, model), key=lambda each: each.name)
        answers = [
            {True: "TRUE", False: "FALSE", None: "?"}[check_property(semantics, each).holds]
            for each in found
            if isinstance(each, TemporalProperty)
        ]
        if answers:
            assert (file.name, answers) == (file.name, verdicts(path, file.stem))


@pytest.mark.slow
def test_all_files_of_the_contest_are_read() -> None:
    if not MODELS.is_dir():
        pytest.skip("../shared/models/pnml is absent")
    nets = [path for path in sorted(MODELS.glob("*-PT-*")) if (path / "model.pnml").is_file()]
    for path in nets:
        model = load(path / "model.pnml")
        for file in path.glob("*.xml"):
            assert len(read_properties(file, model)) == 16
