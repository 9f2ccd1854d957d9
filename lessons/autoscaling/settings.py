"""Autoscaling: thresholds under a steady load, other policies, and their runs."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pandas as pd

from lessons.autoscaling.laboratory import models
from physics import constants as k
from physics.autoscaling import (
    HPA,
    Concurrency,
    Predictive,
    Threshold,
    flapping_loads,
    simulate_autoscaler,
)
from physics.autoscaling.fleet import daily_load, step_load, summarize_run
from physics.autoscaling.rules import ROUNDING, round_up
from physics.autoscaling.simulator import forecast_peaks
from physics.forecasting import mape
from ui.base import format as f
from ui.base.sentences import Sentences
from ui.knobs import choice, knob

#: Simulated time of a steady load, of a load that jumps, and until the jump [s].
STRETCH = 30 * k.MINUTE
JUMP_STRETCH = 20 * k.MINUTE
JUMP = 5 * k.MINUTE
#: End of the sweep of steady loads [replicas' worth].
MOST_LOAD = float(k.AUTOSCALE_BASE.high)
#: Positions of the knobs that span powers of ten.
BATCHES = tuple(2**power for power in range(10))
CONTEXTS = (128, 256, 512, 1024, 2048, 4096, 8192)


@dataclass(frozen=True)
class Fleet:
    """Replicas under an autoscaler; all SI, with loads in units of one replica's capacity."""

    page: ClassVar[str] = "autoscaling"

    upper: float = knob(k.SCALE_UP_ABOVE, unit=0.01)
    lower: float = knob(
        k.SCALE_DOWN_BELOW,
        unit=0.01,
        high=lambda values: values.get("upper", k.SCALE_UP_ABOVE) - k.THRESHOLD_GAP,
    )
    base: float = knob(k.AUTOSCALE_BASE)
    start: int = knob(k.AUTOSCALE_START)
    cold_start: float = knob(k.COLD_START)
    cool_down_down: float = knob(k.COOL_DOWN_DOWN)
    load: str = choice(("step", "day", "surprise"))
    peak: float = knob(k.AUTOSCALE_PEAK)
    target: float = knob(k.HPA_TARGET, unit=0.01)
    multiply: str = choice(("ready", "requested"))
    forecast: str = choice(("perfect", "holt_winters", "seasonal_naive", "moving_average"))
    horizon: float = knob(k.FORECAST_HORIZON)
    price_ratio: float = knob(k.RESERVE_RATIO, unit=0.01)
    reserved: float = knob(k.RESERVED)
    memory: float = knob(k.AUTOSCALE_MEMORY)
    step_factor: float = knob(k.STEP_FACTOR)
    wait_factor: float = knob(k.WAIT_FACTOR)
    batch: int = knob(k.SERVING_BATCH, positions=BATCHES, spoken=f.significant)
    context: int = knob(k.SERVING_CONTEXT, positions=CONTEXTS, spoken=f.significant)

    @cached_property
    def run(self) -> pd.DataFrame:
        """Simulate autoscaling by two thresholds under steady load, one row per step.

        Cached, so do not modify the table.
        """
        return _run(
            self.upper, self.lower, self.base, self.start, self.cold_start, self.cool_down_down
        )

    @cached_property
    def changes(self) -> int:
        """Number of replicas added and removed during the simulated time [1]."""
        return summarize_run(self.run).changes

    @property
    def starting(self) -> float:
        """Total time that replicas spend starting [s]."""
        return float(self.run["starting"].sum() * k.HPA_SYNC)

    @property
    def sizes(self) -> dict[str, int]:
        """Fewest and most replicas that are ready at any time during the run [1]."""
        return {"fewest": int(self.run["ready"].min()), "most": int(self.run["ready"].max())}

    @property
    def last(self) -> int:
        """Replicas that are requested at the end [1]."""
        return int(self.run["wanted"].iloc[-1])

    @cached_property
    def rest(self) -> float | None:
        """Time at which the fleet settles for good [s]; None if it does not."""
        run = self.run
        count = self.last
        if (run["ready"].iloc[-1], run["requested"].iloc[-1]) != (count, count):
            return None
        rule = Threshold(self.upper, self.lower)
        advice = rule.recommend(count, count, min(1.0, self.base / count), 0)
        if max(1, advice) != count:
            return None
        moving = np.flatnonzero((run[["ready", "requested"]] != count).any(axis=1))
        if len(moving):
            return float((moving[-1] + 1) * k.HPA_SYNC)
        return 0.0

    @cached_property
    def swing(self) -> int | None:
        """Smaller of the two fleet sizes between which the fleet oscillates [1].

        The result is None if the fleet does not oscillate, or not yet.
        """
        late_sizes = set(self.run["wanted"].iloc[len(self.run) // 2 :])
        for size in (self.last - 1, self.last):
            if size < 1 or not late_sizes <= {size, size + 1}:
                continue
            ends = flapping_loads(self.upper, self.lower, size)
            if ends and ends[0] * (1 + ROUNDING) < self.base < ends[1] * (1 - ROUNDING):
                return size
        return None

    @property
    def state(self) -> str:
        """State of the fleet at the end: "swings" (oscillates), "moves", or "rests" (settled)."""
        if self.swing:
            return "swings"
        if self.rest is None:
            return "moves"
        return "rests"

    @property
    def settled(self) -> bool:
        """Whether the fleet has settled for good."""
        return self.state == "rests"

    @property
    def fleets(self) -> dict[str, float]:
        """Two fleet sizes with their utilizations [1].

        These are the sizes of the oscillation, or the last size and one replica less.
        """
        smaller = self.swing or max(1, self.last - 1)
        larger = smaller + 1
        return {
            "smaller": smaller,
            "larger": larger,
            "smaller_busy": min(1.0, self.base / smaller),
            "larger_busy": min(1.0, self.base / larger),
        }

    @property
    def limit(self) -> float:
        """Highest lower threshold at which no steady load oscillates [1]."""
        return self.upper / 2

    @property
    def limit_pairs(self) -> float:
        """`limit` of an autoscaler that adds and removes two replicas at a time [1]."""
        return self.upper / 3

    @property
    def counterexample(self) -> float | None:
        """A steady load that oscillates between one replica and two; None if no load does."""
        ends = flapping_loads(self.upper, self.lower, 1)
        if ends is None:
            return None
        return round((ends[0] + ends[1]) / 2, 3)

    @property
    def sweep(self) -> list[tuple[int, float, float]]:
        """Fleet sizes, the highest load at which each settles, and at which it oscillates."""
        steps = []
        replicas = 1
        while not steps or steps[-1][2] < MOST_LOAD:
            ends = flapping_loads(self.upper, self.lower, replicas)
            low, high = ends or (self.upper * replicas, self.upper * replicas)
            steps.append((replicas, min(low, MOST_LOAD), min(high, MOST_LOAD)))
            replicas += 1
        return steps

    @property
    def restless(self) -> float:
        """Share of the steady loads in the sweep at which the fleet oscillates [1]."""
        return sum(high - low for _, low, high in self.sweep) / MOST_LOAD

    @property
    def calm(self) -> bool:
        """Whether the fleet settles at every load of the sweep."""
        return self.restless == 0

    @cached_property
    def loads(self) -> np.ndarray:
        """Load of each step: one jump, a day that begins at night, or a day that starts early."""
        if self.load == "step":
            return step_load(self.base, self.peak, JUMP, JUMP_STRETCH)
        if self.load == "day":
            return self.day
        return np.roll(self.day, -int(k.SURPRISE_SHIFT / k.HPA_SYNC))

    @cached_property
    def day(self) -> np.ndarray:
        """Load of a usual day at every step; it changes once a minute [replicas]."""
        return np.repeat(
            daily_load(self.base, self.peak, step=k.MINUTE), int(k.MINUTE / k.HPA_SYNC)
        )

    @property
    def past(self) -> np.ndarray:
        """Load of the previous two days: growing usual days, or the lowest load [replicas].

        It is empty if the forecast is perfect.
        """
        if self.forecast == "perfect":
            return np.array([])
        if self.load == "step":
            return np.full(int(2 * k.DAY / k.HPA_SYNC), self.base)
        return np.concatenate([(1 - ago * k.DAILY_GROWTH) * self.day for ago in (2, 1)])

    @cached_property
    def hpa(self) -> SimpleNamespace:
        """Result of Kubernetes' policy (HPA) under the load."""
        return self._follow(HPA(self.target, multiply=self.multiply, limited=True))

    @cached_property
    def counted(self) -> SimpleNamespace:
        """Result of a policy that counts requests in flight, at the same target."""
        return self._follow(Concurrency(self.target, sync=k.HPA_SYNC))

    @cached_property
    def forecasted(self) -> SimpleNamespace:
        """Result of the policy that requests replicas for the forecast load."""
        return self._follow(self.predictive, self.past)

    @property
    def predictive(self) -> Predictive:
        """Policy that requests replicas for the forecast load."""
        return Predictive(self.target, self.horizon, forecast=self.forecast)

    @cached_property
    def peaks(self) -> tuple[np.ndarray, np.ndarray]:
        """Highest load within the horizon at each check, as forecast and as it came [replicas]."""
        return forecast_peaks(self.loads, self.predictive, past=self.past)

    @cached_property
    def off(self) -> float:
        """Mean absolute percentage error of the forecast, as a share (MAPE) [1]."""
        return mape(self.peaks[1], self.peaks[0])

    @property
    def first_fleet(self) -> int:
        """Replicas that are ready when a changing load starts, as its first value requires [1]."""
        return max(1, round_up(self.loads[0] / self.target))

    @property
    def first_busy(self) -> float:
        """Utilization at the highest load of the replicas that are ready at the start [1]."""
        return min(1.0, self.peak / self.first_fleet)

    @property
    def enough(self) -> int:
        """Replicas that the highest load needs at the target utilization [1]."""
        return round_up(self.peak / self.target)

    @property
    def first_order(self) -> int:
        """Replicas that Kubernetes' policy requests at its first check after a jump [1]."""
        run = self.hpa.run
        return int(run["wanted"][run["time"] >= JUMP].iloc[0])

    def _follow(self, rule: object, past: object = ()) -> SimpleNamespace:
        """Return a rule's `run` under the load, one row per step, with the summary's fields."""
        run = simulate_autoscaler(
            self.loads,
            rule,
            start=self.first_fleet,
            cold_start=self.cold_start,
            ceiling=int(k.AUTOSCALE_CEILING),
            past=past,
        )
        return SimpleNamespace(run=run, **asdict(summarize_run(run)))

    @property
    def mean_load(self) -> float:
        """Mean load of a usual day [replicas]."""
        return float(self.day.mean())

    places = property(models.places_for)
    step_time = models.step_time
    serving = property(models.serving)
    knee = property(models.largest_batch)
    bill_of = models.bill_of
    reservation = property(models.reservation)


@lru_cache(maxsize=512)
def _run(
    upper: float, lower: float, base: float, start: int, cold_start: float, delay: float
) -> pd.DataFrame:
    """Simulate two thresholds under a steady load, cached by the settings that matter."""
    load = [base] * round(STRETCH / k.HPA_SYNC)
    rule = Threshold(upper, lower)
    return simulate_autoscaler(load, rule, start=start, cold_start=cold_start, cool_down_down=delay)


def orders(run: pd.DataFrame) -> str:
    """Write the sequence of requested numbers of replicas, such as "1 → 2 → 1".

    Of more than eight numbers, the first six and the last.
    """
    wanted = run["wanted"].to_numpy()
    texts = [str(count) for count in wanted[np.flatnonzero(np.diff(wanted, prepend=-1))].tolist()]
    if len(texts) > 8:
        texts[6:-1] = ["…"]
    return " → ".join(texts)


def between(ends: Mapping[str, int]) -> str:
    """Write both ends of a range, or one number if they are equal."""
    return " to ".join(dict.fromkeys(map(str, ends.values())))


say = Sentences(Fleet, formats={"orders": orders, "range": between})
