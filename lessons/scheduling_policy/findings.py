"""Scheduling policy: what follows from settings, by simulation and by arithmetic; SI."""

import math

from lessons.scheduling_policy import runs
from lessons.scheduling_policy.runs import CLASSES, Board
from physics import constants as k
from physics.fair_queueing import catch_up_time
from physics.queueing import priority_waits
from physics.slicing.gangs import gang_start_probability

DAY = float(k.DAY)


class Findings:
    """What the simulator finds for settings, and what arithmetic does; `Scenario` has them all."""

    # What the simulator finds

    @property
    def found(self) -> Board:
        """The means over the replications."""
        return runs.board(self)

    @property
    def in_time(self) -> float:
        """Share of interactive jobs that start within the target [1]; NaN without such jobs."""
        return self.found.mean("interactive", "share_within_target")

    @property
    def interactive_wait(self) -> float:
        """Mean wait of interactive jobs [s]."""
        return self.found.mean("interactive", "mean_wait")

    @property
    def training_wait(self) -> float:
        """Mean wait of training jobs that start [s]; NaN if none does."""
        return self.found.mean("training", "mean_wait")

    @property
    def lost(self) -> float:
        """Share of the executed GPU-hours that stopped jobs lose [1]."""
        return self.found.lost

    @property
    def points_short(self) -> float:
        """Points by which the interactive jobs miss their target; negative where they meet it."""
        return 100 * (float(k.POLICY_INTERACTIVE_SHARE) - self.in_time)

    @property
    def met(self) -> bool:
        """Whether both targets are met."""
        return self.in_time >= k.POLICY_INTERACTIVE_SHARE and self.training_wait <= k.POLICY_TRAINING_WAIT

    @property
    def limit(self) -> float:
        """Load up to which this policy has a steady state with this mix [1]; NaN where finding it takes too long."""
        most = runs.saturation(self)
        return math.nan if most is None else most

    # Arithmetic

    @property
    def asked(self) -> float:
        """Work that arrives in a day [GPU·s]."""
        return self.work_rate * DAY

    @property
    def have(self) -> float:
        """Work that the fleet can do in a day [GPU·s]."""
        return self.fleet * DAY

    @property
    def growth(self) -> float:
        """Work by which the backlog grows in a day at least, as far as it can start at all [GPU·s]."""
        return max(0.0, self.startable_rate - self.fleet) * DAY

    @property
    def never(self) -> float:
        """Share of the work that belongs to jobs too large to ever start [1]."""
        return 1 - self.startable_rate / self.work_rate if self.work_rate else 0.0

    @property
    def feasible(self) -> float:
        """Training jobs in a day at which the fleet would be full [1]."""
        return self.rate_at(1.0) * DAY

    @property
    def most_gpus(self) -> float:
        """GPUs that the offered work would keep busy [1]."""
        return self.work_rate

    @property
    def interactive_share(self) -> float:
        """Interactive jobs' part of the fleet [1]."""
        return self.mix[0].arrival_rate * self.mix[0].gpu_seconds / self.fleet

    @property
    def days(self) -> int:
        """Days that each replication simulates."""
        return runs.days_of(self)

    @property
    def runs_done(self) -> int:
        """Replications behind the numbers."""
        return self.found.runs

    @property
    def waits_at_once(self) -> tuple[float, ...]:
        """Mean waits of the classes if the fleet ran one job at a time, by Cobham's formula [s]; NaN without jobs."""
        mix = [one for one in self.mix if one.arrival_rate > 0]
        waits = priority_waits(
            [one.arrival_rate for one in mix],
            [one.gpu_seconds / self.fleet for one in mix],
            [runs.work_scv(one) for one in mix],
        )
        named = dict(zip([one.name for one in mix], waits, strict=True))
        return tuple(named.get(name, math.nan) for name in CLASSES)

    @property
    def waits_simulated(self) -> tuple[float, ...]:
        """Mean waits of the classes in the simulation [s]."""
        return tuple(self.found.mean(name, "mean_wait") for name in CLASSES)

    @property
    def weight_shares(self) -> tuple[float, ...]:
        """The classes' shares of the fair-share weights [1]."""
        weights = [getattr(self, f"weight_{name}") for name in CLASSES]
        return tuple(weight / sum(weights) for weight in weights)

    @property
    def factors(self) -> tuple[float, ...]:
        """Fair-share factors of the classes if each used what it asks for: 2^(−use ÷ share) [1]."""
        used = [one.arrival_rate * one.gpu_seconds for one in self.mix]
        return tuple(
            2.0 ** -(use / sum(used) / share) if sum(used) else 1.0
            for use, share in zip(used, self.weight_shares, strict=True)
        )

    @property
    def drafts_named(self) -> float:
        """Chance that 64 named nodes are all free if each is with chance 0.2 [1]."""
        return gang_start_probability(0.2, 64, 64)

    @property
    def drafts_320(self) -> float:
        """Chance that any 64 of 320 such nodes are free [1]."""
        return gang_start_probability(0.2, 320, 64)

    @property
    def drafts_400(self) -> float:
        """Chance that any 64 of 400 such nodes are free [1]."""
        return gang_start_probability(0.2, 400, 64)

    @property
    def catch_up(self) -> float:
        """Time for which a team that had the fleet alone for 30 days goes last under fair share [s]."""
        return catch_up_time(30 * DAY, self.half_life)

    @property
    def gang(self) -> int:
        """Nodes that the largest training job needs."""
        return math.ceil(self.training_size / k.POLICY_NODE)

    @property
    def nodes(self) -> int:
        """Nodes of the fleet."""
        return self.fleet // int(k.POLICY_NODE)

    @property
    def free(self) -> float:
        """Free share of the fleet [1]; 0 from full load on."""
        return max(0.0, 1 - self.load)

    @property
    def named_free(self) -> float:
        """Chance that so many named nodes are free, if nodes were independent [1]."""
        return gang_start_probability(self.free, self.gang, self.gang)

    @property
    def any_free(self) -> float:
        """Chance that any so many nodes of the fleet are free, if nodes were independent [1]."""
        return gang_start_probability(self.free, self.nodes, self.gang) if self.gang <= self.nodes else 0.0
