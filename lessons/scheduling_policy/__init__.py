"""Scheduling policy: who waits under which policy, by simulating a fleet shared by three
classes.
"""

from lessons.scheduling_policy import elsewhere, film, goals, runs, tables, week
from lessons.scheduling_policy.laboratory import outage, parts
from lessons.scheduling_policy.settings import DAY, DRAFT, EASY, HOUR, drafted, say
from ui.base.lesson import Curtain, Drafted, Film, Lesson, Preset, View

STOPPED = EASY | {"preemption": True}
PRESETS = {
    "fifo": Preset(),
    "strict": Preset({"order": "priority"}),
    "easy": Preset(EASY),
    "easy_fifo": Preset({"backfill": "easy"}),
    "shortest": Preset({"order": "shortest", "backfill": "easy"}),
    "slice": Preset(EASY | {"reserved": 40}),
    "preemption": Preset(STOPPED),
    "ten": Preset(EASY | {"training_rate": 10 / DAY}, "queue"),
    "draft": Preset(DRAFT, "queue"),
    "fair_share": Preset({"order": "fair_share", "backfill": "easy"}, "waits"),
    "rare_checkpoints": Preset(STOPPED | {"checkpoint_interval": 4 * HOUR}, "decision"),
    "pays": Preset(STOPPED | {"rule": "pays"}, "decision"),
}
FIRST = (*goals.POLICY, "interactive_rate", "training_rate")
#: What else makes the jobs of a run, and moves it.
DRAWN = ("training_gpus", "quotas", "seed")
WEIGHTS = ("weight_interactive", "weight_search", "weight_training")
QUOTAS = ("quotas", "quota_interactive", "quota_search")
STOPS = ("checkpoint_interval", "rule")

LESSON = Lesson.of(
    say,
    views=[
        View(
            "queue",
            goals,
            FIRST,
            DRAWN,
            curtain=Curtain((1, 2, 3), stays=("goals",)),
        ),
        View("week", week, FIRST, DRAWN),
    ],
    further=[
        View(
            "four",
            tables.four,
            (*goals.POLICY, "training_gpus", "seed"),
            (*FIRST[4:], "quotas"),
            opens=EASY | {"reserved": 40},
            after="reflection",
            verdict="four_verdict",
        ),
        View("decision", tables.decision, STOPS, (*FIRST[4:], "training_gpus", "seed"), STOPPED),
    ],
    laboratory=[
        Film("film", film, FIRST, DRAWN, name="week"),
        View(
            "waits",
            parts.shares,
            WEIGHTS,
            ("training_gpus", "seed"),
            {"order": "fair_share", "backfill": "easy"},
            verdict="shares_verdict",
        ),
        View(
            "quotas",
            parts.quotas,
            QUOTAS,
            (*DRAWN, "checkpoint_interval"),
            EASY,
            after="reflection",
            verdict="quotas_{quotas}",
        ),
        View("score", parts.score, (*parts.WEIGHTS, *goals.POLICY), fixed={}),
        View("outage", outage, ("order", "backfill"), fixed={}, opens=EASY),
    ],
    presets=PRESETS,
    results={
        "Interactive in 5 min": "in_time:share",
        "Mean interactive wait": "interactive_wait:time",
        "Mean training wait": "training_wait:time",
        "GPU-hours lost": "lost:share",
        "Offered load": "load:share",
    },
    challenge=goals.judge,
    coarse=runs.coarse,
    drafted=Drafted("v2_08", drafted),
    places={"counter": elsewhere.counter, "presses": elsewhere.presses},
)
