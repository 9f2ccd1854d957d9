"""GPU slices: one stream of requests under two policies, beside what no policy can beat."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from physics import constants as k
from physics.slicing import PROFILES, unusable_slices
from physics.slicing.streams import Request, Run, most_compute, random_requests, serve

RULES = {"first": "First-fit", "best": "Best-fit"}
#: Shares of the profiles in a stream, smallest profile first.
MIXES = {
    "mixed": (4, 1, 3, 3, 2, 1),
    "small": (10, 0, 3, 0, 0, 1),
    "halves": (6, 0, 0, 3, 3, 0),
    "memory": (2, 6, 2, 2, 0, 0),
}
SEED = 20201027  #: with the number of the stream it makes the requests


@dataclass(frozen=True)
class Trial:
    """One stream, served under both policies, and the bound after every request."""

    requests: tuple[Request, ...]
    runs: dict[str, Run]
    used: dict[str, tuple[int, ...]]  #: compute slices in use after each request, by policy
    bound: tuple[int, ...]  #: most that any policy can hold after each request

    @property
    def mean(self) -> dict[str, float]:
        """Compute slices in use, averaged over the requests, by policy, and the average of the bound [1]."""
        return {name: float(np.mean(held)) for name, held in {"bound": self.bound, **self.used}.items()}

    @property
    def refused(self) -> dict[str, int]:
        """Requests that are refused, by policy [1]."""
        return {rule: run.refused for rule, run in self.runs.items()}

    def useless(self, rule: str, profile: str) -> float:
        """Share of the free compute slices that a request for a profile cannot use, over the whole stream [1]."""
        run, moments = self.runs[rule], range(self.count)
        free = run.gpus * self.count * k.SLICES_COMPUTE - sum(self.used[rule])
        lost = sum(unusable_slices(run.held(moment), {profile: 1.0}, run.gpu) for moment in moments)
        return lost / free if free else 0.0

    @property
    def count(self) -> int:
        """Requests of the stream [1]."""
        return len(self.requests)


@lru_cache(maxsize=128)
def trial(gpu: str, mix: str, gpus: int, stay: float, draw: int) -> Trial:
    """Serve one random stream under both policies."""
    rng = np.random.default_rng([SEED, draw])
    weights = dict(zip(PROFILES[gpu], MIXES[mix], strict=True))
    requests = random_requests(int(k.SLICES_REQUESTS), weights, stay, rng, gpu)
    moments = range(len(requests))
    runs = {rule: serve(requests, gpus, rule, gpu) for rule in RULES}
    used = {rule: tuple(run.compute(moment) for moment in moments) for rule, run in runs.items()}
    bound = tuple(most_compute([one.profile for one in requests if one.alive(moment)], gpus, gpu) for moment in moments)
    return Trial(requests, runs, used, bound)


def campsite(pitches: int, power: float, each: float) -> dict[str, int]:
    """Return the vans that a campsite serves if each takes a pitch and some power [kW], and pitches left empty."""
    vans = min(pitches, int(power // each))
    return {"vans": vans, "empty": pitches - vans, "none": 0}
