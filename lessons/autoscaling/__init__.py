"""Autoscaling: whether adding and removing replicas settles, and what other rules do with a load that moves."""

from lessons.autoscaling import batch, film, flapping, fleet, forecast, reserve, utilization
from lessons.autoscaling.settings import Fleet, say
from ui.base.lesson import Challenge, Film, Lesson, Preset, View

PRESETS = {
    "flapping": Preset(),
    "patient": Preset(changes={"cool_down_down": 900}, view="utilization"),
    "four": Preset(changes={"start": 4}, view="utilization"),
    "ready": Preset(view="fleet"),
    "overshoot": Preset(changes={"multiply": "requested"}, view="fleet"),
    "day": Preset(changes={"load": "day"}, view="fleet"),
    "forecast": Preset(changes={"horizon": 30}, view="forecast"),
    "usual": Preset(changes={"load": "day", "forecast": "seasonal_naive"}, view="forecast"),
    "surprise": Preset(changes={"load": "surprise", "forecast": "seasonal_naive"}, view="forecast"),
    "reserve": Preset(changes={"reserved": 7}, view="reserve"),
}
THRESHOLDS = ("lower", "upper", "base")
TIMES = ("cool_down_down", "cold_start", "start")
WORLD = ("load", "target", "peak", "cold_start")

LESSON = Lesson.of(
    "autoscaling",
    Fleet,
    say,
    views=[
        View("utilization", utilization, knobs=(*THRESHOLDS, *TIMES)),
        View("flapping", flapping, knobs=THRESHOLDS, also=TIMES, words="loads_words"),
        Film("film", film, knobs=(*THRESHOLDS, *TIMES), name="run"),
        View("fleet", fleet, part=2, knobs=(*WORLD, "multiply", "base"), words="hpa_words"),
        View("forecast", forecast, part=3, knobs=("forecast", "horizon", *WORLD), also=("base",)),
        View("batch", batch, part=4, knobs=("batch", "context")),
        View("reserve", reserve, part=5, knobs=("reserved", "price_ratio", "peak", "base")),
    ],
    presets=PRESETS,
    results={
        "Changes in 30 min": "changes:number",
        "Replicas at most": "sizes.most:number",
        "Time spent starting": "starting:time",
    },
    challenge=Challenge(lambda: say("task", Fleet()), utilization.judge, Preset(view="utilization")),
)
