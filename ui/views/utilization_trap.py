"""Utilization trap: a fleet as a queue, its numbers in words, and its charts."""

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import altair as alt
import numpy as np
import pandas as pd

from physics import constants as k
from physics.queueing import SteadyState, highest_utilization, mgc, mmc
from ui import format as f
from ui.charts import NARROW, Look, only, shortened, specification
from ui.compare import Result

PRESETS = {
    "The director's cluster": {},
    "One job takes the whole fleet (M/M/1)": {"gpus_per_job": 1024},
    "8-GPU jobs": {"gpus_per_job": 8},
    "The director buys 256 GPUs": {"added": k.TRAP_REQUESTED},
    "All jobs alike (SCV 0)": {"scv": 0},
    "Wild job lengths (SCV 10)": {"scv": 10},
}
#: What the knobs vary, by quantity: default and range of each.
KNOBS = {
    "fleet": k.TRAP_FLEET,
    "gpus_per_job": k.TRAP_GPUS_PER_JOB,
    "utilization": k.TRAP_UTILIZATION,
    "added": k.TRAP_ADDED,
    "job_length": k.TRAP_JOB_LENGTH,
    "target": k.TRAP_TARGET,
    "scv": k.TRAP_SCV,
}
#: GPUs are bought by the node of 8.
ADDED_STEP = 8
#: What was simulated is drawn this many px to the right of the curve's own point.
AWAY = 16


@dataclass(frozen=True)
class Fleet:
    """A fleet whose GPUs are handed out in blocks of one job's size; all SI."""

    gpus: int = int(k.TRAP_FLEET)
    gpus_per_job: int = int(k.TRAP_GPUS_PER_JOB)
    utilization: float = float(k.TRAP_UTILIZATION)  #: ρ before any purchase
    added: int = int(k.TRAP_ADDED)
    job_length: float = float(k.TRAP_JOB_LENGTH)
    scv: float = float(k.TRAP_SCV)
    target: float = float(k.TRAP_TARGET)

    @property
    def servers_before(self) -> int:
        """Jobs that fit at once before the purchase."""
        return self.gpus // self.gpus_per_job

    @property
    def servers(self) -> int:
        """Jobs that fit at once."""
        return (self.gpus + self.added) // self.gpus_per_job

    @property
    def left_over(self) -> int:
        """GPUs too few for another job: always idle."""
        return (self.gpus + self.added) % self.gpus_per_job

    @property
    def arrival_rate(self) -> float:
        """λ [1/s], fixed by the utilization before the purchase."""
        return self.utilization * self.servers_before / self.job_length

    @cached_property
    def before(self) -> SteadyState:
        """The queue before the purchase."""
        return self._state(self.servers_before)

    @cached_property
    def now(self) -> SteadyState:
        """The queue with what was bought."""
        return self._state(self.servers)

    @property
    def backlog_growth(self) -> float:
        """GPU-seconds of work that arrive a second beyond what the servers can do; 0 when there is room."""
        excess = self.arrival_rate * self.job_length - self.servers
        return max(0.0, excess) * self.gpus_per_job

    @property
    def knee(self) -> float:
        """Largest utilization of the present servers that keeps the mean wait at the target."""
        return knee_of(self.target / self.job_length, self.servers, self.scv)

    @property
    def on_target(self) -> bool:
        """Whether the mean wait meets the target."""
        return self.now.mean_wait <= self.target

    def _state(self, servers: int) -> SteadyState:
        return mgc(self.arrival_rate, self.job_length, servers, self.scv)


def defaults() -> Fleet:
    """Return the settings that the page opens with: the director's cluster."""
    return Fleet()


def settings(quantities: Mapping[str, float]) -> Fleet:
    """Read the knobs, SI by quantity."""
    return Fleet(
        gpus=int(quantities["fleet"]),
        gpus_per_job=int(quantities["gpus_per_job"]),
        utilization=quantities["utilization"],
        added=int(quantities["added"]),
        job_length=quantities["job_length"],
        scv=quantities["scv"],
        target=quantities["target"],
    )


def results(fleet: Fleet) -> list[Result]:
    """The headline numbers, to be pinned, kept and handed in."""
    now = fleet.now
    return [
        Result("Mean wait", now.mean_wait, f.duration(now.mean_wait)),
        Result("Jobs waiting", now.mean_in_queue, f.significant(now.mean_in_queue)),
        Result("Utilization", now.utilization, f.share(now.utilization)),
    ]


@lru_cache(maxsize=4096)
def knee_of(target: float, servers: int, scv: float) -> float:
    """Largest utilization for a target in job lengths."""
    return highest_utilization(target, 1.0, servers, scv)


@lru_cache(maxsize=512)
def _curve(servers: int, scv: float) -> tuple[list[float], list[float]]:
    """Mean wait in job lengths over utilization, dense where it rises."""
    utilization = (1 - np.geomspace(1.0, 1e-3, 60)[1:]).tolist()
    return utilization, [mgc(rho * servers, 1.0, servers, scv).mean_wait for rho in utilization]


def wait_frame(fleet: Fleet, more: Sequence[tuple[str, float, float, str]] = ()) -> pd.DataFrame:
    """Rows of the wait-against-utilization chart: utilization (fraction) and mean wait (hours), by kind.

    `more` rows, such as a simulation's, are drawn with them; the chart is made high enough.
    """
    waits = [w for w in (fleet.now.mean_wait, fleet.before.mean_wait) if math.isfinite(w)]
    waits += [wait * k.HOUR / 1.1 for _, _, wait, _ in more]
    top = max(2.2 * fleet.target, 1.25 * max(waits, default=0.0), 0.5 * fleet.job_length)
    rows = list(more)
    # The curve is named where “you are here” does not stand.
    here = fleet.now.mean_wait / top
    label_height = {"one": 0.94, "small": 0.2, "curve": 0.6 if abs(here - 0.6) > 0.12 else 0.4}
    curves = {
        "one": (1, "one server"),
        "small": (max(1, (fleet.gpus + fleet.added) // 8), "8-GPU jobs"),
        "curve": (fleet.servers, f.count(fleet.servers, "server")),
    }
    for kind, (servers, label) in curves.items():
        if kind != "curve" and servers == fleet.servers:
            continue
        utilization, waits_in_lengths = _curve(servers, fleet.scv)
        inside = bisect_right(waits_in_lengths, top / fleet.job_length)
        hours = fleet.job_length / k.HOUR
        points = zip(utilization[:inside], waits_in_lengths[:inside], strict=True)
        rows += [(kind, x, y * hours, label) for x, y in points]
        rows.append((kind, knee_of(top / fleet.job_length, servers, fleet.scv), top / k.HOUR, label))
        at = label_height[kind]
        x = knee_of(at * top / fleet.job_length, servers, fleet.scv)
        # Small jobs are the line furthest to the right, unless this fleet's jobs are smaller still.
        side = " right" if kind == "small" and servers > fleet.servers else ""
        rows.append((f"{kind} label{side}", x, at * top / k.HOUR, label))
    rows.append(("target", 0.0, fleet.target / k.HOUR, ""))
    words = f"target {f.duration(fleet.target)}: met up to {f.share(fleet.knee)}"
    rows.append(("knee", fleet.knee, fleet.target / k.HOUR, ""))
    rows.append(("knee left" if fleet.knee > 0.4 else "knee right", fleet.knee, fleet.target / k.HOUR, words))
    if fleet.added and fleet.before.stable:
        rows.append(("before", fleet.before.utilization, fleet.before.mean_wait / k.HOUR, "before the purchase"))
    if fleet.now.stable:
        rows.append(("here", fleet.now.utilization, fleet.now.mean_wait / k.HOUR, "you are here"))
    else:
        rows.append(("overload", min(fleet.now.utilization, 1.2), top / k.HOUR / 2, "you are here: no steady state"))
    rows.append(("beyond", 1.0, top / k.HOUR, "overload"))
    return pd.DataFrame(rows, columns=["kind", "utilization", "wait", "label"])


@lru_cache(maxsize=8)
def wait_spec(look: Look) -> dict:
    """Mean wait against utilization: this fleet, two others faintly, target, knee and “you are here”."""
    ticks = [0, 0.2, 0.4, 0.6, 0.8, 1]
    x = alt.X(
        "utilization:Q",
        title="utilization ρ (busy share of the servers)",
        scale=alt.Scale(domain=[0, 1.2], nice=False),
        axis=alt.Axis(format=".0%", values=alt.ExprRef(f"{NARROW} ? {ticks} : {[*ticks, 0.9, 1.1, 1.2]}")),
    )
    y = alt.Y("wait:Q", title="mean wait (hours)", scale=alt.Scale(zero=True, nice=False))
    base = alt.Chart().encode(x=x, y=y)

    def label(kind: str, color: str, **options: object) -> alt.Chart:
        text = base.transform_filter(only(kind)).mark_text(color=color, fontSize=look.text_size, **options)
        return text.encode(text=shortened("replace(split(datum.label, ':')[0], 'GPU jobs', 'GPU')"))

    def line(kind: str, color: str, width: float, **options: object) -> alt.Chart:
        mark = base.transform_filter(only(kind)).mark_line(color=color, strokeWidth=width, clip=True, **options)
        return mark.encode(
            order="utilization:Q",
            tooltip=[
                alt.Tooltip("utilization:Q", format=".1%"),
                alt.Tooltip("wait:Q", format=".3~g", title="wait (h)"),
            ],
        )

    def mark(kind: str, **options: object) -> alt.Chart:
        chart = base.transform_filter(only(kind)).copy()
        chart.mark = alt.MarkDef(color=look.ink, xOffset=AWAY, opacity=1, **options)
        return chart

    def point(kind: str, size: float, color: str, stroke: str, width: float, **options: object) -> alt.Chart:
        looks = {"size": size, "color": color, "stroke": stroke, "strokeWidth": width, "opacity": 1} | options
        return base.transform_filter(only(kind)).mark_point(filled=True, **looks)

    layers = [
        base.transform_filter(only("beyond"))
        .mark_rect(color=look.bad, opacity=0.1)
        .encode(x2=alt.datum(1.2), y2=alt.datum(0)),
        base.transform_filter(only("beyond"))
        .mark_text(color=look.bad, align="left", baseline="bottom", dx=4, dy=-8, fontSize=look.text_size)
        .encode(text="label:N", y=alt.value("height")),
        base.transform_filter(only("target"))
        .mark_rule(color=look.good, strokeWidth=1.5, strokeDash=[8, 4])
        .encode(x=alt.datum(0), x2=alt.datum(1)),
        line("one", look.quiet, 1.5, strokeDash=[6, 3]),
        line("small", look.quiet, 1.5, strokeDash=[2, 2]),
        line("curve", look.accent, look.stroke),
        base.transform_filter(only("overload"))
        .mark_rule(color=look.bad, strokeWidth=3)
        .encode(x="utilization:Q", y=alt.value(0), y2=alt.value("height")),
        line("interval", look.ink, 2, xOffset=AWAY),
        mark("interval", type="tick", orient="horizontal", size=14, thickness=2),
        point("knee", 90, look.good, look.good, 0, shape="diamond"),
        point("before", 110, look.paper, look.accent, 2),
        point("here", 130, look.accent, look.paper, 1.5),
        point("simulated", 70, look.ink, look.paper, 1, shape="square", xOffset=AWAY),
        label("simulated label", look.ink, align="center", baseline="bottom", dx=AWAY, dy=-6, fontWeight="bold"),
        label("one label", look.quiet, align="right", dx=-8),
        label("small label", look.quiet, align="right", dx=-8),
        label("small label right", look.quiet, align="left", dx=6),
        label("curve label", look.accent, align="right", dx=-8, fontWeight="bold"),
        label("knee left", look.good, align="right", baseline="bottom", dx=-6, dy=-4),
        label("knee right", look.good, align="left", baseline="bottom", dx=8, dy=-4),
        label("before", look.ink, align="right", dx=-12),
        label("here", look.ink, align="right", dx=-12, fontWeight="bold"),
        label("overload", look.bad, align="right", dx=-8, fontWeight="bold"),
    ]
    return specification(alt.layer(*layers), look)


def alt_text(fleet: Fleet) -> str:
    """The main chart in one sentence with its numbers."""
    if not fleet.now.stable:
        here = f"At {f.share(fleet.now.utilization)} there is no steady state"
    else:
        here = f"At {f.share(fleet.now.utilization)} busy the mean wait is {f.duration(fleet.now.mean_wait)}"
    return (
        f"Mean wait against utilization for {f.count(fleet.servers, 'server')}. {here}; the target of "
        f"{f.duration(fleet.target)} is met up to {f.share(fleet.knee)}."
    )


def target_words(fleet: Fleet) -> str:
    """Word the mean wait against the target."""
    wait = fleet.now.mean_wait
    if not fleet.now.stable:
        return f"misses {f.duration(fleet.target)} for good"
    if fleet.on_target:
        return f"meets {f.duration(fleet.target)}"
    return f"misses {f.duration(fleet.target)} by {f.duration(wait - fleet.target)}"


def cures(fleet: Fleet) -> list[str]:
    """Single-knob changes that meet the target, each the smallest its knob allows, checked by the model."""
    found = []
    scale = fleet.servers / fleet.servers_before
    lowest, highest = k.TRAP_UTILIZATION.low, k.TRAP_UTILIZATION.high
    before = math.floor(fleet.knee * scale / 0.005 + 1e-9) * 0.005
    if lowest <= before <= highest and replace(fleet, utilization=before).on_target:
        found.append(f"lower the utilization to {f.share(before, 4)}" + (" before the purchase" if fleet.added else ""))
    for blocks in range(fleet.servers + 1, (fleet.gpus + int(k.TRAP_ADDED.high)) // fleet.gpus_per_job + 1):
        added = math.ceil((blocks * fleet.gpus_per_job - fleet.gpus) / ADDED_STEP) * ADDED_STEP
        if added <= k.TRAP_ADDED.high and replace(fleet, added=added).on_target:
            found.append(f"buy {f.significant(added)} GPUs" + (" in all" if fleet.added else ""))
            break
    size = 2 ** math.ceil(math.log2(fleet.gpus_per_job)) // 2
    while size >= 1 and not replace(fleet, gpus_per_job=size).on_target:
        size //= 2
    if size >= 1:
        found.append(
            f"run jobs of {f.count(size, 'GPU')} at the same utilization"
            + (" before the purchase" if fleet.added else "")
        )
    return found


def verdict(fleet: Fleet) -> str:
    """One sentence: what binds, and the smallest changes that mend it."""
    now = fleet.now
    if now.utilization > 1:
        growth = f.significant(fleet.backlog_growth * k.DAY / k.HOUR, 5)
        start = f"Overload: the backlog grows by {growth} GPU-hours a day, and every wait with it."
    elif not now.stable:
        start = "At exactly 100 % the queue also grows without limit, only more slowly than in proportion to time."
    elif fleet.on_target:
        room = f.share(fleet.knee)
        return (
            f"{f.count(fleet.servers, 'server')} at {f.share(now.utilization)}: the mean wait is "
            f"{f.duration(now.mean_wait)} and stays within {f.duration(fleet.target)} up to {room}."
        )
    else:
        start = (
            f"{f.count(fleet.servers, 'server')} at {f.share(now.utilization)} busy: only "
            f"{f.share(1 - now.utilization)} is free to work off the queue."
        )
    found = cures(fleet)
    if not found:
        return f"{start} No single knob on this page meets {f.duration(fleet.target)}; turn two of them."
    which = "This" if len(found) == 1 else "Any one of these"
    return f"{start} {which} meets {f.duration(fleet.target)}: {'; '.join(found)}."


def derived_words(fleet: Fleet) -> str:
    """What follows from the knobs and is no knob itself."""
    text = (
        f"c = {f.count(fleet.servers, 'server')} of {f.count(fleet.gpus_per_job, 'GPU')}; arrivals λ = "
        f"{f.significant(fleet.arrival_rate * k.HOUR)} jobs an hour; ρ = λ S / c = {f.share(fleet.now.utilization)}"
    )
    if fleet.left_over:
        text += f"; {f.count(fleet.left_over, 'GPU')} left over, idle"
    if (fleet.gpus, fleet.gpus_per_job) != (int(k.TRAP_FLEET), int(k.TRAP_GPUS_PER_JOB)):
        held = f.share(fleet.utilization, 4)
        text += f". Arrivals scale with the fleet and the job size, so that ρ before buying stays at {held}"
    return f"{text}. Formula: {fleet.now.method}."


@lru_cache(maxsize=1)
def _director() -> dict[str, str]:
    """The numbers of the message's own cluster, whatever the knobs say."""
    director = Fleet()
    bought = replace(director, added=int(k.TRAP_REQUESTED))
    at = {rho: replace(director, utilization=rho).now.mean_wait for rho in (0.75, 0.80, 0.85)}
    wait = director.now.mean_wait
    return {
        "director_utilization": f.share(director.utilization),
        "director_servers": f.count(director.servers, "server"),
        "director_wait": f.duration(wait),
        "bought_utilization": f.share(bought.now.utilization),
        "bought_wait": f.duration(bought.now.mean_wait, 2),
        "bought_factor": f.times(wait / bought.now.mean_wait),
        "eighty_wait": f.duration(at[0.80]),
        "eighty_factor": f.times(wait / at[0.80]),
        "seventyfive_wait": f.duration(at[0.75]),
        "eightyfive_wait": f.duration(at[0.85]),
        "one_wait": f.duration(replace(director, gpus_per_job=director.gpus).now.mean_wait),
        "small_wait": f.duration(replace(director, gpus_per_job=8).now.mean_wait),
        "knee_four": f.share(director.knee),
        "knee_eight": f.share(replace(director, gpus_per_job=128).knee),
    }


@lru_cache(maxsize=1)
def _corrected() -> dict[str, str]:
    """The numbers of the corrections: one server and the director's cluster, whatever the knobs say."""
    director, busy, calm = Fleet(), mmc(float(k.TRAP_UTILIZATION), 1.0), mmc(0.80, 1.0)
    small = replace(director, gpus_per_job=8)
    return {
        "single_wait": f.significant(busy.mean_wait),
        "single_response": f.significant(busy.mean_response),
        "single_wait_factor": f.times(busy.mean_wait / calm.mean_wait, 3),
        "single_response_factor": f.times(busy.mean_response / calm.mean_response, 3),
        "single_p99": f.significant(busy.wait_percentile(0.99)),
        "single_p99_factor": f.times(busy.wait_percentile(0.99) / busy.mean_wait, 3),
        "ln_100": f.significant(math.log(100), 4),
        "small_servers": f.count(small.servers, "server"),
        "small_servers_bare": f.significant(small.servers),
        "small_ratio": f.significant(small.now.mean_wait / small.job_length),
        "director_ratio": f.significant(director.now.mean_wait / director.job_length, 4),
        "director_rate": f"{f.significant(director.arrival_rate * k.HOUR)} jobs an hour",
        "director_servers_bare": f.significant(director.servers),
        "bought_hours": f.significant(replace(director, added=int(k.TRAP_REQUESTED)).now.mean_wait / k.HOUR, 2),
        "knee_one": f.share(replace(director, gpus_per_job=director.gpus).knee),
        "knee_small": f.share(small.knee),
    }


def live_values(fleet: Fleet) -> Mapping[str, str]:
    """Every number that the lesson's words need, at these settings."""
    now = fleet.now
    one = mmc(now.utilization / fleet.job_length, fleet.job_length)
    exponential = mmc(fleet.arrival_rate, fleet.job_length, fleet.servers)
    return (
        _director()
        | _corrected()
        | {
            "servers_words": f.count(fleet.servers, "server"),
            "gpus_per_job": f.count(fleet.gpus_per_job, "GPU"),
            "job_length": f.duration(fleet.job_length),
            "arrivals": f"{f.significant(fleet.arrival_rate * k.HOUR)} times an hour",
            "offered_load": f.count(fleet.arrival_rate * fleet.job_length, "server"),
            "utilization": f.share(now.utilization),
            "jobs_waiting": jobs_words(fleet),
            "mm1_wait": f.duration(one.mean_wait),
            "mm1_response": f.duration(one.mean_response),
            "prob_wait": f.share(now.prob_wait),
            "mmc_wait": f.duration(exponential.mean_wait),
            "percentile_words": _percentile_words(fleet),
            "scv_words": _scv_words(fleet),
        }
    )


def jobs_words(fleet: Fleet) -> str:
    """Little's law at these settings: arrival rate times mean wait is the mean number waiting."""
    now = fleet.now
    if not now.stable:
        return "without limit"
    rate = f.significant(fleet.arrival_rate * k.HOUR)
    return f"{rate} jobs an hour × {f.duration(now.mean_wait)} = {f.significant(now.mean_in_queue)} jobs"


def percentile(fleet: Fleet) -> str:
    """The wait that 99 of 100 jobs stay below."""
    value = fleet.now.wait_percentile(0.99)
    return "not known" if value is None else f.duration(value)


def percentile_note(fleet: Fleet) -> str:
    """What the P99 is, and by which approximation where it is one."""
    if not fleet.now.stable:
        return "no steady state"
    if fleet.now.percentile_method != fleet.now.method:
        return fleet.now.percentile_method
    return "99 of 100 jobs wait less" if fleet.now.wait_percentile(0.99) else "99 of 100 jobs do not wait"


def _percentile_words(fleet: Fleet) -> str:
    if not fleet.now.stable:
        return "Without a steady state no percentile exists: later jobs wait ever longer."
    value = fleet.now.wait_percentile(0.99)
    if value is None:
        return "For job lengths that are not exponential there is no such closed form."
    kind = (
        ""
        if fleet.scv == 1
        else " Job lengths are not exponential here, so this takes the tail as exponential, an approximation."
    )
    return f"99 of 100 jobs wait at most {f.duration(value)}.{kind}"


def _scv_words(fleet: Fleet) -> str:
    if fleet.scv == 1:
        return "Your job lengths are exponential (SCV 1), so the factor is 1 and the formula is exact."
    start = f"With SCV {f.significant(fleet.scv)} the factor is {f.significant((1 + fleet.scv) / 2)}."
    if fleet.servers == 1:
        return f"{start} For one server this is the Pollaczek–Khinchine formula, and it is exact."
    return (
        f"{start} For several servers this is an approximation. Simulated at SCV 4 and 95 % busy, it is 1 to 3 % high "
        "for 4 servers. For 128 servers it depends on the tail: about 8 % high for gamma job lengths, 21 % for "
        "hyperexponential, 32 % for log-normal ones, more for heavier tails. Below SCV 1 it is a few percent low."
    )
