"""A toy implementation of the chatbox (chatbox.py has its specification), to be tested by a suite.

It is written by itself: who is present, and a set of open messages. Started as a program it reads `reset` and inputs from
standard input, and answers outputs, line by line; with --port it listens for one TCP connection after the other instead.

    burnside example chatbox 3 -o chatbox.dot --pattern chatbox.toml
    burnside tests chatbox.dot --pattern chatbox.toml -o suite.jsonl
    burnside run-tests suite.jsonl --adapter 'python3 toy_chatbox.py 3'
    burnside run-tests suite.jsonl --adapter 'python3 toy_chatbox.py 3 --fault forgetful'
"""

from __future__ import annotations

import argparse
import socketserver
import sys

FAULTS = {
    "forgetful": "messages of a user who leaves are forgotten",
    "mirrored": "an acknowledgement is taken for a message in its own direction",
    "favourite": "user 0 need not wait for acknowledgements (not symmetric)",
}


class Chatbox:
    """`fixed`: all users are present, and stay."""

    def __init__(self, users: int, *, fixed: bool = False, fault: str | None = None) -> None:
        self.users, self.fixed, self.fault = users, fixed, fault
        self.reset()

    def reset(self) -> None:
        self.present = set(range(self.users)) if self.fixed else set()
        self.open: set[tuple[int, int]] = set()

    def step(self, given: str) -> str:
        kind, *rest = given.split()
        if kind == "DREQ":
            return self.request(int(rest[0]), int(rest[1]), rest[2])
        return self.come_or_go(kind, int(rest[0]))

    def come_or_go(self, kind: str, user: int) -> str:
        if (kind == "JOIN") == (user in self.present):
            return "NO_OUTPUT"
        self.present ^= {user}
        if kind == "LEAVE" and self.fault == "forgetful":
            self.open = {pair for pair in self.open if user not in pair}
        return "OK"

    def request(self, sender: int, receiver: int, what: str) -> str:
        if sender == receiver or not {sender, receiver} <= self.present:
            return "NO_OUTPUT"
        if what == "MES":
            if (sender, receiver) in self.open:
                return "DIND" if self.fault == "favourite" and sender == 0 else "NO_OUTPUT"
            self.open.add((sender, receiver))
            return "DIND"
        answered = (sender, receiver) if self.fault == "mirrored" else (receiver, sender)
        if answered not in self.open:
            return "NO_OUTPUT"
        self.open.remove(answered)
        return "DIND"


def serve(chatbox: Chatbox, lines, write) -> None:
    for line in lines:
        given = line.strip()
        if given == "reset":
            chatbox.reset()
        else:
            write(chatbox.step(given) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description="A toy chatbox that is to be tested.")
    parser.add_argument("users", type=int)
    parser.add_argument("--fixed", action="store_true", help="all users are present, and stay")
    parser.add_argument("--fault", choices=FAULTS, help="what is wrong with it")
    parser.add_argument("--port", type=int, help="listen on this port of the loopback interface")
    arguments = parser.parse_args()
    chatbox = Chatbox(arguments.users, fixed=arguments.fixed, fault=arguments.fault)

    def answer(text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    if arguments.port is None:
        serve(chatbox, sys.stdin, answer)
        return

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            lines = (line.decode() for line in self.rfile)
            serve(chatbox, lines, lambda text: self.wfile.write(text.encode()))

    with socketserver.TCPServer(("127.0.0.1", arguments.port), Handler) as server:
        print(server.server_address[1], flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
