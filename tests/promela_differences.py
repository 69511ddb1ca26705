"""Random Promela models in burnside and in Spin: where they differ, and a small text that still differs.

`python -m tests.promela_differences FIRST LAST` looks at these seeds, and shows the differences.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import burnside
from burnside.diagnostics import InputError, UnsupportedError
from burnside.outcome import Outcome
from burnside.request import Limits

from tests.promela_programs import program
from tests.promela_spin import Verified, verified

MAX_STATES, MAX_SECONDS = 20_000, 20
"""Models with more are passed over."""
PROPER_MESSAGES = ("assertion violated", "invalid end state")
"""After other errors, Spin goes on with whatever is in the memory, or ends."""


class Passed(Exception):
    """A text about which nothing is said: burnside refuses it, or it has too many states."""


def explored(path: Path) -> Outcome:
    try:
        limits = Limits(states=MAX_STATES, seconds=MAX_SECONDS)
        found = burnside.check(burnside.load(path), reduce="none", keep_going=True, limits=limits)
    except UnsupportedError as error:
        raise Passed(f"unsupported: {error}") from error
    if found.stopped != "exhausted":
        raise Passed(f"stopped: {found.stopped}")
    return found


def difference(text: str) -> str | None:
    """What burnside and Spin say of a model, where it is not the same."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "model.pml"
        path.write_text(text)
        try:
            ours = explored(path)
        except InputError as error:
            said = verified(path, folder)
            return None if isinstance(said, str) else f"refused by burnside only: {error}"
        said = verified(path, folder)
        if isinstance(said, str):
            raise Passed(f"refused by Spin only: {said}")
        return _difference(ours, said)


def _difference(ours: Outcome, said: Verified) -> str | None:
    violated = {each.kind for each in ours.properties if each.verdict == "violated"}
    is_wrong = [each for each in said.messages if not is_proper(each)]
    if "too deep" in said.messages:
        return None
    if is_wrong or "error" in violated:
        return None if is_wrong and "error" in violated else f"errors: {sorted(violated)}, Spin: {said}"
    one: dict[str, object] = {
        "states": ours.states,
        "transitions": ours.transitions,
        "assertion": "assertion" in violated,
        "deadlock": "deadlock" in violated,
    }
    other: dict[str, object] = {
        "states": said.states,
        "transitions": said.transitions,
        "assertion": any(each.startswith("assertion violated") for each in said.messages),
        "deadlock": "invalid end state" in said.messages,
    }
    if not one["assertion"]:
        one["deadlocks"], other["deadlocks"] = ours.deadlocks, said.errors
    return None if one == other else f"{one}, Spin: {other}"


def is_proper(message: str) -> bool:
    return message.startswith(PROPER_MESSAGES) and "invalid array index" not in message


# Smaller texts


def shrunk(text: str, fails: Callable[[str], bool]) -> str:
    """Fewer lines, as long as the test says so: long runs of them go first."""
    length = len(text.splitlines())
    while length:
        smaller = _shrunk(text, length, fails)
        if length == 1 and smaller != text:
            length = 8
        else:
            length //= 2
        text = smaller
    return text


def _shrunk(text: str, length: int, fails: Callable[[str], bool]) -> str:
    """Without runs of at most so many lines, or, of one line, the beginning and the end of a block."""
    lines = text.splitlines()
    first = 0
    while first < len(lines):
        for last in range(min(first + length, len(lines)), first, -1):
            if _is_whole(lines[first:last]) and fails(_joined(lines[:first], lines[last:])):
                del lines[first:last]
                break
        else:
            end = _end(lines, first)
            if length == 1 and end is not None and _opens(lines[first]) > 0:
                parts = lines[:first], lines[first + 1 : end], lines[end + 1 :]
                if fails(_joined(*parts)):
                    lines = [each for part in parts for each in part]
            first += 1
    return _joined(lines)


def _joined(*parts: list[str]) -> str:
    return "\n".join([each for part in parts for each in part]) + "\n"


def _opens(line: str) -> int:
    words = line.replace("::", " ").replace(";", " ").split()
    opened = line.count("{") + sum(each in ("if", "do") for each in words)
    return opened - line.count("}") - sum(each in ("fi", "od") for each in words)


def _end(lines: list[str], first: int) -> int | None:
    depth = 0
    for at in range(first, len(lines)):
        depth += _opens(lines[at])
        if depth <= 0:
            return at
    return None


def _is_whole(lines: list[str]) -> bool:
    depth = 0
    for line in lines:
        depth += _opens(line)
        if depth < 0 or ("unless" in line and depth == 0):
            return False
    return depth == 0


def differs(text: str) -> bool:
    try:
        found = difference(text)
    except (Passed, burnside.BurnsideError):
        return False
    return found is not None and not found.startswith("refused")


def main(first: int, last: int) -> None:
    passed = 0
    for seed in range(first, last):
        try:
            found = difference(program(seed))
        except Passed as reason:
            passed += 1
            print(f"seed {seed}: passed over, {str(reason)[-150:]!r}", flush=True)
            continue
        except Exception as error:  # a bug, to be shown with its seed
            found = f"{type(error).__name__}: {error}"
        print(f"seed {seed}: {found or 'the same'}", flush=True)
    print(f"{last - first} texts, {passed} passed over")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
