"""Spot training: how often to write a checkpoint on machines that are taken away, and what the run costs."""

from lessons.spot_training import challenge, film, settings, values, verdict
from physics import constants as k
from ui.base.lesson import Challenge, Lesson, Preset

PRESETS = {
    "message": Preset("The message's run"),
    "forty_minutes": Preset("A checkpoint every 40 minutes", {"interval": 40 * k.MINUTE}),
    "three_minutes": Preset("A checkpoint every 3 minutes", {"interval": 3 * k.MINUTE}),
    "sixteen_hours": Preset("A checkpoint every 16 hours", {"interval": 16 * k.HOUR}),
    "gang_16": Preset("A gang of 16 nodes", {"nodes": 16}),
    "gang_64": Preset("A gang of 64 nodes", {"nodes": 64, "interval": 3 * k.MINUTE}),
    "waiting": Preset(
        "A gang of 4 that waits for nodes",
        {"nodes": 4, "mtbf": 12 * k.HOUR, "interval": 40 * k.MINUTE, "delay": 30 * k.MINUTE},
    ),
    "deadline": Preset("A tight deadline", {"interval": 5 * k.HOUR, "deadline": 130 * k.HOUR}, view="finish"),
    "notice": Preset(
        "2-minute dumps and a notice", {"dump": 2 * k.MINUTE, "notice": True, "interval": 4 * k.HOUR}, view="money"
    ),
    "swing": Preset("A price that swings, without a band", {"band": 0.0}, view="elastic"),
    "daly": Preset(
        "Daly's 24-hour example",
        {
            "work": 500 * k.HOUR,
            "mtbf": 24 * k.HOUR,
            "dump": 5 * k.MINUTE,
            "restart": 10 * k.MINUTE,
            "interval": 2 * k.HOUR,
            "deadline": 560 * k.HOUR,
        },
    ),
}

LESSON = Lesson.of(
    "spot_training",
    settings=settings.Plan,
    presets=PRESETS,
    values=values.live_values,
    results=values.results,
    metrics=values.metrics,
    verdict=verdict.verdict,
    remedies=verdict.remedies,
    views={
        "runs": "Eight runs",
        "cost": "Cost",
        "money": "Where the money goes",
        "finish": "Finish time",
        "film": "Animation",
        "workers": "Part 2: how many workers",
        "elastic": "Part 2: grow and shrink",
        "mix": "Part 3: a mixed fleet",
    },
    film=film.showing,
    challenge=Challenge(challenge.task, challenge.judge),
)
