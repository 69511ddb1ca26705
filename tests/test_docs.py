"""The pages say what happens: every `console` and `pycon` block is run, and what it shows is compared.

A `console` block holds `$ command` lines, each followed by its output; seconds, bytes and the states of a self-check are
elastic. The blocks of one page run in one folder, in order, with the examples beside them. `python tests/test_docs.py PAGE
...` writes the outputs of the console blocks anew.
"""

from __future__ import annotations

import argparse
import doctest
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
CONSOLE = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
PYCON = re.compile(r"(?<=^```pycon\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
ELASTIC = [
    (re.compile(r"\b[0-9.]+ s\b"), "N s"),
    (re.compile(r"\b[0-9.]+ (?:B|kB|MB|GB)\b"), "N bytes"),
    (re.compile(r"(self-check +)[0-9,]+ of .*"), r"\1N"),  # as many as the time allows
    (
        re.compile(r'("self_check": {\s*"states"): [0-9]+(,\s*"of": [0-9]+,\s*"generators"): [0-9]+'),
        r"\1: N\2: N",
    ),
    (re.compile(r'("(?:explore_)?seconds|"peak_memory_bytes|"store_bytes)": [0-9.]+'), r'\1": N'),
]


class Shell:
    """Runs one command after the other in a folder where `burnside` is this interpreter's."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.code = 0
        (folder / "examples").symlink_to(ROOT / "examples")
        programs = folder / ".programs"
        programs.mkdir()
        starter = "import sys; from burnside.cli import main; sys.exit(main(sys.argv[1:]))"
        script = f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c {shlex.quote(starter)} "$@"\n'
        (programs / "burnside").write_text(script)
        (programs / "burnside").chmod(0o755)
        path = os.pathsep.join([str(programs), os.environ.get("PATH", os.defpath)])
        self.environment = {
            **os.environ,
            "PATH": path,
            "PYTHONPATH": os.pathsep.join(sys.path),
            "NO_COLOR": "1",
        }

    def run(self, command: str) -> str:
        done = subprocess.run(
            ["bash", "-c", f"(exit {self.code})\n{command}"],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
        )
        self.code = done.returncode
        ended = not done.stdout or done.stdout.endswith("\n")
        return done.stdout if ended else f"{done.stdout}\n"


def elastic(text: str) -> str:
    for pattern, instead in ELASTIC:
        text = pattern.sub(instead, text)
    return text.strip()


def commands(page: str) -> Iterator[tuple[str, str]]:
    for block in CONSOLE.findall(page):
        found = COMMAND.findall(block)
        assert "".join(f"$ {command}\n{shown}" for command, shown in found) == block, "`$ ` is missing"
        yield from found


def with_pages(pattern: re.Pattern[str]) -> pytest.MarkDecorator:
    pages = [page for page in PAGES if pattern.search(page.read_text())]
    return pytest.mark.parametrize("page", pages, ids=lambda page: str(page.relative_to(ROOT)))


@with_pages(CONSOLE)
def test_commands_print_what_is_shown(page: Path, tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    for command, shown in commands(page.read_text()):
        assert elastic(shell.run(command)) == elastic(shown), f"$ {command}"


@with_pages(PYCON)
def test_python_prints_what_is_shown(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    text = "\n".join(PYCON.findall(page.read_text()))
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    said: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    assert not result.failed, "".join(said)


def test_the_readme_starts_with_the_two_commands() -> None:
    text = (ROOT / "README.md").read_text()
    top = "\n".join(text.splitlines()[:20])
    assert "\npip install . && burnside check examples/nets/philosophers.pnml\n" in top
    assert "\npip install '.[test]' && pytest\n" in top


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text()
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        assert "://" in target or (page.parent / target).exists(), target
    headings = re.findall(r"^#+ (.*)", text, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert anchors >= set(re.findall(r"\]\(#([^)]*)\)", text))


def test_every_option_is_on_the_page_of_the_command_line() -> None:
    from burnside.arguments import _commands

    page = (ROOT / "docs" / "cli.md").read_text()
    for name, (options, _) in _commands().items():
        parser = argparse.ArgumentParser()
        options(parser)
        assert f"burnside {name}" in page
        for action in parser._actions:
            for option in action.option_strings:
                if option not in ("-h", "--help", "-o"):
                    assert re.search(rf"`[^`]*{option}\b", page), f"{option} of {name}"


def test_every_key_is_on_the_page_of_the_command_line() -> None:
    import burnside
    from burnside.report.json import outcome_record, symmetries_record

    page = (ROOT / "docs" / "cli.md").read_text()
    net = burnside.load(ROOT / "examples" / "nets" / "mutex.lola")
    outcome = outcome_record(burnside.check(net, goals="critical_1 > 0", stats=True))
    keys = {*outcome, *outcome["reduction"], *outcome["hardness"], *outcome["properties"][0]}
    for key in keys | set(symmetries_record(burnside.symmetries(net))):
        assert re.search(rf"`[^`]*\b{key}\b[^`]*`|\"{key}\"", page), key


def rewrite(page: Path) -> None:
    """Put into a page what its commands print now."""
    with tempfile.TemporaryDirectory() as folder:
        shell = Shell(Path(folder))

        def ran(found: re.Match[str]) -> str:
            printed = shell.run(found[1])
            kept = found[2] if elastic(printed) == elastic(found[2]) else printed
            return f"$ {found[1]}\n{kept}"

        text = CONSOLE.sub(lambda block: COMMAND.sub(ran, block[0]), page.read_text())
    page.write_text(text)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        rewrite(Path(name))
