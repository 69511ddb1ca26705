"""What `burnside graph` draws: a net, a state space, the history of what is wrong.

In: a model, a request, the name of a file. Out: that file, or a diagnostic where there is too much to draw, or nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from burnside.diagnostics import Diagnostic, RefusedError, UsageError
from burnside.ir.highlevel.net import HighLevelNet
from burnside.net import Net

if TYPE_CHECKING:
    from burnside.chart import Chart
    from burnside.model import Model
    from burnside.outcome import Outcome
    from burnside.request import Request

DRAWN_STATES = 500
DRAWN_NODES = 2_000
DRAWN_STEPS = 500
EXPLORED_STATES = 2_000
"""Whose channels a dynamic diagram shows."""


def draw_net(model: Model, request: Request, output: str) -> None:
    from burnside.kinds import has_places
    from burnside.report.dot import write_drawing

    net = model.subject
    if not has_places(model):
        raise UsageError(Diagnostic(f"{model.name} is no net", source="--what"))
    assert isinstance(net, Net | HighLevelNet)
    nodes = len(net.places) + len(net.transitions)
    if nodes > DRAWN_NODES and Path(output).suffix.lower() != ".dot":
        message = f"the net has {nodes:,} places and transitions: too many to draw (at most {DRAWN_NODES:,})"
        raise RefusedError(Diagnostic(message, source=model.name, hint="a .dot file can always be written"))
    dot = _net_dot(net, request) if isinstance(net, Net) else _highlevel_dot(net, model, request)
    write_drawing(dot, output)


def _net_dot(net: Net, request: Request) -> str:
    from burnside.kinds.net import group_of
    from burnside.report.nets import net_dot

    found = group_of(net, request)
    return net_dot(net, found.place_orbits(), found.transition_orbits())


def _highlevel_dot(net: HighLevelNet, model: Model, request: Request) -> str:
    from burnside import pipeline
    from burnside.languages.hln.net_texts import net_texts
    from burnside.report.highlevel_nets import highlevel_net_dot

    return highlevel_net_dot(net, net_texts(net), pipeline.symmetries(model, request))


def draw_space(
    model: Model, request: Request, output: str, max_states: int | None = None, *, partial: bool = False
) -> None:
    from burnside import pipeline
    from burnside.output_files import write_atomically
    from burnside.report.dot import write_drawing
    from burnside.report.quotients import quotient_aut, quotient_json
    from burnside.report.spaces import graph_dot

    is_aut = Path(output).suffix.lower() == ".aut"
    if is_aut and partial:
        message = "an .aut file cannot say which states are not explored"
        raise UsageError(Diagnostic(message, source="--partial", hint="a .json file can"))
    quotient = pipeline.quotient(model, request, max_states or DRAWN_STATES, partial=partial)
    if is_aut:
        write_atomically(output, quotient_aut(quotient))
    else:
        write_drawing(graph_dot(quotient.names, quotient.graph), output, quotient_json(quotient))


def draw_channels(
    model: Model, request: Request, output: str, max_states: int | None = None, *, dynamic: bool = False
) -> None:
    from burnside import pipeline
    from burnside.languages.promela.channels import channel_diagram
    from burnside.languages.promela.reading import LoweredModel
    from burnside.report.channels import channels_dot, channels_json, channels_layout
    from burnside.report.dot import write_drawing

    if not isinstance(model.expressions, LoweredModel):
        message = f"{model.name} has no channels: it is no Promela model"
        raise UsageError(Diagnostic(message, source="--what"))
    states = None
    if dynamic:
        model, states = pipeline.first_states(model, request, max_states or EXPLORED_STATES)
    found = model.expressions
    assert isinstance(found, LoweredModel)
    diagram = channel_diagram(found.lowered, states)
    name = found.program.name
    write_drawing(
        channels_dot(name, diagram, dynamic=dynamic),
        output,
        channels_json(name, diagram, dynamic=dynamic),
        channels_layout(diagram),
    )


def draw_history(model: Model, request: Request, output: str) -> None:
    """Of what the model's own properties find; of processes, as a chart."""
    from burnside import pipeline
    from burnside.report.dot import write_drawing
    from burnside.report.json import dump, traces_record
    from burnside.report.traces import history_dot

    outcome = pipeline.check(model, request)
    if not outcome.traced:
        message = f"there is no history to draw: the verdict is '{outcome.verdict}'"
        hint = "burnside check --trace FILE draws what other properties find"
        if _has_processes(model):
            hint += "; --steps N draws a random walk"
        raise RefusedError(Diagnostic(message, source=model.name, hint=hint))
    found = _counterexample(outcome) if _has_processes(model) else None
    if found is not None:
        _write_chart(found, output)
    else:
        write_drawing(history_dot(outcome), output, dump(traces_record(outcome)))


def draw_walk(model: Model, output: str, *, steps: int, seed: int) -> None:
    """A random walk as a chart."""
    from burnside.chart import chart
    from burnside.kinds import kind_of
    from burnside.walk import Walk

    if not _has_processes(model):
        message = "has no effect here: it needs a model with processes"
        raise UsageError(Diagnostic(message, source="--steps"))
    semantics = kind_of(model.subject).semantics_of(model.subject)
    walk = Walk(semantics, seed, deadlock_is_error=model.deadlock_is_error)
    walk.walk(steps)
    wrong = [event.line() for event in walk.violations()]
    actions = [moment.name or "" for moment in walk.history[1:]]
    states = [semantics.show_state(moment.state) for moment in walk.history]
    title = f"{semantics.name}: a random walk, seed {seed}"
    found = chart(title, actions, states, wrong[0] if wrong else None)
    if found is None or not actions:
        raise RefusedError(Diagnostic("there is no step to draw", source=model.name))
    _write_chart(found, output)


def _has_processes(model: Model) -> bool:
    from burnside.ir.program import Program

    subject = model.subject
    return isinstance(subject, Program) and any(each.actor is not None for each in subject.actions)


def _counterexample(outcome: Outcome) -> Chart | None:
    from burnside.chart import chart
    from burnside.outcome import property_title

    result = next(iter(outcome.traced))
    trace = result.trace
    assert trace is not None
    states = [step.state for step in trace]
    ends = property_title(result.kind, result.name)
    return chart(
        f"{Path(outcome.model).stem}: {len(trace)} steps", trace.actions, states, ends, trace.loop_start
    )


def _write_chart(found: Chart, output: str) -> None:
    from burnside.report.charts import PINNED, chart_dot, chart_json
    from burnside.report.dot import write_drawing

    if found.steps > DRAWN_STEPS and Path(output).suffix.lower() not in (".dot", ".json"):
        message = f"the run has {found.steps:,} steps: too many to draw (at most {DRAWN_STEPS:,})"
        raise RefusedError(Diagnostic(message, hint="a .dot or .json file can always be written"))
    write_drawing(chart_dot(found), output, chart_json(found), PINNED)
