"""DRF story: the challenge, a pool in which taking turns is fair by largest shares."""

from lessons.drf_story.jobs import write
from lessons.drf_story.presets import challenge_jobs
from lessons.drf_story.settings import Scenario, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Challenge, Preset, Verdict

EXECUTORS = int(k.DRF_EXECUTORS)
START = Preset(changes={"table": write(challenge_jobs()), "step": EXECUTORS}, view="shares")


def judge(scenario: Scenario) -> Verdict:
    """Say how far the two largest shares are apart."""
    if scenario.jobs != challenge_jobs():
        return Verdict(say("start", scenario))
    if scenario.executors != EXECUTORS:
        return Verdict(say("wrong_count", scenario))
    if scenario.policy_two != "round_robin":
        return Verdict(say("no_turns", scenario))
    result = scenario.by_turns
    if set(result.executors.values()) != {EXECUTORS // 2}:
        return Verdict(say("unfit", scenario), False)
    shares = result.dominant_share
    low, high = sorted(shares, key=shares.__getitem__)
    ratio, one, two = shares[high] / shares[low], f.share(shares[high]), f.share(shares[low])
    if ratio > k.DRF_ALIKE * (1 + 1e-9):
        # What misses the goal is not rounded to it.
        times = f.times(ratio) if round(ratio, 2) > k.DRF_ALIKE else f.times(ratio, 5)
        return Verdict(say("uneven", scenario, high=high, low=low, most=one, times=times), False)
    return Verdict(say("won", scenario, one=one, two=two), True)


CHALLENGE = Challenge(lambda: say("task", Scenario()), judge, START)
