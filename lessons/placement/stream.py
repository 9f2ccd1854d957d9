"""Placement: the stream of jobs, placed by a rule, and what stays free of no use."""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import altair as alt
import numpy as np
import pandas as pd
import pyarrow as pa

from lessons.placement.settings import MIXES, NODE, RULES, Training
from physics import constants as k
from physics.placement import place, unusable
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack

SEED = 20191010  #: with the number of the stream it makes the chances
NODES = int(k.PLACE_NODES)
JOBS = int(k.PLACE_JOBS)
#: Top of the chart [GPU]; what is higher is shown at the edge.
TOP = 20.0


@dataclass(frozen=True)
class Run:
    """One stream under one rule. The moments are those of the arrivals, before the new job is placed."""

    served: pd.DataFrame  #: as `physics.placement.place` returns it
    free: np.ndarray  #: free GPUs of each node at each moment, shape (jobs, nodes)
    waiting: np.ndarray  #: jobs that wait at each moment
    unusable: np.ndarray  #: free GPUs on nodes with fewer than the next job needs, on average, at each moment

    @cached_property
    def completion(self) -> float:
        """Mean time from arrival to end [s]."""
        return float((self.served["end"] - self.served["arrival"]).mean())

    @cached_property
    def wait(self) -> float:
        """Mean time from arrival to start [s]."""
        return float((self.served["start"] - self.served["arrival"]).mean())

    @property
    def chance(self) -> float:
        """Share of the moments at which a job of a whole node would have one at once."""
        return float(((self.waiting == 0) & (self.free == NODE).any(axis=1)).mean())

    @property
    def scattered(self) -> np.ndarray:
        """Which jobs run on more than one node; none takes more than a node."""
        return np.array([len(pieces) > 1 for pieces in self.served["nodes"]])


def run(training: Training, rule: str | None = None) -> Run:
    """Serve the stream of these settings, by another rule if one is named."""
    sizes = MIXES[training.mix][1]
    # On one node no job is slowed down, whatever the links: the same run serves them all.
    slow = tuple(1.0 if training.whole else training.slowdown(size) for size in sizes)
    return _run(training.mix, training.load, training.draw, rule or training.rule, training.whole, slow)


@lru_cache(maxsize=128)
def _run(mix: str, load: float, draw: int, rule: str, whole: bool, slow: tuple[float, ...]) -> Run:
    sizes = MIXES[mix][1]
    rng = np.random.default_rng([SEED, draw])
    kinds = rng.choice(len(sizes), size=JOBS, p=list(sizes.values()))
    gpus, runtime = np.array(list(sizes))[kinds], float(k.PLACE_STREAM_RUNTIME)
    rate = load * NODES * NODE / (sum(size * share for size, share in sizes.items()) * runtime)
    jobs = pd.DataFrame(
        {
            "arrival": np.cumsum(rng.exponential(1 / rate, JOBS)),
            "gpus": gpus,
            "runtime": rng.exponential(runtime, JOBS),
            "slowdown": np.array(slow)[kinds],
        }
    )
    served = place(jobs, NODES, NODE, rule, whole)
    free, waiting = _moments(served)
    useless = np.array([unusable(row, sizes) for row in free.tolist()])
    return Run(served, free, waiting, useless)


def _moments(served: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Free GPUs of each node, and jobs that wait, just before each arrival."""
    at = served["arrival"].to_numpy()
    start, end = served["start"].to_numpy(), served["end"].to_numpy()
    free = np.full((len(at), NODES), NODE)
    for begin, stop, pieces in zip(start, end, served["nodes"], strict=True):
        there = (begin < at) & (at < stop)
        for node, size in pieces:
            free[there, node] -= size
    waiting = ((at[None, :] < at[:, None]) & (start[None, :] >= at[:, None])).sum(axis=1)
    return free, waiting


def other(training: Training) -> str:
    """The rule that the chosen one is compared with."""
    return "worst" if training.rule == "best" else "best"


def metrics(training: Training) -> list[Metric]:
    """The headline numbers of the stream, and those of the rule it is compared with."""
    mine, its = run(training), run(training, other(training))
    versus = RULES[other(training)].lower()
    waits = f.duration(mine.wait), f"{versus}: {f.duration(its.wait)}"
    return [
        Metric(
            "Mean completion",
            f.duration(mine.completion),
            f"{versus}: {f.duration(its.completion)}",
            help="From a job's arrival to its end.",
        ),
        Metric("Mean wait", *waits, help="From a job's arrival to its start."),
        Metric(
            "Unusable GPUs" if training.whole else "Free in small pieces",
            _gpus(mine),
            f"{versus}: {_gpus(its)}",
            help="Free GPUs on nodes with fewer than the next job needs, on average; a job that may scatter uses them.",
        ),
        Metric(
            "8-GPU job gets a node at once",
            f.share(mine.chance),
            f"{versus}: {f.share(its.chance)}",
            help="How often a whole node is free and nobody waits when a job arrives.",
        ),
    ]


def _gpus(found: Run) -> str:
    return f.significant(float(found.unusable.mean()), 2)


def verdict(training: Training) -> Verdict:
    """Say what is free, what of it is of no use, and what scattered jobs pay."""
    mine = run(training)
    free = float(mine.free.sum(axis=1).mean())
    words = (
        f"{RULES[training.rule]}: when a job arrives, {f.count(round(free, 1), 'GPU')} of {NODES * NODE} are free on "
        f"average, and {_gpus(mine)} of these are on nodes with too few for it."
    )
    if training.whole:
        said = "A job that finds no node with room waits, and all behind it wait too."
    elif many := int(mine.scattered.sum()):
        longer = f.times(float(mine.served["slowdown"][mine.scattered].mean()), 3)
        said = f"{many} of {JOBS} jobs ran scattered, {longer} as long on average."
    else:
        said = "Every job ran on one node."
    return Verdict(" ".join([words, said, *backlog(training)]))


def backlog(training: Training) -> list[str]:
    """Say where a longer stream has no steady state: its jobs ask for more GPUs than can ever serve them."""
    sizes, gpus = MIXES[training.mix][1], NODES * NODE
    mean = sum(size * share for size, share in sizes.items())
    if not training.whole:
        asked = training.load * sum(n * share * training.slowdown(n) for n, share in sizes.items()) / mean
        if asked <= 1:
            return []
        return [
            f"If all ran scattered they would ask for {f.share(asked, 2)} of the GPUs, so in a longer stream a backlog "
            "can grow and stay."
        ]
    for size, share in sizes.items():
        asked, room = training.load * gpus * size * share / mean, NODES * (NODE // size) * size
        if asked >= room * (1 - 1e-9):
            return [
                f"Jobs of {size} GPUs ask for {f.significant(asked)} GPUs on average, and whole nodes hold {room} of "
                "theirs: in a longer stream a backlog grows."
            ]
    return []


def figure(training: Training, look: Look) -> Figure:
    """Free GPUs of no use under the chosen rule and under the one it is compared with."""
    title = "How many free GPUs are on nodes with too few for the next job?"
    return Figure("stream", title, frame(training), spec(look), alt_text(training))


def frame(training: Training) -> pa.Table:
    """Rows: jobs so far, unusable GPUs, by kind."""
    pairs = {"mine": training.rule, "other": other(training)}
    jobs = np.arange(1, JOBS + 1)
    lines, rows = [], []
    for kind, rule in pairs.items():
        useless = run(training, rule).unusable
        lines.append({"kind": kind, "x": jobs, "y": np.minimum(useless, TOP), "unusable": useless})
        mean = float(useless.mean())
        words, tone = f"{RULES[rule]}, mean {f.significant(mean, 2)}", "accent" if kind == "mine" else "s1"
        lines.append({"kind": f"mean {kind}", "y": mean})
        at = 0.95 * TOP if kind == "mine" else 0.78 * TOP
        rows.append(marks.label(3, at, words, tone=tone, bold=kind == "mine"))
        if useless.max() > TOP:
            peak = int(useless.argmax())
            rows.append(marks.point(peak + 1, TOP, shape="triangle-up", tone=tone))
            rows.append(marks.label(peak + 1, TOP, f"{useless[peak]:.0f} ↑", dy=12, dx=8, tone=tone))
    return stack([*lines, *rows])


@lru_cache(maxsize=8)
def spec(look: Look) -> dict:
    """Unusable GPUs at each arrival: both rules with their means."""
    x = axes.x("x:Q", "jobs so far", [0, JOBS], tickCount=6)
    y = axes.y("y:Q", "free in too small pieces", [0, TOP], tickCount=6)
    base = alt.Chart().encode(x=x, y=y)
    tips = [
        alt.Tooltip("x:Q", title="jobs so far"),
        alt.Tooltip("unusable:Q", format=".2~f", title="free in too small pieces"),
    ]
    layers = []
    for kind, color, dash in (("other", look.series[1], [6, 3]), ("mine", look.accent, [])):
        rows = base.transform_filter(only(kind))
        line = rows.mark_line(interpolate="step-after", color=color, strokeWidth=look.stroke - 0.5, strokeDash=dash)
        layers.append(line.encode(order="x:Q", tooltip=tips))
        mean = base.transform_filter(only(f"mean {kind}")).mark_rule(color=color, strokeWidth=1, strokeDash=[2, 3])
        layers.append(mean.encode(x=alt.datum(0), x2=alt.datum(JOBS)))
    return specification(alt.layer(*layers, marks.points(base, look), marks.labels(base, look)), look)


def alt_text(training: Training) -> str:
    """The chart in one sentence with its numbers."""
    mine, its = run(training), run(training, other(training))
    return (
        f"Free GPUs on nodes with too few for the next job, at each of {JOBS} arrivals: on average {_gpus(mine)} under "
        f"{RULES[training.rule].lower()} and {_gpus(its)} under {RULES[other(training)].lower()}; an 8-GPU job could "
        f"get a node at once {f.share(mine.chance)} and {f.share(its.chance)} of the time."
    )


def twenty(training: Training) -> str:
    """Both rules over all streams, since one stream is luck."""
    numbers = range(1, int(k.PLACE_DRAW.high or 1) + 1)
    runs = {
        rule: [run(replace(training, draw=number), rule) for number in numbers]
        for rule in (training.rule, other(training))
    }
    said = [
        f"{RULES[rule]}: mean completion {f.duration(float(np.mean([one.completion for one in found])))}, "
        f"{f.significant(float(np.mean([one.unusable.mean() for one in found])), 2)} GPUs free in too small pieces, an "
        f"8-GPU job gets a node at once {f.share(float(np.mean([one.chance for one in found])))} of the time."
        for rule, found in runs.items()
    ]
    mine, its = ([one.completion for one in found] for found in runs.values())
    sooner = sum(one < another for one, another in zip(mine, its, strict=True))
    same = sum(one == another for one, another in zip(mine, its, strict=True))
    return (
        f"Averages over {len(numbers)} streams of {JOBS} jobs on a fleet that begins empty. {' '.join(said)} "
        f"{RULES[training.rule]} has the shorter mean completion in {sooner} of "
        f"them{f'; in {same} both have the same' if same else ''}."
    )
