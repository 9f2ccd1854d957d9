"""Policy trial: how often the worse of two policies looks better, and what to do about it."""

from lessons.policy_trial import bandits, challenge, film, needed, often, settings, single, values
from physics import constants as k
from ui.base.lesson import Challenge, Lesson, Preset

#: What can be looked at: each act has metrics, a verdict and a figure.
ACTS = {"often": often, "trial": single, "film": single, "needed": needed, "bandit": bandits}
VIEWS = {"often": "How often", "trial": "One trial", "film": "Animation", "needed": "Weeks needed", "bandit": "Bandit"}
PRESETS = {
    "message": Preset("The message: eight weeks each", view="often"),
    "one": Preset("The lead's trial", {"number": 2}, view="trial"),
    "replay": Preset("The same weeks under both", {"way": "replay"}, view="trial"),
    "turns": Preset("Another policy every week", {"way": "turns"}, view="often"),
    "small": Preset("A difference of 5 h", {"difference": 5 * float(k.HOUR)}, view="needed"),
    "commit": Preset("Explore 8 weeks, then commit", {"rule": "explore_then_commit"}, view="bandit"),
    "three": Preset("Challenge: three policies", {"policies": "three", "weeks": 6}, view="often"),
}

LESSON = Lesson.of(
    "policy_trial",
    settings=settings.Trial,
    main="weeks",
    presets=PRESETS,
    values=values.live_values,
    results=values.results,
    metrics=often.metrics,
    verdict=often.verdict,
    remedies=often.remedies,
    views=VIEWS,
    film=film.showing,
    challenge=Challenge(challenge.task, challenge.judge),
)
