"""Scheduling policy: what the knobs say, as a policy and a mix of jobs, and what the simulator finds for them."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import ClassVar

from lessons.scheduling_policy.findings import Findings
from lessons.scheduling_policy.runs import CLASSES
from physics import constants as k
from physics.cluster import Happened
from physics.jobs import Choice, JobClass, offered_load, platform_mix
from physics.scheduling import Policy, Preemption
from ui.base import format as f
from ui.base.sentences import Sentences
from ui.knobs import choice, knob, toggle

ORDERS = {
    "arrival": "Arrival (FIFO)",
    "priority": "Priority by class",
    "fair_share": "Fair share",
    "shortest": "Shortest first",
}
BACKFILLS = {"none": "No backfill", "easy": "EASY", "conservative": "Conservative"}
QUOTAS = {
    "none": "No quotas",
    "own": "Own GPUs",
    "lent": "Lent",
    "reclaimed": "Lent, reclaimed",
}
RULES = {"always": "Whenever it helps", "pays": "Only where it pays"}
VICTIMS = {"latest": "Those that started last", "least_loss": "Those that lose least"}
HOUR, DAY = float(k.HOUR), float(k.DAY)


@dataclass(frozen=True)
class Scenario(Findings):
    """The fleet, its jobs and its policy, as the knobs have them; SI."""

    page: ClassVar[str] = "scheduling_policy"

    order: str = choice(ORDERS)
    backfill: str = choice(BACKFILLS)
    reserved: int = knob(k.POLICY_RESERVED, spoken=lambda gpus: f.count(gpus, "GPU"))
    preemption: bool = toggle()
    checkpoint_interval: float = knob(k.CHECKPOINT_INTERVAL, unit=k.HOUR, spoken=f.duration)
    interactive_rate: float = knob(
        k.INTERACTIVE_RATE, unit=1 / HOUR, format="%.2f", spoken=lambda rate: f.count(rate * HOUR, "interactive job")
    )
    training_rate: float = knob(k.TRAINING_RATE, unit=1 / DAY, spoken=lambda rate: f.count(rate * DAY, "training job"))
    quotas: str = choice(QUOTAS)
    quota_interactive: int = knob(k.POLICY_QUOTA_INTERACTIVE, spoken=lambda gpus: f.count(gpus, "GPU"))
    quota_search: int = knob(k.POLICY_QUOTA_SEARCH, spoken=lambda gpus: f.count(gpus, "GPU"))
    rule: str = choice(RULES)
    victims: str = choice(VICTIMS)
    restart_time: float = knob(k.RESTART_TIME, unit=k.MINUTE, spoken=f.duration)
    max_wait: float = knob(k.POLICY_MAX_WAIT, unit=k.HOUR, spoken=f.duration)
    training_size: int = knob(k.POLICY_TRAINING_SIZE)
    half_life: float = knob(k.FAIR_SHARE_HALF_LIFE, unit=k.DAY, spoken=lambda time: f.count(time / DAY, "day"))
    weight_interactive: float = knob(k.POLICY_WEIGHT)
    weight_search: float = knob(k.POLICY_WEIGHT)
    weight_training: float = knob(k.POLICY_WEIGHT)
    estimates: float = knob(k.POLICY_ESTIMATES, spoken=lambda ratio: "exactly" if ratio == 1 else f.times(ratio))
    fleet: int = knob(k.FLEET_GPUS)
    seed: int = knob(k.POLICY_SEED, typed=True)
    replications: int = knob(k.POLICY_REPLICATIONS)

    def without_effect(self) -> dict[str, str]:
        """Which knobs have no effect at the moment, each with the reason."""
        found: dict[str, str] = {}
        stops = self.preemption and self.quotas == "none"
        if self.quotas == "none":
            found |= dict.fromkeys(("quota_interactive", "quota_search"), "there are no quotas")
        else:
            found["reserved"] = "quotas take its place"
            found["preemption"] = "with quotas only what was lent is taken back"
        if not stops:
            found |= dict.fromkeys(("rule", "victims"), "nothing is stopped for the first in line")
            if self.quotas != "reclaimed":
                found |= dict.fromkeys(("checkpoint_interval", "restart_time"), "nothing is stopped")
        if self.order != "fair_share":
            weights = [f"weight_{name}" for name in CLASSES]
            found |= dict.fromkeys(("half_life", *weights), "the order is not fair share")
        if self.backfill == "none":
            found["estimates"] = "no backfill"
        # In order of arrival who has waited longest is first anyway, unless stopped jobs wait anew.
        if self.order == "arrival" and self.backfill != "conservative" and not stops and self.quotas != "reclaimed":
            found["max_wait"] = "who came first is first anyway"
        return found

    @cached_property
    def effective(self) -> "Scenario":
        """The same with every knob that has no effect at its default: what a result belongs to.

        A rate that differs from its default by the rounding of its widget's unit is the default.
        """
        plain, held = Scenario(), replace(self, training_size=max(self._sizes))
        names = {*self.without_effect(), "replications"}
        names |= {name for name in ("interactive_rate", "training_rate") if _alike(plain, held, name)}
        return replace(held, **{name: getattr(plain, name) for name in names})

    @property
    def mix(self) -> tuple[JobClass, ...]:
        """The job classes."""
        return _mix(self.interactive_rate, self.training_rate, tuple(self._sizes), self.estimates)

    @property
    def _sizes(self) -> list[int]:
        step = int(k.TRAINING_GPUS_STEP)
        return [step * n for n in range(1, max(1, self.training_size // step) + 1)]

    @property
    def policy(self) -> Policy:
        """The choices as the simulator wants them."""
        weights = {name: getattr(self, f"weight_{name}") for name in CLASSES}
        pause = Preemption(self.checkpoint_interval, self.restart_time, self.rule, self.victims)
        return Policy(
            order=self.order,
            backfill=self.backfill,
            classes=CLASSES,
            preemption=pause if self.preemption or self.quotas == "reclaimed" else None,
            reserved={"interactive": self.reserved} if self.reserved and self.quotas == "none" else None,
            weights=weights if self.order == "fair_share" else None,
            half_life=self.half_life,
            max_wait=self.max_wait or None,
            quotas=self.entitled if self.quotas != "none" else None,
            borrowing=self.quotas != "own",
            reclaim=self.quotas == "reclaimed",
        )

    @property
    def entitled(self) -> dict[str, int]:
        """GPUs that each class is entitled to where there are quotas: training has what the others leave."""
        own = {"interactive": self.quota_interactive, "search": self.quota_search}
        return own | {"training": self.fleet - sum(own.values())}

    @property
    def training_room(self) -> int:
        """GPUs that training jobs may use."""
        return self.entitled["training"] if self.quotas == "own" else self.fleet - self.slice_gpus

    @property
    def slice_gpus(self) -> int:
        """GPUs of the slice, which quotas take the place of."""
        return self.reserved if self.quotas == "none" else 0

    @property
    def general(self) -> bool:
        """Whether the policy needs one of the general event loops, which are slower."""
        split = self.reserved or self.quotas != "none"
        return bool(self.preemption or split or self.order == "fair_share" or self.max_wait)

    @property
    def load(self) -> float:
        """Offered load: work that arrives over what the whole fleet can do [1]."""
        return offered_load(self.mix, self.fleet)

    @property
    def work_rate(self) -> float:
        """Work that arrives, GPU-seconds a second: GPUs that it would keep busy."""
        return sum(one.arrival_rate * one.gpu_seconds for one in self.mix)

    @property
    def startable_rate(self) -> float:
        """The part of the work rate that belongs to jobs which fit into the GPUs that they may use."""
        *others, training = self.mix
        fitting = sum(size for size in training.gpus.values if size <= self.training_room)
        asked = training.arrival_rate * training.gpu_seconds * fitting / sum(training.gpus.values)
        return asked + sum(one.arrival_rate * one.gpu_seconds for one in others)

    def rate_at(self, load: float) -> float:
        """Return the training jobs per second at which the fleet is offered a load; 0 if the others alone exceed it."""
        *others, training = self.mix
        left = load * self.fleet - sum(one.arrival_rate * one.gpu_seconds for one in others)
        return max(0.0, left / training.gpu_seconds)


@lru_cache(maxsize=256)
def _mix(
    interactive_rate: float, training_rate: float, sizes: tuple[int, ...], estimates: float
) -> tuple[JobClass, ...]:
    """Make the job classes; a turn of a knob asks for them a dozen times."""
    return platform_mix(
        interactive_rate=interactive_rate,
        training_rate=training_rate,
        training_gpus=Choice(sizes),
        overestimate=estimates,
    )


def _alike(one: Scenario, other: Scenario, name: str) -> bool:
    return math.isclose(getattr(one, name), getattr(other, name), rel_tol=1e-9)


def of_cluster(found: Happened) -> dict[str, float]:
    """The fleet of a log, and its widest job as the largest training job; the mix of jobs stays the lesson's."""
    return {"fleet": found.gpus, "training_size": int(found.widths["most"].max())}


def hours(seconds: float, digits: int = 3) -> str:
    """Write a mean wait; a class of which no job starts has none."""
    return "none started" if math.isnan(seconds) else f.duration(seconds, digits)


def percent(share: float, digits: int = 3) -> str:
    """Write a share of a class's jobs; a class without jobs has none."""
    return "no such jobs" if math.isnan(share) else f.share(share, digits)


def listed(write: Callable[[float], str]) -> Callable[[Sequence[float]], str]:
    """Return a function that writes a number of each class with its name."""

    def written(values: Sequence[float]) -> str:
        pairs = zip(values, CLASSES, strict=True)
        return ", ".join(f"{'–' if math.isnan(value) else write(value)} ({name})" for value, name in pairs)

    return written


EASY = {"order": "priority", "backfill": "easy"}
PARTS = {"backfill": "easy", "quotas": "own", "quota_interactive": 128, "quota_search": 128}
#: The message's question's policies by answer: words, and what differs from the message's own.
FOUR = {
    "a": ("FIFO", {}),
    "b": ("Strict priority", {"order": "priority"}),
    "c": ("Priority, EASY", EASY),
    "d": ("Partitions", PARTS),
}
LOADS = {f"fifo{percent}": percent / 100 for percent in (52, 59, 67)}

say = Sentences(
    Scenario,
    formats={
        "hours": hours,
        "percent": percent,
        "gpuhours": lambda work: f.significant(work / HOUR, 5),
        "waits": listed(f.duration),
        "shares": listed(f.share),
        "numbers": listed(lambda value: f.significant(value, 2)),
        "points": lambda points: f.count(float(f"{points:.2g}"), "point"),
        "days": lambda seconds: f.count(seconds / DAY, "day"),
        "exact": lambda ratio: "exact" if ratio == 1 else f"{f.times(ratio, 3)} the runtime",
    },
    cases={
        "fifo": {},
        "strict": FOUR["b"][1],
        "easy": EASY,
        "parts": PARTS,
        "arrival": {"backfill": "easy"},
        "slice": EASY | {"reserved": 8},
        "forty": EASY | {"reserved": 40},
        "stopped": EASY | {"preemption": True},
        "lent": EASY | {"quotas": "lent"},
        "reclaimed": EASY | {"quotas": "reclaimed"},
        "ten": {"training_rate": float(k.POLICY_TEN_A_DAY)},
    }
    | {name: {"training_rate": Scenario().rate_at(load)} for name, load in LOADS.items()}
    | {"easy67": {"backfill": "easy", "training_rate": Scenario().rate_at(0.67)}},
)
