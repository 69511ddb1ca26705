"""Adapters: how an implementation is reset, given an input, and asked for its output.

In: an object of Python, a command, or an address. Out: an `Adapter`. A command and a TCP peer speak lines of UTF-8:
`reset` brings the implementation to its initial state and is not answered (with `reset_reply`, by one line); any other
line is an input, and is answered by one line, the output. Lock step: an input is sent when the answer to the one before
is there.

What an implementation does wrong is a `Misbehaviour`, a verdict of the test: no answer in time, an end, an answer that is no
line of text, one that nobody asked for. The adapter is then closed, and starts anew with the next reset.
"""

from __future__ import annotations

import os
import selectors
import shlex
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Literal, Protocol, TypeVar

from burnside.diagnostics import Diagnostic, UsageError

Value = TypeVar("Value")
Kind = Literal["wrong output", "timeout", "died", "garbage", "exception"]
MAX_LINE = 65_536
"""Bytes of an answer."""
LAST_WORDS = 2_000
"""Bytes of standard error that are shown."""
GRACE = 1.0
"""Seconds that a process has to end by itself."""


class Misbehaviour(Exception):
    """What an implementation did instead of answering."""

    def __init__(self, kind: Kind, what: str) -> None:
        super().__init__(what)
        self.kind, self.what = kind, what


class Implementation(Protocol):
    """Of Python."""

    def reset(self) -> object: ...
    def step(self, given: str, /) -> str: ...


class Adapter(Protocol):
    """`reset` and `step` raise `Misbehaviour`, and a `UsageError` where an implementation cannot even be started."""

    def reset(self) -> None: ...
    def step(self, given: str) -> str: ...
    def close(self) -> None: ...


class ObjectAdapter:
    """An object of this process. Its exceptions are verdicts."""

    def __init__(self, implementation: Implementation) -> None:
        self._implementation = implementation

    def reset(self) -> None:
        try:
            self._implementation.reset()
        except Exception as error:
            raise Misbehaviour("exception", f"reset raised {type(error).__name__}: {error}") from None

    def step(self, given: str) -> str:
        try:
            output = self._implementation.step(given)
        except Exception as error:
            raise Misbehaviour("exception", f"it raised {type(error).__name__}: {error}") from None
        if not isinstance(output, str):
            raise Misbehaviour("garbage", f"it answered {output!r}, which is no text")
        return output

    def close(self) -> None:
        pass


class LineAdapter:
    """What processes and connections share. `_open` starts an implementation, `_shut` ends it."""

    def __init__(self, timeout: float, reset_reply: bool) -> None:
        self._timeout, self._reset_reply = timeout, reset_reply
        self._buffer = b""
        self._is_open = False

    def _open(self) -> None:
        raise NotImplementedError

    def _shut(self) -> None:
        raise NotImplementedError

    def _descriptor(self) -> int:
        raise NotImplementedError

    def _read(self) -> bytes:
        raise NotImplementedError

    def _write(self, data: bytes, deadline: float) -> None:
        raise NotImplementedError

    def _ended(self) -> str:
        """How it ended, in words."""
        raise NotImplementedError

    def reset(self) -> None:
        if self._is_open:
            # What comes before it is asked for would be taken for the next answer.
            self._guarded(self._refuse_unasked)
        else:
            self._open()
            self._is_open, self._buffer = True, b""
        self._guarded(lambda: self._send("reset"))
        if self._reset_reply:
            self._guarded(self._answer)

    def step(self, given: str) -> str:
        self._guarded(self._refuse_unasked)
        self._guarded(lambda: self._send(given))
        return self._guarded(self._answer)

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            self._shut()

    def _guarded(self, action: Callable[[], Value]) -> Value:
        """Closes the adapter where the implementation misbehaves."""
        try:
            return action()
        except Misbehaviour:
            self.close()
            raise
        except (BrokenPipeError, ConnectionError):
            ended = self._ended()
            self.close()
            raise Misbehaviour("died", ended) from None

    def _send(self, text: str) -> None:
        self._write(text.encode() + b"\n", time.monotonic() + self._timeout)

    def _refuse_unasked(self) -> None:
        """Also what has come since the last answer."""
        if not self._buffer and self._wait(0.0):
            self._buffer = self._read()
            if not self._buffer:
                raise Misbehaviour("died", self._ended())
        if self._buffer:
            shown = self._buffer[:80].decode(errors="replace").strip()
            raise Misbehaviour("garbage", f"it said {shown!r} without having been asked")

    def _answer(self) -> str:
        deadline = time.monotonic() + self._timeout
        while b"\n" not in self._buffer:
            if len(self._buffer) > MAX_LINE:
                raise Misbehaviour(
                    "garbage", f"its answer has more than {MAX_LINE} bytes without a line break"
                )
            if not self._wait(deadline):
                part = f", only {self._buffer[:80]!r} without a line break" if self._buffer else ""
                raise Misbehaviour("timeout", f"no answer within {self._timeout:g} seconds{part}")
            more = self._read()
            if not more:
                raise Misbehaviour("died", self._ended())
            self._buffer += more
        line, self._buffer = self._buffer.split(b"\n", 1)
        try:
            return line.removesuffix(b"\r").decode()
        except UnicodeDecodeError:
            raise Misbehaviour("garbage", f"its answer is no text in UTF-8: {line[:80]!r}") from None

    def _wait(self, deadline: float) -> bool:
        with selectors.DefaultSelector() as selector:
            selector.register(self._descriptor(), selectors.EVENT_READ)
            return bool(selector.select(max(0.0, deadline - time.monotonic())))


class ProcessAdapter(LineAdapter):
    """`command`: split as a shell would split it; no shell runs it."""

    def __init__(self, command: str, *, timeout: float = 5.0, reset_reply: bool = False) -> None:
        super().__init__(timeout, reset_reply)
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise UsageError(Diagnostic(f"{command!r} is no command: {error}".lower(), "--adapter")) from None
        if not self._words:
            raise UsageError(Diagnostic("the command is empty", "--adapter"))
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None

    def _open(self) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
        try:
            self._process = subprocess.Popen(
                self._words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            self._errors.close()
            reason = getattr(error, "strerror", None) or str(error)
            raise UsageError(Diagnostic(f"cannot start {self._words[0]!r}: {reason}", "--adapter")) from None
        assert self._process.stdin is not None
        os.set_blocking(self._process.stdin.fileno(), False)

    def _descriptor(self) -> int:
        assert self._process is not None and self._process.stdout is not None
        return self._process.stdout.fileno()

    def _read(self) -> bytes:
        return os.read(self._descriptor(), 1 << 16)

    def _write(self, data: bytes, deadline: float) -> None:
        assert self._process is not None and self._process.stdin is not None
        descriptor = self._process.stdin.fileno()
        while data:
            try:
                data = data[os.write(descriptor, data) :]
            except BlockingIOError:
                with selectors.DefaultSelector() as selector:
                    selector.register(descriptor, selectors.EVENT_WRITE)
                    if not selector.select(max(0.0, deadline - time.monotonic())):
                        raise Misbehaviour(
                            "timeout", f"it read nothing for {self._timeout:g} seconds"
                        ) from None

    def _ended(self) -> str:
        assert self._process is not None
        try:
            code = self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return "it closed its standard input or output"
        how = (
            f"it ended with exit code {code}"
            if code >= 0
            else f"it was ended by {signal.Signals(-code).name}"
        )
        return how + self._last_words()

    def _last_words(self) -> str:
        assert self._errors is not None
        with suppress(OSError, ValueError):
            size = self._errors.seek(0, os.SEEK_END)
            self._errors.seek(max(0, size - LAST_WORDS))
            text = self._errors.read().decode(errors="replace").strip()
            if text:
                return "; its last words: " + " | ".join(text.splitlines()[-5:])
        return ""

    def _shut(self) -> None:
        """Standard input is closed; a process that goes on is killed with all that it started."""
        process = self._process
        assert process is not None and self._errors is not None
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE / 5)
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self._errors.close()


class ConnectionAdapter(LineAdapter):
    """`address`: HOST:PORT."""

    def __init__(self, address: str, *, timeout: float = 5.0, reset_reply: bool = False) -> None:
        super().__init__(timeout, reset_reply)
        host, colon, port = address.rpartition(":")
        if not colon or not host or not (port.isascii() and port.isdigit()) or not 0 < int(port) < 65_536:
            message = f"expected HOST:PORT, not {address!r}"
            raise UsageError(Diagnostic(message, "--connect"))
        self._address = (host.strip("[]"), int(port))
        self._socket: socket.socket | None = None

    def _open(self) -> None:
        try:
            self._socket = socket.create_connection(self._address, self._timeout)
        except OSError as error:
            reason = error.strerror or str(error)
            where = f"{self._address[0]}:{self._address[1]}"
            raise UsageError(Diagnostic(f"cannot connect to {where}: {reason}", "--connect")) from None
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def _descriptor(self) -> int:
        assert self._socket is not None
        return self._socket.fileno()

    def _read(self) -> bytes:
        assert self._socket is not None
        return self._socket.recv(1 << 16)

    def _write(self, data: bytes, deadline: float) -> None:
        assert self._socket is not None
        self._socket.settimeout(max(0.001, deadline - time.monotonic()))
        try:
            self._socket.sendall(data)
        except TimeoutError:
            raise Misbehaviour("timeout", f"it read nothing for {self._timeout:g} seconds") from None

    def _ended(self) -> str:
        return "the connection was closed"

    def _shut(self) -> None:
        assert self._socket is not None
        self._socket.close()
