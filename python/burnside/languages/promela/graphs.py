"""Elements to flow graphs, as Spin's code generator and `pan` at its start do.

In: the `Body` of a process. Out: its `Graph`. First every element gets a list of raw transitions (Spin's put_seq): a basic
statement one; a selection or block a head and a link to the first element of each option. Jumps and joins are followed
where control may go on (`hunt`), so that most of them are no states. Then (pan's retrans) selections within selections are
flattened, the first transition of each option is pulled up into the selection, marks of the states in between move on, and
escapes are put in front of the transitions that they apply to.
"""

from __future__ import annotations

from collections.abc import Sequence

from burnside.diagnostics import InputError
from burnside.languages.promela import statements as s
from burnside.languages.promela.elements import INSIDE, LAST, MARKS, Body, Element, Run
from burnside.languages.promela.expressions import Number
from burnside.languages.promela.flow import Graph, State, Transition
from burnside.languages.promela.step_graphs import step_graph
from burnside.records import field, record

MAX_HOPS = 500
"""Jumps and joins between two statements."""
MAX_TRANSITIONS = 200_000
BLOCKS = ("atomic", "d_step", "plain")


@record(eq=False, repr=False, frozen=False)
class Raw:
    """A transition that is being made; of a head of options, `statement` is None."""

    target: int
    statement: s.Statement | None
    keeps_control: bool
    identity: int
    escapes: list[int] = field(default_factory=list)
    escape: int = 0

    def copy(self, escape: int | None = None) -> Raw:
        number = self.escape if escape is None else escape
        return Raw(self.target, self.statement, self.keeps_control, self.identity, self.escapes, number)


def graph_of(body: Body, remote_labels: Sequence[str]) -> Graph:
    """`remote_labels` are those that remote references name."""
    for name in remote_labels:
        keep_remote_label(body, name)
    tie_blocks(body)
    return Grapher(body).graph()


def keep_remote_label(body: Body, name: str) -> None:
    """A label at a jump gets a state of its own, or its state would be elided and never be seen from outside."""
    labels = body.labels.by_name.get(name)
    if not labels or labels[-1].element.kind != "goto":
        return
    element = labels[-1].element
    identity = body.elements[-1].identity + 1
    moved = Element(element.at, "goto", body.size, identity, goto=element.goto, next=element.next)
    body.size += 1
    body.elements.append(moved)
    element.kind, element.goto, element.next = "basic", None, moved
    element.statement = s.Condition(element.at, Number(element.at, 1))


def tie_blocks(body: Body) -> None:
    """What is last in a block goes on behind the block."""
    for element in reversed(body.elements):
        if element.next is None or element.kind not in BLOCKS or element.body is None:
            continue
        following: Element | None = element.next
        while following is not None and following.kind == "join":
            following = following.next
        last = element.body.end()
        if last.next is None:
            last.next = following
        elif last.next.kind == "goto":
            element.body.last = last.next


class Grapher:
    def __init__(self, body: Body) -> None:
        self.body = body
        self.raw: dict[int, list[Raw]] = {}
        self.done: set[int] = set()
        self.marks: dict[str, set[int]] = {mark: set() for mark in MARKS}
        for label in body.labels.all:
            for mark in MARKS:
                if label.name.startswith(mark):
                    self.marks[mark].add(label.element.number)
        self.marks["end"].add(body.run.end().number)

    def graph(self) -> Graph:
        first = self.body.run.start()
        entry = self.hunt(first, first).number
        self.put_run(self.body.run)
        self.flatten()
        self.pull()
        self.prepend_escapes()
        for number, several in self.raw.items():
            if len(several) == 1 and number in self.marks["end"] and self.is_join(number):
                self.marks["end"].add(several[0].target)
        return self.reachable(entry)

    # Following control

    def hunt(self, element: Element, origin: Element) -> Element:
        """The element that holds a state when control comes to this one. Inside an atomic, a jump that leaves it is kept."""
        at = element
        for _ in range(MAX_HOPS):
            if at.kind == "goto":
                assert at.goto is not None
                following: Element | None = self.body.target(at.goto)
                if following is at:
                    raise InputError(at.at.diagnostic("this jump goes to itself"))
                assert following is not None
                self.check_d_step(at, following)
            elif at.kind in ("join", "break"):
                following = at.next
                if following is None:
                    return at
            elif at.kind == "unless":
                following = self.hunt(at.options[0].start(), origin)
            else:
                return at
            if origin.atomic == INSIDE and following.atomic != INSIDE:
                return at
            at = following
        raise InputError(
            element.at.diagnostic("jumps lead in a circle here, without a statement between them")
        )

    def check_d_step(self, jump: Element, target: Element) -> None:
        if jump.in_d_step != target.in_d_step:
            raise InputError(jump.at.diagnostic("this jumps into a d_step"))

    def option_start(self, element: Element) -> Element:
        """As `hunt`, but jumps are kept: an option may be a jump alone."""
        at = element
        for _ in range(MAX_HOPS):
            if at.kind == "join" and at.next is not None:
                at = at.next
            elif at.kind == "unless":
                at = at.options[0].start()
            else:
                return at
        raise InputError(
            element.at.diagnostic("jumps lead in a circle here, without a statement between them")
        )

    # Raw transitions

    def put_run(self, run: Run) -> None:
        element = run.first
        while element is not None:
            if id(element) not in self.done:
                self.done.add(id(element))
                self.put(element)
            if element is run.last:
                break
            element = element.next

    def put(self, element: Element) -> None:
        if element.kind == "unless":
            self.put_run(element.options[0])
        elif element.options:
            self.put_selection(element)
        elif element.kind in BLOCKS:
            self.put_block(element)
        else:
            self.put_basic(element)

    def put_selection(self, element: Element) -> None:
        links = [self.link(element, 0)]
        for option in element.options:
            start = self.option_start(option.start())
            if not (_is_false(start.statement) and not start.escapes):
                links.append(self.link(element, start.number))
        self.raw[element.number] = links
        for option in element.options:
            self.put_run(option)

    def link(self, element: Element, target: int) -> Raw:
        return Raw(target, None, element.atomic == INSIDE, element.identity)

    def put_block(self, element: Element) -> None:
        body = element.body
        assert body is not None
        self.patch_atomic(body)
        start = self.option_start(body.start())
        body.end().next = element.next
        if element.kind == "d_step":
            graph = step_graph(self.body, body, element.at)
            target = self.hunt(element.next, element).number if element.next is not None else 0
            statement = s.DeterministicStep(element.at, graph)
            self.raw[element.number] = [Raw(target, statement, element.atomic == INSIDE, element.identity)]
            self.put_escapes(element)
            return
        self.raw[element.number] = [self.link(element, 0), self.link(element, start.number)]
        self.put_run(body)

    def patch_atomic(self, run: Run) -> None:
        """A jump out of an atomic gives control back; a jump into an atomic keeps it."""
        element = run.first
        while element is not None:
            if element.goto is not None:
                target = self.body.target(element.goto)
                self.check_d_step(element, target)
                if element.atomic and not target.atomic:
                    element.atomic = LAST
                elif element.atomic and target.atomic:
                    element.atomic = INSIDE
            else:
                for option in element.options:
                    self.patch_atomic(option)
            if element is run.extent:
                break
            element = element.next

    def put_basic(self, element: Element) -> None:
        target = 0
        if element.goto is not None:
            target = self.hunt(self.body.target(element.goto), element).number
        elif element.next is not None:
            target = self.hunt(element.next, element).number
        statement = element.statement or s.Jump(element.at)
        self.raw[element.number] = [Raw(target, statement, element.atomic == INSIDE, element.identity)]
        self.put_escapes(element)

    def put_escapes(self, element: Element) -> None:
        if not element.escapes or element.kind == "join":
            return
        self.raw[element.number][0].escapes = [
            self.hunt(each.start(), element).number for each in element.escapes
        ]
        for each in element.escapes:
            self.put_run(each)

    # What pan does before it starts

    def flatten(self) -> None:
        """Options that are selections or blocks themselves are replaced by their options."""
        changed = True
        while changed:
            changed = False
            for number in sorted(self.raw):
                links = self.raw[number][1:]
                if not any(self.is_choice(each.target) for each in links):
                    continue
                flat = self.raw[number][:1]
                for link in links:
                    if not self.is_choice(link.target):
                        flat.append(link)
                        continue
                    for inner in self.raw[link.target][1:]:
                        flat.append(inner.copy())
                        self.pass_marks(link.target, inner.target)
                    changed = True
                self.raw[number] = flat
                self.check_size(flat)

    def is_choice(self, number: int) -> bool:
        return len(self.raw.get(number, ())) > 1

    def check_size(self, several: Sequence[Raw]) -> None:
        if len(several) > MAX_TRANSITIONS:
            raise InputError(
                self.body.run.start().at.diagnostic(f"more than {MAX_TRANSITIONS:,} options in one selection")
            )

    def pull(self) -> None:
        """The first transition of each option becomes one of the selection."""
        for number in sorted(self.raw):
            links = self.raw[number][1:]
            if not links:
                continue
            pulled: list[Raw] = []
            for link in links:
                if link.target in self.raw:
                    pulled.append(self.raw[link.target][0].copy())
                    self.pass_marks(link.target, pulled[-1].target)
            self.raw[number] = pulled

    def pass_marks(self, source: int, target: int) -> None:
        for numbers in self.marks.values():
            if source in numbers:
                numbers.add(target)

    def prepend_escapes(self) -> None:
        for number in sorted(self.raw):
            several = self.raw[number]
            for raw in tuple(several):
                for escape in reversed(raw.escapes):
                    for guard in tuple(self.raw.get(escape, ())):
                        if all(each.identity != guard.identity for each in several):
                            several.insert(0, guard.copy(escape))

    def is_join(self, number: int) -> bool:
        element = next((each for each in self.body.elements if each.number == number), None)
        return element is not None and element.kind == "join"

    def reachable(self, entry: int) -> Graph:
        states: dict[int, State] = {}
        transitions: list[Transition] = []
        pending = [entry]
        names: dict[int, list[str]] = {}
        for label in self.body.labels.all:
            names.setdefault(label.element.number, []).append(label.name)
        while pending:
            number = pending.pop()
            if number in states or number not in self.raw:
                continue
            states[number] = State(
                number,
                tuple(names.get(number, ())),
                number in self.marks["end"],
                number in self.marks["progress"],
                number in self.marks["accept"],
            )
            several = [each for each in self.raw[number] if each.statement is not None]
            for each in several:
                assert each.statement is not None
                transitions.append(
                    Transition(
                        number, each.target, each.statement, each.keeps_control, each.escape, each.identity
                    )
                )
            pending += reversed([each.target for each in several])
        labels = {label.name: label.element.number for label in self.body.labels.all}
        return Graph(entry, states, tuple(transitions), labels)


def _is_false(statement: s.Statement | None) -> bool:
    return (
        isinstance(statement, s.Condition)
        and isinstance(statement.test, Number)
        and statement.test.value == 0
    )
