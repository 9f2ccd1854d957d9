"""Fair queueing: two teams and a memory of past use, a lottery, and two classes with aging."""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import NormalDist
from typing import ClassVar

import numpy as np
import pandas as pd

from physics import constants as k
from physics.fair_queueing import catch_up_time, lottery_draws, serve
from physics.queueing import aging_waits, priority_waits
from ui.base import format as f
from ui.base.sentences import Sentences
from ui.knobs import choice, knob

#: Days in the pictures after B's return, and waiting jobs of A at that time.
SHOWN = 42
QUEUED = int(k.FAIR_QUEUED)
#: Length of every job [s], in whole seconds so that start tags are exact.
JOB = float(k.FAIR_FLOW_JOB)
YEAR = 365 * float(k.DAY)
#: Half-lives to choose from [s], the longest first; both ends are those of systems in the presets.
HALF_LIVES = {
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
WEIGHTS = (0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)
DRAWS = (10, 30, 100, 300, 1000, 3000, 10_000)
AGING = (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0, 20.0, 30.0, 50.0, 100.0)
#: Standard errors within which about 95 of 100 lotteries stay: 93 to 97 if ten wins are expected.
Z = -NormalDist().inv_cdf(0.025)
SERVICE = float(k.FAIR_SERVICE)
#: The two classes of jobs, the one that ages faster first.
CLASSES = ("urgent", "patient")


@lru_cache(maxsize=4096)
def order(rule: str, alone: int, half_life: float, ratio: float) -> str:
    """Return the teams whose jobs run on each day after B's return, such as "BBA".

    Each job takes the whole cluster for one day. A ran `alone` [days] before, and then both always
    have waiting jobs. The rule is "fair", "banked", "sfq", or "fifo"; `half_life` [days], which may
    be infinite, matters only under "fair", and `ratio` is B's weight ÷ A's.
    """
    if rule == "fair":
        return _fair(alone, half_life, ratio)
    return _served(rule, alone, ratio)


def _fair(alone: int, half_life: float, ratio: float) -> str:
    """Run the team whose remembered use ÷ weight is smaller, or A if both are equal."""
    fade = 2 ** (-1 / half_life)
    of_day = 1.0  # remembered use of one day at its end [days]
    use_a = float(alone)
    if half_life < math.inf:
        of_day = (1 - fade) * half_life / math.log(2)
        use_a = of_day * (1 - fade**alone) / (1 - fade)
    use_b = 0.0
    teams = ""
    while len(teams) < SHOWN or "A" not in teams:
        is_a = use_a <= use_b / ratio * (1 + 1e-9)
        use_a = use_a * fade + of_day * is_a
        use_b = use_b * fade + of_day * (not is_a)
        teams += "A" if is_a else "B"
    return teams


def _served(rule: str, alone: int, ratio: float) -> str:
    """Serve A's jobs, which all arrive when A is alone, and B's, which arrive at its return."""
    jobs_of_a = alone + QUEUED
    jobs_of_b = math.ceil(ratio * alone) + QUEUED + math.ceil(ratio) + 1
    arrival = [-alone * JOB] * jobs_of_a + [0.0] * jobs_of_b
    flow = list("A" * jobs_of_a + "B" * jobs_of_b)
    jobs = pd.DataFrame({"flow": flow, "arrival": arrival, "length": JOB})
    schedule = serve(jobs, {"A": 1.0, "B": ratio}, rule)
    return "".join(schedule[schedule["start"] >= 0].sort_values("start")["flow"])


def days(seconds: float) -> str:
    """Write a time in days, in years from two years on, or in hours and minutes if it is short.

    >>> days(6.738 * 86400), days(36000.0), days(0.0), days(86400.0), days(3650 * 86400.0)
    ('6.74 days', '10 h', '0 days', '1 day', '10 years')
    """
    if seconds == 0:
        return "0 days"
    if 2 * YEAR <= seconds < math.inf:
        return f.count(seconds / YEAR, "year")
    if k.DAY * 0.9995 <= seconds < math.inf:
        return f.count(seconds / k.DAY, "day")
    return f.duration(seconds)


def half_life(seconds: float) -> str:
    """Write a half-life in words; it may be infinite."""
    if seconds == math.inf:
        return "never forgotten"
    return days(seconds)


@dataclass(frozen=True)
class Teams:
    """Settings of the lesson: a team's time alone, the half-life of usage, a lottery, and aging."""

    page: ClassVar[str] = "fair_queueing"

    alone: float = knob(k.FAIR_ALONE, unit=k.DAY, spoken=days)
    half_life: str = choice(
        {name: half_life(value) for name, value in HALF_LIVES.items()}, default="7d"
    )
    weight_ratio: float = knob(k.FAIR_WEIGHT_RATIO, positions=WEIGHTS, spoken=f.times)
    tickets: float = knob(k.FAIR_TICKETS, unit=0.01)
    draws: int = knob(k.FAIR_DRAWS, positions=DRAWS)
    aging_ratio: float = knob(k.FAIR_AGING_RATIO, positions=AGING)
    load: float = knob(k.FAIR_LOAD, unit=0.01)
    lottery: int = int(k.FAIR_LOTTERY)

    @property
    def remembered(self) -> float:
        """h, half-life of past use [s]; infinite if use is never forgotten."""
        return HALF_LIVES[self.half_life]

    def order(self, rule: str = "fair") -> str:
        """Return the teams whose jobs run on each day after B's return, under one policy."""
        return order(rule, round(self.alone / JOB), self.remembered / JOB, self.weight_ratio)

    @property
    def wait(self) -> float:
        """Time from B's return until A's next job starts under fair share, job by job [s]."""
        return self.order().index("A") * JOB

    @property
    def wait_if_equal(self) -> float:
        """A's wait after B's return if both teams had equal shares [s]."""
        return replace(self, weight_ratio=1.0).wait

    @property
    def locked_out(self) -> float:
        """Time until B's remembered use equals A's, by the formula [s]."""
        return catch_up_time(self.alone, self.remembered, self.weight_ratio)

    @property
    def longest(self) -> float:
        """Longest possible wait of A, after an infinite time alone: h log₂(1 + r) [s]."""
        return self.remembered * math.log2(1 + self.weight_ratio)

    def kept(self, age: np.ndarray) -> np.ndarray:
        """Weight of use of this age [s], 2^(−t/h) [1]."""
        return 2.0 ** (-age / self.remembered)

    def counted(self, time: np.ndarray) -> np.ndarray:
        """Remembered use after using the fleet for a time t [s], (h ÷ ln 2) (1 − 2^(−t/h)) [s]."""
        if self.remembered == math.inf:
            return time
        return -self.remembered / math.log(2) * np.expm1(-time / self.remembered * math.log(2))

    @property
    def counts_as(self) -> float:
        """Part of A's use alone that still counts when B returns [s]."""
        return float(self.counted(np.array(self.alone)))

    @property
    def after(self) -> dict[str, float]:
        """A's wait after 30 days alone, for equal shares and a half-life of one year [s]."""
        a_year = order("fair", 30, YEAR / JOB, 1.0)
        return {"year": a_year.index("A") * JOB}

    @property
    def others(self) -> dict[str, float]:
        """A's wait under banked turns and under start-time fair queueing [s]."""
        return {rule: self.order(rule).index("A") * JOB for rule in ("banked", "sfq")}

    @property
    def ran_alone(self) -> str:
        """Note next to A's remembered use: how long A ran alone."""
        if self.alone == 0:
            return "A has not run alone"
        return f"after {days(self.alone)} alone"

    @property
    def luck(self) -> dict[str, float]:
        """Expected wins and share won in the lottery [1], and draws until it is fair enough.

        `low` and `high` are the ends of the interval of shares won [1].
        """
        tickets = self.tickets
        width = float(spread(tickets, self.draws))
        return {
            "wins": self.draws * tickets,
            "won": path(self.lottery, tickets)[int(self.draws) - 1] * tickets,
            "low": max(0.0, tickets * (1 - width)),
            "high": tickets * (1 + width),
            "needed": lottery_draws(tickets, float(k.FAIR_TOLERANCE)),
        }

    @property
    def waits(self) -> dict[str, float]:
        """Mean waits of both classes under aging, and of all jobs in order of arrival [s].

        Each class has half the load, and jobs of the same mean length.
        """
        halves = [self.load / 2 / SERVICE] * 2, [SERVICE] * 2
        urgent, patient = aging_waits(*halves, [self.aging_ratio, 1.0])
        in_order = aging_waits(*halves, [1.0, 1.0])[0]
        return {"urgent": urgent, "patient": patient, "in_order": in_order}

    @property
    def strict(self) -> dict[str, float]:
        """Mean waits of both classes under strict priority [s]."""
        urgent, patient = priority_waits([self.load / 2 / SERVICE] * 2, [SERVICE] * 2)
        return {"urgent": urgent, "patient": patient}


def spread(share: float, draws: np.ndarray | float) -> np.ndarray:
    """Half-width of the interval ÷ the share, by the normal approximation: z √((1 − p) ÷ (p n))."""
    return Z * np.sqrt((1 - share) / (share * draws))


def path(number: int, share: float) -> np.ndarray:
    """Share won after 1, 2, … draws of one lottery ÷ share of the tickets [1]."""
    won = np.random.default_rng(number).random(DRAWS[-1]) < share
    return np.cumsum(won) / np.arange(1, DRAWS[-1] + 1) / share


say = Sentences(
    Teams,
    formats={
        "days": days,
        "hours": lambda seconds: f"{f.significant(seconds / k.HOUR)} h",
        "halflife": half_life,
    },
)
