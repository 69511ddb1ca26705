"""The cyclic train of Romijn and Springintveld (1999, Table 2): a machine, its symmetry, and the kernel.

`burnside.families.machines.train` says what a train does. The pattern is no symmetry (see there); the
kernels are what the algorithm yields nevertheless. Orders are those of the table, and descending for plain trains.

expect 3: machine 378 2502, kernel 333 1725
expect 4: machine 2808 24312, kernel 1548 8752
expect 5: machine 13950 148650, kernel 5193 30255
expect 6: machine 72036 912276, kernel 16959 100647
expect 4 --plain: machine 2565 23084, kernel 625 3724
expect 5 --plain: machine 12805 140854, kernel 1845 11294
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from burnside.families.machines import member
from kernels import print_size, reduce, run


def main(arguments: Namespace) -> None:
    found = member("train-plain" if arguments.plain else "train", [arguments.stations])
    machine = found.machine()
    print_size("machine", machine)
    reduce(machine, found.pattern(), found.order(), arguments.output)


parser = ArgumentParser(description="Kernel of a cyclic train.")
parser.add_argument("stations", metavar="STATIONS")
parser.add_argument("--plain", action="store_true", help="a labelled transition system, without outputs")
run(parser, main)
