"""Policy trial: how often the worse of two policies looks better, and what to do about it."""

from lessons.policy_trial import bandits, choices, lead, needed, often, several
from lessons.policy_trial.settings import Trial, say
from physics import constants as k
from ui.base.lesson import Challenge, Lesson, Preset, View

PRESETS = {
    "message": Preset(view="lead"),
    "turns": Preset(changes={"way": "turns"}, view="often"),
    "small": Preset(changes={"difference": 5 * float(k.HOUR)}, view="needed"),
    "ten": Preset(changes={"policies": 10}, view="several"),
    "commit": Preset(changes={"rule": "explore_then_commit"}, view="bandit"),
}

LESSON = Lesson.of(
    "policy_trial",
    Trial,
    say,
    views=[
        View("lead", lead, knobs=("number", "way")),
        View("often", often, knobs=("weeks", "way")),
        View("needed", needed, part=2, knobs=("difference", "confidence"), verdict="needed"),
        View("several", several, part=3, knobs=("policies", "weeks"), verdict="several"),
        View("bandit", bandits, part=4, knobs=("rule", "rounds"), verdict="bandit"),
    ],
    presets=PRESETS,
    results={"Wrong trials": "wrong:share", "Weeks needed": "needed:weeks"},
    challenge=Challenge(lambda: say("task", Trial()), often.judge, Preset(view="often")),
    places=dict.fromkeys(("bakery", "window"), choices.days),
)
