"""GPU slices, second act: the chance that a gang of whole nodes starts, and free GPUs that the next job cannot use."""

import math
from bisect import bisect_left
from functools import lru_cache, partial

import altair as alt
import numpy as np
import pandas as pd

from lessons.gpu_slices.values import NODE_STEP, Slices
from physics import constants as k
from physics.slicing.gangs import Fragmentation, expected_fragmentation, fragmentation, gang_start_probability
from ui.base import format as f
from ui.charts.look import Look, label, only, specification

POINTS = 90


def chance_words(probability: float, possible: bool = True) -> str:
    """Write a chance: as percent, or as a power of ten where a percentage says nothing.

    >>> chance_words(0.5223), chance_words(0.2**64), chance_words(0.0), chance_words(0.0, possible=False)
    ('52.2 %', '1.84 × 10⁻⁴⁵', 'less than 10⁻³⁰⁰', '0 %')
    """
    if probability > 1e-6:
        return f.share(probability)
    if probability > 1e-300:
        return f.significant(probability)
    return f"less than {f.power(-300)}" if possible else "0 %"


def gang_chance(wish: Slices, block: int = 1) -> str:
    """The chance of the gang in words."""
    return chance_words(wish.chance(block=block), wish.nodes >= wish.needed)


def named_chance(wish: Slices) -> str:
    """The chance that as many named nodes are free, in words; none when there are not so many nodes."""
    if wish.nodes < wish.needed:
        return "0 %"
    return chance_words(wish.free**wish.needed)


def _extent(wish: Slices) -> int:
    """Nodes at the right end of the chart: beyond the present ones, and far enough that the chance is high."""
    return int(math.ceil(max(1.25 * wish.nodes, min(1.7 * wish.needed / wish.free, 1500.0)) / 64) * 64)


def gang_frame(wish: Slices) -> pd.DataFrame:
    """Rows of the chart of the chance against the nodes, by kind."""
    return _gang_frame(wish.free, wish.needed, wish.block, wish.nodes, _extent(wish))


@lru_cache(maxsize=64)
def _gang_frame(free: float, needed: int, block: int, nodes: int, extent: int) -> pd.DataFrame:
    rows = []
    for kind, size in (("alone", 1), ("blocks", block)):
        if kind == "alone" or block > 1:
            grid = np.unique(np.linspace(0, extent, POINTS).astype(int) // size * size)
            rows += [(kind, n, gang_start_probability(free, int(n), needed, size), "") for n in grid]

    chance = gang_start_probability(free, nodes, needed)
    side = "left" if nodes > 0.6 * extent else "right"
    rows.append(("here", nodes, chance, ""))
    named = free**needed if nodes >= needed else 0.0
    words = f"{f.count(needed, 'named node')}: {chance_words(named, nodes >= needed)}"
    rows.append(("named line", needed, named, ""))
    rows.append(("named", needed, named, words))
    low = "low " if chance < 0.15 else ""
    rows.append(
        (f"here {low}{side}", nodes, chance, f"any {needed} of {nodes}: {chance_words(chance, nodes >= needed)}")
    )
    if block > 1:
        together = gang_start_probability(free, nodes, needed, block)
        rows.append(("together", nodes, together, ""))
        # Two labels at one place: the second goes to the other side.
        other = "right" if side == "left" else "left"
        if max(together, chance) > 0.005:
            words = f"blocks of {block}: {chance_words(together, nodes >= needed)}"
            rows.append((f"together {other}", nodes, together, words))
    for scale in (0.8, 1.25):
        near = round(scale * needed / free)
        if near < extent and abs(near - nodes) > 0.06 * extent and needed >= 8:
            beside = gang_start_probability(free, near, needed)
            rows.append(("near", near, beside, ""))
            rows.append(("near low" if beside < 0.15 else "near high", near, beside, f"{near}: {f.share(beside, 2)}"))
    # Along the foot of the chart others may be named.
    if {"near low", "here low left", "here low right"} & {row[0] for row in rows}:
        rows = [("named high", *row[1:]) if row[0] == "named" else row for row in rows]
    if needed / free <= extent:
        rows.append(("mean", needed / free, 0.0, f"{needed} free on average"))
    return pd.DataFrame(rows, columns=["kind", "nodes", "chance", "label"])


@lru_cache(maxsize=8)
def gang_spec(look: Look) -> dict:
    """Chance that the gang can start against the number of nodes: independent, in blocks, and named."""
    x = alt.X(
        "nodes:Q",
        title="nodes N that the gang may run on",
        scale=alt.Scale(nice=False, zero=True),
        axis=alt.Axis(tickCount=8),
    )
    y = alt.Y(
        "chance:Q",
        title="chance that the gang can start",
        scale=alt.Scale(domain=[0, 1.08], nice=False),
        axis=alt.Axis(format=".0%", values=[0, 0.25, 0.5, 0.75, 1]),
    )
    base = alt.Chart().encode(x=x, y=y)
    tips = [alt.Tooltip("nodes:Q", format="d"), alt.Tooltip("chance:Q", format=".3~g")]

    text = partial(label, base, look=look)
    # On a phone the number stands under its name.
    pair = partial(text, short="split(datum.label, ': ')")
    point = dict(filled=True, opacity=1, stroke=look.paper, strokeWidth=1.5, size=120)
    layers = [
        base.transform_filter(only("named line"))
        .mark_rule(color=look.bad, strokeDash=[6, 3], strokeWidth=2)
        .encode(x=alt.value(0), x2=alt.value("width")),
        base.transform_filter(only("mean")).mark_rule(color=look.quiet, strokeDash=[2, 2]).encode(y2=alt.datum(1)),
        base.transform_filter(only("blocks"))
        .mark_line(color=look.series[3], strokeDash=[8, 3], strokeWidth=look.stroke - 0.5)
        .encode(order="nodes:Q", tooltip=tips),
        base.transform_filter(only("alone"))
        .mark_line(color=look.accent, strokeWidth=look.stroke)
        .encode(order="nodes:Q", tooltip=tips),
        base.transform_filter(only("together")).mark_point(color=look.series[3], shape="diamond", **point),
        base.transform_filter(only("here")).mark_point(color=look.accent, **point),
        base.transform_filter(only("near")).mark_point(color=look.accent, **(point | {"size": 60})),
        text("near low", look.ink, align="left", baseline="bottom", dx=8, dy=-6),
        text("near high", look.ink, align="left", baseline="top", dx=8, dy=4),
        text("named", look.bad, align="left", baseline="bottom", dy=-5).encode(x=alt.value(6)),
        text("named high", look.bad, align="left", baseline="bottom", dy=-24).encode(x=alt.value(6)),
        text("mean", look.quiet, align="center", baseline="bottom").encode(y=alt.datum(1.01)),
    ]
    for side, align, dx in (("left", "right", -12), ("right", "left", 12)):
        layers.append(pair(f"here {side}", look.accent, align=align, dx=dx, dy=8, fontWeight="bold"))
        layers.append(
            text(f"here low {side}", look.accent, align=align, baseline="bottom", dx=dx, dy=-6, fontWeight="bold")
        )
        layers.append(pair(f"together {side}", look.series[3], align=align, dx=dx, dy=-8))
    return specification(alt.layer(*layers), look, 280)


def gang_alt(wish: Slices) -> str:
    """The chart of the chance in one sentence with its numbers."""
    return f"Chance that a gang can start against the number of nodes. {gang_words(wish)}"


def gang_words(wish: Slices) -> str:
    """The chance of the gang at these settings."""
    blocks = ""
    if wish.block > 1:
        blocks = f" ({gang_chance(wish, wish.block)} in blocks of {wish.block})"
    return (
        f"Any {wish.needed} of {f.count(wish.nodes, 'node')} free: a chance of {gang_chance(wish)}{blocks}; "
        f"{f.count(wish.needed, 'named node')} with {named_chance(wish)}. On average "
        f"{f.significant(wish.nodes * wish.free)} of the nodes are free."
    )


def gang_verdict(wish: Slices) -> tuple[str, bool]:
    """What binds, the smallest change that mends it, and whether the gang starts more often than not."""
    if wish.chance() >= 0.5:
        even = "That is an even chance or better."
        if wish.chance(block=wish.block) < 0.5:
            even = "That is an even chance or better as long as nodes come free one by one, and less in blocks."
        return f"{gang_words(wish)} {even}", True
    sizes = range(int(k.SLICES_NODES.low), int(k.SLICES_NODES.high) + 1, NODE_STEP)
    larger = bisect_left(sizes, 0.5, key=wish.chance)
    smaller = next((n for n in range(wish.needed, 0, -1) if gang_start_probability(wish.free, wish.nodes, n) >= 0.5), 0)
    found = []
    if larger < len(sizes):
        found.append(f"{sizes[larger]} nodes")
    if smaller:
        found.append(f"a gang of {smaller}")
    percent = range(1, 100)
    freer = bisect_left(percent, 0.5, key=lambda p: gang_start_probability(p / 100, wish.nodes, wish.needed))
    if freer < len(percent):
        found.append(f"{percent[freer]} % free")
    cure = " Counted node by node." if wish.block > 1 else ""
    cure += f" For an even chance: {'; or '.join(found)}."
    if not found:
        cure = " No single knob here gives it an even chance."
    short = ""
    if wish.nodes < wish.needed:
        short = "There are fewer nodes than the gang takes."
    elif wish.nodes * wish.free < wish.needed:
        short = "That is too few."
    return f"{gang_words(wish)} {short}{cure}".replace("  ", " "), False


def spread(wish: Slices, free: float | None = None) -> Fragmentation:
    """Free GPUs that are scattered: each is free by itself."""
    return expected_fragmentation(wish.free if free is None else free, wish.nodes, int(k.SLICES_NODE_GPUS), wish.job)


def packed(wish: Slices, free: float | None = None) -> Fragmentation:
    """As many free GPUs, but node by node: the scheduler has filled up the others."""
    size = int(k.SLICES_NODE_GPUS)
    whole, rest = divmod(round((wish.free if free is None else free) * wish.nodes * size), size)
    return fragmentation([size] * whole + [rest], wish.job)


@lru_cache(maxsize=64)
def _curves(nodes: int, job: int) -> list[tuple[str, float, float, str]]:
    """Stranded share of the free GPUs over the free share, scattered and node by node."""
    wish = Slices(nodes=nodes, job=job)
    shares = [float(p) for p in np.linspace(0.01, 1.0, 100)]
    rows = [("spread", p, _scattered_share(p, job), "") for p in shares]
    return rows + [("packed", p, packed(wish, p).share, "") for p in shares]


@lru_cache(maxsize=1024)
def _scattered_share(free: float, job: int) -> float:
    """Stranded share of scattered free GPUs; the number of nodes does not matter."""
    return expected_fragmentation(free, 1, int(k.SLICES_NODE_GPUS), job).share


def free_frame(wish: Slices) -> pd.DataFrame:
    """Rows of the chart of stranded GPUs: free share, stranded share of the free GPUs, by kind."""
    rows = list(_curves(wish.nodes, wish.job))
    now = spread(wish).share
    side = "left" if wish.free > 0.6 else "right"
    rows.append(("here", wish.free, now, ""))
    rows.append((f"here {side}", wish.free, now, f"scattered: {f.share(now)} stranded"))
    rows.append(("full", wish.free, packed(wish).share, ""))
    rows.append((f"full {side}", wish.free, packed(wish).share, f"node by node: {f.share(packed(wish).share)}"))
    return pd.DataFrame(rows, columns=["kind", "free", "stranded", "label"])


@lru_cache(maxsize=8)
def free_spec(look: Look) -> dict:
    """Stranded share of the free GPUs against the free share: scattered, and node by node."""
    x = alt.X(
        "free:Q",
        title="free share of the GPUs",
        scale=alt.Scale(domain=[0, 1], nice=False),
        axis=alt.Axis(format=".0%"),
    )
    y = alt.Y(
        "stranded:Q",
        title="stranded share of them",
        scale=alt.Scale(domain=[0, 1.1], nice=False),
        axis=alt.Axis(format=".0%", values=[0, 0.25, 0.5, 0.75, 1]),
    )
    base = alt.Chart().encode(x=x, y=y)
    tips = [alt.Tooltip("free:Q", format=".0%"), alt.Tooltip("stranded:Q", format=".1%")]

    def line(kind: str, color: str, **options: object) -> alt.Chart:
        mark = base.transform_filter(only(kind)).mark_line(color=color, strokeWidth=look.stroke, **options)
        return mark.encode(order="free:Q", tooltip=tips)

    point = dict(filled=True, opacity=1, stroke=look.paper, strokeWidth=1.5, size=120)
    layers = [
        line("spread", look.accent),
        line("packed", look.good, strokeDash=[8, 3]),
        base.transform_filter(only("here")).mark_point(color=look.accent, **point),
        base.transform_filter(only("full")).mark_point(color=look.good, shape="diamond", **point),
    ]
    for side, align, dx in (("left", "right", -12), ("right", "left", 12)):
        for kind, color in (("here", look.accent), ("full", look.good)):
            layers.append(label(base, f"{kind} {side}", color, look, align=align, dx=dx, dy=-10, fontWeight="bold"))
    return specification(alt.layer(*layers), look, 280)


def free_alt(wish: Slices) -> str:
    """The chart of stranded GPUs in one sentence with its numbers."""
    return f"Free GPUs that the next job cannot use, against the free share. {free_words(wish)}"


def free_words(wish: Slices) -> str:
    """How many GPUs are free, and of use, at these settings."""
    scattered, filled = spread(wish), packed(wish)
    job = f.count(wish.job, "GPU")
    return (
        f"Of {f.significant(wish.nodes * k.SLICES_NODE_GPUS, 4)} GPUs {f.significant(scattered.free)} are free on "
        f"average. For a job that needs {job} on one node {f.share(scattered.share)} of them are stranded if they are "
        f"scattered ({f.significant(scattered.jobs)} such jobs can start on average), and {f.share(filled.share)} if "
        f"whole nodes are kept free ({f.count(filled.jobs, 'job')})."
    )


def values(wish: Slices) -> dict[str, str]:
    """Numbers of the second act that the lesson's words need."""
    scattered = spread(wish)
    return {
        "gang_free": f.share(wish.free),
        "gang_nodes": f.significant(wish.nodes, 4),
        "gang_needed": f.significant(wish.needed),
        "gang_named_nodes": f.count(wish.needed, "node"),
        "gang_mean": f.significant(wish.nodes * wish.free),
        "gang_chance": gang_chance(wish),
        "gang_named": named_chance(wish),
        "gang_block": f.count(wish.block, "node"),
        "gang_blocks": f.count(-(-wish.nodes // wish.block), "block"),
        "gang_together": gang_chance(wish, wish.block),
        "gang_deviation": f.significant(math.sqrt(wish.nodes * wish.free * (1 - wish.free))),
        "gang_block_deviation": f.significant(_deviation(wish)),
        "free_job": f.count(wish.job, "GPU"),
        "free_free": f.significant(scattered.free),
        "free_jobs": f.significant(scattered.jobs),
        "free_stranded": f.share(scattered.share),
        "free_packed": f.share(packed(wish).share),
    }


def _deviation(wish: Slices) -> float:
    """Standard deviation of the free nodes when they come free in blocks."""
    blocks, rest = divmod(wish.nodes, wish.block)
    return math.sqrt((blocks * wish.block**2 + rest**2) * wish.free * (1 - wish.free))
