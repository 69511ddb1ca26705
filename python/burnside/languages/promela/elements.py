"""Trees of control to linked elements, with Spin's numbers.

In: the body of a process. Out: a `Body`: sequences of elements, each with the number that Spin gives it, its successor, the
options below it, the escapes that apply to it and whether it is inside an atomic or d_step. Numbers are given in the order
in which Spin's parser meets the ends of statements: first what is inside a statement, then the statement itself. `graphs`
makes transitions of it.
"""

from __future__ import annotations

from typing import Literal

from burnside.diagnostics import InputError
from burnside.languages.promela import statements as s
from burnside.languages.promela import tree as c
from burnside.languages.promela.expressions import ChannelQuery, Number, children
from burnside.languages.shared.spans import Extent
from burnside.records import field, record

MARKS = ("accept", "end", "progress")

ElementKind = Literal["basic", "goto", "break", "join", "if", "do", "unless", "atomic", "d_step", "plain"]
"""`join` is where the options of a selection, and a statement and its escape, meet; `break` is where a loop is left."""

INSIDE, LAST = "inside", "last"
"""Where in an atomic an element is: its last statement gives control back."""


@record(eq=False, repr=False, frozen=False)
class Element:
    at: Extent
    kind: ElementKind
    number: int
    identity: int
    """Unlike that of all elements of the model."""
    statement: s.Statement | None = None
    goto: c.Goto | c.Break | None = None
    options: list[Run] = field(default_factory=list)
    """Of `if`, `do`; of `unless`: the statement and its escape."""
    body: Run | None = None
    """Of a block."""
    next: Element | None = None
    escapes: list[Run] = field(default_factory=list)
    """From the outermost `unless` to the innermost."""
    atomic: str | None = None
    in_d_step: bool = False


@record(eq=False, repr=False, frozen=False)
class Run:
    """A sequence of elements. `last` moves to what is appended when the sequence is tied up; `extent` does not."""

    first: Element | None = None
    last: Element | None = None
    extent: Element | None = None

    def start(self) -> Element:
        assert self.first is not None
        return self.first

    def end(self) -> Element:
        assert self.last is not None
        return self.last


@record(eq=False, repr=False, frozen=False)
class Label:
    name: str
    scope: c.Scope
    inline: int
    element: Element
    at: Extent
    order: int = 0
    """Of its declaration."""


class Labels:
    """Of a process, in the order of their declarations. Spin searches them from the last to the first."""

    def __init__(self) -> None:
        self.all: list[Label] = []
        self.by_name: dict[str, list[Label]] = {}
        self.by_scope: dict[tuple[str, c.Scope], list[Label]] = {}
        self.by_element: dict[int, list[Label]] = {}

    def add(self, label: Label) -> None:
        in_scope = self.by_scope.setdefault((label.name, label.scope), [])
        for each in in_scope:
            if each.inline == label.inline:
                hint = f"it is declared at {each.at.seen_from(label.at)}"
                raise InputError(label.at.diagnostic(f"there is already a label '{label.name}'", hint))
        label.order = len(self.all)
        self.all.append(label)
        in_scope.append(label)
        self.by_name.setdefault(label.name, []).append(label)
        self.by_element.setdefault(id(label.element), []).append(label)

    def meant(self, name: str, scope: c.Scope) -> Label | None:
        """By a jump: a label of the same scope, else the first of those around it, else the last of that name."""
        if (name, scope) in self.by_scope:
            return self.by_scope[name, scope][-1]
        around = [(name, scope[:length]) for length in range(len(scope))]
        outer = [self.by_scope[key][0] for key in around if key in self.by_scope]
        if outer:
            return min(outer, key=lambda label: label.order)
        return self.by_name[name][-1] if name in self.by_name else None

    def of(self, element: Element) -> list[Label]:
        return self.by_element.get(id(element), [])

    def move_last(self, element: Element, to: Element) -> None:
        """The label that was declared last at an element."""
        label = self.by_element[id(element)].pop()
        label.element = to
        self.by_element.setdefault(id(to), []).append(label)


@record(eq=False, repr=False, frozen=False)
class Body:
    run: Run
    labels: Labels
    breaks: dict[int, Element]
    elements: list[Element]
    size: int
    """All numbers are less."""

    def target(self, goto: c.Goto | c.Break) -> Element:
        """Where a jump goes."""
        if isinstance(goto, c.Break):
            return self.breaks[goto.loop]
        found = self.labels.meant(goto.label, goto.scope)
        if found is None:
            raise InputError(goto.at.diagnostic(f"there is no label '{goto.label}'"))
        return found.element


class Builder:
    def __init__(self, first_identity: int, is_claim: bool) -> None:
        self.count = 1
        self.identity = first_identity
        self.is_claim = is_claim
        self.labels = Labels()
        self.breaks: dict[int, Element] = {}
        self.elements: list[Element] = []

    def body(self, sequence: c.Sequence, end: Extent) -> Body:
        run = self.sequence(sequence)
        self.append(self.element(end, "basic", s.End(end)), run)
        body = Body(run, self.labels, self.breaks, self.elements, self.count)
        for each in self.elements:
            if each.goto is not None:
                body.target(each.goto)
        return body

    def element(
        self,
        at: Extent,
        kind: ElementKind,
        statement: s.Statement | None = None,
        goto: c.Goto | c.Break | None = None,
    ) -> Element:
        made = Element(at, kind, self.count, self.identity, statement, goto)
        self.count += 1
        self.identity += 1
        self.elements.append(made)
        return made

    def sequence(self, sequence: c.Sequence) -> Run:
        run = Run()
        for node in sequence.nodes:
            self.add(node, run)
        run.extent = run.last
        return run

    # Statements

    def add(self, node: c.Node, run: Run) -> None:
        self.add_prepared(self.prepared(node), run)

    def prepared(self, node: c.Node) -> Prepared:
        """What is inside a statement gets its numbers before the statement itself."""
        match node:
            case c.Labelled():
                return Prepared(node, inner=self.prepared(node.node))
            case c.Choice():
                runs = [self.sequence(each) for each in node.options]
                if node.drops_skips and not self.is_claim:
                    for each in runs:
                        self.drop_skips(each)
                return Prepared(node, runs=runs)
            case c.Block():
                run = self.sequence(node.body)
                self.check_first_label(run, node)
                if node.kind == "d_step":
                    self.check_jumps(node.body, run)
                made = Prepared(node, runs=[run], kind=node.kind)
                if node.kind != "plain":
                    self.make_atomic(run, node.kind == "d_step")
                return made
            case c.Unless():
                return self.prepared_unless(node)
        return Prepared(node)

    def add_prepared(self, made: Prepared, run: Run) -> None:
        labels: list[c.Labelled] = []
        while isinstance(made.node, c.Labelled) and made.inner is not None:
            labels.append(made.node)
            made = made.inner
        element = self.added(made, run)
        for label in reversed(labels):
            self.labels.add(Label(label.label, label.scope, label.inline, element, label.at))
        if element.kind not in ("if", "do", "unless"):
            self.append(element, run)

    def added(self, made: Prepared, run: Run) -> Element:
        """The element that labels of the statement are at. Selections are in the sequence already."""
        match made.node:
            case c.Basic(at, statement):
                return self.element(at, "basic", statement)
            case c.Goto(at) | c.Break(at):
                return self.element(at, "goto", goto=made.node)
            case c.Choice():
                return self.selection(made.node, made.runs, run)
            case c.Block(at):
                assert made.kind is not None
                element = self.element(at, made.kind)
                element.body = made.runs[0]
                return element
            case c.Unless():
                return self.unless(made.node, made.runs, run)
        raise AssertionError("labels are taken off before")

    def selection(self, node: c.Choice, runs: list[Run], run: Run) -> Element:
        at = node.at
        element = self.element(at, "if" if node.loop is None else "do")
        join = self.element(at, "join")
        runs = self.else_last(runs[::-1] if node.is_reversed else runs)
        element.options = runs
        for option in runs:
            self.append(join, option)
        target = join
        if node.loop is not None:
            self.append(join, run)
            target = self.element(at, "break")
            self.breaks[node.loop] = target
        self.append(element, run)
        self.append(target, run)
        return element

    def else_last(self, runs: list[Run]) -> list[Run]:
        """Spin moves the option with `else` behind the others, and notes whether they use channels."""
        with_else = [each for each in runs if isinstance(each.start().statement, s.Else)]
        if len(with_else) > 1:
            raise InputError(
                with_else[1].start().at.diagnostic("there is already an 'else' in this selection")
            )
        others = [each for each in runs if each not in with_else]
        if with_else:
            first = with_else[0].start()
            first.statement = s.Else(first.at, any(_uses_channel(each.start().statement) for each in others))
        return others + with_else

    def unless(self, node: c.Unless, runs: list[Run], run: Run) -> Element:
        element = self.element(node.at, "unless")
        join = self.element(node.at, "join")
        element.options = runs
        for each in runs:
            self.append(join, each)
        self.attach(runs[0], runs[1])
        self.append(element, run)
        self.append(join, run)
        return element

    def prepared_unless(self, node: c.Unless) -> Prepared:
        main, escape = self.prepared(node.main), self.prepared(node.escape)
        if escape.kind == "plain":
            escape_run = escape.runs[0]
        else:
            escape_run = self.alone(escape)
            self.check_unlabelled(escape_run, "the guard of an escape cannot have a label")
        if main.kind == "plain" and not isinstance(main.node, c.Labelled):
            return Prepared(node, runs=[main.runs[0], escape_run])
        inner = main
        labels: list[c.Labelled] = []
        while isinstance(inner.node, c.Labelled) and inner.inner is not None:
            labels.append(inner.node)
            inner = inner.inner
        if labels and len(labels) == 1 and inner.kind is not None:
            # `L: { ... } unless ...` is `L: { { ... } unless ... }`, with the kind of the block.
            whole = Run()
            self.add_prepared(Prepared(node, runs=[inner.runs[0], escape_run]), whole)
            whole.extent = whole.last
            block = Prepared(inner.node, runs=[whole], kind=inner.kind)
            return Prepared(labels[0], inner=block)
        run = self.alone(main)
        self.check_unlabelled(run, "'L: x unless y' must be written 'L: { x unless y }'")
        return Prepared(node, runs=[run, escape_run])

    def alone(self, made: Prepared) -> Run:
        run = Run()
        self.add_prepared(made, run)
        run.extent = run.last
        return run

    # Sequences

    def append(self, element: Element, run: Run) -> None:
        if element.kind == "goto" and any(each.name.startswith(MARKS) for each in self.labels.of(element)):
            self.append(self.skip_for(element), run)
        if run.last is None:
            run.first = element
        else:
            run.last.next = element
        run.last = element

    def skip_for(self, element: Element) -> Element:
        """A state of its own for a marked label at a jump; it takes over the label that was declared last."""
        skip = self.element(element.at, "basic", s.Condition(element.at, Number(element.at, 1)))
        self.labels.move_last(element, skip)
        return skip

    def drop_skips(self, run: Run) -> None:
        """Of several `skip`s without labels in a row, in an option, Spin keeps the first (and the last of the option)."""
        before, count, element = None, 0, run.first
        while element is not None:
            if _is_skip(element.statement) and not self.labels.of(element):
                count += 1
                inner = element is not run.first and element is not run.last and element is not run.extent
                if count > 1 and not isinstance(element.statement, s.Print) and inner and before is not None:
                    before.next = element.next
                    element = before
            else:
                count = 0
            before, element = element, element.next

    # Checks

    def check_first_label(self, run: Run, node: c.Block) -> None:
        word = {"plain": "{", "atomic": "atomic {", "d_step": "d_step {"}[node.kind]
        self.check_unlabelled(run, f"'{word} L: ...' must be written 'L: {word} ...'")

    def check_unlabelled(self, run: Run, hint: str) -> None:
        for each in self.labels.of(run.start()):
            raise InputError(each.at.diagnostic(f"the label '{each.name}' cannot be here", hint))

    def check_jumps(self, body: c.Sequence, run: Run) -> None:
        """No jump leaves a d_step, but by a `break` that ends it: Spin finds its targets among what is inside."""
        inside = set(map(id, _within(run, set())))
        for element in _within(run, set()):
            if element.goto is None:
                continue
            if isinstance(element.goto, c.Break):
                if element.goto.loop in self.breaks and id(self.breaks[element.goto.loop]) in inside:
                    continue
                raise InputError(element.at.diagnostic("this jumps out of a d_step"))
            labels = self.labels.by_name.get(element.goto.label, ())
            if not any(id(each.element) in inside for each in labels):
                raise InputError(element.at.diagnostic("this jumps out of a d_step"))

    # Escapes and atomicity

    def attach(self, run: Run, escape: Run) -> None:
        element = run.first
        while element is not None:
            self.attach_to(element, escape)
            if element is run.extent:
                break
            element = element.next

    def attach_to(self, element: Element, escape: Run) -> None:
        if any(each is escape for each in element.escapes):
            return
        for inner in element.escapes:
            self.attach(inner, escape)
        element.escapes.insert(0, escape)
        match element.kind:
            case "unless":
                self.attach(element.options[0], escape)
            case "if" | "do":
                for option in element.options:
                    self.attach(option, escape)
            case "d_step":
                assert element.body is not None
                self.attach_to(element.body.start(), escape)
            case "atomic" | "plain":
                assert element.body is not None
                self.attach(element.body, escape)

    def make_atomic(self, run: Run, is_d_step: bool) -> None:
        self.walk_atomic(run, is_d_step)
        last = run.end()
        if last.kind in ("plain", "atomic"):
            assert last.body is not None
            self.make_atomic(last.body, is_d_step)
        elif last.kind == "unless":
            self.make_atomic(last.options[0], is_d_step)
        else:
            last.atomic = LAST

    def walk_atomic(self, run: Run, is_d_step: bool) -> None:
        element: Element | None = run.start()
        while element is not None:
            element.atomic = INSIDE
            element.in_d_step = element.in_d_step or is_d_step
            if element.kind in ("atomic", "plain") or (element.kind == "d_step" and is_d_step):
                element.kind = "plain"
                assert element.body is not None
                self.walk_atomic(element.body, is_d_step)
            elif element.kind == "unless" and is_d_step:
                raise InputError(element.at.diagnostic("'unless' cannot be in a d_step"))
            for option in element.options:
                self.walk_atomic(option, is_d_step)
            if element is run.last:
                break
            element = element.next


@record(eq=False, repr=False)
class Prepared:
    """A statement whose inside has its elements already."""

    node: c.Node
    runs: list[Run] = field(default_factory=list)
    kind: Literal["plain", "atomic", "d_step"] | None = None
    inner: Prepared | None = None


def _within(run: Run, seen: set[int]) -> list[Element]:
    found: list[Element] = []
    element = run.first
    while element is not None and id(element) not in seen:
        seen.add(id(element))
        found.append(element)
        for inner in (*element.options, *([element.body] if element.body else [])):
            found += _within(inner, seen)
        element = element.next
    return found


def _is_skip(statement: s.Statement | None) -> bool:
    if isinstance(statement, s.Condition):
        return isinstance(statement.test, Number) and statement.test.value == 1
    return isinstance(statement, s.Print)


def _uses_channel(statement: s.Statement | None) -> bool:
    if isinstance(statement, s.Send | s.Receive):
        return True
    if isinstance(statement, s.Condition):
        level = [statement.test]
        while level:
            if any(isinstance(each, ChannelQuery) and each.operator != "len" for each in level):
                return True
            level = [child for each in level for child in children(each)]
    return False
