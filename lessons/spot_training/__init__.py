"""Spot training: how often to write a checkpoint on nodes that may be interrupted, and the run's
cost.
"""

from lessons.spot_training import cost, film, notice
from lessons.spot_training.laboratory import elastic, mix, workers
from lessons.spot_training.settings import say
from physics import constants as k
from ui.base.lesson import Curtain, Film, Lesson, Preset, View

PRESETS = {
    "message": Preset(),
    "three_minutes": Preset({"interval": 3 * k.MINUTE}),
    "sixteen_hours": Preset({"interval": 16 * k.HOUR}),
    "forty_minutes": Preset({"interval": 40 * k.MINUTE}),
    "gang_64": Preset({"nodes": 64, "interval": 3 * k.MINUTE}),
    "swing": Preset({"band": 0.0}, "elastic"),
    "blocks": Preset({"block": 4}, "mix"),
}
#: What the first part lets one turn.
RUN = ("interval", "nodes", "mtbf", "dump")
LOSSES = ("restart", "warning")
CREW = ("workers", "serial", "train_deadline", "budget")

LESSON = Lesson.of(
    say,
    views=[
        View(
            "runs",
            cost,
            RUN,
            LOSSES,
            words="cost_words",
            curtain=Curtain((1, 2, 4), stays=("on demand",)),
        ),
        Film("film", film, RUN, LOSSES, name="run"),
    ],
    further=[
        View("valley", cost, RUN, LOSSES, opens={"interval": 20 * k.MINUTE}),
        View(
            "faster",
            notice,
            (*RUN, *LOSSES),
            opens={"interval": 40 * k.MINUTE, "warning": 2 * k.MINUTE},
            after="reflection",
        ),
    ],
    laboratory=[
        View("workers", workers, CREW),
        View("elastic", elastic, ("restart", "serial", "worth", "band")),
        View("mix", mix, ("needed", "base", "target", "block")),
    ],
    presets=PRESETS,
    results={"Expected cost": "cost:money4", "Expected time": "where.runtime:hours"},
    challenge=cost.judge,
)
