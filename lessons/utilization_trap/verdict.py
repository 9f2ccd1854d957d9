"""Utilization trap: the headline numbers, the bottleneck, the changes that fix it, and the challenge's judge."""

from collections.abc import Mapping
from operator import attrgetter

from lessons.utilization_trap import day
from lessons.utilization_trap.settings import TIE, Fleet, say
from physics.queueing.errors import measured_around
from ui.base import format as f
from ui.base.lesson import Metric, Verdict
from ui.knobs import remedies as search
from ui.knobs.declared import moved

#: Knobs that are tried first, and those that are tried where none of them helps.
NEAREST, FARTHER = ("utilization", "added", "gpus_per_job"), ("fleet", "job_length", "scv")
#: GPUs of the largest job for which a position of the sliders meets both goals of the challenge; a test tries all.
LARGEST = 73


def verdict(fleet: Fleet) -> Verdict:
    """Name the bottleneck."""
    if fleet.now.stable:
        return Verdict(say("on_target" if fleet.on_target else "off_target", fleet), fleet.on_target)
    return Verdict(say("overload" if fleet.load > 1 + TIE else "full", fleet), False)


def remedies(fleet: Fleet) -> str:
    """List the smallest change of each knob that meets the target by itself: load, purchase and job size first."""
    if fleet.on_target:
        return ""
    meets = attrgetter("on_target")
    found = search.remedies(fleet, meets, NEAREST) or search.remedies(fleet, meets, FARTHER)
    return say("remedies", fleet, found=search.listed(found)) if found else say("no_remedy", fleet)


def _wait(fleet: Fleet) -> Metric:
    against = say("target_met" if fleet.on_target else "target_missed", fleet)
    return Metric("Mean wait, long run", f.duration(fleet.wait), against, fleet.on_target)


def metrics(fleet: Fleet) -> list[Metric]:
    """The four headline numbers: of the long run, with the chosen day's own beside one."""
    gpus, busy = fleet.fleet + fleet.added, f.significant(fleet.busy_gpus, 4)
    on_day = f"{f.significant(day.of(fleet).waiting)} on the chosen day"
    share = f"of {f.significant(gpus, 4)}: {f.share(fleet.busy / gpus)}"
    return [
        _wait(fleet),
        Metric("Jobs waiting, long run", f.significant(fleet.now.mean_in_queue), on_day),
        Metric("GPUs busy", busy, share),
        Metric("Jobs at once", f.significant(fleet.servers, 4), f"of {f.count(fleet.gpus_per_job, 'GPU')} each"),
    ]


def spread_metrics(fleet: Fleet) -> list[Metric]:
    """The numbers beside the variability of job lengths."""
    return [
        _wait(fleet),
        Metric("P99 wait", f.duration(fleet.p99), fleet.now.percentile_method),
        Metric("Wait ÷ job length", f.significant(fleet.in_lengths), f"jobs ask for {f.share(fleet.load)}"),
    ]


def judge(fleet: Fleet) -> Verdict:
    """Say how far a fleet has come in the challenge."""
    if labels := moved(fleet, ("gpus_per_job", "utilization")):
        return Verdict(say("reset_first", fleet, labels=", ".join(labels)))
    if fleet.busy < fleet.goal - TIE:
        return Verdict(say("too_few_busy", fleet), False)
    if not fleet.on_target:
        return Verdict(say("too_long", fleet), False)
    won = fleet.gpus_per_job == LARGEST
    return Verdict(say("won" if won else "larger_jobs_can", fleet), won or None)


def errors(fleet: Fleet) -> Mapping[str, str]:
    """Return what simulations have found of the derivation's mean wait and of its P99."""
    said = {}
    for which, exact in {"mean": fleet.now.exact, "p99": fleet.scv == 1}.items():
        found = None if exact else measured_around(fleet.servers, fleet.load, fleet.scv, which)
        ends = {"low": found.low, "high": found.high} if found else {}
        off = {end: f"{f.share(abs(one), 2)} too {'high' if one > 0 else 'low'}" for end, one in ends.items()}
        said[f"{which}_error"] = say("exact" if exact else "measured" if found else "not_measured", fleet, **off)
    return said
