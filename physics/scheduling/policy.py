"""Scheduling policy: queue order, backfill, preemption, and quotas, chosen independently."""

import math
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal

from physics import constants as c
from physics.arguments import (
    Flag,
    LimitedCount,
    NonNegative,
    Positive,
    PositivesByName,
    WholesByName,
    count,
    non_negative,
    one_of,
    several,
    within_range,
)

ORDERS = ("arrival", "priority", "fair_share", "shortest")
BACKFILLS = ("none", "easy", "conservative")
SHARERS = ("class", "user", "account")
DAY = float(c.DAY)
WEEK = 7 * float(c.DAY)
#: Monday, 5 January 1970, 00:00 UTC [s since 1970].
MONDAY = 4 * DAY
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


@within_range
@dataclass(frozen=True)
class Preemption:
    """Rules by which running jobs may be stopped for a higher class, and the cost of a stop.

    Work since the last checkpoint is lost; checkpoints are at whole multiples of the interval in
    work done. Each resume first spends the restart time on all of the job's GPUs.

    Args:
        rule: "always": whenever it lets the head of the queue start; "pays": only if the GPU time
            that the head would wait, its width times the time until enough GPUs are free if all
            that runs lasts as estimated, exceeds what the victims lose, their widths times the work
            since the last checkpoint and one restart.
        victims: "latest" or "least_loss"; which of the sets of victims with the least GPUs that
            suffices is stopped: the one with the latest starts, compared from the latest on, or the
            one with the least losses, compared from the least on; equal losses by latest start. For
            victims of one width the latter is the least loss altogether.

    The rule "pays" looks one step ahead: who waits for the victims to come back is not counted.

    >>> Preemption(checkpoint_interval=3600, restart_time=600).rule
    'always'
    """

    checkpoint_interval: Positive = c.CHECKPOINT_INTERVAL  #: work between two checkpoints [s]
    restart_time: NonNegative = c.RESTART_TIME  #: time before a resumed job works again [s]
    #: when the head of the queue may have others stopped
    rule: Literal["always", "pays"] = "always"
    victims: Literal["latest", "least_loss"] = "latest"  #: which of several sets that suffice


@dataclass(frozen=True)
class Emptied:
    """Times at which the machine is empty: a job starts only if it must end before the next one.

    Args:
        times: Times of the day [s], on the clock of the submissions. These count from 1970 in UTC,
            or from the beginning of any Thursday.
        days: Days of the week, 0 for Monday; by default the working days.
        length: For how long the machine stays empty [s]; 0: it is used again at once.

    Raises ValueError for a time outside the day, another day, none of either, one named twice, or a
    length beyond the time between two.

    >>> hours = Emptied((28_800, 61_200))
    >>> hours.longest / 3600  # from Friday, 17:00, to Monday, 8:00
    63.0
    >>> str(hours), Emptied.read("tue@9:00/7200").length
    ('mon+tue+wed+thu+fri@08:00+17:00', 7200.0)
    """

    times: Sequence[float]
    days: Sequence[int] = (0, 1, 2, 3, 4)
    length: float = 0.0

    def __post_init__(self) -> None:
        times = [non_negative("time of the day", time) for time in several("times", self.times)]
        days = [count("day", day, least=0, most=6) for day in several("days", self.days)]
        for name, values in (("times", times), ("days", days)):
            if not values or len(set(values)) < len(values):
                raise ValueError(
                    f"{name} must name at least one, and each once, got {tuple(values)}"
                )
            object.__setattr__(self, name, tuple(sorted(values)))
        if max(times) >= DAY:
            raise ValueError(f"time of the day must be below {DAY:,.0f} s, got {max(times):g}")
        object.__setattr__(self, "length", non_negative("length", self.length))
        if min(self._gaps) <= 0:
            raise ValueError(
                f"length must be below the time between two emptied hours, got {self.length:g}"
            )

    @classmethod
    def read(cls, text: str) -> "Emptied":
        """Parse days, times in UTC, and a length [s], as in "tue@9:00/7200" and "mon+tue@8:00"."""
        fields = re.fullmatch(
            r"([a-z+]{3,27})@([0-9:+]{4,200})(?:/([0-9]{1,9}(?:\.[0-9]{0,9})?))?", str(text)
        )
        refusal = (
            f"emptied must be such as mon+tue@8:00+17:00 or tue@9:00/7200, got {str(text)[:40]!r}"
        )
        if fields is None:
            raise ValueError(refusal)
        days = fields[1].split("+")
        if not set(days) <= set(WEEKDAYS):
            raise ValueError(refusal)
        times = []
        for clock in fields[2].split("+"):
            parts = re.fullmatch(r"(\d{1,2}):([0-5]\d)(?::([0-5]\d))?", clock)
            if parts is None:
                raise ValueError(refusal)
            times.append(3600.0 * int(parts[1]) + 60.0 * int(parts[2]) + int(parts[3] or 0))
        return cls(times, [WEEKDAYS.index(day) for day in days], float(fields[3] or 0))

    def __str__(self) -> str:
        """As `read` takes it; times are cut to seconds."""
        days = "+".join(WEEKDAYS[day] for day in self.days)
        times = "+".join(map(clock, self.times))
        length = f"/{self.length:g}" if self.length else ""
        return f"{days}@{times}{length}"

    @cached_property
    def _edges(self) -> list[float]:
        """Times from the beginning of a week at which the machine is emptied [s]."""
        return [DAY * day + time for day in self.days for time in self.times]

    @cached_property
    def _gaps(self) -> list[float]:
        """Time in which jobs run after each beginning, until the next [s]."""
        nexts = [*self._edges[1:], self._edges[0] + WEEK]
        return [after - edge - self.length for edge, after in zip(self._edges, nexts, strict=True)]

    @property
    def longest(self) -> float:
        """Longest planned length that can ever start [s]."""
        return max(self._gaps)

    def _stretches(self, now: float) -> Iterator[tuple[float, float]]:
        """Yield the begin and end [s] of the present or next stretch of use and of later ones."""
        week = MONDAY + math.floor((now - MONDAY) / WEEK) * WEEK
        edges = self._edges
        index = bisect_right(edges, now - week)
        emptied = week + (edges[index - 1] if index else edges[-1] - WEEK)
        later = [edge + weeks * WEEK for weeks in (0, 1, 2) for edge in edges]
        for edge in later[index:]:
            yield emptied + self.length, week + edge
            emptied = week + edge

    def turns(self, now: float) -> tuple[float, float]:
        """Latest end of a job started now (−infinity if none may), and next start of use [s]."""
        stretches = self._stretches(now)
        begin, end = next(stretches)
        if now < begin:
            return (-math.inf, begin)
        return (end, next(stretches)[0])

    def opening(self, now: float, planned: float) -> float:
        """First time from now on at which a job of a planned length may start; ∞ if never."""
        for begin, end in self._stretches(now):
            start = max(begin, now)
            if start + planned <= end:
                return start
        return math.inf


def clock(time: float) -> str:
    """Format a time of the day [s].

    >>> clock(28_800)
    '08:00'
    """
    seconds = f":{int(time % 60):02}" if time % 60 else ""
    return f"{int(time // 3600):02}:{int(time // 60 % 60):02}{seconds}"


@within_range
@dataclass(frozen=True)
class Policy:
    """Independent choices of a scheduling policy: queue order, backfill, preemption, and quotas.

    Args:
        order: Of the queue. "arrival": by submission; "priority": by class, then by arrival;
            "fair_share": by Slurm's classic factor F = 2^(−usage ÷ share), highest first, ties by
            arrival, computed anew at every pass; "shortest": by estimate, then by arrival.
        backfill: "none": nothing overtakes the head of the queue; "easy": the head has a
            reservation, a later job may start if it does not delay it; "conservative": every
            waiting job has one.
        classes: Priority order, the first is the highest. A class that is not named ranks last;
            several such rank alike.
        preemption: None: what runs is never stopped. With quotas only its checkpoint interval and
            restart time count.
        reserved: GPUs that only the named class may use; it may use shared ones as well. Not beside
            quotas.
        weights: Fair-share weights; a class that is not named weighs 1. Only their ratios matter.
        half_life: Time after which past use counts half in fair share [s].
        max_wait: A job that has waited so long since its submission, or since it was last stopped,
            goes before all that have not, the longest waiting first [s]. Zero gives the order of
            arrival; None: waiting changes nothing.
        quotas: GPUs that each class is entitled to, 0 if it is not named. Every pass first starts
            what fits into its class's quota, then lends the rest by order and backfill.
        borrowing: Whether a class may use whatever is free beyond its quota, or only what the
            quotas leave over.
        reclaim: Whether a job within its class's quota may stop those of classes above theirs that
            started last.
        emptied: Hours at which the whole machine is empty: no job starts whose estimate runs past
            one, and a job longer than the time between two never does. Not with conservative
            backfill, preemption or quotas.
        share_by: Among whom fair share divides, "class", "user" or "account"; `weights` are then
            theirs. With quotas only "class". Left out of Slurm's multifactor priority: its terms
            for age, size, partition and QOS, the tree of accounts, and the recalculation at
            intervals.
        user_limit: Most GPUs that one user's running jobs hold together [1]. A job beyond it is set
            aside: it is passed over, has no reservation, and blocks nobody.
        account_limit: The same of one account [1].

    Limits go with order "arrival", "priority" or "shortest" and backfill "none" or "easy", and
    without a longest wait, quotas, preemption, reserved GPUs or emptied hours.

    Raises ValueError for a class named twice, quotas beside reserved GPUs, or emptied hours, limits
    or sharers beside what does not know them.

    Source: D. Lifka, "The ANL/IBM SP scheduling system", 1995 (EASY); A. Mu'alem and D. Feitelson,
    "Utilization, predictability, workloads, and user runtime estimates in scheduling the IBM SP2
    with backfilling", 2001, section 2 (EASY and conservative); SchedMD, Slurm "Classic fairshare
    algorithm" and "Multifactor priority plugin" (F); Apache Hadoop, "YARN Capacity Scheduler"
    (elastic queues, preemption); Kubernetes, "Kueue: Cluster Queue" (quotas that a cohort lends and
    takes back).

    >>> Policy(order="priority", backfill="easy").classes
    ('interactive', 'search', 'training')
    """

    order: Annotated[str, one_of(ORDERS)] = "arrival"
    backfill: Annotated[str, one_of(BACKFILLS)] = "none"
    classes: Sequence[str] = ("interactive", "search", "training")
    preemption: Preemption | None = None
    reserved: WholesByName | None = None
    weights: PositivesByName | None = None
    half_life: Positive = c.FAIR_SHARE_HALF_LIFE
    max_wait: NonNegative | None = None
    quotas: WholesByName | None = None
    borrowing: Flag = True
    reclaim: Flag = True
    emptied: Emptied | None = None
    share_by: Annotated[str, one_of(SHARERS)] = "class"
    user_limit: LimitedCount | None = None
    account_limit: LimitedCount | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "classes", tuple(several("classes", self.classes)))
        if len(set(self.classes)) < len(self.classes):
            raise ValueError(f"classes must name each class once, got {self.classes}")
        if self.quotas is not None and self.reserved:
            raise ValueError(f"reserved must be None beside quotas, got {self.reserved!r}")
        if self.emptied is not None and (
            self.backfill == "conservative" or self.preemption or self.quotas is not None
        ):
            raise ValueError(
                "emptied must be None (no) with conservative backfill, preemption or quotas, got "
                f"{self.emptied}"
            )
        if self.quotas is not None and self.share_by != "class":
            raise ValueError(f"share_by must be class with quotas, got {self.share_by!r}")
        for owner, most in self.limits.items():
            self.require_plain(f"{owner}_limit", most)

    @property
    def limits(self) -> dict[str, int]:
        """Maximum GPUs of one owner's running jobs, by the column that names the owner."""
        limits = {"user": self.user_limit, "account": self.account_limit}
        return {owner: most for owner, most in limits.items() if most is not None}

    def require_plain(self, name: str, value: Any) -> None:
        """Raise ValueError if the policy has options that are incompatible with limits or nodes."""
        others = {
            "order": self.order == "fair_share",
            "backfill": self.backfill == "conservative",
            "max_wait": self.max_wait is not None,
            "quotas": self.quotas is not None,
            "preemption": self.preemption is not None,
            "reserved": bool(self.reserved),
            "emptied": self.emptied is not None,
        }
        plain = {"order": "order=arrival", "backfill": "backfill=easy"}
        for other, present in others.items():
            if present:
                instead = plain.get(other, f"{other}=no")
                raise ValueError(
                    f"{name} must be None beside {other}={getattr(self, other)}, got {value}; "
                    f"with {instead} in the same change it is simulated"
                )

    def __hash__(self) -> int:
        """Policies with the same choices hash alike, mappings included."""
        return hash(
            tuple(
                tuple(sorted(choice.items())) if isinstance(choice, dict) else choice
                for choice in vars(self).values()
            )
        )
