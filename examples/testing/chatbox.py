"""The chatbox of Romijn and Springintveld (1999, Table 1): a machine, its symmetry, and the kernel.

`burnside.families.machines.chatbox` says what a chatbox does. The order of inputs decides how large the kernel is: `lifo`
answers the last message first.

expect 2: machine 16 192, kernel 9 74
expect 3: machine 512 12288, kernel 213 3722
expect 3 --order literal: machine 512 12288, kernel 502 8626
expect 3 --fixed: machine 64 1152, kernel 10 84
expect 4 --fixed: machine 4096 131072, kernel 35 396
expect 4 --fixed --order literal: machine 4096 131072, kernel 112 1296
expect 4: machine 65536 2621440, kernel 11636 285810
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from burnside.families.machines import chatbox, member
from kernels import print_size, reduce, run


def main(arguments: Namespace) -> None:
    found = member("chatbox-fixed" if arguments.fixed else "chatbox", [arguments.users])
    machine = found.machine()
    print_size("machine", machine)
    reduce(machine, found.pattern(), found.order(arguments.order), arguments.output)


parser = ArgumentParser(description="Kernel of a chatbox.")
parser.add_argument("users", metavar="USERS")
parser.add_argument("--fixed", action="store_true", help="users neither join nor leave")
parser.add_argument("--order", choices=chatbox.ORDERS, help="of inputs (default: lifo)")
run(parser, main)
