"""Scheduling policy: who waits under which rule, found on a simulator of a fleet that three classes share."""

from lessons.scheduling_policy import challenge, film, settings, values, verdict
from ui.base.lesson import Challenge, Lesson, Preset

_EASY = {"order": "priority", "backfill": "easy"}
PRESETS = {
    "fifo": Preset("The lead's fleet today: FIFO"),
    "strict": Preset("Strict priority", {"order": "priority"}),
    "easy": Preset("Priority with EASY", _EASY),
    "easy_fifo": Preset("EASY in order of arrival", {"backfill": "easy"}),
    "slice": Preset("A slice of 40 GPUs", _EASY | {"reserved": 40}),
    "quotas": Preset("Quotas, lent and taken back", _EASY | {"quotas": "reclaimed"}),
    "quotas_lent": Preset("Quotas, never taken back", _EASY | {"quotas": "lent"}),
    "preemption": Preset("Preemption, hourly checkpoints", _EASY | {"preemption": True}),
    "rare_checkpoints": Preset(
        "Preemption, 4-hour checkpoints", _EASY | {"preemption": True, "checkpoint_interval": 4 * settings.HOUR}
    ),
    "pays": Preset("Preemption only where it pays", _EASY | {"preemption": True, "rule": "pays"}),
    "fair_share": Preset("Fair share with EASY", {"order": "fair_share", "backfill": "easy"}),
    "shortest": Preset("Shortest first with EASY", {"order": "shortest", "backfill": "easy"}),
    "ten": Preset("Ten trainings a day (215 %)", _EASY | {"training_rate": 10 / settings.DAY}, view="queue"),
}

LESSON = Lesson.of(
    "scheduling_policy",
    settings=settings.Scenario,
    presets=PRESETS,
    values=values.live_values,
    results=verdict.results,
    metrics=verdict.metrics,
    verdict=verdict.verdict,
    remedies=challenge.remedies,
    views={
        "four": "The four policies",
        "waits": "Wait distribution",
        "week": "A week, GPU by GPU",
        "queue": "Queue over time",
        "film": "Animation",
    },
    film=film.showing,
    challenge=Challenge(challenge.task, challenge.judged),
    of_cluster=settings.of_cluster,
)
