"""Scheduling policy: who waits under which policy, found on a simulator of a fleet that three classes share."""

from lessons.scheduling_policy import elsewhere, film, outage, queue, runs, tables, week
from lessons.scheduling_policy.settings import DAY, DRAFT, EASY, HOUR, Scenario, drafted, say
from ui.base.lesson import Drafted, Film, Lesson, Preset, View

STOPPED = EASY | {"preemption": True}
PRESETS = {
    "fifo": Preset(),
    "strict": Preset(changes={"order": "priority"}),
    "easy": Preset(changes=EASY),
    "easy_fifo": Preset(changes={"backfill": "easy"}),
    "shortest": Preset(changes={"order": "shortest", "backfill": "easy"}),
    "slice": Preset(changes=EASY | {"reserved": 40}),
    "preemption": Preset(changes=STOPPED),
    "ten": Preset(changes=EASY | {"training_rate": 10 / DAY}, view="queue"),
    "draft": Preset(changes=DRAFT, view="queue"),
    "fair_share": Preset(changes={"order": "fair_share", "backfill": "easy"}, view="waits"),
    "rare_checkpoints": Preset(changes=STOPPED | {"checkpoint_interval": 4 * HOUR}, view="decision"),
    "pays": Preset(changes=STOPPED | {"rule": "pays"}, view="decision"),
}
FIRST = (*queue.POLICY, "interactive_rate", "training_rate")
#: What else makes the jobs of a run, and moves it.
DRAWN = ("training_gpus", "quotas", "seed")
WEIGHTS = ("weight_interactive", "weight_search", "weight_training")
QUOTAS, STOPS = ("quotas", "quota_interactive", "quota_search"), ("checkpoint_interval", "rule")

LESSON = Lesson.of(
    "scheduling_policy",
    Scenario,
    say,
    views=[
        View("queue", queue, knobs=FIRST, also=DRAWN),
        View("week", week, knobs=FIRST, also=DRAWN),
        Film("film", film, knobs=FIRST, also=DRAWN, name="week"),
        View("four", tables.four, part=2, knobs=(*queue.POLICY, "training_gpus", "seed"), also=(*FIRST[4:], "quotas")),
        View("waits", tables.shares, part=3, knobs=WEIGHTS, also=("training_gpus", "seed"), verdict="shares_verdict"),
        View("quotas", tables.quotas, part=4, knobs=QUOTAS, also=(*DRAWN, "checkpoint_interval"), after="reflection"),
        View("score", tables.score, part=5, knobs=(*tables.WEIGHTS, *queue.POLICY)),
        View(
            "decision",
            tables.decision,
            part=6,
            knobs=STOPS,
            also=(*FIRST[4:], "training_gpus", "seed"),
            verdict="decision_verdict",
        ),
        View("outage", outage, part=7, knobs=("order", "backfill"), verdict="outage_verdict"),
    ],
    presets=PRESETS,
    results={
        "Interactive in 5 min": "in_time:share",
        "Mean interactive wait": "interactive_wait:time",
        "Mean training wait": "training_wait:time",
        "GPU-hours lost": "lost:share",
        "Offered load": "load:share",
    },
    challenge=queue.judge,
    coarse=runs.coarse,
    drafted=Drafted("v2_08", drafted),
    places={"counter": elsewhere.counter, "presses": elsewhere.presses},
)
