"""Notebook sharing: the challenge, a node for eight users that is neither too slow nor too idle."""

from dataclasses import asdict

from lessons.notebook_sharing.settings import Study
from lessons.notebook_sharing.words import core_hours
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Verdict
from ui.knobs.declared import knobs_of

#: What the challenge leaves to nobody: the users' notebooks, and what sharing costs.
GIVEN = {"combination": "ABCD", "copies": 2, "overhead": 2.0, "loss": 0.2, "think": "none", "endless": 0}
SLOWEST = 2.0  #: wanted: at most this mean slowdown (ANTT) [1]
IDLEST = 2.0 * k.HOUR  #: and at most so much of the node's time unused [core-seconds]


def task() -> str:
    """What the challenge asks for."""
    given = f"an overhead of {f.duration(GIVEN['overhead'])} and an oversubscription loss of {f.share(GIVEN['loss'])}"
    return (
        f"Two copies of all four notebooks, run top to bottom, with {given}: choose the node and its scheduler so that "
        f"the mean slowdown is at most {f.significant(SLOWEST)} and at most {core_hours(IDLEST)} core-hours are idle."
    )


def judge(study: Study) -> Verdict:
    """Say what is still missed."""
    now, knobs = asdict(study), knobs_of(Study)
    wrong = [knobs[name].label for name, value in GIVEN.items() if now[name] != value]
    if wrong:
        return Verdict(f"Set as the challenge says first: {', '.join(wrong)}.")
    reached = study.now
    slow, idle = reached.antt > SLOWEST, reached.run.idle > IDLEST
    said = (
        f"a mean slowdown of {f.apart(reached.antt, SLOWEST)} {'misses' if slow else 'meets'} "
        f"the challenge's {f.significant(SLOWEST)}; "
        f"{core_hours(reached.run.idle)} idle core-hours {'exceed' if idle else 'are within'} {core_hours(IDLEST)}"
    )
    won = not slow and not idle
    return Verdict(f"{'Won' if won else 'Not yet'} on {f.count(study.cores, 'core')}: {said}.", won)
