"""Implementations that speak lines of UTF-8: commands and TCP peers.

In: a command, or an address. Out: an `Adapter`. The line `reset` brings the implementation to its initial state and is not
answered (with `reset_reply`, by one line). Any other line is an input, and is answered by one line, the output. Lock step:
an input is sent when the answer to the one before is there.

An implementation that misbehaves is closed, and starts anew with the next reset. Only where it cannot be started at
all, the call is wrong.
"""

from __future__ import annotations

import os
import selectors
import shlex
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import IO, TypeVar

from burnside.diagnostics import Diagnostic, UnsupportedError, UsageError
from burnside.testing.running.adapters import Misbehaviour

Value = TypeVar("Value")
RESET = "reset"
MAX_LINE = 65_536
"""Bytes of an answer."""
LAST_WORDS = 2_000
"""Bytes of standard error that are kept to be shown."""
GRACE = 1.0
"""Seconds that a process has to end by itself."""


class LineAdapter:
    """What processes and connections share. `_open` starts an implementation, `_shut` ends it."""

    def __init__(self, timeout: float, reset_reply: bool) -> None:
        self._timeout, self._reset_reply = timeout, reset_reply
        self._buffer = b""
        self._is_open = self._was_open = False

    def _open(self) -> None:
        raise NotImplementedError

    def _shut(self) -> None:
        """Also where it was opened in part."""
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
            self._start()
        self._guarded(lambda: self._send(RESET))
        if self._reset_reply:
            self._guarded(self._answer)

    def _start(self) -> None:
        try:
            self._open()
        except UsageError as error:
            if self._was_open:
                what = f"it could not be started again: {error.diagnostic.message}"
                raise Misbehaviour("died", what) from None
            raise
        except BaseException:  # an interrupt must not leave a process behind
            self._shut()
            raise
        self._is_open = self._was_open = True
        self._buffer = b""
        self._answers = selectors.DefaultSelector()
        self._answers.register(self._descriptor(), selectors.EVENT_READ)

    def step(self, given: str, /) -> str:
        if given == RESET or "\n" in given or "\r" in given:
            why = "would be taken for a reset" if given == RESET else "has a line break"
            message = (
                f"the input {given!r} {why}: implementations that read lines cannot be tested with this suite"
            )
            raise UnsupportedError(Diagnostic(message, "run-tests"))
        self._guarded(self._refuse_unasked)
        self._guarded(lambda: self._send(given))
        return self._guarded(self._answer)

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            self._answers.close()
            self._shut()

    def _guarded(self, action: Callable[[], Value]) -> Value:
        """Closes the adapter where the implementation misbehaves."""
        try:
            return action()
        except Misbehaviour:
            self.close()
            raise
        except OSError:
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
                raise self._silence()
            more = self._read()
            if not more:
                raise Misbehaviour("died", self._ended())
            self._buffer += more
        line, self._buffer = self._buffer.split(b"\n", 1)
        try:
            return line.removesuffix(b"\r").decode()
        except UnicodeDecodeError:
            raise Misbehaviour("garbage", f"its answer is no text in UTF-8: {line[:80]!r}") from None

    def _silence(self) -> Misbehaviour:
        part = f", only {self._buffer[:80]!r} without a line break" if self._buffer else ""
        return Misbehaviour("timeout", f"no answer within {self._timeout:g} seconds{part}")

    def _wait(self, deadline: float) -> bool:
        return bool(self._answers.select(max(0.0, deadline - time.monotonic())))


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
        self._errors: _LastWords | None = None

    def _open(self) -> None:
        self._process = self._errors = None
        try:
            self._process = subprocess.Popen(
                self._words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise UsageError(Diagnostic(f"cannot start {self._words[0]!r}: {reason}", "--adapter")) from None
        assert self._process.stdin is not None and self._process.stderr is not None
        self._errors = _LastWords(self._process.stderr)
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
        assert self._errors is not None
        return how + self._errors.text()

    def _silence(self) -> Misbehaviour:
        """A process that has ended says nothing, even where one that it started keeps its standard output open."""
        assert self._process is not None
        if self._process.poll() is None:
            return super()._silence()
        return Misbehaviour("died", self._ended())

    def _shut(self) -> None:
        """Standard input is closed; a process that goes on is killed with all that it started."""
        process = self._process
        if process is None:
            return
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE / 5)
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if self._errors is not None:
            self._errors.join()


class _LastWords:
    """Reads the standard error of a process, so that it never waits for a reader, and keeps the end of it."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._end = stream, b""
        self._thread = Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with self._stream as stream, suppress(OSError):
            while more := os.read(stream.fileno(), 1 << 16):
                self._end = (self._end + more)[-LAST_WORDS:]

    def join(self) -> None:
        """Until all is read; not for long, as a process that was started by this one may keep it open."""
        self._thread.join(GRACE / 5)

    def text(self) -> str:
        self.join()
        text = self._end.decode(errors="replace").strip()
        return "; its last words: " + " | ".join(text.splitlines()[-5:]) if text else ""


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
        except (OSError, UnicodeError) as error:
            is_name = not isinstance(error, UnicodeError)
            reason = (
                (getattr(error, "strerror", None) or str(error)) if is_name else "this is no name of a host"
            )
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
        if self._socket is not None:
            self._socket.close()
