"""Policy trial: how often the worse of two policies looks better, and how to avoid that."""

from lessons.policy_trial import carry, elsewhere, lead, needed, often
from lessons.policy_trial.laboratory import bandits, several
from lessons.policy_trial.settings import say
from physics import constants as k
from ui.base.lesson import Curtain, Lesson, Preset, View

PRESETS = {
    "message": Preset(view="lead"),
    "turns": Preset({"way": "turns"}, "often"),
    "small": Preset({"difference": 5 * float(k.HOUR)}, "needed"),
    "ten": Preset({"policies": 10}, "several"),
    "commit": Preset({"rule": "explore_then_commit"}, "bandit"),
}

LESSON = Lesson.of(
    say,
    views=[
        View("lead", lead, ("number", "way"), curtain=Curtain((2, 3), stays=("label",))),
        View("often", often, ("weeks", "way")),
        View("carry", carry, ("block", "skipped")),
    ],
    further=[
        View("needed", needed, ("difference", "confidence"), verdict="needed"),
    ],
    laboratory=[
        View("several", several, ("policies", "weeks"), verdict="several", opens={"policies": 10}),
        View("bandit", bandits, ("rule", "rounds"), verdict="bandit"),
    ],
    presets=PRESETS,
    results={"Wrong trials": "wrong:share", "Weeks needed": "needed:number"},
    challenge=carry.judge,
    start=Preset(view="carry"),
    places=dict.fromkeys(("bakery", "window"), elsewhere.days),
)
