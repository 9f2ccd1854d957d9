"""A target of a log's waits: how they are measured, what they are today, and what the model leaves unexplained."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from physics.cluster.calibration import Calibration, frame_of
from physics.cluster.jobs import Log
from physics.cluster.say import time
from physics.numerics import checks
from physics.scheduling import Policy, simulate

#: How a wait is measured most often, and its name in a sentence; any percentile of at most two digits is one.
MEASURES = {"mean": "mean wait", "p95": "P95 of the wait"}
UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}


def named(measure: str) -> str:
    """Name a measure, or raise ValueError.

    >>> named("p95"), named("mean")
    ('P95 of the wait', 'mean wait')
    """
    if measure != "mean" and not re.fullmatch(r"p[1-9][0-9]?", str(measure)):
        raise ValueError(f"measure must be mean or a percentile such as p95, got {measure!r}")
    return MEASURES.get(measure, f"P{measure[1:]} of the wait")


def target(measure: str, limit: float, job_class: str = "") -> str:
    """Say a target.

    >>> target("p90", 300.0), target("mean", 60.0, "training")
    ('P90 of the wait of at most 5 min (90 of 100 jobs wait no longer)', 'mean wait of training of at most 1 min')
    """
    of = f"{named(measure)}{f' of {job_class}' if job_class else ''} of at most {time(limit)}"
    return of if measure == "mean" else f"{of} ({measure[1:]} of 100 jobs wait no longer)"


def measured(wait: np.ndarray, measure: str) -> float:
    """Mean or percentile of waits [s]; infinite if some job never starts. So many jobs wait no longer than it says."""
    if not np.isfinite(wait).all():
        return math.inf
    return float(wait.mean() if measure == "mean" else np.quantile(wait, int(measure[1:]) / 100, method="inverted_cdf"))


@dataclass(frozen=True, eq=False)
class Asked:
    """A target of a log's waits, and the band of what is unexplained."""

    log: Log
    policy: Policy
    measure: str
    limit: float
    mine: np.ndarray  #: jobs whose waits count
    recorded: float  #: the measure in the record [s]; NaN without one
    today: float  #: the measure as simulated, of the same jobs [s]

    @classmethod
    def of(
        cls, log: Log, gpus: int, baseline: Policy | Calibration, measure: str, limit: float, job_class: str | None,
    ) -> "Asked":  # fmt: skip
        """Check what is asked, and simulate the log as it is."""
        limit = checks.non_negative("limit", limit)
        named(measure)
        if not isinstance(baseline, Policy | Calibration):
            raise ValueError(f"baseline must be a Policy or a Calibration, got {baseline!r}")
        policy = baseline.policy if isinstance(baseline, Calibration) else baseline
        mine = np.ones(len(log.submit), bool) if job_class is None else log.classes == job_class
        if not mine.any():
            raise ValueError(f"job_class must name a class of the log, got {job_class!r}")
        wait = simulate(frame_of(log), gpus, policy, log.down).jobs["wait"].to_numpy(float)
        compared = mine & log.recorded
        recorded = measured(log.wait[compared], measure) if compared.any() else math.nan
        today = measured(wait[compared if compared.any() else mine], measure)
        return cls(log, policy, measure, limit, mine, recorded, today)

    @property
    def band(self) -> Mapping[str, Callable[[float], float]]:
        """Value of the measure, as simulated and at both ends of the band."""
        ratio = self.recorded / self.today if self.today > 0 else 1.0 if self.recorded == 0 else math.nan
        apart = self.recorded - self.today
        return {"simulated": lambda one: one, "scaled": lambda one: one * ratio, "plus": lambda one: one + apart}

    def hopeless(self, name: str) -> bool:
        """Whether no wait at all would do, or nothing is known."""
        return math.isnan(self.band[name](0.0)) or (name == "plus" and self.recorded - self.today > self.limit)


def band(apart: float, scaled: str, plus: str) -> str:
    """Word both ends of the band that a model's unexplained part makes; `scaled` is "" where no wait is simulated."""
    stays = f"{plus} if the {time(abs(apart))} that the model leaves unexplained stay"
    if not scaled:
        return f"and {stays}; as simulated today's value is 0, so no factor can be kept"
    return f"{scaled} if waits stay as many times as long as simulated, and {stays}"


def parse_target(text: str) -> tuple[str, float]:
    """Read a target such as "p95=4h", "mean=30min" or "90%=5min": the measure and its limit [s].

    >>> parse_target("p95=4h"), parse_target("mean=90s"), parse_target("90%=5min")
    (('p95', 14400.0), ('mean', 90.0), ('p90', 300.0))
    """
    found = re.fullmatch(r"(mean|p[1-9][0-9]?|[1-9][0-9]?%)=([0-9]{1,9}(?:\.[0-9]{1,9})?)(s|min|h|d)", str(text))
    if not found:
        raise ValueError(f"needed must be such as p95=4h, mean=30min or 90%=5min, got {text!r}")
    measure, number, unit = found.groups()
    return f"p{measure[:-1]}" if measure.endswith("%") else measure, float(number) * UNITS[unit]
