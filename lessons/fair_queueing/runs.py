"""Fair queueing: what becomes of the two teams' jobs, on one server job by job, and on the cluster simulator."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd

from physics import constants as k
from physics.fair_queueing import catch_up_time, serve
from physics.scheduling import Policy, simulate

JOB, QUEUED = float(k.FAIR_FLOW_JOB), int(k.FAIR_QUEUED)
#: Stands for a half-life without end, which the simulator does not take [s].
ENDLESS = 1e15
#: On the simulator of the first act a job is this part of the time alone, or of the lock-out where that is longer.
OF_ALONE, OF_WAIT = 200, 300


@dataclass(frozen=True, eq=False)
class Served:
    """Jobs on one server under one rule, as of B's return at time 0: whose (0 is A, 1 is B), and when [s]."""

    flow: np.ndarray
    arrival: np.ndarray
    start: np.ndarray
    end: np.ndarray

    def wait(self, flow: str) -> float:
        """Time from the return to this team's first start [s]."""
        mine = self.start[(self.flow == "AB".index(flow)) & (self.start >= 0)]
        return float(mine.min()) + 0.0

    def between(self, first: float, last: float) -> list[tuple[str, float, float]]:
        """Whose jobs run between two moments, each with its start and end, in order [s]."""
        inside = (self.end > first) & (self.start < last)
        jobs = zip(self.flow[inside].tolist(), self.start[inside].tolist(), self.end[inside].tolist(), strict=True)
        return sorted((("AB"[flow], start, end) for flow, start, end in jobs), key=lambda job: job[1])

    def waiting(self) -> list[tuple[str, float, float]]:
        """Whose jobs wait, each with its arrival and its start, in order of arrival [s]."""
        jobs = zip(self.flow.tolist(), self.arrival.tolist(), self.start.tolist(), strict=True)
        return [("AB"[flow], arrival, start) for flow, arrival, start in jobs]


@lru_cache(maxsize=64)
def simulated(alone: float, half_life: float, ratio: float) -> tuple[float, float]:
    """Time until A's next job starts on the cluster simulator, and the length of the jobs that it was given [s].

    A's time alone is one long job. From the return on both have short ones: so the simulator comes within one of them.
    """
    predicted = catch_up_time(alone, half_life, ratio)
    if predicted == 0:
        return 0.0, 0.0
    length = max(alone / OF_ALONE, predicted / OF_WAIT)
    both = int(predicted / length) + 5
    submit, runtime = np.full(both + 3, alone), np.full(both + 3, length)
    submit[0], runtime[0] = 0.0, alone
    jobs = pd.DataFrame({"submit": submit, "runtime": runtime, "job_class": [0] * 3 + [1] * both, "gpus": 1})
    done = simulate(jobs, 1, _policy(half_life, ratio)).jobs
    return float(done["start"].iloc[1] - alone), length


@lru_cache(maxsize=64)
def served(alone: float, half_life: float, ratio: float, rule: str) -> Served:
    """Serve jobs of one length, the same under every rule: A's are all there from the start, B's come at time 0."""
    before = round(alone / JOB)
    missed = math.ceil(ratio * before)  # under banked turns, which remember longest, B's work does not end sooner
    mine, theirs = before + QUEUED, missed + QUEUED + math.ceil(ratio) + 1
    flow, arrival = np.repeat([0, 1], [mine, theirs]), np.repeat([-alone, 0.0], [mine, theirs])
    if rule == "fair":
        jobs = pd.DataFrame({"submit": arrival + alone, "runtime": JOB, "gpus": 1, "job_class": flow})
        done, shift = simulate(jobs, 1, _policy(half_life, ratio)).jobs, alone
    else:
        done = serve(pd.DataFrame({"flow": flow, "arrival": arrival, "length": JOB}), {0: 1.0, 1: ratio}, rule)
        shift = 0.0
    return Served(flow, arrival, done["start"].to_numpy() - shift, done["end"].to_numpy() - shift)


def _policy(half_life: float, ratio: float) -> Policy:
    weights = {0: 1.0, 1: ratio}
    return Policy(order="fair_share", classes=(0, 1), weights=weights, half_life=min(half_life, ENDLESS))
