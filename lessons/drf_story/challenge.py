"""DRF story: the challenge, a pool that thirty executors fill and that leaves the three jobs with like shares."""

from lessons.drf_story.jobs import RESOURCES, story
from lessons.drf_story.settings import Scenario
from ui.base import format as f
from ui.base.lesson import Verdict

EXECUTORS = 30  #: wanted: all of these are handed out
APART = 0.01  #: and dominant shares end so close together [1]
LEFT = 0.05  #: and no more than this of the CPUs, and of the memory, is left [1]


def task() -> str:
    """What the challenge asks for."""
    return (
        f"Hand out {EXECUTORS} executors to the message's jobs, all of them, from a pool of the right size: under the "
        f"first policy dominant shares end at most {f.significant(100 * APART)} point apart, and at most "
        f"{f.share(LEFT)} of the CPUs and {f.share(LEFT)} of the memory are left."
    )


def judge(scenario: Scenario) -> Verdict:
    """Say what is still missed."""
    if scenario.table != story():
        return Verdict("Put the message's jobs back into the table first.")
    if scenario.executors != EXECUTORS:
        return Verdict(f"Ask for {EXECUTORS} executors first.")
    result = scenario.runs[0]
    shares = list(result.dominant_share.values())
    apart = max(shares) - min(shares)
    left = {name: result.free[name] / scenario.pool[RESOURCES.index(name)] for name in ("cpu", "mem")}
    slack = 1e-9  # of adding shares
    conditions = {
        f"{len(result.log)} of {EXECUTORS} handed out": len(result.log) == EXECUTORS,
        f"shares {f.significant(100 * apart)} points apart": apart <= APART + slack,
        f"{f.share(left['cpu'])} of the CPUs left": left["cpu"] <= LEFT + slack,
        f"{f.share(left['mem'])} of the memory left": left["mem"] <= LEFT + slack,
    }
    won = all(conditions.values())
    said = [words for words, holds in conditions.items() if won or not holds]
    return Verdict(f"{'Won' if won else 'Not yet'}: {', '.join(said)}.", won)
