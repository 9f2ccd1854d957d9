"""Policy trial: how often the worse of two policies looks better, and how to avoid that."""

from lessons.policy_trial import carry, elsewhere, lead, needed, often
from lessons.policy_trial.laboratory import bandits, several
from lessons.policy_trial.settings import say
from ui.base.lesson import Lesson

LESSON = Lesson.of(
    say,
    views=[lead.view, often.view, carry.view],
    further=[needed.view],
    laboratory=[several.view, bandits.view],
    challenge=carry.judge,
    places={"bakery": elsewhere.days, "window": elsewhere.days},
)
