"""Eight times the GPUs: failures multiply with the GPUs, so the number of useful GPUs has a
maximum.
"""

from lessons.failures_at_scale import curve, safe, spares
from lessons.failures_at_scale.elsewhere import choir, crew
from lessons.failures_at_scale.laboratory import published
from lessons.failures_at_scale.settings import START, say
from physics import constants as k
from ui.base.lesson import Curtain, Lesson, Preset, View

GROWN = {"gpus": int(k.SCALE_GROWN)}
PRESETS = {
    "message": Preset(),
    "next_year": Preset(GROWN),
    "often": Preset(GROWN | {"interval": 10 * k.MINUTE}),
    "quick": Preset(GROWN | {"interval": 5 * k.MINUTE, "recovery": 2 * k.MINUTE}),
    "reliable": Preset(GROWN | {"node_mtbf": 528 * k.DAY}),
}
RUN = ("gpus", "interval", "recovery", "node_mtbf", "stall")

LESSON = Lesson.of(
    say,
    views=[
        View(
            "curve",
            curve,
            RUN,
            ("write",),
            curtain=Curtain((2,), stays=("ideal", "today", "all GPUs useful")),
        )
    ],
    further=[
        View("spares", spares, ("spares", "repair"), fixed={}, opens={"spares": 5}),
        View(
            "safe",
            safe,
            ("gpus", "interval", "recovery", "write"),
            ("node_mtbf", "stall"),
            opens=GROWN | {"interval": 10 * k.MINUTE, "write": 10 * k.MINUTE},
            after="reflection",
        ),
    ],
    laboratory=[
        View(
            "published",
            published,
            RUN,
            ("write",),
            opens={"recovery": 5 * k.MINUTE, "node_mtbf": 154 * k.DAY},
        )
    ],
    presets=PRESETS,
    results={
        "Useful GPUs": "useful:number4",
        "Compared with today": "gain:times3",
        "Useful share": "share:share",
    },
    challenge=curve.judge,
    start=Preset(START),
    places={"choir": choir, "crew": crew},
)
