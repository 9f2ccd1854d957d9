"""Sentences with doubts about a log, and with remarks for the readers of its report."""

import math
from typing import Any

from physics.cluster.happened import Happened
from physics.cluster.machine.size import WIDER
from physics.cluster.say import alike, say, written

#: Share of the jobs, or of their waiting time, above which the cluster does not cause the waits.
TENTH = 0.1
#: Share of the time with more GPUs in use than there are, above which rounding does not explain it.
ROUNDING = 0.01
#: Names of notes, and the notes of a log without any: see `physics.jobs.selection.notes`.
NAMES = ("off_by_an_hour", "before_eligible", "cut", "gave_up", "throttled", "suspended", "het")
NOTHING: dict[str, dict[str, Any]] = {
    name: {"jobs": 0, "time": 0.0, "of": 0.0, "apart": 0, "early": 0, "days": ()} for name in NAMES
}


def doubts(happened: Happened) -> list[str]:
    """Sentences on why a log may be wrong; none for most logs."""
    notes = NOTHING | happened.notes
    eligible = notes["before_eligible"]
    cut = notes["cut"]
    runaway = happened.size and happened.size.runaway
    gave_up = notes["gave_up"]["jobs"]
    throttled = notes["throttled"]["jobs"]
    wider = happened.left_out.get(WIDER, 0)
    shards = happened.left_out.get("shards", 0)
    tenth = TENTH * happened.jobs
    conditions = {
        "runaway": runaway and math.isnan(runaway.times_its_limit),
        "runaway_limit": runaway and runaway.times_its_limit > 1,
        "off_by_an_hour": notes["off_by_an_hour"]["jobs"],
        "many_wider": wider > ROUNDING * happened.jobs and wider,
        "much_over": happened.over > ROUNDING * happened.span and not runaway,
        "before_eligible": eligible["time"] > TENTH * eligible["of"],
        "cut_doubt": cut["time"] > TENTH * cut["of"],
        "gave_up_doubt": gave_up > tenth and gave_up,
        "throttled_doubt": throttled > tenth and throttled,
        "shards_doubt": shards > tenth and shards,
    }
    sentences = written(
        conditions,
        happened=happened,
        job=runaway,
        notes=notes,
        days=" and ".join(notes["off_by_an_hour"]["days"]),
        mean=eligible["time"] / max(happened.recorded, 1),
        early_share=_share(eligible),
        cut_share=_share(cut),
        with_gave_up=happened.jobs + gave_up,
        with_shards=happened.jobs + shards,
    )
    return [say("doubt", doubt=sentence) for sentence in sentences]


def _share(note: dict[str, Any]) -> float:
    """Share of all waiting time that a note is about [1]."""
    return note["time"] / (note["of"] or 1.0)


def remarks(happened: Happened) -> list[str]:
    """Sentences with caveats for readers of a log's numbers."""
    notes = NOTHING | happened.notes
    gave_up = notes["gave_up"]
    runaway = happened.size and happened.size.runaway
    mean, least = alike(gave_up["time"] / max(gave_up["jobs"], 1), happened.mean_at_least)
    shards = happened.left_out.get("shards", 0) or notes.get("shards", 0)
    conditions = {
        "runaway": runaway and runaway.times_its_limit <= 1,
        "no_submissions": happened.recorded and not happened.knows_waits,
        "suspended": notes["suspended"]["jobs"],
        "eligible": notes["before_eligible"]["jobs"],
        "gave_up": gave_up["jobs"],
        "throttled": notes["throttled"]["jobs"],
        "cut": notes["cut"]["jobs"],
        "het": notes["het"]["jobs"],
        "het_apart": notes["het"]["apart"],
        "sliced": notes.get("sliced"),
        "sharded": notes.get("sharded"),
        "shards_left_out": happened.unit == "GPU" and shards,
        "shards_cpus": happened.unit != "GPU" and shards,
    }
    return written(
        conditions,
        happened=happened,
        job=runaway,
        notes=notes,
        share=_share(notes["before_eligible"]),
        mean=mean,
        least=least,
    )
