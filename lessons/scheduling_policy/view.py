"""Scheduling policy: what the page and the report ask of this lesson, from the modules that hold it.

`…_scenario` knobs and presets; `…_effort` how much is simulated; `…_runs` replications and what is kept of them;
`…_words` numbers in words; `…_values` the numbers of the lesson's texts; `…_charts` and `…_week` the charts; `…_show`
what is drawn with progress; `…_challenge` the judgement; `…_trace` a recorded workload.
"""

from lessons.scheduling_policy.charts import queue_frame, queue_spec, waits_frame, waits_spec, week_frame, week_spec
from lessons.scheduling_policy.runs import board
from lessons.scheduling_policy.settings import BACKFILLS, KNOBS, ORDERS, PRESETS, Scenario, defaults, settings
from lessons.scheduling_policy.show import reveal, scoreboard, simulated, week
from lessons.scheduling_policy.values import live_values
from lessons.scheduling_policy.words import (
    idle_notes,
    load_words,
    message_words,
    metrics_words,
    queue_alt,
    results,
    verdict,
    waits_alt,
    week_alt,
)

VIEWS = {"waits": "Who starts when", "week": "A week, GPU by GPU", "queue": "Queue over time"}

__all__ = [
    "BACKFILLS",
    "KNOBS",
    "ORDERS",
    "PRESETS",
    "VIEWS",
    "Scenario",
    "board",
    "defaults",
    "idle_notes",
    "live_values",
    "load_words",
    "message_words",
    "metrics_words",
    "queue_alt",
    "queue_frame",
    "queue_spec",
    "results",
    "reveal",
    "scoreboard",
    "settings",
    "simulated",
    "verdict",
    "waits_alt",
    "waits_frame",
    "waits_spec",
    "week",
    "week_alt",
    "week_frame",
    "week_spec",
]
