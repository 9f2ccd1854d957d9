"""Fair queueing: what becomes of the two teams' jobs, on one server job by job, and on the cluster simulator."""

import math
from dataclasses import dataclass
from functools import lru_cache

import pandas as pd

from lessons.fair_queueing.settings import Turns
from physics import constants as k
from physics.fair_queueing import catch_up_time, serve
from physics.scheduling import Policy, simulate

#: Rules in the order of the picture.
RULES = {
    "fifo": "FIFO (by arrival)",
    "fair": "Fair share",
    "banked": "Banked turns",
    "sfq": "SFQ (fair queueing)",
}
#: Stands for a half-life without end, which the simulator does not take [s].
ENDLESS = 1e15
#: On the simulator of the first act a job is this part of the time alone, or of the lock-out where that is longer.
OF_ALONE, OF_WAIT = 200, 300


@dataclass(frozen=True)
class Served:
    """Jobs on one server under one rule, as of B's return at time 0: flow, start [s], end [s]."""

    jobs: pd.DataFrame

    def wait(self, flow: str) -> float:
        """Time from the return to this team's first start [s]."""
        return float(self.jobs.loc[(self.jobs["flow"] == flow) & (self.jobs["start"] >= 0), "start"].min()) + 0.0


@lru_cache(maxsize=64)
def simulated(alone: float, half_life: float, ratio: float) -> tuple[float, float]:
    """Time until A's next job starts on the cluster simulator, and the length of the jobs that it was given [s].

    A's time alone is one long job. From the return on both have short ones: so the simulator comes within one of them.
    """
    predicted = catch_up_time(alone, half_life, ratio)
    if predicted == 0:
        return 0.0, 0.0
    length = max(alone / OF_ALONE, predicted / OF_WAIT)
    rows = [(0.0, alone, "A")] + [(alone, length, "A")] * 2 + [(alone, length, "B")] * (int(predicted / length) + 5)
    jobs = pd.DataFrame(rows, columns=["submit", "runtime", "job_class"]).assign(gpus=1)
    done = simulate(jobs, 1, _policy(half_life, ratio)).jobs
    return float(done["start"].iloc[1] - alone), length


@lru_cache(maxsize=64)
def _served(alone: float, half_life: float, ratio: float, rule: str) -> Served:
    """Serve jobs of one length: A's are all there from the start, B's come at time 0."""
    length, queued = float(k.FAIR_FLOW_JOB), int(k.FAIR_QUEUED)
    before = round(alone / length)
    missed = math.ceil(ratio * before) if rule == "banked" else 0
    if rule == "fair":
        missed = math.ceil(catch_up_time(alone, half_life, ratio) / length)
    rows = [("A", -alone, length)] * (before + queued)
    rows += [("B", 0.0, length)] * (missed + queued + math.ceil(ratio) + 1)
    jobs = pd.DataFrame(rows, columns=["flow", "arrival", "length"])
    if rule != "fair":
        done = serve(jobs, {"A": 1.0, "B": ratio}, rule)
        return Served(done[["flow", "start", "end"]])
    named = jobs.rename(columns={"flow": "job_class", "length": "runtime"}).assign(gpus=1)
    named["submit"] = named.pop("arrival") + alone
    done = simulate(named, 1, _policy(half_life, ratio)).jobs
    flows = pd.DataFrame({"flow": done["job_class"], "start": done["start"] - alone, "end": done["end"] - alone})
    return Served(flows)


def served(turns: Turns, rule: str) -> Served:
    """Return what becomes of the jobs under one of the rules."""
    half_life = turns.remembered if rule == "fair" else math.inf
    return _served(turns.alone, half_life, turns.weight_ratio, rule)


def _policy(half_life: float, ratio: float) -> Policy:
    weights = {"A": 1.0, "B": ratio}
    return Policy(order="fair_share", classes=("A", "B"), weights=weights, half_life=min(half_life, ENDLESS))
