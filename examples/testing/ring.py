"""The ring leader election of Romijn and Springintveld (1999, Table 3): a machine, its symmetry, and the kernel.

`burnside.families.machines.ring` says what the stations and links do. The machine is not deterministic, which kernels need;
so it is minimised (the quotient is what the table calls the model), determinised, and minimised again.

expect: machine 145094 779040, quotient 37764 292254, deterministic 24524 184545, kernel 24382 172482
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from burnside.families.machines import MACHINE_FAMILIES, member
from burnside.testing.facts import determinise, minimise
from kernels import print_size, reduce, run


def main(arguments: Namespace) -> None:
    found = member("ring", [])
    machine = found.machine()
    print_size("machine", machine)
    quotient = minimise(machine)
    print_size("quotient", quotient)
    deterministic = minimise(determinise(quotient))
    print_size("deterministic", deterministic)
    reduce(deterministic, found.pattern(), found.order(arguments.order), arguments.output)


parser = ArgumentParser(description="Kernel of a ring leader election with three stations.")
parser.add_argument(
    "--order", choices=list(MACHINE_FAMILIES["ring"].orders), help="of labels (default: descending)"
)
run(parser, main)
