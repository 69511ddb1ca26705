"""Lowering of flow graphs: one action for each step of a process, or for each path through an atomic sequence.

In: a model with its layout. Out: the actions of the program. A process in an atomic sequence keeps control, so a path
through the sequence is one step: it is written as one action, with an assumption for every choice on the way. Where a path
would become too long, or needs another process (a rendezvous), the action ends inside of the sequence and keeps control
(`Action.keeps_control`); the engine then goes on from there. Both give the same steps between stored states.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.printouts import Printout
from burnside.ir.program import Action
from burnside.languages.promela import expressions as x
from burnside.languages.promela import statements as st
from burnside.languages.promela.flow import Transition
from burnside.languages.promela.lower.beginning import Beginning
from burnside.languages.promela.lower.creation import can_end
from burnside.languages.promela.lower.effects import Option
from burnside.languages.promela.lower.frames import Frame, Known
from burnside.languages.promela.lower.printouts import printout
from burnside.languages.promela.lower.rendezvous import Rendezvous
from burnside.languages.promela.lower.terms import (
    arithmetic,
    compared,
    conjunction,
    constant,
    disjunction,
    negation,
)
from burnside.languages.promela.lower.titles import path_titles, title
from burnside.languages.promela.model import Process
from burnside.records import record, replace

MAX_PATHS = 64
"""Through one atomic sequence."""
MAX_STEPS = 2_000
"""Of all paths through one."""
MAX_COPIED = 500
"""Statements that are written again, all in all, for the ways that go on from one point: an `init` that starts many
processes and then chooses one of them ends its action before it chooses."""


@record(eq=False)
class Path:
    """A beginning of a path through an atomic sequence."""

    state: int
    statements: tuple[s.Statement, ...]
    known: Known
    visited: frozenset[int]
    titles: tuple[str, ...]
    keeps_control: bool
    prints: tuple[Printout, ...] = ()
    can_go_on: bool = False
    """Is it certain that the process can do something where the path ends?"""


class Actions(Rendezvous):
    """Processes are called `self` in actions, and `other` where they take part in a rendezvous."""

    reads_last: bool
    beginning: Beginning
    moves: list[tuple[str, int, int]]
    """Processes, and from which state of their graphs to which they go in one step."""

    def actions(self) -> Iterator[Action]:
        """Of the states that processes come to, from their entries on."""
        done: set[tuple[str, int]] = set()
        while True:
            reached = self.resting()
            todo = [
                (name, state)
                for name in self.layout.process_sorts
                for state in self.points[name]
                if state in reached[name] and (name, state) not in done
            ]
            if not todo:
                return
            for name, state in todo:
                done.add((name, state))
                yield from self._of_state(self.model.by_name[name], state)

    def resting(self) -> dict[str, set[int]]:
        """The states in which processes can be between two steps."""
        found: dict[str, set[int]] = {}
        for name in self.layout.process_sorts:
            steps: dict[int, set[int]] = {}
            for process, source, target in self.moves:
                if process == name:
                    steps.setdefault(source, set()).add(target)
            open_states = [self.model.by_name[name].graph.entry]
            found[name] = set(open_states)
            while open_states:
                new = steps.get(open_states.pop(), set()) - found[name]
                found[name] |= new
                open_states += new
        return found

    def _of_state(self, process: Process, state: int) -> Iterator[Action]:
        bound = self._bound(process, "self")
        me = self._me(process, bound)
        leaving = process.graph.leaving(state)
        here = [self.is_at(process.name, me, [self.points[process.name][state]])]
        for transition in leaving:
            for timeout in self._timeouts(transition):
                frame = Frame(process, me, self.beginning.known_at(process, state), timeout)
                guards = [
                    *here,
                    *self._provided(process, frame),
                    *self._not_escaped(leaving, transition, frame),
                ]
                yield from self._of_transition(process, transition, frame, guards, bound)

    def _timeouts(self, transition: Transition) -> Sequence[bool]:
        """A statement that asks for `timeout` is one that waits until nothing else can happen, and perhaps another one."""
        return (False, True) if _asks_timeout(transition.statement) else (False,)

    def can_act(self, process: str, position: int) -> e.Expression:
        own, me = self.model.by_name[process], e.Constant(position, self.layout.process_type(process))
        frame = Frame(own, me, Known())
        found = []
        for state, point in self.points[process].items():
            leaving = own.graph.leaving(state)
            some = disjunction([self.executable(each, leaving, frame) for each in leaving])
            found.append(conjunction([self.is_at(process, me, [point]), some]))
        return conjunction([*self._provided(own, frame), disjunction(found)])

    def _not_escaped(
        self, leaving: Sequence[Transition], transition: Transition, frame: Frame
    ) -> list[e.Expression]:
        """No escape of an `unless` that goes before can be taken."""
        groups = list(dict.fromkeys(each.escape for each in leaving))
        before = groups[: groups.index(transition.escape)]
        return [negation(self.executable(each, leaving, frame)) for each in leaving if each.escape in before]

    def executable(self, transition: Transition, leaving: Sequence[Transition], frame: Frame) -> e.Expression:
        """Can the statement be executed? A process that waits to receive in a rendezvous cannot do anything by itself."""
        statement = transition.statement
        match statement:
            case st.Else():
                # As in pan, what counts comes before it: in an escape of an `unless`, something may come behind.
                before = [
                    self.executable(each, leaving, frame)
                    for each in leaving[: leaving.index(transition)]
                    if each.escape == transition.escape
                ]
                return conjunction([negation(each) for each in before])
            case st.End():
                return self._may_end(frame)
            case _:
                found = [option.test for option in self.options(statement, frame)]
                if isinstance(statement, st.Send):
                    found += self._partners(statement, frame)
                return disjunction(found)

    def _may_end(self, frame: Frame) -> e.Expression:
        """Processes die in the opposite order of their creation."""
        assert frame.process is not None
        pids = self.layout.slots[frame.process.name]
        if any(not can_end(each) for each in self.model.starting[max(pids) + 1 :]):
            return e.FALSE
        count = self.read(self.process_count, frame, frame.process.at)
        return compared("==", count, arithmetic("+", self.pid(frame), constant(1), frame.process.at.span))

    # Steps of one process

    def _of_transition(
        self,
        process: Process,
        transition: Transition,
        frame: Frame,
        guards: list[e.Expression],
        bound: e.Bound,
    ) -> Iterator[Action]:
        statement, leaving = transition.statement, process.graph.leaving(transition.source)
        shown = title(statement)
        if isinstance(statement, st.End):
            guard = conjunction([*guards, self.executable(transition, leaving, frame)])
            if guard != e.FALSE and e.FALSE not in guards:
                body = [*self.ended(process.name, frame), *self._remember(frame)]
                yield self._action(process, transition, guard, body, "end", bound, control=False)
            return
        options: list[Option]
        if isinstance(statement, st.Else):
            options = [Option(self.executable(transition, leaving, frame), lambda _: [])]
        else:
            options = self.options(statement, frame)
        for option in options:
            guard = conjunction([*guards, option.test])
            if option.test == e.FALSE or e.FALSE in guards:
                continue
            there = frame.at(frame.known.copy())
            if transition.keeps_control:
                there.known.learn(guard)
            prints = self._printed(statement, there, 0)
            written = [*option.write(there)]
            yield from self._paths(process, transition, there, guard, written, shown, bound, prints)
        if isinstance(statement, st.Send):
            yield from self._rendezvous(process, transition, frame, guards, bound)

    def _remember(self, frame: Frame) -> list[s.Statement]:
        """`_last`, where something asks for it."""
        return [s.Assign(self.last, self.pid(frame).expression)] if self.reads_last else []

    def _action(
        self,
        process: Process,
        transition: Transition,
        guard: e.Expression,
        body: Sequence[s.Statement],
        shown: str,
        bound: e.Bound,
        *,
        control: bool,
        idle: bool = False,
        prints: tuple[Printout, ...] = (),
    ) -> Action:
        span = transition.statement.at.span
        return Action(
            name=f"{process.name.strip(':')}:{span.line} {shown}",
            parameters=(bound,),
            body=tuple(body),
            guard=guard,
            actor=0,
            keeps_control=0 if control else None,
            idle=idle,
            title=f"{{0}} {span.line}: {_escaped(shown)}",
            prints=prints,
            span=span,
        )

    def _printed(self, statement: st.Statement, frame: Frame, after: int) -> tuple[Printout, ...]:
        """`after`: so many statements of the body."""
        if not isinstance(statement, st.Print):
            return ()
        return (printout(statement, after, self.model, lambda each: self.number(each, frame).expression),)

    def _paths(
        self,
        process: Process,
        transition: Transition,
        frame: Frame,
        guard: e.Expression,
        written: list[s.Statement],
        shown: str,
        bound: e.Bound,
        prints: tuple[Printout, ...],
    ) -> Iterator[Action]:
        """All ways to go on from a first statement inside of an atomic sequence."""
        first = Path(
            transition.target,
            tuple(written),
            frame.known,
            frozenset(),
            (shown,),
            transition.keeps_control,
            prints,
        )
        ends = self._explored(process, first, frame) if transition.keeps_control else [first]
        if ends is None:
            ends = [first]
        titles = path_titles([path.titles for path in ends])
        for path, joined in zip(ends, titles, strict=True):
            there = frame.at(path.known)
            self.moves.append((process.name, transition.source, path.state))
            goes_on = path.keeps_control and path.can_go_on
            self.beginning.ends_at(process, transition.source, path.state, path.known if goes_on else None)
            assert frame.me is not None
            body = [
                *path.statements,
                *self.move(process.name, frame.me, path.state, there),
                *self._remember(there),
            ]
            yield self._action(
                process, transition, guard, body, joined, bound,
                control=path.keeps_control, idle=frame.timeout, prints=path.prints,
            )  # fmt: skip

    def _explored(self, process: Process, first: Path, frame: Frame) -> list[Path] | None:
        """Where paths end; None where there are too many, or one that is too long, perhaps without end."""
        ends: list[Path] = []
        open_paths = [first]
        steps = 0
        while open_paths:
            path = open_paths.pop()
            steps += 1
            if steps > MAX_STEPS:
                return None
            going_on = self._next(process, path, frame) if path.keeps_control else None
            if going_on is None:
                ends.append(path)
            elif len(path.statements) * (len(going_on) - 1) > MAX_COPIED:
                can_wait = any(not each.keeps_control and each.state == path.state for each in going_on)
                ends.append(replace(path, can_go_on=not can_wait))
            else:
                open_paths += reversed(going_on)
            if len(ends) + len(open_paths) > MAX_PATHS:
                return None
        return ends

    def _next(self, process: Process, path: Path, frame: Frame) -> list[Path] | None:
        """The paths that continue one; None where it has to end here."""
        leaving = process.graph.leaving(path.state)
        if process.provided is not None or any(not self._is_simple(each) for each in leaving):
            return None
        there = Frame(process, frame.me, path.known)
        tests = [self.executable(each, leaving, there) for each in leaving]
        possible = [(each, test) for each, test in zip(leaving, tests, strict=True) if test != e.FALSE]
        is_decided = len(possible) == 1 and possible[0][1] == e.TRUE
        if not is_decided and path.state in path.visited:
            # A loop whose end is not known: the engine goes on from here.
            return None
        found: list[Path] = []
        for transition, _ in possible:
            found += self._continued(transition, leaving, path, there)
        if all(test != e.TRUE for test in tests):
            blocked = conjunction([negation(test) for test in tests])
            if blocked != e.FALSE and not any(isinstance(each.statement, st.Else) for each in leaving):
                assume = () if blocked == e.TRUE else (s.Assume(blocked),)
                found.append(
                    Path(
                        path.state,
                        (*path.statements, *assume),
                        path.known,
                        path.visited,
                        path.titles,
                        False,
                        path.prints,
                    )
                )
        return found

    def _is_simple(self, transition: Transition) -> bool:
        """Can the process do it without another one?"""
        statement = transition.statement
        if transition.escape or isinstance(statement, st.End) or _asks_timeout(statement):
            return False
        return not isinstance(statement, st.Send | st.Receive) or not self._may_be_rendezvous(statement)

    def _continued(
        self, transition: Transition, leaving: Sequence[Transition], path: Path, frame: Frame
    ) -> Iterator[Path]:
        statement = transition.statement
        if isinstance(statement, st.Else):
            options = [Option(self.executable(transition, leaving, frame), lambda _: [])]
        else:
            options = self.options(statement, frame)
        for option in options:
            if option.test == e.FALSE:
                continue
            known = path.known.copy()
            known.learn(option.test)
            assume = () if option.test == e.TRUE else (s.Assume(option.test),)
            prints = self._printed(statement, frame.at(known), len(path.statements) + len(assume))
            written = option.write(frame.at(known))
            yield Path(
                transition.target,
                (*path.statements, *assume, *written),
                known,
                path.visited | {path.state},
                (*path.titles, title(statement)),
                transition.keeps_control,
                (*path.prints, *prints),
            )

    # Rendezvous

    def _rendezvous(
        self,
        process: Process,
        transition: Transition,
        frame: Frame,
        guards: list[e.Expression],
        bound: e.Bound,
    ) -> Iterator[Action]:
        send = transition.statement
        assert isinstance(send, st.Send)
        if not self._may_be_rendezvous(send):
            return
        for reception in self._receptions():
            receiver, receiving, receive = reception.process, reception.transition, reception.receive
            partner = self._bound(receiver, "other")
            other = self._me(receiver, partner)
            is_other = self._is_other(frame, receiver, other)
            if is_other == e.FALSE:
                continue
            for type_, here, test in self._handshakes(send, frame, reception, other):
                # Where both are is what engines can test for many actions at once: it comes first.
                guard = conjunction([guards[0], here, *guards[1:], is_other, test])
                assert frame.me is not None
                for mover, move in ((process, transition), (receiver, receiving)):
                    self.moves.append((mover.name, move.source, move.target))
                    self.beginning.ends_at(mover, move.source, move.target, None)
                known = Known()
                one, two = frame.at(known), Frame(receiver, other, known)
                moved = [
                    *self.move(process.name, frame.me, transition.target, one),
                    *self.move(receiver.name, other, receiving.target, two),
                ]
                handed = self._handed_over(send, receive, type_, one, two)
                if isinstance(receiving.statement, st.DeterministicStep):
                    handed += self.steps(receiving.statement, reception.following, two)
                body = [*handed, *moved, *self._remember(two)]
                span, at = send.at.span, receive.at.span
                yield Action(
                    name=f"{process.name.strip(':')}:{span.line} {receiver.name.strip(':')}:{at.line} "
                    f"{title(send)} -> {title(receiving.statement)}",
                    parameters=(bound, partner),
                    body=tuple(body),
                    guard=guard,
                    actor=0,
                    keeps_control=1 if receiving.keeps_control else None,
                    title=f"{{0}} {span.line}: {_escaped(title(send))} -> {{1}} {at.line}: "
                    f"{_escaped(title(receiving.statement))}",
                    span=span,
                )


def _asks_timeout(statement: st.Statement) -> bool:
    return isinstance(statement, st.Condition) and _mentions_timeout(statement.test)


def _mentions_timeout(expression: x.Expression) -> bool:
    match expression:
        case x.Predefined(_, "timeout"):
            return True
        case x.Unary(_, _, operand):
            return _mentions_timeout(operand)
        case x.Binary(_, _, left, right):
            return _mentions_timeout(left) or _mentions_timeout(right)
        case x.Conditional(_, test, then, otherwise):
            return any(map(_mentions_timeout, (test, then, otherwise)))
    return False


def _escaped(text: str) -> str:
    """For `str.format`."""
    return text.replace("{", "{{").replace("}", "}}")
