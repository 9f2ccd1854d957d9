"""Whose job runs next: two teams, one job at a time, from the day on which B returns."""

import math
from functools import lru_cache

import pandas as pd

from physics import constants as k
from physics.fair_queueing import serve

#: Days that are shown after B's return, and jobs that A has waiting then.
SHOWN, QUEUED = 42, int(k.FAIR_QUEUED)
#: Length of every job [s]: in whole seconds its tags are exact.
JOB = float(k.FAIR_FLOW_JOB)


@lru_cache(maxsize=4096)
def order(rule: str, alone: int, half_life: float, ratio: float) -> str:
    """Return whose job runs on each day from B's return on, such as "BBA", at least up to A's first.

    Each job takes the whole cluster for one day. A ran `alone` for so many days; then both have work without end. The
    rule is "fair", "banked", "sfq" or "fifo"; `half_life` [days], which may be infinite, matters under "fair" only, and
    `ratio` is B's weight ÷ A's.
    """
    return _fair(alone, half_life, ratio) if rule == "fair" else _served(rule, alone, ratio)


def _fair(alone: int, half_life: float, ratio: float) -> str:
    """Run the team whose remembered use ÷ weight is smaller; A, whose jobs came first, where the two are equal."""
    fade = 2 ** (-1 / half_life)
    day = 1.0 if half_life == math.inf else (1 - fade) * half_life / math.log(2)  # what a day's use counts at its end
    use = {"A": 0.0, "B": 0.0}
    for _ in range(alone):
        use["A"] = use["A"] * fade + day
    found = ""
    while len(found) < SHOWN or "A" not in found:
        team = "A" if use["A"] <= use["B"] / ratio * (1 + 1e-9) else "B"
        use = {name: old * fade + day * (name == team) for name, old in use.items()}
        found += team
    return found


def _served(rule: str, alone: int, ratio: float) -> str:
    """Serve A's jobs, which are all there from the start, and B's, which come at its return, by their tags."""
    mine, theirs = alone + QUEUED, math.ceil(ratio * alone) + QUEUED + math.ceil(ratio) + 1
    arrival = [-alone * JOB] * mine + [0.0] * theirs
    jobs = pd.DataFrame({"flow": list("A" * mine + "B" * theirs), "arrival": arrival, "length": JOB})
    done = serve(jobs, {"A": 1.0, "B": ratio}, rule)
    return "".join(done[done["start"] >= 0].sort_values("start")["flow"])
