"""The units of a model: processes, claims, formulas, global declarations. In: tokens. Out: a `Draft`: everything resolved,
but bodies are still trees of control.

Formulas are read last, wherever they stand: they may name what comes behind them.
"""

from __future__ import annotations

from typing import Any, Literal, cast

from burnside.diagnostics import InputError
from burnside.languages.promela import expressions as e
from burnside.languages.promela import tree as c
from burnside.languages.promela import types as t
from burnside.languages.promela.model import Claim, ProcessKind
from burnside.languages.promela.names import Names, ProcessNames
from burnside.languages.promela.parse_expressions import EMBEDDED_C
from burnside.languages.promela.parse_statements import StatementParser
from burnside.languages.promela.places import scalar_types
from burnside.languages.shared.lexer import Token
from burnside.languages.shared.spans import Extent, Identifier
from burnside.records import record

MAX_PROCESSES = 255


@record(eq=False, repr=False)
class ProcessDraft:
    at: Extent
    kind: ProcessKind
    names: ProcessNames
    body: c.Sequence
    end: Extent
    """The brace that closes the body."""
    active: int
    priority: int | None
    provided: e.Expression | None
    is_deterministic: bool


@record(eq=False, repr=False)
class Draft:
    names: Names
    processes: tuple[ProcessDraft, ...]
    claims: tuple[Claim, ...]
    exclusive: tuple[tuple[Extent, str, Literal["xr", "xs"], t.Variable], ...]
    """Place, process, `xr` or `xs`, and channel."""
    remote_labels: tuple[tuple[str, str], ...]
    """Process and label of every remote reference: Spin keeps these states apart."""


class Parser(StatementParser):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.names = Names()
        self.processes: list[ProcessDraft] = []
        self.deferred: list[tuple[Token, Identifier | None, int]] = []
        self.claims: list[Claim] = []
        self.claimed: list[tuple[Extent, str, Literal["xr", "xs"], t.Variable]] = []
        self.remote_labels: list[tuple[str, str]] = []

    def model(self) -> Draft:
        while self.token.kind != "end":
            self.unit()
        for token, name, start in self.deferred:
            self.jump(start)
            self.claim(token, name)
        self.check_sends()
        processes = tuple(self.processes)
        self.complete_runs()
        if not any(each.active for each in processes):
            hint = "declare 'init { ... }' or an 'active proctype'"
            raise self.error("no process runs in this model", self.tokens[-1], hint)
        if sum(each.active for each in processes) > MAX_PROCESSES:
            raise InputError(
                processes[0].at.diagnostic(f"more than {MAX_PROCESSES} processes run from the beginning")
            )
        return Draft(
            self.names, processes, tuple(self.claims), tuple(self.claimed), tuple(self.remote_labels)
        )

    def unit(self) -> None:
        token = self.token
        if self.separators():
            return
        if self.at_symbols():
            self.symbols()
        elif self.at_declaration():
            self.initial_values = True
            self.declaration()
        elif token.kind == "name" and self.peek().kind == "name":
            raise self.error(f"'{token.text}' is no type", token, "a typedef must come before its use")
        elif token.kind != "keyword":
            raise self.expected("a declaration or a process")
        else:
            self.keyword_unit(token)

    def keyword_unit(self, token: Token) -> None:
        match token.text:
            case "active" | "proctype" | "D_proctype":
                self.proctype(token)
            case "init":
                self.advance()
                self.body(token, "init", ":init:", 1)
            case "never":
                self.advance()
                given = self.advance().text if self.token.kind == "name" else None
                claims = sum(each.kind == "never" for each in self.processes)
                self.body(token, "never", given or f"never_{claims}", 0)
            case "trace" | "notrace":
                self.advance()
                self.body(token, cast(ProcessKind, token.text), f":{token.text}:", 0)
            case "typedef":
                self.typedef()
            case "inline":
                self.inline_definition()
            case "ltl":
                self.advance()
                name = self.identifier("a name") if self.token.kind == "name" else None
                self.deferred.append((token, name, self.at))
                self.braces()
            case _ if token.text in EMBEDDED_C:
                raise self.unsupported(f"embedded C ('{token.text}') is not supported", token)
            case _:
                raise self.expected("a declaration or a process")

    # Processes

    def proctype(self, token: Token) -> None:
        active = self.active_count() if self.accept_keyword("active") else 0
        if not self.is_keyword("proctype", "D_proctype"):
            raise self.expected("'proctype'")
        is_deterministic = self.advance().text == "D_proctype"
        name = self.identifier("the name of a proctype")
        self.names.check_new(name)
        names = self.enter_process(name.at, name.text)
        self.expect("(")
        self.separators()
        while not self.is_symbol(")"):
            self.parameters()
            if not self.separators() and not self.is_symbol(")"):
                raise self.expected("';' or ')'")
        self.advance()
        priority = self.priority()
        provided = None
        if self.accept_keyword("provided"):
            self.expect("(")
            provided = self.full_expression()
            self.expect(")")
        self.rest_of_process(token, "proctype", names, (active, priority, provided, is_deterministic))

    def active_count(self) -> int:
        if not self.accept("["):
            return 1
        token = self.token
        known = self.names.find(token.text) if token.kind == "name" else None
        if known is not None and isinstance(known.initial, e.Number) and self.peek().text == "]":
            self.advance()
            count = known.initial.value
        else:
            count = self.constant()
        self.expect("]")
        if count > MAX_PROCESSES:
            raise self.error(f"there are at most {MAX_PROCESSES} processes", token)
        if count < 0:
            raise self.error("this is a negative number of processes", token)
        return count

    def parameters(self) -> None:
        if not self.at_declaration():
            raise self.expected("the type of a parameter")
        for each in self.declaration(is_parameter=True):
            if _has_array(each.type):
                raise InputError(each.at.diagnostic("a struct with an array in it cannot be a parameter"))

    def body(self, token: Token, kind: ProcessKind, name: str, active: int) -> None:
        """Of `init`, a never claim or a trace."""
        if name in self.names.processes:
            what = f"a claim '{name}'" if kind == "never" else f"'{token.text}'"
            raise self.error(f"there is already {what}", token)
        names = self.enter_process(self.extent_of(token), name)
        priority = self.priority() if kind == "init" else None
        self.rest_of_process(token, kind, names, (active, priority, None, False))

    def enter_process(self, at: Extent, name: str) -> ProcessNames:
        names = ProcessNames(at, name)
        self.names.process = names
        # Known from here on, also to itself.
        self.names.processes[name] = names
        return names

    def rest_of_process(
        self,
        token: Token,
        kind: ProcessKind,
        names: ProcessNames,
        said: tuple[int, int | None, e.Expression | None, bool],
    ) -> None:
        self.initial_values = True
        self.loops.clear()
        self.exclusive.clear()
        if not self.is_symbol("{"):
            raise self.expected("'{'")
        opening = self.advance()
        self.names.open_block()
        body = self.sequence_of_body(opening)
        self.names.close_block()
        end = self.expect("}")
        self.names.process = None
        self.claimed += [(at, names.name, word, channel) for at, word, channel in self.exclusive]
        at = self.extent_of(token)
        self.processes.append(ProcessDraft(at, kind, names, body, self.extent_of(end), *said))

    def sequence_of_body(self, opening: Token) -> c.Sequence:
        """A body may have declarations alone: its end is a statement."""
        with self.new_sequence() as nodes:
            self.steps()
        return c.Sequence(self.extent_of(opening), tuple(nodes))

    # Texts on their own

    def lone_expression(self) -> e.Expression:
        self.probes_anywhere = True
        found = self.full_expression()
        if self.token.kind != "end":
            raise self.expected("an operator or the end")
        return found

    def lone_formula(self) -> e.Formula:
        found = self.formula()
        if self.token.kind != "end":
            raise self.expected("an operator or the end")
        return found

    # What needs the whole model

    def claim(self, token: Token, name: Identifier | None) -> None:
        unnamed = sum(1 for each in self.claims if each.name.startswith("ltl_"))
        title = f"ltl_{unnamed}" if name is None else name.text
        if any(each.name == title for each in self.claims) or title in self.names.processes:
            at = self.extent_of(token) if name is None else name.at
            raise InputError(at.diagnostic(f"there is already a claim '{title}'"))
        self.expect("{")
        formula = self.formula()
        self.separators()
        if not self.is_symbol("}"):
            raise self.expected("an operator or '}'")
        self.claims.append(Claim(self.extent_of(token), title, formula))

    def remote(self, token: Token) -> e.Expression:
        found = super().remote(token)
        if isinstance(found, e.RemoteLabel):
            self.remote_labels.append((found.process, found.label))
        return found

    def check_sends(self) -> None:
        """As Spin does; a receive of too many fields is an error of the run."""
        for count, at in self.sends:
            if count > self.most_fields:
                values = "1 value is" if count == 1 else f"{count} values are"
                fields = "1 field" if self.most_fields == 1 else f"{self.most_fields} fields"
                message = f"{values} sent here, but no channel has more than {fields}"
                if not self.most_fields:
                    message = f"{values} sent here, but there is no channel in this model"
                raise InputError(at.diagnostic(message))

    def complete_runs(self) -> None:
        """Check arguments against parameters, which may be declared behind the call; those that are missing are 0."""
        proctypes = {each.names.name: each for each in self.processes if each.kind == "proctype"}
        for run, name in self.runs:
            if name.text not in proctypes:
                raise self.error(f"there is no proctype '{name.text}'", name)
            names = proctypes[name.text].names
            wanted = sum(len(scalar_types(each.type, each.at)) for each in names.parameters)
            given = len(run.arguments)
            if given > wanted:
                plural = "" if wanted == 1 else "s"
                raise self.error(f"'{name.text}' takes {wanted} argument{plural}, not {given}", name)
            if given < wanted:
                zeros = tuple(e.Number(run.at, 0) for _ in range(wanted - given))
                run.arguments = (*run.arguments, *zeros)


def _has_array(type_: t.Type) -> bool:
    if isinstance(type_, t.ScalarType):
        return False
    return any(each.size is not None or _has_array(each.type) for each in type_.fields)
