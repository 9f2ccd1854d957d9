"""Fair queueing: two teams and a memory, the tickets of a lottery, and two classes that age while they wait."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from physics import constants as k
from physics.fair_queueing import catch_up_time
from physics.priority import aging_waits
from ui.base import format as f
from ui.knobs import MORE, choice, knob

#: Half-lives that can be chosen [s], the longest first; the ends are those of the systems that the presets name.
HALF_LIVES: Mapping[str, float] = {
    "never": math.inf,
    "30d": 30 * k.DAY,
    "14d": 14 * k.DAY,
    "7d": float(k.FAIR_SHARE_HALF_LIFE),
    "4d": 4 * k.DAY,
    "2d": 2 * k.DAY,
    "1d": 1 * k.DAY,
    "6h": 6 * k.HOUR,
    "1h": 1 * k.HOUR,
    "10min": float(k.FAIR_BATCH_DECAY.low or 0),
}


def written(half_life: float) -> str:
    """Write a half-life: up to two days in hours, then in days."""
    if half_life == math.inf:
        return "never forgotten"
    return f.count(half_life / k.DAY, "day") if half_life >= k.DAY else f.duration(half_life)


@dataclass(frozen=True)
class Turns:
    """Who has run alone and how long that is remembered, a lottery, and aging; all SI."""

    alone: float = knob(
        k.FAIR_ALONE,
        "Days that A ran alone",
        unit=k.DAY,
        help="Time for which team A had the cluster to itself before team B returned.",
        change="with A alone for {}",
        spoken=lambda seconds: f.count(seconds / k.DAY, "day"),
    )
    half_life: str = choice(
        {name: written(value) for name, value in HALF_LIVES.items()},
        "Half-life of past use",
        help="Time after which past use counts half. Never forgotten: it counts in full for good.",
        default="7d",
        change="with a half-life of {}",
    )
    weight_ratio: float = knob(
        k.FAIR_WEIGHT_RATIO,
        "Weight of B ÷ A",
        positions=(0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0),
        help="How large B's share is beside A's. 1: equal shares.",
        change="with B's weight {} A's",
        spoken=f.times,
    )
    tickets: float = knob(
        k.FAIR_TICKETS, "Share of the tickets (%)", unit=0.01, help="Tickets that are held, of all in the lottery."
    )
    draws: int = knob(
        k.FAIR_DRAWS,
        "Draws of the lottery",
        positions=(10, 30, 100, 300, 1000, 3000, 10_000),
        help="One draw decides whose job is served next.",
    )
    aging_ratio: float = knob(
        k.FAIR_AGING_RATIO,
        "Aging: urgent ÷ patient",
        positions=(1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0, 20.0, 30.0, 50.0, 100.0),
        help="How much faster a waiting urgent job gains priority than a waiting patient one.",
    )
    load: float = knob(
        k.FAIR_LOAD, "Load of the server (%)", unit=0.01, help="Its busy share, half of it by each of the two classes."
    )
    lottery: int = knob(k.FAIR_LOTTERY, "Number of the lottery", help="Each draws other tickets.", group=MORE)

    @property
    def remembered(self) -> float:
        """h, half-life of past use [s]; infinite if nothing is ever forgotten."""
        return HALF_LIVES[self.half_life]

    @property
    def locked_out(self) -> float:
        """Time from B's return until A's next job starts, by the formula [s]."""
        return catch_up_time(self.alone, self.remembered, self.weight_ratio)

    @property
    def unforgotten(self) -> float:
        """The same if nothing were ever forgotten [s]."""
        return self.weight_ratio * self.alone

    @property
    def longest(self) -> float:
        """What it comes to when A has run alone without end: h log₂(1 + r) [s]."""
        return self.remembered * math.log2(1 + self.weight_ratio)

    @cached_property
    def waits(self) -> tuple[float, float]:
        """Mean waits of urgent and patient jobs under aging [s]."""
        return waits_at(self.load, self.aging_ratio)

    @property
    def in_order(self) -> float:
        """Mean wait of both in the order of arrival [s]."""
        return waits_at(self.load, 1.0)[0]


def waits_at(load: float, ratio: float) -> tuple[float, float]:
    """Mean waits of urgent and patient jobs [s]: half the load each, exponential lengths of the same mean."""
    service = float(k.FAIR_SERVICE)
    urgent, patient = aging_waits([load / 2 / service] * 2, [service] * 2, [ratio, 1.0])
    return urgent, patient
