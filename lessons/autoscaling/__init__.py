"""Autoscaling: whether a rule that adds and removes replicas comes to rest, keeps its promise, and at what price."""

from lessons.autoscaling import challenge, charts, film, settings, values, verdict
from ui.base.lesson import Challenge, Lesson, Preset

STEP = {"controller": "hpa", "load": "step", "base": 2, "peak": 4, "start": 2}
BURST = {"load": "burst", "base": 2, "peak": 8, "start": 4}
FORECAST = {"controller": "predictive", "target": 0.7, "horizon": 30, "error": 0}
COUNTED = values.OVERLOAD | {"controller": "concurrency", "beside": "hpa"}
NAIVE = values.SURPRISE | {"forecast": "seasonal_naive"}
QUOTA = BURST | {"controller": "concurrency", "peak": 18, "ceiling": 40, "growth": "double", "beside": "none"}
PRESETS = {
    "flapping": Preset("Flapping", view="fleet"),
    "gap": Preset("A gap wide enough for tonight", {"lower": 0.44}, view="fleet"),
    "overshoot": Preset("Cold start overshoot", STEP | {"multiply": "requested"}, view="fleet"),
    "ready": Preset("Cold start, ready ones multiplied", STEP, view="fleet"),
    "day": Preset("The load of a day", {"controller": "hpa", "load": "day"}, view="fleet"),
    "burst": Preset("Burst", BURST | {"controller": "hpa"}, view="fleet"),
    "forecast": Preset("Forecast shorter than the cold start", BURST | FORECAST, view="fleet"),
    "counted": Preset("Overload: requests counted beside HPA", COUNTED, view="fleet"),
    "usual": Preset("As yesterday, on a usual day", NAIVE | {"load": "day"}, view="fleet"),
    "surprise": Preset("As yesterday, on a day that comes early", NAIVE, view="fleet"),
    "growth": Preset("A burst, and a doubling in 5 min", QUOTA, view="fleet"),
    "reserve": Preset("Reserve a part of a day", {"load": "day", "base": 2, "reserved": 7}, view="reserve"),
}

LESSON = Lesson.of(
    "autoscaling",
    settings=settings.Fleet,
    presets=PRESETS,
    values=values.live_values,
    results=values.results,
    metrics=verdict.metrics,
    verdict=verdict.verdict,
    remedies=verdict.remedies,
    views=charts.VIEWS,
    film=film.showing,
    challenge=Challenge(challenge.task, challenge.judge),
)
