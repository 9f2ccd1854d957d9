"""Autoscaling: whether adding and removing replicas settles, and how other policies follow a
changing load.
"""

from lessons.autoscaling import flapping, following, utilization
from lessons.autoscaling.laboratory import backoff, batch, film, forecast, reserve, several
from lessons.autoscaling.settings import say
from ui.base.lesson import Curtain, Film, Lesson, Preset, View

PRESETS = {
    "flapping": Preset(),
    "patient": Preset({"cool_down_down": 900}, "utilization"),
    "four": Preset({"start": 4}, "utilization"),
    "ready": Preset(view="fleet"),
    "overshoot": Preset({"multiply": "requested"}, "fleet"),
    "day": Preset({"load": "day"}, "fleet"),
    "forecast": Preset({"horizon": 30}, "forecast"),
    "usual": Preset({"load": "day", "forecast": "seasonal_naive"}, "forecast"),
    "surprise": Preset({"load": "surprise", "forecast": "seasonal_naive"}, "forecast"),
    "reserve": Preset({"reserved": 7}, "reserve"),
}
#: A day unlike the one before.
SURPRISE = {"load": "surprise", "forecast": "seasonal_naive"}
THRESHOLDS = ("lower", "upper", "base")
TIMES = ("cool_down_down", "cold_start", "start")
WORLD = ("load", "target", "peak", "cold_start")
BACKOFF = ("step_factor", "wait_factor", "upper", "peak", "cold_start")

LESSON = Lesson.of(
    say,
    views=[
        View("utilization", utilization, (*THRESHOLDS, *TIMES), curtain=Curtain((1, 2))),
        View("flapping", flapping, THRESHOLDS, TIMES),
    ],
    further=[
        View("fleet", following, (*WORLD, "multiply", "base"), words="hpa_words"),
    ],
    laboratory=[
        Film("film", film, (*THRESHOLDS, *TIMES), name="run"),
        View("several", several, ("memory", *THRESHOLDS, "cool_down_down", "cold_start")),
        View("backoff", backoff, BACKOFF, ("base", "cool_down_down")),
        View("forecast", forecast, ("forecast", "horizon", *WORLD), ("base",), opens=SURPRISE),
        View("batch", batch, ("batch", "context")),
        View(
            "reserve", reserve, ("reserved", "price_ratio", "peak", "base"), opens={"reserved": 7}
        ),
    ],
    presets=PRESETS,
    results={
        "Changes in 30 min": "changes:number",
        "Replicas at most": "sizes.most:number",
        "Time spent starting": "starting:time",
    },
    challenge=utilization.judge,
    start=Preset(view="flapping"),
)
