"""The commands for finite state machines and tests.

In: the arguments of the command line (`testing_arguments`). Out: an exit code. The work is in `burnside.testing`, the
words are in `burnside.report`.
"""

from burnside.testing_commands.kernels import kernel, traces
from burnside.testing_commands.machines import machine, write_example
from burnside.testing_commands.runs import run_tests
from burnside.testing_commands.suites import fault_coverage, tests

__all__ = ["fault_coverage", "kernel", "machine", "run_tests", "tests", "traces", "write_example"]
