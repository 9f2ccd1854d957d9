"""Scheduling policy: the settings as a policy and a mix of jobs, and the simulated results."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from lessons.scheduling_policy import runs
from lessons.scheduling_policy.laboratory import limits, outages
from lessons.scheduling_policy.runs import CLASSES, FLEET
from physics import constants as k
from physics.jobs import JobClass, offered_load, platform_mix
from physics.scheduling import Policy, Preemption, Schedule
from physics.scheduling.fairshare import steady_factors
from physics.scheduling.machine import Decision
from physics.scheduling.scoreboard import mean_and_error
from ui.base import format as f
from ui.base.sentences import Sentences
from ui.knobs import choice, knob, toggle

HOUR = float(k.HOUR)
DAY = float(k.DAY)
#: Half-width of a 95% interval, in standard errors.
Z = 1.96


@dataclass(frozen=True)
class Scenario:
    """Jobs and policy from the settings, with all results derived from them; SI."""

    page: ClassVar[str] = "scheduling_policy"

    order: str = choice(("arrival", "priority", "fair_share", "shortest"))
    backfill: str = choice(("none", "easy"))
    reserved: int = knob(k.POLICY_RESERVED, spoken="GPU")
    preemption: bool = toggle()
    interactive_rate: float = knob(
        k.INTERACTIVE_RATE, unit=1 / HOUR, format="%.2f", spoken="interactive job"
    )
    training_rate: float = knob(k.TRAINING_RATE, unit=1 / DAY, spoken="training job")
    training_gpus: str = choice(("mix", "64", "128", "256", "512"))
    quotas: str = choice(("none", "own", "lent", "reclaimed"))
    quota_interactive: int = knob(k.POLICY_QUOTA_INTERACTIVE, low=limits.min_quota, spoken="GPU")
    quota_search: int = knob(k.POLICY_QUOTA_SEARCH, spoken="GPU")
    checkpoint_interval: float = knob(k.CHECKPOINT_INTERVAL, unit=k.HOUR, spoken=f.duration)
    rule: str = choice(("always", "pays"))
    weight_interactive: float = knob(k.POLICY_WEIGHT, high=10)
    weight_search: float = knob(k.POLICY_WEIGHT, high=10)
    weight_training: float = knob(k.POLICY_WEIGHT, high=limits.max_training_weight)
    worth_training: float = knob(k.POLICY_WORTH_TRAINING)
    worth_penalty: float = knob(k.POLICY_WORTH_PENALTY, step=0.5)
    seed: int = knob(k.POLICY_SEED, typed=True)
    replications: int = int(k.POLICY_REPLICATIONS)

    @cached_property
    def effective(self) -> "Scenario":
        """Scenario with ineffective settings at their defaults, the key of cached results.

        A rate that differs from its default by the rounding of its widget's unit is the default.
        """
        idle = ["replications", "worth_training", "worth_penalty"]
        if self.quotas == "none":
            idle += ["quota_interactive", "quota_search"]
        else:
            idle += ["reserved", "preemption"]
        if self.quotas != "none" or not self.preemption:
            idle.append("rule")
            if self.quotas != "reclaimed":
                idle.append("checkpoint_interval")
        if self.order != "fair_share":
            idle += [f"weight_{name}" for name in CLASSES]
        for name in ("interactive_rate", "training_rate"):
            if math.isclose(getattr(self, name), getattr(Scenario, name)):
                idle.append(name)
        return replace(self, **{name: getattr(Scenario, name) for name in idle})

    @cached_property
    def mix(self) -> tuple[JobClass, ...]:
        """Job classes of the mix."""
        rates = {"training_rate": self.training_rate, "training_gpus": None}
        if self.training_gpus != "mix":
            rates["training_gpus"] = float(self.training_gpus)
        return platform_mix(self.interactive_rate, **rates)

    @property
    def policy(self) -> Policy:
        """Policy of the settings in the simulator's form."""
        stops = self.preemption or self.quotas == "reclaimed"
        return Policy(
            order=self.order,
            backfill=self.backfill,
            classes=CLASSES,
            preemption=Preemption(self.checkpoint_interval, rule=self.rule) if stops else None,
            reserved={"interactive": self.reserved} if self.reserved else None,
            weights=self.weights if self.order == "fair_share" else None,
            quotas=self.entitled if self.quotas != "none" else None,
            borrowing=self.quotas != "own",
            reclaim=self.quotas == "reclaimed",
        )

    @property
    def weights(self) -> dict[str, float]:
        """Fair-share weight of each class [1]."""
        return {name: getattr(self, f"weight_{name}") for name in CLASSES}

    @property
    def entitled(self) -> dict[str, int]:
        """Quota of GPUs per class; training gets what the other classes leave."""
        own = {"interactive": self.quota_interactive, "search": self.quota_search}
        return own | {"training": FLEET - sum(own.values())}

    @cached_property
    def counted(self) -> int:
        """Number of replications to simulate, fewer for many jobs and in overload [1]."""
        most = runs.MOST_JOBS * (1.0 if self.load < 1 else 0.4)
        return min(self.replications, int(most * self.between / k.SIMULATED_TIME))

    #: Averages over the replications.
    found = cached_property(runs.board)

    def mean(self, job_class: str, column: str) -> f.Mean:
        """Return the mean of a class's column over the replications, with its interval."""
        error = self.found.mean(job_class, f"{column}_se")
        return f.Mean(self.found.mean(job_class, column), Z * error)

    @property
    def in_time(self) -> f.Mean:
        """Share of interactive jobs that start within the target [1]."""
        return self.mean("interactive", "share_within_target")

    @property
    def interactive_wait(self) -> f.Mean:
        """Mean wait of interactive jobs [s]."""
        return self.mean("interactive", "mean_wait")

    @property
    def training_wait(self) -> f.Mean:
        """Mean wait of training jobs [s]."""
        return self.mean("training", "mean_wait")

    @property
    def search_wait(self) -> f.Mean:
        """Mean wait of search jobs [s]."""
        return self.mean("search", "mean_wait")

    @property
    def too_late(self) -> f.Mean:
        """Share of interactive jobs that wait longer than the target [1]."""
        return f.Mean(1 - self.in_time, self.in_time.half_width)

    @property
    def load_parts(self) -> dict[str, float]:
        """Share of each class in the requested GPU-hours [1]."""
        return {
            job_class.name: offered_load([job_class], FLEET) / self.load for job_class in self.mix
        }

    @property
    def blocked(self) -> dict[str, int]:
        """GPUs and jobs blocked under FIFO when the animation starts; see `runs.blocked`."""
        return runs.blocked(runs.fifo(self))

    @property
    def lost(self) -> f.Mean:
        """Share of the executed GPU-hours lost by preempted jobs [1]."""
        return _mean(self.found.whole["lost"])

    @property
    def late(self) -> f.Mean:
        """Share of training jobs that wait more than 48 hours [1]."""
        return self.mean("training", "share_above_limit")

    @property
    def late_if_exponential(self) -> float:
        """Share of training jobs that would wait above 48 h if waits were exponential [1]."""
        return math.exp(-k.TRAINING_LIMIT / self.training_wait)

    @property
    def enough(self) -> bool:
        """Whether enough interactive jobs start within the target."""
        return bool(self.in_time >= k.POLICY_INTERACTIVE_SHARE)

    @property
    def met(self) -> bool:
        """Whether both targets are met."""
        return self.enough and self.training_wait <= k.POLICY_TRAINING_WAIT

    score = property(limits.score)

    @property
    def weighed(self) -> Schedule:
        """First replication with preemption only if it pays, including every decision's costs."""
        return runs.first(replace(self, rule="pays").effective)

    @property
    def behind(self) -> dict[str, tuple[float, float]]:
        """Backlog when an outage ends and a week later, with its standard error [GPU·s]."""
        late = outages.behind(self)[:, np.searchsorted(outages.AFTER, [DAY, 8 * DAY])]
        back, week = zip(*mean_and_error(late), strict=True)
        return {"back": back, "week": week}

    @property
    def limit(self) -> float:
        """Highest load at which this policy has a steady state with this mix [1]."""
        return runs.saturation(self.effective)

    @cached_property
    def steady(self) -> bool:
        """Whether waits have a steady state; otherwise they grow with the simulated time."""
        return self.load < 1 and self.load <= self.limit

    @cached_property
    def load(self) -> float:
        """Offered load: arriving work relative to the capacity of the whole fleet [1]."""
        return offered_load(self.mix, FLEET)

    @property
    def busy(self) -> float:
        """GPUs that the offered work would keep busy [1]."""
        return self.load * FLEET

    @property
    def growth(self) -> float:
        """Minimum daily growth of the backlog on an overloaded fleet [GPU·s]."""
        return (self.busy - FLEET) * DAY

    def rate_at(self, load: float) -> float:
        """Return the training jobs per second that make up a given offered load."""
        return self.training_rate + (load - self.load) * FLEET / self.mix[-1].gpu_seconds

    @property
    def between(self) -> float:
        """Mean time between two arrivals of jobs [s]."""
        return 1 / sum(job_class.arrival_rate for job_class in self.mix)

    @property
    def feasible(self) -> float:
        """Number of training jobs per day at which the offered load is 1 [1]."""
        return self.rate_at(1.0) * DAY

    @property
    def factors(self) -> dict[str, float]:
        """Fair-share factors of the classes if each used its demand: 2^(−use ÷ share) [1]."""
        demand = {
            job_class.name: job_class.arrival_rate * job_class.gpu_seconds for job_class in self.mix
        }
        return steady_factors(demand, self.weights)

    @property
    def favored(self) -> str:
        """Class with the highest fair-share factor, which is served first."""
        return max(self.factors, key=self.factors.get)


def _mean(pair: tuple[float, float]) -> f.Mean:
    """Return a mean that is given with its standard error."""
    return f.Mean(pair[0], Z * pair[1])


def _paying(decisions: Sequence[Decision]) -> int:
    """Return the number of preemptions that pay."""
    return sum(decision.pays for decision in decisions)


def drafted(scenario: Scenario, answer: str, right: bool) -> dict[str, object]:
    """Return part 2 of draft lab 08's ledger, with its keys; waits exclude service."""
    del right
    names = {
        ("arrival", "none"): "fifo",
        ("priority", "none"): "priority",
        ("priority", "easy"): "backfill",
    }
    policy = (scenario.order, scenario.backfill)
    named = names.get(policy, "+".join(policy))
    if scenario.order == "fair_share":
        named = "fairshare"
    wait = scenario.interactive_wait / k.MINUTE
    late = 100 * scenario.late
    return {
        "context": "fifo" if named == "fifo" else "priority",
        "scheduling_policy": named,
        "cluster_utilization": 100 * scenario.load,
        "interactive_wait_min": wait,
        "training_starvation_pct": late,
        "act2_result": wait,
        "act2_decision": answer or "not_set",
        "constraint_hit": wait > 5 or late > 20,
        "sla_met": wait <= 5,
    }


EASY = {"order": "priority", "backfill": "easy"}
#: The jobs and the shares with which draft lab 08 opens.
DRAFT = {
    "interactive_rate": 2 / HOUR,
    "training_rate": float(k.POLICY_TEN_A_DAY),
    "training_gpus": "256",
    "weight_interactive": 5,
    "weight_search": 3,
    "weight_training": 5,
}
#: A policy that meets the targets without priority.
KEPT = {"backfill": "easy", "reserved": 16}
PARTS = {"backfill": "easy", "quotas": "own", "quota_interactive": 128, "quota_search": 128}
#: Policies by answer of the prediction: name, and the changes from the message's policy.
FOUR = {
    "a": ("FIFO", {}),
    "b": ("Strict priority", {"order": "priority"}),
    "c": ("Priority, EASY", EASY),
    "d": ("Partitions", PARTS),
}

say = Sentences(
    Scenario,
    formats={
        "gpuhours": lambda work, digits=5: f.significant(work / HOUR, digits),
        "shares": lambda pair: f.share(_mean(pair)),
        "daily": lambda pair: f.significant(_mean(pair) * DAY),
        "hours": lambda pair: f.significant(_mean(pair) / HOUR),
        "first": lambda pair: f.significant(_mean(pair), 2),
        "goal": lambda wait: f.apart(wait, float(k.POLICY_TRAINING_WAIT), f.duration),
        "target": lambda share: f.apart(share, float(k.POLICY_INTERACTIVE_SHARE), f.share),
        "factors": lambda factors: " · ".join(
            f.significant(factor, 2) for factor in factors.values()
        ),
        "paying": lambda decisions: f.significant(_paying(decisions)),
        "payshare": lambda decisions: f.share(_paying(decisions) / max(1, len(decisions))),
        "occasions": lambda decisions: f.count(len(decisions), "time"),
        "decisions": lambda decisions: f.count(len(decisions), "decision"),
    },
    cases={
        "strict": FOUR["b"][1],
        "easy": EASY,
        "parts": PARTS,
        "arrival": {"backfill": "easy"},
        "kept": KEPT,
        "kept40": KEPT | {"reserved": 40},
        "both40": EASY | {"reserved": 40},
        "stopped": EASY | {"preemption": True},
        "lent": EASY | {"quotas": "lent"},
        "reclaimed": EASY | {"quotas": "reclaimed"},
        "draft": DRAFT,
        "ten": {"training_rate": float(k.POLICY_TEN_A_DAY)},
        **{
            f"fifo{load}": {"training_rate": Scenario().rate_at(load / 100)}
            for load in (52, 59, 67)
        },
        "easy67": {"backfill": "easy", "training_rate": Scenario().rate_at(0.67)},
    },
)
