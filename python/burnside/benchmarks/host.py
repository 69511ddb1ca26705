"""The computer on which a table was measured: enough to judge the seconds, nothing that identifies its owner.

In: the running system. Out: one frozen `Host`, stored beside the tables in `machines.csv`. No host
name, no user, no path.
"""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from burnside.records import astuple, field_names, record


@record
class Host:
    """Everything as text, as it comes back from CSV."""

    processor: str
    cores: str
    memory: str
    system: str
    python: str
    burnside: str
    load: str
    """Running processes, averaged over the minute before: seconds from a busy machine mean little."""
    date: str

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        return field_names(cls)

    @property
    def cells(self) -> tuple[str, ...]:
        return astuple(self)

    def __str__(self) -> str:
        return (
            f"{self.processor}, {self.cores} cores, {self.memory}; {self.system}; Python {self.python}; "
            f"burnside {self.burnside}"
        )


def this_host() -> Host:
    from burnside import __version__

    return Host(
        processor=_processor(),
        cores=str(usable_cores()),
        memory=_memory(),
        system=_system(),
        python=platform.python_version(),
        burnside=__version__,
        load=_load(),
        date=datetime.now(UTC).date().isoformat(),
    )


def usable_cores() -> int:
    """Those this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _processor() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return " ".join(value.split())
    return platform.processor() or platform.machine() or "unknown processor"


def _memory() -> str:
    try:
        return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB"
    except (AttributeError, OSError, ValueError):  # no such question on this system
        return "unknown memory"


def _system() -> str:
    with suppress(OSError, AttributeError):
        return f"{platform.freedesktop_os_release()['PRETTY_NAME']}, {platform.machine()}"
    return f"{platform.system()}, {platform.machine()}"


def _load() -> str:
    with suppress(OSError, AttributeError):
        return f"{os.getloadavg()[0]:.1f}"
    return ""
