"""How large an unfolding may become. In: a number of transitions. Out: `Limits`; `Exceeded` where one is reached."""

from __future__ import annotations

from burnside.records import record

MAX_TRANSITIONS = 5_000_000


@record
class Limits:
    """Everything else follows from the number of transitions. With a small number it is soon known that a net is larger."""

    transitions: int = MAX_TRANSITIONS

    @property
    def places(self) -> int:
        return max(50_000, self.transitions)

    @property
    def arcs(self) -> int:
        return max(500_000, 10 * self.transitions)

    @property
    def work(self) -> int:
        """Values of variables that are tried."""
        return max(4_000_000, 100 * self.transitions)

    @property
    def evaluations(self) -> int:
        """Values that are tried by the reference evaluator, some ten thousand a second."""
        return max(20_000, self.transitions // 10)

    @property
    def endless(self) -> int:
        """Tokens of types without end: with more, there may be no end to them either."""
        return max(5_000, self.transitions // 20)

    @property
    def size(self) -> int:
        """Parts of all values that are not of simple types, together: lists that grow are stopped by this."""
        return max(500_000, 2 * self.transitions)


class Exceeded(Exception):
    """One of `transitions`, `places`, `arcs`, `work`, `evaluations`, `endless`, `size`, `number`, `weight`, `seconds`,
    `domain`."""

    def __init__(self, what: str, subject: object = None) -> None:
        super().__init__(what)
        self.what, self.subject = what, subject
