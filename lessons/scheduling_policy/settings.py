"""Scheduling policy: what the knobs say, as a policy and a mix of jobs. No Streamlit in here."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from physics import constants as k
from physics.jobs import Choice, JobClass, offered_load, platform_mix
from physics.scheduling import Policy, Preemption

CLASSES = ("interactive", "search", "training")
ORDERS = {"arrival": "Arrival (FIFO)", "priority": "Priority by class", "fair_share": "Fair share"}
BACKFILLS = {"none": "No backfill", "easy": "EASY", "conservative": "Conservative"}
#: The numeric knobs.
KNOBS = {
    "reserved": k.POLICY_RESERVED,
    "checkpoint_interval": k.CHECKPOINT_INTERVAL,
    "restart_time": k.RESTART_TIME,
    "interactive_rate": k.INTERACTIVE_RATE,
    "training_rate": k.TRAINING_RATE,
    "training_size": k.POLICY_TRAINING_SIZE,
    "weight_interactive": k.POLICY_WEIGHT,
    "weight_search": k.POLICY_WEIGHT,
    "weight_training": k.POLICY_WEIGHT,
    "estimates": k.POLICY_ESTIMATES,
    "fleet": k.FLEET_GPUS,
    "seed": k.POLICY_SEED,
    "replications": k.POLICY_REPLICATIONS,
}
_EASY = {"order": "priority", "backfill": "easy"}
PRESETS = {
    "The lead's fleet today: FIFO": {},
    "Strict priority": {"order": "priority"},
    "Priority with EASY": _EASY,
    "EASY in order of arrival": {"backfill": "easy"},
    "A slice of 40 GPUs": _EASY | {"reserved": 40},
    "Preemption, hourly checkpoints": _EASY | {"preemption": True},
    "Preemption, 4-hour checkpoints": _EASY | {"preemption": True, "checkpoint_interval": 4 * 3600},
    "Fair share with EASY": {"order": "fair_share", "backfill": "easy"},
    "Ten trainings a day (215 %)": _EASY | {"training_rate": 10 / 86400},
}


@dataclass(frozen=True)
class Scenario:
    """The fleet, its jobs and its policy, as the knobs have them; SI."""

    order: str = "arrival"
    backfill: str = "none"
    reserved: int = 0
    preemption: bool = False
    checkpoint_interval: float = float(k.CHECKPOINT_INTERVAL)
    restart_time: float = float(k.RESTART_TIME)
    interactive_rate: float = float(k.INTERACTIVE_RATE)
    training_rate: float = float(k.TRAINING_RATE)
    training_size: int = int(k.POLICY_TRAINING_SIZE)
    weight_interactive: float = 1.0
    weight_search: float = 1.0
    weight_training: float = 1.0
    estimates: float = 1.0
    fleet: int = int(k.FLEET_GPUS)
    seed: int = int(k.POLICY_SEED)
    replications: int = int(k.POLICY_REPLICATIONS)

    @property
    def mix(self) -> tuple[JobClass, ...]:
        """The job classes."""
        step = int(k.TRAINING_GPUS_STEP)
        return platform_mix(
            interactive_rate=self.interactive_rate,
            training_rate=self.training_rate,
            training_gpus=Choice([step * n for n in range(1, self.training_size // step + 1)]),
            overestimate=self.estimates,
        )

    @property
    def policy(self) -> Policy:
        """The four choices as the simulator wants them."""
        weights = {name: getattr(self, f"weight_{name}") for name in CLASSES}
        return Policy(
            order=self.order,
            backfill=self.backfill,
            classes=CLASSES,
            preemption=Preemption(self.checkpoint_interval, self.restart_time) if self.preemption else None,
            reserved={"interactive": self.reserved} if self.reserved else None,
            weights=weights if self.order == "fair_share" else None,
        )

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
        fitting = sum(size for size in training.gpus.values if size <= self.fleet - self.reserved)
        asked = training.arrival_rate * training.gpu_seconds * fitting / sum(training.gpus.values)
        return asked + sum(one.arrival_rate * one.gpu_seconds for one in others)

    @property
    def effective(self) -> "Scenario":
        """The same with every knob that has no effect at its default: what a result belongs to."""
        plain = Scenario()
        idle: dict[str, object] = {"replications": plain.replications}
        if not self.preemption:
            idle |= {"checkpoint_interval": plain.checkpoint_interval, "restart_time": plain.restart_time}
        if self.order != "fair_share":
            idle |= {f"weight_{name}": 1.0 for name in CLASSES}
        if self.backfill == "none":
            idle |= {"estimates": 1.0}
        return replace(self, **idle)


def settings(quantities: Mapping[str, object]) -> Scenario:
    """Read the knobs, SI by quantity."""
    order, backfill = quantities["order"], quantities["backfill"]
    if order not in ORDERS or backfill not in BACKFILLS:
        raise ValueError(f"order and backfill must be ones that the page offers, got {order!r} and {backfill!r}")
    step = int(k.TRAINING_GPUS_STEP)
    return Scenario(
        order=str(order),
        backfill=str(backfill),
        reserved=int(quantities["reserved"]),
        preemption=bool(quantities["preemption"]),
        checkpoint_interval=float(quantities["checkpoint_interval"]),
        restart_time=float(quantities["restart_time"]),
        interactive_rate=float(quantities["interactive_rate"]),
        training_rate=float(quantities["training_rate"]),
        training_size=max(step, int(quantities["training_size"]) // step * step),
        weight_interactive=float(quantities["weight_interactive"]),
        weight_search=float(quantities["weight_search"]),
        weight_training=float(quantities["weight_training"]),
        estimates=float(quantities["estimates"]),
        fleet=int(quantities["fleet"]),
        seed=int(quantities["seed"]),
        replications=int(quantities["replications"]),
    )


def defaults() -> Scenario:
    """Return the settings that the page opens with: the message's fleet, first in, first out."""
    return Scenario()


def feasible_rate(scenario: Scenario, load: float) -> float:
    """Training jobs a second at which the fleet is offered this load; 0 if the other classes alone ask for more."""
    *others, training = scenario.mix
    left = load * scenario.fleet - sum(one.arrival_rate * one.gpu_seconds for one in others)
    return max(0.0, left / training.gpu_seconds)
