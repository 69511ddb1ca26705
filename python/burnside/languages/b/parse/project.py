"""All machines of a model. In: the path of one, and folders that may be read besides its own. Out: a `Project`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from burnside.diagnostics import InputError, Source
from burnside.languages.b.parse.files import Reach
from burnside.languages.b.parse.machines import parse
from burnside.languages.b.syntax.machines import AbstractMachine, Project
from burnside.languages.shared.files import read_source
from burnside.languages.shared.spans import Extent, Identifier


def load_project(path: Path, allow_path: Sequence[Path] = ()) -> Project:
    return project_of(read_source(path), allow_path)


def project_of(source: Source, allow_path: Sequence[Path] = ()) -> Project:
    """The source's name says where the machines it names are looked for."""
    reach = Reach(Path(source.name), allow_path)
    main = parse(source, reach)
    others: dict[str, AbstractMachine] = {}
    waiting = list(_named(main))
    while waiting:
        name, at, file = waiting.pop(0)
        if name.text in others or name.text == main.name.text:
            continue
        other = parse(reach.read(reach.machine_file(name.text, at, file), at), reach)
        if other.name.text != name.text:
            message = f"{other.source.name} has a machine '{other.name.text}', not '{name.text}'"
            raise InputError(at.diagnostic(message))
        others[name.text] = other
        waiting += _named(other)
    _check_order(main, others)
    return Project(main, others, tuple(reach.files))


def _named(machine: AbstractMachine) -> Iterator[tuple[Identifier, Extent, str | None]]:
    """The machines that a machine reaches by its clauses, and where it says so."""
    if machine.refines is not None:
        yield machine.refines, machine.refines.at, None
    for clause in (machine.includes, machine.extends, machine.imports, machine.sees, machine.uses):
        for reference in clause:
            yield reference.name, reference.at, reference.file


def _check_order(main: AbstractMachine, others: dict[str, AbstractMachine]) -> None:
    """No machine reaches itself. A path of machines is walked without recursion: it may be long."""
    machines = {**others, main.name.text: main}
    path, left = [main.name.text], [list(_named(main))]
    done: set[str] = set()
    while path:
        if not left[-1]:
            done.add(path.pop())
            left.pop()
            continue
        name, at, _ = left[-1].pop(0)
        if name.text in path:
            cycle = " -> ".join([*path[path.index(name.text) :], name.text])
            raise InputError(at.diagnostic(f"these machines need each other: {cycle}"))
        if name.text not in done:
            path.append(name.text)
            left.append(list(_named(machines[name.text])))
