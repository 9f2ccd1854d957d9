"""DRF story: the challenge, a pool in which taking turns is fair by largest shares."""

from lessons.drf_story.jobs import Job, write
from lessons.drf_story.settings import Scenario, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Challenge, Preset, Verdict

EXECUTORS = int(k.DRF_EXECUTORS)
#: Turns are fair to these two where the pool has 6 GB for each vCPU.
JOBS = (Job("Simulation", (16.0, 16.0)), Job("Indexing", (4.0, 96.0)))
START = Preset(changes={"table": write(JOBS), "step": EXECUTORS}, view="shares")


def judge(scenario: Scenario) -> Verdict:
    """Say how far the two largest shares are apart."""
    if (scenario.table, scenario.executors, scenario.policy_two) != (JOBS, EXECUTORS, "round_robin"):
        return Verdict(say("start", scenario))
    if set(scenario.two.executors.values()) != {EXECUTORS // 2}:
        return Verdict(say("unfit", scenario), False)
    (low, least), (high, most) = sorted(scenario.two.dominant_share.items(), key=lambda one: one[1])
    ratio = most / least
    if ratio > k.DRF_ALIKE * (1 + 1e-9):
        # What misses the goal is not rounded to it.
        times = f.times(ratio) if round(ratio, 2) > k.DRF_ALIKE else f.times(ratio, 5)
        return Verdict(say("uneven", scenario, high=high, low=low, most=f.share(most), times=times), False)
    return Verdict(say("won", scenario), True)


CHALLENGE = Challenge(lambda: say("task", Scenario()), judge, START)
