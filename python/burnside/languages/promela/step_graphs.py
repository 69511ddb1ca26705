"""The inside of a d_step as a graph of its own. In: its elements. Out: a `StepGraph`, jumps and blocks followed, selections
as states with one transition for each guard."""

from __future__ import annotations

from burnside.diagnostics import InputError
from burnside.languages.promela import statements as s
from burnside.languages.promela.elements import Body, Element, Run
from burnside.languages.promela.flow import StepGraph, StepTransition
from burnside.languages.shared.spans import Extent


def step_graph(body: Body, run: Run, at: Extent) -> StepGraph:
    return StepGrapher(body, run).graph(run, at)


class StepGrapher:
    def __init__(self, body: Body, run: Run) -> None:
        self.body = body
        self.inside: set[int] = set()
        self.collect(run)
        self.transitions: list[StepTransition] = []

    def collect(self, run: Run) -> None:
        element = run.first
        passed: set[int] = set()
        # The join of a selection is also the end of its options: it is inside already, but what comes behind it is not.
        while element is not None and id(element) not in passed:
            passed.add(id(element))
            self.inside.add(id(element))
            for inner in (*element.options, *([element.body] if element.body else [])):
                self.collect(inner)
            if element is run.last:
                break
            element = element.next

    def graph(self, run: Run, at: Extent) -> StepGraph:
        entry = self.settled(run.start())
        if entry is None:
            first = run.start()
            return StepGraph(at, first.number, (StepTransition(first.number, None, s.Jump(first.at)),))
        pending, done = [entry], {entry.number}
        while pending:
            state = pending.pop()
            for element, statement in self.guards(state):
                following = self.after(element)
                target = None if following is None else following.number
                self.transitions.append(StepTransition(state.number, target, statement))
                if following is not None and following.number not in done:
                    done.add(following.number)
                    pending.append(following)
        return StepGraph(at, entry.number, tuple(self.transitions))

    def guards(self, element: Element) -> list[tuple[Element, s.Statement]]:
        """The statements that can be first from here; a selection has those of its options."""
        if element.kind in ("if", "do"):
            found: list[tuple[Element, s.Statement]] = []
            for option in element.options:
                found += self.guards(option.start())
            return found
        if element.body is not None:
            return self.guards(element.body.start())
        return [(element, element.statement or s.Jump(element.at))]

    def after(self, element: Element) -> Element | None:
        """Where control is settled behind a statement or jump."""
        following = self.body.target(element.goto) if element.goto is not None else element.next
        return self.settled(following)

    def settled(self, element: Element | None) -> Element | None:
        """The statement or selection that control comes to; None outside of the d_step."""
        seen: set[int] = set()
        while element is not None and id(element) in self.inside:
            if id(element) in seen:
                raise InputError(
                    element.at.diagnostic("jumps lead in a circle here, without a statement between them")
                )
            seen.add(id(element))
            if element.goto is not None:
                element = self.body.target(element.goto)
            elif element.kind in ("join", "break"):
                element = element.next
            elif element.body is not None:
                element = element.body.start()
            else:
                return element
        return None
