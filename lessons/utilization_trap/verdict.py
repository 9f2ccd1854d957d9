"""Utilization trap: the bottleneck, and the smallest changes that fix it."""

from lessons.utilization_trap import day
from lessons.utilization_trap.settings import Fleet, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Metric, Verdict
from ui.knobs import remedies as search


def target_words(fleet: Fleet) -> str:
    """Word the mean wait against the target."""
    if not fleet.now.stable:
        return say("target_missed_for_good", fleet)
    return say("target_met" if fleet.on_target else "target_missed", fleet)


def verdict(fleet: Fleet) -> Verdict:
    """Name the bottleneck."""
    if fleet.overloaded:
        return Verdict(say("overload", fleet, growth=f.rounded(fleet.daily_growth, 3)), False)
    if not fleet.now.stable:
        return Verdict(say("full", fleet), False)
    return Verdict(say("on_target" if fleet.on_target else "off_target", fleet), fleet.on_target)


def remedies(fleet: Fleet) -> str:
    """List the smallest change of each knob that meets the target by itself: load, purchase and job size first."""
    if fleet.on_target:
        return ""
    nearest = ("utilization", "added", "gpus_per_job")
    found = search.remedies(fleet, _meets, nearest) or search.remedies(fleet, _meets, ("fleet", "job_length", "scv"))
    return say("remedies", fleet, found=search.listed(found)) if found else say("no_remedy", fleet)


def _meets(fleet: Fleet) -> bool:
    return fleet.on_target


def metrics(fleet: Fleet) -> list[Metric]:
    """The four headline numbers: of the long run, with the chosen day's own beside one."""
    gpus, busy = fleet.fleet + fleet.added, f.significant(fleet.busy_gpus, 4)
    on_day = f"{f.significant(day.of(fleet).waiting)} on the chosen day"
    share = f"of {f.significant(gpus, 4)}: {f.share(fleet.busy / gpus)}"
    return [
        Metric("Mean wait, long run", f.duration(fleet.wait), target_words(fleet), fleet.on_target),
        Metric("Jobs waiting, long run", f.significant(fleet.in_queue), on_day),
        Metric("GPUs busy", busy, share),
        Metric("Jobs at once", f.significant(fleet.servers, 4), f"of {f.count(fleet.gpus_per_job, 'GPU')} each"),
    ]


def spread_metrics(fleet: Fleet) -> list[Metric]:
    """The numbers beside the variability of job lengths."""
    return [
        Metric("Mean wait", f.duration(fleet.wait), target_words(fleet), fleet.on_target),
        Metric("P99 wait", f.duration(fleet.p99), percentile_note(fleet)),
        Metric("Wait ÷ job length", f.significant(fleet.in_lengths), load_note(fleet)),
    ]


def load_note(fleet: Fleet) -> str:
    """The load beside a headline number; what exceeds the servers is asked for, and keeps nobody busy."""
    load = f.share(fleet.load)
    return f"at {load} busy" if fleet.now.stable else f"offered load: {load}"


def percentile_note(fleet: Fleet) -> str:
    """What the P99 is, and by which approximation where it is one."""
    if not fleet.now.stable:
        return "no steady state"
    if fleet.now.percentile_method != fleet.method:
        return fleet.now.percentile_method
    return "99 of 100 jobs wait less" if fleet.p99 else "99 of 100 jobs do not wait"


def derived_words(fleet: Fleet) -> str:
    """What follows from the knobs and is no knob itself."""
    text, (low, high) = say("derived", fleet), fleet.alike
    if fleet.left_over:
        text += f"; {say('left_over', fleet)}"
    if low < high:
        text += f". {say('alike', fleet, low=f.significant(low), high=f.count(high, 'GPU'))}"
    if (fleet.fleet, fleet.gpus_per_job) != (int(k.TRAP_FLEET), int(k.TRAP_GPUS_PER_JOB)):
        text += f". {say('arrivals_scale', fleet)}"
    return f"{text}. {say('formula', fleet)}"
