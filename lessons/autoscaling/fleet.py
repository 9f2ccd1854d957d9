"""Autoscaling: Kubernetes' rule under overload, beside one that counts requests."""

from lessons.autoscaling import following
from lessons.autoscaling.settings import Fleet, say
from ui.base.lesson import Figure, Verdict
from ui.charts import Look


def figure(fleet: Fleet, look: Look) -> Figure:
    """Ready replicas of both rules, and the load."""
    counting = {"two": ("counting", fleet.counted_run["ready"].to_numpy(dtype=float))}
    return following.figure(look, fleet, "fleet", "Ready replicas of two rules", fleet.hpa_run, "HPA", counting)


def verdict(fleet: Fleet) -> Verdict:
    """Say what each rule asks for."""
    if fleet.load != "step":
        return Verdict(say("hpa_day", fleet))
    overshoots = fleet.multiply == "requested" and fleet.hpa.most_requested > fleet.counted.most_requested
    return Verdict(say("hpa_overshoots" if overshoots else "hpa_climbs", fleet), False)
