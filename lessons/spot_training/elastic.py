"""Spot training, second act: a worker more for as long as it is worth its price, and prices that swing."""

import math
from dataclasses import dataclass
from functools import lru_cache

import altair as alt
import numpy as np
import pyarrow as pa

from lessons.spot_training.crew import MOST
from physics import constants as k
from physics.checkpointing import ElasticRun, elastic_run, marginal_speedup, speedup, workers_worth
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack

#: Top of the chart of the marginal worker: what the first one brings, and room for a label.
TOP = 1.15
#: The same prices at every setting, so that two settings differ by the settings.
SEED = 19890619
#: Paths of prices over which a band is compared with never resizing; the first one is shown.
PATHS = 20


@dataclass(frozen=True)
class Elastic:
    """A job that may grow and shrink at the spot price; SI, prices and worth a worker and hour."""

    workers: int
    serial: float
    gradient: float
    bandwidth: float
    latency: float
    restart: float
    price: float
    worth: float
    swing: float
    band: float

    @property
    def ratio(self) -> float:
        """Price of a worker ÷ worth of what one worker does in the same time [1]."""
        return self.price / self.worth

    @property
    def network(self) -> tuple[float, ...]:
        """What a step's time depends on."""
        return self.serial, self.gradient, self.bandwidth, self.latency, float(k.SPOT_STEP_TIME)

    def brings(self, n: int) -> float:
        """Extra speed of the n-th worker [1]."""
        return marginal_speedup(n, *self.network)

    @property
    def best(self) -> int | float:
        """Workers that are worth the mean price, each by itself."""
        return workers_worth(self.ratio, *self.network)

    @property
    def prices(self) -> np.ndarray:
        """Price at each tick ÷ worth of what one worker does [1]."""
        return self.path(0)

    def path(self, number: int) -> np.ndarray:
        """The same on one of the paths."""
        return self.ratio * np.exp(self.swing * _swings(number) - self.swing**2 / 2)

    def run(self, band: float, path: int = 0) -> ElasticRun:
        """The job on a path of prices, with a band."""
        return _run(self.path(path).tobytes(), self.network, band, self.restart)

    def gain(self, band: float, path: int = 0) -> float:
        """What the job's work is worth beyond its cost [$]."""
        return self.run(band, path).gain * self.worth / k.HOUR

    @property
    def fixed(self) -> int:
        """Workers of a job that is never resized: as many as are worth the mean price."""
        return int(min(self.best, MOST))

    def still(self, path: int = 0) -> float:
        """What the work of that job is worth beyond its cost [$]."""
        n, prices, tick = self.fixed, self.path(path), float(k.SPOT_PRICE_TICK)
        speed = speedup(n, *self.network) if n else 0.0
        return tick * float((speed - prices * n).sum()) * self.worth / k.HOUR

    def beyond(self) -> np.ndarray:
        """By how much the band gains more than never resizing, on each path [$]."""
        return np.array([self.gain(self.band, path) - self.still(path) for path in range(PATHS)])


@lru_cache(maxsize=PATHS)
def _swings(number: int) -> np.ndarray:
    """Standard deviations of the logarithm of the price from its mean, at each tick of a path."""
    rng, keeps = (
        np.random.default_rng([SEED, number] if number else SEED),
        math.exp(-float(k.SPOT_PRICE_TICK) / float(k.SPOT_PRICE_MEMORY)),
    )
    shocks, path = rng.standard_normal(round(float(k.SPOT_PRICE_SPAN) / float(k.SPOT_PRICE_TICK))), [0.0]
    for shock in shocks[1:].tolist():
        path.append(keeps * path[-1] + math.sqrt(1 - keeps**2) * shock)
    return np.array(path)


@lru_cache(maxsize=256)
def _run(prices: bytes, network: tuple[float, ...], band: float, restart: float) -> ElasticRun:
    path, tick = np.frombuffer(prices), float(k.SPOT_PRICE_TICK)
    return elastic_run(path, *network, band=band, restart=restart, tick=tick, limit=MOST)


def figures(job: Elastic, look: Look) -> list[Figure]:
    """The marginal worker, and the job on a path of prices."""
    return [
        Figure("marginal", "What does one worker more bring?", margin_frame(job), margin_spec(look), margin_alt(job)),
        Figure("resized", "How often is the job resized?", path_frame(job), path_spec(look), path_alt(job)),
    ]


def answers(job: Elastic) -> list[str]:
    """Up to where a worker is worth its price, and what following the price costs."""
    plain, banded = job.run(0.0), job.run(job.band)
    span, pause = f.duration(float(k.SPOT_PRICE_SPAN)), f.duration(job.restart) if job.restart else "no time"
    return [
        f"**Worth its price**: {_worth_words(job)}",
        f"**Following the price** for {span}: {f.count(plain.resizes, 'resize')}; the work is worth "
        f"{_beyond(job.gain(0.0))} its cost. **With a band of {f.share(job.band)}**: "
        f"{f.count(banded.resizes, 'resize')}, {_beyond(job.gain(job.band))} its cost. **Never resizing**, with "
        f"{f.count(job.fixed, 'worker')}: {_beyond(job.still())} its cost.",
        _compared(job),
        f"Each resize stops the work for {pause}, while all workers are paid. The rule knows no price to come. "
        f"No more than {MOST} workers are taken, and interruptions are not counted here.",
    ]


def _compared(job: Elastic) -> str:
    """On how many paths the band gains more than never resizing."""
    beyond = job.beyond()
    mean = float(beyond.mean())
    return (
        f"One path is luck. Over {PATHS} such paths the band gains more than never resizing on "
        f"{int((beyond > 0).sum())}, and on average {f.money(abs(mean))} {'more' if mean >= 0 else 'less'}."
    )


def _worth_words(job: Elastic) -> str:
    """The last worker that is worth the mean price, and the next one."""
    best = job.best
    price = f.money(job.price)
    if best == 0:
        return f"no worker; the first one brings {f.money(job.worth)} an hour and costs {price}."
    if math.isinf(best):
        return f"every further worker; each brings {f.money(job.worth * job.brings(MOST))} an hour and costs {price}."
    last, following = (f.money(job.worth * job.brings(n)) for n in (int(best), int(best) + 1))
    return (
        f"{f.count(int(best), 'worker')}, at {price} an hour each; the last one brings {last} an hour, one more would "
        f"bring {following}."
    )


def _beyond(gain: float) -> str:
    return f"{f.money(abs(gain), 3)} {'more' if gain >= 0 else 'less'} than"


@lru_cache(maxsize=64)
def margin_frame(job: Elastic) -> pa.Table:
    """Rows of the first chart: workers, what the last one brings (of what the first does, and [$/h]), price, band."""
    numbers = np.unique(np.geomspace(1, MOST, 60).round().astype(int))
    gains = [job.brings(int(n)) for n in numbers]
    inside = [(int(n), gain) for n, gain in zip(numbers, gains, strict=True) if gain >= 0]
    level, n = job.ratio, job.workers
    best, gain = job.best, job.brings(n)
    rows = [
        marks.point(n, min(max(gain, 0.0), TOP), size=130, shape="circle" if gain >= 0 else "triangle-down"),
        marks.label(
            n, max(gain, 0.0), f"you: {f.money(job.worth * gain)} an hour", dy=-14, bold=True, dx=8, short="you"
        ),
        marks.label(
            MOST,
            min(level, TOP),
            f"price: {f.money(job.price)}" + (" ↑" if level > TOP else ""),
            align="right",
            dy=12 if level > TOP - 0.1 else -10,
            dx=-4,
            tone="bad",
        ),
    ]
    if 0 < best <= MOST:
        rows.append(marks.point(int(best), job.brings(int(best)), shape="diamond", tone="good"))
    line = {"kind": "price", "value": level if level <= TOP else None}
    band = {"kind": "band", "value": min(level * (1 - job.band), TOP), "upper": min(level * (1 + job.band), TOP)}
    curve = {"kind": "curve", "workers": [at for at, _ in inside], "value": [value for _, value in inside]}
    curve["dollars"] = [job.worth * value for value in curve["value"]]
    here, *others = marks.renamed(rows, "workers", "value")
    return stack([curve, line, band, {**here, "dollars": job.worth * gain}, *others])


@lru_cache(maxsize=8)
def margin_spec(look: Look) -> dict:
    """What the n-th worker brings, with the price and its band."""
    x = axes.x(
        "workers:Q", "workers n", [1, MOST], type="log", base=2, values=[1, 2, 4, 8, 16, 32, 64, 128], format="d"
    )
    y = axes.y("value:Q", "extra speed", [0, TOP], format=".0%", values=[0, 0.2, 0.4, 0.6, 0.8, 1])
    base = alt.Chart().encode(x=x, y=y)
    wide = {"x": alt.value(0), "x2": alt.value("width")}
    tips = [
        alt.Tooltip("workers:Q", format="d"),
        alt.Tooltip("value:Q", format=".3~g", title="extra speed of the n-th"),
        alt.Tooltip("dollars:Q", format="$.3~g", title="is worth, an hour"),
    ]
    layers = [
        base.transform_filter(only("band")).mark_rect(color=look.bad, opacity=0.13).encode(y2="upper:Q", **wide),
        base.transform_filter(only("price"))
        .mark_rule(color=look.bad, strokeDash=[8, 4], strokeWidth=1.5)
        .encode(**wide),
        base.transform_filter(only("curve"))
        .mark_line(color=look.accent, strokeWidth=look.stroke)
        .encode(order="workers:Q", tooltip=tips),
        marks.points(base, look),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, 280 if look.present else 230, halo=False)


def margin_alt(job: Elastic) -> str:
    """The first chart in one sentence with its numbers."""
    n, brings = job.workers, f.money(job.worth * job.brings(job.workers))
    return f"What the n-th worker brings against n: worker {n} {brings} an hour, at a price of {f.money(job.price)}."


@lru_cache(maxsize=64)
def path_frame(job: Elastic) -> pa.Table:
    """Rows of the second chart: hours and workers, following every price and with the band."""
    hours = np.arange(len(job.prices)) * float(k.SPOT_PRICE_TICK) / k.HOUR
    plain, banded = job.run(0.0), job.run(job.band)
    words = f"band of {f.share(job.band)}: {f.count(banded.resizes, 'resize')}"
    rows = [
        marks.label(1, 100, f"every price: {f.count(plain.resizes, 'resize')}", tone="s1"),
        marks.label(1, 72, words, tone="accent", bold=True),
    ]
    parts = [
        {"kind": kind, "hours": hours, "workers": run.workers.astype(float)}
        for kind, run in (("plain", plain), ("banded", banded))
    ]
    parts.append({"kind": "still", "hours": hours[[0, -1]], "workers": [float(job.fixed)] * 2})
    rows.append(marks.label(1, 52, f"never resized: {f.count(job.fixed, 'worker')}", tone="quiet"))
    return stack([*parts, *marks.renamed(rows, "hours", "workers")])


@lru_cache(maxsize=8)
def path_spec(look: Look) -> dict:
    """Workers over time, with and without a band, and never resized."""
    span = float(k.SPOT_PRICE_SPAN) / k.HOUR
    x = axes.x("hours:Q", "time (h)", [0, span], values=[0, 12, 24, 36, 48])
    y = axes.y("workers:Q", "workers", [0, MOST], type="sqrt", values=[0, 4, 16, 36, 64, 100, 128], format="d")
    base = alt.Chart().encode(x=x, y=y)
    tips = [alt.Tooltip("hours:Q", format=".2~f", title="h"), alt.Tooltip("workers:Q", format="d")]

    def line(kind: str, color: str, width: float) -> alt.Chart:
        steps = base.transform_filter(only(kind))
        mark = steps.mark_line(color=color, strokeWidth=width, interpolate="step-after")
        return mark.encode(order="hours:Q", tooltip=tips)

    layers = [
        marks.line(base.encode(order="hours:Q"), "still", look.quiet, 1.5, [6, 3]),
        line("plain", look.series[1], 1.2),
        line("banded", look.accent, look.stroke),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, 280 if look.present else 230, halo=False)


def path_alt(job: Elastic) -> str:
    """The second chart in one sentence with its numbers."""
    plain, banded = job.run(0.0), job.run(job.band)
    return (
        f"Workers over {f.duration(float(k.SPOT_PRICE_SPAN))} of prices that swing: {f.count(plain.resizes, 'resize')} "
        f"when every price is followed, {f.count(banded.resizes, 'resize')} with a band of {f.share(job.band)}."
    )


def elastic_values(job: Elastic, story: Elastic) -> dict[str, str]:
    """Numbers of elastic jobs that the lesson's words need: at these settings, and of the story."""
    return {
        "elastic_worth": _worth_words(job),
        "elastic_marginal": f.significant(job.brings(job.workers)),
        "elastic_ratio": f.significant(job.ratio),
        "story_elastic_best": f.count(int(story.best), "worker"),
        "story_elastic_plain": f.count(story.run(0.0).resizes, "resize"),
        "story_elastic_banded": f.count(story.run(story.band).resizes, "resize"),
        "story_elastic_band": f.share(story.band),
        "story_elastic_plain_gain": f.money(story.gain(0.0), 3),
        "story_elastic_gain": f.money(story.gain(story.band), 3),
        "story_elastic_still": f.money(story.still(), 3),
        "story_elastic_ahead": f"{int((story.beyond() > 0).sum())} of {PATHS}",
    }
