"""Fair queueing: whose turn it is, and for how long past use is held against somebody."""

from lessons.fair_queueing import aging, challenge, gantt, lottery, memory, settings, values
from ui.base.lesson import Challenge, Lesson, Preset

#: What can be looked at: each act has metrics, a verdict and figures.
ACTS = {"memory": memory, "flows": gantt, "lottery": lottery, "aging": aging}
VIEWS = {
    "memory": "Memory of fair share",
    "flows": "A team returns, job by job",
    "lottery": "Lottery",
    "aging": "Aging",
    "film": "Animation",
}
PRESETS = {
    "slurm": Preset("The message: Slurm's default, 7 days", view="memory"),
    "slurm_zero": Preset("Slurm at 0: nothing fades", {"half_life": "never"}, view="memory"),
    "batch": Preset("AWS Batch at 0: a window of 600 s", {"half_life": "10min"}, view="memory"),
    "kueue": Preset("Kueue's example: 168 h, B weighs 3", {"half_life": "7d", "weight_ratio": 3.0}, view="memory"),
    "banked": Preset("A team returns after 10 days", {"alone": 864000.0}, view="flows"),
    "small": Preset("1 % of the tickets, 1,000 draws", {"tickets": 0.01, "draws": 1000}, view="lottery"),
    "one_rate": Preset("Aging at one rate for all", {"aging_ratio": 1.0}, view="aging"),
    "strict": Preset("Aging 100 to 1", {"aging_ratio": 100.0}, view="aging"),
}

LESSON = Lesson.of(
    "fair_queueing",
    settings=settings.Turns,
    presets=PRESETS,
    values=values.live_values,
    results=values.results,
    metrics=memory.metrics,
    verdict=memory.verdict,
    remedies=memory.remedies,
    views=VIEWS,
    film=gantt.showing,
    challenge=Challenge(challenge.task, challenge.judge),
)
