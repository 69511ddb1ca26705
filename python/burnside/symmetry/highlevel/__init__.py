"""Symmetries of high-level nets. In: a net, claims about its markings. Out: a `HighLevelSymmetry`."""

from __future__ import annotations

from collections.abc import Sequence

from burnside.ir.highlevel.net import Claim, HighLevelNet
from burnside.ir.types import Sort
from burnside.limits import Deadline
from burnside.records import record
from burnside.symmetry import Refusal, points
from burnside.symmetry.elements import CertifiedGenerator


@record(kw_only=True)
class HighLevelSymmetry:
    net: HighLevelNet
    generators: tuple[CertifiedGenerator, ...] = ()
    refused: tuple[Refusal, ...] = ()
    restricted_by: tuple[str, ...] = ()
    complete: bool = False
    order: int | None = None
    in_time: bool = True
    telling: tuple[int, ...] = ()

    @property
    def sorts(self) -> tuple[Sort, ...]:
        return self.net.sorts

    @property
    def point_names(self) -> tuple[str, ...]:
        return points.point_names(self.net)


def no_symmetry(net: HighLevelNet, *, broken: Sequence[str] = ()) -> HighLevelSymmetry:
    return HighLevelSymmetry(net=net)


def highlevel_symmetry(
    net: HighLevelNet,
    claims: Sequence[Claim],
    *,
    broken: Sequence[str] = (),
    search: bool = True,
    deadline: Deadline | None = None,
) -> HighLevelSymmetry:
    return no_symmetry(net, broken=broken)
