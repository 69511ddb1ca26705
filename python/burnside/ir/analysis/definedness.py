"""What is certainly defined where it is read, and what local variables certainly hold: checks that cannot fail go.

In: a flat program. Out: the same program, with `fails` false where a read cannot find an undefined value, and with names and
constants in the place of local variables that hold them.

Defined are, before an action, the slots of the state that every start fills and that no action leaves undefined: the largest
set of facts that holds after every start and is kept by every action (found by removing facts until all actions keep them).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from math import prod

from burnside.ir.analysis import flat, walking
from burnside.ir.analysis.builders import TRUE, folded, load, stored
from burnside.ir.analysis.facts import (
    FlowFacts,
    Ways,
    bound_names,
    index_type,
    is_defined,
    joined,
    without,
)
from burnside.ir.analysis.flat import Block, Expr, Place, Step
from burnside.ir.analysis.paths import (
    EVERY,
    UNKNOWN,
    Known,
    Path,
    PathStep,
    covers,
    leaf_paths,
    may_overlap,
    path_of,
)
from burnside.ir.types import Array, Bag, Record, Type, bounds, size
from burnside.records import record, replace

MAX_INSTANCES = 64
"""Of a start: more are looked at as one."""


@record
class Refined:
    """A flat program without the checks that cannot fail, and the slots of the state that are defined before and after every
    action."""

    program: flat.Program
    defined: frozenset[Path]


def refined(program: flat.Program, check: Callable[[], None] = lambda: None) -> Refined:
    """`check` is called now and then; it may raise to end the work."""
    types = {each.name: each.type for each in program.variables}
    starts, after = [], None
    for start in program.starts:
        check()
        made, _ = _action(start, types, set())
        starts.append(made)
        after = joined(after, _after_start(start, types), types)
    # Whole slots alone, whatever the indices on the way: what a permutation does to a state does not change these facts.
    slots = [leaf for each in program.variables for leaf in leaf_paths(Path(each.name, True), each.type)]
    defined = {each for each in slots if after is not None and is_defined(after, each, types)}
    while True:
        kept = set(defined)
        actions = []
        for action in program.actions:
            check()
            made, end = _action(action, types, defined)
            actions.append(made)
            if end is not None:
                kept = {each for each in kept if is_defined(end, each, types)}
        if kept == defined:
            break
        defined = kept
    properties = tuple(_property(each, types, defined) for each in program.properties)
    proper = None if program.proper_end is None else _property(program.proper_end, types, defined)
    made_flat = flat.Program(program.variables, tuple(starts), tuple(actions), properties, proper)
    return Refined(made_flat, frozenset(defined))


def expression_refined(expr: Expr, variables: Iterable[flat.Variable], defined: Iterable[Path]) -> Expr:
    """An expression that is evaluated in a state in which these slots are defined."""
    return _Walk({each.name: each.type for each in variables}).expr(expr, FlowFacts(set(defined)))


def written_by_start(start: flat.Action, variables: Iterable[flat.Variable]) -> set[str]:
    """The variables that a start state fills completely, except for bags."""
    types = {each.name: each.type for each in variables}
    end = _after_start(start, types)
    if end is None:
        return set(types)
    return {
        name
        for name, type_ in types.items()
        if all(is_defined(end, leaf, types) for leaf in leaf_paths(Path(name, True), type_))
    }


def _after_start(start: flat.Action, types: dict[str, Type]) -> Ways:
    """What a start leaves defined, looked at for each value of its parameters if these are few."""
    domains = [each.domain for each in start.parameters]
    sizes = [size(each.type) for each in domains if isinstance(each, flat.All)]
    if len(sizes) < len(domains) or prod(sizes) > MAX_INSTANCES:
        return _action(start, types, set())[1]
    after: Ways = None
    for values in product(
        *(range(bounds(each.type)[0], bounds(each.type)[1] + 1) for each in start.parameters)
    ):
        pairs = zip(start.parameters, values, strict=True)
        known = {each.name: Expr("const", each.type, value=value) for each, value in pairs}
        after = joined(after, _action(start, types, set(), known)[1], types)
    return after


def _action(
    action: flat.Action, types: dict[str, Type], defined: set[Path], known: Mapping[str, Expr] | None = None
) -> tuple[flat.Action, Ways]:
    """`known`: values of parameters."""
    guard, test = _code(action.guard, types, defined)
    entry = FlowFacts(set(defined))
    walk = _Walk(types)
    walk.names.update(known or {})
    if not any(_writes_state(each) for each in walking.statements(action.guard.before)):
        walk.assume(test, True, entry)
    body, end = walk.block(action.body, entry)
    return replace(action, guard=guard, body=body), end


def _code(code: flat.Code, types: dict[str, Type], defined: set[Path]) -> tuple[flat.Code, Expr]:
    walk = _Walk(types)
    before, facts = walk.block(code.before, FlowFacts(set(defined)))
    test = walk.expr(code.value, facts or FlowFacts())
    return flat.Code(before, test), test


def _property(each: flat.Property, types: dict[str, Type], defined: set[Path]) -> flat.Property:
    return each if each.code is None else replace(each, code=_code(each.code, types, defined)[0])


def _writes_state(statement: flat.Statement) -> bool:
    match statement:
        case flat.Assign(place) | flat.Copy(place) | flat.Fill(place) | flat.Add(place) | flat.Remove(place):
            return place.is_state
        case flat.RemoveAll():
            return True
    return False


class _Walk:
    """Forward through one action. `left` collects what holds where scopes are left."""

    def __init__(self, types: dict[str, Type]) -> None:
        self.types = dict(types)
        self.left: dict[str, Ways] = {}
        self.names: dict[str, Expr] = {}
        self.lost: list[set[Path]] = []
        """For each loop around this point: what may have become undefined, or another value."""

    # Expressions

    def expr(self, expr: Expr, facts: FlowFacts) -> Expr:
        match expr.op:
            case "const":
                return expr
            case "name":
                return self.names.get(expr.name, expr)
            case "load":
                return self._load(expr, facts)
            case "and" | "or":
                here, parts = facts.copy(), []
                for part in expr.args:
                    parts.append(self.expr(part, here))
                    self.assume(parts[-1], expr.op == "and", here)
                return replace(expr, args=tuple(parts))
            case "choice":
                test = self.expr(expr.args[0], facts)
                ways = []
                for truth, part in ((True, expr.args[1]), (False, expr.args[2])):
                    here = facts.copy()
                    self.assume(test, truth, here)
                    self.learn(test, here)
                    ways.append(self.expr(part, here))
                if test.op == "const":
                    return ways[0 if test.value else 1]
                return replace(expr, args=(test, *ways))
        places = tuple(self.place(each, facts) for each in expr.places)
        args = tuple(self.expr(each, facts) for each in expr.args)
        binder = None if expr.binder is None else self.binder(expr.binder, facts)
        return folded(replace(expr, places=places, args=args, binder=binder))

    def _load(self, expr: Expr, facts: FlowFacts) -> Expr:
        place = self.place(expr.places[0], facts)
        path = path_of(place)
        if (atom := facts.values.get(path)) is not None:
            return atom
        fails = expr.fails and not is_defined(facts, path, self.types)
        return replace(expr, places=(place,), fails=fails)

    def place(self, place: Place, facts: FlowFacts) -> Place:
        if not any(step.index is not None for step in place.steps):
            return place
        steps = [
            step
            if step.index is None
            else Step(step.kind, step.name, self.expr(step.index, facts), step.fails)
            for step in place.steps
        ]
        return replace(place, steps=tuple(steps))

    def binder(self, binder: flat.Binder, facts: FlowFacts) -> flat.Binder:
        match binder.domain:
            case flat.Range(low, high, step, fails):
                parts = [self.expr(each, facts) for each in (low, high, step)]
                return replace(binder, domain=flat.Range(parts[0], parts[1], parts[2], fails))
            case flat.Positions(bag):
                return replace(binder, domain=flat.Positions(self.place(bag, facts)))
        return binder

    def assume(self, test: Expr, truth: bool, facts: FlowFacts) -> None:
        """What follows about definedness if a test has come out like this."""
        match test.op:
            case "not":
                self.assume(test.args[0], not truth, facts)
            case "and" | "or" if (test.op == "and") == truth:
                for part in test.args:
                    self.assume(part, truth, facts)
            case "defined" if truth:
                self._define(path_of(test.places[0]), facts)

    def learn(self, expr: Expr, facts: FlowFacts) -> None:
        """What was read without failing is defined."""
        for each in walking.evaluated_always(expr):
            if each.op == "load":
                self._define(path_of(each.places[0]), facts)

    # Statements

    def block(self, block: Block, facts: Ways) -> tuple[Block, Ways]:
        made: list[flat.Statement] = []
        for statement in block:
            if facts is None:
                break  # never reached
            new, facts = self.statement(statement, facts)
            made.extend(new)
        return tuple(made), without(facts, {each.name for each in made if isinstance(each, flat.Let)})

    def statement(self, statement: flat.Statement, facts: FlowFacts) -> tuple[Iterable[flat.Statement], Ways]:
        match statement:
            case flat.Assign(place, value):
                new = self.expr(value, facts)
                self.learn(new, facts)
                target = self.place(place, facts)
                self._assigned(target, new, facts)
                return [replace(statement, place=target, value=new)], facts
            case flat.Copy():
                return self._copy(statement, facts), facts
            case flat.Fill(place, how):
                target = self.place(place, facts)
                path = path_of(target)
                self._lose(path, facts)
                if how == "clear":
                    for leaf in leaf_paths(path, target.type):  # nothing of bags: entries may be added later
                        self._define(leaf, facts)
                return [replace(statement, place=target)], facts
            case flat.Declare(name, type_):
                self.types[name] = type_
                self._lose(Path(name, False), facts)
                return [statement], facts
            case flat.Let(name, value):
                new = self.expr(value, facts)
                if new.is_atom:
                    self.names[name] = new
                    return [], facts
                self.names.pop(name, None)
                self.learn(new, facts)
                return [replace(statement, value=new)], facts
            case flat.Touch(place):
                return [replace(statement, place=self.place(place, facts))], facts
            case flat.If():
                return self._if(statement, facts)
            case flat.For(binder, body):
                new_binder = self.binder(binder, facts)
                new_body, end = self._for(new_binder, body, facts)
                return [replace(statement, binder=new_binder, body=new_body)], end
            case flat.While():
                return self._while(statement, facts)
            case flat.Scope(label, body):
                new_body, end = self.block(body, facts)
                end = without(joined(end, self.left.pop(label, None), self.types), bound_names(body))
                return [replace(statement, body=new_body)], end
            case flat.Leave(label):
                self.left[label] = joined(self.left.get(label), facts, self.types)
                return [statement], None
            case flat.Fail():
                return [statement], None
            case flat.Require(test):
                new = self.expr(test, facts)
                if new == TRUE:
                    return [], facts
                self.assume(new, True, facts)
                self.learn(new, facts)
                return [replace(statement, test=new)], facts
            case flat.Cover(test) | flat.Note(test):
                new = self.expr(test, facts)
                self.learn(new, facts)
                return [replace(statement, test=new)], facts
            case flat.Add(bag, source):
                new_source = self.place(source, facts)
                return [replace(statement, bag=self.place(bag, facts), source=new_source)], facts
            case flat.Remove(bag, position):
                new_bag = self.place(bag, facts)
                return [replace(statement, bag=new_bag, position=self.expr(position, facts))], facts
            case flat.RemoveAll(binder, test):
                new_binder = self.binder(binder, facts)
                return [replace(statement, binder=new_binder, test=self.expr(test, facts))], facts

    def _define(self, path: Path, facts: FlowFacts) -> None:
        """Nothing is known of entries of bags, nor where it is not known which element was written."""
        if all(step.kind == "field" or (step.kind == "index" and step.at != UNKNOWN) for step in path.steps):
            facts.defined.add(path)

    def _forget_values(self, path: Path, facts: FlowFacts) -> None:
        facts.values = {each: atom for each, atom in facts.values.items() if not may_overlap(each, path)}

    def _lose(self, path: Path, facts: FlowFacts) -> None:
        """What is there may be undefined now."""
        for lost in self.lost:
            lost.add(path)
        facts.defined = {each for each in facts.defined if not may_overlap(each, path)}
        self._forget_values(path, facts)

    def _assigned(self, place: Place, value: Expr, facts: FlowFacts) -> None:
        path = path_of(place)
        self._forget_values(path, facts)
        self._define(path, facts)
        if not place.is_state and value.is_atom and all(step.kind == "field" for step in path.steps):
            facts.values[path] = value

    def _copy(self, copy: flat.Copy, facts: FlowFacts) -> Iterable[flat.Statement]:
        source, target = self.place(copy.source, facts), self.place(copy.target, facts)
        from_, to = path_of(source), path_of(target)
        held = facts.values.get(from_) if not copy.converts else None
        if held is not None:
            self._assigned(target, held, facts)
            return [flat.Assign(target, held, copy.span)]
        if not isinstance(source.type, Array | Bag | Record) and is_defined(facts, from_, self.types):
            value = stored(replace(load(source, copy.span), fails=False), target.type, copy.span)
            self._assigned(target, value, facts)
            return [flat.Assign(target, value, copy.span)]
        defined: list[bool] = [is_defined(facts, leaf, self.types) for leaf in leaf_paths(from_, source.type)]
        values = {
            to.then(*each.steps[len(from_.steps) :]): atom
            for each, atom in facts.values.items()
            if covers(from_, each)
        }
        self._forget_values(to, facts)
        for leaf, known in zip(leaf_paths(to, target.type), defined, strict=True):
            if known:
                self._define(leaf, facts)
            else:
                self._lose(leaf, facts)
        if not target.is_state and not copy.converts and all(step.kind == "field" for step in to.steps):
            facts.values.update(values)
        return [replace(copy, target=target, source=source)]

    def _if(self, statement: flat.If, facts: FlowFacts) -> tuple[Iterable[flat.Statement], Ways]:
        branches, ends = [], []
        for branch in statement.branches:
            test = self.expr(branch.test, facts)
            self.learn(test, facts)
            inner = facts.copy()
            self.assume(test, True, inner)
            body, end = self.block(branch.body, inner)
            branches.append(flat.Branch(test, body))
            ends.append(end)
            self.assume(test, False, facts)
        otherwise, last = self.block(statement.otherwise, facts)
        for end in ends:
            last = joined(last, end, self.types)
        return [replace(statement, branches=tuple(branches), otherwise=otherwise)], last

    # Loops

    def _stable(
        self, facts: FlowFacts, turn: Callable[[FlowFacts], Ways]
    ) -> tuple[FlowFacts, Ways, set[Path]]:
        """The facts of `facts` that a turn keeps, what holds at the end of a turn that begins with these, and what turns
        may undo: facts are removed until a turn undoes none of those that are left."""
        begin = facts.copy()
        self.lost.append(set())
        while True:
            lost = self.lost[-1]
            begin.defined = {each for each in begin.defined if not any(may_overlap(each, p) for p in lost)}
            known = len(lost)
            values = dict(begin.values)
            left = dict(self.left)
            end = turn(begin.copy())
            # A value is kept if it is still there at the end of a turn; where a turn never ends nothing is.
            begin.values = {
                path: atom
                for path, atom in values.items()
                if end is not None and end.values.get(path) == atom
            }
            if len(lost) == known and begin.values == values:
                break
            self.left = left
        lost = self.lost.pop()
        return begin, end, lost

    def _for(self, binder: flat.Binder, body: Block, facts: FlowFacts) -> tuple[Block, Ways]:
        made: list[Block] = []

        def turn(begin: FlowFacts) -> Ways:
            new, end = self.block(body, begin)
            made.append(new)
            return end

        begin, end, lost = self._stable(facts, turn)
        if isinstance(binder.domain, flat.All) and end is not None:
            begin.defined |= set(self._filled(binder, bound_names(body), end, lost))
        return made[-1], begin

    def _filled(
        self, binder: flat.Binder, inside: set[str], end: FlowFacts, lost: set[Path]
    ) -> Iterator[Path]:
        """Elements that every turn fills at its own index: all are filled, if no turn undoes what another did."""
        for path in end.defined:
            own = [at for at, step in enumerate(path.steps) if step.at == Known(name=binder.name)]
            if len(own) != 1 or index_type(path, own[0], self.types) != binder.type:
                continue
            if any(may_overlap(path, each) for each in lost) or path.names & inside:
                continue
            step = PathStep("index", at=EVERY)
            whole = Path(path.root, path.is_state, (*path.steps[: own[0]], step, *path.steps[own[0] + 1 :]))
            yield whole

    def _while(self, statement: flat.While, facts: FlowFacts) -> tuple[Iterable[flat.Statement], Ways]:
        made: list[tuple[Block, Expr, Block]] = []
        after: list[Ways] = []

        def turn(begin: FlowFacts) -> Ways:
            before, here = self.block(statement.before, begin)
            test = self.expr(statement.test, here or FlowFacts())
            if here is not None:
                self.learn(test, here)
            after.append(None if here is None else here.copy())
            if here is not None:
                self.assume(test, True, here)
            body, end = self.block(statement.body, here)
            made.append((before, test, body))
            return end

        begin, _, _ = self._stable(facts, turn)
        before, test, body = made[-1]
        return [replace(statement, before=before, test=test, body=body)], self._left_loop(begin, after[-1])

    def _left_loop(self, begin: FlowFacts, after: Ways) -> Ways:
        """Behind a loop holds what held when its test was evaluated last."""
        return (
            begin
            if after is None
            else FlowFacts(
                begin.defined & after.defined,
                {path: atom for path, atom in begin.values.items() if after.values.get(path) == atom},
            )
        )
