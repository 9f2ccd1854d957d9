"""GPU slices: a stream of requests served by first-fit and best-fit, beside what no rule can beat."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd

from lessons.gpu_slices.settings import KINDS, MIXES, RULES, Slices
from lessons.gpu_slices.slots import COLUMNS, blocks, heads, picture, stranded_words
from physics import constants as k
from physics.placement import unusable
from physics.slicing import PROFILES, Placement, stranded, unusable_slices
from physics.slicing.streams import Request, Run, most_compute, random_requests, serve
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification

SEED = 20201027  #: with the number of the stream it makes the chances


@dataclass(frozen=True)
class Trial:
    """One stream, served by both rules, and the bound at every arrival."""

    requests: tuple[Request, ...]
    runs: dict[str, Run]
    used: dict[str, tuple[int, ...]]  #: compute slices in use after each arrival, by rule
    bound: tuple[int, ...]  #: most that any rule can hold after each arrival

    @property
    def mean_bound(self) -> float:
        """Average of the bound over the arrivals."""
        return float(np.mean(self.bound))

    def mean(self, rule: str) -> float:
        """Compute slices in use, averaged over the arrivals."""
        return float(np.mean(self.used[rule]))


def trial(wish: Slices) -> Trial:
    """Serve the stream of these settings."""
    return _trial(wish.gpu, wish.mix, wish.gpus, wish.stay, wish.draw)


@lru_cache(maxsize=128)
def _trial(gpu: str, mix: str, gpus: int, stay: float, draw: int) -> Trial:
    rng = np.random.default_rng([SEED, draw])
    weights = dict(zip(KINDS.values(), MIXES[mix][1], strict=True))
    requests = random_requests(int(k.SLICES_REQUESTS), weights, stay, rng, gpu)
    moments = range(len(requests))
    runs = {rule: serve(requests, gpus, rule, gpu) for rule in RULES}
    used = {rule: tuple(run.compute(moment) for moment in moments) for rule, run in runs.items()}
    bound = tuple(most_compute([one.profile for one in requests if one.alive(moment)], gpus, gpu) for moment in moments)
    return Trial(requests, runs, used, bound)


def chances(wish: Slices) -> dict[str, float]:
    """How likely the next request asks for each profile [1]."""
    weights = MIXES[wish.mix][1]
    return {name: weight / sum(weights) for name, weight in zip(KINDS.values(), weights, strict=True) if weight}


def fragments(wish: Slices, held: Sequence[Sequence[Placement]]) -> float:
    """F, free compute slices for which the next request has no place, on average."""
    return unusable_slices(held, chances(wish), wish.gpu)


def counted(wish: Slices, held: Sequence[Sequence[Placement]]) -> float:
    """The same where slices are counted only, as GPUs of nodes in the lesson on placement."""
    sizes: dict[int, float] = {}
    for name, chance in chances(wish).items():
        size = PROFILES[wish.gpu][name].compute
        sizes[size] = sizes.get(size, 0.0) + chance
    return unusable([stranded([placed], gpu=wish.gpu).free_compute for placed in held], sizes)


@lru_cache(maxsize=128)
def use_frame(wish: Slices) -> pd.DataFrame:
    """Rows of the chart of compute slices in use: arrival, slices, by kind."""
    found = trial(wish)
    lines = {"bound": found.bound} | found.used
    rows = [
        (kind, number, float(value), "") for kind, values in lines.items() for number, value in enumerate(values, 1)
    ]
    capacity = float(k.SLICES_COMPUTE) * wish.gpus
    rows.append(("capacity", 1, capacity, f"{capacity:.0f} slices"))
    rows.append(("here", wish.moment, capacity, "shown beside"))
    side = "here left" if wish.moment > len(found.requests) / 2 else "here right"
    rows.append((side, wish.moment, 0.0, f"request {wish.moment}"))
    return pd.DataFrame(rows, columns=["kind", "arrival", "slices", "label"])


@lru_cache(maxsize=8)
def use_spec(look: Look) -> dict:
    """Compute slices in use after each arrival: both rules, the bound, the capacity and the moment shown."""
    x = axes.x("arrival:Q", "requests so far", zero=False, tickCount=6)
    y = axes.y("slices:Q", "compute slices in use", zero=True, padding=12)
    base = alt.Chart().encode(x=x, y=y)
    names = {"bound": "Upper bound", **RULES}
    legend = alt.Legend(
        title=None,
        orient="top",
        symbolType="stroke",
        labelExpr=" : ".join(f"datum.value === '{n}' ? '{w}'" for n, w in names.items()) + " : ''",
    )
    colors = alt.Scale(domain=list(names), range=[look.quiet, look.series[1], look.accent])
    color = alt.Color("kind:N", scale=colors, legend=legend)
    dash = alt.StrokeDash("kind:N", scale=alt.Scale(domain=list(names), range=[[2, 2], [7, 3], [1, 0]]), legend=legend)
    lines = base.transform_filter(only(*names)).mark_line(interpolate="step-after", strokeWidth=look.stroke - 0.5)
    tips = [alt.Tooltip("kind:N", title="line"), alt.Tooltip("arrival:Q"), alt.Tooltip("slices:Q")]
    layers = [
        marks.level(base, "capacity", color=look.ink, strokeWidth=1),
        lines.encode(color=color, strokeDash=dash, order="arrival:Q", tooltip=tips),
        base.transform_filter(only("here")).mark_rule(color=look.ink, strokeDash=[3, 3]).encode(y2=alt.datum(0)),
    ]
    for side, align, dx in (("left", "right", -5), ("right", "left", 5)):
        text = base.transform_filter(only(f"here {side}")).mark_text(
            align=align, dx=dx, dy=-8, color=look.ink, fontSize=look.text_size, fontWeight="bold"
        )
        layers.append(text.encode(text="label:N"))
    return specification(alt.layer(*layers), look, 280)


def use_alt(wish: Slices) -> str:
    """The chart of use in one sentence with its numbers."""
    found = trial(wish)
    return (
        f"Compute slices in use over {f.count(len(found.requests), 'request')}: on average first-fit "
        f"{f.significant(found.mean('first'))}, best-fit {f.significant(found.mean('best'))}, at most "
        f"{f.significant(found.mean_bound)} by the upper bound, of {k.SLICES_COMPUTE * wish.gpus:.0f}."
    )


@lru_cache(maxsize=128)
def held_frame(wish: Slices) -> pd.DataFrame:
    """Rows of the picture of the GPUs after the arrival that is shown."""
    moment = wish.moment - 1
    rows: list[tuple] = [("edge", "", "", 0.0, float(k.SLICES_MEMORY), 0.0, float(wish.gpus))]
    for number, placed in enumerate(trial(wish).runs[wish.rule].held(moment)):
        words = f"GPU {number + 1}"
        left = stranded([placed], gpu=wish.gpu)
        unfit = f.significant(fragments(wish, [placed]), 2)
        head = f"{words}: free {left.free_compute} compute, {left.free_memory} memory; F = {unfit}"
        rows.append(("head", words, head, 0.0, 0.0, number + 0.16, number + 0.16))
        rows += picture(words, number, placed, wish.gpu)
    return pd.DataFrame(rows, columns=COLUMNS)


@lru_cache(maxsize=32)
def held_spec(look: Look, gpus: int) -> dict:
    """Slices and instances of every GPU."""
    x = axes.x("start:Q", "memory slices", [0, int(k.SLICES_MEMORY)], tickMinStep=1, format="d", grid=False)
    y = axes.y("top:Q", ends=[max(gpus, 2), 0], axis=None)
    return specification(alt.layer(*blocks(look, x, y), *heads(look, x, y)), look, 280, halo=False)


def held_alt(wish: Slices) -> str:
    """The picture in one sentence with its numbers."""
    left = stranded(trial(wish).runs[wish.rule].held(wish.moment - 1), gpu=wish.gpu)
    return (
        f"Slices of {f.count(wish.gpus, 'GPU')} under {RULES[wish.rule].lower()} after request {wish.moment}: "
        f"slices free: {left.free_compute} compute, {left.free_memory} memory; stranded {stranded_words(left)}."
    )


def metrics(wish: Slices) -> list[Metric]:
    """The headline numbers of the stream."""
    found = trial(wish)
    capacity = f"{k.SLICES_COMPUTE * wish.gpus:.0f}"
    requests = f"of {len(found.requests)} requests"
    return [
        *(Metric(f"{words} refuses", f"{found.runs[rule].refused}", requests) for rule, words in RULES.items()),
        *(
            Metric(f"{words} holds", f.significant(found.mean(rule)), f"of {capacity} compute slices on average")
            for rule, words in RULES.items()
        ),
    ]


def verdict(wish: Slices) -> Verdict:
    """What no rule can beat, and what is free at the moment shown."""
    found = trial(wish)
    return Verdict(
        f"No rule can hold more than {f.significant(found.mean_bound)} on average: an upper bound that may move every "
        "instance and take back every refusal at each arrival."
    )


def figures(wish: Slices, look: Look) -> list[Figure]:
    """The use over time, and the GPUs at one moment."""
    use, held = "How much of the GPUs is in use?", "What is free at this moment?"
    return [
        Figure("use", use, use_frame(wish), use_spec(look), use_alt(wish)),
        Figure("held", held, held_frame(wish), held_spec(look, wish.gpus), held_alt(wish)),
    ]


def moment_words(wish: Slices) -> str:
    """What is free at the moment shown, and whether the next request can use it."""
    found = trial(wish)
    held = found.runs[wish.rule].held(wish.moment - 1)
    left = stranded(held, gpu=wish.gpu)
    start = (
        f"After request {wish.moment}, {f.count(left.free_compute, 'compute slice')} and "
        f"{f.count(left.free_memory, 'memory slice')} are free; "
        f"of use to no profile: {stranded_words(left)}. {_fragment_words(wish)}"
    )
    if wish.moment == len(found.requests):
        return f"{start} It was the last request."
    following = found.requests[wish.moment]
    still = [one for one in found.runs[wish.rule].served[: wish.moment] if one.request.ends > wish.moment]
    held_then = tuple(
        tuple((one.request.profile, one.start) for one in still if one.device == number) for number in range(wish.gpus)
    )
    then = stranded(held_then, following.profile, wish.gpu)
    leaving = "" if then.free_memory == left.free_memory else " (some instances end before it arrives)"
    if then.fits:
        return f"{start} The next request, {following.profile}, finds a place{leaving}."
    free = f"{f.count(then.free_compute, 'compute slice')} and {f.count(then.free_memory, 'memory slice')}"
    profile = PROFILES[wish.gpu][following.profile]
    short = then.free_compute < profile.compute or then.free_memory < profile.memory
    why = f"since only {free} are free then" if short else f"although {free} are free then"
    return f"{start} The next request asks for {following.profile} and is refused, {why}{leaving}."


def _fragment_words(wish: Slices) -> str:
    """Fragmentation at the moment shown, with places and by counts alone."""
    held = trial(wish).runs[wish.rule].held(wish.moment - 1)
    return (
        f"Fragmentation F = {f.significant(fragments(wish, held))}: the compute slices that are free, on average, "
        f"where a request of this mix has no place; counting slices alone, {f.significant(counted(wish, held))}."
    )


def values(wish: Slices) -> dict[str, str]:
    """Numbers of the stream that the lesson's words need."""
    found = trial(wish)
    held = found.runs[wish.rule].held(wish.moment - 1)
    free = stranded(held, gpu=wish.gpu).free_compute
    return {
        "stream_moment": str(wish.moment),
        "stream_rule": RULES[wish.rule].lower(),
        "stream_free": f"{f.count(free, 'compute slice')} {'is' if free == 1 else 'are'} free",
        "stream_fragments": f.significant(fragments(wish, held)),
        "stream_counted": f.significant(counted(wish, held)),
        "stream_first": f.significant(found.mean("first")),
        "stream_best": f.significant(found.mean("best")),
        "stream_bound": f.significant(found.mean_bound),
        "stream_capacity": f"{k.SLICES_COMPUTE * wish.gpus:.0f}",
    }
