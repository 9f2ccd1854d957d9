"""Spot training: the eight runs redrawn by the browser while the visitor drags the cost curve.

Interruptions come at the same times with every interval. So the rows are the stretches between
interruptions, and the browser computes what is saved and lost in each by the rules of
`physics.checkpointing.play_run`. Rows for every interval would be 30 times as many.
"""

import math
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import numpy as np
import pyarrow as pa

from lessons.spot_training import runs, settings
from lessons.spot_training.runs import DUMPS, HALF_BAR, LOST, MAX_HOURS, RUNS, WORK
from lessons.spot_training.settings import Plan
from physics import constants as k
from ui.base.lesson import Figure
from ui.charts import Look, only, stack
from ui.charts.handle import POINTED, axis_of
from ui.charts.layers import computed

#: Work of the run [h], and intervals that the slider offers [min].
HOURS = settings.WORK_TIME / k.HOUR
MINUTES = [interval / k.MINUTE for interval in settings.INTERVALS]
#: Vega expression: whether the visitor's pointer holds the cost chart.
IS_HELD = f"isValid({POINTED})"
_POSITION = " + ".join(
    f"({POINTED} > {math.sqrt(low * high)!r})" for low, high in pairwise(MINUTES)
)
#: Vega expression: the interval at the pointer [h].
INTERVAL = f"{[minutes / 60 for minutes in MINUTES]}[{_POSITION}]"
#: Vega expression: the text at the end of a run.
BILL = f"datum.finish <= {MAX_HOURS} ? '$' + format(datum.price * datum.finish, ',.0f') : '→'"
#: Vega expressions of the columns that follow for each stretch, in this order; times in hours.
#: Without a sufficient notice only whole segments are saved; the last one may be shorter.
STEPS = {
    "works": "datum.until - datum.x - datum.rest",
    "interval": INTERVAL,
    "segment": "datum.interval + datum.dump",
    "whole": f"floor({HOURS} / datum.interval + 1e-9)",
    "tail": f"{HOURS} - datum.whole * datum.interval",
    "total": "datum.whole * datum.segment + (datum.tail > 1e-6 ? datum.tail + datum.dump : 0)",
    "most": "datum.safe ? datum.total : datum.whole * datum.segment",
    "fits": "datum.safe ? datum.works : floor(datum.works / datum.segment + 1e-9) * datum.segment",
}
#: Columns that follow from those and from `added`, the work saved up to the end of the stretch.
AFTER = {
    "before": "min(datum.most, datum.added - datum.fits)",
    "needs": "datum.total - datum.before",
    "ends": "datum.needs <= datum.works + 1e-9 ? datum.x + datum.rest + datum.needs : null",
}
#: Columns that follow when the end of the run is known, or the last stretch (`finish`, `last`).
LAST = {
    "bar": f"min({MAX_HOURS}, isValid(datum.finish) ? datum.finish : datum.last)",
    "kept": "min(datum.fits, datum.most - datum.before)",
    "lost": "isValid(datum.ends) ? datum.until : datum.until - (datum.works - datum.kept)",
}


#: Columns of numbers that a run's row holds as one text each. A row for each of its stretches would
#: be decoded at every turn, although nothing is computed from it until the other chart is held.
PACKED = ("x", "until", "rest")


#: The transforms from the stretches to all of these columns.
CHAIN = [
    {"filter": only("stretch")},
    {"filter": IS_HELD},
    *computed({f"{name}_list": f"split(datum.{name}_text, ' ')" for name in PACKED}),
    {"flatten": [f"{name}_list" for name in PACKED], "as": list(PACKED)},
    *computed({name: f"toNumber(datum.{name})" for name in PACKED}),
    *computed(STEPS),
    {
        "window": [{"op": "sum", "field": "fits", "as": "added"}],
        "sort": [{"field": "x"}],
        "groupby": ["y"],
    },
    *computed(AFTER),
    {
        "joinaggregate": [
            {"op": "min", "field": "ends", "as": "finish"},
            {"op": "max", "field": "until", "as": "last"},
        ],
        "groupby": ["y"],
    },
    {"filter": "!(datum.x >= datum.finish)"},
    *computed(LAST),
]
#: Transform that leaves one row per run, its first stretch.
ONE_A_RUN = {"filter": "datum.x === 0"}


@lru_cache(maxsize=64)
def figure(plan: Plan, look: Look) -> Figure:
    """Chart of the eight runs, with the data for redrawing them at another interval."""
    still = runs.figure(plan, look)
    # With one fixed interval, all intervals share the cached stretches.
    shared = packed(replace(plan, interval=settings.WORK_TIME))
    rows = pa.concat_tables([still.rows, shared], promote_options="default")
    return replace(still, rows=rows, spec=_spec(look))


@lru_cache(maxsize=64)
def stretches(plan: Plan) -> pa.Table:
    """Return the stretches between interruptions of each run: start, end, and restart time [h]."""
    rows = []
    dump = plan.dump / k.HOUR
    for number in range(RUNS):
        rng = np.random.default_rng([runs.SEED, number])
        gaps = rng.exponential(plan.gang_mtbf, runs.MAX_INTERRUPTIONS) / k.HOUR
        rest = np.minimum(plan.restart / k.HOUR, gaps)
        rest[0] = 0.0
        extra = (gaps > rest) * plan.saved_by_notice * dump
        ends = np.cumsum(gaps + extra)
        starts = np.append(0.0, ends[:-1])
        inside = starts < MAX_HOURS
        rows.append(
            {
                "kind": "stretch",
                "x": starts[inside],
                "until": (starts + gaps)[inside],
                "rest": rest[inside],
                "y": number + 1.0,
                "dump": dump,
                "price": plan.price,
                "safe": plan.saved_by_notice,
            }
        )
    return stack(rows)


@lru_cache(maxsize=64)
def packed(plan: Plan) -> pa.Table:
    """Return the stretches with one row per run, its numbers written side by side."""
    rows = []
    for run, frame in stretches(plan).to_pandas().groupby("y"):
        row = {"kind": "stretch", "y": run}
        for name in ("dump", "price", "safe"):
            row[name] = frame[name].iloc[0]
        for name in PACKED:
            row[f"{name}_text"] = " ".join(f"{number:.9g}" for number in frame[name])
        rows.append(row)
    return stack(rows)


@lru_cache(maxsize=8)
def _spec(look: Look) -> dict:
    """Return the specification: the runs as they are, or redrawn while the cost chart is held."""
    spec = dict(runs.figure(Plan(), look).spec)
    x = axis_of(spec)
    y = next(layer["encoding"]["y"] for layer in spec["layer"] if "y2" in layer["encoding"])
    hidden = {"opacity": {"expr": f"{IS_HELD} ? 0 : 1"}}
    layers = [layer | {"mark": layer["mark"] | hidden} for layer in spec["layer"]]

    foot = f"datum.y + {HALF_BAR}"

    def layer_of(name: str, left: str, right: str, top: str, *filters: dict) -> dict:
        """Return the layer of one part of the runs' time, from one time to another."""
        edges = {"left": left, "right": f"min({MAX_HOURS}, {right})", "top": top, "foot": foot}
        return {
            "transform": [*filters, *computed(edges)],
            "mark": {"type": "rect", "color": look.series[runs.COLOR_INDEX[name]]},
            "encoding": {
                "x": x | {"field": "left"},
                "x2": {"field": "right"},
                "y": y | {"field": "top"},
                "y2": {"field": "foot"},
            },
        }

    top = f"datum.y - {HALF_BAR}"
    strip = f"{foot} - {2 * HALF_BAR} * datum.dump / datum.segment"
    followers = [
        layer_of(WORK, "0", "datum.bar", top, ONE_A_RUN) | {"name": POINTED},
        layer_of(DUMPS, "0", "datum.bar", strip, ONE_A_RUN),
        layer_of(LOST, "datum.lost", "datum.until", top),
        layer_of(LOST, "datum.x", "datum.x + datum.rest", top),
        {
            "transform": [ONE_A_RUN],
            "mark": {"type": "text", "align": "right", "dx": -2, "color": look.ink},
            "encoding": {
                "x": {name: value for name, value in x.items() if name != "field"}
                | {"datum": runs.FRAME_HOURS},
                "y": y,
                "text": {"value": {"expr": BILL}},
            },
        },
    ]
    # One chain for all five: it is computed at every turn, too.
    layers.append({"transform": CHAIN, "layer": followers})
    params = [*spec.get("params", ()), {"name": POINTED, "value": None}]
    return spec | {"layer": layers, "params": params}
