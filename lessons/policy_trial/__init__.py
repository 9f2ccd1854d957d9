"""Policy trial: how often the worse of two policies looks better, and how to avoid that."""

from lessons.policy_trial import carry, elsewhere, lead, needed, often
from lessons.policy_trial.laboratory import bandits, several
from lessons.policy_trial.settings import say
from ui.base.lesson import Lesson, View

LESSON = Lesson.of(
    say,
    views=[View("lead", lead), View("often", often), View("carry", carry)],
    further=[View("needed", needed)],
    laboratory=[View("several", several), View("bandit", bandits)],
    challenge=carry.judge,
    places={"bakery": elsewhere.days, "window": elsewhere.days},
)
